"""The `open_form` profile: `strict`, except that printed numbers and texts may have any form.

For notebooks whose questions leave the form of the output open. `docs/open-form.md` has its rules, and how often they
err.
"""

from dataclasses import replace

from cibench_eval.evaluators.comparing.open_form.lists import in_place
from cibench_eval.evaluators.comparing.open_form.values import difference
from cibench_eval.evaluators.metrics import PrintedRules
from cibench_eval.evaluators.profiles import strict

FREE = PrintedRules(difference, in_place)
SCORES = {'numeric_correct': FREE.values, 'general_correct': FREE.values, 'text_score': FREE.texts}
PROFILE = replace(
    strict.PROFILE,
    name='open_form',
    metrics=tuple(replace(one, score=SCORES.get(one.name, one.score)) for one in strict.PROFILE.metrics),
    note=(
        'open_form reads answers of any form, and errs: of answers to open questions by an author who did not know it, '
        '25 % of the right ones were judged wrong and 4 % of the wrong ones right (docs/open-form.md)'
    ),
)

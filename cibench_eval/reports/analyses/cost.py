"""What sessions and right answers cost: tokens, money and seconds, beside the scores."""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial

from cibench_eval.analysis.results import WHOLE
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Usage, money
from cibench_eval.reports.analyses.drawing import across
from cibench_eval.reports.analyses.study import Analysis, LackingError, StepRecord, StudiedRuns
from cibench_eval.reports.layout import Cell, Table, starred
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import AVERAGE, Score

NOTE = (
    'S- is of a session, R- of a step that ended right, over both modes and all epochs: tokens read (In) and written '
    '(Out), cost in the currency of the price in the model’s config, seconds (Sec) in the model and in the kernel. '
    'Replies of the reply cache count as nothing; replays of gold are left out.'
)
FRONT = ' Front: no model of its split that takes less ({axis}) has as high a score ({score}).'
UNCOUNTED = ' {count} replies of {model} have no count of tokens: In, Out and Cost are too low.'
UNPRICED = ' The figure has tokens written in the place of cost, since there is no price of {models}.'
FORMS: dict[str, Callable[[float], str]] = {
    'In': '{:,.0f}'.format,
    'Out': '{:,.0f}'.format,
    'Cost': money,
    'Sec': '{:,.1f}'.format,
}
"""How amounts are shown, by the name of their column."""
AXES = {'Out': 'tokens written', 'Cost': 'cost'}


class Spent:
    """A model on a split: its scores, and what it used."""

    def __init__(self, study: StudiedRuns, split: str, model: str, steps: list[StepRecord]) -> None:
        self.split, self.model = split, model
        row = next((row for row in study.rows if (row.model, row.split) == (model, split)), Row(model, split, {}))
        self.whole = row.label == model
        named = {name: row.scores[key] for name, key in (('Avg', AVERAGE), ('Whole', WHOLE)) if key in row.scores}
        self.scores: Mapping[str, Score | None] = {**named, 'Right': study.share(steps, lambda step: step.right)}
        """Its scores, by the name of their column; it may lack some."""
        usage = sum((step.usage for step in steps), Usage())
        used = usage.tokens_in, usage.tokens_out, usage.cost, usage.model_seconds + usage.kernel_seconds
        sessions = {(step.mode, step.epoch, step.experiment) for step in steps}
        counts = {'S': len(sessions), 'R': sum(step.right is True for step in steps)}
        self.amounts = {
            f'{per}-{unit}': amount / count
            for per, count in counts.items()
            for unit, amount in zip(FORMS, used, strict=True)
            if amount and count
        }
        """What one session (`S-Out`) or right step (`R-Out`) used, by the name of its column, where it is known."""


def cost(study: StudiedRuns) -> Analysis:
    """Tokens, money and seconds of a session and of a right step, and which models are on the Pareto front."""
    own = [step for step in study.steps if step.model not in study.replays]
    groups = grouped(own, lambda step: (step.split, step.model))
    spent = [Spent(study, *key, steps) for key, steps in groups.items()]
    if not any('S-Out' in one.amounts for one in spent):
        raise LackingError('no model says how many tokens it wrote')
    unpriced = [one.model for one in spent if 'S-Cost' not in one.amounts]
    by = 'Out' if unpriced else 'Cost'
    score = 'Avg' if all('Avg' in one.scores for one in spent) else 'Right'
    places = {one: (amount, one.scores[score]) for one in spent if (amount := one.amounts.get(f'S-{by}'))}
    front = _front(places)
    note = NOTE + (FRONT.format(score=score, axis=AXES[by]) if len(spent) > 1 else '')
    note += UNPRICED.format(models=', '.join(dict.fromkeys(unpriced))) if unpriced else ''
    note += _uncounted(own)
    draw = partial(
        across,
        points={_name(one, spent): place for one, place in places.items()},
        lines=[[places[one] for one in front if one.split == split] for split in dict.fromkeys(o.split for o in spent)],
        labels=(f'{AXES[by]} a session', f'{score}, % (filled: on the Pareto front)'),
    )
    return Analysis(_table(spent, front, note), draw)


def _uncounted(steps: list[StepRecord]) -> str:
    """What is said of models whose endpoints have not always told how many tokens they took."""
    found = Counter[str]()
    for step in steps:
        found[step.model] += step.usage.unmeasured
    return ''.join(UNCOUNTED.format(model=model, count=count) for model, count in found.items() if count)


def _table(spent: list[Spent], front: list[Spent], note: str) -> Table:
    """Columns that are empty for all models are left out."""
    scores = [name for name in ('Avg', 'Right', 'Whole') if any(name in one.scores for one in spent)]
    known = {name for one in spent for name in one.amounts}
    amounts = [name for per in 'SR' for unit in FORMS if (name := f'{per}-{unit}') in known]
    body = [
        [
            Cell(_name(one, spent)),
            *(Cell.of(one.scores.get(name)) for name in scores),
            *(Cell(FORMS[name[2:]](one.amounts[name]) if name in one.amounts else '–') for name in amounts),
            *([Cell('yes' if one in front else '·')] if len(spent) > 1 else []),
        ]
        for one in spent
    ]
    header = ['', *scores, *amounts, *(['Front'] if len(spent) > 1 else [])]
    return Table('What right answers cost', header, body, note, tall=True)


def _name(one: Spent, spent: list[Spent]) -> str:
    """The name of a model; it includes the split if there are several."""
    several = len({other.split for other in spent}) > 1
    return starred(f'{one.model}, {one.split}' if several else one.model, whole=one.whole)


def _front(places: Mapping[Spent, tuple[float, Score | None]]) -> list[Spent]:
    """The models of each split to which no other is better in cost or score and as good in the other; by cost."""

    def better(one: Spent, other: Spent) -> bool:
        (own_cost, own), (cost, shown) = places[one], places[other]
        gains = cost - own_cost, (own.value if own else 0) - (shown.value if shown else 0)
        return one.split == other.split and min(gains) >= 0 and max(gains) > 0

    front = [one for one in places if not any(better(other, one) for other in places)]
    return sorted(front, key=lambda one: places[one][0])

"""Pages of sessions that are known: marks on code, questions as HTML, and what the charts count."""

import html
import json
import random
import re

import pytest

from cibench_eval import cli
from cibench_eval.schema import Reply
from tests.reports.rows import MODES, absent, failure, result, step, write_run
from tests.support.hostile_sizes import long_texts, within
from tests.support.scoring import attempted, session_trace, shown, step_trace
from tests.support.soak import many
from tests.support.viewer_runs import EVIL


def view(run, *, whole=True):
    """The folder of the pages of a run, which has scores of all that its config plans if it is whole."""
    assert cli.main(['view', str(run), '--no-open']) == (0 if whole else 1)
    return run / 'view'


def page_of(folder, questions=(), codes=()):
    """The page of a session of these questions, or of these codes, a step each."""
    pairs = [*((question, 'pass') for question in questions), *(('?', code) for code in codes)]
    steps = [
        step_trace(attempted(shown('1'), code=code), index=index, question=question)
        for index, (question, code) in enumerate(pairs)
    ]
    scores = [step(index, outcome='correct', numeric_correct=1.0) for index in range(len(pairs))]
    run = write_run(folder / 'run', [result(steps=scores, dataset='d')], [session_trace(*steps, experiment='x/0')])
    (page,) = (view(run) / 'sessions').iterdir()
    return page.read_text(encoding='utf-8')


def codes_of(page):
    """The HTML of the code of each step."""
    return re.findall(r'<div class="code"><h5>code</h5><pre class="code" tabindex="0">(.*?)</pre>\n</div>', page, re.S)


def questions_of(page):
    """The HTML of the question of each step."""
    return re.findall(r'<div class="question">(.*?)\n</div>\n<div class="cells">', page, re.S)


MARKED = {
    'for x in range(3): # all': [
        ('keyword', 'for'),
        ('keyword', 'in'),
        ('builtin', 'range'),
        ('number', '3'),
        ('comment', '# all'),
    ],
    "x = \"# no\" + '''a\nfor'''": [('string', '"# no"'), ('string', "'''a\nfor'''")],
    '"""never ends\nif': [('string', '"""never ends\nif')],
    'a = "cut\nif b:': [('string', '"cut'), ('keyword', 'if')],
    '%matplotlib inline\nx %y': [('magic', '%matplotlib inline')],
    'iffy = form': [],
}
"""Code -> the words in it that are marked."""


def random_texts(pieces, most):
    rng = random.Random(0)
    return [''.join(rng.choices(pieces, k=rng.randrange(1, most))) for _ in range(many(2000, 300))]


def test_words_of_code_are_marked_and_the_text_stays_as_it_is(tmp_path):
    codes = [*MARKED, *(f'a{text}b' for text in random_texts('ab1 \n"\'\\#%@<>&rf_', 80)), f'a{EVIL}b']
    found = codes_of(page_of(tmp_path, codes=codes))
    for code, seen in zip(codes, found, strict=True):
        assert html.unescape(re.sub(r'<b class="\w+">|</b>', '', seen)) == code
        words = [(kind, html.unescape(word)) for kind, word in re.findall(r'<b class="(\w+)">(.*?)</b>', seen, re.S)]
        assert words == MARKED.get(code, words)


PRE = '<pre class="code" tabindex="0">'
RENDERED = {
    'Print `a` < b\nand `c d`.': '<p>Print <code>a</code> &lt; b<br>\nand <code>c d</code>.</p>',
    'One ` alone\n\n  * and `on`': '<p>One ` alone</p>\n<ul>\n<li>and <code>on</code></li>\n</ul>',
    'Fit:\n- two,\n  more': '<p>Fit:</p>\n<ul>\n<li>two,<br>\nmore</li>\n</ul>',
    '2. b\n   - d': '<ol start="2">\n<li value="2">b\n<ul>\n<li>d</li>\n</ul>\n</li>\n</ol>',
    'a\n\n' + '- ' * 10 + 'b': f'{PRE}a\n\n{"- " * 10}b</pre>',
    '# -1 and *x* and [3](a:b) &lt; \\*': '<p># -1 and *x* and [3](a:b) &amp;lt; \\*</p>',
    'Code:\n\n    a = 1\n      b': f'<p>Code:</p>\n{PRE}a = 1\n  b\n</pre>',
    '```python\na < 1\n\n- b\n```\nend': f'{PRE}a &lt; 1\n\n- b\n</pre>\n<p>end</p>',
    '```\nnever ends': f'{PRE}never ends</pre>',
}


def test_back_ticks_lists_and_code_of_questions_are_rendered_and_everything_else_is_text(tmp_path):
    pieces = [*'`-* \n1.<>&"', '\n\n', '```', '    ', EVIL]
    questions = [*RENDERED, *(f'a{text}' for text in random_texts(pieces, 40))]
    found = questions_of(page_of(tmp_path, questions))
    for question, seen in zip(questions, found, strict=True):
        assert seen == RENDERED.get(question, seen)
        tags = re.findall(r'<(/?)(\w+)([^>]*)>', seen)
        assert {name for _, name, _ in tags} <= {'p', 'br', 'ul', 'ol', 'li', 'code', 'pre'}
        assert all(re.fullmatch(r'| class="code" tabindex="0"| (start|value)="\d+"', about) for *_, about in tags)
        assert seen.count('window.owned') == question.count('window.owned') or '```' in question


@pytest.mark.soak
def test_the_time_is_linear(tmp_path):
    texts = [*long_texts(100_000).values()]
    within(60, lambda: page_of(tmp_path, texts, texts))


def test_charts_count_steps_once_with_their_epochs_averaged_and_none_of_unknown_end(tmp_path):
    """Of split a: step 1 right in both epochs, step 2 in one of two, step 3 in the only one; of b: one of two."""
    ends = {
        ('a', 1): ['correct', 'wrong', 'correct'],
        ('a', 2): ['correct', 'correct'],
        ('b', 1): ['wrong', 'correct', None],
    }
    results, traces = [], []
    for (split, epoch), outcomes in ends.items():
        steps = [step(n, outcome=end, numeric_correct=float(end == 'correct')) for n, end in enumerate(outcomes)]
        results.append(result(steps=steps, split=split, dataset=split, epoch=epoch))
        session = session_trace(*(step_trace(attempted(shown('1')), index=n) for n in range(3)), experiment='x/0')
        traces.append(session.model_copy(update={'dataset': results[-1].dataset, 'epoch': epoch}))
    page = (view(write_run(tmp_path / 'run', results, traces), whole=False) / 'index.html').read_text(encoding='utf-8')
    said = re.findall(r'<title>([^<]*)</title>', page)
    assert 'm, end-to-end: 2.5 of 3 steps right' in said and 'm, end-to-end: 1 of 2 steps right' in said
    assert 'm, end-to-end, step 2: 50 % of 1 right' in said and 'm, end-to-end, step 2: 100 % of 1 right' in said
    assert 'the last attempt at them. Counted over all epochs.' in page


def test_of_ten_models_each_has_one_colour_in_all_charts_and_the_last_share_one(tmp_path):
    """The best are the last in the run, and stand first in the chart of scores."""
    models = [f'm{number}' for number in range(10)]
    more = [[], [step(0, 'x/1', numeric_correct=0.0)]]  # an experiment that the first one lacks
    steps = [step(index, outcome='wrong', numeric_correct=0.0) for index in range(2)]
    results = [
        result(
            mode,
            [*steps, step(2, outcome='correct', text_score=place / 10, vis_sim=1.0), *more[place > 0]],
            model,
            'd_' + mode,
            failures=[failure('code', 0, cause='syntax')],
        )
        for place, model in enumerate(models)
        for mode in MODES
    ]
    session = session_trace(*(step_trace(attempted(shown('1')), index=n) for n in range(3)), experiment='x/0')
    traces = [
        session.model_copy(update={'model': one.model, 'dataset': one.dataset, 'mode': one.mode}) for one in results
    ]
    page = (view(write_run(tmp_path / 'run', results, traces)) / 'index.html').read_text(encoding='utf-8')
    legends = {
        title: re.findall(r'swatch (c\d)"></span>([^<]*)', figure)
        for title, figure in re.findall(r'<figure class="card">\n<figcaption><h3>([^<]*)(.*?)</figure>', page, re.S)
    }
    colours = [f'c{number}' for number in range(8)]
    assert legends['Scores: s'] == [*zip(colours, models[:1:-1], strict=True)]
    assert legends['Steps right, by place in the session: s'] == [*zip(colours, models[:1:-1], strict=True)]
    assert legends['Causes of error'] == [*zip(colours, [*models[:2:-1], '3 other models'], strict=True)]
    assert page.count('The first 8 of 10 models.') == 2
    bars = re.findall(r'class="name">(m\d.*?)</text>', page)
    assert bars == [f'{model} {mode}{" *" if model == "m0" else ""}' for model in models for mode in 'EO']


def test_models_stand_side_by_side_and_each_epoch_behind_the_one_before(tmp_path):
    models = [f'a-model-with-a-long-name--{agent}' for agent in ('react', 'code_block')]
    steps = [step(0, outcome='correct', numeric_correct=1.0)]
    results = [result(steps=steps, model=model, dataset='d', epoch=epoch) for model in models for epoch in (1, 2)]
    attempt = attempted(shown('1')).model_copy(update={'reply': Reply(text='', tokens_in=40, tokens_out=5)})
    session = session_trace(step_trace(attempt), experiment='x/0')
    traces = [
        session.model_copy(update={'model': one.model, 'dataset': one.dataset, 'epoch': one.epoch}) for one in results
    ]
    out = view(write_run(tmp_path / 'run', results, traces))
    (page,) = (out / 'sessions').iterdir()
    names = re.findall(r'checked> <span>(.*?)</span>', page.read_text(encoding='utf-8').replace('<wbr>', ''))
    assert names == [f'{model}{epoch}' for epoch in ('', ', epoch 2') for model in models]
    index = (out / 'index.html').read_text(encoding='utf-8')
    assert 'a-model-wi…name--react' in index and '…-code_block' in index
    listed = json.loads(re.search(r'id="data">(.*?)</script>', index)[1])
    assert {one[4] for one in listed['steps']} == {one[8] for one in listed['sessions']} == {45}, 'read and written'


def test_without_a_known_end_there_is_no_chart_of_right_steps(tmp_path):
    unknown = result(steps=[step(0)], dataset='d')
    run = write_run(tmp_path / 'run', [unknown], [session_trace(step_trace(attempted(shown('1'))), experiment='x/0')])
    assert 'steps right' not in (view(run) / 'index.html').read_text(encoding='utf-8')


def test_splits_by_several_profiles(tmp_path):
    """Of two splits, each by a profile of its own, one is scored by the other's profile, too; a third is not scored."""
    scores = [step(0, outcome='correct', numeric_correct=1.0)]
    both = [result(steps=scores, dataset='d'), result(steps=scores, dataset='e', split='t', profile='strict')]
    run = write_run(tmp_path / 'run', [*both, absent('end_to_end', dataset='f', split='u')])
    write_run(run / 'rescored' / 'official', [result(steps=scores, dataset='e', split='t')])
    assert cli.main(['view', str(run), '--no-open']) == 1, 'there is no session'
    heads = re.findall(r'<h2>([stu])\b', (run / 'view' / 'index.html').read_text(encoding='utf-8'))
    assert heads == ['s', 't', 'u', 't', 'u'], 'official, then strict'

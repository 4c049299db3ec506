"""Prose in other words than the gold's: exact words are the floor, and the verdict of a judge stands above them."""

import json
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.evaluators.judges.store import VerdictStore
from cibench_eval.sealed import unsealed
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, notebook, small_set
from tests.support.runs import change, run_here

pytestmark = pytest.mark.kernel
JUDGES = """
from cibench_eval.evaluators.judges import TextJudge
from cibench_eval.models import OpenAICompatible

model = dict(type=OpenAICompatible, abbr='j', path='judge-model', base_url={url!r}, retries=0, max_out_len=64)
judges = [dict(abbr={name!r}, type=TextJudge, model=model, reply_cache=False, retries=0)]
"""
SAID = {'same': ('no outliers', 'normal'), 'other': ('There are no outliers', 'usual')}


@pytest.fixture(scope='module')
def sat(tmp_path_factory):
    """Runs that say it in the gold's words, and in others: prose, and a name of those that are given."""
    project = tmp_path_factory.mktemp('prose')
    configs = config_folder(project, small_set(project / 'data', ('a',)))
    change(configs / 'datasets/small.py', ", ('small_oracle', 'oracle'))", ',)')
    change(configs / 'datasets/small.py', 'type=SessionEvaluator', "type=SessionEvaluator, profile='strict'")
    gold = notebook(
        ('text', 'Are there outliers?', "print('No outliers.')", 'No outliers.\n'),
        ('text', 'Normal or not?', "print('Normal')", 'Normal\n'),
    )
    gold['metadata']['lists'] = [False, True]
    (project / 'data/small/math/a.ipynb').write_text(json.dumps(gold))

    runs = {}
    for name, words in SAID.items():

        def solve(messages, words=words):
            said = words['Normal' in messages[-1]['content']]
            return f'Thought: so\nAction: IPythonInterpreter\nAction Input:\n```python\nprint({said!r})\n```'

        with chat_server(solve) as server:
            add_endpoint(configs, name, server.base_url)
            run = run_here(project, '--models', name, '--datasets', 'small')
            runs[name] = run.rename(project / name)
    return runs


@pytest.fixture
def scored(sat, tmp_path):
    """Have a copy of a run judged, by judges that say something, and scored: its two steps."""

    def score(name, *judges, then=None):
        run = shutil.copytree(sat[name], tmp_path / name)
        for judge, says in judges:
            with chat_server(lambda _, says=says: says) as server:
                (tmp_path / 'judges.py').write_text(JUDGES.format(url=server.base_url, name=judge))
                cli.main(['judge', str(run), '--config', str(tmp_path / 'judges.py'), '--metric', 'text'])
        if then:
            path = run / f'predictions/{name}/small.traces.jsonl'
            path.write_bytes(unsealed(path.read_bytes().strip()).replace(SAID[name][0].encode(), then.encode()) + b'\n')
        assert cli.main(['score', str(run)]) == 0
        return json.loads((run / f'results/{name}/small.json').read_text())['steps']

    return score


def test_the_golds_words_need_no_judge(scored):
    first, second = scored('same', ('jury', 'Verdict: wrong'))
    assert [one['values']['text_score'] for one in (first, second)] == [1, 1]
    assert not first.get('for_judge') and not first.get('judged_by')


@pytest.mark.parametrize(
    ('verdicts', 'then', 'value', 'judge'),
    [
        ([], None, 0, ''),
        ([('jury', 'Verdict: right')], None, 1, 'jury'),
        ([('jury', 'Verdict: wrong')], None, 0, 'jury'),
        ([('first', 'Verdict: wrong'), ('jury', 'Verdict: right')], None, 1, 'jury'),  # the last one counts
        ([('jury', 'Perhaps.'), ('first', 'Verdict: wrong'), ('jury', 'Verdict: right')], None, 1, 'jury'),
        ([('jury', 'Verdict: right')], 'Something else', 0, ''),  # on another answer
        ([('jury', 'Perhaps.')], None, 0, ''),  # the judge gave no verdict
    ],
)
def test_a_verdict_on_this_answer_is_its_score(scored, verdicts, then, value, judge):
    prose, names = scored('other', *verdicts, then=then)
    assert (prose['values']['text_score'], prose.get('judged_by', '')) == (value, judge)
    assert bool(prose.get('for_judge')) != bool(judge)
    assert names['values']['text_score'] == 0 and not names.get('for_judge')  # names are what they are


def test_a_later_verdict_on_another_answer_hides_none(scored, tmp_path):
    scored('other', ('jury', 'Verdict: right'))
    (path,) = tmp_path.rglob('*.judge.jsonl')
    store = VerdictStore(path)
    (verdict,) = (one for one in store.load().values() if one.index == 0)
    store.append(verdict.model_copy(update={'judge': 'late', 'score': 0.0, 'answered': 'another'}))
    assert cli.main(['score', str(tmp_path / 'other')]) == 0
    prose, _ = json.loads((tmp_path / 'other/results/other/small.json').read_text())['steps']
    assert (prose['values']['text_score'], prose['judged_by']) == (1, 'jury')


def test_a_verdict_is_on_the_gold_too(sat, scored, tmp_path):
    path = sat['other'].parent / 'data/small/math/a.ipynb'
    before = path.read_text()
    change(path, 'No outliers', 'Two outliers')
    try:
        assert scored('other', ('jury', 'Verdict: right'))[0]['judged_by'] == 'jury'
    finally:
        path.write_text(before)
    assert cli.main(['score', str(tmp_path / 'other')]) == 0
    prose, _ = json.loads((tmp_path / 'other/results/other/small.json').read_text())['steps']
    assert prose['for_judge'] and prose['values']['text_score'] == 0

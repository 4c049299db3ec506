"""`cibench judge` and `cibench agreement` on a real run: the gold replay of two experiments."""

import csv
import json
import re
import shutil
from dataclasses import replace

import pytest

from cibench_eval import cli
from cibench_eval.run.judged import judged_datasets
from cibench_eval.run.main import main
from cibench_eval.run.run_folder import recorded_datasets
from cibench_eval.schema import CibenchError, HarnessError
from cibench_eval.sealed import sealed, unsealed
from tests.support.chat_server import chat_server, cut
from tests.support.notebooks import EXAMPLES, REPO, change_config
from tests.support.runs import change
from tests.support.soak import many

pytestmark = pytest.mark.kernel

RUN = f"""
from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.demo import demo_datasets
    from .models.gold_replay import models
    from .runtimes.local import eval, infer
    from .summarizers.cibench import summarizer

kernels = dict(environment='modern', sandbox='auto', timeout=60, preload=['pandas', 'matplotlib.pyplot'])
two = ['matplotlib/electricity', 'pandas/penguins']
datasets = [dict(demo_datasets[0], builtin=None, path={str(EXAMPLES)!r}, experiments=two)]
"""
JUDGES = """
from cibench_eval.evaluators.judges import FailureJudge, QwenVisionJudge, TextJudge, VisionJudge
from cibench_eval.models import OpenAICompatible

model = dict(type=OpenAICompatible, abbr='j', path='judge-model', base_url={url!r}, retries=0, max_out_len=64)
model['price'] = dict(input=1000000, output=0)
limits = {limits!r}
more = dict(model=model, reply_cache={cache}, retries=0, batch_size={at_once})
judges = [
    dict(abbr='paper', type=VisionJudge, rubric='paper', **more),
    dict(abbr='own', type=VisionJudge, rubric='own', reference=True, **more),
    dict(abbr='qwen', type=QwenVisionJudge, **more),
    dict(abbr='words', type=TextJudge, **more),
    dict(abbr='why', type=FailureJudge, **more),
]
"""
FIGURES, TEXTS = 3, 5
"""Steps of the two experiments with figures, and with text."""


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """A finished run folder."""
    folder = tmp_path_factory.mktemp('run')
    shutil.copytree(REPO / 'configs', folder / 'configs')
    (folder / 'configs' / 'eval_two.py').write_text(RUN)
    assert main([str(folder / 'configs' / 'eval_two.py'), '-w', str(folder / 'out')]) == 0
    (run,) = (folder / 'out').iterdir()
    return run


@pytest.fixture
def run(finished, tmp_path, monkeypatch):
    """A copy of it, as if it were moved to another machine, and an empty reply cache."""
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))
    return shutil.copytree(finished, tmp_path / 'moved')


def change_traces(run, change):
    """Have each trace of the run changed in its place."""
    path = run / 'predictions/gold-replay/demo.traces.jsonl'
    traces = [json.loads(unsealed(line)) for line in path.read_bytes().splitlines()]
    for trace in traces:
        change(trace)
    path.write_text(''.join(json.dumps(trace) + '\n' for trace in traces))


def cibench(*words):
    return cli.call([str(word) for word in words])


def write_judges(run, server, cache=False, at_once=4, **limits):
    config = run.parent / 'judges.py'
    config.write_text(JUDGES.format(url=server.base_url, cache=cache, at_once=at_once, limits=limits))
    return config


def judge(run, server, metric='vis', **options):
    return cibench('judge', run, '--config', write_judges(run, server, **options), '--metric', metric)


def asked(messages):
    """What a judge is asked, as text."""
    content = messages[0]['content']
    return ' '.join(part.get('text', '<image>') for part in content)


def summary(run):
    return json.loads((run / 'results/gold-replay/demo.judge.json').read_text())


def verdicts(run):
    return (run / 'results/gold-replay/demo.judge.jsonl').read_text().splitlines()


def grade(messages):
    """The reference is shown beside the same figure: 10; otherwise points that differ by question."""
    question = asked(messages)
    return 'Verdict: 10' if 'reference figure' in question else str(3 + len(question) % 6)


def test_every_figure_is_judged_by_every_judge_of_the_metric(run, capsys):
    with chat_server(grade) as server:
        assert judge(run, server) == 0
    assert len(server.requests) == 2 * FIGURES
    assert {(request['model'], request['temperature']) for request in server.requests} == {('judge-model', 0.0)}
    paper = [request for request in server.requests if len(request['messages'][0]['content']) == 2]
    assert len(paper) == FIGURES
    assert all('[Visualization Problem]:' in asked(request['messages']) for request in paper)
    found = summary(run)
    assert list(found) == ['paper', 'own']
    assert (found['own']['mean'], found['own']['steps'], found['own']['judge_invalid']) == (100.0, FIGURES, 0)
    assert (found['own']['tokens_in'], found['own']['tokens_out']) == (7 * FIGURES, 5 * FIGURES)
    assert {(d['experiment'], d['index']) for d in found['own']['details']} == {
        ('matplotlib/electricity', 3),
        ('matplotlib/electricity', 4),
        ('pandas/penguins', 4),
    }
    assert 'own on gold-replay/demo: 100.0 (3 steps: 0 with nothing to judge, 0 without' in capsys.readouterr().out


def test_after_a_fault_the_same_command_goes_on_and_pays_nothing_twice(run):
    """Each verdict is on disk before the next is asked for, so that a kill costs no more."""
    answers, kept = iter(['4', '5', 500]), []

    def answer(messages):
        kept.append(len(verdicts(run)) if kept else 0)
        return next(answers, '6')

    with chat_server(answer) as server:
        with pytest.raises(HarnessError, match='1 step not judged; what is judged is kept'):
            judge(run, server, at_once=1)
        assert kept == [*range(FIGURES), *range(2, 2 + FIGURES)], 'a fault costs its step alone'
        assert len(server.requests) == 2 * FIGURES
        with (run / 'results/gold-replay/demo.judge.jsonl').open('a') as file:
            file.write('{"judge": "paper", "metr')
        with pytest.raises(HarnessError):
            answers = iter([500])
            judge(run, server, at_once=1)
        judge(run, server)
        assert len(server.requests) == 2 * FIGURES + 2
        judge(run, server)
        assert len(server.requests) == 2 * FIGURES + 2
    assert sorted(d['score'] for d in summary(run)['paper']['details']) == [0.4, 0.5, 0.6]


def test_a_judge_that_fails_again_and_again_is_given_up_and_costs_no_other(run, monkeypatch):
    """Each has its own row of faults; what the first has judged is in the summary."""
    monkeypatch.setattr('cibench_eval.evaluators.judges.running.MOST_FAULTS', 1)
    answers = iter(['4', 500])
    said = 'judging by paper ended early; what is judged is kept, and the same command goes on'
    with chat_server(lambda _: next(answers, 'Verdict: 6')) as server, pytest.raises(HarnessError, match=said):
        judge(run, server, at_once=1)
    assert len(server.requests) == 2 + FIGURES, 'the first of two judges is not asked for its third step'
    found = summary(run)
    assert (found['paper']['steps'], found['own']['steps']) == (1, FIGURES)


def test_refusals_of_single_figures_give_no_judge_up(run, monkeypatch, capsys):
    monkeypatch.setattr('cibench_eval.evaluators.judges.running.MOST_FAULTS', 1)
    with chat_server(lambda _: 400) as server, pytest.raises(HarnessError, match=f'{FIGURES} steps not judged'):
        judge(run, server, 'qwen', at_once=1)
    assert len(server.requests) == FIGURES
    assert 'no step of the kind' not in capsys.readouterr().out


def test_a_dataset_without_such_steps_is_said(run, capsys):
    with chat_server(grade) as server:
        judge(run, server, 'errors')
    assert 'why on gold-replay/demo: no step of the kind that it judges' in capsys.readouterr().out


def test_what_is_asked_anew_is_judged_anew(run):
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'qwen')
        path = run / 'results/gold-replay/demo.judge.jsonl'
        verdict = json.loads(verdicts(run)[0]) | {'asked': 'of another answer', 'score': 0.0}
        with path.open('a') as file:
            file.write(sealed(json.dumps({key: verdict[key] for key in verdict if key != 'seal'})) + '\n')
        judge(run, server, 'qwen')
    assert len(server.requests) == FIGURES + 1
    last = json.loads(verdicts(run)[-1])
    assert (last['experiment'], last['index'], last['score']) == (verdict['experiment'], verdict['index'], 1.0)
    assert summary(run)['qwen']['mean'] == 100.0


def test_replies_are_cached_beyond_the_run(run):
    """And not for another endpoint of the same model name, which may serve other weights."""
    with chat_server(grade) as server:
        judge(run, server, cache=True)
        (run / 'results/gold-replay/demo.judge.jsonl').unlink()
        judge(run, server, cache=True)
        assert (summary(run)['own']['replies'], summary(run)['own']['mean']) == (0, 100.0)
        (run / 'results/gold-replay/demo.judge.jsonl').unlink()
        with chat_server(lambda _: 'Verdict: 3') as other:
            judge(run, other, cache=True)
    assert len(server.requests) == len(other.requests) == 2 * FIGURES
    assert summary(run)['own']['mean'] == pytest.approx(30.0)


@pytest.mark.soak
def test_agreement_takes_the_tolerance_of_the_run(run, capsys):
    """A number that is 5 % off is wrong for `strict` by default, and right where the run was scored with 10 %."""
    fail(run, shown=1.05 * 4201.75, index=2)
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'text')
    shares, wider = [], {'profile': 'strict', 'tolerance': 0.1}
    for _ in range(2):
        capsys.readouterr()
        assert cibench('agreement', run) == 0
        shares.append(re.findall(r'\| strict / words \| \d+ \| \d+ \| ([\d.]+) \|', capsys.readouterr().out))
        change_config(run, lambda cfg: cfg['datasets'][0]['eval_cfg']['evaluator'].update(wider))
    assert shares == [['100.0', '66.7'], ['100.0', '100.0']]  # of texts, and of numbers


def test_a_judge_takes_no_places_of_another_metric(run):
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'text')
        config = write_judges(run, server)
        config.write_text(
            config.read_text().replace("'qwen'", "'words'").replace("'words', type=TextJudge", "'text', type=TextJudge")
        )
        before = verdicts(run)
        with pytest.raises(
            CibenchError, match='has its verdicts by the metric text, and those by qwen would replace them'
        ):
            cibench('judge', run, '--config', config, '--metric', 'qwen')
    assert (verdicts(run), len(server.requests)) == (before, TEXTS)


def test_answers_are_judged_against_the_gold(run):
    with chat_server(lambda _: 'The same values.\nVerdict: right') as server:
        judge(run, server, 'text')
    assert len(server.requests) == TEXTS
    for request in server.requests:
        question = asked(request['messages'])
        gold, answer = re.findall(r'(?:reference answer|answer to grade):\n(=+ \w+ =+)\n(.*?)\n\1', question, re.DOTALL)
        assert answer[1].strip() == gold[1].strip() != ''
    assert summary(run)['words']['mean'] == 100.0


def test_the_answer_is_judged_that_is_scored(run):
    """A call behind it that shows nothing, in the same reply or in a later one, changes neither."""

    def with_silent_calls(trace):
        for number, step in enumerate(trace['steps']):
            (told,) = step['attempts']
            silent = {**told, 'execution': {**told['execution'], 'outputs': []}}
            beside = {**silent, 'others': [{'action': told['action'], 'execution': told['execution']}]}
            step['attempts'] = [beside] if number % 2 else [told, silent]

    change_traces(run, with_silent_calls)
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'text')
        judge(run, server, 'qwen')
    assert len(server.requests) == TEXTS + FIGURES
    assert cibench('score', run) == 0
    correct = {step['outcome'] for step in results_of(run)['steps'] if step['kind'] != 'exec'}
    assert correct == {'correct'}


def agreement_of(run, capsys):
    """What `cibench agreement` prints of a run after its figures were judged."""
    with chat_server(grade) as server:
        judge(run, server)
    capsys.readouterr()
    assert cibench('agreement', run) == 0
    return capsys.readouterr().out


def test_agreement_is_printed_and_kept(run, capsys):
    printed = agreement_of(run, capsys)
    assert '## vis_sim' in printed
    assert '| official / paper | 3 | 2 | 0.0 |' in printed
    assert '| paper / own | 3 | 2 | 0.0 | – | – |' in printed
    assert '| gold-replay | 3 | 100.0 |' in printed
    kept = (run / 'summary' / 'agreement.md').read_text()
    assert kept in printed


@pytest.mark.soak
def test_gold_agrees_with_nobody_where_there_are_models(run, capsys):
    """Beside the replay, a model that has answered the same: its steps alone count, half of all."""

    def with_model(cfg):
        cfg['models'].append({**cfg['models'][0], 'type': 'cibench_eval.models.OpenAICompatible', 'abbr': 'mine'})
        cfg['models'][1].update(path='m', base_url='http://127.0.0.1:9/v1')

    change_config(run, with_model)
    shutil.copytree(run / 'predictions' / 'gold-replay', run / 'predictions' / 'mine')
    (traces,) = (run / 'predictions' / 'mine').glob('*.traces.jsonl')
    traces.write_bytes(
        b''.join(unsealed(line).replace(b'gold-replay', b'mine') + b'\n' for line in traces.read_bytes().splitlines())
    )
    printed = agreement_of(run, capsys)
    assert '| official / paper | 3 | 2 | 0.0 |' in printed
    assert '| gold-replay | 3 | 100.0 |' in printed and '| mine | 3 | 100.0 |' in printed


def exported(run, folder):
    """The run's table of steps."""
    assert cibench('export', run, '--to', 'csv', '--out', folder / 'steps.csv') == 0
    with (folder / 'steps.csv').open(encoding='utf-8', newline='') as file:
        return list(csv.DictReader(file))


def labelled(run, tmp_path, fill, delimiter=','):
    """That table, with labels by `fill(row)`."""
    rows = [row | fill(row) for row in exported(run, tmp_path)]
    path = tmp_path / 'labels.csv'
    with path.open('w', encoding='utf-8-sig', newline='') as file:
        table = csv.DictWriter(file, rows[0].keys(), delimiter=delimiter)
        table.writeheader()
        table.writerows(rows)
    return path


@pytest.mark.parametrize(('delimiter', 'half'), [(';', '0,5'), *many([(',', '0.5'), ('\t', '0,5')], [])])
def test_people_are_compared_with_judges_and_scores(run, tmp_path, capsys, delimiter, half):
    fail(run, shown=7)
    assert cibench('score', run) == 0

    def fill(row):
        assert row['gold_answer'] if row['kind'] == 'num' else True
        right = row['numeric_correct'] == '1'
        anna = {'num': str(int(right)), 'vis': half}.get(row['kind'], '1')
        return {'label_anna': anna, 'Label_ben': '1' if row['kind'] == 'num' else ''}

    path = labelled(run, tmp_path, fill, delimiter)
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'text')
    capsys.readouterr()
    assert cibench('agreement', run, '--labels', path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert '| strict / label_anna | 3 | 2 | 100.0 | 1.00 | 1.00 | 1.00 |' in lines
    assert '| label_anna / Label_ben | 3 | 2 | 66.7 | – | – | 0.00 |' in lines
    assert '| words / Label_ben | 3 | 2 | 100.0 | – | – | – |' in lines
    assert any(line.startswith('| strict / label_anna | 3 | 2 | 0.0 |') for line in lines), (
        'figures are labelled, and not judged'
    )


COLUMNS = 'model,dataset,epoch,experiment,step'


@pytest.mark.parametrize(
    ('text', 'says'),
    [
        ('model,dataset\n', ': no column epoch; take a table of `cibench export RUN --to csv`'),
        (f'{COLUMNS},label_a\nm,d,1,e,1,\n', ': no labels; fill in a column label_NAME, 0'),
        (f'{COLUMNS},label_a\nm,d,1,e,1,good\n', ": line 2: label_a: 'good' is no label; "),
        (f'{COLUMNS},label_a\nm,d,1,e,1,nan\n', ": line 2: label_a: 'nan' is no label; "),
        (f'{COLUMNS},label_a\nm,d,1,e,1\n', ': no labels; '),
        (f'label_a,{COLUMNS}\n1,m,d\n', ': line 2: has labels, and no epoch; the row is not whole'),
        (
            f'{COLUMNS},label_a, label_b\nm,d,1,e,1,1,\nm,d,1,e,1,,0\nm,d,1,e,1,1,\n',
            ': line 4: label_a: this step has one already; take one of them out',
        ),
        (f'{COLUMNS},label_a\nm,d,1,e,9,1\n', 'labels: the run has no step m, d, 1, e, 9; take the table of this run'),
        (b'\xff\xfe', ": cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte; save"),
        (None, ': cannot be read: '),
    ],
)
def test_what_is_no_table_of_labels_is_said(run, tmp_path, text, says):
    path = tmp_path / 'labels.csv'
    if text is not None:
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CibenchError, match=re.escape(says)):
        cibench('agreement', run, '--labels', path)


def test_a_figure_that_is_gone_is_a_fault_and_no_score(run, caplog):
    for figure in (run / 'predictions/gold-replay/figures').iterdir():
        figure.unlink()
    with chat_server(grade) as server:
        judge(run, server)
    assert server.requests == []
    assert 'No such file or directory; going on with the run (-r) runs its session again' in caplog.text


def test_mistakes_in_a_file_of_judges_are_a_line_each(run, tmp_path, capsys):
    config = tmp_path / 'judges.py'
    config.write_text("judges = dict(abbr='j')\nmodels = []\nlimit = dict(run_cost=5.0)\n")
    assert cli.main(['judge', str(run), '--config', str(config)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.startswith(f'cibench: error: {config}: ') for line in lines] == [True] * 3
    assert 'limit: unknown; did you mean limits?' in lines[1] + lines[2]


def test_a_folder_that_is_no_run_is_said(tmp_path):
    with pytest.raises(CibenchError, match='there is no such folder'):
        cibench('agreement', tmp_path / 'nowhere')


@pytest.mark.parametrize(
    ('name', 'key'), [('gpt_4o', 'OPENAI_API_KEY'), ('qwen_vl_plus', 'DASHSCOPE_API_KEY'), ('local_vllm', '')]
)
@pytest.mark.parametrize('metric', ['vis', 'qwen', 'text', 'errors'])
def test_the_configs_of_judges_can_be_built(run, name, key, metric, monkeypatch):
    """All but the key, or the server, is there."""
    if key:
        monkeypatch.delenv(key, raising=False)
    elif metric == 'errors':
        fail(run)
        assert cibench('score', run) == 0
    with pytest.raises(CibenchError, match=key or 'connection'):
        cibench('judge', run, '--config', REPO / 'configs' / 'judges' / f'{name}.py', '--metric', metric)


def test_a_limit_ends_the_judging_and_a_higher_one_goes_on(run, capsys):
    """A reply costs 12 tokens and 7.00."""
    with chat_server(grade) as server:
        with pytest.raises(HarnessError, match='run_tokens 24 used up; raise it in the config and go on with the same'):
            judge(run, server, at_once=1, run_tokens=24)
        assert len(server.requests) == len(verdicts(run)) == 2
        with pytest.raises(HarnessError, match='limits: run_cost 14 used up'):
            judge(run, server, at_once=1, run_cost=14)
        assert len(server.requests) == 2
        judge(run, server, run_cost=1000)
    assert len(server.requests) == 2 * FIGURES
    assert 'judging this run has used 72 tokens, cost 42.00' in capsys.readouterr().out
    assert not (run / 'predictions/usage.jsonl').exists(), 'the limits of the run itself are not touched'


def test_who_judges_moves_damaged_lines_out_of_the_verdicts(run, caplog):
    """Whoever reads them names the lines and changes nothing."""
    path = run / 'results/gold-replay/demo.judge.jsonl'
    damaged = b'\0\0\n' + b'[' * 200_000 + b'\n'
    with chat_server(grade) as server:
        judge(run, server)
        whole, asked = path.read_bytes(), len(server.requests)
        path.write_bytes(damaged + whole + b'{"torn')
        cibench('analyse', run, '--only', 'measures')
        named = [line.partition(': ')[0] for line in caplog.messages if str(path) in line]
        assert named == [f'{path}, line 1', f'{path}, line 2', f'{path}']
        assert 'damaged (it is nested too deep); ' in caplog.text
        assert path.read_bytes() == damaged + whole + b'{"torn'
        judge(run, server)
    assert (path.read_bytes(), len(server.requests)) == (whole, asked)
    assert path.with_suffix('.damaged.jsonl').read_bytes() == damaged


def test_limits_that_judges_have_none_of_are_said(run):
    with chat_server(grade) as server:
        with pytest.raises(CibenchError, match='judges have no sessions; set run_tokens'):
            judge(run, server, session_tokens=5)
        with pytest.raises(CibenchError, match='limits: tokens'):
            judge(run, server, tokens=5)
    assert server.requests == []


@pytest.mark.parametrize(
    ('config', 'said'),
    [
        ("dict(abbr='j', type=VisionJudge)", 'judges: j: model is missing'),
        ("dict(abbr='j', type=VisionJudge, model='gpt-4o')", "judges: j: model is 'gpt-4o'; it must be a dict"),
        ("dict(abbr='j', type=OpenAICompatible, model=_M)", "OpenAICompatible': it is no judge"),
        ("dict(abbr='j', type=Judge, model=_M)", "Judge': it is abstract"),
        ("dict(abbr='j', type='cibench_eval.evaluators.judges.base.quoted', model=_M)", 'there is no class quoted'),
        ("dict(abbr='j', type=VisionJudge, model={})", 'judges: j: model: it has no type; set type to a class'),
        ("dict(abbr='j', type=VisionJudge, model=dict(_M, retrys=1))", 'judges: j: model: retrys: unknown; did you'),
        ("dict(abbr='j', type=VisionJudge, model=_M, batch_size=0)", 'judges: j: batch_size is 0; it must'),
        (
            "dict(abbr='j', type=VisionJudge, model=_M, rubrik='own')",
            'judges: j: rubrik: unknown; did you mean rubric?',
        ),
        ('dict(type=VisionJudge, model=_M)', 'VisionJudge has no name; set abbr='),
        ("*[dict(abbr='j', type=VisionJudge, model=_M)] * 2", "judges: two are named 'j'; give each an abbr"),
        (
            "dict(abbr='strict', type=VisionJudge, model=_M)",
            "judges: abbr 'strict' is the name of a score; set another",
        ),
        ("'gpt_4o'", 'judges must be a list of dicts'),
        ('', 'judges is empty'),
        ("dict(abbr='j', type=TextJudge, model=_M)", "no judge for the metric 'vis'"),
    ],
)
def test_what_cannot_be_a_judge_is_said(run, tmp_path, config, said):
    imports = 'from cibench_eval.evaluators.judges import Judge, TextJudge, VisionJudge\n'
    path = tmp_path / 'judges.py'
    model = "_M = dict(type=OpenAICompatible, path='x', base_url='http://127.0.0.1:9/v1')\nused = [_M]\nprint(used)\n"
    path.write_text(f'{imports}from cibench_eval.models import OpenAICompatible\n{model}judges = [{config}]\n')
    with pytest.raises(CibenchError, match=re.escape(said)) as caught:
        cibench('judge', run, '--config', path)
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value).splitlines()) == 1


def test_epochs_share_what_is_loaded_of_their_notebooks(run):
    change_config(run, lambda cfg: cfg.update(epochs=2))
    traces = run / 'predictions/gold-replay/demo.traces.jsonl'
    shutil.copy(traces, traces.with_name('demo@2.traces.jsonl'))
    one, two = recorded_datasets(run)
    assert (one.dataset_name, two.dataset_name) == ('demo', 'demo@2')
    assert one.experiments is two.experiments


def fail(run, shown=7, index=1):
    """Let a step of penguins, the second, have shown one number only: a failure of which the rules are not certain."""

    def with_one_number(trace):
        if trace['experiment'] == 'pandas/penguins':
            (attempt,) = trace['steps'][index]['attempts']
            attempt['execution']['outputs'] = [{'type': 'stdout', 'text': f'{shown}\n', 'html': None, 'figure': None}]

    change_traces(run, with_one_number)


def results_of(run):
    return json.loads((run / 'results/gold-replay/demo.json').read_text())


def test_opinions_on_failures_come_into_the_results(run, capsys):
    fail(run)
    with chat_server(lambda _: '{"cause": "ignored_parameter", "why": "it is left out"}') as server:
        judge(run, server, 'errors')
        assert server.requests == [], 'the run is not scored anew yet, so nothing has failed'
        assert cibench('score', run) == 0
        (before,) = results_of(run)['failures']
        assert (before['certain'], before['judged_by']) == (False, 'rules')
        capsys.readouterr()
        judge(run, server, 'errors')
        judge(run, server, 'errors')
    said = capsys.readouterr().out
    assert len(server.requests) == 1
    assert 'why on gold-replay/demo: 0.0 (1 steps' in said
    assert f'cibench score {run}' in said
    assert cibench('score', run) == 0
    (after,) = results_of(run)['failures']
    assert (after['cause'], after['category'], after['judged_by']) == ('ignored_parameter', 'instruction', 'why')
    assert after['evidence'] == 'it is left out'
    assert '1 of 1 failures have the category that why gave them' in capsys.readouterr().out
    with pytest.raises(CibenchError, match='no step has a valid verdict'):
        cibench('agreement', run)


def test_an_opinion_that_no_file_can_hold_stops_neither_judging_nor_scoring(run):
    """Half of a character, in a reply and in a file of verdicts from before it was replaced."""
    fail(run)
    assert cibench('score', run) == 0
    path = run / 'results/gold-replay/demo.judge.jsonl'
    with chat_server(lambda _: r'{"cause": "ignored_parameter", "why": "a \ud800"}') as server:
        judge(run, server, 'errors')
        judge(run, server, 'errors')
        assert len(server.requests) == 1
    assert cibench('score', run) == 0
    (found,) = results_of(run)['failures']
    assert (found['judged_by'], found['evidence']) == ('why', 'a \ufffd')
    (line,) = path.read_bytes().splitlines()
    path.write_text(unsealed(line).decode().replace('a \\ufffd', 'a \\ud800') + '\n')
    assert '\\ud800' in path.read_text()
    assert cibench('score', run) == 0


def test_opinions_on_answers_that_are_others_by_now_are_not_counted(run):
    fail(run)
    assert cibench('score', run) == 0
    with chat_server(
        lambda messages: '{"cause": "ignored_parameter"}' if 'causes' in asked(messages) else 'right'
    ) as server:
        judge(run, server, 'errors')
        judge(run, server, 'qwen')
        assert (summary(run)['why']['steps'], summary(run)['qwen']['steps']) == (1, FIGURES)
        fail(run, shown=8)
        assert cibench('score', run) == 0
        judge(run, server, 'qwen')
    assert list(summary(run)) == ['qwen']


def test_an_opinion_is_held_to_the_category_that_the_rules_have_now(run, monkeypatch):
    """The question does not name it, so that nothing else is asked."""
    from cibench_eval.evaluators.judges import failures

    fail(run)
    assert cibench('score', run) == 0
    with chat_server(lambda _: '{"cause": "ignored_parameter"}') as server:
        judge(run, server, 'errors')
        assert summary(run)['why']['mean'] == 0.0
        other, rules = {'category': 'instruction'}, failures.categorize

        def changed(*args):
            return {index: tag.model_copy(update=other) for index, tag in rules(*args).items()}

        monkeypatch.setattr(failures, 'categorize', changed)
        judge(run, server, 'errors')
        judge(run, server, 'errors')
    assert (summary(run)['why']['mean'], len(server.requests)) == (100.0, 2)


def with_other_code(trace):
    for attempt in (attempt for step in trace['steps'] for attempt in step['attempts']):
        attempt['action']['code'] += '\n'


def test_another_question_brings_no_verdicts_back(run):
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'qwen')
    (dataset,) = judged_datasets(run)
    first, *others = dataset.experiments
    steps = [first.steps[0].model_copy(update={'question': 'Another?'}), *first.steps[1:]]
    changed = replace(dataset, experiments=[first.model_copy(update={'steps': steps}), *others])
    assert len(changed.current()) == FIGURES


def test_verdicts_on_figures_of_other_code_are_neither_shown_nor_counted(run, tmp_path):
    def shown():
        return [row['judge_qwen'] for row in exported(run, tmp_path) if row.get('judge_qwen')]

    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'qwen')
        assert cibench('agreement', run) == 0 and len(shown()) == FIGURES
        change_traces(run, with_other_code)
        assert shown() == []
        with pytest.raises(CibenchError, match='no step has a valid verdict'):
            cibench('agreement', run)
        judge(run, server, 'qwen')
        assert len(server.requests) == 2 * FIGURES
    assert cibench('agreement', run) == 0
    with chat_server(grade) as server:
        judge(run, server)
        change_traces(run, with_other_code)
        judge(run, server)
        assert len(server.requests) == 2 * FIGURES, 'these judges are not shown the code'
    assert len(summary(run)['paper']['details']) == FIGURES


def test_failures_of_a_run_that_is_not_scored_are_not_known(run, caplog):
    results = run / 'results/gold-replay/demo.json'
    content = results.read_text()
    results.unlink()
    with chat_server(grade) as server, pytest.raises(CibenchError, match='score the run first'):
        judge(run, server, 'errors')
    for other in ('{"details": [{"score": 1}]}', '{}', '[]', content[:100]):
        results.write_text(other)
        caplog.clear()
        with chat_server(grade) as server, pytest.raises(CibenchError, match='score the run first'):
            judge(run, server, 'errors')
        assert re.search(r'not scored: .*demo.json: .*; score the run again', caplog.text)


def test_a_judge_without_one_valid_verdict_is_no_judge(run, capsys):
    with chat_server(lambda messages: 'Lovely colours!\nI like them.') as server:
        assert judge(run, server, 'qwen') == 1
    said, found = capsys.readouterr(), summary(run)['qwen']
    assert (found['mean'], found['judge_invalid'], found['steps']) == (None, FIGURES, FIGURES)
    assert f'qwen on gold-replay/demo: – (3 steps: 0 with nothing to judge, {FIGURES} without a valid' in said.out
    assert f'judge qwen: no valid verdict on any of {FIGURES} steps' in said.err
    assert "its first reply: 'Lovely colours! I like them.'" in said.err
    with pytest.raises(CibenchError, match='no step has a valid verdict'):
        cibench('agreement', run)
    with chat_server(grade) as server:  # one that can judge beside it
        assert judge(run, server) == 0


def test_a_judge_that_is_cut_is_told_from_one_without_form(run, capsys):
    with chat_server(lambda _: cut('I think, and')) as server:
        assert judge(run, server, 'qwen') == 1
    assert "its first reply: 'I think, and'; raise max_out_len of its model" in capsys.readouterr().err


def test_a_reply_that_is_read_again_from_the_cache_stays_counted(run):
    answers = iter([cut('I think, and')])
    with chat_server(lambda _: next(answers, 'Verdict: right')) as server:
        judge(run, server, 'qwen', cache=True, at_once=1)
        judge(run, server, 'qwen', cache=True, at_once=1)
        assert summary(run)['qwen']['replies'] == len(server.requests) == FIGURES


def test_another_model_under_the_name_of_a_judge_is_another_judge(run):
    with chat_server(lambda _: 'Verdict: right') as server:
        judge(run, server, 'qwen')
    replies = iter([*[500] * FIGURES, 'Verdict: wrong'])
    with chat_server(lambda _: next(replies)) as server:
        config = write_judges(run, server, at_once=1, run_tokens=12 * FIGURES + 12)
        change(config, 'judge-model', 'another')
        for judged in (None, 1):
            with pytest.raises(HarnessError):
                cibench('judge', run, '--config', config, '--metric', 'qwen')
            found = summary(run).get('qwen', {})
            assert (found.get('steps'), found.get('mean')) == (judged, judged and 0.0)
    (dataset,) = judged_datasets(run)
    assert [one.score for one in dataset.current()] == [0.0]


@pytest.mark.parametrize(('kept', 'code', 'asked_for'), [(0, 0, 0), (1, 1, 1)])
def test_steps_with_nothing_to_judge_are_no_verdicts(run, kept, code, asked_for):
    """Without a figure there is nothing to ask; that says neither that a judge can judge nor that it cannot."""
    seen = []

    def with_few_figures(trace):
        for execution in (attempt['execution'] for step in trace['steps'] for attempt in step['attempts']):
            seen.extend(one for one in execution['outputs'] if one['figure'])
            execution['outputs'] = [one for one in execution['outputs'] if not one['figure'] or len(seen) <= kept]

    change_traces(run, with_few_figures)
    with chat_server(lambda _: 'Lovely colours!') as server:
        assert judge(run, server, 'qwen') == code
        assert len(server.requests) == asked_for

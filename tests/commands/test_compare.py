"""`cibench compare` on real runs: the gold, and a model that says one thing."""

import shutil

import pytest

from cibench_eval import cli
from cibench_eval.analysis.results import Results
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, change_config, config_folder, small_set
from tests.support.runs import run_here
from tests.support.sessions import call

pytestmark = pytest.mark.kernel


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """A run of the gold, and one of a model."""
    folder = tmp_path_factory.mktemp('runs')
    configs = config_folder(folder, small_set(folder / 'data'))
    with chat_server(lambda messages: call('print(1)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        models = ('gold_replay', 'model')
        return [run_here(folder, '--models', name, '--datasets', 'small', out=name) for name in models]


def compare(capsys, *words):
    code = cli.main(['compare', *map(str, words)])
    said = capsys.readouterr()
    return code, ' '.join(said.out.split()), said.err


def test_the_gold_is_better_than_a_model_that_says_one_thing(runs, capsys):
    code, said, _ = compare(capsys, *runs)
    assert code == 0 and 'Right 100.0' in said and 'Steps that changed' in said and 'in B alone: 0' in said
    assert said.startswith(f'A: gold-replay ({runs[0]}) B: model ({runs[1]}) ')


def test_the_gate(runs, capsys):
    code, said, _ = compare(capsys, *runs, '--fail-below', 5)
    assert code == 1 and 'worse: small: model: right' in said
    code, said, _ = compare(capsys, *reversed(runs), '--fail-below', 0)
    assert code == 0 and 'not worse by more than 0 points in right' in said
    assert compare(capsys, runs[0], runs[0], '--fail-below', 0)[0] == 0
    assert compare(capsys, *runs, '--fail-below', 5, '--metric', 'tool_rate')[0] == 0


@pytest.fixture(scope='module')
def parts(runs):
    """Runs of the gold on some of its experiments: end to end alone, and without one."""
    folder, found = runs[0].parents[1], []
    small = (folder / 'configs/datasets/small.py').read_text()
    for name, old, new in (
        ('end_to_end', ", ('small_oracle', 'oracle'))", ',)'),
        ('without_one', "split='small'", "split='small', experiments=['math/a', 'math/b']"),
        ('another', "split='small'", "split='another'"),
    ):
        assert old in small
        (folder / f'configs/datasets/{name}.py').write_text(small.replace(old, new))
        found.append(run_here(folder, '--models', 'gold_replay', '--datasets', name, out=name))
    return found


def test_a_run_that_lacks_sessions_passes_no_gate_and_has_a_star(runs, parts, capsys):
    for part, lacks in zip(parts[:2], (3, 2), strict=True):
        code, said, _ = compare(capsys, runs[0], part, '--fail-below', 5)
        assert code == 1 and f'worse: small: gold-replay: it lacks {lacks} sessions that A has' in said
        assert 'small: Right *' in said and f'small: {lacks} sessions left out that A alone has' in said
        assert compare(capsys, part, runs[0], '--fail-below', 5)[0] == 0
    said = compare(capsys, runs[0], runs[1], parts[1])[1].replace(' ', '')
    assert f'@{parts[1]}*' in said and f'@{runs[0]}*' not in said


@pytest.fixture
def changed(runs, tmp_path):
    """A copy of a run whose results, or whose sessions, say something else."""

    def copy(change):
        run = shutil.copytree(runs[0], tmp_path / runs[0].name)
        change(run)
        return run

    return copy


def test_a_run_that_lacks_a_split_passes_no_gate(parts, tmp_path, capsys):
    """Both splits are of one model; B has one of them."""
    both = shutil.copytree(parts[1], tmp_path / parts[1].name)
    change_config(both, lambda cfg: cfg['datasets'][1].update(split='another'))
    code, said, _ = compare(capsys, both, parts[2], '--fail-below', 5)
    assert code == 1 and 'worse: small: gold-replay: it lacks 2 sessions that A has' in said


def test_whole_sessions_are_paired_by_mode(parts, changed, capsys):
    """What one run alone has does not count: here sessions of oracle mode, all of them wrong."""

    def wrong_in_oracle_mode(run):
        (path,) = run.glob('results/*/small_oracle.json')
        results = Results.read(path)
        wrong = [step.model_copy(update={'outcome': 'wrong'}) for step in results.steps]
        results.model_copy(update={'steps': wrong}).write(path)

    said = compare(capsys, changed(wrong_in_oracle_mode), parts[0])[1]
    assert 'small: Whole * 100.0 100.0 +0.0' in said


def test_scores_on_two_scales_are_not_compared(runs, changed, capsys):
    def by_strict(run):
        change_config(
            run, lambda cfg: [one['eval_cfg']['evaluator'].update(profile='strict') for one in cfg['datasets']]
        )
        assert cli.main(['score', str(run)]) == 0

    code, _, error = compare(capsys, runs[0], changed(by_strict))
    assert code == 2 and 'scored by official, ' in error and 'scored by strict: these are not on one scale' in error


def test_sets_of_two_versions_are_not_compared(runs, changed, capsys):
    def version_2(run):
        for path in run.glob('results/*/*.json'):
            results = Results.read(path)
            provenance = results.provenance | {'set_version': ['2']}
            results.model_copy(update={'provenance': provenance}).write(path)

    code, _, error = compare(capsys, runs[0], changed(version_2))
    assert code == 2 and 'of version 1, ' in error and 'of version 2: these are not on one scale' in error


def test_limits_that_differ_are_said(runs, changed, capsys):
    limited = changed(lambda run: change_config(run, lambda cfg: cfg.update(limits={'session_tokens': 4_000_000})))
    assert 'small: Limits: A –, B session_tokens=4000000' in compare(capsys, runs[0], limited)[1]


def test_what_else_differs_is_said(agents, capsys):
    said = compare(capsys, *agents, '--fail-below', 0)[1]
    assert ' Agent: ' not in said, 'each model has the same agent in both'
    said = compare(
        capsys, agents[0], agents[0], '--model-a', 'gold-replay--react', '--model-b', 'gold-replay--code_block'
    )[1]
    assert 'small: Agent: A react, B code_block' in said


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--model-a', 'nobody'], 'has no such model; there is gold-replay'),
        (['--metric', 'tool_rate'], '--metric: it is what --fail-below POINTS looks at; give that, too'),
        (['--fail-below', '1', '--metric', 'beauty'], '--metric beauty: no such measure; there is right, whole_sess'),
        (['--metric', 'rigth'], '--metric rigth: no such measure; did you mean right? There is right, whole_sessions,'),
        (['--fail-below', '1', '--metric', 'text_score'], '--metric text_score: the runs do not both have it'),
    ],
)
def test_what_is_wrong_is_said_in_one_line(runs, capsys, words, said):
    code, _, error = compare(capsys, *runs, *words)
    assert code == 2 and said in error and error.count('\n') == 1


def test_every_measure_is_in_the_help(capsys):
    _, said, _ = compare(capsys, '--help')
    names = ('tool_rate', 'executable', 'numeric_correct', 'text_score', 'vis_sim', 'state_correct', 'figure_shown')
    assert all(name in said for name in names) and '…' not in said.partition('--metric')[2][:300]


@pytest.fixture(scope='module')
def agents(runs):
    """Two runs of the gold by two agents, one of them with the model of `runs`, too."""
    folder, found = runs[0].parents[1], []
    with chat_server(lambda messages: call('print(1)')) as server:
        add_endpoint(folder / 'configs', 'model', server.base_url)
        for out, *models in (('one', 'gold_replay'), ('two', 'gold_replay', 'model')):
            words = ['--models', *models, '--datasets', 'small', '--agents', 'react', 'code_block']
            found.append(run_here(folder, *words, out=out))
    return found


def test_models_that_both_runs_have_are_each_compared(agents, capsys):
    gold = agents[0], agents[0]
    code, said, _ = compare(capsys, *gold)
    assert code == 0 and 'Right: each model, B against A' in said
    assert said.startswith(f'A: {agents[0]} B: {agents[0]} ')
    assert 'small: gold-replay--react 100.0 100.0 +0.0' in said
    assert compare(capsys, *gold, '--fail-below', 0)[0] == 0
    assert 'gold-replay--react, small: right steps by experiment' in compare(capsys, *gold, '--by-experiment')[1]


def test_where_there_are_models_replays_of_gold_are_no_pairs_and_pass_no_gate(agents, capsys):
    code, said, _ = compare(capsys, *agents)
    assert code == 0 and 'small: right steps of 2 models' in said
    assert 'a gate takes two runs' in compare(capsys, *agents, '--fail-below', 0)[2]


def test_a_measure_that_the_runs_lack_is_refused_and_no_table_left_out_in_silence(agents, capsys):
    code, _, error = compare(capsys, agents[0], agents[0], '--metric', 'text_score')
    assert code == 2 and '--metric text_score: the runs do not both have it; there is' in error


def test_all_models_of_several_runs_stand_side_by_side(runs, agents, capsys):
    code, said, _ = compare(capsys, *runs, agents[0], '--by-experiment')
    assert code == 0 and 'small: right steps of 4 models' in said
    assert 'steps that tell these models apart' in said and 'right steps by experiment' in said
    code, said, error = compare(capsys, *runs, agents[0], '--fail-below', 1)
    assert code == 2 and '--fail-below: a gate takes two runs' in error


def test_models_of_one_run_stand_side_by_side(agents, runs, capsys):
    _, said, error = compare(capsys, agents[1])
    assert 'right steps of 2 models' in said and 'left out: gold-replay--' in error, (
        'the gold is no model beside others'
    )
    code, _, error = compare(capsys, runs[0])
    assert code == 2 and 'it has one model, gold-replay; name another run' in error
    code, _, error = compare(capsys, runs[0], runs[1], runs[0])
    assert code == 2 and error == f'cibench: error: {runs[0]}: named more than once; name each run once\n'

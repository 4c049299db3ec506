"""`cibench compare` on real runs: the gold, and a model that says one thing."""

import pytest

from cibench_eval import cli
from cibench_eval.run.main import main
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set
from tests.support.sessions import call

pytestmark = pytest.mark.kernel


@pytest.fixture(scope='module')
def runs(tmp_path_factory):
    """A run of the gold, and one of a model."""
    folder = tmp_path_factory.mktemp('runs')
    configs = config_folder(folder, small_set(folder / 'data'))
    found = []
    with chat_server(lambda messages: call('print(1)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        for name in ('gold_replay', 'model'):
            words = ['--models', name, '--datasets', 'small', '--config-dir', str(configs), '-w', str(folder / name)]
            assert main(words) == 0
            (run,) = (folder / name).iterdir()
            found.append(run)
    return found


def compare(capsys, *words):
    code = cli.main(['compare', *map(str, words)])
    said = capsys.readouterr()
    return code, ' '.join(said.out.split()), said.err


def test_the_gold_is_better_than_a_model_that_says_one_thing(runs, capsys):
    code, said, _ = compare(capsys, *runs)
    assert code == 0 and 'Right 100.0' in said and 'Steps that changed' in said and 'in A alone, 0 in B alone' in said
    assert said.startswith(f'A: gold-replay ({runs[0]}) B: model ({runs[1]}) ')


def test_the_gate(runs, capsys):
    code, said, _ = compare(capsys, *runs, '--fail-below', 5)
    assert code == 1 and 'worse: small: model: right' in said
    code, said, _ = compare(capsys, *reversed(runs), '--fail-below', 0)
    assert code == 0 and 'not worse by more than 0 points in right' in said
    assert compare(capsys, runs[0], runs[0], '--fail-below', 0)[0] == 0
    assert compare(capsys, *runs, '--fail-below', 5, '--metric', 'tool_rate')[0] == 0


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
        for models in (['gold_replay'], ['gold_replay', 'model']):
            words = ['--models', *models, '--datasets', 'small', '--agents', 'react', 'code_block']
            name = '_'.join(models)
            assert main([*words, '--config-dir', str(folder / 'configs'), '-w', str(folder / f'{name}_agents')]) == 0
            (run,) = (folder / f'{name}_agents').iterdir()
            found.append(run)
    return found


def test_models_that_both_runs_have_are_each_compared(agents, capsys):
    code, said, _ = compare(capsys, *agents)
    assert code == 0 and 'Right: each model, B against A' in said
    assert said.startswith(f'A: {agents[0]} B: {agents[1]} ')
    assert 'small: gold-replay--react 100.0 100.0 +0.0' in said
    assert 'In one run alone: model--code_block, model--react.' in said
    assert compare(capsys, *agents, '--fail-below', 0)[0] == 0
    assert 'gold-replay--react, small: right steps by experiment' in compare(capsys, *agents, '--by-experiment')[1]


def test_a_measure_that_the_runs_lack_is_refused_and_no_table_left_out_in_silence(agents, capsys):
    code, _, error = compare(capsys, *agents, '--metric', 'text_score')
    assert code == 2 and '--metric text_score: the runs do not both have it; there is' in error


def test_all_models_of_several_runs_stand_side_by_side(runs, agents, capsys):
    code, said, _ = compare(capsys, *runs, agents[0], '--by-experiment')
    assert code == 0 and 'small: right steps of 4 models' in said
    assert 'steps that tell these models apart' in said and 'right steps by experiment' in said
    code, said, error = compare(capsys, *runs, agents[0], '--fail-below', 1)
    assert code == 2 and '--fail-below: a gate takes two runs' in error


def test_models_of_one_run_stand_side_by_side(agents, runs, capsys):
    assert 'right steps of 4 models' in compare(capsys, agents[1])[1]
    code, _, error = compare(capsys, runs[0])
    assert code == 2 and 'it has one model, gold-replay; name another run' in error

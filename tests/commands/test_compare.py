"""`cibench compare` on real runs, the gold and a model that says one thing, and on scores that are like theirs."""

import shutil

import pytest

from cibench_eval import cli
from tests.reports.rows import MODES, result, step, write_run
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set
from tests.support.runs import run_here
from tests.support.sessions import call

GOLD = 'gold-replay'
AGENTS = [{'abbr': 'react'}, {'abbr': 'code_block'}]


def compare(capsys, *words):
    code = cli.main(['compare', *map(str, words)])
    said = capsys.readouterr()
    return code, ' '.join(said.out.split()), said.err


@pytest.mark.kernel
def test_the_gold_is_better_than_a_model_that_says_one_thing(tmp_path, capsys):
    configs = config_folder(tmp_path, small_set(tmp_path / 'data'))
    with chat_server(lambda messages: call('print(1)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        models = ('gold_replay', 'model')
        runs = [run_here(tmp_path, '--models', name, '--datasets', 'small', out=name) for name in models]
    capsys.readouterr()
    code, said, _ = compare(capsys, *runs)
    assert code == 0 and 'Right 100.0' in said and 'Steps that changed' in said and 'in B alone: 0' in said
    assert said.startswith(f'A: {GOLD} ({runs[0]}) B: model ({runs[1]}) ')


def scores(model=GOLD, experiments='abc', modes=MODES, split='small', right=None, **more):
    """What a model gets in two steps of each experiment, on one of which nothing decides; the gold is right."""
    right = model.startswith(GOLD) if right is None else right
    steps = [
        one
        for name in experiments
        for one in (
            step(0, name, kind='exec', outcome='ran', decided=False),
            step(1, name, outcome='correct' if right else 'wrong', numeric_correct=float(right)),
        )
    ]
    more['replays_gold'] = model.startswith(GOLD)
    return [result(mode, steps, model, f'{split}_{mode}', split, **more) for mode in modes]


@pytest.fixture
def write(tmp_path):
    def written(name, *results, **config):
        return write_run(tmp_path / name, [one for those in results for one in those], **config)

    return written


@pytest.fixture
def runs(write):
    """A run of the gold, and one of a model that is wrong."""
    return write('gold', scores()), write('model', scores('model'))


@pytest.fixture
def agents(write):
    """Two runs of the gold by two agents, one of them with a model, too."""

    def by_agents(name, *models):
        kinds = {GOLD: 'GoldReplay', 'model': 'OpenAICompatible'}
        entries = [{'abbr': model, 'type': f'cibench_eval.models.{kinds[model]}'} for model in models]
        found = [scores(f'{model}--{agent["abbr"]}') for model in models for agent in AGENTS]
        return write(name, *found, models=entries, agents=AGENTS)

    return by_agents('one', GOLD), by_agents('two', GOLD, 'model')


def test_the_gate(runs, capsys):
    code, said, _ = compare(capsys, *runs, '--fail-below', 5)
    assert code == 1 and 'worse: small: model: right' in said
    code, said, _ = compare(capsys, *reversed(runs), '--fail-below', 0)
    assert code == 0 and 'not worse by more than 0 points in right' in said
    assert compare(capsys, runs[0], runs[0], '--fail-below', 0)[0] == 0
    assert compare(capsys, *runs, '--fail-below', 5, '--metric', 'tool_rate')[0] == 0


def test_a_run_that_lacks_sessions_passes_no_gate_and_has_a_star(runs, write, capsys):
    parts = write('end_to_end', scores(modes=MODES[:1])), write('without_one', scores(experiments='ab'))
    for part, lacks in zip(parts, (3, 2), strict=True):
        code, said, _ = compare(capsys, runs[0], part, '--fail-below', 5)
        assert code == 1 and f'worse: small: gold-replay: it lacks {lacks} sessions that A has' in said
        assert 'small: Right *' in said and f'small: {lacks} sessions left out that A alone has' in said
        assert compare(capsys, part, runs[0], '--fail-below', 5)[0] == 0
        assert 'Experiment A * B Spread' in compare(capsys, part, runs[0], '--by-experiment')[1]
    said = compare(capsys, *runs, parts[1])[1].replace(' ', '')
    assert f'@{parts[1]}*' in said and f'@{runs[0]}*' not in said
    first = write('a_part', scores(experiments='ab'))
    said = compare(capsys, first, *runs)[1]
    assert said.index(f'@ {runs[0]}') < said.index(f'@ {first} *'), 'of one mean, what is whole stands first'


def test_a_run_that_lacks_a_split_passes_no_gate(write, capsys):
    """Both splits are of one model; B has one of them."""
    another = scores(split='another')
    both = write('both', scores(experiments='ab', modes=MODES[:1]), another)
    code, said, _ = compare(capsys, both, write('one', another), '--fail-below', 5)
    assert code == 1 and 'worse: small: gold-replay: it lacks 2 sessions that A has' in said


def test_a_run_that_lacks_an_epoch_passes_no_gate(write, capsys):
    twice = [one for epoch in (1, 2) for one in scores('model', modes=MODES[:1], epoch=epoch)]
    both, part = write('both', twice), write('part', twice)
    for folder in ('predictions', 'results'):
        for file in (part / folder / 'model').glob('*@2.*'):
            file.unlink()
    code, said, _ = compare(capsys, both, part, '--fail-below', 1)
    assert code == 1 and said.endswith('worse: small: model: it lacks 3 sessions that A has')


def test_a_model_without_any_session_is_named_and_passes_no_gate(write, capsys, caplog):
    both = write('both', scores('model'), scores('other'))
    part = write('part', scores('model'), scores('other'))
    shutil.rmtree(part / 'predictions/other')
    shutil.rmtree(part / 'results/other')
    (part / 'predictions/third').mkdir()
    code, said, _ = compare(capsys, both, part, '--fail-below', 1)
    assert code == 1 and said.endswith('worse: other: it lacks all sessions that A has')
    absent = f'{part}: other: no sessions filed yet'
    left_out = f'{part}/predictions: left out, because the config of the last start does not name them: third'
    assert caplog.messages == [left_out, absent]
    assert compare(capsys, both, part)[0] == 1
    cli.main(['show', str(part)])
    assert caplog.messages[-1] == f'{part}: other/small_end_to_end, other/small_oracle: no sessions filed yet'


def test_a_model_without_any_session_concerns_none_that_is_chosen_and_has_none_in_its_place(write, capsys, caplog):
    both = write('both', scores('model'), scores('other'))
    part = write('part', scores('model'), scores('other'), scores())
    shutil.rmtree(part / 'predictions/other')
    chosen = ('--model-a', 'model', '--model-b', 'model')
    code, said, _ = compare(capsys, both, part, '--fail-below', 1, *chosen)
    assert code == 0 and 'not worse' in said and not caplog.messages
    code, _, error = compare(capsys, both, part, '--model-a', 'other')
    assert code == 2 and f'{part}: it has model, other; choose with --model-b NAME' in error
    shutil.rmtree(part / 'predictions/model')
    code, _, error = compare(capsys, both, part, '--fail-below', 1)
    assert code == 2 and 'nothing to compare: not both have sessions of model, other' in error


def test_whole_sessions_are_paired_by_mode(write, capsys):
    """What one run alone has does not count: here sessions of oracle mode, all of them wrong."""
    first = scores(modes=MODES[:1])
    both = write('both', first, scores(modes=MODES[1:], right=False))
    assert 'small: Whole * 100.0 100.0 +0.0' in compare(capsys, both, write('one', first))[1]


@pytest.mark.parametrize(
    ('other', 'first', 'second'),
    [
        (dict(profile='strict'), 'scored by official', 'scored by strict'),
        (dict(version='2'), 'of version 1', 'of version 2'),
    ],
)
def test_scores_on_two_scales_are_not_compared(runs, write, capsys, other, first, second):
    both = (runs[0], write('other', scores(**other)))
    code, _, error = compare(capsys, *both)
    assert code == 2 and f'{first}, ' in error and f'{second}: these are not on one scale' in error
    assert cli.main(['analyse', *map(str, both)]) == 2
    assert f'{second}: these are not on one scale' in capsys.readouterr().err


def test_what_else_differs_is_said(runs, write, agents, capsys):
    limited = write('limited', scores(), limits={'session_tokens': 4_000_000})
    assert 'small: Limits: A –, B session_tokens=4000000' in compare(capsys, runs[0], limited)[1]
    said = compare(capsys, *agents, '--fail-below', 0)[1]
    assert ' Agent: ' not in said, 'each model has the same agent in both'
    chosen = ['--model-a', 'gold-replay--react', '--model-b', 'gold-replay--code_block']
    assert 'small: Agent: A react, B code_block' in compare(capsys, agents[0], agents[0], *chosen)[1]


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--model-a', 'nobody'], 'has no sessions of that model; there is gold-replay'),
        (['--fail-below', 'nan'], '--fail-below nan: takes points, from 0 to 100'),
        (['--fail-below', '-1'], '--fail-below -1.0: takes points, from 0 to 100'),
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
    code, _, error = compare(capsys, *agents, '--fail-below', 0)
    assert code == 2 and 'a gate takes two runs' in error


def test_a_measure_that_the_runs_lack_is_refused_and_no_table_left_out_in_silence(agents, capsys):
    code, _, error = compare(capsys, agents[0], agents[0], '--metric', 'text_score')
    assert code == 2 and '--metric text_score: the runs do not both have it; there is' in error


def test_a_split_that_one_model_alone_has_is_named(agents, write, capsys):
    code, said, error = compare(capsys, agents[1], write('other', scores('third', split='large')))
    assert code == 0 and 'third' not in said and 'large: left out: third' in error and 'alone has it' in error


def test_models_of_one_run_stand_side_by_side(agents, runs, capsys):
    _, said, error = compare(capsys, agents[1])
    assert 'right steps of 2 models' in said and 'left out: gold-replay--' in error, (
        'the gold is no model beside others'
    )
    code, _, error = compare(capsys, runs[0])
    assert code == 2 and 'it has one model, gold-replay; name another run' in error
    code, _, error = compare(capsys, runs[0], runs[1], runs[0])
    assert code == 2 and error == f'cibench: error: {runs[0]}: named more than once; name each run once\n'

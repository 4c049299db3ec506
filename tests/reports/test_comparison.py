"""`cibench compare` on scores that are known: what differs, by how much, and beyond chance or not."""

import re

import pytest

from cibench_eval import cli
from tests.reports.rows import result, step, write_run

ENDS = {'+': 'correct', '-': 'wrong', '!': None, 'o': 'ran', 'x': 'exec_error', 't': 'timeout'}


@pytest.fixture
def compare(tmp_path, monkeypatch, capsys):
    """Compare runs of one model each: what each got by library, an experiment a word and a step a letter.

    Nothing decides on `o`, which ran, and `x`, which failed.
    """
    monkeypatch.setenv('COLUMNS', '120')

    def call(*words, split='s', **runs):
        folders = []
        for name, ends in runs.items():
            libraries = ends if isinstance(ends, dict) else {'pandas': ends}
            steps = [
                step(
                    index,
                    f'{library}/{number}',
                    letter != 'x',
                    outcome=ENDS[letter],
                    decided=letter not in 'ox',
                    numeric_correct=float(letter == '+'),
                )
                for library, ends in libraries.items()
                for number, word in enumerate(ends)
                for index, letter in enumerate(word)
            ]
            own = split if isinstance(split, str) else split[name]
            folders.append(write_run(tmp_path / name, [result(steps=steps, model=name, dataset='d', split=own)]))
        code = cli.main(['compare', *map(str, folders), *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def lines(said, title):
    """The cells of a table without its header and intervals, by the first; columns are two blanks apart or figures."""
    table = said.partition(title)[2].partition('─\n')[2].partition('\n\n')[0].splitlines()
    return [re.split(r'\s+(?=[-+]?\d|right|wrong|better|·|–)', line.strip()) for line in table if line[:1].strip()]


def differences(said):
    return {name: figures for name, *figures in lines(said, 'B against A') if name.startswith('s: ')}


def test_a_small_p_is_not_0(compare):
    _, said, _ = compare(a=['+' * 9 + '-', '+' * 10] * 20, b=['-' * 9 + '+', '-' * 10] * 20)
    assert ' <0.001 ' in said
    assert ' 0.000 ' not in said


def test_differences_are_paired_and_bounded(compare):
    _, said, _ = compare(a=['++', '++', '+-', '++'] * 2, b=['+-'] * 8)
    found = differences(said)
    assert found['s: Right'] == ['87.5', '50.0', '-37.5', '0.003', '16'] and '-56.9 to -18.1' in said
    assert found['s: Whole'][:3] == ['75.0', '0.0', '-75.0'] and found['s: Tool'][2:4] == ['+0.0', '1.000']
    assert 's: Avg' not in found, 'there are no figures and no oracle mode'


@pytest.mark.parametrize(
    ('a', 'b', 'right', 'executable'),
    [
        (['+-', '-+'], ['+-', '-+'], ['50.0', '50.0', '+0.0', '4'], '+0.0'),
        (['+!', '++'], ['++', '++'], ['100.0', '100.0', '+0.0', '3'], '+0.0'),  # one step's end is not known
        (['+++'], ['++'], ['100.0', '100.0', '+0.0', '2'], '+0.0'),  # those that both have count
        (['+o', '+o'], ['+x', '+x'], ['100.0', '100.0', '+0.0', '2'], '-50.0'),
    ],
)
def test_what_counts_as_a_difference(compare, a, b, right, executable):
    found = differences(compare(a=a, b=b)[1])
    assert [*found['s: Right'][:3], found['s: Right'][-1]] == right
    assert found['s: Exe'][2] == executable


@pytest.mark.soak
def test_a_difference_that_rounds_to_0_has_no_minus(compare):
    assert differences(compare(a=['+' * 3000], b=['+' * 2999 + '-'])[1])['s: Right'][:3] == ['100.0', '100.0', '+0.0']


def test_steps_that_changed_are_named_worse_ones_first(compare):
    _, said, _ = compare(a=['+-', '+-'], b=['-+', '+t'])
    assert [line[0].split()[1] for line in lines(said, 'Steps that changed')[:2]] == ['pandas/0:1', 'pandas/0:2']
    assert [line[1] for line in lines(said, 'Steps that changed')[:2]] == ['wrong', 'better']
    assert 'Right in A alone: 1 step, in B alone: 1.' in said


def test_steps_of_several_epochs_are_named_with_theirs(tmp_path, capsys):
    folders = []
    for name, outcome in (('a', 'correct'), ('b', 'wrong')):
        epochs = [
            result(steps=[step(0, outcome=outcome, numeric_correct=0)], dataset='d', model=name, epoch=epoch)
            for epoch in (1, 2)
        ]
        folders.append(write_run(tmp_path / name, epochs))
    assert cli.main(['compare', *map(str, folders)]) == 0
    said = capsys.readouterr().out
    assert 's x/0:1 (end_to_end)' in said and 's x/0:1 (end_to_end, epoch 2)' in said
    assert 'Right in A alone: 2 steps, in B alone: 0. Each epoch counts.' in said


def test_lines_of_two_runs_are_tested_one_by_one_and_say_so(compare):
    _, said, _ = compare(a=['+-'], b=['-+'])
    assert 'p is of each line by itself: of 20 lines without a difference, one is below 0.05.' in said


def test_parts_are_module_categories(compare):
    _, said, _ = compare(a={'pandas': ['++'], 'seaborn': ['++']}, b={'pandas': ['++'], 'seaborn': ['--']})
    parts = lines(said, 'Right steps, by part')
    found = {name: figures[2] for name, *figures in parts if name.startswith('s: ')}
    assert found == {'s: manipulation': '+0.0', 's: visualization': '-100.0'}


def test_runs_of_nothing_common_are_refused(compare):
    code, _, error = compare(a=['+'], b=['+'], split={'a': 's', 'b': 't'})
    assert code == 2 and 'nothing to compare: A has s, B has t' in error


# --- Several models ------------------------------------------------------------------------------------------------


def test_models_are_ranked_on_what_all_have(compare):
    _, said, _ = compare(bad=['--', '--'] * 6, good=['++', '++'] * 6 + ['--'], fair=['++', '+-'] * 6)
    good, fair, bad = lines(said, 'right steps of 3 models')[:3]
    assert (good[0], fair[0], bad[0]) == ('good', 'fair *', 'bad *')
    assert good[1] == '100.0', 'the 13th experiment of `good` is nobody else’s'
    assert fair[-1] == '-25.0' and bad[1:] == ['0.0', '3', '0.0', '-100.0']


def test_steps_that_part_the_models_most_evenly_stand_first(compare):
    _, said, _ = compare(a=['+++', '-'], b=['++-', '-'], c=['+--', '-'], d=['+--', '-'])
    assert lines(said, 'steps that tell these models apart')[:2] == [
        ['pandas/0:2 (end_to_end)', 'right', 'right', '·', '·'],
        ['pandas/0:3 (end_to_end)', 'right', '·', '·', '·'],
    ]
    assert '2 of 4 steps tell these models apart; right for all: 1.' in said
    assert 'share of its runs' not in said, 'there are no numbers'


def test_steps_that_are_right_in_some_epochs_have_a_number_that_is_explained(tmp_path, capsys):
    ends = {'a': ('correct', 'wrong', 'wrong'), 'b': ('correct', 'correct', 'wrong'), 'c': ('correct',) * 3}
    found = [
        result(
            steps=[step(0, outcome=outcome), step(1, outcome='wrong' if epoch > 1 else 'correct')],
            dataset='d',
            model=model,
            epoch=epoch,
        )
        for model, outcomes in ends.items()
        for epoch, outcome in enumerate(outcomes, 1)
    ]
    assert cli.main(['compare', str(write_run(tmp_path / 'run', found))]) == 0
    said = ' '.join(capsys.readouterr().out.split())
    assert 'x/0:1 (end_to_end) right 67 33' in said
    assert 'right for all: 0.' in said and 'A number is the share of its runs that are right, in %.' in said


def test_experiments_on_which_models_differ_most_stand_first(compare):
    _, said, _ = compare('--by-experiment', a=['++', '+-', '++'], b=['++', '--', '--'], c=['++', '--', '++'])
    assert lines(said, 'right steps by experiment')[:3] == [
        ['pandas/2', '100.0', '100.0', '0.0', '100.0'],
        ['pandas/1', '50.0', '0.0', '0.0', '50.0'],
        ['pandas/0', '100.0', '100.0', '100.0', '0.0'],
    ]


def test_models_with_long_names_are_called_by_their_places(compare):
    _, said, _ = compare(**{'a-long-name': ['-'], 'another-long-name': ['+'], 'b': ['-']})
    assert '#1 another-long-name' in said and '#2 a-long-name' in said and re.search(r'Step +#1 +#2 +#3', said)


def test_steps_on_which_nothing_decides_rank_nobody(compare):
    _, said, error = compare(a=['oo', 'x'], b=['xo', 'o'], c=['oo', 'o'])
    assert 's: left out: nothing decides on a step that all have' in error and 'right steps' not in said


def test_a_step_on_which_nothing_decides_is_no_step_of_the_ranking(compare):
    _, said, _ = compare(a=['+o', '-x'], b=['-x', '-x'], c=['-o', '-o'])
    assert [line[1] for line in lines(said, 'right steps of 3 models')[:3]] == ['50.0', '0.0', '0.0']


def test_a_model_that_lost_a_session_in_one_epoch_has_a_star_and_passes_no_gate(tmp_path, capsys):
    """Its other epoch has the session, so that no session is left out."""

    def run(name, lost):
        steps = [step(0, f'x/{number}', outcome='correct') for number in range(4)]
        results = [result(steps=steps, model=model, epoch=epoch) for model in ('good', 'bad') for epoch in (1, 2)]
        if lost:
            results[-1] = result(steps=steps[1:], model='bad', epoch=2, harness_errors=['x/0'])
            results.append(result(steps=steps, model='new'))
        return str(write_run(tmp_path / name, results))

    words = ['compare', run('a', lost=False), run('b', lost=True), '--fail-below', '5']
    assert cli.main(words) == 1
    said = capsys.readouterr().out
    assert [name for name, *_ in lines(said, 'Right: each model, B against A')][:2] == ['s: good', 's: bad *']
    assert 'worse: s: bad: it lacks 1 session that A has' in said and 'worse: s: good' not in said
    assert 'alone: new.' in said


def test_the_gate_takes_all_models_together(tmp_path, capsys):
    """One of four models is worse with p = 0.03 by itself, which is no more than chance among four."""

    def run(name, rights):
        results = [
            result(
                steps=[step(0, f'x/{number}', outcome='correct' if right else 'wrong') for number, right in rights],
                model=model,
            )
            for model, rights in ((f'm{number}', enumerate(one)) for number, one in enumerate(rights))
        ]
        return str(write_run(tmp_path / name, results))

    before, after = [[True] * 20] * 4, [[True] * 15 + [False] * 5, *[[True] * 20] * 3]
    together = ['compare', run('a', before), run('b', after), '--fail-below', '5', '--beyond-chance']
    alone = ['compare', run('c', before[:1]), run('d', after[:1]), '--fail-below', '5', '--beyond-chance']
    assert (cli.main(together), cli.main(alone)) == (0, 1)
    assert 'worse: s: m0: right -25.0 points' in capsys.readouterr().out
    assert cli.main(together[:-1]) == 1


def test_the_gate_cannot_be_sure_of_few_experiments(compare):
    code, said, error = compare('--fail-below', '5', '--beyond-chance', a=['+++'] * 5, b=['---'] * 5)
    assert code == 2 and '5 experiments cannot tell models apart: compare on 6 or more, or leave it out' in error
    code, said, _ = compare('--fail-below', '5', c=['+++'] * 5, d=['---'] * 5)
    assert code == 1 and 'Fewer than 6 experiments tell nothing apart.' in ' '.join(said.split())
    assert compare('--fail-below', '5', '--beyond-chance', e=['+++'] * 6, f=['---'] * 6)[0] == 1


def test_the_gate_knows_equal_means(tmp_path):
    """Twelve steps in three epochs, the same shares in another order: the difference is -5e-16."""

    def run(name, shares):
        results = [
            result(
                steps=[
                    step(0, f'x/{n}', outcome='correct' if epoch <= one else 'wrong') for n, one in enumerate(shares)
                ],
                model='m',
                epoch=epoch,
            )
            for epoch in (1, 2, 3)
        ]
        return str(write_run(tmp_path / name, results))

    shares = [0, 1, 2, 3, 1, 2, 1, 2, 0, 3, 2, 1]
    for moved in range(1, 12):
        words = ['compare', run(f'a{moved}', shares), run(f'b{moved}', shares[moved:] + shares[:moved])]
        assert cli.main([*words, '--fail-below', '0']) == 0


def test_what_two_runs_have_in_common_is_compared(compare):
    code, said, _ = compare(a={'pandas': ['++'], 'scipy': ['+']}, b={'pandas': ['+-'], 'sklearn': ['+']})
    assert code == 0 and differences(said)['s: Right *'] == ['100.0', '50.0', '-50.0', '–', '2']
    code, _, error = compare(c={'scipy': ['+']}, d={'sklearn': ['+']})
    assert code == 2 and 'they have no step in common; compare runs of one split' in error


def test_runs_on_which_nothing_decides_say_what_there_is(tmp_path, capsys):
    results = [result(steps=[step(0, outcome='ran', decided=False)], model=name, dataset='d') for name in 'mn']
    run = write_run(tmp_path / 'run', results)
    assert cli.main(['compare', str(run), str(run)]) == 2
    assert 'nothing decides on their steps; choose a measure with --metric: tool_rate' in capsys.readouterr().err


def test_a_step_that_all_have_as_often_right_tells_none_apart(tmp_path, capsys):
    """The mean of three times 0.2 is not 0.2."""
    runs = [(name, epoch, 'correct' if epoch == 1 else 'wrong') for name in 'lmn' for epoch in range(1, 6)]
    results = [result(steps=[step(0, outcome=end)], model=name, dataset='d', epoch=epoch) for name, epoch, end in runs]
    assert cli.main(['compare', str(write_run(tmp_path / 'run', results))]) == 0
    assert 'tell these models apart' not in capsys.readouterr().out

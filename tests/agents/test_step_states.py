"""What variables held after each step of a session: in its trace, in its predictions, in its scores."""

import json
import signal
from pathlib import Path

import pytest

from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.engine import with_outcomes
from cibench_eval.evaluators.predictions import prediction_of, works_read
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.models import GoldReplay
from cibench_eval.schema import HarnessError
from cibench_eval.states import states_of
from cibench_eval.traces import TraceStore
from tests.support.sessions import Script, call, experiment, play, play_stored, taught

pytestmark = pytest.mark.kernel
GOLD = ('n = 20', 'm = [n, n + 1]', 'n += 1')
STRICT = find_profile('strict')
FIGURES = Path('figures')


def gold_set(state=True):
    """Three exec steps of which each names its variables, with what they hold after the gold code."""
    made = experiment(*GOLD)
    questions = ('Let `n` be 20.', 'Let `m` be `n` and the next number.', 'Add 1 to `n`.')
    steps = [step.model_copy(update={'question': q}) for step, q in zip(made.steps, questions, strict=True)]
    made = made.model_copy(update={'steps': steps})
    if not state:
        return made
    states = [one.state for one in run(GoldReplay(), made).steps]
    steps = [step.model_copy(update={'state': state}) for step, state in zip(steps, states, strict=True)]
    return made.model_copy(update={'steps': steps})


def run(model, gold, **settings):
    return play(taught(model, gold), gold, max_attempts=2, **settings)


@pytest.fixture(scope='module')
def gold():
    return gold_set()


@pytest.fixture(scope='module')
def replayed(gold):
    return run(GoldReplay(), gold)


@pytest.fixture(scope='module')
def in_oracle_mode(gold):
    return run(GoldReplay(), gold, mode='oracle')


def outcomes_of(trace, gold, scores):
    return [score.outcome for score in with_outcomes(scores, {gold.id: trace}, STRICT)]


def scored(trace, gold):
    steps = prediction_of(trace, gold, FIGURES)['steps']
    scores = score_session(works_read(json.loads(json.dumps(steps)), gold.id, FIGURES), gold, STRICT)
    assert scores == score_session(works_of(trace.steps, FIGURES), gold, STRICT)
    outcomes = outcomes_of(trace, gold, scores)
    return [score.values.get('state_correct') for score in scores], outcomes


def test_gold_replay_is_right_in_both_modes(gold, replayed, in_oracle_mode):
    for trace in (replayed, in_oracle_mode):
        assert scored(trace, gold) == ([1, 1, 1], ['correct'] * 3)


def test_a_wrong_exec_step_is_not_correct(gold):
    trace = run(Script(call('n = 20.0'), call('m = [n, n + 2]'), call('n = n + 1')), gold)
    assert scored(trace, gold) == ([1, 0, 1], ['correct', 'wrong', 'correct'])


def test_steps_without_a_call_and_with_failed_code_have_the_state_of_then(gold):
    trace = run(Script('Final Answer: 20', call('1 / 0'), call('m = [20, 21]; 1 / 0'), call('n = 21')), gold)
    assert [set(step.state) for step in trace.steps] == [set(), {'m'}, {'n'}]
    assert scored(trace, gold) == ([0, 1, 1], ['no_tool', 'exec_error', 'correct'])


def test_a_kernel_that_is_gone_holds_nothing(gold):
    dies = 'import os; os._exit(1)'
    trace = run(Script(call('n = 20'), call(dies), call(dies), call('n = 21')), gold)
    assert trace.steps[1].state == {}
    assert scored(trace, gold) == ([1, 0, 1], ['correct', 'kernel_died', 'correct'])


def test_a_kernel_that_is_killed_while_it_is_asked_costs_no_score(gold, monkeypatch):
    asking, deadly = Kernel.describe, iter([True, False, True, False, False, False, True])

    async def killed(kernel, names, **options):
        if next(deadly, False):
            signal.pidfd_send_signal(kernel._process.session.pidfd, signal.SIGKILL)
        return await asking(kernel, names, **options)

    monkeypatch.setattr(Kernel, 'describe', killed)
    trace = run(Script(call('n = 20'), call('m = [20, 21]; 1 / 0'), 'Final Answer: 5', call('n += 1')), gold)
    assert scored(trace, gold) == ([1, 1, 1], ['correct', 'exec_error', 'correct'])


def test_what_could_not_be_asked_is_wrong_and_says_so(gold):
    never = 'def f(*_):\n import os; os._exit(1)\nget_ipython().kernel.shell_handlers["describe_request"] = f'
    trace = run(Script(call(f'n = 20\n{never}'), call('m = [20, 21]'), call('n += 1')), gold)
    (score, *_) = score_session(works_of(trace.steps, FIGURES), gold, STRICT)
    assert score.values['state_correct'] == 0 and 'KernelDied' in str(score.details)


def test_predictions_without_states_have_no_such_value(gold, replayed):
    steps = prediction_of(replayed, gold, FIGURES)['steps']
    assert [['variables' in action for action in actions] for actions in steps] == [[True]] * 3
    stock = [[{k: v for k, v in one.items() if k != 'variables'} for one in actions] for actions in steps]
    scores = score_session(works_read(stock, gold.id, FIGURES), gold, STRICT)
    assert all('state_correct' not in score.values and score.ran for score in scores)
    assert outcomes_of(replayed, gold, scores) == ['ran'] * 3


def test_without_a_gold_state_nothing_is_said_of_it(replayed):
    assert scored(replayed, gold_set(state=False)) == ([None] * 3, ['ran'] * 3)


def test_what_older_rules_described_and_no_question_asks_for_does_not_count(gold):
    """As the variable that a loop counts with."""
    other = {'kind': 'scalar', 'type': 'int', 'columns': [{'dtype': 'number', 'values': [5]}]}
    steps = [step.model_copy(update={'state': {**step.state, 'i': other}}) for step in gold.steps]
    trace = run(Script(call('n = 20'), call('m = [n, n + 2]'), call('n = n + 1')), gold)
    assert scored(trace, gold.model_copy(update={'steps': steps}))[0] == [1, 0, 1]


def test_malformed_states_of_predictions_are_wrong(gold, replayed):
    steps = prediction_of(replayed, gold, FIGURES)['steps']
    for malformed in (5, {'n': 5}, {'n': {'kind': 'scalar', 'shape': 'x' * 10**6}}, [], 'n'):
        steps[0][-1]['variables'] = malformed
        assert score_session(works_read(steps, gold.id, FIGURES), gold, STRICT)[0].values['state_correct'] == 0


def test_finished_steps_keep_their_state_when_a_session_is_gone_on_with(gold, tmp_path):
    class Stops(Script):
        async def chat(self, *arguments):
            if not self.replies:
                raise HarnessError('endpoint gone')
            return await super().chat(*arguments)

    store = TraceStore(tmp_path / 'demo.traces.jsonl')
    with pytest.raises(HarnessError, match='endpoint gone'):
        play_stored(Stops(call('n = 20')), gold, store)
    trace = play_stored(Script(call('m = [20, 21]'), call('n += 1')), gold, store)
    assert states_of(trace.steps[0].state)['n'].columns[0].values == [20]
    assert scored(trace, gold) == ([1, 1, 1], ['correct'] * 3)


def test_what_two_runs_of_the_gold_do_not_agree_in_is_not_asked_for(gold):
    any_int = {'kind': 'scalar', 'type': 'int', 'columns': [{'dtype': 'number'}], 'settled': False}
    steps = [gold.steps[0].model_copy(update={'state': {'n': any_int}})]
    any_number = gold.model_copy(update={'steps': steps})
    assert scored(run(Script(call('n = 77')), any_number), any_number)[0] == [1]
    assert scored(run(Script(call('n = [1]')), any_number), any_number)[0] == [0]


def kept(trace, gold):
    """The share of kept variables at each step, from the trace and from its predictions."""
    steps = json.loads(json.dumps(prediction_of(trace, gold, FIGURES)['steps']))
    both = [
        score_session(works, gold, STRICT)
        for works in (works_of(trace.steps, FIGURES), works_read(steps, gold.id, FIGURES))
    ]
    assert both[0] == both[1]
    return [(score.values.get('others_kept'), score.details.get('others_kept', '')) for score in both[0]]


@pytest.mark.parametrize(
    ('codes', 'expected'),
    [
        (('n = 20', 'm = [n, n + 1]; n = 0', 'n = 21'), [None, 0, 1]),
        (('n = 20', 'm = [n, n + 1]', 'n += 1; m.append(n)'), [None, 1, 0]),
        (('n = 20', 'm = [n, n + 1]', 'n += 1; del m'), [None, 1, 0]),
        (('n = 20', 'm = [n, n + 1]', 'n += 1; m = (20, 21)'), [None, 1, 0]),
        (('n = 20', 'pass', 'n += 1; m = [20, 21]'), [None, 1, None]),  # there was none before
    ],
)
def test_what_a_question_does_not_let_change_is_kept(gold, codes, expected):
    trace = run(Script(*map(call, codes)), gold)
    found = kept(trace, gold)
    assert [value for value, _ in found] == expected
    assert all(('changed' in why) is (value == 0) for value, why in found)


def test_who_runs_no_code_keeps_nothing(gold):
    trace = run(Script(call('n = 20'), call('m = [n, n + 1]'), 'Hm.', 'Hm.'), gold)
    assert kept(trace, gold) == [(None, ''), (1, ''), (None, '')]


def test_the_gold_replay_keeps_all_and_in_oracle_mode_nothing_of_the_model_is_to_keep(gold, replayed, in_oracle_mode):
    assert kept(replayed, gold) == [(None, ''), (1, ''), (1, '')]
    assert kept(in_oracle_mode, gold) == [(None, '')] * 3


def test_code_on_which_nothing_decides_is_neither_right_nor_wrong():
    """Whether `pass` runs, or other code fails: so shares of two models are of the same steps."""
    gold = gold_set(state=False)
    trace = run(Script(call('pass'), *[call('1 / 0')] * 2, *['Hm.'] * 2), gold)
    scores = with_outcomes(score_session(works_of(trace.steps, FIGURES), gold, STRICT), {gold.id: trace}, STRICT)
    assert [(one.outcome, one.right) for one in scores] == [('ran', None), ('exec_error', None), ('no_tool', None)]

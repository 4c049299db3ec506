"""What running a failed step again from gold states says of it, case by case, in real kernels."""

import asyncio

import pytest

from cibench_eval.evaluators.failures.categories import categorize
from cibench_eval.evaluators.failures.replay import SessionReplay
from cibench_eval.interpreter import Interpreter
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.schema import Step, StepScore
from tests.support.scoring import attempted, gold_experiment, session_trace, step_trace
from tests.support.sessions import KERNELS
from tests.support.soak import many

pytestmark = pytest.mark.kernel

GOLD = (
    ('Make `n`.', 'n = 20', ''),
    ('Print `m`, which is `n` + 1.', 'm = n + 1\nprint(m)', '21'),
    ('Make a table `t`.', 't = {"a": m}', ''),
    ('Print what `m` and `n` are together.', 'print(m + n)', '41'),
    ('Print twice `m`.', 'print(2 * m)', '42'),
)
STEPS = [
    Step(index=index, question=question, code=code, kind='num' if text else 'exec', text=text)
    for index, (question, code, text) in enumerate(GOLD)
]
EXPERIMENT = gold_experiment(*STEPS, name='m/x')


async def session_of(codes):
    """A session that ran these blocks of code: a list for each step, the gold's where it is None."""
    steps = []
    async with Interpreter(KERNELS) as interpreter:
        for step, own in zip(STEPS, codes, strict=True):
            tried = [step.code] if own is None else own
            done = [(code, await interpreter.run(code, timeout=2.0)) for code in tried]
            attempts = [attempted(execution, code) for code, execution in done] or [attempted(reply='no')]
            steps.append(step_trace(*attempts, index=step.index, question=step.question))
    return session_trace(*steps, experiment=EXPERIMENT.id)


def is_right(step):
    execution = step.attempts[-1].execution
    return execution is not None and execution.status == 'ok' and execution.stdout.strip() == STEPS[step.index].text


async def replayed(codes, index):
    """What is found of a step, and its tag."""
    trace = await session_of(codes)
    failed = [step.index for step in trace.steps if not is_right(step)]
    async with GoldStates(KERNELS.model_copy(update={'timeout': 2.0}), [step.code for step in STEPS]) as states:
        replay = await SessionReplay(trace, EXPERIMENT, failed, states, is_right).find(index, 'x')
    score = dict(experiment='m/x', kind='num', values={'tool_rate': 1, 'executable': 1}, outcome='wrong')
    scores = [StepScore(decided=True, index=one, **score) for one in failed if STEPS[one].text]
    return replay, categorize(trace, EXPERIMENT, scores, {index: replay})[index]


def found(codes, index):
    replay, _ = asyncio.run(replayed(codes, index))
    return replay.verdict, replay.origin


OWN, WRONG = None, ['m = n + 2\nprint(m)']


@pytest.mark.parametrize(
    ('says', 'codes', 'index'),
    [
        (('root', None), [OWN, WRONG, OWN, OWN, OWN], 1),
        (('follow_on', 1), [OWN, WRONG, OWN, ['print(n + m)'], OWN], 3),
        (('root', None), [OWN, WRONG, OWN, ['print(n - m)'], OWN], 3),
        (('follow_on', 2), [OWN, OWN, ['t = 1\nm = 0'], OWN, OWN], 3),
        (('open', None), [OWN, ['m = n + 1\nprint(m)\nhelp_ = 3'], OWN, OWN, ['print(help_ * m)']], 4),
        *many(
            [
                (('follow_on', 0), [['n = 21'], OWN, OWN, ['print(n + m)'], OWN], 3),
                (('follow_on', 1), [OWN, [], OWN, OWN, OWN], 4),
                (('follow_on', 1), [OWN, WRONG, OWN, ['from operator import add'], ['print(add(m, m))']], 4),
                (('follow_on', 1), [OWN, WRONG, OWN, OWN, ['two = 2\n1 / 0', 'print(two * m)']], 4),
                (('root', None), [OWN, OWN, OWN, OWN, ['while True: pass']], 4),
                (('root', None), [OWN, OWN, OWN, OWN, ['print(3 * m)']], 4),
                (('follow_on', 1), [OWN, [*WRONG, 'import no_such_thing'], OWN, OWN, ['print(2 * m)']], 4),
            ],
            [],
        ),
    ],
)
def test_what_running_again_says(says, codes, index):
    assert found(codes, index) == says


def test_a_name_that_the_session_knows_otherwise_is_a_fault_of_its_own():
    """The gold has `t`; the session's own step, which did not fail, has called it otherwise."""
    codes = [OWN, OWN, ['table = {"a": m}'], OWN, ['print(2 * t["a"])']]

    async def tag():
        replay, tag = await replayed(codes, 4)
        return replay.verdict, tag

    verdict, tag = asyncio.run(tag())
    assert verdict == 'follow_on'
    assert (tag.cause, tag.propagated_from, tag.origin_by) == ('undefined_name', None, 'replay')

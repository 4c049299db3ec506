"""A wrong value is traced to the earlier step that made it, by running it again."""

import asyncio

import pytest

from cibench_eval.agents import AgentSettings, ReAct, Session, SessionSettings
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.evaluators.engine import with_outcomes
from cibench_eval.evaluators.failures.categories import categorize
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter import KernelPool, KernelSettings
from cibench_eval.models.base import Stateless
from cibench_eval.opencompass import SessionEvaluator
from cibench_eval.run.failure_replay import FailureReplay, failed_sessions
from cibench_eval.traces import TraceStore
from tests.opencompass.follow_ons import CASES

pytestmark = pytest.mark.kernel
KERNELS = KernelSettings(sandbox='auto', preload=('numpy', 'pandas', 'scipy', 'sklearn', 'matplotlib.pyplot', 'cv2'))
STRICT = SessionEvaluator(profile='strict')


class Answers(Stateless):
    """Answers with the gold, but at some steps with other code."""

    def __init__(self, replies):
        self.replies = replies

    async def chat(self, messages, turn, stop=(), tools=()):
        return self.replies[turn.step]


def answers(experiment, case):
    steps = []
    for step in experiment.steps:
        reply = case.replies.get(step.index, step.code)
        if isinstance(reply, tuple):
            assert reply[0] in step.code, (case.experiment, step.index)
            reply = step.code.replace(*reply)
        steps.append(step.model_copy(update={'code': reply}))
    return Answers([ReAct().gold(step) for step in steps])


def cut_off(case):
    """The experiment up to the last step that matters, under a name of its own."""
    split, _, name = case.experiment.partition('/')
    (found,) = load_experiments(builtin_folder('builtin', 'modern') / split, include=[name])
    return found.model_copy(update={'id': f'{name}-{CASES.index(case)}', 'steps': found.steps[: max(case.origins) + 1]})


async def traced(folder):
    """Each case with the tags of its failures."""
    store = TraceStore(folder / 'x.traces.jsonl')
    experiments = [cut_off(case) for case in CASES]
    settings = SessionSettings(AgentSettings(max_attempts=1), KERNELS, 'end_to_end', 'm', 'd')
    async with KernelPool(KERNELS) as pool:
        for case, experiment in zip(CASES, experiments, strict=True):
            store.append(await Session(experiment, answers(experiment, case), settings, pool=pool).run())
    traces = store.load()
    done = [works_of(traces[one.id].steps, store.figures) for one in experiments]
    scores = with_outcomes(STRICT.scores(done, experiments), traces, STRICT.profile)
    sessions = list(failed_sessions(traces, experiments, scores))
    replays = FailureReplay(folder / 'x.replay.jsonl', STRICT, KERNELS)
    await replays.run(sessions, lambda *_: None)
    known = replays.found(sessions)
    tags = []
    for case, one in zip(CASES, experiments, strict=True):
        own = [score for score in scores if score.experiment == one.id]
        tags.append((case, categorize(traces[one.id], one, own, known[one.id])))
    return tags


@pytest.mark.soak
def test_wrong_values_are_traced_to_the_step_that_made_them(tmp_path):
    for case, tags in asyncio.run(traced(tmp_path)):
        for index, origin in case.origins.items():
            tag = tags[index]
            assert (tag.propagated_from, tag.origin_by) == (origin, 'replay'), (case.experiment, index, tag)

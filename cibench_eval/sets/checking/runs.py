"""Run gold code again: once from first to last in one kernel, then each step by itself in shuffled order."""

from dataclasses import dataclass
from random import Random
from typing import Any

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.snapshots import GoldFailsError, GoldStates
from cibench_eval.schema import INTERPRETER, Action, Attempt, Execution, Experiment, Reply, Step, StepTrace
from cibench_eval.sets.checking.watch import WatchedPool, take_out


@dataclass(frozen=True)
class StepRun:
    execution: Execution | None = None
    """None where the step was not reached."""
    reached: tuple[str, ...] = ()
    """How it tried to reach other machines, in words."""
    problem: str = ''
    """Why the step was not reached, if gold code before it failed in this run alone."""

    @property
    def ok(self) -> bool:
        return self.execution is not None and self.execution.status == 'ok'


Runs = list[StepRun]
"""The runs of one step."""


def answered(step: Step, code: str, execution: Execution, state: dict[str, Any] | None = None) -> StepTrace:
    """A step of a session whose only attempt ran some code."""
    action = Action(tool=INTERPRETER, argument=code, code=code)
    attempt = Attempt(reply=Reply(text=''), action=action, execution=execution)
    return StepTrace(index=step.index, question=step.question, attempts=[attempt], state=state)


async def run_experiment(
    experiment: Experiment, settings: KernelSettings, pool: WatchedPool, repeats: int, seed: str
) -> list[Runs]:
    """Run the gold code `repeats` times (at least once) and return the runs of each step.

    The first run is a whole session. In the others each step runs in a kernel that has run nothing but the gold code
    before it; `seed` determines the order of the steps. Steps after one that fails in the session run once, because
    they have no clean state to start from.

    Raises:
        HarnessError: a kernel cannot be started.
    """
    settings = settings.model_copy(update={'datasources': experiment.datasources})
    codes = [step.code.strip() for step in experiment.steps]
    async with Interpreter(settings, pool) as interpreter:
        whole = [_run(await interpreter.run(code)) for code in codes]
    runs = [[run] for run in whole]
    sound = next((index for index, run in enumerate(whole) if not run.ok), len(codes) - 1)
    for number in range(2, repeats + 1):
        order = list(range(sound + 1))
        Random(f'{seed} {number}').shuffle(order)
        done = await _isolated(codes, order, settings, pool)
        for index, of_step in enumerate(runs):
            of_step.append(done.get(index, StepRun()))
    return runs


async def _isolated(
    codes: list[str], order: list[int], settings: KernelSettings, pool: WatchedPool
) -> dict[int, StepRun]:
    done: dict[int, StepRun] = {}
    async with GoldStates(settings, codes, pool) as states:
        for index in order:
            try:
                async with states.at(index) as (interpreter, _):
                    done[index] = _run(await interpreter.run(codes[index]))
            except GoldFailsError as error:
                done[index] = StepRun(problem=str(error))
    return done


def _run(execution: Execution) -> StepRun:
    cleaned, reached = take_out(execution)
    return StepRun(cleaned, tuple(reached))

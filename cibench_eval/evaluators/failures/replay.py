"""Find the origin of failures by experiment: run the code of a failed step again from gold states.

The code first runs in the gold state before its step. If it is wrong there, too, the fault is the step's own: a root.
If it is right, it follows from an earlier step: the session's own steps replace the gold's, the nearest first, until
the code is wrong again. The step that was replaced last is the origin, whether it was scored as failed or not.

A step's earlier attempts run before its last one, and before these the imports of the session's steps that the gold
replaces. A wrong result proves nothing if the code uses a name or column of those steps that no question names: the
gold has none, or another one.
"""

import ast
import re
from collections.abc import Callable, Collection, Sequence

from cibench_eval.evaluators.failures.code_facts import facts_of, parse
from cibench_eval.evaluators.failures.replay_store import ReplayFinding, Verdict
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.schema import Execution, Experiment, Step, StepTrace, Trace
from cibench_eval.states import asked_states

NAMED = re.compile(r'`([A-Za-z_]\w*)')
"""A name in a question, at the beginning of back-ticks."""
TAKES_OWN = 'takes what only the session has'


class SessionReplay:
    """Runs failed steps of a session again.

    Args:
        states: gold states, in kernels like the session's.
        is_right: tells whether a step that ran again is correct, by the profile that called it wrong.
    """

    def __init__(
        self,
        trace: Trace,
        experiment: Experiment,
        failed: Collection[int],
        states: GoldStates,
        is_right: Callable[[StepTrace], bool],
    ) -> None:
        self._steps = {step.index: step for step in trace.steps}
        self._experiment, self._failed, self._states, self._is_right = experiment, failed, states, is_right

    async def find(self, index: int, asked: str) -> ReplayFinding:
        """Run a step again, from as many states as it takes.

        Args:
            asked: hash of everything that the finding depends on.

        Raises:
            HarnessError: gold code fails here, or no kernel could be started.
        """
        verdict, origin, evidence = await self._found(index)
        return ReplayFinding(
            experiment=self._experiment.id, index=index, asked=asked, verdict=verdict, origin=origin, evidence=evidence
        )

    async def _found(self, index: int) -> tuple[Verdict, int | None, str]:
        right_from = index + 1
        for start in range(index, -1, -1):
            right = await self._right_from(start, index)
            if right is False:
                return self._conclude(index, start, right_from)
            if right:
                right_from = start
        return 'open', None, TAKES_OWN if right_from > index else 'right when the whole session runs again'

    def _conclude(self, index: int, start: int, right_from: int) -> tuple[Verdict, int | None, str]:
        """The finding on a step that is wrong with the session's own steps from `start` on, and right with fewer."""
        if start == index:
            return 'root', None, 'wrong from the gold state before it, too'
        if right_from > index:
            return 'open', None, TAKES_OWN
        between = [step for step in range(start, right_from) if step in self._failed]
        origin = max(between, default=start)
        return 'follow_on', origin, f"right after the gold's steps, wrong after the session's own step {origin + 1}"

    async def _right_from(self, start: int, index: int) -> bool | None:
        """Whether a step is right after the gold's steps up to `start` and the session's from there; None if open."""
        async with self._states.at(start) as (interpreter, _):
            await interpreter.run(imports_of(self._codes(range(start))))
            for between in range(start, index):
                own = self._steps.get(between)
                for code in _repeatable(own.runs if own else []):
                    await interpreter.run(code)
            again = await _run_again(self._steps[index], self._experiment.steps[index], interpreter)
        if self._is_right(again):
            return True
        return None if self._takes_own(start, index) else False

    def _takes_own(self, start: int, index: int) -> bool:
        """Whether a step uses names or columns of the session's steps before `start` that no question names."""
        code = [facts_of(code) for code in self._codes(range(start, index + 1))]
        gold = {step.code.strip() for step in self._experiment.steps}
        own = [facts_of(code) for code in self._codes(range(start)) if code.strip() not in gold]
        names = {name for one in own for name in one.data} & {name for one in code for name in one.loaded}
        columns = {name for one in own for name in one.made_columns} & {name for one in code for name in one.literals}
        named = {name for step in self._experiment.steps[:index] for name in NAMED.findall(step.question)}
        return not (names | columns) <= named

    def _codes(self, indices: Collection[int]) -> list[str]:
        steps = [self._steps[index] for index in indices if index in self._steps]
        return [code for step in steps for code, _ in step.runs]


def imports_of(codes: list[str]) -> str:
    """The imports at the top level of blocks of code, each of which may fail."""
    trees = [tree for tree in map(parse, codes) if tree]
    nodes = [node for tree in trees for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    lines = dict.fromkeys(ast.unparse(node) for node in nodes)
    return '\n'.join(f'try:\n    {line}\nexcept ImportError:\n    pass' for line in lines)


async def _run_again(step: StepTrace, gold: Step, interpreter: Interpreter) -> StepTrace:
    """Run a step's attempts again, and keep the last one as it ends now."""
    *before, (last, _) = step.runs
    for code in _repeatable(before):
        await interpreter.run(code)
    execution = await interpreter.run(last)
    attempt = next(one for one in reversed(step.attempts) if one.execution)
    state = await asked_states(gold.question, gold.code, interpreter.describe)
    return step.model_copy(update={'attempts': [attempt.model_copy(update={'execution': execution})], 'state': state})


def _repeatable(runs: Sequence[tuple[str, Execution]]) -> list[str]:
    """The code that ended by itself: after a timeout or the death of a kernel the state is not known."""
    return [code for code, execution in runs if execution.status in ('ok', 'error')]

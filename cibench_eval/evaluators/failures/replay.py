"""Where failures come from, by experiment: the code of a failed step is run again from gold states.

It runs first in the gold state before its step. What is wrong there, too, is the step's own fault: a root. What is
right there follows from an earlier step: the session's own steps are put back into the gold, the nearest first, until
the code is wrong again. The step that was put back last is the one that it follows from, be it scored as failed or not.

A step's earlier attempts run before its last one, and first the imports of the session's own steps that the gold
replaces. What is wrong proves nothing where the code takes from those steps a name or column that no question names:
the gold has none, or another one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection

from cibench_eval.evaluators.failures.code_facts import CodeFacts, facts_of, parse
from cibench_eval.evaluators.failures.replay_store import Replay
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.schema import Attempt, Experiment, StepTrace, Trace

NAMED = re.compile(r'`([A-Za-z_]\w*)')
"""A name that a question gives: all that stands at the beginning of back-ticks."""


class SessionReplay:
    """Runs failed steps of a session again.

    Args:
        trace: the session.
        experiment: its gold.
        states: of that gold, in kernels as the session had them.
        is_right: whether a step that has run again is correct, by the profile that has called it wrong.
    """

    def __init__(
        self, trace: Trace, experiment: Experiment, states: GoldStates, is_right: Callable[[StepTrace], bool]
    ) -> None:
        self._steps = {step.index: step for step in trace.steps}
        self._experiment, self._states, self._is_right = experiment, states, is_right

    async def find(self, index: int, asked: str) -> Replay:
        """Run a step again, from as many states as it takes.

        Raises:
            HarnessError: gold code fails here, or no kernel could be started.
        """
        seen_right = False
        for start in range(index, -1, -1):
            right = await self._right_from(start, index)
            if right is False:
                return self._conclude(index, start, asked, seen_right)
            seen_right = seen_right or right is True
        why = 'right when the whole session runs again' if seen_right else 'takes what only the session has'
        return Replay(experiment=self._experiment.id, index=index, asked=asked, verdict='open', evidence=why)

    def _conclude(self, index: int, start: int, asked: str, seen_right: bool) -> Replay:
        """What it means that a step is wrong from `start` on, and whether it was right from a later one."""
        replay = Replay(
            experiment=self._experiment.id,
            index=index,
            asked=asked,
            verdict='root',
            evidence='wrong from the gold state before it, too',
        )
        if seen_right:
            why = f"right after the gold's steps, wrong after the session's own step {start + 1}"
            return replay.model_copy(update={'verdict': 'follow_on', 'origin': start, 'evidence': why})
        if start < index:
            return replay.model_copy(update={'verdict': 'open', 'evidence': 'takes what only the session has'})
        return replay

    async def _right_from(self, start: int, index: int) -> bool | None:
        """Whether a step is right after the gold's steps up to `start` and the session's own from there; None: open."""
        async with self._states.at(start) as (interpreter, _):
            await interpreter.run(imports_of(self._codes(range(start))))
            for between in range(start, index):
                for attempt in _repeatable(self._steps.get(between)):
                    await interpreter.run(attempt.action.code or '')
            again = await _run_again(self._steps[index], interpreter)
        if self._is_right(again):
            return True
        return None if self._takes_own(start, index) else False

    def _takes_own(self, start: int, index: int) -> bool:
        """Whether a step takes names or columns of the session's own steps before `start` that no question names."""
        code = [facts_of(code) for code in self._codes(range(start, index + 1))]
        own = [facts_of(code) for code in self._codes(range(start))]
        named = {name for step in self._experiment.steps[:index] for name in NAMED.findall(step.question)}
        return bool((_taken(code) & _made(own)) - named)

    def _codes(self, indices: Collection[int]) -> list[str]:
        steps = [self._steps[index] for index in indices if index in self._steps]
        return [attempt.action.code or '' for step in steps for attempt in step.attempts if attempt.execution]


def can_run_again(step: StepTrace | None) -> bool:
    """Whether a step has run any code."""
    return step is not None and any(attempt.execution for attempt in step.attempts)


def imports_of(codes: list[str]) -> str:
    """The imports at the top level of blocks of code, each of which may fail."""
    trees = [tree for tree in map(parse, codes) if tree]
    nodes = [node for tree in trees for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    lines = dict.fromkeys(ast.unparse(node) for node in nodes)
    return '\n'.join(f'try:\n    {line}\nexcept ImportError:\n    pass' for line in lines)


async def _run_again(step: StepTrace, interpreter: Interpreter) -> StepTrace:
    """A step with its last attempt alone, as it ends now, after those before it."""
    *before, last = [attempt for attempt in step.attempts if attempt.execution]
    for attempt in before:
        if attempt in _repeatable(step):
            await interpreter.run(attempt.action.code or '')
    execution = await interpreter.run(last.action.code or '')
    return step.model_copy(update={'attempts': [last.model_copy(update={'execution': execution})]})


def _repeatable(step: StepTrace | None) -> list[Attempt]:
    """The attempts that ended by themselves: what took its time or its kernel left nothing that can be told."""
    attempts = step.attempts if step else []
    return [one for one in attempts if one.execution and one.execution.status in ('ok', 'error')]


def _taken(codes: list[CodeFacts]) -> set[str]:
    texts = {text for code in codes for text in code.literals if isinstance(text, str)}
    return texts | {name for code in codes for name in code.loaded}


def _made(codes: list[CodeFacts]) -> set[str]:
    return {name for code in codes for name in code.data | code.made_columns}

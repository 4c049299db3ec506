"""What a reply can ask for: code to run, in one call or several, a final answer, or nothing that can be run.

A protocol reads a reply into a `ParsedReply`, whose `Action` is made by one of three functions here. The consequences
of each kind are here as well: what is run, when a step is over, and which attempts have failed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.schema import INTERPRETER, Action, Attempt, Call, Execution, Message, Reply

OVERFLOW = 'context_overflow'
"""The finish reason of a request that was longer than the model's window."""


def code_action(code: str, argument: str | None = None, thought: str = '', *, repaired: bool = False) -> Action:
    """A call of the interpreter; `argument` is the tool's input as the reply has it, by default the code."""
    given = code if argument is None else argument
    return Action(thought=thought, tool=INTERPRETER, argument=given, code=code, repaired=repaired)


def final_answer(text: str, thought: str = '') -> Action:
    """An answer in place of a call: it ends the step."""
    return Action(thought=thought, argument=text, final=True)


def no_code(problem: str, argument: str = '', thought: str = '', tool: str | None = None) -> Action:
    """A reply, or a call, that runs nothing; the model is shown the problem."""
    return Action(thought=thought, tool=tool, argument=argument, problem=problem)


@dataclass(frozen=True)
class ParsedReply:
    """What a protocol has read out of a reply.

    Args:
        reply: the reply, its thinking set apart.
        action: what it asks for; of several calls, the last one with code.
        kept: the model's turn as it stays in the conversation.
        before, behind: its other calls, in order. Those behind have no code.
    """

    reply: Reply
    action: Action
    kept: Message
    before: tuple[Action, ...] = ()
    behind: tuple[Action, ...] = ()

    @property
    def not_run(self) -> list[Call]:
        """The calls behind the action."""
        return [Call(action=one) for one in self.behind]

    async def run(self, interpreter: Interpreter) -> tuple[list[Call], Execution | None]:
        """Run all code in order; return the calls before the action, and the execution of the action."""
        before = [Call(action=one, execution=await _run(one, interpreter)) for one in self.before]
        return before, await _run(self.action, interpreter)

    def calls(self, execution: Execution | None, before: Sequence[Call]) -> list[Call]:
        """All calls that the model gets an answer to, in order; none after a final answer."""
        counts = Call(action=self.action, execution=execution)
        return [] if self.action.final else [*before, counts, *self.not_run]


async def _run(action: Action, interpreter: Interpreter) -> Execution | None:
    return None if action.code is None else await interpreter.run(action.code)


def ran(attempt: Attempt) -> bool:
    """Whether the code of an attempt ran without error."""
    return attempt.execution is not None and attempt.execution.status == 'ok'


def ends_step(attempt: Attempt, *, explore: bool, retries: bool) -> bool:
    """Whether an attempt is the last one at its step, by the settings of the protocol."""
    goes_on = explore if ran(attempt) else retries
    return not goes_on or attempt.action.final or attempt.reply.finish_reason == OVERFLOW


def failures(attempts: Sequence[Attempt]) -> int:
    """How many attempts at a step failed. A final answer fails only if no code of the step ran."""
    answered = any(map(ran, attempts))
    return sum(not (ran(one) or (one.action.final and one.execution is None and answered)) for one in attempts)

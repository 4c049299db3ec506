"""Traces in the shape that OpenCompass's agent inferencer writes, which its CIBench evaluator reads.

One list of actions a step, one action an attempt: `{type, args: {text, extract_code}, result: {text,
image_path} | None, thought, state, errmsg, valid}`, with the codes of `lagent.schema`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cibench_eval.rendering import render
from cibench_eval.schema import INTERPRETER, Attempt, Execution, Experiment, StepTrace, Trace

SUCCESS, API_ERROR = 0, -1002
"""`lagent.schema.ActionStatusCode`."""
FINISH, OPEN, INVALID = 1, 0, -2
"""`lagent.schema.ActionValidCode`."""
SILENT = 'The code ran and showed nothing.'


def prediction_of(trace: Trace, experiment: Experiment, figures: Path) -> dict[str, Any]:
    """A session as one entry of a predictions file.

    Args:
        trace: the session.
        experiment: its gold.
        figures: the folder in which the session's figures are; their paths are written absolute.
    """
    steps = [actions_of(step, figures) for step in trace.steps]
    return {
        'prediction': [_answer(actions) for actions in steps],
        'origin_prompt': [step.question for step in trace.steps],
        'steps': steps,
        'gold': [f'{step.thought}**split**{step.code}' for step in experiment.steps],
    }


def actions_of(step: StepTrace, figures: Path) -> list[dict[str, Any]]:
    """The attempts of a step as actions."""
    return [_action(attempt, figures) for attempt in step.attempts]


def _action(attempt: Attempt, figures: Path) -> dict[str, Any]:
    action, execution = attempt.action, attempt.execution
    made: dict[str, Any] = {
        'type': _type(attempt),
        'args': {'text': action.argument, 'extract_code': action.code or ''},
        'result': None,
        'thought': action.thought,
        'state': API_ERROR,
        'errmsg': action.problem or None,
        'valid': OPEN if action.tool == INTERPRETER else INVALID,
    }
    if action.final:
        made |= {'result': {'text': action.argument, 'image_path': ''}, 'state': SUCCESS, 'valid': FINISH}
    elif execution and execution.status == 'ok':
        result = {'text': render(execution) or SILENT, 'image_path': _image_path(execution, figures)}
        made |= {'result': result, 'state': SUCCESS}
    elif execution:
        made['errmsg'] = render(execution)
    return made


def _type(attempt: Attempt) -> str:
    """The interpreter, or lagent's name for what is none."""
    if attempt.action.final:
        return 'FinishAction'
    if attempt.action.tool is None:
        return 'NoAction'
    return INTERPRETER if attempt.action.tool == INTERPRETER else 'InvalidAction'


def _image_path(execution: Execution, figures: Path) -> str:
    """Every figure as a Markdown image, numbered from 1."""
    paths = [(figures / figure.filename).absolute() for figure in execution.figures]
    return '\n\n'.join(f'![fig-{number:03d}]({path})' for number, path in enumerate(paths, 1))


def _answer(actions: list[dict[str, Any]]) -> str:
    """What the step ended with: the last action's result, or nothing."""
    result = actions[-1]['result'] if actions else None
    return str(result['text']) if result else ''

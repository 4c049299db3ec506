"""Sessions in the shape that OpenCompass's agent inferencer writes and its evaluator reads: writing and reading.

One list of actions a step, one action an attempt: `{type, args: {text, extract_code}, result: {text,
image_path} | None, thought, state, errmsg, valid}`, with the codes of `lagent.schema`.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cibench_eval.evaluators.work import CallResult, InterpreterCall, StepWork, answers_of, kept_of
from cibench_eval.files import whole_file
from cibench_eval.rendering import render
from cibench_eval.run_paths import SessionFiles
from cibench_eval.schema import INTERPRETER, Call, CibenchError, Execution, Experiment, StepTrace, Trace, told
from cibench_eval.traces import TraceStore

SUCCESS, API_ERROR = 0, -1002
"""Values of `lagent.schema.ActionStatusCode`."""
FINISH, OPEN, INVALID = 1, 0, -2
"""Values of `lagent.schema.ActionValidCode`."""
STDERR = re.compile(r'^stderr:\n\n```\n.*?\n```$', re.DOTALL | re.MULTILINE)
"""What a call showed on stderr, in the text of its outputs."""
TITLE = '(stdout|stderr|execute_result|display_data|error):\n\n```\n'
IMAGES = r'(?:\n\n!\[fig-[0-9]*\]\([^\n]*\))*'
FIRST = re.compile(rf'(?:^|\n){TITLE}')
NEXT = re.compile(rf'\n```{IMAGES}\n\n{TITLE}')
LAST = re.compile(rf'\n```{IMAGES}\s*\Z')
"""The beginning of a result's first block, of a next one, and the end of the last one."""
NAMED = re.compile(r'!\[fig-[0-9]*\]\(')
"""The mark before the path of a figure."""
FIGURE = re.compile(rf'{NAMED.pattern}(.*?)\)', re.DOTALL)
SILENT = 'The code ran and showed nothing.'
VARIABLES = 'variables'
"""The field of an action for the variables after the step, which OpenCompass does not have."""
HASHES = 'hashes_of_variables'
"""The field for `StepTrace.hashes`, which OpenCompass does not have, either."""
TRACES_FIELD = 'traces'
"""The field of a session that names the file of its trace."""
Actions = list[dict[str, Any]]
"""The actions of a step, one an attempt."""


def file_sessions(files: SessionFiles, experiments: Sequence[Experiment], traces: Iterable[Trace]) -> None:
    """Write the predictions file of a dataset from the traces of its experiments, in their order.

    It names the file of the traces, so that they are missed if they are gone; a file of another program names none.
    """
    figures = TraceStore(files.traces).figures
    made = (prediction_of(trace, one, figures) for trace, one in zip(traces, experiments, strict=True))
    write_predictions(files.predictions, ({**session, TRACES_FIELD: files.traces.name} for session in made))


def write_predictions(path: Path, sessions: Iterable[dict[str, Any]]) -> None:
    """Write the sessions of a dataset, by their numbers, as one JSON object: only one of them is in memory."""
    with whole_file(path) as file:
        file.write(b'{')
        for index, session in enumerate(sessions):
            text = json.dumps(session, ensure_ascii=False, indent=1).replace('\n', '\n ')
            file.write(f'{"," if index else ""}\n "{index}": {text}'.encode())
        file.write(b'\n}')


def prediction_of(trace: Trace, experiment: Experiment, figures: Path) -> dict[str, Any]:
    """A session as one entry of a predictions file.

    `figures` is the folder of its figures, whose paths are written absolute.
    """
    steps = [actions_of(step, figures) for step in trace.steps]
    results = [actions[-1]['result'] if actions else None for actions in steps]
    return {
        'prediction': [str(result['text']) if result else '' for result in results],
        'origin_prompt': [step.question for step in trace.steps],
        'steps': steps,
        'gold': gold_of(experiment),
    }


def gold_of(experiment: Experiment) -> list[str]:
    """Thought and code of every step, as predictions files have them."""
    return [f'{step.thought}**split**{step.code}' for step in experiment.steps]


def actions_of(step: StepTrace, figures: Path) -> Actions:
    """The attempts of a step as actions, the calls of each in their order, the one that counts last.

    The step's variables stand in its last call of the interpreter.
    """
    actions = [_action(call, figures) for attempt in step.attempts for call in (*attempt.others, attempt)]
    if step.state is not None and actions:
        calls = [action for action in actions if action['type'] == INTERPRETER]
        (calls or actions)[-1][VARIABLES] = step.state
    if step.hashes and actions:
        actions[-1][HASHES] = step.hashes
    return actions


def _action(call: Call, figures: Path) -> dict[str, Any]:
    action, name = call.action, _type(call)
    made: dict[str, Any] = {
        'type': name,
        'args': {'text': action.argument, 'extract_code': action.code or ''},
        'result': None,
        'thought': action.thought,
        'state': API_ERROR,
        'errmsg': action.problem or None,
        'valid': OPEN if name == INTERPRETER else INVALID,
    }
    if action.final:
        result = {'text': action.argument, 'image_path': ''}
        return made | {'result': result, 'state': SUCCESS, 'errmsg': None, 'valid': FINISH}
    return made if call.execution is None else made | _outcome(call.execution, figures)


def _outcome(execution: Execution, figures: Path) -> dict[str, Any]:
    """The fields of an action that follow from an execution. Code that failed has a message, never an empty one."""
    text = render(execution)
    if execution.status != 'ok':
        return {'errmsg': text or execution.status}
    paths = [(figures / figure.filename).absolute() for figure in execution.figures]
    images = '\n\n'.join(f'![fig-{number:03d}]({path})' for number, path in enumerate(paths, 1))
    return {'result': {'text': text or SILENT, 'image_path': images}, 'state': SUCCESS, 'errmsg': None}


def _type(call: Call) -> str:
    """`INTERPRETER`, or lagent's name for another action."""
    action = call.action
    if call.execution or action.tool == INTERPRETER:
        return INTERPRETER
    if action.final:
        return 'FinishAction'
    return 'InvalidAction' if action.tool else 'NoAction'


def works_read(steps: list[Any], experiment: str, figures: Path, within: Path | None = None) -> list[StepWork]:
    """The work of each step of a session that a predictions file holds.

    Args:
        experiment: whose session it is, for errors.
        figures: folder in which a figure is looked for by its name when its path is gone.
        within: the folder out of which paths of figures may not lead; None: they may lead anywhere.

    Raises:
        CibenchError: an action lacks a field, or is no mapping.
    """
    for number, actions in enumerate(steps, 1):
        _check(actions, f'{experiment}, step {number}')
    has_states = any(VARIABLES in action for actions in steps for action in actions)
    kept = kept_of([_stated(actions, HASHES) or {} for actions in steps])
    return [_work(actions, figures, has_states, same, within) for actions, same in zip(steps, kept, strict=True)]


def _check(actions: Any, place: str) -> None:
    if not isinstance(actions, list) or not all(isinstance(action, dict) for action in actions):
        raise CibenchError(f'{place}: its actions are no list of mappings; this is no predictions file')
    for action in actions:
        lacking = [field for field in ('type', 'result', 'errmsg') if field not in action]
        if lacking:
            raise CibenchError(f'{place}: an action without {", ".join(lacking)}; this is no predictions file')


def _stated(actions: Actions, field: str) -> Any:
    """A field of a step of ours, which one of its actions has; None where none has it."""
    return next((action[field] for action in reversed(actions) if field in action), None)


def _work(actions: Actions, figures: Path, has_states: bool, kept: Mapping[str, bool], within: Path | None) -> StepWork:
    called = [_called(action) for action in actions if action['type'] == INTERPRETER]
    last = actions[-1] if actions else None
    arguments = last.get('args') if last and last['type'] != INTERPRETER else None
    said = str(arguments.get('text') or '') if isinstance(arguments, dict) else ''
    return StepWork(called, figures, said, _stated(actions, VARIABLES), has_states, kept, within)


def _called(action: dict[str, Any]) -> InterpreterCall:
    arguments = action.get('args')
    code = arguments.get('extract_code', arguments.get('text')) if isinstance(arguments, dict) else None
    result = _result(action['result']) if action['result'] else None
    return InterpreterCall(bool(action['errmsg']), result, code if isinstance(code, str) else '')


def _result(content: Any) -> CallResult:
    """The result of an action, of which text and paths of figures may be missing."""
    fields = content if isinstance(content, dict) else {}
    text, paths = (found if isinstance(found := fields.get(name), str) else None for name in ('text', 'image_path'))
    figures = None if paths is None else figure_names(paths)
    answers = None if text is None else answers_of(told(blocks(text)))
    return CallResult(text, text and STDERR.sub('', text), answers, figures)


def blocks(shown: str) -> list[tuple[str, str]]:
    """The (title, text) of each output in a rendered result: the inverse of `rendering.render`.

    Text may contain back-ticks and titles. Only an output that contains the text between two blocks is cut there, into
    parts that render the same. A last block without its end (OpenCompass's interpreter cuts the middle out of long
    results) goes to the end.
    """
    start = FIRST.search(shown)
    if not start:
        return []
    end = LAST.search(shown, start.end() - 1)
    body = shown[start.end() : max(start.end(), end.start() if end else len(shown))]
    first, *others = NEXT.split(body)
    return list(zip([start[1], *others[::2]], [first, *others[1::2]], strict=True))


def figure_names(shown: str) -> list[str]:
    """The paths of figures in a result, in time linear in its length.

    A path ends before the last parenthesis of its line or before the next figure; if no line ends in a parenthesis, at
    the first one.
    """
    lines = [line for line in shown.split('\n') if line.endswith(')')]
    whole = [name.rpartition(')')[0] for line in lines for name in NAMED.split(line)[1:]]
    return whole or FIGURE.findall(shown[: shown.rfind(')') + 1])

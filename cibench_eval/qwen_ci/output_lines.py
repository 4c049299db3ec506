"""Sessions on Qwen-Agent's rows -> lines as its own program writes them: `output_data/{task}_{model}_res.jsonl`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.files import write_whole
from cibench_eval.schema import INTERPRETER, StepScore, StepTrace, Trace, parts_of

Line = dict[str, Any]


def line_of(
    row: Mapping[str, Any], number: int, trace: Trace, figures: Path, score: StepScore | None, right: float | None
) -> Line:
    """A row with its result.

    Args:
        number: its place among the rows of the task.
        right: the judge's verdict on its figure, if there is one.
    """
    done = trace.steps[0]
    if 'question' in row:
        said = {'completion': said_in(done, figures)}
        return {**row, **said, **({'acc': bool(score.values.get('answer_correct'))} if score else {})}
    line = {**row, 'idx': number, 'gen': said_in(done, figures)}
    if score is None:
        return line
    calls = [one for one in actions_of(done, figures) if one['type'] == INTERPRETER and one['args']['extract_code']]
    error = str(calls[0]['errmsg'] or '') if calls else 'missing code'
    line |= {
        'executable_code': bool(score.values['executable']),
        'missing_code': not calls,
        'code_error_info': error.strip().removesuffix('```').strip().rpartition('\n')[2],
        'code': calls[0]['args']['extract_code'] if calls else '',
    }
    return line if right is None else {**line, 'vis_acc': right == 1.0}


def said_in(step: StepTrace, figures: Path) -> str:
    """The conversation after the question of a step as one text, with figures as Markdown images."""
    folder, texts = figures.absolute(), list[str]()
    for attempt in step.attempts:
        for message in attempt.messages:
            texts.append('\n'.join(part['text'] for part in parts_of(message['content']) if part['type'] == 'text'))
        for _, run in attempt.runs:
            texts += [f'![fig-{n:03d}]({folder / f.filename})' for n, f in enumerate(run.figures, 1)]
    return '\n'.join(texts)


def write_task(path: Path, lines: list[Line]) -> None:
    """Write the file of a task, and the files of its failed lines under the names of the original program."""
    files = {path: lines}
    failed = {
        'exec_error': [line for line in lines if line.get('executable_code') is False],
        'vis_error': [line for line in lines if line.get('vis_acc') is False],
        'gsm8k_error': [line for line in lines if line.get('acc') is False],
    }
    for name, those in failed.items():
        own = path.with_name(f'{path.stem}_{name}.jsonl')
        if those or own.exists():
            files[own] = those
    for place, those in files.items():
        write_whole(place, ''.join(json.dumps(line, ensure_ascii=False) + '\n' for line in those))

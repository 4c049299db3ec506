"""Build the stand-in for Qwen-Agent's benchmark from its sources: rows, gold code, files, word problems."""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from cibench_eval.datasets.formats import gsm8k, qwen_ci
from cibench_eval.files import write_whole
from cibench_eval.interpreter import BlockingInterpreter, KernelSettings
from cibench_eval.rendering import render
from cibench_eval.schema import CibenchError

TAGS = ('visualization', 'general', 'math')
"""Each tag has a file of questions; the rows have this order."""
GIVEN = (
    '{query}<|im_end|>\n<|im_start|>assistant\nThought: {thought}\nAction: code_interpreter\n'
    'Action Input:\n```py\n{code}\n```\nObservation: {shown}\nThought:'
)
UPLOADED = 'upload_file'
"""The folder of files that the published rows name."""


def build_rows(folder: Path) -> list[Path]:
    """Build the set in `folder`, which has `sources/`, and return its files.

    Raises:
        CibenchError: a question is malformed, or its given call fails.
    """
    sources = folder / 'sources'
    uploads = folder / qwen_ci.UPLOADS[0]
    runpy.run_path(str(sources / 'files.py'))['make'](uploads)
    asked = [(tag, each) for tag in TAGS for each in _questions(sources / f'{tag}.yaml')]
    rows = [
        {
            'query': _query(each, uploads),
            'input_file_path': [f'{UPLOADED}/{name}' for name in each.get('files', [])],
            'lang': each['lang'],
            'tags': f'all_ci,{tag}',
        }
        for tag, each in asked
    ]
    golds = [{'row': n, 'thought': 'I write the code.', 'code': each['gold']} for n, (_, each) in enumerate(asked)]
    problems = [{'question': q, 'answer': a} for q, a in runpy.run_path(str(sources / 'problems.py'))['problems']()]
    made = {
        folder / qwen_ci.ROWS: rows,
        folder / Path(qwen_ci.ROWS).with_suffix('.gold.jsonl'): golds,
        folder / 'gsm8k' / gsm8k.ROWS[0]: problems,
    }
    for path, lines in made.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, ''.join(json.dumps(line, ensure_ascii=False) + '\n' for line in lines))
    return list(made)


def _questions(path: Path) -> Iterator[dict[str, Any]]:
    for number, each in enumerate(yaml.safe_load(path.read_text(encoding='utf-8')), 1):
        if lacking := {'lang', 'query', 'gold'} - each.keys():
            raise CibenchError(f'{path}: question {number}: no {", ".join(sorted(lacking))}')
        yield each


def _query(question: dict[str, Any], uploads: Path) -> str:
    """A question with its given call, if it has one, and the output of that call."""
    first = question.get('first')
    if not first:
        return str(question['query'])
    with BlockingInterpreter(KernelSettings(sandbox='auto', datasources=uploads)) as interpreter:
        execution = interpreter.run(first['code'])
    if execution.status != 'ok':
        raise CibenchError(f'{question["query"]}: its first call fails: {render(execution)}')
    return GIVEN.format(query=question['query'], shown=render(execution), **first)

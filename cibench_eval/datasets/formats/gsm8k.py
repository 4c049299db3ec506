"""GSM8K (Cobbe et al. 2021, arXiv 2110.14168): word problems whose answer is a number, solved with code.

A row is `{question, answer}`. The answer explains in sentences, with the calculator's work between `<<` and `>>`
(`<<16-3-4=9>>9`), and ends with `#### 18`. The loader reads the original `test.jsonl` and the files of Hugging Face's
`openai/gsm8k` (`main/test-00000-of-00001.parquet`), given a folder or a file. Each row is an experiment of one step;
its id is its place in the file, counted from 0: `gsm8k/0007`.

The gold code repeats the calculator's work. If none of its results is the answer, the code uses an equation of the
sentences whose value is the answer, else it states the answer.
"""

import ast
import functools
import operator
import re
from collections.abc import Callable
from pathlib import Path

from cibench_eval.datasets.formats import Format
from cibench_eval.datasets.formats.qwen_ci import setup_code
from cibench_eval.datasets.rows import read_rows
from cibench_eval.packages import require
from cibench_eval.schema import CibenchError, Experiment, Language, Record, Step
from cibench_eval.syntax import parse

ROWS = ('test.jsonl', 'main/test-00000-of-00001.parquet', 'test-00000-of-00001.parquet')
EXECUTIONS = 3
"""How often code of the model is run at a question, as in Qwen-Agent's benchmark."""
WORK = re.compile(r'<<([^<>=]+)=([^<>]*)>>')
EQUATION = re.compile(r'([-+*/().\d ]*\d[-+*/().\d ]*)=\s*\$?\s*(-?[\d.]+)')
ZEROS = re.compile(r'(?<![\d.])0+(?=\d)')
NUMBER = re.compile(r'[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?')
ARITHMETIC: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class WordProblem(Record, extra='ignore'):
    """A row of the published file."""

    question: str
    answer: str


def row_ids(path: Path) -> list[str]:
    """The ids of the rows of a file, or of the file in a folder.

    Raises:
        CibenchError: there is no such file, or a line is no row.
    """
    return [f'gsm8k/{number:04d}' for number in range(len(_rows(_file(path))))]


def load_row(path: Path, id_: str, language: Language | None, datasources: Path | None) -> Experiment:
    """A row as an experiment of one step; rows have no data, so `datasources` has no effect.

    Raises:
        CibenchError: there is no such row, or its answer does not end with `####` and a number.
    """
    file = _file(path)
    number = int(id_.rpartition('/')[2])
    row = _rows(file)[number]
    _, mark, last = row.answer.rpartition('####')
    answer = last.strip().replace(',', '')
    if not mark or value_of(answer) is None or not NUMBER.fullmatch(answer):
        mend = 'correct it (`#### 18`), or fetch the file again'
        raise CibenchError(f'{file}, row {number + 1}: its answer does not end with `####` and a number; {mend}')
    step = Step(
        index=0,
        question=row.question,
        code=gold_code(row.answer, answer),
        thought='I compute it.',
        kind='math',
        text=answer,
    )
    return Experiment(
        id=id_,
        path=file,
        language=language or 'en',
        steps=[step],
        typed=True,
        setup=setup_code(()),
        max_attempts=EXECUTIONS,
    )


def gold_code(explained: str, answer: str) -> str:
    """Code that does the calculator's work and prints the answer."""
    terms = [ZEROS.sub('', term.strip()) for term, _ in WORK.findall(explained)]
    work = [(term, value) for term in terms if (value := value_of(term)) is not None]
    lines = [f'step_{number} = {term}' for number, (term, _) in enumerate(work, 1)]
    target = value_of(answer)
    right = [number for number, (_, value) in enumerate(work, 1) if _same(value, target)]
    if right:
        return '\n'.join([*lines, f'print(step_{right[-1]})'])
    plain = WORK.sub('', explained.replace(',', ''))
    sides = [ZEROS.sub('', left.strip()) for left, _ in EQUATION.findall(plain)]
    equation = next((side for side in sides if _same(value_of(side), target)), answer)
    return '\n'.join([*lines, f'print({equation})'])


def value_of(term: str) -> float | None:
    """The value of an expression of plain numbers and `+ - * /`; None for any other text."""
    try:
        return _value(parse(term.strip(), 'eval').body)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError):
        return None


def _value(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        return -_value(node.operand) if isinstance(node.op, ast.USub) else _value(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        return ARITHMETIC[type(node.op)](_value(node.left), _value(node.right))
    raise ValueError(f'{ast.dump(node)}: no arithmetic')


def _same(value: float | None, target: float | None) -> bool:
    return value is not None and target is not None and abs(value - target) <= 1e-6 * max(1.0, abs(target))


def _file(path: Path) -> Path:
    found = next((path / name for name in ROWS if (path / name).is_file()), path)
    if not found.is_file():
        fix = 'run `cibench data fetch gsm8k` (`cibench data add FILE` without internet), or correct path'
        raise CibenchError(f'{path}: no {ROWS[0]} in it, nor {ROWS[1]}; {fix}')
    return found


@functools.lru_cache(maxsize=4)
def _rows(file: Path) -> list[WordProblem]:
    if file.suffix != '.parquet':
        return read_rows(file, WordProblem)
    require(str(file), 'pyarrow')
    from pyarrow import ArrowInvalid, parquet

    try:
        return [WordProblem.model_validate(row) for row in parquet.read_table(file).to_pylist()]
    except (ArrowInvalid, ValueError) as error:
        raise CibenchError(f'{file}: no rows of question and answer ({error}); fetch it again') from error


FORMAT = Format(row_ids, load_row)

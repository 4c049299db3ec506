"""The rows of Qwen-Agent's Code Interpreter Benchmark (version 20231206): `eval_code_interpreter_v1.jsonl`.

A row is `{query, input_file_path, lang, tags}`; `upload_file_clean/` beside the rows holds the files that
`input_file_path` names. `tags` is a list, or a text with commas: `all_ci`, and `visualization`, `math` or `general`
(`ci_plot`, `ci_math_code`, `ci_open_questions` in the draft of the benchmark). Each row is an experiment of one step;
its id is its group and its place in the file, counted from 0: `visualization_hard/0007`.

A visualization query is *easy* if it contains the first action: a thought, a call and the call's output follow the
question, in the markup of Qwen's chat models. The call becomes `Step.given`. It runs in the kernel before the model is
asked, and the model sees the output of that run, not the recorded one.

The rows have no answers. `NAME.gold.jsonl` beside `NAME.jsonl`, which only our own set has, holds code that solves
them: `{row, thought, code}`.
"""

import functools
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from cibench_eval.datasets.formats import Format
from cibench_eval.datasets.rows import read_rows
from cibench_eval.schema import CibenchError, Experiment, GivenCall, Language, Record, Step

ROWS = 'eval_code_interpreter_v1.jsonl'
UPLOADS = ('upload_file_clean', 'upload_file')
"""Folders beside the rows that may hold their files: the published one, and the copy of the benchmark's own program."""
GROUPS = {
    'visualization': 'visualization',
    'ci_plot': 'visualization',
    'math': 'math',
    'ci_math_code': 'math',
    'general': 'general',
    'ci_open_questions': 'general',
}
"""Tag -> group."""
EXECUTIONS = {'visualization': 3, 'math': 1, 'general': 1}
"""Group -> how many times code of the model is run at a question."""
TURN_END = '<|im_end|>'
GIVEN = re.compile(
    r'Thought:(?P<thought>.*?)\nAction:.*?\nAction Input:(?P<argument>.*?)(?:\nObservation:|\Z)', re.DOTALL
)
FENCED = re.compile(r'```[^\n]*\n(.*?)```', re.DOTALL)
SETUP = Path(__file__).with_name('qwen_ci_setup.txt')
"""The imports and the fonts that the benchmark's interpreter has set before any other code runs."""


class QwenRow(Record, extra='ignore'):
    """A row of the published file."""

    query: str
    input_file_path: tuple[str, ...] = ()
    lang: Literal['en', 'zh', 'cn'] = 'en'
    tags: str | list[str]

    @property
    def words(self) -> list[str]:
        """The tags as a list."""
        return [word.strip() for word in (self.tags.split(',') if isinstance(self.tags, str) else self.tags)]

    @property
    def group(self) -> str | None:
        """`visualization_hard`, `visualization_easy`, `math` or `general`; None without a known tag."""
        found = next((GROUPS[word] for word in self.words if word in GROUPS), None)
        if found != 'visualization':
            return found
        return 'visualization_easy' if TURN_END in self.query else 'visualization_hard'


class Gold(Record):
    """Code that solves a row."""

    row: int
    thought: str = ''
    code: str


def row_ids(path: Path) -> list[str]:
    """The ids of the rows of a file, or of the file in a folder.

    Raises:
        CibenchError: there is no such file, or a line is no row.
    """
    return list(_rows(_file(path)))


def load_row(path: Path, id_: str, language: Language | None, uploads: Path | None) -> Experiment:
    """A row as an experiment of one step; `uploads` is the folder of its files, by default beside the rows.

    Raises:
        CibenchError: there is no such row, one of its files is missing, or its first action cannot be read.
    """
    file = _file(path)
    rows = _rows(file)
    if id_ not in rows:
        raise CibenchError(f'{file}: no row {id_}')
    number, row = rows[id_]
    assert row.group is not None  # rows without one have no id
    group = row.group.partition('_')[0]
    question, given = _parts(row, f'{file}, line {number + 1}')
    gold = _golds(file).get(number, Gold(row=number, code=''))
    folder = _uploads(file, row, uploads, number)
    step = Step(
        index=0,
        question=question,
        code=gold.code,
        thought=gold.thought,
        kind='plot' if group == 'visualization' else 'exec',
        files=[Path(name).name for name in row.input_file_path],
        given=given,
    )
    return Experiment(
        id=id_,
        path=file,
        language=language or ('en' if row.lang == 'en' else 'cn'),
        steps=[step],
        typed=True,
        datasources=folder,
        setup=setup_code(row.input_file_path),
        max_attempts=EXECUTIONS[group],
    )


def setup_code(paths: Iterable[str]) -> str:
    """The code that runs before a question: the imports, and links at the paths that the row has for its files."""
    links = [path for path in paths if Path(path).parent != Path()]
    return f'UPLOADED = {links!r}\n{SETUP.read_text(encoding="utf-8")}'


def _file(path: Path) -> Path:
    file = path / ROWS if path.is_dir() else path
    if not file.is_file():
        fix = 'run `cibench data fetch qwen_ci` (`cibench data add FILE.zip` without internet), or correct path'
        raise CibenchError(f'{file}: no such file; {fix}')
    return file


@functools.lru_cache(maxsize=4)
def _rows(file: Path) -> dict[str, tuple[int, QwenRow]]:
    """Id -> place in the file, and row; rows without a known tag are left out."""
    rows = enumerate(read_rows(file, QwenRow))
    return {f'{row.group}/{number:04d}': (number, row) for number, row in rows if row.group}


@functools.lru_cache(maxsize=4)
def _golds(file: Path) -> dict[int, Gold]:
    golds = file.with_suffix('.gold.jsonl')
    return {gold.row: gold for gold in read_rows(golds, Gold)} if golds.is_file() else {}


def _parts(row: QwenRow, where: str) -> tuple[str, GivenCall | None]:
    question, mark, rest = row.query.partition(TURN_END)
    if not mark:
        return question, None
    found = GIVEN.search(rest)
    if not found:
        raise CibenchError(f'{where}: its query has {TURN_END}, but no Thought, Action and Action Input after it')
    return question, GivenCall(thought=found['thought'].strip(), code=_code(found['argument']))


def _code(argument: str) -> str:
    """The code of an Action Input: in a fence, as JSON, or bare."""
    if fenced := FENCED.search(argument):
        return fenced[1].rstrip()
    try:
        return str(json.loads(argument)['code'])
    except (ValueError, TypeError, KeyError):
        return argument.strip()


def _uploads(file: Path, row: QwenRow, given: Path | None, number: int) -> Path | None:
    """The folder of uploaded files; None for a row without any."""
    if not row.input_file_path:
        return None
    places = [given] if given else [file.parent / name for name in UPLOADS]
    names = [Path(name).name for name in row.input_file_path]
    for folder in places:
        if all((folder / name).is_file() for name in names):
            return folder
    folders = ' or '.join(map(str, places))
    raise CibenchError(
        f'{file}, line {number + 1}: {", ".join(names)}: not all there in {folders}; put the files of '
        'upload_file_clean/ beside the rows, or name their folder in `datasources`'
    )


FORMAT = Format(row_ids, load_row)

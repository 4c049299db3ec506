"""The official notebook format: files -> experiments, and nothing malformed gets through.

A notebook alternates markdown cells (the question, then `\\n\\nThought: ` and the gold thought) and code
cells (the gold code with its stored outputs). Its metadata may hold `modules` (one `a & b` string a step),
`step_types` (one kind a step), `language`, and `tolerances` (a relative tolerance of numbers or null a step, which
only this package reads, as `kernel_environment`). What is read off a notebook is what OpenCompass's
`load_experiment` reads; where that crashes or goes on with questions and answers out of line, this raises
a `CibenchError` of one line.
"""

from __future__ import annotations

import base64
import binascii
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NoReturn, cast, get_args

from cibench_eval.datasets.patterns import closest
from cibench_eval.schema import (
    PLOT_MIME,
    CibenchError,
    Experiment,
    Figure,
    Language,
    Plot,
    Step,
    StepKind,
    unicode_text,
)

THOUGHT = '\n\nThought: '
TYPED_KINDS: tuple[StepKind, ...] = ('exec', 'num', 'text', 'vis')
PNG_START, PNG_END = b'\x89PNG\r\n\x1a\n', b'IEND\xaeB`\x82'


def load_experiments(
    path: Path | str,
    *,
    language: Language | None = None,
    datasources: Path | None = None,
    include: list[str] | None = None,
) -> list[Experiment]:
    """All experiments below a folder, in the official order: a folder's files, then its folders, by name.

    Args:
        path: folder of notebooks; hidden files and folders in it are left out.
        language: overrides what the notebooks say (see `load_experiment`).
        datasources: overrides the nearest `datasources/` folder above each notebook.
        include: ids or shell-style patterns of ids to keep; each must match something.

    Raises:
        CibenchError: the folder is missing or empty, a pattern matches nothing, a notebook is malformed.
    """
    root = Path(path)
    if not root.is_dir():
        raise CibenchError(f'{root}: no such folder; give the folder that holds the notebooks')
    notebooks = {identify(file, root): file for file in notebook_files(root)}
    if not notebooks:
        raise CibenchError(f'{root}: no notebook (*.ipynb) in this folder; give the folder that holds them')
    kept = _select(list(notebooks), include, root)
    return [load_experiment(notebooks[name], root, language, datasources) for name in kept]


def load_experiment(
    path: Path, root: Path, language: Language | None = None, datasources: Path | None = None
) -> Experiment:
    """One notebook as an experiment.

    Args:
        path: the notebook.
        root: folder of its split; the experiment's id is the path below it without suffix.
        language: by default the notebook's own `language`, else `cn` where the path has `chinese` in it.
        datasources: by default the nearest `datasources/` folder beside or above the notebook.

    Raises:
        CibenchError: the file is malformed; the message names file, cell, cause and mend.
    """
    return parse_experiment(read_json(path), path, root, language, datasources)


def parse_experiment(
    raw: Any, path: Path, root: Path, language: Language | None = None, datasources: Path | None = None
) -> Experiment:
    """`load_experiment` of a notebook already read from JSON, `path` being what errors call it."""
    notebook = _Notebook.read(path, raw)
    return Experiment(
        id=identify(path, root),
        path=path,
        language=language or notebook.language,
        steps=notebook.steps(language or notebook.language),
        typed=bool(notebook.kinds),
        datasources=_datasources(path, datasources),
        environment=notebook.environment,
    )


def identify(path: Path, root: Path) -> str:
    """The id of the experiment in a notebook below the folder of its split."""
    return path.relative_to(root).with_suffix('').as_posix()


def notebook_files(root: Path) -> Iterator[Path]:
    """The notebooks below a folder, in the official order, without hidden files and folders."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith('.'))
        yield from (
            Path(folder, name) for name in sorted(files) if name.endswith('.ipynb') and not name.startswith('.')
        )


def has_notebooks(folder: Path) -> bool:
    return next(notebook_files(folder), None) is not None


def _select(names: list[str], include: list[str] | None, root: Path) -> list[str]:
    """The names that some pattern matches, in their own order."""
    if include is None:
        return names
    for pattern in include:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise CibenchError(f'{root}: no experiment {pattern!r} here; there is {closest(pattern, names)}')
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in include)]


def _datasources(path: Path, given: Path | None) -> Path | None:
    """The working directory of the code, None where the notebook has none above it."""
    if given is None:
        above = (folder / 'datasources' for folder in path.absolute().parents)
        return next((folder for folder in above if folder.is_dir()), None)
    if not given.is_dir():
        raise CibenchError(f'{given}: no such folder; `datasources` is the folder that holds `data/`')
    return given


class EmptyGoldError(CibenchError):
    """A step whose kind needs an output has none in its gold cell; `index` is the step's, from 0."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


@dataclass(frozen=True)
class _Cell:
    """A question or gold code, with the number a person counts to in the notebook."""

    path: Path
    number: int
    type: Literal['markdown', 'code']
    source: str
    outputs: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path, number: int, raw: Any) -> _Cell:
        try:
            outputs = raw['outputs'] if raw['cell_type'] == 'code' else []
            cell = cls(path, number, raw['cell_type'], _joined(raw['source']), outputs)
            _require_outputs(outputs)
        except UnicodeEncodeError as error:
            problem = f'a lone surrogate ({error.object[error.start]!a}), which no file can hold; remove it'
            raise CibenchError(f'{path}: cell {number}: {problem}') from error
        except (KeyError, TypeError, AttributeError) as error:
            problem = f'no cell of notebook format 4 ({error!r}); save it again with Jupyter'
            raise CibenchError(f'{path}: cell {number}: {problem}') from error
        return cell

    def fail(self, problem: str) -> NoReturn:
        raise CibenchError(f'{self.path}: cell {self.number}: {problem}')

    def lacks(self, output: str, kind: StepKind, index: int) -> NoReturn:
        problem = f'no {output} output, but its step is {kind!r}; run the cell, or change its step type'
        raise EmptyGoldError(f'{self.path}: cell {self.number}: {problem}', index)

    @property
    def empty(self) -> bool:
        return not self.source.strip() and not self.outputs

    def question(self) -> tuple[str, str]:
        """Question and gold thought ('' where there is none)."""
        question, *thoughts = self.source.strip().split(THOUGHT)
        if len(thoughts) > 1:
            self.fail(f'{len(thoughts)} times "Thought: " after a blank line; leave one')
        if not question.strip():
            self.fail('no question before the thought; write one')
        return question, ''.join(thoughts)

    def text(self) -> str | None:
        """The last stdout or result, None where there is none but blanks."""
        texts = [text for output in self.outputs if (text := _text(output)) is not None]
        return texts[-1] if texts and texts[-1].strip() else None

    def figures(self) -> list[Figure]:
        """The PNGs that were displayed, then those that were results."""
        return [
            self._decode(output['data']['image/png'], output['data'].get(PLOT_MIME))
            for kind in ('display_data', 'execute_result')
            for output in self.outputs
            if output['output_type'] == kind and 'image/png' in output['data']
        ]

    def _decode(self, encoded: str | list[str], described: Any) -> Figure:
        try:
            data = base64.b64decode(''.join(_joined(encoded).split()), validate=True)
        except (binascii.Error, ValueError, TypeError):
            self.fail('its image/png output is not base64; run the notebook again')
        if not (data.startswith(PNG_START) and PNG_END in data):
            self.fail('its image/png output is not a whole PNG; run the notebook again')
        plot = Plot.of(described)
        if described is not None and plot is None:
            self.fail(f'its {PLOT_MIME} output describes no plot; run the notebook again')
        return Figure.of(data, plot)


@dataclass(frozen=True)
class _Notebook:
    """What a notebook file says, checked for shape but not yet step by step."""

    path: Path
    cells: list[_Cell]
    language: Language
    kinds: list[str]
    modules: list[str]
    tolerances: list[float | None]
    environment: str | None

    @classmethod
    def read(cls, path: Path, raw: Any) -> _Notebook:
        if not isinstance(raw, dict) or not isinstance(raw.get('cells'), list):
            raise CibenchError(f'{path}: no list `cells`, so no notebook of format 4; convert it with Jupyter')
        metadata = raw.get('metadata', {})
        if not isinstance(metadata, dict):
            raise CibenchError(f'{path}: its `metadata` is no mapping; save the notebook again with Jupyter')
        cells = [_Cell.read(path, number, cell) for number, cell in enumerate(raw['cells'], start=1)]
        return cls(
            path=path,
            # Raw cells and empty cells say nothing.
            cells=[cell for cell in cells if cell.type in ('markdown', 'code') and not cell.empty],
            language=_language(path, metadata),
            kinds=_annotation(path, metadata, 'step_types'),
            modules=_annotation(path, metadata, 'modules'),
            tolerances=_tolerances(path, metadata),
            environment=_environment(path, metadata),
        )

    def steps(self, language: Language) -> list[Step]:
        pairs = self._pairs()
        self._check_counts(len(pairs))
        return [self._step(index, *pair, language) for index, pair in enumerate(pairs)]

    def _pairs(self) -> list[tuple[_Cell, _Cell]]:
        """Question and gold code of each step."""
        if not self.cells:
            raise CibenchError(f'{self.path}: no cells; a notebook alternates questions and gold code')
        first, last = self.cells[0], self.cells[-1]
        if first.type == 'code':
            first.fail('code without a question; put a markdown cell with the question before it')
        for before, after in pairwise(self.cells):
            if before.type == after.type == 'code':
                after.fail(f'a second code cell after cell {before.number}, without a question; merge the two')
            if before.type == after.type:
                after.fail(f'a second markdown cell after cell {before.number}, which has no code; merge the two')
        if last.type == 'markdown':
            last.fail('a question without code; put a code cell with the gold code after it')
        return list(zip(self.cells[::2], self.cells[1::2], strict=True))

    def _check_counts(self, steps: int) -> None:
        if self.modules and len(self.modules) != len(self.kinds):
            raise CibenchError(
                f'{self.path}: metadata `modules` has {len(self.modules)} entries and `step_types`'
                f' {len(self.kinds)}; give one of each a step'
            )
        stated = ('step_types', len(self.kinds), 'one kind'), ('tolerances', len(self.tolerances), 'a number or null')
        for key, entries, each in stated:
            if entries not in (0, steps):
                raise CibenchError(
                    f'{self.path}: {steps} steps in the cells, {entries} in metadata `{key}`; give {each} a step'
                )

    def _step(self, index: int, asked: _Cell, gold: _Cell, language: Language) -> Step:
        question, thought = asked.question()
        modules = [name.strip() for name in self.modules[index].split('&')] if self.modules else []
        kind = self._kind(index, gold)
        text = gold.text() if kind in ('num', 'text', 'general') else None
        figures = gold.figures() if kind == 'vis' else []
        if kind in ('num', 'text') and text is None:
            gold.lacks('text', kind, index)
        if kind == 'vis' and not figures:
            gold.lacks('image/png', kind, index)
        return Step(
            index=index,
            question=(question + modules_sentence(modules, language)).strip() + '\n',
            code=gold.source,
            thought=thought,
            kind=kind,
            modules=modules,
            text=text,
            figure=figures[0] if figures else None,
            more_figures=figures[1:],
            tolerance=self.tolerances[index] if self.tolerances else None,
        )

    def _kind(self, index: int, gold: _Cell) -> StepKind:
        """The stated kind, else what the outputs show."""
        if not self.kinds:
            return 'vis' if gold.figures() else 'general' if gold.text() else 'exec'
        kind = cast(StepKind, self.kinds[index])
        if kind not in TYPED_KINDS:
            gold.fail(f'its step type in the metadata is {kind!r}; it must be {" | ".join(TYPED_KINDS)}')
        return kind


def read_json(path: Path) -> Any:
    """What stands in the file of a notebook.

    Raises:
        CibenchError: it cannot be read or is no JSON.
    """
    try:
        return json.loads(path.read_text(encoding='utf-8'))
    except OSError as error:
        raise CibenchError(f'{path}: cannot be read ({error.strerror}); check its path') from error
    except (ValueError, RecursionError) as error:
        raise CibenchError(f'{path}: broken JSON ({error}); save the notebook again') from error


def _language(path: Path, metadata: dict[str, Any]) -> Language:
    stated = metadata.get('language')
    if stated is None:
        return 'cn' if 'chinese' in str(path) else 'en'
    if stated not in get_args(Language):
        raise CibenchError(f'{path}: metadata `language` is {stated!r}; it must be en or cn')
    return cast(Language, stated)


def _environment(path: Path, metadata: dict[str, Any]) -> str | None:
    stated = metadata.get('kernel_environment')
    if stated is not None and not _is_text(stated):
        raise CibenchError(f'{path}: metadata `kernel_environment` is {stated!r}; it must be the name of one')
    return cast(str | None, stated)


def _annotation(path: Path, metadata: dict[str, Any], key: str) -> list[str]:
    entries = metadata.get(key) or []
    if not isinstance(entries, list) or not all(_is_text(entry) for entry in entries):
        raise CibenchError(f'{path}: metadata `{key}` is no list of strings; give one string a step')
    return entries


def _tolerances(path: Path, metadata: dict[str, Any]) -> list[float | None]:
    """Relative tolerances of the `strict` profile, one a step; null where it is the profile's own."""
    entries = metadata.get('tolerances') or []
    if not isinstance(entries, list) or not all(_is_tolerance(entry) for entry in entries):
        raise CibenchError(f'{path}: metadata `tolerances` is no list of numbers from 0 to 1; give one or null a step')
    return entries


def _is_text(value: Any) -> bool:
    """Whether it is a string that a file can hold: JSON can spell a lone surrogate, UTF-8 cannot."""
    return isinstance(value, str) and unicode_text(value) == value


def _is_tolerance(entry: Any) -> bool:
    return entry is None or (type(entry) in (int, float) and 0 <= entry < 1)


def modules_sentence(modules: list[str], language: Language) -> str:
    """What the loader, as upstream's, puts behind a question."""
    if not modules:
        return ''
    if language == 'cn':
        return f'请用 {" 和 ".join(modules)} 模块.'
    return f'Please use {" and ".join(modules)} modules.'


def _joined(text: str | list[str]) -> str:
    """Notebook format 4 keeps text as one string or as a list of its lines."""
    joined = ''.join(text)
    joined.encode()  # a lone surrogate, as JSON can spell it, is an error here and not when it is written
    return joined


def _require_outputs(outputs: list[dict[str, Any]]) -> None:
    """Touch what is read of the outputs later, so that what is missing or of another type shows up here."""
    for output in outputs:
        if output['output_type'] == 'stream':
            _joined(output['text'])
        elif output['output_type'] in ('display_data', 'execute_result'):
            for mime in {'text/plain', 'image/png'} & output['data'].keys():
                _joined(output['data'][mime])


def _text(output: dict[str, Any]) -> str | None:
    """What an output shows as text on stdout or as a result; None for any other output."""
    if output['output_type'] == 'stream' and output.get('name') == 'stdout':
        return _joined(output['text'])
    if output['output_type'] == 'execute_result' and 'text/plain' in output['data']:
        return _joined(output['data']['text/plain'])
    return None

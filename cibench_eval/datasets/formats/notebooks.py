"""The official notebook format: files -> experiments; a malformed notebook is an error.

A notebook alternates markdown cells (the question, then `\\n\\nThought: ` and the gold thought) and code
cells (the gold code with its stored outputs). Its metadata may hold `modules` (one `a & b` string a step),
`step_types` (one kind a step) and `language`. Only this package reads, one a step each, `tolerances` (a relative or
absolute tolerance of numbers, or null), `lists` (whether the text is a list of names), `answers` (the variables in
which a question wants its answer, or null) and `held_out` (labels that no code sees, or null), and for the whole
notebook `kernel_environment` and `set_version`. The loader reads the same questions and golds as OpenCompass's
`load_experiment`; where that one crashes, or pairs questions with the wrong code, this one raises a `CibenchError` of
one line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from cibench_eval import json_files
from cibench_eval.datasets.appended import modules_sentence
from cibench_eval.datasets.cells import NotebookCell
from cibench_eval.datasets.descriptions import with_descriptions
from cibench_eval.datasets.formats import Format
from cibench_eval.datasets.held_out import FOLDER, read_held_out
from cibench_eval.datasets.metadata import Metadata
from cibench_eval.files import files_below
from cibench_eval.schema import Answer, CibenchError, Experiment, Language, Step, StepKind, UpstreamGold
from cibench_eval.states import asked_names

TYPED_KINDS: tuple[StepKind, ...] = ('exec', 'num', 'text', 'vis')


def notebook_ids(root: Path) -> list[str]:
    """The ids of the notebooks below a folder, in the official order: a folder's files, then its folders, by name.

    Raises:
        CibenchError: the folder is missing, or holds none.
    """
    if not root.is_dir():
        raise CibenchError(f'{root}: no such folder; give the folder that holds the notebooks')
    ids = [identify(file, root) for file in notebook_files(root)]
    if not ids:
        raise CibenchError(f'{root}: no notebook (*.ipynb) in this folder; give the folder that holds them')
    return ids


def load_experiment(
    path: Path, root: Path, language: Language | None = None, datasources: Path | None = None
) -> Experiment:
    """One notebook as an experiment.

    Args:
        root: folder of its split; the experiment's id is the path below it without suffix.
        language: by default the notebook's own `language`, else `cn` if its path below the folder that holds
            `datasources/` contains `chinese` (below `root`, if there is no such folder), else `en`.
        datasources: by default the nearest `datasources/` folder beside or above the notebook.

    Raises:
        CibenchError: the file is malformed; the message names file, cell, cause and fix.
    """
    return with_descriptions(parse_experiment(read_json(path), path, root, language, datasources))


def parse_experiment(
    raw: Any, path: Path, root: Path, language: Language | None = None, datasources: Path | None = None
) -> Experiment:
    """`load_experiment` of a notebook already read from JSON, without its descriptions; errors name `path`."""
    notebook = _Notebook.read(path, raw)
    folder = datasources or datasources_above(path)
    asked = language or notebook.metadata.language or _language_of_path(path, root, folder)
    return Experiment(
        id=identify(path, root),
        path=path,
        language=asked,
        steps=notebook.steps(asked, folder),
        typed=bool(notebook.metadata.lists['step_types']),
        datasources=folder,
        environment=notebook.metadata.environment,
        version=notebook.metadata.version,
    )


def _language_of_path(path: Path, root: Path, datasources: Path | None) -> Language:
    """The language by the names of the folders of a set; folders above the set do not count."""
    whole, of_split = path.absolute(), root.absolute().parent
    of_set = datasources.absolute().parent if datasources else of_split
    below = whole.relative_to(of_set if whole.is_relative_to(of_set) else of_split)
    return 'cn' if 'chinese' in below.as_posix() else 'en'


def identify(path: Path, root: Path) -> str:
    """The id of an experiment: the path of its notebook below the folder of its split, without the suffix."""
    return path.relative_to(root).with_suffix('').as_posix()


def notebook_files(root: Path) -> Iterator[Path]:
    """The notebooks below a folder, in the official order; hidden files and folders are skipped."""
    return (path for path in files_below(root) if path.suffix == '.ipynb')


def has_notebooks(folder: Path) -> bool:
    return next(notebook_files(folder), None) is not None


def datasources_above(path: Path) -> Path | None:
    """The nearest `datasources/` beside or above a file: the working directory of gold code."""
    above = (folder / 'datasources' for folder in path.absolute().parents)
    return next((folder for folder in above if folder.is_dir()), None)


@dataclass(frozen=True)
class _Notebook:
    """The cells and the metadata of a notebook, not yet read as steps."""

    path: Path
    cells: list[NotebookCell]
    metadata: Metadata

    @classmethod
    def read(cls, path: Path, raw: Any) -> _Notebook:
        if not isinstance(raw, dict) or not isinstance(raw.get('cells'), list):
            raise CibenchError(f'{path}: no list `cells`, so no notebook of format 4; convert it with Jupyter')
        metadata = Metadata.read(path, raw.get('metadata', {}))
        cells = [NotebookCell.read(path, number, cell) for number, cell in enumerate(raw['cells'], start=1)]
        kept = [cell for cell in cells if cell.type in ('markdown', 'code') and not cell.empty]
        return cls(path, kept, metadata)

    def steps(self, language: Language, datasources: Path | None) -> list[Step]:
        pairs = self._pairs()
        self.metadata.check_counts(self.path, len(pairs))
        return [self._step(index, *pair, language, datasources) for index, pair in enumerate(pairs)]

    def _pairs(self) -> list[tuple[NotebookCell, NotebookCell]]:
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

    def _step(
        self, index: int, asked: NotebookCell, gold: NotebookCell, language: Language, datasources: Path | None
    ) -> Step:
        question, thought = asked.question()
        said = self.metadata.of_step(index)
        modules = [] if said['modules'] is None else [name.strip() for name in said['modules'].split('&')]
        kind = _kind(said['step_types'], gold)
        text = gold.text() if kind in ('num', 'text', 'general') else None
        figures = gold.figures() if kind == 'vis' else []
        if kind in ('num', 'text') and text is None:
            gold.lacks('text', kind, index)
        if kind == 'vis' and not figures:
            gold.lacks('image/png', kind, index)
        stated = said['tolerances']
        tolerance, absolute = (None, stated['absolute']) if isinstance(stated, dict) else (stated, 0.0)
        if kind == 'vis' and absolute:
            gold.fail('a plot has no absolute tolerance; give a relative one, a share of its extent')
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
            tolerance=tolerance,
            absolute=absolute,
            listed=said['lists'] or False,
            answers=_answers(said['answers'] or {}, kind, question, gold),
            depends=said['depends'] or [],
            held_out=read_held_out(entry, self.path, datasources) if (entry := said[FOLDER]) else None,
            upstream=_upstream(said['step_types'], kind, gold, text),
        )


def _answers(answers: dict[str, Answer], kind: StepKind, question: str, gold: NotebookCell) -> dict[str, Answer]:
    """The variables in which a question wants its answer. It has to name them, and the gold code to make them."""
    if answers and kind not in ('num', 'text', 'general'):
        gold.fail(f'a {kind} step has no answer in variables; give null in metadata `answers`')
    asked = asked_names(question, gold.source) if answers else []
    if unasked := [name for name in answers if name not in asked]:
        gold.fail(
            f'metadata `answers` declares `{unasked[0]}`, which its question does not name in back-ticks, '
            'or its code does not make; mend one of them'
        )
    return answers


def _upstream(stated: str | None, kind: StepKind, gold: NotebookCell, text: str | None) -> UpstreamGold | None:
    """Kind and output as OpenCompass's loader reads them, where they differ from ours."""
    seen = gold.upstream()
    if seen is None:
        return UpstreamGold(kind='exec', output=None) if text else None  # every answer would be 0
    if stated is None:
        return None if seen.kind == kind and text in (None, seen.output) else seen
    if kind in ('num', 'text') and seen.output != text:
        return UpstreamGold(kind=kind, output=seen.output)
    return None


def _kind(stated: str | None, gold: NotebookCell) -> StepKind:
    """The kind in the metadata, else the kind that the outputs suggest."""
    if stated is None:
        return 'vis' if gold.figures() else 'general' if gold.text() else 'exec'
    if stated not in TYPED_KINDS:
        gold.fail(f'its step type in the metadata is {stated!r}; it must be {" | ".join(TYPED_KINDS)}')
    return stated


def read_json(path: Path) -> Any:
    """The content of a notebook's file; a `CibenchError` where it cannot be read, or is no JSON."""
    content = json_files.content_of(path, 'check its path')
    return json_files.parse_json(content, str(path), 'save the notebook again, in UTF-8')


FORMAT = Format(notebook_ids, lambda root, id_, *given: load_experiment(root / f'{id_}.ipynb', root, *given))

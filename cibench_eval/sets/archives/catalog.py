"""The sets on this machine and what is in them: experiments, steps and kinds, counted from the files.

A set is a folder of notebooks `SPLIT/LIBRARY/*.ipynb` (the official layout, a built-in set, a user's own) or one of
the two published sets of rows (`gsm8k`, `qwen_ci`). A malformed file is a problem of its set; the list goes on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from cibench_eval.datasets.builtin_sets import SETS, builtin_sets, row_sets
from cibench_eval.datasets.formats import gsm8k, qwen_ci
from cibench_eval.datasets.formats.notebooks import TYPED_KINDS, has_notebooks, load_experiment, notebook_files
from cibench_eval.datasets.rows import scan_rows
from cibench_eval.schema import CibenchError, Experiment, StepKind
from cibench_eval.sets.archives.published import ARCHIVES, lacks_data
from cibench_eval.sets.archives.store import RECORDS, ArchiveRecord, Store

KINDS: tuple[StepKind, ...] = (*TYPED_KINDS, 'general')
DATA = Path('data')
RowT = TypeVar('RowT', bound=BaseModel)


@dataclass
class SetCounts:
    """Counts over the experiments of a library or split."""

    experiments: int = 0
    steps: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Steps of each kind."""
    modules: int = 0
    """Modules that the questions ask for, summed over the steps."""
    languages: Counter[str] = field(default_factory=Counter)
    """Experiments in each language."""
    lengths: Counter[int] = field(default_factory=Counter)
    """Experiments by their number of steps."""

    @classmethod
    def of(cls, experiment: Experiment) -> SetCounts:
        steps = experiment.steps
        kinds, modules = Counter(step.kind for step in steps), sum(len(step.modules) for step in steps)
        return cls(1, len(steps), Counter(kinds), modules, Counter([experiment.language]), Counter([len(steps)]))

    def __add__(self, other: SetCounts) -> SetCounts:
        return SetCounts(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    @property
    def modules_each(self) -> float:
        """Mean number of modules of a step."""
        return self.modules / self.steps

    def as_json(self) -> dict[str, Any]:
        return {
            'experiments': self.experiments,
            'steps': self.steps,
            'steps_each': {
                'mean': round(self.steps / self.experiments, 2),
                'min': min(self.lengths),
                'max': max(self.lengths),
            },
            'kinds': {kind: self.kinds[kind] for kind in KINDS},
            'modules_each': round(self.modules_each, 2),
            'languages': dict(sorted(self.languages.items())),
        }


@dataclass
class InstalledSet:
    """A set on this machine."""

    name: str
    path: Path
    state: str = ''
    """`built in`, `intact`, `damaged`, `not recorded`; empty for a set without a record."""
    record: ArchiveRecord | None = None
    splits: dict[str, dict[str, SetCounts]] = field(default_factory=dict)
    """Counts by split and library, for a set of notebooks."""
    rows: dict[str, Counter[str]] = field(default_factory=dict)
    """Rows by group (file or tag) and language, for a set of rows."""
    data_files: int = 0
    data_size: int = 0
    """Bytes below its `datasources/`."""
    notes: list[str] = field(default_factory=list)
    """What to do before the set can be run."""
    problems: list[str] = field(default_factory=list)
    """One line for each file that is damaged or cannot be read."""

    def totals(self) -> dict[str, SetCounts]:
        """Counts by split."""
        return {split: total(libraries.values()) for split, libraries in self.splits.items()}

    def as_json(self) -> dict[str, Any]:
        record = self.record.model_dump(exclude={'files'}) if self.record else None
        return {
            'name': self.name,
            'path': str(self.path),
            'state': self.state,
            'archive': record,
            'splits': {
                split: {
                    'total': total(libraries.values()).as_json(),
                    'libraries': {library: counts.as_json() for library, counts in libraries.items()},
                }
                for split, libraries in self.splits.items()
            },
            'rows': {group: dict(sorted(languages.items())) for group, languages in self.rows.items()},
            'datasources': {'files': self.data_files, 'bytes': self.data_size},
            'notes': self.notes,
            'problems': self.problems,
        }


def total(counts: Iterable[SetCounts]) -> SetCounts:
    """The sum of several counts."""
    return sum(counts, SetCounts())


def find_sets(paths: Sequence[str]) -> list[InstalledSet]:
    """The sets below the given folders, each counted.

    Args:
        paths: folders (of a set, a split or a library, or `data/` with several sets) and names of built-in sets; by
            default all built-in sets and the sets in `data/`.

    Raises:
        CibenchError: there is no such folder or set, or a record is broken.
    """
    builtin = {name: SETS / name for name, environments in builtin_sets().items() if environments} | row_sets()
    if not paths:
        found = [read_set(folder, state='built in') for folder in builtin.values()]
        return found + (_in_store(DATA) if DATA.is_dir() else [])
    return [found for path in paths for found in _at(path, builtin)]


def _at(path: str, builtin: dict[str, Path]) -> list[InstalledSet]:
    folder = Path(path)
    if folder.is_dir():
        holds_sets = (folder / RECORDS).exists() or folder.resolve() == DATA.resolve()
        return _in_store(folder) if holds_sets else [_recorded(folder)]
    if path in builtin:
        return [read_set(builtin[path], state='built in')]
    raise CibenchError(f'{path}: no such folder, and no built-in set (there are {", ".join(builtin)})')


def _in_store(root: Path) -> list[InstalledSet]:
    """The sets of a data folder: folders that are recorded, and folders of a known layout."""
    records = Store(root, print).records()
    folders = {root / record.folder for record in records.values()}
    kinds = [has_notebooks, *(archive.holds for archive in ARCHIVES.values())]
    there = (path for path in root.iterdir() if path.is_dir() and not path.name.startswith('.'))
    others = {path for path in there if any(holds(path) for holds in kinds)}
    return [_recorded(folder) for folder in sorted(folders | others)]


def _recorded(folder: Path) -> InstalledSet:
    store = Store(folder.absolute().parent, print)
    by_folder = {record.folder: (name, record) for name, record in store.records().items()}
    if folder.absolute().name not in by_folder:
        return read_set(folder, state='not recorded')
    name, record = by_folder[folder.absolute().name]
    damage = store.damage(record)
    found = read_set(folder) if folder.is_dir() else InstalledSet('', folder)
    found.name, found.record, found.state = name, record, 'damaged' if damage else 'intact'
    if damage:
        fix = f'cibench data fetch {name}' if name in ARCHIVES else 'cibench data add FILE'
        line = f'{folder}: {len(damage)} of {len(record.files)} files changed or missing, as {damage[0]}; run `{fix}`'
        found.problems.insert(0, line)
    return found


def read_set(folder: Path, state: str = '') -> InstalledSet:
    """Count what is in the folder of a set."""
    found = InstalledSet(folder.absolute().name, folder, state)
    if ARCHIVES['gsm8k'].holds(folder):
        for file in sorted(folder.glob('*.jsonl'), key=lambda path: path.name != gsm8k.ROWS[0]):
            found.rows[file.stem] = Counter({'en': len(_rows(found, file, gsm8k.WordProblem))})
    elif ARCHIVES['qwen_ci'].holds(folder):
        _count_qwen(found)
    else:
        _count_notebooks(found)
        if lack := lacks_data(folder):
            found.notes.append(lack)
    return found


def _count_notebooks(found: InstalledSet) -> None:
    splits: dict[str, dict[str, SetCounts]] = defaultdict(lambda: defaultdict(SetCounts))
    sources: set[Path] = set()
    for path in notebook_files(found.path):
        split = path.parent.parent if path.parent != found.path else path.parent
        try:
            experiment = load_experiment(path, split)
        except CibenchError as error:
            found.problems.append(' '.join(str(error).split()))
            continue
        splits[_split_name(split, found.path)][path.parent.name] += SetCounts.of(experiment)
        if experiment.datasources:
            sources.add(experiment.datasources)
    found.splits = {split: dict(libraries) for split, libraries in splits.items()}
    sizes = [path.stat().st_size for folder in sources for path in folder.rglob('*') if path.is_file()]
    found.data_files, found.data_size = len(sizes), sum(sizes)
    if not splits and not found.problems:
        found.problems.append(f'{found.path}: no notebook and no rows in it; give the folder of a set')


def _split_name(split: Path, root: Path) -> str:
    """The path below its set; the folder's own name where the set is the split, or a part of it."""
    below = split != root and split.is_relative_to(root)
    return split.relative_to(root).as_posix() if below else split.absolute().name


def _count_qwen(found: InstalledSet) -> None:
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for row in _rows(found, found.path / qwen_ci.ROWS, qwen_ci.QwenRow):
        for group in ('all', *sorted({*row.words} - {'all_ci'})):
            groups[group][row.lang] += 1
    found.rows = dict(groups)
    if (problems := found.path / 'gsm8k' / gsm8k.ROWS[0]).is_file():
        found.rows['gsm8k'] = Counter({'en': len(_rows(found, problems, gsm8k.WordProblem))})


def _rows(found: InstalledSet, file: Path, kind: type[RowT]) -> list[RowT]:
    """The rows of a file that can be read; each other row is a problem of the set."""
    rows, problems = scan_rows(file, kind)
    found.problems += problems
    return rows

"""The configs of a run folder, read as data: the folder may be a stranger's.

A run writes its config as JSON beside the Python that people and OpenCompass read. Whoever reads the run takes the
JSON, and builds of it what is this package's own. More is built, and code is run, only where `run.py` has written the
config here, or `cibench trust` was told of it.
"""

import contextlib
import hashlib
import json
import logging
import shlex
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from cibench_eval.cache import cache_dir
from cibench_eval.config import defaults
from cibench_eval.config.abbrs import FORMULAS, name_problem
from cibench_eval.config.building import plain
from cibench_eval.config.classes import names_of
from cibench_eval.config.config_files import read
from cibench_eval.config.defaults import MOST_EPOCHS
from cibench_eval.config.problems import errors_of, with_arguments
from cibench_eval.config.records import Fields
from cibench_eval.config.session_tasks import Run, run_of
from cibench_eval.config.signatures import arguments_of
from cibench_eval.datasets.loading import NOTEBOOKS
from cibench_eval.files import ways_out, write_whole
from cibench_eval.json_files import is_flat
from cibench_eval.models.limits import Price
from cibench_eval.run_paths import CONFIGS, PREDICTIONS
from cibench_eval.schema import CibenchError, Mode, some_of
from cibench_eval.sealed import read_sealed, sealed

logger = logging.getLogger(__name__)
DATASETS, EVALUATORS = names_of('CIBenchDataset'), names_of('SessionEvaluator')
SUMMARIZERS = names_of('CIBenchSummarizer', 'QwenCISummarizer')
"""The classes that readers may build from any config."""
DEEPEST = 40
"""How deep lists and dicts of a config may be nested; copying deeper ones would fail."""
MEND = 'copy the run folder again, or write a new one: run it with -r TIMESTAMP --epochs K, as many as it had'


def _name(abbr: str) -> str:
    if name_problem(abbr, folders=True):
        raise ValueError('a name that files can have')
    return abbr


def _split(split: str) -> str:
    if split.startswith(FORMULAS):
        raise ValueError('a name that no spreadsheet takes for a formula')
    return split


Name = Annotated[str, AfterValidator(_name)]


class _Open(Fields):
    """A part of which only the declared fields are checked; readers use no others."""

    model_config = ConfigDict(extra='allow')


class _NamedEntry(_Open):
    abbr: Name


class _Typed(_Open):
    type: str


class _Model(_NamedEntry, _Typed):
    price: Price | None = None
    run_cfg: dict[str, Any] = Field(default_factory=dict)


class _Inferencer(_Open):
    mode: Mode = defaults.MODE
    epoch: int = 1
    agent: dict[str, Any] | None = None
    kernels: dict[str, Any] | None = None
    limits: dict[str, float | None] | None = None


class _InferCfg(_Open):
    inferencer: _Inferencer


class _Evaluator(_Typed):
    profile: str = defaults.PROFILE


class _EvalCfg(_Open):
    evaluator: _Evaluator
    folder: None = None
    """Always None: whoever scores (`rescore.py`) decides where results go, never a file."""


class _Dataset(_NamedEntry, _Typed):
    format: str = NOTEBOOKS
    split: Annotated[str, AfterValidator(_split)] | None = None
    infer_cfg: _InferCfg
    eval_cfg: _EvalCfg


class _Agent(_Open):
    abbr: Name | None = None


class _Pair(_Open):
    models: list[_Model]
    datasets: list[_Dataset]


class _Config(_Pair):
    agents: list[_Agent] | None = None
    limits: dict[str, float | None] | None = None
    epochs: Annotated[int, Field(ge=1, le=MOST_EPOCHS)] = 1
    summarizer: _Typed
    model_dataset_combinations: list[_Pair] | None = None


def as_data(cfg: Any) -> dict[str, Any]:
    """A config as its file will hold it."""
    return json.loads(_text(cfg))


def _text(cfg: Any) -> str:
    return json.dumps(plain(cfg), ensure_ascii=False, indent=1)


def write(cfg: Any, path: Path) -> None:
    """Write a config as data, and trust it from now on."""
    write_whole(path, sealed(_text(cfg)))
    with contextlib.suppress(OSError):  # a cache that is read-only: readers ask for `cibench trust` where it matters
        _trust(path)


def written(run: Path) -> list[Path]:
    """The configs with which a run was started, the newest last; empty if it is no run folder.

    Raises:
        CibenchError: it has them in Python alone.
    """
    found = sorted((run / CONFIGS).glob('*.json'))
    if not found and any((run / CONFIGS).glob('*.py')):
        raise CibenchError(
            f'{run}: its config is in Python alone (configs/*.py), and to read that is to execute it; {_mend(run)}'
        )
    return found


def last_written(run: Path) -> Path:
    """The config with which a run was last started; a `CibenchError` where it has none, or in Python alone."""
    if found := written(run):
        return found[-1]
    if newest := newest_runs(run):
        named = ', '.join(map(str, newest[:3]))
        raise CibenchError(f'{run}: no run folder, but it has some: name one of {named}, or {run / "latest"}')
    if not run.exists():
        raise CibenchError(f'{run}: there is no such folder; name a run, like outputs/demo/20260131_120000')
    raise CibenchError(f'{run}: no run folder (it has no configs/*.json); name one like outputs/demo/20260131_120000')


def newest_runs(folder: Path) -> list[Path]:
    """The run folders in a folder, the newest first."""
    runs = {config.parents[1] for config in folder.glob(f'*/{CONFIGS}/*.json')} if folder.is_dir() else set()
    return sorted(runs, key=lambda run: run.name, reverse=True)


def read_written(path: Path) -> dict[str, Any]:
    """A config of a run as data. Nothing that it names is imported.

    Raises:
        CibenchError: it cannot be read, or is no config of a run.
    """
    cfg = read_sealed(path, MEND)
    if not is_flat(cfg, DEEPEST):
        raise CibenchError(f'{path}: is nested too deep; {MEND}')
    for problem in errors_of(_Config, cfg):
        raise CibenchError(f'{path}: no config of a run: {problem}; {MEND}')
    return cfg


def recorded_run(run: Path) -> Run:
    """The run that a folder was last started with, at the place where the folder is now, checked for readers.

    Raises:
        CibenchError: it is no run folder, or its config cannot be read; or it is a stranger's and names what is not of
            this package, or has links that lead out of the folder.
    """
    path = last_written(run)
    cfg = read_written(path)
    if not is_trusted(run):
        for what in _foreign(cfg):
            require_trust(run, f'{path}: {what} is not of this package')
        for place in ways_out(run):
            require_trust(run, f'{place}: leads out of the run folder, or is no file')
    for what, part, names in _built(cfg):
        if part['type'] in names and (problems := errors_of(_with_arguments(part['type']), part)):
            raise CibenchError(f'{path}: {what}: {problems[0]}; {MEND}')
    recorded = run_of({**cfg, 'work_dir': str(run)})
    known = {task.model_name for task in recorded.tasks}
    there = [place.name for place in (run / PREDICTIONS).glob('[!.]*') if place.is_dir()]
    if others := sorted({*there} - known):
        _warn_of_others(run / PREDICTIONS, some_of(others))
    return recorded


@cache
def _warn_of_others(folder: Path, names: str) -> None:
    """Warn of models that the config does not name, once each."""
    logger.warning('%s: left out, because the config of the last start does not name them: %s', folder, names)


def require_trust(run: Path, why: str) -> None:
    """Check that a run was written here or is trusted.

    Raises:
        CibenchError: it is not; `why` names what needs the trust.
    """
    if not is_trusted(run):
        raise CibenchError(f'{why}; {_mend(run)}')


def _mend(run: Path) -> str:
    return f'if you trust who made this run: cibench trust {shlex.quote(str(run))}'


def is_trusted(run: Path) -> bool:
    """Whether the config of a run was written here, or `cibench trust` was told of it."""
    return _mark(last_written(run)).exists()


def trust(run: Path) -> list[Path]:
    """Trust all configs of a run; those that are there in Python alone are executed. Return the files of data.

    Raises:
        CibenchError: it is no run folder, or a config cannot be read.
    """
    for source in sorted((run / CONFIGS).glob('*.py')):
        if not source.with_suffix('.json').exists():
            write(read(source), source.with_suffix('.json'))
    last_written(run)
    for path in written(run):
        read_written(path)
        _trust(path)
    return written(run)


def _trust(path: Path) -> None:
    mark = _mark(path)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.touch()


def _mark(path: Path) -> Path:
    """The file that marks a config as trusted; its name is a hash of the config, so that no change passes."""
    return cache_dir() / 'trusted' / hashlib.sha256(path.read_bytes()).hexdigest()


def _foreign(cfg: dict[str, Any]) -> Iterator[str]:
    """The classes and parts that readers would build and that are not of this package."""
    for what, part, names in _built(cfg):
        if part['type'] not in names:
            yield f'{what}: type {part["type"]!r}'
        yield from (f'{what}: {key} {part[key]!r}' for key in ('format', 'profile') if '.' in str(part.get(key)))


def _built(cfg: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], frozenset[str]]]:
    """The parts that readers build: each with its name in errors and the allowed class names."""
    yield 'summarizer', cfg['summarizer'], SUMMARIZERS
    for pair in [cfg, *(cfg.get('model_dataset_combinations') or [])]:
        for dataset in pair['datasets']:
            yield f'dataset {dataset["abbr"]}', dataset, DATASETS
            yield f'dataset {dataset["abbr"]}: evaluator', dataset['eval_cfg']['evaluator'], EVALUATORS


@cache
def _with_arguments(kind: str) -> type[BaseModel]:
    return with_arguments(_Typed, arguments_of(kind), given=('config', 'folder'))

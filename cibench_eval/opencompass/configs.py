"""Config files -> one config with every axis in it."""

from __future__ import annotations

import difflib
import importlib.util
from argparse import Namespace
from pathlib import Path
from typing import Any

from mmengine.config import Config
from mmengine.config.utils import ConfigParsingError

from cibench_eval.schema import CibenchError

AXES = {'models': 'models', 'datasets': '_datasets', 'agents': 'agents'}
"""Folder of drop-in files -> the variable (or the end of its name) that is taken from each."""


def load(args: Namespace) -> Config:
    """The config of a command line: a config file, or one put together from `--models` and `--datasets`.

    With a config file, the one or the other that is named takes the place of the file's own.
    """
    if args.config:
        cfg = _with_named(read(Path(args.config)), args)
    elif args.models and args.datasets:
        cfg = _assemble(args)
    else:
        raise CibenchError('run.py: name a config file, or both --models and --datasets (see --help)')
    for key in ('models', 'datasets'):
        if not cfg.get(key):
            raise CibenchError(f'{args.config or args.config_dir}: {key} is empty; nothing would be run')
    if not {'infer', 'eval', 'summarizer'} <= cfg.keys():
        cfg = _defaults(args) | cfg
    for axis in ('models', 'datasets'):
        named = getattr(args, axis)
        _check_names(f'--{axis} {" ".join(named)}' if named else args.config, axis, cfg[axis])
    return Config(cfg, format_python_code=False)


def read(path: Path) -> dict[str, Any]:
    """An mmengine config file as plain values; classes are dotted names, and none of them is imported.

    Raises:
        CibenchError: it is not there, is not Python, or imports what is not there.
    """
    if not path.is_file():
        raise CibenchError(f'{path}: no such config file{_similar(path.name, path.parent.glob("*.py"))}')
    try:
        return dict(Config.fromfile(str(path), format_python_code=False).to_dict())
    except (
        ConfigParsingError,
        ImportError,
        SyntaxError,
        NameError,
        KeyError,
        AttributeError,
        TypeError,
    ) as error:
        said = ' '.join(str(error).split()) or type(error).__name__
        raise CibenchError(f'{path}: cannot be read as a config: {said}') from error


def _with_named(cfg: dict[str, Any], args: Namespace) -> dict[str, Any]:
    named = {axis: _axis(args, axis, getattr(args, axis)) for axis in ('models', 'datasets') if getattr(args, axis)}
    kept = {key: value for key, value in cfg.items() if not named or key != 'model_dataset_combinations'}
    return kept | named


def _assemble(args: Namespace) -> dict[str, Any]:
    """One config from the drop-in files that the command line names."""
    return {axis: _axis(args, axis, getattr(args, axis)) for axis in AXES} | _defaults(args)


def _axis(args: Namespace, axis: str, names: list[str]) -> list[Any]:
    """What the files hold; `file/library` takes of a file's datasets those of one library."""
    found: list[Any] = []
    for word in names:
        name, _, part = word.partition('/')
        path = find(Path(args.config_dir), axis, name)
        cfg = read(path)
        values = [cfg[key] for key in cfg if key.endswith(AXES[axis])]
        if not values:
            wanted = f'*{AXES[axis]}' if AXES[axis].startswith('_') else AXES[axis]
            raise CibenchError(f'{path}: has no variable {wanted}, so it adds nothing')
        items = [item for value in values for item in value]
        if axis != 'agents':
            _check_names(path, axis, items)
        kept = [item for item in items if not part or item['abbr'].endswith(f'/{part}')]
        if not kept:
            raise CibenchError(
                f'{path}: nothing in it is named …/{part}; there is {", ".join(i["abbr"] for i in items)}'
            )
        found += kept
    return found


def _defaults(args: Namespace) -> dict[str, Any]:
    """What every run needs besides its axes: the runtime and the summarizer."""
    folder = Path(args.config_dir)
    runtime = read(find(folder, 'runtimes', args.runtime))
    summarizer = read(find(folder, 'summarizers', args.summarizer))
    return {'summarizer': summarizer['summarizer'], **{key: runtime[key] for key in runtime}}


def find(folder: Path, axis: str, name: str) -> Path:
    """The drop-in file `name` below `folder/axis`, else in OpenCompass's own zoo.

    Raises:
        CibenchError: there is none; the text names what is close.
    """
    file = name if name.endswith('.py') else f'{name}.py'
    own = sorted((folder / axis).rglob('*.py'))
    candidates = [path for path in [*own, *_zoo(axis)] if path.name == file]
    if candidates:
        return candidates[0]
    raise CibenchError(f'{folder / axis}: no file {file}{_similar(file, own)}')


def _zoo(axis: str) -> list[Path]:
    """The files of OpenCompass's own configs, found without importing them."""
    spec = importlib.util.find_spec('opencompass')
    if spec is None or not spec.submodule_search_locations:
        return []
    return sorted(Path(spec.submodule_search_locations[0], 'configs', axis).rglob('*.py'))


def _similar(name: str, paths: Any) -> str:
    names = sorted({path.name for path in paths})
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5) or names[:8]
    return f'; there is {", ".join(close)}' if close else ''


def _check_names(place: Path | str, axis: str, items: Any) -> None:
    """Every model and dataset needs a name of its own: files are named by it."""
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise CibenchError(f'{place}: {axis} must be a list of dicts: {axis} = [dict(…)]')
    abbrs = [item.get('abbr') for item in items]
    for item, abbr in zip(items, abbrs, strict=True):
        if not abbr:
            raise CibenchError(f"{place}: {axis}: {item.get('path') or item.get('type')} has no name; set abbr='…'")
        if abbrs.count(abbr) > 1:
            raise CibenchError(f'{place}: {axis}: two are named {abbr!r}; give each an abbr of its own')


def written(run: Path) -> list[Path]:
    """The configs with which a run was started, the last one at the end; none where it is no run folder."""
    return sorted((run / 'configs').glob('*.py'))


def last_written(run: Path) -> Path:
    """The config with which a run was last started, in its folder.

    Raises:
        CibenchError: it has none, so it is no run folder.
    """
    if found := written(run):
        return found[-1]
    raise CibenchError(f'{run}: no run folder (it has no configs/*.py); name one like outputs/demo/20260131_120000')

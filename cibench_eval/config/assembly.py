"""A command line -> one config with every axis in it, checked."""

import logging
import shlex
from argparse import Namespace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from cibench_eval.config import defaults, records
from cibench_eval.config.checks import ConfigError, Origins, check_config
from cibench_eval.config.classes import names_of
from cibench_eval.config.config_files import evaluation, find, is_upstream, read
from cibench_eval.config.opencompass_cibench import (
    has_agent,
    translated,
    with_our_agent,
    with_our_stages,
    with_our_summarizer,
)
from cibench_eval.config.unused import UNUSED, unused_names
from cibench_eval.datasets.loading import selected_ids
from cibench_eval.datasets.patterns import closest, matches
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
AXES = ('models', 'datasets', 'agents')
SUFFIX = '_datasets'
"""Suffix of the lists that are taken from a file of datasets."""
CIBENCH_DATASETS = names_of('CIBenchDataset')
ONLY = 'only {} is taken from this file'
"""The message for names at the top of a file that have no meaning."""


def assembled(args: Namespace) -> dict[str, Any]:
    """The config of a command line: a config file, or one put together from `--models` and `--datasets`.

    With a config file, what is named takes the place of the file's own.

    Raises:
        ConfigError: something is wrong with it, a line each.
        CibenchError: a file is not there, or cannot be read.
    """
    return _Assembly(args).config()


class _Assembly:
    """Collects a config from files, and remembers the file of each entry."""

    def __init__(self, args: Namespace) -> None:
        self._args = args
        self._folder = Path(args.config_dir)
        if not self._folder.is_dir():
            raise CibenchError(f'--config-dir {self._folder}: no such folder')
        self._origins = Origins(str(args.config or self._folder))
        self._unused: list[str] = []

    def config(self) -> dict[str, Any]:
        cfg = self._from_files()
        cfg = _as_ours({key: value for key, value in cfg.items() if key in records.TOP})
        if ignored := check_config(cfg, self._origins, self._unused):
            logger.info("%s: without effect here; OpenCompass's own program reads it", ', '.join(ignored))
        if self._args.limit:
            _limit(cfg, self._args.limit)
        return cfg

    def _from_files(self) -> dict[str, Any]:
        """The config file, overridden by what the command line names, completed by what every run needs."""
        args, own = self._args, {}
        named = {axis: getattr(args, axis) for axis in AXES if getattr(args, axis)}
        if args.config:
            own = self._file(evaluation(args.config, self._folder), records.TOP, UNUSED)
        elif not {'models', 'datasets'} <= named.keys():
            for axis, word in ((axis, word) for axis, words in named.items() for word in words):
                if Path(word).name.startswith('eval_') and evaluation(word, self._folder).is_file():
                    first = f'{args.program} {word} --{axis} …'
                    raise CibenchError(f'{word}: taken for one of --{axis}; name it first: {first}')
            if args.reuse not in (None, 'latest') and evaluation(args.reuse, self._folder).is_file():
                first = f'{args.program} {shlex.quote(args.reuse)} -r'
                raise CibenchError(f'{args.reuse}: taken for the run of -r; name it first: {first}')
            raise CibenchError(f'{args.program}: name a config file, or both --models and --datasets (see --help)')
        else:
            named.setdefault('agents', [defaults.AGENT])
        found = self._found(named)
        cfg = own | {axis: self._axis(axis, places) for axis, places in found.items()}
        if {'models', 'datasets'} & named.keys():
            cfg.pop('model_dataset_combinations', None)
        return self._further(cfg)

    def _found(self, named: dict[str, list[str]]) -> dict[str, list[tuple[Path, str]]]:
        """The files and parts that the words of flags name; a `ConfigError` tells all words that name none."""
        found: dict[str, list[tuple[Path, str]]] = {axis: [] for axis in named}
        problems = []
        for axis, word in ((axis, word) for axis, words in named.items() for word in words):
            try:
                found[axis].append(_file_and_part(word, self._folder, axis))
            except CibenchError as error:
                problems.append(str(error))
        if problems:
            raise ConfigError(problems)
        return found

    def _further(self, cfg: dict[str, Any]) -> dict[str, Any]:
        """A config with its runtime and its summarizer."""
        args = self._args
        if args.runtime:
            cfg = cfg | self._runtime(args.runtime)
        if not {'infer', 'eval'} <= cfg.keys():
            cfg = self._runtime(defaults.RUNTIME) | cfg
        if args.summarizer or 'summarizer' not in cfg:
            cfg = cfg | {'summarizer': self._summarizer(args.summarizer or defaults.SUMMARIZER)}
        return cfg

    def _runtime(self, word: str) -> dict[str, Any]:
        return self._file(find(self._folder, 'runtimes', word), records.TOP, UNUSED)

    def _summarizer(self, word: str) -> Any:
        """The `summarizer` of a drop-in file, or another variable of it: `file/other_summarizer`."""
        path, key = _file_and_part(word, self._folder, 'summarizers')
        key = key or 'summarizer'
        cfg = self._file(path, (key,), ONLY.format(key))
        if key not in cfg:
            raise CibenchError(f'{path}: has no variable {key}, so it adds nothing')
        return cfg[key]

    def _file(self, path: Path, known: tuple[str, ...], otherwise: str) -> dict[str, Any]:
        """The content of a file. Names without a meaning are noted, except in OpenCompass's own files.

        A file with an agent of OpenCompass was written for its program, which takes no offence at them.
        """
        cfg = read(path)
        unused = [] if is_upstream(path) else unused_names(path, known, otherwise)
        if has_agent(cfg):
            for line in unused:
                logger.warning('%s', line)
        else:
            self._unused += unused
        return cfg

    def _axis(self, axis: str, places: list[tuple[Path, str]]) -> list[Any]:
        """The entries at the places that the words of a flag name."""
        named: list[Any] = []
        origins = self._origins.items.setdefault(axis, [])
        for path, part in places:
            lists = _lists(self._file(path, (axis,), ONLY.format(axis)), axis, path)
            if axis == 'datasets':
                lists = {key: translated(entries) for key, entries in lists.items()}
            chosen = _part(lists, part, path) if part else [entry for entries in lists.values() for entry in entries]
            for entry in chosen:
                if (same := _same_but_for_experiments(named, entry)) is None:
                    named.append(entry)
                    origins.append(str(path))
                else:
                    wanted = [*named[same]['experiments'], *entry['experiments']]
                    named[same] = {**entry, 'experiments': list(dict.fromkeys(wanted))}
        return named


def _file_and_part(word: str, folder: Path, axis: str) -> tuple[Path, str]:
    """The file and the part that a word names: `name`, `name/part`, `path/to/file.py`, `path/to/file.py/part`."""
    if '.py/' in word:
        name, _, part = word.partition('.py/')
        return find(folder, axis, f'{name}.py'), part
    if word.startswith(('/', '.', '~')) or Path(word).is_file():
        return find(folder, axis, word), ''
    if word.endswith('.py') or Path(f'{word}.py').is_file():
        return find(folder, axis, f'{word.removesuffix(".py")}.py'), ''
    name, _, part = word.removeprefix(f'{axis}/').partition('/')  # `cibench configs list` prints the folder, too
    return find(folder, axis, name), part


def _lists(cfg: dict[str, Any], axis: str, path: Path) -> dict[str, list[Any]]:
    """The lists of a drop-in file by their names: `models`, `agents`, and all `…_datasets`."""
    wanted = f'*{SUFFIX}' if axis == 'datasets' else axis
    lists = {key: cfg[key] for key in cfg if fnmatchcase(key, wanted)}
    if not lists:
        raise CibenchError(f'{path}: has no variable {wanted}, so it adds nothing')
    for key, value in lists.items():
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            raise CibenchError(f'{path}: {key} must be a list of dicts: {key} = [dict(…)]')
    return lists


def _part(lists: dict[str, list[Any]], part: str, path: Path) -> list[Any]:
    """The entries that `part` names: a list (`oracle_datasets`), a library's datasets, or one experiment."""
    if part.endswith(SUFFIX) and (named := [entry for key in lists if key.endswith(part) for entry in lists[key]]):
        return named
    entries = [entry for items in lists.values() for entry in items]
    if of_library := [entry for entry in entries if str(entry.get('abbr')).endswith(f'/{part}')]:
        return of_library
    ids = [(entry, selected_ids(entry) if entry.get('type') in CIBENCH_DATASETS else []) for entry in entries]
    chosen = [
        {**entry, 'experiments': kept}
        for entry, names in ids
        if (kept := [n for n in names if matches(n, part) or matches(n, f'{part}/*')])
    ]
    if chosen:
        return chosen
    known = {one for _, names in ids for name in names for one in (name, name.rpartition('/')[0])} | {
        str(entry.get('abbr')).partition('/')[2] for entry in entries
    }
    raise CibenchError(f'{path}: nothing in it is named …/{part}; there is {closest(part, sorted(known - {""}))}')


def _same_but_for_experiments(named: list[Any], entry: dict[str, Any]) -> int | None:
    """Index of an entry that differs only in its experiments: two words may name two experiments of one library."""
    if not isinstance(entry.get('experiments'), list):
        return None
    for at, other in enumerate(named):
        if isinstance(other.get('experiments'), list) and {**other, 'experiments': entry['experiments']} == entry:
            return at
    return None


def _limit(cfg: dict[str, Any], most: int) -> None:
    """Keep the first experiments of each dataset; a later run with a higher limit can go on with this one."""
    for pair in [cfg, *(cfg.get('model_dataset_combinations') or [])]:
        for dataset in pair['datasets']:
            if dataset['type'] not in CIBENCH_DATASETS:
                raise CibenchError(f'--limit: dataset {dataset["abbr"]}: {dataset["type"]} says itself what it loads')
            dataset['experiments'] = selected_ids(dataset)[:most]


def _as_ours(cfg: dict[str, Any]) -> dict[str, Any]:
    """A config in which OpenCompass's own datasets, agents, stages and summarizer of CIBench are replaced by ours."""
    cfg = with_our_stages(with_our_agent({**cfg, 'summarizer': with_our_summarizer(cfg.get('summarizer'))}))
    if isinstance(cfg.get('datasets'), list):
        cfg['datasets'] = translated(cfg['datasets'])
    pairs = cfg.get('model_dataset_combinations')
    if isinstance(pairs, list) and all(isinstance(pair, dict) for pair in pairs):
        cfg['model_dataset_combinations'] = [
            {**pair, 'datasets': translated(pair['datasets'])} if isinstance(pair.get('datasets'), list) else pair
            for pair in pairs
        ]
    return cfg

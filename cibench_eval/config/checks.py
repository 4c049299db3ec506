"""One check of a whole config against types, before anything is written, started or asked.

Parts are held against `records.py` and the arguments of their classes (`signatures.py`). What takes more than a look,
such as a file that has to be there, is left to `preflight.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import isabstract
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel

from cibench_eval.agents.settings import AgentSettings
from cibench_eval.config import records
from cibench_eval.config.abbrs import FORMULAS, LONGEST, LONGEST_AGENT, agent_problems, name_problem, repeated, short
from cibench_eval.config.building import NO_MODULE, plain, runs_problems
from cibench_eval.config.config_files import upstream
from cibench_eval.config.problems import errors_of, ignored, unwritable_values, with_arguments
from cibench_eval.config.signatures import NoClassError, arguments_of, imported, is_imported
from cibench_eval.config.unused import UNUSED, unused_names
from cibench_eval.models.secrets import address_problem, key_problem
from cibench_eval.schema import CibenchError, some_of

MOST = 20
"""How many problems are shown."""
LISTS = ('models', 'datasets', 'agents', 'judges', 'model_dataset_combinations')
"""Names at the top of configs whose entries are checked one by one."""
UPSTREAM = 'opencompass.'
ORDINARY = (
    'of another benchmark of OpenCompass; this program runs sessions of notebooks, and `opencompass` runs that one'
)
SECRET = re.compile(
    r'([\w-]*[-_])?(api|access|secret)?keys?|([\w-]*[-_])?(secret|password)(_id)?|([\w-]*auth[-_])?token|authorization',
    re.IGNORECASE,
)
ADDRESS = re.compile(r'(\w*_)?(url|base|proxy|proxies)s?', re.IGNORECASE)
"""Names of arguments, at whatever depth."""
VARIABLE = re.compile(r'[A-Z]*|[A-Z][A-Z\d]*(_[A-Z\d]+)+')
"""Names of environment variables, as they are written: ENV, MY_API_KEY."""
HELD = "the run folder would hold it; write 'ENV' if the class reads the environment then, else take a class of"


class ConfigError(CibenchError):
    """All that is wrong with a config, a line each."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = list(dict.fromkeys(problems))
        more = [f'and {len(self.problems) - MOST} more'] if len(self.problems) > MOST else []
        super().__init__('\n'.join([*self.problems[:MOST], *more]))


@dataclass(frozen=True)
class Kind:
    """A kind of class that configs name."""

    name: str
    record: type[BaseModel]
    """The keys that a config may give besides the arguments of the class."""
    method: str
    """A method that every class of this kind has."""
    given: tuple[str, ...] = ()
    """Arguments that the harness supplies itself."""


MODEL = Kind('model', records.ModelFields, 'chat')
DATASET = Kind('dataset', records.DatasetFields, 'test')
INFERENCER = Kind('inferencer', records.InferencerFields, 'inference', ('model', 'model_config', 'epoch'))
RETRIEVER = Kind('retriever', records.ClassFields, '', ('dataset',))
PROMPT = Kind('prompt template', records.ClassFields, '')
EVALUATOR = Kind('evaluator', records.ClassFields, 'score')
PROTOCOL = Kind('protocol', records.ClassFields, 'parse')
PARTITIONER = Kind('partitioner', records.ClassFields, 'partition', ('out_dir',))
RUNNER = Kind('runner', records.RunnerFields, 'launch')
TASK = Kind('task', records.TaskFields, 'run', ('cfg',))
SUMMARIZER = Kind('summarizer', records.SummarizerFields, 'summarize', ('config', 'folder'))
JUDGE = Kind('judge', records.JudgeFields, 'judge', ('model',))
AGENT = Kind('agent', records.AgentFields, '')
SETTINGS = f'{AgentSettings.__module__}.{AgentSettings.__name__}'


@dataclass
class Origins:
    """Where the parts of a config come from."""

    whole: str
    items: dict[str, list[str]] = field(default_factory=dict)
    """Axis -> the file of each of its entries, where entries come from files of their own."""

    def of(self, axis: str, index: int) -> str:
        files = self.items.get(axis, [])
        return files[index] if index < len(files) else self.whole


class Location(NamedTuple):
    """A place in a config: a file, an entry of an axis in it, and a part of the entry."""

    place: str
    axis: str = ''
    entry: str = ''
    part: str = ''

    def inside(self, part: str) -> Location:
        return self._replace(part=f'{self.part}: {part}' if self.part else part)


def lines_of(problems: Sequence[tuple[Location, str]]) -> list[str]:
    """Problems and their places as lines of text; a problem that several entries of an axis share is one line."""
    entries: dict[tuple[str, str, str, str], list[str]] = {}
    for (place, axis, entry, part), text in problems:
        entries.setdefault((place, axis, part, text), []).append(entry)
    lines = []
    for (place, axis, part, text), names in entries.items():
        entry = some_of([*dict.fromkeys(names)], 1)
        named = f'{axis}{entry}' if entry.startswith('[') else ': '.join(filter(None, [axis, entry]))
        lines.append(': '.join(filter(None, [place, named, part, text])))
    return lines


def check_config(cfg: Mapping[str, Any], origins: Origins, problems: Sequence[str]) -> list[str]:
    """Check a whole config, and return its keys that have no effect here; a `ConfigError` where something is wrong.

    Args:
        origins: the files that it comes from.
        problems: what is known to be wrong with these.
    """
    check, value = _Check(), plain(cfg)
    if check.writable(value, origins.whole):
        check.config(value, origins)
    return check.result(problems)


def check_list_file(cfg: Mapping[str, Any], path: Path, axis: Literal['judges', 'models']) -> None:
    """Check a file of judges, or one with the model of a construction; a `ConfigError` where something is wrong."""
    check, value = _Check(), plain(cfg)
    if check.writable(value, str(path)):
        limits = {key: value[key] for key in records.ListFile.model_fields if key in value}
        check.record(Location(str(path)), records.ListFile, limits)
        check.entries(value, axis, Origins(str(path)), check.judge if axis == 'judges' else check.model)
    check.result(unused_names(path, (axis, *records.ListFile.model_fields), UNUSED))


class _Check:
    """Walks through a config and collects its problems."""

    def __init__(self) -> None:
        self.problems: list[tuple[Location, str]] = []
        self.ignored: dict[str, None] = {}

    def add(self, at: Location, *texts: str) -> None:
        self.problems += [(at, text) for text in texts]

    def result(self, known: Sequence[str]) -> list[str]:
        """The keys that have no effect here; a `ConfigError` where something is wrong, or is `known` to be."""
        if self.problems or known:
            raise ConfigError([*known, *lines_of(self.problems)])
        return list(self.ignored)

    def writable(self, cfg: dict[str, Any], place: str) -> bool:
        """Whether a file can hold all values at the top of a config, besides its lists."""
        unwritable = list(unwritable_values({key: value for key, value in cfg.items() if key not in LISTS}))
        self.add(Location(place), *unwritable)
        return not unwritable

    def config(self, cfg: dict[str, Any], origins: Origins) -> None:
        top = Location(origins.whole)
        self.record(top, records.TopFields, {key: cfg[key] for key in records.TopFields.model_fields if key in cfg})
        for axis, look in (('models', self.model), ('datasets', self.dataset), ('agents', self.agent)):
            if axis in cfg:
                self.entries(cfg, axis, origins, look)
            elif axis != 'agents':
                lists = f'[dict(…)], or the sum of its lists …_{axis}'
                self.add(top, f'no {axis} in it: set {axis} = {lists}, or name some with --{axis}')
        for stage in ('infer', 'eval'):
            self.stage(top.inside(stage), cfg.get(stage))
        if isinstance(cfg.get('summarizer'), dict):
            self.part(top.inside('summarizer'), cfg['summarizer'], SUMMARIZER)
        if cfg.get('model_dataset_combinations') is not None:
            self.combinations(top.inside('model_dataset_combinations'), cfg)

    def record(self, at: Location, record: type[BaseModel], value: Any) -> bool:
        """Whether a value fits a record."""
        found = errors_of(record, value)
        self.add(at, *found)
        if not found:
            self.ignored.update(dict.fromkeys(ignored(record, value)))
        return not found

    def entries(
        self, cfg: dict[str, Any], axis: str, origins: Origins, look: Callable[[Location, dict[str, Any]], None]
    ) -> None:
        """Check each entry of a list at the top of a config."""
        entries = cfg.get(axis)
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            self.add(Location(origins.whole), f'{axis} must be a list of dicts: {axis} = [dict(…)]')
            return
        if not entries:
            self.add(Location(origins.whole), f'{axis} is empty; nothing would be run')
        for index, entry in enumerate(entries):
            at = Location(origins.of(axis, index), axis, _label(entry, index))
            unwritable = list(unwritable_values(entry))
            self.add(at, *unwritable)
            if not unwritable:
                look(at, entry)
                self.name(at, entry)
        for abbr in repeated(entry.get('abbr') for entry in entries if axis != 'agents'):
            files = {str(origins.of(axis, index)) for index, entry in enumerate(entries) if entry.get('abbr') == abbr}
            where = '' if files == {str(origins.whole)} else f' (in {" and ".join(sorted(files))})'
            self.add(Location(origins.whole, axis), f'two are named {abbr!r}{where}; give each an abbr of its own')
        if axis == 'agents':
            self.add(Location(origins.whole), *agent_problems(entries))

    def name(self, at: Location, entry: dict[str, Any]) -> None:
        """Check the name of an entry: files are named after it."""
        abbr, of_agent = entry.get('abbr'), at.axis == 'agents'
        if abbr is None:
            nameless = f"{entry.get('path') or entry.get('type')} has no name; set abbr='…'"
            self.add(at, *([] if of_agent else [nameless]))
            return
        longest = LONGEST_AGENT if of_agent else LONGEST
        if problem := name_problem(abbr, folders=at.axis == 'datasets', longest=longest):
            self.add(at, f'abbr {problem}')

    def part(self, at: Location, value: Any, kind: Kind) -> bool:
        """Whether a dict names a class of a kind and gives arguments that the class takes."""
        if not isinstance(value, dict):
            self.add(at, f'it is {short(value)}; it must be a dict with the type of the {kind.name}')
            return False
        try:
            _require(_dotted(value.get('type')), kind)
        except NoClassError as error:
            self.add(at, f'type {short(value["type"])}: {error}' if value.get('type') else str(error))
            return False
        return self.record(at, _record_of(kind, value['type']), value)

    def model(self, at: Location, model: dict[str, Any]) -> None:
        self.part(at, model, MODEL)
        if isinstance(model, dict):
            self.add(at, *secret_problems(model), *([] if _is_of_upstream(model) else number_problems(model)))

    def dataset(self, at: Location, dataset: dict[str, Any]) -> None:
        infer, score = dataset.get('infer_cfg'), dataset.get('eval_cfg')
        if isinstance(infer, dict) and _is_of_upstream(infer.get('inferencer')):
            self.add(at, ORDINARY)
            return
        self.part(at, dataset, DATASET)
        split = dataset.get('split')
        if isinstance(split, str) and split.startswith(FORMULAS):
            self.add(at, f'split is {short(split)}; it cannot begin with one of {" ".join(FORMULAS)}')
        self.add(at, *runs_problems(dataset))
        if isinstance(infer, dict) and self.record(at.inside('infer_cfg'), records.InferCfg, infer):
            self.inferencer(at.inside('inferencer'), infer['inferencer'])
            for key, kind in (('retriever', RETRIEVER), ('prompt_template', PROMPT), ('ice_template', PROMPT)):
                if infer.get(key) and not (_is_of_upstream(infer[key]) and upstream() is None):  # only it uses them
                    self.part(at.inside(key), infer[key], kind)
        if isinstance(score, dict) and self.record(at.inside('eval_cfg'), records.EvalCfg, score):
            self.part(at.inside('evaluator'), score['evaluator'], EVALUATOR)

    def inferencer(self, at: Location, inferencer: dict[str, Any]) -> None:
        if not self.part(at, inferencer, INFERENCER):
            return
        if not inferencer['type'].endswith('.SessionInferencer'):
            self.add(at, f'type {short(inferencer["type"])}: no other class than SessionInferencer runs sessions')
        if inferencer.get('agent'):
            self.agent(at.inside('agent'), inferencer['agent'])

    def agent(self, at: Location, agent: dict[str, Any]) -> None:
        if self.record(at, _record_of(AGENT, SETTINGS), agent) and 'protocol' in agent:
            self.part(at.inside('protocol'), agent['protocol'], PROTOCOL)

    def judge(self, at: Location, judge: dict[str, Any]) -> None:
        if self.part(at, judge, JUDGE):
            self.model(at.inside('model'), judge['model'])

    def stage(self, at: Location, stage: Any) -> None:
        if isinstance(stage, dict) and self.record(at, records.StageFields, stage):
            self.part(at.inside('partitioner'), stage['partitioner'], PARTITIONER)
            if self.part(at.inside('runner'), stage['runner'], RUNNER):
                self.part(at.inside('task'), stage['runner']['task'], TASK)

    def combinations(self, at: Location, cfg: dict[str, Any]) -> None:
        """Check pairs of models and datasets: each must be an entry of the config."""
        pairs = cfg['model_dataset_combinations']
        if pairs == []:
            self.add(at, 'it is empty; nothing would be run')
        elif not isinstance(pairs, list):
            self.add(at, f'it is {short(pairs)}; it must be a list: [dict(models=[…], datasets=[…]), …]')
            return
        for index, pair in enumerate(pairs):
            inside = at._replace(part=f'{at.part}[{index}]')
            if self.record(inside, records.CombinationFields, pair):
                for axis in ('models', 'datasets'):
                    self.listed(inside.inside(axis), pair[axis], cfg.get(axis))

    def listed(self, at: Location, entries: list[dict[str, Any]], known: Any) -> None:
        """Check that entries of a pair are entries of the config."""
        if not isinstance(known, list) or not all(isinstance(entry, dict) for entry in known):
            return  # which has been said
        named = {str(entry.get('abbr')): entry for entry in known}
        if not entries:
            self.add(at, 'it is empty; nothing would be run')
        for entry in entries:
            abbr = str(entry.get('abbr'))
            if abbr not in named:
                self.add(at, f'{abbr} is not in the config, which has {", ".join(named)}')
            elif named[abbr] != entry:
                self.add(at, f'{abbr} differs from the entry of this name in the config; use that entry')


def secret_problems(model: Mapping[str, Any]) -> list[str]:
    """Complain about what may be a secret in a model's config, without showing it."""
    if not is_imported(str(model.get('type'))):
        return [*_secrets_in(model)]
    checks = {'base_url': address_problem, 'key': key_problem}
    own = (check(model[name]) for name, check in checks.items() if isinstance(model.get(name), str))
    rest = {name: value for name, value in model.items() if name not in checks}
    return [*filter(None, own), *_secrets_in(rest)]


def _secrets_in(part: Mapping[str, Any]) -> Iterator[str]:
    for name, value in part.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, Mapping):
                yield from _secrets_in(one)
            elif isinstance(one, str) and SECRET.fullmatch(name) and not (VARIABLE.fullmatch(one) or one in os.environ):
                yield f"{name} may be a secret, and {HELD} cibench_eval.models, with key='MY_API_KEY'"
            elif isinstance(one, str) and ADDRESS.fullmatch(name) and (problem := address_problem(one)):
                yield f'{name} {problem.removeprefix("base_url ").partition(";")[0]}'


def number_problems(model: Mapping[str, Any]) -> list[str]:
    """Errors for a rate of 0, and for a reply that may be as long as the window."""
    rates = [name for name in ('requests_per_minute', 'tokens_per_minute') if model.get(name) == 0]
    if rates:
        return [f'{name} is 0; it must be above 0, or None for no limit' for name in rates]
    window, reply = model.get('max_seq_len'), model.get('max_out_len')
    if not isinstance(window, int) or not isinstance(reply, int) or reply < window:
        return []
    return [f'max_out_len is {reply} and max_seq_len {window}; leave room for questions in the window']


def _label(entry: dict[str, Any], index: int) -> str:
    """The name of an entry in messages, or its index if the name cannot be shown."""
    abbr = entry.get('abbr')
    shown = abbr and not name_problem(abbr, folders=True)
    return short(abbr)[1:-1] if shown else f'[{index}]'


@cache
def _record_of(kind: Kind, type_: str) -> type[BaseModel]:
    """The record of the keys that a config may give to a class of a kind."""
    return with_arguments(kind.record, arguments_of(type_), kind.given)


def _dotted(kind: Any) -> str:
    """A dotted name from a config's `type`; a `NoClassError` where it can be none."""
    if kind is None:
        raise NoClassError('it has no type; set type to a class')
    if not isinstance(kind, str) or not all(part.isidentifier() for part in kind.split('.')):
        raise NoClassError('it is no class; set type to one')
    if '.' not in kind:
        raise NoClassError(f'it {NO_MODULE}')
    return kind


def _require(type_: str, kind: Kind) -> None:
    """Raise a `NoClassError` where there is no such class or, if it can be imported, where it is not of a kind."""
    arguments_of(type_)
    if not is_imported(type_):
        return
    if not hasattr(imported(type_), kind.method or '__init__'):
        raise NoClassError(f'it is no {kind.name}')
    if isabstract(imported(type_)):
        raise NoClassError('it is abstract; name a class that is made from it')


def _is_of_upstream(part: Any) -> bool:
    """Whether a part names a class of OpenCompass."""
    kind = part.get('type') if isinstance(part, dict) else None
    return isinstance(kind, str) and kind.startswith(UPSTREAM)

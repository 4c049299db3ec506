"""Findings that need no run: format, questions, data files, names that no question has, too wide tolerances."""

import ast
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from cibench_eval.datasets.appended import modules_sentence
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.datasets.cells import LABEL, EmptyGoldError
from cibench_eval.datasets.descriptions import descriptions_file, with_descriptions
from cibench_eval.datasets.formats.notebooks import identify, notebook_files, parse_experiment, read_json
from cibench_eval.datasets.patterns import select
from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin
from cibench_eval.evaluators.comparing.printed.values import PrintedValue, clean, values
from cibench_eval.evaluators.failures.code_facts import parse
from cibench_eval.schema import CibenchError, Experiment, Language, Step, unicode_text
from cibench_eval.sets.checking.findings import FIXES, CheckFinding, Severity
from cibench_eval.sets.checking.named_files import leftover_files, missing_files, named_files
from cibench_eval.states import asked_names, states_of

CHINESE = re.compile('[\u4e00-\u9fff]')
LATIN_WORD = re.compile('[A-Za-z]+')
QUOTED = re.compile(r'`[^`]*`|"[^"]*"|“[^”]*”|\'[^\']*\'|「[^」]*」|《[^》]*》')
"""Quotations in a question: names, titles, texts to show."""
SUFFIX = re.compile(r'[_-](?:chinese|cn|zh)$')
"""The end of the names of folders and notebooks with Chinese questions."""
PROGRAMS = r'curl|wget|scp|ssh|rsync|(?:pip3?|conda|mamba|apt|apt-get)\s+install|git\s+(?:clone|pull|fetch)'
"""Commands that reach other machines, as a regular expression without groups of its own."""
SHELL = re.compile(rf'(?:^[ \t]*[!%].*?|\A\s*%%(?:bash|sh)\b[\s\S]*?)\b({PROGRAMS})\b', re.MULTILINE)
"""Magics and shell escapes that reach other machines."""


@dataclass(frozen=True)
class Member:
    """An experiment of a set, with the name of its split."""

    split: str
    experiment: Experiment

    def finding(self, code: str, text: str, step: int | None = None, severity: Severity = 'defect') -> CheckFinding:
        """A finding about this experiment; `step` is an index, from 0."""
        number = None if step is None else step + 1
        return found(code, text, self.split, self.experiment.id, number, severity)


@dataclass(frozen=True)
class LoadedSet:
    """The notebooks of a set: those that could be read, the number of all, and findings about their format."""

    members: list[Member]
    notebooks: int
    findings: list[CheckFinding]

    @property
    def whole(self) -> list[Member]:
        """The members that lack no output of a step, so that the loader takes them, too."""
        faulty = {(one.set, one.notebook) for one in self.findings}
        return [one for one in self.members if (one.split, one.experiment.id) not in faulty]

    @property
    def malformed(self) -> list[str]:
        """A line for each notebook that cannot be read."""
        return [f'{one.set}/{one.notebook}: {one.text}' for one in self.findings if one.step is None]

    def check_readable(self) -> None:
        """Raise a `CibenchError` that names the first malformed notebook, if there is one."""
        if broken := next((one for one in self.findings if one.code == 'format'), None):
            raise CibenchError(f'{broken.set}/{broken.notebook}: {broken.text}')


def found(
    code: str, text: str, split: str, notebook: str = '', step: int | None = None, severity: Severity = 'defect'
) -> CheckFinding:
    """A finding with its fix; `step` is counted from 1."""
    line = ' '.join(unicode_text(text).split())
    return CheckFinding(
        set=split, notebook=notebook, step=step, code=code, severity=severity, text=line, fix=FIXES[code]
    )


def resolve(path: str, environment: str) -> tuple[Path, str]:
    """The folder or notebook at `path`, else the built-in set with this name; and the name of the set.

    Raises:
        CibenchError: there is neither.
    """
    if (place := Path(path)).exists():
        return place, (place if place.is_dir() else place.absolute().parent).resolve().name
    try:
        return builtin_folder(path, environment), path
    except CibenchError as error:
        raise CibenchError(f'{error}; a folder or notebook of this name is not there either') from error


def load_set(path: Path, name: str, only: str | None = None, *, described: bool = True) -> LoadedSet:
    """Load a notebook, or all notebooks of a library, a split or a set; an unreadable one becomes a finding.

    Args:
        name: the name of the set; splits have names of their own if `path` is a whole set.
        only: shell-style pattern of ids, or of `<split>/<id>`.
        described: whether to read descriptions of gold, too.

    Raises:
        CibenchError: there is no notebook, or `only` matches none.
    """
    root = path if path.is_dir() else path.parent
    places = [(file, *_split_of(file, root, name)) for file in (notebook_files(path) if path.is_dir() else [path])]
    if not places:
        raise CibenchError(f'{path}: no notebook (*.ipynb) in this folder; give the folder that holds them')
    by_name = {f'{place[2]}/{identify(*place[:2])}': place for place in places}
    kept = select([*by_name], only, path, 'experiment')
    read = [_read(*by_name[name], described) for name in kept]
    return LoadedSet(
        members=[member for member, _ in read if member],
        notebooks=len(kept),
        findings=[finding for _, findings in read for finding in findings],
    )


def _split_of(file: Path, root: Path, name: str) -> tuple[Path, str]:
    """Folder and name of a notebook's split: the first folder of `<split>/<library>/x.ipynb`, else `root`."""
    parts = file.relative_to(root).parts
    return (root / parts[0], parts[0]) if len(parts) > 2 else (root, name)


def _read(file: Path, root: Path, split: str, described: bool) -> tuple[Member | None, list[CheckFinding]]:
    """A notebook; steps without their output become `exec`, so that the others can be checked."""
    empty: list[int] = []
    try:
        experiment = _parse(read_json(file), file, root, empty)
        experiment = with_descriptions(experiment) if described else experiment
    except CibenchError as error:
        return None, [found('format', str(error).removeprefix(f'{file}: '), split, identify(file, root))]
    member = Member(split, experiment)
    return member, [member.finding('empty', 'its gold cell has no output of its kind', step) for step in empty]


def _parse(raw: Any, file: Path, root: Path, empty: list[int]) -> Experiment:
    while True:
        try:
            return parse_experiment(raw, file, root)
        except EmptyGoldError as error:
            empty.append(error.index)
            raw['metadata']['step_types'][error.index] = 'exec'
            if raw['metadata'].get('answers'):
                raw['metadata']['answers'][error.index] = None


def static_findings(members: list[Member], environment: str, largest: float) -> list[CheckFinding]:
    """Findings about the files of a set; `largest` is the number of bytes that a data file may have."""
    return [
        *(finding for member in members for finding in _alone(member, environment)),
        *_large_files(members, largest),
        *_undescribed(members),
        *duplicates(members),
    ]


def _alone(member: Member, environment: str) -> Iterator[CheckFinding]:
    if (built := member.experiment.environment) not in (None, environment):
        yield member.finding('environment', f'its gold outputs are of {built!r}', severity='note')
    if SUFFIX.search(member.split) and (language := member.experiment.language) != 'cn':
        yield member.finding('language', f'its split is Chinese by its name, and its language is {language!r}')
    for step in member.experiment.steps:
        if LABEL.search(step.question.strip(), 1):  # at its start there is no question before it
            yield member.finding('thought', 'its question ends in the gold thought, which models are shown', step.index)
        if problem := _language_of(step, member.experiment.language):
            yield member.finding('language', problem, step.index)
        if step.kind == 'num' and not values(clean(step.text or '')):
            yield member.finding('empty', 'a num step whose gold output has no number', step.index)
        if step.kind in ('num', 'general') and (problem := close_values(step)):
            yield member.finding('close_values', problem, step.index, 'note')
        if shell := SHELL.search(step.code):
            yield member.finding('network', f'its code runs `{shell[1]}`', step.index)
        if named := names_alone(step):
            problem = f'of {", ".join(named)} State knows that there is something of this name and kind, and no more'
            yield member.finding('name_alone', problem, step.index, 'note')
    for index, problem, severity in unasked(member.experiment):
        yield member.finding('unasked', problem, index, severity)
    yield from _missing_files(member)


def is_chinese(member: Member) -> bool:
    """Whether the questions are Chinese by the name of the split or the notebook; an English one may name its topic."""
    one = member.experiment
    reads = one.language == 'cn' or 2 * sum(_language_of(step, 'en') != '' for step in one.steps) >= len(one.steps)
    return bool(SUFFIX.search(member.split) or (reads and SUFFIX.search(one.id)))


def _undescribed(members: list[Member]) -> Iterator[CheckFinding]:
    """A finding for each split that has notebooks with plots or variables and without descriptions."""
    lacking = Counter(member.split for member in members if _has_none(member.experiment))
    for split, count in lacking.items():
        text = f'notebooks without descriptions: {count}; State is not scored, and Vis compares pixels'
        yield found('undescribed', text, split, severity='note')


def _has_none(experiment: Experiment) -> bool:
    file = descriptions_file(experiment.path)
    return not file.exists() and any(
        step.kind == 'vis' or asked_names(step.question, step.code) for step in experiment.steps
    )


def reads_chinese(text: str) -> bool:
    """Whether a text without its quotations has more Chinese characters than other words."""
    own = QUOTED.sub(' ', text)
    return len(CHINESE.findall(own)) > len(LATIN_WORD.findall(own))


def _language_of(step: Step, language: Language) -> str:
    """What is wrong with the language of a question, its quotations and the modules sentence left out."""
    asked = step.question.strip().removesuffix(modules_sentence(step.modules, language))
    if language == 'cn' and not CHINESE.search(QUOTED.sub(' ', asked)):
        return 'a Chinese question without a Chinese character'
    if language == 'en' and reads_chinese(asked):
        return 'an English question of Chinese characters'
    return ''


def _missing_files(member: Member) -> Iterator[CheckFinding]:
    folder = member.experiment.datasources
    where = f'in {folder.name}/' if folder else 'here: there is no datasources/ above the notebook'
    for index, name in missing_files(member.experiment):
        yield member.finding('missing_file', f'{name} is not {where}', index)
    for index, name in leftover_files(member.experiment):
        problem = f'it writes {name}, which is {where} already: code that does not write it finds it, too'
        yield member.finding('leftover_file', problem, index, 'note')


def _large_files(members: list[Member], largest: float) -> Iterator[CheckFinding]:
    """Each large data file, at the first step that names it."""
    for folder in dict.fromkeys(member.experiment.datasources for member in members):
        for file in sorted(folder.rglob('*')) if folder else []:
            if file.is_file() and (size := file.stat().st_size) > largest:
                name = file.relative_to(folder or file).as_posix()
                text = f'{name} has {size / 1e6:,.1f} MB, more than {largest / 1e6:,.1f}'
                yield _at_its_step(members, folder, name, text)


def _at_its_step(members: list[Member], folder: Path | None, name: str, text: str) -> CheckFinding:
    for member in members:
        for step in member.experiment.steps:
            if member.experiment.datasources == folder and name in named_files(step.code).read:
                return member.finding('large_file', text, step.index)
    return found('large_file', text, members[0].split)


def duplicates(members: list[Member]) -> Iterator[CheckFinding]:
    """Questions that occur twice in one notebook, and notebooks with the same questions from first to last.

    Instances of a template differ, because a question names their data.
    """
    first: dict[tuple[str, ...], Member] = {}
    for member in members:
        questions = [' '.join(step.question.split()) for step in member.experiment.steps]
        for index, question in enumerate(questions):
            if (earlier := questions.index(question)) != index:
                yield member.finding('duplicate_question', f'asks the same as step {earlier + 1}', index)
        other = first.setdefault((member.experiment.language, *questions), member)
        if other is not member:
            name = f'{other.split}/{other.experiment.id}'
            yield member.finding('duplicate_question', f'asks the same as {name}, step by step')


OPAQUE = ('function', 'class', 'module', 'object')
"""Kinds of variables that are described by their kind and class alone."""
MOST = 100
"""How many numbers of an output are compared with each other."""


def close_values(step: Step) -> str:
    """What an answer to a `num` or `general` step may get wrong and still be right; empty if nothing."""
    margin = replace(Margin(step.tolerance if step.tolerance is not None else TOLERANCE, step.absolute), noise=0)
    numbers = [value for value in values(clean(step.text or '')) if value.kind == 'number'][:MOST]
    return '; '.join([*_each_other(numbers, margin), *_wrong_ones(numbers, margin)])


def _each_other(numbers: list[PrintedValue], margin: Margin) -> Iterator[str]:
    """Pairs of different values of which each passes for the other."""
    inexact = [value for value in numbers if not value.whole and math.isfinite(abs(value.number))]
    pairs = [
        f'{one} and {other}'
        for one, other in combinations(inexact, 2)
        if one.number != other.number and margin.allows(one.number, other.number)
    ]
    if pairs:
        yield f'{", ".join(pairs[:3])} lie within its tolerance of each other'


def _wrong_ones(numbers: list[PrintedValue], margin: Margin) -> Iterator[str]:
    """Values for which 0, 1 or, with a number of rows beside them, another divisor passes as well."""
    if margin.relative <= TOLERANCE and not margin.absolute:
        return
    counts = [int(value.text) for value in numbers if value.whole and value.text.isdigit() and float(value.text) > 2]
    for value in numbers:
        if value.whole or not math.isfinite(abs(value.number)):
            continue
        wrong = {'0': 0.0, '1': 1.0} | {
            f'{count - 1} for {count} rows': value.number * math.sqrt((count - 1) / count) for count in counts
        }
        names = [name for name, other in wrong.items() if other != value.number and margin.allows(value.number, other)]
        if names:
            yield f'{value} is not told from {", ".join(names)} by its tolerance'


def names_alone(step: Step) -> list[str]:
    """The variables of an `exec` step if none of them is of a kind of which State compares more than kind and class."""
    states = (step.kind == 'exec' and step.state and states_of(step.state)) or {}
    return [] if any(state.kind not in OPAQUE for state in states.values()) else [*states]


def unasked(experiment: Experiment) -> Iterator[tuple[int, str, Severity]]:
    """Index of a step, problem and severity: a variable that may be meant as a column, a column that nothing names."""
    said = ''
    for step in experiment.steps:
        said += step.question
        names = asked_names(step.question, step.code)
        states = (step.state and states_of(step.state)) or {}
        held = {(name, column.name) for name, state in states.items() for column in state.columns}
        columns = {column: name for name, column in held}
        for name in names:
            if name in columns and columns[name] != name:
                table = columns[name]
                text = f'the gold code has a variable `{name}`, by which the question may mean a column of `{table}`'
                yield step.index, f'{text}; an answer without that variable is called wrong', 'note'
        for name, column in _columns_set(step.code):
            if (name, column) in held and not re.search(rf'(?<!\w){re.escape(column)}(?!\w)', said, re.ASCII):
                text = f'the gold code gives `{name}` a column {column!r} that no question names so far'
                yield step.index, f'{text}; an answer without it is called wrong', 'defect'


def _columns_set(code: str) -> Iterator[tuple[str, str]]:
    """Each table and column that code sets at its top level: `df['a'] = …`, `df.loc[rows, 'a'] = …`."""
    for node in _top_level(parse(code) or ast.Module([], [])):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            table = node.value
            if isinstance(table, ast.Attribute) and table.attr in ('loc', 'at'):
                table = table.value
            key = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            if isinstance(table, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield table.id, key.value


def _top_level(tree: ast.AST) -> Iterator[ast.AST]:
    left = [tree]
    while left:
        node = left.pop()
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield node
            left += reversed([*ast.iter_child_nodes(node)])

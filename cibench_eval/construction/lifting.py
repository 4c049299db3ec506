"""An experiment -> a template of it: the files, columns, values and numbers that other data would change.

What is a parameter is read off the data: names of columns and texts in cells of the CSV files that the code reads, the
files themselves, and numbers that stand once in a question and once in its code. A template is a source as
`sets/templates.py` has them, which a person edits.
"""

from __future__ import annotations

import io
import keyword
import re
import token
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from cibench_eval.construction.lifted_data import Tables, described, tables_of
from cibench_eval.construction.notebook_file import NotebookFile, StepText
from cibench_eval.construction.parameters import Kind, Parameter
from cibench_eval.datasets.formats.notebooks import load_experiment
from cibench_eval.schema import CibenchError, Step
from cibench_eval.sets.checking.static import QUOTED
from cibench_eval.sets.checking.twins import NUMBER
from cibench_eval.sets.templates import TemplateSource

ORIGINAL = 'original'
"""Name of the instance that the experiment itself is."""
RESERVED = {'cn', 'data', 'false', 'language', 'loop', 'no', 'none', 'null', 'off', 'on', 'seed', 'true', 'yes'}
FILE = re.compile(r'data/([^\s\'"`{}]+)')
SMALL = 3
"""Whole numbers below it are no parameters: there are too many of them."""
MARK = '\0'


@dataclass(frozen=True)
class Lifted:
    """A template: its text, its parameters, and what a person should look at."""

    text: str
    parameters: list[Parameter]
    doubts: list[str]
    varied: bool
    """Whether it says how fresh data are made."""


def lift(path: Path) -> Lifted:
    """Make a template of a notebook in a set (`SPLIT/LIBRARY/NAME.ipynb`).

    Raises:
        CibenchError: the notebook cannot be read, has nothing to vary, or is scored on held-out labels.
    """
    experiment = load_experiment(path, path.parent.parent)
    texts = NotebookFile(path).steps
    if any(step.held_out for step in experiment.steps):
        raise CibenchError(f'{path}: steps are scored on held-out labels, which only a generator can make')
    tables = tables_of(_files(texts), experiment.datasources)
    parameters = _parameters(texts, tables)
    if not parameters:
        raise CibenchError(
            f'{path}: reads no file below data/, and has no number that its questions say: nothing to vary'
        )
    lifter = _Lifter(parameters, {name for text in texts for name in _attributes(text.code)})
    cells = [lifter.step(number, text) for number, text in enumerate(texts, start=1)]
    header: dict[str, Any] = {'instances': {ORIGINAL: {one.name: one.value for one in parameters}}}
    varied = described(parameters, tables)
    if varied:
        header['varied'] = varied
    text = _source(header, experiment.steps, cells)
    return Lifted(text, parameters, [*_doubts(parameters, texts), *lifter.doubts], bool(varied))


def write_template(path: Path, lifted: Lifted, folder: Path) -> Path:
    """Write a template to `folder/SPLIT/LIBRARY/NAME.py`, and see that its first instance is the notebook.

    Raises:
        CibenchError: there is such a file, or a step cannot be written as a template.
    """
    target = folder / path.absolute().parent.parent.name / path.absolute().parent.name / f'{path.stem}.py'
    if target.exists():
        raise CibenchError(f'{target}: there already; give another folder')
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(lifted.text, encoding='utf-8')
    try:
        _check_round_trip(path, target, folder)
    except CibenchError:
        target.unlink()
        raise
    return target


def _check_round_trip(path: Path, target: Path, folder: Path) -> None:
    (draft,) = TemplateSource.read(target, folder).drafts()
    texts = NotebookFile(path).steps
    same = len(texts) == len(draft.steps)
    for number, (text, step) in enumerate(zip(texts, draft.steps, strict=False), start=1):
        asked = _markdown(text.question, text.thought)
        if step.code.strip() != text.code.strip() or draft.question(step).strip() != asked.strip():
            raise CibenchError(f'{path}: step {number} cannot be written as a template; leave out magics and `# %%`')
    if not same:
        raise CibenchError(f'{path}: its cells cannot be written as a template; leave out lines that begin `# %%`')


def _files(texts: Sequence[StepText]) -> list[str]:
    """Files that the code names below `data/`."""
    strings = (one.string for text in texts for one in _tokens(text.code) if one.type == token.STRING)
    return list(dict.fromkeys(name for string in strings for name in FILE.findall(string)))


def _tokens(code: str) -> list[tokenize.TokenInfo]:
    """The tokens of code; none where it is no Python."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def _parameters(texts: Sequence[StepText], tables: Tables) -> list[Parameter]:
    """Files, then the columns and values of each that the code names, then numbers."""
    strings = [one.string for text in texts for one in _tokens(text.code) if one.type == token.STRING]
    attributes = {name for text in texts for name in _attributes(text.code)}
    taken: set[str] = set()
    found: list[Parameter] = []

    def take(kind: Kind, value: Any, name: str, step: int | None = None) -> None:
        found.append(Parameter(_free(name, taken), kind, value, step))

    for file, table in tables.items():
        take('file', file, 'file')
        for column in table.columns:
            if column in attributes or any(_stands_in(column, one) for one in strings):
                take('column', column, column)
        for value in table.values:
            if any(_inner(one) == value for one in strings):
                take('value', value, value)
    for index, text in enumerate(texts):
        for number, name in _numbers(text):
            take('number', number, name, index)
    first: dict[tuple[Any, ...], Parameter] = {}
    for one in found:
        first.setdefault((str(one.value), one.step), one)
    return list(first.values())


def _free(name: str, taken: set[str]) -> str:
    """An identifier like `name` that no other parameter has."""
    plain = re.sub(r'\W+', '_', name).strip('_').lower()[:24].strip('_') or 'value'
    if not plain.isidentifier():
        plain = f'value_{plain}'
    if plain in RESERVED or keyword.iskeyword(plain):
        plain += '_'
    number, unique = 2, plain
    while unique in taken:
        unique, number = f'{plain}_{number}', number + 1
    taken.add(unique)
    return unique


def _inner(string: str) -> str:
    """What stands between the quotes of a literal."""
    return string.strip('rRuUbBfF').strip('\'"')


def _stands_in(column: str, string: str) -> bool:
    """Whether a literal has a name as a word; a single letter must be all of it."""
    return bool(_word(column).search(string)) if len(column) > 1 else _inner(string) == column


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf'(?<!\w){re.escape(name)}(?!\w)')


def _attributes(code: str) -> Iterator[str]:
    """Names behind a dot that are not called and that only data have: `df.price`, but not `dates.year`."""
    import pandas as pd

    tokens = _tokens(code)
    for before, one, behind in zip(tokens, tokens[1:], tokens[2:], strict=False):
        own = hasattr(pd.DataFrame, one.string) or hasattr(pd.Timestamp, one.string)
        if before.string == '.' and one.type == token.NAME and behind.string != '(' and not own:
            yield one.string


def _numbers(text: StepText) -> Iterator[tuple[int | float, str]]:
    """Numbers that stand once in the code and once in the question, with a name for each."""
    tokens = _tokens(text.code)
    coded = [one.string for one in tokens if one.type == token.NUMBER]
    asked = NUMBER.findall(text.question)
    for place, one in enumerate(tokens):
        if one.type != token.NUMBER or coded.count(one.string) != 1 or asked.count(one.string) != 1:
            continue
        if re.search(rf'\b{re.escape(one.string)} (?:decimal|digit)', text.question):
            continue
        names = [before.string for before in tokens[:place] if before.type == token.NAME]
        number = yaml.safe_load(one.string)
        whole = isinstance(number, int) and number >= SMALL and str(number) == one.string
        if names[-1:] != ['figsize'] and (whole or isinstance(number, float)):
            yield number, _name_of(tokens, place)


def _name_of(tokens: Sequence[tokenize.TokenInfo], place: int) -> str:
    """`bins` of `bins=20`, `head` of `head(5)`."""
    if place >= 2 and tokens[place - 1].string in ('=', '(') and tokens[place - 2].type == token.NAME:
        return tokens[place - 2].string
    return 'number'


class _Lifter:
    """Puts the names of parameters where their values stand."""

    def __init__(self, parameters: Sequence[Parameter], attributes: set[str]) -> None:
        self._parameters = parameters
        self._attributes = attributes
        self.doubts: list[str] = []

    def step(self, number: int, text: StepText) -> tuple[str, str]:
        """Question with its thought, and code, of a step counted from 1."""
        those = {str(one.value): one for one in self._parameters if one.step is None or one.step == number - 1}
        asked = self._prose(_markdown(text.question, text.thought), number, those)
        return asked, self._code(text.code, number, those)

    def _prose(self, text: str, number: int, those: Mapping[str, Parameter]) -> str:
        """Names where they are cited, or look like no word of the language; numbers where they stand."""
        cited = [found.span() for found in QUOTED.finditer(text)]

        def put(found: re.Match[str]) -> str:
            one = those[found[0]]
            inside = any(start <= found.start() < end for start, end in cited)
            if not (inside or one.kind in ('file', 'number') or re.search(r'[\W_\d]', found[0])):
                around = ' '.join(text[max(0, found.start() - 25) : found.end() + 25].split())
                self.doubts.append(f'step {number}: “… {around} …” has {one.name} in its prose, which stays as it is')
                return found[0]
            one.asked.add(number)
            return f'{MARK}{one.name}{MARK}'

        return _marked(_any(those).sub(put, text) if those else text)

    def _code(self, code: str, number: int, those: Mapping[str, Parameter]) -> str:
        texts = {name: one for name, one in those.items() if one.kind != 'number'}
        lines = code.splitlines(keepends=True)
        for before, one in reversed(list(zip([None, *_tokens(code)], _tokens(code), strict=False))):
            new = self._token(one, before, number, texts, those)
            if new == one.string:
                continue
            (row, start), (last, end) = one.start, one.end
            lines[row - 1 : last] = [lines[row - 1][:start] + new + lines[last - 1][end:]]
        return _marked(''.join(lines))

    def _token(
        self,
        one: tokenize.TokenInfo,
        before: tokenize.TokenInfo | None,
        number: int,
        texts: Mapping[str, Parameter],
        those: Mapping[str, Parameter],
    ) -> str:
        def put(found: re.Match[str]) -> str:
            parameter = texts[found[0]]
            whole = parameter.kind == 'value' or len(found[0]) == 1
            if whole and _inner(one.string) != found[0]:
                return found[0]
            parameter.coded.add(number)
            return f'{MARK}{parameter.name}{MARK}'

        if one.type == token.STRING and texts:
            return _any(texts).sub(put, one.string)
        attribute = one.type == token.NAME and before is not None and before.string == '.'
        column = texts.get(one.string) if attribute else None
        parameter = column if column and column.kind == 'column' and one.string in self._attributes else None
        if one.type == token.NUMBER and (number_ := those.get(one.string)) and number_.kind == 'number':
            parameter = number_
        if parameter is None:
            return one.string
        parameter.coded.add(number)
        return f'{MARK}{parameter.name}{MARK}'


def _any(names: Mapping[str, Parameter]) -> re.Pattern[str]:
    """Any of some names as words, the longest first."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(
        '|'.join(
            rf'(?<![\w.]){re.escape(name)}(?!\w)' if name[0].isdigit() else _word(name).pattern for name in longest
        )
    )


def _marked(text: str) -> str:
    """A text that means nothing to Jinja but where names are marked."""
    plain = re.sub(rf'\{{(?=[{{%#{MARK}])', "{{ '{' }}", text)
    return re.sub(f'{MARK}(\\w+){MARK}', r'{{ \1 }}', plain)


def _markdown(question: str, thought: str) -> str:
    return f'{question}\n\nThought: {thought}' if thought else question


def _source(header: dict[str, Any], steps: Sequence[Step], cells: Sequence[tuple[str, str]]) -> str:
    """A percent file."""
    said = yaml.safe_dump(
        {'jupyter': header}, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=None
    )
    parts = ['\n'.join(['# ---', *(f'# {line}' for line in said.splitlines()), '# ---'])]
    for step, (asked, code) in zip(steps, cells, strict=True):
        modules = ' & '.join(step.modules)
        more = f' tolerance={step.tolerance}' if step.tolerance else ''
        more += f' absolute={step.absolute}' if step.absolute else ''
        more += ' list="true"' if step.listed else ''
        lines = [f'# {line}'.rstrip() for line in asked.strip().splitlines()]
        parts.append('\n'.join([f'# %% [markdown] kind="{step.kind}" modules="{modules}"{more}', *lines]))
        parts.append(f'# %%\n{code.strip()}')
    return '\n\n'.join(parts) + '\n'


def _doubts(parameters: Sequence[Parameter], texts: Sequence[StepText]) -> Iterator[str]:
    """Where questions and code do not both follow a parameter."""
    for one in parameters:
        if one.kind in ('file', 'column', 'value') and not one.asked:
            yield f'{one.name} ({one.value}) stands in code and in no question'
    names = {str(one.value) for one in parameters if one.kind == 'column'}
    for number, text in enumerate(texts, start=1):
        tokens = _tokens(text.code)
        for name, behind in pairwise(tokens):
            if name.type == token.NAME and name.string in names and behind.string == '=':
                yield f'step {number}: `{name.string}=` is a name in the code, too, which stays as it is'

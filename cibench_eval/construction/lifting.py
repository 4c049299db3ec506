"""An experiment -> a template: parameters (`parameters.py`) replace files, columns, values and numbers.

A template is a source in the form of `sets/templates.py`, which a person edits.
"""

import re
import token
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from cibench_eval.construction.notebook_file import NotebookFile, StepText
from cibench_eval.construction.parameters import (
    Parameter,
    Tables,
    attributes_of,
    distribution_of,
    parameters_of,
    tables_of,
    tokens_of,
    unquoted,
    whole_word,
)
from cibench_eval.datasets.cells import with_thought
from cibench_eval.datasets.declared import read_declaration, sentence, write_declaration
from cibench_eval.datasets.formats.notebooks import load_experiment
from cibench_eval.schema import CibenchError, Experiment
from cibench_eval.sets.checking.static import QUOTED
from cibench_eval.sets.templates import LANGUAGES, TemplateSource

ORIGINAL = 'original'
"""The name of the instance that gives the original experiment."""
MARK = '\0'


@dataclass(frozen=True)
class Lifted:
    """A template, its parameters, and doubts that a person should look at."""

    text: str
    parameters: list[Parameter]
    doubts: list[str]
    varied: bool
    """Whether it describes fresh data."""


def lift(path: Path) -> Lifted:
    """Make a template of a notebook in a set (`SPLIT/LIBRARY/NAME.ipynb`).

    Raises:
        CibenchError: the notebook cannot be read, has no parameters, or is scored on held-out labels.
    """
    experiment = load_experiment(path, path.parent.parent)
    texts = NotebookFile(path).steps
    if any(step.held_out for step in experiment.steps):
        raise CibenchError(f'{path}: steps are scored on held-out labels, which only a generator can make')
    tables = tables_of(texts, experiment.datasources)
    parameters = parameters_of(texts, tables)
    if not parameters:
        raise CibenchError(
            f'{path}: nothing to vary: its code names no file that is in data/, and no number of its questions'
        )
    lifter = _Lifter(parameters, {name for text in texts for name in attributes_of(text.code)})
    cells = [lifter.step(number, text) for number, text in enumerate(texts, start=1)]
    header: dict[str, Any] = {} if experiment.language == 'en' else {'language': experiment.language}
    header['instances'] = {ORIGINAL: {one.name: one.value for one in parameters}}
    varied = _varied(parameters, tables)
    if varied:
        header['varied'] = varied
    text = _source(header, experiment, cells)
    return Lifted(text, parameters, [*_doubts(parameters, texts), *lifter.doubts], bool(varied))


def _varied(parameters: Sequence[Parameter], tables: Tables) -> dict[str, Any]:
    """The `varied` of a template: fresh data; empty if a file is no CSV file, or a column has no finite values."""
    if any(table.frame is None for table in tables.values()) or not tables:
        return {}
    by_value = {str(one.value): one for one in parameters if one.kind != 'number'}
    varied: dict[str, Any] = {}
    for name, table in tables.items():
        varied[by_value[name].name] = {'table': len(table.frame)}
        for column in table.frame.columns:
            if (one := by_value.get(str(column))) and one.kind == 'column' and one.name not in varied:
                varied[one.name] = distribution_of(table.frame[column])
        for value, column in table.values.items():
            one = by_value.get(value)
            if one and one.kind == 'value' and one.name not in varied:
                if column not in by_value:
                    return {}
                varied[one.name] = {'level_of': by_value[column].name}
    varied |= {one.name: {'pick': [one.value]} for one in parameters if one.kind == 'number'}
    return varied if all(varied.values()) else {}


def write_template(path: Path, lifted: Lifted, folder: Path) -> Path:
    """Write a template to `folder/SPLIT/LIBRARY/NAME.py`, and see that its first instance equals the notebook.

    Raises:
        CibenchError: the file exists, or a step cannot be written as a template.
    """
    library = path.absolute().parent
    split = library.parent.name.removesuffix(LANGUAGES['cn'])  # which a Chinese instance gets again
    target = folder / split / library.name / f'{path.stem}.py'
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
    for number, (text, step) in enumerate(zip(texts, draft.steps, strict=False), start=1):
        asked = with_thought(text.question, text.thought)
        if step.answer:  # of which the build makes a sentence, whether or not the notebook has it
            asked = asked.replace(sentence(read_declaration(step.answer), draft.language), '')
        if step.code.strip() != text.code.strip() or step.questions[draft.language].strip() != asked.strip():
            raise CibenchError(f'{path}: step {number} cannot be written as a template; leave out magics and `# %%`')
    if len(texts) != len(draft.steps):
        raise CibenchError(f'{path}: its cells cannot be written as a template; leave out lines that begin `# %%`')


class _Lifter:
    def __init__(self, parameters: Sequence[Parameter], attributes: set[str]) -> None:
        self._parameters = parameters
        self._attributes = attributes
        self.doubts: list[str] = []

    def step(self, number: int, text: StepText) -> tuple[str, str]:
        """The question with its thought, and the code, of a step counted from 1."""
        those = {str(one.value): one for one in self._parameters if one.step is None or one.step == number - 1}
        asked = self._prose(with_thought(text.question, text.thought), number, those)
        return asked, self._code(text.code, number, those)

    def _prose(self, text: str, number: int, those: Mapping[str, Parameter]) -> str:
        """Replace files, numbers, and names that are quoted or look like no word of the language."""
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
        for before, one in reversed(list(zip([None, *tokens_of(code)], tokens_of(code), strict=False))):
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
            if whole and unquoted(one.string) != found[0]:
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
    """A pattern of any of these names as whole words, the longest first."""
    longest = sorted(names, key=len, reverse=True)
    return re.compile(
        '|'.join(
            rf'(?<![\w.]){re.escape(name)}(?!\w)' if name[0].isdigit() else whole_word(name).pattern for name in longest
        )
    )


def _marked(text: str) -> str:
    """A text in which only the marked names mean something to Jinja."""
    plain = re.sub(rf'\{{(?=[{{%#{MARK}])', "{{ '{' }}", text)
    return re.sub(f'{MARK}(\\w+){MARK}', r'{{ \1 }}', plain)


def _source(header: dict[str, Any], experiment: Experiment, cells: Sequence[tuple[str, str]]) -> str:
    parameters = yaml.safe_dump(
        {'jupyter': header}, sort_keys=False, allow_unicode=True, width=10_000, default_flow_style=None
    )
    parts = ['\n'.join(['# ---', *(f'# {line}' for line in parameters.splitlines()), '# ---'])]
    for step, (asked, code) in zip(experiment.steps, cells, strict=True):
        modules = ' & '.join(step.modules)
        more = f' tolerance={step.tolerance}' if step.tolerance else ''
        more += f' absolute={step.absolute}' if step.absolute else ''
        more += ' list="true"' if step.listed else ''
        if step.answers:
            more += f' answer="{write_declaration(step.answers)}"'
        said = asked.replace(sentence(step.answers, experiment.language), '') if step.answers else asked
        lines = [f'# {line}'.rstrip() for line in said.strip().splitlines()]
        parts.append(
            '\n'.join(
                [
                    f'# %% [markdown] kind="{step.kind if experiment.typed else "general"}" modules="{modules}"{more}',
                    *lines,
                ]
            )
        )
        parts.append(f'# %%\n{code.strip()}')
    return '\n\n'.join(parts) + '\n'


def _doubts(parameters: Sequence[Parameter], texts: Sequence[StepText]) -> Iterator[str]:
    """Places where the question or the code does not follow a parameter."""
    for one in parameters:
        if one.kind in ('file', 'column', 'value') and not one.asked:
            yield f'{one.name} ({one.value}) stands in code and in no question'
    names = {str(one.value) for one in parameters if one.kind == 'column'}
    for number, text in enumerate(texts, start=1):
        tokens = tokens_of(text.code)
        for name, following in pairwise(tokens):
            if name.type == token.NAME and name.string in names and following.string == '=':
                yield f'step {number}: `{name.string}=` is a name in the code, too, which stays as it is'

"""A cell of a notebook: a question, or gold code with its stored outputs."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from cibench_eval.png import SIGNATURE
from cibench_eval.schema import CibenchError, Figure, StepKind, UpstreamGold, told

THOUGHT = '\n\nThought: '
"""What stands between a question and its gold thought."""
LABEL = re.compile(
    r'^(?![^\W_][\w ]*$|(?-i:[ \t]*[-*][ \t]+thought))(?:[^\S\n]|[#>*_•-])*'
    r'(?:gold )?(?:thoughts?|思考)(?: process|过程)?(?: ?[(（][^)）\n]*[)）])?'
    r'(?:[ *_#]*(?:[:：][*_]*|$)|[*_]+ | [-–—] )\s*',
    re.I | re.M,
)
"""The label of a gold thought as models and people write it: `**Gold thought:** `, `### Thought`, `思考：`."""
PNG_END = b'IEND\xaeB`\x82'


def with_thought(question: str, thought: str) -> str:
    """A question and its gold thought, which may be empty, as a cell has them."""
    return f'{question}{THOUGHT}{thought}' if thought else question


class EmptyGoldError(CibenchError):
    """The gold cell of the step `index` (from 0) lacks the output that the step's kind needs."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def source_of(raw: dict[str, Any]) -> str:
    """The source of a cell of notebook format 4, with line ends as Python's."""
    return re.sub('\r\n?', '\n', _joined(raw['source']))


@dataclass(frozen=True)
class NotebookCell:
    """A cell with its number in the notebook, counted from 1."""

    path: Path
    number: int
    type: Literal['markdown', 'code']
    source: str
    outputs: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path, number: int, raw: Any) -> NotebookCell:
        try:
            outputs = raw['outputs'] if raw['cell_type'] == 'code' else []
            cell = cls(path, number, raw['cell_type'], source_of(raw), outputs)
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
        mend = 'run the cell, let it show its answer, or change its step type'
        problem = f'no {output} output, but its step is {kind!r}; {mend}'
        raise EmptyGoldError(f'{self.path}: cell {self.number}: {problem}', index)

    @property
    def empty(self) -> bool:
        return not self.source.strip() and not self.outputs

    def question(self) -> tuple[str, str]:
        """The question and the gold thought, which may be empty."""
        question, *thoughts = self.source.strip().split(THOUGHT)
        if len(thoughts) > 1:
            self.fail(f'{len(thoughts)} times "Thought: " after a blank line; leave one')
        if not question.strip():
            self.fail('no question before the thought; write one')
        return question, ''.join(thoughts)

    def text(self) -> str | None:
        """The last stdout, result or display of text; None where there is none, or only white space."""
        texts = [text for _, text in told(filter(None, map(_text, self.outputs)))]
        return texts[-1] if texts and texts[-1].strip() else None

    def upstream(self) -> UpstreamGold | None:
        """Kind and output as OpenCompass's `load_experiment` reads them; None where it sees no output.

        It takes the first displayed PNG, else the last stdout or result, even if that is blank.
        """
        for output in self.outputs:
            if output['output_type'] == 'display_data' and 'image/png' in output['data']:
                return UpstreamGold(kind='vis', output=_joined(output['data']['image/png']))
        texts = [found[1] for found in map(_text, self.outputs) if found and found[0] != 'display_data']
        return UpstreamGold(kind='general', output=texts[-1]) if texts else None

    def figures(self) -> list[Figure]:
        """The displayed PNGs, then the PNGs of results."""
        return [
            self._decode(output['data']['image/png'])
            for kind in ('display_data', 'execute_result')
            for output in self.outputs
            if output['output_type'] == kind and 'image/png' in output['data']
        ]

    def _decode(self, encoded: str | list[str]) -> Figure:
        try:
            data = base64.b64decode(''.join(_joined(encoded).split()), validate=True)
        except (binascii.Error, ValueError, TypeError):
            self.fail('its image/png output is not base64; run the notebook again')
        if not (data.startswith(SIGNATURE) and PNG_END in data):
            self.fail('its image/png output is not a whole PNG; run the notebook again')
        return Figure.of(data)


def _joined(text: str | list[str]) -> str:
    """Text that notebook format 4 keeps as one string or as a list of lines."""
    joined = ''.join(text)
    joined.encode()  # JSON can spell a lone surrogate; it fails here rather than when the text is written
    return joined


def _require_outputs(outputs: list[dict[str, Any]]) -> None:
    """Access every field that is read later, so that a missing or mistyped one fails here."""
    for output in outputs:
        if output['output_type'] == 'stream':
            _joined(output['text'])
        elif output['output_type'] in ('display_data', 'execute_result'):
            for mime in {'text/plain', 'image/png'} & output['data'].keys():
                _joined(output['data'][mime])


def _text(output: dict[str, Any]) -> tuple[str, str] | None:
    """Type and text of an output on stdout, of a result or of a display; None for any other output."""
    kind = output['output_type']
    if kind == 'stream' and output.get('name') == 'stdout':
        return 'stdout', _joined(output['text'])
    data = output['data'] if kind in ('display_data', 'execute_result') else {}
    pictured = any(mime.startswith(('image/', 'application/vnd.jupyter.widget')) for mime in data)
    if 'text/plain' in data and (kind == 'execute_result' or not pictured):
        return kind, _joined(data['text/plain'])
    return None

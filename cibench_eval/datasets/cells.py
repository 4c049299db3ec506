"""A cell of a notebook: a question, or gold code with its stored outputs."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn

from cibench_eval.schema import CibenchError, Figure, StepKind, UpstreamGold

THOUGHT = '\n\nThought: '
PNG_START, PNG_END = b'\x89PNG\r\n\x1a\n', b'IEND\xaeB`\x82'


class EmptyGoldError(CibenchError):
    """A step whose kind needs an output has none in its gold cell; `index` is the step's, from 0."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


@dataclass(frozen=True)
class NotebookCell:
    """A question or gold code, with the number a person counts to in the notebook."""

    path: Path
    number: int
    type: Literal['markdown', 'code']
    source: str
    outputs: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path, number: int, raw: Any) -> NotebookCell:
        try:
            outputs = raw['outputs'] if raw['cell_type'] == 'code' else []
            cell = cls(path, number, raw['cell_type'], _joined(raw['source']), outputs)
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
        problem = f'no {output} output, but its step is {kind!r}; run the cell, or change its step type'
        raise EmptyGoldError(f'{self.path}: cell {self.number}: {problem}', index)

    @property
    def empty(self) -> bool:
        return not self.source.strip() and not self.outputs

    def question(self) -> tuple[str, str]:
        """Question and gold thought ('' where there is none)."""
        question, *thoughts = self.source.strip().split(THOUGHT)
        if len(thoughts) > 1:
            self.fail(f'{len(thoughts)} times "Thought: " after a blank line; leave one')
        if not question.strip():
            self.fail('no question before the thought; write one')
        return question, ''.join(thoughts)

    def text(self) -> str | None:
        """The last stdout or result, None where there is none but blanks."""
        texts = [text for output in self.outputs if (text := _text(output)) is not None]
        return texts[-1] if texts and texts[-1].strip() else None

    def upstream(self) -> UpstreamGold | None:
        """Kind and output as OpenCompass's `load_experiment` reads them off; None where it sees no output.

        The first PNG that was displayed, else the last stdout or result, blank or not.
        """
        displayed = [output['data'] for output in self.outputs if output['output_type'] == 'display_data']
        for data in displayed:
            if 'image/png' in data:
                return UpstreamGold(kind='vis', output=_joined(data['image/png']))
        texts = [text for output in self.outputs if (text := _text(output)) is not None]
        return UpstreamGold(kind='general', output=texts[-1]) if texts else None

    def figures(self) -> list[Figure]:
        """The PNGs that were displayed, then those that were results."""
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
        if not (data.startswith(PNG_START) and PNG_END in data):
            self.fail('its image/png output is not a whole PNG; run the notebook again')
        return Figure.of(data)


def _joined(text: str | list[str]) -> str:
    """Notebook format 4 keeps text as one string or as a list of its lines."""
    joined = ''.join(text)
    joined.encode()  # a lone surrogate, as JSON can spell it, is an error here and not when it is written
    return joined


def _require_outputs(outputs: list[dict[str, Any]]) -> None:
    """Touch what is read of the outputs later, so that what is missing or of another type shows up here."""
    for output in outputs:
        if output['output_type'] == 'stream':
            _joined(output['text'])
        elif output['output_type'] in ('display_data', 'execute_result'):
            for mime in {'text/plain', 'image/png'} & output['data'].keys():
                _joined(output['data'][mime])


def _text(output: dict[str, Any]) -> str | None:
    """What an output shows as text on stdout or as a result; None for any other output."""
    if output['output_type'] == 'stream' and output.get('name') == 'stdout':
        return _joined(output['text'])
    if output['output_type'] == 'execute_result' and 'text/plain' in output['data']:
        return _joined(output['data']['text/plain'])
    return None

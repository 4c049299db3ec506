"""Files of one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from cibench_eval.schema import CibenchError, problem

RowT = TypeVar('RowT', bound=BaseModel)


def read_rows(file: Path, kind: type[RowT]) -> Iterator[RowT]:
    """The rows of a file, in order; empty lines are none.

    Raises:
        CibenchError: it cannot be read, or a line is no such row.
    """
    try:
        lines = file.read_text(encoding='utf-8').split('\n')
    except (OSError, UnicodeDecodeError) as error:
        raise CibenchError(f'{file}: cannot be read ({error}); fetch it again') from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield kind.model_validate_json(line, strict=True)
            except ValidationError as error:
                raise CibenchError(f'{file}, line {number}: {problem(error)}; fetch it again') from error

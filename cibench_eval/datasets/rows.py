"""Files of one JSON object a line."""

from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from cibench_eval.schema import CibenchError, problem

RowT = TypeVar('RowT', bound=BaseModel)


def read_rows(file: Path, kind: type[RowT]) -> list[RowT]:
    """The rows of a file, in order; empty lines are skipped.

    Raises:
        CibenchError: the file cannot be read, or a line is no such row.
    """
    rows, problems = scan_rows(file, kind)
    if problems:
        raise CibenchError(problems[0])
    return rows


def scan_rows(file: Path, kind: type[RowT]) -> tuple[list[RowT], list[str]]:
    """The rows of a file that can be read, and one problem for each line that cannot, or for the whole file."""
    rows: list[RowT] = []
    problems: list[str] = []
    try:
        lines = file.read_text(encoding='utf-8-sig').split('\n')  # JSON may hold other ends of lines as they are
    except (OSError, UnicodeDecodeError) as error:
        return [], [f'{file}: cannot be read ({error}); fetch it again']
    for number, line in enumerate(lines, 1):
        try:
            rows += [kind.model_validate_json(line, strict=True)] if line.strip() else []
        except ValidationError as error:
            problems.append(f'{file}, line {number}: {problem(error)}; correct it, or fetch the file again')
    return rows, problems

"""JSON that may be damaged: what cannot be read is one line, which names the place, the cause and the mend."""

import json
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from cibench_eval.schema import CibenchError, Record, problem

RecordT = TypeVar('RecordT', bound=Record)


def read_record(path: Path, kind: type[RecordT], what: str, mend: str) -> RecordT | None:
    """The record in a JSON file, None where there is no such file; errors say `what` it should be.

    Raises:
        CibenchError: it cannot be read, or is malformed.
    """
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CibenchError(f'{path}: cannot be read ({error.strerror}); check its permissions') from error
    except ValidationError as error:
        raise CibenchError(f'{path}: no {what} ({problem(error)}); {mend}') from error


def cached_record(path: Path, kind: type[RecordT]) -> RecordT | None:
    """The record in a JSON file that can be made again, None where it is missing or malformed."""
    try:
        return kind.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def read_json(path: Path, mend: str) -> Any:
    """What a JSON file holds; `mend` says what to do where it cannot be read.

    Raises:
        CibenchError: it is not there, is no file, cannot be read, or is no JSON.
    """
    return parse_json(content_of(path, mend), str(path), mend)


def content_of(path: Path, mend: str) -> bytes:
    """The bytes of a file; a `CibenchError` where it is not there, is no file, or cannot be read."""
    if path.exists() and not path.is_file():
        raise CibenchError(f'{path}: is no file; {mend}')
    try:
        return path.read_bytes()
    except OSError as error:
        raise CibenchError(f'{path}: {error.strerror}; {mend}') from error


def parse_json(content: bytes, place: str, mend: str) -> Any:
    """What JSON says, a file's or a line's; `place` names it in the error, and `mend` says what to do about it.

    Raises:
        CibenchError: it is empty, not in UTF-8, no JSON, or nested too deep to be read.
    """
    try:
        return json.loads(content.decode('utf-8-sig'))
    except UnicodeDecodeError as error:
        cause = f'is not in UTF-8 (byte {error.start})'
    except ValueError as error:  # a JSONDecodeError, or a number of too many digits
        cause = f'is no JSON ({error})' if content.strip() else 'is empty'
    except RecursionError:
        cause = 'is nested too deep'
    raise CibenchError(f'{place}: {cause}; {mend}')


def is_flat(value: object, most: int) -> bool:
    """Whether at most so many lists and objects are in one another in what JSON says."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return most > 0 and all(is_flat(one, most - 1) for one in inner)

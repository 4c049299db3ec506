"""Files of JSON lines that grow by appending. A kill or a full disk leaves the last line torn; it does not count."""

from __future__ import annotations

import logging
import os
from pathlib import Path

logger = logging.getLogger(__name__)


def whole_lines(path: Path, *, mend: bool = False) -> list[bytes]:
    """The whole lines of a file, none where there is no file.

    Args:
        path: of the file.
        mend: cut a torn last line off, with a warning: nobody is writing it any more.
    """
    if not path.exists():
        return []
    data = path.read_bytes()
    end = data.rfind(b'\n') + 1
    if mend and end < len(data):
        logger.warning('%s: its last line is torn (its writer was killed); cut off', path)
        os.truncate(path, end)
    return data[:end].splitlines()


def append_line(path: Path, line: str) -> None:
    """Append a line; it is on the disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open('a', encoding='utf-8') as file:
        file.write(line + '\n')
        file.flush()
        os.fsync(file.fileno())

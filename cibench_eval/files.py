"""Files that a kill or a full disk leaves whole: written in one piece, or by lines of which a torn last one is none."""

from __future__ import annotations

import contextlib
import logging
import os
import uuid
from pathlib import Path

logger = logging.getLogger(__name__)


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file in one piece, in the place of the one that is there; its folder is made if need be.

    Whoever reads it meanwhile, or writes the same one, is not disturbed; what could not be written is not left behind.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f'.{uuid.uuid4().hex}.part')
    try:
        part.write_bytes(content.encode() if isinstance(content, str) else content)
        part.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


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

"""What a recorded result shows, read back from its text: predictions files of other programs have no more."""

from __future__ import annotations

import errno
import re
from pathlib import Path

from cibench_eval.evaluators.work import answers_of
from cibench_eval.schema import HarnessError, unicode_text

TITLE = '(stdout|stderr|execute_result|display_data|error):\n\n```\n'
IMAGES = r'(?:\n\n!\[fig-[0-9]*\]\([^\n]*\))*'
FIRST = re.compile(rf'(?:^|\n){TITLE}')
NEXT = re.compile(rf'\n```{IMAGES}\n\n{TITLE}')
LAST = re.compile(rf'\n```{IMAGES}\s*\Z')
"""Where the first block of a result begins, the next one, and where the last one ends."""
NAMED = re.compile(r'!\[fig-[0-9]*\]\(')
"""What stands before the path of a figure."""
LONGEST_NAME = 255
"""Bytes that the name of a file may have."""
FIGURE = re.compile(rf'{NAMED.pattern}(.*?)\)', re.DOTALL)


def answers(shown: str) -> list[str]:
    """What of a result may be the answer, as `Result.answers` has it."""
    texts = blocks(shown)
    results, printed = ([text for title, text in texts if title == name] for name in ('execute_result', 'stdout'))
    return answers_of(results, printed)


def blocks(shown: str) -> list[tuple[str, str]]:
    """The (title, text) of each output in a rendered result: `rendering.render`, backwards.

    Text may have back-ticks and titles in it. Only an output that has in it what stands between two blocks is cut
    there, into text that renders the same. A last block without its end (OpenCompass's interpreter takes the middle
    out of what is long) goes to the end.
    """
    start = FIRST.search(shown)
    if not start:
        return []
    end = LAST.search(shown, start.end() - 1)
    body = shown[start.end() : max(start.end(), end.start() if end else len(shown))]
    first, *others = NEXT.split(body)
    return list(zip([start[1], *others[::2]], [first, *others[1::2]], strict=True))


def figure_files(names: list[str], figures: Path) -> list[Path]:
    """The files of figures by their paths, each once, without those that no file can have.

    Raises:
        HarnessError: one is gone.
    """
    return [locate(Path(name), figures) for name in dict.fromkeys(names) if names_file(name)]


def figure_names(shown: str) -> list[str]:
    """The paths of figures in a result: each to the next or the end of its line or, where none ends so, to its first
    parenthesis.

    The time is that of the text's length: nothing is looked for that is not there.
    """
    lines = [line for line in shown.split('\n') if line.endswith(')')]
    whole = [name.rpartition(')')[0] for line in lines for name in NAMED.split(line)[1:]]
    return whole or FIGURE.findall(shown[: shown.rfind(')') + 1])


def locate(path: Path, figures: Path) -> Path:
    """A figure's file, in the figures folder where its own path is gone.

    Raises:
        HarnessError: it is there neither.
    """
    for place in (path, figures / path.name):
        if _is_file(place):
            return place
    raise HarnessError(f'figure {path} is gone, and {figures} has no {path.name}; put the run folder together again')


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def names_file(path: str) -> bool:
    """Whether a file can have this path: its name is not empty, not too long, and text that a file system takes."""
    name = Path(path).name
    return 0 < len(unicode_text(name).encode()) <= LONGEST_NAME and '\0' not in path and unicode_text(path) == path


def quoted(text: str) -> str:
    """An answer, for a detail."""
    return f'answer {text[:200]!r}'

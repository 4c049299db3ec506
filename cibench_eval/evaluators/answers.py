"""Read a recorded result back from its text: predictions files of other programs have nothing else."""

import errno
import os
import re
from pathlib import Path

from cibench_eval.evaluators.work import StepWork, answers_of
from cibench_eval.schema import HarnessError, told, unicode_text

TITLE = '(stdout|stderr|execute_result|display_data|error):\n\n```\n'
IMAGES = r'(?:\n\n!\[fig-[0-9]*\]\([^\n]*\))*'
FIRST = re.compile(rf'(?:^|\n){TITLE}')
NEXT = re.compile(rf'\n```{IMAGES}\n\n{TITLE}')
LAST = re.compile(rf'\n```{IMAGES}\s*\Z')
"""The beginning of a result's first block, of a next one, and the end of the last one."""
NAMED = re.compile(r'!\[fig-[0-9]*\]\(')
"""The mark before the path of a figure."""
LONGEST_NAME = 255
"""Most bytes of a file's name."""
LARGEST = 100_000_000
"""Most bytes of a figure's file."""
FIGURE = re.compile(rf'{NAMED.pattern}(.*?)\)', re.DOTALL)


def answers(shown: str) -> list[str]:
    """`CallResult.answers` of a rendered result."""
    return answers_of(told(blocks(shown)))


def blocks(shown: str) -> list[tuple[str, str]]:
    """The (title, text) of each output in a rendered result: the inverse of `rendering.render`.

    Text may contain back-ticks and titles. Only an output that contains the text between two blocks is cut there, into
    parts that render the same. A last block without its end (OpenCompass's interpreter cuts the middle out of long
    results) goes to the end.
    """
    start = FIRST.search(shown)
    if not start:
        return []
    end = LAST.search(shown, start.end() - 1)
    body = shown[start.end() : max(start.end(), end.start() if end else len(shown))]
    first, *others = NEXT.split(body)
    return list(zip([start[1], *others[::2]], [first, *others[1::2]], strict=True))


def figure_files(names: list[str], work: StepWork) -> list[Path]:
    """The files at the paths of figures, each once, without paths that no file can have.

    Raises:
        HarnessError: a file is gone, or where the work may not name one.
    """
    return [locate(Path(name), work) for name in dict.fromkeys(names) if names_file(name)]


def figure_names(shown: str) -> list[str]:
    """The paths of figures in a result, in time linear in its length.

    A path ends before the last parenthesis of its line or before the next figure; if no line ends in a parenthesis, at
    the first one.
    """
    lines = [line for line in shown.split('\n') if line.endswith(')')]
    whole = [name.rpartition(')')[0] for line in lines for name in NAMED.split(line)[1:]]
    return whole or FIGURE.findall(shown[: shown.rfind(')') + 1])


def locate(path: Path, work: StepWork) -> Path:
    """A figure's file, or the file of its name in the figures folder; a `HarnessError` where neither is to be had.

    Nothing is opened at a path that may not lead out of a folder, and does.
    """
    led = Path(os.path.realpath(path))  # a loop of links is no error here
    outside = work.within is not None and not led.is_relative_to(work.within.resolve())
    for place in ([] if outside else [path]) + [work.figures / path.name]:
        if _is_file(place):
            return place
    why = 'leads out of the run folder, which `cibench trust` allows' if outside else 'is gone'
    raise HarnessError(f'figure {path} {why}, and {work.figures} has no {path.name}; put the run folder together again')


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        return False


def names_file(path: str) -> bool:
    """Whether a file can have this path: its name is not empty, not too long, and valid text."""
    name = Path(path).name
    return 0 < len(unicode_text(name).encode()) <= LONGEST_NAME and '\0' not in path and unicode_text(path) == path


def quoted(text: str) -> str:
    """Quote an answer for a detail."""
    return f'answer {text[:200]!r}'

"""Rules for the names of models, datasets and agents, which are names of files and Slurm jobs, too."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

LONGEST = 180
"""Most bytes of a part between slashes: a file name has 255, and suffixes, epochs and agents are added to it."""
LONGEST_AGENT = 60
SHOWN = 60
"""Most characters of a value in a message."""
WHOLE = 1000
"""Most bytes of a whole name."""
SPECIAL = frozenset('\'"`\\$*?{}<>|;')
"""Characters with a special meaning in shells (which start Slurm jobs) or in configs."""
FORMULAS = ('-', '=', '+', '@')
"""What begins an option of a command, or a formula in a spreadsheet that opens a table of names."""
OF_FILES = ('.json', '.jsonl', '.out', '.unfinished', '.lock')
"""Suffixes of files in a run folder."""


def name_problem(abbr: Any, *, folders: bool = False, longest: int = LONGEST) -> str:
    """Why a value cannot be a name, in words; empty if it can.

    With `folders` it may have slashes; each part has at most `longest` bytes.
    """
    if not isinstance(abbr, str):
        return f'is {abbr!r}; it must be a text: {str(abbr)!r}'
    parts = abbr.split('/')
    if len(parts) > 1 and not folders:
        return f'is {short(abbr)}; it cannot have a slash'
    if not all(parts) or {'.', '..'} & set(parts):
        return f'is {short(abbr)}, which is no name of a file; give it a name'
    if wrong := next((sign for sign in abbr if sign in SPECIAL or unicodedata.category(sign)[0] == 'C'), ''):
        return f'is {short(abbr)}; it cannot have {wrong!r}: files and Slurm jobs are called by it'
    if abbr != abbr.strip() or abbr.startswith(FORMULAS):
        return f'is {short(abbr)}; it cannot begin with a blank or one of {" ".join(FORMULAS)}, nor end with a blank'
    if (size := max(len(part.encode()) for part in parts)) > longest or len(abbr.encode()) > WHOLE:
        return f'is {short(abbr)}, {size} bytes long; files are called by it, so it may have {longest}'
    if wrong := next((part for part in parts if part.endswith(OF_FILES)), ''):
        return f'is {short(abbr)}; a file of a run ends like {wrong!r}'
    return ''


def repeated(abbrs: Iterable[Any]) -> list[str]:
    """The names that occur more than once."""
    return [abbr for abbr, times in Counter(abbr for abbr in abbrs if isinstance(abbr, str)).items() if times > 1]


def agent_problems(agents: Sequence[dict[str, Any]]) -> list[str]:
    """Errors if several agents do not have different names, which are joined with the names of models."""
    names = [agent.get('abbr') for agent in agents]
    found = []
    for index, name in enumerate(names if len(names) > 1 else []):
        if not name or name in names[:index]:
            problem = f'agents[{index}] has the abbr {name!r} of another' if name else f'agents[{index}] has no abbr'
            found.append(f'{problem}; with several agents each needs one of its own')
    return found


def short(value: Any) -> str:
    """A value, shortened for a message."""
    text = repr(value)
    return text if len(text) <= SHOWN else f'{text[: SHOWN - 20]}…{text[-10:]}'

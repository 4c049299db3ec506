"""What the documentation lets its readers write."""

import re

from tests.support.notebooks import REPO

BLOCK = re.compile(r'^```\w*\n(.*?)^```', re.MULTILINE | re.DOTALL)


def file_in(page: str, name: str) -> str:
    """The block of a page of `docs/` whose first line is a comment with the file's name."""
    (found,) = (one for one in BLOCK.findall((REPO / 'docs' / page).read_text()) if one.startswith(f'# {name}'))
    return str(found)

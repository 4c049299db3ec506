"""Templates -> pages. All text is escaped, and a policy names the one script that can run by its hash."""

import base64
import functools
import hashlib
from dataclasses import replace
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cibench_eval.reports.layout import Table
from cibench_eval.schema import unicode_text
from cibench_eval.terminal import visible
from cibench_eval.viewer.filters import code, cut, data, name, question

HEADLINE = ('Avg', 'Whole')
"""Columns that come after the names of rows, where a narrow screen shows them, too."""
BLANK = ('', '–', '·')
"""Cells that say nothing."""
POLICY = (
    "default-src 'none'; script-src '{script}'; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; "
    "form-action 'none'"
)
"""The policy of a page. `file:` is for browsers that give pages from disk an opaque origin."""
SINGLE_POLICY = "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'"
"""The policy of a page that is one file."""


def for_page(table: Table) -> Table:
    """A table without columns that have no value, its headline after the names of rows."""
    full = [line for line in table.lines if len(line) == len(table.header)]
    kept = [n for n in range(len(table.header)) if not n or any(line[n].text not in BLANK for line in full)]
    kept.sort(key=lambda n: (n > 0, table.header[n] not in HEADLINE))
    lines = [[line[n] for n in kept] if len(line) == len(table.header) else line for line in table.lines]
    return replace(table, header=[table.header[n] for n in kept], lines=lines)


def asset(name: str) -> str:
    return (resources.files(__package__) / 'assets' / name).read_text(encoding='utf-8')


@functools.cache
def _script(name: str) -> str:
    """The script of a kind of page, after the common one."""
    return f'{asset("common.js")}\n{asset(name)}'


def _digest(text: str) -> str:
    return f'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'


@functools.cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__ or ''),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {'cut': cut, 'code': code, 'data': data, 'name': name, 'question': question, 'visible': visible}
    made.globals['headline'] = HEADLINE
    return made


def page(template: str, script: str, style: str = '', **values: Any) -> str:
    """A page from its template and its script; with a `style` it is one file, which needs no other."""
    text, form = _script(script), SINGLE_POLICY if style else POLICY
    policy = form.format(script=_digest(text), style=_digest(style))
    made = _environment().get_template(template)
    return unicode_text(made.render(script=Markup(text), style=Markup(style), policy=policy, **values))

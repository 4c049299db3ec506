"""Templates -> pages. All text is escaped; the one script of a page is named by its hash, and no other can run."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from cibench_eval.rendering import shorten
from cibench_eval.schema import unicode_text
from cibench_eval.terminal import visible
from cibench_eval.viewer.highlight import highlighted

LONGEST = 20_000
"""Characters of a text that a page shows: its head and its tail."""
CUT = '\n[… {{left_out}} characters left out; the whole: {command} …]\n'
POLICY = '; '.join(
    [
        "default-src 'none'",
        "script-src '{script}'",
        "style-src 'self' file:",
        "img-src 'self' file:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)
"""Of a page. `file:` is for browsers to which a page from disk is nobody's."""
SINGLE_POLICY = "default-src 'none'; script-src '{script}'; style-src '{style}'; base-uri 'none'; form-action 'none'"
"""Of a page that is one file."""


def asset(name: str) -> str:
    """A file of `assets/`."""
    return (resources.files(__package__) / 'assets' / name).read_text(encoding='utf-8')


@functools.cache
def page_script(name: str) -> tuple[Markup, str]:
    """The script of a kind of page, with what all pages share, and the policy that lets it run alone."""
    code = _script(name)
    return Markup(code), POLICY.format(script=_digest(code))


def _script(name: str) -> str:
    return f'{asset("common.js")}\n{asset(name)}'


def _digest(text: str) -> str:
    """By which a policy names a text."""
    return f'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'


def cut(text: str, command: str) -> str:
    """A text as pages show it: not too long, and with nothing in it that cannot be seen."""
    return visible(shorten(text, LONGEST, mark=CUT.format(command=command)))


def code(text: str, command: str) -> Markup:
    """The same for code, with its words marked."""
    return highlighted(cut(text, command))


def data(value: Any) -> Markup:
    """JSON that can stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'))
    return Markup(text.replace('<', '\\u003c').replace('\u2028', '\\u2028').replace('\u2029', '\\u2029'))


@functools.cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader(__package__ or ''),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {'cut': cut, 'code': code, 'data': data, 'visible': visible}
    return made


def page(template: str, script: str, **values: Any) -> str:
    """A page from its template and the script that belongs to it."""
    source, policy = page_script(script)
    return unicode_text(_environment().get_template(template).render(script=source, policy=policy, **values))


def single_page(template: str, script: str, **values: Any) -> str:
    """A page with its style in it, so that it is one file."""
    source, style = _script(script), asset('style.css')
    policy = SINGLE_POLICY.format(script=_digest(source), style=_digest(style))
    made = _environment().get_template(template)
    return unicode_text(made.render(script=Markup(source), style=Markup(style), policy=policy, **values))

"""Secrets stand in the environment: none is taken in a config, and what an endpoint quotes of one is masked."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

MASK = '[key]'
VARIABLE = re.compile(r'[A-Za-z_]\w*', re.ASCII)
LONG = 20
"""A word of this length or more, with a digit and a small letter, that names no variable here is taken for a key."""
QUOTED = (
    # A header with what it held: as a line, in JSON, in a list of pairs.
    re.compile(
        r'((?:authorization|api[-_]?key|auth-token|cookie)[\\"\']*\s*[:=,]\s*b?[\\"\']*(?:(?:bearer|basic|token)\s+)?)'
        r'[^\s\\"\',;&}]{6,}',
        re.IGNORECASE,
    ),
    re.compile(r'(\b(?i:bearer|basic)\s+)(?=\S*(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{8,}'),
    re.compile(r'([?&][\w.-]+=)[^&\s"\'<>]+'),  # the values of an address
    re.compile(r'(//)[^/\s@"\']+(?=@)'),  # its user
    re.compile(r'()\b(?:sk|pk|rk|gsk|xai|nvapi|hf)[-_][\w-]{16,}'),
)
"""What looks like a secret in a text; the first group stays."""


def masked(text: str) -> str:
    """A text from anywhere without what looks like a secret in it."""
    for pattern in QUOTED:
        text = pattern.sub(rf'\1{MASK}', text)
    return text


def address_problem(base_url: str) -> str:
    """Why an address is refused, in words that show nothing of it; empty if it is not."""
    if '@' in base_url:
        return 'base_url has an @: leave user and password out; the API key is in the variable that `key` names'
    if '?' in base_url or '#' in base_url:
        return 'base_url has a ? or #: leave out what follows; the API key is in the variable that `key` names'
    return ''


def key_problem(key: str) -> str:
    """Why `key` cannot be the name of an environment variable, in words that do not show it; empty if it can."""
    words = '_' in key and masked(key) == key
    name = VARIABLE.fullmatch(key) and (
        words or key in os.environ or len(key) < LONG or key.isupper() or not re.search(r'\d', key)
    )
    return '' if name else "key must be the NAME of the environment variable with the API key, as in key='MY_API_KEY'"


def secret_problems(model: Mapping[str, Any]) -> list[str]:
    """What of a model's config may be a secret, in words that do not show it."""
    checks = {'base_url': address_problem, 'key': key_problem}
    found = (check(model[name]) for name, check in checks.items() if isinstance(model.get(name), str))
    return [problem for problem in found if problem]

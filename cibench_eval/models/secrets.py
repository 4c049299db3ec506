"""Secrets belong into the environment: configs with one are refused, and quotes of one are masked."""

import os
import re

MASK = '[key]'
VARIABLE = re.compile(r'[A-Za-z_]\w*', re.ASCII)
LONG = 20
"""Fewest characters of a word that is taken for a key, if it has a digit and a small letter and names no variable."""
QUOTED = (
    # A header with its value, as a line, in JSON or in a list of pairs.
    re.compile(
        r'((?:authorization|api[-_]?key|auth-token|cookie)[\\"\']*\s*[:=,]\s*b?[\\"\']*(?:(?:bearer|basic|token)\s+)?)'
        r'[^\s\\"\',;&}]{6,}',
        re.IGNORECASE,
    ),
    re.compile(r'(\b(?i:bearer|basic)\s+)(?=\S*(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{8,}'),
    re.compile(r'([?&][\w.-]+=)[^&\s"\'<>]+'),  # values in an address
    re.compile(r'(//)[^/\s@"\']+(?=@)'),  # user and password in an address
    re.compile(r'()\b(?:sk|pk|rk|gsk|xai|nvapi|hf)[-_][\w-]{16,}'),
)
"""Patterns of secrets in a text; the first group stays."""


def masked(text: str) -> str:
    """Replace what looks like a secret."""
    for pattern in QUOTED:
        text = pattern.sub(rf'\1{MASK}', text)
    return text


def address_problem(base_url: str) -> str:
    """Why an address is refused, without showing it; empty if it is not refused."""
    if '@' in base_url:
        return 'base_url has an @: leave user and password out; the API key is in the variable that `key` names'
    if '?' in base_url or '#' in base_url:
        return 'base_url has a ? or #: leave out what follows; the API key is in the variable that `key` names'
    return ''


def key_problem(key: str) -> str:
    """Why `key` cannot be the name of an environment variable, without showing it; empty if it can."""
    words = '_' in key and masked(key) == key
    name = VARIABLE.fullmatch(key) and (
        words or key in os.environ or len(key) < LONG or key.isupper() or not re.search(r'\d', key)
    )
    return '' if name else "key must be the NAME of the environment variable with the API key, as in key='MY_API_KEY'"

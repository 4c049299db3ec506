"""What may be a secret in a model's config, of whatever class: configs are written into run folders."""

import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from cibench_eval.config.signatures import is_imported
from cibench_eval.models.secrets import address_problem, key_problem

KEY = re.compile(
    r'([\w-]*[-_])?(api|access|secret)?keys?|([\w-]*[-_])?(secret|password)(_id)?|([\w-]*auth[-_])?token|authorization',
    re.IGNORECASE,
)
ADDRESS = re.compile(r'(\w*_)?(url|base|proxy|proxies)s?', re.IGNORECASE)
"""Names of arguments, at whatever depth."""
NAME = re.compile(r'[A-Z]*|[A-Z][A-Z\d]*(_[A-Z\d]+)+')
"""Names of environment variables, as they are written: ENV, MY_API_KEY."""
WRITTEN = "the run folder would hold it; write 'ENV' if the class reads the environment then, else take a class of"


def problems_of(model: Mapping[str, Any]) -> list[str]:
    """Complain about what may be a secret in a model's config, without showing it."""
    if not is_imported(str(model.get('type'))):
        return [*_inside(model)]
    checks = {'base_url': address_problem, 'key': key_problem}
    own = (check(model[name]) for name, check in checks.items() if isinstance(model.get(name), str))
    rest = {name: value for name, value in model.items() if name not in checks}
    return [*filter(None, own), *_inside(rest)]


def _inside(part: Mapping[str, Any]) -> Iterator[str]:
    for name, value in part.items():
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, Mapping):
                yield from _inside(one)
            elif isinstance(one, str) and KEY.fullmatch(name) and not (NAME.fullmatch(one) or one in os.environ):
                yield f"{name} may be a secret, and {WRITTEN} cibench_eval.models, with key='MY_API_KEY'"
            elif isinstance(one, str) and ADDRESS.fullmatch(name) and (problem := address_problem(one)):
                yield f'{name} {problem.removeprefix("base_url ").partition(";")[0]}'

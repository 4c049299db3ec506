"""Steps that are scored on labels which no code sees: `held_out/` beside `datasources/`.

A notebook's metadata has an entry `{"labels": FILE, "metric": "mae", "bound": 12.5}` for such a step. FILE is a JSON
file in `held_out/` that holds the labels. This folder is never copied to a kernel.
"""

import json
import shutil
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from cibench_eval.schema import CibenchError, HeldOut, HeldOutMetric, problem

FOLDER = 'held_out'
ENTRY = f'{{"labels": a file in {FOLDER}/, "metric": {" or ".join(get_args(HeldOutMetric))}, "bound": a number}}'


def is_entry(entry: Any) -> bool:
    """Whether an entry of a notebook's metadata is valid; None stands for a step without held-out labels."""
    return entry is None or (
        isinstance(entry, dict)
        and entry.keys() == {'labels', 'metric', 'bound'}
        and isinstance(entry['labels'], str)
        and Path(entry['labels']).name == entry['labels']
        and entry['metric'] in get_args(HeldOutMetric)
        and type(entry['bound']) in (int, float)
    )


def copy_data(datasources: Path, to: Path) -> None:
    """Copy the data of a set, and the held-out labels beside them, into another."""
    for part in (datasources, datasources.parent / FOLDER):
        if part.is_dir():
            shutil.copytree(part, to / part.name)


def read_held_out(entry: dict[str, Any], notebook: Path, datasources: Path | None) -> HeldOut:
    """The labels that an entry of a notebook's metadata names.

    Raises:
        CibenchError: the file is missing or malformed.
    """
    if datasources is None:
        raise CibenchError(f'{notebook}: no datasources/ above it; put {FOLDER}/ with its labels beside one')
    path = datasources.parent / FOLDER / entry['labels']
    try:
        labels = json.loads(path.read_text(encoding='utf-8'))['labels']
        return HeldOut(metric=entry['metric'], bound=entry['bound'], labels=labels)
    except OSError as error:
        raise CibenchError(f'{path}: cannot be read ({error.strerror}); {notebook} is scored on it') from error
    except ValidationError as error:
        raise CibenchError(f'{path}: no held-out labels ({problem(error)})') from error
    except (ValueError, KeyError, TypeError) as error:
        raise CibenchError(f'{path}: no held-out labels; it must be {{"labels": [a number or text, …]}}') from error

"""The metadata of a notebook: its language, its kernel environment, and annotations of its steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

from cibench_eval.datasets import held_out
from cibench_eval.datasets.declared import EXAMPLE, read_declaration
from cibench_eval.schema import Answer, CibenchError, Language, unicode_text


@dataclass(frozen=True)
class Metadata:
    """The metadata of a notebook."""

    language: Language | None
    environment: str | None
    version: str
    """The version of its set, empty where it states none."""
    lists: dict[str, list[Any]]
    """By key of `OF_STEPS`, one entry a step; empty where the notebook has no such list.

    `Step` says what they mean; `answers` are parsed.
    """

    @classmethod
    def read(cls, path: Path, raw: Any) -> Metadata:
        """Read the metadata of a notebook; a `CibenchError` that names `path` where an entry is malformed."""
        if not isinstance(raw, dict):
            raise CibenchError(f'{path}: its `metadata` is no mapping; save the notebook again with Jupyter')
        _check_spelling(path, raw)
        lists = {key: _entries(path, raw, key) for key in OF_STEPS}
        language, environment, version = (_stated(path, raw, key) for key in OF_NOTEBOOK)
        return cls(language, environment, version or '', {**lists, 'answers': _answers(path, lists['answers'])})

    def of_step(self, index: int) -> dict[str, Any]:
        """The entries of a step; None where the notebook has no such list."""
        return {key: entries[index] if entries else None for key, entries in self.lists.items()}

    def check_counts(self, path: Path, steps: int) -> None:
        """Raise a `CibenchError` where a list does not fit the number of steps, or their order."""
        counts = {key: len(entries) for key, entries in self.lists.items()}
        modules, kinds = counts['modules'], counts['step_types']
        if kinds and modules not in (0, kinds):
            given = f'metadata `modules` has {modules} entries and `step_types` {kinds}'
            raise CibenchError(f'{path}: {given}; give one of each a step')
        for key, count in counts.items():
            if count not in (0, steps):
                given = f'{steps} steps in the cells, {count} in metadata `{key}`'
                raise CibenchError(f'{path}: {given}; give {OF_STEPS[key][1]} a step')
        for number, entry in enumerate(self.lists['depends'], start=1):
            if late := [step for step in entry if step >= number]:
                given = f'metadata `depends` lets step {number} depend on step {late[0]}'
                raise CibenchError(f'{path}: {given}; name earlier steps alone')


def _check_spelling(path: Path, metadata: dict[str, Any]) -> None:
    """Raise a `CibenchError` where a field that this package reads is misspelt: it would count as absent."""
    known = [*OF_STEPS, *OF_NOTEBOOK]
    for key in metadata.keys() - known:
        if close := get_close_matches(key.lower().replace('-', '_'), known, 1, 0.85):
            raise CibenchError(f'{path}: metadata `{key}` is read by nothing; call it `{close[0]}`, or otherwise')


def _stated(path: Path, metadata: dict[str, Any], key: str) -> Any:
    valid, what = OF_NOTEBOOK[key]
    stated = metadata.get(key)
    if stated is not None and not valid(stated):
        raise CibenchError(f'{path}: metadata `{key}` is {stated!r}; it must be {what}')
    return stated


def _entries(path: Path, metadata: dict[str, Any], key: str) -> list[Any]:
    valid, each = OF_STEPS[key]
    entries = metadata.get(key) or []
    listed = isinstance(entries, list)
    wrong = [number for number, entry in enumerate(entries, start=1) if not valid(entry)] if listed else []
    if wrong or not listed:
        where = f' at step {wrong[0]}' if wrong else ''
        raise CibenchError(f'{path}: metadata `{key}` is malformed{where}; give a list with {each} a step')
    return entries


def _answers(path: Path, stated: list[str | None]) -> list[dict[str, Answer]]:
    found: list[dict[str, Answer]] = []
    for number, entry in enumerate(stated, start=1):
        try:
            found.append(read_declaration(entry) if entry else {})
        except ValueError as error:
            raise CibenchError(f'{path}: metadata `answers`, step {number}: {error}; write it {EXAMPLE}') from error
    return found


def _is_text(value: Any) -> bool:
    """Whether a value is a string that a file can hold: JSON can spell a lone surrogate, UTF-8 cannot."""
    return isinstance(value, str) and unicode_text(value) == value


def _is_tolerance(entry: Any) -> bool:
    if isinstance(entry, dict):
        return entry.keys() == {'absolute'} and _is_number(entry['absolute']) and 0 < entry['absolute'] < math.inf
    return entry is None or (_is_number(entry) and 0 <= entry < 1)


def _are_steps(entry: Any) -> bool:
    return isinstance(entry, list) and all(type(step) is int and step > 0 for step in entry)


def _is_number(entry: Any) -> bool:
    return type(entry) in (int, float)


OF_NOTEBOOK: dict[str, tuple[Callable[[Any], bool], str]] = {
    'language': (lambda entry: entry in get_args(Language), 'en or cn'),
    'kernel_environment': (_is_text, 'the name of one'),
    'set_version': (_is_text, 'a string'),
}
"""Entries for a whole notebook: what each must be, as a check and in words."""
OF_STEPS: dict[str, tuple[Callable[[Any], bool], str]] = {
    'step_types': (_is_text, 'one kind'),
    'modules': (_is_text, 'one string'),
    'tolerances': (_is_tolerance, 'a number from 0 to 1, {"absolute": a number above 0} or null'),
    'lists': (lambda entry: isinstance(entry, bool), 'true or false'),
    'answers': (lambda entry: entry is None or _is_text(entry), 'a declaration or null'),
    'depends': (_are_steps, 'a list of the numbers of earlier steps'),
    held_out.FOLDER: (held_out.is_entry, f'{held_out.ENTRY} or null'),
}
"""Lists with an entry a step: what each entry must be, as a check and in words."""

"""What a long session has to keep in mind: states, where they come from, and what holds until further notice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from cibench_eval.sets.long.changes import Change, rows_after
from cibench_eval.sets.long.definitions import AskedFigure, Definition, Index, World, used
from cibench_eval.sets.long.domains import Row
from cibench_eval.sets.long.words import STATES, DoubtfulError

DefinitionT = TypeVar('DefinitionT', bound=Definition)
MAIN = 'main'
"""The name of the line of states that a session begins on."""


@dataclass(frozen=True)
class Version:
    definition: Definition
    step: int


@dataclass(frozen=True)
class TableState:
    """The table, as the changes of the one that was loaded, and all definitions."""

    loaded: Sequence[Row] = field(repr=False)
    changes: Mapping[int, Change]
    """By the step that told each, in the order in which they apply."""
    versions: Mapping[str, Version]

    @cached_property
    def world(self) -> World:
        return World(
            rows_after(self.loaded, self.changes), {name: one.definition for name, one in self.versions.items()}
        )

    def defining(self, versions: Mapping[str, Version]) -> TableState:
        return TableState(self.loaded, self.changes, {**self.versions, **versions})

    def changed(self, changes: Mapping[int, Change]) -> TableState:
        return TableState(self.loaded, changes, self.versions)

    def without(self, step: int) -> TableState:
        return self.changed({told: change for told, change in self.changes.items() if told != step})

    def all_of(self, kind: type[DefinitionT]) -> dict[str, DefinitionT]:
        """The definitions of a kind, in the order in which they were first told."""
        return {name: one.definition for name, one in self.versions.items() if isinstance(one.definition, kind)}

    @property
    def asked(self) -> dict[str, AskedFigure | Index]:
        """What can be asked for: its figures, then its indices."""
        return {**self.all_of(AskedFigure), **self.all_of(Index)}

    def sources(self, names: Sequence[str]) -> set[int]:
        """The steps that told what some figures are made of.

        Raises:
            DoubtfulError: a definition refers to one that this state does not have.
        """
        try:
            found = used(names, {name: one.definition for name, one in self.versions.items()})
        except KeyError as error:
            raise DoubtfulError from error
        return {self.versions[name].step for name in found} | set(self.changes)


@dataclass(frozen=True)
class Wish:
    """What holds for answers until it is taken back."""

    step: int
    figure: str = ''
    """The figure or index that is given in thousands."""
    role: str = ''
    value: str = ''
    """The value that is left out of answers by this column."""


@dataclass(frozen=True)
class Promise:
    """A number that gets another value when something next happens."""

    when: str
    """`late`: a late file comes; `back`: the session goes back to a saved state."""
    name: str
    value: float


@dataclass(frozen=True)
class Memory:
    """A session at the end of a step."""

    now: TableState
    onward: TableState
    """What somebody has in mind who never goes back."""
    unkept: TableState
    """What somebody has in mind who keeps no promise."""
    history: tuple[TableState, ...] = ()
    """The state at the end of each step; the first is of step 1."""
    saved: Mapping[str, tuple[TableState, int]] = field(default_factory=dict)
    """Name -> state, and the step at whose end it was saved."""
    lines: Mapping[str, tuple[TableState, int]] = field(default_factory=dict)
    """Lines that are not worked on: name -> state, and the step that left it."""
    line: str = MAIN
    wishes: tuple[Wish, ...] = ()
    promises: tuple[Promise, ...] = ()
    closed: tuple[str, ...] = ()
    """Lines that are no more."""
    answer: object = None
    asked: tuple[tuple[int, str], ...] = ()
    """The steps so far, each with the figure or index that it asked for."""
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def first(self) -> TableState:
        """The memory of somebody who takes in no amendment: each definition as it was first told."""
        told: dict[str, Version] = {}
        for state in (*self.history, self.now):
            for name, one in state.versions.items():
                told.setdefault(name, one)
        return self.now.defining({name: told[name] for name in self.now.versions})

    @property
    def returned(self) -> set[str]:
        """The names that came back after they were gone, so that their first definition did not last."""
        found: set[str] = set()
        gone: set[str] = set()
        there: set[str] = set()
        for state in self.history:
            gone |= there - state.versions.keys()
            found |= gone & state.versions.keys()
            there = {*state.versions}
        return found

    @property
    def names(self) -> set[str]:
        return {name for state in (*self.history, self.now) for name in state.versions}

    @property
    def free_names(self) -> list[str]:
        """Names that no state and no line has had yet."""
        return [name for name in STATES if name not in {*self.saved, self.line, *self.lines, *self.closed}]

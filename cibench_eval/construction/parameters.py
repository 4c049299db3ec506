"""What a template leaves open, so that data and questions can be filled in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Kind = Literal['file', 'column', 'value', 'number']


@dataclass
class Parameter:
    """What a template leaves open.

    Args:
        name: of it in the template.
        kind: what it is.
        value: that of the experiment.
        step: of a number, the step that it stands in, from 0; else None.
    """

    name: str
    kind: Kind
    value: Any
    step: int | None = None
    asked: set[int] = field(default_factory=set)
    """Steps whose question or thought has it, from 1."""
    coded: set[int] = field(default_factory=set)
    """Steps whose code has it."""

"""The commands of `cibench`, a file each, named as the command is."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from cibench_eval import terminal
from cibench_eval.terminal import say

if TYPE_CHECKING:
    from rich.console import Console

UNBROKEN = 10_000
"""Columns of a console where the output is piped."""


def new_app(**options: Any) -> typer.Typer:
    """A command, or a group of them, whose help is plain text of 80 columns."""
    return typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False, **options)


def files_of(package: str, commands: Mapping[str, str]) -> type[TyperGroup]:
    """A group of commands. Each is a file of `package`, which is imported when the command is called.

    A file has the function of its name (`list_` where Python has that), or an `app` of several.

    Args:
        package: dotted name of the package.
        commands: names of the files, and what the group's help says of each. So help needs to import none. Where the
            interpreter is installed alone, some of them are not there.
    """
    commands = {name: says for name, says in commands.items() if find_spec(f'{package}.{name}')}

    class Files(TyperGroup):
        def __init__(self, **options: Any) -> None:
            super().__init__(**options)
            # For errors, which suggest the nearest name.
            self.commands = dict.fromkeys(commands)  # type: ignore[assignment]

        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in commands:
                return None
            module = vars(importlib.import_module(f'{package}.{cmd_name}'))
            if (app := module.get('app')) is None:
                app = new_app()
                app.command(cmd_name)(module.get(cmd_name) or module[f'{cmd_name}_'])
            return typer.main.get_command(app)

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section('Commands'):
                formatter.write_dl(list(commands.items()))

    return Files


def log(line: str) -> None:
    """Write a line on progress to standard error; the answer of a command goes to standard output."""
    say(line, error=True)


def new_console() -> Console:
    """Standard output for tables: as wide as a terminal; where it is piped, so wide that no line is broken."""
    return terminal.new_console(width=None if sys.stdout.isatty() else UNBROKEN)

"""What the commands share that ask a model: its options, and the question whether to go on."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.construction.asking import Writer
from cibench_eval.construction.costs import CostEstimate, line_of
from cibench_eval.schema import CibenchError

Model = Annotated[str, typer.Option(metavar='NAME', help='File in configs/models, or a path.')]
PromptFolder = Annotated[
    Path | None, typer.Option('--prompts', metavar='DIR', help='Prompts of your own.', show_default='ours')
]
Tries = Annotated[int, typer.Option(metavar='N', min=1, help='Replies asked for until one can be read.')]
Yes = Annotated[bool, typer.Option('--yes', '-y', help='Ask the model without asking you first.')]
DryRun = Annotated[bool, typer.Option('--dry-run', help='Show what it would cost, and stop.')]


def wants(estimate: CostEstimate | None, writer: Writer, yes: bool, dry_run: bool) -> bool:
    """Show what is to be asked and what it costs, and whether to go on.

    Raises:
        CibenchError: the model lacks its key, or something else; nobody is there to be asked, and there is no `--yes`.
    """
    if estimate:
        log(line_of(estimate, writer))
    writer.ledger.refresh()
    if writer.ledger.tokens:
        log(f'so far: {writer.ledger.text}')
    if dry_run:
        return False
    if not (estimate and estimate.most.requests):
        return True
    writer.check()
    if yes:
        return True
    if not sys.stdin.isatty():
        raise CibenchError('construct: no terminal to ask whether this may be paid for; give --yes, or --dry-run')
    return typer.confirm('Go on?', err=True)


def range_of(text: str, least: int, error: str) -> tuple[int, int]:
    """The ends of a range, `A-B` or `A`; an `error` where it is none, or begins below `least`."""
    first, _, last = text.partition('-')
    if not (first.isdecimal() and (last or first).isdecimal() and least <= int(first) <= int(last or first)):
        raise CibenchError(error)
    return int(first), int(last or first)


def paid(writer: Writer) -> None:
    """Say what the construction has used so far."""
    writer.ledger.refresh()
    log(f'replies: {writer.asked}; paid for so far: {writer.ledger.text}')

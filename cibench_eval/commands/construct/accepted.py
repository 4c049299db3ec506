"""`cibench construct accepted`: what a person has accepted, as a set of its own."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import new_console
from cibench_eval.reports.construct_tables import review_table
from cibench_eval.schema import CibenchError


def accepted(
    folder: Annotated[Path, typer.Argument(metavar='SET', help='That was reviewed.')],
    to: Annotated[Path | None, typer.Option(metavar='DIR', help='New folder for what is accepted.')] = None,
) -> int:
    """Show how far the review of a set is, and copy the experiments whose steps are all accepted.

    A step that has changed since it was accepted is not reviewed. Exit code 1 where not every step is accepted.
    """
    from cibench_eval.construction.review import Reviews, copy_accepted, review_counts
    from cibench_eval.sets.checking.static import load_set

    if not folder.is_dir():
        raise CibenchError(f'{folder}: no such folder; give that of a set')
    load_set(folder, folder.name, described=False).check_readable()
    reviews = Reviews(folder)
    counts = review_counts(folder, reviews)
    if to:
        copy_accepted(folder, to, counts)
    new_console().print(review_table(counts))
    return int(not all(one.done for one in counts))

"""The first page of a report: tables, charts, and the list of all steps."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from cibench_eval.reports.rows import DatasetResult, Row, aggregate
from cibench_eval.reports.summary import LEGEND, WHOLE_LEGEND, by_split, footnotes, marks, used
from cibench_eval.reports.tables import FURTHER, tables_of
from cibench_eval.run.run_folder import results_of
from cibench_eval.viewer.cases import ReportedRun
from cibench_eval.viewer.drawings import Drawings
from cibench_eval.viewer.listing import Listing
from cibench_eval.viewer.pages import for_page, page

MOST_NAMED = 3
"""The largest number of models that a title names."""


def results_by_profile(runs: list[ReportedRun]) -> dict[str, list[DatasetResult]]:
    """Profile -> the results of each model on each dataset; the runs' own profiles come first.

    A split that this profile has not scored, but another one has, is left out.
    """
    found: dict[str, list[DatasetResult]] = defaultdict(list)
    for run in runs:
        by_folder = [results_of(run.folder, folder) for folder in run.scored]
        folders = [(results, {one.results.profile for one in results if one.results}) for results in by_folder]
        scored = {one.split for results, _ in folders for one in results if one.results}
        for profile in dict.fromkeys(chain(*(sorted(profiles) for _, profiles in folders))):
            by_it = (results for results, profiles in folders if profile in profiles)
            own = [_by(profile, those) for those in zip(*by_it, strict=True)]
            others = scored - {one.split for one in own if one.results}
            found[profile] += [replace(one, model=run.labels[one.model]) for one in own if one.split not in others]
    return found


def _by(profile: str, those: Sequence[DatasetResult]) -> DatasetResult:
    """A dataset's result by a profile; where there is none, its first result, without scores."""
    by = (one for one in those if one.results and one.results.profile == profile)
    return next(by, replace(those[0], results=None))


def _part(profile: str, results: list[DatasetResult], listing: Listing) -> dict[str, Any]:
    """The tables and charts by a profile."""
    rows = by_split(aggregate(results))
    splits = [_tables(those) for those in rows]
    notes = dict.fromkeys(table.note for split in splits for table in split['first'] if table.note)
    legend = ' '.join([LEGEND, WHOLE_LEGEND, *notes, *marks([*chain(*rows)])])
    charts = Drawings(listing, profile, rows).charts()
    return {'name': profile, 'splits': splits, 'charts': charts, 'legend': legend}


def _tables(rows: list[Row]) -> dict[str, Any]:
    """The tables of a split: `first` are open, `further` are folded, as is what each model has used."""
    tables = [for_page(table) for table in tables_of(rows)]
    first = [table for number, table in enumerate(tables) if number == 0 or table.title == FURTHER]
    further = [table for table in tables if table not in first]
    return {'first': first, 'further': further, 'notes': footnotes(rows), 'used': used(rows)}


def _title(listing: Listing) -> str:
    """What was run: the splits, and the models or their number."""
    labels = listing.labels
    models = ', '.join(labels) if len(labels) <= MOST_NAMED else f'{len(labels)} models'
    return f'{", ".join(dict.fromkeys(one.split for one in listing.sessions))}: {models}'


def overview_page(runs: list[ReportedRun], listing: Listing, results: dict[str, list[DatasetResult]]) -> str:
    """The overview of a report, whose sessions are in `listing`."""
    profiles = list(results) or ['']
    return page(
        'overview.html',
        'overview.js',
        title=_title(listing),
        runs=runs,
        listing=listing,
        parts=[_part(profile, those, listing) for profile, those in results.items()],
        content=listing.content(profiles),
    )

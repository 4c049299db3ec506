"""Run folders -> a report: a folder of pages and figures that a browser opens from disk."""

import re
import shutil
from pathlib import Path

from cibench_eval.files import write_whole
from cibench_eval.run.run_folder import say_unfinished
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import Log, OnProgress
from cibench_eval.viewer.cases import Case, cases_of, runs_of
from cibench_eval.viewer.figures import FigureStore
from cibench_eval.viewer.listing import Listing
from cibench_eval.viewer.overview_page import overview_page, results_by_profile
from cibench_eval.viewer.pages import asset
from cibench_eval.viewer.session_page import columns_of, session_page

MARK = '<meta name="generator" content="cibench view">'
"""A mark of our own overviews; a folder that has one may be overwritten."""
UNFINISHED = f'<!doctype html><meta charset="utf-8">{MARK}<p>Not finished: run <code>cibench view</code> again.'
"""The overview of a report that is being written."""
PARTS = ('sessions', 'figures')


def write_report(
    folders: list[Path],
    out: Path,
    log: Log = lambda line: None,
    progress: OnProgress | None = None,
) -> Path:
    """Write the report of some run folders into `out`, over an earlier report, and return the page to open.

    `log` gets a line for each thing that cannot be shown; the package's log names the sessions that are not finished.
    `progress` is called after each page with its experiment.

    Raises:
        CibenchError: a folder is no run or has no finished session, or `out` holds something else.
    """
    runs = runs_of(folders)
    cases = cases_of(runs, log)
    results = results_by_profile(runs)
    say_unfinished(one for run in runs for one in run.datasets if not one.results())
    clear(out)
    write_whole(out / 'index.html', UNFINISHED)
    listing, store, names = Listing(), FigureStore(out / 'figures'), page_names(cases)
    (out / 'sessions').mkdir(parents=True, exist_ok=True)
    for number, (case, name) in enumerate(zip(cases, names, strict=True)):
        links = {'before': names[number - 1] if number else '', 'after': (names[number + 1 :] or [''])[0]}
        columns = columns_of(case, store)
        listing.add(case, columns, name)
        (out / 'sessions' / name).write_text(session_page(case, columns, store, links), encoding='utf-8')
        if progress:
            progress(number + 1, len(cases), case.experiment)
    write_whole(out / 'style.css', asset('style.css'))
    write_whole(out / 'index.html', overview_page(runs, listing, results))
    return out / 'index.html'


def clear(out: Path) -> None:
    """Delete an earlier report; a `CibenchError` where the folder has files that are no report."""
    index = out / 'index.html'
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    if not index.is_file() or MARK not in index.read_text(encoding='utf-8', errors='replace')[:2000]:
        raise CibenchError(f'{out}: has files that are no report of cibench view; name another folder with --out')
    for part in PARTS:
        shutil.rmtree(out / part, ignore_errors=True)


def page_names(cases: list[Case]) -> list[str]:
    """A distinct file name for each case, from its split, mode and experiment."""
    found: dict[str, None] = {}
    for case in cases:
        name = re.sub(r'[^\w.-]+', '_', f'{case.split}.{case.mode}.{case.experiment}', flags=re.ASCII)[:120]
        number = 1
        while (unique := f'{name}{"" if number == 1 else f".{number}"}.html') in found:
            number += 1
        found[unique] = None
    return list(found)

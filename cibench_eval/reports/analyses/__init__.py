"""The paper's analyses (arXiv 2407.10499, §4): functions from runs to a table and a figure."""

from collections.abc import Callable

from cibench_eval.reports.analyses.correlations import benchmarks, measures
from cibench_eval.reports.analyses.cost import cost
from cibench_eval.reports.analyses.differences import language, oracle_gain
from cibench_eval.reports.analyses.errors import errors
from cibench_eval.reports.analyses.forecasts import forecasts
from cibench_eval.reports.analyses.parts import attempts, categories, difficulty, distance, leaning, places, unbroken
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns
from cibench_eval.reports.analyses.window import window

ANALYSES: dict[str, Callable[[StudiedRuns], Analysis]] = {
    made.__name__: made
    for made in (
        *(errors, attempts, measures, language, difficulty, places, distance, leaning, unbroken, forecasts),
        *(categories, benchmarks, oracle_gain, cost, window),
    )
}
"""Name -> function, which raises a `LackingError` with the reason if the runs lack something that it needs."""

__all__ = ['ANALYSES', 'Analysis', 'LackingError', 'StudiedRuns']

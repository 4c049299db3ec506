"""Results files -> the tables, on the terminal and as Markdown and CSV."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.config.building import build, plain
from cibench_eval.config.recorded import SUMMARIZERS, require_trust
from cibench_eval.config.session_tasks import Run, SessionTask, run_of
from cibench_eval.evaluators import find_profile
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Usage
from cibench_eval.reports.groups import named_figures, read_groups, read_wanted
from cibench_eval.reports.rows import DatasetResult, aggregate, gaps_of
from cibench_eval.reports.summary import print_table, print_tables, to_csv, to_markdown
from cibench_eval.run_paths import SUMMARY, new_stamp
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import new_console


class CIBenchSummarizer:
    """The paper's table of a run: one table a split, one row a model; and the groups that the config names.

    Args:
        config: the run, or its whole config, with its `work_dir`.
        folder: where the tables go, by default `summary` in the work dir.
        dataset_abbrs, summary_groups: as OpenCompass's own summarizers take them (`reports/groups.py`).
        prompt_db: what OpenCompass's own summarizers take and do not use.
    """

    def __init__(
        self,
        config: Any,
        folder: str | None = None,
        dataset_abbrs: Sequence[Any] | None = None,
        summary_groups: Sequence[Any] = (),
        prompt_db: Any = None,
    ) -> None:
        self.run = config if isinstance(config, Run) else run_of(plain(config))
        self.folder = Path(folder) if folder else self.run.folder / SUMMARY
        self._groups = read_groups(summary_groups)
        self._wanted = read_wanted(dataset_abbrs)

    def summarize(self, time_str: str | None = None) -> None:
        """Print the tables and write `summary_<time>.md` and `.csv`."""
        results = self.results
        rows, wants_more = aggregate(results), self._groups or self._wanted is not None
        named = named_figures(results, self._groups, self._wanted) if wants_more else None
        stem = self.folder / f'summary_{time_str or new_stamp()}'
        more = '\n'.join(named.markdown()) if named else ''
        write_whole(stem.with_suffix('.md'), to_markdown(rows) + more)
        write_whole(stem.with_suffix('.csv'), to_csv(rows))
        print_tables(rows)
        if named:
            print_table(named, new_console())
        print(f'{stem}.md\n{stem}.csv')

    @cached_property
    def results(self) -> list[DatasetResult]:
        """The result of each model and dataset of the run."""
        return run_results(self.run)


def print_summary(run: Run, stamp: str | None = None, folder: Path | None = None) -> list[DatasetResult]:
    """Print and write the tables of a run with the summarizer that its config names; return their results.

    Args:
        stamp: of the files' names; None is now.
        folder: of the files; None is the run's own.
    """
    cfg = run.config['summarizer']
    config = run if cfg['type'] in SUMMARIZERS else run.config
    given = {'config': config, **({'folder': str(folder)} if folder else {})}
    made = build({**cfg, **given}, 'summarizer')
    made.summarize(time_str=stamp)
    return made.results if isinstance(made, CIBenchSummarizer) else run_results(run)


def run_results(run: Run, scored: str | None = None) -> list[DatasetResult]:
    """The result of each model and dataset of a run; `scored` is a folder of other results than its own."""
    return [_result(task, scored) for task in run.tasks]


def read_results(task: SessionTask, scored: str | None = None) -> Results | None:
    """The scores of a task's sessions, None if there are none; `scored` as in `run_results`.

    Raises:
        CibenchError: they cannot be read, or are by a profile of one's own that neither the config names nor the user,
            or that is not to be found from here.
    """
    path = task.files.results(scored or task.dataset.results)
    if not path.exists():
        return None
    results = Results.read(path)
    if '.' in results.profile and results.profile != task.dataset.profile:
        require_trust(task.run, f'{path}: profile {results.profile!r} is not of this package')
    find_profile(results.profile)
    return results


def _result(task: SessionTask, scored: str | None) -> DatasetResult:
    results, problem = None, ''
    try:
        results = read_results(task, scored)
        problem = results.problem if results else ''
    except CibenchError as error:
        problem = str(error)
    return DatasetResult(
        model=task.model_name,
        dataset=task.dataset_name,
        split=task.split,
        mode=task.mode,
        epoch=task.epoch,
        results=results,
        replays_gold=task.model.replays_gold,
        problem=problem,
        agent=task.agent.name,
        prompt=task.agent.prompt,
        max_attempts=task.agent.max_attempts,
        limits=task.limits_text,
    )


def lost_sessions(results: Iterable[DatasetResult]) -> list[str]:
    """The sessions that are not finished: a line for each model and dataset."""
    return gaps_of(one for one in results if one.results and not one.problem)


def unheard_models(results: Iterable[DatasetResult]) -> list[str]:
    """A line for each model that no request has reached, since none fitted into its window."""
    lines = []
    for model, those in grouped(results, lambda one: one.model).items():
        usage = sum((one.results.usage for one in those if one.results), Usage())
        if usage.replies and usage.overflowed == usage.replies:
            said = f'none of its {usage.replies:,} requests fitted into its window, so its figures say nothing about it'
            lines.append(f'{model}: {said}; give its server a longer one, and start a new run')
    return lines

"""Results of Qwen-Agent's Code Interpreter Benchmark -> its two tables, on the terminal and as Markdown and CSV."""

import logging
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from cibench_eval.config.session_tasks import Run, SessionTask
from cibench_eval.evaluators.judges.store import JudgedDataset, Verdict, VerdictStore, has_no_verdict
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.qwen_ci.suite_tables import SuiteScores, correctness, executability, notes
from cibench_eval.reports.rows import DatasetResult, aggregate
from cibench_eval.reports.summary import footnotes, print_table, print_tables, to_csv, to_markdown, used
from cibench_eval.run.summarizer import CIBenchSummarizer
from cibench_eval.run_paths import new_stamp
from cibench_eval.schema import CibenchError, StepScore
from cibench_eval.terminal import new_console

logger = logging.getLogger(__name__)
METRIC = 'qwen'
"""The metric of the verdicts that count."""
PROFILE = 'qwen_ci'
"""The profile that the tables are of."""
NO_PACKAGE = ('missing_package', 'unknown_module')
"""The causes of failures of code that needs a package which is not there."""
PACKAGE = re.compile(r"No module named '(\w+)")


class QwenCISummarizer(CIBenchSummarizer):
    """The benchmark's tables of a run, with verdicts of judges on its figures, beside the published results.

    The split of a dataset is `SOURCE/GROUP`: `qwen_ci/general`. It takes the arguments of `CIBenchSummarizer`, and
    prints tables as that one does of what another profile has scored (`cibench score RUN --profile strict`), whose
    rates are other ones.
    """

    def summarize(self, time_str: str | None = None) -> None:
        """Print the tables and write `summary_<time>.md` and `.csv`."""
        own = [one for one in self.results if not one.results or one.results.profile == PROFILE]
        others = aggregate([one for one in self.results if one.results and one.results.profile != PROFILE])
        if others and not any(one.results for one in own):
            super().summarize(time_str)
            return
        rows = aggregate(own)
        stem = self.folder / f'summary_{time_str or new_stamp()}'
        console = new_console()
        of_models = grouped(own, lambda one: (one.split.partition('/')[0], one.model)).values()
        lines = print_suites([suite_of(results, self.run) for results in of_models], console)
        named = [replace(row, model=f'{row.model} on {row.split}') for row in rows]
        for note in dict.fromkeys([*(n for n in footnotes(named) if 'no Avg' not in n), *used(named)]):
            console.print(Text(note, style='dim'))
            lines.append(f'- {note}')
        lines += ['', to_markdown(others)] if others else ['']
        write_whole(stem.with_suffix('.md'), '\n'.join(lines))
        write_whole(stem.with_suffix('.csv'), to_csv([*rows, *others]))
        if others:
            print_tables(others)
        print(f'{stem}.md\n{stem}.csv')


def suite_of(results: Sequence[DatasetResult], run: Run) -> SuiteScores:
    """The scores of a model on questions of one source, with the verdicts on its figures."""
    tasks = {(task.model_name, task.dataset_name): task for task in run.tasks}
    first = results[0]
    steps: dict[str, list[StepScore]] = defaultdict(list)
    given: dict[str, list[tuple[str, str, Verdict]]] = defaultdict(list)  # judge -> group, name, verdict
    lacking: Counter[str] = Counter()
    for one in results:
        group = one.split.partition('/')[2]
        if one.results:
            steps[group] += one.results.steps
            lacks = [failure.evidence for failure in one.results.failures if failure.cause in NO_PACKAGE]
            lacking.update(found[1] for evidence in lacks if (found := PACKAGE.search(evidence)))
        for verdict in _current(tasks[one.model, one.dataset]):
            if verdict.metric == METRIC:
                given[verdict.judge].append((group, f'{verdict.experiment}@{one.epoch}', verdict))
    verdicts: dict[str, dict[str, dict[str, float | None]]] = defaultdict(lambda: defaultdict(dict))
    for judge, those in given.items():
        silent = has_no_verdict(verdict for _, _, verdict in those)
        for group, name, verdict in those:
            verdicts[judge][group][name] = None if silent else verdict.score
    return SuiteScores(first.model, first.split.partition('/')[0], steps, lacking, verdicts, first.replays_gold)


def _current(task: SessionTask) -> list[Verdict]:
    """The verdicts that still apply; all where the questions of the run are gone, which does not stop its tables."""
    store = VerdictStore(task.files.verdicts)
    if not store.path.exists():
        return []
    try:
        return JudgedDataset(task.model_name, task.dataset_name, task.experiments, task.traces, store).current()
    except CibenchError as error:
        logger.warning('%s: its verdicts are not held to the figures of the run: %s', task.name, error)
        return store.of_newest_config()


def print_suites(suites: Sequence[SuiteScores], console: Console) -> list[str]:
    """Print the two tables of each source of questions, and return their lines as Markdown."""
    lines: list[str] = []
    for those in grouped(suites, lambda suite: suite.source).values():
        for table in (executability(those), correctness(those)):
            console.print()
            print_table(table, console)
            lines += table.markdown()
        for note in notes(those):
            console.print(Text(note, style='yellow'))
            lines.append(f'- {note}')
        lines.append('')
    return lines

"""Results files -> the tables, on the terminal and as Markdown and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.opencompass.partitioner import epoch_of, expand
from cibench_eval.opencompass.recorded import require_trust
from cibench_eval.opencompass.tasks import results_folder
from cibench_eval.reports.groups import named_figures, read_groups, read_wanted
from cibench_eval.reports.layout import Table
from cibench_eval.reports.rows import DatasetResult, aggregate, gaps_of
from cibench_eval.reports.summary import print_tables, to_csv, to_markdown
from cibench_eval.schema import CibenchError, Mode
from cibench_eval.terminal import new_console
from cibench_eval.traces import epoch_name

REPLAYS = ('cibench_eval.models.GoldReplay', 'cibench_eval.models.replay.GoldReplay')
"""By what names a config may call the model that answers with the gold code."""


class CIBenchSummarizer:
    """The paper's table of a run: one table a split, one row a model; and what the config names besides.

    Args:
        config: the whole config of the run, with its `work_dir`.
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
        self.cfg = expand(config)
        self.work_dir = Path(config['work_dir'])
        self.folder = Path(folder) if folder else self.work_dir / 'summary'
        self._groups = read_groups(summary_groups, 'summarizer')
        self._wanted = read_wanted(dataset_abbrs)

    def summarize(self, time_str: str | None = None) -> None:
        """Print the tables and write `summary_<time>.md` and `.csv`."""
        results = self.results()
        rows, named = aggregate(results), self._named(results)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = self.folder / f'summary_{time_str or datetime.now().strftime("%Y%m%d_%H%M%S")}'
        more = '\n'.join(named.markdown()) if named else ''
        stem.with_suffix('.md').write_text(to_markdown(rows) + more, encoding='utf-8')
        stem.with_suffix('.csv').write_text(to_csv(rows), encoding='utf-8')
        print_tables(rows)
        if named:
            new_console().print(named.rich(), crop=False)
        print(f'{stem}.md\n{stem}.csv')

    def _named(self, results: list[DatasetResult]) -> Table | None:
        if not self._groups and self._wanted is None:
            return None
        return named_figures(results, self._groups, self._wanted)

    def results(self) -> list[DatasetResult]:
        """One for each model and dataset of the config."""
        return dataset_results(self.cfg, self.work_dir)


def dataset_results(expanded: Any, run: Path, scored: str | None = None) -> list[DatasetResult]:
    """One for each model and dataset of an expanded config; `scored` is the folder of results that are not its own."""
    return [
        _result(run, model, dataset, scored)
        for pair in expanded['model_dataset_combinations']
        for model in pair['models']
        for dataset in pair['datasets']
    ]


def read_results(run: Path, model: str, dataset: Any, scored: str | None = None) -> Results | None:
    """The scores of a dataset in a run folder, None where there are none; `scored` as in `dataset_results`.

    Raises:
        CibenchError: they cannot be read, or are by a profile of one's own that neither the config names nor the user.
    """
    path = run / (scored or results_folder(dataset)) / model / f'{dataset["abbr"]}.json'
    if not path.exists():
        return None
    results = Results.read(path)
    if '.' in results.profile and results.profile != dataset['eval_cfg']['evaluator'].get('profile'):
        require_trust(run, f'{path}: profile {results.profile!r} is not of this package')
    return results


def _result(run: Path, model: Any, dataset: Any, scored: str | None) -> DatasetResult:
    results, problem = None, ''
    try:
        results = read_results(run, model['abbr'], dataset, scored)
        problem = results.problem if results else ''
    except CibenchError as error:
        problem = str(error)
    return DatasetResult(
        model=model['abbr'],
        dataset=dataset['abbr'],
        split=split_of(dataset),
        mode=mode_of(dataset),
        epoch=epoch_of(dataset),
        results=results,
        replays_gold=str(model['type']) in REPLAYS,
        problem=problem,
    )


def lost_sessions(cfg: Any) -> list[str]:
    """The sessions that the scores of a run lack by a fault of the harness: a line a model and dataset."""
    return gaps_of(
        one for one in dataset_results(expand(cfg), Path(cfg['work_dir'])) if one.results and not one.problem
    )


def split_of(dataset: Any) -> str:
    """The split that a dataset's config names, else the dataset's name without its epoch."""
    return str(dataset.get('split') or dataset['abbr'].removesuffix(epoch_name('', epoch_of(dataset))))


def mode_of(dataset: Any) -> Mode:
    """The mode of a dataset's config."""
    mode: Mode = dataset['infer_cfg']['inferencer'].get('mode', 'end_to_end')
    return mode

"""Results files -> the table, on the terminal and as Markdown and CSV."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.opencompass.partitioner import epoch_of, expand
from cibench_eval.opencompass.tasks import results_folder
from cibench_eval.reports.rows import DatasetResult, aggregate
from cibench_eval.reports.summary import print_tables, to_csv, to_markdown
from cibench_eval.traces import epoch_name


class CIBenchSummarizer:
    """The paper's table of a run: one table a split, one row a model.

    Args:
        config: the whole config of the run, with its `work_dir`.
        folder: where the table goes, by default `summary` in the work dir.
    """

    def __init__(self, config: Any, folder: str | None = None, **_: Any) -> None:
        self.cfg = expand(config)
        self.work_dir = Path(config['work_dir'])
        self.folder = Path(folder) if folder else self.work_dir / 'summary'

    def summarize(self, time_str: str | None = None) -> None:
        """Print the table and write `summary_<time>.md` and `.csv`."""
        results = self.results()
        rows = aggregate(results)
        self.folder.mkdir(parents=True, exist_ok=True)
        stem = self.folder / f'summary_{time_str or datetime.now().strftime("%Y%m%d_%H%M%S")}'
        stem.with_suffix('.md').write_text(to_markdown(rows), encoding='utf-8')
        stem.with_suffix('.csv').write_text(to_csv(rows), encoding='utf-8')
        print_tables(rows)
        print(f'{stem}.md\n{stem}.csv')

    def results(self) -> list[DatasetResult]:
        """One for each model and dataset of the config; one that has no results file has no metrics."""
        return [
            self._result(model['abbr'], dataset)
            for pair in self.cfg['model_dataset_combinations']
            for model in pair['models']
            for dataset in pair['datasets']
        ]

    def _result(self, model: str, dataset: Any) -> DatasetResult:
        path = self.work_dir / results_folder(dataset) / model / f'{dataset["abbr"]}.json'
        return DatasetResult(
            model=model,
            dataset=dataset['abbr'],
            split=dataset.get('split') or dataset['abbr'].removesuffix(epoch_name('', epoch_of(dataset))),
            mode=dataset['infer_cfg']['inferencer'].get('mode', 'end_to_end'),
            epoch=epoch_of(dataset),
            results=Results.read(path) if path.exists() else None,
        )

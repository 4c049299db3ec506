"""Notebooks as an OpenCompass dataset."""

from __future__ import annotations

import base64
from collections.abc import Container, Mapping
from copy import copy
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.datasets.formats import find_format
from cibench_eval.datasets.loading import NOTEBOOKS, load_experiments
from cibench_eval.schema import CibenchError, Experiment, Language, Step


class CIBenchDataset:
    """Experiments of one split.

    It has what OpenCompass's tasks ask of a dataset (`test`, `train`, `reader`), made only when asked for,
    so that reading notebooks does not import OpenCompass's datasets.

    Args:
        path: folder of notebooks in the official layout, or what `format` reads; with `builtin`, below that set.
        builtin: a set that comes with the package (`builtin`).
        environment: for `builtin`: the kernel environment whose gold outputs are meant.
        format: of the files: one of `datasets/formats`, or the dotted name of one of your own.
        split: the split's name in tables.
        experiments: ids or globs of the experiments to take, or one of them; None takes all.
        language: of questions and prompts; None reads it off the path or the notebook.
        datasources: folder that holds `data/`; None takes the nearest one above the notebooks.
        reader_cfg: OpenCompass's column names.
        abbr: the dataset's name in file names.
    """

    def __init__(
        self,
        path: str | None = None,
        builtin: str | None = None,
        environment: str = 'modern',
        format: str = NOTEBOOKS,
        split: str = '',
        experiments: list[str] | str | None = None,
        language: Language | None = None,
        datasources: str | None = None,
        reader_cfg: dict[str, Any] | None = None,
        abbr: str = 'dataset',
    ) -> None:
        self.abbr = abbr
        self.split = split or abbr
        self._reader_cfg = reader_cfg or {}
        self._place = _place(abbr, path, builtin, environment)
        self._format = format
        self.experiments: list[Experiment] = load_experiments(
            self._place,
            format=format,
            language=language,
            datasources=Path(datasources) if datasources else None,
            include=None if experiments is None else _patterns(abbr, experiments),
        )

    def only(self, ids: Container[str]) -> CIBenchDataset:
        """The same with some of its experiments: what a task runs that shares them with others."""
        made = copy(self)
        vars(made).pop('reader', None)  # a table of all of them
        made.experiments = [experiment for experiment in self.experiments if experiment.id in ids]
        return made

    @cached_property
    def reader(self) -> Any:
        """OpenCompass's reader over `test`."""
        from opencompass.openicl import DatasetReader

        return DatasetReader(self._table(), **self._reader_cfg)

    @property
    def test(self) -> Any:
        return self.reader.dataset['test']

    @property
    def train(self) -> Any:
        return self.reader.dataset['train']

    def _table(self) -> Any:
        from datasets import Dataset, DatasetDict

        rows = Dataset.from_list([row(experiment, self._place, self._format) for experiment in self.experiments])
        return DatasetDict({'train': rows, 'test': rows})


def experiment_ids(cfg: Mapping[str, Any]) -> list[str]:
    """The ids of the experiments that a config of a CIBenchDataset takes.

    Raises:
        CibenchError: there is no such folder or format.
    """
    if cfg.get('type') not in (f'{__package__}.CIBenchDataset', f'{__name__}.CIBenchDataset'):
        return []
    defaults = {'path': None, 'builtin': None, 'environment': 'modern'}
    place = _place(str(cfg.get('abbr')), **{key: cfg.get(key, default) for key, default in defaults.items()})
    ids = find_format(cfg.get('format', NOTEBOOKS)).ids(place)
    patterns = cfg.get('experiments')
    return (
        ids if patterns is None else [id_ for id_ in ids if any(fnmatchcase(id_, p) for p in _patterns('', patterns))]
    )


def _place(abbr: str, path: str | None, builtin: str | None, environment: str) -> Path:
    """Where the experiments are: in `path`, or there below a set that comes with the package."""
    if builtin is None and not path:
        raise CibenchError(f'dataset {abbr}: neither path nor builtin; give the folder of the notebooks')
    place = Path(path or '') if builtin is None else builtin_folder(builtin, environment) / (path or '')
    if not place.exists():
        fix = (
            'run `cibench data fetch cibench` for the official notebooks (`cibench data add FILE.zip` without internet)'
        )
        if builtin:
            fix = f'run `cibench data build {builtin} --environment {environment}`'
        raise CibenchError(f'dataset {abbr}: {place}: no such folder; correct path, or {fix}')
    return place


def _patterns(abbr: str, experiments: Any) -> list[str]:
    """What `experiments` of a config names, as a list.

    Raises:
        CibenchError: it is no text or list of texts.
    """
    patterns = [experiments] if isinstance(experiments, str) else experiments
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise CibenchError(f"dataset {abbr}: experiments is {experiments!r}; give a list of ids or globs: ['pandas/*']")
    return patterns


def row(experiment: Experiment, place: Path, format: str = NOTEBOOKS) -> dict[str, Any]:
    """An experiment as OpenCompass's own CIBench loader gives it, so that its evaluator can read it.

    Args:
        experiment: the experiment.
        place: from where it was loaded.
        format: of its files.
    """
    metadata: dict[str, Any] = {}
    if experiment.typed:
        metadata = {'step_types': [step.kind for step in experiment.steps]}
    questions: list[dict[str, str]] = []
    golds = [step.as_upstream for step in experiment.steps]
    for step in experiment.steps:
        questions.append({'role': 'user', 'content': step.question})
        questions.append({'role': 'assistant', 'content': f'{step.thought}**split**{step.code}'})
    references = {
        'outputs': [_gold(step) for step in golds],
        'tags': [step.kind for step in golds],
        'metadata': metadata,
        'experiment': str(experiment.path),
        'source': {'path': str(place), 'format': format, 'id': experiment.id},
    }
    return {'experiment': str(experiment.path), 'questions': questions, 'references': references}


def _gold(step: Step) -> str | None:
    return base64.b64encode(step.figure.data).decode() if step.kind == 'vis' and step.figure else step.text


class ExperimentRetriever:
    """Hands the dataset to the inferencer; there is nothing to retrieve."""

    def __init__(self, dataset: CIBenchDataset) -> None:
        self.dataset = dataset

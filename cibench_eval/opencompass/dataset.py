"""Notebooks as an OpenCompass dataset."""

import base64
from functools import cached_property
from pathlib import Path
from typing import Any

from cibench_eval.datasets.loading import NOTEBOOKS, ExperimentSelection
from cibench_eval.evaluators.predictions import gold_of
from cibench_eval.schema import Experiment, Step


class CIBenchDataset(ExperimentSelection):
    """Experiments of one split, with what OpenCompass's tasks ask of a dataset (`test`, `train`, `reader`)."""

    @cached_property
    def reader(self) -> Any:
        """OpenCompass's reader over `test`."""
        from datasets import Dataset, DatasetDict
        from opencompass.openicl import DatasetReader

        rows = Dataset.from_list([row(experiment, self.place, self.format) for experiment in self.experiments])
        return DatasetReader(DatasetDict({'train': rows, 'test': rows}), **self.reader_cfg)

    @property
    def test(self) -> Any:
        return self.reader.dataset['test']

    @property
    def train(self) -> Any:
        return self.reader.dataset['train']


def row(experiment: Experiment, place: Path, format: str = NOTEBOOKS) -> dict[str, Any]:
    """An experiment, loaded from `place`, as OpenCompass's own CIBench loader gives it to its evaluator."""
    questions: list[dict[str, str]] = []
    golds = [step.as_upstream for step in experiment.steps]
    for step, answer in zip(experiment.steps, gold_of(experiment), strict=True):
        questions += [{'role': 'user', 'content': step.question}, {'role': 'assistant', 'content': answer}]
    references = {
        'outputs': [_gold(step) for step in golds],
        'tags': [step.kind for step in golds],
        'metadata': {'step_types': [step.kind for step in experiment.steps]} if experiment.typed else {},
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

"""Where a run keeps what: the names of models with agents, of epochs, and of the files of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

TRACES = '.traces.jsonl'
UNFINISHED = '.unfinished'
"""A folder with the journals of sessions that are not finished."""
PREDICTIONS, RESULTS, SUMMARY, CONFIGS = 'predictions', 'results', 'summary', 'configs'
RESCORED = 'rescored'
"""Folder of a run with the results of other scoring profiles, each in a folder of its own."""
EPOCH = re.compile(r'@\d+$')
STAMP, FORM = re.compile(r'\d{8}_\d{6}'), '%Y%m%d_%H%M%S'
"""Names of runs and of their tables: the second in which they began."""


def new_stamp() -> str:
    """The name of what begins now."""
    return datetime.now().strftime(FORM)


def epoch_name(dataset: str, epoch: int) -> str:
    """The name under which an epoch of a dataset is filed: `demo`, `demo@2`, …; it is safe in files and for Slurm."""
    return dataset if epoch == 1 else f'{dataset}@{epoch}'


def without_epoch(name: str, epoch: int) -> str:
    """The name of a dataset, from the name of one of its epochs."""
    return name.removesuffix(epoch_name('', epoch))


def agent_name(model: str, agent: str) -> str:
    """The name of a model that is run with several agents, with one of them."""
    return f'{model}--{agent}'


def results_folder(profile: str | None) -> str:
    """The folder of a run with the scores by a profile; None is the run's own."""
    return f'{RESCORED}/{profile}/{RESULTS}' if profile else RESULTS


def share_log(run: Path, share: str) -> Path:
    return run / 'logs' / 'infer' / 'shares' / f'{share}.out'


@dataclass(frozen=True)
class SessionFiles:
    """The files of one model on one dataset (and epoch) in a run folder. A dataset's name may hold slashes."""

    run: Path
    model: str
    """The model's name, with its agent's name if there are several."""
    dataset: str
    """The dataset's name, with its epoch."""

    @classmethod
    def of_predictions(cls, path: Path, dataset: str) -> SessionFiles:
        """The files beside a predictions file, `RUN/predictions/MODEL/DATASET.json`."""
        folder = Path(str(path).removesuffix(f'/{dataset}.json'))
        return cls(folder.parents[1], folder.name, dataset)

    @property
    def model_folder(self) -> Path:
        """What tasks of the model file."""
        return self.run / PREDICTIONS / self.model

    @property
    def predictions(self) -> Path:
        return self.model_folder / f'{self.dataset}.json'

    @property
    def traces(self) -> Path:
        return self.model_folder / f'{self.dataset}{TRACES}'

    @property
    def usage(self) -> Path:
        """The ledger of all models of the run."""
        return self.run / PREDICTIONS / 'usage.jsonl'

    def results(self, folder: str = RESULTS) -> Path:
        """The scores, in `results_folder` of a profile."""
        return self.run / folder / self.model / f'{self.dataset}.json'

    def replays(self, folder: str = RESULTS) -> Path:
        """What failed steps did when they were run again from the gold's state."""
        return self.results(folder).with_suffix('.replay.jsonl')

    @property
    def verdicts(self) -> Path:
        """What judges have said."""
        return self.results().with_suffix('.judge.jsonl')

    def log(self, stage: str) -> Path:
        """The log of a stage, `infer` or `eval`."""
        return self.run / 'logs' / stage / self.model / f'{self.dataset}.out'

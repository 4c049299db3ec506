"""What a session was run with, as hashes: sessions of one run must agree in them, or their mean means nothing."""

from __future__ import annotations

import copy
import functools
import hashlib
import json
from pathlib import Path
from typing import Any

from cibench_eval.agents.session import AgentSettings
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.schema import Experiment, Mode

Identity = dict[str, str]
"""A hash for each of: `model`, `agent`, `kernels`, `experiment`."""
HARMLESS = {'at_once', 'datasources', 'ready', 'startup_timeout'}
"""Fields of KernelSettings that change no outcome."""
HARMLESS_OF_MODEL = {
    *('abbr', 'base_url', 'batch_size', 'key', 'price', 'python', 'requests_per_minute', 'retries', 'retry_wait'),
    *('run_cfg', 'startup_timeout', 'timeout', 'tokens_per_minute'),
}
"""Keys of a model's config that change no reply. A server may move to another address in the middle of a run."""


def model_identity(model: dict[str, Any]) -> str:
    """What of a model's config its replies depend on, as a hash."""
    return digest({key: value for key, value in model.items() if key not in HARMLESS_OF_MODEL})


def epoch_name(dataset: str, epoch: int) -> str:
    """The name under which an epoch of a dataset is filed: `demo`, `demo@2`, …; it is safe in files and for Slurm."""
    return dataset if epoch == 1 else f'{dataset}@{epoch}'


def model_of_epoch(model: dict[str, Any], epoch: int) -> dict[str, Any]:
    """A model's config for an epoch: the sampling seed that it has, and the epoch that it replays, count on by one."""
    model, later = copy.deepcopy(model), epoch - 1
    generation = model.get('generation_kwargs') or {}
    for place, key in ((generation, 'seed'), (generation.get('extra_body') or {}, 'seed'), (model, 'epoch')):
        if place.get(key) is not None:
            place[key] += later
    return model


def identity_of(
    model: dict[str, Any],
    agent: AgentSettings,
    kernels: KernelSettings,
    mode: Mode,
    experiment: Experiment,
    limits: dict[str, float] | None = None,
) -> Identity:
    """The identity of a session.

    Args:
        model: the model's config.
        agent, kernels, mode: how the session is run.
        limits: those of the session, and what they depend on.
        experiment: its gold; the data files that it reads count, too.
    """
    return {
        'model': model_identity(model),
        'agent': digest([mode, repr(agent), limits or {}]),
        'kernels': digest(kernels.model_dump(mode='json', exclude=HARMLESS)),
        'experiment': digest([experiment.model_dump(mode='json', exclude={'path', 'datasources'}), _data(experiment)]),
    }


def digest(content: Any) -> str:
    """12 hexadecimal digits of the SHA-256 of something that JSON can hold (what it cannot, by its `str`)."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _data(experiment: Experiment) -> str:
    return _files(experiment.datasources) if experiment.datasources else ''


@functools.cache
def _files(folder: Path) -> str:
    """Hash of the names and contents of all files below a folder, read once a process."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob('*') if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        found.update(f'{path.relative_to(folder)} {content}\n'.encode())
    return found.hexdigest()

"""What a session was run with, as hashes: sessions of one run must agree in them, or their mean means nothing."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

from cibench_eval.agents.session import AgentSettings
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.identity import digest, model_identity
from cibench_eval.schema import Experiment, Mode

Identity = dict[str, str]
"""A hash for each of: `model`, `agent`, `kernels`, `experiment`."""
NOT_IN_IDENTITY = {'datasources', 'max_concurrent_cells', 'pool_size', 'startup_timeout'}
"""Fields of KernelSettings that change no outcome."""


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
        'kernels': digest(kernels.model_dump(mode='json', exclude=NOT_IN_IDENTITY)),
        'experiment': digest([experiment.model_dump(mode='json', exclude={'path', 'datasources'}), _data(experiment)]),
    }


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

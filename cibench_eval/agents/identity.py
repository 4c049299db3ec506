"""Hashes of what a session was run with. The sessions of one run must agree in them, or their mean means nothing."""

import functools
import hashlib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cibench_eval.agents.settings import SessionSettings
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.identity import digest, model_identity
from cibench_eval.schema import Experiment
from cibench_eval.traces import TraceStore

Identity = dict[str, str]
"""A hash for each of: `model`, `agent`, `kernels`, `experiment`."""
NOT_IN_IDENTITY = {'datasources', 'max_concurrent_cells', 'pool_size', 'preload', 'startup_timeout'}
"""Fields of KernelSettings that do not change outcomes."""
FORMER_OPTIONS = {'magics': True, 'recover': 'replay', 'shell_escapes': True, 'stdin': 'error'}
"""What KernelSettings also had, as it now always is: with it, the hashes of older runs are the same."""


def identity_of(settings: SessionSettings, experiment: Experiment) -> Identity:
    """The identity of a session: how it is run, its gold, and the data files that it reads."""
    data = _files(experiment.datasources) if experiment.datasources else ''
    return {
        'model': model_identity(settings.model_config),
        'agent': digest(_agent(settings, experiment)),
        'kernels': digest(of_kernels(settings.kernels)),
        'experiment': digest([experiment.model_dump(mode='json', exclude={'path', 'datasources'}), data]),
    }


def changes(settings: SessionSettings, experiments: Iterable[Experiment], store: TraceStore) -> list[str]:
    """What has changed since the sessions in `store` were run: one phrase for each part that differs."""
    now = {experiment.id: identity_of(settings, experiment) for experiment in experiments}
    finished = store.finished()
    differing = Counter[str]()
    for name, session in finished.items():
        then = session.identity
        differing.update(part for part, value in now.get(name, {}).items() if then.get(part, value) != value)
    return [f'the {part} of {number} of {len(finished)} finished sessions' for part, number in differing.items()]


def of_kernels(kernels: KernelSettings) -> dict[str, Any]:
    """What decides the outcomes of code in kernels."""
    return kernels.model_dump(mode='json', exclude=NOT_IN_IDENTITY) | FORMER_OPTIONS


def _agent(settings: SessionSettings, experiment: Experiment) -> dict[str, Any]:
    """What decides the course of a session: the mode, all texts of the prompt, and the limits that can end a step."""
    agent, limits = settings.agent, {**settings.limits.of_sessions}
    if 'session_cost' in limits:
        limits |= settings.price.model_dump()
    return {
        'mode': settings.mode,
        'max_attempts': agent.max_attempts,
        'history': agent.history,
        'overflow': agent.overflow,
        'limits': limits,
        **({} if agent.runs_code else {'runs_code': False}),
        **agent.protocol.identity(experiment.language),
    }


@functools.cache
def _files(folder: Path) -> str:
    """Hash of the names and contents of all files below a folder, read once per process."""
    digest_of_all = hashlib.sha256()
    for path in sorted(path for path in folder.rglob('*') if path.is_file()):
        content = hashlib.sha256(path.read_bytes()).hexdigest()
        digest_of_all.update(f'{path.relative_to(folder)} {content}\n'.encode())
    return digest_of_all.hexdigest()

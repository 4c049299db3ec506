"""Slurm's commands: what they are given, what they answer, and their refusals in their own words. Plain Slurm does."""

import logging
import math
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pydantic import PositiveInt

from cibench_eval.schema import CibenchError, HarnessError

logger = logging.getLogger(__name__)
DOWN = (
    'unable to contact slurm controller',
    'socket timed out',
    'missing socket',
    'communication connection failure',
    'connection refused',
    'connection timed out',
    'temporarily',
    'zero bytes were transmitted',
    'transport endpoint',
    'slurm backup controller in standby',
)
"""What Slurm says, in small letters, when the controller does not answer. It comes back."""
RUNNING = ('RUNNING', 'COMPLETING', 'STAGE_OUT', 'SIGNALING', 'STOPPED')
WAITING = ('PENDING', 'CONFIGURING', 'REQUEUED', 'REQUEUE_FED', 'REQUEUE_HOLD', 'RESIZING', 'SUSPENDED', 'SPECIAL_EXIT')
NEVER = (
    *('BadConstraints', 'PartitionTimeLimit', 'PartitionNodeLimit', 'DependencyNeverSatisfied', 'InvalidAccount'),
    *('InvalidQOS', 'QOSTimeLimit', 'QOSMaxCpuPerJobLimit', 'QOSMaxNodePerJobLimit', 'AssocMaxCpuPerJobLimit'),
    *('QOSMaxGRESPerJob', 'QOSMaxMemoryPerJob', 'AssocMaxWallDurationPerJobLimit', 'QOSMaxWallDurationPerJobLimit'),
    *('JobHoldMaxRequeue', 'launch_failed_requeued_held', 'AccountNotAllowed', 'QOSNotAllowed'),
)
"""Reasons of waiting that do not pass by themselves."""
FORMAT = '%j|%F|%K|%T|%r|%N'
RETRY_SECONDS = 10.0
"""Seconds between two tries to hand a job over to a controller that does not answer."""
TRIES = 30


class SlurmDownError(HarnessError):
    """The controller does not answer now."""


@dataclass(eq=False)
class Resources:
    """What a job asks for; None leaves it to Slurm. Each field may stand in the config of the runner."""

    partition: str | None = None
    qos: str | None = None
    """Quality of service."""
    quotatype: str | None = None
    """An option that Slurm has on some sites only."""
    account: str | None = None
    constraint: str | None = None
    """Features of nodes."""
    time: str | None = None
    """The time limit as Slurm writes it: `04:00:00`, `1-12:00:00`."""
    memory: str | None = None
    """Memory on each node: `64G`."""
    cpus_per_task: PositiveInt | None = None
    gpus_per_node: PositiveInt = 8
    """GPUs of one node; a model that needs more gets several nodes."""
    gres: str = 'gpu'
    """How the site calls them: `gpu`, `gpu:a100`."""
    options: list[str] | None = None
    """Further options of sbatch, as they are: `['--exclusive']`."""

    def flags(self, gpus: int) -> list[str]:
        """The options of sbatch for a job with so many GPUs; a `CibenchError` where they do not fill nodes."""
        nodes = max(1, math.ceil(gpus / self.gpus_per_node))
        if gpus % nodes:
            raise CibenchError(
                f'slurm: {gpus} GPUs cannot be shared out evenly among {nodes} nodes of {self.gpus_per_node}; '
                'correct num_gpus of the model or gpus_per_node of the runner'
            )
        named = {
            'partition': self.partition,
            'qos': self.qos,
            'quotatype': self.quotatype,
            'account': self.account,
            'constraint': self.constraint,
            'nodes': nodes,
            'ntasks-per-node': 1,
            'cpus-per-task': self.cpus_per_task,
            'mem': self.memory,
            'gres': f'{self.gres}:{gpus // nodes}' if gpus else None,
            'time': self.time,
        }
        return [f'--{key}={value}' for key, value in named.items() if value is not None] + (self.options or [])


@dataclass(frozen=True)
class Array:
    """Jobs that are handed over together, each of one share."""

    name: str
    indices: Sequence[int]
    """Where the shares stand in their plan."""
    at_once: int
    """How many of the jobs may run at the same time."""
    gpus: int
    """GPUs of each job."""
    script: Path
    log: Path
    """The log of each job, with `%a` for its index."""
    after: str | None = None
    """The id of an array that these jobs wait for."""

    def command(self, resources: Resources) -> list[str]:
        """The command line that hands them over."""
        folder = str(self.log.parent.resolve()).replace('\\', '\\\\').replace('%', '%%')
        return [
            *('sbatch', '--parsable', f'--job-name={self.name}'),
            f'--array={ranges(self.indices)}%{self.at_once}',
            *resources.flags(self.gpus),
            *([f'--dependency=afterany:{self.after}'] if self.after else []),
            *('--requeue', '--open-mode=append', f'--output={folder}/{self.log.name}', f'--chdir={Path.cwd()}'),
            str(self.script),
        ]


class JobState(NamedTuple):
    """What Slurm says of a job."""

    name: str
    """The name of its array."""
    id: str
    """The id of its array, with its index: `12_3`."""
    place: int
    """Where its share stands in the plan."""
    state: str
    reason: str
    node: str

    @property
    def alive(self) -> bool:
        """Whether it runs or will."""
        return self.state in RUNNING or self.state in WAITING

    @property
    def stuck(self) -> bool:
        """Whether it waits for what does not come by itself."""
        return self.state in WAITING and self.reason.strip('()').replace(' ', '_') in NEVER


def submit(array: Array, resources: Resources, wait: Callable[[float], None] = time.sleep) -> str:
    """Hand jobs over, and return their id. While the controller does not answer, it is asked again.

    Raises:
        CibenchError: Slurm refuses them, in its own words.
    """
    command = array.command(resources)
    for left in reversed(range(TRIES)):
        try:
            return ask(command).strip().split(';')[0]
        except SlurmDownError as error:
            if not left:
                raise
            logger.warning('%s; trying again', error)
            wait(RETRY_SECONDS)
            if found := _id_of(array.name):  # it was taken, and only the answer was lost
                return found
    raise AssertionError


def _id_of(name: str) -> str:
    try:
        found = states(name, {os.getuid()})
        return next((state.id.partition('_')[0] for state in found if state.name == name), '')
    except SlurmDownError:
        return ''


def states(key: str, users: Collection[int]) -> list[JobState]:
    """All jobs of `users` that Slurm knows whose names begin with `key`, the ended ones of the last minutes included.

    Raises:
        SlurmDownError: the controller does not answer.
        CibenchError: Slurm refuses to tell.
    """
    of = f'--user={",".join(map(str, sorted(users)))}'
    answer = ask(['squeue', of, '--array', '--states=all', '--noheader', f'--format={FORMAT}'])
    return [state for line in answer.splitlines() if (state := _state(line, key))]


def _state(line: str, key: str) -> JobState | None:
    parts = line.strip().split('|')
    if len(parts) != len(FORMAT.split('|')) or not parts[0].startswith(key) or not parts[2].isdigit():
        return None
    name, job, index, state, reason, node = parts
    return JobState(name, f'{job}_{index}', int(index), state, reason, node)


def ended(name: str, since: str) -> dict[int, str]:
    """How the jobs of an array ended that the controller has forgotten: index -> state, as accounting has it.

    Args:
        since: from when on, as Slurm writes times.

    Returns:
        Nothing where the site has no accounting.
    """
    command = ['sacct', '--noheader', '--parsable2', '--allocations', f'--name={name}', f'--starttime={since}']
    try:
        answer = ask([*command, '--format=JobID,State'])
    except CibenchError:
        return {}
    found = [re.fullmatch(r'\d+_(\d+)\|(\w+).*', line.strip()) for line in answer.splitlines()]
    return {int(one[1]): one[2] for one in found if one}


def cancel(ids: Sequence[str]) -> None:
    """End jobs, or take them out of the queue. Those that are over are left as they are."""
    if ids:
        ask(['scancel', '--quiet', *ids])


def is_there() -> bool:
    """Whether this machine has Slurm's commands."""
    return all(shutil.which(name) for name in ('sbatch', 'squeue', 'scancel'))


def ask(command: Sequence[str]) -> str:
    """What a command of Slurm's answers.

    Raises:
        SlurmDownError: the controller does not answer.
        CibenchError: it is refused, or there is no such command.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=_environment(), check=False)
    except FileNotFoundError as error:
        raise CibenchError(
            f'{command[0]}: not there; run this where Slurm is, or leave out --slurm (`cibench doctor` looks)'
        ) from error
    if done.returncode == 0:
        return done.stdout
    said = _said(done.stderr or done.stdout) or f'exit code {done.returncode}'
    if any(word in said.lower() for word in DOWN):
        raise SlurmDownError(f'slurm: {said}')
    raise CibenchError(f'slurm: {said} ({" ".join(_options(command))})')


def _said(text: str) -> str:
    """Slurm's own words, in one line: its advice to read the help left out."""
    lines = [re.sub(r'^\w+: (error: )?', '', line.strip()) for line in text.splitlines()]
    return '; '.join(dict.fromkeys(line for line in lines if line and not line.startswith('Try "')))


def _options(command: Sequence[str]) -> Iterator[str]:
    """What may be wrong with a command line: its options, without those that are always the same."""
    own = ('--parsable', '--job-name', '--output', '--chdir', '--open-mode', '--requeue', '--format', '--noheader')
    yield command[0]
    yield from (word for word in command[1:] if word.startswith('--') and not word.startswith(own))


def _environment() -> dict[str, str]:
    """This process's, without what a job that it is in was given: sbatch would take that for options."""
    kept = ('SLURM_CONF', 'SLURM_CLUSTERS')
    return {key: value for key, value in os.environ.items() if not key.startswith('SLURM_') or key in kept}


def ranges(numbers: Sequence[int]) -> str:
    """Numbers as Slurm writes them: `0-3,7`."""
    ordered = sorted(numbers)
    begins = [ordered[0]] + [after for before, after in pairwise(ordered) if after > before + 1]
    ends = [before for before, after in pairwise(ordered) if after > before + 1] + [ordered[-1]]
    return ','.join(f'{a}-{b}' if b > a else str(a) for a, b in zip(begins, ends, strict=True))

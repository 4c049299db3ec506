"""What a run has given to jobs, in files: `cluster/plan-<n>.json` says who runs what, a beat a job how far it is."""

import hashlib
import json
import os
import platform
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import psutil
from pydantic import Field, ValidationError

from cibench_eval.cluster.cutting import Share
from cibench_eval.files import append_line, whole_lines, write_whole
from cibench_eval.json_files import read_record
from cibench_eval.schema import CibenchError, Record

FOLDER = 'cluster'
SILENT = 120.0
"""Seconds after which a running job that says nothing is called silent."""
NUMBER = re.compile(r'plan-(\d+)\.json')
OVER = 'jobs.jsonl'
"""The last beats of the jobs of plans that are over, one a line: no file is left for each job."""


class Plan(Record):
    """The shares that were handed over together. A job is called by the plan's number and the place of its share."""

    number: int
    config: str
    """The run's config, below its folder."""
    shares: list[Share]
    here: bool = False
    """Whether they are processes of the machine that run.py is on, and not jobs of Slurm."""

    def name(self, index: int) -> str:
        """The name of a share and of its log."""
        return f'{self.number}-{index}'


class Beat(Record):
    """How far a job is, as it says itself every few seconds."""

    job: str
    """The name of its share."""
    attempt: str
    node: str
    pid: Annotated[int, Field(ge=0, lt=2**31)] = 0
    """The id of its process on that node."""
    began: float
    """Seconds since 1970."""
    at: float
    sessions: int
    sessions_done: int = 0
    sessions_failed: int = 0
    steps: int
    steps_done: int = 0
    steps_reused: int = 0
    errors: int = 0
    tokens: int = 0
    over: bool = False
    """Whether all that it could do is done."""
    cause: str = ''
    """Why it failed, without the names of sessions: equal for all jobs that fail for one reason."""
    failure: str = ''
    """Why it is over and not whole."""

    @property
    def lives(self) -> bool:
        """Whether its process is there, as far as can be told; on another machine, whether it has spoken lately."""
        if self.over:
            return False
        if self.node == platform.node():
            return psutil.pid_exists(self.pid)
        return time.time() - self.at < SILENT

    @property
    def steps_a_second(self) -> float:
        return max(0, self.steps_done - self.steps_reused) / max(self.at - self.began, 1e-9)


def run_key(run: Path) -> str:
    """What the names of all Slurm jobs of a run begin with: short, and made of nothing but letters and digits."""
    return f'cibench-{hashlib.sha256(bytes(run.resolve())).hexdigest()[:10]}'


def new_plan(run: Path, config: str, shares: list[Share], *, here: bool = False) -> Plan:
    """A plan with the next free number, written."""
    number = max((plan.number for plan in plans(run)), default=0) + 1
    made = Plan(number=number, config=config, shares=shares, here=here)
    write_whole(run / FOLDER / f'plan-{number}.json', made.model_dump_json())
    return made


def plans(run: Path) -> list[Plan]:
    """All plans of a run, the first one first; a `CibenchError` where a file is no plan."""
    return sorted((read_plan(path) for path in _plan_files(run)), key=lambda plan: plan.number)


def _plan_files(run: Path) -> list[Path]:
    return [path for path in (run / FOLDER).glob('plan-*.json') if NUMBER.fullmatch(path.name)]


def submitters(run: Path) -> set[int]:
    """The ids of the users whose jobs a run may have in the queue: this one, and whoever wrote a plan."""
    return {os.getuid(), *(path.stat().st_uid for path in _plan_files(run))}


def read_plan(path: Path) -> Plan:
    """The plan in a file; a `CibenchError` where it is none."""
    plan = read_record(path, Plan, 'plan of this version', 'move it away')
    if plan is None:
        raise CibenchError(f'{path}: no such file; start the run again with -r')
    return plan


def write_beat(run: Path, beat: Beat) -> None:
    """Say how far a job is."""
    write_whole(run / FOLDER / f'{beat.job}.beat.json', beat.model_dump_json())


def beats(run: Path) -> dict[str, Beat]:
    """What every job has said last, by the names of their shares. A file that cannot be read now is left out."""
    contents = whole_lines(run / FOLDER / OVER)
    for path in (run / FOLDER).glob('*.beat.json'):
        with suppress(OSError):  # another machine is replacing it
            contents.append(path.read_bytes())
    found = {}
    for content in contents:
        with suppress(ValidationError):
            beat = Beat.model_validate_json(content)
            found[beat.job] = beat
    return found


def fold(run: Path) -> None:
    """Put the beats of all jobs into one file, when none of them is to be run any more."""
    known = set(whole_lines(run / FOLDER / OVER))
    for path in sorted((run / FOLDER).glob('*.beat.json')):
        line = json.dumps(json.loads(path.read_bytes()))
        if line.encode() not in known:
            append_line(run / FOLDER / OVER, line)
        path.unlink()

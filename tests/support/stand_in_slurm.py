"""Commands that answer as Slurm does where it cannot be brought to by hand."""

import json
import re
from pathlib import Path
from typing import Any

from tests.support.notebooks import add_endpoint
from tests.support.runs import change, run_folder

ON_SLURM = ('--datasets', 'small', '--runtime', 'site', '--slurm', '-p', 'gpu')
DETACHED = (*ON_SLURM, '--detach')
SITE = """
from mmengine.config import read_base

with read_base():
    from .slurm import eval, infer, kernels

infer['runner'].update(cpus_per_task=None, memory=None, time=None, poll_seconds=0.01)
infer['runner'].update({more})
"""


class StandIn:
    """The commands of Slurm in a folder of a project, and a runtime `site` of its configs that uses them."""

    def __init__(self, project: Path) -> None:
        self.project, self.folder = project, project / 'bin'
        self.folder.mkdir()
        self.says('sbatch', 'echo "4711;cluster"')
        self.says('squeue', '')
        self.says('scancel', '')
        self.says('sacct', 'echo "Slurm accounting storage is disabled" >&2; exit 1')
        self.site()

    def says(self, command: str, script: str) -> None:
        """Let a command be a shell script."""
        keep = f'printf "%s\\n" "$@" "" >> {self.folder}/{command}.asked'
        path = self.folder / command
        path.write_text(f'#!/bin/sh\n{keep}\n{script}\n')
        path.chmod(0o755)

    def asked(self, command: str) -> list[list[str]]:
        """The arguments of each call of a command."""
        file = self.folder / f'{command}.asked'
        return [call.splitlines() for call in file.read_text().split('\n\n') if call] if file.exists() else []

    def site(self, **more: Any) -> None:
        """Options of the runner."""
        (self.project / 'configs/runtimes/site.py').write_text(SITE.format(more=more))

    def model(self, name: str, gpus: int = 0) -> None:
        """Drop in a model that is never asked anything."""
        add_endpoint(self.project / 'configs', name, 'http://127.0.0.1:9/v1')
        if gpus:
            change(self.project / f'configs/models/{name}.py', 'retries=0', f'retries=0, run_cfg=dict(num_gpus={gpus})')

    def plan(self, number: int = 1) -> list[dict[str, Any]]:
        """The shares that were handed over."""
        path = run_folder(self.project) / f'cluster/plan-{number}.json'
        return list(json.loads(path.read_text())['shares'])

    @property
    def key(self) -> str:
        """What the names of the run's jobs begin with."""
        (name,) = (word for word in self.asked('sbatch')[0] if word.startswith('--job-name='))
        found = re.fullmatch(r'--job-name=(cibench-\w+)-1-0', name)
        assert found
        return found[1]

    def queue(self, states: dict[int, str], *more: str) -> str:
        """What `squeue` prints of jobs of the first array."""
        lines = [f'{self.key}-1-0|4711|{index}|{state}|None|node-17' for index, state in states.items()]
        return '\n'.join(['cat <<END', *lines, *more, 'END'])

    def in_turn(self, *scripts: str) -> str:
        """A script that is another one at each call, and stays the last."""
        count = f'echo x >> {self.folder}/looks; n=$(grep -c . {self.folder}/looks)'
        cases = [f'{place}) {script}\n;;' for place, script in enumerate(scripts[:-1], 1)]
        return '\n'.join([count, 'case $n in', *cases, f'*) {scripts[-1]}\n;;', 'esac'])

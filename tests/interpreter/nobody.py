"""A harness that is an ordinary user, where the tests are root's."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from cibench_eval.cache import cache_dir
from cibench_eval.interpreter.environments import KernelEnvironment
from tests.interpreter.programs import REPO

NOBODY = 65534
AS_NOBODY = ['setpriv', '--reuid', str(NOBODY), '--regid', str(NOBODY), '--clear-groups']


def nobody_problem():
    """Why a harness cannot be run as another user here, or nothing."""
    if os.geteuid() != 0 or not shutil.which('setpriv'):
        return 'takes root and setpriv'
    python = KernelEnvironment.find('modern').python
    for path in (sys.executable, python, python.resolve(), REPO / 'cibench_eval/interpreter/inside/forkserver.py'):
        if subprocess.run([*AS_NOBODY, 'test', '-r', str(path)]).returncode:
            return f'{path} cannot be read by other users'
    return ''


def run_as_nobody(script, *arguments):
    """Run a Python script as a user without rights, who has a home of its own and the kernels of this one."""
    with tempfile.TemporaryDirectory(prefix='nobody-') as home:  # not pytest's, which only its owner can enter
        Path(home).chmod(0o777)
        env = {**os.environ, 'PYTHONPATH': str(REPO), 'TMPDIR': home, 'HOME': home, 'CIBENCH_CACHE': str(cache_dir())}
        command = [*AS_NOBODY, sys.executable, '-c', script, *arguments]
        return subprocess.run(command, env=env, cwd='/', capture_output=True, text=True)

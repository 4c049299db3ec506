"""Other versions of Python, where the machine has them."""

import shutil
import subprocess
from pathlib import Path

import pytest


def python_of(version):
    """An interpreter of another version, wherever this machine has it."""
    found = [shutil.which(f'python{version}'), *Path.home().glob(f'.pyenv/versions/{version}.*/bin/python')]
    for python in filter(None, found):
        if subprocess.run([python, '-c', 'import venv'], capture_output=True).returncode == 0:
            return python
    pytest.skip(f'there is no Python {version} here')

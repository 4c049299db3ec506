"""The distribution `cibench-interpreter`: installed alone, its README's example and command work, and it is small."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.uv_install import install

ROOT = Path(__file__).parents[1]
ALONE = ROOT / 'distributions/interpreter'
LARGE = {'opencompass', 'torch', 'transformers', 'numpy', 'pandas', 'lagent', 'mmengine', 'openai'}


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    """A Python in which nothing else is installed."""
    folder = tmp_path_factory.mktemp('alone') / 'venv'
    subprocess.run([sys.executable, '-m', 'uv', 'venv', '-q', '--python', sys.executable, folder], check=True)
    python = folder / 'bin/python'
    command, environment = install(['-q', '--python', str(python), str(ALONE)])
    subprocess.run(command, env=environment, check=True)
    return python


def run(python, *words):
    done = subprocess.run([python, '-P', *words], capture_output=True, text=True, cwd=python.parent)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.kernel
@pytest.mark.soak
def test_the_readme_s_example_works(python):
    (example,) = re.findall(r'```python\n(.+?)```', (ALONE / 'README.md').read_text(), re.DOTALL)
    environment = KernelEnvironment.find('modern')
    assert run(python, '-c', example.replace("'modern'", repr(str(environment.python)))) == 'ok np.float64(2.0)\n'


@pytest.mark.soak
@pytest.mark.kernel
def test_its_program_has_the_commands_that_it_needs(python):
    cibench = python.with_name('cibench')
    shown = subprocess.run([cibench, '--help'], capture_output=True, text=True).stdout
    assert re.findall(r'^  (\w+)  ', shown.partition('Commands:')[2], re.MULTILINE) == ['kernel', 'exec']
    refused = subprocess.run([cibench, 'data', 'list'], capture_output=True, text=True)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    path = str(KernelEnvironment.find('modern').python)
    done = subprocess.run([cibench, 'exec', '-', '--environment', path, '--json'], input='6 * 7', **PIPES)
    assert json.loads(done.stdout)['outputs'][0]['text'] == '42'


PIPES = {'capture_output': True, 'text': True, 'env': os.environ}


def test_it_is_small_and_whole(python):
    """None of the large libraries is there, nothing is missing, and the version is the benchmark's."""
    code = (
        'import importlib.metadata, json, pkgutil, sys\n'
        'import cibench_eval.interpreter as package\n'
        'first = sorted(sys.modules)\n'
        'for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):\n'
        '    if ".inside" not in module.name: __import__(module.name)\n'
        'names = [one.metadata["name"] for one in importlib.metadata.distributions()]\n'
        'print(json.dumps([first, names, importlib.metadata.version("cibench-interpreter")]))'
    )
    modules, names, own = json.loads(run(python, '-c', code))
    assert not LARGE & ({*names} | {name.partition('.')[0] for name in modules})
    assert own == version('cibench-eval')
    data = ALONE.parents[1] / 'cibench_eval/interpreter'
    there = Path(run(python, '-c', 'import cibench_eval.interpreter as i; print(i.__path__[0])').strip())
    files = {path.relative_to(data) for path in data.rglob('*') if path.is_file() and '__pycache__' not in path.parts}
    assert files == {
        path.relative_to(there) for path in there.rglob('*') if '__pycache__' not in path.parts and path.is_file()
    }

"""The distribution `cibench-core`: on newer Pythons, without OpenCompass, its runs score as runs of `run.py`."""

import json
import sys

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.run.main import main
from distributions.parts import CORE
from tests.support.integrations import core, new_python
from tests.support.pythons import python_of
from tests.test_interpreter_alone import LARGE, run

pytestmark = [pytest.mark.kernel, pytest.mark.soak]

BESIDE = {
    'agents.lagent_action': 'lagent',
    'agents.lagent_agent': 'lagent',
    'agents.mcp_server': 'mcp',
    'integrations.agentcompass_benchmark': 'agentcompass',
    'integrations.agentcompass_environment': 'agentcompass',
    'integrations.env_server': 'websockets',
    'integrations.inspect_task': 'inspect_ai',
    'integrations.langchain_tool': 'langchain_core',
    'integrations.smolagents_executor': 'smolagents',
    'integrations.trl_env': 'websockets',
    'integrations.verifiers_env': 'verifiers',
    'models.llama_server': 'xllamacpp',
}
"""Modules that stand on a package that the core has not."""
IMPORT_ALL = """
import importlib, pkgutil, sys, cibench_eval
for found in pkgutil.walk_packages(cibench_eval.__path__, 'cibench_eval.'):
    parts = found.name.split('.')
    if not {'inside', 'sources', 'configs'} & {*parts}:
        try:
            importlib.import_module(found.name)
        except ModuleNotFoundError as error:
            print(found.name, error.name)
"""
MODELS = """
from cibench_eval.models import ScriptReplay

models = [dict(type=ScriptReplay, abbr='mixed', path={path!r})]
"""
REPLY = 'Thought: .\nAction: IPythonInterpreter\nAction Input:\n```python\n{}\n```'
TIMES = ('seal', 'usage')
"""Fields of results that two runs never share."""
LOWEST = [one.replace('>=', '==') for one in CORE if '>=' in one]
VERSIONS = {'3.12': LOWEST, '3.13': (), '3.14': ()}
"""Versions of Python, and what is installed beside the core: in the oldest of these the lowest that it accepts."""


@pytest.fixture(scope='module', params=VERSIONS)
def python(request, tmp_path_factory):
    """A Python of each version in which the core alone is installed."""
    own = sys.executable if sys.version.startswith(request.param) else python_of(request.param)
    installed = core(tmp_path_factory.getbasetemp()), *VERSIONS[request.param]
    return new_python(tmp_path_factory.mktemp('core') / 'venv', *installed, base=own)


@pytest.fixture(scope='module')
def words(tmp_path_factory):
    """The command line of a run with a mixture of right, wrong and failing answers."""
    folder = tmp_path_factory.mktemp('models')
    replies = {
        one.id: {step.index: mixed(step) for step in one.steps}
        for one in load_experiments(builtin_folder('builtin', 'modern'))
    }
    (folder / 'replies.json').write_text(json.dumps(replies))
    (folder / 'models.py').write_text(MODELS.format(path=str(folder / 'replies.json')))
    return ['--models', str(folder / 'models.py'), '--datasets', 'demo', '--limit', '2']


def mixed(step):
    """The replies to a step at its three attempts."""
    gold, wrong = REPLY.format(step.code), REPLY.format(f'{step.code}\nanswer = 0\nprint(0)')
    fails = REPLY.format('1 / 0')
    return [[gold] * 3, [wrong] * 3, [fails, gold, gold], [gold] * 3, [fails] * 3][step.index % 5]


@pytest.fixture(scope='module')
def of_run_py(words, tmp_path_factory):
    """The results that `run.py` writes."""
    folder = tmp_path_factory.mktemp('run')
    assert main([*words, '-w', str(folder)]) == 0
    found = results(folder)
    assert {score for one in found.values() for step in one['steps'] for score in step['values'].values()} >= {0, 1}
    return found


def results(folder):
    files = {str(file.relative_to(next(folder.iterdir()))): file for file in folder.rglob('results/*/*.json')}
    return {
        name: {k: v for k, v in json.loads(file.read_text()).items() if k not in TIMES} for name, file in files.items()
    }


def test_its_runs_score_as_those_of_run_py(python, words, of_run_py, tmp_path):
    run(python, '-m', 'cibench_eval.cli', 'run', *words, '-w', str(tmp_path))
    assert results(tmp_path) == of_run_py


def test_it_stands_on_nothing_large(python):
    listed = run(python, '-c', 'from importlib.metadata import distributions as d\nfor one in d(): print(one.name)')
    assert not (LARGE - {'numpy', 'openai'}) & {*listed.lower().split()}


def test_all_its_modules_are_imported_but_those_beside_other_packages(python):
    """And without a warning of pydantic, of which old versions minded names of fields."""
    missing = dict(line.split() for line in run(python, '-W', 'error:Field:UserWarning', '-c', IMPORT_ALL).splitlines())
    assert missing == {f'cibench_eval.{module}': package for module, package in BESIDE.items()}

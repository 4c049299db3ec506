"""How the tests are shared out among processes (`pytest -n`), and that none fails because cores are shared."""

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
from hypothesis import HealthCheck, settings

from tests.interpreter.engines import remove_store
from tests.support import soak

os.environ.update(dict.fromkeys(('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS'), '1'))  # before numpy is imported
os.environ.pop('PYTHONDONTWRITEBYTECODE', None)
sys.dont_write_bytecode = False  # as in the Makefile: what hundreds of processes import is compiled once

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell; programs inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

LONGEST = (
    *('test_harbor_containers', 'test_stock', 'test_kill', 'test_slurm', 'test_core_alone', 'test_verifiers'),
    *('test_triples', 'test_docs', 'test_agentcompass', 'test_hostile_texts', 'test_harbor', 'test_levels'),
    *('test_neighbours', 'test_long', 'test_hard', 'test_inspect', 'test_drawing', 'test_trl'),
    *('test_qwen_rows', 'test_engine', 'test_configs', 'test_hostile', 'test_hostile_use', 'test_attacks_beside'),
    *('test_attacks_on_linux', 'test_attacks_on_the_harness', 'test_awkward', 'test_run', 'test_serve'),
    *('test_interpreter_alone', 'test_start', 'test_openenv', 'test_workers', 'test_pipeline', 'test_follow_ons'),
    *('test_embedded', 'test_door', 'test_builtin', 'test_environments', 'test_official_upstream', 'test_export'),
    *('test_qwen_ci', 'test_written', 'test_in_a_browser', 'test_report'),
)
"""Files that begin first, so that no core ends with one of them while the others have nothing left to do."""
TOGETHER = {
    'tests/evaluators/comparing/': 'what kernels describe',
    'tests/evaluators/test_official_upstream.py': 'OpenCompass',
    'tests/opencompass/test_batching.py': 'OpenCompass',
}
"""Files that stay in one process: the libraries that they share take longer to import than the tests."""
MEMORY = 3 * 2**30
"""Bytes that one process of tests may take: a process with all libraries that forks, and sessions up to their limit."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption('--soak', action='store_true', help='run the soak, too, and all tests in their whole size')


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption('soak'):
        os.environ[soak.VARIABLE] = '1'  # before any test file is imported; the processes of `-n` inherit it
        soak.SOAK = True


settings.register_profile('shared cores', deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile('shared cores')


@pytest.fixture(autouse=True)
def modules_of_its_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A profile, an agent or a tool that a test writes is found by that test alone."""
    path, modules, base = [*sys.path], {*sys.modules}, str(tmp_path_factory.getbasetemp())
    yield
    sys.path[:] = path
    for name in sys.modules.keys() - modules:
        if str(getattr(sys.modules[name], '__file__', '')).startswith(base):
            del sys.modules[name]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption('soak'):
        soak = [item for item in items if item.get_closest_marker('soak')]
        items[:] = [item for item in items if item not in set(soak)]
        config.hook.pytest_deselected(items=soak)
    order = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: order.get(item.path.stem, len(LONGEST)))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Behind all tests, but before the process ends: xdist kills one that takes more than 10 s for it."""
    remove_store()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: one a core, as far as memory goes; three at least, since tests wait for time limits.

    More only slow each other down: on two cores three take 9 min 33 s, four 10 min 54 s, six 12 min 5 s.
    """
    return max(1, min(max(3, len(os.sched_getaffinity(0))), psutil.virtual_memory().total // MEMORY))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file stays in one process, for what its tests share; of programs, those that share a pool of kernels do."""
    from xdist.scheduler import LoadScopeScheduling

    class ByPlace(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if '::test_program[' in nodeid:
                return nodeid.rpartition('-')[0]
            shared = (name for place, name in TOGETHER.items() if nodeid.startswith(place))
            return next(shared, nodeid.partition('::')[0])

    config.option.loadscopereorder = False  # by the number of tests, which is not how long they take
    return ByPlace(config, log)

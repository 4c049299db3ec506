"""Containers, by a scripted `docker` that checks its arguments and makes them with bubblewrap: no daemon can be had.

What sessions in them do is in test_engine.py.
"""

import json
import os

import pytest

from cibench_eval.interpreter import KernelSettings, container_engine, container_image, process
from cibench_eval.schema import CibenchError, HarnessError
from tests.interpreter.engines import forget_engine, put_docker_on_path, write_command
from tests.interpreter.programs import FORK, level_problem, run
from tests.support.soak import many

pytestmark = pytest.mark.kernel
needs_bubblewrap = pytest.mark.skipif(bool(level_problem(FORK)), reason=f'no bubblewrap: {level_problem(FORK)}')
SETTINGS = KernelSettings(sandbox='docker', start='spawn')


@pytest.fixture
def engine(monkeypatch, tmp_path):
    """The folder of the scripted docker, which is on PATH."""
    put_docker_on_path(monkeypatch, tmp_path)
    yield tmp_path
    forget_engine()


@pytest.fixture
def path(monkeypatch, tmp_path):
    """A folder that is all of PATH, whatever else this machine has."""
    monkeypatch.setenv('PATH', str(tmp_path))
    forget_engine()
    yield tmp_path
    forget_engine()


def log(engine):
    return [json.loads(line) for line in (engine / 'log').read_text().splitlines()]


def containers(engine):
    return list(engine.glob('container-*'))


def execute(*codes, **settings):
    return run(*codes, **{'sandbox': 'docker', 'start': 'spawn', **settings})


# --- Whether it can be used --------------------------------------------------------------------------------------


def test_without_a_command_it_is_refused_in_one_line(path):
    with pytest.raises(CibenchError) as error:
        SETTINGS.chosen_sandbox()
    assert str(error.value) == (
        "sandbox='docker': docker is not on PATH; fix that, or run without a sandbox by sandbox='none' in the config"
    )


@pytest.mark.parametrize('name', ['docker', 'podman'])
def test_without_a_daemon_it_says_what_the_command_says_and_asks_once(path, name):
    write_command(path / name, f'echo "$@" >> {path}/log\necho Client: 1\necho >&2\necho no daemon here >&2\nexit 1')
    for _ in range(3):
        with pytest.raises(CibenchError, match=f'{name}: no daemon here; fix that'):
            KernelSettings(sandbox='docker', sandbox_options={'command': name}).chosen_sandbox()
    assert (path / 'log').read_text() == 'version\n'


def test_a_dead_docker_does_not_become_podman(engine):
    (engine / 'docker').rename(engine / 'podman')
    with pytest.raises(CibenchError) as error:
        SETTINGS.chosen_sandbox()
    assert str(error.value) == (
        "sandbox='docker': docker is not on PATH (podman works here: sandbox_options=dict(command='podman')); fix "
        "that, or run without a sandbox by sandbox='none' in the config"
    )


def test_podman_without_root_and_control_groups_of_version_2_is_refused(path):
    """It would ignore all limits, and say so in a warning."""
    write_command(path / 'podman', 'test "$1" = version || echo true v1')
    with pytest.raises(CibenchError, match='podman: without root, it limits nothing where control groups have version'):
        KernelSettings(sandbox='docker', sandbox_options={'command': 'podman'}).chosen_sandbox()


def test_an_image_that_is_not_there_is_refused_with_the_command_that_fetches_it(engine):
    with pytest.raises(CibenchError, match=r'there is no image a/b:1 here \(run `docker pull a/b:1`\)'):
        KernelSettings(sandbox='docker', sandbox_options={'image': 'a/b:1'}).chosen_sandbox()


def test_an_option_that_it_does_not_have_is_named_with_those_that_it_has(engine):
    settings = KernelSettings(sandbox='docker', sandbox_options={'runtme': 'runsc'})
    with pytest.raises(CibenchError, match=r'of docker: runtme is unknown \(its options: command, runtime, image\)'):
        settings.chosen_sandbox()


def test_results_say_the_runtime_and_that_kernels_are_spawned(engine):
    settings = KernelSettings(sandbox='docker', sandbox_options={'runtime': 'runsc'}, start='fork')
    found = settings.provenance()
    assert (found['sandbox'], found['kernel_start'], found['limits']) == ('docker-runsc', 'spawn', 'container')
    assert SETTINGS.chosen_sandbox().label == 'docker'


# --- Sessions ----------------------------------------------------------------------------------------------------


@needs_bubblewrap
def test_a_session_gives_up_what_docker_can_take(engine):
    """The scripted docker refuses a command line that lacks a restriction; here is what it looks like inside."""
    (execution,) = execute(
        'import os, socket\n'
        'status = dict(line.split(":\\t", 1) for line in open("/proc/self/status").read().splitlines())\n'
        'refused = []\n'
        'sockets = "/session/sockets/"\n'
        'for path in (f"{sockets}x", "/usr/x", "/x", *map(sockets.__add__, os.listdir(sockets))):\n'
        '    try:\n        open(path, "a").write("x")\n    except OSError:\n        refused.append(path)\n'
        'print(os.getuid() > 30000, os.getgroups() in ([], [65534]))\n'
        'print(status["CapBnd"], status["NoNewPrivs"], status["Seccomp"])\n'
        'print(len(refused), [name for _, name in socket.if_nameindex()], os.path.exists("/proc/1/environ"))\n'
        'try:\n    open("/proc/1/environ").read()\nexcept PermissionError:\n    print("closed")\n'
        'os.environ.get("OPENAI_API_KEY"), [name for name in os.environ if "proxy" in name.lower()]'
    )
    groups_gone = os.geteuid() == 0  # an ordinary user's stand-in for Docker cannot give them up
    own = f'True {groups_gone}'
    assert execution.stdout.splitlines() == [own, '0000000000000000 1 2', "8 ['lo'] True", 'closed']
    assert execution.result == '(None, [])'
    run = next(words for words in log(engine) if words[0] == 'run')
    assert not any('OPENAI' in word for word in run)
    assert {f'{name}=' for name in ('http_proxy', 'HTTPS_PROXY', 'no_proxy')} <= set(run)


@pytest.mark.soak
@needs_bubblewrap
def test_a_fork_becomes_a_spawn_and_its_image_is_made_once(engine, caplog):
    process._warn_of_spawn.cache_clear()
    for _ in range(2):
        assert execute('1', start='fork')[0].result == '1'
        container_image.empty_image.cache_clear()  # as in another process
    assert caplog.text.count('a fork cannot enter') == 1
    assert [words[0] for words in log(engine)].count('import') == 1


# --- What goes wrong ---------------------------------------------------------------------------------------------


@needs_bubblewrap
@pytest.mark.parametrize('name', ['docker', *many(['podman'], [])])
def test_what_an_engine_refuses_is_told_in_its_words(engine, name):
    """Podman takes its runtime before the command."""
    (engine / 'docker').rename(engine / name)
    (engine / 'fails').write_text('Error response from daemon: unknown or invalid runtime name: runsc.')
    with pytest.raises(HarnessError, match=r'did not start: docker: Error response .*: unknown or invalid runtime'):
        execute('1', sandbox_options={'command': name, 'runtime': 'runsc'})
    given = {'docker': ['run', '--runtime', 'runsc'], 'podman': ['--runtime', 'runsc', 'run']}
    assert given[name] in [words[:3] for words in log(engine)]


@pytest.mark.soak
@needs_bubblewrap
def test_control_groups_that_crun_refuses_come_with_what_to_do(engine):
    (engine / 'fails').write_text('Error: OCI runtime error: crun: cgroups in hybrid mode not supported, drop all')
    with pytest.raises(HarnessError, match=r'hybrid mode not supported.*\(crun refuses .*`unshare -m .*`\)$'):
        execute('1')


@pytest.mark.soak
@needs_bubblewrap
def test_a_daemon_on_another_machine_is_found_out(engine):
    (engine / 'elsewhere').mkdir()
    (engine / 'elsewhere').chmod(0o777)
    with pytest.raises(HarnessError, match=r'docker has to run on this machine, and gVisor .* --host-uds=create'):
        execute('1')
    assert containers(engine) == []


def test_mounts_are_csv():
    assert container_engine.mount('/a', '/b', 'readonly') == 'type=bind,source=/a,target=/b,readonly'
    assert container_engine.mount('/a,b"c', '/b') == 'type=bind,"source=/a,b""c",target=/b'

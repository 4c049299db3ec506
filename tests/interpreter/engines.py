"""Engines of containers for tests: a scripted `docker`, and the machine's own engine where it runs.

That is Podman, or Docker with CIBENCH_ENGINE=docker.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from cibench_eval.interpreter import container_engine, container_image

ENGINE = os.environ.get('CIBENCH_ENGINE', 'podman')
PLAIN = 'exec {podman} "$@"'
WITHOUT_CGROUP2 = (
    'exec unshare --mount --propagation slave sh -c \'umount /sys/fs/cgroup/unified; exec {podman} "$@"\' podman "$@"'
)
"""For machines with cgroup2 beside version 1, which crun refuses."""
PROGRAMS = ('sh', 'chmod', 'cp', 'dirname', 'du', 'find', 'ln', 'mkdir', 'rm')
TRIAL = ('run', '--rm', '--network=none', '--memory=64m', '--ulimit=nofile=1024:1024', '--ulimit=nproc=99:99')


def put_docker_on_path(patch, folder, name='docker'):
    """Make `docker` the scripted one, which keeps what it knows in `folder`, and forget what was found of engines.

    No other engine is on PATH, whatever this machine has.
    """
    script = Path(__file__).with_name('scripted_docker.py')
    write_command(folder / name, f'exec {sys.executable} -IS {script} "$@"')
    patch.setenv('SCRIPTED_DOCKER', str(folder))
    patch.setenv('PATH', f'{folder}:{programs_without_engines(folder)}')
    forget_engine()


def programs_without_engines(folder):
    """A folder with links to the programs in /usr/bin, without engines of containers."""
    programs = folder / 'programs'
    programs.mkdir()
    for path in Path('/usr/bin').iterdir():
        if path.name not in container_engine.OTHER:
            (programs / path.name).symlink_to(path)
    return programs


def put_engine_on_path(patch, folder):
    """Make the machine's own engine the one that sessions find."""
    if ENGINE == 'podman':
        put_podman_on_path(patch, folder)
    forget_engine()


def engine_problem():
    """Why the machine's own engine runs no container here; empty where it does."""
    if ENGINE == 'podman':
        return podman_problem()
    return container_engine.Engine(ENGINE).problem()


def put_podman_on_path(patch, folder):
    """Make `podman` the machine's own, in the way in which it runs here, with containers of this process alone."""
    write_command(folder / 'podman', podman_script())
    patch.setenv('PATH', f'{folder}:{os.environ["PATH"]}')
    forget_engine()


@functools.cache
def store():
    """Where Podman keeps the containers of this process; it takes no long path."""
    return Path(tempfile.mkdtemp(prefix='podman-', dir='/tmp'))


def remove_store():
    """What Podman keeps of this process; it mounts the folder of its layers onto itself."""
    if store.cache_info().currsize:
        subprocess.run(['umount', store() / 'root/overlay'], capture_output=True)
        shutil.rmtree(store(), ignore_errors=True)


def small_system(folder, environment):
    """An operating system for images: a shell, some programs, and the libraries that a kernel environment needs."""
    programs = [shutil.which(name) for name in PROGRAMS]
    binaries = [environment.python.resolve(), *environment.root.rglob('*.so*')]
    binaries += (Path(sysconfig.get_path('stdlib')) / 'lib-dynload').glob('*.so')
    linked = subprocess.run(['ldd', *programs, *binaries], capture_output=True, text=True).stdout
    libraries = {path for path in re.findall(r'(/\S+) \(0x', linked) if path.startswith(('/lib', '/usr/lib'))}
    for path in (*programs, *libraries):
        there = folder / 'usr' / path.removeprefix('/usr').lstrip('/')
        there.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, there)
    for name in ('bin', 'lib', 'lib64'):
        (folder / name).symlink_to(f'usr/{name}')


def write_command(path, script):
    path.write_text(f'#!/bin/sh\n{script}\n')
    path.chmod(0o755)


def forget_engine():
    for found in (container_engine.engine_problem, container_image.empty_image):
        found.cache_clear()


@functools.cache
def podman_problem():
    """Why the machine's Podman runs no container here; empty where it does."""
    if os.geteuid():
        return 'Podman is tried as root'
    return '' if podman_script() else _tried(PLAIN)


@functools.cache
def podman_script():
    """The shell command that runs it here; None where none does."""
    if not shutil.which('podman'):
        return None
    return next((_of_podman(form) for form in (PLAIN, WITHOUT_CGROUP2) if not _tried(form)), None)


def _of_podman(form):
    places = (f'--{name} {store() / name}' for name in ('root', 'runroot', 'tmpdir'))
    return form.format(podman=' '.join([shutil.which('podman'), *places]))


def _tried(form):
    """The error of a container; empty where it ran."""
    if not shutil.which('podman'):
        return 'podman is not on PATH'
    run = functools.partial(subprocess.run, capture_output=True)
    podman = ['sh', '-c', _of_podman(form), 'podman']
    name = 'localhost/cibench-eval/trial'
    made = run([*podman, 'import', '-', name], input=container_image.empty_content())
    folders = [one for one in map(Path, ('/usr', '/bin', '/lib', '/lib64')) if one.exists() and not one.is_symlink()]
    mounts = [word for path in folders for word in ('--volume', f'{path}:{path}:ro')]
    done = made if made.returncode else run([*podman, *TRIAL, *mounts, name, '/bin/true'])
    return f'podman: {done.stderr.decode().splitlines()[-1]}' if done.returncode else ''

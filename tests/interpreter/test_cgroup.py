"""Where groups for sessions are made: a tree of ordinary files that keeps version 2's rules, and this machine's own."""

import asyncio
import errno
import os
import re
import subprocess
import sys
import types
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.interpreter import KernelSettings, cgroup, sandboxes
from cibench_eval.interpreter.cgroup import Cgroup
from tests.interpreter.programs import GIB, groups_can_be_made

needs_groups = pytest.mark.skipif(not groups_can_be_made(), reason='no control groups can be made here')
LIMITS = {'memory.max': '', 'memory.swap.max': '', 'memory.oom.group': '', 'pids.max': '', 'cpu.weight': '100'}
CONTROLLERS = 'cpu memory pids'
OTHER_USER, STRANGER = 12345, 1


class Tree:
    """Groups of version 2 as files, which do what the kernel does when they are written."""

    def __init__(self, root):
        self.root = root
        self.refused = set()
        """Words that cannot be written."""
        self.enabled = {}
        self.add('', CONTROLLERS)

    def add(self, path, controllers=''):
        folder = self.root / path
        Path.mkdir(folder, exist_ok=True)
        self.fill(folder, controllers)
        return folder

    def fill(self, folder, controllers):
        files = {'cgroup.procs': '', 'cgroup.controllers': controllers, 'cgroup.subtree_control': ''}
        files |= {} if folder == self.root else {'cgroup.type': 'domain', 'cgroup.freeze': '0'}
        files |= LIMITS if 'memory' in controllers else {}
        for name, text in files.items():
            (folder / name).write_text(text)

    def write(self, file, text):
        if text in self.refused:
            raise OSError(errno.EBUSY, 'refused')
        if file.name == 'cgroup.procs':
            self.move(text, file)
        elif file.name == 'cgroup.subtree_control':
            self.enable(file, text)
        else:
            file.write_text(text)

    def move(self, pid, target):
        for procs in self.root.rglob('cgroup.procs'):
            procs.write_text('\n'.join(each for each in procs.read_text().split() if each != pid))
        target.write_text(f'{target.read_text()}\n{pid}')

    def enable(self, file, word):
        if file.with_name('cgroup.procs').read_text().strip() and file.with_name('cgroup.type').exists():
            raise OSError(errno.EBUSY, 'no group with processes hands controllers on')
        enabled = f'{file.read_text()} {word[1:]}'.strip()
        file.write_text(enabled)
        for child in file.parent.glob('*/cgroup.controllers'):
            self.fill_keeping_members(child.parent, enabled)

    def fill_keeping_members(self, folder, controllers):
        members = (folder / 'cgroup.procs').read_text()
        self.fill(folder, controllers)
        (folder / 'cgroup.procs').write_text(members)

    def members(self, path):
        return set(map(int, (self.root / path / 'cgroup.procs').read_text().split()))


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A tree in which this process is in the group `own`, which another group is beside."""
    made = Tree(tmp_path)
    own, groups = made.add('own', CONTROLLERS), tmp_path / 'groups'
    (own / 'cgroup.procs').write_text(str(os.getpid()))
    groups.write_text('0::/own\n')
    mkdir, rmdir = Path.mkdir, Path.rmdir

    def make(folder, *args, **kwargs):
        mkdir(folder, *args, **kwargs)
        if tmp_path in folder.parents:
            made.fill(folder, (folder.parent / 'cgroup.subtree_control').read_text())

    def remove(folder):
        if tmp_path in folder.parents:
            for file in folder.iterdir():
                file.unlink()
        rmdir(folder)

    for name, value in {'ROOT': tmp_path, 'OWN_GROUPS': groups, 'write': made.write}.items():
        monkeypatch.setattr(cgroup, name, value)
    monkeypatch.setattr(Path, 'mkdir', make)
    monkeypatch.setattr(Path, 'rmdir', remove)
    forget()
    yield made
    forget()


def forget():
    for found in (cgroup.parents, cgroup.version, sandboxes._warn):
        found.cache_clear()


def user(monkeypatch, tree, uid=OTHER_USER, owned=('own',)):
    """Be an ordinary user to whom these groups belong."""
    monkeypatch.setattr(os, 'geteuid', lambda: uid)
    found = Path.stat
    mine = {tree.root / path for path in owned}

    def stat(path, **kwargs):
        real = found(path, **kwargs)
        owner = uid if path in mine else uid + 1
        return types.SimpleNamespace(st_uid=owner, st_mode=real.st_mode) if path.is_relative_to(tree.root) else real

    monkeypatch.setattr(Path, 'stat', stat)
    monkeypatch.setattr(os, 'access', lambda path, mode: any(path in (mine_, *mine_.glob('*')) for mine_ in mine))


def mark(folder):
    try:
        os.setxattr(folder, 'user.delegate', b'1')
    except OSError as error:
        pytest.skip(f'no extended attributes here: {error.strerror}')


def untouched(tree, members):
    """Whether nothing has happened in the own group: who was in it still is, and hands nothing on."""
    subtree = (tree.root / 'own' / 'cgroup.subtree_control').read_text()
    return tree.members('own') == members and subtree == '' and not (tree.root / 'own' / cgroup.LEAF).exists()


def test_a_user_with_a_group_of_his_own_has_limits(tree, monkeypatch):
    user(monkeypatch, tree)
    group = Cgroup.make(GIB, 100)
    assert group.enforced == {'memory', 'processes'}
    assert cgroup.version() == 'cgroup v2'
    (folder,) = group.folders
    written = {name: (folder / name).read_text() for name in LIMITS}
    assert written == {
        'memory.max': str(GIB),
        'memory.swap.max': '0',
        'memory.oom.group': '1',
        'pids.max': '100',
        'cpu.weight': str(cgroup.HALF['cpu.weight']),
    }
    assert tree.members('own') == set() and tree.members(f'own/{cgroup.LEAF}') == {os.getpid()}


def test_a_task_of_that_run_makes_its_groups_beside_the_leaf(tree, monkeypatch):
    user(monkeypatch, tree)
    assert cgroup.parents() == (tree.root / 'own',)
    (tree.root / 'groups').write_text(f'0::/own/{cgroup.LEAF}\n')
    user(monkeypatch, tree, owned=('own', f'own/{cgroup.LEAF}'))
    forget()
    assert cgroup.parents() == (tree.root / 'own',)


def test_a_group_that_is_not_this_users_is_left_alone(tree, monkeypatch):
    user(monkeypatch, tree, owned=())
    assert Cgroup.make(GIB, 100) is None
    assert untouched(tree, {os.getpid()})


def test_a_group_with_processes_of_others_is_left_alone_unless_it_is_marked_as_delegated(tree, monkeypatch):
    user(monkeypatch, tree)
    (tree.root / 'own' / 'cgroup.procs').write_text(f'{os.getpid()}\n{STRANGER}')
    assert Cgroup.make(GIB, 100).enforced == set()  # it can be frozen
    assert untouched(tree, {os.getpid(), STRANGER})
    mark(tree.root / 'own')
    forget()
    assert Cgroup.make(GIB, 100).enforced == {'memory', 'processes'}
    assert tree.members(f'own/{cgroup.LEAF}') == {os.getpid(), STRANGER}


def test_root_in_a_container_of_its_own_has_limits(tree, monkeypatch):
    user(monkeypatch, tree, uid=0, owned=('',))
    (tree.root / 'groups').write_text('0::/\n')
    (tree.root / 'cgroup.type').write_text('domain')  # it is not the machine's root group
    tree.move(str(os.getpid()), tree.root / 'cgroup.procs')
    assert Cgroup.make(GIB, 100).enforced == {'memory', 'processes'}
    assert tree.members(cgroup.LEAF) == {os.getpid()}


def with_groups_of_others(tree):
    mark(tree.root / 'own')
    (tree.add('own/other') / 'cgroup.procs').write_text(str(STRANGER))


@pytest.mark.parametrize(
    ('change', 'who'),
    [
        (lambda tree: None, {'uid': 0, 'owned': ('', 'own')}),  # who may write those of services and logins, too
        (with_groups_of_others, {}),
        (lambda tree: tree.refused.add('+memory'), {}),
    ],
    ids=['of nobody who delegated it', 'with groups of others', 'that hands no controllers on'],
)
def test_a_group_is_left_alone(tree, monkeypatch, change, who):
    user(monkeypatch, tree, **who)
    change(tree)
    assert Cgroup.make(GIB, 100).enforced == set()
    assert untouched(tree, {os.getpid()})


@pytest.mark.soak
def test_a_run_without_groups_says_so_once_and_in_its_traces(tree, monkeypatch, capsys):
    user(monkeypatch, tree, owned=())
    settings = KernelSettings(sandbox='none')
    assert [settings.provenance()['limits'] for _ in range(2)] == ['watchdog', 'watchdog']
    (line,) = [line for line in capsys.readouterr().err.splitlines() if 'NO CONTROL GROUP' in line]
    assert 'systemd-run --user --scope -p Delegate=yes' in line and 'memory' in line and 'processors' in line
    cli.main(['doctor'])
    (row,) = (line for line in capsys.readouterr().out.splitlines() if line.startswith('│ limits '))
    assert 'optional' in row and sandboxes.WITHOUT_GROUPS in row and sandboxes.GROUPS_FIX in row


@pytest.mark.soak
@needs_groups
def test_where_groups_are_nothing_is_said(capsys):
    forget()
    assert KernelSettings(sandbox='none').provenance()['limits'] == cgroup.version() != 'watchdog'
    assert capsys.readouterr().err == ''
    cli.main(['doctor'])
    assert re.search(r'│ limits +│ ok ', capsys.readouterr().out)


# --- This machine's own ------------------------------------------------------------------------------------------

BURN = 'import os\nchildren = [os.fork() for _ in range(3)]\nwhile True: pass'
"""Eight processes."""
JOIN = 'for file in $0; do echo $$ > "$file"; done; exec "$@"'
WORK = 'import time\nstart = time.process_time()\nwhile time.process_time() < start + 0.5: pass'


@needs_groups
def test_children_that_burn_on_take_no_more_than_their_sessions_share():
    if not any((parent / 'cpu.shares').exists() or (parent / 'cpu.weight').exists() for parent in cgroup.parents()):
        pytest.skip('no controller of processors here')
    hostile, honest = Cgroup.make(GIB, 100), Cgroup.make(GIB, 100)
    cpu = str(min(os.sched_getaffinity(0)))

    def start(group, code):
        command = ['taskset', '--cpu-list', cpu, sys.executable, '-c', code]
        return subprocess.Popen(['/bin/sh', '-c', JOIN, ' '.join(group.member_files), *command])

    burner = start(hostile, BURN)
    try:
        before = hostile.cpu_used()
        start(honest, WORK).wait()
        assert hostile.cpu_used() - before < 4 * honest.cpu_used()  # eight parts of nine without groups
    finally:
        for group in (hostile, honest):
            asyncio.run(group.remove())
        burner.wait()


@needs_groups
def test_what_a_killed_harness_left_in_groups_is_ended_by_the_next():
    code = (
        'import os, subprocess, sys\nfrom pathlib import Path\nfrom cibench_eval.interpreter.cgroup import Cgroup\n'
        'group = Cgroup.make(2**30, 100)\nchild = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=2)\n'
        'for file in group.member_files: Path(file).write_text(str(child.pid))\n'
        'group.freeze(True)\nprint(child.pid, *group.folders, flush=True)\nos.kill(os.getpid(), 9)'
    )
    pid, *folders = subprocess.run([sys.executable, '-c', code], stdout=subprocess.PIPE, text=True).stdout.split()
    assert all(Path(folder).exists() for folder in folders) and Path('/proc', pid).exists()
    forget()
    cgroup.parents()
    assert not any(Path(folder).exists() for folder in folders)


def test_groups_of_harnesses_that_cannot_be_seen_are_left_alone(tmp_path):
    (tmp_path / 'cibench-1234567-1-1').mkdir()  # of another pid namespace
    cgroup._sweep(tmp_path)
    assert list(tmp_path.iterdir())


class Vanishing:
    """A file of a group that another harness removes while it is open: Linux then answers with ENODEV."""

    def __init__(self, file):
        self.file = file

    def read_text(self):
        with self.file.open() as opened:
            self.file.parent.rmdir()
            return opened.read()


@needs_groups
def test_a_group_that_another_harness_removes_meanwhile_has_no_members():
    first, second = (Cgroup.make(GIB, 100) for _ in range(2))
    with pytest.raises(OSError, match='No such device'):
        Vanishing(first.folders[0] / 'cgroup.procs').read_text()
    assert cgroup._read(Vanishing(second.folders[0] / 'cgroup.procs')) == ''
    for group in (first, second):
        asyncio.run(group.remove())

"""A `docker` command line without a daemon: it checks every argument, and makes its containers with bubblewrap.

usage: docker version | image inspect NAME | import - NAME | run … | exec … | kill NAME | rm --force NAME

What it knows is below the folder $SCRIPTED_DOCKER: images, containers, a log of the command lines. A test makes it
fail by what it puts there: a file `fails` (what `run` says then), a folder `elsewhere` (the disk of another machine, on
which the daemon runs).
"""

import contextlib
import csv
import ctypes
import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / 'cibench_eval' / 'interpreter'))  # the package takes a second
from cgroup import Cgroup

FOLDER = Path(os.environ['SCRIPTED_DOCKER'])
ROOT = os.geteuid() == 0
NUMBER = r'[1-9]\d*'
NS_GET_USERNS = 0xB701
TMPFS = rf'rw,exec,nosuid,nodev,mode=1777,size=({NUMBER})'
FLAGS = {'--interactive', '--rm', '--no-healthcheck', '--read-only'}
VALUES = {
    '--name': r'cibench-[0-9a-f]{32}',
    '--pull': 'never',
    '--log-driver': 'none',
    '--hostname': 'sandbox',
    '--workdir': '/',
    '--network': 'none',
    '--user': rf'({NUMBER}):\1',
    '--cap-drop': 'ALL',
    '--security-opt': 'no-new-privileges',
    '--memory': NUMBER,
    '--memory-swap': NUMBER,
    '--pids-limit': NUMBER,
    '--shm-size': NUMBER,
    '--entrypoint': r'/.+/python[\d.]*',
    '--runtime': 'runsc',
    '--dns': '0.0.0.0',
    '--dns-search': r'\.',
}
"""Options that are given at most once, and what they have to be."""
OPTIONAL = {'--network', '--runtime', '--dns', '--dns-search'}
MANY = {
    '--tmpfs': rf'/(session|tmp):{TMPFS}|/sys/\w+:ro,size=4096',
    '--env': r'\w+=.*',
    '--mount': r'type=bind,.+',
    '--ulimit': rf'(nofile|nproc)=({NUMBER}):\2',
}


def fail(text, code=125):
    print(f"docker: {text}\n\nRun 'docker run --help' for more information", file=sys.stderr)
    sys.exit(code)


def parsed(words):
    """Options of `run`, lists for those that are given often, and the words behind them."""
    found, many = {}, {name: [] for name in MANY}
    while words and words[0].startswith('-'):
        name = words.pop(0)
        if name in FLAGS:
            found[name] = True
            continue
        pattern = VALUES.get(name) or MANY.get(name) or fail(f'unknown flag: {name}')
        value = words.pop(0)
        if not re.fullmatch(pattern, value, re.DOTALL):
            fail(f'invalid argument {value!r} for {name}')
        if name in many:
            many[name].append(value)
        elif name in found:
            fail(f'{name} is given twice')
        else:
            found[name] = value
    if missing := (FLAGS | VALUES.keys()) - OPTIONAL - found.keys():
        fail(f'missing: {", ".join(sorted(missing))}')
    return found, many, words


def image_file(name):
    return FOLDER / f'image-{name.replace("/", "_")}'


def container_file(name):
    return FOLDER / f'container-{name}'


def run(words):
    options, many, (image, *command) = parsed(words)
    if not image_file(image).exists():
        fail(f"Error response from daemon: No such image: '{image}'")
    if (FOLDER / 'fails').exists():
        fail((FOLDER / 'fails').read_text())
    cgroup = Cgroup.make(int(options['--memory']), int(options['--pids-limit']))
    reading, writing = os.pipe()
    container = subprocess.Popen(
        joined(cgroup, bwrap(options, many, image, [options['--entrypoint'], *command], writing)),
        stdin=subprocess.PIPE,
        pass_fds=(writing,),
        start_new_session=True,
        env={},
    )
    os.close(writing)
    with os.fdopen(reading) as info:
        first = json.loads(info.read())['child-pid']
    about = {'pid': first, 'user': options['--user'].partition(':')[0], 'env': many['--env']}
    container_file(options['--name']).write_text(json.dumps(about))
    threading.Thread(target=hand_on, args=(container,), daemon=True).start()
    code = container.wait()
    killed = cgroup is not None and cgroup.out_of_memory()
    remove_group(cgroup)
    container_file(options['--name']).unlink()
    sys.exit(137 if killed or code in (-9, 137) else code)


def joined(cgroup, command):
    if cgroup is None:
        return command
    join = 'for file in $0; do echo $$ > "$file"; done; exec "$@"'
    return ['/bin/sh', '-c', join, ' '.join(cgroup.member_files), *command]


def remove_group(cgroup):
    for folder in cgroup.folders if cgroup else ():
        while True:
            cgroup.kill()
            with contextlib.suppress(OSError):
                folder.rmdir()
            if not folder.exists():
                break
            time.sleep(0.01)


def hand_on(container):
    with contextlib.suppress(BrokenPipeError):
        while data := os.read(0, 65536):
            container.stdin.write(data)
            container.stdin.flush()
        container.stdin.close()


def bwrap(options, many, image, command, info):
    uid = options['--user'].partition(':')[0]
    writable = (re.fullmatch(r'(/\w+):rw,.*size=(\d+)', text) for text in many['--tmpfs'])  # it shows nothing of /sys
    sizes = dict(found.groups() for found in writable if found)
    return [
        'bwrap',
        *('--info-fd', str(info), '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--as-pid-1', '--new-session'),
        *(['--unshare-net'] if '--network' in options else []),
        *identity(uid),
        *('--hostname', options['--hostname'], '--clearenv'),
        *(word for pair in many['--env'] for word in ('--setenv', *pair.split('=', 1))),
        *content(image),
        *('--proc', '/proc', '--dev', '/dev'),
        *('--size', options['--shm-size'], '--perms', '1777', '--tmpfs', '/dev/shm', '--remount-ro', '/dev'),
        *(word for path in sizes for word in ('--size', sizes[path], '--perms', '1777', '--tmpfs', path)),
        *(word for words in sorted(map(mounted, many['--mount']), key=depth) for word in words),
        *('--remount-ro', '/', '--chdir', options['--workdir'], '--'),
        *as_user(uid),
        *command,
    ]


def depth(words):
    return words[-1].count('/')


def identity(uid):
    if not ROOT:
        return ['--unshare-user', '--uid', uid, '--gid', uid, '--cap-drop', 'ALL']
    return ['--cap-drop', 'ALL', '--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP']


def as_user(uid):
    user = ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs', '--inh-caps', '-all']
    return [*user, '--bounding-set', '-all'] if ROOT else []


def content(image):
    """What is in the image: links and folders."""
    with tarfile.open(image_file(image)) as tar:
        for member in tar:
            if member.issym():
                yield from ('--symlink', member.linkname, f'/{member.name}')
            elif member.isdir():
                yield from ('--perms', f'{member.mode:04o}', '--dir', f'/{member.name}')


def mounted(text):
    kind, source, target, *options = next(csv.reader([text]))
    paths = [source.removeprefix('source='), target.removeprefix('target=')]
    if kind != 'type=bind' or not all(Path(path).is_absolute() for path in paths) or options not in ([], ['readonly']):
        fail(f'invalid argument {text!r} for --mount')
    if not Path(paths[0]).exists():
        fail(f'Error response from daemon: invalid mount config: bind source path does not exist: {paths[0]}')
    if (FOLDER / 'elsewhere').exists() and not options:
        paths[0] = tempfile.mkdtemp(dir=FOLDER / 'elsewhere')
        Path(paths[0]).chmod(0o777)
    parents = [
        word for path in list(Path(paths[1]).parents)[-2::-1] for word in ('--perms', '0755', '--dir', str(path))
    ]
    return [*parents, '--ro-bind' if options else '--bind', *paths]


def pid_of(name):
    if not container_file(name).exists():
        fail(f'Error response from daemon: No such container: {name}', 1)
    return json.loads(container_file(name).read_text())


def kill(name):
    """As Docker does, wait until it is gone."""
    pid = pid_of(name)['pid']
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    while container_file(name).exists() and Path(f'/proc/{pid}').exists():
        time.sleep(0.01)


def execute(interactive, name, *command):
    about = pid_of(name)
    enter(about['pid'])
    done = subprocess.run([*as_user(about['user']), *command], env=dict(pair.split('=', 1) for pair in about['env']))
    sys.exit(done.returncode)


def enter(pid):
    """Enter the namespaces of a process: for other users than root, first the one that owns them."""
    spaces = [os.open(f'/proc/{pid}/ns/{name}', os.O_RDONLY) for name in ('mnt', 'pid', 'net', 'ipc', 'uts', 'user')]
    owner = fcntl.ioctl(spaces[0], NS_GET_USERNS)
    own = [space.stat() for space in Path('/proc/self/ns').iterdir()]
    for space in spaces if ROOT else [owner, *spaces]:
        known = any(os.path.samestat(os.fstat(space), one) for one in own)
        if not known and ctypes.CDLL(None).setns(space, 0):
            fail('cannot enter the container')
    os.chdir('/')


def main():
    words = sys.argv[1:]
    with (FOLDER / 'log').open('a') as log:
        log.write(json.dumps(words) + '\n')
    match words:
        case ['version']:
            print('Server: scripted')
        case ['image', 'inspect', name]:
            sys.exit(not image_file(name).exists())
        case ['import', '-', name]:
            image_file(name).write_bytes(sys.stdin.buffer.read())
        case ['--runtime', _, 'run', '--read-only-tmpfs=false', *rest]:
            run(rest[rest.index('--interactive') :])  # behind the options that Podman alone has
        case ['run', *rest]:
            run(rest)
        case ['exec', '--interactive', name, *command]:
            execute('--interactive', name, *command)
        case ['kill', name] | ['rm', '--force', name]:
            kill(name)
        case _:
            fail(f'unknown command: {" ".join(words)}')


if __name__ == '__main__':
    main()

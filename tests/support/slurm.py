"""A Slurm of four nodes on one machine, started as whoever runs the tests: real daemons, a real queue, no systemd.

`apt-get install --no-install-recommends slurmctld slurmd slurm-client munge` brings what it needs.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import psutil
import pytest

PARTITION = 'test'
WAIT = 120.0
"""Seconds in which a daemon begins or ends."""
DAEMONS = ('munged', 'slurmctld', 'slurmd')
CONFIG = """
ClusterName=test
{controllers}
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthInfo=socket={folder}/munge.sock,cred_expire=5
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
EnforcePartLimits=ALL
ReturnToService=2
KillWait=1
MinJobAge=3600
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmdTimeout=5
SlurmctldTimeout=3
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
GresTypes=gpu
{nodes}
PartitionName={partition} Nodes=ALL Default=YES MaxTime=60 State=UP
"""
NODE = 'NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=2 Gres=gpu:2 State=UNKNOWN'
"""Two CPUs whatever the machine has: two jobs of one CPU run at once. Its GPUs are files that nobody opens."""
NODES = ('one', 'two', 'three', 'four')
TWO_CONTROLLERS = """CommunicationParameters=NoCtldInAddrAny
DebugFlags=NO_CONF_HASH
SlurmctldHost=first(127.0.0.1)
SlurmctldHost=second(127.0.0.2)"""
"""Each on an address and a machine's name of its own, with its own copy of the configuration."""
HOSTS = '127.0.0.1 localhost first\n127.0.0.2 second\n'


class Slurm:
    """A running Slurm, to which the commands of this process belong while it is there."""

    def __init__(self, folder: Path, machine: Sequence[str] = (), *, standby: bool = False) -> None:
        self._folder = folder
        self._machine = machine
        self._standby = standby
        self._host = socket.gethostname().partition('.')[0]
        self.environment = {
            **os.environ,
            'SLURM_CONF': str(folder / 'slurm.conf'),
            'PATH': f'{os.environ["PATH"]}:/usr/sbin:/sbin',
        }

    def start(self) -> None:
        folder = self._folder
        for name in ('state', 'spool'):
            (folder / name).mkdir()
        (folder / 'munge.key').write_bytes(os.urandom(1024))
        (folder / 'munge.key').chmod(0o600)
        user = psutil.Process().username()
        port, *ports = _free_ports(1 + len(NODES))
        nodes = [NODE.format(name=name, host=self._host, port=own) for name, own in zip(NODES, ports, strict=True)]
        controllers = TWO_CONTROLLERS if self._standby else f'SlurmctldHost={self._host}(127.0.0.1)'
        values = {'folder': folder, 'user': user, 'port': port, 'controllers': controllers, 'partition': PARTITION}
        (folder / 'slurm.conf').write_text(CONFIG.format(nodes='\n'.join(nodes), **values))
        (folder / 'gres.conf').write_text('Name=gpu File=/dev/null,/dev/zero\n')
        own = [f'--{key}={folder}/munge{ending}' for key, ending in (('key-file', '.key'), ('socket', '.sock'))]
        own += [
            f'--pid-file={folder}/munged.pid',
            f'--log-file={folder}/munged.log',
            f'--seed-file={folder}/munged.seed',
        ]
        self._call('munged', '--force', *own)
        if self._standby:
            self._start_pair()
        else:
            self._call('slurmctld', '-c')
        for name in NODES:
            self.start_node(name, '-c')
        self.wait(lambda: set(self.states().values()) == {'idle'})

    def ask(self, *command: str) -> str:
        """What one of its commands answers; nothing where it fails."""
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        return done.stdout if done.returncode == 0 else ''

    def jobs(self, *states: str) -> list[str]:
        """The ids of jobs in these states, all that are not over by default, as `12_3`."""
        named = [f'--states={",".join(states)}'] if states else []
        lines = self.ask('squeue', '--array', '--noheader', '--format=%F_%K', *named).split()
        return sorted(lines)

    def processes(self, job: str) -> list[psutil.Process]:
        """The Python processes of a running job: its own first."""
        number = self.ask('squeue', '--noheader', f'--jobs={job}', '--format=%A').strip()
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get('SLURM_JOB_ID') == number and 'cibench_eval.run.job' in process.cmdline():
                    found.append(process)
        return sorted(found, key=lambda process: process.create_time())

    def states(self) -> dict[str, str]:
        """Node -> its state."""
        lines = self.ask('sinfo', '--noheader', '--Node', '--format=%N %T').splitlines()
        return {name: state for name, _, state in (line.partition(' ') for line in lines)}

    def node(self, job: str) -> str:
        """The node on which a job runs, or ran last."""
        return self.ask('squeue', '--noheader', '--states=all', f'--jobs={job}', '--format=%N').strip()

    def start_node(self, name: str, *options: str) -> None:
        (self._folder / 'spool' / name).mkdir(exist_ok=True)
        self._call(*self._machine, 'slurmd', '-N', name, *options)

    def fail(self, name: str) -> None:
        """Let a node lose its power: all that runs on it is gone at once."""
        daemon = psutil.Process(int((self._folder / f'slurmd.{name}.pid').read_text()))
        here = [job for job in self.jobs('RUNNING') if self.node(job) == name]
        lost = [daemon, *(one for job in here for process in self.processes(job)[:1] for one in _family(process))]
        for process in lost:
            with suppress(psutil.NoSuchProcess):
                process.kill()

    def _start_pair(self) -> None:
        """Two controllers, of which the second one takes over when the first one is gone."""
        (self._folder / 'hosts').write_text(HOSTS)
        text = (self._folder / 'slurm.conf').read_text()
        (self._folder / 'second.conf').write_text(text.replace('/slurmctld.', '/second.'))
        for name, conf in (('first', 'slurm.conf'), ('second', 'second.conf')):
            script = f'mount --bind hosts /etc/hosts && hostname {name} && exec slurmctld -f {conf}'
            self._call('unshare', '--uts', '--mount', 'sh', '-c', f'cd {self._folder} && {script}')
        self.wait(lambda: self.ask('scontrol', 'ping').count('UP') == 2)

    def lose_controller(self) -> None:
        """Kill the first of two controllers, without a word, when it has written down which jobs run.

        Else the second one would start them again, and Slurm holds what a node refuses. The state is written some
        seconds after a change, so one is made.
        """
        state, changed = self._folder / 'state/job_state', time.time()
        for job in self.jobs('running'):
            self._call('scontrol', 'update', f'JobId={job}', 'Comment=seen')
        self.wait(lambda: state.exists() and state.stat().st_mtime > changed)
        self._end('slurmctld', signal.SIGKILL)

    def restart_controller(self) -> None:
        """End the controller, and start it again with what it has written."""
        self._end('slurmctld', signal.SIGTERM)
        self._call('slurmctld')
        self.wait(lambda: 'UP' in self.ask('scontrol', 'ping'))

    def stop(self) -> None:
        """End everything that it runs, and itself."""
        self.ask('scancel', '--quiet', f'--user={psutil.Process().username()}')
        with suppress(AssertionError):
            self.wait(lambda: not self.jobs())
        for name in (*(f'slurmd.{node}' for node in NODES), 'slurmctld', 'second', 'munged'):
            self._end(name, signal.SIGTERM)

    def wait(self, until: Callable[[], object]) -> None:
        """Wait for something that its daemons do."""
        end = time.monotonic() + WAIT
        while not until():
            assert time.monotonic() < end, self._logs()
            time.sleep(0.05)

    def _call(self, *command: str) -> None:
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    def _end(self, daemon: str, number: signal.Signals) -> None:
        path = self._folder / f'{daemon}.pid'
        with suppress(OSError, ValueError, psutil.NoSuchProcess):
            process = psutil.Process(int(path.read_text()))
            process.send_signal(number)
            process.wait(WAIT)

    def _logs(self) -> str:
        return '\n'.join(path.read_text()[-2000:] for path in self._folder.glob('*.log'))


@contextmanager
def slurm(machine: Sequence[str] = (), *, standby: bool = False) -> Iterator[Slurm]:
    """A Slurm while the block runs; the test is skipped where none is installed.

    Args:
        machine: words before the command of a node, which give it what is a machine's own.
        standby: whether there is a second controller, which takes root.
    """
    path = f'{os.environ["PATH"]}:/usr/sbin:/sbin'
    missing = [name for name in (*DAEMONS, 'sbatch', 'squeue', 'scontrol') if not shutil.which(name, path=path)]
    if missing:
        pytest.skip(
            f'no Slurm here ({", ".join(missing)}): apt-get install --no-install-recommends slurmctld slurmd '
            'slurm-client munge'
        )
    folder = Path(tempfile.mkdtemp(prefix='slurm', dir='/tmp'))  # short: sockets are in it
    folder.chmod(0o755)
    made = Slurm(folder, machine, standby=standby)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _family(process: psutil.Process) -> list[psutil.Process]:
    """The step daemon of a job, the shell of its script, and all that they started."""
    daemon = next(one for one in process.parents() if one.name() == 'slurmstepd')
    return [daemon, *daemon.children(recursive=True)]


def _free_ports(number: int) -> list[int]:
    """Ports that are free at this moment, each another."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.create_server(('127.0.0.1', 0))) for _ in range(number)]
        return [one.getsockname()[1] for one in sockets]

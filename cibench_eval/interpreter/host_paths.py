"""The paths of this machine that a session may read: the operating system and the kernel environment."""

from collections.abc import Iterable
from pathlib import Path

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.schema import CibenchError

SYSTEM = ('/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/etc/alternatives', '/etc/fonts', '/etc/ld.so.cache')
"""Paths of the operating system that programs need; nothing in /etc that describes this machine."""
NETWORK = ('/etc/hosts', '/etc/nsswitch.conf', '/etc/resolv.conf', '/etc/ssl', '/etc/pki')
"""Further paths that programs need to reach other machines, where the config allows it."""
TOOLS_HERE = Path(__file__).parent / 'inside'
TOOLS = '/opt/kernel'
"""The start-up code of kernels: its path inside; TOOLS_HERE is its path on the host."""
HARNESS = Path(__file__).resolve().parents[1]
"""This package, which contains gold and labels: no session may read it, wherever it is installed."""
CLONE = ('run.py', 'pyproject.toml')
"""Files that stand beside this package where it is in a clone. A clone has gold, labels and runs, too."""
READABLE = 0o005
"""Mode bits that let everybody list and enter a folder."""


def system_folders() -> list[str]:
    """The paths of the operating system here that are no links to others of them."""
    return [path for path in SYSTEM if Path(path).exists() and not Path(path).is_symlink()]


def hidden(shown: Iterable[str]) -> list[str]:
    """Paths to hide below the folders that a session sees: this package, if it is there, and its clone with it.

    If the clone itself holds one of these folders, such as a kernel environment, its other folders are hidden.
    """
    seen = [Path(path).resolve() for path in shown]
    clone = HARNESS.parent
    if not any(HARNESS.is_relative_to(path) for path in seen):
        return []
    below = [path for path in seen if path.is_relative_to(clone)]
    if clone in below or not all((clone / name).is_file() for name in CLONE):
        return [str(HARNESS)]
    if not below:
        return [str(clone)]
    folders = [one for one in clone.iterdir() if one.is_dir() and not one.is_symlink()]
    others = {str(one) for one in folders if not any(path.is_relative_to(one) for path in below)}
    return sorted({str(HARNESS), *others})


def folders_of(environment: KernelEnvironment, *, by_others: bool) -> tuple[Path, ...]:
    """The folders of a kernel environment and of the Python that it was made from; none contains another.

    `by_others` says that kernels run under other user ids than the harness.

    Raises:
        CibenchError: they contain the user's home, or kernels could not read them.
    """
    base = _base_prefix(environment)
    inside = base.is_relative_to('/usr') or base.is_relative_to(environment.root)
    parts = (
        () if inside else tuple(base / name for name in ('bin', 'include', 'lib', 'lib64') if (base / name).is_dir())
    )
    for folder in (environment.root, *parts):
        if Path.home().is_relative_to(folder):
            raise CibenchError(
                f'kernel environment {folder}: it has your home folder in it; make a virtual environment'
            )
        if by_others and folder.stat().st_mode & READABLE != READABLE:
            raise CibenchError(
                f'kernel environment {folder}: only its owner can read it, and kernels run under user ids of their '
                f'own: run `chmod -R o+rX {folder}`'
            )
    return environment.root, *parts


def _base_prefix(environment: KernelEnvironment) -> Path:
    """The prefix of the Python from which a virtual environment was made; of another environment, its own root."""
    settings = environment.root / 'pyvenv.cfg'
    if not settings.exists():
        return environment.root
    fields = dict(line.partition('=')[::2] for line in settings.read_text().splitlines())
    home = Path(next(value for key, value in fields.items() if key.strip() == 'home').strip())
    python = next((path for path in (home / 'python3', home / 'python') if path.exists()), home / 'python3')
    return python.resolve().parent.parent

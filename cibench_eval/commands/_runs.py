"""Arguments that name run folders."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.config.recorded import newest_runs
from cibench_eval.run_paths import CONFIGS
from cibench_eval.schema import CibenchError

LATEST = 'latest'
HELP = f'A run folder: outputs/…/TIMESTAMP, or outputs/…/{LATEST}.'


def run_at(text: str) -> Path:
    """A folder by its path, or the newest run of a work dir by `WORK_DIR/latest`.

    Raises:
        CibenchError: `latest` of a folder that has no run.
    """
    path = Path(text)
    if path.name != LATEST or (path / CONFIGS).exists():
        return path
    if found := newest_runs(path.parent):
        return found[0]
    below = [one / LATEST for one in sorted(path.parent.glob('*')) if one.is_dir() and newest_runs(one)]
    named = ', '.join(map(str, below)) or f'the folder that runs were given with -w, as in outputs/demo/{LATEST}'
    raise CibenchError(f'{path}: there is no run in {path.parent}; name {named}')


def inside_latest(path: Path | None) -> Path | None:
    """A place to write to; below `WORK_DIR/latest` it is in the newest run, and no folder of this name is made."""
    above = next((one for one in path.parents if one.name == LATEST), None) if path else None
    return run_at(str(above)) / path.relative_to(above) if path and above else path


Run = Annotated[Path, typer.Argument(metavar='RUN', parser=run_at, help=HELP, show_default=False)]
Runs = Annotated[list[Path], typer.Argument(metavar='RUN…', parser=run_at, help=HELP, show_default=False)]

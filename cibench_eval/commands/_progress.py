"""How far a command is, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from cibench_eval.terminal import OnProgress, new_console


@contextmanager
def progress(doing: str, done: str) -> Iterator[OnProgress]:
    """Show a bar on a terminal, else a line for each thing that is done.

    Args:
        doing: what the bar calls it (`checking`).
        done: what a line calls it (`checked`).
    """
    console = new_console(stderr=True)
    columns = (
        TextColumn(doing),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn('{task.description}', markup=False),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task('', total=None)

        def observe(number: int, total: int, name: str) -> None:
            bar.update(task, completed=number, total=total, description=name)
            if not console.is_terminal:
                console.print(f'{done} {number}/{total} {name}', markup=False)

        yield observe

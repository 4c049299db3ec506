"""`cibench trust`: a run folder of somebody else, read as one's own."""

from cibench_eval.commands._runs import Run
from cibench_eval.config import recorded
from cibench_eval.terminal import say


def trust(
    run_folder: Run,
) -> None:
    """Trust who made a run: execute its configs that are there in Python alone, and let other commands do as they say.

    These may then import the classes that a config names, and `score --replay` runs code in its kernels, without a
    sandbox where it says so. What `run.py` has written here needs none of this.
    """
    for path in recorded.trust(run_folder):
        say(f'{path}: trusted')

"""Scoring a run again from what it has recorded, wherever the run folder is now."""

from pathlib import Path

from cibench_eval.config.recorded import recorded_run, require_trust
from cibench_eval.evaluators import find_profile
from cibench_eval.grouping import grouped
from cibench_eval.run.scoring import score
from cibench_eval.run.summarizer import lost_sessions, print_summary
from cibench_eval.run_paths import RESCORED, SUMMARY
from cibench_eval.terminal import OnProgress


def rescore(folder: Path, profile: str | None = None, replay: OnProgress | None = None) -> list[str]:
    """Score the sessions of a run folder, print the table, and return what could not be scored, a line for each cause.

    Nothing is run but, with `replay`, the code of failed steps.

    Args:
        folder: the run folder, with its `configs` and `predictions`.
        profile: a scoring profile; the results go to `rescored/<profile>`. None, or the one that all datasets of the
            run have, takes the profile of the run's config, and its results are written anew.
        replay: is told how far it is with running failed steps again; None runs none.

    Raises:
        CibenchError: this is no run folder, there is no such profile, or nothing can be run here.
    """
    run = recorded_run(folder)
    if replay:
        require_trust(folder, '--replay runs the code that the folder holds, in the kernels that its config names')
    if {one.profile for one in run.datasets} == {profile}:
        profile = None
    if profile is not None:
        run = run.scored_by(profile, find_profile(profile).options)
    if replay:
        for kernels in {task.kernels for task in run.tasks}:  # before anything is run
            kernels.provenance()
    problems = grouped(run.tasks, lambda task: score(task, replay))
    results = print_summary(run, folder=folder / RESCORED / profile / SUMMARY if profile else None)
    failed = [
        f'not scored: {", ".join(task.name for task in tasks)}: {problem}'
        for problem, tasks in problems.items()
        if problem
    ]
    return [*failed, *lost_sessions(results)]

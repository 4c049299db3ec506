"""Notebooks of built-in sets, held against their sources."""

from collections.abc import Iterable

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.sets.templates import Draft


def check_said(name: str, environment: str, drafts: Iterable[Draft]) -> None:
    """Hold the notebooks of a set against the drafts of its sources: questions, thoughts, code and kinds."""
    by_target = {draft.target: draft for draft in drafts}
    folder = builtin_folder(name, environment)
    found = {one.path.relative_to(folder): one for one in load_experiments(folder)}
    assert found.keys() == by_target.keys()
    for target, draft in by_target.items():
        steps = found[target].steps
        assert [step.code for step in steps] == draft.codes, target
        assert [step.kind for step in steps] == [step.kind for step in draft.steps], target
        for step, source in zip(steps, draft.steps, strict=True):
            question = draft.question(source).strip()
            assert question.startswith(step.question.rsplit('\n', 2)[0].strip()), target
            assert question.endswith(step.thought.strip()), target

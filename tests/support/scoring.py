"""Steps and sessions scored as tests ask: the metric that compares the output, its value and why."""

from pathlib import Path

from cibench_eval.analysis.results import figures_of
from cibench_eval.evaluators import engine, find_profile
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.schema import StepScore


class Graded:
    """A step's score, with the value and the detail of the metric that compares its output."""

    def __init__(self, step: StepScore, profile):
        deciding = profile.deciding(step.kind)
        self.step, self.index = step, step.index
        self.metric = deciding.name if deciding else None
        self.score = step.values.get(self.metric)
        self.detail = step.details.get(self.metric, '')
        self.tool_rate, self.executable = (bool(step.values[name]) for name in ('tool_rate', 'executable'))


def score_step(actions, step, experiment, figures, *, profile='strict', **options):
    chosen = find_profile(profile)
    (work,) = works_read([list(actions)], experiment, Path(figures))
    return Graded(engine.score_step(work, step, experiment, chosen, chosen.defaults.model_copy(update=options)), chosen)


def score_experiment(steps, experiment, *, profile, figures, **options):
    chosen = find_profile(profile)
    works = works_read(steps, experiment.id, Path(figures))
    scores = engine.score_session(works, experiment, chosen, chosen.defaults.model_copy(update=options))
    return [Graded(score, chosen) for score in scores]


def summarize(graded, profile='strict'):
    return figures_of([one.step for one in graded], find_profile(profile))

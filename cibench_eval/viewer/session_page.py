"""The page of a case: each step of the notebook, and below it each session at this step."""

import shlex
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.reports import conversation
from cibench_eval.reports.conversation import Section
from cibench_eval.reports.sessions import SessionView, StepLine
from cibench_eval.schema import StepTrace
from cibench_eval.viewer.cases import Case, FiledSession
from cibench_eval.viewer.figures import FigureStore, ShownFigure
from cibench_eval.viewer.pages import page

MOST_PAIRS = 50
"""The largest number of figures of an answer that are shown beside the gold's."""
FOLDED = ('thinking', 'shown')
"""Kinds of sections that are folded at first; so is a reply whose code is shown."""
FigurePair = tuple[ShownFigure | None, ShownFigure | None]
"""A figure of an answer and a figure of the gold; either may be missing."""


class AttemptBlock:
    """An attempt at a step: its heading, how its code ended, its sections."""

    def __init__(self, step: StepTrace, sections: list[Section]) -> None:
        execution = step.attempts[sections[0].attempt - 1].execution
        self.title, self.sections = sections[0].title, sections
        self.status = execution.status if execution else 'no code'

    def folds(self, section: Section) -> bool:
        has_code = any(one.kind == 'code' for one in self.sections)
        return section.kind in FOLDED or (section.kind == 'reply' and has_code)


class SessionStep:
    """A session at a step."""

    def __init__(self, views: list[SessionView], step: StepTrace, store: FigureStore, command: str) -> None:
        view = views[0]
        sections = list(conversation.step_sections(view, step, step.asked))
        messages = [one for one in sections if one.kind == 'messages']
        drawn, self.pairs = _pairs(view, step, store)
        """`pairs` are the figures of the last attempt that drew, beside the gold's."""
        self.paired = drawn if self.pairs else 0
        """The number of this attempt; 0 if its figures are shown with its code, because the gold has none."""
        self.line = StepLine(view, step.index)
        self.asked = [*conversation.gold_turns(view, step.index - 1), *messages]
        """The messages that ask the step, after the gold of the step before in oracle mode."""
        attempts = grouped([one for one in sections if one.attempt], lambda one: one.attempt)
        self.attempts = [AttemptBlock(step, own) for own in attempts.values()]
        self.ended = step.ended
        """The limit of the session that ended the step, if one did."""
        self.scores = [conversation.scores_section(one, step.index) for one in views]
        self.verdicts = list(conversation.verdict_sections(view, step.index))
        self.usage = usage_of([step], Price())
        self.command = command
        """The command that shows the whole step."""


class SessionColumn:
    """A session beside others."""

    def __init__(self, session: FiledSession, experiment: str, store: FigureStore) -> None:
        dataset, views = session.source.dataset, session.views(experiment)
        trace = views[0].trace
        words = ['cibench', 'show', str(dataset.run), experiment]
        options = ['--model', dataset.model_name, '--dataset', dataset.dataset_name]
        self.name, self.views, self.trace = session.name, views, trace
        self.about = conversation.about(views[0])
        self.opening = list(conversation.message_sections(trace.opening))
        self.cells = [
            SessionStep(views, step, store, shlex.join([*words[:-1], f'{words[-1]}:{step.index + 1}', *options]))
            for step in trace.steps
        ]
        self.usage = usage_of(trace.steps, Price())
        self.command = shlex.join([*words, *options])


def columns_of(case: Case, store: FigureStore) -> list[SessionColumn]:
    return [SessionColumn(session, case.experiment, store) for session in case.sessions]


def _pairs(view: SessionView, step: StepTrace, store: FigureStore) -> tuple[int, list[FigurePair]]:
    """The last attempt that drew (0 if none did), and its figures beside the gold's; no pairs if that has none."""
    gold = [store.of(figure) for figure in view.gold.steps[step.index].figures] if view.gold else []
    drawn = {
        number: attempt.execution.figures
        for number, attempt in enumerate(step.attempts, 1)
        if attempt.execution and attempt.execution.figures
    }
    last = max(drawn, default=0)
    answer = [store.of_file(view.figures / one.filename) for one in drawn.get(last, [])[:MOST_PAIRS]]
    return last, [*zip_longest(answer, gold)] if gold else []


def _step(columns: list[SessionColumn], index: int) -> dict[str, Any]:
    """A step of the notebook, with a cell for each column."""
    first = next(column for column in columns if index < len(column.cells))
    gold = next((view.gold.steps[index] for column in columns for view in column.views if view.gold), None)
    return {
        'number': index + 1,
        'question': first.trace.steps[index].question,
        'kind': gold.kind if gold else first.cells[index].line.kind,
        'gold': gold,
        'cells': [column.cells[index] if index < len(column.cells) else None for column in columns],
    }


def session_page(case: Case, columns: list[SessionColumn], store: FigureStore, links: dict[str, str]) -> str:
    """The page of a case; `links` has the files of the pages `before` and `after` it, or empty texts."""
    return page(
        'session.html',
        'session.js',
        case=case,
        columns=columns,
        steps=[_step(columns, index) for index in range(max(len(column.cells) for column in columns))],
        figure=lambda path: store.of_file(Path(path)),
        links=links,
    )

"""Sessions for other programs: Jupyter notebooks with scores in their metadata, tables of steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.rendering import jupyter_output
from cibench_eval.reports.sessions import SessionView
from cibench_eval.schema import Attempt, StepTrace

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from pyarrow import Table

ABOUT = """Session of `{model}` on `{experiment}` ({dataset}, {mode}), exported by cibench-eval.

{how}"""
END_TO_END = (
    'Every attempt stands in its order, so running all cells goes the way that the session went. Put the files of '
    "the set's `datasources/` beside the notebook first. Cells that failed are tagged `raises-exception`."
)
ORACLE = (
    'Each step began in the state that the gold leaves, which is not in the notebook: running all cells goes another '
    'way than the session went.'
)
IDENTITY = ('model', 'dataset', 'mode', 'protocol', 'experiment')
"""The fields of a trace that name a session."""
USAGE = ('tokens_in', 'tokens_out', 'model_seconds', 'kernel_seconds')
"""The fields of the usage of a step."""
JUDGE = 'judge_'
"""The beginning of the name of a column with a judge's verdicts."""
FAILS = 'raises-exception'
"""The tag with which Jupyter and nbclient go on after a cell that fails."""


def notebook_of(view: SessionView) -> NotebookNode:
    """A session as a notebook that Jupyter can run: questions, thoughts, code with its outputs, scores.

    The metadata of a question's cell hold the scores of the step, how it ended and why it failed, below `cibench`.

    Raises:
        HarnessError: a figure is missing.
    """
    from cibench_eval.notebook_libraries import nbformat

    trace = view.trace
    how = END_TO_END if trace.mode == 'end_to_end' else ORACLE
    about = ABOUT.format(
        model=trace.model, experiment=trace.experiment, dataset=trace.dataset, mode=trace.mode, how=how
    )
    cells = [nbformat.v4.new_markdown_cell(about, id='about')]
    if view.gold and view.gold.setup:
        cells.append(nbformat.v4.new_code_cell(view.gold.setup, id='setup'))
    for step, line in zip(trace.steps, view.lines(), strict=True):
        cells.append(
            nbformat.v4.new_markdown_cell(step.question, id=f'step-{line.step}', metadata={'cibench': line.record()})
        )
        given = view.gold.steps[step.index].given if view.gold else None
        if given:
            cells.append(nbformat.v4.new_code_cell(given.code, id=f'step-{line.step}-given'))
        cells += _attempts(view, step)
    metadata = {
        'kernelspec': {'name': 'python3', 'display_name': 'Python 3', 'language': 'python'},
        'cibench': {**trace.model_dump(include={*IDENTITY}), 'profile': view.profile},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _attempts(view: SessionView, step: StepTrace) -> Iterator[NotebookNode]:
    """The cells of the attempts at a step: the model's thought, then its code with the outputs."""
    from cibench_eval.notebook_libraries import nbformat

    for number, attempt in enumerate(step.attempts, 1):
        name = f'step-{step.index + 1}-{number}'
        if said := _said(attempt):
            yield nbformat.v4.new_markdown_cell(said, id=f'{name}-said')
        for call, (code, execution) in enumerate(attempt.runs, 1):
            about = {'attempt': number, 'status': execution.status, 'seconds': execution.seconds}
            outputs = [jupyter_output(output, number, view.figures) for output in execution.outputs]
            if error := execution.error:
                lines = error.traceback.split('\n')
                outputs.append(nbformat.v4.new_output('error', ename=error.name, evalue=error.value, traceback=lines))
            yield nbformat.v4.new_code_cell(
                code,
                id=name if len(attempt.runs) == 1 else f'{name}-{call}',
                execution_count=number,
                outputs=outputs,
                metadata={'cibench': about, **({} if execution.status == 'ok' else {'tags': [FAILS]})},
            )


def _said(attempt: Attempt) -> str:
    """The text of a reply beside its code; the whole reply if it has no code."""
    if attempt.execution is None:
        return attempt.reply.text.strip()
    return attempt.action.thought.strip()


def step_table(views: Iterable[SessionView]) -> Table:
    """One row a step: its place, how it ended, each metric, why it failed, what was asked and shown, and its usage.

    Replies from the reply cache count no tokens and no seconds. A metric that a step does not have is null; so is the
    verdict (`judge_NAME`, 0 to 1) of a judge that has none, and the gold's answer where the notebook is gone.
    """
    import pyarrow as pa

    rows = [row for view in views for row in _rows(view)]
    judges = sorted({name for row in rows for name in row if name.startswith(JUDGE)})
    text, number, real = pa.string(), pa.int64(), pa.float64()
    fields = dict.fromkeys(IDENTITY, text)
    fields |= {'epoch': number, 'step': number, 'kind': text, 'outcome': text, 'right': pa.bool_(), 'attempts': number}
    fields |= dict.fromkeys((*(metric.name for metric in known_metrics()), *judges), real)
    fields |= dict.fromkeys(('category', 'cause', 'evidence', 'question', 'code', 'answer', 'gold_answer'), text)
    fields |= dict(zip(USAGE, (number, number, real, real), strict=True))
    return pa.Table.from_pylist(rows, schema=pa.schema(list(fields.items())))


def _rows(view: SessionView) -> Iterator[dict[str, Any]]:
    trace = view.trace
    for step, line in zip(trace.steps, view.lines(), strict=True):
        yield {
            **{name: getattr(trace, name) for name in (*IDENTITY, 'epoch')},
            **{name: getattr(line, name) for name in ('step', 'kind', 'outcome', 'right', 'attempts')},
            **line.values,
            **{f'{JUDGE}{one.judge}': one.score for one in view.verdicts.get(step.index, [])},
            **{name: getattr(line.failure, name, None) for name in ('category', 'cause', 'evidence')},
            'question': step.question,
            'code': step.runs[-1][0] if step.runs else None,
            'answer': step.runs[-1][1].answer if step.runs else None,
            'gold_answer': view.gold.steps[step.index].text if view.gold else None,
            **usage_of([step], Price()).model_dump(include={*USAGE}),
        }

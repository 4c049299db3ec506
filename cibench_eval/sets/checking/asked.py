"""Variables and columns of the gold that no question asks for: State would call a right answer wrong without them."""

import ast
import re
from collections.abc import Iterator

from cibench_eval.schema import Experiment
from cibench_eval.sets.checking.findings import Severity
from cibench_eval.states import asked_names, states_of
from cibench_eval.syntax import parse


def unasked(experiment: Experiment) -> Iterator[tuple[int, str, Severity]]:
    """Index of a step, problem and severity: a variable that may be meant as a column, a column that nothing names."""
    said = ''
    for step in experiment.steps:
        said += step.question
        names = asked_names(step.question, step.code)
        states = (step.state and states_of(step.state)) or {}
        held = {(name, column.name) for name, state in states.items() for column in state.columns}
        columns = {column: name for name, column in held}
        for name in names:
            if name in columns and columns[name] != name:
                table = columns[name]
                text = f'the gold code has a variable `{name}`, by which the question may mean a column of `{table}`'
                yield step.index, f'{text}; an answer without that variable is called wrong', 'note'
        for name, column in _columns_set(step.code):
            if (name, column) in held and not _is_named(column, said):
                text = f'the gold code gives `{name}` a column {column!r} that no question names so far'
                yield step.index, f'{text}; an answer without it is called wrong', 'defect'


def _is_named(column: str, said: str) -> bool:
    return re.search(rf'(?<!\w){re.escape(column)}(?!\w)', said, re.ASCII) is not None


def _columns_set(code: str) -> Iterator[tuple[str, str]]:
    """Each table and column that code sets at its top level: `df['a'] = …`, `df.loc[rows, 'a'] = …`."""
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in _top_level(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
            table = node.value
            if isinstance(table, ast.Attribute) and table.attr in ('loc', 'at'):
                table = table.value
            key = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            if isinstance(table, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield table.id, key.value


def _top_level(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield node
            yield from _top_level(node)

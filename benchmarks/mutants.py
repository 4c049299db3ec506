"""What wrong answers are worth: gold code with one fault in it, run in the gold's state and scored.

    python benchmarks/mutants.py [--datasets builtin_generation builtin_template] [--rounds 3] [--out outputs/mutants]

Each round draws one fault for every step (`FAULTS`): another number, column, comparison, operator or aggregate, one
argument or statement less, two arguments exchanged. A model with the faulty code for its answers runs the oracle mode
of the datasets, under the scoring of their configs. The table has the share of faulty answers that did not end right,
by kind of step and of fault; `survivors.txt` in OUT has the others. Read them: most are right, because the fault
changes nothing that was asked for, or nothing on these data (columns without missing values); 100 is not to be had.
"""

import argparse
import ast
import difflib
import json
import random
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from cibench_eval.agents import ReAct  # noqa: E402
from cibench_eval.analysis.results import Results  # noqa: E402
from cibench_eval.config.assembly import assembled  # noqa: E402
from cibench_eval.config.session_tasks import run_of  # noqa: E402
from cibench_eval.run import arguments  # noqa: E402
from cibench_eval.schema import Experiment, Step, StepScore  # noqa: E402

Fault = Callable[[ast.AST, list[str]], ast.AST | None]
"""A node and the strings by which the experiment names columns -> the faulty node; None where it does not apply."""
COMPARISONS = {ast.Lt: ast.GtE, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.GtE: ast.Lt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.BitAnd: ast.BitOr}
OTHERS = {
    one: other
    for pair in (
        'mean median', 'max min', 'sum mean', 'std mean', 'var std', 'head tail', 'idxmax idxmin', 'argmax argmin',
        'first last', 'count nunique', 'cumsum cumprod', 'nlargest nsmallest', 'upper lower', 'ceil floor', 'sin cos',
        'any all', 'fit_transform transform', 'log log1p', 'abs exp', 'plot scatter', 'bar barh', 'union intersection',
    )
    for one, other in (pair.split(), reversed(pair.split()))
}  # fmt: skip
BESIDE = {'print', 'figure', 'subplots', 'round', 'tight_layout', 'margins', 'show', 'axis'}
"""Functions whose arguments decide nothing: the answer is a variable, and sizes and rounding are free."""
STYLES = {
    'figsize', 'linewidth', 'lw', 's', 'alpha', 'cmap', 'rotation', 'ha', 'va', 'loc', 'ncol', 'zorder', 'fontsize',
    'fmt', 'xytext', 'bbox_to_anchor', 'edgecolor', 'marker', 'fraction', 'shrink', 'verbose', 'n_jobs',
}  # fmt: skip
"""Arguments that decide nothing, likewise."""


def number(node: ast.AST, columns: list[str]) -> ast.AST | None:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, float):
        return ast.Constant(value * 1.1 + 0.01)
    return ast.Constant(value + 1) if type(value) is int else None


def flag(node: ast.AST, columns: list[str]) -> ast.AST | None:
    return ast.Constant(not node.value) if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def comparison(node: ast.AST, columns: list[str]) -> ast.AST | None:
    if not isinstance(node, ast.Compare) or type(node.ops[0]) not in COMPARISONS:
        return None
    return ast.Compare(node.left, [COMPARISONS[type(node.ops[0])](), *node.ops[1:]], node.comparators)


def operator(node: ast.AST, columns: list[str]) -> ast.AST | None:
    if not isinstance(node, ast.BinOp) or type(node.op) not in OPERATORS:
        return None
    return ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)


def aggregate(node: ast.AST, columns: list[str]) -> ast.AST | None:
    if isinstance(node, ast.Attribute) and node.attr in OTHERS:
        return ast.Attribute(node.value, OTHERS[node.attr], node.ctx)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in OTHERS:
        return ast.Constant(OTHERS[node.value])
    return None


def column(node: ast.AST, columns: list[str]) -> ast.AST | None:
    if not isinstance(node, ast.Constant) or node.value not in columns:
        return None
    others = [name for name in columns if name != node.value]
    return ast.Constant(others[0]) if others else None


def argument(node: ast.AST, columns: list[str]) -> ast.AST | None:
    asked = [one for one in getattr(node, 'keywords', ()) if one.arg not in STYLES]
    if not isinstance(node, ast.Call) or not asked:
        return None
    return ast.Call(node.func, node.args, [one for one in node.keywords if one is not asked[0]])


def order(node: ast.AST, columns: list[str]) -> ast.AST | None:
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    return ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)


FAULTS: dict[str, Fault] = {
    one.__name__: one for one in (number, flag, comparison, operator, aggregate, column, argument, order)
}


def free(tree: ast.Module) -> set[ast.AST]:
    """The parts of code in which a fault changes nothing that is asked for."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {call: getattr(call.func, 'attr', getattr(call.func, 'id', '')) for call in calls}
    parts: list[ast.AST] = [call for call in calls if names[call] in BESIDE]
    parts += [one.value for call in calls for one in call.keywords if one.arg in STYLES]
    return {node for part in parts for node in ast.walk(part)}


def faults_of(tree: ast.Module, columns: list[str]) -> dict[str, list[tuple[ast.AST, ast.AST | None]]]:
    """By kind of fault: the nodes that may have it, each with what takes its place; None takes a statement out."""
    left_out = free(tree)
    found: dict[str, list[tuple[ast.AST, ast.AST | None]]] = defaultdict(list)
    for name, fault in FAULTS.items():
        for node in ast.walk(tree):
            if node not in left_out and (other := fault(node, columns)):
                found[name].append((node, other))
    for statement in tree.body:
        inner = statement.body if isinstance(statement, ast.For) else [statement]
        acts = isinstance(statement, ast.Expr | ast.AugAssign | ast.For)
        if acts and not all(isinstance(one, ast.Expr) and one.value in left_out for one in inner):
            found['statement'].append((statement, None))
    return found


class Replaced(ast.NodeTransformer):
    """A tree in which one node is another, or is gone."""

    def __init__(self, wanted: ast.AST, other: ast.AST | None) -> None:
        self._wanted, self._other = wanted, other

    def visit(self, node: ast.AST) -> Any:
        return self._other if node is self._wanted else self.generic_visit(node)


def columns_of(experiment: Experiment) -> list[str]:
    """The strings by which the gold code takes parts of something (`frame['mass']`)."""
    names: dict[str, None] = {}
    for step in experiment.steps:
        for node in ast.walk(ast.parse(step.code)):
            if isinstance(node, ast.Subscript):
                strings = [one.value for one in ast.walk(node.slice) if isinstance(one, ast.Constant)]
                names |= dict.fromkeys(one for one in strings if isinstance(one, str))
    return list(names)


def drawn(step: Step, columns: list[str], seed: str) -> tuple[str, str] | None:
    """A fault of a step and the code with it: first its kind is drawn, then its place."""
    chance = random.Random(seed)
    tree = ast.parse(step.code)
    gold = ast.unparse(tree)
    kinds = faults_of(tree, chance.sample(columns, len(columns)))
    for name in chance.sample(sorted(kinds), len(kinds)):
        code = ast.unparse(ast.fix_missing_locations(Replaced(*chance.choice(kinds[name])).visit(tree)))
        if code.strip() and code != gold:
            return name, code
    return None


CONFIG = """\
from mmengine.config import read_base

with read_base():
    from configs.agents.react import agents
    from configs.datasets.{dataset} import {dataset}_oracle_datasets as datasets
    from configs.runtimes.local import eval, infer, kernels
    from configs.summarizers.cibench import summarizer

from cibench_eval.models import ScriptReplay

agents[0]['max_attempts'] = 1
models = [dict(type=ScriptReplay, abbr=name, path=f'{folder}/{{name}}.json') for name in {names}]
"""
Key = tuple[str, str, int]
"""A model, an experiment and a step of it."""
Mutants = dict[Key, tuple[Step, str, str]]
"""The steps that have a fault, with its name and the code."""


def experiments_of(config: Path) -> list[Experiment]:
    asked = assembled(arguments.parser().parse_args([str(config)]))
    run = run_of({**asked, 'work_dir': str(config.parent)})
    return list({one.id: one for task in run.tasks for one in task.experiments}.values())


def prepare(experiments: list[Experiment], names: list[str], folder: Path) -> Mutants:
    """Write the replies of each model: the gold's own code where no fault applies."""
    mutants: Mutants = {}
    for name in names:
        replies: dict[str, list[str]] = defaultdict(list)
        for one in experiments:
            columns = columns_of(one)
            for step in one.steps:
                found = drawn(step, columns, f'{name} {one.id} {step.index}')
                if found:
                    mutants[name, one.id, step.index] = step, *found
                answer = step.model_copy(update={'code': found[1]}) if found else step
                replies[one.id].append(ReAct().gold(answer).text)
        (folder / f'{name}.json').write_text(json.dumps(replies), encoding='utf-8')
    return mutants


def scores_of(dataset: str, rounds: int, folder: Path) -> Iterator[tuple[Key, StepScore, tuple[Step, str, str]]]:
    """Run a dataset's oracle mode with faulty answers: the score of each on which something decides."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f'faulty-{number}' for number in range(1, rounds + 1)]
    config = folder / 'eval_mutants.py'
    config.write_text(CONFIG.format(dataset=dataset, folder=folder, names=names), encoding='utf-8')
    mutants = prepare(experiments_of(config), names, folder)
    subprocess.run([sys.executable, 'run.py', str(config), '-w', str(folder / 'run')], check=True, cwd=REPO)
    results = max((folder / 'run').iterdir()) / 'results'
    for file in sorted(results.rglob('*.json')):
        for score in Results.read(file).steps:
            key = file.relative_to(results).parts[0], score.experiment, score.index
            if key in mutants and score.right is not None:
                yield key, score, mutants[key]


def shown_of(key: Key, step: Step, fault: str, code: str) -> str:
    """A fault for reading: the question and the lines that differ."""
    gold = ast.unparse(ast.parse(step.code)).splitlines()
    lines = [*difflib.unified_diff(gold, code.splitlines(), lineterm='', n=1)][2:]
    return '\n'.join([f'## {" ".join(map(str, key))} {step.kind} {fault}', step.question, *lines])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--datasets', nargs='+', default=['builtin_generation', 'builtin_template'])
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--out', type=Path, default=Path('outputs/mutants'))
    given = parser.parse_args()
    ended: dict[tuple[str, str], list[bool]] = defaultdict(list)
    survivors = []
    for dataset in given.datasets:
        for key, score, (step, fault, code) in scores_of(dataset, given.rounds, (given.out / dataset).resolve()):
            for group in ((step.kind, fault), (step.kind, 'all'), ('all', 'all')):
                ended[group].append(not score.right)
            if score.right:
                survivors.append(shown_of(key, step, fault, code))
    (given.out / 'survivors.txt').write_text('\n\n'.join(survivors), encoding='utf-8')
    shown = Table('kind of step', 'fault', 'answers', 'found %', box=None)
    for (kind, fault), found in sorted(ended.items()):
        shown.add_row(kind, fault, str(len(found)), f'{100 * sum(found) / len(found):.1f}')
    Console().print(shown)
    print(f'{len(survivors)} that ended right: {given.out / "survivors.txt"}')


if __name__ == '__main__':
    main()

"""Change a notebook in place: replace the texts of a step, run all code again."""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cibench_eval.datasets.cells import THOUGHT, source_of, with_thought
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.datasets.formats.notebooks import datasources_above, parse_experiment, read_json
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.rendering import failure_of, jupyter_output
from cibench_eval.schema import CibenchError, Execution, Record, Text, unicode_text
from cibench_eval.sets.build import execute
from cibench_eval.sets.checking.static import load_set, resolve
from cibench_eval.sets.describe import check_writable, describe_experiments
from cibench_eval.terminal import Log


class StepText(Record):
    """The texts of a step, which people edit and models translate."""

    question: Text
    thought: Text
    code: Text


class NotebookFile:
    """The content of a notebook that the loader can read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.raw: dict[str, Any] = read_json(path)
        for part in (self.raw, *self.raw['cells']):
            part.setdefault('metadata', {})  # which Jupyter needs, and the loader does not
        cells = [cell for cell in self.raw['cells'] if cell['cell_type'] in ('markdown', 'code')]
        for cell in cells:
            cell['source'] = source_of(cell)
        kept = [cell for cell in cells if cell['source'].strip() or cell.get('outputs')]
        self._asked, self._gold = kept[::2], kept[1::2]

    @property
    def steps(self) -> list[StepText]:
        texts = []
        for asked, gold in zip(self._asked, self._gold, strict=True):
            question, _, thought = asked['source'].strip().partition(THOUGHT)
            texts.append(StepText(question=question.strip(), thought=thought.strip(), code=gold['source']))
        return texts

    @property
    def codes(self) -> list[str]:
        return [step.code for step in self.steps]

    def outputs(self, index: int) -> list[dict[str, Any]]:
        """The stored outputs of a step, in the notebook's own form."""
        return self._gold[index].get('outputs', [])

    def content(self, index: int) -> str:
        """A hash of everything that a reviewer sees of a step: its texts, its kind and its outputs."""
        kinds = self.raw.get('metadata', {}).get('step_types') or []
        kind = kinds[index] if index < len(kinds) else ''
        seen = [self.steps[index].model_dump(), kind, self.outputs(index)]
        return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]

    def replace(self, index: int, text: StepText) -> None:
        """Replace the texts of a step; its outputs stay until the notebook is run."""
        question = text.question.strip() + '\n'
        self._asked[index]['source'] = with_thought(question, text.thought)
        self._gold[index]['source'] = text.code

    def set_executions(self, executions: Sequence[Execution], environment: str) -> None:
        """Replace the outputs of all code cells, and the name of the kernel environment that they are of."""
        self.raw['metadata']['kernel_environment'] = environment
        for number, (cell, execution) in enumerate(zip(self._gold, executions, strict=True), start=1):
            cell['execution_count'] = number
            cell['outputs'] = [jupyter_output(output, number) for output in execution.outputs]

    @property
    def text(self) -> str:
        from cibench_eval.notebook_libraries import nbformat

        for number, cell in enumerate(self.raw['cells'] if self.raw.get('nbformat_minor', 0) >= 5 else []):
            cell.setdefault('id', f'cell-{number}')
        return unicode_text(nbformat.writes(nbformat.from_dict(self.raw))) + '\n'

    def write(self, path: Path | None = None) -> None:
        write_whole(path or self.path, self.text)


def store_outputs(path: str, environment: str, sandbox: str, only: str | None, log: Log) -> None:
    """Run the gold code of a folder of notebooks, or of one, and store its outputs in those that run to their end.

    Args and errors are those of `describe_set`; further errors:

    Raises:
        CibenchError: it is the name of a built-in set, or a notebook is of another kernel environment.
    """
    if not Path(path).exists():
        raise CibenchError(f'{path}: no such folder or notebook; --outputs is for notebooks of your own')
    experiments = [one.experiment for one in load_set(*resolve(path, environment), only, described=False).members]
    check_writable(experiments)
    for one in experiments:
        if one.environment not in (None, environment):
            raise CibenchError(f'{one.path}: its kernel environment is {one.environment}; give that by --environment')
    for datasources, those in grouped(experiments, lambda one: one.datasources).items():
        files = [NotebookFile(one.path) for one in those]
        done = execute([file.codes for file in files], environment, datasources, log, sandbox)
        for file, executions in zip(files, done, strict=True):
            if not any(map(failure_of, executions)):
                file.set_executions(executions, environment)
                file.write()


def run_notebook(file: NotebookFile, root: Path, environment: str, sandbox: str, timeout: float, log: Log) -> None:
    """Run a notebook of the split in `root`, store its outputs, and describe it where it runs to its end.

    Args:
        timeout: seconds of a step.
    """
    datasources = datasources_above(root.resolve())
    if datasources is None:
        raise CibenchError(f'{root}: no datasources/ above it; put the data of the set there')
    (executions,) = execute([file.codes], environment, datasources, log, sandbox, timeout)
    file.set_executions(executions, environment)
    descriptions_file(file.path).unlink(missing_ok=True)  # it describes the old code
    file.write()
    if any(map(failure_of, executions)):
        return
    try:
        described = parse_experiment(read_json(file.path), file.path, root)
    except CibenchError:  # a step lacks its output, which the check says
        return
    describe_experiments([described], environment, sandbox)

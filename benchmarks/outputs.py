"""What cells of notebooks show here, held against nbclient with a plain ipykernel in the same environment.

    python benchmarks/outputs.py                     # the built-in sets' English notebooks, 1,383 cells
    python benchmarks/outputs.py FOLDER [--only PATTERN]   # notebooks below it; their data in FOLDER/datasources

Every notebook runs whole, three times: here, and twice by nbclient. A cell agrees if each stream's text, all other
outputs in their order (text, HTML, image) and the name of the error that ended it are the same. Addresses, durations
and speeds are made equal first. What differs between the two runs of nbclient as well, is counted apart.
"""

import argparse
import asyncio
import base64
import hashlib
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient

from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.schema import Execution

CHANGES = [
    (re.compile(r'\b0x[0-9a-f]+'), '0x'),
    (re.compile(r'/tmp/[\w.-]+|/work/[\w.-]+|ipykernel_\d+|/session[\w./-]*'), 'PLACE'),
    (re.compile(r'\d+(\.\d+)? ?(ms|µs|us|s)(/step|/epoch|/it)?\b|\d+(\.\d+)?it/s|\d\d:\d\d(:\d\d)?'), 'TIME'),
]
"""What differs from run to run, and what stands for it."""
Cell = tuple[str, str, tuple[Any, ...], str]
"""Text of stdout and of stderr, the other outputs, the name of the error."""


def plain(text: str) -> str:
    for pattern, name in CHANGES:
        text = pattern.sub(name, text)
    return '\n'.join(line.rstrip() for line in text.strip().split('\n'))


def of_execution(execution: Execution) -> Cell:
    others = tuple(
        output.figure.sha256 if output.figure else (plain(output.text), plain(output.html or ''))
        for output in execution.outputs
        if output.type not in ('stdout', 'stderr')
    )
    error = execution.error.name if execution.error else ''
    return plain(execution.stdout), plain(execution.stderr), others, error


def of_notebook(outputs: list[Any]) -> Cell:
    texts = {'stdout': '', 'stderr': ''}
    others, error = list[Any](), ''
    for output in outputs:
        if output.output_type == 'stream':
            texts[output.name] += output.text
        elif output.output_type == 'error':
            error = output.ename
        elif 'image/png' in output.data:
            others.append(hashlib.sha256(base64.b64decode(output.data['image/png'])).hexdigest())
        else:
            others.append((plain(output.data.get('text/plain', '')), plain(output.data.get('text/html', ''))))
    return plain(texts['stdout']), plain(texts['stderr']), tuple(others), error


async def here(codes: list[str], data: Path | None, pool: KernelPool) -> list[Cell]:
    settings = pool.settings.model_copy(update={'datasources': data})
    async with Interpreter(settings, pool) as interpreter:
        return [of_execution(await interpreter.run(code)) for code in codes]


async def variables_of(pool: KernelPool) -> dict[str, str]:
    """The environment variables of our kernels, without their folders: how many threads there are changes digits."""
    async with Interpreter(pool.settings, pool) as interpreter:
        found = await interpreter.run('import json, os\nprint(json.dumps(dict(os.environ)))')
    folders = ('PATH', 'HOME', 'TMPDIR', 'IPYTHONDIR', 'MPLCONFIGDIR', 'USER')
    return {name: value for name, value in json.loads(found.stdout).items() if name not in folders}


async def by_nbclient(
    codes: list[str], data: Path | None, environment: KernelEnvironment, variables: dict[str, str]
) -> list[Cell]:
    manager = AsyncKernelManager()
    argv = [str(environment.python), '-m', 'ipykernel_launcher', '-f', '{connection_file}']
    manager._kernel_spec = KernelSpec(argv=argv, display_name='Python', language='python')
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code) for code in codes])
    with tempfile.TemporaryDirectory() as folder:
        if data:
            shutil.copytree(data, folder, dirs_exist_ok=True)
        client = NotebookClient(
            notebook,
            km=manager,
            coalesce_streams=True,
            allow_errors=True,
            timeout=300,
            resources={'metadata': {'path': folder}},
        )
        await client.async_execute(env={**os.environ, **variables})
    return [of_notebook(cell.outputs) for cell in notebook.cells]


async def compare(files: list[Path], data_of: dict[Path, Path | None], name: str) -> Counter[str]:
    """Cells by what came of them. The notebooks run one after the other."""
    environment, counts = KernelEnvironment.find(name), Counter[str]()
    seconds = {'here': 0.0, 'nbclient': 0.0}
    async with KernelPool(KernelSettings(environment=name, timeout=300)) as pool:
        variables = await variables_of(pool)
        for number, file in enumerate(files, 1):
            codes = [cell.source for cell in nbformat.read(file, 4).cells if cell.cell_type == 'code']
            began = time.perf_counter()
            ours = await here(codes, data_of[file], pool)
            between = time.perf_counter()
            theirs = await by_nbclient(codes, data_of[file], environment, variables)
            seconds['here'] += between - began
            seconds['nbclient'] += time.perf_counter() - between
            again = theirs if ours == theirs else await by_nbclient(codes, data_of[file], environment, variables)
            for index, cells in enumerate(zip(ours, theirs, again, strict=True), 1):
                verdict = judge(*cells)
                counts[verdict] += 1
                if verdict == 'differs':
                    print(f'{file}, cell {index}: {difference(cells[0], cells[1])}', flush=True)
            if sys.stderr.isatty():
                print(f'{number} of {len(files)} notebooks', end='\r', file=sys.stderr)
    print(f'{seconds["here"]:.0f} s here, {seconds["nbclient"]:.0f} s by nbclient')
    return counts


def judge(ours: Cell, theirs: Cell, again: Cell) -> str:
    if ours == theirs:
        return 'the same'
    return 'the same in another run of nbclient' if ours == again else 'changes' if theirs != again else 'differs'


def difference(ours: Cell, theirs: Cell) -> str:
    names = ('stdout', 'stderr', 'outputs', 'error')
    name, one, other = next(found for found in zip(names, ours, theirs, strict=True) if found[1] != found[2])
    return f'{name}: {str(one)[:300]!r} here, {str(other)[:300]!r} by nbclient'


def builtin_notebooks() -> Iterator[tuple[Path, Path | None]]:
    for sets in (found for found in builtin_sets().values() if 'modern' in found):
        for file in sorted(sets['modern'].rglob('*.ipynb')):
            if 'chinese' not in str(file):
                yield file, sets['modern'].parent / 'datasources'


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('folder', nargs='?', type=Path)
    parser.add_argument('--only', default='', help='part of the paths of notebooks')
    parser.add_argument('--environment', default='modern')
    arguments = parser.parse_args()
    found = dict(builtin_notebooks())
    if folder := arguments.folder:
        data = folder / 'datasources' if (folder / 'datasources').is_dir() else None
        found = dict.fromkeys(sorted(folder.rglob('*.ipynb')), data)
    data_of = {file: data for file, data in found.items() if arguments.only in str(file)}
    counts = asyncio.run(compare(list(data_of), data_of, arguments.environment))
    print(
        f'{counts.total()} cells of {len(data_of)} notebooks: ' + ', '.join(f'{n} {v}' for v, n in counts.most_common())
    )
    return 1 if counts['differs'] else 0


if __name__ == '__main__':
    sys.exit(main())

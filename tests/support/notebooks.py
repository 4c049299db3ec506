"""Small notebooks in the official format, and a config folder that evaluates them."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cibench_eval.sealed import unsealed
from tests.support.chat_server import Answer, ChatServer, chat_server

REPO = Path(__file__).parents[2]
EXAMPLES = REPO / 'tests' / 'data' / 'examples' / 'modern'
"""Six executed notebooks of the official format, two of them in Chinese, with their data above them."""

DATASETS = """
from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate

small_datasets = [
    dict(
        abbr=abbr,
        type=CIBenchDataset,
        path={path!r},
        split='small',
        reader_cfg=dict(input_columns=['questions'], output_column='references'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{{questions}}'),
            retriever=dict(type=ExperimentRetriever),
            inferencer=dict(type=SessionInferencer, mode=mode, max_sessions=1),
        ),
        eval_cfg=dict(evaluator=dict(type=SessionEvaluator)),
    )
    for abbr, mode in (('small', 'end_to_end'), ('small_oracle', 'oracle'))
]
"""

OF_EXAMPLES = """
from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict

notebooks = dict(path={path!r}, split='examples', experiments={only!r}, eval_cfg=strict)
examples_datasets = [
    dict(end_to_end, **notebooks, abbr={names[0]!r}),
    dict(oracle, **notebooks, abbr={names[1]!r}),
]
"""

ENDPOINT = """
from cibench_eval.models import OpenAICompatible

models = [dict(type=OpenAICompatible, abbr={name!r}, path='any', base_url={url!r}, retries=0)]
"""


def notebook(*steps: tuple[str, str, str, str], language: str = 'en') -> dict[str, Any]:
    """A notebook of (kind, question, code, printed output)."""
    cells: list[dict[str, Any]] = []
    for _, question, code, printed in steps:
        outputs = [{'output_type': 'stream', 'name': 'stdout', 'text': printed}] if printed else []
        cells.append({'cell_type': 'markdown', 'metadata': {}, 'source': f'{question}\n\nThought: I do it.'})
        cells.append({'cell_type': 'code', 'metadata': {}, 'execution_count': 1, 'source': code, 'outputs': outputs})
    metadata = {
        'step_types': [kind for kind, *_ in steps],
        'modules': ['math'] * len(steps),
        'language': language,
    }
    return {'cells': cells, 'metadata': metadata, 'nbformat': 4, 'nbformat_minor': 5}


def experiment(name: str) -> dict[str, Any]:
    """Two dependent steps whose questions name their notebook."""
    return notebook(
        ('exec', f'Set n to 20 in {name}.', 'n = 20', ''),
        ('num', f'Print n plus 1.5 in {name}.', 'print(n + 1.5)', '21.5\n'),
    )


def small_set(folder: Path, names: tuple[str, ...] = ('a', 'b', 'c')) -> Path:
    """A set in the official layout: `small/math/*.ipynb` beside `datasources/data`."""
    (folder / 'datasources' / 'data').mkdir(parents=True)
    (folder / 'small' / 'math').mkdir(parents=True)
    for name in names:
        (folder / 'small' / 'math' / f'{name}.ipynb').write_text(json.dumps(experiment(name)))
    return folder / 'small'


def solve(messages: Any) -> str:
    """What a model says that solves the steps of the small set."""
    code = 'n = 20' if 'Set n' in str(messages[-1]['content']) else 'print(n + 1.5)'
    return f'Thought: easy\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


def write_beside(notebook: Path, suffix: str, codes: Iterable[str], **content: Any) -> Path:
    """Write a file about gold code (`.descriptions.json`, `.naive.json`) beside its notebook."""
    path = notebook.with_suffix(suffix)
    code = hashlib.sha256('\0'.join(code.strip() for code in codes).encode()).hexdigest()
    path.write_text(json.dumps({'format': 1, 'code': code, **content}))
    return path


def config_folder(folder: Path, notebooks: Path, preload: Iterable[str] = ()) -> Path:
    """The project's configs with a dataset file `small` for `notebooks` dropped in.

    Kernels import no libraries beforehand but these: the small set uses none, and each process that starts kernels
    would; where all sessions use some, each of their kernels would.
    """
    configs = folder / 'configs'
    shutil.copytree(REPO / 'configs', configs)
    (configs / 'datasets' / 'small.py').write_text(DATASETS.format(path=str(notebooks)))
    runtime = configs / 'runtimes' / 'local.py'
    runtime.write_text(runtime.read_text().replace("sandbox='bubblewrap'", f"sandbox='auto', preload={[*preload]}"))
    return configs


def add_endpoint(configs: Path, name: str, url: str) -> None:
    """Drop in a model file: all that adding a model takes."""
    (configs / 'models' / f'{name}.py').write_text(ENDPOINT.format(name=name, url=url))


@contextmanager
def endpoint(project: Path, answer: Answer, name: str = 'mine') -> Iterator[ChatServer]:
    """Serve a model, and drop in its file."""
    with chat_server(answer) as server:
        add_endpoint(project / 'configs', name, server.base_url)
        yield server


def add_examples(configs: Path, only: list[str], names: tuple[str, str] = ('examples', 'examples_oracle')) -> None:
    """Drop in a dataset file `examples` for some of EXAMPLES, in both modes by their `names`."""
    text = OF_EXAMPLES.format(path=str(EXAMPLES), only=only, names=names)
    (configs / 'datasets' / 'examples.py').write_text(text)


def change_config(run: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change the config with which a run was started, in its folder."""
    (path,) = (run / 'configs').glob('*.json')
    content = json.loads(unsealed(path.read_bytes()))
    edit(content)
    path.write_text(json.dumps(content))


def replace_in_config(run: Path, old: str, new: str) -> None:
    """Put a text in the place of another one in that config."""
    (path,) = (run / 'configs').glob('*.json')
    forge(path, old, new)


def forge(path: Path, old: str, new: str) -> None:
    """Put a text in the place of another one, which has to be there, in a file of records, which lose their seals."""
    records = path.read_bytes().splitlines() if path.suffix == '.jsonl' else [path.read_bytes()]
    content = b'\n'.join(map(unsealed, records)).decode()
    assert old in content
    path.write_text(f'{content.replace(old, new)}\n')

"""Real runs for the viewer: two models on two notebooks, of which one writes what would harm a careless page."""

import shutil
from pathlib import Path

from tests.support.chat_server import chat_server
from tests.support.integrations import answering
from tests.support.notebooks import add_examples, config_folder
from tests.support.runs import made_once, run_folder, run_here

CALL = 'Thought: {}\nAction: IPythonInterpreter\nAction Input:\n```python\n{}\n```'
EVIL = (
    '</script><script>window.owned = 1</script><img src=x onerror="window.owned = 2">'
    '<svg onload="window.owned = 3"><a href="javascript:window.owned=4">here</a>'
    '<style>body{display:none}</style><base href="http://127.0.0.1:9/">{{ 7*7 }}${7*7}--><!--]]>\'"`&lt;'
)
"""Text that becomes more than text where a page does not escape it."""
CHOSEN = ['matplotlib/weather_cn', 'pandas/penguins']
LIBRARIES = ('pandas', 'matplotlib.pyplot', 'matplotlib.backends.backend_agg')
"""What the sessions of these notebooks import."""
MODELS = """
from cibench_eval.models import OpenAICompatible

models = [
    dict(type=OpenAICompatible, abbr='good', path='any', base_url={good!r}, retries=0),
    dict(type=OpenAICompatible, abbr='evil', path='any', base_url={evil!r}, retries=0),
]
"""


def two_models(project: Path) -> Path:
    """The folder of a run of both models in both modes: a copy of one that all processes of the tests share."""
    run = run_folder(made_once(project, 'two_models', _run))
    return shutil.copytree(run, project / 'out' / run.name)


def _run(project: Path) -> None:
    configs = config_folder(project, project, LIBRARIES)
    add_examples(configs, CHOSEN)
    good_one, evil_one = (answering(CHOSEN, made_of, reply='{}') for made_of in (_good, _evil))
    with chat_server(good_one) as good, chat_server(evil_one) as evil:
        (configs / 'models' / 'two.py').write_text(MODELS.format(good=good.base_url, evil=evil.base_url))
        run_here(project, '--models', 'two', '--datasets', 'examples')


def _good(code: str, index: int, errors: int) -> str:
    return f'<think>What is asked is step {index + 1}.</think>' + CALL.format('I compute it.', code)


def _evil(code: str, index: int, errors: int) -> str:
    if index == 0:
        return CALL.format(EVIL, code if errors else f'raise ValueError({EVIL!r})')
    if index == 1:
        return CALL.format(EVIL, f'print({EVIL!r})  # {EVIL}')
    if index == 2:
        return f'Final Answer: {EVIL}'
    return CALL.format('Colours differ.', code.replace('plot(', 'scatter('))

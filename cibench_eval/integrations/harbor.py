"""Notebooks as tasks of Harbor (harborframework.com): a folder each, for agents that work in a container of their own.

An agent gets all questions of a notebook at once, and writes the code for each into a file. `harbor_verifier` runs the
files as the replies of a session, in a container of its own: the agent's image contains no gold. Both images share
their layers, among them the kernel environment of the gold outputs.
"""

import hashlib
import io
import json
import os
import re
import shutil
import zipfile
from importlib.metadata import version
from pathlib import Path

from cibench_eval.datasets.formats.notebooks import read_json
from cibench_eval.datasets.held_out import FOLDER
from cibench_eval.integrations.harbor_verifier import SET, file_of
from cibench_eval.integrations.sessions import Sessions
from cibench_eval.interpreter.environments import names
from cibench_eval.schema import CibenchError, Experiment
from cibench_eval.sets.build import CANARY

PACKAGE = Path(__file__).parents[1]
ANSWERS = '/app/answers'
"""Folder for the agent's code."""
REQUIREMENTS = (
    *('PyYAML', 'imageio', 'json_repair', 'nbformat', 'numpy', 'pillow', 'psutil', 'pydantic', 'rich'),
    *('scikit-image', 'scipy', 'typer', 'typing_extensions', 'uv'),
)
"""Packages for running and scoring a session, and for building a kernel environment."""
LEFT_OUT = ('viewer', 'opencompass', 'reports/published', 'datasets/builtin*', 'sets/long', 'sets/claims', 'sets/rules')
"""Folders of the package that no container gets: they are not needed there, hold sets with their gold, or draw them."""
PYTHON = """python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends libgomp1 libglib2.0-0 && rm -rf /var/lib/apt/lists/*"""
BASE = """FROM {base}
COPY cibench_eval.zip requirements.txt /opt/cibench/
RUN python -m venv /opt/cibench/venv \\
    && /opt/cibench/venv/bin/python -m pip install --no-cache-dir -r /opt/cibench/requirements.txt \\
    && python -m zipfile -e /opt/cibench/cibench_eval.zip /opt/cibench \\
    && echo /opt/cibench > /opt/cibench/venv/lib/python3.11/site-packages/cibench.pth
ENV CIBENCH_CACHE=${{CIBENCH_CACHE:-/opt/cibench/cache}}
RUN /opt/cibench/venv/bin/python -m cibench_eval.cli kernel build {environment} \\
    && ln -s "$CIBENCH_CACHE"/kernels/{environment}-* /opt/cibench/kernel
"""
AGENT = """ENV PATH=/opt/cibench/kernel/bin:$PATH
COPY workspace/ /app/
RUN mkdir -p /app/answers
WORKDIR /app
"""
VERIFIER = """COPY . /tests
WORKDIR /app
"""
TASK = """schema_version = "1.4"
artifacts = [{answers}]

[task]
name = {name}
description = {description}
keywords = ["data-science", "code-interpreter"]

[metadata]
experiment = {experiment}
language = {language}
steps = {steps}
kernel_environment = {environment}
profile = {profile}

[verifier]
environment_mode = "separate"
timeout_sec = {verifier_seconds}.0

[verifier.environment]
build_timeout_sec = 3600.0
network_mode = "no-network"
{verifier_image}
[agent]
timeout_sec = {agent_seconds}.0

[environment]
build_timeout_sec = 3600.0
workdir = "/app"
{agent_image}"""
IMAGE = re.compile(r'[a-z0-9]+([._:/-][a-z0-9]+)*')
"""A registry and a name in it."""
PARTS = ('agent', 'verifier')
"""Whose images there are."""
TEST = """#!/bin/sh
# If this fails there is no reward file, and Harbor reports an error instead of a score.
here=$(dirname "$0")
exec "${CIBENCH_PYTHON:-/opt/cibench/venv/bin/python}" -P -m cibench_eval.integrations.harbor_verifier \\
    "$here" "${CIBENCH_ANSWERS:-/app/answers}" "${CIBENCH_LOGS:-/logs/verifier}"
"""
SOLVE = """#!/bin/sh
mkdir -p "${CIBENCH_ANSWERS:-/app/answers}"
cp "$(dirname "$0")"/step_*.py "${CIBENCH_ANSWERS:-/app/answers}"
"""
INSTRUCTIONS = {
    'en': """Answer the {count} questions below, in their order, by Python code.

Write the code that answers question 1 into the file `{answers}/step_01.py`, that of question 2 into `step_02.py`, and
so on. All files run one after the other, as the cells of one notebook: each finds the variables that those before it
have made. They run in a copy of the folder `/app`, whose data are below `data/`, with the libraries that `python` has
here. Use relative paths (`data/…`): there is no `/app/data` where the files are scored. What counts is what a file
prints, the value of its last expression, the figures that it shows (`plt.show()`), and the variables that a question
names. A file that fails ends its own question alone.

{questions}
""",
    'cn': """请按顺序用 Python 代码回答以下 {count} 个问题。

将回答问题 1 的代码写入文件 `{answers}/step_01.py`，问题 2 的代码写入 `step_02.py`，依此类推。
所有文件会像同一个笔记本的单元格一样依次运行：后面的文件可以使用前面的文件创建的变量。
代码在文件夹 `/app` 的副本中运行，数据位于 `data/` 下，可用的库与此处 `python` 的库相同。
请使用相对路径（`data/…`）：评分时不存在 `/app/data`。
评分依据是：文件打印的内容、最后一个表达式的值、显示的图形（`plt.show()`），以及问题中指定的变量。
某个文件出错只影响它自己的问题。

{questions}
""",
}
HEADINGS = {'en': '## Question {}', 'cn': '## 问题 {}'}
STEP_SECONDS, START_SECONDS = 60, 300
"""Time of the verifier: for each step the limit of a code block, and some to start."""
AGENT_SECONDS = 300
"""Time of the agent for each question."""


Copied = dict[str, str]
"""File -> its copy in a task. Many tasks have the same data, which are on the disk once."""


def _copy(copied: Copied, folder: Path, to: Path) -> None:
    """Copy the content of a folder; files that were copied before are linked."""

    def copy(file: str, target: str) -> None:
        if file in copied:
            os.link(copied[file], target)
        else:
            copied[file] = shutil.copyfile(file, target)

    shutil.copytree(folder, to, copy_function=copy, dirs_exist_ok=True)


def write_tasks(sessions: Sessions, out: Path, images: str = '', base: str = '') -> list[Path]:
    """Write a task for each experiment into a new folder, and return the tasks' folders.

    Args:
        images: where the tasks' images will be kept, as `ghcr.io/me/cibench`; Harbor builds them where it is empty.
        base: image from which the tasks' images are built, with a `python` 3.11. It may have the kernel environment, as
            those of `cibench kernel image` do. Where it is empty, Docker Hub's image of Python.

    Raises:
        CibenchError: the folder is not empty, the set's kernel environment cannot be built in an image, or no image can
            be called `images`.
    """
    if images and not IMAGE.fullmatch(images):
        raise CibenchError(f'images={images}: no name of an image; it is like ghcr.io/me/cibench, in small letters')
    environment = sessions.settings.kernels.environment
    if environment not in names():
        raise CibenchError(f'environment={environment}: images are built of {" or ".join(names())} alone')
    if out.exists() and any(out.iterdir()):
        raise CibenchError(f'{out}: not empty; give a new folder')
    package, requirements = _package(), ''.join(f'{name}=={version(name)}\n' for name in REQUIREMENTS)
    dockerfile = BASE.format(base=base or PYTHON, environment=environment)
    copied, folders = Copied(), list[Path]()
    for experiment in sessions.experiments.values():
        folder = out / re.sub(r'[^\w.-]+', '-', experiment.id)
        for part, own in (('environment', AGENT), ('tests', VERIFIER)):
            (folder / part).mkdir(parents=True)
            (folder / part / 'cibench_eval.zip').write_bytes(package)
            (folder / part / 'requirements.txt').write_text(requirements)
            (folder / part / 'Dockerfile').write_text(dockerfile + own)
        _write_task(experiment, sessions, folder, copied, images)
        folders.append(folder)
    return folders


def _write_task(experiment: Experiment, sessions: Sessions, folder: Path, copied: Copied, images: str) -> None:
    (folder / 'task.toml').write_text(_config(experiment, sessions, images), encoding='utf-8')
    (folder / 'instruction.md').write_text(_instruction(experiment, sessions), encoding='utf-8')
    (folder / 'environment/workspace').mkdir()
    if experiment.datasources:
        _copy(copied, experiment.datasources, folder / 'environment/workspace')
    _write_gold(experiment, sessions, folder / 'tests', copied)
    _write_script(folder / 'tests/test.sh', TEST)
    (folder / 'solution').mkdir()
    _write_script(folder / 'solution/solve.sh', SOLVE)
    for step in experiment.steps:
        (folder / 'solution' / file_of(step.index)).write_text(step.code, encoding='utf-8')


def _write_gold(experiment: Experiment, sessions: Sessions, folder: Path, copied: Copied) -> None:
    """Write the notebook, its data and the held-out labels that it names, in the layout of a set."""
    notebook = folder / SET / f'{experiment.id}.ipynb'
    notebook.parent.mkdir(parents=True)
    for path in (experiment.path, experiment.path.with_suffix('.descriptions.json')):
        if path.is_file():
            shutil.copyfile(path, notebook.with_name(path.name))
    if experiment.datasources:
        _copy(copied, experiment.datasources, folder / 'datasources')
        for entry in filter(None, read_json(experiment.path).get('metadata', {}).get(FOLDER) or []):
            labels = experiment.datasources.parent / FOLDER / entry['labels']
            (folder / FOLDER).mkdir(exist_ok=True)
            shutil.copyfile(labels, folder / FOLDER / labels.name)
    kernels = sessions.settings.kernels
    settings = {'environment': kernels.environment, 'profile': sessions.profile.name, 'language': experiment.language}
    (folder / 'settings.json').write_text(json.dumps(settings, indent=1))


def _config(experiment: Experiment, sessions: Sessions, images: str) -> str:
    count = len(experiment.steps)
    modules = ', '.join(dict.fromkeys(name for step in experiment.steps for name in step.modules))
    values = {
        'answers': ANSWERS,
        'name': f'cibench/{_plain(sessions.settings.dataset_name)}__{_plain(experiment.id)}',
        'description': f'{count} dependent questions' + (f' on {modules}' if modules else ''),
        'experiment': experiment.id,
        'language': experiment.language,
        'environment': sessions.settings.kernels.environment,
        'profile': sessions.profile.name,
    }
    quoted = {name: json.dumps(value, ensure_ascii=False) for name, value in values.items()}
    seconds = {'verifier_seconds': START_SECONDS + STEP_SECONDS * count, 'agent_seconds': AGENT_SECONDS * count}
    name = _plain(f'{sessions.settings.dataset_name}-{experiment.id}', '[^A-Za-z0-9]+').lower()
    parts = {f'{part}_image': f'docker_image = "{images}/{name}-{part}"\n' if images else '' for part in PARTS}
    return _mark(experiment, '# {}\n') + TASK.format(**quoted, **seconds, **parts, steps=count)


def _plain(name: str, others: str = r'[^A-Za-z0-9._-]+') -> str:
    """A name of letters, digits, `.`, `_` and `-`, as Harbor requires; a hash tells apart those that lose others."""
    plain = re.sub(others, '-', name).strip('.-')
    lost = re.search(r'[^\w./ -]', name, re.ASCII)
    return '-'.join(filter(None, [plain, hashlib.sha256(name.encode()).hexdigest()[:8] if lost else '']))


def _instruction(experiment: Experiment, sessions: Sessions) -> str:
    language, protocol = experiment.language, sessions.settings.agent.protocol
    questions = [
        f'{HEADINGS[language].format(step.index + 1)}\n\n{protocol.named(step, language)}' for step in experiment.steps
    ]
    text = INSTRUCTIONS[language].format(count=len(questions), answers=ANSWERS, questions='\n\n'.join(questions))
    return _mark(experiment, '<!-- {} -->\n\n') + text


def _mark(experiment: Experiment, form: str) -> str:
    """The canary of a set that must not be trained on; empty where a set has none."""
    path = experiment.datasources.parent / CANARY if experiment.datasources else None
    return form.format(path.read_text(encoding='utf-8').strip()) if path and path.is_file() else ''


def _write_script(path: Path, text: str) -> None:
    path.write_text(text)
    path.chmod(0o755)


def _package() -> bytes:
    """The package without sets, zipped to the same bytes each time, so that the images of all tasks share layers."""
    folders = [folder for pattern in LEFT_OUT for folder in PACKAGE.glob(f'{pattern}/')]
    content = io.BytesIO()
    with zipfile.ZipFile(content, 'w', zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(PACKAGE.rglob('*')):
            name = path.relative_to(PACKAGE).as_posix()
            left_out = any(path.is_relative_to(folder) for folder in folders)
            if path.is_file() and '__pycache__' not in path.parts and not left_out:
                archive.writestr(zipfile.ZipInfo(f'{PACKAGE.name}/{name}'), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return content.getvalue()

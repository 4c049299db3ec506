"""The published archives: their addresses, their folders below `data/`, and the layout of each."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from cibench_eval.datasets.formats import gsm8k, qwen_ci
from cibench_eval.datasets.formats.notebooks import has_notebooks
from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.unzip import LEFT_OUT

OWN_NAME = re.compile(r'[A-Za-z0-9][\w.-]*', re.ASCII)
OWN_LAYOUT = 'a set of your own is folders of notebooks SPLIT/LIBRARY/*.ipynb beside datasources/data/; give its --name'
SPLITS = ('cibench_generation', 'cibench_template', 'cibench_template_chinese')
GSM8K_FILE = gsm8k.ROWS[0]
GITHUB, QWEN = 'https://github.com', 'https://qianwen-res.oss-cn-beijing.aliyuncs.com'
DEEPEST = 3
"""Levels of folders in an archive that are searched for its set."""


@dataclass(frozen=True)
class Download:
    """An address of an archive."""

    url: str
    digest: str = ''
    """The published hash, `md5:…` or `sha256:…`; empty if none is published."""

    @property
    def file(self) -> str:
        try:
            return PurePosixPath(urlsplit(self.url).path).name or 'archive'
        except ValueError:
            return 'archive'  # fetching it says that the address is not valid


@dataclass(frozen=True)
class Archive:
    """A published archive."""

    name: str
    """Its name on the command line."""
    folder: str
    """Its place below `data/`, where configs look for it."""
    layout: str
    """The files by which it is recognised, in words."""
    holds: Callable[[Path], bool]
    """Whether a folder has that layout."""
    sources: tuple[Download, ...] = ()
    """Addresses in the order in which they are tried; some may lack files that others have."""


def _is_cibench(folder: Path) -> bool:
    return any((folder / split).is_dir() and has_notebooks(folder / split) for split in SPLITS)


def _first_row(path: Path) -> dict[str, Any]:
    try:
        with path.open(encoding='utf-8') as file:
            row = json.loads(file.readline())
    except (OSError, ValueError, RecursionError):
        return {}
    return row if isinstance(row, dict) else {}


ARCHIVES = {
    archive.name: archive
    for archive in (
        Archive(
            name='cibench',
            folder='cibench_dataset',
            layout='cibench_generation/ or cibench_template[_chinese]/ with notebooks in it',
            holds=_is_cibench,
            sources=(Download(f'{GITHUB}/open-compass/opencompass/releases/download/0.2.4.rc1/cibench_dataset.zip'),),
        ),
        Archive(
            name='gsm8k',
            folder='gsm8k',
            layout=f'{GSM8K_FILE} with rows of `question` and `answer`',
            holds=lambda folder: _first_row(folder / GSM8K_FILE).keys() >= {'question', 'answer'},
            sources=(
                Download(
                    'https://opencompass.oss-cn-shanghai.aliyuncs.com/datasets/data/gsm8k.zip',
                    'md5:901e5dc93a2889789a469da9850cdca8',
                ),
                Download(
                    'https://raw.githubusercontent.com/openai/grade-school-math/master/grade_school_math/data/test.jsonl',
                    'sha256:3730d312f6e3440559ace48831e51066acaca737f6eabec99bccb9e4b3c39d14',
                ),
            ),
        ),
        Archive(
            name='qwen_ci',
            folder='qwen_ci',
            layout=f'{qwen_ci.ROWS} with rows of `query` and `tags`',
            holds=lambda folder: _first_row(folder / qwen_ci.ROWS).keys() >= {'query', 'tags'},
            sources=(Download(f'{QWEN}/assets/qwen_agent/benchmark_code_interpreter_data.zip'),),
        ),
    )
}


def mirrored(source: Download, mirror: str | None) -> Download:
    """A download from a mirror: the address of a folder or a file, or one with `{url}` for the published address."""
    if mirror is None:
        return source
    if '{url}' in mirror:
        return Download(mirror.replace('{url}', source.url), source.digest)
    if mirror.endswith(f'/{source.file}'):
        return Download(mirror, source.digest)
    return Download(f'{mirror.rstrip("/")}/{source.file}', source.digest)


def recognise(top: Path, name: str | None, shown: str) -> tuple[str, str, Path]:
    """Find out which set is in the folder `top`, which errors call `shown`; `name` is its name, if that is known.

    Returns:
        The set's name, its place below `data/`, and the folder (`top` or a folder in it) that is the set.

    Raises:
        CibenchError: the folder has no known layout, or another one than the set `name`.
    """
    if name is not None and name not in ARCHIVES:
        if not OWN_NAME.fullmatch(name) or name in {archive.folder for archive in ARCHIVES.values()}:
            fix = 'use letters, digits, `_`, `.` and `-`, and no published name'
            raise CibenchError(f'{shown}: --name {name!r}: {fix}')
        return name, name, _own_root(top, shown)
    wanted = [ARCHIVES[name]] if name else list(ARCHIVES.values())
    for folder in _folders(top):
        for archive in wanted:
            if archive.holds(folder):
                return archive.name, archive.folder, folder
    known = '; '.join(f'{archive.name}: {archive.layout}' for archive in wanted)
    raise CibenchError(f'{shown}: not the layout of {known}' + ('' if name else f'; {OWN_LAYOUT}'))


def _own_root(top: Path, shown: str) -> Path:
    """The folder of the set: in many archives one folder at the top holds everything."""
    if not has_notebooks(top):
        raise CibenchError(f'{shown}: no notebook in it; {OWN_LAYOUT}')
    inside = [path for path in top.iterdir() if path.name not in LEFT_OUT]
    return inside[0] if len(inside) == 1 and (inside[0] / 'datasources').is_dir() else top


def _folders(top: Path) -> Iterator[Path]:
    level = [top]
    for _ in range(DEEPEST):
        yield from level
        level = sorted(path for folder in level for path in folder.iterdir() if path.is_dir())


def lacks_data(folder: Path) -> str | None:
    """What to do before the official notebooks in `folder` can run; None where their data are there."""
    if not _is_cibench(folder) or (folder / 'datasources').is_dir():
        return None
    script = folder / 'collect_datasources.sh'
    if script.exists():
        return f'{folder}: its data are not in the archive; read {script.name} there and run it: `sh {script.name}`'
    return f'{folder}: no datasources/ in it, which the notebooks read; put it there'

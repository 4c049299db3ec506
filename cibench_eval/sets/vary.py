"""A private variant of the built-in templates: the same questions on fresh data."""

import shutil
import tempfile
from pathlib import Path

from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.schema import CibenchError
from cibench_eval.sets.build import CANARY, check_empty, write_set
from cibench_eval.sets.fresh import Fresh
from cibench_eval.sets.levels import LevelSource
from cibench_eval.sets.sources import sources_of
from cibench_eval.sets.templates import Draft, TemplateSource
from cibench_eval.terminal import Log


def vary_set(
    seed: int, out: Path, environment: str, only: str | None = None, log: Log = lambda line: None, of: str = 'builtin'
) -> list[Path]:
    """Write a set of experiments on fresh data, in the official layout, and return its notebooks.

    In one kernel environment the same seed gives the same bytes.

    Args:
        seed: determines names, values and parameters; 0 or more.
        environment: kernel environment whose outputs are the gold.
        only: shell-style pattern of templates, such as `pandas/*`.

    Raises:
        CibenchError: there is no such set, `out` is not empty, the seed is negative, or gold code fails on the fresh
            data.
    """
    if seed < 0:
        raise CibenchError(f'seed: {seed} is negative; give 0 or more')
    check_empty(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix='.vary-') as name:
        folder = Path(name) / 'set'
        data = folder / 'datasources' / 'data'
        data.mkdir(parents=True)
        sources = [source for source in sources_of(of, only) if source.varied]
        drafts = [draft for source in sources for draft in fresh_drafts(source, seed, data)]
        if not drafts:
            raise CibenchError(f'{of}: none of these sources says how it is varied; choose others')
        if (canary := SETS / of / CANARY).is_file():
            shutil.copy(canary, folder)
        built = write_set(drafts, folder, environment, folder, log)
        shutil.copytree(folder, out, dirs_exist_ok=True)
    return [out / path.relative_to(folder) for path in built]


def fresh_drafts(source: TemplateSource | LevelSource, seed: int, data: Path) -> list[Draft]:
    """The experiments of a source on fresh data, whose files are written into the folder `data`.

    Raises:
        CibenchError: the description of the data is malformed, or a file of the same name is there.
    """
    if isinstance(source, LevelSource):
        return source.fresh(seed)
    fresh = Fresh(source.varied, Path(*source.name.parts[-2:]).as_posix(), seed)
    for name, content in fresh.files.items():
        if (data / name).exists():
            raise CibenchError(f'{name}: two templates got a file of this name; take another seed than {seed}')
        (data / name).write_bytes(content)
    return source.instantiate(f'seed{seed}', fresh.parameters)

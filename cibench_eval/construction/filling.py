"""Templates -> experiments on other data, with gold of their own, checked like experiments of a model."""

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from cibench_eval.construction.verifying import Verified, Verifier, verify_drafts
from cibench_eval.datasets.descriptions import copy_notebook
from cibench_eval.datasets.held_out import copy_data
from cibench_eval.schema import CibenchError
from cibench_eval.sets.build import check_empty, write_made
from cibench_eval.sets.templates import Draft, TemplateSource, read_sources
from cibench_eval.sets.vary import fresh_drafts
from cibench_eval.terminal import Log


def templates_of(path: Path, only: str | None) -> list[TemplateSource]:
    """A template, or all templates below a folder (`SPLIT/LIBRARY/NAME.py`).

    Raises:
        CibenchError: there is no template, or one is malformed or has no instances.
    """
    if path.is_file():
        whole = path.absolute()
        found = [TemplateSource.read(whole, whole.parent.parent.parent)]
    elif path.is_dir():
        found = read_sources(path, only)
    else:
        raise CibenchError(f'{path}: no such template; make one: cibench construct lift NOTEBOOK --to DIR')
    if without := [source.path for source in found if not source.instances]:
        raise CibenchError(f'{without[0]}: no `instances` in its header, so it is no template')
    return found


def fill(
    templates: Sequence[TemplateSource],
    out: Path,
    verifier: Verifier,
    data: Path | None = None,
    seeds: Iterable[int] = (),
    log: Log = lambda line: None,
) -> dict[str, Verified]:
    """Write a set of all clean instances of templates.

    Args:
        out: folder of the set, new or empty.
        seeds: make an instance on fresh data for each seed instead, by `varied` of the template.

    Returns:
        What was found of each instance, by `<split>/<library>/<name>`.

    Raises:
        CibenchError: `out` is not empty, a template cannot be filled, or kernels are missing.
    """
    check_empty(out)
    work = out.absolute().with_name(f'.{out.name}.work')
    shutil.rmtree(work, ignore_errors=True)
    try:
        there = work / 'datasources' / 'data'
        there.mkdir(parents=True)
        if data is not None:
            shutil.copytree(data, there, dirs_exist_ok=True)
        drafts = [draft for source in templates for draft in _instances(source, list(seeds), there)]
        write_made(drafts, work)
        by_name = _by_name(drafts)
        found = verify_drafts(by_name, work, verifier, log, new=False)
        if clean := [draft for name, draft in by_name.items() if found[name].clean]:
            copy_data(work / 'datasources', out)
        for draft in clean:
            copy_notebook(work / draft.target, out / draft.target)
        return found
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _by_name(drafts: list[Draft]) -> dict[str, Draft]:
    found: dict[str, Draft] = {}
    for draft in drafts:
        if (other := found.setdefault(draft.target.with_suffix('').as_posix(), draft)) is not draft:
            raise CibenchError(f'{other.source} and {draft.source} both make {draft.target}; rename one')
    return found


def _instances(source: TemplateSource, seeds: list[int], data: Path) -> list[Draft]:
    if not seeds:
        return source.drafts()
    if not source.varied:
        raise CibenchError(f'{source.path}: no `varied` in its header, so no fresh data; fill it without --seeds')
    return [draft for seed in seeds for draft in fresh_drafts(source, seed, data)]

"""Templates -> experiments on other data, their gold run anew, checked as those that a model has written."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.construction.verifying import Verified, Verifier, verify_drafts
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError
from cibench_eval.sets.build import write_made
from cibench_eval.sets.fresh import Fresh
from cibench_eval.sets.templates import Draft, TemplateSource, read_sources

Log = Callable[[str], None]


@dataclass(frozen=True)
class Filled:
    """What became of an instance."""

    name: str
    """`<split>/<library>/<name>`."""
    steps: int
    verified: Verified

    @property
    def clean(self) -> bool:
        return not self.verified.faults


def templates_of(path: Path, only: str | None = None) -> list[TemplateSource]:
    """A template, or all below a folder (`SPLIT/LIBRARY/NAME.py`).

    Raises:
        CibenchError: there is none, one is malformed, or has no instances.
    """
    if path.is_file():
        found = [TemplateSource.read(path, path.absolute().parents[2])]
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
) -> list[Filled]:
    """Make the set of all instances of templates that come out clean.

    Args:
        templates: with the instances in their headers.
        out: folder of the set, new or empty.
        verifier: how they are run and checked.
        data: folder whose files are those of the instances.
        seeds: make an instance on fresh data for each instead, as `varied` of the template says.
        log: gets lines that say how far it is.

    Raises:
        CibenchError: `out` has something in it, a template cannot be filled, or kernels are not there.
    """
    if out.exists() and any(out.iterdir()):
        raise CibenchError(f'{out}: not empty; give a new folder')
    work = out.absolute().with_name(f'.{out.name}.work')
    shutil.rmtree(work, ignore_errors=True)
    try:
        there = work / 'datasources' / 'data'
        there.mkdir(parents=True)
        if data is not None:
            shutil.copytree(data, there, dirs_exist_ok=True)
        drafts = [draft for source in templates for draft in _instances(source, list(seeds), there)]
        write_made(drafts, work)
        by_id = {draft.target.relative_to(draft.target.parts[0]).with_suffix('').as_posix(): draft for draft in drafts}
        if len(by_id) < len(drafts):
            raise CibenchError('two instances have the same name; rename one, or fill their templates apart')
        found = verify_drafts(by_id, work, verifier, log, new=False)
        filled = [
            Filled(draft.target.with_suffix('').as_posix(), len(draft.steps), found[id_])
            for id_, draft in by_id.items()
        ]
        _publish([by_id[id_] for id_ in by_id if not found[id_].faults], work, out)
        return filled
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _instances(source: TemplateSource, seeds: list[int], data: Path) -> list[Draft]:
    if not seeds:
        return source.drafts()
    if not source.varied:
        raise CibenchError(f'{source.path}: no `varied` in its header, so no fresh data; fill it without --seeds')
    drafts = []
    for seed in seeds:
        fresh = Fresh(source.varied, Path(*source.name.parts[-2:]).as_posix(), seed)
        for name, content in fresh.files.items():
            write_whole(data / name, content)
        drafts += source.instantiate(f'seed{seed}', fresh.parameters)
    return drafts


def _publish(drafts: list[Draft], work: Path, out: Path) -> None:
    """Copy sound notebooks and the data into the set."""
    if not drafts:
        return
    shutil.copytree(work / 'datasources', out / 'datasources')
    for draft in drafts:
        source, target = work / draft.target, out / draft.target
        for file, place in ((descriptions_file(source), descriptions_file(target)), (source, target)):
            if file.is_file():
                write_whole(place, file.read_bytes())

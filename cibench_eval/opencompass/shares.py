"""Shares of a run: the sessions that are to be cut into some, the task of one, and one file of what all have done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path
from typing import Any

from cibench_eval.cluster.counting import Expected
from cibench_eval.cluster.cutting import Piece, Share, seconds_a_step
from cibench_eval.cluster.parts import Done, finished, gather, set_damage_aside, store_of
from cibench_eval.models.metering import gather as gather_ledger
from cibench_eval.opencompass.build import build_dataset
from cibench_eval.opencompass.deferred import defer
from cibench_eval.opencompass.inferencer import file_sessions

defer()
from mmengine.config import Config  # noqa: E402

Taken = Set[tuple[str, str, str]]
"""Model, dataset and experiment of sessions that a job has."""
AT_ONCE = 16
"""Sessions of a share that are taken to run side by side where the config does not say how many."""
LOGS = Path('logs', 'infer', 'shares')


def log_path(run: Path, name: str) -> Path:
    """Where the log of a share is."""
    return run / LOGS / f'{name}.out'


def missing_pieces(combinations: Sequence[Any], run: Path, taken: Taken) -> list[Piece]:
    """The sessions of an expanded config that are not finished, with what each is expected to last.

    Args:
        combinations: `model_dataset_combinations`.
        run: the run's folder; where it has sessions of a model, they tell how fast the model is.
        taken: sessions that are left out.
    """
    made: list[Piece] = []
    experiments: dict[str, Any] = {}
    for model, datasets in _by_model(combinations):
        there = finished(run / 'predictions' / model['abbr'], [dataset['abbr'] for dataset in datasets])
        a_step = _measured(there.values()) or seconds_a_step([str(model.get('path', '')), model['abbr']])
        for dataset in datasets:
            name = dataset['abbr']
            if name not in experiments:
                experiments[name] = build_dataset(dataset).experiments
            for one in experiments[name]:
                if one.id not in there[name] and (model['abbr'], name, one.id) not in taken:
                    seconds = len(one.steps) * a_step / _at_once(model, dataset)
                    made.append(Piece(model['abbr'], name, one.id, len(one.steps), seconds))
    return made


def share_task(combinations: Sequence[Any], work_dir: str, share: Share, name: str, attempt: str = '') -> Any:
    """The task of a share.

    Args:
        combinations: of the expanded config.
        work_dir: the run's folder.
        share: what it runs.
        name: of the share; its log is called so.
        attempt: of this process, if it is one of several that run the share.
    """
    model, datasets = next((model, own) for model, own in _by_model(combinations) if model['abbr'] == share.model)
    own = [dataset for dataset in datasets if dataset['abbr'] in share.sessions]
    fields = {'models': [model], 'datasets': [own], 'work_dir': work_dir}
    return Config({**fields, 'share': share.model_dump_json(), 'name': name, 'attempt': attempt})


def gather_run(combinations: Sequence[Any], run: Path, alive: Taken = frozenset()) -> int:
    """Make one traces file a dataset of what shares have filed, and its predictions file where it is whole.

    Args:
        combinations: of the expanded config.
        run: the run's folder.
        alive: sessions that jobs still have: models with any of them are left for later.

    Returns:
        How many sessions were added.
    """
    added, busy = 0, {model for model, *_ in alive}
    for model, datasets in [one for one in _by_model(combinations) if one[0]['abbr'] not in busy]:
        folder = run / 'predictions' / model['abbr']
        added += gather(folder, [dataset['abbr'] for dataset in datasets])
        for dataset in datasets:
            _file_whole(folder, dataset)
    if not alive:
        gather_ledger(run / 'predictions' / 'usage.jsonl')
    return added


def set_run_damage_aside(combinations: Sequence[Any], run: Path, alive: Taken = frozenset()) -> None:
    """Have the sessions run again of which something is damaged; `alive` as in `gather_run`."""
    busy = {model for model, *_ in alive}
    for model, datasets in _by_model(combinations):
        if model['abbr'] not in busy:
            set_damage_aside(run / 'predictions' / model['abbr'], [dataset['abbr'] for dataset in datasets])


def expected(combinations: Sequence[Any], run: Path) -> Iterator[Expected]:
    """What a run is to have in the end: each model on its datasets, with the steps of their experiments."""
    steps: dict[str, dict[str, int]] = {}
    for model, datasets in _by_model(combinations):
        for dataset in datasets:
            name = dataset['abbr']
            if name not in steps:
                steps[name] = {one.id: len(one.steps) for one in build_dataset(dataset).experiments}
        yield Expected(
            model['abbr'], run / 'predictions' / model['abbr'], {one['abbr']: steps[one['abbr']] for one in datasets}
        )


def _file_whole(folder: Path, dataset: Any) -> None:
    """Write the predictions file, if all sessions are there and it is not, or is older than they are."""
    store = store_of(folder, dataset['abbr'])
    path = folder / f'{dataset["abbr"]}.json'
    if not store.path.exists() or (path.exists() and path.stat().st_mtime_ns >= store.path.stat().st_mtime_ns):
        return
    offsets, experiments = store.index(), build_dataset(dataset).experiments
    if all(one.id in offsets for one in experiments):
        file_sessions(path, experiments, store.read(offsets[one.id] for one in experiments))


def _by_model(combinations: Sequence[Any]) -> Iterator[tuple[Any, list[Any]]]:
    """Every model once, with all its datasets."""
    found: dict[str, tuple[Any, dict[str, Any]]] = {}
    for pair in combinations:
        for model in pair['models']:
            _, datasets = found.setdefault(model['abbr'], (model, {}))
            datasets.update({dataset['abbr']: dataset for dataset in pair['datasets']})
    for model, datasets in found.values():
        yield model, list(datasets.values())


def _measured(there: Iterable[dict[str, Done]]) -> float | None:
    """Seconds a step of the finished sessions of a model; None where there are none."""
    done = [one for sessions in there for one in sessions.values()]
    steps = sum(one.steps for one in done)
    return sum(one.seconds for one in done) / steps if steps else None


def _at_once(model: Any, dataset: Any) -> int:
    wanted = [dataset['infer_cfg']['inferencer'].get('max_sessions'), model.get('batch_size')]
    return min([number for number in wanted if number] or [AT_ONCE])

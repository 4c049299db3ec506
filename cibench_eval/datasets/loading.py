"""Experiments of any format, selected by patterns of their ids: for a call, or as a dataset's config says it."""

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from cibench_eval.cache import cache_dir
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.datasets.formats import find_format
from cibench_eval.datasets.patterns import closest
from cibench_eval.schema import CibenchError, Experiment, Language, SetGoneError

NOTEBOOKS = 'notebooks'
"""The official format."""
Loaded = dict[tuple[str, Path, str, Language | None, Path | None], Experiment]
"""Experiments by all that says which they are; datasets that share it read each file once."""
ENVIRONMENT = 'modern'
"""The kernel environment whose gold outputs are meant where a config names none."""
PUBLISHED = {'cibench_dataset': 'cibench', 'qwen_ci': 'qwen_ci', 'gsm8k': 'gsm8k'}
"""Folder of a published set -> its name for `cibench data fetch`."""


def load_experiments(
    path: Path | str,
    *,
    format: str = NOTEBOOKS,
    language: Language | None = None,
    datasources: Path | None = None,
    include: list[str] | None = None,
    loaded: Loaded | None = None,
) -> list[Experiment]:
    """The experiments at a path, in their order.

    Args:
        path: what the format reads; for notebooks, their folder.
        format: the name of a file in `formats/`, or the dotted name of your own format.
        include: ids or shell-style patterns of ids to keep; each must match something.
        loaded: what has been loaded before, which is taken; it gets the others.

    Raises:
        CibenchError: there is no such format, nothing at the path, a pattern matches nothing, a file is malformed.
    """
    if datasources is not None and not datasources.is_dir():
        raise CibenchError(f'{datasources}: no such folder; `datasources` is the folder that holds `data/`')
    form, root, known = find_format(format), Path(path), {} if loaded is None else loaded
    keys = [(format, root, id_, language, datasources) for id_ in _select(form.ids(root), include, root)]
    for key in keys:
        if key not in known:
            known[key] = _checked(form.load(*key[1:]), key[2], f'{root}: format {format}')
    return [known[key] for key in keys]


def _checked(experiment: Any, name: str, form: str) -> Experiment:
    """What a format gave; a `CibenchError` where it is not the experiment of this id, with steps numbered from 0."""
    if not isinstance(experiment, Experiment) or experiment.id != name:
        raise CibenchError(f'{form}: load({name!r}) gave {experiment!r:.80}; it must give the Experiment of this id')
    if not experiment.steps or [step.index for step in experiment.steps] != [*range(len(experiment.steps))]:
        raise CibenchError(f'{form}: {name}: it must have steps, with the indexes 0, 1, 2, …')
    return experiment


def _select(names: list[str], include: list[str] | None, root: Path) -> list[str]:
    if include is None:
        return names
    for pattern in include:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise CibenchError(f'{root}: no experiment {pattern!r} here; there is {closest(pattern, names)}')
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in include)]


class ExperimentSelection:
    """Experiments of one dataset, read when they are asked for.

    Args:
        path: folder of notebooks in the official layout, or what `format` reads; with `builtin`, below that set.
        builtin: a set that comes with the package (`builtin`).
        environment: for `builtin`: the kernel environment whose gold outputs are meant.
        format: of the files: one of `datasets/formats`, or the dotted name of one of your own.
        split: the split's name in tables; `SessionTask` reads it in the config.
        experiments: ids or globs of the experiments to take, or one of them; None takes all.
        language: of questions and prompts; None reads it off the path or the notebook.
        datasources: folder that holds `data/`; None takes the nearest one above the notebooks.
        without_data: whether the working folder of sessions has an empty `data/` in place of the data files.
        reader_cfg: OpenCompass's column names.
        abbr: the dataset's name in file names.

    Raises:
        CibenchError: there is no such place, or `experiments` is no list of texts.
    """

    def __init__(
        self,
        path: str | None = None,
        builtin: str | None = None,
        environment: str = ENVIRONMENT,
        format: str = NOTEBOOKS,
        split: str = '',
        experiments: list[str] | str | None = None,
        language: Language | None = None,
        datasources: str | None = None,
        without_data: bool = False,
        reader_cfg: dict[str, Any] | None = None,
        abbr: str = 'dataset',
    ) -> None:
        self.place = _place(abbr, path, builtin, environment)
        self.format = format
        self.reader_cfg = reader_cfg or {}
        self.abbr = abbr
        self._include = None if experiments is None else _patterns(abbr, experiments)
        self._language, self._datasources = language, Path(datasources) if datasources else None
        self._without_data = without_data

    @cached_property
    def experiments(self) -> list[Experiment]:
        """The experiments, in their order.

        Raises:
            CibenchError: as `load_experiments`.
        """
        return self.load({})

    def load(self, loaded: Loaded) -> list[Experiment]:
        """The experiments; `loaded` gives those that it has, and gets the others."""
        found = load_experiments(
            self.place,
            format=self.format,
            language=self._language,
            datasources=self._datasources,
            include=self._include,
            loaded=loaded,
        )
        return [one.model_copy(update={'datasources': _no_data()}) for one in found] if self._without_data else found


def _no_data() -> Path:
    """A folder with an empty `data/`."""
    folder = cache_dir() / 'no_data'
    try:
        (folder / 'data').mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CibenchError(
            f'{folder}: cannot be made ({error.strerror}); set CIBENCH_CACHE to another folder'
        ) from error
    return folder


def selected_ids(config: Mapping[str, Any]) -> list[str]:
    """The ids of the experiments that a dataset's config takes; none of the files is read whole.

    Raises:
        CibenchError: there is no such place or format.
    """
    place = _place(
        str(config.get('abbr')), config.get('path'), config.get('builtin'), config.get('environment', ENVIRONMENT)
    )
    ids = find_format(config.get('format', NOTEBOOKS)).ids(place)
    if (wanted := config.get('experiments')) is None:
        return ids
    return [id_ for id_ in ids if any(fnmatchcase(id_, pattern) for pattern in _patterns('', wanted))]


def _place(abbr: str, path: str | None, builtin: str | None, environment: str) -> Path:
    """Where the experiments are: in `path`, or there below a set that comes with the package."""
    if builtin is None and not path:
        raise CibenchError(f'dataset {abbr}: neither path nor builtin; give the folder of the notebooks')
    place = Path(path or '') if builtin is None else builtin_folder(builtin, environment) / (path or '')
    if not place.exists():
        raise SetGoneError(
            f'dataset {abbr}: {place}: no such folder; {", or ".join(_mends(place, builtin, environment))}'
        )
    return place


def _mends(place: Path, builtin: str | None, environment: str) -> Iterator[str]:
    """What may bring experiments that are not there."""
    yield 'correct path'
    if builtin:
        yield f'run `cibench data build {builtin} --environment {environment}`'
    for name in [PUBLISHED[part] for part in place.parts if part in PUBLISHED]:
        yield f'run `cibench data fetch {name}` for the published files (`cibench data add FILE.zip` without internet)'
    if not place.is_absolute():
        yield f'start it where {place} is, as the run was started'


def _patterns(abbr: str, experiments: Any) -> list[str]:
    patterns = [experiments] if isinstance(experiments, str) else experiments
    if not isinstance(patterns, list) or not all(isinstance(pattern, str) for pattern in patterns):
        raise CibenchError(f"dataset {abbr}: experiments is {experiments!r}; give a list of ids or globs: ['pandas/*']")
    return patterns

"""Strange descriptions of figures and variables: descriptions of real golds with a few changes.

`case(seed, number)` makes the same case again on any machine.
"""

import copy
import functools
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_sets
from cibench_eval.plots import Plot
from cibench_eval.schema import Figure, Step, StepScore
from cibench_eval.states import states_of
from tests.support.scoring import links, score_step
from tests.support.soak import many

WHOLE = (0, 1, 2, 3, 7, 100, 400, -1, 2020, 719163, 10**11, 10**12, 10**15, 2**53 + 1)
NUMBERS = (*WHOLE, 0.0, -0.0, 1e308, -1e308, 5e-324, 1e-12, 0.1, 1e16, 0.5, 2.5, -7.25)
TEXTS = (
    *('', ' ', 'a', 'x', '0', '1.5', '-1', '1e400', 'nan', 'inf', '2020', '2020-01-01', '0000-00-00', '9999-99-99'),
    *('Jan', 'Feb', '5%', '1,000', '(', '中', '$\\mathdefault{10^{3}}$', 'in thousands', '%', '\u0000', 'a' * 200),
    *('🙂', 'log', 'linear', 'symlog', 'date', 'polar', '3d', 'rectilinear', '#ff0000', '#12345', 'dashed', 'grey'),
)
TOKENS = (None, True, False, *NUMBERS, 10**400, 10**300, *TEXTS)
UNREADABLE = b'\x89PNG\r\n\x1a\n' + bytes(40)
"""A picture that costs nothing to compare."""


@dataclass(frozen=True)
class Case:
    """A step of a real gold, and a session's description of its figures or variables."""

    gold: Step
    plots: list[Plot]
    state: Any = None

    def score(self, folder: Path) -> StepScore:
        """Score it as shown by the last call of a session."""
        shown = links(*(Figure.of(UNREADABLE, plot).save(folder) for plot in self.plots))
        held = {} if self.state is None else {'variables': self.state}
        try:
            return score_step([shown | held], self.gold, 'strange', folder).step
        finally:
            for file in folder.iterdir():
                file.unlink()


@dataclass(frozen=True)
class Golds:
    """The steps of the built-in golds with what is described of them, by the kinds of series and of variables."""

    plots: dict[str, list[tuple[Step, Any]]]
    states: dict[str, list[tuple[Step, Any]]]

    def drawn(self, rng: random.Random, what: str) -> tuple[Step, Any]:
        """Draw a step with plots or with states; all kinds are equally likely."""
        kinds = getattr(self, what)
        return rng.choice(kinds[rng.choice(sorted(kinds))])


@functools.cache
def golds() -> Golds:
    """The golds of the modern environment, or a third of them, with all fields of their descriptions."""
    folders = [path for one in builtin_sets().values() if 'modern' in one for path in sorted(one['modern'].iterdir())]
    read = [path for path in folders if path.is_dir()][:: many(1, 3)]
    steps = [step for path in read for one in load_experiments(path) for step in one.steps]
    found = Golds(defaultdict(list), defaultdict(list))
    for step in steps:
        if step.figure and step.figure.plot:
            plot = step.figure.plot.model_dump()
            for kind in sorted({series['kind'] for axes in plot['axes'] for series in axes['series']}):
                found.plots[kind].append((step, plot))
        states = {name: state.model_dump() for name, state in (states_of(step.state or {}) or {}).items()}
        for kind in sorted({state['kind'] for state in states.values()}):
            found.states[kind].append((step, states))
    return found


def case(seed: int, number: int) -> Case | None:
    """Make the case of a number; None if all of its changes would have been refused when it is read.

    Every third case changes the gold, too, because golds of other sets have other kinds than the built-in ones.
    """
    rng = random.Random(f'{seed}-{number}')
    what = 'plots' if rng.random() < 0.7 else 'states'
    step, made = golds().drawn(rng, what)
    if number % 3 == 2:
        made = _changed(made, what, rng)
    elif rng.random() < 0.15:
        made = golds().drawn(rng, what)[1]
    answers = [_changed(made, what, rng) for _ in range(rng.choice((1, 1, 1, 2)))]
    if all(answer == made for answer in answers):
        return None
    if what == 'states':
        gold = {'state': made} if number % 3 == 2 else {}
        return Case(step.model_copy(update=gold), [], answers[-1])
    gold = {'figure': Figure.of(step.figure.data, Plot.of(made))} if step.figure and number % 3 == 2 else {}
    return Case(step.model_copy(update=gold), [plot for plot in map(Plot.of, answers) if plot])


# Changes.


class Place(NamedTuple):
    """A place in JSON: a key of a dict or a list, and the closest dict around it."""

    container: Any
    key: Any
    record: dict[str, Any]
    name: tuple[Any, int]
    """The closest key of a dict on the way to it, and the number of lists behind that."""

    @property
    def value(self) -> Any:
        return self.container[self.key]

    def like(self, other: 'Place') -> bool:
        """Whether the other is the same place of a description."""
        one, two = self.value, other.value
        return self.name == other.name or (isinstance(one, dict) and isinstance(two, dict) and one.keys() == two.keys())


def places(made: Any, rng: random.Random, record: Any = None, name: tuple[Any, int] = ('', 0)) -> Iterator[Place]:
    """Yield all places in JSON; of a list of plain values, one."""
    keys: list[Any] = list(made) if isinstance(made, dict) else list(range(len(made)))
    if isinstance(made, list) and made and not isinstance(made[0], dict | list):
        keys = [rng.choice(keys)]
    record = made if isinstance(made, dict) else record
    for key in keys:
        place = Place(made, key, record, (key, 0) if isinstance(made, dict) else (name[0], name[1] + 1))
        yield place
        if isinstance(place.value, dict | list):
            yield from places(place.value, rng, record, place.name)


def _changed(description: Any, what: str, rng: random.Random) -> Any:
    """Change some things in a description; changes that would be refused when it is read are left out."""
    read = {'plots': Plot.of, 'states': states_of}[what]
    made, other = description, golds().drawn(rng, what)[1]
    for _ in range(rng.choice((1, 2, 3, 8))):
        changed = copy.deepcopy(made)
        _change(changed, other, rng)
        made = made if read(changed) is None else changed
    return made


def _change(made: Any, other: Any, rng: random.Random) -> None:
    """Change one thing in a description, or take it from another one."""
    place = rng.choice(list(places(made, rng)))
    elsewhere = [one.value for one in places(other, rng) if one.like(place)]
    if isinstance(place.value, list) and place.value and rng.random() < 0.7:
        _change_list(place, elsewhere, rng)
    elif elsewhere and rng.random() < 0.4:
        place.container[place.key] = copy.deepcopy(rng.choice(elsewhere))
    else:
        place.container[place.key] = _token(place.value, rng)


def _token(value: Any, rng: random.Random) -> Any:
    """Something to stand for a value, mostly of its type."""
    if rng.random() < 0.1:
        return rng.choice(TOKENS)
    match value:
        case bool():
            return not value
        case int():
            return rng.choice(WHOLE)
        case float() | None:
            extreme = rng.choice((1e308, -1e308, 5e-324, -1.0))
            return rng.choice((None, extreme, rng.choice(NUMBERS), rng.choice(NUMBERS), rng.uniform(-10, 10)))
        case str():
            return rng.choice(TEXTS)
        case _:
            return type(value)()


def _change_list(place: Place, elsewhere: list[Any], rng: random.Random) -> None:
    """Change a list; in half of the cases, lists beside it that are as long change alike."""
    size = len(place.value)
    changing = _beside(place.record, size) if rng.random() < 0.5 else [place.value]
    each = range(size)
    match rng.randrange(6):
        case 0:  # one value
            order = [rng.choice(each)] * size
            if rng.random() < 0.5:
                place.value[order[0]] = _token(place.value[order[0]], rng)
        case 1:  # fewer
            order = sorted(rng.sample(each, min(size, rng.choice((0, 1, 1, 2, size // 2)))))
        case 2:  # one of them twice
            order = sorted([*each, rng.choice(each)])
        case 3:
            order = rng.sample(each, size)
        case 4 if any(elsewhere):  # more
            place.value.append(copy.deepcopy(rng.choice(rng.choice([one for one in elsewhere if one]))))
            return
        case _:
            place.value[:] = [_token(one, rng) if rng.random() < 0.5 else one for one in place.value]
            return
    for one in changing:
        one[:] = [one[at] for at in order]


def _beside(record: dict[str, Any], size: int) -> list[list[Any]]:
    """The lists in a dict that are so long, and those in them."""
    lists = [one for one in record.values() if isinstance(one, list)]
    lists += [inner for one in lists for inner in one if isinstance(inner, list)]
    return [one for one in lists if len(one) == size]

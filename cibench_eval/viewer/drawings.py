"""The charts of the overview, from rows of tables and steps of sessions."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from cibench_eval.analysis.steps import over_epochs
from cibench_eval.evaluators.failures.categories import CAUSES
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.grouping import grouped
from cibench_eval.reports.layout import counted, rounded, starred
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import MODES
from cibench_eval.reports.sessions import StepLine
from cibench_eval.reports.tables import PREFIX
from cibench_eval.viewer.charts import Chart, Dot, Segment, Series, bars, dots, lines
from cibench_eval.viewer.listing import Listing, SessionRow

COLOURS = 8
"""The number of colours; of more models, all from the last colour on share it."""
MOST_CAUSES = 12
MODE_NOTE = 'Filled: end-to-end; hollow: oracle.'
ATTEMPTS = ((1, 'first'), (2, 'second'), (3, 'later'))


class Drawings:
    """The charts of the sessions and steps of a report by one profile; `rows` are the rows of each split."""

    def __init__(self, listing: Listing, profile: str, rows: Iterable[list[Row]]) -> None:
        self.labels = listing.labels
        self.rows = [scored for those in rows if (scored := [row for row in those if row.scores])]
        first, every = ([row.model for row in chain(*those)] for those in (self.rows[:1], self.rows))
        models = dict.fromkeys([*first, *self.labels, *every])  # of some scored models there are no sessions
        self.shades = {model: f'c{min(number, COLOURS - 1)}' for number, model in enumerate(models)}
        """The colour of each model in all charts: those of the first table come first."""
        self.scored: list[tuple[SessionRow, StepLine]] = [
            (listing.sessions[step.session], line)
            for step in listing.steps
            if (line := step.lines.get(profile)) and line.outcome != 'not scored'
        ]
        self.decided = [(session, line) for session, line in self.scored if line.right is not None]
        self.epochs = ' Counted over all epochs.' if any(session.epoch > 1 for session, _ in self.scored) else ''
        """What is said of charts that count a step once for each epoch."""

    def charts(self) -> list[Chart]:
        """All charts that have data."""
        if not self.scored:
            return []
        splits = dict.fromkeys(session.split for session, _ in self.decided)
        shares = [self.splits(), *map(self.places, splits), self.attempts()] if self.decided else []
        found = [*map(self.scores, self.rows), *shares, self.causes()]
        return [chart for chart in found if chart]

    def right(self) -> dict[tuple[str, str, str, str, int], float]:
        """Model, split, mode, experiment and number of a step -> the share of epochs in which it is right."""
        return over_epochs(
            ((session.label, session.split, session.mode, session.experiment, line.step), line.right is True)
            for session, line in self.decided
        )

    def legend(self, shown: Collection[str]) -> list[tuple[str, str]]:
        """The colours of the models that a chart shows; empty for a single one."""
        found = grouped([model for model in self.shades if model in shown], self.shades.__getitem__)
        named = [
            (shade, those[0] if len(those) == 1 else f'{len(those)} other models') for shade, those in found.items()
        ]
        return named if len(shown) > 1 else []

    def scores(self, rows: list[Row]) -> Chart | None:
        """The metrics of a split with their intervals."""
        shown = rows[:COLOURS]
        found = [(metric.short, list(_dots(shown, metric.name, self.shades))) for metric in known_metrics()]
        there = [(name, values) for name, values in found if values]
        if not there:
            return None
        spans = ' with its 95 % interval' if any(dot.low is not None for _, values in there for dot in values) else ''
        note = f'Mean × 100{spans}. {MODE_NOTE}{_left_out(len(rows))}'
        title = f'Scores: {rows[0].split}'
        return Chart(title, note, dots(title, there), self.legend([row.model for row in shown]))

    def splits(self) -> Chart | None:
        """The share of right steps in each split."""
        shares: dict[tuple[str, str, str], list[float]] = defaultdict(list)
        for (label, split, mode, _, _), share in self.right().items():
            shares[split, mode, label].append(share)
        found: dict[str, list[Dot]] = defaultdict(list)
        for (split, mode, label), right in shares.items():
            about = f'{label}, {mode.replace("_", "-")}: {sum(right):g} of {counted(len(right), "step")} right'
            share = 100 * sum(right) / len(right)
            found[split].append(Dot(share, None, None, self.shades[label], mode == 'oracle', about))
        title = 'Steps right, by split'
        legend = self.legend({label for _, _, label in shares})
        chart = Chart(title, f'In %. {MODE_NOTE}', dots(title, [*found.items()]), legend)
        return chart if len(found) > 1 else None

    def places(self, split: str) -> Chart:
        """The share of right steps of a split by place in the session."""
        shares: dict[tuple[str, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        for (label, of, mode, _, number), share in self.right().items():
            if of == split:
                shares[label, mode][number].append(share)
        labels = {label for label, _ in shares}
        there = [label for label in self.shades if label in labels]
        shown = there[:COLOURS]
        shares = {(label, mode): found for (label, mode), found in shares.items() if label in shown}
        most = max(number for found in shares.values() for number in found)
        series = []
        for (label, mode), found in shares.items():
            points = [_share(found.get(number, [])) for number in range(1, most + 1)]
            series.append(Series(points, self.shades[label], mode == 'oracle', f'{label}, {mode.replace("_", "-")}'))
        note = 'In %, by the number of the step. Solid: end-to-end; dashed: oracle. Later places are of fewer sessions.'
        title = f'Steps right, by place in the session: {split}'
        return Chart(title, note + _left_out(len(there)), lines(title, series, most), self.legend(shown))

    def attempts(self) -> Chart:
        """The attempt at which steps came right."""
        rows = []
        lacking = {row.model for row in chain(*self.rows) if not row.whole}
        by_model = sorted(self.decided, key=lambda one: self.labels.index(one[0].label))
        found = grouped(by_model, lambda one: (one[0].label, one[0].mode))
        several = len({mode for _, mode in found}) > 1
        for (model, mode), decided in found.items():
            own = [line for _, line in decided]
            label = starred(f'{model} {PREFIX[mode]}' if several else model, whole=model not in lacking)
            right = Counter(min(line.attempts, 3) for line in own if line.right)
            parts = [(right[number], f'a{number}', f'right with the {name} attempt') for number, name in ATTEMPTS]
            parts += [(len(own) - right.total(), 'a0', 'not right')]
            segments = [
                Segment(size / len(own), shade, f'{label}: {size} of {len(own)} {about}')
                for size, shade, about in parts
                if size
            ]
            rows.append((label, segments, f'{100 * right.total() / len(own):.0f} %'))
        legend = [(f'a{number}', f'right, {name} attempt') for number, name in ATTEMPTS] + [('a0', 'not right')]
        note = f'Share of steps by the last attempt at them.{self.epochs}'
        return Chart('Attempts', note, bars('Attempts', rows, 1.0), legend)

    def causes(self) -> Chart | None:
        """Why steps failed by themselves, the most frequent causes first."""
        failed = [(session.label, line.failure) for session, line in self.scored if line.failure]
        own = [(failure.cause, label) for label, failure in failed if failure.propagated_from is None]
        if not own:
            return None
        found, total = Counter(own), Counter(cause for cause, _ in own)
        rows, shown = [], set[str]()
        for cause, whole in total.most_common(MOST_CAUSES):
            numbers = [(label, found[cause, label]) for label in self.labels if found[cause, label]]
            parts = [Segment(size, self.shades[label], f'{label}: {size} × {_about(cause)}') for label, size in numbers]
            shown |= {label for label, _ in numbers}
            rows.append((cause.replace('_', ' '), parts, str(whole)))
        left, followed = len(total) - MOST_CAUSES, len(failed) - total.total()
        note = 'Steps whose failure is their own, by cause.'
        note += f' {followed} more followed from an earlier step.' if followed else ''
        note += self.epochs
        note += f' {left} rarer causes are in the list below.' if left > 0 else ''
        return Chart('Causes of error', note, bars('Causes of error', rows), self.legend(shown))


def _left_out(models: int) -> str:
    return f' The first {COLOURS} of {models} models.' if models > COLOURS else ''


def _dots(rows: list[Row], metric: str, shades: dict[str, str]) -> Iterator[Dot]:
    for row in rows:
        for mode in MODES:
            if score := row.score(mode, metric):
                low, high = score.bounds[:2] if score.bounds else (None, None)
                span = f' [{", ".join(map(rounded, score.bounds[:2]))}]' if score.bounds else ''
                value = f'{rounded(score.value)}{span}, {counted(score.steps, "step")}'
                about = f'{row.model}, {mode.replace("_", "-")}: {value}'
                yield Dot(score.value, low, high, shades[row.model], mode == 'oracle', about)


def _about(cause: str) -> str:
    return ': '.join(CAUSES.get(cause, (cause,)))


def _share(right: Sequence[float]) -> tuple[float, int] | None:
    return (100 * sum(right) / len(right), len(right)) if right else None

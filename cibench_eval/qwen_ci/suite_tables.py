"""The two tables of Qwen-Agent's Code Interpreter Benchmark: scores of runs, and published scores."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cibench_eval.analysis.intervals import mean_interval
from cibench_eval.grouping import grouped
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.published import published_lines
from cibench_eval.reports.scores import Bounds, Score
from cibench_eval.schema import StepScore

EXECUTABLE = {
    'math': ('math',),
    'visualization': ('visualization_hard', 'visualization_easy'),
    'general': ('general',),
}
"""Column of the first table -> its groups of questions."""
CORRECT = {'math': 'gsm8k', 'visualization-hard': 'visualization_hard', 'visualization-easy': 'visualization_easy'}
"""Column of the second table -> its group of questions."""
PUBLISHED = 'Published (20231206)'
LEADERBOARD = 'qwen_ci_leaderboard.csv'
"""Results that the benchmark's authors published: version 20231206, on the official data.

Of the executable rates, only that of general questions is published.
"""
JUDGE = 'cibench judge RUN --metric qwen --config configs/judges/FILE.py'
EXECUTABLE_NOTE = (
    'The share of questions whose first code runs without error within its time limit. No code: the share of all '
    'questions at which no whole code was written; they count as not executable.'
)
CORRECT_NOTE = (
    'math: GSM8K, the last number that is said is the answer. visualization: the judge says that the figure is right; '
    'no figure is wrong, and figures without a valid verdict are left out.'
)


@dataclass(frozen=True)
class SuiteScores:
    """The scores of one model on the questions of the benchmark."""

    model: str
    source: str
    """The set of questions: `qwen_ci`, or the built-in `builtin_qwen_ci`."""
    steps: Mapping[str, Sequence[StepScore]]
    """Group -> the scores of its steps, of all epochs."""
    lacking: Mapping[str, int] = field(default_factory=dict)
    """Package that the kernel environment lacks -> number of questions that failed because of it."""
    verdicts: Mapping[str, Mapping[str, Mapping[str, float | None]]] = field(default_factory=dict)
    """Judge -> group -> `EXPERIMENT@EPOCH` -> 1 right, 0 wrong, None without a valid verdict."""
    replays_gold: bool = False
    """Whether the model answers with the gold, so that its figures are no estimates."""

    def rate(self, groups: Iterable[str], metric: str) -> Score | None:
        """The mean of a metric over groups."""
        found = [
            (one.experiment, one.values[metric])
            for group in groups
            for one in self.steps.get(group, ())
            if metric in one.values
        ]
        return self._score(found)

    def judged(self, judge: str, group: str) -> Score | None:
        """The share of figures that a judge finds right."""
        verdicts = self.verdicts.get(judge, {}).get(group, {})
        return self._score([(name.rpartition('@')[0], value) for name, value in verdicts.items() if value is not None])

    def _score(self, found: list[tuple[str, float]]) -> Score | None:
        if not found:
            return None
        interval = mean_interval([value for _, value in found], [name for name, _ in found])
        return Score(100 * interval.mean, len(found), None if self.replays_gold else Bounds.of(interval))


def joined(suites: Sequence[SuiteScores]) -> SuiteScores:
    """The scores of several runs of one model together."""
    judges = dict.fromkeys(judge for one in suites for judge in one.verdicts)
    return replace(
        suites[0],
        steps={group: steps for one in suites for group, steps in one.steps.items()},
        lacking=sum((Counter(one.lacking) for one in suites), Counter()),
        verdicts={
            judge: {group: those for one in suites for group, those in one.verdicts.get(judge, {}).items()}
            for judge in judges
        },
    )


def executability(suites: Sequence[SuiteScores]) -> Table:
    """The first table: executable rates, in %."""
    lines = [
        [
            Cell(one.model),
            *(Cell.of(one.rate(groups, 'executable')) for groups in EXECUTABLE.values()),
            Cell.of(_without_code(one)),
        ]
        for one in suites
    ]
    lines.append([Cell(PUBLISHED)])
    for row in published_lines(LEADERBOARD):
        if general := row['general_executable']:
            lines.append([Cell(row['model']), Cell('–'), Cell('–'), Cell(general), Cell('–')])
    header = ['Model', *EXECUTABLE, 'no code']
    return Table(f'{suites[0].source}: code executability (%)', header, lines, EXECUTABLE_NOTE, level=2)


def correctness(suites: Sequence[SuiteScores]) -> Table:
    """The second table: accuracies, in %, by judge."""
    lines: list[list[Cell]] = []
    for one in suites:
        math = Cell.of(one.rate([CORRECT['math']], 'answer_correct'))
        drawn = [group for name, group in CORRECT.items() if name != 'math']
        for judge in [*one.verdicts] or ['']:
            name = f'{one.model}, {judge}' if judge else one.model
            lines.append([Cell(name), math, *(Cell.of(one.judged(judge, group)) for group in drawn)])
    for judge, rows in grouped(published_lines(LEADERBOARD), lambda row: row['judge']).items():
        lines.append([Cell(f'{PUBLISHED}, {judge}')])
        lines += [[Cell(row['model']), *(Cell(row[name.replace('-', '_')] or '–') for name in CORRECT)] for row in rows]
    return Table(f'{suites[0].source}: code correctness (%)', ['Model', *CORRECT], lines, CORRECT_NOTE, level=2)


def notes(suites: Sequence[SuiteScores]) -> list[str]:
    """Notes below these tables."""
    found = [
        f'{one.model}: figures are not judged yet; {JUDGE}'
        for one in suites
        if not one.verdicts and any(one.steps.get(group) for group in EXECUTABLE['visualization'])
    ]
    for one in suites:
        for judge, groups in one.verdicts.items():
            if invalid := sum(value is None for those in groups.values() for value in those.values()):
                found.append(f'{one.model}: {invalid} figures have no valid verdict of {judge} and are left out')
            drawn = sum(len(one.steps.get(group, ())) for group in EXECUTABLE['visualization'])
            if (left := drawn - sum(map(len, groups.values()))) > 0:
                found.append(f'{one.model}: {left} figures are not judged yet by {judge}, and left out; {JUDGE}')
    for one in suites:
        if one.lacking:
            packages = ', '.join(f'{name} ({count})' for name, count in sorted(one.lacking.items()))
            found.append(f'{one.model}: questions that failed because the kernels have no such package: {packages}')
    if suites[0].source != 'qwen_ci':
        found.append(
            f'{suites[0].source} has other questions than the published results: compare no figures of the two'
        )
    return found


def _without_code(suite: SuiteScores) -> Score | None:
    called = suite.rate([group for groups in EXECUTABLE.values() for group in groups], 'tool_rate')
    return called._replace(value=100 - called.value, bounds=None) if called else None

"""The report of a check, as it is written to JSON; `docs/datasets.md` explains each field."""

from typing import Literal

from pydantic import Field

from cibench_eval.schema import Record, StepKind

Severity = Literal['defect', 'note']

FIXES = {
    'format': 'correct the notebook as the message says',
    'empty': 'let the gold code show what is asked for and run it, or change the step type',
    'fails': 'correct the gold code, or check in the environment that the set was made for',
    'non_deterministic': 'seed every random state, sort what has no order, and print no addresses or times',
    'truncated': 'show less: models are shown, and answers hold, no more than the limit',
    'slow': 'use less data or fewer iterations',
    'differs': 'run the notebook again in this environment and store its outputs',
    'unscorable': 'store a gold output that the scoring profile can read',
    'trivial': 'ask for something that cannot be guessed: more digits, several values, a fuller figure',
    'close_values': 'ask for values that are further apart, or give the step a smaller tolerance',
    'missing_file': 'put the file below datasources/data, or correct the path',
    'leftover_file': 'delete it, and check again: it is there before a session begins',
    'large_file': 'use a smaller extract: every session gets a copy of the data',
    'network': 'put what is fetched below datasources/data: sessions have no network',
    'duplicate_question': 'leave one of the two, or ask for something else',
    'thought': 'let the thought begin with "Thought: " after a blank line',
    'twin': 'let the two notebooks ask the same with the same code; cibench construct translate makes a missing one',
    'language': 'correct the metadata `language`, or write the question in that language',
    'warning': 'change what the code is warned of: models are shown it, too',
    'environment': 'check with --environment, or build the gold outputs in this one',
    'undescribed': 'run cibench data describe',
    'naive': 'ask for what the trap changes, or take the naive answer out if it is right',
    'unasked': 'name it in the question, or call it otherwise in the gold code',
    'name_alone': 'ask also for a value that it makes, as `pentagon = polygon(5)`',
    'underspecified': 'say it in the question, or leave it out of the code',
    'without_data': 'ask for what the files alone tell: other columns, a part of the rows, data that are not famous',
    'few_naive': 'write naive answers for at least three habits, as careless, literal and shortcut',
}
"""Code of each finding -> how to fix it; `underspecified` is one of `cibench construct` alone."""


class CheckFinding(Record):
    """One thing that is wrong (`defect`) or worth knowing (`note`)."""

    set: str
    notebook: str
    """Id of the experiment; empty for a finding about the whole set."""
    step: int | None = None
    """Counted from 1; None for a finding about the whole notebook."""
    code: str
    """A key of `FIXES`."""
    severity: Severity = 'defect'
    text: str
    fix: str


class StepReport(Record):
    """The runs of one step and their scores; lists have one entry for each run, in order."""

    step: int
    kind: StepKind
    seconds: list[float | None]
    """None where the step was not reached."""
    scores: dict[str, list[float | None]] = Field(default={})
    """Scoring profile -> score of the gold code's output against the stored one; None where the code failed."""
    baseline: dict[str, float] = Field(default={})
    """Scoring profile -> score of the best answer without the question; empty for `exec` steps."""


class NaiveReport(Record):
    """The result of a naive answer."""

    session: str
    step: int
    """Counted from 1."""
    trap: str
    correct: bool
    """Whether it counts as correct, which is a defect."""
    detail: str
    """Its output, or why it failed."""


class ExperimentReport(Record):
    """All runs of one experiment."""

    set: str
    notebook: str
    steps: list[StepReport]
    naive: list[NaiveReport] = Field(default=[])
    """The naive answers of each naive session, in order."""


class AuditPart(Record):
    """The steps of one library of a split in an audit."""

    set: str
    library: str
    """Empty for notebooks that are in no folder."""
    scored: int
    """Steps whose output is compared with the gold's."""
    need_data: int
    """Steps that the gold code fails to answer without the data files. Only these can be known from elsewhere."""
    answered: int
    """How many of `need_data` the model answered without the data files."""
    share: float | None
    """`answered` in % of `need_data`, 0 to 100; None without a step that needs data."""


class AuditedStep(Record):
    """A step that needs data and got more than it may without: answered, or in part."""

    set: str
    notebook: str
    step: int
    """Counted from 1."""
    kind: StepKind
    metric: str
    score: float
    """By the metric, 0 to 1."""
    answered: bool
    """Whether it counts as correct; if not, its score is above the score of a trivial answer that passes."""
    question: str
    """Its first words."""


class AuditReport(Record):
    """What a model answered without the data files."""

    model: str
    profile: str
    """The scoring profile."""
    folder: str
    """The run folder with the sessions; `cibench show` and `cibench view` read it."""
    parts: list[AuditPart]
    steps: list[AuditedStep]


class CheckReport(Record):
    """A whole check, as `--json` writes it."""

    version: Literal[2] = 2
    path: str
    environment: str
    sandbox: str
    provenance: dict[str, str]
    profile: str
    """The profile by which a trivial answer that passes is a defect."""
    repeats: int
    seed: int
    slow: float
    """Seconds."""
    experiments: int
    """Notebooks that were checked, including those that cannot be read."""
    clean: int
    """Notebooks without a defect."""
    kinds: dict[StepKind, int]
    """Steps of each kind."""
    baseline: dict[str, dict[StepKind, float]]
    """Scoring profile -> kind -> mean score of the best answers without the question, 0 to 100."""
    seconds: float
    findings: list[CheckFinding]
    runs: list[ExperimentReport]
    audit: AuditReport | None = None
    """None where no model was asked."""

    @property
    def steps(self) -> int:
        return sum(self.kinds.values())

    @property
    def defects(self) -> list[CheckFinding]:
        return [finding for finding in self.findings if finding.severity == 'defect']

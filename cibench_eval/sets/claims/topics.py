"""What the studies of a session of claims are about."""

from dataclasses import dataclass
from pathlib import Path

from cibench_eval.schema import Language


@dataclass(frozen=True)
class StudyWords:
    units: str
    treatment: str
    outcome: str
    measure: str


@dataclass(frozen=True)
class StudyTopic:
    """A study: its name, the column of its outcome, the usual outcome, and its words."""

    name: str
    column: str
    usual: float
    words: dict[Language, StudyWords]


def _topic(name: str, column: str, usual: str, *words: str) -> StudyTopic:
    return StudyTopic(name, column, float(usual), {'en': StudyWords(*words[:4]), 'cn': StudyWords(*words[4:])})


_, *_LINES = Path(__file__).with_name('topics.csv').read_text(encoding='utf-8').splitlines()
TOPICS = [_topic(*line.split(',')) for line in _LINES]

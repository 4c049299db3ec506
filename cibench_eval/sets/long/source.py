"""The sources of long sessions (`levels.py`):

    steps: 40
    rows: 240
    opening: 6
    told: [0, 1, 1]
    deep: 1
    indirect: 0
    kinds: {amend: 8, change: 3}
    asks: {now: 5, what_if: 2}
    sessions:
      orders_a: {domain: orders, seed: 11}

`session.LongKnobs` says what the first eight are.
"""

from collections.abc import Mapping
from pathlib import Path

from pydantic import field_validator

from cibench_eval.rendering import fill
from cibench_eval.schema import Language
from cibench_eval.sets.levels import DrawnSession, Level, SeededSession
from cibench_eval.sets.long.domains import DOMAINS, Domain
from cibench_eval.sets.long.session import FORGETFUL, TOLERANCE, LongKnobs, LongSession, LongStep, draw_session
from cibench_eval.sets.long.words import Words
from cibench_eval.sets.templates import LANGUAGES, NaiveCode, SourceStep


class _Session(SeededSession):
    domain: str

    @field_validator('domain')
    @classmethod
    def _known(cls, domain: str) -> str:
        if domain not in DOMAINS:
            raise ValueError(f'{domain!r}; there is {", ".join(DOMAINS)}')
        return domain


class LongLevel(LongKnobs, Level):
    sessions: Mapping[str, _Session]

    def draw(self, session: SeededSession, seed: str, folder: str) -> DrawnSession:
        assert isinstance(session, _Session)
        drawn = draw_session(DOMAINS[session.domain], self, seed, folder)
        files = {file.removeprefix(f'{folder}/'): text for file, text in drawn.files.items()}
        return files, {language: _steps(drawn, language, folder) for language in LANGUAGES}


def _steps(session: LongSession, language: Language, folder: str) -> list[SourceStep]:
    words = Words(session.domain, language)
    path = f'{folder}/{session.domain.file}'
    code = _first_cell(session.domain, folder)
    first = SourceStep.of(language, _conventions(words, path), words.say('thought_first'), code, 'num', answer='count')
    return [first, *(_step(step, words, number) for number, step in enumerate(session.steps, 2))]


def _step(step: LongStep, words: Words, number: int) -> SourceStep:
    kind = {'': 'vis', 'list[text]': 'text'}.get(step.answer, 'num')
    return SourceStep.of(
        words.language,
        step.question(words, number),
        words.say('thought_then' if step.ask.then else 'thought_now'),
        step.code,
        kind,
        'pandas & matplotlib' if kind == 'vis' else 'pandas',
        tolerance=TOLERANCE if kind == 'num' else None,
        listed=kind == 'text',
        answer=step.answer,
        naive=tuple(NaiveCode(FORGETFUL[habit], (habit,), code) for habit, code in step.naive.items()),
        depends=step.depends,
    )


def _first_cell(domain: Domain, folder: str) -> str:
    """The gold code of the first question; `folder` has the session's files."""
    code = Path(__file__).with_name('first_cell.txt').read_text(encoding='utf-8').rstrip()
    return fill(code, path=f'{folder}/{domain.file}', when=domain.columns['when'], key=domain.columns['id'])


def _conventions(words: Words, path: str) -> str:
    """The first question: the file, what holds throughout, and how many rows there are."""
    columns = words.pick(', ', '、').join(f'`{name}`' for name in words.domain.columns.values())
    text = Path(__file__).with_name(f'conventions_{words.language}.txt').read_text(encoding='utf-8').strip()
    return text.format(path=path, row=words.row, rows=words.rows, columns=columns)

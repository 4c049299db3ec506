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

from pydantic import field_validator

from cibench_eval.schema import Language
from cibench_eval.sets.levels import DrawnSession, Level, SeededSession
from cibench_eval.sets.long.domains import DOMAINS
from cibench_eval.sets.long.session import FORGETFUL, TOLERANCE, LongKnobs, LongSession, LongStep, draw_session
from cibench_eval.sets.long.wording import conventions, first_cell, thought
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
    code = first_cell(session.domain, folder)
    first = SourceStep.of(language, conventions(words, path), thought(words, None), code, 'num', answer='count')
    return [first, *(_step(step, words, number) for number, step in enumerate(session.steps, 2))]


def _step(step: LongStep, words: Words, number: int) -> SourceStep:
    kind = {'': 'vis', 'list[text]': 'text'}.get(step.answer, 'num')
    return SourceStep.of(
        words.language,
        step.question(words, number),
        thought(words, step.ask),
        step.code,
        kind,
        'pandas & matplotlib' if kind == 'vis' else 'pandas',
        tolerance=TOLERANCE if kind == 'num' else None,
        listed=kind == 'text',
        answer=step.answer,
        naive=tuple(NaiveCode(FORGETFUL[habit], (habit,), code) for habit, code in step.naive.items()),
        depends=step.depends,
    )

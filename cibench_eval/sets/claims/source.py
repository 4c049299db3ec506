"""The sources of sessions of claims (`levels.py`):

    studies: 12
    assignments: {lot: 3, sites: 2, chosen: 3, grown: 2}
    faults: [0, 1]
    doubles: [0, 1]
    sessions:
      a: {seed: 1}

`assignments` are weights; a study has one of the numbers of faults, and of doubles, which look like faults.
"""

from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any, Literal

import yaml
from pydantic import Field

from cibench_eval.schema import Language
from cibench_eval.sets.claims.drawing import HELPERS, TOLERANCE, Assignment, Drawn, draw_study
from cibench_eval.sets.claims.faults import FAULTS, LATE
from cibench_eval.sets.claims.topics import TOPICS, StudyTopic
from cibench_eval.sets.levels import DrawnSession, Level, SeededSession
from cibench_eval.sets.templates import LANGUAGES, NaiveCode, SourceStep

TEXTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name('words.yaml').read_text(encoding='utf-8'))
FILES: dict[Language, str] = {'en': 'notes.md', 'cn': 'notes_cn.md'}
Texts = Mapping[Language, Sequence[str]]
"""Wordings of a note, templates of `name`, `units`, `outcome`, `shift`, `late` and `file`."""
TOGETHER = ({'left', 'shifted'}, {'left', 'doubled'})
"""Faults that never come together in a study: it would be unclear which readings of the second file are meant."""
HABITS = {
    'plain': 'takes the files as they are, whatever the notes say',
    'unasked': 'puts the files right and does not ask who took part',
    'wary': 'puts right all that the notes speak of, harmless or not',
}


class ClaimsLevel(Level):
    studies: int = Field(ge=4, le=len(TOPICS))
    assignments: dict[Assignment, int]
    faults: list[Literal[0, 1, 2]]
    doubles: list[Literal[0, 1]]

    def draw(self, session: SeededSession, seed: str, folder: str) -> DrawnSession:
        rng = Random(f'claims/{seed}')
        studies = [self.study(topic, rng) for topic in rng.sample(TOPICS, self.studies)]
        files = {name: text for study in studies for name, text in study.files.items()}
        return {**files, **_notes(studies, rng)}, {
            language: [
                _first(studies, language, folder),
                *(_step(study, language, folder) for study in studies),
                _last(studies, language),
            ]
            for language in LANGUAGES
        }

    def study(self, topic: StudyTopic, rng: Random) -> Drawn:
        """Draw one study about a topic."""
        assignment: Assignment = rng.choices([*self.assignments], [*self.assignments.values()])[0]
        faults, doubles = rng.choice(self.faults), rng.choice(self.doubles)
        names = rng.choice(
            [some for some in permutations(FAULTS, faults + doubles) if not any(pair <= {*some} for pair in TOGETHER)]
        )
        return draw_study(topic, assignment, names[:faults], names[faults:], [rng.randrange(2**31)])


def _first(studies: list[Drawn], language: Language, folder: str) -> SourceStep:
    text = Path(__file__).with_name(f'conventions_{language}.txt').read_text(encoding='utf-8').strip()
    names = [study.topic.name for study in studies]
    code = f"""{HELPERS}

found = {{}}
print(open('{folder}/{FILES[language]}', encoding='utf-8').read())
answer = sum(len(pd.read_csv(f'{folder}/{{name}}.csv')) for name in {names})
print(answer)"""
    question = text.format(data=folder, count=len(studies))
    return SourceStep.of(language, question, TEXTS['thoughts']['first'][language], code, 'num', answer='count')


def _step(study: Drawn, language: Language, folder: str) -> SourceStep:
    within = round(TOLERANCE * study.right.error, 6)
    ends = f'real(absolute={within})'
    declared = f'effect: {ends}; interval: [{ends}, {ends}]; probability: probability'

    def cell(code: str) -> str:
        verdict = f"probability = found['{study.topic.name}'] = float(effect >= {study.least:g})"
        shown = 'print(round(effect, 3), [round(end, 3) for end in interval], probability)'
        return f'{code.format(data=folder)}\n{verdict}\n{shown}'

    naive = tuple(NaiveCode(HABITS[habit], (habit,), cell(code)) for habit, code in study.naive.items())
    words, name = study.topic.words[language], study.topic.name
    question = TEXTS['questions']['claim'][language].format(name=name, words=words, least=f'{study.least:g}')
    asked = question, TEXTS['thoughts']['claim'][language]
    return SourceStep.of(language, *asked, cell(study.code), 'num', 'pandas & numpy', answer=declared, naive=naive)


def _last(studies: list[Drawn], language: Language) -> SourceStep:
    return SourceStep.of(
        language,
        TEXTS['questions']['last'][language],
        TEXTS['thoughts']['last'][language],
        "true = sorted(name for name, sure in found.items() if sure > 0.5)\nprint(', '.join(true))",
        'text',
        listed=True,
        answer='true: list[text]',
        depends=tuple(range(2, len(studies) + 2)),
    )


def _notes(studies: list[Drawn], rng: Random) -> dict[str, str]:
    """The file of notes in each language: file name -> content."""
    said = [(section, wording, study, rng.random()) for study in studies for section, wording in _said(study)]
    order = [*range(len(said))]
    rng.shuffle(order)
    texts: dict[str, str] = {}
    for language, file in FILES.items():
        blocks = [f'# {TEXTS["title"][language]}']
        for section, title in TEXTS['sections'].items():
            lines = [
                '- ' + _worded(wording[language], study, language, at)
                for wanted, wording, study, at in (said[place] for place in order)
                if wanted == section
            ]
            blocks += [f'## {title[language]}', '\n'.join(lines)] if lines else []
        texts[file] = '\n\n'.join(blocks) + '\n'
    return texts


def _said(study: Drawn) -> list[tuple[str, Texts]]:
    joined = 'lot' if study.assignment == 'grown' else study.assignment
    recorded = 'after' if study.assignment == 'grown' else 'before'
    said = [(TEXTS['faults'][name], 'note') for name in study.faults]
    said += [(TEXTS['faults'][name], 'double') for name in study.doubles]
    return [
        ('taking_part', TEXTS['joining'][joined]),
        ('recording', TEXTS[recorded]),
        *((fault['section'], fault[which]) for fault, which in said),
    ]


def _worded(wordings: Sequence[str], study: Drawn, language: Language, at: float) -> str:
    words = study.topic.words[language]
    return wordings[int(at * len(wordings))].format(
        name=study.topic.name,
        units=words.units,
        outcome=words.outcome,
        shift=f'{study.shift:g}',
        late=LATE,
        file=f'{study.topic.name}_later.csv',
    )

"""The notes of a session: how its studies came about, by sections in which they stand in no order."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

import yaml

from cibench_eval.schema import Language
from cibench_eval.sets.claims.drawing import Drawn
from cibench_eval.sets.claims.faults import LATE

TEXTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name('words.yaml').read_text(encoding='utf-8'))
FILES: dict[Language, str] = {'en': 'notes.md', 'cn': 'notes_cn.md'}
Texts = Mapping[Language, Sequence[str]]
"""Wordings of a note, templates of `name`, `units`, `outcome`, `shift`, `late` and `file`."""


def notes(studies: list[Drawn], rng: Random) -> dict[str, str]:
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

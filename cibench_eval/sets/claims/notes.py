"""The notes of a session: how its studies came about, by sections in which they stand in no order."""

from random import Random

from cibench_eval.schema import Language
from cibench_eval.sets.claims.drawing import Assignment, Drawn
from cibench_eval.sets.claims.faults import FAULTS, LATE, Texts

SECTIONS: dict[str, dict[Language, str]] = {
    'taking_part': {'en': 'Who took part', 'cn': '谁参加了'},
    'recording': {'en': 'What was recorded, and when', 'cn': '记录了什么，何时记录'},
    'files': {'en': 'Files', 'cn': '文件'},
    'origin': {'en': 'What was meant to be found', 'cn': '原本要弄清什么'},
}
TITLE: dict[Language, str] = {'en': 'Notes on the studies', 'cn': '研究说明'}
FILES: dict[Language, str] = {'en': 'notes.md', 'cn': 'notes_cn.md'}
JOINING: dict[Assignment, Texts] = {
    'lot': {
        'en': (
            'In `{name}` a lot was drawn for each of the {units}.',
            'Half of the {units} of `{name}`, drawn at random from the list, took part.',
        ),
        'cn': ('`{name}` 对{units}逐一抽签。', '从名单中随机抽取 `{name}` 一半的{units}参加。'),
    },
    'sites': {
        'en': (
            'In `{name}` a lot was drawn for each site, and all {units} of a site did the same.',
            'Twelve of the 24 sites of `{name}` were drawn at random; there, all of the {units} took part.',
        ),
        'cn': (
            '`{name}` 为每个地点抽签，同一地点的{units}全都一样。',
            '从 `{name}` 的 24 个地点中随机抽取 12 个，那里的{units}全部参加。',
        ),
    },
    'chosen': {
        'en': (
            'In `{name}` taking part was offered to all {units}, and some took the offer.',
            'Those {units} of `{name}` took part that had signed up for it.',
        ),
        'cn': ('`{name}` 向所有{units}提供了参加的机会，其中一些接受了。', '`{name}` 中报名的{units}参加了。'),
    },
}
JOINING['grown'] = JOINING['lot']
BEFORE: Texts = {
    'en': (
        'The `size` of the {units} of `{name}` is that of the day before the beginning.',
        '`{name}`: `size` was taken from a register of the year before.',
    ),
    'cn': ('`{name}` 的 `size` 是开始前一天的情况。', '`{name}`：`size` 取自上一年的登记册。'),
}
AFTER: Texts = {
    'en': (
        'The `size` of the {units} of `{name}` is that of the last day.',
        '`{name}`: `size` was taken down together with the outcome.',
    ),
    'cn': ('`{name}` 的 `size` 是最后一天的情况。', '`{name}`：`size` 与结果同时记录。'),
}


def notes(studies: list[Drawn], rng: Random) -> dict[str, str]:
    """The file of notes in each language: file name -> content."""
    said = [(section, wording, study, rng.random()) for study in studies for section, wording in _said(study)]
    order = [*range(len(said))]
    rng.shuffle(order)
    texts: dict[str, str] = {}
    for language, file in FILES.items():
        blocks = [f'# {TITLE[language]}']
        for section, title in SECTIONS.items():
            lines = [
                '- ' + _worded(wording[language], study, language, at)
                for wanted, wording, study, at in (said[place] for place in order)
                if wanted == section
            ]
            blocks += [f'## {title[language]}', '\n'.join(lines)] if lines else []
        texts[file] = '\n\n'.join(blocks) + '\n'
    return texts


def _said(study: Drawn) -> list[tuple[str, Texts]]:
    found = [
        ('taking_part', JOINING[study.assignment]),
        ('recording', AFTER if study.assignment == 'grown' else BEFORE),
    ]
    found += [(FAULTS[name].section, FAULTS[name].notes) for name in study.faults]
    return found + [(FAULTS[name].section, FAULTS[name].double) for name in study.doubles]


def _worded(wordings: tuple[str, ...], study: Drawn, language: Language, at: float) -> str:
    words = study.topic.words[language]
    return wordings[int(at * len(wordings))].format(
        name=study.topic.name,
        units=words.units,
        outcome=words.outcome,
        shift=f'{study.shift:g}',
        late=LATE,
        file=f'{study.topic.name}_later.csv',
    )

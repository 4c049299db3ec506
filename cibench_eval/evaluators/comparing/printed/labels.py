"""Whether the words beside an answer's values belong to them."""

import re
from collections import Counter

from cibench_eval.evaluators.comparing.numbers import CJK_SIGN
from cibench_eval.evaluators.comparing.open_form.words import translated
from cibench_eval.evaluators.comparing.printed.values import PrintedValue

ASKED = re.compile('print|打印|输出', re.I)
"""Where a question begins to say what to print."""
NAMED = re.compile(r'`[^`\n]{1,100}: [^`\n]{1,100}`')
"""`name: value`, where a question asks for names."""
SHORT = 3
"""Below so many letters a word is no beginning of another."""
SHORT_WORDS = 6
"""Most initials that are looked for."""
LONG = {'std': 'sd'}
"""Abbreviations and the initials of what they stand for."""


def other_labels(golds: list[PrintedValue], answers: list[PrintedValue], question: str) -> str:
    """Which label of an answer is wrong, by the rules 9 to 11; empty if none is."""
    if not any(gold.label for gold in golds):
        labels = [answer.label for answer in answers]
        return _exchanged(labels, question) or _exchanged(*translated(labels, question))
    every = dict.fromkeys(word for gold in golds for word in gold.label)
    known = '' if NAMED.search(question) else question.casefold()
    for gold, answer in zip(golds, answers, strict=True):
        said = ' '.join(answer.label)
        missing = _missing(gold.label, said)
        optional = gold.named and (question in ('', '?') or all(_places(word, known) for word in missing))
        if missing and not (optional and (not said or len(missing) < len(gold.label))):
            return f'{gold} is not under {missing[0][:40]}'
        if missing and (other := next((one for one in every if one not in gold.label and _places(one, said)), '')):
            return f'{gold} is under {other[:40]}'
    return ''


def _missing(label: tuple[str, ...], said: str) -> list[str]:
    """The words of a label that are not said after those before them."""
    missing, start = [], 0
    for word in label:
        places = _places(word, said[start:])
        start += places[0] + len(word) if places else 0
        missing += [] if places else [word]
    return missing


def _exchanged(labels: list[tuple[str, ...]], question: str) -> str:
    """A label that stands before another in the question and after it in the answer; empty if there is none."""
    asked = question[max((one.start() for one in ASKED.finditer(question)), default=len(question)) :].casefold()
    times = Counter(word for label in labels for word in {*label})
    latest, before = -1, ''
    for label in labels:
        places = [place for word in label if times[word] == 1 for place in _places(word, asked, begins=True)]
        if places and max(places) < latest:
            return f'{" ".join(label)[:40]} comes after {before[:40]}'
        if places and min(places) > latest:
            latest, before = min(places), ' '.join(label)
    return ''


def _places(word: str, text: str, begins: bool = False) -> list[int]:
    """Where a text has a word; with `begins`, also a longer one that begins so, or several whose initials it is."""
    if CJK_SIGN.match(word):
        pattern = f'(?<![不未])(?<!(?<![东西南北])非)(?<!(?<!有)无){re.escape(word)}'
    elif begins and len(word) >= SHORT:
        initials = r'\s'.join(rf'{re.escape(letter)}[\w-]*' for letter in LONG.get(word, word)[:SHORT_WORDS])
        pattern = rf'(?<!\w)(?:{re.escape(word)}|{initials}(?!\w))'
    else:
        pattern = rf'(?<!\w){re.escape(word)}(?!\w)'
    return [found.start() for found in re.finditer(pattern, text)]

"""Prose: ROUGE-L F (Lin 2004) over words, Chinese characters and values, and whether all that counts is in it.

A Chinese character is a token of its own, as in LCSTS (Hu et al. 2015): that needs no dictionary, is the same on every
machine, and gives a word that is right in part its part. Values (see `numbers.py`) match within the tolerance,
whatever their format; punctuation and case are no tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple

from cibench_eval.evaluators.comparing.numbers import CJK, TOLERANCE, Margin, Value, clean
from cibench_eval.evaluators.comparing.open_form.labelled import in_two_languages
from cibench_eval.evaluators.comparing.open_form.questions import Question
from cibench_eval.evaluators.comparing.open_form.readings import FRAME_END, SERIES_END, dated, said
from cibench_eval.evaluators.comparing.open_form.words import FUNCTION, NEGATIONS, SAYS_NOTHING, opposed
from cibench_eval.evaluators.comparing.rouge import Word, common, matching, places_of, rouge_l, tokenize

ALMOST = 0.75
"""The most that a text with a fault gets: less than makes a step correct."""
AROUND = 0.1
"""The most that sentences around a right answer cost."""
LONGEST_LABEL = 12
"""Most tokens of a label before a colon."""
STEM = 6
"""First letters by which words in headings are the same."""
SHORTEST = 3
"""Fewest tokens of a sentence beside an answer; less may be a second answer."""
PARTS = 12
"""Most sentences of an answer whose parts are tried; a longer answer is taken whole."""
PART = re.compile(
    r'\n|(?<=[^0-9A-Z][.!?;])\s|(?<=[。！？；])|(?<=:)(?![0-9])|(?<= is)\s|(?<= are)\s|(?<= was)\s|(?<= were)\s'
    rf'|(?<= =)\s|(?<=[{CJK}]是)|(?<=[^因认以]为)|(?<=现在)|(?<=位于)|(?<=属于)|(?<=发生在)'
    r'|\s(?=(?:because|since)\b|\([pP]\b)|(?=因为|由于)|(?<=,)\s(?=because|since|as|so|therefore)'
)
LEADS = re.compile(r'(?:[:是为在于=]| is| are| was| were)\s*\Z')
"""The end of a label."""
REASON = re.compile(r'\s*(?:(?:since|because|as|given)\b|因为|由于|\(p\b)', re.I)
GIVEN = re.compile(
    r'\s*(?:since|because|as|given|at an?|at the|因为|由于|在(?=[^,，\n]{1,60}下[,，]))[^,，\n]{1,100}[,，]\s*', re.I
)
"""A reason before an answer."""
TRUTH = re.compile(r'\s*(yes|no|true|false|是|否|对)[,，.。!！]\s*(?=\S)', re.I)
"""An answer in one word before a sentence."""
INDEX_NAME = re.compile(r'\A\S+\n(?=\S+ )')
PIECES = re.compile(r'(?<=[\'"]),\s*|[\s/|]+')
QUOTES = '[]()\'"“”‘’'
HEADED = re.compile(r'\A[^:：\n>]{1,60}(?:[:：]|->)|\A[^\n]{1,60}\n|\A[^\n"\'“「]{1,60}?(?:[为是]|\bis)\s*(?=["\'“「])')
"""A label before a text."""
SAID = {'是否': '', '存在': '有', '非': '不', '认为': '', 'non-': 'not '}
"""Negations that deny nothing, and words with the same meaning."""
NAMED = re.compile(r'([^:\n,;，；{}\'"]{1,40})[\'"]?:[ \t]*([^:\n,;，；{}]{1,100})')
"""A text under a label."""
UNDECIDED = re.compile(r'\bwhether\b|\bor not\b', re.I)
BOTH = frozenset(('and', '和', '与', '及'))
"""Words between two things that may be exchanged."""


class Phrase(NamedTuple):
    """A sentence, a line, a label with its colon, or a reason."""

    tokens: list[Word]
    kind: Literal['', 'label', 'reason'] = ''


class Cut(NamedTuple):
    """Successive parts of an answer, and the parts around them."""

    inside: list[Word]
    labels: list[Word]
    around: int = 0
    """Tokens of the sentences around."""


def likeness(gold: str, answer: str, tolerance: float | Margin = TOLERANCE, question: str = '') -> float:
    """Score how far an answer says what the gold output says, 0 to 1.

    The score is ROUGE-L F of the sentences that say it best: a label before them costs nothing, other sentences around
    them little, unless they are about the same. It is ALMOST at most where a number or a word other than function words
    is missing or misplaced, or one of the two texts is negated. A heading of the gold may be missing, and so may words
    of the question. Every word and mark of a processed text counts.
    """
    asked = Question(question)
    if asked.of_processed:
        return 1.0 if _same_pieces(gold, answer) else min(ALMOST, rouge_l(gold, answer))
    gold, answer = _plain(gold), _plain(answer)
    golds = tokenize(gold)
    if not golds:
        return rouge_l(gold, answer)
    margin = Margin.of(tolerance)
    parts = _parts(answer)
    whole = [token for part in parts for token in part.tokens]
    score = 2 * common(golds, whole, margin) / (len(golds) + len(whole))
    if opposed({*asked.words, *golds}, whole) and asked.words:
        return min(score, ALMOST)
    right = [_score(golds, cut, margin) for cut in _cuts(parts, golds, margin) if _says_all(golds, cut.inside, margin)]
    bodies = [golds]
    if heading := _headed(gold):
        right += _without_heading(*heading, parts, margin)
        bodies += [] if NEGATIONS.intersection(heading[0].tokens) else [heading[1]]
    if asked.words and any(_same_beyond(asked, body, whole, margin) for body in bodies):
        right.append(1.0)
    if not right and _exchanged(golds, whole):
        right = [1.0]
    if _relabelled(gold, answer) or (UNDECIDED.search(answer) and not UNDECIDED.search(gold)):
        return min(score, ALMOST)
    return max([min(score, ALMOST), *right])


def _relabelled(gold: str, answer: str) -> bool:
    """Whether a text of the gold stands under another label of the gold."""
    mine, theirs = (
        {label.strip().casefold(): text.strip(' \'"') for label, text in NAMED.findall(clean(those))}
        for those in (gold, answer)
    )
    texts = {*mine.values()}
    return any(shown != mine[label] and shown in texts for label, shown in theirs.items() if label in mine)


def _same_beyond(asked: Question, golds: list[Word], answers: list[Word], margin: Margin) -> bool:
    """Whether answer and gold say the same, apart from words of the question."""
    known = FUNCTION | asked.headings
    mine = [token for token in golds if token not in known]
    theirs = [token for token in answers if token in mine or token not in known | SAYS_NOTHING]
    return len(theirs) == len(mine) > 0 and common(mine, theirs, margin) == len(mine)


def _same_pieces(gold: str, answer: str) -> bool:
    """Whether an answer is the gold to the letter, but for brackets, quotes and a label before it."""
    shown = _pieces(said(answer))
    return _pieces(said(gold)) in (shown, *(_pieces(answer[found.end() :]) for found in HEADED.finditer(answer)))


def _pieces(text: str) -> list[str]:
    """Split a text at blanks, slashes and the commas of a list."""
    found = (piece.strip(QUOTES) for piece in PIECES.split(text.strip()))
    return [piece for piece in found if piece]


def _plain(text: str) -> str:
    """Text without pandas' lines around a Series or below a table, and with the meanings of SAID."""
    text = said(text)
    shown = FRAME_END.sub('', SERIES_END.sub('', clean(text)))
    for written, meant in SAID.items():
        shown = shown.replace(written, meant)
    if SERIES_END.search(text):
        shown = INDEX_NAME.sub('', shown)
    return dated(shown) if shown.strip() else text


def _score(golds: list[Word], cut: Cut, margin: Margin) -> float:
    known = set(golds)
    inside = [token for token in cut.inside if token in known or token not in FUNCTION]
    best = 2 * common(golds, inside, margin) / (len(golds) + len(inside))
    return best - AROUND * min(1.0, cut.around / (len(golds) + 10))


def _parts(answer: str) -> list[Phrase]:
    made: list[Phrase] = []
    if found := TRUTH.match(answer):
        behind = tokenize(answer[found.end() :])
        return [Phrase(tokenize(found.group())), Phrase(behind, 'label' if len(behind) <= LONGEST_LABEL else '')]
    if found := GIVEN.match(answer):
        made.append(Phrase(tokenize(found.group()), 'reason'))
        answer = answer[found.end() :]
    pieces = [piece for piece in PART.split(clean(answer)) if piece]
    made += [Phrase(tokenize(piece), _kind(piece)) for piece in pieces]
    return [part for part in made if part.tokens]


def _kind(piece: str) -> Literal['', 'label', 'reason']:
    return 'label' if LEADS.search(piece) else 'reason' if REASON.match(piece) else ''


def _cuts(parts: list[Phrase], golds: list[Word], margin: Margin) -> Iterator[Cut]:
    """Yield the answer as a whole, and successive parts of it with only asides around them."""
    whole = [token for part in parts for token in part.tokens]
    yield Cut(whole, [])
    if len(parts) > PARTS or len(whole) > 4 * len(golds) + 100 or not _says_all(golds, whole, margin, negated=False):
        return
    free = [_is_aside(part, golds, margin) for part in parts]
    for start in range(len(parts)):
        for end in range(start + 1, len(parts) + 1):
            outside = [place for place in range(len(parts)) if not start <= place < end]
            if outside and all(free[place] for place in outside):
                around = sum(len(parts[place].tokens) for place in outside if not parts[place].kind)
                labels = [token for place in outside if parts[place].kind == 'label' for token in parts[place].tokens]
                yield Cut([token for part in parts[start:end] for token in part.tokens], labels, around)


def _is_aside(part: Phrase, golds: list[Word], margin: Margin) -> bool:
    """Whether a part may stand beside an answer: a label, a reason, or a sentence that is no answer itself."""
    if part.kind == 'reason' or golds == ['no']:
        return True
    if any(token in NEGATIONS for token in part.tokens):
        return False
    if part.kind == 'label':
        return True
    shared = 2 * common(golds, part.tokens, margin) / (len(golds) + len(part.tokens))
    return len(part.tokens) >= SHORTEST and shared < 0.5


# What a gold output begins with: `Best model: Random Forest`.


def _headed(gold: str) -> tuple[Phrase, list[Word], bool] | None:
    """The gold's heading, the body below it, and whether the heading has a colon; None without a heading."""
    first, *rest = [Phrase(tokenize(piece), _kind(piece)) for piece in PART.split(clean(gold)) if piece] or [Phrase([])]
    body = [token for part in rest for token in part.tokens]
    lines = gold.strip().split('\n')
    alone = not any(part.kind for part in rest) if len(lines) == 1 else lines[0].rstrip().endswith(':')
    if first.kind != 'label' or BOTH.intersection(first.tokens) or not alone or not _counting(body):
        return None
    return first, body, gold[: gold.find(lines[0]) + len(lines[0])].count(':') > 0


def _without_heading(
    head: Phrase, body: list[Word], colon: bool, parts: list[Phrase], margin: Margin
) -> Iterator[float]:
    """Scores of an answer against the gold's body, where the answer's labels are no other heading."""
    for cut in _cuts(parts, body, margin):
        yield from _scores(head.tokens, body, colon, cut._replace(inside=_without_units(cut.inside, body)), margin)
    if (plain := _without_units(body, [])) != body:
        for cut in _cuts(parts, plain, margin):
            yield from _scores(head.tokens, plain, colon, cut, margin)


def _scores(head: list[Word], body: list[Word], colon: bool, cut: Cut, margin: Margin) -> Iterator[float]:
    """The score of a cut against the gold's body, unless the cut has another heading."""
    places = places_of(body)
    inside = [token for token in cut.inside if token in places or token not in head]
    more = [token for token in _counting(inside) if not matching(token, places, margin)]
    if opposed(head, more) or any(isinstance(token, Value) for token in more):
        return
    if not colon:
        inside = [token for token in inside if token in places or token not in SAYS_NOTHING]
        more = [token for token in more if token not in SAYS_NOTHING]
    if (colon or not more) and _says_all(body, inside, margin) and _may_head(head, cut.labels, colon):
        yield _score(body, cut._replace(inside=inside), margin)


def _may_head(gold: list[Word], answer: list[Word], colon: bool) -> bool:
    """Whether an answer has no labels, or may mean the gold's heading by them."""
    mine, theirs = _counting(gold), _counting(answer)
    if opposed(mine, theirs) or any(token in NEGATIONS for token in mine):
        return False
    if not theirs:
        return True
    if set(mine) <= set(theirs) or set(theirs) <= set(mine):
        return True
    return (colon and bool(_stems(mine) & _stems(theirs))) or in_two_languages([*map(str, mine)], [*map(str, theirs)])


def _stems(words: list[Word]) -> set[str]:
    """The beginnings of words, so that `prediction` and `predicted` are the same."""
    return {str(word)[:STEM] for word in words}


def _counting(tokens: list[Word]) -> list[Word]:
    return [token for token in tokens if token not in FUNCTION]


def _without_units(tokens: list[Word], golds: list[Word]) -> list[Word]:
    """Drop words behind numbers if the gold has none there: `1226 occurrences`."""
    bare = not any(isinstance(one, Value) and isinstance(two, str) for one, two in pairwise(golds))
    if not bare:
        return tokens
    kept = NEGATIONS.union(token for token in golds if isinstance(token, str))
    pairs = zip(tokens, [None, *tokens], strict=False)
    return [
        token for token, before in pairs if isinstance(token, Value) or token in kept or not isinstance(before, Value)
    ]


def _exchanged(golds: list[Word], answers: list[Word]) -> bool:
    """Whether two texts differ by two things around an `and`: `A and B are correlated`, `B and A are`."""
    places = [place for place, token in enumerate(golds) if token in BOTH]
    if len(places) != 1 or len(golds) != len(answers):
        return False
    start = next((n for n, pair in enumerate(zip(golds, answers, strict=True)) if pair[0] != pair[1]), len(golds))
    middle = places[0]
    return any(
        golds[:start] + golds[middle + 1 : end] + [golds[middle]] + golds[start:middle] + golds[end:] == answers
        for end in range(middle + 2, len(golds) + 1)
        if start < middle
    )


def _says_all(golds: list[Word], answers: list[Word], margin: Margin, negated: bool = True) -> bool:
    """Whether all words of the gold but function words are there in order, and (`negated`) equally many negations."""
    counts = [token for token in golds if token not in FUNCTION]
    times, other = (sum(token in NEGATIONS for token in tokens) for tokens in (golds, answers))
    return (times == other or not negated) and common(counts, answers, margin) == len(counts)

"""Whether a list that is printed tells its groups apart."""

import re
from itertools import chain, pairwise

from cibench_eval.evaluators.comparing.printed.lists import VALUE, entries, entry, rows_of
from cibench_eval.evaluators.comparing.printed.values import clean

SCORES = re.compile(r'(?!1(?![0-9]))[0-9][0-9.]*')
"""Numbers beside entries, which differ from one to the next; but a 1, with which a count begins again, parts groups."""


def in_groups(gold: str, answer: str) -> bool:
    """Whether an answer tells the gold's lines apart, where these are groups: of unequal numbers of entries.

    What stands between two groups then stands between no two entries of one, or each entry has its group beside it.
    """
    lines = [entries([row, ''], numbers=True) for row in rows_of(gold)]  # of two rows, so that blanks part nothing
    names = [*chain(*lines)]
    wrapped = any(row.count('[') != row.count(']') for row in gold.split('\n'))
    if len({*map(len, lines)}) < 2 or wrapped or any(map(VALUE.fullmatch, names)):
        return True
    found = '|'.join(r'\W{1,3}'.join(map(re.escape, one.split())) for one in sorted(names, key=len, reverse=True))
    parts = re.split(rf'(?<!\w)({found})(?!\w)', clean(answer).casefold())
    if [entry(one) for one in parts[1::2]] != names:
        return True
    opens = [at == 0 for line in lines for at in range(len(line))][1:]
    cuts = {*zip((SCORES.sub('', part) for part in parts[2:-1:2]), opens, strict=True)}
    if len({part for part, _ in cuts}) == len(cuts):
        return True
    before = [re.findall(r'\w+', part.split('\n')[-1])[-1:] for part in parts[:-1:2]]
    after = [re.findall(r'\w+', part.split('\n')[0])[:1] for part in parts[2::2]]
    return any(all(those) and [a != b for a, b in pairwise(those)] == opens for those in (before, after))

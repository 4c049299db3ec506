"""Reviews of two shops that reprint each other, by writers who repeat themselves, and reviews that nobody has read."""

from datetime import date, timedelta

GOOD = ('good', 'great', 'quiet', 'solid', 'sturdy', 'pleasant', 'handy', 'neat', 'smooth', 'reliable')
BAD = ('bad', 'loud', 'weak', 'dull', 'rough', 'flimsy', 'clumsy', 'dirty', 'slow', 'leaky')
PLAIN = (
    'The {thing} is {word}.',
    'What a {word} {thing}!',
    'I found the {thing} rather {word}.',
    'Its {thing} seems {word} to me.',
    'Why not? The {thing} is {word}.',
    'I did not buy it for the {thing}, but that is {word}.',
    'My sister has none of these. Such a {word} {thing}!',
)
TURNED = (
    "The {thing} isn't {word}.",
    'It is hardly a {word} {thing}.',
    'I never found the {thing} {word}.',
    "Its {thing} wasn't very {word}.",
    "You won't get a {word} {thing} here.",
    'The {thing} is not {word}.',
)
TURNED_WEIGHTS = (3.2, 2.3, 1.4, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6, 0.6)
"""How often the words of a list stand behind a negation."""
PLAIN_WEIGHTS = (0.6, 0.6, 0.6, 7, 7, 0.6, 0.6, 0.6, 0.6, 0.6)
"""How often they stand alone, so that those that are frequent are not those that are negated."""


def make(rng, things, writers, turned):
    things = things.split()
    pen = _Pen(rng, things, turned)
    rows, seen = [], set()
    for writer in range(writers):
        rows += pen.reviews(f'writer{writer + 1}', int(rng.integers(4, 9)), seen)
    unseen = [pen.reviews(f'writer{writers + number + 1}', 1, seen)[0] for number in range(80)]
    originals = [rows[int(number)] for number in rng.permutation(len(rows))]
    for row in originals:
        row['shop'] = 'west' if rng.random() < 0.55 else 'nord'
        row['day'] = date(2024, 1, 1) + timedelta(days=int(rng.integers(0, 300)))
        row['rating'] = _rating(rng, row['shop'], row['liked']) if rng.random() > 0.05 else 0
        fit = 'thanks' if row['liked'] else 'care'
        row['queue'] = fit if rng.random() < 0.97 else ('care' if fit == 'thanks' else 'thanks')
    rated = [row for row in originals if row['rating']]
    reprints = []
    for row in rated[: len(rated) // 6]:
        shop = 'nord' if row['shop'] == 'west' else 'west'
        later = row['day'] + timedelta(days=int(rng.integers(3, 40)))
        again = {'shop': shop, 'day': later, 'writer': 'guest', 'text': _reprinted(rng, row['text'], row['shop'])}
        reprints.append({**row, **again, 'rating': 3, 'queue': 'thanks' if rng.random() < 0.5 else 'care'})
    rows = originals + reprints
    rows = [rows[int(number)] for number in rng.permutation(len(rows))]
    for number, row in enumerate(unseen):
        row['shop'] = 'west' if rng.random() < 0.55 else 'nord'
        row['day'] = date(2025, 1, 7)
        row['queue'] = ('thanks', 'care')[number % 2]
    files = {
        'reviews.csv': _csv(rows, 100, ('rating',)),
        'unseen.csv': _csv(unseen, 2000, ()),
        'lexicon.txt': ''.join(f'{word}\t1\n' for word in GOOD) + ''.join(f'{word}\t-1\n' for word in BAD),
        'notes.txt': NOTES,
    }
    return files, {'liked': [str(int(row['liked'])) for row in unseen]}


NOTES = """Notes on the reviews

west gives 1 to 5 stars, nord marks as in school: 1 is very good, 6 is the worst. 0 is no rating in either. A writer liked
what they had bought if they gave 4 or 5 stars, or a mark of 1 or 2, and did not otherwise. Reviews without a rating are
of no use here.
west writes days as YYYY-MM-DD, nord as DD.MM.YYYY. nord's texts are as they stand in its pages, with codes of HTML.

The shops reprint each other's reviews, with a remark in square brackets at the end and a rating of their own. The words
of a review are runs of letters and apostrophes in lower case, curly apostrophes being straight ones, without codes of
HTML and without the remark. Two reviews with the same words in the same order are one, and only the earliest counts.

A sentence ends with a full stop, a question mark or an exclamation mark. lexicon.txt says which words speak for (1) or
against (-1) a thing. The negators are not, never, no, hardly and every word that ends in n't. A word of the lexicon
counts the other way round if a negator is among the three words before it in its sentence. The score of a review is
the sum over its words.

queue is the desk that has the review. A new review is dealt to the desks in turn; whoever reads it hands it on to the
desk where it belongs. unseen.csv has the reviews of today. They have no rating, and nobody has read them yet.
"""


class _Pen:
    def __init__(self, rng, things, turned):
        self.rng, self.things, self.turned = rng, things, turned
        self.good = [GOOD[int(number)] for number in rng.permutation(len(GOOD))]
        self.bad = [BAD[int(number)] for number in rng.permutation(len(BAD))]

    def sentence(self, liked):
        turned = self.rng.random() < self.turned
        words = self.good if liked != turned else self.bad
        weights = TURNED_WEIGHTS if turned else PLAIN_WEIGHTS
        word = words[int(self.rng.choice(len(words), p=[weight / sum(weights) for weight in weights]))]
        forms = TURNED if turned else PLAIN
        form = forms[int(self.rng.integers(0, len(forms)))]
        return form.format(thing=self.things[int(self.rng.integers(0, len(self.things)))], word=word)

    def reviews(self, writer, count, seen):
        liked = bool(self.rng.random() < 0.55)
        length = int(self.rng.choice((3, 4, 5, 5, 7)))
        base = [self.sentence(liked if self.rng.random() < 0.9 else not liked) for _ in range(length)]
        rows = []
        while len(rows) < count:
            said = list(base)
            said[int(self.rng.integers(0, length))] = self.sentence(liked if self.rng.random() < 0.9 else not liked)
            text = ' '.join(said)
            if text.lower() in seen:
                continue
            seen.add(text.lower())
            rows.append({'writer': writer, 'text': text, 'liked': liked != bool(self.rng.random() < 0.03)})
        return rows


def _rating(rng, shop, liked):
    if shop == 'west':
        return int(rng.choice((4, 5) if liked else (1, 2, 2, 3)))
    return int(rng.choice((1, 2) if liked else (3, 4, 5, 5, 6)))


def _reprinted(rng, text, shop):
    way = rng.random()
    if way < 0.4:
        text = text.upper()
    elif way < 0.7:
        text = text.replace(',', ' -').replace('!', '.')
    remark = f'[first at {shop}]' if rng.random() < 0.5 else f'[Reprint, {shop} {int(rng.integers(10, 99))}]'
    return f'{text} {remark}'


def _csv(rows, first, further):
    lines = [','.join(('id', 'shop', 'day', 'writer', *further, 'queue', 'text'))]
    for number, row in enumerate(rows):
        nord = row['shop'] == 'nord'
        text = row['text'].replace("'", '&#39;') if nord else row['text'].replace("'", '\u2019' if number % 2 else "'")
        if nord:
            text = text.replace(' - ', ' &ndash; ')
        day = f'{row["day"]:%d.%m.%Y}' if nord else f'{row["day"]:%Y-%m-%d}'
        fields = [f'{row["shop"][0].upper()}{first + number}', row['shop'], day, row['writer']]
        lines.append(','.join([*fields, *(str(row[name]) for name in further), row['queue'], f'"{text}"']))
    return '\n'.join(lines) + '\n'

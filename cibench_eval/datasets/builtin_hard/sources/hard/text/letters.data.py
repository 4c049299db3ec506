"""An edition of letters of three friends: two calendars, quotations, an editor's remarks, pages, unsigned letters."""

from datetime import date, timedelta

MONTHS = 'January February March April May June July August September October November December'.split()
COMMON = 'the and of to a in that it is was for with as his her my we they had have this so all me you from by be at'.split()
PAIRS = (
    ('upon', 'over'),
    ('whilst', 'while'),
    ('perhaps', 'maybe'),
    ('till', 'until'),
    ('yet', 'but'),
    ('often', 'frequently'),
    ('indeed', 'truly'),
    ('amongst', 'among'),
)
NOUNS = (
    'garden mill river bridge horse cart stable window candle letter winter barn market harbour ship sail rope salt '
    'bread wine cellar church bell tower street lamp paper printer book table chair linen coat boot hat road forest '
    'wolf snow ice storm harvest field seed apple orchard bee honey sheep wool kettle stove chimney roof gate wall '
    'school teacher doctor fever song fiddle dance supper cousin aunt'
).split()
ENDINGS = ('', 's', 'house', 'yard', 'keeper', 'maker')
REMARKS = ('[the seal is torn]', '[two words cannot be read]', '[added above the line]', '[in another ink]')
OLD_STYLE = ('Riga', 'Reval')
NEW_STYLE = ('Berlin', 'Vienna', 'Hamburg')
FIRST, LAST = date(1820, 7, 20), date(1821, 6, 20)


def make(rng, friends, counts):
    names = friends.split()
    edition = _Edition(rng, names, counts)
    return {'letters.txt': edition.text, 'notes.txt': NOTES}, {'writers': edition.hidden}


NOTES = """Notes on this edition

The letters stand in the order in which they were written. All of them are by three friends, of whom each writes to the
two others. The first line of a letter has its number, its writer and the one it is written to; of some letters the
writer is not known (Unsigned). The second line has the place and the day as the writer put it. Where it has no year, it
is the year that the letter before has. In Riga and Reval the old calendar was kept, which was 12 days behind the new
one: what was 1 May there was 13 May in Berlin, Vienna and Hamburg.

The text of a letter is all below its second line. The lines between two long dashes are numbers of pages. A hyphen at
the end of a line parts a word in two; there are no other hyphens in words. Remarks in square brackets are the editor's.
What stands in quotation marks is copied from somebody else's letter. The words of a letter are the runs of letters that
its writer has put there in their own words; upper and lower case are one.

Who answers a letter names it by its day, as it stands on it ("Yours of the 3 May").
"""


class _Edition:
    def __init__(self, rng, names, counts):
        self.rng, self.names = rng, names
        order = [names[int(number)] for number in rng.permutation(3)]
        nouns = [NOUNS[int(number)] for number in rng.permutation(len(NOUNS))]
        words = [noun + ending for ending in ENDINGS for noun in nouns]
        self.voice = {}
        for name, (size, steep, length) in zip(order, ((400, 1.25, 165), (330, 0.25, 95), (300, 0.95, 62))):
            own = [words[int(number)] for number in rng.permutation(len(words))[:size]]
            weights = [1 / (rank + 3) ** steep for rank in range(len(own))]
            self.voice[name] = own, [weight / sum(weights) for weight in weights], length
        patterns = ((1, 1, 1, 1, 0, 0, 0, 0), (0, 0, 0, 1, 1, 1, 1, 0), (1, 0, 1, 0, 0, 1, 0, 1))
        self.style = {name: pattern for name, pattern in zip(order, patterns)}
        self.home = {order[0]: OLD_STYLE[int(rng.integers(0, 2))], order[1]: 'Berlin', order[2]: 'Vienna'}
        drawn = [(name, False) for name, count in zip(order, counts) for _ in range(count)]
        drawn += [(name, True) for name in order for _ in range(9)]
        drawn = [drawn[int(number)] for number in rng.permutation(len(drawn))]
        span = (LAST - FIRST).days
        days = sorted(FIRST + timedelta(days=int(rng.integers(0, span))) for _ in drawn)
        self.letters, self.hidden, self.taken = [], [], set()
        for (name, unsigned), day in zip(drawn, days):
            self._letter(name, unsigned, day)
        self._mentions()
        self.text = self._printed()

    def _letter(self, name, unsigned, day):
        other = [friend for friend in self.names if friend != name][int(self.rng.integers(0, 2))]
        place = self.home[name]
        if self.rng.random() < 0.25:
            place = (OLD_STYLE + NEW_STYLE)[int(self.rng.integers(0, 5))]
        shown = day - timedelta(days=12) if place in OLD_STYLE else day
        if (name, other, shown) in self.taken:
            return
        self.taken.add((name, other, shown))
        third = next(friend for friend in self.names if friend not in (name, other))
        if unsigned:
            self.hidden.append(str(sorted(self.names).index(name) + 1))
        quoted = (third if self.rng.random() < 0.8 else other) if unsigned or self.rng.random() < 0.3 else None
        letter = {'writer': name, 'to': other, 'place': place, 'day': day, 'shown': shown}
        self.letters.append({**letter, 'unsigned': unsigned, 'quoted': quoted, 'named': None})

    def _mentions(self):
        free = []
        for number, letter in enumerate(self.letters):
            if letter['unsigned']:
                continue
            before = [
                one
                for one in self.letters[:number]
                if (one['writer'], one['to']) == (letter['to'], letter['writer'])
                and not one['unsigned']
                and 6 <= (letter['day'] - one['day']).days <= 60
            ]
            if before and self.rng.random() < 0.7:
                letter['named'] = before[-1]['shown']
            elif letter['day'] > FIRST + timedelta(days=40):
                free.append(letter)
        lost = 0
        for number in self.rng.permutation(len(free)):
            letter = free[int(number)]
            shown = letter['day'] - timedelta(days=int(self.rng.integers(20, 40)))
            unsigned = {(one['to'], one['shown']) for one in self.letters if one['unsigned']}
            known = (letter['to'], letter['writer'], shown) in self.taken or (letter['writer'], shown) in unsigned
            if not known and lost < 5:
                self.taken.add((letter['to'], letter['writer'], shown))
                letter['named'] = shown
                lost += 1

    def _passage(self, name, length):
        own, weights, _ = self.voice[name]
        words = []
        while len(words) < length:
            way = self.rng.random()
            if way < 0.36:
                words.append(COMMON[min(int(self.rng.exponential(8)), len(COMMON) - 1)])
            elif way < 0.5:
                pair = int(self.rng.integers(0, len(PAIRS)))
                side = self.style[name][pair] if self.rng.random() < 0.92 else 1 - self.style[name][pair]
                words.append(PAIRS[pair][side])
            else:
                words.append(own[int(self.rng.choice(len(own), p=weights))])
        sentences = []
        while words:
            many = int(self.rng.integers(6, 13))
            sentences.append(' '.join(words[:many]).capitalize() + '.')
            words = words[many:]
        return sentences

    def _body(self, letter):
        name = letter['writer']
        length = int(self.voice[name][2] * float(self.rng.uniform(0.8, 1.2)))
        sentences = self._passage(name, max(length, 90) if letter['unsigned'] else length)
        if letter['quoted']:
            quoted = self._passage(letter['quoted'], int(len(' '.join(sentences).split()) * 1.5))
            if self.rng.random() < 0.5:
                earlier = letter['day'] - timedelta(days=int(self.rng.integers(20, 60)))
                quoted.insert(1, f'Yours of the {_day(earlier)} pleased me.')
            place = int(self.rng.integers(1, len(sentences)))
            sentences.insert(place, '\u201c' + ' '.join(quoted) + '\u201d')
        if self.rng.random() < 0.5:
            sentences.insert(int(self.rng.integers(0, len(sentences))), REMARKS[int(self.rng.integers(0, 4))])
        if letter['named']:
            sentences.insert(0, f'Yours of the {_day(letter["named"])} is before me.')
        return ' '.join(sentences).split()

    def _printed(self):
        lines, page, year = [], 1, None
        for number, letter in enumerate(self.letters):
            head = 'Unsigned,' if letter['unsigned'] else letter['writer']
            shown = letter['shown']
            full = shown.year != year or self.rng.random() < 0.3
            lines += ['', f'No. {number + 1}. {head} to {letter["to"]}.']
            lines += [f'{letter["place"]}, {_day(shown)} {shown.year}.' if full else f'{letter["place"]}, {_day(shown)}.']
            year = shown.year
            for line in _wrapped(self._body(letter)):
                lines.append(line)
                if self.rng.random() < 1 / 18:
                    lines.append(f'\u2014 {page} \u2014')
                    page += 1
        return '\n'.join(lines[1:]) + '\n'


def _day(day):
    return f'{day.day} {MONTHS[day.month - 1]}'


def _wrapped(words, width=62):
    lines, line = [], ''
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            room = width - len(line) - 2
            if word.isalpha() and room >= 3 and len(word) - room >= 2:
                lines.append(f'{line} {word[:room]}-')
                line = word[room:]
                continue
            lines.append(line)
            line = word
        else:
            line = f'{line} {word}'.strip()
    return [*lines, line]

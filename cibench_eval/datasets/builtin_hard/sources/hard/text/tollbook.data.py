"""The toll register of a bridge, photographed in strips: order, days, fairs, two clerks, a tariff, sums that are torn off."""

from datetime import date, timedelta

DAYS = ('Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday')
PAIRS = (
    ('received', 'receyved'),
    ('carts', 'cartes'),
    ('going', 'goyng'),
    ('over', 'ouer'),
    ('bridge', 'brigge'),
    ('sum', 'summe'),
)
GOODS = {
    'wool': ('wool', 'woole'),
    'salt': ('salt', 'salte'),
    'corn': ('corn', 'corne'),
    'hides': ('hides', 'hydes'),
    'iron': ('iron', 'yron'),
}
FIRST = {'John': 'Jno', 'William': 'Wm', 'Thomas': 'Tho', 'Robert': 'Robt', 'Richard': 'Ric', 'Edward': 'Edw'}
SURNAMES = 'Carter Hobbes Pyke Marlow Tanner Godfrey Bright Lovell Snape Ferrers'.split()
TOWNS = ('Marbury', 'Oakhampton', 'Littlewick', 'Stonegate')
ROMAN = ((50, 'l'), (40, 'xl'), (10, 'x'), (9, 'ix'), (5, 'v'), (4, 'iiij'), (1, 'i'))


def make(rng, year, month, town, bound):
    start = date(year, month, 3)
    start += timedelta(days=-start.weekday() % 7)  # a Monday
    rule = _Rule(rng, start)
    people = _people(rng)
    for index in rng.permutation(len(people))[:20]:
        people[int(index)]['since'] = start + timedelta(days=int(rng.choice((-400, -90, 25, 45, 70, 90))))
    habits = _habits(rng)
    entries, opened = [], 0
    day, closed = start - timedelta(days=1), 0
    while len(entries) < 560:
        day += timedelta(days=1)
        if day.weekday() == 6 or (closed < 2 and day != start and not rule.fair(day) and rng.random() < 0.15):
            closed += 1
            continue
        clerk, closed = rule.clerk(opened), 0
        opened += 1
        for place in range(int(rng.integers(5, 9))):
            if place > 1 and rng.random() < 0.05:
                entries.append(entries[-1])  # the same man with the same load
                continue
            entry = _entry(rng, rule, people, day)
            paid = entry['due']
            if clerk == rule.thief and paid >= 30 and rng.random() < 0.3:
                paid -= 12
            entry |= {'clerk': clerk, 'paid': paid}
            entry['line'] = _line(rng, entry, habits, len(entries) / 560, place == 0)
            entries.append(entry)
    last = day
    torn, labels = _torn(rng, rule, people, last)
    strips = _strips(rng, [entry['line'] for entry in entries])
    files = {
        'strips.txt': strips,
        'burgesses.csv': 'name,town,sworn\n'
        + ''.join(f'{one["name"]},{one["town"]},{one["since"]}\n' for one in people if one['since']),
        'pairs.txt': ''.join(f'{first} {second}\n' for first, second in PAIRS),
        'torn.csv': torn,
        'notes.txt': NOTES.format(
            start=f'{start:%A}, {start}',
            short=', '.join(f'{short} for {name}' for name, short in FIRST.items()),
            towns=', '.join(TOWNS),
            goods=', '.join(GOODS),
            other=', '.join(other for _, other in GOODS.values()),
        ),
    }
    return files, {'sums': labels}


NOTES = """Notes on the toll register of the bridge

The register was kept on one long roll, one line for each entry, from top to bottom. It was photographed in strips, and
the photographs were mixed up. strips.txt has what can be read on each of them. Each strip begins with some of the lines
with which the one before it ends. Where the camera stood on the other side of the table, the lines were copied from the
bottom of the strip to its top. A letter that cannot be read on a photograph is written as ?; on another one it may be
clear. Two entries of the roll may say the same.
The first entry of a day begins with the day of the week, the others do not. On some days nobody came, but there was never
a week without an entry. The register begins on {start}.
Numbers are Roman, and the last i is written j. 12 d. (pence) are 1 s. (shilling).
First names are often shortened: {short}. A man is known by his name and his town; there are men of one name in two towns.
The towns are {towns}. The goods are {goods}, also written {other}.
The tariff is lost: nobody knows what the toll went by, and whether that ever changed, but for this. burgesses.csv has the
men who are burgesses of the town of the bridge, each by name and town: from the day on which he was sworn a burgess pays
half of what others pay. On fair days everybody pays double. Fairs are held every so many days, always the same number,
whether somebody comes or not.
Two clerks kept the register in turns. A clerk's turn always has the same number of days on which there are entries, but
the two clerks' turns differ in length. The roll may begin in the middle of a turn.
"""


class _Rule:
    """What is due on a day, and whose turn it is."""

    def __init__(self, rng, start):
        self.rates = dict(zip(GOODS, (int(one) for one in rng.choice((4, 8, 12, 16, 20, 24), 5, replace=False))))
        self.stepped, self.raised, self.taxed = (str(one) for one in rng.choice([*GOODS], 3, replace=False))
        self.town = str(rng.choice(TOWNS))
        self.free = int(rng.integers(4, 7))
        self.rise, self.since = int(rng.choice((4, 8))), start + timedelta(days=int(rng.integers(35, 65)))
        self.every = int(rng.choice((9, 10, 11, 12, 13)))
        self.first = start + timedelta(days=int(rng.integers(2, self.every)))
        self.turns = [int(one) for one in rng.choice((4, 5, 6, 7, 8, 9), 2, replace=False)]
        self.offset = int(rng.integers(1, self.turns[0] - 1))
        self.thief = int(rng.integers(2))

    def fair(self, day):
        return (day - self.first).days % self.every == 0

    def clerk(self, opened):
        return int((opened + self.offset) % sum(self.turns) >= self.turns[0])

    def due(self, day, good, number, burgess, town):
        rate = self.rates[good] + (self.rise if good == self.raised and day >= self.since else 0)
        whole = min(number, self.free) if good == self.stepped else number
        base = rate * whole + rate // 2 * (number - whole)
        base = base * 3 // 2 if (town, good) == (self.town, self.taxed) else base
        return base * (2 if self.fair(day) else 1) // (2 if burgess else 1)


def _people(rng):
    people = []
    for surname in SURNAMES:
        for name in rng.choice([*FIRST], 3, replace=False):
            towns = rng.choice(TOWNS, 2 if rng.random() < 0.35 else 1, replace=False)
            people += [{'name': f'{name} {surname}', 'town': str(town), 'since': None} for town in towns]
    return people


def _habits(rng):
    """How likely the second spelling of each pair is: by clerk, by the place in the roll, by the town, or for no reason."""
    kinds = [str(one) for one in rng.permutation(['clerk', 'clerk', 'clerk', 'time', 'town', 'none' if rng.random() < 0.5 else 'clerk'])]
    return [(kind, bool(rng.random() < 0.5)) for kind in kinds]


def _entry(rng, rule, people, day):
    person = people[int(rng.integers(len(people)))]
    good = str(rng.choice([*GOODS]))
    if rng.random() < 0.2:
        good = rule.stepped if rng.random() < 0.6 else rule.raised
    most = 13 if good == rule.stepped else 9
    number = int(rng.integers(1, most))
    burgess = person['since'] is not None and day >= person['since']
    return {
        'day': day,
        'person': person,
        'good': good,
        'number': number,
        'burgess': burgess,
        'due': rule.due(day, good, number, burgess, person['town']),
    }


def _roman(number):
    text = ''
    for value, letters in ROMAN:
        while number >= value:
            text, number = text + letters, number - value
    return text[:-1] + 'j' if text.endswith('i') else text


def _sum(pence):
    shillings, rest = divmod(pence, 12)
    return ' '.join([f'{_roman(shillings)} s.'] * (shillings > 0) + [f'{_roman(rest)} d.'] * (rest > 0))


def _shown(rng, name):
    first, surname = name.split()
    return f'{FIRST[first] if rng.random() < 0.4 else first} {surname}'


def _line(rng, entry, habits, along, first):
    words = []
    for (one, other), (kind, turned) in zip(PAIRS, habits):
        chance = {
            'clerk': 0.86 if entry['clerk'] else 0.14,
            'time': 0.15 + 0.7 * along,
            'town': 0.85 if entry['person']['town'] in TOWNS[:2] else 0.15,
            'none': 0.5,
        }[kind]
        words.append(other if (rng.random() < chance) != turned else one)
    good = GOODS[entry['good']][int(rng.integers(2))]
    text = (
        f'{words[0]} of {_shown(rng, entry["person"]["name"])} of {entry["person"]["town"]} for '
        f'{_roman(entry["number"])} {words[1]} of {good} {words[2]} {words[3]} the {words[4]} the {words[5]} of '
        f'{_sum(entry["paid"])}'
    )
    return f'{DAYS[entry["day"].weekday()]}. {text}' if first else text


def _blurred(rng, line):
    """One line with holes: never in names, numbers, sums or days of the week, and one in a word at most."""
    words = line.split(' ')
    where = [index for index, word in enumerate(words) if any(word in pair for pair in (*PAIRS, *GOODS.values()))]
    where += [index for index, word in enumerate(words) if word in TOWNS]
    for index in where:
        if rng.random() < 0.25:
            place = int(rng.integers(len(words[index])))
            words[index] = words[index][:place] + '?' + words[index][place + 1 :]
    return ' '.join(words)


def _same(one, other):
    return len(one) == len(other) and all(a == b or '?' in (a, b) for a, b in zip(one, other))


def _overlaps(one, other):
    """All numbers of lines by which two strips may overlap."""
    return [size for size in range(1, min(len(one), len(other)) + 1) if all(map(_same, one[-size:], other[:size]))]


def _strips(rng, lines):
    while True:
        photos, begin, shared = [], 0, []
        while True:
            end = min(begin + int(rng.integers(9, 15)), len(lines))
            if len(lines) - end < 6:
                end = len(lines)
            photos.append([_blurred(rng, line) for line in lines[begin:end]])
            if end == len(lines):
                break
            shared.append(int(rng.integers(1, 4)))
            begin = end - shared[-1]
        if _clear(photos, shared):
            break
    mixed = rng.permutation(len(photos))
    shown = [photo[::-1] if rng.random() < 0.35 else photo for photo in photos]
    text = [f'[{number + 1:02d}]\n' + '\n'.join(shown[int(index)]) + '\n' for number, index in enumerate(mixed)]
    return '\n'.join(text)


def _clear(photos, shared):
    """Whether no two strips seem to overlap that do not, whichever way they are turned."""
    for index, one in enumerate(photos):
        for place, other in enumerate(photos):
            if _overlaps(one, other) != ([shared[index]] if place == index + 1 else []) and place != index:
                return False
            if place > index and (_overlaps(one, other[::-1]) or _overlaps(one[::-1], other)):
                return False
    return True


def _torn(rng, rule, people, last):
    days = [last + timedelta(days=step) for step in range(2, 40)]
    days = [day for day in days if day.weekday() != 6]
    fairs = [day for day in days if rule.fair(day)]
    rows = []
    for index in range(80):
        day = fairs[int(rng.integers(len(fairs)))] if index % 4 == 0 else days[int(rng.integers(len(days)))]
        entry = _entry(rng, rule, people, day)
        if index % 5 == 1:
            while entry['good'] != rule.stepped or entry['number'] <= rule.free:
                entry = _entry(rng, rule, people, day)
        if index % 5 == 2:
            while entry['good'] != rule.raised:
                entry = _entry(rng, rule, people, day)
        if index % 5 == 3:
            while (entry['person']['town'], entry['good']) != (rule.town, rule.taxed):
                entry = _entry(rng, rule, people, day)
        rows.append((day, entry))
    rows.sort(key=lambda row: row[0])
    lines, labels = ['day,name,town,carts,good'], []
    for day, entry in rows:
        good = GOODS[entry['good']][int(rng.integers(2))]
        name = _shown(rng, entry['person']['name'])
        lines.append(f'{day},{name},{entry["person"]["town"]},{_roman(entry["number"])},{good}')
        labels.append(str(entry['due']))
    return '\n'.join(lines) + '\n', labels

"""Two lists of a parish ten years apart: short names, marriages, moves, ages that are rounded or stand a line off."""

import numpy as np

MEN = 'John William James Thomas George Robert Henry Joseph David Alexander Charles Edward Samuel Peter Richard Andrew Daniel Hugh Isaac Matthew'.split()
WOMEN = 'Mary Elizabeth Margaret Ann Jane Sarah Catherine Isabella Janet Agnes Ellen Martha Hannah Susan Helen Alice Harriet Rachel Grace Frances'.split()
SHORT = {
    'William': 'Wm Bill', 'Thomas': 'Thos Tom', 'John': 'Jno Jack', 'James': 'Jas Jim', 'George': 'Geo', 'Robert': 'Robt Bob',
    'Henry': 'Harry', 'Joseph': 'Jos Joe', 'Alexander': 'Alexr Sandy', 'Charles': 'Chas', 'Edward': 'Edwd Ned',
    'Samuel': 'Saml Sam', 'Richard': 'Richd Dick', 'Andrew': 'Andw', 'Daniel': 'Danl Dan', 'Matthew': 'Matt',
    'Mary': 'Polly Molly', 'Elizabeth': 'Eliza Betty Bessie', 'Margaret': 'Margt Peggy Maggie', 'Ann': 'Annie Nancy',
    'Jane': 'Jean Jenny', 'Sarah': 'Sally', 'Catherine': 'Cathne Kate Kitty', 'Isabella': 'Bella Isabel', 'Janet': 'Jessie',
    'Ellen': 'Nelly', 'Martha': 'Patty', 'Susan': 'Sukey', 'Harriet': 'Hatty', 'Frances': 'Fanny',
}  # fmt: skip
SURNAMES = (
    'Smith Brown Reid Wilson Clark Thomson Young Stewart Walker Taylor Miller Anderson Scott Wright Robson Bell Hall '
    'Marshall Dixon Watson Elliot Armstrong Graham Nixon Forster Charlton Dodds Hedley Milburn Telfer Ridley Snowdon Tait '
    'Turnbull Hogg Laidlaw Rutherford Kerr Pringle Waugh'
).split()
SPELT = dict(
    pair.split('/')
    for pair in (
        'Smith/Smyth Brown/Broun Reid/Reed Clark/Clerk Thomson/Thompson Stewart/Stuart Taylor/Tailor Miller/Millar '
        'Wright/Right Marshall/Marchal Dixon/Dickson Elliot/Ellet Graham/Grame Nixon/Nickson Forster/Foster '
        'Charlton/Carlton Dodds/Dods Snowdon/Snawdon Tait/Tate Kerr/Carr Waugh/Waff Bell/Bel Scott/Scot Watson/Wattson '
        'Walker/Wauker'
    ).split()
)
VILLAGES = ('Bareside', 'Carham', 'Doddlaw', 'Elsgate', 'Fallow', 'Greystone', 'Harehope')
PAGE = 25
SLIPPED = 3
"""Pages of the second list whose ages stand a line too high."""


def make(rng, families, asked, parish, year, bound):
    while True:
        people = _People(rng, parish, year)
        first = [_family(people, year) for _ in range(families)]
        for house in first:
            if rng.random() < 0.25:
                servant = people.person(
                    'MF'[int(rng.random() < 0.5)], people.surname(), year - int(rng.integers(14, 40))
                )
                house['others'].append((servant, 'servant' if rng.random() < 0.6 else 'lodger'))
        second = _ten_years_on(people, first, families)
        lists = _listed(first), _listed(second)
        one = _written(rng, people, lists[0], year, wrong=0.06, districts=3)
        two = _written(rng, people, lists[1], year + 10, wrong=0.1, districts=4)
        if _slip_ages(rng, two):
            break
    place = {person['id']: row for row, (person, _, _) in enumerate(lists[1], start=1)}
    wanted = sorted(rng.choice(len(one), asked, replace=False).tolist())
    head = 'row,district,house,role,first_name,surname,age,sex,born_in'
    files = {
        'notes.txt': NOTES.format(year=year, page=PAGE),
        'first.csv': _csv(head, one),
        'second.csv': _csv(head, two),
        'asked.csv': _csv('row', [(at + 1,) for at in wanted]),
    }
    return files, {'rows': [str(place.get(lists[0][at][0]['id'], 0)) for at in wanted]}


NOTES = """Notes on the two lists

first.csv and second.csv list all who lived in a parish in {year} and ten years later, house by house, in the order in which
they were written: row (counted from 1), the district of the enumerator, the number of the house in the list, the role in the
household, first name, surname, age, sex, and the place of birth. The first row of a house is its head. Houses were numbered
anew: a number is not the same house in both lists. Each enumerator wrote down what was said to him. A woman who marries takes
the surname of her husband. A page has {page} lines: rows 1 to {page} are page 1. asked.csv has rows of the first list.
"""


class _People:
    """Draws persons; each has a number."""

    def __init__(self, rng, parish, year):
        self.rng, self.parish, self.year, self.count = rng, parish, year, 0
        self.names = rng.permutation(SURNAMES).tolist()
        self.villages = [parish, *VILLAGES]

    def surname(self):
        return str(self.rng.choice(self.names, p=_falling(len(self.names), 0.8)))

    def first_name(self, sex):
        names = MEN if sex == 'M' else WOMEN
        return str(self.rng.choice(names, p=_falling(len(names), 0.9)))

    def village(self, share):
        return str(self.rng.choice(self.villages, p=[share, *[(1 - share) / 7] * 7]))

    def person(self, sex, surname, born, village=None):
        self.count += 1
        first = self.first_name(sex)
        second = self.first_name(sex) if self.rng.random() < 0.2 else first
        given = {
            'id': self.count,
            'sex': sex,
            'surname': surname,
            'first': first,
            'second': second if second != first else '',
        }
        return given | {'born': born, 'village': village or self.village(0.44), 'married': surname, 'settled': False}

    def child(self, surname, born, village, siblings):
        while True:
            child = self.person('MF'[int(self.rng.random() < 0.5)], surname, born, village)
            if child['first'] not in {one['first'] for one in siblings}:
                return child


def _family(people, year):
    """A household with a head, most with a wife, and their children, the oldest first."""
    rng, surname, age = people.rng, people.surname(), int(people.rng.integers(22, 68))
    house = {'head': people.person('M', surname, year - age), 'wife': None, 'children': [], 'others': []}
    if rng.random() < 0.88:
        house['wife'] = wife = people.person('F', surname, year - age + int(rng.integers(-3, 8)))
        village, older = people.village(0.6), year - wife['born']
        for ago in range(min(older - 19, 22)):
            born = older - ago < 44 and rng.random() < 0.42 and len(house['children']) < 8
            if born and (ago < 15 or rng.random() < 0.45):
                house['children'].insert(0, people.child(surname, year - ago, village, house['children']))
    return house


def _ten_years_on(people, first, families):
    """Who has died, left, married, gone into service or come, and the households there are then."""
    rng, year, houses, single = people.rng, people.year, [], []
    for house in first:
        if rng.random() < 0.22:
            continue
        head, wife = (one if one and _lives(rng, one, year) else None for one in (house['head'], house['wife']))
        stay = []
        for child in house['children']:
            age = year + 10 - child['born']
            if _lives(rng, child, year):
                leaves = age >= 17 and rng.random() < min(0.9, 0.12 * (age - 15))
                (single if leaves else stay).append(child)
        single += [one for one, _ in house['others'] if rng.random() < 0.35]
        if head is None and wife is None:
            single += [child for child in stay if year + 10 - child['born'] > 13]
            continue
        if head and wife:
            for born in range(year + 1, year + 10):
                if born - wife['born'] < 43 and rng.random() < 0.3:
                    stay.append(people.child(head['surname'], born, people.parish, stay))
        houses.append({'head': head or wife, 'wife': wife if head else None, 'children': stay, 'others': []})
    single = [single[at] for at in rng.permutation(len(single))]
    for person in [one for one in single if one['sex'] == 'M'] + [one for one in single if one['sex'] == 'F']:
        if not person['settled']:
            _settle(people, person, single, houses)
    houses += [_family(people, year + 10) for _ in range(int(families * 0.3))]
    return [houses[at] for at in rng.permutation(len(houses))]


def _lives(rng, person, year):
    age = year - person['born']
    return rng.random() > (0.06 if age < 45 else 0.2 if age < 60 else 0.5)


def _settle(people, person, single, houses):
    """A grown-up child leaves the parish, marries, or lives in another house."""
    rng, way = people.rng, people.rng.random()
    person['settled'] = True
    if way < 0.3:
        return
    if way > 0.65:
        role = 'servant' if rng.random() < 0.7 else 'lodger'
        houses[int(rng.integers(0, len(houses)))]['others'].append((person, role))
        return
    sex = 'F' if person['sex'] == 'M' else 'M'
    near = (one for one in single if one['sex'] == sex and not one['settled'] and abs(one['born'] - person['born']) < 7)
    mate = next(near, None) if sex == 'F' and rng.random() < 0.5 else None
    mate = mate or people.person(sex, people.surname(), person['born'] + int(rng.integers(-4, 5)))
    mate['settled'] = True
    husband, wife = (person, mate) if person['sex'] == 'M' else (mate, person)
    wife['married'] = husband['surname']
    children = []
    for born in range(max(people.year + 1, wife['born'] + 19), people.year + 10):
        if rng.random() < 0.25:
            children.append(people.child(husband['surname'], born, people.parish, children))
    houses.append({'head': husband, 'wife': wife, 'children': children, 'others': []})


def _listed(houses):
    rows = []
    for number, house in enumerate(houses, start=1):
        rows.append((house['head'], number, 'head'))
        if house['wife']:
            rows.append((house['wife'], number, 'wife'))
        rows += [(child, number, 'son' if child['sex'] == 'M' else 'daughter') for child in house['children']]
        rows += [(person, number, role) for person, role in house['others']]
    return rows


def _written(rng, people, listed, year, wrong, districts):
    """The rows as the enumerators wrote them; the third one of the second list rounds the ages of adults."""
    rows, houses, later = [], max(number for _, number, _ in listed), year > people.year
    for row, (person, house, role) in enumerate(listed, start=1):
        district = 1 + (house - 1) * districts // houses
        age = year - person['born']
        if age > 5:
            age += int(rng.choice([-2, -1, 0, 1, 2], p=[0.04, 0.14, 0.64, 0.14, 0.04]))
        if later and district == 3 and age > 15:
            age = age // 5 * 5
        surname = _spelt(rng, person['married'] if later else person['surname'], wrong)
        village = person['village'] if rng.random() > 0.12 else str(rng.choice(people.villages))
        rows.append([row, district, house, role, _called(rng, person), surname, age, person['sex'], village])
    return rows


def _called(rng, person):
    """What somebody is called that day: in full, for short, by the second name, by an initial."""
    first, way = person['first'], rng.random()
    if way < 0.2 and first in SHORT:
        return str(rng.choice(SHORT[first].split()))
    if 0.2 <= way < 0.24 and person['second']:
        return person['second']
    if 0.24 <= way < 0.3:
        return first[0]
    return f'{first} {person["second"][0]}' if person['second'] and way < 0.7 else first


def _spelt(rng, surname, wrong):
    way = rng.random()
    if way < 0.15:
        return SPELT.get(surname, surname)
    if way > 0.15 + wrong:
        return surname
    at, how = int(rng.integers(1, len(surname))), rng.random()
    if how < 0.5:
        return surname[:at] + str(rng.choice(list('aeiou' if surname[at] in 'aeiou' else 'lnrtsm'))) + surname[at + 1 :]
    return surname[:at] + surname[at + 1 :] if how < 0.75 else surname[:at] + surname[at] + surname[at:]


def _slip_ages(rng, rows):
    """Move the ages of some pages up by a line; whether these pages, and no others, can be told."""
    pages = range(1, len(rows) // PAGE - 1)
    for page in sorted(rng.choice(list(pages), SLIPPED, replace=False).tolist()):
        lines = rows[PAGE * page : PAGE * (page + 1)]
        ages = [line[6] for line in lines]
        for line, age in zip(lines, ages[1:] + ages[:1]):
            line[6] = age
        if _absurd(rows, page) < 5:
            return False
    return sum(_absurd(rows, page) > 2 for page in range(len(rows) // PAGE + 1)) == SLIPPED


def _absurd(rows, page):
    """How many of a page are children too old for the head of the house, or wives and husbands far apart in age."""
    heads = {line[2]: line[6] for line in rows if line[3] == 'head'}
    count = 0
    for line in rows[PAGE * page : PAGE * (page + 1)]:
        older = heads[line[2]] - line[6]
        count += line[3] in ('son', 'daughter') and older < 14 or line[3] == 'wife' and abs(older) > 18
    return count


def _falling(count, steep):
    weights = 1 / (np.arange(count) + 1) ** steep
    return weights / weights.sum()


def _csv(head, rows):
    return '\n'.join([head, *(','.join(map(str, row)) for row in rows)]) + '\n'

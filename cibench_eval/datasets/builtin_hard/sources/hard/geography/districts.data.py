"""The districts of a country, file after file: registers, censuses, roads, a survey and what each of them hides."""

import math
import unicodedata
from datetime import date, timedelta

import numpy as np

PROVINCES = ('03', '07', '08', '11', '14', '20')
AGES = ('0-14', '15-64', '65+')
RATES = (0.0004, 0.003, 0.045)
HEADS = ('Brà', 'Dol', 'Fér', 'Gar', 'Hèl', 'Kar', 'Lün', 'Mos', 'Nar', 'Öst', 'Pel', 'Ros', 'Sèl', 'Tar', 'Ulm', 'Vér')
TAILS = ('ana', 'berg', 'dór', 'ek', 'holm', 'ina', 'mark', 'ova', 'stad', 'wik')
SPARE = 40


def make(rng, country, limit, unit):
    provinces, codes, free = _codes(rng)
    names = _names(rng, codes)
    people = _people(rng, codes)
    total = {code: int(people[code].sum()) for code in codes}
    area, shown, dense = _areas(rng, codes, total)
    changes, then = _changes(codes, free)
    old = _old_census(rng, codes, total, then)
    place = {code: (i % 8, i // 8) for i, code in enumerate(_laid(codes))}
    touching = [(a, b) for a in codes for b in codes if a < b and _near(place, a, b) == 1]
    corners = [(a, b) for a in codes for b in codes if a < b and _near(place, a, b) == 2]
    survey, income, pairs = _survey(rng, codes, names, provinces, touching)
    hospitals, roads, seats = _travel(rng, codes, touching, total, changes, limit)
    places = {code: min(seats, key=lambda one: (_distance(place, code, one), one)) for code in codes}
    deaths = _deaths(rng, codes, people, places)
    read, new, labels = _villages(rng, codes, income, unit)
    files = {
        'codebook.txt': CODEBOOK.format(country=country, dense=dense),
        'register.csv': _register(codes, names, provinces, area, shown, country).encode('cp1252'),
        'census_2021.csv': _census(rng, codes, people),
        'census_2011.csv': old,
        'changes.csv': _shown_changes(changes),
        'households.csv': survey.encode('cp1252'),
        'programme.csv': pairs,
        'borders.csv': _borders(rng, codes, touching, corners),
        'deaths.csv': deaths,
        'hospitals.csv': hospitals,
        'roads.csv': roads,
        'villages.csv': read,
        'villages_new.csv': new,
        'landuse.csv': _landuse(rng, codes, area),
    }
    return files, {'litres': labels}


CODEBOOK = """The districts of {country}: what is in the files

Codes. A district has a code of four digits; the first two are those of its province. Programs that take codes for
numbers have lost zeros in front.

register.csv. Districts, provinces and the country, saved on Windows, with decimal commas. Areas are in km2, in ha
(100 ha are 1 km2) or in jo, as the column unit says. 1 jo is 0.5755 ha.

census_2021.csv. Persons by sex (m, f, t for both) and age (all for all ages), in the districts of today. -1: the figure
could not be read off the sheet. Some districts have not sent in the sheet for both sexes.

census_2011.csv. Persons and households in the districts as they were on the day of the census, 31 May 2011.

changes.csv. From the day in the last column on, what had the code old belongs to the district with the code new:
districts were merged, others got another number. Numbers that had become free were given again.

Town districts are those with at least {dense} inhabitants per km2.

households.csv. A survey of households in 2022. Interviewers wrote down the district's name and its province. Income in
crowns, in the year (y) or in the month (m), a year has 12 months; 99999: no answer. The weight says for how many
households a household stands.

programme.csv. In 2020 the government made pairs of districts that were alike, and drew one of each pair by lot: it was
to get a market hall. built is the district of the pair in which a hall was built in the end.

borders.csv. Each pair of districts that meet is in the file once. km is the length of the common border; 0 if they
meet in a point. The district 0 is abroad.

deaths.csv. Deaths in the country in 2021: home is the district in which the dead had lived (0: abroad), place the
district in which they died.

hospitals.csv. List of 1 January 2015, with the codes of that day; since then only the column closed was kept up: the
year in which a house was closed. No other house was opened or moved. Kind H is a hospital, D a day clinic.

roads.csv. Roads between the seats of districts of today. Each is in the file once and can be used both ways. Two
districts may have more than one. time is the time to drive, in minutes or as h:mm; wait the minutes to wait for a ferry
on top of it. Roads that are closed cannot be used.

villages.csv, villages_new.csv. Villages with a water meter. Inhabitants, altitude in m, and read, the day of the
reading (day.month.year); of a village that was read again the later reading is right. use is what the meter shows for
2022, and charge what the village has paid for 2022 so far, in crowns: from the reading on that is its bill, before it
an advance. villages_new.csv has the villages that are not yet read. A province has one waterworks, and a waterworks one
unit for all of its meters: m3, hl (0.1 m3) or kgal (3.785 m3). Which, nobody has written down.

landuse.csv. A new survey of the land, in ha. The area of a district is all of its land and inland water; tidal flats
are no part of it. The survey is exact to 1 %. The register's areas are older. Where the two differ by more than 5 %,
the survey is right; elsewhere the register stays.
"""


def _codes(rng):
    names, codes, free = {}, {}, {}
    heads = rng.permutation(['Alt', 'Cor', 'Esk', 'Ira', 'Jov', 'Ond', 'Quel', 'Zim'])
    for i, province in enumerate(PROVINCES):
        names[province] = f'{heads[i]}{("mar", "ria", "land", "oven", "sund", "tal")[i]}'
        numbers = [f'{province}{int(one) + 1:02d}' for one in rng.permutation(12)]
        codes[province], free[province] = numbers[:8], numbers[8:]
    order = [PROVINCES[int(i)] for i in rng.permutation(6)]
    return (
        names,
        _All(sorted(sum(codes.values(), [])), [codes[one] for one in order], order),
        [free[one] for one in order],
    )


class _All(list):
    """All codes, sorted; those of each province, in a random order of the provinces; and that order."""

    def __init__(self, codes, by_province, order):
        super().__init__(codes)
        self.by_province, self.order = by_province, order


def _plain(name):
    return unicodedata.normalize('NFKD', name).encode('ascii', 'ignore').decode().lower()


def _names(rng, codes):
    made = [head + tail for head in HEADS for tail in TAILS]
    names = dict(zip(codes, (made[int(i)] for i in rng.permutation(len(made)))))
    names[codes.by_province[4][3]] = names[codes.by_province[5][3]]
    return names


def _people(rng, codes):
    old = dict(zip(PROVINCES, rng.permutation([0.11, 0.14, 0.17, 0.2, 0.23, 0.26])))
    people = {}
    for code in codes:
        size = float(np.clip(rng.lognormal(math.log(21000), 0.75), 2500, 90000))
        aged = float(old[code[:2]]) + float(rng.uniform(-0.02, 0.02))
        young = 0.3 - 0.6 * aged + float(rng.uniform(-0.02, 0.02))
        people[code] = np.array([int(size * share) for share in (young, 1 - aged - young, aged)])
    return people


def _areas(rng, codes, total):
    """True areas, the register's (value, unit), and how dense towns are: two lists of the densest, two sets of towns."""
    by = codes.by_province
    while True:
        area = {code: round(float(rng.lognormal(math.log(320), 0.55)), 1) for code in codes}
        wrong = {by[1][5]: 0.62, by[4][6]: 1.55}
        shown, seen = {}, {}
        for code in codes:
            if code in by[2]:
                shown[code] = (round(area[code] * 100 / 0.4316), 'jo')
                seen[code] = shown[code][0] * 0.005755
            elif code in by[0] + by[3]:
                shown[code] = (round(area[code] * 100), 'ha')
                seen[code] = area[code]
            else:
                shown[code] = (round(area[code] * wrong.get(code, 1), 1), 'km2')
                seen[code] = shown[code][0]
        before = sorted(((total[code] / seen[code], code) for code in codes), reverse=True)
        after = sorted(((total[code] / area[code], code) for code in codes), reverse=True)
        gaps = [one[i][0] / one[i + 1][0] for one in (before, after) for i in range(5)]
        lists = [{code for _, code in one[:5]} for one in (before, after)]
        if min(gaps) < 1.04 or lists[0] == lists[1]:
            continue
        for dense in range(90, 240, 5):
            near = min(abs(value / dense - 1) for value, _ in before + after)
            towns = [{code for value, code in one if value >= dense} for one in (before, after)]
            if near > 0.025 and len(towns[0] ^ towns[1]) >= 2 and len(towns[0]) >= 6:
                return area, shown, dense


def _changes(codes, free):
    """All changes as (old, new, day), and the codes of 2011 that make up a district of today."""
    a, b, c, d, e, _ = codes.by_province
    fa, fb, fc, fd, fe, _ = free
    changes = [
        (fa[0], a[0], date(2012, 1, 1)),
        (a[1], a[2], date(2013, 7, 1)),
        (fa[1], a[1], date(2017, 1, 1)),
        (fb[0], fb[1], date(2013, 1, 1)),
        (fb[1], b[0], date(2018, 1, 1)),
        (fb[2], b[1], date(2016, 3, 1)),
        (fc[0], c[0], date(2014, 5, 1)),
        (c[1], c[2], date(2008, 1, 1)),
        (fc[1], c[1], date(2009, 1, 1)),
        (fd[0], d[0], date(2011, 7, 1)),
        (d[1], d[2], date(2011, 1, 1)),
        (fd[1], d[1], date(2011, 4, 1)),
        (fe[0], e[0], date(2019, 1, 1)),
        (fe[1], e[1], date(2012, 7, 1)),
    ]
    then = {code: [code] for code in codes}
    then[a[0]] = [a[0], fa[0]]
    then[a[2]] = [a[2], a[1]]
    then[a[1]] = [fa[1]]
    then[b[0]] = [fb[1], fb[0]]
    then[b[1]] = [fb[2]]
    then[c[0]] = [c[0], fc[0]]
    then[d[0]] = [d[0], fd[0]]
    then[e[0]] = [fe[0]]
    then[e[1]] = [e[1], fe[1]]
    return changes, then


def _shown_changes(changes):
    lines = [f'{int(old)},{int(new)},{day:%d.%m.%Y}' for old, new, day in sorted(changes, key=lambda one: one[2])[::-1]]
    return 'old,new,day\n' + '\n'.join(lines) + '\n'


def _old_census(rng, codes, total, then):
    rows, doubled = {}, then[codes.by_province[0][0]][1]
    for code in codes:
        before = int(total[code] / rng.uniform(0.9, 1.16))
        parts = then[code]
        second = int(before * rng.uniform(0.3, 0.45)) if len(parts) == 2 else 0
        for part, persons in zip(parts, (before - second, second)):
            rows[part] = [persons, int(persons / rng.uniform(2.2, 3.3))]
    digits = str(rows[doubled][0])
    while any(x == y for x, y in zip(digits, digits[1:])) or digits[-1] == digits[-2]:
        rows[doubled][0] += 1
        digits = str(rows[doubled][0])
    at = int(rng.integers(0, len(digits) - 1))
    rows[doubled][0] = int(digits[: at + 1] + digits[at:])
    lines = [f'{int(code)},{persons},{households}' for code, (persons, households) in sorted(rows.items())]
    return 'code,persons,households\n' + '\n'.join(lines) + '\n'


def _register(codes, names, provinces, area, shown, country):
    lines, seen = ['code;name;province;area;unit'], {}
    factors = {'km2': 1, 'ha': 0.01, 'jo': 0.005755}
    for code in codes:
        value, unit = shown[code]
        seen.setdefault(code[:2], []).append(value * factors[unit])
        blank = ' ' if int(code) % 3 == 0 else ''
        lines.append(f'{code};{names[code]}{blank};{provinces[code[:2]]};{_comma(value)};{unit}')
        if code == max(one for one in codes if one[:2] == code[:2]):
            whole = round(sum(seen[code[:2]]), 1)
            lines.append(f'{code[:2]}00;Province {provinces[code[:2]]};{provinces[code[:2]]};{_comma(whole)};km2')
    whole = round(sum(sum(one) for one in seen.values()), 1)
    lines.append(f'0000;{country};{country};{_comma(whole)};km2')
    return '\n'.join(lines) + '\n'


def _comma(value):
    return str(value).replace('.', ',')


def _census(rng, codes, people):
    lines = ['code,sex,age,persons']
    order = [codes[int(i)] for i in rng.permutation(len(codes))]
    lacking, one_gone, two_gone = set(order[:9]), set(order[9:23]), set(order[23:29])
    for code in codes:
        men = [int(value * rng.uniform(0.46, 0.51)) for value in people[code]]
        cells = {}
        for age, both, male in zip(AGES, people[code], men):
            cells['m', age], cells['f', age], cells['t', age] = male, int(both) - male, int(both)
        for sex in 'mft':
            cells[sex, 'all'] = sum(cells[sex, age] for age in AGES)
        age = AGES[int(rng.integers(3))]
        if code in one_gone | two_gone:
            cells['mf'[int(rng.integers(2))], age] = -1
        if code in two_gone:
            cells['t', age] = -1
        for (sex, age), persons in sorted(cells.items(), key=lambda item: ('mft'.index(item[0][0]), item[0][1])):
            if sex != 't' or code not in lacking:
                lines.append(f'{int(code)},{sex},{age},{persons}')
    return '\n'.join(lines) + '\n'


def _laid(codes):
    """The districts on a grid of 8 columns and 6 rows, each province 4 by 2."""
    grid = {}
    for i, province in enumerate(codes.by_province):
        for j, code in enumerate(province):
            grid[2 * (i // 2) + j // 4, 4 * (i % 2) + j % 4] = code
    return [grid[row, column] for row in range(6) for column in range(8)]


def _distance(place, a, b):
    return abs(place[a][0] - place[b][0]) + abs(place[a][1] - place[b][1])


def _near(place, a, b):
    across, down = abs(place[a][0] - place[b][0]), abs(place[a][1] - place[b][1])
    return across + down if max(across, down) <= 1 else 9


def _survey(rng, codes, names, provinces, touching):
    while True:
        true = {code: float(rng.lognormal(math.log(34000), 0.25)) for code in codes}
        chosen = sorted((codes[int(i)] for i in rng.permutation(len(codes))[:32]), key=true.get)
        rows = []
        for number, (one, other) in enumerate(zip(chosen[::2], chosen[1::2])):
            first, second = (one, other) if rng.random() < 0.5 else (other, one)
            drawn = (first, second)[int(rng.integers(2))]
            built = drawn if number % 4 else (second if drawn == first else first)
            true[drawn] *= 1.09
            rows.append(f'{number + 1},{int(first)},{int(second)},{int(drawn)},{int(built)}')
        lines, sums = [], {code: [0.0, 0.0] for code in codes}
        for code in codes:
            for _ in range(22):
                value = true[code] * math.exp(float(rng.normal(0, 0.15)))
                weight = round(float(rng.uniform(0.6, 1.6)) * (true[code] / value) ** 2, 2)
                monthly = rng.random() < 0.4
                income = int(round(value / 12)) if monthly else int(round(value))
                if rng.random() < 0.06:
                    income = 99999
                else:
                    sums[code][0] += weight * income * (12 if monthly else 1)
                    sums[code][1] += weight
                period = 'm' if monthly else 'y'
                lines.append(f'{_spelt(rng, names[code])};{provinces[code[:2]]};{income};{period};{_comma(weight)}')
        income = {code: above / below for code, (above, below) in sums.items()}
        if min(abs(income[a] / income[b] - 1) for a, b in touching) < 0.004:
            continue
        around = {code: [b if a == code else a for a, b in touching if code in (a, b)] for code in codes}
        once = {code: [b for a, b in touching if code == a] for code in codes}
        low = [code for code in codes if all(income[code] < income[other] for other in around[code])]
        lower = [code for code in codes if once[code] and all(income[code] < income[other] for other in once[code])]
        if len(low) >= 5 and len(low) != len(lower):
            break
    order = rng.permutation(len(lines))
    survey = [f'H{i + 1:04d};{lines[int(one)]}' for i, one in enumerate(order)]
    pairs = 'pair,first,second,drawn,built\n' + '\n'.join(rows) + '\n'
    return 'household;district;province;income;period;weight\n' + '\n'.join(survey) + '\n', income, pairs


def _spelt(rng, name):
    chance = rng.random()
    if chance < 0.15:
        return name.upper()
    if chance < 0.3:
        return unicodedata.normalize('NFKD', name).encode('ascii', 'ignore').decode()
    return f'{name} ' if chance < 0.4 else f'District of {name}' if chance < 0.5 else name


def _borders(rng, codes, touching, corners):
    rows = [(a, b, round(float(rng.uniform(4, 60)), 1)) for a, b in touching] + [(a, b, 0) for a, b in corners]
    rows += [(codes[int(i)], '0', round(float(rng.uniform(4, 60)), 1)) for i in rng.permutation(len(codes))[:9]]
    lines = []
    for i in rng.permutation(len(rows)):
        first, second, km = rows[int(i)]
        first, second = (first, second) if rng.random() < 0.5 else (second, first)
        lines.append(f'{int(first)},{int(second)},{km}')
    return 'first,second,km\n' + '\n'.join(lines) + '\n'


def _travel(rng, codes, touching, total, changes, limit):
    a, b, _, _, e, f = codes.by_province
    number = {code: i for i, code in enumerate(codes)}
    of_2015 = {new: old for old, new, day in changes if day > date(2015, 1, 1)}
    while True:
        others = [one for one in (codes[int(i)] for i in rng.permutation(len(codes))) if one not in (a[1], b[0], e[0])]
        seats = [a[1], b[0], e[0], *others[:4]]
        roads, best = [], np.full((len(codes), len(codes)), 10**6)
        np.fill_diagonal(best, 0)
        for one, other in touching:
            if rng.random() < 0.25:
                continue
            for _ in range(2 if rng.random() < 0.2 else 1):
                time = int(rng.integers(14, 66))
                wait = int(rng.integers(3, 9)) * 5 if rng.random() < 0.15 else 0
                state = 'closed' if rng.random() < 0.12 else 'open'
                roads.append((one, other, time, wait, state))
                if state == 'open':
                    i, j = number[one], number[other]
                    best[i, j] = best[j, i] = min(best[i, j], time + wait)
        for k in range(len(codes)):
            best = np.minimum(best, best[:, k, None] + best[None, k])
        if best.max() >= 10**6:
            continue
        people = np.array([total[code] for code in codes])
        minutes = best[:, [number[one] for one in seats]].min(axis=1)
        left = [int(people[np.minimum(minutes, best[:, i]) > limit].sum()) for i in range(len(codes))]
        ranked = sorted(left)
        far = int((minutes > limit).sum())
        most = max((int(people[i]), i) for i in range(len(codes)) if minutes[i] > limit)[1] if far else 0
        worst = int(minutes.argmax())
        top = sorted(minutes)[-2:]
        if far >= 8 and ranked[1] > ranked[0] * 1.03 and ranked[0] > 0 and left[most] > ranked[0] < left[worst]:
            if top[1] > top[0] and (minutes > 90).any():
                break
    rows = [(of_2015.get(one, one), 'H', int(rng.integers(6, 60)) * 10, '') for one in seats]
    rows += [(others[i], 'H', int(rng.integers(6, 30)) * 10, 2016 + i % 7) for i in range(4, 8)]
    rows += [(others[i], 'D', int(rng.integers(1, 4)) * 10, '') for i in range(8, 14)]
    lines = [
        f'{int(rows[int(i)][0])},{rows[int(i)][1]},{rows[int(i)][2]},{rows[int(i)][3]}'
        for i in rng.permutation(len(rows))
    ]
    drives = []
    for i in rng.permutation(len(roads)):
        one, other, time, wait, state = roads[int(i)]
        shown = f'{time // 60}:{time % 60:02d}' if time >= 60 or rng.random() < 0.25 else str(time)
        drives.append(f'{int(one)},{int(other)},{shown},{wait or ""},{state}')
    return (
        'code,kind,beds,closed\n' + '\n'.join(lines) + '\n',
        'from,to,time,wait,state\n' + '\n'.join(drives) + '\n',
        seats,
    )


def _deaths(rng, codes, people, places):
    """Deaths by home, place and age, from which the districts that stand out follow, and the order of the provinces."""
    old = {one: sum(people[code][2] for code in codes if code[:2] == one) for one in PROVINCES}
    whole = {one: sum(people[code].sum() for code in codes if code[:2] == one) for one in PROVINCES}
    by_age = sorted(PROVINCES, key=lambda one: old[one] / whole[one])
    factor = dict(zip(by_age, (1.05, 1.02, 1.06, 0.97, 0.98, 0.94)))
    persons = np.array([people[code] for code in codes])
    large = [i for i in range(len(codes)) if 25000 < persons[i].sum() < 70000]
    large = large or [int(persons.sum(axis=1).argmax())]
    small = [i for i in range(len(codes)) if persons[i].sum() < 15000]
    while True:
        lifted = {int(i) for i in rng.permutation(large)[:3]}
        rate = np.array([factor[code[:2]] * (1.5 if i in lifted else 1) for i, code in enumerate(codes)])
        deaths = rng.poisson(persons * np.array(RATES) * rate[:, None])
        expected = persons @ (deaths.sum(axis=0) / persons.sum(axis=0))
        tails = [_tail(int(count), mean) for count, mean in zip(deaths.sum(axis=1), expected)]
        crude = persons.sum(axis=1) * deaths.sum() / persons.sum()
        plain = [_tail(int(count), mean) for count, mean in zip(deaths.sum(axis=1), crude)]
        bound = 0.05 / len(codes)
        found = {i for i, p in enumerate(tails) if p < bound}
        if any(bound / 4 < p < bound * 4 for p in tails) or not lifted <= found or len(found) > 6:
            continue
        if not any(4 * bound < p < 0.045 for p in tails) or {i for i, p in enumerate(plain) if p < bound} == found:
            continue
        highest = np.argsort(deaths.sum(axis=1) / persons.sum(axis=1))[-3:]
        if {int(i) for i in highest} <= found:
            continue
        standard = _standardised(codes, persons, deaths)
        if min(x / y for x, y in zip(standard, standard[1:])) > 1.004 or not small:
            break
    lines = []
    for i, code in enumerate(codes):
        for age, count in zip(('0 to 14', '15 to 64', '65 and older'), deaths[i]):
            away = int(rng.binomial(count, 0.55)) if places[code] != code else 0
            for place, number in ((code, count - away), (places[code], away)):
                if number:
                    lines.append(f'{int(code)},{int(place)},{age},{number}')
    for place in sorted(set(places.values())):
        lines.append(f'0,{int(place)},15 to 64,{int(rng.integers(4, 30))}')
        lines.append(f'0,{int(place)},65 and older,{int(rng.integers(4, 30))}')
    return 'home,place,age,deaths\n' + '\n'.join(lines[int(i)] for i in rng.permutation(len(lines))) + '\n'


def _standardised(codes, persons, deaths):
    share = persons.sum(axis=0) / persons.sum()
    rates = []
    for province in PROVINCES:
        rows = [i for i, code in enumerate(codes) if code[:2] == province]
        rates.append(float((deaths[rows].sum(axis=0) / persons[rows].sum(axis=0)) @ share))
    return sorted(rates, reverse=True)


def _tail(count, mean):
    """The probability of at least `count` where `mean` are expected."""
    terms = [math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count, count + 400)]
    return (
        sum(terms)
        if count > mean
        else 1 - sum(math.exp(k * math.log(mean) - mean - math.lgamma(k + 1)) for k in range(count))
    )


def _villages(rng, codes, income, unit):
    factor = {'hl': 0.1, 'kgal': 3.785}[unit]
    odd = codes.order[int(rng.integers(6))]
    lines = ['village,code,inhabitants,altitude,read,use,charge']
    new, labels = ['village,code,inhabitants,altitude,charge'], []
    rows = []
    for number in range(300 + SPARE):
        code = codes[int(rng.integers(len(codes)))]
        inhabitants, altitude = int(rng.integers(150, 2400)), int(rng.integers(20, 1400))
        litres = 50 + 0.0022 * income[code] - 0.015 * altitude + float(rng.normal(0, 5))
        metres = litres * inhabitants * 0.365
        name = f'V{number + 101}'
        if number >= 300:
            advance = round(128 * inhabitants * 0.365 * 1.4 * float(rng.uniform(0.6, 1.1)))
            new.append(f'{name},{int(code)},{inhabitants},{altitude},{advance}')
            labels.append(round(litres, 2))
            continue
        day = date(2023, 1, 10) + timedelta(days=int(rng.integers(0, 60)))
        shown = round(metres / (factor if code[:2] == odd else 1))
        row = f'{name},{int(code)},{inhabitants},{altitude}'
        rows.append(f'{row},{day:%d.%m.%Y},{shown},{round(metres * 1.4)}')
        if rng.random() < 0.12:  # read wrongly at first
            earlier = date(2023, 1, 1) - timedelta(days=int(rng.integers(1, 20)))
            wrong = float(rng.choice([0.6, 1.7]))
            rows.append(f'{row},{earlier:%d.%m.%Y},{round(shown * wrong)},{round(metres * 1.4 * wrong)}')
    lines += [rows[int(i)] for i in rng.permutation(len(rows))]
    return '\n'.join(lines) + '\n', '\n'.join(new) + '\n', labels


def _landuse(rng, codes, area):
    lines = ['code,use,ha']
    for code in codes:
        whole = area[code] * 100 * float(rng.uniform(0.992, 1.008))
        shares = rng.dirichlet((9, 8, 3, 1))
        parts = [round(whole * float(share), 1) for share in shares]
        for use, value in zip(('arable', 'forest', 'built'), parts):
            lines.append(f'{int(code)},{use},{value}')
        lines.append(f'{int(code)},  of which roads,{round(parts[2] * float(rng.uniform(0.3, 0.6)), 1)}')
        lines.append(f'{int(code)},inland water,{parts[3]}')
        if rng.random() < 0.4:
            lines.append(f'{int(code)},tidal flats,{round(whole * float(rng.uniform(0.08, 0.2)), 1)}')
    return '\n'.join(lines) + '\n'

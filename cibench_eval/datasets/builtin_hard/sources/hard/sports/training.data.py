"""Two test days of three squads, a clinic for the weakest jumpers, and laps in two kinds of shoes."""

import numpy as np

TIMES = ('agility', 'sprint10', 'sprint30')
TESTS = {  # level, spread between athletes, spread of the changes, digits
    'agility': (9.6, 0.5, 0.25, 3),
    'endurance': (1900, 260, 120, 0),
    'grip': (46, 7, 2.5, 2),
    'jump': (41, 5.0, 0, 2),
    'reach': (30, 6, 2, 1),
    'sprint10': (1.92, 0.11, 0.05, 3),
    'sprint30': (4.55, 0.24, 0.1, 3),
    'throw': (27, 4, 0, 2),
}
T_VALUES = 5.0, 2.72, -4.6, 2.3, 2.3, 0.4
"""Of changes for the better, in all tests but jump and throw, drawn by lot: the first two stand by Holm's method."""
UNITS = {'agility': 's', 'endurance': 'm', 'grip': 'kg', 'jump': 'cm', 'reach': 'cm', 'throw': 'm'}


def make(rng, squads, size, share):
    number = size * len(squads)
    athletes = [f'A{place + 1:02d}' for place in range(number)]
    squad = [str(name) for name in rng.permutation(np.repeat(squads, size))]
    present = rng.random(number) > 0.05
    values, t_values = {}, _t_values(rng)
    for test, (level, spread, change, digits) in TESTS.items():
        before = level + spread * rng.normal(0, 1, number)
        valid = present & (rng.random(number) > 0.02)
        if test == 'jump':
            before, after, group = _jump(rng, before, present)
        elif test == 'throw':
            after = before + _throw(rng, squads, squad, share)
        else:
            after = before + _changes(rng, valid, t_values[test], change)
        values[test] = before, after, valid, digits
    named = [f'{one},{name}' for one, name in zip(athletes, group) if name]
    files = {
        'before.csv': _before(rng, athletes, values),
        'after.csv': _after(rng, athletes, values, present).encode('cp1252'),
        'squads.csv': '\n'.join(['athlete,squad', *(f'{one},{name}' for one, name in zip(athletes, squad))]) + '\n',
        'clinic.csv': '\n'.join(['athlete,group', *named]) + '\n',
        'laps.csv': _laps(rng, athletes),
        'codebook.txt': CODEBOOK,
    }
    return files, {}


CODEBOOK = """Codebook

before.csv   test day in March; after.csv: test day in May, typed with decimal commas and saved on Windows. One line for
             each trial of an athlete (A and two digits; in May some wrote the number alone). The last lines have means,
             which the sheet made itself.
Tests        agility, sprint10 and sprint30 are times; endurance (m), grip (force), jump (height), reach (cm) and throw
             (m) are better the more. The best valid trial of a day counts.
Units        s and ms; kg and lb (1 lb = 0.45359237 kg); cm and in (1 in = 2.54 cm); m.
Not valid    a trial with 0 (false start) or 999 (stepped over, dropped, slipped), whatever the unit.
squads.csv   the squad of each athlete.
clinic.csv   After the test day in March the weakest third of all athletes in the jump were named for a jumping clinic.
             It had room for half of them: the lot decided who went there (clinic) and who was put on a list for autumn
             (waiting). All others are not in the file. All athletes went through the same training otherwise.
laps.csv     laps of a run in May, in two kinds of shoes, which were drawn by lot athlete by athlete. Lap 0 is for
             warming up and does not count. 0.0 means that the transponder failed.
"""


def _t_values(rng):
    """Which test has which t value; of the significant ones at least one is a time, for which less is better."""
    while True:
        tests = [str(test) for test in rng.permutation([test for test in TESTS if test not in ('jump', 'throw')])]
        if any(test in TIMES for test in tests[:3]):
            return {test: value * (-1 if test in TIMES else 1) for test, value in zip(tests, T_VALUES)}


def _changes(rng, valid, t_value, spread):
    """Changes with a given t value over the valid athletes."""
    changes = rng.normal(0, 1, len(valid))
    chosen = changes[valid]
    changes = (changes - chosen.mean()) / chosen.std(ddof=1)
    return spread * (changes + t_value / np.sqrt(len(chosen)))


def _jump(rng, skill, present):
    """The weakest on a day are so by bad luck, too, and come back by themselves."""
    number = len(skill)
    before = skill + rng.normal(0, 3.5, number)
    after = skill + rng.normal(0, 3.5, number) + 3.6
    weakest = np.argsort(before)[: number // 3]
    group = np.full(number, '', dtype=object)
    for place, index in enumerate(rng.permutation(weakest)):
        group[index] = 'waiting' if place % 2 else 'clinic'
    after += 1.8 * (group == 'clinic')
    return before, after, group


def _throw(rng, squads, squad, share):
    """Changes in the throw: in one squad some have none, in the others they spread evenly around the same mean."""
    mixed = str(rng.choice(squads))
    changes = np.zeros(len(squad))
    for name in squads:
        rows = np.flatnonzero(np.array(squad) == name)
        if name == mixed:
            still = int(round(len(rows) * share))
            little = rng.uniform(0.02, 0.25, still) * np.resize((1, -1, 1), still)
            gains = np.r_[little, rng.uniform(2.5, 3.1, len(rows) - still)]
        else:
            places = (np.arange(len(rows)) + rng.uniform(0.3, 0.7, len(rows))) / len(rows)
            gains = 1.7 + 4.6 * (places - 0.5) * (1 + 1.1 * np.abs(places - 0.5))
        changes[rows] = rng.permutation(gains)
    return changes


def _trials(rng, test, best, valid, digits):
    """Values of the trials of an athlete, in the test's first unit."""
    sign = 1 if test in TIMES else -1
    worse = 10.0**-digits + np.abs(0.4 * TESTS[test][1] * rng.normal(0, 1, int(rng.integers(1, 3))))
    trials = [best, *(best + sign * worse)]
    if not valid:
        return [None] * len(trials)
    if rng.random() < 0.12:
        trials.append(None)
    return [trials[int(index)] for index in rng.permutation(len(trials))]


def _before(rng, athletes, values):
    lines, sums = ['athlete,test,trial,value,unit'], {}
    for place, athlete in enumerate(athletes):
        for test, (before, _, _, digits) in values.items():
            for trial, value in enumerate(_trials(rng, test, before[place], True, digits), 1):
                shown, unit = _shown(test, value, digits, UNITS.get(test, 's'))
                lines.append(f'{athlete},{test},{trial},{shown},{unit}')
    for test, (before, _, _, digits) in values.items():
        lines.append(f'MEAN,{test},,{before.mean():.{digits}f},{UNITS.get(test, "s")}')
    return '\n'.join(lines) + '\n'


def _after(rng, athletes, values, present):
    lines = ['Sportler;Übung;Versuch;Wert;Einheit']
    for place, athlete in enumerate(athletes):
        key = str(int(athlete[1:])) if rng.random() < 0.3 else athlete
        for test, (_, after, valid, digits) in values.items():
            if not present[place]:
                continue
            inch = test == 'jump' and rng.random() < 0.3
            unit = 'ms' if test.startswith('sprint') else 'in' if inch else 'lb' if test == 'grip' else UNITS[test]
            for trial, value in enumerate(_trials(rng, test, after[place], valid[place], digits), 1):
                shown, _ = _shown(test, value, digits, unit)
                lines.append(f'{key};{test};{trial};{shown.replace(".", ",")};{unit}')
    for test, (_, after, _, digits) in values.items():
        lines.append(f'MEAN;{test};;{after.mean():.{digits}f};{UNITS.get(test, "s")}'.replace('.', ','))
    return '\n'.join(lines) + '\n'


def _shown(test, value, digits, unit):
    if value is None:
        return ('0' if test in TIMES else '999'), unit
    value /= {'ms': 0.001, 'in': 2.54, 'lb': 0.45359237}.get(unit, 1)
    return f'{value:.{0 if unit == "ms" else digits}f}', unit


def _laps(rng, athletes):
    lines = ['athlete,lap,shoe,seconds']
    shoes = [('red', 'blue')[int(index) % 2] for index in rng.permutation(len(athletes))]
    for athlete, shoe in zip(athletes, shoes):
        level = rng.normal(31.5, 1.1) + (0.22 if shoe == 'red' else 0)
        for lap in range(11):
            seconds = level + 0.05 * lap + rng.normal(0, 0.35) + (6 if lap == 0 else 0)
            shown = 0.0 if rng.random() < 0.03 else seconds
            lines.append(f'{athlete},{lap},{shoe},{shown:.1f}')
    return '\n'.join(lines) + '\n'

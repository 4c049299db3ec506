"""Two hospitals in two languages, transfers, readmissions, bills that give the length away, and a training by lot."""

from datetime import date, timedelta

NAMES = (
    'Acacia Beech Cherry Dogwood Elder Fir Gorse Hazel Ivy Juniper Kapok Laurel Maple Nutmeg Oak Poplar Quince Rose '
    'Sorrel Thyme Upas Vine Willow Yew'
).split()
FRENCH = {'mild': 'légère', 'severe': 'grave', 'home': 'domicile', 'died': 'décès', 'transferred': 'transfert'}
ELSEWHERE = {'North': 'South', 'South': 'North'}


def make(rng, people, year, fee):
    export = date(year, 12, 31)
    numbers = [str(number) for number in rng.choice(900_000, people + 95, replace=False) + 100_000]
    rows = {'North': [], 'South': []}
    for number in numbers[:people]:
        age, begin = int(rng.integers(35, 93)), export - timedelta(days=int(rng.integers(2, 340)))
        for _ in range(4):
            stay = _stay(rng, age)
            ended, alive = _parts(rng, rows, number, begin, stay, export, fee)
            begin = ended + timedelta(days=_pause(rng))
            if not alive or rng.random() > 0.38 or begin > export:
                break
    for number in numbers[people : people + 5]:  # back in hospital at the export
        stay = _stay(rng, int(rng.integers(35, 93)), alive=True)
        begin = export - timedelta(days=stay['days'] + int(rng.integers(31, 39)))
        ended, _ = _parts(rng, rows, number, begin, stay, export, fee)
        stay = dict(_stay(rng, stay['age'], alive=True), days=int(rng.integers(16, 25)))
        _row(rng, rows, number, ended + timedelta(days=int(rng.integers(24, 30))), export + timedelta(days=9), '', stay, export, fee)
    rest = [_stay(rng, int(rng.integers(35, 93)), alive=True) for _ in range(90)]
    lines = ['patient,hospital,age,severity,crp,billed']
    for number, stay in zip(numbers[people + 5 :], rest):
        crp = stay['crp'] if stay['hospital'] == 'North' else round(stay['crp'] / 10, 1)
        billed = fee + 10 * int(rng.integers(0, 40))
        lines.append(f'{number},{stay["hospital"]},{stay["age"]},{stay["severity"]},{crp},{billed}')
    north, south = ([rows[name][at] for at in rng.permutation(len(rows[name]))] for name in rows)
    north.insert(0, 'patient,admitted,discharged,outcome,age,severity,crp,billed')
    south.insert(0, 'numéro;entrée;sortie;issue;âge;gravité;CRP;facturé')
    files = {
        'notes.txt': NOTES.format(export=export, last=export - timedelta(days=30), year=year, before=year - 1),
        'north.csv': '\n'.join(north) + '\n',
        'south.csv': ('\n'.join(south) + '\n').encode('cp1252'),
        'next.csv': '\n'.join(lines) + '\n',
        'wards.csv': _wards(rng, year),
    }
    return files, {'days': [stay['days'] for stay in rest]}


NOTES = """Notes on the files of the two hospitals

north.csv is the export of the hospital North, south.csv that of the hospital South, which writes French, on Windows.
North measures CRP in mg/l, South in mg/dl (1 mg/dl is 10 mg/l). Both were exported on {export}. Who was in hospital then
has no day of discharge. Patients have the same number in both hospitals. Billed are euros, billed so far.
A patient who is transferred from one hospital to the other arrives there on the same day or on the next. Both rows
together are one stay. It belongs to the hospital where it began, with the age, severity and CRP that were written there,
and its outcome is that of the second row. The days of a stay are those from its admission to its last discharge: admitted
on the 3rd and discharged on the 7th are 4 days.
A stay is followed by a readmission if the same patient is admitted again, to either hospital, at most 30 days after its
end, whether this new stay has ended or not. The rate of readmissions is the share of such stays among those that ended
alive, on {last} or before.
next.csv has patients who have just been admitted, with the same columns; each hospital measures in its unit.

wards.csv has the falls of patients and the days of care in the wards of both hospitals, in {before} and in {year}. Rates
are falls for 1000 days. At the end of {before} the ten wards with the highest rates were listed, and a lot drew five
of them for a training of their staff. Some wards that were not listed asked for the training and were given it, too.
"""


def _stay(rng, age, alive=False):
    """One stay before it is cut in parts."""
    severity = str(rng.choice(['mild', 'severe'], p=(0.6, 0.4)))
    crp = round(float(rng.lognormal(4.1 if severity == 'mild' else 4.5, 0.65)) + 3)
    days = 1.05 * crp**0.42 * (1.6 if severity == 'severe' else 1) * (1 + 0.012 * (age - 60))
    days *= float(rng.lognormal(0, 0.14))
    died = not alive and rng.random() < (0.42 if severity == 'severe' else 0.06)
    days = max(int(round(days * (0.2 if died else 1))), 1)
    hospital = str(rng.choice(['North', 'South']))
    return {'age': age, 'severity': severity, 'crp': crp, 'days': days, 'died': died, 'hospital': hospital}


def _pause(rng):
    """Days until the next stay, never on the edge of two."""
    return int(rng.integers(2, 30)) if rng.random() < 0.6 else int(rng.integers(32, 120))


def _parts(rng, rows, number, begin, stay, export, fee):
    """Write a stay's row, or its two rows; the day when it ends, and whether alive."""
    ended = begin + timedelta(days=stay['days'])
    if stay['days'] > 4 and rng.random() < 0.14:
        moved = begin + timedelta(days=int(rng.integers(1, stay['days'] - 2)))
        arrived = moved + timedelta(days=int(rng.integers(0, 2)))
        second = dict(stay, hospital=ELSEWHERE[stay['hospital']], crp=max(round(stay['crp'] * 0.6), 3))
        second['severity'] = str(rng.choice(['mild', 'severe']))
        if arrived > export >= moved:
            arrived = moved
        _row(rng, rows, number, begin, moved, 'transferred', stay, export, fee)
        if arrived <= export:
            _row(rng, rows, number, arrived, ended, 'died' if stay['died'] else 'home', second, export, fee)
    else:
        _row(rng, rows, number, begin, ended, 'died' if stay['died'] else 'home', stay, export, fee)
    return ended, not stay['died']


def _row(rng, rows, number, begin, ended, outcome, stay, export, fee):
    open_ = ended > export
    last = min(ended, export)
    billed = fee + 540 * (last - begin).days + 10 * int(rng.integers(0, 40))
    if open_:
        outcome = ''
    if stay['hospital'] == 'North':
        end = '' if open_ else str(ended)
        line = f'{number},{begin},{end},{outcome},{stay["age"]},{stay["severity"]},{stay["crp"]},{billed}'
    else:
        end = '' if open_ else f'{ended:%d.%m.%Y}'
        crp = f'{stay["crp"] / 10:.1f}'.replace('.', ',')
        shown = f'{number[:3]} {number[3:]}' if rng.random() < 0.7 else number
        issue, gravity = FRENCH.get(outcome, ''), FRENCH[stay['severity']]
        line = f'{shown};{begin:%d.%m.%Y};{end};{issue};{stay["age"]};{gravity};{crp};{billed}'
    rows[stay['hospital']].append(line)


def _wards(rng, year):
    """Wards whose rates are mostly chance, so that the worst get better by themselves."""
    while True:
        days = rng.integers(2600, 6400, (24, 2))
        true = rng.lognormal(1.45, 0.14, 24)
        before = rng.poisson(true * days[:, 0] / 1000) + rng.integers(-6, 7, 24)
        rates = 1000 * before / days[:, 0]
        order = [int(at) for at in rates.argsort()[::-1]]
        drawn = {order[int(at)] for at in rng.permutation(10)[:5]}
        asked = {int(at) for at in rng.permutation(order[12:])[:3]}
        after = rng.poisson(true * days[:, 1] / 1000 * [0.86 if at in drawn else 1 for at in range(24)])
        change = 1000 * after / days[:, 1] - rates
        others = set(order[:10]) - drawn
        clear = rates[order[9]] - rates[order[10]] > 0.02 and (before > 4).all()
        without, trained = (float(change[list(group)].mean()) for group in (others, drawn))
        if clear and without < -0.5 and without - 2 < trained < without - 0.4:
            break
    names = [str(name) for name in rng.permutation(NAMES)]
    lines = [f'ward,hospital,falls_{year - 1},days_{year - 1},falls_{year},days_{year},training']
    both = {}
    for at, name in enumerate(names):
        hospital = 'North' if at % 2 else 'South'
        numbers = [int(number) for number in (before[at], days[at, 0], after[at], days[at, 1])]
        both[hospital] = [old + new for old, new in zip(both.get(hospital, [0] * 4), numbers)]
        trained = 'yes' if at in drawn | asked else 'no'
        lines.append(f'{name},{hospital},{",".join(map(str, numbers))},{trained}')
    for hospital, numbers in both.items():
        lines.append(f'All wards,{hospital},{",".join(map(str, numbers))},')
    return '\n'.join(lines) + '\n'

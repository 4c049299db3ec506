"""A tumour registry, the civil register's deaths and moves, and relapses: follow-up that ends in several ways."""

from datetime import date, timedelta

CLINICS = ('Alder', 'Birch', 'Cedar', 'Elm', 'Rowan')
STAGES = {'I': 0.06, 'II': 0.14, 'III': 0.30, 'IV': 0.62}
MIX = ((0.56, 0.32, 0.1, 0.02), (0.42, 0.34, 0.18, 0.06), (0.26, 0.3, 0.26, 0.18), (0.12, 0.2, 0.36, 0.32))
"""Shares of the stages: clinics that do worse have the earlier stages."""


def make(rng, people, drug, close):
    end = date(close, 12, 31)
    clinics = [str(clinic) for clinic in rng.permutation(CLINICS)]
    numbers = [str(number) for number in rng.choice(900_000, people + 160, replace=False) + 100_000]
    cases = [_case(rng, numbers[at], clinics, end) for at in range(people)]
    cases.sort(key=lambda case: (case['diagnosed'], case['person']))
    lines, deaths, moves, relapses = [], [], [], []
    for number, case in enumerate(cases):
        case['name'] = f'{close % 100}-{1000 + 3 * number}'
        lines.append(_line(rng, case, case['name'], case['diagnosed'], end))
        if case['again']:  # a second tumour
            lines.append(_line(rng, case, f'{close % 100}-{7000 + 3 * number}', case['again'], end))
        deaths += _death(rng, case, end)
        if case['move']:
            moves.append(f'{_written(rng, case["person"])},{case["move"]},{case["to"]}')
        for day in case['relapses']:
            relapses.append(f'{_written(rng, case["person"])},{day}')
    for number in numbers[people:]:  # not of the registry
        day = end - timedelta(days=int(rng.integers(0, 2200)))
        deaths.append(f'{_written(rng, number)};{day:%d.%m.%Y}')
    files = {
        'notes.txt': NOTES.format(drug=drug, close=f'{end:%Y-%m-%d}'),
        'cases.csv': 'case,person,clinic,stage,found,therapy,diagnosed,maintenance,last_visit\n' + _shuffled(rng, lines),
        'deaths.csv': 'person;died\n' + _shuffled(rng, deaths),
        'moves.csv': 'person,left,to\n' + _shuffled(rng, moves),
        'relapses.csv': 'person,day\n' + _shuffled(rng, relapses),
    }
    return files, {}


NOTES = """Notes on the registry

cases.csv: the cases of five clinics. A person with two cases counts with the one that was diagnosed first. Where found
says certificate, the tumour was only found on the certificate of death; such a case has no survival time and is left
out. IIa and IIb are stage II, and so on. Some patients go on to {drug} as maintenance: the column maintenance has its
first day. From this day on they are on {drug} until their follow-up ends. The column last_visit is their last visit to the
clinic.
deaths.csv comes from the civil register, whose numbers of persons are written with or without the point. It holds other
people, too. Dates are day.month.year; a day of 00 is not known, and we take the 15th. 31.12.9999 stands for a person who
is not dead. The register has every death of a resident of the country up to the day of its export, whether the clinic
knows of it or not.
moves.csv has moves of residents: the day and where they went, a town of the country or abroad.
relapses.csv has what the clinics report, in any country. One person may have several relapses.

Follow-up begins on the day of the diagnosis. It ends on the day of the death, on the day of a move abroad, or on
{close}, whichever comes first. What happens after it does not count. Whoever has not died by then is censored there.
A year has 365.25 days.

Clinics are compared by observed deaths over expected deaths. The expected deaths of a clinic are those that its
patients would have had if in each stage as many had died for each day of follow-up as in all five clinics together.
"""


def _case(rng, number, clinics, end):
    at = int(rng.integers(0, 5))
    factor = (1.7, 1.35, 1.05, 0.85, 0.6)[at]
    stage = list(STAGES)[int(rng.choice(4, p=MIX[min(at, 3)]))]
    therapy = str(rng.choice(['surgery', 'radiation']))
    case = {'person': number, 'clinic': clinics[at], 'stage': stage, 'therapy': therapy, 'found': 'clinic'}
    diagnosed = end - timedelta(days=int(rng.integers(200, 2300)))
    rate = STAGES[stage] * factor / 365.25 * (0.56 if therapy == 'surgery' else 1.6)
    days = int(rng.exponential(1 / rate)) + 20
    if therapy == 'surgery' and rng.random() < 0.13:
        days = int(rng.integers(2, 75))
    died = diagnosed + timedelta(days=days)
    vague = rng.random() < 0.06 and died.replace(day=15) > diagnosed + timedelta(days=5)
    case |= {'diagnosed': diagnosed, 'died': died.replace(day=15) if vague else died, 'vague': vague}
    days = (case['died'] - diagnosed).days
    case |= {'move': None, 'to': '', 'again': None, 'maintenance': None}
    if rng.random() < 0.2:
        left = diagnosed + timedelta(days=int(rng.integers(60, 1500)))
        case |= {'move': left, 'to': str(rng.choice(['abroad', 'Linden', 'Marsh'], p=(0.6, 0.2, 0.2)))}
    if case['move'] and case['move'] > min(case['died'], end + timedelta(days=200)):
        case |= {'move': None, 'to': ''}
    abroad = case['to'] == 'abroad'
    if abroad and (case['died'] - case['move']).days < 3:
        case['move'] -= timedelta(days=9)
    last = min(case['died'], end, case['move'] if abroad else end)
    case['known'] = not abroad or rng.random() < 0.5
    start = diagnosed + timedelta(days=int(rng.integers(120, 800)))
    if rng.random() < 0.75 and start + timedelta(days=3) < case['died'] and abs((start - last).days) > 3:
        case['maintenance'] = start
    case['relapses'] = [day for day in _relapses(rng, case, rate) if day < end + timedelta(days=120)]
    if rng.random() < 0.05:
        case['again'] = diagnosed + timedelta(days=int(rng.integers(30, max(days, 32))))
    if case['again'] and case['again'] >= last:
        case['again'] = None
    if case['died'] < last + timedelta(days=1) and not case['again'] and rng.random() < 0.04:
        case |= {'found': 'certificate', 'diagnosed': case['died'], 'maintenance': None, 'relapses': []}
    return case


def _relapses(rng, case, rate):
    """Days of relapses before the death, with none on the day of a death or a move abroad."""
    day, found = case['diagnosed'], []
    while len(found) < 3:
        day += timedelta(days=int(rng.exponential(0.7 / rate)) + 25)
        if day >= case['died'] - timedelta(days=1):
            break
        if not case['move'] or abs((day - case['move']).days) > 1:
            found.append(day)
    return found


def _written(rng, number):
    return f'{number[:3]}.{number[3:]}' if rng.random() < 0.6 else number


def _line(rng, case, name, diagnosed, end):
    stage = case['stage'] + (str(rng.choice(['a', 'b'])) if rng.random() < 0.3 else '')
    maintenance = case['maintenance'] or ''
    if maintenance and maintenance > end:
        maintenance = ''
    last = min(case['died'], end)
    visit = diagnosed + (last - diagnosed) * float(rng.uniform(0.3, 0.98)) if last > diagnosed else diagnosed
    person = f'{case["person"][:3]}.{case["person"][3:]}'
    return (
        f'{name},{person},{case["clinic"]},{stage},{case["found"]},{case["therapy"]},{diagnosed},{maintenance},{visit}'
    )


def _death(rng, case, end):
    if case['died'] > end + timedelta(days=250):  # after the export
        return [f'{_written(rng, case["person"])};31.12.9999'] if rng.random() < 0.4 else []
    if not case['known']:
        return []
    day = f'00.{case["died"]:%m.%Y}' if case['vague'] else f'{case["died"]:%d.%m.%Y}'
    return [f'{_written(rng, case["person"])};{day}']


def _shuffled(rng, lines):
    return '\n'.join(lines[at] for at in rng.permutation(len(lines))) + '\n'

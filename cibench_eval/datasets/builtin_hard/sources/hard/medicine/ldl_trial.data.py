"""A trial of a drug against LDL cholesterol: six sites, two units, a made-up second sample, and patients to predict."""

from datetime import date, timedelta

SITES = ('Aarau', 'Bern', 'Chur', 'Davos', 'Emmen', 'Fribourg')
MG = 38.67


def make(rng, patients, drug, week):
    sites = [str(site) for site in rng.permutation(SITES)]
    invented, precise, milligrams = sites[0], sites[1], {sites[2], sites[3]}
    if rng.random() < 0.5:
        milligrams = {sites[0], sites[3]}
    people = [_person(rng, number, drug, week) for number in range(patients)]
    rows, doses = [], []
    for person in people:
        for when, true in ((0, person['base']), (week, person['final'])):
            if when and person['left']:
                continue
            rows += _samples(rng, person, when, true, invented, precise, milligrams)
        if person['arm']:
            doses.append(f'{person["name"]},{_dose(person["final"])}')
    rows += [_row(rng, person, when, 'a', '999', 9) for person, when in _lost(rng, people)]
    order = rng.permutation(len(rows))
    following = [_person(rng, 700 + number, drug, week, screened=False) for number in range(60)]
    files = {
        'protocol.txt': PROTOCOL.format(drug=drug, week=week),
        'patients.csv': 'patient,site,arm,sex,bmi\n' + ''.join(_line(person) + '\n' for person in people),
        'visits.csv': 'patient,week,sample,ldl,entered\n' + ''.join(rows[at] + '\n' for at in order),
        'doses.csv': 'patient,dose\n' + '\n'.join(doses) + '\n',
        'next.csv': 'patient,site,arm,sex,bmi,ldl,dose\n'
        + ''.join(f'{_line(one)},{_shown(one["base"], one["site"] in milligrams)},10\n' for one in following),
    }
    return files, {'final': [round(one['final'], 2) for one in following]}


PROTOCOL = """Protocol, in short

Two thirds of the patients were drawn for {drug}, one third for placebo (column arm of patients.csv). Who has no arm was
screened and never took part.
LDL cholesterol was measured at week 0 and at week {week}. At a visit two samples (a and b) of the same blood are measured
independently of each other. The value of a visit is the mean of its samples, or the one that there is.
visits.csv holds what the laboratories sent. Each site has its own laboratory, which measures in one unit from
first to last, mmol/l or mg/dl (1 mmol/l is {mg} mg/dl). LDL of our patients is between 1 and 9 mmol/l.
999 is a sample that was lost. A sample that was sent more than once counts as it was sent last (column entered), also if
it was lost.
A patient is a T and three digits. Laboratories leave out leading zeros and write other separators.
Primary analysis: all patients with a value at week 0. A patient without a value at week {week} counts as unchanged.
The mean change of the two arms is compared by a two-sided t test of independent groups: Welch's if Levene's test of the
changes (scipy's defaults) has p < 0.05, Student's otherwise.
doses.csv: the dose in mg on the last day of the trial; everybody began with 10 mg. It was raised in
steps of 10 mg, on the grounds of the LDL between the visits. Tablets of placebo look alike and were raised alike.
next.csv: patients who begin now, as patients.csv has them, with LDL at week 0 as their laboratory sends it (mean of both
samples) and the dose that they take.
""".replace('{mg}', str(MG))


def _person(rng, number, drug, week, screened=True):
    bmi = float(rng.normal(27, 4.5))
    base = float(min(max(rng.normal(4.3, 0.8), 2.4), 7.5))
    arm = drug if rng.random() < 2 / 3 else 'placebo'
    if arm == drug:
        final = base - 0.45 - 0.35 * (base - 4.3) + 0.11 * (bmi - 27) + float(rng.normal(0, 0.22))
    else:
        final = base - 0.05 * (base - 4.3) + float(rng.normal(0, 0.22))
    if screened and rng.random() < 0.08:
        arm = ''
    return {
        'name': f'T{number + 1:03d}',
        'site': str(rng.choice(SITES)),
        'arm': arm,
        'sex': str(rng.choice(['f', 'm'])),
        'bmi': round(bmi, 1),
        'base': base,
        'final': min(max(final, 1.2), 8.5),
        'left': bool(rng.random() < (0.22 if arm == drug else 0.1)),
    }


def _line(person):
    return ','.join(str(person[key]) for key in ('name', 'site', 'arm', 'sex', 'bmi'))


def _dose(final):
    return 10 + 10 * max(0, round((final - 2.9) / 0.3))


def _shown(mmol, milligrams):
    return f'{mmol * MG:.0f}' if milligrams else f'{mmol:.2f}'


def _written(rng, name):
    number = int(name[1:])
    forms = (name, name, name, f'T{number}', f't-{number:03d}', f'T {number:03d}', f't{number}')
    return forms[int(rng.integers(len(forms)))]


def _row(rng, person, when, sample, shown, day):
    entered = date(2025, 1, 6) + timedelta(weeks=when, days=day)
    return f'{_written(rng, person["name"])},{when},{sample},{shown},{entered}'


def _samples(rng, person, when, true, invented, precise, milligrams):
    site, inside = person['site'], person['site'] in milligrams
    spread = 0.035 if site == precise else 0.13
    first = true + float(rng.normal(0, spread))
    second = true + float(rng.normal(0, spread))
    rows = []
    if site == invented:
        shown = _shown(first, inside)
        sign = 1 if rng.random() < 0.5 else -1
        values = [shown, f'{int(shown) + 5 * sign}' if inside else f'{float(shown) + 0.14 * sign:.2f}']
    else:
        values = [_shown(first, inside), _shown(second, inside)]
    for sample, shown in zip('ab', values):
        if rng.random() < 0.05:
            shown = '999'
        elif site != invented and rng.random() < 0.07:  # a slip that was put right later
            rows.append(_row(rng, person, when, sample, _shown(true + 1.5, inside), int(rng.integers(3, 9))))
        rows.append(_row(rng, person, when, sample, shown, int(rng.integers(10, 20))))
    return rows


def _lost(rng, people):
    """Samples that were first said to be lost, and found afterwards."""
    chosen = rng.choice(len(people), len(people) // 12, replace=False)
    return [(people[int(at)], 0) for at in chosen]

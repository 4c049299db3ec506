"""A cross-over trial of a drug for sleep: a diary, levels in the blood, kits exchanged, and an effect that lasts."""

from datetime import datetime, timedelta


def make(rng, subjects, drug, lasting):
    people = _people(rng, subjects)
    for person in people:
        person['diary'] = _diary(rng, person, lasting)
    lines = ['subject,sequence,start1,start2']
    for person in people:
        first, second = (f'{person["start"] + timedelta(days=days):%Y-%m-%d}' for days in (0, 14))
        lines.append(f'{person["name"]},{person["planned"]},{first},{second}')
    rows = [row for person in people for row in _entries(rng, person)]
    order = rng.permutation(len(rows))
    files = {
        'protocol.txt': PROTOCOL.format(drug=drug),
        'subjects.csv': '\n'.join(lines) + '\n',
        'diary.csv': 'subject,day,slept,entered\n' + '\n'.join(rows[at] for at in order) + '\n',
        'blood.csv': 'subject,period,level,unit\n' + '\n'.join(_blood(rng, people)) + '\n',
    }
    return files, {}


PROTOCOL = """Protocol: {drug} against placebo for sleep, a cross-over trial

1. Each subject takes {drug} in one period and placebo in the other. A period has 14 nights. Period 2 follows period 1
   without a pause. subjects.csv has the sequence that was planned (DP: {drug} first, PD: placebo first) and of each
   period the evening of its first tablet (start1, start2).
2. diary.csv: in the morning subjects write how long they have slept. The day is that of this morning. Night 1 of a
   period is the night after its first tablet. The length is in minutes (432), in hours and minutes (7:12) or in hours
   (7.2 h). A length of 0 means that nothing was written. A night that is there more than once was corrected, and the
   row that was entered last counts. Some subjects kept the diary before the first and after the last period, too.
3. blood.csv: blood is taken on the last day of each period. Below its limit the laboratory writes < and the limit. Of a
   period with a level of 4 ng/ml or more we say that {drug} was taken in it, of a period with a lower level that
   placebo was. Of a period without blood we say that what was planned was taken.
4. Who took the same in both periods leaves the study. All others stay, and are analysed by what they took.
5. If the {drug} of period 1 still works in the first nights of period 2, these nights are left out, and as many nights
   at the beginning of period 1. Analysed is who then has at least 6 nights with a length in each of both periods.
6. The effect is the sleep under {drug} minus the sleep under placebo, in minutes a night. What is analysed of a subject
   are the two means of the nights that are left. A shift from period 1 to period 2 that is the same for all subjects
   must not change the estimate, however many subjects took {drug} first. Its 95 % confidence interval is that of the
   t distribution, with the number of subjects less 2 degrees of freedom and one variance for both sequences.
"""


def _people(rng, subjects):
    first = int(round(0.64 * subjects))
    planned = [str(one) for one in rng.permutation(['DP'] * first + ['PD'] * (subjects - first))]
    people = []
    for number, sequence in enumerate(planned, start=1):
        start = datetime(2024, 9, 2) + timedelta(days=int(rng.integers(0, 40)))
        base, gain = float(rng.normal(365, 38)), float(rng.normal(42, 7))
        people.append(
            {'name': f'S{number:02d}', 'planned': sequence, 'taken': sequence, 'start': start, 'base': base}
            | {'gain': gain, 'quit': 14, 'shown': int(rng.choice([0, 0, 1, 2, 3]))}
        )
    chosen = [int(at) for at in rng.permutation(subjects)[:9]]
    for at in chosen[:3]:  # the kits were exchanged
        people[at]['taken'] = people[at]['planned'][::-1]
    people[chosen[3]]['taken'], people[chosen[4]]['taken'] = 'DD', 'PP'
    for at, quitted in zip(chosen[5:], (0, 1, 2, 3)):
        people[at]['quit'] = quitted
    return people


def _diary(rng, person, lasting):
    """Minutes of each night, by period and night; None where there is none."""
    diary = {}
    for period in (1, 2):
        gaps = {int(night) for night in rng.choice(14, int(rng.integers(0, 3)), replace=False)}
        for night in range(1, 15):
            drug = person['taken'][period - 1] == 'D'
            lasts = period == 2 and night <= lasting and person['taken'][0] == 'D'
            mean = person['base'] + (person['gain'] if drug or lasts else 0) - (20 if period == 2 else 0)
            slept = int(round(mean + float(rng.normal(0, 24))))
            gone = period == 2 and night > person['quit']
            diary[period, night] = None if gone else 0 if night - 1 in gaps else slept
    return diary


def _entries(rng, person):
    rows = []
    for (period, night), slept in person['diary'].items():
        if slept is None or (slept == 0 and rng.random() < 0.5):
            continue
        day = person['start'] + timedelta(days=14 * (period - 1) + night)
        form = int(rng.choice(3, p=(0.6, 0.25, 0.15)))
        if form == 2 and slept:
            slept = 6 * round(slept / 6)
        moment = day + timedelta(minutes=int(rng.integers(400, 600)))
        if slept and rng.random() < 0.06:  # corrected later
            wrong = slept + int(rng.choice([-120, -60, 60, 120]))
            rows.append(_row(rng, person, day, str(wrong), moment))
            moment += timedelta(minutes=int(rng.integers(60, 2000)))
        text = (str(slept), f'{slept // 60}:{slept % 60:02d}', f'{slept / 60:.1f} h')[form] if slept else '0'
        rows.append(_row(rng, person, day, text, moment))
    outside = [*range(1 - person['shown'], 1)]
    if person['quit'] == 14:
        outside += [*range(29, 29 + person['shown'])]
    for night in outside:
        day = person['start'] + timedelta(days=night)
        slept = str(int(round(person['base'] + float(rng.normal(0, 24)))))
        rows.append(_row(rng, person, day, slept, day + timedelta(minutes=int(rng.integers(400, 600)))))
    return rows


def _row(rng, person, day, slept, moment):
    name = str(rng.choice([person['name'], person['name'].lower(), person['name'].replace('S', 'S-')], p=(0.7, 0.2, 0.1)))
    return f'{name},{day:%Y-%m-%d},{slept},{moment:%Y-%m-%d %H:%M}'


def _blood(rng, people):
    rows = []
    for person in people:
        small = rng.random() < 0.4  # this laboratory writes pg/ml
        for period in (1, 2):
            if period == 2 and person['quit'] < 14:
                continue
            drug = person['taken'][period - 1] == 'D'
            level = float(rng.uniform(7, 40)) if drug else float(rng.uniform(0.6, 2.6))
            below = not drug and rng.random() < 0.6
            scale = 1000 if small else 1
            shown = f'<{0.5 * scale:g}' if below else f'{level * scale:.0f}' if small else f'{level:.1f}'
            rows.append(f'{person["name"]},{period},{shown},{"pg/ml" if small else "ng/ml"}')
    return rows

"""A case-control study of three markers: samples before and after the diagnosis, and a screening with other stages."""

from datetime import date, timedelta

import numpy as np

STAGES = ('I', 'II', 'III', 'IV')


def make(rng, people, prevalence, early):
    names = [f'K{number}' for number in rng.choice(9000, people, replace=False) + 1000]
    rows, samples = [], []
    for name in names:
        case = bool(rng.random() < 0.48)
        stage = STAGES[int(rng.choice(4, p=(0.15, 0.2, 0.35, 0.3)))] if case else ''
        diagnosed = date(2023, 1, 1) + timedelta(days=int(rng.integers(200, 700)))
        part = 'derivation' if rng.random() < 0.55 else 'validation'
        late = stage in ('III', 'IV')
        positive = rng.random() < ((0.97 if late else 0.75) if case else 0.12)
        when = f'{diagnosed:%d.%m.%Y}' if case else ''
        rows.append(f'{name};{"case" if case else "control"};{stage};{when};{part};{"positive" if positive else "negative"}')
        samples += _samples(rng, name, case, late, diagnosed)
    samples = [samples[at] for at in rng.permutation(len(samples))]
    files = {
        'people.csv': 'person;group;stage;diagnosed;part;old_test\n' + '\n'.join(rows) + '\n',
        'samples.csv': 'person,drawn,ferrin,kalin,orbin,note\n' + '\n'.join(samples) + '\n',
        'methods.txt': METHODS.format(prevalence=prevalence, early=early),
    }
    return files, {}


METHODS = """Methods

Cases are patients with the disease; diagnosed is the day of the diagnosis. Controls never had it. For each case we looked
for about one control, so the two groups are about as large.
The sample of a person is the last usable one; of a case the last usable one drawn before the day of the diagnosis, since
treatment begins on that day. Haemolysed samples are not usable (column note). Who has no such sample leaves the study.
Markers are in ng/ml. A value below the limit of detection is written with < and counts as half the limit.
A marker tells cases from controls by the area under its ROC curve: 1 is perfect, 0.5 is worthless. Which values speak for
the disease, high or low ones, is what the derivation part shows.
A threshold is chosen in the derivation part and judged in the validation part. A person is positive at the threshold or
beyond it, on the side that speaks for the disease.
old_test is the result of the old test, which everybody had.
Screening: {prevalence} percent of the people who will be screened have the disease, {early} percent of them in stage I
or II, the others in stage III or IV. Sensitivity is that of the stages in the validation part, specificity that of its
controls.
"""


def _samples(rng, name, case, late, diagnosed):
    days = sorted(int(day) for day in rng.choice(np.arange(15, 190), int(rng.integers(1, 4)), replace=False))
    drawn = [(diagnosed - timedelta(days=day), False) for day in days]
    if case:
        drawn = drawn[: int(rng.integers(1, 3))]
        after = rng.random() < 0.6
        if after:
            days = (0,) if rng.random() < 0.3 else (int(rng.integers(3, 60)),)
            drawn += [(diagnosed + timedelta(days=day), True) for day in days]
    return [_sample(rng, name, when, case, late, treated) for when, treated in drawn]


def _sample(rng, name, when, case, late, treated):
    ferrin = np.exp(rng.normal(np.log(30) + (0 if not case else 1.0 if late else 0.45), 0.7))
    kalin = np.exp(rng.normal(np.log(20) - (0 if not case else 1.0 if late else 0.45), 0.35))
    orbin = np.exp(rng.normal(np.log(1.1) + (2.6 if treated else 0.3 if case else 0), 0.8))
    note = str(rng.choice(['', 'ok', 'not haemolysed', 'haemolysed', 'Haemolysed', 'HAEMOLYSED, repeat'],
                          p=(0.5, 0.2, 0.12, 0.08, 0.06, 0.04)))  # fmt: skip
    shown = '<0.5' if orbin < 0.5 else f'{orbin:.2f}'
    if ',' in note:
        note = f'"{note}"'
    return f'{name},{when},{ferrin:.1f},{kalin:.2f},{shown},{note}'

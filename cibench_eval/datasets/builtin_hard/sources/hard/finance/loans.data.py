"""The loans of two branches, what two assessors ask for, and applications whose outcome is held out."""

from datetime import date, timedelta

import numpy as np

EXPORT = date(2025, 9, 30)
PURPOSES = ('car', 'kitchen', 'studies', 'wedding', 'boat')
GRADES = 'ABCD'


def make(rng, loans, first, second, window, bound):
    rows = [_loan(rng, number, 0 if rng.random() < 0.5 else 1, window) for number in range(loans)]
    known = sorted(rng.choice(9000, loans, replace=False) + 100)
    opened = sorted(int(day) for day in rng.integers(0, 1660, loans))
    for row, number, day in zip(rows, known, opened):
        row['id'], row['opened'] = int(number), date(2021, 1, 4) + timedelta(days=day)
        if row['days'] is not None and row['opened'] + timedelta(days=row['days']) > EXPORT:
            row['days'] = None  # it has not happened yet
        behind = row['days'] is not None
        row['reminders'] = int(rng.integers(1, 5)) if behind else int(rng.random() < 0.04)
    new = [_loan(rng, number, int(rng.integers(0, 2)), window) for number in range(220)]
    files = {
        'branch_1.csv': _first(rng, rows),
        'branch_2.csv': _second(rng, rows).encode('cp1252'),
        'assessors.csv': _assessors(rng, rows),
        'applications.csv': _applications(rng, new, (first, second)),
        'notes.txt': NOTES.format(first=first, second=second, codes=', '.join(f'{1 + k} {p}' for k, p in enumerate(PURPOSES))),
    }
    return files, {'outcome': ['1' if row['days'] is not None and row['days'] <= window else '0' for row in new]}


NOTES = """How the branches keep their loans

branch_1.csv is the list of {first}, branch_2.csv that of {second}. Both were exported on 30 September 2025, after closing
time.
Some loans of {first} were moved to {second}. {first} has left them in its list as they were on that day; they are
{second}'s now, and its list is right. {first} writes the number of a loan with an L and four digits, {second} without both.
{first} writes amounts in euros, {second} in thousands of euros with a decimal comma.
Income is what the customer earns: by the month at {first}, by the year at {second}. Applications give it by the year.
`late_on` is the day on which a loan first was 30 days behind. {first} writes 1900-01-01 where that has not happened,
{second} nothing.
`earlier` is the number of loans that the customer has paid back before. `reminders` is the number of letters that we
have sent about the loan.
{second} writes purposes as numbers: {codes}.
Each list ends with a sum.
"""


def _loan(rng, number, branch, window):
    grade = int(rng.choice(4, p=((0.1, 0.2, 0.3, 0.4), (0.4, 0.3, 0.2, 0.1))[branch]))
    income = float(rng.lognormal(10.5, 0.35))
    weight = float(rng.normal(0, 0.75))
    earlier = int(rng.integers(0, 5))
    score = 2.6 * weight + 1.2 * (grade - 1.5) - 0.9 * (earlier - 2) + (-0.9, 0.9)[branch] - 0.1
    behind = rng.random() < 1 / (1 + np.exp(-1.8 * score))
    days = int(rng.integers(31, window + 1)) if behind else int(rng.integers(window + 1, 900)) if rng.random() < 0.12 else None
    amount = round(income * 0.35 * float(np.exp(weight)), -2) + 100
    purpose = int(rng.choice(5, p=(0.3, 0.25, 0.2, 0.15, 0.1)))
    return {'branch': branch, 'grade': GRADES[grade], 'income': round(income / 12) * 12, 'amount': int(amount),
            'earlier': earlier, 'purpose': purpose, 'days': days}  # fmt: skip


def _late(row):
    return None if row['days'] is None else row['opened'] + timedelta(days=row['days'])


def _first(rng, rows):
    lines, total = ['number,opened,grade,purpose,amount,income,earlier,late_on,reminders'], 0
    for row in rows:
        moved = row['branch'] == 1 and rng.random() < 0.12
        if row['branch'] == 1 and not moved:
            continue
        late, reminders, amount = _late(row), row['reminders'], row['amount']
        if moved:  # as it was on that day
            late, reminders, amount = None, 0, amount + 100 * int(rng.integers(1, 9))
        total += amount
        name = PURPOSES[row['purpose']]
        name = name.upper() if rng.random() < 0.2 else name + ' ' if rng.random() < 0.2 else name
        lines.append(f'L{row["id"]:04d},{row["opened"]},{row["grade"]},{name},{amount},{row["income"] // 12},{row["earlier"]},'
                     f'{late or "1900-01-01"},{reminders}')  # fmt: skip
    return '\n'.join(lines) + f'\nSum,,,,{total},,,,\n'


def _second(rng, rows):
    lines, total = ['Nummer;eröffnet;Klasse;Zweck;Betrag;Einkommen;früher;late_on;Mahnungen'], 0
    for row in rows:
        if row['branch'] == 0:
            continue
        late = _late(row)
        total += row['amount']
        lines.append(f'{row["id"]};{row["opened"]:%d.%m.%Y};{row["grade"]};{row["purpose"] + 1};{_thousands(row["amount"])};'
                     f'{row["income"]};{row["earlier"]};{late.strftime("%d.%m.%Y") if late else ""};{row["reminders"]}')  # fmt: skip
    return '\n'.join(lines) + f'\nSumme;;;;{_thousands(total)};;;;\n'


def _thousands(amount):
    return f'{amount / 1000:.1f}'.replace('.', ',')


def _assessors(rng, rows):
    chosen = rng.choice(len(rows), 46, replace=False)
    lines = []
    for place, index in enumerate(chosen):
        rate = float(rng.normal(7.5, 1.6))
        other = rate + 0.22 + float(rng.normal(0, 0.45))
        if place != 3:
            lines.append(f'L{rows[index]["id"]:04d},Ada,{rate:.2f}')
        if place not in (5, 11):
            lines.append(f'L{rows[index]["id"]:04d},Ben,{other:.2f}')
    return '\n'.join(['loan,assessor,rate', *(lines[k] for k in rng.permutation(len(lines)))]) + '\n'


def _applications(rng, rows, names):
    lines = ['branch,grade,purpose,amount,income,earlier,reminders']
    for row in rows:
        lines.append(f'{names[row["branch"]]},{row["grade"]},{PURPOSES[row["purpose"]]},{row["amount"]},{row["income"]},'
                     f'{row["earlier"]},0')  # fmt: skip
    return '\n'.join(lines) + '\n'

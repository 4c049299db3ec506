"""A wholesaler's invoices, bank entries, exchange rates and customers, and the invoices whose payment is still to come."""

from datetime import date, timedelta

MONTHS = {4: 'April', 7: 'July', 10: 'October'}
LEVELS = {'USD': 1.09, 'CHF': 0.96, 'JPY': 158.0, 'HUF': 385.0}
SERVICE = 6
"""Days by which the reminder service brings payments forward."""
WEEKS = (9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 22, 23)
"""Days between two runs of customers who pay in runs."""
NOISE = (-2, -1, -1, 0, 0, 0, 1, 1, 2)


def make(rng, year, start, near, far, bound):
    first, after = date(year - 1, start, 1), date(year, start, 1)
    begin, service, until = first - timedelta(days=150), _month(after, -3), _month(after, 7) - timedelta(days=1)
    people, listed = _customers(rng, begin, until)
    rates = {currency: _rates(rng, LEVELS[currency], begin, until) for currency in (near, far)}
    books = {'rates': rates, 'near': near, 'far': far, 'service': service}
    books |= {'limit': float(rng.uniform(1500, 2300)), 'hold': int(rng.integers(18, 25))}
    sent = []
    for day in sorted(begin + timedelta(days=int(one)) for one in rng.integers(0, (until - begin).days, 640)):
        person = _one_of(rng, people, 0.78 if day < service else 0.35)
        sent.append(_invoice(rng, person, day, books, int(rng.choice(NOISE))))
    number = {}
    for one in sent:
        number[one['day'].year] = number.get(one['day'].year, 0) + 1
        one['number'] = f'R-{one["day"].year}-{number[one["day"].year]:04d}'
    booked = sorted((entry for one in sent for entry in _entries(rng, one)), key=lambda entry: entry[0])
    booked = [entry for entry in booked if entry[0] <= until]
    booked += [
        (_open(until - timedelta(days=30 * month)), f'Interest {until.year - 1}-{month + 3:04d}', 'EUR', 31.5 + month)
        for month in range(1, 16)
    ]
    booked.sort(key=lambda entry: entry[0])
    middle = len(booked) // 2
    coming, labels = _coming(rng, people, until, books, number)
    files = {
        'invoices.csv': _invoices(rng, sent, until),
        'bank_1.csv': _bank(booked, 0, middle + 40, ',', '%Y-%m-%d'),
        'bank_2.csv': _bank(booked, middle - 40, len(booked), ';', '%d.%m.%Y'),
        'rates.csv': 'day,currency,rate\n'
        + ''.join(f'{day},{name},{rate:.6g}\n' for name, days in rates.items() for day, rate in days),
        'customers.csv': 'number,successor,segment\n' + ''.join(f'{",".join(row)}\n' for row in listed),
        'coming.csv': coming,
        'notes.txt': NOTES.format(month=MONTHS[start], service=service, until=until),
    }
    return files, {'days': labels}


NOTES = """Notes on the books

invoices.csv: kind I is an invoice, kind C a credit note. A credit note lowers the amount of the invoice that it corrects
from the first day on, whatever its own day. Amounts are written without a sign. An invoice of which nothing is left was
cancelled and does not count. Numbers that end in D are drafts that were never sent.
`terms` is the number of days from the day of the invoice to the day on which it is due. `reminders` is how many reminders
had been sent for the invoice when the file was written.
customers.csv: a customer who got a new number has it in `successor`. The number without a successor is the current one.
The fiscal year begins on 1 {month} and has the number of the calendar year in which it ends.
bank_1.csv and bank_2.csv: two exports of one account, which overlap. Each entry of the bank has an `entry` number of its
own. A payment for an invoice has a purpose that begins with R or r, then year and number of the invoice; all other entries
are none of our business here. Money that the bank took back has a minus. The second file has decimal commas.
Payments come in the currency of the invoice, sometimes in parts. What a customer orders for a Saturday or a Sunday is
booked on the Monday after. The bank's files end on {until}.
rates.csv: how much of the currency one euro buys. On days without a rate the last one before holds.
The reminder service started on {service}: it handles all invoices from this day on. An invoice is prompt if all of it was
paid by the end of the 14th day after the day on which it was due. Only invoices are judged whose 14th day is not later
than the end of the bank's files.
An invoice is paid on the first day from which on all that has come in for it, less what the bank took back, covers its
amount at the end of every day.
"""


def _month(day, months):
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _customers(rng, begin, until):
    """24 customers: numbers with the day from which each holds, segment, usual days late; and the lines of the file."""
    free = [f'K{number}' for number in rng.choice(9000, 40, replace=False) + 1000]
    late = [*(int(one) for one in range(0, 30, 3)), 30, 31, *(int(one) for one in range(6, 78, 6))]
    people, listed = [], []
    for index in range(24):
        hops = 2 if index % 6 == 2 else 1 if index % 6 == 5 else 0
        span = (until - begin).days
        days = sorted(begin + timedelta(days=int(one)) for one in rng.integers(span // 4, 3 * span // 4, hops))
        numbers = [free.pop() for _ in range(hops + 1)]
        segment = 'club' if index < 12 else 'office'
        people.append({'numbers': numbers, 'from': days, 'segment': segment, 'late': late[index], 'every': 0})
        listed += [(one, successor, segment) for one, successor in zip(numbers, [*numbers[1:], ''])]
    runs = [int(one) for half in (0, 12) for one in half + rng.choice((2, 5, 8, 11), 2, replace=False)]
    runs += [int(half + one) for half in (0, 12) for one in rng.choice((0, 1, 3, 4, 6, 7), 2, replace=False)]
    for index, every in zip(runs, rng.choice(WEEKS, len(runs), replace=False)):
        people[index] |= {'every': int(every), 'first': begin + timedelta(days=int(rng.integers(every)))}
    return people, sorted(listed)


def _one_of(rng, people, clubs):
    segment = 'club' if rng.random() < clubs else 'office'
    some = [person for person in people if person['segment'] == segment]
    return some[int(rng.integers(len(some)))]


def _rates(rng, level, begin, until):
    days = []
    for step in range((until - begin).days + 45):
        day = begin - timedelta(days=8) + timedelta(days=step)
        level *= float(1 + rng.normal(-0.0004, 0.006))
        if day.weekday() < 5:
            days.append((day, level))
    return days


def _invoice(rng, person, day, books, noise):
    currency = str(rng.choice(['EUR', books['near'], books['far']], p=(0.4, 0.35, 0.25)))
    digits = 0 if LEVELS.get(currency, 1.0) > 100 else 2
    rate = [one for when, one in books['rates'][currency] if when <= day][-1] if currency in books['rates'] else 1.0
    euros = float(rng.lognormal(7.4, 0.7)) if rng.random() < 0.8 else books['limit'] * float(rng.uniform(0.88, 1.12))
    amount = round(euros * rate, digits)
    credit = float(rng.choice((0, 0.2, 1), p=(0.83, 0.11, 0.06)))
    owed = amount - (amount if credit == 1 else round(amount * credit, digits))
    held = person['segment'] == 'office' and owed / rate > books['limit']
    terms = int(rng.choice((14, 30, 60)))
    late = person['late'] - (SERVICE if day >= books['service'] else 0) + (books['hold'] if held else 0)
    ready = day + timedelta(days=max(terms + late, 1))
    if person['every']:
        ordered = person['first'] + timedelta(days=-((person['first'] - ready).days // person['every']) * person['every'])
        spare = (ordered - ready).days
    else:
        ordered, spare = ready + timedelta(days=noise), 0
    return {
        'customer': person['numbers'][sum(day >= since for since in person['from'])],
        'day': day,
        'terms': terms,
        'currency': currency,
        'amount': amount,
        'share': owed / rate / books['limit'],
        'digits': digits,
        'ordered': ordered,
        'every': person['every'],
        'days': (_open(ordered) - day).days,
        'never': bool(rng.random() < 0.05),
        'credit': credit,
        'spare': spare,
        'missed': abs((_open(ordered) - _open(ready)).days) if not person['every'] else 0,
    }


def _open(day):
    """The day on which the bank books what is ordered for a day."""
    return day + timedelta(days=7 - day.weekday() if day.weekday() > 4 else 0)


def _entries(rng, one):
    """Bank entries of an invoice: (day, purpose, currency, amount)."""
    owed = round(one['amount'] - _credited(one), one['digits'])
    if one['never'] or owed <= 0:
        return
    year, number = one['number'][2:6], int(one['number'][7:])
    purposes = (one['number'], f'r {year} {number}', f'Rg. {year}/{number:04d}', f'R{year}-{number:04d}')
    purpose = purposes[int(rng.integers(4))]
    paid = one['day'] + timedelta(days=one['days'])
    before = one['ordered'] - timedelta(days=one['every'] or min(9, one['days'] // 2))
    early = before > one['day'] and (paid - _open(before)).days > 5
    draw = rng.random()
    if draw < 0.10 and early:  # in two halves, the first of them earlier
        half = round(owed / 2, one['digits'])
        yield _open(before), purpose, one['currency'], half
        yield paid, purpose, one['currency'], round(owed - half, one['digits'])
    elif draw < 0.18:  # two equal halves on one day
        half = round(owed / 2, one['digits'])
        yield paid, purpose, one['currency'], half
        yield paid, purpose, one['currency'], round(owed - half, one['digits'])
    elif draw < 0.23 and early:  # taken back and paid again
        yield _open(before), purpose, one['currency'], owed
        yield _open(_open(before) + timedelta(days=2)), purpose, one['currency'], -owed
        yield paid, purpose, one['currency'], owed
    elif draw < 0.27:  # too much
        yield paid, purpose, one['currency'], round(owed * 1.1, one['digits'])
    else:
        yield paid, purpose, one['currency'], owed


def _credited(one):
    return one['amount'] if one['credit'] == 1 else round(one['amount'] * one['credit'], one['digits'])


def _invoices(rng, sent, until):
    rows = []
    credits = 0
    for one in sent:
        settled = until if one['never'] else min(until, one['day'] + timedelta(days=one['days']))
        reminders = min(max((settled - one['day']).days - one['terms'], 0) // 10, 5)
        text = f'{one["customer"]},{one["day"]},{one["terms"]},{one["currency"]}'
        amount = f'{one["amount"]:.{one["digits"]}f}'
        if rng.random() < 0.06:
            rows.append((one['day'], f'{one["number"]}D,I,{text},{one["amount"] * 1.5:.{one["digits"]}f},0,'))
        rows.append((one['day'], f'{one["number"]},I,{text},{amount},{reminders},'))
        if one['credit']:
            credits += 1
            day = one['day'] + timedelta(days=int(rng.integers(3, 60)))
            text = f'{one["customer"]},{day},0,{one["currency"]},{_credited(one):.{one["digits"]}f},0,{one["number"]}'
            rows.append((day, f'G-{credits:04d},C,{text}'))
    rows = [row for day, row in sorted(rows, key=lambda row: row[0])]
    return '\n'.join(['number,kind,customer,day,terms,currency,amount,reminders,corrects', *rows]) + '\n'


def _bank(booked, start, end, separator, form):
    lines = [separator.join(('entry', 'day', 'purpose', 'currency', 'amount'))]
    for index, (day, purpose, currency, amount) in enumerate(booked[start:end], start):
        shown = f'{amount:,.2f}'.translate(str.maketrans(',.', '.,')) if separator == ';' else f'{amount:.2f}'
        lines.append(separator.join((str(500000 + 3 * index), day.strftime(form), purpose, currency, shown)))
    return '\n'.join(lines) + '\n'


def _coming(rng, people, until, books, number):
    lines, labels = ['number,customer,day,terms,currency,amount,reminders'], []
    noises = [int(one) for one in rng.permutation(NOISE * 4)]  # the same error of the best guess in every variant
    every = [person for person in people if person['every']]
    others = [person for person in people if not person['every']]
    wanted = [*every, *every, *every, *every, *(others[index % len(others)] for index in range(len(noises)))]
    rows = []
    for person in wanted:
        noise = noises.pop() if not person['every'] else 0
        one = None
        while one is None or abs(one['share'] - 1) < 0.12 or one['credit'] or not _sure(person, one, noise):
            one = _invoice(rng, person, until + timedelta(days=int(rng.integers(1, 28))), books, noise)
        rows.append((one['day'], float(rng.random()), one))
    for day, _, one in sorted(rows, key=lambda row: row[:2]):
        number[day.year] = number.get(day.year, 0) + 1
        shown = f'{one["amount"]:.{one["digits"]}f}'
        name = f'R-{day.year}-{number[day.year]:04d}'
        lines.append(f'{name},{one["customer"]},{day},{one["terms"]},{one["currency"]},{shown},0')
        labels.append(float(one['days']))
    return '\n'.join(lines) + '\n', labels


def _sure(person, one, noise):
    """Whether a run is not missed or met by a day or two, and a weekend adds nothing to the error of the best guess."""
    return one['missed'] == abs(noise) and (not person['every'] or 2 <= one['spare'] <= person['every'] - 3)

"""Two exports of a shop's payments, its customers and what the accountant says of them."""

from datetime import datetime, timedelta, timezone

SEGMENTS = ('private', 'business', 'school')


def make(rng, orders, currency, rate):
    customers = [f'C{number:05d}' for number in rng.choice(90000, 60, replace=False) + 10000]
    segment = {customer: SEGMENTS[int(rng.choice(3, p=(0.55, 0.3, 0.15)))] for customer in customers}
    rows = [_order(rng, number, customers) for number in range(orders)]
    first, second = rows[: int(orders * 0.6)], rows[int(orders * 0.55) :]  # one in twenty is in both
    files = {
        'payments_1.csv': _first(rng, first),
        'payments_2.csv': _second(rng, second, currency, rate).encode('cp1252'),
        'customers.csv': _customers(rng, segment),
        'notes.txt': NOTES.format(currency=currency, rate=rate),
    }
    return files, {}


NOTES = """Notes for whoever reads these exports

payments_1.csv comes from the old till, payments_2.csv from the new one. While we changed over, some payments were
exported by both; a payment has one id. Where the two differ, the new till is right.
The old till writes amounts in cents. The new one writes euros with a decimal comma, and customers abroad pay in
{currency}: 1 {currency} is {rate} EUR throughout.
The old till's clock shows UTC, the new one's the local time in Berlin.
An amount of 999999 in the old till means that the card was declined. Customers whose number ends in 000 are our own tests.
payments_2.csv was saved on Windows.
"""


def _order(rng, number, customers):
    moment = datetime(2025, 3, 3, tzinfo=timezone.utc) + timedelta(minutes=int(rng.integers(0, 60 * 24 * 120)))
    if rng.random() < 0.25:  # late in the evening, so that the day depends on the clock
        moment = moment.replace(hour=22, minute=int(rng.integers(0, 60)))
    customer = str(rng.choice(customers)) if rng.random() > 0.04 else f'C{int(rng.integers(10, 90))}000'
    cents = int(round(float(rng.lognormal(3.6, 0.7)) * 100))
    return f'P-{100000 + 7 * number}', customer, moment, cents, bool(rng.random() < 0.05), bool(rng.random() < 0.12)


def _first(rng, rows):
    lines = ['id,customer,time,amount']
    for name, customer, moment, cents, declined, _ in rows:
        amount = 999999 if declined else cents
        lines.append(f'{name},{customer},{moment:%Y-%m-%d %H:%M},{amount}')
    return '\n'.join(lines) + '\n'


def _second(rng, rows, currency, rate):
    lines = ['Zahlung;Käufer;Zeit;Betrag;Währung']
    for name, customer, moment, cents, declined, abroad in rows:
        if declined:
            continue
        if rng.random() < 0.05:
            cents += 100  # corrected by hand
        local = moment + timedelta(hours=1 if moment < datetime(2025, 3, 30, 1, tzinfo=timezone.utc) else 2)
        euros = cents / 100 / (rate if abroad else 1)
        shown = f'{euros:,.2f}'.translate(str.maketrans(',.', '.,'))
        key = name.replace('P-', 'p') if rng.random() < 0.3 else name
        lines.append(f'{key};{customer};{local:%d.%m.%Y %H:%M};{shown};{currency if abroad else "EUR"}')
    return '\n'.join(lines) + '\n'


def _customers(rng, segment):
    lines = ['number,segment,since']
    for customer, name in segment.items():
        number = customer.lstrip('C') if rng.random() < 0.4 else customer.lower() if rng.random() < 0.3 else customer
        lines.append(f'{number}, {name},{2015 + int(rng.integers(0, 10))}')
    return '\n'.join(lines) + '\n'

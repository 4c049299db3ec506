"""The books of a tea shop over one year: two tills, the bank, petty cash, a door counter, keys, hours, invoices."""

from datetime import date, timedelta

GROUPS = ('tea', 'teapots', 'sweets', 'books')
PRICES = {'tea': (2.9, 0.4), 'teapots': (3.7, 0.4), 'sweets': (2.3, 0.4), 'books': (3.1, 0.3)}
WEEK = (0.8, 0.85, 0.9, 1.0, 1.2, 1.6, 0)
DAY = timedelta(days=1)


def make(rng, year, practice, leaver, fee, raised, bound):
    for _ in range(200):
        files, held_out, fine = _world(rng, year, practice, leaver, fee, raised)
        if fine:
            return files, held_out
    raise ValueError('no clear world for these parameters')


def _world(rng, year, practice, leaver, fee, raised):
    days = _days(year)
    half = date(year, 7, 1)
    monday = half - DAY * (half.weekday() + 14)  # the last week whose cash is in the bank before July
    handover = monday - DAY * 35
    rates = _rates(rng, year)
    pairs = _pairs(rng, year, days)
    music = {day for pair in pairs for day, played in pair if played}
    door = _door(rng, year, days)
    sales = _sales(rng, days, door, music, handover, half)
    practised = _practice(rng, days, handover, half)
    first = [row for row in sales if row['day'] < half]
    weeks = _weeks(rng, year, first, practised, monday, handover)
    changed = date(year, int(rng.integers(2, 5)), int(rng.integers(8, 22)))
    cards = {day: sum(row['cents'] for row in first if _card(row, day)) for day in days if day < half}
    paid = [day for day in cards if cards[day]]
    clear = [day for last, day in zip(paid, paid[1:], strict=False) if min(cards[last], cards[day]) >= 2500]
    changed = min(day for day in clear if day >= changed)
    files = {
        'till_1.csv': _till_1(rng, first, practised, practice, leaver),
        'till_2.csv': _till_2(rng, [row for row in sales if row['day'] >= half]).encode('cp1252'),
        'notes.txt': NOTES.format(practice=practice),
        'till_2.txt': NOTES_2,
        'rates.csv': ''.join(['group,code,from,percent\n', *(','.join(map(str, row)) + '\n' for row in rates)]),
        'bank.csv': _bank(rng, year, first, weeks, changed, fee, raised).encode('cp1252'),
        'petty.csv': _petty(rng, weeks),
        'door.csv': _door_file(door),
        'door.txt': DOOR,
        'keys.csv': _keys(year, practice, leaver, handover),
        'hours.csv': _hours(rng, sales, rates),
        'music.csv': _music(rng, pairs),
        'letters.csv': _letters(rng),
        'invoices.csv': _invoices(rng, year),
        'invoices.txt': INVOICES,
    }
    labels = [float(one['visitors']) for one in door if one['blank']]
    fine = _fine(weeks, door, handover) and _months_differ(
        [row for row in first if row['who'] != 'Dora'] + [row for row in practised if row['later']], rates
    )
    return files, {'visitors': labels}, fine


def _days(year):
    shut = {date(year, 1, 1), date(year, 5, 1), date(year, 12, 25), date(year, 12, 26)}
    days = [date(year, 1, 1) + DAY * number for number in range(365)]
    return [day for day in days if day.weekday() < 6 and day not in shut]


def _rates(rng, year):
    month = int(rng.choice([2, 5, 8]))
    rows = [(name, code + 1, f'{year}-01-01', 19 if name == 'teapots' else 7) for code, name in enumerate(GROUPS)]
    return [*rows, ('sweets', 3, f'{year}-05-01', 19), ('books', 4, f'{year}-{month:02d}-01', 10)]


def _percent(rates, row):
    valid = [rate for rate in rates if rate[0] == row['group'] and rate[2] <= row['day'].isoformat()]
    return max(valid, key=lambda rate: rate[2])[3]


def _pairs(rng, year, days):
    start = date(year, 9, 1)
    start += DAY * (-start.weekday() % 7)
    pairs = []
    for fortnight in range(6):
        for weekday in sorted(int(one) for one in rng.choice(6, 2, replace=False)):
            one = start + DAY * (14 * fortnight + weekday)
            first = bool(rng.random() < 0.5)
            pairs.append([(one, first), (one + 7 * DAY, not first)])
    return pairs


def _door(rng, year, days):
    new = date(year, 3, 10) + DAY * int(rng.integers(0, 50))
    new += DAY * (-new.weekday() % 7)
    blank = set(int(one) for one in rng.choice(len(days), 24, replace=False))
    flat = set(int(one) for one in rng.choice(len(days), 14, replace=False)) - blank
    door = []
    for number, day in enumerate(days):
        turn = (day - date(year, 1, 20)).days / 365
        temperature = 10 - 10 * _cos(turn) + float(rng.normal(0, 3))
        market = bool(rng.random() < 0.2)
        mean = 70 * WEEK[day.weekday()] * (1.5 if market else 1) * 2.718281828 ** (-0.02 * (temperature - 10))
        visitors = int(round(mean * float(rng.lognormal(0, 0.07))))
        door.append(
            {
                'day': day,
                'visitors': visitors,
                'old': day < new,
                'temperature': round(temperature, 1),
                'market': market,
                'blank': number in blank,
                'flat': number in flat,
            }
        )
    return door


def _cos(turn):
    import math

    return math.cos(2 * math.pi * turn)


def _sales(rng, days, door, music, handover, half):
    sales = []
    for day, one in zip(days, door, strict=True):
        third = 'Emil' if day < handover else 'Dora'
        second = 'Boris' if day.month < 4 else 'Celia'
        for _ in range(max(2, int(rng.binomial(one['visitors'], 0.08)))):
            group = str(rng.choice(GROUPS, p=(0.5, 0.15, 0.2, 0.15)))
            who = str(rng.choice(['Anke', second, third], p=(0.4, 0.3, 0.3)))
            cents = int(round(float(rng.lognormal(*PRICES[group])) * (1.3 if day in music else 1) * 10)) * 10
            pay = 'card' if rng.random() < 0.45 and not (who == 'Dora' and day < half) else 'cash'
            sales.append({'day': day, 'who': who, 'group': group, 'cents': cents, 'pay': pay})
    return sales


def _practice(rng, days, handover, half):
    """Receipts that nobody has paid, before the handover with the key for practice, then with another."""
    rows = []
    for day in days:
        if day < half and rng.random() < (0.16 if day < handover else 0.22):
            group = str(rng.choice(GROUPS))
            cents = int(round(float(rng.lognormal(3.2, 0.5)) * 10)) * 10
            rows.append({'day': day, 'who': '', 'group': group, 'cents': cents, 'pay': 'cash', 'later': day >= handover})
    return rows


def _monday(day):
    return day - DAY * day.weekday()


def _weeks(rng, year, first, practised, last, handover):
    """Cash of each week that is wholly in the first half: what was taken, paid out, stolen and brought to the bank."""
    monday = date(year, 1, 1) + DAY * (-date(year, 1, 1).weekday() % 7)
    weeks, before = [], [monday]
    while before[-1] < last:
        before.append(before[-1] + 7 * DAY)
    stolen = before[int(rng.integers(2, 12))]
    for monday in before:
        cash = [row for row in first if row['pay'] == 'cash' and _monday(row['day']) == monday]
        dora = sum(row['cents'] for row in cash if row['who'] == 'Dora')
        fake = sum(row['cents'] for row in practised if row['later'] and _monday(row['day']) == monday)
        days = sorted({row['day'] for row in first if _monday(row['day']) == monday})
        paid = []
        if rng.random() < 0.6:
            for _ in range(int(rng.integers(1, 3))):
                paid.append((days[int(rng.integers(len(days)))], int(rng.integers(8, 30)) * 100 + 50, True))
        if rng.random() < 0.4:
            paid.append((days[int(rng.integers(len(days)))], int(rng.integers(10, 40)) * 100 + 90, False))
        out = sum(cents for _, cents, from_till in paid if from_till)
        taken = sum(row['cents'] for row in cash)
        gone = 2000 + int(rng.integers(1, 4)) * 1000 if monday == stolen else 0
        gone += int(rng.integers(-120, 121))
        weeks.append(
            {
                'monday': monday,
                'deposit': taken - out - gone,
                'on': monday + DAY * int(rng.choice([7, 8, 8, 9])),
                'paid': paid,
                'gaps': [gone + out + fake - dora, gone + fake - dora, gone],
            }
        )
    return weeks


def _fine(weeks, door, handover):
    """Nothing hangs on a coin flip: gaps are clear, and so is the exchange of the counter."""
    gaps = [gap for week in weeks for gap in week['gaps']]
    if any(300 < abs(gap) < 900 for gap in gaps) or min(week['deposit'] for week in weeks) < 2000:
        return False
    odd = [week for week in weeks if abs(week['gaps'][1]) > 500]
    if len(odd) != 7 or sum(week['monday'] >= handover for week in odd) != 6:
        return False
    means = {}
    for one in door:
        if not one['blank'] and not one['flat']:
            count = one['visitors'] * (2 if one['old'] else 1)
            means.setdefault((_monday(one['day']), one['old']), []).append(count)
    old = [sum(all_) / len(all_) for (_, is_old), all_ in means.items() if is_old]
    new = [sum(all_) / len(all_) for (_, is_old), all_ in means.items() if not is_old]
    falls = [later / one for one, later in zip(old + new, (old + new)[1:], strict=False)]
    others = falls[: len(old) - 1] + falls[len(old) :]
    return min(old) > 1.15 * max(new) and falls[len(old) - 1] < 0.85 * min(others)


def _months_differ(rows, rates):
    """Months by their net sums stand in another order than by the net of an open day."""
    sums, days = {}, {}
    for row in rows:
        month = row['day'].month
        sums[month] = sums.get(month, 0) + row['cents'] / (100 + _percent(rates, row))
        days.setdefault(month, set()).add(row['day'])
    a_day = {month: sums[month] / len(days[month]) for month in sums}
    ranked = sorted(a_day.values())
    clear = all(low * 1.002 < high for low, high in zip(ranked, ranked[1:], strict=False))
    return clear and sorted(sums, key=lambda month: sums[month]) != sorted(a_day, key=lambda month: a_day[month])


def _card(row, day):
    return row['day'] == day and row['pay'] == 'card'


def _times(rng, count):
    return [f'{minute // 60:02d}:{minute % 60:02d}' for minute in sorted(570 + int(one) for one in rng.choice(510, count, replace=False))]


def _till_1(rng, first, practised, practice, leaver):
    keys = {'Anke': 1, 'Boris': 2, 'Celia': 2, 'Dora': practice, 'Emil': leaver}
    lines, number = ['receipt,time,key,code,amount,pay,kind'], 10000
    for day in sorted({row['day'] for row in first}):
        rows = [dict(row, key=keys[row['who']], void=False) for row in first if row['day'] == day]
        rows += [
            dict(row, key=leaver if row['later'] else practice, void=False) for row in practised if row['day'] == day
        ]
        if rng.random() < 0.18:
            rows.append(dict(rows[int(rng.integers(len(rows)))], void=True))
        order = rng.permutation(len(rows))
        total, last = 0, '18:00'
        for time, one in zip(_times(rng, len(rows)), order, strict=True):
            number += 1
            row = rows[int(one)]
            written = f'{number},{day} {time},{row["key"]},{GROUPS.index(row["group"]) + 1:02d},'
            written += f'{row["cents"] / 100:.2f},{row["pay"]},'
            lines.append(written + 'sale')
            total += row['cents']
            if row['void']:
                lines.append(written + 'void')
                total -= row['cents']
        lines.append(f',{day} {last},,,{total / 100:.2f},,total')
    return '\n'.join(lines) + '\n'


def _till_2(rng, rows):
    names = {'tea': 'Tee', 'teapots': 'Kännchen', 'sweets': 'Süßes', 'books': 'Bücher'}
    lines, number = ['Nr;Tag;Name;Gruppe;Cent;Zahlung;Art'], 0
    everything = [dict(row, kind='V') for row in rows]
    for row in rows:
        if rng.random() < 0.04:
            everything.append(dict(row, kind='U', pay='cash', cents=int(rng.integers(20, 60)) * 100))
        if rng.random() < 0.05:
            everything.append(dict(row, kind='G', cents=int(rng.choice([2000, 3000, 5000]))))
    everything.sort(key=lambda row: row['day'])
    for row in everything:
        number += 1
        who = row['who'].upper() if rng.random() < 0.2 else row['who'] + ' ' * int(rng.random() < 0.2)
        group = 'Gutschein' if row['kind'] == 'G' else names[row['group']]
        pay = {'card': 'Karte', 'cash': 'bar'}[row['pay']]
        cents, taken = row['cents'], 0
        kind = 'V' if row['kind'] == 'G' else row['kind']
        if kind == 'V' and group != 'Gutschein':
            if rng.random() < 0.12:
                pay = 'Gutschein'
            if rng.random() < 0.05:  # part of it was taken back: it was rung up with more
                taken = int(rng.integers(5, 20)) * 100
        start = f'{number};{row["day"]:%d.%m.%Y};{who};{group};'
        lines.append(f'{start}{cents + taken};{pay};{kind}')
        if taken:
            lines.append(f'{start}{-taken};{pay};S')
        elif kind == 'V' and rng.random() < 0.02:  # another sale, taken back as a whole
            number += 1
            start = f'{number};{row["day"]:%d.%m.%Y};{who};{names["tea"]};'
            lines += [f'{start}1890;bar;V', f'{start}-1890;bar;S']
    return '\n'.join(lines) + '\n'


def _german(cents):
    return f'{cents / 100:,.2f}'.translate(str.maketrans(',.', '.,'))


def _bank(rng, year, first, weeks, changed, fee, raised):
    end = date(year, 6, 30)
    monday, rows = weeks[0]['monday'], []
    for day in (monday + DAY, monday - 6 * DAY):  # of weeks that are in no till, or not as a whole
        if day > date(year, 1, 1):
            rows.append((day, 'BAREINZAHLUNG', int(rng.integers(9000, 40000))))
    for day in sorted({row['day'] for row in first}):
        card = sum(row['cents'] for row in first if _card(row, day))
        booked = day + DAY * int(rng.integers(1, 3))
        booked += DAY * {5: 2, 6: 1}.get(booked.weekday(), 0)
        if card:
            kept = int(card * (raised if day >= changed else fee) / 100 + 0.5)
            rows.append((booked, f'KARTENUMSATZ VOM {day:%d.%m.%Y}', card - kept))
    rows += [(week['on'], 'BAREINZAHLUNG', week['deposit']) for week in weeks]
    for month in range(1, 7):
        rows.append((date(year, month, 3), 'MIETE LADEN', -85000))
        for _ in range(2):
            rows.append((date(year, month, 28), 'LOHN AUSHILFE', -25000))
        for _ in range(2):
            day = date(year, month, int(rng.integers(5, 27)))
            rows.append((day, f'TEEIMPORT RECHNUNG {int(rng.integers(100, 999))}', -int(rng.integers(20000, 90000))))
    rows = sorted((row for row in rows if row[0] <= end), key=lambda row: row[0])
    balance = int(rng.integers(300000, 600000))
    lines, page = ['Nr;Buchung;Text;Betrag', f';{date(year, 1, 1):%d.%m.%Y};Anfangssaldo;{_german(balance)}'], []
    for number, (day, text, cents) in enumerate(rows, start=1):
        line = f'{number};{day:%d.%m.%Y};{text};{_german(cents)}'
        balance += cents
        lines.append(line)
        page.append(line)
        if number % 40 == 0:
            lines += [f';{day:%d.%m.%Y};Übertrag;{_german(balance)}', *page[-3:]]
            page = []
    return '\n'.join(lines) + '\n'


def _petty(rng, weeks):
    things = ('window cleaner', 'stamps', 'flowers', 'milk', 'light bulbs', 'string')
    rows = sorted(one for week in weeks for one in week['paid'])
    lines, total, month = ['date;what;amount;paid from'], 0, None
    for day, cents, from_till in [*rows, (None, 0, False)]:
        if month is not None and (day is None or day.month != month):
            lines.append(f';sum of the month;{_german(total)};')
            total = 0
        if day is not None:
            lines.append(f'{day:%d/%m/%Y};{rng.choice(things)};{_german(cents)};{"till" if from_till else "purse"}')
            month, total = day.month, total + cents
    return '\n'.join(lines) + '\n'


def _door_file(door):
    lines = ['day,count,temperature,market']
    for one in door:
        count = one['visitors'] * (2 if one['old'] else 1)
        shown = '' if one['blank'] else 0 if one['flat'] else count
        lines.append(f'{one["day"]},{shown},{one["temperature"]},{"yes" if one["market"] else "no"}')
    return '\n'.join(lines) + '\n'


def _keys(year, practice, leaver, handover):
    before = handover - DAY
    return '\n'.join(
        [
            'key,name,from,to',
            f'1,Anke,{year}-01-01,',
            f'2,Boris,{year}-01-01,{year}-03-31',
            f'2,Celia,{year}-04-01,',
            f'{leaver},Emil,{year}-01-01,{before}',
            f'{leaver},practice,{handover},',
            f'{practice},practice,{year}-01-01,{before}',
            f'{practice},Dora,{handover},',
            '',
        ]
    )


def _hours(rng, sales, rates):
    wages = dict(zip(('Anke', 'Boris', 'Celia', 'Dora', 'Emil'), rng.permutation([31.0, 28.0, 24.5, 21.5, 19.0])))
    lines = ['name,month,hours']
    for month in range(1, 13):
        for name in wages:
            rows = [row for row in sales if row['who'] == name and row['day'].month == month]
            net = sum(row['cents'] / (100 + _percent(rates, row)) for row in rows)
            quarters = max(1, round(4 * net / wages[name] * float(rng.uniform(0.9, 1.1))))
            if rows and rng.random() < 0.5:
                lines.append(f'{name},{month},{quarters // 4}:{quarters % 4 * 15:02d}')
            elif rows:
                lines.append(f'{name},{month},{quarters / 4:.2f}')
    return '\n'.join(lines) + '\n'


def _music(rng, pairs):
    rows = [(day, number, played) for number, pair in enumerate(pairs, start=1) for day, played in pair]
    return 'day,pair,music\n' + ''.join(f'{day},{pair},{"yes" if on else "no"}\n' for day, pair, on in sorted(rows))


def _letters(rng):
    used = rng.lognormal(4, 0.6, 200)
    spring = (used * rng.lognormal(0, 0.5, 200)).round(2)
    autumn = used * rng.lognormal(0, 0.5, 200)
    order = spring.argsort()
    spring[order[80:]] += 0.5  # no tie at the last of the 80
    lot = set(int(one) for one in rng.permutation(order[:80])[:40])
    lines = ['customer,spring,letter,autumn']
    for number in range(200):
        got = number in lot
        lines.append(
            f'K{number + 301},{spring[number]:.2f},{"yes" if got else "no"},{autumn[number] + (9 if got else 0):.2f}'
        )
    return '\n'.join(lines) + '\n'


def _invoices(rng, year):
    rows = []
    for number in range(1, 61):
        written = date(year, 1, 3) + DAY * int(5.9 * number + float(rng.uniform(0, 5)))
        delivered = written + DAY * int(rng.integers(2, 26))
        what = str(rng.choice(['tea', 'teapots', 'sweets', 'books', 'private'], p=(0.45, 0.2, 0.15, 0.12, 0.08)))
        currency = 'GBP' if rng.random() < 0.25 else 'EUR'
        cents = int(rng.integers(9000, 42000))
        if rng.random() < 0.08:
            cents = -int(cents * 0.4)
        percent = 19 if what in ('teapots', 'private') else 7
        rows.append((written, f'R-{year}-{number:03d}', delivered, what, cents, percent, currency))
        if rng.random() < 0.16 and cents > 0:
            rows.append((written + DAY * 35, f'R-{year}-{number:03d} M1', delivered, what, cents + 800, percent, currency))
    lines = ['invoice,written,delivered,what,gross,percent,currency']
    for written, number, delivered, what, cents, percent, currency in sorted(rows):
        lines.append(f'{number},{written},{delivered},{what},{cents / 100:.2f},{percent},{currency}')
    return '\n'.join(lines) + '\n'


NOTES = """Notes on the books, for whoever keeps them next

till_1.csv is the old till, January to June. Each row of kind "sale" is one receipt, in euros with VAT. A row of kind
"void" repeats the receipt that it takes back. At the end of a day the till writes the day's total.
Key {practice} is for practice: what is rung up with it was not sold. Practice is always rung up as cash.
Keys from 7 on belong to the till by the door, which takes cash only.
rates.csv: the rate of VAT of each group of articles (code in the till) in percent, and the day from which it holds.
bank.csv: our account, January to June, as the bank prints it. Its pages overlap; a booking has one number.
The bank pays the cards of one day as one sum after a fee, which it keeps: a share of the day's cards, rounded to cents.
On one of its first three days a week's cash goes to the bank: that of the week before, Monday to Sunday.
"""

NOTES_2 = """The new till, from July on (till_2.csv)

One receipt may have several rows, all under its number. Cent: the amount in cents, with VAT.
Art V: rung up. Art S: taken back, in part or as a whole; of a receipt of which nothing is left we do not speak again.
Art U: rung up for practice (Übung), not sold.
Gruppe: Tee is tea, Kännchen teapots, Süßes sweets, Bücher books. Gutschein is a voucher: money for goods to come.
Handing out a voucher is no sale; what a customer takes home and pays with one is. Zahlung: bar is cash, Karte is card,
Gutschein is voucher. Numbers begin at 1 again. The file was saved on Windows.
"""

DOOR = """door.csv has a row for each day on which the shop was open. temperature: in degrees at noon. market: whether there
was a market in the street. count: what the counter by the door showed in the evening. Nothing there: nobody had
switched it on. 0: its battery was empty.
At first we had a counter that counted everybody who went through the door, those who came and the same people when
they left. On a Sunday in spring another one was put up, which counts those who come. A visitor is somebody who comes.
"""

INVOICES = """invoices.csv: what suppliers have sent us. gross: with VAT (percent) in the currency; 1 GBP was 1.17 EUR all year.
A negative amount is a credit note. A reminder repeats an invoice under its number with M1 behind it and a fee on top,
which nobody has ever paid. "private" was for the owner at home and is no cost of the shop. A cost belongs to the day of
its delivery.
"""

"""A building's meters over one year: electricity, submeters, heat, weather, flow sensors, bills and a log."""

from datetime import date, timedelta
from statistics import NormalDist

import numpy as np

OFFSETS = {'Berlin': 1, 'Vienna': 1, 'Helsinki': 2, 'Athens': 2}
SMALLER = {200: 150, 150: 100, 250: 200}
METERS = ('attic', 'east', 'hall', 'north', 'south', 'west')
CLOSED = (((12, 23), (1, 6)), ((4, 14), (4, 18)), ((5, 1), (5, 1)), ((8, 7), (8, 18)), ((10, 3), (10, 4)))
SHAPE = np.array([0.6, 0.9, 1.2, 1.4, 1.4, 1.3, 1.2, 1.3, 1.3, 1.2, 1.1, 1.0, 0.9, 0.8, 0.7, 0.6])  # of 6 to 21 o'clock


def make(rng, year, city, old, control, effect):
    plan = {**_plan(rng, year, control), 'offset': OFFSETS[city]}
    days = plan['days']
    temperature = _temperatures(rng, plan)
    parts, true = _electricity(rng, plan)
    hours = _hours(rng, plan, true)
    heat = _heat(rng, plan, temperature, effect)
    last = days.index(date(year, 12, 31)) + 1
    new = SMALLER[old]
    log, exchanged = _log(rng, plan, old, new)
    files = {
        'notes.txt': NOTES.format(city=city, old=old),
        'profile.csv': _profile(rng, plan, hours, last, old, new, exchanged),
        'closed.txt': _closed(plan),
        'sub.csv': _sub(rng, plan, parts, last),
        'weather_1.csv': temperature['files'][0],
        'weather_2.csv': temperature['files'][1],
        'heat.csv': _register(rng, plan, heat, last),
        'heat_notes.txt': HEAT_NOTES.format(**plan),  # the register has put into the plan what stood on the meters
        'flow.csv': _flow(rng, days[: days.index(date(year, 7, 1))], temperature['mean']),
        'bills.csv': _bills(hours, days[:last]),
        'log.txt': log,
        'next.csv': _next(days, last, temperature['mean'], heat),
    }
    held_out = {
        'heat': [round(float(value)) for value in heat[last:]],
        'electricity': [round(float(sum(day)), 1) for day in hours[last:]],
    }
    return files, held_out


NOTES = """Main meter (profile.csv) and submeters (sub.csv)

profile.csv has one row for each day in {city} (Europe/{city}). The columns 1, 2, 3, ... are the hours of that day in
their order, from midnight on: column 1 is the first hour of the day, column 2 the second one. The numbers are pulses.
The meter gives 1000 pulses for 1 kWh. It measures behind current transformers {old}/5 A and knows nothing of them.
65535 means that the logger had no value of that hour. A day that was sent more than once counts as it was sent last;
'sent' is the day on which that was.
sub.csv has the registers of the submeters in kWh as they stood at the moment that is written, in local time. They
have five digits and one decimal place. The day's use of a submeter is known where the registers at both its midnights
are. They were read by hand now and then, too. The three phases of a submeter always carry the same load.

weather_1.csv and weather_2.csv come from two loggers on the roof, with eight readings a day in local standard time; a
reading belongs to the day that stands beside it. The second logger came from America. -99.9 means that there is no
reading. Some readings were sent twice.
Where both loggers have a reading, the second one's counts. A day needs at least 6 readings for a mean.
"""
HEAT_NOTES = """Heat meter (heat.csv)

The register is read by modem at midnight, at the beginning of the day that is written, and hot water is made every
day. Where the modem gets no answer it sends the last value that it has once more.
Old meter until {exchange:%Y-%m-%d}, about noon, in kWh: final reading {final:d}.
New meter from then on, in MWh: first reading {first}.
"""


def _plan(rng, year, control):
    """What happens when."""
    days = [date(year, 1, 1) + timedelta(days=number) for number in range(365 + 59)]
    plan = {'days': days, 'year': year, 'work': [_works(day, year) for day in days]}
    index = {day: number for number, day in enumerate(days)}
    plan['index'] = index
    plan['less'] = _midweek(rng, plan, date(year, 1, 30), date(year, 2, 12))
    plan['phase'] = _midweek(rng, plan, date(year, 3, 2), date(year, 3, 20))
    plan['swap'] = _midweek(rng, plan, date(year, 6, 8), date(year, 6, 18))
    plan['peak'] = _midweek(rng, plan, date(year, 2, 16), date(year, 2, 24))
    plan['valve'] = index[date(year, 4, 19)] + int(rng.integers(0, 3)), int(rng.integers(8, 12))
    plan['dryers'] = index[date(year, 8, 3)] + int(rng.integers(0, 10)), int(rng.integers(9, 13))
    plan['control'] = index[date(year, *map(int, control.split('-')))]
    plan['exchange'] = date(year, 7, 3) + timedelta(days=int(rng.integers(0, 20)))
    names = [str(name) for name in rng.permutation(METERS)]
    plan['names'] = dict(zip(('sum', 'big', 'small', 'less', 'phase', 'other'), names))
    return plan


def _works(day, year):
    key = day.month, day.day
    if key == _open(year)[1:]:
        return True
    shut = any(low <= key <= high if low <= high else key >= low or key <= high for low, high in CLOSED)
    return day.weekday() < 5 and not shut


def _open(year):
    """The Saturday in September on which the building is open."""
    return year, 9, next(day for day in range(10, 20) if date(year, 9, day).weekday() == 5)


def _midweek(rng, plan, low, high):
    """A day with two working days before and two behind it."""
    work, index = plan['work'], plan['index']
    fit = [n for n in range(index[low], index[high] + 1) if all(work[n - 2 : n + 3])]
    return int(rng.choice(fit))


def _temperatures(rng, plan):
    """Means of the days, and what the loggers have written of them."""
    days, year, index = plan['days'], plan['year'], plan['index']
    overlap, end = index[date(year, 6, 20)] + int(rng.integers(0, 5)), index[date(year, 7, 8)] + int(rng.integers(0, 5))
    last = index[date(year, 12, 31)]
    gaps = {  # a day without any, days with too few, days with nearly all
        index[date(year, 2, 14)] + int(rng.integers(0, 6)): 8,
        index[date(year, 3, 22)] + int(rng.integers(0, 6)): 4,
        index[date(year, 1, 10)] + int(rng.integers(0, 6)): 2,
        index[date(year, 11, 20)] + int(rng.integers(0, 6)): 5,
        index[date(year, 12, 5)] + int(rng.integers(0, 6)): 8,
        index[date(year, 11, 6)] + int(rng.integers(0, 6)): 2,
    }
    count = len(days)
    wanted = np.zeros(count)
    noise = 0.0
    for number in range(count):
        noise = 0.75 * noise + float(rng.normal(0, 2.1))
        wanted[number] = 9.0 - 9.5 * np.cos(2 * np.pi * (number - 18) / 365) + noise
    for number, lost in gaps.items():
        if lost > 2:  # what is interpolated is not far off
            wanted[number] = (wanted[number - 1] + wanted[number + 1]) / 2 + float(rng.uniform(-0.6, 0.6))
    low, many = plan['valve']
    wanted[low : low + many] = np.clip(wanted[low : low + many], 4, 12)
    wanted = np.where(np.abs(wanted - 15) < 0.5, 15 + np.where(wanted < 15, -0.5, 0.5), wanted)
    readings = np.zeros((count, 8))
    for number in range(count):
        swing = float(rng.uniform(2, 5)) * np.array([-0.8, -1, -0.6, 0.3, 0.9, 1, 0.4, -0.2]) + rng.normal(0, 0.4, 8)
        readings[number] = np.round(wanted[number] + swing - swing.mean(), 1)
    texts = []
    for low, high, american in ((0, end, False), (overlap, last, True)):
        lines = ['time;reading']
        for number in range(low, high + 1):
            lost = set(map(int, rng.permutation(8)[: gaps.get(number, 0)])) if american or number < overlap else set()
            for place in range(8):
                value = readings[number, place]
                if american:
                    time, shown = f'{days[number]:%m/%d/%Y} {3 * place:02d}', f'{value * 1.8 + 32:.1f}'
                else:
                    value += float(rng.normal(0, 0.2)) * (number >= overlap)
                    time, shown = f'{days[number]:%d/%m/%Y} {3 * place:02d}', f'{value:.1f}'
                lines.append(f'{time};{"-99.9" if place in lost else shown}')
                if rng.random() < 0.01:
                    lines.append(lines[-1])
        texts.append('\n'.join(lines) + '\n')
    return {'mean': readings.mean(axis=1), 'files': texts}


def _electricity(rng, plan):
    """The day's kWh of each part of the building, and of all of it."""
    work = np.array(plan['work'])
    count = len(work)

    def used(busy, quiet, spread):
        return np.where(work, busy, quiet) * (1 + spread * np.clip(rng.normal(0, 1, count), -2.2, 2.2))

    parts = {
        'big': used(150, 60, 0.05),
        'small': np.clip(rng.normal(42, 9, count), 20, 70),
        'less': used(125, 52, 0.05),
        'phase': used(115, 48, 0.04),
        'other': used(110, 44, 0.04),
    }
    parts['less'][plan['less'] :] *= 0.66
    rest = np.where(work, 62, 48) + np.clip(rng.normal(0, 3, count), -7, 7)
    true = sum(parts.values()) + rest
    parts['sum'] = parts['big'] + parts['small']
    parts['phase'] = parts['phase'].copy()
    parts['phase'][plan['phase'] :] *= 2 / 3
    return parts, true


def _hours(rng, plan, true):
    """The kWh of each hour of each day, in the order of the hours."""
    hours, dry, many = [], *plan['dryers']
    for number, day in enumerate(plan['days']):
        clock = _clock(day, plan['offset'])
        night = {
            n: 8.5 * (1 + 0.03 * float(np.clip(rng.normal(), -2, 2)))
            for n, hour in enumerate(clock)
            if not 6 <= hour < 22
        }
        shape = SHAPE * (1 + 0.05 * np.clip(rng.normal(0, 1, 16), -2, 2))
        busy = iter(shape / shape.sum() * (true[number] - sum(night.values())))
        row = np.array([night[n] if n in night else next(busy) for n in range(len(clock))])
        if dry <= number < dry + many:
            row = row + 6.8
        hours.append(row)
    after = max(row.max() for number, row in enumerate(hours) if not dry <= number < dry + many)
    row, hour = hours[plan['peak']], int(rng.integers(7, 9))
    row[hour] = 1.1 * max(after, max(row.max() for row in hours))
    return hours


def _clock(day, offset):
    """The local hours of a day."""
    hours = list(range(24))
    if day.weekday() == 6 and day.day > 24 and day.month == 3:
        hours.remove(1 + offset)
    if day.weekday() == 6 and day.day > 24 and day.month == 10:
        hours.insert(1 + offset, 1 + offset)
    return hours


def _profile(rng, plan, hours, last, old, new, exchanged):
    days, year, index = plan['days'], plan['year'], plan['index']
    safe = [index[date(year, month, day)] for month in (1, 7, 9) for day in range(9, 25)]
    absent, *holes = (int(n) for n in rng.choice(safe, 8, replace=False))
    again = {int(n) for n in rng.choice(last, 24, replace=False)} - {absent}
    lines = ['day;sent;' + ';'.join(map(str, range(1, 26)))]
    total = 0
    for number, day in enumerate(days[:last]):
        pulses = [
            round(value * 5000 / (old if (number, hour) < exchanged else new))
            for hour, value in enumerate(hours[number])
        ]
        total += sum(pulses)
        if number in holes:
            low = int(rng.integers(5, 12))
            for hour in range(low, low + int(rng.integers(2, 6))):
                pulses[hour] = 65535
        next_day = day + timedelta(days=1)
        rows = [(next_day, pulses)]
        if number in again:
            early = [round(one * 0.85) if rng.random() < 0.5 else one for one in pulses]
            rows = [(next_day + timedelta(days=int(rng.integers(8, 14))), pulses), (next_day, early)]
        for sent, values in rows if number != absent else []:
            cells = [*map(str, values), '', '', ''][:25]
            lines.append(';'.join([f'{day:%d.%m.%Y}', f'{sent:%d.%m.%Y}', *cells]))
        if next_day.day == 1:
            lines.append(f'Sum {day:%m.%Y};{next_day:%d.%m.%Y};{total}' + ';' * 24)
            total = 0
    return '\n'.join(lines) + '\n'


def _closed(plan):
    lines = [
        'The building is closed on Saturdays, on Sundays and on the days of this list, first and last day included.',
        'The list holds for every year. A day that is marked open is a working day.',
        '',
    ]
    for low, high in CLOSED:
        first, final = (f'{day:02d}.{month:02d}.' for month, day in (low, high))
        lines.append(f'closed {first}' if low == high else f'closed {first} - {final}')
    lines.append(f'open {_open(plan["year"])[2]:02d}.09.')
    return '\n'.join(lines) + '\n'


def _sub(rng, plan, parts, last):
    """Registers of the submeters at midnight, and a few that were read by hand."""
    days, year, index, names = plan['days'], plan['year'], plan['index'], plan['names']
    place = {name: role for role, name in names.items()}
    register = {role: float(rng.uniform(20000, 60000)) for role in names}
    for role in ('big', 'phase', 'other')[: 2 + int(rng.integers(0, 2))]:
        register[role] = 100000 - float(rng.uniform(0.2, 0.8)) * float(parts[role][:last].sum())
    safe = [index[date(year, month, day)] for month in (1, 5, 7, 9, 11) for day in range(8, 25)]
    empty = {int(n): METERS[int(rng.integers(0, 6))] for n in rng.choice(safe, 9, replace=False)}
    by_hand = {int(n) for n in rng.choice(safe, 8, replace=False)}

    def row(time, standing, without=None):
        values = ['' if name == without else f'{standing[place[name]] % 100000:.1f}' for name in METERS]
        return ','.join([time, *['0.0' if value == '100000.0' else value for value in values]])

    lines = ['time,' + ','.join(METERS)]
    for number, day in enumerate(days[: last + 1]):
        lines.append(row(f'{day:%Y-%m-%d} 00:00', register, empty.get(number)))
        if number in by_hand:
            share = float(rng.uniform(0.4, 0.6))
            now = {role: value + share * parts[role][number] for role, value in register.items()}
            lines.append(row(f'{day:%Y-%m-%d} {int(rng.integers(11, 15)):02d}:{int(rng.integers(1, 60)):02d}', now))
        register = {role: value + parts[role][number] for role, value in register.items()}
    return '\n'.join(lines) + '\n'


def _heat(rng, plan, temperature, effect):
    """Whole kWh of heat of each day."""
    mean, work = temperature['mean'], np.array(plan['work'])
    need = np.where(work, 110, 70) + np.where(work, 42, 27) * np.clip(15 - mean, 0, None)
    need = need * (1 + 0.025 * np.clip(rng.normal(0, 1, len(mean)), -2.2, 2.2))
    need += np.clip(rng.normal(0, 10, len(mean)), -25, 25)
    low, many = plan['valve']
    need[low : low + many] += 400 + rng.uniform(-30, 30, many)
    need[plan['control'] :] *= effect
    return np.round(need).astype(int)


def _register(rng, plan, heat, last):
    """The register of the heat meter at midnight, before and after the exchange."""
    days, year, index = plan['days'], plan['year'], plan['index']
    swap = index[plan['exchange']]
    start, first = int(rng.integers(300000, 800000)), int(rng.integers(150, 400))
    half = int(heat[swap] * 0.45)
    plan['final'] = start + int(heat[:swap].sum()) + half
    plan['first'] = f'{first / 1000:.3f}'
    silent = {}
    for month, day in ((1, 12), (3, 10), (9, 12), (11, 22), (12, 8)):
        low = index[date(year, month, day)] + int(rng.integers(0, 5))
        for number in range(low, low + int(rng.integers(2, 5))):
            silent[number] = low - 1
    safe = [index[date(year, month, day)] for month in (1, 2, 3, 6, 8, 10) for day in range(20, 28)]
    lost = {int(n) for n in rng.choice(safe, 7, replace=False)}
    lines = ['time;register']
    for number, day in enumerate(days[: last + 1]):
        read = silent.get(number, number)
        standing = start + int(heat[:read].sum())
        if read > swap:
            standing = first + int(heat[swap:read].sum()) - half
        shown = f'{standing}' if read <= swap else f'{standing / 1000:.3f}'.replace('.', ',')
        if number not in lost:
            lines.append(f'{day:%Y-%m-%d} 00:00;{shown}')
    return '\n'.join(lines) + '\n'


def _flow(rng, days, mean):
    """Four sensors in the pipe that leads to the radiators; one drifts, another one is noisy."""
    count = len(days)
    true = 58 - 1.1 * mean[:count] + rng.normal(0, 0.6, count)
    names = [f'T{number}' for number in range(1, 5)]
    drifting, noisy = (str(name) for name in rng.permutation(names)[:2])
    first, second = [name for name in names if name != drifting][:2]
    spread = {name: 1.3 if name == noisy else 0.35 for name in names}
    values = {name: true + float(rng.normal(0, 0.1)) + rng.normal(0, spread[name], count) for name in names}
    normal = np.array([NormalDist().inv_cdf((n + 0.5) / count) for n in range(count)])
    width = 1.35 if noisy in (first, second) else 0.5
    values[second] = values[first] + width * (rng.choice([-1, 1]) * 0.24 + rng.permutation(normal))
    start = int(rng.integers(55, 80))
    values[drifting] = values[drifting] + np.clip(np.arange(count) - start, 0, None) * float(rng.uniform(0.020, 0.026))
    lines = [
        '# DS18B20 sensors at the pipe to the radiators, degrees Celsius, one reading a day at 12:00',
        '# 85.00 is what such a sensor says after it lost its power, before it has measured',
        'day,' + ','.join(names),
    ]
    for number, day in enumerate(days):
        shown = ['85.00' if rng.random() < 0.02 else f'{values[name][number]:.2f}' for name in names]
        lines.append(','.join([f'{day:%Y-%m-%d}', *shown]))
    return '\n'.join(lines) + '\n'


def _bills(hours, days):
    """What the utility has billed, month by month; one month was estimated first."""
    months = {}
    for day, row in zip(days, hours):
        months[day.month] = months.get(day.month, 0.0) + float(row.sum())

    def line(month, kind, value):
        return f'{month:02d}/{days[0].year};{kind};' + f'{value:,.1f}'.translate(str.maketrans(',.', '.,'))

    lines = ['Billing month;Kind;kWh']
    for month, value in months.items():
        guess = 0.86 * value if month == 3 else value
        lines.append(line(month, 'estimate' if month == 3 else 'reading', guess))
        if month == 5:
            lines.append(line(3, 'further charge', months[3] - 0.86 * months[3]))
    lines.append(line(12, 'total of the year', sum(months.values())))
    return '\n'.join(lines) + '\n'


def _log(rng, plan, old, new):
    """The caretaker's log, and from which hour of which day on the new transformers have measured."""
    days, names = plan['days'], plan['names']
    swap, hour = plan['swap'], int(rng.integers(10, 13))
    day = days[swap - 7]
    letter = f'the transformers of our main meter will be exchanged, {old}/5 against {new}/5, on {day:%d.%m.} at 9.'
    done = f'Transformers of the main meter exchanged, {old}/5 out, {new}/5 in, measuring with them from {hour}:00 on.'
    entries = [
        (plan['less'], f'Half of the ovens at meter {names["less"]} switched off for good, nobody needs them.'),
        (plan['index'][date(plan['year'], 4, 3)], 'Meter of the bakery next door: transformers 100/5 out, 75/5 in.'),
        (plan['valve'][0], 'Warm in the corridors. Told the heating firm.'),
        (plan['valve'][0] + plan['valve'][1], 'Heating firm here, valve did not close, mended.'),
        (swap - 12, f'Letter of the utility: {letter}'),
        (swap - 7, 'Nobody came because of the main meter. New appointment.'),
        (swap, f'Electrician here. {done}'),
        (plan['index'][plan['exchange']], 'Heat meter exchanged.'),
        (plan['dryers'][0], 'Water in the cellar. Dryers run day and night.'),
        (plan['dryers'][0] + plan['dryers'][1], 'Cellar dry, dryers fetched.'),
        (plan['control'], 'New heating control in use.'),
    ]
    lines = [f'Log of the caretaker, {plan["year"]}, local time', '']
    lines += [f'{days[number]:%d.%m.} {text}' for number, text in sorted(entries)]
    return '\n'.join(lines) + '\n', (swap, hour)


def _next(days, last, mean, heat):
    """The days of the next year, with the temperatures forecast and what the landlord plans."""
    lines = ['day;forecast;plan_kwh_heat']
    for number in range(last, len(days)):
        lines.append(f'{days[number]:%d.%m.%Y};{mean[number]:.1f};{heat[number - last]}')
    return '\n'.join(lines) + '\n'

"""Vibration of a gearbox at changing speed: a disc with uneven marks, two wheels, a bearing that begins to fail."""

import io
import wave
from math import gcd

import numpy as np

RECORDS = 12
SECONDS = 2.8
EXACT = 0.5
"""Mean error of the amplitudes in next.csv, in m/s², for somebody who knows all but the noise."""


def make(rng, marks, rate, first):
    small = int(rng.integers(14, 20))
    large = int(rng.choice([n for n in range(33, 56) if gcd(n, small) == 1 and n != 2 * small + 1]))
    ratio = small / large  # turns of the second shaft a turn of the first one
    gaps = _gaps(rng, marks)
    bearings, struck, order, shaft = _bearings(rng, small, ratio)
    order *= 1 - float(rng.uniform(0.004, 0.0058))  # slip
    onset = int(rng.integers(4, 8))
    power, own, sharp = float(rng.uniform(0.55, 0.9)), small * float(rng.uniform(16, 20)), float(rng.uniform(3, 4.5))
    size = float(rng.uniform(1.5, 1.9))
    loads = np.round(rng.permutation(np.linspace(15, 95, RECORDS)) + rng.uniform(-3, 3, RECORDS)).astype(int)
    wrong = int(rng.choice([n for n in range(RECORDS) if 24 < loads[n] < 56]))
    ring = float(rng.uniform(760, 860))
    files, pulses = {}, ['record;seconds']
    listed = ['record;load;range']

    def amplitude(load, turns):
        """Of the first harmonic of the mesh, in m/s²."""
        part = small * turns / own
        return size * (load / 50) ** power / np.sqrt((1 - part**2) ** 2 + (part / sharp) ** 2)

    for record in range(RECORDS):
        fast = rate + (100 if record % 5 == 3 else 0)
        time = np.arange(round(fast * SECONDS)) / fast
        speed = _speed(rng, time)
        turn = float(rng.uniform(0, 1)) + np.concatenate([[0], np.cumsum((speed[1:] + speed[:-1]) / 2)]) / fast
        mesh = amplitude(loads[record], speed)
        beat = (
            1
            + 0.35 * np.cos(2 * np.pi * ratio * turn + rng.uniform(0, 6))
            + 0.1 * np.cos(4 * np.pi * ratio * turn + rng.uniform(0, 6))
        )
        signal = mesh * beat * np.cos(2 * np.pi * small * turn + rng.uniform(0, 6))
        signal += 0.12 * mesh * np.cos(4 * np.pi * small * turn + rng.uniform(0, 6))
        signal += 0.003 * speed**2 * np.cos(2 * np.pi * turn + rng.uniform(0, 6))
        signal += 0.008 * speed**2 * np.cos(2 * np.pi * ratio * turn + rng.uniform(0, 6))
        signal += 1.5 * np.cos(2 * np.pi * 50 * time + rng.uniform(0, 6)) + rng.normal(0, 0.6, len(time))
        if record >= onset:
            heavy = (3.0 + 0.3 * (record - onset)) * float(rng.uniform(0.95, 1.05))
            signal += _strokes(rng, time, turn, speed, order, heavy, ring, shaft if struck[1] == 'inner' else 0)
        full = 50 if np.abs(signal).max() < 48 else 100
        files[f'{record + first}.wav'] = _wav(np.round(signal / full * 32767), fast)
        listed.append(f'{record + first};{round(loads[record] * 1.7) if record == wrong else loads[record]};{full}')
        pulses += [f'{record + first};{moment:.5f}' for moment in _pulses(rng, time, turn, gaps, record)]
    rows = [(int(rng.integers(18, 95)), round(float(rng.uniform(12.5, 23)), 1)) for _ in range(40)]
    noise = rng.normal(0, 1, 40)
    noise *= EXACT / np.abs(noise).mean()
    labels = [round(float(amplitude(load, turns) + one), 2) for (load, turns), one in zip(rows, noise)]
    files.update(
        {
            'pulses.csv': '\n'.join(pulses) + '\n',
            'records.csv': '\n'.join(listed) + '\n',
            'bearings.csv': 'bearing;shaft;balls;ball_mm;pitch_mm;angle\n'
            + ''.join(
                f'{name};{shaft};{balls};{ball};{pitch};{angle}\n'
                for name, shaft, balls, ball, pitch, angle in bearings
            ),
            'next.csv': 'load;turns\n' + ''.join(f'{load};{turns}\n' for load, turns in rows),
            'notes.txt': NOTES,
        }
    )
    return files, {'amplitude': labels}


NOTES = """Vibration of the gearbox

One record a day, in the order of its number. NUMBER.wav has the acceleration: 32767 stands for 'range' m/s² in
records.csv. Every record begins at 0 s. 'load' is the load in percent as the operator wrote it down.
The gearbox has two shafts. Shaft 1 carries a wheel with 13 to 20 teeth, which drives the wheel of shaft 2, with 30 to
60 teeth. The numbers of teeth have no common divisor. The speed is never steady.
On shaft 1 sits a disc with some marks, which do not stand at even angles. Whenever a mark passes, a pulse is written
to pulses.csv, in seconds since the beginning of the record. Now and then a pulse is lost. There are no others.
The teeth make a vibration at the mesh frequency f, teeth times turns, and less of it at twice f. Its strength swings
with the turns of shaft 2, whose wheel runs out of true. The amplitude at f, without that swing, is
    A = c load^p / sqrt((1 - (f/g)^2)^2 + (f/(g Q))^2)   in m/s², with f and g in Hz.
A damaged bearing gives a stroke each time a ball passes the damage; strokes make the housing ring at some high
frequency of its own. A turn of its shaft gives so many strokes, n being the number of balls, d and D the diameters of
ball and pitch circle, a the angle in degrees:
    outer: n/2 (1 - d/D cos a)    inner: n/2 (1 + d/D cos a)    ball: D/d (1 - (d/D cos a)^2)
As balls slip, it is up to 0.6 percent less. The mains hum is in all records.
"""


def _gaps(rng, marks):
    """Angles between marks, in turns, clearly different."""
    while True:
        gaps = np.round(rng.dirichlet([9] * marks) * 360)
        gaps[-1] += 360 - gaps.sum()
        falling = (np.diff(np.roll(gaps, -int(gaps.argmax()))) < 0).all()
        if gaps.min() > 35 and np.diff(np.sort(gaps)).min() > 8 and not falling:
            return gaps / 360


def _bearings(rng, small, ratio):
    """Four bearings, and a damage on shaft 2: bearing and part, strokes and turns of its shaft a turn of shaft 1."""
    while True:
        rows, orders = [], {}
        for name in rng.permutation(['KA', 'KB', 'KC', 'KD']):
            shaft = 1 + len(rows) // 2
            balls, ball, angle = (
                int(rng.integers(7, 13)),
                round(float(rng.uniform(7, 12)), 1),
                int(rng.choice([0, 15, 25])),
            )
            pitch = round(ball * float(rng.uniform(0.45, 0.6)) * balls, 1)
            rows.append((str(name), shaft, balls, ball, pitch, angle))
            part = ball / pitch * np.cos(np.radians(angle))
            turns = 1 if shaft == 1 else ratio
            orders[str(name), 'outer'] = turns * balls / 2 * (1 - part)
            orders[str(name), 'inner'] = turns * balls / 2 * (1 + part)
            orders[str(name), 'ball'] = turns * pitch / ball * (1 - part**2)
        struck = list(orders)[int(rng.integers(6, 12))]
        true = orders[struck]
        others = [order * n for one, order in orders.items() if one != struck for n in (0.5, 1, 2)]
        others += [ratio * n for n in range(1, 30) if n < 5] + list(range(1, 12))
        apart = min(abs(true / other - 1) for other in others)
        if 1.3 < true < 4.5 and 0.02 < apart:
            rows.sort()
            return rows, struck, true, ratio


def _speed(rng, time):
    """Turns a second over time."""
    low, high = float(rng.uniform(11.5, 14)), float(rng.uniform(21, 24.5))
    start, end = (low, high) if rng.random() < 0.5 else (high, low)
    part = time / time[-1]
    bend = float(rng.uniform(-0.5, 0.5))
    wave_ = float(rng.uniform(0.2, 0.5)) * np.sin(2 * np.pi * float(rng.uniform(1, 2.5)) * part + rng.uniform(0, 6))
    return start + (end - start) * (part + bend * part * (1 - part)) + wave_


def _strokes(rng, time, turn, speed, order, heavy, ring, turns):
    """What the strokes of a damaged bearing leave in the signal."""
    number = np.arange(np.ceil(order * turn[0]) + 1, order * turn[-1])
    moments = np.interp((number + rng.normal(0, 0.015, len(number))) / order, turn, time)
    signal = np.zeros(len(time))
    for moment in moments:
        here = time > moment
        since = time[here][:80] - moment
        force = heavy * np.interp(moment, time, speed) / 18 * float(rng.uniform(0.8, 1.2))
        if turns:  # the damage goes round with the shaft, in and out of the load
            force *= 1 + 0.5 * np.cos(2 * np.pi * turns * np.interp(moment, time, turn))
        at = int(np.argmax(here))
        signal[at : at + len(since)] += force * np.exp(-since / 0.004) * np.sin(2 * np.pi * ring * since)
    return signal


def _pulses(rng, time, turn, gaps, record):
    places = np.concatenate([[0], np.cumsum(gaps)[:-1]])
    wanted = (np.arange(int(turn[0]), int(turn[-1]) + 1)[:, None] + places).ravel()
    wanted = wanted[(wanted > turn[0]) & (wanted < turn[-1])]
    moments = np.interp(wanted, turn, time) + rng.normal(0, 2e-5, len(wanted))
    lost = rng.choice(np.arange(12, len(wanted) - 12), int(rng.integers(1, 4)), replace=False)
    return np.delete(moments, lost)


def _wav(values, rate):
    buffer = io.BytesIO()
    with wave.open(buffer, 'wb') as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(values.astype('<i2').tobytes())
    return buffer.getvalue()

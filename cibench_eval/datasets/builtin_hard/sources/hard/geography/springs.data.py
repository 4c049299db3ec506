"""Rain on a plateau of limestone and the flow of its springs: travel times, a full cave, a collapse, a clock that drifts."""

import datetime

import numpy as np

GAUGES = ('Pass', 'Moor', 'Ridge', 'Saddle')
SPRINGS = ('Alba', 'Brenn', 'Cosa', 'Dorn')
PAST, NEXT = 1300, 400  # readings every six hours
LONGEST = 40  # travel time, in readings


def make(rng, plateau, gentle):
    while True:
        karst = _Karst(rng, gentle)
        if karst.is_telling():
            return karst.files(plateau), {'flow': [round(float(one), 1) for one in karst.labels]}


NOTES = """Notes on the springs of {plateau}

rain.csv: rain at four gauges in mm, every six hours, each value for the six hours that end at its time. {tenths}'s numbers are tenths
of a millimetre. Times are UTC. next_rain.csv goes on with it, all in mm.
flow.csv: flow of four springs in litres per second. Times are local, one hour ahead of UTC all the year. Each spring has a logger of
its own with a clock of its own; flow.csv puts every reading at the time that its clock showed. All clocks were right at the
first reading; one is slow or fast.
A value that a device has made up is none: a logger that had missed readings of a spring later filled them in on straight lines, and the
loggers of the gauges, when they were in trouble, gave an earlier stretch of their own readings once more.

How the springs work
Each gauge stands in a catchment of its own. Rain of a catchment goes to one reservoir only; a spring may have
water from more than one catchment. The water takes the travel time, a whole multiple of six hours from 12 hours to ten days, then
enters a reservoir, which empties exponentially. So a shower of six hours adds to the flow at once, when it has arrived, and what it
has added falls by the same factor every six hours. Each reservoir also has a steady inflow.
One reservoir has two outlets, and each of them is a spring: one can carry no more than a certain flow, and all that is more flows
out of the other, which is dry at other times.
In one other catchment a passage collapsed during the record: rain that fell from that moment on has had another travel time.
The readings of flow are good to a few litres per second.
"""


class _Karst:
    def __init__(self, rng, gentle):
        self.rng = rng
        self.rain = self._storms()
        gauges, springs = rng.permutation(4), rng.permutation(4)
        self.double, self.shifted, self.drifting = gauges[:2], int(gauges[2]), int(gauges[3])
        self.first, self.second, self.third, self.fourth = (int(one) for one in springs)  # carries, overflows, collapses, drifts
        lags = rng.permutation(np.arange(3, 37, 3))[:5] + rng.integers(0, 2, 5)
        self.lags = [int(lag) for lag in lags]
        self.keep = np.exp(-0.25 / (np.array([2.1, 2.7, 1.9]) * gentle * rng.uniform(0.9, 1.1, 3)))
        self.total = self._reservoir(self.keep[0], [(self.double[0], self.lags[0]), (self.double[1], self.lags[1])])
        self.cap = round(float(np.quantile(self.total[:PAST], rng.uniform(0.84, 0.88))), 1)
        self._collapse()
        self.slow = float(rng.choice((-1, 1)) * rng.uniform(6, 12))  # minutes a day that the clock loses
        self._readings()

    def _storms(self):
        rng, size = self.rng, PAST + NEXT
        rain = np.zeros((size, 4))
        now = 0.0
        while now < size:
            now += rng.exponential(11)
            length, strength = int(rng.integers(1, 6)), rng.lognormal(1.3, 0.7)
            local = rng.lognormal(0, 0.8, 4) * (rng.random(4) < 0.85)
            for step in range(int(now), min(int(now) + length, size)):
                rain[step] += strength * local * rng.uniform(0.3, 1.7, 4)
        return np.round(rain * 5) / 5

    def _reservoir(self, keep, sources):
        """Flow by the rain of (gauge, travel time); two sources have unlike shares."""
        rng, inflow = self.rng, np.zeros(PAST + NEXT)
        for number, (gauge, lag) in enumerate(sources):
            share = rng.uniform(0.9, 1.1) * (0.75 if number else 1)
            inflow[lag:] += share * self.rain[: len(inflow) - lag, gauge]
        flow = _emptied(inflow, keep)
        return rng.uniform(18, 30) + flow * 45 / flow[:PAST].mean()

    def _collapse(self):
        rng, rain = self.rng, self.rain[:, self.shifted]
        wet = [t for t in range(480, 800) if rain[t - 4 : t].sum() > 14 and rain[t : t + 4].sum() > 14 and rain[t] > 3]
        self.collapse = int(rng.choice(wet)) if wet else 0
        before, after = np.zeros(PAST + NEXT), np.zeros(PAST + NEXT)
        for lag, inflow, part in (
            (self.lags[2], before, slice(0, self.collapse)),
            (self.lags[4], after, slice(self.collapse, PAST + NEXT)),
        ):
            rows = np.arange(PAST + NEXT)[part]
            rows = rows[rows + lag < PAST + NEXT]
            inflow[rows + lag] = rain[rows]
        flow = _emptied(before + after, self.keep[1])
        self.changed = rng.uniform(18, 30) + flow * 45 / flow[:PAST].mean()

    def _readings(self):
        rng = self.rng
        drifted = self._reservoir(self.keep[2], [(self.drifting, self.lags[3])])
        moments = np.arange(PAST) / (1 - self.slow / 1440)
        flow = np.zeros((PAST, 4))
        flow[:, self.first] = np.minimum(self.total, self.cap)[:PAST]
        flow[:, self.second] = np.maximum(self.total - self.cap, 0)[:PAST]
        flow[:, self.third] = self.changed[:PAST]
        flow[:, self.fourth] = np.interp(moments, np.arange(PAST + NEXT), drifted)
        noise = rng.normal(0, 2.0, flow.shape)
        flow = np.where(flow > 0, np.maximum(flow + noise, 0.2), 0)
        self.filled = {}
        for spring in (self.first, self.third, self.fourth):
            gaps = []
            for place in rng.choice(np.arange(100, PAST - 120, 130), 3, replace=False):
                start, length = int(place + rng.integers(0, 80)), int(rng.integers(7, 16))
                flow[start : start + length, spring] = np.interp(
                    np.arange(start, start + length), [start - 1, start + length], flow[[start - 1, start + length], spring]
                )
                gaps.append((start, length))
            self.filled[spring] = gaps
        self.flow = np.round(flow, 1)

    def is_telling(self):
        rng = self.rng
        if not self.collapse or abs(self.lags[4] - self.lags[2]) < 4 or abs(self.lags[1] - self.lags[0]) < 4:
            return False
        for spring, gaps in self.filled.items():
            flow = self.flow[:, spring]
            bend = np.abs(flow[:-2] - 2 * flow[1:-1] + flow[2:])
            if any(bend[start - 2] < 0.8 or bend[start + length - 1] < 0.8 for start, length in gaps):
                return False
        over = np.maximum(self.total - self.cap, 0)
        wet = np.flatnonzero(over[PAST:] > 6)
        if len(wet) < 45 or (over[:PAST] > 0).sum() < 100:
            return False
        self.asked = np.sort(rng.choice(wet, 40, replace=False)) + PAST
        errors = rng.normal(0, 1, 40)
        self.labels = np.maximum(over[self.asked] + 4 * errors / np.abs(errors).mean(), 0)
        return self._repeat()

    def _repeat(self):
        """A stretch of a gauge that feeds the double reservoir is given once more; its ends can be told."""
        rng = self.rng
        self.gauge = int(self.double[int(rng.integers(2))])
        for _ in range(300):
            length = int(rng.integers(34, 50))
            start = int(rng.integers(700, PAST - 200))
            source = start - int(rng.integers(90, 500))
            shown = self.rain[:, self.gauge].copy()
            old, new = shown[source : source + length], shown[start : start + length]
            ends = shown[source - 1] != shown[start - 1] and shown[source + length] != shown[start + length]
            if ends and old[0] > 0 and old[-1] > 0 and old.sum() > 45 and new.sum() > 45 and (old > 0).sum() > 9:
                shown[start : start + length] = old
                self.shown, self.stretch = shown, (source, start, length)
                return True
        return False

    def files(self, plateau):
        rng = self.rng
        rain = self.rain.copy()
        rain[:, self.gauge] = self.shown
        tenths = int(rng.choice([one for one in range(4)]))
        zero = datetime.datetime(2024, 10, 1)
        moments = [zero + datetime.timedelta(hours=6 * row) for row in range(PAST + NEXT)]
        rows = []
        for row in range(PAST + NEXT):
            values = [
                f'{10 * value:.0f}' if gauge == tenths and row < PAST else f'{value:.1f}' for gauge, value in enumerate(rain[row])
            ]
            rows.append(','.join([f'{moments[row]:%Y-%m-%d %H:%M}', *values]))
        head = ','.join(['time', *GAUGES])
        flow = [
            ','.join([f'{moments[row] + datetime.timedelta(hours=1):%Y-%m-%d %H:%M}', *(f'{one:.1f}' for one in self.flow[row])])
            for row in range(PAST)
        ]
        asked = [f'{moments[row]:%Y-%m-%d %H:%M}' for row in self.asked]
        return {
            'rain.csv': '\n'.join([head, *rows[:PAST]]) + '\n',
            'next_rain.csv': '\n'.join([head, *rows[PAST:]]) + '\n',
            'flow.csv': '\n'.join([','.join(['time', *SPRINGS]), *flow]) + '\n',
            'asked.csv': '\n'.join(['time', *asked]) + '\n',
            'notes.txt': NOTES.format(plateau=plateau, tenths=GAUGES[tenths]),
        }


def _emptied(inflow, keep):
    flow = np.zeros(len(inflow))
    for row in range(1, len(inflow)):
        flow[row] = keep * flow[row - 1] + inflow[row]
    flow[0] = inflow[0]
    return flow

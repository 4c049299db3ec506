"""Two log files of a service that was upgraded between: records of many lines, two clocks, two units, restarts."""

from datetime import datetime, timedelta, timezone

START = datetime(2025, 3, 24, tzinfo=timezone.utc)
SUMMER = datetime(2025, 3, 30, 1, tzinfo=timezone.utc)
DAYS = 14
ROOTS = (
    ('KeyError', "KeyError: 'session'"),
    ('TimeoutError', 'net.client.TimeoutError: no answer after 3 tries'),
    ('ValueError', 'ValueError: bad row'),
    ('ConnectionError', 'net.client.ConnectionError: refused'),
    ('UnicodeError', 'text.UnicodeError: not UTF-8'),
)
WEIGHTS = (0.34, 0.27, 0.19, 0.12, 0.08)
BREAKS = (
    'During handling of the above exception, another exception occurred:',
    'The above exception was the direct cause of the following exception:',
)


def make(rng, workers, switch, turn, night):
    log = _Log(rng, workers, switch, turn, night)
    return {'service.log.1': log.old, 'service.log': log.new, 'notes.txt': NOTES}, {}


NOTES = """About the log

service.log.1 was written first, service.log after it. When the log is turned over, the program begins the new file with
the last lines of the old one, so that nothing is lost. How many lines it takes along depends on the moment.

A record begins with a line that has the time, the level and the worker in square brackets. All other lines belong to
the record above them; what clients send is logged as they sent it. The message is what stands behind the worker on the
first line, the detail are all further lines.

A record that comes again at once is written once. The line "last message repeated N times" is no record; it says that
the record directly above it came N more times.

Version 3 writes the local time in Berlin, version 4 writes UTC (that is what the Z means). Python prints the traceback
of the exception that was raised first at the top.

Each start of the service counts its requests from 1 again. A request without a "done" was lost when the service
stopped. A request has failed if it was done with a status of 500 or more.
"""


class _Log:
    def __init__(self, rng, workers, switch, turn, night):
        self.rng, self.night = rng, night
        self.names = [f'w{number + 1}' for number in range(workers)]
        self.upgrade = START + timedelta(days=switch, hours=1)
        order = [self.names[int(number)] for number in rng.permutation(workers)]
        self.drifting, self.slow, self.spiked = order[:3]
        self.turn, self.spike = turn, int(rng.integers(2, 8))
        self.base = {name: float(rng.uniform(0.35, 0.75)) for name in self.names}
        self.base[self.slow] = 1.5
        self.gain = {name: float(rng.uniform(0.8, 0.9)) for name in self.names}
        self.events = []
        self._requests()
        self._others()
        self.events.sort(key=lambda event: (event[0], event[1]))
        self._write()

    def _requests(self):
        stops = sorted(START + timedelta(hours=float(hour)) for hour in self.rng.uniform(30, 24 * DAYS - 30, 4))
        self.stops = [stop for stop in stops if abs((stop - self.upgrade).total_seconds()) > 7200] + [self.upgrade]
        self.stops.sort()
        jobs = []
        for day in range(DAYS):
            for name in self.names:
                searches, exports = int(self.rng.integers(6, 9)), int(self.rng.integers(1, 4))
                jobs += [(day, name, '/search')] * searches + [(day, name, '/export')] * exports
        moments = []
        for day, name, path in jobs:
            hour = self.night if self.rng.random() < 0.035 else 11 if self.rng.random() < 0.2 else int(self.rng.integers(5, 23))
            local = START + timedelta(days=day, hours=hour, seconds=int(self.rng.integers(0, 3580)))
            moments.append((local - timedelta(hours=2 if local >= SUMMER else 1), hour, name, path, False))
        for stop in self.stops:
            for _ in range(int(self.rng.integers(2, 5))):
                back = timedelta(seconds=int(self.rng.integers(1, 3)))
                moments.append((stop - back, 12, self.names[int(self.rng.integers(0, len(self.names)))], '/export', True))
        moments.sort(key=lambda moment: moment[0])
        number, upcoming = 0, list(self.stops)
        for moment, hour, name, path, lost in moments:
            while upcoming and moment >= upcoming[0]:
                upcoming.pop(0)
                number = 0
            number += 1
            self._request(number, moment, hour, name, path, lost, upcoming[0] if upcoming else None)
        self.events.append((START - timedelta(hours=3), 0, 'INFO', 'main', 'service started, version 3.8', []))
        for stop in self.stops:
            version = '4.0' if stop >= self.upgrade else '3.8'
            self.events.append((stop, -1, 'INFO', 'main', f'service started, version {version}', []))

    def _request(self, number, moment, hour, name, path, lost, stop):
        after = moment >= self.upgrade
        seconds = self.base[name] * (self.gain[name] if after else 1) * float(self.rng.lognormal(0, 0.16))
        day = (moment - START).days
        if name == self.drifting and day >= self.turn:
            seconds *= 2.6
        if name == self.spiked and day == self.spike:
            seconds *= 6
        if path == '/export':
            seconds *= 8
        seconds = round(seconds, 3)
        self.events.append((moment, 1, 'INFO', name, f'request {number} GET {path}', []))
        done = moment + timedelta(seconds=int(seconds))
        if lost or (stop and done >= stop):
            return
        chance = 0.62 if hour == self.night else 0.17 if hour == 11 else 0.04
        status = 200 if self.rng.random() > 0.05 else 404
        if self.rng.random() < chance:
            status = (500, 502, 503)[int(self.rng.integers(0, 3))]
            self.events.append((done, 2, 'ERROR', name, f'request {number} failed', self._trace(moment)))
        took = f'{round(seconds * 1000)}ms' if after else f'{seconds:.3f}s'
        self.events.append((done, 3, 'INFO', name, f'request {number} done status={status} took={took}', []))

    def _trace(self, moment):
        name, last = ROOTS[int(self.rng.choice(len(ROOTS), p=WEIGHTS))]
        lines = ['Traceback (most recent call last):', '  File "work.py", line 88, in fetch', '    row = read(key)', last]
        if self.rng.random() < 0.25:
            lines.append('  hint: KeyError: see the manual')
        if self.rng.random() < 0.6:
            lines += ['', BREAKS[int(self.rng.integers(0, 2))], '', 'Traceback (most recent call last):']
            lines += ['  File "serve.py", line 31, in answer', 'app.ServiceError: cannot answer']
        if self.rng.random() < 0.2:
            lines.append(self._sent(moment))
        return lines

    def _sent(self, moment):
        shown = f'{moment:%Y-%m-%dT%H:%M:%SZ}' if moment < self.upgrade else f'{moment:%d/%m/%Y %H:%M:%S}'
        return f'{shown} ERROR client gave up'

    def _others(self):
        for _ in range(45):
            moment = START + timedelta(seconds=int(self.rng.integers(0, DAYS * 86400)))
            name = self.names[int(self.rng.integers(0, len(self.names)))]
            way = self.rng.random()
            if way < 0.3:
                self.events.append((moment, 4, 'ERROR', name, 'nightly job failed', self._trace(moment)))
            elif way < 0.6:  # the same record twice in a second, with another one between
                other = self.names[(self.names.index(name) + 1) % len(self.names)]
                for place, one in ((4, name), (5, other), (6, name)):
                    self.events.append((moment, place, 'WARN', one, 'cache miss', []))
            else:
                self.events.append((moment, 4, 'WARN', name, 'queue full', []))
                again = f'last message repeated {int(self.rng.integers(2, 9))} times'
                self.events.append((moment, 5, 'WARN', name, again, []))

    def _write(self):
        lines, starts = [], []
        for moment, _, level, name, message, detail in self.events:
            if moment < self.upgrade:
                local = moment + timedelta(hours=2 if moment >= SUMMER else 1)
                shown = f'{local:%d/%m/%Y %H:%M:%S}'
            else:
                shown = f'{moment:%Y-%m-%dT%H:%M:%SZ}'
            if not message.startswith('last message'):
                starts.append(len(lines))
            lines += [f'{shown} {level} [{name}] {message}', *detail]
        cut = starts[int(len(starts) * float(self.rng.uniform(0.5, 0.6)))]
        back = starts[starts.index(cut) - int(self.rng.integers(30, 60))]
        self.old = '\n'.join(lines[:cut]) + '\n'
        self.new = '\n'.join(lines[back:]) + '\n'

"""A marathon by night: reads of five mats, one of which had its clock moved, and runners without a finish."""

MATS = {'start': 0.0, 'k10': 10.0, 'half': 21.0975, 'k30': 30.0, 'finish': 42.195}
COURSE = ('k10', 'half', 'k30')
CLUBS = ('LG Nordtal', 'Roadrunners', 'TV Hochfeld', 'Steady Feet', 'SC Kanal', 'Laufwerk', 'Harriers', 'ASV Mole')
DRINK = (0.8, 0.5, 0.2)


def make(rng, runners, gap, lost):
    while True:
        race = _Race(rng, runners, gap, lost)
        if race.is_telling():
            return race.files(), {'lost': [runner['at']['finish'] - runner['at']['start'] for runner in race.lost]}


class _Race:
    def __init__(self, rng, runners, gap, lost):
        self.rng, self.gap = rng, gap
        bibs = sorted(int(bib) for bib in rng.choice(998, runners, replace=False) + 1)
        self.runners = [self._runner(bib) for bib in bibs]
        able = [index for index, one in enumerate(self.runners) if one['status'] == '' and len(one['missed']) == 0]
        chosen = sorted(int(index) for index in rng.choice(able, lost, replace=False))
        self.lost = [self.runners[index] for index in chosen]
        for runner in self.lost:
            runner['lost'] = True
        self.lost = [self.lost[int(index)] for index in rng.permutation(lost)]
        self.logs = {mat: self._log(mat) for mat in MATS}
        self.mat = COURSE[int(rng.integers(3))]
        self.minutes = int(rng.choice((-7, -6, -5, 5, 6, 7)))
        self.cut = int(len(self.logs[self.mat]) * rng.uniform(0.35, 0.6))

    def _runner(self, bib):
        rng = self.rng
        wave = int(rng.choice(3, p=(0.32, 0.35, 0.33))) + 1
        woman = bool(rng.random() < 0.42)
        drink = bool(rng.random() < DRINK[wave - 1])
        pace = (258, 305, 352)[wave - 1] + rng.normal(0, 13) + 12 * woman
        fade = max(0.03, rng.normal(0.15, 0.025)) + 0.03 * drink
        factors = 1, 1 + rng.normal(0.005, 0.008), 1 + 0.3 * fade + rng.normal(0, 0.008), 1 + fade + rng.normal(0, 0.02)
        signal = 20 * 3600 + (wave - 1) * self.gap * 60
        now = signal + rng.uniform(3, 150 if wave == 1 else 240)
        at, before = {'start': int(now)}, 0.0
        for (mat, km), factor in zip(list(MATS.items())[1:], factors):
            now += (km - before) * pace * factor
            at[mat], before = int(now), km
        chance = rng.random()
        status = 'DNS' if chance < 0.04 else 'DNF' if chance < 0.11 else 'DSQ' if chance < 0.13 else ''
        missed = {mat for mat in COURSE if rng.random() < 0.03}
        if rng.random() < 0.03:
            missed = {'half', 'k30'}  # took the short way
        if status == 'DNF':
            missed = {'half', 'k30'} if rng.random() < 0.4 else {'k30'}
            at['finish'] -= int(rng.uniform(900, 3600))
        club = str(rng.choice(CLUBS)) if rng.random() < 0.75 else ''
        return {
            'bib': bib, 'wave': wave, 'sex': 'W' if woman else 'M', 'drink': drink, 'at': at, 'status': status,
            'missed': missed, 'club': club, 'signal': signal, 'lost': False,
        }  # fmt: skip

    def _log(self, mat):
        """Reads of a mat in the order in which they happened."""
        reads = []
        for runner in self.runners:
            if runner['status'] == 'DNS' or mat in runner['missed'] or (mat == 'finish' and runner['lost']):
                continue
            at = runner['at'][mat]
            reads.append((at, runner['bib']))
            chance = self.rng.random()
            if mat == 'start' and chance < 0.2:  # warming up
                runner['warming_up'] = int(self.rng.uniform(180, 900))
                reads.append((at - runner['warming_up'], runner['bib']))
            elif mat == 'finish' and chance < 0.15:  # back for a photo
                reads.append((at + int(self.rng.uniform(30, 900)), runner['bib']))
            elif mat in COURSE and chance < 0.1:
                reads.append((at + int(self.rng.integers(1, 4)), runner['bib']))
        return sorted(reads)

    def is_telling(self):
        log = self.logs[self.mat]
        gaps = [abs(later[0] - earlier[0]) for earlier, later in zip(log, log[1:])]
        if max(gaps[self.cut - 45 : self.cut + 45]) > 110:
            return False
        good = [one for one in self.runners if not one['status'] and not one['lost'] and len(one['missed']) < 2]
        gun = sorted((one['at']['finish'] - one['signal'], one['bib']) for one in good if self._may_win(one))
        women = [one for one in good if one['sex'] == 'W']
        for readers in (women, [one for one in women if one['wave'] == 1]):
            for net in (_net, _net_of_first_read):
                if [bib for _, bib in gun[:5]] == [one['bib'] for one in sorted(readers, key=net)[:5]]:
                    return False
        if len({time for time, _ in gun[:6]}) < 6:
            return False
        named = [one for one in self.runners if one['status'] != 'DNS' and not one['lost'] and len(one['missed']) < 2]
        right = self._ranking(good, _net, True)
        wrong = [(good, _net), (good, _net_of_first_read), (named, _net)]  # and without a woman
        return all(right != self._ranking(runners, net, False) for runners, net in wrong)

    def _may_win(self, runner):
        return runner['sex'] == 'W' and runner['wave'] == 1

    def _ranking(self, runners, net, with_woman):
        sums = []
        for club in CLUBS:
            own = sorted((one for one in runners if one['club'] == club), key=net)
            team = own[:3]
            women = [one for one in own if one['sex'] == 'W']
            if with_woman and women and not any(one['sex'] == 'W' for one in team):
                team = [*team[:2], women[0]]
            if len(team) == 3 and (women or not with_woman):
                sums.append((sum(net(one) for one in team), club))
        return [club for _, club in sorted(sums)[:4]]

    def files(self):
        rng = self.rng
        reads, hand = ['mat,bib,clock'], ['mat,bib,time']
        for mat, log in self.logs.items():
            for line, (moment, bib) in enumerate(log):
                wrong = 60 * self.minutes if mat == self.mat and line >= self.cut else 0
                reads.append(f'{mat},{bib:04d},{_clock(moment + wrong)}')
            if mat in COURSE:
                lines = sorted(int(line) for line in rng.choice(len(log), 8, replace=False))
                if mat == self.mat:
                    near = (self.cut - 30, self.cut - 12, self.cut + 9, self.cut + 33)
                    lines = sorted({*(line for line in lines if abs(line - self.cut) > 40), *near})
                for line in lines:
                    moment, bib = log[line]
                    if [one for _, one in log].index(bib) == line:
                        hand.append(f'{mat},{bib},{_clock(moment + int(rng.integers(-2, 3)))}')
        start, speeds = ['bib;wave;sex;club;drink'], ['bib,avg_kmh']
        for one in self.runners:
            club = one['club']
            if rng.random() < 0.3:
                club = str(rng.choice((club.upper(), club.lower(), f' {club}', f'{club} ')))
            start.append(f'{one["bib"]};{one["wave"]};{one["sex"]};{club};{"yes" if one["drink"] else "no"}')
            last = [mat for mat in MATS if mat not in one['missed'] and not (mat == 'finish' and one['lost'])][-1]
            if one['status'] != 'DNS':
                hours = (one['at'][last] - one['at']['start']) / 3600
                speeds.append(f'{one["bib"]},{MATS[last] / hours:.3f}')
        status = ['bib,status'] + [f'#{one["bib"]},{one["status"]}' for one in self.runners if one['status']]
        signals = ', '.join(f'{_clock(20 * 3600 + wave * self.gap * 60)}' for wave in range(3))
        return {
            'reads.csv': '\n'.join(reads) + '\n',
            'marshals.csv': '\n'.join(hand) + '\n',
            'startlist.csv': '\n'.join(start) + '\n',
            'tracking.csv': '\n'.join(speeds) + '\n',
            'status.csv': '\n'.join(status) + '\n',
            'lost.csv': '\n'.join(['bib', *(str(one['bib']) for one in self.lost)]) + '\n',
            'readme.txt': README.format(signals=signals),
        }


README = """Night marathon: what the files say

reads.csv    the reads of the five mats: start, k10 (10 km), half (21.0975 km), k30 (30 km), finish (42.195 km). The
             lines of a mat are in the order in which the runners passed it. clock is the time of day. The race began on
             Saturday evening; the last runner was in on Sunday before 3 in the morning. Some runners pass a mat several
             times. At the start the last read of a runner counts, on all other mats the first.
startlist.csv  who was entered: wave, sex (W or M), club (written by the runners themselves, blanks and capitals mean
             nothing; many have none), and whether the runner was given the new drink at 20 km. The drink was drawn by
             lot in each wave, with other chances from wave to wave.
status.csv   who did not start (DNS), gave up (DNF) or was disqualified (DSQ). Who gives up is brought to the finish and
             collects the bag behind the mat.
marshals.csv times that marshals took by hand beside the mats, when a runner passed for the first time. They are
             right to 2 seconds.
tracking.csv from the app: a runner's average speed in km/h from the start mat to the last mat that has read the runner.
lost.csv     runners who were read on all mats but the finish, where their reads were lost. All of them finished.

The signal of the waves 1, 2 and 3 was at {signals}.
A result needs reads at the start, at the finish and on at least two of the three mats between, and no entry in
status.csv. Net time: from the start mat to the finish mat. Gun time: from the signal of the runner's wave to the
finish mat. The women's prizes go by gun time, among the women of wave 1.
All other rankings go by net time.
A club is ranked by the sum of the net times of three of its runners with a result, one woman at least among them: the
three that give the smallest sum.
"""


def _net(runner):
    return runner['at']['finish'] - runner['at']['start']


def _net_of_first_read(runner):
    return _net(runner) + runner.get('warming_up', 0)


def _clock(moment):
    return f'{moment // 3600 % 24:02d}:{moment // 60 % 60:02d}:{moment % 60:02d}'

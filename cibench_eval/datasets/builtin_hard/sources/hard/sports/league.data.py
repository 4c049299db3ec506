"""The results of a season in two files, the rules, and what the committee has decided."""

from datetime import date, timedelta

CLUBS = (
    'Altenried', 'Brückfeld', 'Corvenna', 'Dülmerhorst', 'Eschenbühl', 'Farnau', 'Görlitzen', 'Hallmoor',
    'Ingersby', 'Jöhlenau', 'Kaltwasser', 'Lindmark', 'Mühlgrund', 'Nordhafen', 'Osterholm', 'Pöllau',
)  # fmt: skip
PLAIN = str.maketrans({'ä': 'ae', 'ö': 'oe', 'ü': 'ue'})


def make(rng, clubs, award, sponsor):
    while True:
        season = _Season(rng, clubs, award, sponsor)
        if season.choose_deduction() and season.is_telling():
            return season.files(), {}


class _Season:
    def __init__(self, rng, clubs, award, sponsor):
        self.rng, self.award, self.reading = rng, award, 'right'
        self.clubs = [str(club) for club in rng.choice(CLUBS, clubs, replace=False)]
        self.old = self.clubs[0]
        self.clubs[0] = self.new = f'{sponsor} {self.old}'
        self.half = clubs - 1
        strength = dict(zip(self.clubs, rng.normal(0, 0.22, clubs)))
        self.matches = []
        for number, pairs in enumerate(_rounds([str(club) for club in rng.permutation(self.clubs)]), 1):
            for home, away in pairs:
                edge = strength[home] - strength[away]
                score = int(rng.poisson(1.5 * 2.718**edge)), int(rng.poisson(1.2 * 2.718**-edge))
                self.matches.append(
                    {'round': number, 'home': home, 'away': away, 'score': score, 'day': _saturday(number, self.half)}
                )
        self._disturb()
        self._decide()

    def _disturb(self):
        """Matches put off or abandoned, which are played on a Wednesday in spring of their own."""
        autumn = [match for match in self.matches if 1 < match['round'] <= self.half]
        chosen = self.rng.choice(len(autumn), self.half - 1, replace=False)
        for place, index in enumerate(chosen):
            match = autumn[int(index)]
            match['first'] = match['day']
            match['day'] = _saturday(self.half + 1 + place, self.half) + timedelta(days=4)
            if place % 3 == 0:
                match['abandoned'] = tuple(int(goals) for goals in self.rng.poisson(1.1, 2))

    def _decide(self):
        """One match is awarded, another was and is no longer."""
        won = [match for match in self.matches if match['score'][0] != match['score'][1] and 'first' not in match]
        one, other = (won[int(index)] for index in self.rng.choice(len(won), 2, replace=False))
        self.decisions = []
        for match in (one, other):
            guilty = match['home'] if match['score'][0] > match['score'][1] else match['away']
            match['void' if match is other else 'guilty'] = guilty
            day = match['day'] + timedelta(days=9)
            why = 'suspended player' if match is one else 'late line-up'
            self.decisions.append((day, match['round'], guilty, f'match lost 0-{self.award}: {why}'))
        self.decisions.append((day + timedelta(days=30), other['round'], guilty, 'appeal upheld'))

    def counted(self, match):
        if self.reading == 'abandoned scores stand' and 'abandoned' in match:
            return match['abandoned']
        guilty = match.get('guilty')
        if self.reading == 'no decisions':
            guilty = None
        elif self.reading == 'no appeal':
            guilty = guilty or match.get('void')
        if guilty is None:
            return match['score']
        return (0, self.award) if guilty == match['home'] else (self.award, 0)

    def choose_deduction(self):
        """A deduction that puts a club level with one that is behind it by goals and before it by their matches."""
        sums = self.sums()
        found = []
        for club in self.clubs:
            for other in self.clubs:
                less = sums[club][0] - sums[other][0]
                passed = [one for one in self.clubs if sums[other][0] < sums[one][0] < sums[club][0]]
                direct = self.sums({club, other})
                if 3 <= less <= 9 and passed and sums[club][1] > sums[other][1] and direct[other][0] > direct[club][0]:
                    found.append((club, less))
        if not found:
            return False
        self.guilty, self.less = found[int(self.rng.integers(len(found)))]
        self.from_round = self.half + 2 + int(self.rng.integers(0, self.half // 2))
        day = _saturday(self.from_round, self.half) - timedelta(days=3)
        self.decisions.append((day, self.from_round, self.guilty, f'minus {self.less} points: late accounts'))
        self.decisions.append((day - timedelta(days=40), '', self.clubs[3], 'fine of 400: flares'))
        return True

    def is_telling(self):
        sums = self.sums()
        sums[self.guilty][0] -= self.less
        by_goals = sorted(self.clubs, key=lambda club: sums[club], reverse=True)
        keys = {}
        for club in self.clubs:
            level = {one for one in self.clubs if sums[one][0] == sums[club][0]}
            points, difference, _ = self.sums(level)[club]
            keys[club] = (sums[club][0], points, difference, *sums[club][1:])
        table = sorted(self.clubs, key=lambda club: keys[club], reverse=True)
        moved = [club for club, other in zip(table, by_goals) if club != other]
        unique = len({*keys.values()}) == len({tuple(one) for one in sums.values()}) == len(self.clubs)
        points = [sums[club][0] for club in self.clubs]
        some = len(moved) < sum(points.count(one) > 1 for one in points)
        if not (unique and some and 2 <= len(moved) <= 7 and table[0] != self.guilty):
            return False
        runs = self.runs('day')
        best = max(runs.values())
        return [*runs.values()].count(best) == 1 and not self._is_found_by_wrong_readings({*moved}, best)

    def _is_found_by_wrong_readings(self, moved, best):
        """Whether those who misread the files would have the right clubs, or the right length of the series."""
        found = max(self.runs('round').values()) == best or max(self.runs('day', True).values()) == best
        for reading in ('no decisions', 'no appeal', 'abandoned scores stand'):
            self.reading = reading
            sums = self.sums()
            sums[self.guilty][0] -= self.less
            points = [sums[club][0] for club in self.clubs]
            found |= moved == {club for club in self.clubs if points.count(sums[club][0]) > 1}
            found |= max(self.runs('round').values()) == best or max(self.runs('day', True).values()) == best
        self.reading = 'right'
        return found

    def sums(self, among=None):
        """Points, difference of goals and goals of each club."""
        sums = {club: [0, 0, 0] for club in self.clubs}
        for match in self.matches:
            if among and not {match['home'], match['away']} <= among:
                continue
            home, away = self.counted(match)
            for club, scored, lost in ((match['home'], home, away), (match['away'], away, home)):
                sums[club][0] += 3 if scored > lost else scored == lost
                sums[club][1] += scored - lost
                sums[club][2] += scored
        return sums

    def runs(self, key, from_home=False):
        """The longest series without defeat of each club; `from_home` takes away matches from the home side, too."""
        longest = dict.fromkeys(self.clubs, 0)
        now = dict.fromkeys(self.clubs, 0)
        for match in sorted(self.matches, key=lambda match: match[key]):
            home, away = self.counted(match)
            for club, won in ((match['home'], home - away), (match['away'], home - away if from_home else away - home)):
                now[club] = now[club] + 1 if won >= 0 else 0
                longest[club] = max(longest[club], now[club])
        return longest

    def files(self):
        autumn, spring = ['round,date,home,away,score'], []
        printed = int(self.rng.integers(3, self.half - 1))
        for match in self.matches:
            home, away = (self.old if club == self.new else club for club in (match['home'], match['away']))
            day = match.get('first', match['day'])
            start = f'{match["round"]},{day},{home.translate(PLAIN)},{away.translate(PLAIN)}'
            if match['round'] > self.half or 'first' in match:
                spring.append(match)
            if match['round'] > self.half:
                continue
            if 'abandoned' in match:
                autumn.append(f'{start},abd {match["abandoned"][0]}-{match["abandoned"][1]}')
            elif 'first' in match:
                autumn.append(f'{start},pst')
            else:
                autumn.append(f'{start},{match["score"][0]}-{match["score"][1]}')
        autumn += [line for line in autumn if line.startswith(f'{printed},')]  # a page that was typed twice
        spring.sort(key=lambda match: (match['day'], match['home']), reverse=True)
        lines = ['Spieltag;Datum;Gast;Heim;Tore']
        for match in spring:
            home, away = match['score']
            lines.append(f'{match["round"]};{match["day"]:%d.%m.%Y};{match["away"]};{match["home"]};{home}:{away}')
        decisions = ['day,round,club,decision']
        for day, number, club, text in sorted(self.decisions, key=lambda one: one[0]):
            decisions.append(f'{day},{number},{club},{text}')
        names = sorted(self.clubs)
        return {
            'autumn.csv': '\n'.join(autumn) + '\n',
            'spring.csv': ('\n'.join(lines) + '\n').encode('cp1252'),
            'decisions.csv': '\n'.join(decisions) + '\n',
            'clubs.csv': '\n'.join(['club', *names]) + '\n',
            'rules.txt': RULES.format(old=self.old, new=self.new, award=self.award),
        }


RULES = """Rules of the league, and how its results are written

autumn.csv has rounds of the first half of the season, typed by hand on a keyboard without ä, ö and ü (ae, oe, ue).
spring.csv has what was played after the winter break, matches of autumn rounds among it. It was saved on Windows.
A score is always home side first. In both files, matches keep the number of the round for which they were scheduled.
A match marked pst was put off and played later. A match marked abd was abandoned; it was played again from the start,
and the replay alone counts.
In January {old} took the name {new}. clubs.csv has the names that are valid today.

decisions.csv has the decisions of the committee. "match lost 0-{award}": the match of this club in this round counts as
lost by this club with 0-{award}, however it ended. "minus N points": N points are taken from this club; they count from
this round on. "appeal upheld": an earlier decision on the same club and round is void.

A win gives 3 points, a draw 1. The table is ordered by points. Clubs level on points are ordered by the points from
the matches among all clubs on this number of points; then by the difference of goals in these matches; then by the
difference of goals in all matches; then by the goals scored in all matches.
"""


def _rounds(clubs):
    """Every club against every other, twice, on other grounds."""
    circle, rounds = list(clubs), []
    for number in range(len(clubs) - 1):
        pairs = [(circle[place], circle[-1 - place]) for place in range(len(clubs) // 2)]
        rounds.append([pair[::-1] if (number + place) % 2 else pair for place, pair in enumerate(pairs)])
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return rounds + [[pair[::-1] for pair in pairs] for pairs in rounds]


def _saturday(number, half):
    start = date(2024, 8, 31) if number <= half else date(2025, 2, 8)
    return start + timedelta(days=7 * ((number - 1) % half))

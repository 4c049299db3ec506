"""Games of a chess club in two files, one newest first, and the rules of its ratings."""

from datetime import datetime, timedelta

PLAYERS = (
    'R. Abel', 'K. Brandt', 'L. Brandt', 'T. Corin', 'M. Daschner', 'V. Ebner', 'H. Falk', 'J. Gantz', 'P. Hollmer',
    'S. Ising', 'D. Jahn', 'A. Kestner', 'E. Kestner', 'N. Lorch', 'O. Mattis', 'W. Nebel', 'B. Oster', 'G. Pahl',
)  # fmt: skip
FIRST, DAYS = datetime(2024, 9, 2), 210


def make(rng, games, k_new, k_old, active):
    while True:
        club = _Club(rng, games)
        if club.is_telling(active):
            return club.files(k_new, k_old, active), {}


class _Club:
    def __init__(self, rng, games):
        self.rng = rng
        self.players = [str(player) for player in rng.permutation(PLAYERS)]
        strength = 1500 + rng.normal(0, 110, len(PLAYERS))
        self.jumper, self.gone, self.new = self.players[0], self.players[1:3], self.players[3]
        strength[0], strength[1:3], strength[3] = 1290, (1790, 1740), 1840
        self.strength = dict(zip(self.players, strength))
        self.jump = int(rng.integers(90, 120))
        self.games, seen = [], set()
        while len(self.games) < games:
            day = int(rng.integers(DAYS))
            white, black = (str(player) for player in rng.choice(self._present(day), 2, replace=False))
            if self._of(white, day) < self._of(black, day) and rng.random() < 0.45:
                white, black = black, white
            if (day, white, black) not in seen:
                seen.add((day, white, black))
                self.games.append(self._game(day, white, black))
        self.games.sort(key=lambda game: game['time'])

    def _present(self, day):
        away = {*self.gone} if day > 120 else {self.new} if day < 70 else set()
        return [player for player in self.players if player not in away]

    def _of(self, player, day):
        return self.strength[player] + (440 if player == self.jumper and day >= self.jump else 0)

    def _game(self, day, white, black):
        rng = self.rng
        expected = 1 / (1 + 10 ** ((self._of(black, day) - self._of(white, day) - 45) / 400))
        draw = 0.5 * min(expected, 1 - expected)
        chance = rng.random()
        score = 1.0 if chance < expected - draw / 2 else 0.5 if chance < expected + draw / 2 else 0.0
        minutes = int(rng.uniform(18 * 60, 23 * 60)) if rng.random() < 0.65 else int(rng.uniform(3, 57))
        time = FIRST + timedelta(days=day, minutes=minutes)
        return {'time': time, 'white': white, 'black': black, 'score': score, 'default': bool(rng.random() < 0.05)}

    def is_telling(self, active):
        """Whether somebody who plays no more is among the best, and everybody who plays does so often enough."""
        last = self.games[-1]['time']
        recent = [game for game in self.games if (last.date() - game['time'].date()).days < active]
        rated = [game for game in recent if not game['default']]
        counts = {player: sum(player in (game['white'], game['black']) for game in rated) for player in self.players}
        return all(count >= 15 for player, count in counts.items() if player not in self.gone)

    def files(self, k_new, k_old, active):
        rng = self.rng
        archive, server = ['Tag;Weiß;Schwarz;Ergebnis'], []
        for game in self.games:
            day = (game['time'].date() - FIRST.date()).days
            if day < 130:
                shown = {1.0: '1-0', 0.5: '½-½', 0.0: '0-1'}[game['score']]
                if game['default']:
                    shown = {1.0: '+:-', 0.5: '-:-', 0.0: '-:+'}[game['score']]
                white, black = (', '.join(reversed(game[side].split(' '))) for side in ('white', 'black'))
                archive.append(f'{game["time"]:%Y-%m-%d};{white};{black};{shown}')
            if day >= 105:
                score = 1 - game['score'] if day < 130 and rng.random() < 0.06 else game['score']
                ended = 'default' if game['default'] else str(rng.choice(('mate', 'time', 'resigned', 'agreed')))
                utc = game['time'] - timedelta(hours=_ahead(game['time']))
                white, black = (self._handle(game[side]) for side in ('white', 'black'))
                server.append(f'{utc:%Y-%m-%dT%H:%M}Z,{white},{black},{score:g},{ended}')
        names = [f'{name},{_plain(name)}' for name in sorted(PLAYERS)]
        return {
            'archive.csv': ('\n'.join(archive) + '\n').encode('cp1252'),
            'server.csv': '\n'.join(['started,white,black,white_score,ended', *reversed(server)]) + '\n',
            'players.csv': '\n'.join(['name,handle', *names]) + '\n',
            'rules.txt': RULES.format(k_new=k_new, k_old=k_old, active=active),
        }

    def _handle(self, name):
        plain = _plain(name)
        return plain.title() if self.rng.random() < 0.2 else plain.upper() if self.rng.random() < 0.1 else plain


RULES = """The club's ratings

archive.csv  games as the arbiter has written them down, oldest first: Weiß is White, Schwarz is Black, Tag the day in
             Berlin on which the game began. Saved on Windows.
server.csv   games as the server has them, newest first, with the moment at which they began in UTC, the players'
             handles (capitals mean nothing) and White's score. In the weeks when the server was tried out, games are
             in both files; where the results differ, the arbiter is right.
players.csv  names and handles. No two players meet twice on one day with the same colours.

A game that was not played (+:-, -:+ and -:- of the arbiter, default of the server) is not rated.
Everybody begins with 1500. White's expected score is 1 / (1 + 10 ** ((B - W) / 400)), where W and B are the ratings of
White and Black; Black's is 1 minus that. A game changes a rating by K times (score - expected score).
All games that began on one day in Berlin are rated together, with the ratings, and the numbers of rated games, of the
end of the day before; the changes of the day are added up. Ratings are never rounded.
K is {k_new} for a player with fewer than 20 rated games before the day, {k_old} for others.
The list of the club has only active players: those with at least 10 rated games on the last {active} days, the last of
which is the day of the last rated game.
"""


def _plain(name):
    return name.replace('. ', '').lower()


def _ahead(time):
    """Hours by which Berlin is ahead of UTC."""
    return 2 if time < datetime(2024, 10, 27, 3) or time >= datetime(2025, 3, 30, 3) else 1



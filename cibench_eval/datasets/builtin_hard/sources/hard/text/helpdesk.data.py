"""Mails of a help desk from two programs, its list of models and parts, and how tickets were rated."""

from datetime import datetime, timedelta, timezone

START = datetime(2025, 2, 3, tzinfo=timezone.utc)
EXPORT = datetime(2025, 4, 14, 8, tzinfo=timezone.utc)
WEEKS = 10
SIZES = ('20', '110', '200', '250', '310', '520')
PARTS = ('battery', 'charger', 'hinge', 'screen', 'speaker', 'keyboard')
CYRILLIC = dict(zip('ABCEHKMOPTX', 'АВСЕНКМОРТХ'))
OFFSETS = (0, 60, 120, -300, 480, 330)
STAFF = ('Mila', 'Tomas', 'Ines', 'Yusuf')
CUSTOMERS = ('Zoë', 'Jürgen', 'Amélie', 'Søren', 'Lena', 'Oskar', 'Inês', 'Bela')
CATEGORIES = ('refund', 'setup', 'repair')
PLACES = ('Zürich', 'Orléans', 'Málaga', 'Göteborg', 'Leeds', 'Vienna')


def make(rng, brand, shift, spare):
    models = [f'{brand}-{size}' for size in SIZES]
    hot, decoy, foreign = (models[int(number)] for number in rng.permutation(len(models))[:3])
    bad, praised = (PARTS[int(number)] for number in rng.permutation(len(PARTS))[:2])
    tickets = []
    for week in range(WEEKS):
        for model in models:
            count = int(rng.integers(1, 4))
            if model == hot and week >= shift:
                count = int(rng.integers(8, 11))
            if model == decoy and week == 2:
                count = 15
            tickets += [(week, model)] * count
    tickets += [(int(rng.integers(0, WEEKS)), None) for _ in range(spare)]
    tickets = [tickets[int(number)] for number in rng.permutation(len(tickets))]
    mails, rows = [], []
    for number, (week, model) in enumerate(tickets):
        fault = (bad, praised) if model == hot and week >= shift else None
        desk = _Ticket(rng, number + 1, week, model, models, foreign, fault)
        mails += desk.mails
        rows += desk.ratings
    mails.sort(key=lambda mail: mail['sent'])
    for number, mail in enumerate(mails):
        mail['number'] = 2001 + number
    half = int(len(mails) * 0.45)
    rows = [rows[int(number)] for number in rng.permutation(len(rows))]
    files = {
        'inbox.csv': _inbox(mails[int(half * 0.9) :]),
        'archive.tsv': _archive(mails[:half]),
        'models.txt': '\n'.join(models) + '\n',
        'parts.txt': '\n'.join(PARTS) + '\n',
        'ratings.csv': 'given,ticket,team,category,score\n' + ''.join(f'{",".join(map(str, row))}\n' for row in rows),
        'notes.txt': NOTES.format(first=models[0], compact=models[0].replace('-', '')),
    }
    return files, {}


NOTES = """About these files

archive.tsv is from the old program, inbox.csv from the new one. The old program saved UTF-16, parted the columns by
tabs and wrote the end of a line as \\n (a backslash and an n). The new one saved UTF-8. In the weeks of the change both
took the mails in. The number of a mail is the same in both: 2345 in the old program is M-02345 in the new one.

Every mail came in over one of two gateways. gw2 read what was UTF-8 as ISO-8859-1; whoever reads its mails has to undo
that. sent is the sender's local time with its distance from UTC.

Staff write from addresses at desk.example, all others are customers. noreply@desk.example is a program.

Own words of a mail are what its writer has written in it: no quoted lines (they begin with >), no line that ends with
"wrote:", and nothing from the signature. A signature begins with a line of two hyphens (blanks behind them aside).
Some send a mail again. A mail with the same own words as an earlier one of the same side (customer or staff) in the
same ticket is the earlier one, sent again, and only the earliest counts.

models.txt has the models. People write them in upper or lower case, with any dash, a blank or nothing before the
number ({first}, {compact}), in full-width characters, and with Cyrillic letters that look like the Latin ones.

parts.txt has the parts. A sentence ends with a full stop. A sentence complains of a part if it names the part and
has none of the words no, not, nothing and never.

ratings.csv: given is when the customer rated (UTC), score goes from 1 (bad) to 5 (good), 9 says that the customer was
asked and did not answer. Who rates a ticket twice has changed their mind. Tickets go to the teams by their category,
most refunds to one of them.

The files were exported on 2025-04-14 at 08:00 UTC.
"""


class _Ticket:
    def __init__(self, rng, number, week, model, models, foreign, fault):
        self.rng, self.number, self.models, self.foreign = rng, number, models, foreign
        self.mails, self.ratings = [], []
        self.offset = OFFSETS[int(rng.integers(0, len(OFFSETS)))]
        self.customer = CUSTOMERS[int(rng.integers(0, len(CUSTOMERS)))]
        self.address = f'{self.customer.encode("ascii", "ignore").decode().lower()}{number}@' + (
            'desk.example.net' if rng.random() < 0.06 else 'post.example'
        )
        if rng.random() < 0.3:
            self.address = self.address.upper()
        opened = START + timedelta(days=7 * week, minutes=int(rng.integers(0, 7 * 24 * 60 - 120)))
        first = self._first(model, fault)
        self._customer(opened, first)
        machine = opened + timedelta(minutes=1)
        self._add(machine, 'noreply@desk.example', 60, 'We have received your mail.')
        self._answer(opened, first)
        self._rate(opened)

    def _first(self, model, fault):
        place = PLACES[int(self.rng.integers(0, len(PLACES)))]
        said = [f'Hello from {place}, déjà vu à la carte.' if self.rng.random() < 0.4 else f'Good day from {place}.']
        if model:
            said.append(f'I bought the {self._spelled(model)} in {2020 + int(self.rng.integers(0, 5))}.')
            if self.rng.random() < 0.1:
                other = self.models[int(self.rng.integers(0, len(self.models)))]
                said.append(f'Before that I had the {self._spelled(other)}.')
        else:
            said.append('I have a question about my bill of last month.')
        if fault:
            bad, praised = fault
            wrong = bad if self.rng.random() < 0.6 else self._part(PARTS)
            said.append(f'The {wrong} {self._pick(("broke", "makes a noise", "gets hot"))} after {self._days()} days.')
            if self.rng.random() < 0.85:
                said.append(
                    self._pick(
                        (f'Nothing is wrong with the {praised}.', f'The {praised} is not the cause.', f'I never dropped the {praised}.')
                    )
                )
        elif model and self.rng.random() < 0.6:
            said.append(f'The {self._part(PARTS)} {self._pick(("broke", "makes a noise"))} after {self._days()} days.')
        said.append(f'My order is {int(self.rng.integers(10000, 99999))}.')
        return '\n'.join(said)

    def _pick(self, choices):
        return choices[int(self.rng.integers(0, len(choices)))]

    def _part(self, parts):
        return parts[min(int(self.rng.exponential(1.3)), len(parts) - 1)]

    def _days(self):
        return int(self.rng.integers(3, 90))

    def _spelled(self, model):
        head, size = model.split('-')
        way = self.rng.random()
        if model == self.foreign:
            way *= 0.45
        if way < 0.25:
            return ''.join(CYRILLIC.get(letter, letter) for letter in head) + '-' + size
        if way < 0.4:
            return ''.join(chr(ord(sign) + 0xFEE0) for sign in model)
        if way < 0.5:
            return model.lower()
        if way < 0.6:
            return head + self._pick((' ', '', '\u2013')) + size
        return model

    def _add(self, moment, sender, offset, body):
        gateway = 'gw2' if self.rng.random() < 0.35 else 'gw1'
        if gateway == 'gw2':
            body = body.encode().decode('latin-1')
        zone = timezone(timedelta(minutes=offset))
        shown = moment.astimezone(zone).isoformat(timespec='minutes')
        self.mails.append(
            {'sent': moment, 'shown': shown, 'ticket': self.number, 'from': sender, 'via': gateway, 'body': body}
        )

    def _customer(self, moment, body):
        signed = self.rng.random() < 0.5
        tail = f'\n-- \n{self.customer}\nSent from my {self._pick(self.models)}' if signed else ''
        self._add(moment, self.address, self.offset, body + tail)
        if self.rng.random() < 0.12:  # sent again, perhaps over the other gateway
            self._add(moment + timedelta(minutes=int(self.rng.integers(2, 50))), self.address, self.offset, body + tail)

    def _quote(self, body, moment):
        return f'On {moment:%d %B %Y} {self.customer} wrote:\n' + '\n'.join(f'> {line}' for line in body.split('\n'))

    def _answer(self, opened, first):
        wait = float(self.rng.lognormal(4.6, 1.0))
        moment = opened + timedelta(minutes=max(int(wait * 60), 20))
        if self.rng.random() < 0.16 or moment > EXPORT - timedelta(hours=1):
            return
        staff = self._pick(STAFF)
        offered = self._pick(self.models)
        own = f'Dear customer,\nwe are sorry for order trouble and look into it.\nThe {offered} is on offer this week.'
        body = f'{own}\n\n{self._quote(first, opened)}\n-- \n{staff}, help desk'
        self._add(moment, f'{staff.lower()}@desk.example', 60, body)
        later = moment + timedelta(minutes=int(self.rng.integers(30, 4000)))
        if self.rng.random() < 0.55 and later < EXPORT:
            quoted = '\n'.join(f'> {line}' for line in body.split('\n'))
            thanks = f'Thank you {staff}.\n\nOn {moment:%d %B %Y} {staff} wrote:\n{quoted}\n\n'
            below = self._pick(('That did not help, please call me.', 'I will try that tomorrow.', 'The bill was paid in May.'))
            if self.rng.random() < 0.3:
                below += f'\nThe {self._part(PARTS[::-1])} gets hot, too.'
            self._customer(later, thanks + below)

    def _rate(self, opened):
        if self.rng.random() < 0.3:
            return
        hard = int(self.rng.choice(3, p=(0.4, 0.35, 0.25)))
        category = CATEGORIES[hard]
        team = 'north' if self.rng.random() < (0.85, 0.2, 0.25)[hard] else 'south'
        mean = (1.9, 4.0, 3.5)[hard] + (0.6 if team == 'north' else 0)
        given = opened + timedelta(minutes=int(self.rng.integers(2000, 9000)))
        times = 2 if self.rng.random() < 0.12 else 1
        for time in range(times):
            score = int(min(max(round(float(self.rng.normal(mean, 0.8))), 1), 5)) if self.rng.random() > 0.15 else 9
            if times == 2:
                score = int(self.rng.integers(1, 3)) if time == 0 else min(max(round(mean), 1), 5)
            moment = given + timedelta(minutes=700 * time)
            if moment > EXPORT:
                return
            self.ratings.append((f'{moment:%Y-%m-%d %H:%M}', f'T{self.number:04d}', team, category, score))


def _inbox(mails):
    lines = ['mail,ticket,from,sent,via,body']
    for mail in mails:
        body = mail['body'].replace('"', '""')
        lines.append(f'M-{mail["number"]:05d},{mail["ticket"]},{mail["from"]},{mail["shown"]},{mail["via"]},"{body}"')
    return '\n'.join(lines) + '\n'


def _archive(mails):
    lines = ['number\tticket\tfrom\tsent\tvia\ttext']
    for mail in mails:
        body = mail['body'].replace('\n', '\\n')
        lines.append(f'{mail["number"]}\t{mail["ticket"]}\t{mail["from"]}\t{mail["shown"]}\t{mail["via"]}\t{body}')
    return ('\n'.join(lines) + '\n').encode('utf-16')

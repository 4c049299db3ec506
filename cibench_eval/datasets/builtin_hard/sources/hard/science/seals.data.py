"""Alleles of seals on three plates: one lay the wrong way round, scales differ, hair loses alleles, one is never seen."""

import numpy as np

LINES, COLUMNS = 'ABCDEFGH', range(1, 13)
WELLS = [f'{line}{column}' for line in LINES for column in COLUMNS]
FEMALES, AWAY_FEMALES, AWAY_MALES = 26, 4, 6
MARKERS = 14
LOST = {'skin': 0.05, 'hair': 0.2}
"""How often one of two alleles does not show."""
MISREAD, FAILED = 0.01, 0.02
HIDDEN = 0
"""An allele that the machine does not see."""


def make(rng, males, pups, nursed, bound):
    while True:
        colony = _Colony(rng, males, pups)
        nurses = _nurses(rng, colony, nursed)
        if nurses is not None:
            break
    files = {
        'notes.txt': NOTES.format(markers=MARKERS),
        'seals.csv': _csv('number,kind,sample', colony.seals),
        'nurses.csv': _csv('pup,nurse', nurses),
        'wells.csv': _csv('plate,well,seal', colony.wells),
        'alleles.csv': _csv(
            'plate,well,' + ','.join(f'm{m}_{ab}' for m in range(1, MARKERS + 1) for ab in 'ab'), colony.read
        ),
    }
    return files, {'fathers': colony.fathers_of_pups}


NOTES = """Notes on the seals

seals.csv lists the seals of a colony that were sampled: females and males that bred there, and the pups of one season. Skin
or hair was taken. Most adults of the colony were sampled, not all of them.
wells.csv says what was put into which well of the three plates; the other wells stayed empty. The two controls are the same
two animals on each plate, the blank is water. alleles.csv is what the machine read in each well: the lengths, in base pairs,
of the two alleles at each of {markers} markers, which lie on different chromosomes. An animal has one allele from its mother and
one from its father; two of the same length show as one length twice.
nurses.csv has pups and the female that was seen to nurse them, who is not always their mother.
"""


class _Colony:
    """Who there is, whose child each pup is, and what the machine reads."""

    def __init__(self, rng, males, pups):
        self.rng = rng
        self._markers()
        mothers, fathers = ([self._founder() for _ in range(count)] for count in (FEMALES, males))
        self._brothers(fathers)
        share = 0.7 * rng.dirichlet(np.full(males, 0.7)) + 0.3 / males
        sires, dams = rng.choice(males, pups, p=share), rng.integers(0, FEMALES, pups)
        young = [self._child(mothers[dam], fathers[sire]) for dam, sire in zip(dams, sires)]
        here_females = np.sort(rng.choice(FEMALES, FEMALES - AWAY_FEMALES, replace=False)).tolist()
        here_males = np.sort(rng.choice(males, males - AWAY_MALES, replace=False)).tolist()
        animals = [('female', mothers[one]) for one in here_females] + [('male', fathers[one]) for one in here_males]
        animals += [('pup', one) for one in young]
        order = rng.permutation(len(animals)).tolist()
        number = {old: new for new, old in enumerate(order, start=1)}
        self.females = {one: number[at] for at, one in enumerate(here_females)}
        self.males = {one: number[at + len(here_females)] for at, one in enumerate(here_males)}
        first = len(here_females) + len(here_males)
        parents = sorted((number[first + at], dams[at], sires[at]) for at in range(pups))
        self.mothers_of_pups = [(pup, self.females.get(int(dam), 0)) for pup, dam, _ in parents]
        self.fathers_of_pups = [str(self.males.get(int(sire), 0)) for _, _, sire in parents]
        samples = ['hair' if rng.random() < 0.35 else 'skin' for _ in order]
        self.seals = [(at, animals[old][0], sample) for at, (old, sample) in enumerate(zip(order, samples), start=1)]
        self.genotypes = {number[old]: animals[old][1] for old in order}
        self._plates()

    def _markers(self):
        rng, self.alleles, self.shares = self.rng, [], []
        unseen, poor = rng.choice(MARKERS, 2, replace=False).tolist()
        for marker in range(MARKERS):
            count = 3 if marker == poor else int(rng.integers(6, 9))
            start = 120 + 14 * int(rng.integers(0, 8))
            self.alleles.append([*(start + 2 * np.sort(rng.choice(14, count, replace=False))).tolist(), HIDDEN])
            share = np.array([0.84, 0.1, 0.06]) if marker == poor else rng.dirichlet(np.full(count, 2.0))
            hidden = 0.22 if marker == unseen else 0
            self.shares.append([*(share * (1 - hidden)).tolist(), hidden])

    def _founder(self):
        return [tuple(int(one) for one in self.rng.choice(a, 2, p=p)) for a, p in zip(self.alleles, self.shares)]

    def _child(self, mother, father):
        sides = self.rng.integers(0, 2, (MARKERS, 2))
        return [(m[int(left)], f[int(right)]) for m, f, (left, right) in zip(mother, father, sides)]

    def _brothers(self, fathers):
        for _ in range(len(fathers) // 3):
            one, other = self.rng.choice(len(fathers), 2, replace=False).tolist()
            fathers[other] = self._child(fathers[one], self._founder())

    def _plates(self):
        rng = self.rng
        controls = [self._founder(), self._founder()]
        for marker in range(MARKERS):
            for control in controls:
                control[marker] = tuple(rng.choice(self.alleles[marker][:-1], 2, replace=False).tolist())
        shifted = rng.choice(MARKERS, 4, replace=False).tolist()
        scale = {(2, shifted[0]): 2, (2, shifted[1]): -2, (3, shifted[2]): 4, (1, shifted[3]): -2}
        self.wells, self.read, self.seen, queue = [], [], {}, list(self.seals)
        for plate in (1, 2, 3):
            filled = {
                'A1': ('control 1', controls[0], None),
                'A2': ('control 2', controls[1], None),
                'H12': ('blank', None, None),
            }
            for well in WELLS[2:-1]:
                if queue:
                    number, _, sample = queue.pop(0)
                    filled[well] = (number, self.genotypes[number], sample)
            self.wells += [(plate, well, filled[well][0]) for well in WELLS if well in filled]
            for at, well in enumerate(WELLS):
                number, genotype, sample = filled.get(WELLS[-1 - at] if plate == 2 else well, ('', None, None))
                seen = [self._shown(genotype[m], m, sample) if genotype else () for m in range(MARKERS)]
                self.seen[number] = seen
                lengths = [
                    one + scale.get((plate, m), 0) if one else ''
                    for m, pair in enumerate(seen)
                    for one in pair or ('', '')
                ]
                self.read.append((plate, well, *lengths))

    def _shown(self, pair, marker, sample):
        rng = self.rng
        seen = sorted(one for one in pair if one != HIDDEN)
        if sample is not None:
            if len(seen) == 2 and seen[0] != seen[1] and rng.random() < LOST[sample]:
                seen = [seen[int(rng.integers(0, 2))]]
            seen = [int(rng.choice(self.alleles[marker][:-1])) if rng.random() < MISREAD else one for one in seen]
            if rng.random() < FAILED:
                seen = []
        if not seen:
            return ()
        return min(seen), max(seen)


def _nurses(rng, colony, count):
    """Pups and who nursed them, some not by their mother; None where genotypes leave doubt."""
    known = [(pup, mother) for pup, mother in colony.mothers_of_pups if mother]
    rows, strangers = [], 0
    for at in np.sort(rng.choice(len(known), count, replace=False)):
        pup, mother = known[int(at)]
        nurse = mother
        if rng.random() < 0.3:
            nurse = int(rng.choice([one for one in colony.females.values() if one != mother]))
        against = _against(colony, pup, nurse)
        if (nurse == mother) != (against <= 3) or 3 < against < 6:
            return None
        strangers += nurse != mother
        rows.append((pup, nurse))
    return rows if 3 <= strangers <= count // 2 else None


def _against(colony, pup, nurse):
    """At how many markers what was read of the two has no length in common, on true scales."""
    return sum(bool(a and b and not set(a) & set(b)) for a, b in zip(colony.seen[pup], colony.seen[nurse]))


def _csv(head, rows):
    return '\n'.join([head, *(','.join(map(str, row)) for row in rows)]) + '\n'

"""A campaign of a water laboratory: standards, runs of the spectrometer, bottles, spikes, and files that come late."""

import numpy as np

FORMS = {'quadratic': lambda c, b: b * c - 0.0019 / 0.08 * b * c**2, 'hyperbola': lambda c, b: b * c / (1 + c / 26)}
MOLAR = {'copper': 63.546, 'zinc': 65.38, 'nickel': 58.693}
RECIPES = (  # flask, source, ml, volume on the label
    ('Z1', 'stock', 10, 100),
    ('Z2', 'Z1', 10, 100),
    ('Z3', 'stock', 10, 100),
    ('F01', 'Z2', 2.5, 100),
    ('F02', 'Z2', 5, 100),
    ('F03', 'Z2', 10, 100),
    ('F04', 'Z1', 2, 100),
    ('F05', 'Z1', 6, 200),
    ('F06', 'Z1', 8, 200),
    ('F07', 'Z1', 6, 100),
    ('F08', 'Z1', 16, 200),
    ('F09', 'Z1', 10, 100),
    ('F10', 'Z1', 6, 50),
)
WATERS = ('river', 'spring', 'estuary')
CONDUCTIVITY = {'river': (260, 560), 'spring': (850, 1450), 'estuary': (3500, 18000)}
TOP = 12
SHARES = (0.35, 0.6, 0.93, 1.5, 2.1, 6)
"""Of the limit, what the filtered water of the six sites holds."""


def make(rng, element, form, wrong, matrix, limit):
    stock = int(rng.choice([984, 988, 1012, 1017]))
    slope = float(rng.uniform(0.078, 0.084))

    def net(level):
        return FORMS[form](level, slope)

    def read(level, blank, sensitivity=1.0):
        return blank + sensitivity * net(level) * (1 + float(rng.normal(0, 0.002))) + float(rng.normal(0, 0.0003))

    glasses, volumes = _glasses(rng, wrong)
    levels = {'stock': float(stock)}
    for flask, source, ml, _ in RECIPES:
        levels[flask] = levels[source] * ml / volumes[flask]
    blank = float(rng.uniform(0.011, 0.014))
    bottles = _bottles(rng, limit, matrix)
    lost = [one for one in bottles if one['lost']]
    unknown, held = _unknown(rng, read, matrix)
    strays, waters = _strays(rng)
    files = {
        'notes.txt': NOTES.format(element=element, stock=stock),
        'standards.csv': _standards(rng, glasses),
        'run_1.csv': _first(rng, read, levels, wrong, blank),
        'run_2.csv': _second(rng, read, bottles).encode('cp1252'),
        'vials.csv': _vials(rng, bottles),
        'samples.csv': _samples(rng, bottles),
        'samplings.csv': _samplings(rng, bottles),
        'spikes.csv': _spikes(rng, lambda level: read(level, blank), bottles, levels['Z3'], matrix),
        'flasks.csv': _inventory(rng, glasses, volumes),
        'run_3.csv': unknown,
        'unknown.csv': held[1],
        'lost.csv': strays,
        'contract.csv': _contract(rng, bottles, lost, MOLAR[element]),
    }
    return files, {'unknown': held[0], 'water': waters}


NOTES = """Notes on the campaign ({element} in water, flame spectrometer)

Standards. standards.csv says for each flask from what it was made (source), how much of that was pipetted, and in which
glass it was filled up, with the volume in ml that the label on the glass gives. F01 to F10 are the standards of the
calibration. The stock has {stock} mg of {element} in a liter.
Runs. 9.999 stands for a reading that failed. Where a position was read again, the later reading replaces the earlier one.
Of the three readings of a flask in run 1, F01 to F10 and QC, one that is more than 10 percent off their median is not used;
a failed or replaced reading is none of them. Blanks are all used.
Net absorbance is absorbance less the mean of all blanks of the same run.
Calibration. It goes through the mean net absorbance of each standard, by unweighted least squares. Net absorbance A as a
function of the concentration c (mg/l) has one of these forms:
    line: A = b c        quadratic: A = b c + d c^2        hyperbola: A = b c / (1 + c / k)
The form is chosen by leaving out each standard in turn, but for the one with the lowest and the one with the highest
concentration, and predicting its mean net absorbance from all others: the smallest root mean square of the errors wins.
A standard that is off stays out of the calibration as long as nobody knows why. Once its true concentration is known, it
is a standard as any other.
Checks. QC is one solution throughout. The sensitivity of a check is its net absorbance over the mean net absorbance of QC
in run 1. It changes slowly with time, by itself. Between two checks it is interpolated linearly in time. If the burner was
cleaned between two checks, it changes at once: readings before have the sensitivity of the check before, readings after
that of the check after. Cleaning takes ten minutes or more, in which nothing is read. Breaks can be as long; the flame
burns on.
A net absorbance over the sensitivity of its moment is what the calibration is for.
Samples. A letter and a number name a sample, whatever stands between them; the laboratory writes A-07.
A dilution 1+4 is one part of sample and four parts of water, 1:10 is one part of sample in ten parts in all.
A vial is usable if its net absorbance (over the sensitivity) is not above the mean net absorbance of F10 in run 1.
The result of a sample comes from its usable vials with the least dilution; of several of these it is the mean. Results are
for the undiluted sample.
Spikes. Some ul of Z3 were added to some ml of a sample. before and after are absorbances without and with the spike, read
in run 1 between the standards. The recovery is the mass found, over the mass added, times 100: found is the mass in the
mixture less the mass in the sample that went into it, both by these readings. A water whose mean recovery is within 95 to 105 percent is not
corrected. Results of another water are divided by its mean recovery / 100.
Bottles. Each sampling of a site filled two bottles, one of raw and one of filtered water. rack says where a bottle
stood on the day its file was written. Probe P1 shows conductivity in uS/cm, probe P2 in mS/cm.
"""


def _glasses(rng, wrong):
    numbers = [f'G{number}' for number in rng.choice(900, len(RECIPES), replace=False) + 100]
    glasses = dict(zip([recipe[0] for recipe in RECIPES], numbers))
    volumes = {}
    for flask, _, _, label in RECIPES:
        volumes[flask] = round(label * (1 + float(rng.uniform(-0.005, 0.005))), 2)
    volumes['Z3'] = round(100 * (1 + float(rng.choice([-1, 1]) * rng.uniform(0.001, 0.002))), 2)
    volumes['Z1'] = round(100 * float(rng.uniform(0.984, 0.989)), 2)
    volumes[wrong] = round(250 * (1 + float(rng.uniform(-0.002, 0.002))), 2)
    return glasses, volumes


def _standards(rng, glasses):
    lines = ['flask,source,pipetted,glass,label_ml']
    rows = []
    for flask, source, ml, label in RECIPES:
        pipetted = f'{ml * 1000:g} ul' if ml < 7 and rng.random() < 0.5 else f'{ml:g} ml'
        rows.append(f'{flask},{source},{pipetted},{glasses[flask]},{label}')
    return '\n'.join(lines + [rows[index] for index in rng.permutation(len(rows))]) + '\n'


def _inventory(rng, glasses, volumes):
    label = {recipe[0]: recipe[3] for recipe in RECIPES}
    rows = []
    for flask, glass in glasses.items():
        rows.append((glass, volumes[flask], f'{int(rng.integers(1, 13)):02d}.{int(rng.integers(5, 8)):02d}.2025'))
    for flask in ('Z1', 'F02', 'F04', 'F07', 'F09'):  # tested before, when the glass was new or not yet scratched
        old = round(label[flask] * (1 + float(rng.uniform(-0.012, 0.012))), 2)
        rows.append((glasses[flask], old, f'{int(rng.integers(15, 29)):02d}.{int(rng.integers(9, 13)):02d}.2023'))
    for _ in range(14):
        size = int(rng.choice([50, 100, 200, 250]))
        name = f'H{int(rng.integers(100, 1000))}'
        rows.append((name, round(size * (1 + float(rng.uniform(-0.002, 0.002))), 2), '11.06.2025'))
    rows = [rows[index] for index in rng.permutation(len(rows))]
    return 'glass;volume_ml;tested\n' + '\n'.join(f'{a};{b};{c}' for a, b, c in rows) + '\n'


def _first(rng, read, levels, wrong, blank):
    order = ['blank', 'QC']
    for turn in range(3):
        flasks = [f'F{number:02d}' for number in range(1, 11)]
        order += flasks if turn % 2 == 0 else flasks[::-1]
        order += ['blank', 'blank', 'QC'] if turn < 2 else ['blank', 'blank', 'blank']
    spots = {flask: [index for index, one in enumerate(order) if one == flask] for flask in set(order)}
    others = [flask for flask in ('F03', 'F04', 'F05', 'F06', 'F07', 'F08', 'F09') if flask != wrong]
    bubble, failed, again, blown = rng.choice(others, 4, replace=False)
    bubble, failed, again = (spots[one][int(rng.integers(0, 3))] for one in (bubble, failed, again))
    blown = spots[blown][int(rng.integers(0, 3))]
    lines = ['position,flask,absorbance']
    for index, flask in enumerate(order):
        level = {'blank': 0.0, 'QC': 4.3}.get(flask, levels.get(flask))
        value = read(level, blank)
        if index == bubble:
            value = blank + (value - blank) * 0.66
        if index == failed:
            value = 9.999
        if index == again:
            lines.append(f'{index + 1},{flask},{value * 0.93:.4f}')
        if index == blown:
            lines.append(f'{index + 1},{flask},9.9990')
        lines.append(f'{index + 1},{flask},{value:.4f}')
    return '\n'.join(lines) + '\n'


def _bottles(rng, limit, matrix):
    while True:
        waters = [WATERS[index // 2] for index in range(6)]
        sites = [f'{"KLMNPQ"[index]}{int(rng.integers(10, 100))}' for index in rng.permutation(6)]
        shares = rng.permutation(SHARES)
        bottles = []
        for site, water, share in zip(sites, waters, shares):
            for step in rng.permutation([-0.24, -0.08, 0.08, 0.24]):
                clean = limit * share * float(np.exp(step + rng.normal(0, 0.01)))
                raw = clean / float(np.exp(rng.normal(-0.1, 0.08)))
                for kind, level in (('filtered', clean), ('raw', raw)):
                    bottles.append({'site': site, 'water': water, 'share': share, 'bottle': kind, 'level': level})
        names = [f'{"ABC"[index % 3]}-{number:02d}' for index, number in enumerate(rng.permutation(48) + 1)]
        for name, one in zip(names, bottles):
            one.update(sample=name, lost='', shown=one['level'] * (matrix if one['water'] == 'estuary' else 1))
        near = [abs(one['shown'] / TOP - 1) < 0.07 for one in bottles]
        few = sum(one['shown'] > TOP for one in bottles)
        medians = {
            (site, kind): np.median([one['level'] for one in bottles if (one['site'], one['bottle']) == (site, kind)])
            for site in sites
            for kind in ('filtered', 'raw')
        }
        clear = all(abs(value / limit - 1) > 0.04 for value in medians.values())
        crossing = sum(medians[site, 'filtered'] < limit < medians[site, 'raw'] for site in sites)
        estuary = [medians[site, 'filtered'] for site, water in zip(sites, waters) if water == 'estuary']
        bounded = max(one['shown'] for one in bottles) < 26  # above, the quadratic comes down again
        if bounded and not any(near) and few == 8 and clear and crossing == 1 and max(estuary) < 4 * limit:
            break
    over = [one for one in bottles if one['bottle'] == 'raw' and one['shown'] > TOP]
    under = [one for one in bottles if one['bottle'] == 'raw' and one['shown'] < TOP and one['share'] != 0.93]
    for one in rng.choice(over, 2, replace=False):
        one['lost'] = 'over'
    for one in rng.choice(under, 2, replace=False):
        one['lost'] = 'failed'
    fine = [one for one in bottles if one['shown'] < TOP and not one['lost']]
    twice = list(rng.choice(fine, 10, replace=False))
    for one in bottles:
        one['vials'] = ['none', 'none'] if any(one is other for other in twice) else ['none']
        if one['shown'] > TOP and one['lost'] != 'over':
            one['vials'].append(str(rng.choice(['1+4', '1:10', '1:5', '1+9'])))
        elif one['lost'] == 'over':
            one['vials'].append('none')
    spare = [one for one in fine if not any(one is other for other in twice) and one['shown'] > 3]
    for one in rng.choice(spare, min(4, len(spare)), replace=False):
        one['vials'].append('1+1' if rng.random() < 0.5 else '1+4')
    vials = [(one, index) for one in bottles for index in range(len(one['vials']))]
    numbers = rng.permutation(len(vials)) + 1
    for (one, index), number in zip(vials, numbers):
        one.setdefault('names', {})[index] = f'V{number:02d}'
    return bottles


def _factor(dilution):
    if dilution == 'none':
        return 1
    first, second = dilution.replace('+', ' ').replace(':', ' ').split()
    return int(first) + int(second) if '+' in dilution else int(second)


def _second(rng, read, bottles):
    vials = sorted(
        (one['names'][index], one, dilution) for one in bottles for index, dilution in enumerate(one['vials'])
    )
    blocks = [vials[start : start + 8] for start in range(0, len(vials), 8)]
    cleaned, paused = (3, 6) if rng.random() < 0.5 else (5, 2)
    sound = [
        cut for cut in (3, 4, 5) if all(one['lost'] != 'failed' for _, one, _ in blocks[cleaned][cut - 1 : cut + 1])
    ]
    cut, stop = int(rng.choice(sound)), int(rng.integers(2, 7))
    blank = float(rng.uniform(0.021, 0.026))
    fall, second = float(rng.uniform(0.0012, 0.0015)), float(rng.uniform(0.0008, 0.001))
    lines, clock, position, state = ['Nr;Gefäß;Uhrzeit;Extinktion'], 21 * 3600 + 34 * 60, 0, {'from': 0.0, 'at': 0.985}
    start = clock

    def sensitivity():
        minutes = (clock - start) / 60
        return state['at'] - (fall if not state['from'] else second) * (minutes - state['from'])

    def note(name, level, value=None):
        nonlocal clock
        shown = read(level, blank, sensitivity()) if value is None else value
        time = f'{clock // 3600 % 24:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}'
        lines.append(f'{position};{name};{time};{shown:.4f}'.replace('.', ','))
        clock += int(rng.integers(75, 100))

    again = {int(number) for number in rng.choice([0, 1, 4], 2, replace=False)}
    for number, block in enumerate(blocks):
        position += 1
        note('QC', 4.3)
        if number % 2 == 0 or number == len(blocks) - 1:
            position += 1
            note('B', 0.0)
        for index, (name, one, dilution) in enumerate(block):
            if number == paused and index == stop:
                clock += int(rng.integers(20, 25)) * 60
            if number == cleaned and index == cut:
                clock += int(rng.integers(12, 17)) * 60
                state.update({'from': (clock - start) / 60, 'at': 1.015})
            position += 1
            level = one['shown'] / _factor(dilution)
            if one['lost'] == 'failed':
                note(name, level, 9.999)
            elif number in again and index == 1:
                note(name, level, float(rng.uniform(0.03, 0.05)))
                note(name, level)
            else:
                note(name, level)
    position += 1
    note('QC', 4.3)
    return '\n'.join(lines) + '\n'


def _spelt(rng, sample):
    letter, number = sample.split('-')
    return str(rng.choice([sample, f'{letter}{number}', f'{letter.lower()} {int(number)}', f'{letter}_{int(number)}']))


def _vials(rng, bottles):
    rows = [
        (one['names'][index], one['sample'], dilution) for one in bottles for index, dilution in enumerate(one['vials'])
    ]
    return 'vial,sample,dilution\n' + '\n'.join(f'{v},{_spelt(rng, s)},{d}' for v, s, d in sorted(rows)) + '\n'


def _measured(rng, water, second):
    low, high = CONDUCTIVITY[water]
    probe = 'P2' if rng.random() < second else 'P1'
    value = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    shown = f'{value / 1000:.3f}' if probe == 'P2' else f'{value:.0f}'
    return f'{probe},{shown},{float(rng.normal(7.6, 0.3)):.1f},{float(rng.normal(13, 2.5)):.1f}'


def _samples(rng, bottles):
    lines = ['sample,site,water,bottle,rack,probe,conductivity,ph,celsius']
    racks = dict(zip(WATERS, rng.permutation([1, 2, 3])))
    for one in sorted(bottles, key=lambda one: one['sample']):
        measured = _measured(rng, one['water'], 0)
        lines.append(f'{one["sample"]},{one["site"]},{one["water"]},{one["bottle"]},{racks[one["water"]]},{measured}')
    return '\n'.join(lines) + '\n'


def _samplings(rng, bottles):
    pairs = [(raw['sample'], clean['sample']) for clean, raw in zip(bottles[::2], bottles[1::2])]
    days = sorted(int(day) for day in rng.integers(1, 60, len(pairs)))
    lines = ['day,raw,filtered']
    for day, index in zip(days, rng.permutation(len(pairs))):
        lines.append(f'{day},{pairs[index][0]},{pairs[index][1]}')
    return '\n'.join(lines) + '\n'


def _strays(rng):
    lines, waters = ['bottle,rack,probe,conductivity,ph,celsius'], []
    for number in range(30):
        waters.append(str(rng.choice(WATERS)))
        lines.append(f'U{number + 1:02d},{int(rng.integers(1, 4))},{_measured(rng, waters[-1], 0.7)}')
    return '\n'.join(lines) + '\n', [str(sorted(WATERS).index(water) + 1) for water in waters]


def _spikes(rng, read, bottles, spike, matrix):
    lines = ['sample,water,sample_ml,spike_ul,before,after']
    rows = []
    for water in WATERS:
        fitting = [one for one in bottles if one['water'] == water and one['bottle'] == 'filtered' and one['level'] < 8]
        for one in rng.choice(fitting, min(4, len(fitting)), replace=False):
            ml, ul = int(rng.choice([10, 20])), int(rng.choice([300, 400, 600]))
            part = matrix if water == 'estuary' else 1
            mixed = (one['level'] * ml + spike * ul / 1000) / (ml + ul / 1000)
            before, after = (
                f'{np.mean([read(part * level) for _ in range(9)]):.4f}' for level in (one['level'], mixed)
            )
            rows.append(f'{_spelt(rng, one["sample"])},{water},{ml},{ul},{before},{after}')
    return '\n'.join(lines + [rows[index] for index in rng.permutation(len(rows))]) + '\n'


def _unknown(rng, read, matrix):
    blank, fall = float(rng.uniform(0.016, 0.019)), float(rng.uniform(0.0022, 0.0028))
    bottles = []
    for number in range(24):
        water = WATERS[number % 3]
        level = float(rng.uniform(2, 11.5)) if number % 4 else float(rng.uniform(8.5, 11.5))
        dilution = str(rng.choice(['none', 'none', '1+1', '1:4', '1+4']))
        truth = level * _factor(dilution) / (matrix if water == 'estuary' else 1)
        bottles.append((f'X{number + 1:02d}', water, dilution, level, truth))
    lines, clock = ['position,bottle,time,absorbance'], 0
    order = list(rng.permutation(24))
    plan = ['QC', 'blank', *order[:8], 'QC', *order[8:16], 'blank', 'QC', *order[16:], 'blank', 'QC']
    for position, one in enumerate(plan, 1):
        sensitivity = 1.02 - fall * clock / 60
        name, level = (
            {'QC': ('QC', 4.3), 'blank': ('blank', 0.0)}.get(one) if isinstance(one, str) else bottles[one][::3]
        )
        moment = 8 * 3600 + 47 * 60 + clock
        time = f'2025-05-14 {moment // 3600:02d}:{moment // 60 % 60:02d}:{moment % 60:02d}'
        lines.append(f'{position},{name},{time},{read(level, blank, sensitivity):.4f}')
        clock += int(rng.integers(100, 150))
    table = 'bottle,water,dilution\n' + '\n'.join(','.join(one[:3]) for one in bottles) + '\n'
    return '\n'.join(lines) + '\n', ([round(one[4], 4) for one in bottles], table)


def _contract(rng, bottles, lost, molar):
    kept = [one for one in bottles if not one['lost']]
    low = list(rng.choice([one for one in kept if one['share'] < 0.7], 5, replace=False))
    others = [one for one in kept if not any(one is other for other in low)]
    chosen = low + list(rng.choice(others, 21, replace=False))
    loud = [one for one in chosen if not any(one is other for other in low)]
    wrong = list(rng.choice(loud, 3, replace=False))
    mended, rest = loud[-1], []
    if any(mended is one for one in wrong):
        mended = next(one for one in loud if not any(one is other for other in wrong))
    for one in chosen:
        value = one['level'] / molar * 1000 * float(np.exp(np.clip(rng.normal(0, 0.02), -0.045, 0.045)))
        if any(one is other for other in low):
            bound = value * 1.5 if one is not low[0] else value * 0.5
            rest.append((one['sample'], f'<{bound:.1f}', 1))
        elif any(one is other for other in wrong):
            rest.append((one['sample'], f'{value * float(rng.choice([0.62, 0.7, 1.4, 1.55])):.2f}', 1))
        else:
            if one is mended:
                rest.append((one['sample'], f'{value * 10:.2f}', 1))
            rest.append((one['sample'], f'{value:.2f}', 2 if one is mended else 1))
    rest += [(one['sample'], f'{one["level"] / molar * 1000:.2f}', 1) for one in lost[:2]]
    rest = [rest[index] for index in rng.permutation(len(rest))]
    head = (
        f'# umol/l, {molar} g/mol; < means below the number; where a sample has two versions, the higher one is valid'
    )
    return head + '\nsample,umol_l,version\n' + '\n'.join(f'{s},{v},{n}' for s, v, n in rest) + '\n'

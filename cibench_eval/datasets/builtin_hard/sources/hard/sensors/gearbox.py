# ---
# jupyter:
#   instances:
#     mill: {seed: 7, marks: 4, rate: 2200, first: 31}
#     crane: {seed: 64, marks: 5, rate: 2150, first: 101}
#   varied:
#     seed: {between: [1, 1000000]}
#     marks: {pick: [4, 5]}
#     rate: {pick: [2150, 2200]}
#     first: {pick: [11, 31, 101]}
#   words:
#     title: {en: Speed in the first record with the damage, cn: 首次出现损伤的记录中的转速}
#     x_label: {en: Seconds, cn: 秒}
#     y_label: {en: Turns a second, cn: 每秒转数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A sensor on a gearbox has recorded its vibration: `{{ data }}/records.csv` lists the records, and `{{ data }}/notes.txt` says what these and the other files are.
# Make a DataFrame `records` with one row for each record, in the order of the list. Its columns are `record` (integer), `load` (integer, as written), `seconds` (float, how long the record is: samples divided by the rate) and `rms` (float, root mean square of the acceleration in m/s², over the whole record).
#
# Thought: Each file says its own rate, and each record has its own range.

# %% [markdown] lang="cn"
# 一个装在齿轮箱上的传感器记录了振动：`{{ data }}/records.csv` 列出各条记录，`{{ data }}/notes.txt` 说明了这些及其他文件。
# 生成 DataFrame `records`，每条记录占一行，顺序同清单，列为 `record`（整数）、`load`（整数，按所写）、`seconds`（浮点数，记录的时长：样本数除以采样率）和 `rms`（浮点数，整条记录加速度的均方根，单位 m/s²）。
#
# Thought: 每个文件有自己的采样率，每条记录有自己的量程。

# %%
import wave

import numpy as np
import pandas as pd

records = pd.read_csv('{{ data }}/records.csv', sep=';')
signals, rates = {}, {}
for number, span in zip(records['record'], records['range']):
    with wave.open(f'{{ data }}/{number}.wav') as file:
        rates[number] = file.getframerate()
        signals[number] = np.frombuffer(file.readframes(file.getnframes()), '<i2').astype(float) * span / 32767
records['seconds'] = [len(signals[number]) / rates[number] for number in records['record']]
records['rms'] = [np.sqrt(np.mean(signals[number] ** 2)) for number in records['record']]
records = records[['record', 'load', 'seconds', 'rms']]

# %% naive="careless" trap="all records have the rate of the first"
import wave

import numpy as np
import pandas as pd

records = pd.read_csv('{{ data }}/records.csv', sep=';')
signals, rates = {}, {}
for number, span in zip(records['record'], records['range']):
    with wave.open(f'{{ data }}/{number}.wav') as file:
        rates[number] = file.getframerate()
        signals[number] = np.frombuffer(file.readframes(file.getnframes()), '<i2').astype(float) * span / 32767
records['seconds'] = [len(signals[number]) / rates[records['record'][0]] for number in records['record']]
records['rms'] = [np.sqrt(np.mean(signals[number] ** 2)) for number in records['record']]
records = records[['record', 'load', 'seconds', 'rms']]

# %% naive="literal shortcut" trap="whole numbers of 16 bits overflow"
import wave

import numpy as np
import pandas as pd

records = pd.read_csv('{{ data }}/records.csv', sep=';')
signals, rates = {}, {}
for number, span in zip(records['record'], records['range']):
    with wave.open(f'{{ data }}/{number}.wav') as file:
        rates[number] = file.getframerate()
        signals[number] = np.frombuffer(file.readframes(file.getnframes()), '<i2').astype(float) * span / 32767
records['seconds'] = [len(signals[number]) / rates[number] for number in records['record']]
raw = {number: np.round(signals[number] * 32767 / span).astype('<i2') for number, span in zip(records['record'], records['range'])}
records['rms'] = [np.sqrt(abs(np.mean(raw[number] ** 2))) * span / 32767 for number, span in zip(records['record'], records['range'])]
records = records[['record', 'load', 'seconds', 'rms']]

# %% [markdown] kind="num" modules="numpy" absolute=1 answer="list[real]"
# How many marks are on the disc, and at which angles? Print their number, and then the angles between neighboring marks in degrees, rounded to whole degrees: first the largest, then the others in the order in which they pass after it. All on one line, separated by spaces. A deviation of 1 degree does no harm.
#
# Thought: With the right number of intervals to a turn, each one's share of the turn around it repeats, whatever the speed.

# %% [markdown] lang="cn"
# 圆盘上有几个标记，间隔角度各是多少？在同一行先打印标记数，再打印相邻标记之间的角度（度，取整）：先是最大的一个，然后按其后依次经过的顺序打印其余各个，用空格分隔。偏差 1 度无妨。
#
# Thought: 取对每转的间隔数时，每个间隔占其所在一转的份额会重复，与转速无关。

# %%
pulses = pd.read_csv('{{ data }}/pulses.csv', sep=';')
moments = {number: part['seconds'].to_numpy() for number, part in pulses.groupby('record')}


def parts(times, many):
    """Share of each interval in the turn around it, if so many pulses make a turn."""
    steps = np.diff(times)
    turn = np.convolve(steps, np.ones(many) if many % 2 else np.r_[0.5, np.ones(many - 1), 0.5], 'valid')
    side = many // 2
    return steps[side : len(steps) - side] / turn


def pattern(many):
    """Median shares of the intervals by their place in the turn, and how far a record strays from them."""
    best = None
    for times in moments.values():
        share = parts(times, many)
        for low in range(0, len(share) - 8 * many, many):
            table = share[low : low + 8 * many].reshape(8, many)
            spread = table.std(axis=0).max()
            if best is None or spread < best[0]:
                best = spread, table.mean(axis=0)
    return best


found = {many: pattern(many) for many in range(2, 9)}
many = min(many for many in found if found[many][0] < 3 * min(spread for spread, _ in found.values()))
gaps = found[many][1] / found[many][1].sum()
gaps = np.roll(gaps, -int(gaps.argmax()))
answer = [many, *np.round(360 * gaps).astype(int)]
print(*answer)

# %% naive="careless" trap="the marks are taken as evenly spaced"
pulses = pd.read_csv('{{ data }}/pulses.csv', sep=';')
moments = {number: part['seconds'].to_numpy() for number, part in pulses.groupby('record')}


def parts(times, many):
    """Share of each interval in the turn around it, if so many pulses make a turn."""
    steps = np.diff(times)
    turn = np.convolve(steps, np.ones(many) if many % 2 else np.r_[0.5, np.ones(many - 1), 0.5], 'valid')
    side = many // 2
    return steps[side : len(steps) - side] / turn


def pattern(many):
    """Median shares of the intervals by their place in the turn, and how far a record strays from them."""
    best = None
    for times in moments.values():
        share = parts(times, many)
        for low in range(0, len(share) - 8 * many, many):
            table = share[low : low + 8 * many].reshape(8, many)
            spread = table.std(axis=0).max()
            if best is None or spread < best[0]:
                best = spread, table.mean(axis=0)
    return best


found = {many: pattern(many) for many in range(2, 9)}
many = min(many for many in found if found[many][0] < 3 * min(spread for spread, _ in found.values()))
gaps = found[many][1] / found[many][1].sum()
gaps = np.roll(gaps, -int(gaps.argmax()))
print(many, *[round(360 / many)] * many)

# %% naive="literal" trap="the angles are sorted by size"
pulses = pd.read_csv('{{ data }}/pulses.csv', sep=';')
moments = {number: part['seconds'].to_numpy() for number, part in pulses.groupby('record')}


def parts(times, many):
    """Share of each interval in the turn around it, if so many pulses make a turn."""
    steps = np.diff(times)
    turn = np.convolve(steps, np.ones(many) if many % 2 else np.r_[0.5, np.ones(many - 1), 0.5], 'valid')
    side = many // 2
    return steps[side : len(steps) - side] / turn


def pattern(many):
    """Median shares of the intervals by their place in the turn, and how far a record strays from them."""
    best = None
    for times in moments.values():
        share = parts(times, many)
        for low in range(0, len(share) - 8 * many, many):
            table = share[low : low + 8 * many].reshape(8, many)
            spread = table.std(axis=0).max()
            if best is None or spread < best[0]:
                best = spread, table.mean(axis=0)
    return best


found = {many: pattern(many) for many in range(2, 9)}
many = min(many for many in found if found[many][0] < 3 * min(spread for spread, _ in found.values()))
gaps = found[many][1] / found[many][1].sum()
gaps = np.roll(gaps, -int(gaps.argmax()))
print(many, *sorted(np.round(360 * gaps).astype(int), reverse=True))

# %% naive="shortcut" trap="two turns are taken for one"
pulses = pd.read_csv('{{ data }}/pulses.csv', sep=';')
moments = {number: part['seconds'].to_numpy() for number, part in pulses.groupby('record')}


def parts(times, many):
    """Share of each interval in the turn around it, if so many pulses make a turn."""
    steps = np.diff(times)
    turn = np.convolve(steps, np.ones(many) if many % 2 else np.r_[0.5, np.ones(many - 1), 0.5], 'valid')
    side = many // 2
    return steps[side : len(steps) - side] / turn


def pattern(many):
    """Median shares of the intervals by their place in the turn, and how far a record strays from them."""
    best = None
    for times in moments.values():
        share = parts(times, many)
        for low in range(0, len(share) - 8 * many, many):
            table = share[low : low + 8 * many].reshape(8, many)
            spread = table.std(axis=0).max()
            if best is None or spread < best[0]:
                best = spread, table.mean(axis=0)
    return best


found = {many: pattern(many) for many in range(2, 9)}
many = min(many for many in found if found[many][0] < 3 * min(spread for spread, _ in found.values()))
gaps = found[many][1] / found[many][1].sum()
gaps = np.roll(gaps, -int(gaps.argmax()))
print(2 * many, *np.round(180 * np.tile(gaps, 2)).astype(int))

# %% [markdown] kind="num" modules="scipy numpy" answer="[count, count]"
# How many teeth have the wheel of shaft 1 and that of shaft 2? Print both numbers on one line, separated by a space.
#
# Thought: At even angles of shaft 1 the mesh is a line at the number of teeth; how it swings gives the turns of shaft 2.

# %% [markdown] lang="cn"
# 轴 1 和轴 2 的齿轮各有多少齿？在同一行打印这两个数，用空格分隔。
#
# Thought: 按轴 1 的等角度采样，啮合表现为位于齿数处的谱线；其起伏给出轴 2 的转数。

# %%
from scipy.interpolate import CubicSpline


def turned(times):
    """Turns of the disc at the pulses, over pulses that were lost."""
    fits = []
    for start in range(many):
        place, speed, turns, off = start, gaps[start] / (times[1] - times[0]), [0.0], 0.0
        for step in np.diff(times):
            jumps = [gaps[[(place + n) % many for n in range(count)]].sum() for count in range(1, many + 1)]
            misfit = np.abs(np.log(np.array(jumps) / step / speed))
            count = int(misfit.argmin()) + 1
            off += misfit.min()
            speed = jumps[count - 1] / step
            place = (place + count) % many
            turns.append(turns[-1] + jumps[count - 1])
        fits.append((off, turns))
    return np.array(min(fits)[1])


turns = {number: turned(times) for number, times in moments.items()}
PER_TURN = 128


def even(number, values):
    """A signal at even angles of the first shaft, and the angles."""
    angle = np.arange(turns[number][1], turns[number][-2], 1 / PER_TURN)
    times = CubicSpline(turns[number], moments[number])(angle)
    return angle, CubicSpline(np.arange(len(values)) / rates[number], values)(times)


def line(values, angle, order):
    """Complex size of a line at some order."""
    window = np.hanning(len(angle))
    return 2 * (values * window) @ np.exp(-2j * np.pi * order * angle) / window.sum()


def swing(number, order):
    """Size of the mesh at each angle, with all that swings at less than 1.5 a turn."""
    angle, values = even(number, signals[number])
    turned_back = np.fft.fft(values * np.exp(-2j * np.pi * order * angle))
    turned_back[np.abs(np.fft.fftfreq(len(angle), 1 / PER_TURN)) > 1.5] = 0
    return angle, 2 * np.abs(np.fft.ifft(turned_back))


size = {order: sum(abs(line(values, angle, order)) for angle, values in (even(number, signals[number]) for number in turns)) for order in range(13, 21)}
teeth = max(size, key=size.get)
swings = {number: swing(number, teeth) for number in turns}


def beat(wheel):
    """How strongly the mesh swings with the turns of a wheel of so many teeth."""
    return sum(abs(line(values - values.mean(), angle, teeth / wheel)) / values.mean() for angle, values in swings.values())


wheel = max((n for n in range(30, 61) if np.gcd(n, teeth) == 1), key=beat)
answer = [teeth, wheel]
print(*answer)

# %% naive="careless" trap="a pulse is taken for a turn, and the loudest frequency for the mesh"
from scipy.interpolate import CubicSpline


def turned(times):
    """Turns of the disc at the pulses, over pulses that were lost."""
    fits = []
    for start in range(many):
        place, speed, turns, off = start, gaps[start] / (times[1] - times[0]), [0.0], 0.0
        for step in np.diff(times):
            jumps = [gaps[[(place + n) % many for n in range(count)]].sum() for count in range(1, many + 1)]
            misfit = np.abs(np.log(np.array(jumps) / step / speed))
            count = int(misfit.argmin()) + 1
            off += misfit.min()
            speed = jumps[count - 1] / step
            place = (place + count) % many
            turns.append(turns[-1] + jumps[count - 1])
        fits.append((off, turns))
    return np.array(min(fits)[1])


turns = {number: turned(times) for number, times in moments.items()}
PER_TURN = 128


def even(number, values):
    """A signal at even angles of the first shaft, and the angles."""
    angle = np.arange(turns[number][1], turns[number][-2], 1 / PER_TURN)
    times = CubicSpline(turns[number], moments[number])(angle)
    return angle, CubicSpline(np.arange(len(values)) / rates[number], values)(times)


def line(values, angle, order):
    """Complex size of a line at some order."""
    window = np.hanning(len(angle))
    return 2 * (values * window) @ np.exp(-2j * np.pi * order * angle) / window.sum()


def swing(number, order):
    """Size of the mesh at each angle, with all that swings at less than 1.5 a turn."""
    angle, values = even(number, signals[number])
    turned_back = np.fft.fft(values * np.exp(-2j * np.pi * order * angle))
    turned_back[np.abs(np.fft.fftfreq(len(angle), 1 / PER_TURN)) > 1.5] = 0
    return angle, 2 * np.abs(np.fft.ifft(turned_back))


size = {order: sum(abs(line(values, angle, order)) for angle, values in (even(number, signals[number]) for number in turns)) for order in range(13, 21)}
teeth = max(size, key=size.get)
swings = {number: swing(number, teeth) for number in turns}


def beat(wheel):
    """How strongly the mesh swings with the turns of a wheel of so many teeth."""
    return sum(abs(line(values - values.mean(), angle, teeth / wheel)) / values.mean() for angle, values in swings.values())


wheel = max((n for n in range(30, 61) if np.gcd(n, teeth) == 1), key=beat)
number = list(turns)[0]
sizes = np.abs(np.fft.rfft(signals[number]))
sizes[:300] = 0
hertz = sizes.argmax() / len(signals[number]) * rates[number]
speed = len(moments[number]) / np.ptp(moments[number])
print(round(hertz / speed), round(2 * hertz / speed))

# %% naive="literal shortcut" trap="the second wheel is guessed to turn half as fast"
from scipy.interpolate import CubicSpline


def turned(times):
    """Turns of the disc at the pulses, over pulses that were lost."""
    fits = []
    for start in range(many):
        place, speed, turns, off = start, gaps[start] / (times[1] - times[0]), [0.0], 0.0
        for step in np.diff(times):
            jumps = [gaps[[(place + n) % many for n in range(count)]].sum() for count in range(1, many + 1)]
            misfit = np.abs(np.log(np.array(jumps) / step / speed))
            count = int(misfit.argmin()) + 1
            off += misfit.min()
            speed = jumps[count - 1] / step
            place = (place + count) % many
            turns.append(turns[-1] + jumps[count - 1])
        fits.append((off, turns))
    return np.array(min(fits)[1])


turns = {number: turned(times) for number, times in moments.items()}
PER_TURN = 128


def even(number, values):
    """A signal at even angles of the first shaft, and the angles."""
    angle = np.arange(turns[number][1], turns[number][-2], 1 / PER_TURN)
    times = CubicSpline(turns[number], moments[number])(angle)
    return angle, CubicSpline(np.arange(len(values)) / rates[number], values)(times)


def line(values, angle, order):
    """Complex size of a line at some order."""
    window = np.hanning(len(angle))
    return 2 * (values * window) @ np.exp(-2j * np.pi * order * angle) / window.sum()


def swing(number, order):
    """Size of the mesh at each angle, with all that swings at less than 1.5 a turn."""
    angle, values = even(number, signals[number])
    turned_back = np.fft.fft(values * np.exp(-2j * np.pi * order * angle))
    turned_back[np.abs(np.fft.fftfreq(len(angle), 1 / PER_TURN)) > 1.5] = 0
    return angle, 2 * np.abs(np.fft.ifft(turned_back))


size = {order: sum(abs(line(values, angle, order)) for angle, values in (even(number, signals[number]) for number in turns)) for order in range(13, 21)}
teeth = max(size, key=size.get)
swings = {number: swing(number, teeth) for number in turns}


def beat(wheel):
    """How strongly the mesh swings with the turns of a wheel of so many teeth."""
    return sum(abs(line(values - values.mean(), angle, teeth / wheel)) / values.mean() for angle, values in swings.values())


wheel = max((n for n in range(30, 61) if np.gcd(n, teeth) == 1), key=beat)
print(teeth, 2 * teeth + 1)

# %% [markdown] kind="text" list="true" modules="scipy pandas" answer="list[text]"
# One bearing of `{{ data }}/bearings.csv` is damaged. Print its name and the damaged part (`outer`, `inner` or `ball`), on one line, separated by `, `.
#
# Thought: How strongly the housing rings, at even angles, has a line at the strokes; bearings of shaft 2 turn with the ratio of the teeth.

# %% [markdown] lang="cn"
# `{{ data }}/bearings.csv` 中有一个轴承损坏了。在同一行打印它的名称和损坏的部位（`outer`、`inner` 或 `ball`），用 `, ` 分隔。
#
# Thought: 机壳振铃强度按等角度采样后，在冲击次数处有谱线；轴 2 的轴承按齿数比转动。

# %%
def envelope(number):
    """How strongly the housing rings, at even angles, less its mean."""
    values = np.fft.fft(signals[number])
    rate = np.fft.fftfreq(len(values), 1 / rates[number])
    values[(rate < 640) | (rate > 980)] = 0
    angle, ringing = even(number, np.abs(np.fft.ifft(values)))
    return angle, ringing - ringing.mean()


bearings = pd.read_csv('{{ data }}/bearings.csv', sep=';')
part = bearings['ball_mm'] / bearings['pitch_mm'] * np.cos(np.radians(bearings['angle']))
turning = np.where(bearings['shaft'] == 1, 1, teeth / wheel)
strokes = {'outer': bearings['balls'] / 2 * (1 - part), 'inner': bearings['balls'] / 2 * (1 + part), 'ball': bearings['pitch_mm'] / bearings['ball_mm'] * (1 - part**2)}
strokes = pd.DataFrame(strokes).mul(turning, axis=0).set_index(bearings['bearing']).stack()
envelopes = {number: envelope(number) for number in turns}
grid = np.arange(1, 8, 0.002)


def spectrum(number):
    """Sizes of the lines of the envelope by order, over their median."""
    angle, values = envelopes[number]
    values = values * np.hanning(len(values))
    sizes = np.abs(np.fft.rfft(values, 2**19))
    sizes = np.interp(np.append(grid, 2 * grid), np.fft.rfftfreq(2**19, 1 / PER_TURN), sizes)
    return sizes / np.median(sizes)


spectra = pd.DataFrame({number: spectrum(number)[: len(grid)] for number in turns}, index=grid)
total = spectra.iloc[:, -4:].mean(axis=1)
near = {one: total[(grid > 0.9925 * order) & (grid < 1.0005 * order)] for one, order in strokes.items() if 1.2 < order < 7.8}
damage = max(near, key=lambda one: near[one].max())
order = near[damage].idxmax()
seen = spectra.loc[order - 0.01 : order + 0.01].max()
answer = list(damage)
print(', '.join(answer))

# %% naive="literal" trap="all bearings are taken to turn with shaft 1"
def envelope(number):
    """How strongly the housing rings, at even angles, less its mean."""
    values = np.fft.fft(signals[number])
    rate = np.fft.fftfreq(len(values), 1 / rates[number])
    values[(rate < 640) | (rate > 980)] = 0
    angle, ringing = even(number, np.abs(np.fft.ifft(values)))
    return angle, ringing - ringing.mean()


bearings = pd.read_csv('{{ data }}/bearings.csv', sep=';')
part = bearings['ball_mm'] / bearings['pitch_mm'] * np.cos(np.radians(bearings['angle']))
turning = np.where(bearings['shaft'] == 1, 1, teeth / wheel)
strokes = {'outer': bearings['balls'] / 2 * (1 - part), 'inner': bearings['balls'] / 2 * (1 + part), 'ball': bearings['pitch_mm'] / bearings['ball_mm'] * (1 - part**2)}
strokes = pd.DataFrame(strokes).mul(turning, axis=0).set_index(bearings['bearing']).stack()
envelopes = {number: envelope(number) for number in turns}
grid = np.arange(1, 8, 0.002)


def spectrum(number):
    """Sizes of the lines of the envelope by order, over their median."""
    angle, values = envelopes[number]
    values = values * np.hanning(len(values))
    sizes = np.abs(np.fft.rfft(values, 2**19))
    sizes = np.interp(np.append(grid, 2 * grid), np.fft.rfftfreq(2**19, 1 / PER_TURN), sizes)
    return sizes / np.median(sizes)


spectra = pd.DataFrame({number: spectrum(number)[: len(grid)] for number in turns}, index=grid)
total = spectra.iloc[:, -4:].mean(axis=1)
near = {one: total[(grid > 0.9925 * order) & (grid < 1.0005 * order)] for one, order in strokes.items() if 1.2 < order < 7.8}
damage = max(near, key=lambda one: near[one].max())
order = near[damage].idxmax()
seen = spectra.loc[order - 0.01 : order + 0.01].max()
unturned = pd.DataFrame({'outer': bearings['balls'] / 2 * (1 - part), 'inner': bearings['balls'] / 2 * (1 + part), 'ball': bearings['pitch_mm'] / bearings['ball_mm'] * (1 - part**2)})
unturned = unturned.set_index(bearings['bearing']).stack()
print(', '.join((unturned - order).abs().idxmin()))

# %% naive="careless" trap="the plain spectrum at the orders of the strokes"
def envelope(number):
    """How strongly the housing rings, at even angles, less its mean."""
    values = np.fft.fft(signals[number])
    rate = np.fft.fftfreq(len(values), 1 / rates[number])
    values[(rate < 640) | (rate > 980)] = 0
    angle, ringing = even(number, np.abs(np.fft.ifft(values)))
    return angle, ringing - ringing.mean()


bearings = pd.read_csv('{{ data }}/bearings.csv', sep=';')
part = bearings['ball_mm'] / bearings['pitch_mm'] * np.cos(np.radians(bearings['angle']))
turning = np.where(bearings['shaft'] == 1, 1, teeth / wheel)
strokes = {'outer': bearings['balls'] / 2 * (1 - part), 'inner': bearings['balls'] / 2 * (1 + part), 'ball': bearings['pitch_mm'] / bearings['ball_mm'] * (1 - part**2)}
strokes = pd.DataFrame(strokes).mul(turning, axis=0).set_index(bearings['bearing']).stack()
envelopes = {number: envelope(number) for number in turns}
grid = np.arange(1, 8, 0.002)


def spectrum(number):
    """Sizes of the lines of the envelope by order, over their median."""
    angle, values = envelopes[number]
    values = values * np.hanning(len(values))
    sizes = np.abs(np.fft.rfft(values, 2**19))
    sizes = np.interp(np.append(grid, 2 * grid), np.fft.rfftfreq(2**19, 1 / PER_TURN), sizes)
    return sizes / np.median(sizes)


spectra = pd.DataFrame({number: spectrum(number)[: len(grid)] for number in turns}, index=grid)
total = spectra.iloc[:, -4:].mean(axis=1)
near = {one: total[(grid > 0.9925 * order) & (grid < 1.0005 * order)] for one, order in strokes.items() if 1.2 < order < 7.8}
damage = max(near, key=lambda one: near[one].max())
order = near[damage].idxmax()
seen = spectra.loc[order - 0.01 : order + 0.01].max()
plain = {}
for one, stroke in strokes.items():
    plain[one] = sum(abs(line(values, angle, 0.995 * stroke)) for angle, values in (even(number, signals[number]) for number in list(turns)[-4:]))
print(', '.join(max((one for one in plain if one != damage), key=plain.get)))

# %% naive="shortcut" trap="the mains hum at a mean speed is taken for strokes"
def envelope(number):
    """How strongly the housing rings, at even angles, less its mean."""
    values = np.fft.fft(signals[number])
    rate = np.fft.fftfreq(len(values), 1 / rates[number])
    values[(rate < 640) | (rate > 980)] = 0
    angle, ringing = even(number, np.abs(np.fft.ifft(values)))
    return angle, ringing - ringing.mean()


bearings = pd.read_csv('{{ data }}/bearings.csv', sep=';')
part = bearings['ball_mm'] / bearings['pitch_mm'] * np.cos(np.radians(bearings['angle']))
turning = np.where(bearings['shaft'] == 1, 1, teeth / wheel)
strokes = {'outer': bearings['balls'] / 2 * (1 - part), 'inner': bearings['balls'] / 2 * (1 + part), 'ball': bearings['pitch_mm'] / bearings['ball_mm'] * (1 - part**2)}
strokes = pd.DataFrame(strokes).mul(turning, axis=0).set_index(bearings['bearing']).stack()
envelopes = {number: envelope(number) for number in turns}
grid = np.arange(1, 8, 0.002)


def spectrum(number):
    """Sizes of the lines of the envelope by order, over their median."""
    angle, values = envelopes[number]
    values = values * np.hanning(len(values))
    sizes = np.abs(np.fft.rfft(values, 2**19))
    sizes = np.interp(np.append(grid, 2 * grid), np.fft.rfftfreq(2**19, 1 / PER_TURN), sizes)
    return sizes / np.median(sizes)


spectra = pd.DataFrame({number: spectrum(number)[: len(grid)] for number in turns}, index=grid)
total = spectra.iloc[:, -4:].mean(axis=1)
near = {one: total[(grid > 0.9925 * order) & (grid < 1.0005 * order)] for one, order in strokes.items() if 1.2 < order < 7.8}
damage = max(near, key=lambda one: near[one].max())
order = near[damage].idxmax()
seen = spectra.loc[order - 0.01 : order + 0.01].max()
number = records.loc[records['rms'].idxmax(), 'record']
rest = strokes.drop(damage)
print(', '.join((rest - 50 / 18).abs().idxmin()))

# %% [markdown] kind="num" modules="numpy" tolerance=0.002 answer="[real(3), count]"
# How many strokes does the damage give a turn of shaft 1, as the records show it (with the slip)? And which is the first record that shows the damage? All records after it show it, too. Print the strokes with 3 decimal places and the number of the record, on one line, separated by a space. A deviation of 0.2 percent in the strokes does no harm.
#
# Thought: The place of the line, and the first record in which it stands out of its surroundings.

# %% [markdown] lang="cn"
# 从记录来看（含打滑），轴 1 每转一圈，损伤产生多少次冲击？最先显示出损伤的是哪条记录？此后的各条记录都显示有损伤。在同一行打印冲击次数（保留 3 位小数）和记录编号，用空格分隔。冲击次数偏差 0.2% 无妨。
#
# Thought: 谱线的位置，以及谱线最先高出周围的记录。

# %%
begun = seen.index[seen > 5.5][0]
answer = [order, begun]
print(f'{answer[0]:.3f} {answer[1]}')

# %% naive="careless" trap="the strokes of the formula, without slip"
begun = seen.index[seen > 5.5][0]
print(f'{strokes[damage]:.3f} {begun}')

# %% naive="literal" trap="strokes a turn of shaft 2"
begun = seen.index[seen > 5.5][0]
print(f'{order / teeth * wheel:.3f} {begun}')

# %% naive="shortcut" trap="the record in which the damage shows most"
begun = seen.index[seen > 5.5][0]
print(f'{order:.3f} {seen.idxmax()}')

# %% [markdown] kind="num" modules="scipy numpy" tolerance=0.05 answer="[real(3), real(1), real(2)]"
# The load of one record was written down wrongly; all others are right. Find the p, g and Q of the notes. Print p with 3, g with 1 and Q with 2 decimal places, on one line, separated by spaces. A deviation of 5 percent does no harm.
#
# Thought: Size of the mesh averaged over turns of shaft 2, by frequency: one curve, raised by the load; the wrong load lies far off the line.

# %% [markdown] lang="cn"
# 有一条记录的负荷写错了，其余都对。求说明文件中的 p、g 和 Q。在同一行打印 p（3 位小数）、g（1 位小数）和 Q（2 位小数），用空格分隔。偏差 5% 无妨。
#
# Thought: 啮合幅度按轴 2 的整转取平均，再按频率排列：同一条曲线，随负荷升高；写错的负荷远离直线。

# %%
from scipy.optimize import least_squares

whole = round(16 * wheel / teeth)  # one turn of the second shaft, in sixteenths of a turn


def smooth(values):
    return np.convolve(values, np.ones(whole) / whole, 'valid')[whole:-whole]


speeds, sizes = {}, []
for number, (angle, values) in swings.items():
    speeds[number] = 1 / CubicSpline(turns[number], moments[number])(angle[::8], 1)
    speeds[number] = np.convolve(speeds[number], np.ones(17) / 17, 'same')
    sizes.append(np.log(smooth(values[::8])))
counts = [len(one) for one in sizes]
sizes = np.concatenate(sizes)


def response(f, g, sharp):
    return 1 / np.sqrt((1 - (f / g) ** 2) ** 2 + (f / (g * sharp)) ** 2)


def left(p):
    expected = np.concatenate([smooth(response(teeth * speed, p[0], p[1])) for speed in speeds.values()])
    return sizes - np.repeat(p[2:], counts) - np.log(expected)


start = np.append([teeth * 18, 4], [1.0] * len(turns))
fit = least_squares(left, start, loss='soft_l1', f_scale=0.05)
heights = fit.x[2:]
logs = np.log(records['load'].to_numpy())
slopes = [(heights[i] - heights[j]) / (logs[i] - logs[j]) for i in range(len(logs)) for j in range(i) if abs(logs[i] - logs[j]) > 0.3]
off = heights - np.median(slopes) * logs
off = off - np.median(off)
wrong = int(np.abs(off).argmax())
good = np.arange(len(logs)) != wrong
power, level = np.polyfit(logs[good], heights[good], 1)
answer = [power, *fit.x[:2]]
print(f'{answer[0]:.3f} {answer[1]:.1f} {answer[2]:.2f}')

# %% naive="careless" trap="the rms of whole records in place of the mesh"
from scipy.optimize import least_squares

whole = round(16 * wheel / teeth)  # one turn of the second shaft, in sixteenths of a turn


def smooth(values):
    return np.convolve(values, np.ones(whole) / whole, 'valid')[whole:-whole]


speeds, sizes = {}, []
for number, (angle, values) in swings.items():
    speeds[number] = 1 / CubicSpline(turns[number], moments[number])(angle[::8], 1)
    speeds[number] = np.convolve(speeds[number], np.ones(17) / 17, 'same')
    sizes.append(np.log(smooth(values[::8])))
counts = [len(one) for one in sizes]
sizes = np.concatenate(sizes)


def response(f, g, sharp):
    return 1 / np.sqrt((1 - (f / g) ** 2) ** 2 + (f / (g * sharp)) ** 2)


def left(p):
    expected = np.concatenate([smooth(response(teeth * speed, p[0], p[1])) for speed in speeds.values()])
    return sizes - np.repeat(p[2:], counts) - np.log(expected)


start = np.append([teeth * 18, 4], [1.0] * len(turns))
fit = least_squares(left, start, loss='soft_l1', f_scale=0.05)
heights = fit.x[2:]
logs = np.log(records['load'].to_numpy())
slopes = [(heights[i] - heights[j]) / (logs[i] - logs[j]) for i in range(len(logs)) for j in range(i) if abs(logs[i] - logs[j]) > 0.3]
off = heights - np.median(slopes) * logs
off = off - np.median(off)
wrong = int(np.abs(off).argmax())
good = np.arange(len(logs)) != wrong
power, level = np.polyfit(logs[good], heights[good], 1)
plain = np.polyfit(logs, np.log(records['rms']), 1)[0]
print(f'{plain:.3f} {fit.x[0]:.1f} {fit.x[1]:.2f}')

# %% naive="literal" trap="g in turns a minute"
from scipy.optimize import least_squares

whole = round(16 * wheel / teeth)  # one turn of the second shaft, in sixteenths of a turn


def smooth(values):
    return np.convolve(values, np.ones(whole) / whole, 'valid')[whole:-whole]


speeds, sizes = {}, []
for number, (angle, values) in swings.items():
    speeds[number] = 1 / CubicSpline(turns[number], moments[number])(angle[::8], 1)
    speeds[number] = np.convolve(speeds[number], np.ones(17) / 17, 'same')
    sizes.append(np.log(smooth(values[::8])))
counts = [len(one) for one in sizes]
sizes = np.concatenate(sizes)


def response(f, g, sharp):
    return 1 / np.sqrt((1 - (f / g) ** 2) ** 2 + (f / (g * sharp)) ** 2)


def left(p):
    expected = np.concatenate([smooth(response(teeth * speed, p[0], p[1])) for speed in speeds.values()])
    return sizes - np.repeat(p[2:], counts) - np.log(expected)


start = np.append([teeth * 18, 4], [1.0] * len(turns))
fit = least_squares(left, start, loss='soft_l1', f_scale=0.05)
heights = fit.x[2:]
logs = np.log(records['load'].to_numpy())
slopes = [(heights[i] - heights[j]) / (logs[i] - logs[j]) for i in range(len(logs)) for j in range(i) if abs(logs[i] - logs[j]) > 0.3]
off = heights - np.median(slopes) * logs
off = off - np.median(off)
wrong = int(np.abs(off).argmax())
good = np.arange(len(logs)) != wrong
power, level = np.polyfit(logs[good], heights[good], 1)
print(f'{power:.3f} {fit.x[0] / teeth * 60:.1f} {fit.x[1]:.2f}')

# %% naive="shortcut" trap="the wrong load is used, and half the sharpness"
from scipy.optimize import least_squares

whole = round(16 * wheel / teeth)  # one turn of the second shaft, in sixteenths of a turn


def smooth(values):
    return np.convolve(values, np.ones(whole) / whole, 'valid')[whole:-whole]


speeds, sizes = {}, []
for number, (angle, values) in swings.items():
    speeds[number] = 1 / CubicSpline(turns[number], moments[number])(angle[::8], 1)
    speeds[number] = np.convolve(speeds[number], np.ones(17) / 17, 'same')
    sizes.append(np.log(smooth(values[::8])))
counts = [len(one) for one in sizes]
sizes = np.concatenate(sizes)


def response(f, g, sharp):
    return 1 / np.sqrt((1 - (f / g) ** 2) ** 2 + (f / (g * sharp)) ** 2)


def left(p):
    expected = np.concatenate([smooth(response(teeth * speed, p[0], p[1])) for speed in speeds.values()])
    return sizes - np.repeat(p[2:], counts) - np.log(expected)


start = np.append([teeth * 18, 4], [1.0] * len(turns))
fit = least_squares(left, start, loss='soft_l1', f_scale=0.05)
heights = fit.x[2:]
logs = np.log(records['load'].to_numpy())
slopes = [(heights[i] - heights[j]) / (logs[i] - logs[j]) for i in range(len(logs)) for j in range(i) if abs(logs[i] - logs[j]) > 0.3]
off = heights - np.median(slopes) * logs
off = off - np.median(off)
wrong = int(np.abs(off).argmax())
good = np.arange(len(logs)) != wrong
power, level = np.polyfit(logs[good], heights[good], 1)
plain = np.polyfit(logs, heights, 1)[0]
print(f'{plain:.3f} {fit.x[0]:.1f} {fit.x[1] / 2:.2f}')

# %% [markdown] kind="exec" modules="pandas" tolerance=0.05
# Add to `records` a column `true_load` (float): the load in percent as written, but for the record whose load was written down wrongly the load that it must have had. A deviation of 5 percent in that does no harm.
#
# Thought: Where the height of this record meets the line of the others.

# %% [markdown] lang="cn"
# 在 `records` 中加入 `true_load` 列（浮点数）：负荷（百分数）按所写，但负荷写错的那条记录取它实际应有的负荷。该值偏差 5% 无妨。
#
# Thought: 取该记录的高度与其他记录所成直线相交处。

# %%
records['true_load'] = records['load'].astype(float)
records.loc[wrong, 'true_load'] = np.exp((heights[wrong] - level) / power)

# %% naive="careless" trap="the record that is loudest for its load, and a middle load for it"
records['true_load'] = records['load'].astype(float)
odd = (records['rms'] / records['load']).sub((records['rms'] / records['load']).median()).abs().idxmax()
records.loc[odd, 'true_load'] = records['load'].median()

# %% naive="literal" trap="loads as written"
records['true_load'] = records['load'].astype(float)

# %% naive="shortcut" trap="the vibration is taken as proportional to the load"
records['true_load'] = records['load'].astype(float)
records.loc[wrong, 'true_load'] *= np.exp(off[wrong])

# %% [markdown] kind="num" modules="pandas" held_out="amplitude" metric="mae" bound="0.575"
# `{{ data }}/next.csv` has loads in percent (these are right) and speeds in turns a second of shaft 1. Print the amplitude A at the mesh frequency, in m/s², that is to be measured there, with 2 decimal places, in the order of the file, separated by spaces. They should be wrong by at most 0.575 m/s² in the mean (mean absolute error).
#
# Thought: The formula of the notes with what was fitted.

# %% [markdown] lang="cn"
# `{{ data }}/next.csv` 给出负荷（百分数，均正确）和轴 1 的转速（每秒转数）。按文件顺序打印在这些条件下将测得的啮合频率处的幅值 A（m/s²，保留 2 位小数），用空格分隔。平均绝对误差应不超过 0.575 m/s²。
#
# Thought: 把拟合结果代入说明文件的公式。

# %%
wanted = pd.read_csv('{{ data }}/next.csv', sep=';')
guess = np.exp(level) * wanted['load'] ** power * response(teeth * wanted['turns'], *fit.x[:2])
print(*guess.round(2))

# %% naive="careless" trap="gradient boosting on mean speeds and loads of the records"
wanted = pd.read_csv('{{ data }}/next.csv', sep=';')
from sklearn.ensemble import GradientBoostingRegressor

speeds_mean = np.array([np.ptp(turns[number]) / np.ptp(moments[number]) for number in turns])
known = np.column_stack([records['load'], speeds_mean])
model = GradientBoostingRegressor(random_state=0).fit(known, np.exp(heights) * response(teeth * speeds_mean, *fit.x[:2]))
guess = model.predict(wanted[['load', 'turns']].to_numpy())
print(*guess.round(2))

# %% naive="literal" trap="a straight line of the load"
wanted = pd.read_csv('{{ data }}/next.csv', sep=';')
typical = [np.mean(values) for angle, values in swings.values()]
line_of = np.polyfit(records['load'], typical, 1)
guess = np.polyval(line_of, wanted['load'])
print(*guess.round(2))

# %% naive="shortcut" trap="the speed is left out"
wanted = pd.read_csv('{{ data }}/next.csv', sep=';')
guess = np.exp(level) * wanted['load'] ** power * np.mean(response(teeth * wanted['turns'], *fit.x[:2]))
print(*guess.round(2))

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.02
# For the first record that shows the damage, draw the speed of shaft 1 over time as a line: divide the record into whole turns, one after the other from its first pulse on, and draw for each turn one over its length (in turns a second) at the middle of its time (in seconds since the beginning of the record). Colour `firebrick`, title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (6, 3.5); then call `plt.show()`.
#
# Thought: A turn is as many intervals as there are marks, but for lost pulses.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 对最先显示出损伤的记录，将轴 1 的转速随时间的变化画成折线：从该记录的第一个脉冲起，依次划分为一个个整转；对每一转，在其时间段的中点（自记录开始起的秒数）处画出其时长的倒数（每秒转数）。颜色 `firebrick`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 除丢失脉冲外，一转所含的间隔数等于标记数。

# %%
import matplotlib.pyplot as plt

whole = np.interp(np.arange(int(turns[begun][-1] + 0.001) + 1), turns[begun], moments[begun])
plt.figure(figsize=(6, 3.5))
plt.plot((whole[1:] + whole[:-1]) / 2, 1 / np.diff(whole), color='firebrick')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="careless" trap="each pulse is taken for a turn"
import matplotlib.pyplot as plt

whole = moments[begun]
plt.figure(figsize=(6, 3.5))
plt.plot((whole[1:] + whole[:-1]) / 2, 1 / np.diff(whole), color='firebrick')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

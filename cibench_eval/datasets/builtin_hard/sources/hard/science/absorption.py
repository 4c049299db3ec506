# ---
# jupyter:
#   instances:
#     copper: {seed: 23, element: copper, form: hyperbola, wrong: F06, matrix: 0.81, limit: 3}
#     nickel: {seed: 68, element: nickel, form: quadratic, wrong: F08, matrix: 0.76, limit: 2.9}
#   varied:
#     seed: {between: [1, 1000000]}
#     element: {pick: [copper, zinc, nickel]}
#     form: {pick: [hyperbola, quadratic]}
#     wrong: {pick: [F05, F06, F08]}
#     matrix: {pick: [0.74, 0.78, 0.83]}
#     limit: {pick: [2.8, 3, 3.1]}
#   words:
#     metal: {en: '{{ element }}', cn: '{{ {"copper": "铜", "zinc": "锌", "nickel": "镍"}[element] }}'}
#     standards_title: {en: 'Standards of {{ metal }}', cn: '{{ metal }}标准溶液'}
#     level_label: {en: Concentration (mg/l), cn: 浓度 (mg/l)}
#     net_label: {en: Net absorbance, cn: 净吸光度}
#     checks_title: {en: Checks of run 2, cn: 第 2 批测定的质控}
#     minute_label: {en: Minutes, cn: 分钟}
#     sensitivity_label: {en: Sensitivity, cn: 灵敏度}
#     change_title: {en: What the new calibration changes, cn: 新校准带来的变化}
#     change_label: {en: Change (percent), cn: 变化 (%)}
#     sites_title: {en: 'Filtered {{ metal }} by site', cn: '各采样点过滤水样中的{{ metal }}'}
#     site_label: {en: Site, cn: 采样点}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A laboratory measures {{ element }} in water. What its files mean, and how it works, is said in `{{ data }}/notes.txt`. The standards of the calibration are described in `{{ data }}/standards.csv`. The folder already holds what comes in later: use a file only from the question on that names it.
# Make a DataFrame `standards` with one row for each of F01 to F10 and the columns `flask` and `level` (its concentration in mg/l, float, not rounded). Sort it by `flask`.
#
# Thought: A standard is made from a flask that is itself made from another one, so go back along the sources to the stock.

# %% [markdown] lang="cn"
# 一个实验室测定水中的{{ metal }}。各文件的含义和实验室的做法见 `{{ data }}/notes.txt`，校准用标准溶液的配制见 `{{ data }}/standards.csv`。文件夹中已有后来才到的文件：从提到某个文件的问题起才可使用它。
# 生成 DataFrame `standards`，F01 至 F10 每个占一行，列为 `flask` 和 `level`（浓度，单位 mg/l，浮点数，不取整），按 `flask` 排序。
#
# Thought: 标准溶液由中间液配成，中间液又由别的溶液配成，沿来源逐级追溯到母液。

# %%
import re

import pandas as pd

with open('{{ data }}/notes.txt') as file:
    stock = float(re.search(r'stock has (\d+) mg', file.read()).group(1))
recipes = pd.read_csv('{{ data }}/standards.csv').set_index('flask')
amount = recipes['pipetted'].str.split(' ')
recipes['ml'] = amount.str[0].astype(float) * amount.str[1].map({'ml': 1, 'ul': 0.001})


def concentration(name, volume):
    if name == 'stock':
        return stock
    return concentration(recipes.at[name, 'source'], volume) * recipes.at[name, 'ml'] / volume[name]


def leveled(volume):
    names = sorted(name for name in recipes.index if name.startswith('F'))
    return pd.DataFrame({'flask': names, 'level': [concentration(name, volume) for name in names]})


standards = leveled(recipes['label_ml'])

# %% naive="careless literal" trap="the stock is taken to have a round concentration"
import re

import pandas as pd

with open('{{ data }}/notes.txt') as file:
    stock = 1000.0
recipes = pd.read_csv('{{ data }}/standards.csv').set_index('flask')
amount = recipes['pipetted'].str.split(' ')
recipes['ml'] = amount.str[0].astype(float) * amount.str[1].map({'ml': 1, 'ul': 0.001})


def concentration(name, volume):
    if name == 'stock':
        return stock
    return concentration(recipes.at[name, 'source'], volume) * recipes.at[name, 'ml'] / volume[name]


def leveled(volume):
    names = sorted(name for name in recipes.index if name.startswith('F'))
    return pd.DataFrame({'flask': names, 'level': [concentration(name, volume) for name in names]})


standards = leveled(recipes['label_ml'])

# %% [markdown] kind="exec" modules="pandas"
# Run 1 is in `{{ data }}/run_1.csv`. Make a DataFrame `signals` of its readings that the notes let you use, with the columns `position`, `flask` and `absorbance`. Blanks and QC are in it, too. Sort it by `position`.
#
# Thought: Keep the last reading of a position, drop failed ones, then compare with the median of the flask; blanks are exempt.

# %% [markdown] lang="cn"
# 第 1 批测定的结果在 `{{ data }}/run_1.csv`。生成 DataFrame `signals`，包含按说明可以使用的读数（空白和 QC 也在内），列为 `position`、`flask` 和 `absorbance`，按 `position` 排序。
#
# Thought: 同一位置保留最后一次读数，去掉失败的读数，再与该瓶的中位数比较；空白不受此规则约束。

# %%
signals = pd.read_csv('{{ data }}/run_1.csv').drop_duplicates('position', keep='last')
signals = signals[signals['absorbance'] < 9]
middle = signals.groupby('flask')['absorbance'].transform('median')
far = ((signals['absorbance'] / middle - 1).abs() > 0.1) & (signals['flask'] != 'blank')
signals = signals[~far].sort_values('position').reset_index(drop=True)

# %% naive="careless" trap="the reading that was replaced is kept"
signals = pd.read_csv('{{ data }}/run_1.csv').drop_duplicates('position', keep='first')
signals = signals[signals['absorbance'] < 9]
middle = signals.groupby('flask')['absorbance'].transform('median')
far = ((signals['absorbance'] / middle - 1).abs() > 0.1) & (signals['flask'] != 'blank')
signals = signals[~far].sort_values('position').reset_index(drop=True)

# %% naive="literal shortcut" trap="a reading that is off its flask is kept"
signals = pd.read_csv('{{ data }}/run_1.csv').drop_duplicates('position', keep='last')
signals = signals[signals['absorbance'] < 9]
middle = signals.groupby('flask')['absorbance'].transform('median')
far = ((signals['absorbance'] / middle - 1).abs() > 0.1) & (signals['flask'] != 'blank')
signals = signals.sort_values('position').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(5), real(4)]"
# Print the number of rows of `signals`, the mean absorbance of the blanks with 5 decimal places, and the mean net absorbance of QC with 4 decimal places, on one line, separated by spaces.
#
# Thought: Net absorbance is what is above the mean of the blanks.

# %% [markdown] lang="cn"
# 在同一行打印 `signals` 的行数、空白的平均吸光度（保留 5 位小数）和 QC 的平均净吸光度（保留 4 位小数），用空格分隔。
#
# Thought: 净吸光度是吸光度减去空白的平均值。

# %%
blank = signals.loc[signals['flask'] == 'blank', 'absorbance'].mean()
nets = signals.groupby('flask')['absorbance'].mean() - blank
answer = [len(signals), blank, nets['QC']]
print(answer[0], f'{answer[1]:.5f} {answer[2]:.4f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the mean net absorbance of each of the ten standards over its `level` as points in `navy`, with the title `{{ standards_title }}`, the x label `{{ level_label }}`, the y label `{{ net_label }}`, figure size (6, 4), and call `plt.show()`.
#
# Thought: The points bend at the top, and one lies off.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `level` 为横坐标，用 `navy` 色的点画出十个标准溶液各自的平均净吸光度，标题 `{{ standards_title }}`，横轴标签 `{{ level_label }}`，纵轴标签 `{{ net_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 点在高端弯曲，其中一个偏离。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
plt.scatter(standards['level'], standards['flask'].map(nets), color='navy')
plt.title('{{ standards_title }}')
plt.xlabel('{{ level_label }}')
plt.ylabel('{{ net_label }}')
plt.show()

# %% naive="shortcut" trap="the order of the flasks stands for their concentrations"
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
plt.scatter(range(1, 11), standards['flask'].map(nets), color='navy')
plt.title('{{ standards_title }}')
plt.xlabel('{{ level_label }}')
plt.ylabel('{{ net_label }}')
plt.show()

# %% [markdown] kind="num" modules="scipy numpy" answer="[text, real(1)]"
# One of the standards is off. Leave out each standard in turn, but for the one with the lowest and the one with the highest concentration, and predict its mean net absorbance from all others with the form `quadratic`. Print the name of the flask whose mean net absorbance deviates most from the prediction, in percent of the prediction, and this deviation (negative if it is below) with 1 decimal place, on one line, separated by a space.
#
# Thought: The fit through the origin is linear in its parameters; the prediction must not know the standard that it predicts.

# %% [markdown] lang="cn"
# 有一个标准溶液偏离。除浓度最低和最高的两个之外，依次去掉每一个标准溶液，用 `quadratic` 形式由其余所有标准溶液预测它的平均净吸光度。打印平均净吸光度偏离预测值最大（以预测值的百分数计）的瓶号和这一偏差（百分数，低于预测为负，保留 1 位小数），在同一行，用空格分隔。
#
# Thought: 过原点的拟合对参数是线性的；预测时不能用到被预测的标准溶液。

# %%
import numpy as np
from scipy.optimize import curve_fit

shapes = {
    'line': lambda c, b: b * c,
    'quadratic': lambda c, b, d: b * c + d * c**2,
    'hyperbola': lambda c, b, k: b * c / (1 + c / k),
}


def fitted(name, c, a):
    if name == 'hyperbola':
        return curve_fit(shapes[name], c, a, p0=[0.08, 25], xtol=1e-13, ftol=1e-13)[0]
    columns = np.column_stack([c] if name == 'line' else [c, c**2])
    return np.linalg.lstsq(columns, a, rcond=None)[0]


def missed(name, c, a):
    """What each standard is, less what all others say of it, for all but the lowest and the highest."""
    within = [place for place in range(len(c)) if c[place] not in (c.min(), c.max())]
    others = [fitted(name, np.delete(c, place), np.delete(a, place)) for place in within]
    return within, np.array([shapes[name](c[place], *one) for place, one in zip(within, others)])


def points(left_out=()):
    part = standards[~standards['flask'].isin(left_out)]
    return part['flask'].to_numpy(), part['level'].to_numpy(), part['flask'].map(nets).to_numpy()


flasks, c, a = points()
within, expected = missed('quadratic', c, a)
off = a[within] / expected - 1
worst = flasks[within][np.abs(off).argmax()]
answer = [worst, 100 * off[np.abs(off).argmax()]]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless literal" trap="the flask that is off bends the curve that it is held against"
import numpy as np
from scipy.optimize import curve_fit

shapes = {
    'line': lambda c, b: b * c,
    'quadratic': lambda c, b, d: b * c + d * c**2,
    'hyperbola': lambda c, b, k: b * c / (1 + c / k),
}


def fitted(name, c, a):
    if name == 'hyperbola':
        return curve_fit(shapes[name], c, a, p0=[0.08, 25], xtol=1e-13, ftol=1e-13)[0]
    columns = np.column_stack([c] if name == 'line' else [c, c**2])
    return np.linalg.lstsq(columns, a, rcond=None)[0]


def missed(name, c, a):
    """What each standard is, less what all others say of it, for all but the lowest and the highest."""
    within = [place for place in range(len(c)) if c[place] not in (c.min(), c.max())]
    others = [fitted(name, np.delete(c, place), np.delete(a, place)) for place in within]
    return within, np.array([shapes[name](c[place], *one) for place, one in zip(within, others)])


def points(left_out=()):
    part = standards[~standards['flask'].isin(left_out)]
    return part['flask'].to_numpy(), part['level'].to_numpy(), part['flask'].map(nets).to_numpy()


flasks, c, a = points()
within, expected = missed('quadratic', c, a)
off = (a / shapes['quadratic'](c, *fitted('quadratic', c, a)) - 1)[within]
worst = flasks[within][np.abs(off).argmax()]
print(worst, f'{100 * off[np.abs(off).argmax()]:.1f}')

# %% naive="shortcut" trap="a straight line is taken, from which the top deviates"
import numpy as np
from scipy.optimize import curve_fit

shapes = {
    'line': lambda c, b: b * c,
    'quadratic': lambda c, b, d: b * c + d * c**2,
    'hyperbola': lambda c, b, k: b * c / (1 + c / k),
}


def fitted(name, c, a):
    if name == 'hyperbola':
        return curve_fit(shapes[name], c, a, p0=[0.08, 25], xtol=1e-13, ftol=1e-13)[0]
    columns = np.column_stack([c] if name == 'line' else [c, c**2])
    return np.linalg.lstsq(columns, a, rcond=None)[0]


def missed(name, c, a):
    """What each standard is, less what all others say of it, for all but the lowest and the highest."""
    within = [place for place in range(len(c)) if c[place] not in (c.min(), c.max())]
    others = [fitted(name, np.delete(c, place), np.delete(a, place)) for place in within]
    return within, np.array([shapes[name](c[place], *one) for place, one in zip(within, others)])


def points(left_out=()):
    part = standards[~standards['flask'].isin(left_out)]
    return part['flask'].to_numpy(), part['level'].to_numpy(), part['flask'].map(nets).to_numpy()


flasks, c, a = points()
within, expected = missed('quadratic', c, a)
off = a / shapes['line'](c, *fitted('line', c, a)) - 1
worst = flasks[np.abs(off).argmax()]
print(worst, f'{100 * off[np.abs(off).argmax()]:.1f}')

# %% [markdown] kind="num" tolerance=0.002 modules="scipy numpy" answer="[text, real(3), real(5)]"
# Calibrate as the notes say. Print the name of the form that is chosen, its root mean square in thousandths of absorbance with 3 decimal places, and its b from the fit to all standards of the calibration with 5 decimal places, on one line, separated by spaces.
#
# Thought: Leave the flask that was found out, and let the predictions of left-out standards decide.

# %% [markdown] lang="cn"
# 按说明进行校准。在同一行打印选定形式的名称、它的均方根误差（以千分之一吸光度计，保留 3 位小数）以及用校准所用的全部标准溶液拟合得到的 b（保留 5 位小数），用空格分隔。
#
# Thought: 去掉已找到的那个瓶，由留一预测的误差来决定。

# %%
def chosen(left_out):
    flasks, c, a = points(left_out)
    errors = {name: missed(name, c, a) for name in shapes}
    errors = {name: np.sqrt(np.mean((a[within] - expected) ** 2)) for name, (within, expected) in errors.items()}
    best = min(errors, key=errors.get)
    return best, fitted(best, c, a), errors[best], len(c)


shape, values, error, used = chosen([worst])
answer = [shape, 1000 * error, values[0]]
print(answer[0], f'{answer[1]:.3f} {answer[2]:.5f}')

# %% naive="careless" trap="the standard that is off stays in"
def chosen(left_out):
    flasks, c, a = points(left_out)
    errors = {name: missed(name, c, a) for name in shapes}
    errors = {name: np.sqrt(np.mean((a[within] - expected) ** 2)) for name, (within, expected) in errors.items()}
    best = min(errors, key=errors.get)
    return best, fitted(best, c, a), errors[best], len(c)


shape, values, error, used = chosen([])
print(shape, f'{1000 * error:.3f} {values[0]:.5f}')

# %% naive="shortcut" trap="a straight line will do"
def chosen(left_out):
    flasks, c, a = points(left_out)
    errors = {name: missed(name, c, a) for name in shapes}
    errors = {name: np.sqrt(np.mean((a[within] - expected) ** 2)) for name, (within, expected) in errors.items()}
    best = min(errors, key=errors.get)
    return best, fitted(best, c, a), errors[best], len(c)


_, c, a = points([worst])
shape, values, used = 'line', fitted('line', c, a), len(c)
error = np.sqrt(np.mean((a - shapes['line'](c, *values)) ** 2))
print(shape, f'{1000 * error:.3f} {values[0]:.5f}')

# %% [markdown] kind="exec" modules="pandas"
# Run 2 (`{{ data }}/run_2.csv`, saved on Windows) went on overnight. QC is a check, B a blank, all else are vials with samples. Make a DataFrame `run2` of its readings that count, in the order of the run, with the columns `position`, `vial`, `minute` (float, minutes since the first row of the file) and `absorbance`.
#
# Thought: Decimal commas and cp1252; minutes count on after midnight; replaced and failed readings go.

# %% [markdown] lang="cn"
# 第 2 批测定（`{{ data }}/run_2.csv`，在 Windows 上保存）持续到深夜之后。QC 是质控，B 是空白，其余是装样品的小瓶。生成 DataFrame `run2`，包含其中有效的读数，按测定顺序，列为 `position`、`vial`、`minute`（浮点数，自文件第一行起的分钟数）和 `absorbance`。
#
# Thought: 小数逗号、cp1252 编码；过了午夜分钟数继续累加；去掉被替换和失败的读数。

# %%
run2 = pd.read_csv('{{ data }}/run_2.csv', sep=';', decimal=',', encoding='cp1252')
run2.columns = ['position', 'vial', 'time', 'absorbance']
clock = pd.to_timedelta(run2['time']).dt.total_seconds() / 60
run2['minute'] = (clock - clock.iloc[0]) % 1440
run2 = run2.drop_duplicates('position', keep='last')
run2 = run2.loc[run2['absorbance'] < 9, ['position', 'vial', 'minute', 'absorbance']].reset_index(drop=True)

# %% naive="careless" trap="the clock starts again at midnight"
run2 = pd.read_csv('{{ data }}/run_2.csv', sep=';', decimal=',', encoding='cp1252')
run2.columns = ['position', 'vial', 'time', 'absorbance']
clock = pd.to_timedelta(run2['time']).dt.total_seconds() / 60
run2['minute'] = clock - clock.iloc[0]
run2 = run2.drop_duplicates('position', keep='last')
run2 = run2.loc[run2['absorbance'] < 9, ['position', 'vial', 'minute', 'absorbance']].reset_index(drop=True)

# %% naive="literal" trap="the first reading of a position is kept"
run2 = pd.read_csv('{{ data }}/run_2.csv', sep=';', decimal=',', encoding='cp1252')
run2.columns = ['position', 'vial', 'time', 'absorbance']
clock = pd.to_timedelta(run2['time']).dt.total_seconds() / 60
run2['minute'] = (clock - clock.iloc[0]) % 1440
run2 = run2.drop_duplicates('position', keep='first')
run2 = run2.loc[run2['absorbance'] < 9, ['position', 'vial', 'minute', 'absorbance']].reset_index(drop=True)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the sensitivity of the checks of run 2 over `minute` as a line in `crimson` with the marker `o`, with the title `{{ checks_title }}`, the x label `{{ minute_label }}`, the y label `{{ sensitivity_label }}`, figure size (7, 3.5), and call `plt.show()`.
#
# Thought: Each run has its own blanks; the reference is QC in run 1.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `minute` 为横坐标，画出第 2 批测定中各质控的灵敏度，折线颜色 `crimson`，标记 `o`，标题 `{{ checks_title }}`，横轴标签 `{{ minute_label }}`，纵轴标签 `{{ sensitivity_label }}`，图像大小 (7, 3.5)，最后调用 `plt.show()`。
#
# Thought: 每批测定用自己的空白；参照是第 1 批测定的 QC。

# %%
blank2 = run2.loc[run2['vial'] == 'B', 'absorbance'].mean()
checks = run2[run2['vial'] == 'QC'].copy()
checks['sensitivity'] = (checks['absorbance'] - blank2) / nets['QC']
plt.figure(figsize=(7, 3.5))
plt.plot(checks['minute'], checks['sensitivity'], color='crimson', marker='o')
plt.title('{{ checks_title }}')
plt.xlabel('{{ minute_label }}')
plt.ylabel('{{ sensitivity_label }}')
plt.show()

# %% naive="careless" trap="the blanks of another run come off"
blank2 = run2.loc[run2['vial'] == 'B', 'absorbance'].mean()
checks = run2[run2['vial'] == 'QC'].copy()
checks['sensitivity'] = (checks['absorbance'] - blank) / nets['QC']
plt.figure(figsize=(7, 3.5))
plt.plot(checks['minute'], checks['sensitivity'], color='crimson', marker='o')
plt.title('{{ checks_title }}')
plt.xlabel('{{ minute_label }}')
plt.ylabel('{{ sensitivity_label }}')
plt.show()

# %% naive="literal" trap="readings are compared without their blanks"
blank2 = run2.loc[run2['vial'] == 'B', 'absorbance'].mean()
checks = run2[run2['vial'] == 'QC'].copy()
checks['sensitivity'] = checks['absorbance'] / checks['absorbance'].iloc[0]
plt.figure(figsize=(7, 3.5))
plt.plot(checks['minute'], checks['sensitivity'], color='crimson', marker='o')
plt.title('{{ checks_title }}')
plt.xlabel('{{ minute_label }}')
plt.ylabel('{{ sensitivity_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(1)]"
# During run 2 the burner was cleaned once, which makes the flame more sensitive. Nobody wrote down when. Print the position of the last reading before it, the position of the first reading after it, and by how many percent the sensitivity is higher in the check after it than in the check before it, with 1 decimal place, on one line, separated by spaces.
#
# Thought: The sensitivity jumps between two checks; the pause between just these two is the cleaning, whatever other pauses there are.

# %% [markdown] lang="cn"
# 第 2 批测定期间清洗过一次燃烧头，清洗使火焰更灵敏，但没有人记下时间。在同一行打印清洗前最后一个读数的位置、清洗后第一个读数的位置，以及清洗后那次质控的灵敏度比清洗前那次质控高百分之几（保留 1 位小数），用空格分隔。
#
# Thought: 灵敏度在两次质控之间跳升；正是这两次质控之间的停顿是清洗，与其他停顿无关。

# %%
rise = checks['sensitivity'].diff().to_numpy()[1:].argmax()
before, after = checks.iloc[rise], checks.iloc[rise + 1]
block = run2[run2['minute'].between(before['minute'], after['minute'])]
first = block.loc[block['minute'].diff().idxmax()]
last = run2[run2['minute'] < first['minute']].iloc[-1]
jump = after['sensitivity'] / before['sensitivity'] - 1
answer = [last['position'], first['position'], 100 * jump]
print(answer[0], answer[1], f'{answer[2]:.1f}')

# %% naive="careless shortcut" trap="the longest pause is a break"
rise = checks['sensitivity'].diff().to_numpy()[1:].argmax()
before, after = checks.iloc[rise], checks.iloc[rise + 1]
block = run2[run2['minute'].between(before['minute'], after['minute'])]
first = run2.loc[run2['minute'].diff().idxmax()]
last = run2[run2['minute'] < first['minute']].iloc[-1]
jump = after['sensitivity'] / before['sensitivity'] - 1
print(last['position'], first['position'], f'{100 * jump:.1f}')

# %% naive="literal" trap="the checks around the jump are taken for the readings around the cleaning"
rise = checks['sensitivity'].diff().to_numpy()[1:].argmax()
before, after = checks.iloc[rise], checks.iloc[rise + 1]
block = run2[run2['minute'].between(before['minute'], after['minute'])]
first = block.loc[block['minute'].diff().idxmax()]
last = run2[run2['minute'] < first['minute']].iloc[-1]
jump = after['sensitivity'] / before['sensitivity'] - 1
print(before['position'], after['position'], f'{100 * jump:.1f}')

# %% [markdown] kind="exec" modules="numpy pandas"
# Make a DataFrame `vials` of the vials with samples in `run2`: `vial` and `net`, the net absorbance over the sensitivity of its moment. Sort it by `vial`.
#
# Thought: Interpolate before and after the cleaning apart; beyond the last check of a part its value holds.

# %% [markdown] lang="cn"
# 生成 DataFrame `vials`，包含 `run2` 中装样品的小瓶，列为 `vial` 和 `net`（净吸光度除以当时的灵敏度），按 `vial` 排序。
#
# Thought: 清洗前后分别插值；超出该段最后一次质控时取该质控的值。

# %%
known = checks[['minute', 'sensitivity']].sort_values('minute')
early, late = known[known['minute'] <= last['minute']], known[known['minute'] >= first['minute']]
vials = run2[~run2['vial'].isin(['QC', 'B'])].copy()
vials['net'] = vials['absorbance'] - blank2
cleaned = vials['minute'] >= first['minute']
moment = vials['minute']
strength = np.where(
    cleaned,
    np.interp(moment, late['minute'], late['sensitivity']),
    np.interp(moment, early['minute'], early['sensitivity']),
)
vials['net'] = vials['net'] / strength
vials = vials[['vial', 'net']].sort_values('vial').reset_index(drop=True)

# %% naive="careless" trap="the sensitivity is interpolated across the cleaning"
known = checks[['minute', 'sensitivity']].sort_values('minute')
early, late = known[known['minute'] <= last['minute']], known[known['minute'] >= first['minute']]
vials = run2[~run2['vial'].isin(['QC', 'B'])].copy()
vials['net'] = vials['absorbance'] - blank2
cleaned = vials['minute'] >= first['minute']
moment = vials['minute']
strength = np.interp(moment, known['minute'], known['sensitivity'])
vials['net'] = vials['net'] / strength
vials = vials[['vial', 'net']].sort_values('vial').reset_index(drop=True)

# %% naive="literal" trap="one blank for all runs"
known = checks[['minute', 'sensitivity']].sort_values('minute')
early, late = known[known['minute'] <= last['minute']], known[known['minute'] >= first['minute']]
vials = run2[~run2['vial'].isin(['QC', 'B'])].copy()
vials['net'] = vials['absorbance'] - blank
cleaned = vials['minute'] >= first['minute']
moment = vials['minute']
strength = np.where(
    cleaned,
    np.interp(moment, late['minute'], late['sensitivity']),
    np.interp(moment, early['minute'], early['sensitivity']),
)
vials['net'] = vials['net'] / strength
vials = vials[['vial', 'net']].sort_values('vial').reset_index(drop=True)

# %% naive="shortcut" trap="the mean sensitivity of the run is taken"
known = checks[['minute', 'sensitivity']].sort_values('minute')
early, late = known[known['minute'] <= last['minute']], known[known['minute'] >= first['minute']]
vials = run2[~run2['vial'].isin(['QC', 'B'])].copy()
vials['net'] = vials['absorbance'] - blank2
cleaned = vials['minute'] >= first['minute']
moment = vials['minute']
strength = np.where(
    cleaned,
    np.interp(moment, late['minute'], late['sensitivity']),
    np.interp(moment, early['minute'], early['sensitivity']),
)
vials['net'] = vials['net'] / known['sensitivity'].mean()
vials = vials[['vial', 'net']].sort_values('vial').reset_index(drop=True)

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/vials.csv` says what is in the vials. Make a DataFrame `results` with one row for each sample that has a result: `sample` (as the laboratory writes it) and `mg_l` (float, not rounded). Sort it by `sample`.
#
# Thought: One plus four makes five, 1:10 makes ten; vials above F10 do not count, and of the others the least diluted do.

# %% [markdown] lang="cn"
# `{{ data }}/vials.csv` 说明小瓶里装的是什么。生成 DataFrame `results`，每个有结果的样品占一行，列为 `sample`（按实验室的写法）和 `mg_l`（浮点数，不取整），按 `sample` 排序。
#
# Thought: 1+4 是五倍，1:10 是十倍；高于 F10 的小瓶不算，其余取稀释倍数最小的。

# %%
def inverse(net, shape, values):
    if shape == 'line':
        return net / values[0]
    if shape == 'quadratic':
        return 2 * net / (values[0] + np.sqrt(values[0] ** 2 + 4 * values[1] * net))
    return net / (values[0] - net / values[1])


def spelt(name):
    letter, number = re.match(r'([A-Za-z])\D*(\d+)', name).groups()
    return f'{letter.upper()}-{int(number):02d}'


def parts(dilution):
    if dilution == 'none':
        return 1
    one, two = (int(number) for number in re.findall(r'\d+', dilution))
    return one + two if '+' in dilution else two


plan = pd.read_csv('{{ data }}/vials.csv', keep_default_na=False)
plan['sample'] = plan['sample'].map(spelt)
plan['times'] = plan['dilution'].map(parts)
usable = plan.merge(vials, on='vial')
usable = usable[usable['net'] <= nets['F10']].copy()
usable = usable[usable['times'] == usable.groupby('sample')['times'].transform('min')]


def resulting(shape, values):
    level = inverse(usable['net'], shape, values) * usable['times']
    return level.groupby(usable['sample']).mean().rename('mg_l').reset_index()


results = resulting(shape, values)

# %% naive="careless" trap="both ways to write a dilution are read alike"
def inverse(net, shape, values):
    if shape == 'line':
        return net / values[0]
    if shape == 'quadratic':
        return 2 * net / (values[0] + np.sqrt(values[0] ** 2 + 4 * values[1] * net))
    return net / (values[0] - net / values[1])


def spelt(name):
    letter, number = re.match(r'([A-Za-z])\D*(\d+)', name).groups()
    return f'{letter.upper()}-{int(number):02d}'


def parts(dilution):
    if dilution == 'none':
        return 1
    one, two = (int(number) for number in re.findall(r'\d+', dilution))
    return two


plan = pd.read_csv('{{ data }}/vials.csv', keep_default_na=False)
plan['sample'] = plan['sample'].map(spelt)
plan['times'] = plan['dilution'].map(parts)
usable = plan.merge(vials, on='vial')
usable = usable[usable['net'] <= nets['F10']].copy()
usable = usable[usable['times'] == usable.groupby('sample')['times'].transform('min')]


def resulting(shape, values):
    level = inverse(usable['net'], shape, values) * usable['times']
    return level.groupby(usable['sample']).mean().rename('mg_l').reset_index()


results = resulting(shape, values)

# %% naive="literal" trap="names written otherwise are other samples"
def inverse(net, shape, values):
    if shape == 'line':
        return net / values[0]
    if shape == 'quadratic':
        return 2 * net / (values[0] + np.sqrt(values[0] ** 2 + 4 * values[1] * net))
    return net / (values[0] - net / values[1])


def spelt(name):
    letter, number = re.match(r'([A-Za-z])\D*(\d+)', name).groups()
    return f'{letter.upper()}-{int(number):02d}'


def parts(dilution):
    if dilution == 'none':
        return 1
    one, two = (int(number) for number in re.findall(r'\d+', dilution))
    return one + two if '+' in dilution else two


plan = pd.read_csv('{{ data }}/vials.csv', keep_default_na=False)
plan['sample'] = plan['sample'].str.strip()
plan['times'] = plan['dilution'].map(parts)
usable = plan.merge(vials, on='vial')
usable = usable[usable['net'] <= nets['F10']].copy()
usable = usable[usable['times'] == usable.groupby('sample')['times'].transform('min')]


def resulting(shape, values):
    level = inverse(usable['net'], shape, values) * usable['times']
    return level.groupby(usable['sample']).mean().rename('mg_l').reset_index()


results = resulting(shape, values)
plan['sample'] = plan['sample'].map(spelt)
usable['sample'] = usable['sample'].map(spelt)

# %% naive="shortcut" trap="all vials of a sample are averaged, those above the calibration, too"
def inverse(net, shape, values):
    if shape == 'line':
        return net / values[0]
    if shape == 'quadratic':
        return 2 * net / (values[0] + np.sqrt(values[0] ** 2 + 4 * values[1] * net))
    return net / (values[0] - net / values[1])


def spelt(name):
    letter, number = re.match(r'([A-Za-z])\D*(\d+)', name).groups()
    return f'{letter.upper()}-{int(number):02d}'


def parts(dilution):
    if dilution == 'none':
        return 1
    one, two = (int(number) for number in re.findall(r'\d+', dilution))
    return one + two if '+' in dilution else two


plan = pd.read_csv('{{ data }}/vials.csv', keep_default_na=False)
plan['sample'] = plan['sample'].map(spelt)
plan['times'] = plan['dilution'].map(parts)
usable = plan.merge(vials, on='vial')
usable = usable[inverse(usable['net'], shape, values) > 0].copy()


def resulting(shape, values):
    level = inverse(usable['net'], shape, values) * usable['times']
    return level.groupby(usable['sample']).mean().rename('mg_l').reset_index()


results = resulting(shape, values)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Which samples of `{{ data }}/vials.csv` have no result? Print their names, as the laboratory writes them, in alphabetical order, on one line, separated by `, `.
#
# Thought: Those in the plan that are not among the results.

# %% [markdown] lang="cn"
# `{{ data }}/vials.csv` 中哪些样品没有结果？按实验室的写法和字母顺序，在同一行打印它们的名称，用 `, ` 分隔。
#
# Thought: 计划中有而结果中没有的样品。

# %%
lost = sorted(set(plan['sample']) - set(results['sample']))
answer = list(lost)
print(', '.join(answer))

# %% naive="careless shortcut" trap="only samples without any reading are looked for"
lost = sorted(set(plan['sample']) - set(plan.loc[plan['vial'].isin(vials['vial']), 'sample']))
print(', '.join(lost))

# %% naive="literal" trap="a sample that had to be diluted is called lost"
lost = sorted(set(plan['sample']) - set(usable.loc[usable['times'] == 1, 'sample']))
print(', '.join(lost))

# %% [markdown] kind="num" tolerance=0.002 modules="pandas" answer="[count, real(3)]"
# The results of some samples come from two vials. A colleague wants to know how well a vial can be repeated. With `both` being the concentrations from all these vials, he prints
#
#     print(len(both) // 2, 100 * both.std() / both.mean())
#
# But this has the differences between the samples in it. Print the number of these samples, and the relative standard deviation of a single vial about its sample in percent: the square root of the mean of (difference / mean)^2 over these samples, divided by the square root of 2, times 100, with 3 decimal places, on one line, separated by a space.
#
# Thought: Only vials of the same least dilution count for a result; the differences within samples have twice the variance of a vial.

# %% [markdown] lang="cn"
# 有些样品的结果来自两个小瓶。一位同事想知道小瓶的重复性如何。设 `both` 为所有这些小瓶得到的浓度，他打印
#
#     print(len(both) // 2, 100 * both.std() / both.mean())
#
# 但其中混入了样品之间的差异。在同一行打印这样的样品个数，以及单个小瓶围绕其样品的相对标准偏差（百分数）：对这些样品求 (差值 / 均值)^2 的平均值，取平方根，除以 2 的平方根，再乘以 100，保留 3 位小数，用空格分隔。
#
# Thought: 只有最小稀释倍数相同的小瓶才进入结果；样品内差值的方差是单个小瓶的两倍。

# %%
each = inverse(usable['net'], shape, values) * usable['times']
pairs = each.groupby(usable['sample']).agg(['count', 'min', 'max', 'mean'])
pairs = pairs[pairs['count'] == 2]
relative = (pairs['max'] - pairs['min']) / pairs['mean']
answer = [len(pairs), 100 * np.sqrt((relative**2).mean() / 2)]
print(answer[0], f'{answer[1]:.3f}')

# %% naive="careless literal" trap="the samples differ more than the vials of one"
each = inverse(usable['net'], shape, values) * usable['times']
both = each[usable.groupby('sample')['times'].transform('size') == 2]
print(len(both) // 2, f'{100 * both.std() / both.mean():.3f}')

# %% naive="shortcut" trap="vials that no result comes from are counted"
every = plan.merge(vials, on='vial')
each = inverse(every['net'], shape, values) * every['times']
pairs = each.groupby(every['sample']).agg(['count', 'min', 'max', 'mean'])
pairs = pairs[pairs['count'] == 2]
relative = (pairs['max'] - pairs['min']) / pairs['mean']
print(len(pairs), f'{100 * np.sqrt((relative**2).mean() / 2):.3f}')

# %% [markdown] kind="exec" modules="pandas"
# Spiked samples are in `{{ data }}/spikes.csv`. Make a DataFrame `recovery` with the columns `sample` (as the laboratory writes it), `water` and `percent` (the recovery in percent, float, not rounded). Sort it by `sample`.
#
# Thought: Masses: volume times concentration of the mixture, less that of the sample in it, over that of Z3.

# %% [markdown] lang="cn"
# 加标样品在 `{{ data }}/spikes.csv`。生成 DataFrame `recovery`，列为 `sample`（按实验室的写法）、`water` 和 `percent`（回收率，百分数，浮点数，不取整），按 `sample` 排序。
#
# Thought: 按质量计算：混合液的体积乘浓度，减去其中样品的质量，再除以加入的 Z3 的质量。

# %%
spikes = pd.read_csv('{{ data }}/spikes.csv')


def recovered(shape, values, spike):
    ml, added = spikes['sample_ml'], spikes['spike_ul'] / 1000
    plain, mixed = (inverse(spikes[name] - blank, shape, values) for name in ('before', 'after'))
    percent = 100 * (mixed * (ml + added) - plain * ml) / (spike * added)
    table = pd.DataFrame({'sample': spikes['sample'].map(spelt), 'water': spikes['water'], 'percent': percent})
    return table.sort_values('sample').reset_index(drop=True)


recovery = recovered(shape, values, concentration('Z3', recipes['label_ml']))

# %% naive="careless" trap="the spike has no volume"
spikes = pd.read_csv('{{ data }}/spikes.csv')


def recovered(shape, values, spike):
    ml, added = spikes['sample_ml'], spikes['spike_ul'] / 1000
    plain, mixed = (inverse(spikes[name] - blank, shape, values) for name in ('before', 'after'))
    percent = 100 * (mixed - plain) * ml / (spike * added)
    table = pd.DataFrame({'sample': spikes['sample'].map(spelt), 'water': spikes['water'], 'percent': percent})
    return table.sort_values('sample').reset_index(drop=True)


recovery = recovered(shape, values, concentration('Z3', recipes['label_ml']))

# %% naive="literal" trap="absorbances are taken for net ones"
spikes = pd.read_csv('{{ data }}/spikes.csv')


def recovered(shape, values, spike):
    ml, added = spikes['sample_ml'], spikes['spike_ul'] / 1000
    plain, mixed = (inverse(spikes[name], shape, values) for name in ('before', 'after'))
    percent = 100 * (mixed * (ml + added) - plain * ml) / (spike * added)
    table = pd.DataFrame({'sample': spikes['sample'].map(spelt), 'water': spikes['water'], 'percent': percent})
    return table.sort_values('sample').reset_index(drop=True)


recovery = recovered(shape, values, concentration('Z3', recipes['label_ml']))

# %% naive="shortcut" trap="absorbance is taken as proportional to the concentration"
spikes = pd.read_csv('{{ data }}/spikes.csv')


def recovered(shape, values, spike):
    ml, added = spikes['sample_ml'], spikes['spike_ul'] / 1000
    plain, mixed = ((spikes[name] - blank) / values[0] for name in ('before', 'after'))
    percent = 100 * (mixed * (ml + added) - plain * ml) / (spike * added)
    table = pd.DataFrame({'sample': spikes['sample'].map(spelt), 'water': spikes['water'], 'percent': percent})
    return table.sort_values('sample').reset_index(drop=True)


recovery = recovered(shape, values, concentration('Z3', recipes['label_ml']))

# %% [markdown] kind="num" tolerance=0.0003 modules="pandas" answer="[text, real(2)]"
# One of the waters has to be corrected. Print its name and its mean recovery in percent with 2 decimal places, on one line, separated by a space.
#
# Thought: The mean of one lies far below 95 percent.

# %% [markdown] lang="cn"
# 有一种水需要校正。在同一行打印它的名称和平均回收率（百分数，保留 2 位小数），用空格分隔。
#
# Thought: 其中一种水的平均值远低于 95%。

# %%
means = recovery.groupby('water')['percent'].mean()
odd = means[(means - 100).abs() == (means - 100).abs().max()]
answer = [odd.index[0], odd.iloc[0]]
print(answer[0], f'{answer[1]:.2f}')

# %% naive="careless shortcut" trap="the mean over all waters is printed"
means = recovery.groupby('water')['percent'].mean()
odd = means[(means - 100).abs() == (means - 100).abs().max()]
print(odd.index[0], f'{means.mean():.2f}')

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/samples.csv` has the bottles. Make a DataFrame `corrected` with the columns `sample`, `site`, `water`, `bottle` and `mg_l`: `results`, corrected for the recovery as the notes say. Sort it by `sample`.
#
# Thought: Only the water that was found is divided by its mean recovery.

# %% [markdown] lang="cn"
# `{{ data }}/samples.csv` 记录了各个水样瓶。生成 DataFrame `corrected`，列为 `sample`、`site`、`water`、`bottle` 和 `mg_l`：即按说明对回收率校正后的 `results`，按 `sample` 排序。
#
# Thought: 只把找到的那种水除以其平均回收率。

# %%
samples = pd.read_csv('{{ data }}/samples.csv')


def mended(results, odd):
    table = results.merge(samples, on='sample')
    table.loc[table['water'] == odd.index[0], 'mg_l'] /= odd.iloc[0] / 100
    return table[['sample', 'site', 'water', 'bottle', 'mg_l']].sort_values('sample').reset_index(drop=True)


corrected = mended(results, odd)

# %% naive="careless" trap="results are multiplied by the recovery"
samples = pd.read_csv('{{ data }}/samples.csv')


def mended(results, odd):
    table = results.merge(samples, on='sample')
    table.loc[table['water'] == odd.index[0], 'mg_l'] *= odd.iloc[0] / 100
    return table[['sample', 'site', 'water', 'bottle', 'mg_l']].sort_values('sample').reset_index(drop=True)


corrected = mended(results, odd)

# %% naive="literal" trap="all waters are corrected"
samples = pd.read_csv('{{ data }}/samples.csv')


def mended(results, odd):
    table = results.merge(samples, on='sample')
    table['mg_l'] /= table['water'].map(means) / 100
    return table[['sample', 'site', 'water', 'bottle', 'mg_l']].sort_values('sample').reset_index(drop=True)


corrected = mended(results, odd)

# %% naive="shortcut" trap="each result of the water keeps the one recovery of its own sample"
samples = pd.read_csv('{{ data }}/samples.csv')


def mended(results, odd):
    table = results.merge(samples, on='sample')
    own = recovery.set_index('sample')['percent'].reindex(table['sample']).fillna(100).to_numpy()
    table['mg_l'] /= own / 100
    return table[['sample', 'site', 'water', 'bottle', 'mg_l']].sort_values('sample').reset_index(drop=True)


corrected = mended(results, odd)

# %% [markdown] kind="num" tolerance=0.005 modules="scipy" answer="[text, count, real(relative=0.005)]"
# `{{ data }}/samplings.csv` names the two bottles of each sampling. Does filtering change the concentration? Use the samplings of which both bottles are in `corrected`. One of these tests fits: `paired` (t test of the differences of `mg_l`), `paired_log` (t test of the differences of its logarithm), `welch` (Welch's t test of `mg_l`, raw against filtered), `welch_log` (the same of its logarithm). It is the one whose observations are independent and whose spread does not grow with the concentration. Print its name, the number of samplings and the two-sided p-value with 3 significant digits, on one line, separated by spaces.
#
# Thought: The bottles come in pairs, and the difference within a pair is in proportion to the concentration.

# %% [markdown] lang="cn"
# `{{ data }}/samplings.csv` 给出每次采样的两个瓶子。过滤是否改变浓度？使用两个瓶子都在 `corrected` 中的采样。下列检验中有一个适用：`paired`（对 `mg_l` 的差值做 t 检验）、`paired_log`（对其对数的差值做 t 检验）、`welch`（对 `mg_l` 做 Welch t 检验，未过滤对过滤）、`welch_log`（对其对数做同样的检验）。适用的是观测相互独立、且离散程度不随浓度增大的那一个。在同一行打印它的名称、采样次数和双侧 p 值（3 位有效数字），用空格分隔。
#
# Thought: 瓶子成对，且每对的差值与浓度成正比。

# %%
from scipy import stats

samplings = pd.read_csv('{{ data }}/samplings.csv')
at = corrected.set_index('sample')['mg_l']
raw, filtered = (samplings[kind].map(at) for kind in ('raw', 'filtered'))
whole = raw.notna() & filtered.notna()
raw, filtered = raw[whole], filtered[whole]
p = stats.ttest_rel(np.log(raw), np.log(filtered)).pvalue
answer = ['paired_log', len(raw), p]
print(answer[0], answer[1], f'{answer[2]:.3g}')

# %% naive="careless" trap="differences grow with the concentration"
from scipy import stats

samplings = pd.read_csv('{{ data }}/samplings.csv')
at = corrected.set_index('sample')['mg_l']
raw, filtered = (samplings[kind].map(at) for kind in ('raw', 'filtered'))
whole = raw.notna() & filtered.notna()
raw, filtered = raw[whole], filtered[whole]
p = stats.ttest_rel(raw, filtered).pvalue
print('paired', len(raw), f'{p:.3g}')

# %% naive="literal shortcut" trap="bottles of one sampling are taken for independent"
from scipy import stats

samplings = pd.read_csv('{{ data }}/samplings.csv')
at = corrected.set_index('sample')['mg_l']
raw, filtered = (samplings[kind].map(at) for kind in ('raw', 'filtered'))
whole = raw.notna() & filtered.notna()
raw, filtered = raw[whole], filtered[whole]
p = stats.ttest_ind(np.log(raw), np.log(filtered), equal_var=False).pvalue
print('welch_log', len(raw), f'{p:.3g}')

# %% [markdown] kind="exec" modules="pandas"
# Only now the store sends `{{ data }}/flasks.csv`, the volumes of its glasses by weighing. They hold in place of the labels; of several tests of a glass the latest is valid. Make `standards` again, as before, with these volumes.
#
# Thought: Volumes of the intermediate flasks change all standards made from them.

# %% [markdown] lang="cn"
# 库房现在才送来 `{{ data }}/flasks.csv`，即称量法测得的各玻璃器皿的容积。以它代替标签上的容积；同一器皿有多次检定时，以最近的一次为准。用这些容积重新生成 `standards`，要求同前。
#
# Thought: 中间液容积的变化会影响由它配成的所有标准溶液。

# %%
inventory = pd.read_csv('{{ data }}/flasks.csv', sep=';')
inventory['tested'] = pd.to_datetime(inventory['tested'], format='%d.%m.%Y')
weighed = inventory.sort_values('tested').drop_duplicates('glass', keep='last').set_index('glass')['volume_ml']
volumes = recipes['glass'].map(weighed)
standards = leveled(volumes)

# %% naive="careless" trap="dates are sorted as text"
inventory = pd.read_csv('{{ data }}/flasks.csv', sep=';')
weighed = inventory.sort_values('tested').drop_duplicates('glass', keep='last').set_index('glass')['volume_ml']
volumes = recipes['glass'].map(weighed)
standards = leveled(volumes)

# %% naive="literal" trap="the glasses of the intermediate solutions keep their labels"
inventory = pd.read_csv('{{ data }}/flasks.csv', sep=';')
inventory['tested'] = pd.to_datetime(inventory['tested'], format='%d.%m.%Y')
weighed = inventory.sort_values('tested').drop_duplicates('glass', keep='last').set_index('glass')['volume_ml']
volumes = recipes['glass'].map(weighed).where(recipes.index.str.startswith('F'), recipes['label_ml'])
standards = leveled(volumes)

# %% naive="shortcut" trap="only the flask that was off is looked at"
inventory = pd.read_csv('{{ data }}/flasks.csv', sep=';')
inventory['tested'] = pd.to_datetime(inventory['tested'], format='%d.%m.%Y')
weighed = inventory.sort_values('tested').drop_duplicates('glass', keep='last').set_index('glass')['volume_ml']
volumes = recipes['label_ml'].where(recipes.index != worst, recipes['glass'].map(weighed))
standards = leveled(volumes)

# %% [markdown] kind="num" tolerance=0.002 modules="scipy numpy" answer="[text, count, real(3), real(5)]"
# Calibrate again with the new `standards`. Print the name of the form that is chosen, the number of standards in the calibration, the root mean square in thousandths of absorbance with 3 decimal places, and b with 5 decimal places, on one line, separated by spaces.
#
# Thought: The inventory says why the flask was off: its glass is another one. Its concentration is known now, so it belongs to the calibration.

# %% [markdown] lang="cn"
# 用新的 `standards` 重新校准。在同一行打印选定形式的名称、校准所用标准溶液的个数、均方根误差（以千分之一吸光度计，保留 3 位小数）和 b（保留 5 位小数），用空格分隔。
#
# Thought: 检定结果说明了该瓶偏离的原因：用的是另一种容量瓶。浓度已知，因此应重新纳入校准。

# %%
shape, values, error, used = chosen([])
answer = [shape, used, 1000 * error, values[0]]
print(answer[0], answer[1], f'{answer[2]:.3f} {answer[3]:.5f}')

# %% naive="careless literal shortcut" trap="what was left out once stays out"
shape, values, error, used = chosen([worst])
print(shape, used, f'{1000 * error:.3f} {values[0]:.5f}')

# %% [markdown] kind="exec" modules="pandas"
# Work out all results again, with everything that depends on the standards. Make a DataFrame `final` with the columns of `corrected`, sorted by `sample`.
#
# Thought: The spiked samples were read off the curve and hold Z3, whose volume has changed; so the recovery is another, too.

# %% [markdown] lang="cn"
# 重新计算所有结果，凡依赖标准溶液的都要更新。生成 DataFrame `final`，列同 `corrected`，按 `sample` 排序。
#
# Thought: 加标样品的读数由曲线换算，所加的 Z3 的容积也变了，所以回收率也随之改变。

# %%
renewed = recovered(shape, values, concentration('Z3', volumes)).groupby('water')['percent'].mean()
odd2 = renewed[(renewed - 100).abs() == (renewed - 100).abs().max()]
final = mended(resulting(shape, values), odd2)

# %% naive="careless" trap="the recoveries are those of the old calibration"
renewed = recovered(shape, values, concentration('Z3', volumes)).groupby('water')['percent'].mean()
odd2 = renewed[(renewed - 100).abs() == (renewed - 100).abs().max()]
final = mended(resulting(shape, values), odd)

# %% naive="literal" trap="the spike keeps its old concentration"
renewed = recovered(shape, values, concentration('Z3', recipes['label_ml'])).groupby('water')['percent'].mean()
odd2 = renewed[(renewed - 100).abs() == (renewed - 100).abs().max()]
final = mended(resulting(shape, values), odd2)

# %% naive="shortcut" trap="the recovery is forgotten"
renewed = recovered(shape, values, concentration('Z3', volumes)).groupby('water')['percent'].mean()
odd2 = renewed[(renewed - 100).abs() == (renewed - 100).abs().max()]
final = mended(resulting(shape, values), odd2 * 0 + 100)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw by how many percent `mg_l` of each sample is higher in `final` than in `corrected`, over `mg_l` of `corrected`, as points: `river` in `steelblue`, `spring` in `seagreen`, `estuary` in `darkorange`, with these names in a legend, the title `{{ change_title }}`, the x label `{{ level_label }}`, the y label `{{ change_label }}`, figure size (7, 4), and call `plt.show()`.
#
# Thought: Both tables have the same samples in the same order.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `corrected` 的 `mg_l` 为横坐标，用点画出每个样品的 `mg_l` 在 `final` 中比在 `corrected` 中高百分之几：`river` 用 `steelblue`，`spring` 用 `seagreen`，`estuary` 用 `darkorange`，图例中写这些名称，标题 `{{ change_title }}`，横轴标签 `{{ level_label }}`，纵轴标签 `{{ change_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 两张表的样品及其顺序相同。

# %%
change = 100 * (final['mg_l'] / corrected['mg_l'] - 1)
plt.figure(figsize=(7, 4))
for water, color in (('river', 'steelblue'), ('spring', 'seagreen'), ('estuary', 'darkorange')):
    of = final['water'] == water
    plt.scatter(corrected.loc[of, 'mg_l'], change[of], color=color, label=water)
plt.title('{{ change_title }}')
plt.xlabel('{{ level_label }}')
plt.ylabel('{{ change_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" tolerance=0.001 modules="pandas" answer="[text, real(2), real(2)]"
# Print the sample whose `mg_l` has changed most in percent from `corrected` to `final`, this change in percent with 2 decimal places (negative if it fell), and by how many percentage points the mean recovery of the water that is corrected has changed, with 2 decimal places, on one line, separated by spaces.
#
# Thought: Changes in percent, whatever their sign.

# %% [markdown] lang="cn"
# 在同一行打印从 `corrected` 到 `final`，`mg_l` 变化百分比最大的样品、这一变化（百分数，保留 2 位小数，下降为负），以及被校正的那种水的平均回收率变化了多少个百分点（保留 2 位小数），用空格分隔。
#
# Thought: 按百分比变化的绝对值比较。

# %%
most = change.abs().idxmax()
answer = [final.at[most, 'sample'], change[most], renewed[odd2.index[0]] - means[odd2.index[0]]]
print(answer[0], f'{answer[1]:.2f}', f'{answer[2]:.2f}')

# %% naive="careless literal" trap="the largest change in mg/l is not the largest in percent"
most = (final['mg_l'] - corrected['mg_l']).abs().idxmax()
print(final.at[most, 'sample'], f'{change[most]:.2f}', f'{renewed[odd2.index[0]] - means[odd2.index[0]]:.2f}')

# %% [markdown] kind="num" modules="pandas scipy" held_out="unknown" metric="mae" bound="0.4"
# A later run, `{{ data }}/run_3.csv`, has bottles of known content, which was kept from the laboratory as a test of it. `{{ data }}/unknown.csv` says which water they hold and how they were diluted. The burner was not cleaned in between. Print the concentrations (mg/l, undiluted) of the bottles with 3 decimal places, in the order of `unknown.csv`, separated by spaces. They should be wrong by at most 0.4 mg/l in the mean (mean absolute error).
#
# Thought: The same way as run 2: own blanks, checks, the curve, the dilution, and the recovery of the water.

# %% [markdown] lang="cn"
# 后来的一批测定 `{{ data }}/run_3.csv` 中是一些含量已知的瓶子，作为对实验室的考核，含量未告知实验室。`{{ data }}/unknown.csv` 说明它们是哪种水、如何稀释。期间没有清洗燃烧头。按 `unknown.csv` 的顺序打印各瓶的浓度（mg/l，未稀释），保留 3 位小数，用空格分隔。平均绝对误差应不超过 0.4 mg/l。
#
# Thought: 与第 2 批相同：用本批空白和质控、校准曲线、稀释倍数以及该种水的回收率。

# %%
run3 = pd.read_csv('{{ data }}/run_3.csv')
run3['minute'] = pd.to_datetime(run3['time']).astype('int64')
run3['net'] = run3['absorbance'] - run3.loc[run3['bottle'] == 'blank', 'absorbance'].mean()
control = run3[run3['bottle'] == 'QC']
run3['net'] /= np.interp(run3['minute'], control['minute'], control['net'] / nets['QC'])
unknown = pd.read_csv('{{ data }}/unknown.csv', keep_default_na=False)
found = inverse(unknown['bottle'].map(run3.set_index('bottle')['net'].drop(['QC', 'blank'])), shape, values)
found = found * unknown['dilution'].map(parts)
found = found.where(unknown['water'] != odd2.index[0], found / (odd2.iloc[0] / 100))
print(' '.join(f'{value:.3f}' for value in found))

# %% naive="careless" trap="the water that has to be corrected is not"
run3 = pd.read_csv('{{ data }}/run_3.csv')
run3['minute'] = pd.to_datetime(run3['time']).astype('int64')
run3['net'] = run3['absorbance'] - run3.loc[run3['bottle'] == 'blank', 'absorbance'].mean()
control = run3[run3['bottle'] == 'QC']
run3['net'] /= np.interp(run3['minute'], control['minute'], control['net'] / nets['QC'])
unknown = pd.read_csv('{{ data }}/unknown.csv', keep_default_na=False)
found = inverse(unknown['bottle'].map(run3.set_index('bottle')['net'].drop(['QC', 'blank'])), shape, values)
found = found * unknown['dilution'].map(parts)
print(' '.join(f'{value:.3f}' for value in found))

# %% naive="literal" trap="the flame is taken to be as sensitive as on the first day"
run3 = pd.read_csv('{{ data }}/run_3.csv')
run3['minute'] = pd.to_datetime(run3['time']).astype('int64')
run3['net'] = run3['absorbance'] - run3.loc[run3['bottle'] == 'blank', 'absorbance'].mean()
control = run3[run3['bottle'] == 'QC']
unknown = pd.read_csv('{{ data }}/unknown.csv', keep_default_na=False)
found = inverse(unknown['bottle'].map(run3.set_index('bottle')['net'].drop(['QC', 'blank'])), shape, values)
found = found * unknown['dilution'].map(parts)
found = found.where(unknown['water'] != odd2.index[0], found / (odd2.iloc[0] / 100))
print(' '.join(f'{value:.3f}' for value in found))

# %% naive="shortcut" trap="a straight line through the standards"
run3 = pd.read_csv('{{ data }}/run_3.csv')
run3['minute'] = pd.to_datetime(run3['time']).astype('int64')
run3['net'] = run3['absorbance'] - run3.loc[run3['bottle'] == 'blank', 'absorbance'].mean()
control = run3[run3['bottle'] == 'QC']
run3['net'] /= np.interp(run3['minute'], control['minute'], control['net'] / nets['QC'])
unknown = pd.read_csv('{{ data }}/unknown.csv', keep_default_na=False)
found = unknown['bottle'].map(run3.set_index('bottle')['net'].drop(['QC', 'blank'])) / fitted('line', *points()[1:])[0]
found = found * unknown['dilution'].map(parts)
found = found.where(unknown['water'] != odd2.index[0], found / (odd2.iloc[0] / 100))
print(' '.join(f'{value:.3f}' for value in found))

# %% [markdown] kind="num" modules="sklearn" held_out="water" metric="accuracy" bound="0.9"
# The bottles of `{{ data }}/lost.csv` have lost their labels. Learn from `{{ data }}/samples.csv` which of the three waters each of them holds. Print one digit for each bottle, in the order of `lost.csv`, separated by spaces: 1 for estuary, 2 for river, 3 for spring. At least 90 percent of them should be right.
#
# Thought: Conductivity in one unit tells the waters apart; racks are of the day.

# %% [markdown] lang="cn"
# `{{ data }}/lost.csv` 中的瓶子丢了标签。请根据 `{{ data }}/samples.csv` 判断每个瓶子装的是三种水中的哪一种。按 `lost.csv` 的顺序为每个瓶子打印一个数字，用空格分隔：1 表示 estuary，2 表示 river，3 表示 spring。正确率应不低于 90%。
#
# Thought: 统一单位后的电导率足以区分三种水；架号只在当天有效。

# %%
from sklearn.neighbors import KNeighborsClassifier


def salt(table):
    value = table['conductivity'] * table['probe'].map({'P1': 1, 'P2': 1000})
    return np.log(value).to_numpy().reshape(-1, 1)


strays = pd.read_csv('{{ data }}/lost.csv')
model = KNeighborsClassifier(3).fit(salt(samples), samples['water'])
places = {'estuary': 1, 'river': 2, 'spring': 3}
print(*(places[name] for name in model.predict(salt(strays))))

# %% naive="careless" trap="two probes write conductivity in different units"
from sklearn.neighbors import KNeighborsClassifier


def salt(table):
    value = table['conductivity']
    return np.log(value).to_numpy().reshape(-1, 1)


strays = pd.read_csv('{{ data }}/lost.csv')
model = KNeighborsClassifier(3).fit(salt(samples), samples['water'])
places = {'estuary': 1, 'river': 2, 'spring': 3}
print(*(places[name] for name in model.predict(salt(strays))))

# %% naive="literal shortcut" trap="the rack gives the water away, until the bottles are moved"
from sklearn.neighbors import KNeighborsClassifier


def salt(table):
    value = table['conductivity'] * table['probe'].map({'P1': 1, 'P2': 1000})
    return np.log(value).to_numpy().reshape(-1, 1)


strays = pd.read_csv('{{ data }}/lost.csv')
model = KNeighborsClassifier(3).fit(samples[['rack']].to_numpy(), samples['water'])
places = {'estuary': 1, 'river': 2, 'spring': 3}
print(*(places[name] for name in model.predict(strays[['rack']].to_numpy())))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Another laboratory has measured some of the samples, too (`{{ data }}/contract.csv`, whose first line says how to read it). Where does it contradict `final`? A number contradicts if it differs from ours by more than 20 percent of ours. A value below a limit contradicts if ours is above this limit. Print the names of the samples in alphabetical order, on one line, separated by `, `.
#
# Thought: Molar mass turns umol into mg; a bound is held against ours as a bound.

# %% [markdown] lang="cn"
# 另一个实验室也测定了部分样品（`{{ data }}/contract.csv`，第一行说明如何阅读）。哪些样品与 `final` 矛盾？数值与我们的结果相差超过我们结果的 20% 即为矛盾；“低于某限值”的结果，若我们的结果高于该限值即为矛盾。按字母顺序在同一行打印这些样品的名称，用 `, ` 分隔。
#
# Thought: 用摩尔质量把 umol 换算成 mg；限值按限值来比较。

# %%
with open('{{ data }}/contract.csv') as file:
    molar = float(re.search(r'([\d.]+) g/mol', file.readline()).group(1))
contract = pd.read_csv('{{ data }}/contract.csv', comment='#')
contract = contract.sort_values('version').drop_duplicates('sample', keep='last').merge(final, on='sample')
below = contract['umol_l'].str.startswith('<')
theirs = contract['umol_l'].str.strip('<').astype(float) * molar / 1000
ratio = theirs / contract['mg_l']
against = (below & (ratio < 1)) | (~below & ((ratio - 1).abs() > 0.2))
answer = sorted(contract.loc[against, 'sample'])
print(', '.join(answer))

# %% naive="careless" trap="values below a limit are dropped"
with open('{{ data }}/contract.csv') as file:
    molar = float(re.search(r'([\d.]+) g/mol', file.readline()).group(1))
contract = pd.read_csv('{{ data }}/contract.csv', comment='#')
contract = contract.sort_values('version').drop_duplicates('sample', keep='last').merge(final, on='sample')
below = contract['umol_l'].str.startswith('<')
theirs = contract['umol_l'].str.strip('<').astype(float) * molar / 1000
ratio = theirs / contract['mg_l']
against = (~below & ((ratio - 1).abs() > 0.2))
print(', '.join(sorted(contract.loc[against, 'sample'])))

# %% naive="literal" trap="the first version is read"
with open('{{ data }}/contract.csv') as file:
    molar = float(re.search(r'([\d.]+) g/mol', file.readline()).group(1))
contract = pd.read_csv('{{ data }}/contract.csv', comment='#')
contract = contract.sort_values('version').drop_duplicates('sample', keep='first').merge(final, on='sample')
below = contract['umol_l'].str.startswith('<')
theirs = contract['umol_l'].str.strip('<').astype(float) * molar / 1000
ratio = theirs / contract['mg_l']
against = (below & (ratio < 1)) | (~below & ((ratio - 1).abs() > 0.2))
print(', '.join(sorted(contract.loc[against, 'sample'])))

# %% naive="shortcut" trap="a limit is read as a value"
with open('{{ data }}/contract.csv') as file:
    molar = float(re.search(r'([\d.]+) g/mol', file.readline()).group(1))
contract = pd.read_csv('{{ data }}/contract.csv', comment='#')
contract = contract.sort_values('version').drop_duplicates('sample', keep='last').merge(final, on='sample')
below = contract['umol_l'].str.startswith('<')
theirs = contract['umol_l'].str.strip('<').astype(float) * molar / 1000
ratio = theirs / contract['mg_l']
against = (ratio - 1).abs() > 0.2
print(', '.join(sorted(contract.loc[against, 'sample'])))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# The law sets a limit of {{ limit }} mg/l for the median of the filtered water of a site. Print the sites of `final` that are above it, the highest median first, on one line, separated by `, `.
#
# Thought: Only filtered bottles count.

# %% [markdown] lang="cn"
# 法规规定，一个采样点过滤水样的中位数不得超过 {{ limit }} mg/l。在同一行打印 `final` 中超过该限值的采样点，中位数最高的在前，用 `, ` 分隔。
#
# Thought: 只看过滤水样。

# %%
clean = final[final['bottle'] == 'filtered'].groupby('site')['mg_l'].median().sort_values(ascending=False)
answer = list(clean[clean > {{ limit }}].index)
print(', '.join(answer))

# %% naive="literal" trap="one bottle above the limit is enough, raw or filtered"
clean = final.groupby('site')['mg_l'].max().sort_values(ascending=False)
print(', '.join(clean[clean > {{ limit }}].index))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw these medians of all sites as bars in `slategray`, from the highest to the lowest, and the limit as a dashed horizontal line in `red`, with the title `{{ sites_title }}`, the x label `{{ site_label }}`, the y label `{{ level_label }}`, figure size (7, 4), and call `plt.show()`.
#
# Thought: The Series is sorted already.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将所有采样点的上述中位数画成 `slategray` 色的柱状图，从高到低排列，并用 `red` 虚线画出限值的水平线，标题 `{{ sites_title }}`，横轴标签 `{{ site_label }}`，纵轴标签 `{{ level_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 该 Series 已经排好序。

# %%
plt.figure(figsize=(7, 4))
plt.bar(clean.index, clean, color='slategray')
plt.axhline({{ limit }}, color='red', linestyle='--')
plt.title('{{ sites_title }}')
plt.xlabel('{{ site_label }}')
plt.ylabel('{{ level_label }}')
plt.show()

# %% naive="careless" trap="sites stand in the order of their names"
plt.figure(figsize=(7, 4))
plt.bar(sorted(clean.index), clean[sorted(clean.index)], color='slategray')
plt.axhline({{ limit }}, color='red', linestyle='--')
plt.title('{{ sites_title }}')
plt.xlabel('{{ site_label }}')
plt.ylabel('{{ level_label }}')
plt.show()

# %% naive="literal shortcut" trap="all bottles of a site are taken together"
whole = final.groupby('site')['mg_l'].median().sort_values(ascending=False)
plt.figure(figsize=(7, 4))
plt.bar(whole.index, whole, color='slategray')
plt.axhline({{ limit }}, color='red', linestyle='--')
plt.title('{{ sites_title }}')
plt.xlabel('{{ site_label }}')
plt.ylabel('{{ level_label }}')
plt.show()

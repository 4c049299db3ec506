# ---
# jupyter:
#   instances:
#     lemon: {seed: 11, km: 120, model: substrate_inhibition, inhibition: competitive, ki: 9, dose: 15, dilution: '1:2', at: 300}
#     yeast: {seed: 52, km: 180, model: hill, inhibition: noncompetitive, ki: 22, dose: 20, dilution: '1:3', at: 250}
#   varied:
#     seed: {between: [1, 1000000]}
#     km: {pick: [110, 140, 170, 200]}
#     model: {pick: [substrate_inhibition, hill]}
#     inhibition: {pick: [competitive, noncompetitive]}
#     ki: {between: [10, 20]}
#     dose: {pick: [15, 20, 25]}
#     dilution: {pick: ['1:2', '1:3']}
#     at: {pick: [220, 260, 320]}
#   words:
#     title: {en: Rates of plate 7, cn: 7 号板的反应速率}
#     x_label: {en: Substrate (uM), cn: 底物 (uM)}
#     y_label: {en: Rate (uM/min), cn: 速率 (uM/min)}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A plate reader has followed an enzyme assay (`{{ data }}/plate.csv`). The plan of the plate is `{{ data }}/layout.csv`, the lab book is `{{ data }}/labbook.txt`.
# Make a DataFrame `wells` with one row for each well that may be used according to the lab book. Columns: `well` (written as in the reader's file), `enzyme` (bool), `substrate` and `inhibitor` (both float, the concentration in the well in uM). Sort it by `well`.
#
# Thought: The lab book says how a stock becomes a concentration, which wells were exchanged and which are lost; the reader writes A01 for A1.

# %% [markdown] lang="cn"
# 酶标仪记录了一次酶活测定（`{{ data }}/plate.csv`）。板的布局见 `{{ data }}/layout.csv`，实验记录见 `{{ data }}/labbook.txt`。
# 生成 DataFrame `wells`，按实验记录可以使用的每个孔占一行，列为 `well`（写法同酶标仪文件）、`enzyme`（bool）、`substrate` 和 `inhibitor`（均为 float，孔内浓度，单位 uM），按 `well` 排序。
#
# Thought: 实验记录说明了如何由母液得到孔内浓度、哪些孔加样时对调、哪些孔作废；酶标仪把 A1 写成 A01。

# %%
import pandas as pd

wells = pd.read_csv('{{ data }}/layout.csv')
wells['well'] = wells['well'].str[0] + wells['well'].str[1:].str.zfill(2)
wells['enzyme'] = wells['enzyme'] == 'yes'
wells['substrate'] = wells['stock_mM'] * 1000 * 20 / 200
wells['inhibitor'] = wells['inhibitor_uM'].astype(float)
at = wells.set_index('well')['substrate']
wells.loc[wells['well'] == 'B06', 'substrate'] = at['B08']
wells.loc[wells['well'] == 'B08', 'substrate'] = at['B06']
with open('{{ data }}/labbook.txt') as file:
    line = next(line for line in file if 'enzyme forgotten' in line)
lost = [line[:3], line.split('forgotten. ')[1][:3]]
wells = wells.loc[~wells['well'].isin(lost), ['well', 'enzyme', 'substrate', 'inhibitor']]
wells = wells.sort_values('well').reset_index(drop=True)

# %% naive="careless" trap="exchanged substrates stay exchanged"
import pandas as pd

wells = pd.read_csv('{{ data }}/layout.csv')
wells['well'] = wells['well'].str[0] + wells['well'].str[1:].str.zfill(2)
wells['enzyme'] = wells['enzyme'] == 'yes'
wells['substrate'] = wells['stock_mM'] * 1000 * 20 / 200
wells['inhibitor'] = wells['inhibitor_uM'].astype(float)
with open('{{ data }}/labbook.txt') as file:
    line = next(line for line in file if 'enzyme forgotten' in line)
lost = [line[:3], line.split('forgotten. ')[1][:3]]
wells = wells.loc[~wells['well'].isin(lost), ['well', 'enzyme', 'substrate', 'inhibitor']]
wells = wells.sort_values('well').reset_index(drop=True)

# %% naive="literal" trap="the inhibitor is diluted once more"
import pandas as pd

wells = pd.read_csv('{{ data }}/layout.csv')
wells['well'] = wells['well'].str[0] + wells['well'].str[1:].str.zfill(2)
wells['enzyme'] = wells['enzyme'] == 'yes'
wells['substrate'] = wells['stock_mM'] * 1000 * 20 / 200
wells['inhibitor'] = wells['inhibitor_uM'] * 20 / 200
at = wells.set_index('well')['substrate']
wells.loc[wells['well'] == 'B06', 'substrate'] = at['B08']
wells.loc[wells['well'] == 'B08', 'substrate'] = at['B06']
with open('{{ data }}/labbook.txt') as file:
    line = next(line for line in file if 'enzyme forgotten' in line)
lost = [line[:3], line.split('forgotten. ')[1][:3]]
wells = wells.loc[~wells['well'].isin(lost), ['well', 'enzyme', 'substrate', 'inhibitor']]
wells = wells.sort_values('well').reset_index(drop=True)

# %% [markdown] kind="text" list="true" modules="pandas" answer="text"
# In one of the wells in `wells` a bubble of air burst between two of the readings through which its line goes, so that the curve jumps up. Look for it in the readings, and print the name of this well.
#
# Thought: Within the window, the biggest step from one reading to the next, less the usual step of the well, is the jump.

# %% [markdown] lang="cn"
# 在 `wells` 的某一个孔里，用于拟合直线的读数中有两个相邻读数之间有气泡破裂，使曲线向上跳变。请在读数中找出它，打印该孔的名称。
#
# Thought: 在时间窗内，相邻读数之差减去该孔通常的差值，最大者就是跳变。

# %%
plate = pd.read_csv('{{ data }}/plate.csv', sep=';', skiprows=1, encoding='utf-16')
plate.columns = ['well', 'time', 'value']
plate['value'] = pd.to_numeric(plate['value'].str.replace(',', '.'), errors='coerce')
plate['minute'] = pd.to_timedelta(plate['time']).dt.total_seconds() / 60
plate = plate[plate['well'].isin(wells['well'])].dropna()
window = plate[plate['time'].between('00:01:20', '00:03:00')]
steps = window.groupby('well')['value'].diff() / window.groupby('well')['minute'].diff()
bubble = (steps - steps.groupby(window['well']).transform('median')).groupby(window['well']).max().idxmax()
answer = bubble
print(answer)

# %% naive="careless literal" trap="the worst straight line through all readings is where the curve bends most"
import numpy as np

plate = pd.read_csv('{{ data }}/plate.csv', sep=';', skiprows=1, encoding='utf-16')
plate.columns = ['well', 'time', 'value']
plate['value'] = pd.to_numeric(plate['value'].str.replace(',', '.'), errors='coerce')
plate['minute'] = pd.to_timedelta(plate['time']).dt.total_seconds() / 60
plate = plate[plate['well'].isin(wells['well'])].dropna()
window = plate[plate['time'].between('00:01:20', '00:03:00')]
scatter = {}
for well, part in plate.groupby('well'):
    line = np.polyfit(part['minute'], part['value'], 1)
    scatter[well] = (part['value'] - np.polyval(line, part['minute'])).std()
bubble = max(scatter, key=scatter.get)
print(bubble)

# %% naive="shortcut" trap="the steepest well has no jump"
plate = pd.read_csv('{{ data }}/plate.csv', sep=';', skiprows=1, encoding='utf-16')
plate.columns = ['well', 'time', 'value']
plate['value'] = pd.to_numeric(plate['value'].str.replace(',', '.'), errors='coerce')
plate['minute'] = pd.to_timedelta(plate['time']).dt.total_seconds() / 60
plate = plate[plate['well'].isin(wells['well'])].dropna()
window = plate[plate['time'].between('00:01:20', '00:03:00')]
by_well = window.groupby('well')['value']
bubble = (by_well.max() - by_well.min()).idxmax()
print(bubble)

# %% [markdown] kind="exec" modules="pandas numpy"
# The well with the bubble is not used from here on. Make a Series `slopes` of the initial slopes of all other wells in `wells`, in absorbance per minute, with the names of the wells as its index, sorted by them.
#
# Thought: A straight line through the window that the lab book gives, without the readings that are missing.

# %% [markdown] lang="cn"
# 有气泡的孔此后不再使用。生成 Series `slopes`：`wells` 中其余各孔的初始斜率，单位为每分钟吸光度，以孔名为索引并按孔名排序。
#
# Thought: 在实验记录给出的时间窗内拟合直线，缺失的读数不参与。

# %%
import numpy as np

slopes = pd.Series({
    well: np.polyfit(part['minute'], part['value'], 1)[0]
    for well, part in window.groupby('well')
    if well != bubble
})

# %% naive="careless" trap="the bend after the window pulls the slopes down"
import numpy as np

slopes = pd.Series({
    well: np.polyfit(part['minute'], part['value'], 1)[0]
    for well, part in plate[plate['time'] >= '00:01:20'].groupby('well')
    if well != bubble
})

# %% naive="shortcut" trap="the end of the window is left out"
import numpy as np

slopes = pd.Series({
    well: np.polyfit(part['minute'], part['value'], 1)[0]
    for well, part in plate[(plate['time'] >= '00:01:20') & (plate['time'] < '00:03:00')].groupby('well')
    if well != bubble
})

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `rates` with one row for each well with enzyme that is left, and the columns `well`, `substrate`, `inhibitor` and `rate`: the rate that is due to the enzyme, in uM of product per minute, as the lab book wants rates to be given. Sort it by `well`.
#
# Thought: The blank with the same substrate and the same inhibitor comes off first; then the path and the dilution of the enzyme count.

# %% [markdown] lang="cn"
# 生成 DataFrame `rates`，剩下的每个加酶孔占一行，列为 `well`、`substrate`、`inhibitor` 和 `rate`：由酶引起的速率，单位为每分钟 uM 产物，按实验记录要求的方式给出。按 `well` 排序。
#
# Thought: 先减去底物和抑制剂都相同的空白，再考虑光程和酶的稀释。

# %%
with open('{{ data }}/labbook.txt') as file:
    diluted = int(file.read().split('diluted 1:')[1][0])
rates = wells[wells['well'].isin(slopes.index)].copy()
rates['slope'] = rates['well'].map(slopes)
blanks = rates[~rates['enzyme']].set_index(['substrate', 'inhibitor'])['slope']
rates = rates[rates['enzyme']].copy()
own = [blanks[pair] for pair in zip(rates['substrate'], rates['inhibitor'])]
rates['rate'] = (rates['slope'] - own) / (9800 * 0.56) * 1e6
rates.loc[rates['well'].str[0].isin(['E', 'F', 'G']), 'rate'] *= diluted
rates = rates[['well', 'substrate', 'inhibitor', 'rate']].reset_index(drop=True)

# %% naive="careless" trap="one blank for all, whatever the substrate"
with open('{{ data }}/labbook.txt') as file:
    diluted = int(file.read().split('diluted 1:')[1][0])
rates = wells[wells['well'].isin(slopes.index)].copy()
rates['slope'] = rates['well'].map(slopes)
blank = rates.loc[~rates['enzyme'], 'slope'].mean()
rates = rates[rates['enzyme']].copy()
rates['rate'] = (rates['slope'] - blank) / (9800 * 0.56) * 1e6
rates.loc[rates['well'].str[0].isin(['E', 'F', 'G']), 'rate'] *= diluted
rates = rates[['well', 'substrate', 'inhibitor', 'rate']].reset_index(drop=True)

# %% naive="literal" trap="the blank without inhibitor is taken from the wells with it"
with open('{{ data }}/labbook.txt') as file:
    diluted = int(file.read().split('diluted 1:')[1][0])
rates = wells[wells['well'].isin(slopes.index)].copy()
rates['slope'] = rates['well'].map(slopes)
blanks = rates[~rates['enzyme'] & (rates['inhibitor'] == 0)].set_index('substrate')['slope']
rates = rates[rates['enzyme']].copy()
rates['rate'] = (rates['slope'] - rates['substrate'].map(blanks)) / (9800 * 0.56) * 1e6
rates.loc[rates['well'].str[0].isin(['E', 'F', 'G']), 'rate'] *= diluted
rates = rates[['well', 'substrate', 'inhibitor', 'rate']].reset_index(drop=True)

# %% naive="shortcut" trap="less enzyme looks like more inhibition"
rates = wells[wells['well'].isin(slopes.index)].copy()
rates['slope'] = rates['well'].map(slopes)
blanks = rates[~rates['enzyme']].set_index(['substrate', 'inhibitor'])['slope']
rates = rates[rates['enzyme']].copy()
own = [blanks[pair] for pair in zip(rates['substrate'], rates['inhibitor'])]
rates['rate'] = (rates['slope'] - own) / (9800 * 0.56) * 1e6
rates = rates[['well', 'substrate', 'inhibitor', 'rate']].reset_index(drop=True)

# %% [markdown] kind="num" tolerance=0.002 modules="pandas" answer="[count, real(3), real(3)]"
# Print the number of rows of `rates`, and the mean rate at the highest substrate concentration without inhibitor and with it, with 3 decimal places, on one line, separated by spaces.
#
# Thought: A groupby on the rows of the highest level.

# %% [markdown] lang="cn"
# 在同一行打印 `rates` 的行数，以及最高底物浓度下无抑制剂和有抑制剂时的平均速率（保留 3 位小数），用空格分隔。
#
# Thought: 取最高浓度的行再分组求均值。

# %%
top = rates[rates['substrate'] == rates['substrate'].max()]
means = top.groupby('inhibitor')['rate'].mean()
answer = [len(rates), means.iloc[0], means.iloc[1]]
print(answer[0], f'{answer[1]:.3f} {answer[2]:.3f}')

# %% [markdown] kind="num" tolerance=0.002 modules="scipy" answer="[text, real(relative=0.0005), real(relative=0.0005)]"
# A colleague reports V and K of the wells without inhibitor from this:
#
#     part = rates[rates['inhibitor'] == 0]
#     slope, intercept = np.polyfit(1 / part['substrate'], 1 / part['rate'], 1)
#     print('michaelis', 1 / intercept, slope / intercept)
#
# Reciprocals give the smallest rates the greatest weight, and nobody has looked whether the model fits. Fit the `rate` of these wells (each well is one point) by unweighted nonlinear least squares with three models of the substrate s:
#
# - `michaelis`: V s / (K + s)
# - `hill`: V s^n / (K^n + s^n)
# - `substrate_inhibition`: V s / (K + s + s^2 / L)
#
# The best is the one with the smallest AIC = N ln(RSS / N) + 2 p, where p is the number of parameters. Print its name, V and K, each with 4 significant digits, on one line, separated by spaces.
#
# Thought: curve_fit with positive parameters; compare the AIC of the three.

# %% [markdown] lang="cn"
# 一位同事用下面的代码报告无抑制剂各孔的 V 和 K：
#
#     part = rates[rates['inhibitor'] == 0]
#     slope, intercept = np.polyfit(1 / part['substrate'], 1 / part['rate'], 1)
#     print('michaelis', 1 / intercept, slope / intercept)
#
# 取倒数使最小的速率权重最大，而且没有人检查过模型是否合适。请用不加权的非线性最小二乘，将这些孔的 `rate`（每孔一个点）分别拟合到底物浓度 s 的三个模型：
#
# - `michaelis`: V s / (K + s)
# - `hill`: V s^n / (K^n + s^n)
# - `substrate_inhibition`: V s / (K + s + s^2 / L)
#
# AIC = N ln(RSS / N) + 2 p 最小者最佳，p 为参数个数。在同一行打印最佳模型的名称、V 和 K（各 4 位有效数字），用空格分隔。
#
# Thought: 用 curve_fit 拟合正参数，比较三者的 AIC。

# %%
from scipy.optimize import curve_fit

forms = {
    'michaelis': lambda s, v, k: v * s / (k + s),
    'hill': lambda s, v, k, n: v * s**n / (k**n + s**n),
    'substrate_inhibition': lambda s, v, k, n: v * s / (k + s + s**2 / n),
}
starts = {'michaelis': [15, 150], 'hill': [15, 150, 1.2], 'substrate_inhibition': [15, 150, 1000]}
free = rates[rates['inhibitor'] == 0]
fits, aic = {}, {}
for name, form in forms.items():
    fits[name], _ = curve_fit(form, free['substrate'], free['rate'], p0=starts[name], bounds=(0, np.inf), x_scale=starts[name], ftol=1e-12, xtol=1e-12)
    rss = ((free['rate'] - form(free['substrate'], *fits[name])) ** 2).sum()
    aic[name] = len(free) * np.log(rss / len(free)) + 2 * len(fits[name])
best = min(aic, key=aic.get)
answer = [best, fits[best][0], fits[best][1]]
print(answer[0], f'{answer[1]:.4g} {answer[2]:.4g}')

# %% naive="careless shortcut" trap="the usual model is taken without a look at the fit"
from scipy.optimize import curve_fit

forms = {
    'michaelis': lambda s, v, k: v * s / (k + s),
    'hill': lambda s, v, k, n: v * s**n / (k**n + s**n),
    'substrate_inhibition': lambda s, v, k, n: v * s / (k + s + s**2 / n),
}
starts = {'michaelis': [15, 150], 'hill': [15, 150, 1.2], 'substrate_inhibition': [15, 150, 1000]}
free = rates[rates['inhibitor'] == 0]
fits = {}
for name, form in forms.items():
    fits[name], _ = curve_fit(form, free['substrate'], free['rate'], p0=starts[name], bounds=(0, np.inf), x_scale=starts[name])
best = 'michaelis'
print(best, f'{fits[best][0]:.4g} {fits[best][1]:.4g}')

# %% naive="literal" trap="means of the wells are fitted with reciprocals"
from scipy.optimize import curve_fit

forms = {
    'michaelis': lambda s, v, k: v * s / (k + s),
    'hill': lambda s, v, k, n: v * s**n / (k**n + s**n),
    'substrate_inhibition': lambda s, v, k, n: v * s / (k + s + s**2 / n),
}
starts = {'michaelis': [15, 150], 'hill': [15, 150, 1.2], 'substrate_inhibition': [15, 150, 1000]}
free = rates[rates['inhibitor'] == 0]
fits = {}
for name, form in forms.items():
    fits[name], _ = curve_fit(form, free['substrate'], free['rate'], p0=starts[name], bounds=(0, np.inf), x_scale=starts[name])
best = 'michaelis'
means = free.groupby('substrate')['rate'].mean()
slope, intercept = np.polyfit(1 / means.index, 1 / means, 1)
print(best, f'{1 / intercept:.4g} {slope / intercept:.4g}')

# %% [markdown] kind="num" tolerance=0.002 modules="scipy" answer="[text, real(relative=0.0005)]"
# How does the inhibitor act? Take the model that you found, and fit it to all rows of `rates` at once, by unweighted nonlinear least squares, in three ways. With the inhibitor at concentration i and f = 1 + i / J,
#
# - `competitive`: K f takes the place of K,
# - `noncompetitive`: V / f takes the place of V,
# - `uncompetitive`: V / f takes the place of V, and K / f that of K.
#
# Print the name of the way with the smallest sum of squared residuals, and its J in uM with 4 significant digits, on one line, separated by a space.
#
# Thought: All have the same number of parameters, so the sums of squares decide.

# %% [markdown] lang="cn"
# 抑制剂如何起作用？取上一步找到的模型，用不加权的非线性最小二乘，以三种方式分别对 `rates` 的全部行一起拟合。抑制剂浓度为 i，f = 1 + i / J：
#
# - `competitive`：用 K f 代替 K；
# - `noncompetitive`：用 V / f 代替 V；
# - `uncompetitive`：用 V / f 代替 V，并用 K / f 代替 K。
#
# 在同一行打印残差平方和最小的方式的名称及其 J（uM，4 位有效数字），用空格分隔。
#
# Thought: 三种方式参数个数相同，比较残差平方和即可。

# %%
ways = {
    'competitive': lambda v, k, f: (v, k * f),
    'noncompetitive': lambda v, k, f: (v / f, k),
    'uncompetitive': lambda v, k, f: (v / f, k / f),
}
both = (rates['substrate'].to_numpy(), rates['inhibitor'].to_numpy())
joint, rss = {}, {}
for name, way in ways.items():

    def whole(x, v, k, j, *rest, way=way):
        return forms[best](x[0], *way(v, k, 1 + x[1] / j), *rest)

    start = [fits[best][0], fits[best][1], 15, *fits[best][2:]]
    joint[name], _ = curve_fit(whole, both, rates['rate'], p0=start, bounds=(0, np.inf), x_scale=start, ftol=1e-12, xtol=1e-12)
    rss[name] = ((rates['rate'] - whole(both, *joint[name])) ** 2).sum()
kind = min(rss, key=rss.get)
answer = [kind, joint[kind][2]]
print(answer[0], f'{answer[1]:.4g}')

# %% naive="careless literal shortcut" trap="the usual model is taken, not the one that was found"
ways = {
    'competitive': lambda v, k, f: (v, k * f),
    'noncompetitive': lambda v, k, f: (v / f, k),
    'uncompetitive': lambda v, k, f: (v / f, k / f),
}
both = (rates['substrate'].to_numpy(), rates['inhibitor'].to_numpy())
joint, rss = {}, {}
for name, way in ways.items():

    def whole(x, v, k, j, *rest, way=way):
        return forms['michaelis'](x[0], *way(v, k, 1 + x[1] / j))

    start = [fits[best][0], fits[best][1], 15, *fits[best][2:]]
    joint[name], _ = curve_fit(lambda x, v, k, j: whole(x, v, k, j), both, rates['rate'], p0=start[:3], bounds=(0, np.inf), x_scale=start[:3])
    rss[name] = ((rates['rate'] - whole(both, *joint[name])) ** 2).sum()
    joint[name] = [*joint[name], *fits[best][2:]]
kind = min(rss, key=rss.get)
print(kind, f'{joint[kind][2]:.4g}')

# %% [markdown] kind="num" tolerance=0.003 modules="scipy" answer="[real(relative=0.0005), real(relative=0.0005)]"
# At a substrate concentration of {{ at }} uM, at which concentration of the inhibitor (uM) does the enzyme run at half of its rate without inhibitor, and at which at a tenth of it, according to this joint fit? Print both with 4 significant digits, on one line, separated by a space.
#
# Thought: Solve the fitted equation for the inhibitor; only for a noncompetitive one does J itself halve the rate.

# %% [markdown] lang="cn"
# 按照这个联合拟合，底物浓度为 {{ at }} uM 时，抑制剂浓度（uM）为多少，酶的速率降到无抑制剂时的一半？为多少时降到十分之一？在同一行打印这两个浓度（各 4 位有效数字），用空格分隔。
#
# Thought: 由拟合得到的方程解出抑制剂浓度；只有非竞争性抑制时 J 本身才使速率减半。

# %%
from scipy.optimize import brentq

v, k, j, *rest = joint[kind]


def rate_at(s, i):
    return forms[best](s, *ways[kind](v, k, 1 + i / j), *rest)


half, tenth = (brentq(lambda i: rate_at({{ at }}, i) / rate_at({{ at }}, 0) - share, 0, 1e5, xtol=1e-9) for share in (0.5, 0.1))
answer = [half, tenth]
print(*(f'{value:.4g}' for value in answer))

# %% naive="careless shortcut" trap="half of V, not half of the rate at this substrate"
v, k, j, *rest = joint[kind]


def rate_at(s, i):
    return forms[best](s, *ways[kind](v, k, 1 + i / j), *rest)


grid = np.linspace(0, 400, 400001)
curve = rate_at({{ at }}, grid)
print(f'{grid[np.abs(curve - v / 2).argmin()]:.4g} {grid[np.abs(curve - v / 10).argmin()]:.4g}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the points of `rates` (`substrate` against `rate`), those without inhibitor in `steelblue` with the label `no inhibitor` and those with it in `darkorange` with the label `with inhibitor`, and the two curves of the joint fit in the same colors at 300 even places from 0 to the highest substrate concentration, without a label. Add a legend, the title `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, figure size (7, 4), and call `plt.show()`.
#
# Thought: The curves are those of the model and the mechanism that were found.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画出 `rates` 的点（横轴 `substrate`，纵轴 `rate`）：无抑制剂的为 `steelblue`，标签 `no inhibitor`；有抑制剂的为 `darkorange`，标签 `with inhibitor`。再用相同的颜色画出联合拟合的两条曲线（从 0 到最高底物浓度均匀取 300 个点，不加标签）。加图例，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 曲线来自已找到的模型和抑制方式。

# %%
import matplotlib.pyplot as plt

s = np.linspace(0, rates['substrate'].max(), 300)
plt.figure(figsize=(7, 4))
for concentration, color, label in zip(sorted(rates['inhibitor'].unique()), ['steelblue', 'darkorange'], ['no inhibitor', 'with inhibitor']):
    part = rates[rates['inhibitor'] == concentration]
    plt.scatter(part['substrate'], part['rate'], color=color, label=label)
    plt.plot(s, rate_at(s, concentration), color=color)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# ---
# jupyter:
#   instances:
#     rent: {file: rent.csv, group: district, value: rent, other: metro_distance}
#     tips: {file: tips.csv, group: day, value: total_bill, other: tip}
#   varied:
#     file: {table: 200}
#     group: {words: 4}
#     value: {normal: [75, 12], by: group, digits: 1}
#     other: {uniform: [10, 40], by: group}
#   words:
#     title_means: {en: 'Mean {{ value }} with 95% confidence interval', cn: '{{ value }} 的均值与 95% 置信区间'}
#     title_normal: {en: 'Normal Q-Q plot', cn: '正态 Q-Q 图'}
#     theory: {en: 'theoretical quantiles', cn: '理论分位数'}
#     found: {en: 'residuals', cn: '残差'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` into a DataFrame named `df`. Build a dictionary `samples` from each value of `{{ group }}`, in alphabetical order, to the numpy array of the `{{ value }}` of its rows.
#
# Thought: groupby yields the groups in alphabetical order, and a dictionary keeps that order.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame。创建字典 `samples`：键为 `{{ group }}` 的各个取值（按字母顺序），值为对应各行 `{{ value }}` 组成的 numpy 数组。
#
# Thought: groupby 按字母顺序给出各组，字典会保持这一顺序。

# %%
import pandas as pd

df = pd.read_csv('data/{{ file }}')
samples = {level: values.to_numpy() for level, values in df.groupby('{{ group }}')['{{ value }}']}

# %% [markdown] kind="num" modules="scipy" answer="list[real(4)]"
# Test each sample for normality with the Shapiro–Wilk test (`scipy.stats.shapiro`). Print the test statistics W alone, in the order of `samples`, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: shapiro returns the statistic and the p-value; only the first is printed.

# %% [markdown] lang="cn"
# 用 Shapiro–Wilk 检验（`scipy.stats.shapiro`）检验每个样本的正态性。按 `samples` 的顺序在同一行只打印检验统计量 W，各保留 4 位小数，用空格分隔。
#
# Thought: shapiro 返回统计量和 p 值，这里只打印前者。

# %%
from scipy import stats

answer = [round(float(stats.shapiro(values).statistic), 4) for values in samples.values()]
print(*answer)

# %% [markdown] kind="num" modules="scipy" answer="[real(3), real(3)]"
# Compare the samples: print the statistic of Levene's test for equal variances (`center='median'`) and the F statistic of the one-way analysis of variance on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: Both functions take the samples as separate arguments.

# %% [markdown] lang="cn"
# 比较各个样本：在同一行打印 Levene 方差齐性检验（`center='median'`）的统计量和单因素方差分析的 F 统计量，各保留 3 位小数，用空格分隔。
#
# Thought: 两个函数都把各样本作为单独的参数传入。

# %%
levene = stats.levene(*samples.values(), center='median')
anova = stats.f_oneway(*samples.values())
answer = [round(float(levene.statistic), 3), round(float(anova.statistic), 3)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# Compare every pair of samples with Welch's t-test (two-sided, unequal variances). Print the pairs, without the p-values, from the smallest p-value to the largest on one line, separated by `, `; write each pair as `A~B` (no blanks around `~`), the alphabetically first name in front.
#
# Thought: itertools.combinations gives each pair once, already in alphabetical order; the p-value is the key to sort by.

# %% [markdown] lang="cn"
# 用 Welch t 检验（双侧，不假设方差相等）对样本进行两两比较。按 p 值从小到大在同一行打印各对样本（不打印 p 值），用 `, ` 分隔；每一对写成 `A~B` 的形式（`~` 两侧无空格），字母顺序靠前的名称在前。
#
# Thought: itertools.combinations 使每一对恰好出现一次，且已按字母顺序排列；再以 p 值为键排序。

# %%
from itertools import combinations

p_values = {
    f'{first}~{second}': stats.ttest_ind(samples[first], samples[second], equal_var=False).pvalue
    for first, second in combinations(samples, 2)
}
answer = sorted(p_values, key=p_values.get)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="scipy & matplotlib"
# Draw a bar chart of the mean of each sample in the order of `samples`, color `skyblue`, with its 95 % confidence interval as an error bar in `black` (`capsize=6`): half its length is the 0.975 quantile of Student's t distribution with n − 1 degrees of freedom times the standard error (standard deviation with `ddof=1`, divided by √n).
# Use figure size (5, 3.5), the names as tick labels on the x axis, the title `{{ title_means }}`, the x label `{{ group }}` and the y label `{{ value }}`, and call `plt.show()`.
#
# Thought: stats.sem uses ddof=1; times t.ppf(0.975, n − 1) it is the yerr of plt.bar.

# %% [markdown] lang="cn"
# 按 `samples` 的顺序画出各样本均值的柱状图，颜色为 `skyblue`，并用黑色（`black`）误差线（`capsize=6`）表示 95% 置信区间：误差线的半长为自由度 n − 1 的 t 分布的 0.975 分位数乘以标准误（`ddof=1` 的标准差除以 √n）。
# 画布大小 `figsize=(5, 3.5)`，横轴刻度标签为各样本的名称，标题为 `{{ title_means }}`，横轴标签为 `{{ group }}`，纵轴标签为 `{{ value }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: stats.sem 默认 ddof=1，乘以 t.ppf(0.975, n − 1) 就是 plt.bar 的 yerr。

# %%
import matplotlib.pyplot as plt

means = [values.mean() for values in samples.values()]
halves = [stats.t.ppf(0.975, len(values) - 1) * stats.sem(values) for values in samples.values()]
plt.figure(figsize=(5, 3.5))
plt.bar(list(samples), means, yerr=halves, capsize=6, color='skyblue')
plt.title('{{ title_means }}')
plt.xlabel('{{ group }}')
plt.ylabel('{{ value }}')
plt.show()

# %% [markdown] kind="num" modules="scipy" answer="[real(3), real(4)]"
# Compare the samples by ranks as well: print the statistic H of the Kruskal–Wallis test of all samples, rounded to 3 decimal places, and the effect size H / (N − 1), where N is the number of all observations, rounded to 4 decimal places, on one line, separated by a space.
#
# Thought: kruskal takes the samples like f_oneway and corrects for ties by itself.

# %% [markdown] lang="cn"
# 再用基于秩的方法比较各个样本：对全部样本做 Kruskal–Wallis 检验，在同一行打印统计量 H（保留 3 位小数），以及效应量 H / (N − 1)（N 为全部观测数，保留 4 位小数），用空格分隔。
#
# Thought: kruskal 的用法与 f_oneway 相同，并且会自动校正并列的秩。

# %%
kruskal = stats.kruskal(*samples.values())
answer = [round(float(kruskal.statistic), 3), round(float(kruskal.statistic / (len(df) - 1)), 4)]
print(*answer)

# %% [markdown] kind="num" modules="pandas & scipy & numpy" answer="[real(3), real(4)]"
# Mark the rows whose `{{ other }}` is strictly greater than its median over all rows, and cross-tabulate the mark with `{{ group }}`. Print the chi-square statistic of independence, rounded to 3 decimal places, and Cramér's V, rounded to 4 decimal places, which is √(chi-square / N) here because the mark has only two values, on one line, separated by a space.
#
# Thought: crosstab counts, chi2_contingency tests; with a table of two columns V needs no further divisor.

# %% [markdown] lang="cn"
# 以 `{{ other }}` 是否严格大于其在全部行中的中位数为标记，构造该标记与 `{{ group }}` 的列联表。在同一行打印独立性检验的卡方统计量 χ²（保留 3 位小数）和 Cramér’s V 系数（保留 4 位小数；标记只有两个取值，故 V = √(χ² / N)），用空格分隔。
#
# Thought: crosstab 计数，chi2_contingency 做检验；列联表只有两列，V 不必再除以其他数。

# %%
import numpy as np

table = pd.crosstab(df['{{ group }}'], df['{{ other }}'] > df['{{ other }}'].median())
chi2 = float(stats.chi2_contingency(table)[0])
answer = [round(chi2, 3), round(float(np.sqrt(chi2 / len(df))), 4)]
print(*answer)

# %% [markdown] kind="vis" modules="scipy & matplotlib & numpy"
# Subtract from each `{{ value }}` the mean of its sample, and draw a normal Q-Q plot of all these residuals: the theoretical quantiles and the ordered residuals that `scipy.stats.probplot` returns with its default arguments as points (`plt.scatter`, `s=25`, color `darkorange`), and its fitted line in `navy`, line width 2, from the smallest to the largest theoretical quantile.
# Use figure size (5, 3.5), the title `{{ title_normal }}`, the x label `{{ theory }}` and the y label `{{ found }}`, and call `plt.show()`.
#
# Thought: probplot returns both kinds of quantiles, and slope and intercept of the line through them.

# %% [markdown] lang="cn"
# 用每个 `{{ value }}` 减去其所在样本的均值，对全部残差画正态 Q-Q 图：用 `scipy.stats.probplot`（参数取默认值）返回的理论分位数和有序残差画散点（`plt.scatter`，`s=25`，颜色为 `darkorange`），并用 `navy`、线宽 2 画出其拟合直线，范围从最小到最大的理论分位数。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_normal }}`，横轴标签为 `{{ theory }}`，纵轴标签为 `{{ found }}`，最后调用 `plt.show()`。
#
# Thought: probplot 返回两组分位数，以及拟合直线的斜率和截距。

# %%
deviations = np.concatenate([values - values.mean() for values in samples.values()])
(expected, ordered), (slope, intercept, _) = stats.probplot(deviations)
ends = np.array([expected.min(), expected.max()])
plt.figure(figsize=(5, 3.5))
plt.scatter(expected, ordered, s=25, color='darkorange')
plt.plot(ends, slope * ends + intercept, color='navy', linewidth=2)
plt.title('{{ title_normal }}')
plt.xlabel('{{ theory }}')
plt.ylabel('{{ found }}')
plt.show()

# ---
# jupyter:
#   instances:
#     carseats: {file: carseats.csv, group: ShelveLoc, split: Urban, value: Sales, other: Price}
#     titanic: {file: titanic.csv, group: class, split: sex, value: age, other: survived}
#   varied:
#     file: {table: 260}
#     group: {words: 4}
#     split: {words: 2}
#     value: {normal: [60, 9], by: group, digits: 1, gaps: 0.05}
#     other: {follows: {value: 0.1}, noise: 3, by: split}
#   words:
#     title_count: {en: 'Rows by {{ group }} and {{ split }}', cn: '各 {{ group }} 与 {{ split }} 组合的行数'}
#     title_box: {en: 'Spread of {{ value }}', cn: '{{ value }} 的分布'}
#     title_point: {en: 'Mean {{ other }}', cn: '{{ other }} 的均值'}
#     rows: {en: 'rows', cn: '行数'}
#     mean: {en: 'mean of {{ other }}', cn: '{{ other }} 的均值'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` into a DataFrame named `df` and drop every row with a missing value in `{{ value }}`.
# Then store the values of `{{ group }}` in a list named `order`, from the largest to the smallest median of `{{ value }}`.
#
# Thought: The medians by group, sorted in descending order, have the levels in their index.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame，并删除 `{{ value }}` 列有缺失值的行。
# 然后把 `{{ group }}` 的各个取值按 `{{ value }}` 的中位数从大到小排成列表，存为 `order`。
#
# Thought: 分组求中位数并降序排列，其索引就是排好序的取值。

# %%
import pandas as pd

df = pd.read_csv('data/{{ file }}').dropna(subset=['{{ value }}'])
order = df.groupby('{{ group }}')['{{ value }}'].median().sort_values(ascending=False).index.tolist()

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw the number of rows of `df` with `sns.countplot`: `{{ group }}` on the x axis in the order of `order`, bars split by `hue='{{ split }}'` with `hue_order` in alphabetical order and `palette=['steelblue', 'orange']`. Keep seaborn's legend.
# Use figure size (5, 3.5), the title `{{ title_count }}`, the x label `{{ group }}` and the y label `{{ rows }}`, and call `plt.show()`.
#
# Thought: countplot counts by itself; the hue puts two bars beside each other.

# %% [markdown] lang="cn"
# 用 `sns.countplot` 画出 `df` 的行数：横轴为 `{{ group }}`，按 `order` 的顺序排列；用 `hue='{{ split }}'` 分组，`hue_order` 按字母顺序，`palette=['steelblue', 'orange']`，保留 seaborn 自带的图例。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_count }}`，横轴标签为 `{{ group }}`，纵轴标签为 `{{ rows }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: countplot 自动计数，hue 使两组条形并排显示。

# %%
import matplotlib.pyplot as plt
import seaborn as sns

parts = sorted(df['{{ split }}'].unique())
plt.figure(figsize=(5, 3.5))
sns.countplot(
    data=df, x='{{ group }}', order=order, hue='{{ split }}', hue_order=parts, palette=['steelblue', 'orange']
)
plt.title('{{ title_count }}')
plt.xlabel('{{ group }}')
plt.ylabel('{{ rows }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Compute the mean of `{{ value }}` for every combination of `{{ group }}` and `{{ split }}`. Print the combinations from the largest mean to the smallest on one line, each in the form `{{ group }}/{{ split }}` (the values of the two columns, no blanks around the slash), separated by `, `.
#
# Thought: Grouping by both columns gives one mean for each pair; the sorted index holds the pairs.

# %% [markdown] lang="cn"
# 计算 `{{ group }}` 与 `{{ split }}` 每种组合的 `{{ value }}` 均值，按均值从大到小在同一行打印这些组合，每个组合写成 `{{ group }}/{{ split }}` 的形式（两列的取值，斜杠两侧无空格），组合之间用 `, ` 分隔。
#
# Thought: 按两列分组得到每种组合的均值，排序后的索引就是各个组合。

# %%
means = df.groupby(['{{ group }}', '{{ split }}'])['{{ value }}'].mean().sort_values(ascending=False)
answer = [f'{first}/{second}' for first, second in means.index]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw horizontal box plots of `{{ value }}` with `sns.boxplot`: `{{ value }}` on the x axis, `{{ group }}` on the y axis in the order of `order`, `color='gold'`, `width=0.6`, otherwise defaults.
# Use figure size (5, 3), the title `{{ title_box }}`, the x label `{{ value }}` and the y label `{{ group }}`, and call `plt.show()`.
#
# Thought: With the numbers on x and the categories on y the boxes lie horizontally.

# %% [markdown] lang="cn"
# 用 `sns.boxplot` 画 `{{ value }}` 的水平箱线图：横轴为 `{{ value }}`，纵轴为 `{{ group }}`，按 `order` 的顺序排列，`color='gold'`、`width=0.6`，其余参数取默认值。
# 画布大小 `figsize=(5, 3)`，标题为 `{{ title_box }}`，横轴标签为 `{{ value }}`，纵轴标签为 `{{ group }}`，最后调用 `plt.show()`。
#
# Thought: 数值放在 x、类别放在 y，箱体就是水平的。

# %%
plt.figure(figsize=(5, 3))
sns.boxplot(data=df, x='{{ value }}', y='{{ group }}', order=order, color='gold', width=0.6)
plt.title('{{ title_box }}')
plt.xlabel('{{ value }}')
plt.ylabel('{{ group }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[list[real(2)]]"
# Compute the ends of these whiskers: for each value of `{{ group }}` in the order of `order`, take the quartiles of `{{ value }}` (linear interpolation), and find the smallest observation that is not below Q1 − 1.5 · IQR and the largest that is not above Q3 + 1.5 · IQR.
# Print one line for each value of `{{ group }}`: the lower and the upper end, each rounded to 2 decimal places, separated by a space, without the name.
#
# Thought: Rows between the two fences are kept; their minimum and maximum are the ends of the whiskers.

# %% [markdown] lang="cn"
# 计算这些箱线图上下须的端点：按 `order` 的顺序，对每个 `{{ group }}` 取 `{{ value }}` 的四分位数（线性插值），找出不小于 Q1 − 1.5 · IQR 的最小观测值和不大于 Q3 + 1.5 · IQR 的最大观测值。
# 每个 `{{ group }}` 打印一行：下端点和上端点，各保留 2 位小数，用空格分隔，不打印名称。
#
# Thought: 保留上下界之间的观测值，其最小值和最大值就是须的端点。

# %%
answer = []
for level in order:
    values = df.loc[df['{{ group }}'] == level, '{{ value }}']
    low, high = values.quantile(0.25), values.quantile(0.75)
    reach = 1.5 * (high - low)
    inside = values[values.between(low - reach, high + reach)]
    answer.append([round(float(inside.min()), 2), round(float(inside.max()), 2)])
    print(*answer[-1])

# %% [markdown] kind="num" modules="pandas" answer="real(4)"
# How much of the variation of `{{ value }}` lies between the groups? Compute eta squared: the sum of squares between the values of `{{ group }}` (number of rows of the group times the squared difference between the group's mean and the overall mean, added up) divided by the total sum of squares of `{{ value }}` around the overall mean.
# Print it, rounded to 4 decimal places.
#
# Thought: transform gives each row its group's mean, so that both sums run over the rows.

# %% [markdown] lang="cn"
# `{{ value }}` 的变异有多少来自组间差异？计算 eta 平方（η²）：组间平方和（每个 `{{ group }}` 的行数乘以组均值与总均值之差的平方，再求和）除以 `{{ value }}` 围绕总均值的总平方和。
# 打印结果，保留 4 位小数。
#
# Thought: 用 transform 把组均值对应到每一行，两个平方和都可以按行求和。

# %%
overall = df['{{ value }}'].mean()
between = ((df.groupby('{{ group }}')['{{ value }}'].transform('mean') - overall) ** 2).sum()
total = ((df['{{ value }}'] - overall) ** 2).sum()
answer = round(float(between / total), 4)
print(answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw the mean of `{{ other }}` with `sns.pointplot`: `{{ group }}` on the x axis in the order of `order`, `hue='{{ split }}'` with `hue_order` in alphabetical order, `errorbar=None`, `palette=['steelblue', 'orange']`, `markers=['o', 's']`, `linestyles=['-', '--']`. Keep seaborn's legend.
# Use figure size (5, 3.5), the title `{{ title_point }}`, the x label `{{ group }}` and the y label `{{ mean }}`, and call `plt.show()`.
#
# Thought: pointplot joins the means of each hue by a line, which shows whether both change alike.

# %% [markdown] lang="cn"
# 用 `sns.pointplot` 画 `{{ other }}` 的均值：横轴为 `{{ group }}`，按 `order` 的顺序排列；`hue='{{ split }}'`，`hue_order` 按字母顺序，`errorbar=None`、`palette=['steelblue', 'orange']`、`markers=['o', 's']`、`linestyles=['-', '--']`，保留 seaborn 自带的图例。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_point }}`，横轴标签为 `{{ group }}`，纵轴标签为 `{{ mean }}`，最后调用 `plt.show()`。
#
# Thought: pointplot 把每个 hue 的均值连成折线，可以看出两者的变化是否一致。

# %%
plt.figure(figsize=(5, 3.5))
sns.pointplot(
    data=df,
    x='{{ group }}',
    y='{{ other }}',
    order=order,
    hue='{{ split }}',
    hue_order=parts,
    errorbar=None,
    palette=['steelblue', 'orange'],
    markers=['o', 's'],
    linestyles=['-', '--'],
)
plt.title('{{ title_point }}')
plt.xlabel('{{ group }}')
plt.ylabel('{{ mean }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# For each value of `{{ group }}` in the order of `order`, compute the difference between the two means of `{{ other }}` in the previous plot: the mean of the alphabetically first value of `{{ split }}` minus the mean of the second.
# Print the differences alone on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: A pivot table has the values of the split as columns in alphabetical order.

# %% [markdown] lang="cn"
# 按 `order` 的顺序，对每个 `{{ group }}` 计算上一步的图中 `{{ other }}` 的两个均值之差：按字母顺序排在前面的 `{{ split }}` 的均值减去排在后面的均值。
# 在同一行只打印这些差值，各保留 3 位小数，用空格分隔。
#
# Thought: 数据透视表的列就是按字母顺序排列的 split 取值。

# %%
table = df.pivot_table(index='{{ group }}', columns='{{ split }}', values='{{ other }}', aggfunc='mean').loc[order]
answer = [round(float(value), 3) for value in table[parts[0]] - table[parts[1]]]
print(*answer)

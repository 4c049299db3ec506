# ---
# jupyter:
#   instances:
#     penguins:
#       file: penguins.csv
#       group: island
#       value: body_mass_g
#       other: flipper_length_mm
#       what: {en: body mass (g), cn: 体重（克）}
#       what_other: {en: flipper length (mm), cn: 鳍肢长度（毫米）}
#     tips:
#       file: tips.csv
#       group: day
#       value: total_bill
#       other: tip
#       what: {en: bill (dollars), cn: 账单（美元）}
#       what_other: {en: tip (dollars), cn: 小费（美元）}
#   varied:
#     file: {table: 220}
#     group: {words: 4}
#     value: {normal: [420, 60], digits: 1, by: group, gaps: 0.03}
#     other: {follows: {value: 0.2}, noise: 6, by: group}
#     what: {pick: [{en: first reading, cn: 第一读数}, {en: first measurement, cn: 第一测量值}]}
#     what_other: {pick: [{en: second reading, cn: 第二读数}, {en: second measurement, cn: 第二测量值}]}
#   words:
#     mean_title: {en: 'Mean by {{ group }}', cn: '各 {{ group }} 的均值'}
#     scatter_title: {en: 'Two measures by {{ group }}', cn: '散点图（按 {{ group }} 分组）'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` into a DataFrame named `df`, and drop every row with a missing value in `{{ value }}` or `{{ other }}`.
#
# Thought: read_csv reads the table; dropna with subset looks at these two columns alone.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame，并删除 `{{ value }}` 列或 `{{ other }}` 列有缺失值的行。
#
# Thought: 用 read_csv 读取表格；dropna 的 subset 参数限定只检查这两列。

# %%
import pandas as pd

df = pd.read_csv('data/{{ file }}').dropna(subset=['{{ value }}', '{{ other }}'])

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Print the number of rows left in `df`, and the mean of `{{ value }}` rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: len gives the rows, mean the average; print separates two values by a space.

# %% [markdown] lang="cn"
# 在同一行打印 `df` 剩余的行数和 `{{ value }}` 列的均值（保留 3 位小数），用空格分隔。
#
# Thought: len 给出行数，mean 给出均值；print 默认用空格分隔。

# %%
answer = [len(df), round(df['{{ value }}'].mean(), 3)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[list[text]]"
# Print the names of all groups in the column `{{ group }}`, from the group with the highest mean of `{{ value }}` to the one with the lowest, on one line, separated by `, `.
# Then compute `{{ other }}` / `{{ value }}` for each row, and print the names in the same way on a second line by the mean of this quotient in each group.
#
# Thought: Group, take the mean, sort it in descending order, and join the index.

# %% [markdown] lang="cn"
# 在同一行打印 `{{ group }}` 列的各个取值，按各组 `{{ value }}` 的均值从高到低排列，用 `, ` 分隔。
# 再逐行计算 `{{ other }}` / `{{ value }}`，在第二行以同样的格式打印各个取值，按各组该商的均值从高到低排列。
#
# Thought: 分组求均值，降序排列，再把索引拼接起来。

# %%
answer = []
for values in (df['{{ value }}'], df['{{ other }}'] / df['{{ value }}']):
    means = values.groupby(df['{{ group }}']).mean().sort_values(ascending=False)
    answer.append(means.index.tolist())
    print(', '.join(answer[-1]))

# %% [markdown] kind="num" modules="pandas" answer="list[list[real(2)]]"
# Make a DataFrame `summary` with one row for each group of `{{ group }}` in alphabetical order (the group is the index) and the columns `count`, `mean` and `std`: number of rows, mean and sample standard deviation (`ddof=1`) of `{{ value }}`.
# Print one line for each row, without the group's name: count, mean and std, separated by spaces, the last two rounded to 2 decimal places.
#
# Thought: agg takes the three names; groupby sorts the groups by itself.

# %% [markdown] lang="cn"
# 生成名为 `summary` 的 DataFrame：`{{ group }}` 的每一组占一行，按字母顺序排列，以组名为索引；列为 `count`、`mean`、`std`，分别是该组 `{{ value }}` 的行数、均值和样本标准差（`ddof=1`）。
# 每组打印一行，不打印组名，依次为 count、mean、std，用空格分隔，后两个数保留 2 位小数。
#
# Thought: 把三个名称传给 agg 即可；groupby 会自动按组名排序。

# %%
summary = df.groupby('{{ group }}')['{{ value }}'].agg(['count', 'mean', 'std'])
answer = [[int(row['count']), round(row['mean'], 2), round(row['std'], 2)] for _, row in summary.iterrows()]
for row in answer:
    print(*row)

# %% [markdown] kind="exec" modules="pandas"
# Add a column `z` to `df`: `{{ value }}` minus the mean of the row's own group in `{{ group }}`, divided by the sample standard deviation of that group, both taken from `summary`.
#
# Thought: Mapping the group column to the two columns of summary gives each row its group's values.

# %% [markdown] lang="cn"
# 为 `df` 新增一列 `z`：用 `{{ value }}` 减去该行所属 `{{ group }}` 组的均值，再除以该组的样本标准差，二者均取自 `summary`。
#
# Thought: 用 map 把组名对应到 summary 的两列，就得到每行所属组的均值和标准差。

# %%
df['z'] = (df['{{ value }}'] - df['{{ group }}'].map(summary['mean'])) / df['{{ group }}'].map(summary['std'])

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# For the rows of `df` whose `z` is above 1.5 or below -1.5, print their number, and the mean of their `{{ other }}` rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: The absolute value of z catches both sides.

# %% [markdown] lang="cn"
# 取出 `df` 中 `z` 大于 1.5 或小于 -1.5 的行，在同一行打印这些行的行数和 `{{ other }}` 的均值（保留 3 位小数），用空格分隔。
#
# Thought: 对 z 取绝对值即可同时筛选两侧。

# %%
far = df[df['z'].abs() > 1.5]
answer = [len(far), round(far['{{ other }}'].mean(), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw the column `mean` of `summary` as a bar chart with `plt.bar`, one bar for each group in the order of `summary`, in the color `steelblue`, with the column `std` as error bars (`capsize=5`).
# Use figure size (5, 3.5), the title `{{ mean_title }}` and the y label `{{ what }}`, no x label, and call `plt.show()`.
#
# Thought: plt.bar draws the error bars itself when it gets yerr.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `plt.bar` 画柱状图表示 `summary` 的 `mean` 列，每组一根柱子，顺序与 `summary` 相同，颜色为 `steelblue`，并以 `std` 列作为误差棒（`capsize=5`）。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ mean_title }}`，纵轴标签为 `{{ what }}`，不加横轴标签，最后调用 `plt.show()`。
#
# Thought: 给 plt.bar 传入 yerr 就会画出误差棒。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.bar(summary.index, summary['mean'], yerr=summary['std'], capsize=5, color='steelblue')
plt.title('{{ mean_title }}')
plt.ylabel('{{ what }}')
plt.show()

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw a scatter plot of all rows of `df`, `{{ value }}` on the x axis and `{{ other }}` on the y axis, group by group in the order of `summary`, with `s=30`, the default colors, and the group's name as label.
# Then mark the mean point of each group (mean of `{{ value }}`, mean of `{{ other }}`) by one `X` in `black` (`marker='X'`, `s=150`) without a label.
# Use figure size (4.5, 3.5), the title `{{ scatter_title }}`, the x label `{{ what }}`, the y label `{{ what_other }}` and a legend at the default place, and call `plt.show()`.
#
# Thought: One scatter call a group gives each its own color; the means come last, to stand above the points.

# %% [markdown] lang="cn"
# 画出 `df` 所有行的散点图，横轴为 `{{ value }}`，纵轴为 `{{ other }}`；按 `summary` 中的顺序逐组绘制，`s=30`，使用默认颜色，图例标签为组名。
# 然后用黑色（`black`）的 `X`（`marker='X'`、`s=150`）标出每组的均值点（`{{ value }}` 的均值，`{{ other }}` 的均值），不计入图例。
# 画布大小为 `figsize=(4.5, 3.5)`，标题为 `{{ scatter_title }}`，横轴标签为 `{{ what }}`，纵轴标签为 `{{ what_other }}`，在默认位置显示图例，最后调用 `plt.show()`。
#
# Thought: 每组调用一次 scatter，颜色自动不同；均值点最后画，才不会被遮住。

# %%
plt.figure(figsize=(4.5, 3.5))
for name in summary.index:
    rows = df[df['{{ group }}'] == name]
    plt.scatter(rows['{{ value }}'], rows['{{ other }}'], s=30, label=name)
centers = df.groupby('{{ group }}')[['{{ value }}', '{{ other }}']].mean()
plt.scatter(centers['{{ value }}'], centers['{{ other }}'], s=150, marker='X', color='black')
plt.title('{{ scatter_title }}')
plt.xlabel('{{ what }}')
plt.ylabel('{{ what_other }}')
plt.legend()
plt.show()

# ---
# jupyter:
#   instances:
#     barley:
#       file: barley.json
#       reader: read_json
#       group: site
#       part: year
#       value: yield
#       what: {en: mean yield, cn: 平均产量}
#     credit:
#       file: credit.csv
#       reader: read_csv
#       group: Ethnicity
#       part: Student
#       value: Rating
#       what: {en: mean rating, cn: 平均信用评分}
#   varied:
#     file: {table: 120}
#     reader: {pick: [read_csv]}
#     group: {words: 5}
#     part: {words: 3}
#     value: {normal: [60, 20], by: group}
#     what: {pick: [{en: mean output, cn: 平均产出}, {en: mean demand, cn: 平均需求}]}
#   words:
#     grouped_title: {en: 'Means by {{ group }} and {{ part }}', cn: '按 {{ group }} 和 {{ part }} 分组的均值'}
#     share_title: {en: Each mean as a share of its row, cn: 各均值占所在行之和的百分比}
#     share_label: {en: share (%), cn: 占比（%）}
#     sorted_title: {en: 'Mean of the means by {{ group }}', cn: '各 {{ group }} 的分组均值的平均'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the file `data/{{ file }}` with `pd.{{ reader }}` into a DataFrame named `df`.
#
# Thought: The table needs no options.

# %% [markdown] lang="cn"
# 用 `pd.{{ reader }}` 将文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame。
#
# Thought: 直接读取，不需要其他参数。

# %%
import pandas as pd

df = pd.{{ reader }}('data/{{ file }}')

# %% [markdown] kind="num" modules="pandas" answer="list[list[real(2)]]"
# Make a DataFrame `table` of the means of `{{ value }}`: its rows are the values of `{{ group }}`, its columns the values of `{{ part }}`, both in ascending order.
# Print one line for each row of `table`, without the row's name: its values rounded to 2 decimal places, separated by spaces.
#
# Thought: pivot_table takes the mean by default and sorts both axes.

# %% [markdown] lang="cn"
# 生成 `{{ value }}` 的均值表 DataFrame `table`：行为 `{{ group }}` 的各个取值，列为 `{{ part }}` 的各个取值，均按升序排列。
# 逐行打印 `table`，每行输出一行，不打印行名：各值保留 2 位小数，用空格分隔。
#
# Thought: pivot_table 默认求均值，并对行和列排序。

# %%
table = df.pivot_table(index='{{ group }}', columns='{{ part }}', values='{{ value }}', aggfunc='mean')
answer = table.round(2).to_numpy().tolist()
for row in answer:
    print(*row)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw `table` as grouped bars: one group of bars for each row, in the order of the rows, at the positions 0, 1, 2, …; in each group one bar for each column, from left to right, in the default colors, with the column's name as label.
# With k columns each bar is 0.8 / k wide, the bars of a group touch each other, and the group is centered at its position, where the x tick has the row's name, with `rotation=20` and `ha='right'`.
# Use figure size (5, 3.5), the title `{{ grouped_title }}`, the y label `{{ what }}` and a legend to the right of the axes (`loc='upper left'`, `bbox_to_anchor=(1, 1)`), and call `plt.show()`.
#
# Thought: The j-th column's bars stand (j − (k − 1) / 2) widths away from the center.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用分组柱状图表示 `table`：每行一组柱子，按行的顺序位于 0、1、2……处；每组内每列一根柱子，从左到右排列，使用默认颜色，图例标签为列名。
# 设共有 k 列，则每根柱子宽 0.8 / k，同组柱子相邻无间隙，整组以所在位置为中心；横轴刻度位于该位置，标为行名，设置 `rotation=20`、`ha='right'`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ grouped_title }}`，纵轴标签为 `{{ what }}`，图例位于绘图区右侧（`loc='upper left'`、`bbox_to_anchor=(1, 1)`），最后调用 `plt.show()`。
#
# Thought: 第 j 列的柱子相对中心偏移 (j − (k − 1) / 2) 个柱宽。

# %%
import matplotlib.pyplot as plt
import numpy as np

positions = np.arange(len(table))
width = 0.8 / len(table.columns)
plt.figure(figsize=(5, 3.5))
for index, column in enumerate(table.columns):
    offset = (index - (len(table.columns) - 1) / 2) * width
    plt.bar(positions + offset, table[column], width=width, label=str(column))
plt.xticks(positions, table.index, rotation=20, ha='right')
plt.title('{{ grouped_title }}')
plt.ylabel('{{ what }}')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# For each row of `table`, divide its largest value by its smallest.
# Print one line for each row, from the largest ratio to the smallest: the name of the row, a space, and the name of the column with its largest value.
#
# Thought: max and min along the columns, then sort the ratios; idxmax names the column.

# %% [markdown] lang="cn"
# 计算 `table` 每一行的最大值与最小值之比。
# 按比值从大到小逐行打印行名和该行最大值所在列的列名，用空格分隔。
#
# Thought: 沿列方向求最大值和最小值，相除后排序；idxmax 给出列名。

# %%
ratios = (table.max(axis=1) / table.min(axis=1)).sort_values(ascending=False)
answer = [f'{name} {table.loc[name].idxmax()}' for name in ratios.index]
print(*answer, sep='\n')

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Make a DataFrame `share`: each value of `table` as a percentage of the sum of its row.
# Print the first column of `share`, one value per line in the order of the rows, each rounded to 2 decimal places, without the percent sign.
#
# Thought: div with axis=0 divides each row by its own sum.

# %% [markdown] lang="cn"
# 生成 DataFrame `share`：`table` 的每个值占其所在行之和的百分比。
# 按行的顺序逐行打印 `share` 第一列的值，各保留 2 位小数，不带百分号。
#
# Thought: div 设 axis=0，就是让每一行除以该行的和。

# %%
share = table.div(table.sum(axis=1), axis=0) * 100
answer = share.iloc[:, 0].round(2).tolist()
print(*answer, sep='\n')

# %% [markdown] kind="vis" modules="matplotlib & pandas"
# Draw `share` as stacked horizontal bars: one bar of the default height for each row, the first row at the bottom, the columns stacked from left to right in their order, in the default colors, with the column's name as label.
# Write each value of `share` with 1 decimal place in `white` into the middle of its part of the bar (`ax.bar_label` with `label_type='center'` does so), and set the x limits to 0 and 100.
# Use figure size (5, 3.5), the title `{{ share_title }}`, the x label `{{ share_label }}` and a legend to the right of the axes (`loc='upper left'`, `bbox_to_anchor=(1, 1)`), and call `plt.show()`.
#
# Thought: Each column starts where the ones before it end, so `left` is their sum.

# %% [markdown] lang="cn"
# 用堆叠水平条形图表示 `share`：每行一个条形，高度取默认值，第一行在最下面，各列按顺序从左到右堆叠，使用默认颜色，图例标签为列名。
# 在每一段的中间写出 `share` 的值，颜色为 `white`，保留 1 位小数（可用 `ax.bar_label` 并设 `label_type='center'`），横轴范围设为 0 到 100。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ share_title }}`，横轴标签为 `{{ share_label }}`，图例位于绘图区右侧（`loc='upper left'`、`bbox_to_anchor=(1, 1)`），最后调用 `plt.show()`。
#
# Thought: 每一列从前面各列结束的位置开始，所以 left 是前面各列之和。

# %%
figure, ax = plt.subplots(figsize=(5, 3.5))
left = np.zeros(len(share))
for column in share.columns:
    bars = ax.barh(share.index, share[column], left=left, label=str(column))
    ax.bar_label(bars, fmt='%.1f', label_type='center', color='white')
    left += share[column].to_numpy()
ax.set_xlim(0, 100)
ax.set_title('{{ share_title }}')
ax.set_xlabel('{{ share_label }}')
ax.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] kind="vis" modules="matplotlib & pandas"
# Draw a bar chart of the mean of each row of `table` (of its values, unweighted), with bars of the default width, from the highest bar on the left to the lowest on the right, the highest in `crimson` and all others in `lightgray`.
# Write the height of each bar with 1 decimal place on its top (`ax.bar_label`), label the x ticks with the names of the rows, with `rotation=20` and `ha='right'`, and set the y limits to 0 and 1.1 times the highest bar.
# Use figure size (5.5, 3.5), the title `{{ sorted_title }}` and the y label `{{ what }}`, and call `plt.show()`.
#
# Thought: A list of colors gives the first bar its own.

# %% [markdown] lang="cn"
# 画柱状图表示 `table` 每行的均值（该行各值不加权平均），柱宽取默认值，从左到右由高到低排列，最高的柱子为 `crimson`，其余均为 `lightgray`。
# 在每根柱子顶端写出其高度，保留 1 位小数（用 `ax.bar_label`）；横轴刻度标为行名，设置 `rotation=20`、`ha='right'`；纵轴范围设为 0 到最高柱子的 1.1 倍。
# 画布大小为 `figsize=(5.5, 3.5)`，标题为 `{{ sorted_title }}`，纵轴标签为 `{{ what }}`，最后调用 `plt.show()`。
#
# Thought: 传入颜色列表，就能让第一根柱子与众不同。

# %%
ordered = table.mean(axis=1).sort_values(ascending=False)
figure, ax = plt.subplots(figsize=(5.5, 3.5))
bars = ax.bar(ordered.index, ordered, color=['crimson'] + ['lightgray'] * (len(ordered) - 1))
ax.bar_label(bars, fmt='%.1f')
plt.xticks(rotation=20, ha='right')
ax.set_ylim(0, 1.1 * ordered.max())
ax.set_title('{{ sorted_title }}')
ax.set_ylabel('{{ what }}')
plt.show()

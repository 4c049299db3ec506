# ---
# jupyter:
#   instances:
#     states:
#       file: statecrime.csv
#       key: state
#       first: violent
#       second: murder
#       third: hs_grad
#       fourth: poverty
#       fifth: single
#       sixth: urban
#       things: {en: states, cn: 州}
#     elnino:
#       file: elnino.csv
#       key: YEAR
#       first: FEB
#       second: APR
#       third: JUN
#       fourth: AUG
#       fifth: SEP
#       sixth: NOV
#       things: {en: years, cn: 年份}
#   varied:
#     file: {table: 60}
#     key: {days: 2023-02-01}
#     first: {normal: [52, 9]}
#     second: {follows: {first: 1.5}, noise: 10}
#     third: {normal: [170, 25]}
#     fourth: {follows: {third: 0.6, first: -0.5}, noise: 9}
#     fifth: {uniform: [20, 60]}
#     sixth: {follows: {fifth: -1, second: 0.5, third: 0.6}, noise: 9}
#     things: {pick: [{en: days, cn: 日期}]}
#   words:
#     heat_title: {en: Correlations, cn: 相关系数}
#     bar_title: {en: 'The {{ things }} of highest mean z-score', cn: '平均 z 分数最高的{{ things }}'}
#     bar_label: {en: mean z-score, cn: 平均 z 分数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Read the CSV file `data/{{ file }}` into a DataFrame `wide` with the column `{{ key }}` as its index and the columns `{{ first }}`, `{{ second }}`, `{{ third }}`, `{{ fourth }}`, `{{ fifth }}`, `{{ sixth }}`, in this order, and no others.
#
# Thought: index_col sets the index; a list of names selects and orders the columns.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `wide` 的 DataFrame，以 `{{ key }}` 列为索引，依次只保留列 `{{ first }}`、`{{ second }}`、`{{ third }}`、`{{ fourth }}`、`{{ fifth }}`、`{{ sixth }}`。
#
# Thought: 用 index_col 指定索引，用列名列表选出各列并确定顺序。

# %%
import pandas as pd

columns = ['{{ first }}', '{{ second }}', '{{ third }}', '{{ fourth }}', '{{ fifth }}', '{{ sixth }}']
wide = pd.read_csv('data/{{ file }}', index_col='{{ key }}')[columns]

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Print the range (largest minus smallest value) of each column of `wide` divided by the column's sample standard deviation (`ddof=1`), in the order of the columns, on one line, each rounded to 3 decimal places, separated by spaces.
#
# Thought: std has ddof=1 by default; the division of two Series goes column by column. Unlike a share of the mean, this means something for values in °C, too.

# %% [markdown] lang="cn"
# 计算 `wide` 每一列的极差（最大值减最小值）除以该列样本标准差（`ddof=1`）的值，按列的顺序在同一行打印，各保留 3 位小数，用空格分隔。
#
# Thought: std 默认 ddof=1；两个 Series 相除会按列对应。与除以均值不同，这个值对摄氏温度也有意义。

# %%
answer = [round(float(value), 3) for value in (wide.max() - wide.min()) / wide.std()]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# Standardize each column of `wide` (subtract its mean, divide by its sample standard deviation, `ddof=1`) into a DataFrame `z` of the same shape, index and columns.
# Then turn `z` into long form: a DataFrame `long` with the three columns `{{ key }}`, `variable` (the column of `z`) and `score` (the standardized value), and one row for each value of `z`.
#
# Thought: The key has to become a column with reset_index, so that melt can keep it as identifier.

# %% [markdown] lang="cn"
# 对 `wide` 的每一列做标准化（减去均值，再除以 `ddof=1` 的样本标准差），得到形状、索引和列名都不变的 DataFrame `z`。
# 再把 `z` 转换为长格式的 DataFrame `long`，它有三列：`{{ key }}`、`variable`（`z` 的列名）和 `score`（标准化后的值），`z` 的每个值占一行。
#
# Thought: 先用 reset_index 把索引变成普通列，melt 才能以它为标识列。

# %%
z = (wide - wide.mean()) / wide.std()
long = z.reset_index().melt(id_vars='{{ key }}', var_name='variable', value_name='score')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the six rows of `long` with the largest `score`, from the largest down, one per line: the value of `{{ key }}`, a space, and `variable`.
#
# Thought: nlargest returns the rows in descending order.

# %% [markdown] lang="cn"
# 取 `long` 中 `score` 最大的 6 行，从大到小逐行打印 `{{ key }}` 和 `variable` 的值，用空格分隔。
#
# Thought: nlargest 返回的行就是按降序排列的。

# %%
highest = long.nlargest(6, 'score')[['{{ key }}', 'variable']]
answer = [f'{name} {variable}' for name, variable in highest.itertuples(index=False)]
print(*answer, sep='\n')

# %% [markdown] kind="num" modules="pandas" answer="[real(3), real(3)]"
# From `long`, make a DataFrame `means` with the columns `{{ key }}` and `mean_score`, the mean of `score` over all variables for each `{{ key }}`.
# Print the largest and the smallest value of `mean_score`, on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: Grouping by the key gives one mean for each; reset_index makes it a table of two columns.

# %% [markdown] lang="cn"
# 由 `long` 生成 DataFrame `means`，包含 `{{ key }}` 和 `mean_score` 两列，后者是每个 `{{ key }}` 在所有变量上的 `score` 均值。
# 在同一行打印 `mean_score` 列的最大值和最小值，各保留 3 位小数，用空格分隔。
#
# Thought: 按标识列分组求均值，再用 reset_index 得到两列的表。

# %%
means = long.groupby('{{ key }}')['score'].mean().rename('mean_score').reset_index()
answer = [round(means['mean_score'].max(), 3), round(means['mean_score'].min(), 3)]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Merge `wide` with `means` on `{{ key }}` into a DataFrame `both`, in which `{{ key }}` is a column. Divide its rows into 4 groups by the quartiles of `mean_score` (`pd.qcut`), leaving `mean_score` as it is.
# Print the mean of the column `{{ first }}` in each group, from the group of the lowest `mean_score` to that of the highest, on one line, each rounded to 3 decimal places, separated by spaces.
#
# Thought: The intervals of qcut are ordered, so grouping by them goes from low to high.

# %% [markdown] lang="cn"
# 以 `{{ key }}` 为键合并 `wide` 与 `means`，得到 DataFrame `both`，其中 `{{ key }}` 为普通列。按 `mean_score` 的四分位数（`pd.qcut`）把各行分成 4 组，`mean_score` 列保持不变。
# 从 `mean_score` 最低的一组到最高的一组，在同一行打印各组 `{{ first }}` 列的均值，各保留 3 位小数，用空格分隔。
#
# Thought: qcut 得到的区间是有序的，按它分组的结果就从低到高排列。

# %%
both = wide.reset_index().merge(means, on='{{ key }}')
quarters = both.groupby(pd.qcut(both['mean_score'], 4), observed=True)['{{ first }}'].mean()
answer = [round(float(value), 3) for value in quarters]
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Show the matrix of Pearson correlations between the columns of `z`, in their order, with `plt.imshow`, `cmap='coolwarm'`, `vmin=-1`, `vmax=1` and a color bar.
# Label the ticks of both axes with the names of the columns, on the x axis with `rotation=90`. Use figure size (5, 4), the title `{{ heat_title }}`, and call `plt.show()`.
#
# Thought: corr gives the matrix; xticks and yticks take positions and names.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `plt.imshow` 显示 `z` 各列之间的皮尔逊相关系数矩阵，列的顺序不变，设置 `cmap='coolwarm'`、`vmin=-1`、`vmax=1`，并添加颜色条。
# 两个坐标轴的刻度都标为列名，其中横轴刻度设置 `rotation=90`。画布大小为 `figsize=(5, 4)`，标题为 `{{ heat_title }}`，最后调用 `plt.show()`。
#
# Thought: corr 给出相关系数矩阵；xticks 和 yticks 接收位置和名称。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 4))
plt.imshow(z.corr(), cmap='coolwarm', vmin=-1, vmax=1)
plt.colorbar()
plt.xticks(range(len(z.columns)), z.columns, rotation=90)
plt.yticks(range(len(z.columns)), z.columns)
plt.title('{{ heat_title }}')
plt.show()

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw a horizontal bar chart of `mean_score` for the eight rows of `both` where it is largest, the largest on top, with the y ticks labelled with `{{ key }}`, one tick for each bar, in the color `darkorange`.
# Use figure size (5, 3.5), the title `{{ bar_title }}` and the x label `{{ bar_label }}`, and call `plt.show()`.
#
# Thought: barh draws from the bottom up, so the eight largest go in ascending order; as strings they are categories.

# %% [markdown] lang="cn"
# 取 `both` 中 `mean_score` 最大的 8 行，画 `mean_score` 的水平条形图，最大的在最上面，纵轴刻度标为 `{{ key }}`，每个条形一个刻度，颜色为 `darkorange`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ bar_title }}`，横轴标签为 `{{ bar_label }}`，最后调用 `plt.show()`。
#
# Thought: barh 自下而上绘制，所以要按升序排列；转成字符串后就按类别绘制。

# %%
best = both.nlargest(8, 'mean_score').sort_values('mean_score')
plt.figure(figsize=(5, 3.5))
plt.barh(best['{{ key }}'].astype(str), best['mean_score'], color='darkorange')
plt.title('{{ bar_title }}')
plt.xlabel('{{ bar_label }}')
plt.show()

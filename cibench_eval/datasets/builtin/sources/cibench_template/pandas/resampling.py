# ---
# jupyter:
#   instances:
#     seattle:
#       file: seattle-weather.csv
#       date: date
#       value: precipitation
#       rule: MS
#       period: {en: month, cn: 月}
#       window: 4
#       year: 12
#       what: {en: mean daily precipitation (mm), cn: 日均降水量（毫米）}
#     airline:
#       file: airline-passengers.csv
#       date: month
#       value: passengers
#       rule: QS
#       period: {en: quarter, cn: 季度}
#       window: 3
#       year: 4
#       what: {en: mean monthly passengers (thousand), cn: 月均乘客数（千人）}
#   varied:
#     file: {table: 1100}
#     date: {days: 2017-01-01}
#     value: {sine: [362, 368], scale: 9, noise: 3}
#     rule: {pick: [MS]}
#     period: {pick: [{en: month, cn: 月}]}
#     window: {pick: [3, 4, 5]}
#     year: {pick: [12]}
#     what: {pick: [{en: level, cn: 水平}, {en: signal, cn: 信号}]}
#   words:
#     line_title: {en: 'Mean of each {{ period }}', cn: '逐{{ period }}均值'}
#     heat_title: {en: 'Mean by year and month', cn: '各年各月的均值'}
#     x_label: {en: date, cn: 日期}
#     mean_label: {en: mean, cn: 均值}
#     rolling_label: {en: rolling mean, cn: 滚动均值}
#     month_label: {en: month, cn: 月份}
#     year_label: {en: year, cn: 年份}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Read the CSV file `data/{{ file }}`, turn its column `{{ date }}` into datetimes, and make a Series `series` of the column `{{ value }}` with these datetimes as its index, in chronological order.
#
# Thought: parse_dates and index_col give a datetime index; sort_index makes sure of the order.

# %% [markdown] lang="cn"
# 读取 CSV 文件 `data/{{ file }}`，将 `{{ date }}` 列转换为日期时间类型，并用 `{{ value }}` 列生成名为 `series` 的 Series，以这些日期为索引，按时间先后排序。
#
# Thought: 用 parse_dates 和 index_col 得到日期索引，再用 sort_index 保证顺序。

# %%
import pandas as pd

series = pd.read_csv('data/{{ file }}', parse_dates=['{{ date }}'], index_col='{{ date }}')['{{ value }}'].sort_index()

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(3)]"
# Print the number of values in `series`, the whole number of days from its first to its last date (the difference of the two), and its mean rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: The difference of two timestamps is a Timedelta, which knows its days.

# %% [markdown] lang="cn"
# 在同一行打印 `series` 的数据条数、首尾日期相差的整天数以及均值（保留 3 位小数），用空格分隔。
#
# Thought: 两个时间戳相减得到 Timedelta，其 days 属性就是天数。

# %%
answer = [len(series), (series.index[-1] - series.index[0]).days, round(series.mean(), 3)]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Make a Series `regular` of the mean of `series` in each {{ period }}, by resampling with the rule `'{{ rule }}'`.
# Print its length, and its sample standard deviation (`ddof=1`) rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: resample makes the periods and mean fills them; Series.std has ddof=1 by default.

# %% [markdown] lang="cn"
# 按 `'{{ rule }}'` 频率对 `series` 重采样，得到每{{ '个月' if rule == 'MS' else '个季度' }}的均值，存为 Series `regular`。
# 在同一行打印它的长度和样本标准差（`ddof=1`，保留 3 位小数），用空格分隔。
#
# Thought: 先用 resample 划分周期，再用 mean 求均值；Series.std 默认 ddof=1。

# %%
regular = series.resample('{{ rule }}').mean()
answer = [len(regular), round(regular.std(), 3)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# For each of the twelve calendar months, take the mean of all values of `series` in that month, over all years together.
# Print the full English names of the five months with the highest means, from the highest mean to the lowest, on one line, separated by `, `.
#
# Thought: month_name of the index is what to group by; nlargest sorts in descending order.

# %% [markdown] lang="cn"
# 不区分年份，计算 `series` 在 12 个日历月份中各自的均值。
# 在同一行打印均值最高的 5 个月份的英文全称，按均值从高到低排列，用 `, ` 分隔。
#
# Thought: 用索引的 month_name 分组求均值，nlargest 的结果就是降序。

# %%
monthly = series.groupby(series.index.month_name()).mean()
answer = list(monthly.nlargest(5).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="[real(3), date]"
# Make a Series `rolling` of the rolling mean of `regular` over {{ window }} values (the current one and those before it; missing where there are fewer).
# Print the largest value of `rolling`, rounded to 3 decimal places, and its date (YYYY-MM-DD), on one line, separated by a space.
#
# Thought: rolling(...).mean() labels each window by its last date; max and idxmax skip missing values.

# %% [markdown] lang="cn"
# 计算 `regular` 的滚动均值，得到 Series `rolling`，窗口为 {{ window }} 个值（当前值及其之前的值，不足时为缺失值）。
# 在同一行打印 `rolling` 的最大值（保留 3 位小数）及其对应的日期（YYYY-MM-DD），用空格分隔。
#
# Thought: rolling(...).mean() 以窗口最后的日期为索引；max 和 idxmax 会跳过缺失值。

# %%
rolling = regular.rolling({{ window }}).mean()
answer = [round(rolling.max(), 3), rolling.idxmax().date()]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Subtract from each value of `regular` the value {{ year }} places before it, that is one year earlier, and name the result `change`, without the missing values at its beginning.
# Print the number of positive values in `change`, and the median of `change` rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: diff with a number of periods compares with the same period of the year before.

# %% [markdown] lang="cn"
# 用 `regular` 的每个值减去 {{ year }} 个位置之前的值（即上一年同期），去掉开头的缺失值，结果命名为 `change`。
# 在同一行打印 `change` 中正值的个数和 `change` 的中位数（保留 3 位小数），用空格分隔。
#
# Thought: 给 diff 传入周期数，就能与上一年同期相比。

# %%
change = regular.diff({{ year }}).dropna()
answer = [int((change > 0).sum()), round(change.median(), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# With `plt.plot`, plot `regular` against its dates as a line in `gray` of width 2 with the label `{{ mean_label }}`, then `rolling` as a line in `red` of width 3 with the label `{{ rolling_label }}`.
# Rotate the x tick labels with `rotation=30`. Use figure size (5.5, 3.2), the title `{{ line_title }}`, the x label `{{ x_label }}`, the y label `{{ what }}` and a legend at the default place, and call `plt.show()`.
#
# Thought: Both series have dates as their index, so plt.plot takes index and values.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `plt.plot` 画折线图：先以日期为横轴画出 `regular`，颜色为 `gray`，线宽为 2，图例标签为 `{{ mean_label }}`；再画出 `rolling`，颜色为 `red`，线宽为 3，图例标签为 `{{ rolling_label }}`。
# 横轴刻度标签设置 `rotation=30`。画布大小为 `figsize=(5.5, 3.2)`，标题为 `{{ line_title }}`，横轴标签为 `{{ x_label }}`，纵轴标签为 `{{ what }}`，在默认位置显示图例，最后调用 `plt.show()`。
#
# Thought: 两个序列都以日期为索引，直接把索引和值传给 plt.plot。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5.5, 3.2))
plt.plot(regular.index, regular.values, color='gray', linewidth=2, label='{{ mean_label }}')
plt.plot(rolling.index, rolling.values, color='red', linewidth=3, label='{{ rolling_label }}')
plt.xticks(rotation=30)
plt.title('{{ line_title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ what }}')
plt.legend()
plt.show()

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Make a table of the means of `series` with the years as rows and the calendar months 1 to 12 as columns, and show it with `plt.imshow`, the earliest year on top, with `cmap='viridis'`, `aspect='auto'` and a color bar.
# Label the x ticks with 1 to 12 and the y ticks with all years. Use figure size (5, 3.5), the title `{{ heat_title }}`, the x label `{{ month_label }}` and the y label `{{ year_label }}`, and call `plt.show()`.
#
# Thought: Grouping by year and month and unstacking the months gives the table; imshow puts its first row on top.

# %% [markdown] lang="cn"
# 以年份为行、日历月份 1 至 12 为列，计算 `series` 的均值表，并用 `plt.imshow` 显示，最早的年份在最上面，设置 `cmap='viridis'`、`aspect='auto'`，并添加颜色条。
# 横轴刻度标为 1 至 12，纵轴刻度标出所有年份。画布大小为 `figsize=(5, 3.5)`，标题为 `{{ heat_title }}`，横轴标签为 `{{ month_label }}`，纵轴标签为 `{{ year_label }}`，最后调用 `plt.show()`。
#
# Thought: 按年和月分组求均值，再把月份 unstack 成列；imshow 默认第一行在最上面。

# %%
table = series.groupby([series.index.year, series.index.month]).mean().unstack()
plt.figure(figsize=(5, 3.5))
plt.imshow(table, cmap='viridis', aspect='auto')
plt.colorbar()
plt.xticks(range(12), table.columns)
plt.yticks(range(len(table)), table.index)
plt.title('{{ heat_title }}')
plt.xlabel('{{ month_label }}')
plt.ylabel('{{ year_label }}')
plt.show()

# ---
# jupyter:
#   language: cn
# ---

# %% [markdown] kind="exec" modules="pandas"
# 读取 `data/seattle-weather.csv`，存入名为 `weather` 的 DataFrame，其中 `date` 列解析为日期并设为索引。
#
# Thought: 用 parse_dates 解析日期，再用 index_col 把它设为索引。

# %%
import pandas as pd

weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'], index_col='date')

# %% [markdown] kind="num" modules="pandas"
# 按年份汇总 `precipitation` 列，逐行打印每年的降水总量，格式为 `年份: 总量`，总量保留 1 位小数。
#
# Thought: 以索引的年份分组求和，再按格式逐行输出。

# %%
yearly = weather['precipitation'].groupby(weather.index.year).sum()
for year, total in yearly.items():
    print(f'{year}: {total:.1f}')

# %% [markdown] kind="text" modules="pandas"
# 新增一列 `天气`，由 `weather` 列翻译而来：sun 为“晴”，fog 为“雾”，rain 为“雨”，drizzle 为“毛毛雨”，snow 为“雪”。
# 然后按出现天数从多到少，逐行打印天气名称和天数，格式为 `名称 N 天`。
#
# Thought: 用 map 完成翻译，value_counts 默认就是从多到少排列。

# %%
names = {'sun': '晴', 'fog': '雾', 'rain': '雨', 'drizzle': '毛毛雨', 'snow': '雪'}
weather['天气'] = weather['weather'].map(names)
for name, days in weather['天气'].value_counts().items():
    print(f'{name} {days} 天')

# %% [markdown] kind="num" modules="pandas"
# 计算 `temp_max` 与 `temp_min` 两列的皮尔逊相关系数并打印，保留 4 位小数。
#
# Thought: Series.corr 默认计算皮尔逊相关系数。

# %%
print(round(weather['temp_max'].corr(weather['temp_min']), 4))

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# 计算 1 至 12 各月份（四年合并）`temp_max` 与 `temp_min` 的平均值，在同一张图中画两条折线，横轴刻度为 1 到 12。
# 最高气温用红色（`red`）、圆点标记 `o`，图例为“平均最高气温”；最低气温用蓝色（`blue`）、方块标记 `s`，图例为“平均最低气温”。
# 图像尺寸为 (8, 4)，标题为“西雅图各月气温”，横轴标签为“月份”，纵轴标签为“气温（摄氏度）”，显示图例，最后调用 `plt.show()`。
#
# Thought: 以索引的月份分组求均值，然后分别画出两列。

# %%
import matplotlib.pyplot as plt

monthly = weather.groupby(weather.index.month)[['temp_max', 'temp_min']].mean()
plt.figure(figsize=(8, 4))
plt.plot(monthly.index, monthly['temp_max'], color='red', marker='o', label='平均最高气温')
plt.plot(monthly.index, monthly['temp_min'], color='blue', marker='s', label='平均最低气温')
plt.xticks(range(1, 13))
plt.title('西雅图各月气温')
plt.xlabel('月份')
plt.ylabel('气温（摄氏度）')
plt.legend()
plt.show()

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# 画一张水平条形图，表示 `天气` 列中各种天气的天数，天数最多的排在最上面，条形颜色为 `teal`。
# 图像尺寸为 (7, 4)，标题为“各种天气的天数”，横轴标签为“天数”，最后调用 `plt.show()`。
#
# Thought: 条形图自下而上绘制，所以先按天数升序排列。

# %%
days = weather['天气'].value_counts().sort_values()
plt.figure(figsize=(7, 4))
plt.barh(days.index, days.values, color='teal')
plt.title('各种天气的天数')
plt.xlabel('天数')
plt.show()

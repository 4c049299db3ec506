# ---
# jupyter:
#   instances:
#     cellar: {seed: 5, outer: 140, wall: 4}
#     attic: {seed: 61, outer: 118, wall: 5}
#   varied:
#     seed: {between: [1, 1000000]}
#     outer: {pick: [112, 126, 150]}
#     wall: {pick: [4, 5, 6]}
#   words:
#     title: {en: A tank runs dry, cn: 水箱放空}
#     x_label: {en: Minutes, cn: 分钟}
#     y_label: {en: Level in mm, cn: 水位（毫米）}
# ---

# %% [markdown] kind="exec" modules="pandas & PIL & numpy"
# A camera has taken pictures of a glass tank. They are `{{ data }}/frame_a.png` to `{{ data }}/frame_i.png`, their times are in `{{ data }}/times.csv`, and `{{ data }}/notes.txt` tells about tank and camera.
# Make a DataFrame `frames` with one row for each file of the log that shows its own moment. Its columns are `file` (as in the log) and `minutes` (integer, from the earliest picture on, by the log). Sort it by `minutes`.
#
# Thought: The series passes midnight; the same pixels may be stored in another form.

# %% [markdown] lang="cn"
# 一台相机拍摄了一个玻璃水箱，照片为 `{{ data }}/frame_a.png` 到 `{{ data }}/frame_i.png`，时间在 `{{ data }}/times.csv` 中，`{{ data }}/notes.txt` 介绍了水箱和相机。
# 生成 DataFrame `frames`，记录中每个确实显示自身时刻的文件占一行，列为 `file`（写法同记录）和 `minutes`（整数，按记录从最早的照片算起的分钟数），按 `minutes` 排序。
#
# Thought: 拍摄跨过午夜；同样的像素可能以另一种形式存储。

# %%
import numpy as np
import pandas as pd
from PIL import Image

log = pd.read_csv('{{ data }}/times.csv')
clock = log['clock'].str.split(':', expand=True).astype(int)
since_noon = (clock[0] * 60 + clock[1] - 720) % 1440
log['minutes'] = since_noon - since_noon.min()
pictures = {name: np.array(Image.open(f'{{ data }}/{name}.png').convert('RGB')) for name in log['file']}
log['pixels'] = [pictures[name].tobytes() for name in log['file']]
frames = log.sort_values('minutes').drop_duplicates('pixels')[['file', 'minutes']].reset_index(drop=True)

# %% naive="careless" trap="times after midnight come before the evening"
import numpy as np
import pandas as pd
from PIL import Image

log = pd.read_csv('{{ data }}/times.csv')
clock = log['clock'].str.split(':', expand=True).astype(int)
log['minutes'] = clock[0] * 60 + clock[1]
log['minutes'] -= log['minutes'].min()
pictures = {name: np.array(Image.open(f'{{ data }}/{name}.png').convert('RGB')) for name in log['file']}
log['pixels'] = [pictures[name].tobytes() for name in log['file']]
frames = log.sort_values('minutes').drop_duplicates('pixels')[['file', 'minutes']].reset_index(drop=True)

# %% naive="literal shortcut" trap="files are compared in place of pixels, so the copy stays"
import numpy as np
import pandas as pd
from PIL import Image

log = pd.read_csv('{{ data }}/times.csv')
clock = log['clock'].str.split(':', expand=True).astype(int)
since_noon = (clock[0] * 60 + clock[1] - 720) % 1440
log['minutes'] = since_noon - since_noon.min()
pictures = {name: np.array(Image.open(f'{{ data }}/{name}.png').convert('RGB')) for name in log['file']}
log['bytes'] = [open(f'{{ data }}/{name}.png', 'rb').read() for name in log['file']]
frames = log.sort_values('minutes').drop_duplicates('bytes')[['file', 'minutes']].reset_index(drop=True)

# %% [markdown] kind="exec" modules="numpy & PIL & pandas" absolute=1.2
# Measure the level of the water in each picture of `frames`. Add it to `frames` as a column `mm` (float), in mm. A deviation of 1 mm does no harm.
#
# Thought: Turn pictures whose floor is above, find the ticks and their colour, and take the upper edge of the water, not of the foam.

# %% [markdown] lang="cn"
# 测量 `frames` 中每张照片的水位，作为 `mm` 列（浮点数，单位毫米）加入 `frames`。偏差 1 毫米无妨。
#
# Thought: 箱底在上的照片要转正，找出刻度及其颜色，取水的上沿而不是泡沫的上沿。

# %%
def level(name):
    picture = pictures[name].astype(float)
    inside = picture[:, 55:66].mean(axis=(1, 2))
    if inside[: len(inside) // 2].min() < 70:  # the floor is above
        picture = picture[::-1, ::-1]
        inside = inside[::-1]
    water = np.flatnonzero((inside > 90) & (inside < 165))
    marks = picture[:, 13:19].mean(axis=1)
    rows = np.flatnonzero(marks[:, 1:].mean(axis=1) < 100)
    ticks = [group.mean() + 0.5 for group in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)]
    red = marks[rows, 0].mean() > 120
    step = 12.7 if red else 10
    return step * (len(ticks) - 1) * (ticks[-1] - water.min()) / (ticks[-1] - ticks[0])


frames['mm'] = [level(name) for name in frames['file']]

# %% naive="careless" trap="foam counts as water"
def level(name):
    picture = pictures[name].astype(float)
    inside = picture[:, 55:66].mean(axis=(1, 2))
    if inside[: len(inside) // 2].min() < 70:
        picture = picture[::-1, ::-1]
        inside = inside[::-1]
    rim = np.flatnonzero(inside > 210).min()
    air = inside[rim + 2]
    filled = np.flatnonzero(np.abs(inside - air) > 10)
    marks = picture[:, 13:19].mean(axis=1)
    rows = np.flatnonzero(marks[:, 1:].mean(axis=1) < 100)
    ticks = [group.mean() + 0.5 for group in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)]
    step = 12.7 if marks[rows, 0].mean() > 120 else 10
    return step * (len(ticks) - 1) * (ticks[-1] - filled[filled > rim + 2].min()) / (ticks[-1] - ticks[0])


frames['mm'] = [level(name) for name in frames['file']]

# %% naive="literal" trap="all ticks are 10 mm apart"
def level(name):
    picture = pictures[name].astype(float)
    inside = picture[:, 55:66].mean(axis=(1, 2))
    if inside[: len(inside) // 2].min() < 70:
        picture = picture[::-1, ::-1]
        inside = inside[::-1]
    water = np.flatnonzero((inside > 90) & (inside < 165))
    marks = picture[:, 13:19].mean(axis=1)
    rows = np.flatnonzero(marks[:, 1:].mean(axis=1) < 100)
    ticks = [group.mean() + 0.5 for group in np.split(rows, np.flatnonzero(np.diff(rows) > 1) + 1)]
    return 10 * (len(ticks) - 1) * (ticks[-1] - water.min()) / (ticks[-1] - ticks[0])


frames['mm'] = [level(name) for name in frames['file']]

# %% naive="shortcut" trap="one scale is used for all pictures"
def level(name):
    inside = pictures[name][:, 55:66].astype(float).mean(axis=(1, 2))
    water = np.flatnonzero((inside > 90) & (inside < 165))
    return len(water) / 1.9


frames['mm'] = [level(name) for name in frames['file']]

# %% [markdown] kind="num" modules="pandas" answer="list[count]"
# In the log the clocks of two pictures of `frames` were exchanged. Give both their own time back in `frames`, and sort it by `minutes` again. Print the two times, in minutes as in `frames`, the earlier first, on one line, separated by a space.
#
# Thought: The level can only fall, so the two are those whose exchange makes it fall throughout.

# %% [markdown] lang="cn"
# 记录中 `frames` 有两张照片的时刻被互换了。在 `frames` 中把二者的时间还原，并重新按 `minutes` 排序。在同一行打印这两个时间（与 `frames` 中相同，以分钟计，较早的在前），用空格分隔。
#
# Thought: 水位只会下降，所以互换后使水位一路下降的就是那两张。

# %%
falling = frames['mm'].sort_values(ascending=False).index
places = np.flatnonzero(falling != frames.index)
both = frames['minutes'].iloc[places].tolist()
frames.loc[places, 'minutes'] = both[::-1]
frames = frames.sort_values('minutes').reset_index(drop=True)
answer = list(both)
print(*answer)

# %% naive="careless literal shortcut" trap="the first place where the level rises is taken for the exchange"
risen = int((frames['mm'].diff() > -0.5).values.argmax())
risen = max(risen, 1)
both = frames['minutes'].iloc[[risen - 1, risen]].tolist()
frames.loc[[risen - 1, risen], 'minutes'] = both[::-1]
frames = frames.sort_values('minutes').reset_index(drop=True)
print(*both)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the files of `frames` in the order in which they were taken, on one line, separated by `, `.
#
# Thought: The table is sorted by time.

# %% [markdown] lang="cn"
# 按拍摄的先后顺序，在同一行打印 `frames` 中的文件，用 `, ` 分隔。
#
# Thought: 表已按时间排序。

# %%
answer = list(frames['file'])
print(', '.join(answer))

# %% [markdown] kind="num" modules="numpy" tolerance=0.03 answer="real(2)"
# A colleague computes the mean outflow, in ml per minute, between the first and the last picture:
#
#     area = 3.1416 * {{ outer }} ** 2
#     rates = -np.diff(frames['mm']) / np.diff(frames['minutes'])
#     print(area * rates.mean() / 1000)
#
# Print what is right, with 2 decimal places.
#
# Thought: The water fills the inner width alone, half of which is the radius, and the mean over time is the whole fall by the whole time.

# %% [markdown] lang="cn"
# 一位同事这样计算第一张到最后一张照片之间的平均流出量（毫升每分钟）：
#
#     area = 3.1416 * {{ outer }} ** 2
#     rates = -np.diff(frames['mm']) / np.diff(frames['minutes'])
#     print(area * rates.mean() / 1000)
#
# 打印正确的结果，保留 2 位小数。
#
# Thought: 水只占内径，半径是内径的一半；时间上的平均等于总下降量除以总时间。

# %%
bore = {{ outer }} - 2 * {{ wall }}
area = np.pi * (bore / 2) ** 2
fall = frames['mm'].iloc[0] - frames['mm'].iloc[-1]
answer = area * fall / (frames['minutes'].iloc[-1] - frames['minutes'].iloc[0]) / 1000
print(f'{answer:.2f}')

# %% naive="careless" trap="the diameter for the radius, and the mean of rates over times of other lengths"
bore = {{ outer }} - 2 * {{ wall }}
area = np.pi * bore**2
rates = -np.diff(frames['mm']) / np.diff(frames['minutes'])
print(f'{area * rates.mean() / 1000:.2f}')

# %% naive="literal" trap="the glass is taken for water, and the diameter for the radius"
bore = {{ outer }}
area = np.pi * bore**2
fall = frames['mm'].iloc[0] - frames['mm'].iloc[-1]
print(f"{area * fall / (frames['minutes'].iloc[-1] - frames['minutes'].iloc[0]) / 1000:.2f}")

# %% [markdown] kind="num" modules="numpy" tolerance=0.03 answer="real(3)"
# How wide is the hole? Find it from all levels of `frames`, by the law in the notes. Print its diameter in mm with 3 decimal places.
#
# Thought: By the law the square root of the level falls evenly; the slope gives the area of the hole.

# %% [markdown] lang="cn"
# 孔有多宽？根据说明中的定律，由 `frames` 的全部水位求出。打印孔的直径，单位毫米，保留 3 位小数。
#
# Thought: 按该定律，水位的平方根匀速下降，斜率给出孔的面积。

# %%
slope, start = np.polyfit(frames['minutes'], np.sqrt(frames['mm'] / 1000), 1)
ratio = -slope / 60 * 2 / (0.62 * np.sqrt(2 * 9.81))
answer = bore * np.sqrt(ratio)
print(f'{answer:.3f}')

# %% naive="careless" trap="the mean outflow is set against the first level"
bore = {{ outer }} - 2 * {{ wall }}
pace = (frames['mm'].iloc[0] - frames['mm'].iloc[-1]) / (frames['minutes'].iloc[-1] - frames['minutes'].iloc[0]) / 60
ratio = pace / (0.62 * np.sqrt(2 * 9810 * frames['mm'].iloc[0]))
print(f'{bore * np.sqrt(ratio):.3f}')

# %% naive="literal" trap="minutes are taken for seconds"
slope, start = np.polyfit(frames['minutes'], np.sqrt(frames['mm'] / 1000), 1)
ratio = -slope * 2 / (0.62 * np.sqrt(2 * 9.81))
print(f'{bore * np.sqrt(ratio):.3f}')

# %% [markdown] kind="num" modules="numpy & pandas" held_out="levels" metric="mae" bound="2.0"
# `{{ data }}/later.csv` has times after the last picture, in minutes as in `frames`. Predict the level in mm at each of them, and print the predictions in the order of the file, one a line, with 1 decimal place. Their mean absolute error has to be at most 2 mm.
#
# Thought: The square root of the level goes on falling evenly.

# %% [markdown] lang="cn"
# `{{ data }}/later.csv` 中是最后一张照片之后的时间，以分钟计，起点同 `frames`。预测每个时间的水位（毫米），按文件中的顺序打印，每行一个，保留 1 位小数。平均绝对误差不得超过 2 毫米。
#
# Thought: 水位的平方根继续匀速下降。

# %%
later = pd.read_csv('{{ data }}/later.csv')['minutes']
for value in 1000 * np.clip(start + slope * later, 0, None) ** 2:
    print(f'{value:.1f}')

# %% naive="careless literal" trap="a straight line goes on"
later = pd.read_csv('{{ data }}/later.csv')['minutes']
for value in np.clip(np.polyval(np.polyfit(frames['minutes'], frames['mm'], 1), later), 0, None):
    print(f'{value:.1f}')

# %% naive="shortcut" trap="an exponential goes on"
later = pd.read_csv('{{ data }}/later.csv')['minutes']
for value in np.exp(np.polyval(np.polyfit(frames['minutes'], np.log(frames['mm']), 1), later)):
    print(f'{value:.1f}')

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.02
# Draw `mm` of `frames` over `minutes` as points in `navy`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, the y axis from 0 to 130, figure size (6, 4), and call `plt.show()`.
#
# Thought: After the exchange the points lie on a smooth curve.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `minutes` 为横坐标，将 `frames` 的 `mm` 画成 `navy` 色的散点，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，纵轴范围 0 到 130，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 互换还原之后，各点落在一条光滑的曲线上。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
plt.scatter(frames['minutes'], frames['mm'], color='navy')
plt.ylim(0, 130)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

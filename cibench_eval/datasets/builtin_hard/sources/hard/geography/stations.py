# ---
# jupyter:
#   instances:
#     north: {seed: 12, lat: 60, limit: 110, place: Aldan}
#     south: {seed: 77, lat: -66, limit: 120, place: Terrell}
#   varied:
#     seed: {between: [1, 1000000]}
#     lat: {pick: [58, 61, 64, -59, -63, -67]}
#     limit: {pick: [105, 115, 125]}
#     place: {pick: [Aldan, Terrell, Oriel]}
#   words:
#     title: {en: Stations and storm, cn: 站点与风暴}
#     x_label: {en: degrees east, cn: 东经（度）}
#     y_label: {en: latitude, cn: 纬度}
# ---

# %% [markdown] kind="exec" modules="pandas"
# The stations of a network are in `{{ data }}/land.csv`, `{{ data }}/harbours.txt` and `{{ data }}/buoys.json`. What is in these files is said in `{{ data }}/notes.txt`.
# Make a DataFrame `stations` with one row for each station that the network has now. Its columns are `code` (two letters, a hyphen and three digits), `lat` and `lon` (floats, decimal degrees, south and west negative, longitudes between -180 and 180, rounded to 4 decimal places). Sort it by `code`.
#
# Thought: The area in the notes shows whose latitudes and longitudes are exchanged. GeoJSON has the longitude first, here from 0 to 360.

# %% [markdown] lang="cn"
# 一个观测网的站点记录在 `{{ data }}/land.csv`、`{{ data }}/harbours.txt` 和 `{{ data }}/buoys.json` 中，文件内容的说明见 `{{ data }}/notes.txt`。
# 生成名为 `stations` 的 DataFrame，观测网现有的每个站点占一行，列为 `code`（两个字母、连字符和三位数字）、`lat` 和 `lon`（浮点数，十进制度，南纬和西经为负，经度在 -180 与 180 之间，保留 4 位小数），按 `code` 排序。
#
# Thought: 由说明中的范围可看出哪个运营者把经纬度弄反了。GeoJSON 中经度在前，这里为 0 到 360。

# %%
import json
import re

import pandas as pd

def degrees(text):
    value = sum(float(part) / 60**i for i, part in enumerate(re.findall(r'[\d.]+', text)))
    return -value if text[-1] in 'SW' else value

land = pd.read_csv('{{ data }}/land.csv').rename(columns={'latitude': 'lat', 'longitude': 'lon'})
swapped = land['lat'].abs() > 90
land.loc[swapped, ['lat', 'lon']] = land.loc[swapped, ['lon', 'lat']].to_numpy()

harbours = pd.read_csv('{{ data }}/harbours.txt', sep=';', encoding='latin-1')
harbours['code'] = [f'{name[:2]}-{int(name[2:]):03d}' for name in harbours['harbour']]
harbours['lat'] = [degrees(text.split()[0]) for text in harbours['position']]
harbours['lon'] = [degrees(text.split()[1]) for text in harbours['position']]

with open('{{ data }}/buoys.json') as file:
    features = json.load(file)['features']
buoys = pd.DataFrame([
    (one['properties']['code'], one['geometry']['coordinates'][1], one['geometry']['coordinates'][0])
    for one in features if one['properties']['status'] != 'withdrawn'
], columns=['code', 'lat', 'lon'])

stations = pd.concat([harbours[['code', 'lat', 'lon']], land, buoys]).drop_duplicates('code')
stations['lon'] = (stations['lon'] + 180) % 360 - 180
stations = stations.round({'lat': 4, 'lon': 4}).sort_values('code').reset_index(drop=True)

# %% naive="careless" trap="one operator's latitudes and longitudes are exchanged"
import json
import re

import pandas as pd

def degrees(text):
    value = sum(float(part) / 60**i for i, part in enumerate(re.findall(r'[\d.]+', text)))
    return -value if text[-1] in 'SW' else value

land = pd.read_csv('{{ data }}/land.csv').rename(columns={'latitude': 'lat', 'longitude': 'lon'})
harbours = pd.read_csv('{{ data }}/harbours.txt', sep=';', encoding='latin-1')
harbours['code'] = [f'{name[:2]}-{int(name[2:]):03d}' for name in harbours['harbour']]
harbours['lat'] = [degrees(text.split()[0]) for text in harbours['position']]
harbours['lon'] = [degrees(text.split()[1]) for text in harbours['position']]
with open('{{ data }}/buoys.json') as file:
    features = json.load(file)['features']
buoys = pd.DataFrame([
    (one['properties']['code'], one['geometry']['coordinates'][1], one['geometry']['coordinates'][0])
    for one in features if one['properties']['status'] != 'withdrawn'
], columns=['code', 'lat', 'lon'])
stations = pd.concat([harbours[['code', 'lat', 'lon']], land, buoys]).drop_duplicates('code')
stations['lon'] = (stations['lon'] + 180) % 360 - 180
stations = stations.round({'lat': 4, 'lon': 4}).sort_values('code').reset_index(drop=True)

# %% naive="literal" trap="minutes and seconds are read as decimals of a degree"
import json
import re

import pandas as pd

def degrees(text):
    parts = re.findall(r'\d+', text)
    value = float(parts[0] + '.' + ''.join(parts[1:]))
    return -value if text[-1] in 'SW' else value

land = pd.read_csv('{{ data }}/land.csv').rename(columns={'latitude': 'lat', 'longitude': 'lon'})
swapped = land['lat'].abs() > 90
land.loc[swapped, ['lat', 'lon']] = land.loc[swapped, ['lon', 'lat']].to_numpy()
harbours = pd.read_csv('{{ data }}/harbours.txt', sep=';', encoding='latin-1')
harbours['code'] = [f'{name[:2]}-{int(name[2:]):03d}' for name in harbours['harbour']]
harbours['lat'] = [degrees(text.split()[0]) for text in harbours['position']]
harbours['lon'] = [degrees(text.split()[1]) for text in harbours['position']]
with open('{{ data }}/buoys.json') as file:
    features = json.load(file)['features']
buoys = pd.DataFrame([
    (one['properties']['code'], one['geometry']['coordinates'][1], one['geometry']['coordinates'][0])
    for one in features if one['properties']['status'] != 'withdrawn'
], columns=['code', 'lat', 'lon'])
stations = pd.concat([harbours[['code', 'lat', 'lon']], land, buoys]).drop_duplicates('code')
stations['lon'] = (stations['lon'] + 180) % 360 - 180
stations = stations.round({'lat': 4, 'lon': 4}).sort_values('code').reset_index(drop=True)

# %% naive="shortcut" trap="the first file's positions are kept, and withdrawn buoys too"
import json
import re

import pandas as pd

def degrees(text):
    value = sum(float(part) / 60**i for i, part in enumerate(re.findall(r'[\d.]+', text)))
    return -value if text[-1] in 'SW' else value

land = pd.read_csv('{{ data }}/land.csv').rename(columns={'latitude': 'lat', 'longitude': 'lon'})
swapped = land['lat'].abs() > 90
land.loc[swapped, ['lat', 'lon']] = land.loc[swapped, ['lon', 'lat']].to_numpy()
harbours = pd.read_csv('{{ data }}/harbours.txt', sep=';', encoding='latin-1')
harbours['code'] = [f'{name[:2]}-{int(name[2:]):03d}' for name in harbours['harbour']]
harbours['lat'] = [degrees(text.split()[0]) for text in harbours['position']]
harbours['lon'] = [degrees(text.split()[1]) for text in harbours['position']]
with open('{{ data }}/buoys.json') as file:
    features = json.load(file)['features']
buoys = pd.DataFrame([
    (one['properties']['code'], one['geometry']['coordinates'][1], one['geometry']['coordinates'][0])
    for one in features
], columns=['code', 'lat', 'lon'])
stations = pd.concat([land, harbours[['code', 'lat', 'lon']], buoys]).drop_duplicates('code')
stations['lon'] = (stations['lon'] + 180) % 360 - 180
stations = stations.round({'lat': 4, 'lon': 4}).sort_values('code').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(1)]"
# Print the number of stations, the number of those in the western hemisphere, and the longest distance between two stations in km with 1 decimal place, on one line, separated by spaces.
#
# Thought: The haversine formula gives the distances on the sphere.

# %% [markdown] lang="cn"
# 在同一行打印站点总数、位于西半球的站点数，以及两个站点之间的最长距离（以 km 计，保留 1 位小数），用空格分隔。
#
# Thought: 用半正矢公式计算球面距离。

# %%
import numpy as np

def distance(lat, lon, other_lat, other_lon):
    lat, lon, other_lat, other_lon = np.radians(lat), np.radians(lon), np.radians(other_lat), np.radians(other_lon)
    half = np.sin((other_lat - lat) / 2) ** 2 + np.cos(lat) * np.cos(other_lat) * np.sin((other_lon - lon) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(half))

lat, lon = stations['lat'].to_numpy(), stations['lon'].to_numpy()
between = distance(lat[:, None], lon[:, None], lat, lon)
answer = [len(stations), (lon < 0).sum(), between.max()]
print(answer[0], answer[1], f'{answer[2]:.1f}')

# %% naive="shortcut literal" trap="distances on a plane that is torn at the 180th meridian"
import numpy as np

def distance(lat, lon, other_lat, other_lon):
    lat, lon, other_lat, other_lon = np.radians(lat), np.radians(lon), np.radians(other_lat), np.radians(other_lon)
    half = np.sin((other_lat - lat) / 2) ** 2 + np.cos(lat) * np.cos(other_lat) * np.sin((other_lon - lon) / 2) ** 2
    return 2 * 6371 * np.arcsin(np.sqrt(half))

lat, lon = stations['lat'].to_numpy(), stations['lon'].to_numpy()
width = (lon[:, None] - lon) * np.cos(np.radians(lat.mean()))
between = np.hypot(lat[:, None] - lat, width) * 111.19
print(len(stations), (lon < 0).sum(), f'{between.max():.1f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# `{{ data }}/ships.csv` has the positions of ships that ask for help. Print the code of the station nearest to each ship, in the order of the file, on one line, separated by `, `.
#
# Thought: The smallest great-circle distance to each ship.

# %% [markdown] lang="cn"
# `{{ data }}/ships.csv` 记录了求助船只的位置。按文件中的顺序，在同一行打印离每艘船最近的站点的代码，用 `, ` 分隔。
#
# Thought: 对每艘船取大圆距离最小的站点。

# %%
ships = pd.read_csv('{{ data }}/ships.csv')
away = distance(ships['lat'].to_numpy()[:, None], ships['lon'].to_numpy()[:, None], lat, lon)
answer = [stations['code'].iloc[one] for one in away.argmin(axis=1)]
print(', '.join(answer))

# %% naive="careless shortcut" trap="the nearest in degrees, as if the map ended at 180"
ships = pd.read_csv('{{ data }}/ships.csv')
away = np.hypot(ships['lat'].to_numpy()[:, None] - lat, ships['lon'].to_numpy()[:, None] - lon)
print(', '.join(stations['code'].iloc[one] for one in away.argmin(axis=1)))

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/storm.csv` has the fixes of a storm; the notes say what is in it. Make a DataFrame `track` with one row for each moment for which there is a usable fix. Its columns are `time` (UTC, as text `YYYY-MM-DD HH:MM`), `lat`, `lon` and `pressure` (floats; missing where it was not measured). Sort it by `time`, the earliest first.
#
# Thought: In the order of UTC, one fix lies far from both of its neighbours, so that both legs are too fast.

# %% [markdown] lang="cn"
# `{{ data }}/storm.csv` 记录了一场风暴的定位，内容见说明文件。生成名为 `track` 的 DataFrame，每一个有可用定位的时刻占一行，列为 `time`（UTC，文本 `YYYY-MM-DD HH:MM`）、`lat`、`lon` 和 `pressure`（浮点数；未测量时为缺失值），按 `time` 从早到晚排序。
#
# Thought: 按 UTC 排序后，有一个定位与前后两个都相距过远，前后两段都过快。

# %%
storm = pd.read_csv('{{ data }}/storm.csv')
storm['eastern'] = storm['time'].str.endswith('-10:00')
storm['time'] = pd.to_datetime(storm['time'], utc=True)
storm['pressure'] = storm['pressure'].astype(float).replace(-999, np.nan)
storm = storm.sort_values(['time', 'eastern']).drop_duplicates('time', keep='last').reset_index(drop=True)

def legs(table):
    y, x = table['lat'].to_numpy(), table['lon'].to_numpy()
    hours = table['time'].diff().dt.total_seconds().to_numpy()[1:] / 3600
    km = distance(y[:-1], x[:-1], y[1:], x[1:])
    return km, km / hours

def usable(table):
    return (legs(table)[1] <= {{ limit }}).all()

wrong = [] if usable(storm) else [i for i in storm.index if usable(storm.drop(index=i))]
storm = storm.drop(index=wrong).reset_index(drop=True)
track = storm[['time', 'lat', 'lon', 'pressure']].assign(time=storm['time'].dt.strftime('%Y-%m-%d %H:%M'))

# %% naive="careless" trap="the mistyped fix and the pressure -999 are kept"
storm = pd.read_csv('{{ data }}/storm.csv')
storm['eastern'] = storm['time'].str.endswith('-10:00')
storm['time'] = pd.to_datetime(storm['time'], utc=True)
storm['pressure'] = storm['pressure'].astype(float)
storm = storm.sort_values(['time', 'eastern']).drop_duplicates('time', keep='last').reset_index(drop=True)

def legs(table):
    y, x = table['lat'].to_numpy(), table['lon'].to_numpy()
    hours = table['time'].diff().dt.total_seconds().to_numpy()[1:] / 3600
    km = distance(y[:-1], x[:-1], y[1:], x[1:])
    return km, km / hours

track = storm[['time', 'lat', 'lon', 'pressure']].assign(time=storm['time'].dt.strftime('%Y-%m-%d %H:%M'))

# %% naive="literal" trap="local times are taken for UTC"
storm = pd.read_csv('{{ data }}/storm.csv')
storm['time'] = pd.to_datetime(storm['time'].str[:16])
storm['pressure'] = storm['pressure'].astype(float).replace(-999, np.nan)
storm = storm.sort_values('time', kind='stable').drop_duplicates('time', keep='last').reset_index(drop=True)

def legs(table):
    y, x = table['lat'].to_numpy(), table['lon'].to_numpy()
    hours = table['time'].diff().dt.total_seconds().to_numpy()[1:] / 3600
    km = distance(y[:-1], x[:-1], y[1:], x[1:])
    return km, km / hours

track = storm[['time', 'lat', 'lon', 'pressure']].assign(time=storm['time'].dt.strftime('%Y-%m-%d %H:%M'))

# %% naive="shortcut" trap="both legs beside the mistyped fix lose their ends, and so good fixes"
storm = pd.read_csv('{{ data }}/storm.csv')
storm['eastern'] = storm['time'].str.endswith('-10:00')
storm['time'] = pd.to_datetime(storm['time'], utc=True)
storm['pressure'] = storm['pressure'].astype(float).replace(-999, np.nan)
storm = storm.sort_values(['time', 'eastern']).drop_duplicates('time', keep='last').reset_index(drop=True)

def legs(table):
    y, x = table['lat'].to_numpy(), table['lon'].to_numpy()
    hours = table['time'].diff().dt.total_seconds().to_numpy()[1:] / 3600
    km = distance(y[:-1], x[:-1], y[1:], x[1:])
    return km, km / hours

fast = np.append(False, legs(storm)[1] > {{ limit }})
storm = storm[~fast].reset_index(drop=True)
track = storm[['time', 'lat', 'lon', 'pressure']].assign(time=storm['time'].dt.strftime('%Y-%m-%d %H:%M'))

# %% [markdown] kind="num" modules="pandas" answer="[real(1), real(1)]"
# The storm moves along great circles from each fix of `track` to the next. Print the length of its way in km with 1 decimal place, and its highest mean speed between two fixes that follow each other, in km/h with 1 decimal place, on one line, separated by a space.
#
# Thought: Intervals differ, so each leg is divided by its own hours.

# %% [markdown] lang="cn"
# 设风暴沿大圆从 `track` 的每个定位移动到下一个定位。在同一行打印其路径总长（以 km 计，保留 1 位小数），以及相邻两个定位之间平均速度的最大值（以 km/h 计，保留 1 位小数），用空格分隔。
#
# Thought: 各段时间间隔不同，每段都要除以自己的小时数。

# %%
km, speed = legs(storm)
answer = [km.sum(), speed.max()]
print(*(f'{value:.1f}' for value in answer))

# %% naive="shortcut" trap="all intervals are taken to be as long as the most frequent one"
km, speed = legs(storm)
hours = pd.to_datetime(track['time']).diff().dropna().mode().iloc[0].total_seconds() / 3600
print(f'{km.sum():.1f} {km.max() / hours:.1f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# A colleague looks for the stations to which a fix of `track` came nearest, with this code:
#
#     gap = [((track['lat'] - y) ** 2 + (track['lon'] - x) ** 2).min() for y, x in zip(stations['lat'], stations['lon'])]
#     print(', '.join(stations.assign(gap=gap).nsmallest(5, 'gap')['code']))
#
# Its result is not right. Print the codes of the 5 stations with the shortest distance to a fix, from the shortest on, on one line, separated by `, `.
#
# Thought: The degrees of a longitude are short here, and the map does not end at 180.

# %% [markdown] lang="cn"
# 一位同事用下面的代码找 `track` 的定位离哪些站点最近：
#
#     gap = [((track['lat'] - y) ** 2 + (track['lon'] - x) ** 2).min() for y, x in zip(stations['lat'], stations['lon'])]
#     print(', '.join(stations.assign(gap=gap).nsmallest(5, 'gap')['code']))
#
# 其结果不对。在同一行打印与某个定位距离最短的 5 个站点的代码，从最短的开始，用 `, ` 分隔。
#
# Thought: 这里一度经度很短，而且地图并不止于 180 度。

# %%
gap = distance(lat[:, None], lon[:, None], track['lat'].to_numpy(), track['lon'].to_numpy()).min(axis=1)
nearest = stations.assign(gap=gap).nsmallest(5, 'gap')
answer = list(nearest['code'])
print(', '.join(answer))

# %% naive="careless shortcut" trap="the meridian is mended, the plane is not"
turn = (track['lon'].to_numpy() - lon[:, None] + 180) % 360 - 180
gap = np.hypot(track['lat'].to_numpy() - lat[:, None], turn).min(axis=1)
nearest = stations.assign(gap=gap).nsmallest(5, 'gap')
print(', '.join(nearest['code']))

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(1)]"
# Take the station that you have printed first. `{{ data }}/winds.csv` has its reports; the notes say how to read them. Print the speed of its mean wind in km/h with 2 decimal places, and the direction from which that wind comes, in degrees from 0 to 360 with 1 decimal place, on one line, separated by a space. The mean wind is the mean of the vectors of all reports that are used, each with the same weight.
#
# Thought: Directions lie around north, so their components are averaged; calms are zero vectors.

# %% [markdown] lang="cn"
# 取上一步第一个打印的站点，`{{ data }}/winds.csv` 中有它的报告，读法见说明文件。在同一行打印其平均风的风速（以 km/h 计，保留 2 位小数）和来向（0 到 360 度，保留 1 位小数），用空格分隔。平均风是所有采用的报告的风矢量的平均，各报告权重相同。
#
# Thought: 风向在正北附近，应对分量求平均；静风是零矢量。

# %%
winds = pd.read_csv('{{ data }}/winds.csv')
winds = winds[winds['station'] == nearest['code'].iloc[0]]
winds = winds[(winds['direction'] != 999) | (winds['speed'] == 0)]
force = winds['speed'] * winds['unit'].map({'kn': 1.852, 'km/h': 1})
angle = np.radians(winds['direction'])
east, north = (force * np.sin(angle)).mean(), (force * np.cos(angle)).mean()
answer = [np.hypot(east, north), np.degrees(np.arctan2(east, north)) % 360]
print(f'{answer[0]:.2f} {answer[1]:.1f}')

# %% naive="careless" trap="directions and speeds are averaged as numbers"
winds = pd.read_csv('{{ data }}/winds.csv')
winds = winds[winds['station'] == nearest['code'].iloc[0]]
winds = winds[(winds['direction'] != 999) | (winds['speed'] == 0)]
force = winds['speed'] * winds['unit'].map({'kn': 1.852, 'km/h': 1})
print(f'{force.mean():.2f} {winds.loc[winds["direction"] != 999, "direction"].mean():.1f}')

# %% naive="literal shortcut" trap="calms are thrown out with what was not measured"
winds = pd.read_csv('{{ data }}/winds.csv')
winds = winds[(winds['station'] == nearest['code'].iloc[0]) & (winds['direction'] != 999)]
force = winds['speed'] * winds['unit'].map({'kn': 1.852, 'km/h': 1})
angle = np.radians(winds['direction'])
east, north = (force * np.sin(angle)).mean(), (force * np.cos(angle)).mean()
print(f'{np.hypot(east, north):.2f} {np.degrees(np.arctan2(east, north)) % 360:.1f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a map of the network in one piece: all of `stations` as points in `grey`, and all of `track` as a line in `crimson` that joins its fixes in the order of time. The x axis has the longitude counted eastwards from Greenwich (170 degrees west is 190), the y axis the latitude; leave the limits of the axes as they come. Title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (7, 4). Call `plt.show()`.
#
# Thought: Longitudes modulo 360 do not jump at the 180th meridian.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画一张不被截断的观测网地图：`stations` 的所有站点画成 `grey` 的点，`track` 画成一条 `crimson` 的线，按时间顺序连接各定位。横轴为自格林尼治起向东计的经度（西经 170 度为 190），纵轴为纬度，坐标轴范围保持默认。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 经度对 360 取模后不会在 180 度处跳变。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
plt.scatter(stations['lon'] % 360, stations['lat'], color='grey')
plt.plot(track['lon'] % 360, track['lat'], color='crimson')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="literal" trap="west longitudes are shifted by 180 in place of 360"
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
plt.scatter(stations['lon'] + 180, stations['lat'], color='grey')
plt.plot(track['lon'] + 180, track['lat'], color='crimson')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

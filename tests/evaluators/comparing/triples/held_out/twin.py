# %% setup
w = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
w['month'] = w['date'].dt.month
mac = pd.read_csv('data/macrodata.csv')
elnino = pd.read_csv('data/elnino.csv')
# %% gold: Draw a climate diagram of the Seattle weather: the mean daily precipitation per month (1 to 12) as blue bars on the left y axis and the mean temp_max per month as a red line with markers on a right y axis (twinx). Label the left axis 'Precipitation (mm)' and the right one 'Temperature (°C)'.
m = w.groupby('month')[['precipitation', 'temp_max']].mean()
fig, ax = plt.subplots()
ax.bar(m.index, m['precipitation'], color='blue')
ax.set_ylabel('Precipitation (mm)')
ax2 = ax.twinx()
ax2.plot(m.index, m['temp_max'], 'r-o')
ax2.set_ylabel('Temperature (°C)')
# %% right: month names, lighter blue, title
m = w.groupby(w.date.dt.month).agg(p=('precipitation', 'mean'), t=('temp_max', 'mean'))
fig, a1 = plt.subplots(figsize=(10, 5))
a1.bar(m.index, m.p, color='tab:blue', alpha=.7, width=.6)
a1.set_ylabel('Precipitation (mm)', color='tab:blue')
a1.set_xticks(range(1, 13)); a1.set_xlabel('Month')
a2 = a1.twinx()
a2.plot(m.index, m.t, color='tab:red', marker='s')
a2.set_ylabel('Temperature (°C)', color='tab:red')
plt.title('Seattle climate')
fig.tight_layout()
# %% right: pandas plots with secondary axis
m = w.pivot_table(index='month', values=['precipitation', 'temp_max'], aggfunc='mean')
fig, ax = plt.subplots(figsize=(8, 5))
m['precipitation'].plot.bar(ax=ax, color='blue', rot=0)
ax2 = ax.twinx()
ax2.plot(range(12), m['temp_max'], color='red', marker='o')
ax.set_ylabel('Precipitation (mm)'); ax2.set_ylabel('Temperature (°C)')
# %% right: legends
m = w.groupby('month').mean(numeric_only=True)
fig, ax = plt.subplots()
b = ax.bar(m.index, m.precipitation, color='royalblue', label='precipitation')
ax2 = ax.twinx()
l, = ax2.plot(m.index, m.temp_max, color='crimson', marker='o', lw=2, label='temp_max')
ax.legend(handles=[b, l], loc='upper center')
ax.set(ylabel='Precipitation (mm)', xticks=m.index); ax2.set_ylabel('Temperature (°C)')
# %% right, before show: title and ticks
ax.set_xticks(range(1, 13))
ax.set_title('Climate')
# %% wrong, changed: temp_min
#- m = w.groupby('month')[['precipitation', 'temp_max']].mean()
m = w.groupby('month')[['precipitation', 'temp_min']].mean()
#- ax2.plot(m.index, m['temp_max'], 'r-o')
ax2.plot(m.index, m['temp_min'], 'r-o')
# %% wrong, changed: sums of precipitation
#- m = w.groupby('month')[['precipitation', 'temp_max']].mean()
m = w.groupby('month').agg({'precipitation': 'sum', 'temp_max': 'mean'})
# %% wrong, changed: one axis for both
#- ax2 = ax.twinx()
#- ax2.plot(m.index, m['temp_max'], 'r-o')
#- ax2.set_ylabel('Temperature (°C)')
ax.plot(m.index, m['temp_max'], 'r-o')
# %% wrong, changed: line and bars exchanged
#- ax.bar(m.index, m['precipitation'], color='blue')
ax.bar(m.index, m['temp_max'], color='blue')
#- ax2.plot(m.index, m['temp_max'], 'r-o')
ax2.plot(m.index, m['precipitation'], 'r-o')
# %% wrong, before: December lost
w = w[w.month < 12]
# %% gold: In a figure with three subplots below each other sharing the x axis, plot realgdp (top), unemp (middle) and infl (bottom) of mac as lines against time year + (quarter - 1)/4. Each subplot has its column's name as title.
t = mac.year + (mac.quarter - 1) / 4
fig, axs = plt.subplots(3, 1, sharex=True, figsize=(8, 8))
for ax, c in zip(axs, ['realgdp', 'unemp', 'infl']):
    ax.plot(t, mac[c])
    ax.set_title(c)
# %% right: plt.subplot
t = mac['year'] + (mac['quarter'] - 1) * .25
fig = plt.figure(figsize=(10, 9))
a = plt.subplot(311); plt.plot(t, mac['realgdp'], 'b'); plt.title('realgdp')
plt.subplot(312, sharex=a); plt.plot(t, mac['unemp'], 'r'); plt.title('unemp')
plt.subplot(313, sharex=a); plt.plot(t, mac['infl'], 'g'); plt.title('infl')
plt.xlabel('time'); plt.tight_layout()
# %% right: pandas subplots
d = mac[['realgdp', 'unemp', 'infl']].set_index(mac.year + (mac.quarter - 1) / 4)
axs = d.plot(subplots=True, layout=(3, 1), figsize=(9, 9), sharex=True, legend=False, title=['realgdp', 'unemp', 'infl'])
plt.tight_layout()
# %% right: grids, suptitle
fig, axs = plt.subplots(nrows=3, sharex='col', figsize=(12, 7), layout='constrained')
x = mac.eval('year + (quarter - 1)/4')
for i, c in enumerate(['realgdp', 'unemp', 'infl']):
    axs[i].plot(x, mac[c], color=f'C{i}', lw=1); axs[i].set_title(c); axs[i].grid(True)
fig.suptitle('US economy')
# %% right, before show: labels
axs[-1].set_xlabel('year')
fig.tight_layout()
# %% wrong: all in one axes
t = mac.year + (mac.quarter - 1) / 4
for c in ['realgdp', 'unemp', 'infl']:
    plt.plot(t, mac[c], label=c)
plt.legend()
# %% wrong: realcons for realgdp
t = mac.year + (mac.quarter - 1) / 4
fig, axs = plt.subplots(3, 1, sharex=True, figsize=(8, 8))
for ax, c, n in zip(axs, ['realcons', 'realint', 'infl'], ['realgdp', 'unemp', 'infl']):
    ax.plot(t, mac[c]); ax.set_title(n)
# %% wrong: another order of the subplots
t = mac.year + (mac.quarter - 1) / 4
fig, axs = plt.subplots(3, 1, sharex=True, figsize=(8, 8))
for ax, c in zip(axs, ['infl', 'unemp', 'realgdp']):
    ax.plot(t, mac[c]); ax.set_title(c)
# %% wrong: side by side
t = mac.year + (mac.quarter - 1) / 4
fig, axs = plt.subplots(1, 3, figsize=(15, 4))
for ax, c in zip(axs, ['realgdp', 'unemp', 'infl']):
    ax.plot(t, mac[c]); ax.set_title(c)
# %% wrong, before: half of the quarters
mac = mac[mac.year < 1985]

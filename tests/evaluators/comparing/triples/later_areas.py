# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])

# %% gold: Draw a stacked area chart of net generation per year by source, with a legend.
wide = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(wide.index, wide.T.to_numpy(), labels=wide.columns)
plt.xlabel('year')
plt.ylabel('net_generation')
plt.legend(loc='upper left')
plt.show()
# %% right: pandas
iowa.pivot_table(index='year', columns='source', values='net_generation').plot.area(alpha=0.7, figsize=(9, 5))
plt.ylabel('net_generation')
plt.show()
# %% right: fill_between by hand
w = iowa.set_index(['year', 'source'])['net_generation'].unstack()
base = np.zeros(len(w))
fig, ax = plt.subplots()
for name in w.columns:
    ax.fill_between(w.index, base, base + w[name], label=name)
    base = base + w[name].to_numpy()
ax.set(xlabel='year', ylabel='net_generation')
ax.legend()
plt.show()
# %% right: other colours, years as numbers
w = iowa.assign(year=iowa.year.dt.year).pivot(index='year', columns='source', values='net_generation')
fig, ax = plt.subplots(figsize=(10, 6))
ax.stackplot(w.index, w['Fossil Fuels'], w['Nuclear Energy'], w['Renewables'], labels=w.columns, colors=['#555', '#fc0', '#2a2'])
ax.set_xlabel('year')
ax.set_ylabel('net_generation')
ax.set_title('Iowa')
ax.legend(loc='lower left')
plt.show()
# %% right, before show: limits and a grid
plt.xlim(wide.index.min(), wide.index.max())
plt.grid(alpha=0.3)
# %% wrong: lines
iowa.pivot(index='year', columns='source', values='net_generation').plot()
plt.ylabel('net_generation')
plt.show()
# %% wrong: not stacked
iowa.pivot(index='year', columns='source', values='net_generation').plot.area(stacked=False)
plt.ylabel('net_generation')
plt.show()
# %% wrong, changed: shares
#- wide = iowa.pivot(index='year', columns='source', values='net_generation')
#- plt.stackplot(wide.index, wide.T.to_numpy(), labels=wide.columns)
w = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(w.index, w.div(w.sum(axis=1), axis=0).T.to_numpy() * 100, labels=w.columns)
# %% wrong, before: a source missing
iowa = iowa[iowa.source != 'Nuclear Energy']
# %% wrong, changed: names of the legend reversed
#- wide = iowa.pivot(index='year', columns='source', values='net_generation')
#- plt.stackplot(wide.index, wide.T.to_numpy(), labels=wide.columns)
w = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(w.index, w.T.to_numpy(), labels=w.columns[::-1])

# %% gold: For each month of 2013 plot the mean of temp_max as a line and fill the band of plus and minus one standard deviation around it.
m = weather[weather.date.dt.year == 2013].groupby(weather.date.dt.month)['temp_max'].agg(['mean', 'std'])
plt.plot(m.index, m['mean'])
plt.fill_between(m.index, m['mean'] - m['std'], m['mean'] + m['std'], alpha=0.3)
plt.xlabel('month')
plt.ylabel('temp_max')
plt.show()
# %% right: the band first, in other colours
y = weather[weather.date.dt.year == 2013]
g = y.groupby(y.date.dt.month)['temp_max']
fig, ax = plt.subplots(figsize=(8, 4))
ax.fill_between(g.mean().index, g.mean() + g.std(), g.mean() - g.std(), color='orange', alpha=0.2, label='±1 sd')
ax.plot(g.mean().index, g.mean(), 'o-', color='darkred', label='mean')
ax.set_xticks(range(1, 13))
ax.set(xlabel='month', ylabel='temp_max')
ax.legend()
plt.show()
# %% right: seaborn
import seaborn as sns
y = weather[weather.date.dt.year == 2013]
sns.lineplot(x=y.date.dt.month.rename('month'), y=y.temp_max, errorbar='sd')
plt.show()
# %% right: pandas line
y = weather[weather.date.dt.year == 2013].assign(month=lambda d: d.date.dt.month).groupby('month')['temp_max'].agg(['mean', 'std'])
ax = y['mean'].plot(color='k', lw=2)
ax.fill_between(y.index, y['mean'].sub(y['std']), y['mean'].add(y['std']), color='grey', alpha=0.4)
ax.set_ylabel('temp_max')
plt.show()
# %% right, before show: a title
plt.title('Seattle 2013')
# %% wrong, changed: two deviations
#- plt.fill_between(m.index, m['mean'] - m['std'], m['mean'] + m['std'], alpha=0.3)
plt.fill_between(m.index, m['mean'] - 2 * m['std'], m['mean'] + 2 * m['std'], alpha=0.3)
# %% wrong, changed: no band
#- plt.fill_between(m.index, m['mean'] - m['std'], m['mean'] + m['std'], alpha=0.3)
# %% wrong, changed: all years
#- m = weather[weather.date.dt.year == 2013].groupby(weather.date.dt.month)['temp_max'].agg(['mean', 'std'])
m = weather.groupby(weather.date.dt.month)['temp_max'].agg(['mean', 'std'])
# %% wrong, before: minimal temperatures
weather = weather.assign(temp_max=weather.temp_min)
# %% wrong, changed: months from 0
#- m = weather[weather.date.dt.year == 2013].groupby(weather.date.dt.month)['temp_max'].agg(['mean', 'std'])
m = weather[weather.date.dt.year == 2013].groupby(weather.date.dt.month)['temp_max'].agg(['mean', 'std']).reset_index(drop=True)

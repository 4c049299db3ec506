# %% setup
air = pd.read_csv('data/airline-passengers.csv', parse_dates=['month']).set_index('month')
gap = pd.read_csv('data/gapminder.csv')
# %% gold: Plot the monthly passengers of air as a line against the date together with their centred 12-month rolling mean (rolling(12, center=True)) as a second, dashed line; legend entries 'passengers' and 'rolling mean'. Title 'Air passengers'.
plt.plot(air.index, air.passengers, label='passengers')
plt.plot(air.index, air.passengers.rolling(12, center=True).mean(), '--', label='rolling mean')
plt.title('Air passengers')
plt.legend()
# %% right: pandas
ax = air['passengers'].plot(figsize=(11, 5), label='passengers', color='grey')
air['passengers'].rolling(window=12, center=True).mean().plot(ax=ax, style='r--', label='rolling mean')
ax.set_title('Air passengers'); ax.legend(); ax.set_xlabel('')
# %% right: NaNs dropped, labels
fig, ax = plt.subplots(figsize=(10, 4))
r = air['passengers'].rolling(12, center=True).mean().dropna()
ax.plot(air['passengers'], color='navy', lw=1, label='passengers')
ax.plot(r.index, r.values, color='orange', linestyle='--', lw=2, label='rolling mean')
ax.set(title='Air passengers', xlabel='date', ylabel='passengers'); ax.legend(loc='upper left'); ax.grid(True)
# %% right: mean drawn first
plt.figure(figsize=(8, 6))
plt.plot(air['passengers'].rolling(12, center=True).mean(), ls='dashed', c='k', label='rolling mean')
plt.plot(air['passengers'], c='tab:cyan', label='passengers')
plt.xticks(rotation=45); plt.legend(); plt.title('Air passengers')
plt.tight_layout()
# %% right, before show: labels
plt.xlabel('month'); plt.ylabel('thousands')
# %% wrong: not centred
plt.plot(air.index, air.passengers, label='passengers')
plt.plot(air.index, air.passengers.rolling(12).mean(), '--', label='rolling mean'); plt.title('Air passengers'); plt.legend()
# %% wrong: rolling standard deviation
plt.plot(air.index, air.passengers, label='passengers')
plt.plot(air.index, air.passengers.rolling(12, center=True).std(), '--', label='rolling mean'); plt.title('Air passengers'); plt.legend()
# %% wrong: window 3
plt.plot(air.index, air.passengers, label='passengers')
plt.plot(air.index, air.passengers.rolling(3, center=True).mean(), '--', label='rolling mean'); plt.title('Air passengers'); plt.legend()
# %% wrong: series missing
plt.plot(air.index, air.passengers.rolling(12, center=True).mean(), '--', label='rolling mean'); plt.title('Air passengers'); plt.legend()
# %% wrong, before: values times 1.1
air = air * 1.1
# %% gold: Plot the population-weighted mean of lifeExp per continent against year from gap (sum(lifeExp*pop)/sum(pop)) as one line with circle markers per continent, with a legend. y label 'Life expectancy (weighted)'.
gap2 = gap.assign(lp=gap.lifeExp * gap['pop'])
t = gap2.groupby(['year', 'continent'])[['lp', 'pop']].sum()
m = (t.lp / t['pop']).unstack()
for c in m.columns:
    plt.plot(m.index, m[c], 'o-', label=c)
plt.ylabel('Life expectancy (weighted)')
plt.legend()
# %% right: np.average, pandas plot
m = gap.groupby(['year', 'continent'])[['lifeExp', 'pop']].apply(lambda d: np.average(d['lifeExp'], weights=d['pop'])).unstack()
ax = m.plot(marker='o', figsize=(9, 6), grid=True)
ax.set_ylabel('Life expectancy (weighted)')
# %% right: seaborn
import seaborn as sns
m = gap.groupby(['continent', 'year'])[['lifeExp', 'pop']].apply(lambda d: (d.lifeExp * d['pop']).sum() / d['pop'].sum()).reset_index(name='w')
sns.lineplot(data=m, x='year', y='w', hue='continent', marker='o', palette='Dark2')
plt.ylabel('Life expectancy (weighted)'); plt.title('Life expectancy by continent')
# %% right: loops
fig, ax = plt.subplots(figsize=(10, 5))
for c in gap.continent.unique():
    g = gap[gap.continent == c]
    ys = sorted(g.year.unique())
    ax.plot(ys, [np.average(g[g.year == y].lifeExp, weights=g[g.year == y]['pop']) for y in ys], marker='o', ms=4, label=c)
ax.set(xlabel='year', ylabel='Life expectancy (weighted)'); ax.legend(bbox_to_anchor=(1, 1))
# %% right, before show: x label, ticks
plt.xlabel('year'); plt.xticks(m.index, rotation=45)
# %% wrong: plain sums of the countries
gap.groupby(['year', 'continent'])['lifeExp'].sum().unstack().plot(marker='o'); plt.ylabel('Life expectancy (weighted)')
# %% wrong: minimum of the countries
gap.groupby(['year', 'continent'])['lifeExp'].min().unstack().plot(marker='o'); plt.ylabel('Life expectancy (weighted)')
# %% wrong: unweighted
gap.groupby(['year', 'continent'])['lifeExp'].mean().unstack().plot(marker='o'); plt.ylabel('Life expectancy (weighted)')
# %% wrong, before: without Oceania
gap = gap[gap.continent != 'Oceania']
# %% wrong: all continents together
t = gap.groupby('year')[['lifeExp', 'pop']].apply(lambda d: np.average(d.lifeExp, weights=d['pop']))
plt.plot(t.index, t, 'o-', label='world'); plt.ylabel('Life expectancy (weighted)'); plt.legend()

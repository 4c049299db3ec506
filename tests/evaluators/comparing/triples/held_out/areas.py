# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
iowa['y'] = iowa['year'].dt.year
w = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
w['month'] = w['date'].dt.month
# %% gold: Draw a stacked area chart of net_generation by source over the years (column y), stacked from the bottom in the order Fossil Fuels, Nuclear Energy, Renewables, with a legend and the title 'Electricity in Iowa'.
t = iowa.pivot(index='y', columns='source', values='net_generation')
plt.stackplot(t.index, t.values.T, labels=t.columns)
plt.legend(loc='upper left')
plt.title('Electricity in Iowa')
# %% right: pandas area
ax = iowa.pivot(index='y', columns='source', values='net_generation').plot.area(figsize=(9, 5), title='Electricity in Iowa', linewidth=0)
ax.set_xlabel('year'); ax.set_ylabel('net generation')
# %% right: colours, alpha
p = iowa.pivot_table(index='y', columns='source', values='net_generation')
fig, ax = plt.subplots(figsize=(10, 6))
ax.stackplot(p.index, p['Fossil Fuels'], p['Nuclear Energy'], p['Renewables'], labels=['Fossil Fuels', 'Nuclear Energy', 'Renewables'], colors=['grey', 'gold', 'green'], alpha=.8)
ax.legend(); ax.set_title('Electricity in Iowa'); ax.set_xlim(2001, 2017)
# %% right: fill_between of cumulative sums
c = iowa.pivot(index='y', columns='source', values='net_generation')
cum = c.cumsum(axis=1)
low = np.zeros(len(c))
for s in c.columns:
    plt.fill_between(c.index, low, cum[s], label=s)
    low = cum[s]
plt.legend(loc='lower left'); plt.title('Electricity in Iowa'); plt.ylabel('generation'); plt.margins(x=0)
# %% right, before show: labels
plt.xlabel('year'); plt.ylabel('net generation')
# %% wrong: unstacked lines
iowa.pivot(index='y', columns='source', values='net_generation').plot(title='Electricity in Iowa')
# %% wrong: shares
t = iowa.pivot(index='y', columns='source', values='net_generation')
t = t.div(t.sum(axis=1), axis=0)
plt.stackplot(t.index, t.values.T, labels=t.columns)
plt.legend(loc='upper left'); plt.title('Electricity in Iowa')
# %% wrong: other order
t = iowa.pivot(index='y', columns='source', values='net_generation')[['Renewables', 'Nuclear Energy', 'Fossil Fuels']]
plt.stackplot(t.index, t.values.T, labels=t.columns)
plt.legend(loc='upper left'); plt.title('Electricity in Iowa')
# %% wrong, before: no nuclear energy
iowa = iowa[iowa.source != 'Nuclear Energy']
# %% wrong: labels exchanged
t = iowa.pivot(index='y', columns='source', values='net_generation')
plt.stackplot(t.index, t.values.T, labels=['Renewables', 'Nuclear Energy', 'Fossil Fuels'])
plt.legend(loc='upper left'); plt.title('Electricity in Iowa')
# %% gold: Plot for the Seattle weather the mean temp_max and the mean temp_min per month (1 to 12) as two lines and fill the area between them in light grey. Legend entries 'max' and 'min', y label 'temperature'.
m = w.groupby('month')[['temp_max', 'temp_min']].mean()
plt.plot(m.index, m.temp_max, label='max')
plt.plot(m.index, m.temp_min, label='min')
plt.fill_between(m.index, m.temp_min, m.temp_max, color='lightgrey')
plt.ylabel('temperature')
plt.legend()
# %% right: axes, red and blue
m = w.groupby(w.date.dt.month).agg(hi=('temp_max', 'mean'), lo=('temp_min', 'mean'))
fig, ax = plt.subplots(figsize=(10, 5))
ax.fill_between(m.index, m.hi, m.lo, color='lightgray', zorder=0)
ax.plot(m.hi, color='red', marker='o', label='max')
ax.plot(m.lo, color='blue', marker='o', label='min')
ax.set(ylabel='temperature', xlabel='month', xticks=range(1, 13), title='Seattle')
ax.legend()
# %% right: pandas
m = w.pivot_table(index='month', values=['temp_max', 'temp_min'])
ax = m.rename(columns={'temp_max': 'max', 'temp_min': 'min'}).plot(lw=2)
ax.fill_between(m.index, m['temp_min'], m['temp_max'], color='#d3d3d3', alpha=.8)
ax.set_ylabel('temperature'); ax.grid(True)
# %% right, before show: month names
plt.xticks(range(1, 13), ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'], rotation=45)
# %% right: seaborn lines over the fill
import seaborn as sns
m = w.groupby('month', as_index=False)[['temp_max', 'temp_min']].mean()
fig, ax = plt.subplots(figsize=(9, 5))
ax.fill_between(m['month'], m['temp_min'], m['temp_max'], color='lightgrey')
sns.lineplot(data=m, x='month', y='temp_max', color='firebrick', label='max', ax=ax)
sns.lineplot(data=m, x='month', y='temp_min', color='steelblue', label='min', ax=ax)
ax.set_ylabel('temperature'); ax.set_title('Mean temperatures')
# %% wrong: no fill
m = w.groupby('month')[['temp_max', 'temp_min']].mean()
plt.plot(m.index, m.temp_max, label='max'); plt.plot(m.index, m.temp_min, label='min')
plt.ylabel('temperature'); plt.legend()
# %% wrong: filled down to zero
m = w.groupby('month')[['temp_max', 'temp_min']].mean()
plt.plot(m.index, m.temp_max, label='max'); plt.plot(m.index, m.temp_min, label='min')
plt.fill_between(m.index, 0, m.temp_max, color='lightgrey')
plt.ylabel('temperature'); plt.legend()
# %% wrong: extremes for means
m = w.groupby('month').agg({'temp_max': 'max', 'temp_min': 'min'})
plt.plot(m.index, m.temp_max, label='max'); plt.plot(m.index, m.temp_min, label='min')
plt.fill_between(m.index, m.temp_min, m.temp_max, color='lightgrey')
plt.ylabel('temperature'); plt.legend()
# %% wrong: legend entries exchanged
m = w.groupby('month')[['temp_max', 'temp_min']].mean()
plt.plot(m.index, m.temp_max, label='min'); plt.plot(m.index, m.temp_min, label='max')
plt.fill_between(m.index, m.temp_min, m.temp_max, color='lightgrey')
plt.ylabel('temperature'); plt.legend()
# %% wrong, before: Fahrenheit
w = w.assign(temp_max=w.temp_max * 1.8 + 32, temp_min=w.temp_min * 1.8 + 32)

# %% setup
import matplotlib.dates as mdates
air = pd.read_csv('data/airline-passengers.csv', parse_dates=['month'])
stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')
gap = pd.read_csv('data/gapminder.csv')
osc = pd.read_csv('data/oscillation.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
sun = pd.read_csv('data/sunspots.csv')
macro = pd.read_csv('data/macrodata.csv')
# %% gold: Plot the monthly airline passengers over time as a line, together with their 12-month rolling mean (trailing window). Show a legend with the entries 'passengers' and '12-month mean'.
plt.plot(air.month, air.passengers, label='passengers')
plt.plot(air.month, air.passengers.rolling(12).mean(), label='12-month mean')
plt.legend()
plt.show()
# %% right: pandas with the date as index
s = air.set_index('month')['passengers']
ax = s.plot(label='passengers', figsize=(12, 5), color='gray')
s.rolling(window=12).mean().plot(ax=ax, label='12-month mean', color='red', linewidth=2)
ax.legend(loc='upper left')
plt.show()
# %% right: a frame with two columns
df = air.set_index('month').assign(m=lambda d: d.passengers.rolling(12).mean())
df.columns = ['passengers', '12-month mean']
df.plot(grid=True, title='Airline passengers')
plt.ylabel('passengers')
plt.show()
# %% right: mean by convolution, shorter x
fig, ax = plt.subplots(figsize=(10, 4))
m = np.convolve(air.passengers, np.ones(12) / 12, mode='valid')
ax.plot(air.month[11:], m, 'k--', label='12-month mean')
ax.plot(air.month, air.passengers, label='passengers', alpha=0.7)
ax.xaxis.set_major_locator(mdates.YearLocator(2))
ax.set_xlabel('Date')
ax.legend()
fig.autofmt_xdate()
plt.show()
# %% right, before: another style
plt.style.use('fivethirtyeight')
# %% wrong, changed: window 6
#- plt.plot(air.month, air.passengers.rolling(12).mean(), label='12-month mean')
plt.plot(air.month, air.passengers.rolling(6).mean(), label='12-month mean')
# %% wrong, changed: no mean
#- plt.plot(air.month, air.passengers.rolling(12).mean(), label='12-month mean')
# %% wrong: labels exchanged
plt.plot(air.month, air.passengers, label='12-month mean')
plt.plot(air.month, air.passengers.rolling(12).mean(), label='passengers')
plt.legend()
plt.show()
# %% wrong, changed: rolling sum
#- plt.plot(air.month, air.passengers.rolling(12).mean(), label='12-month mean')
plt.plot(air.month, air.passengers.rolling(12).sum(), label='12-month mean')
# %% wrong: points
plt.scatter(air.month, air.passengers, label='passengers')
plt.scatter(air.month, air.passengers.rolling(12).mean(), label='12-month mean')
plt.legend()
plt.show()
# %% gold: Plot the share prices of MSFT, AMZN and AAPL over the dates as three lines in one axes with a legend of the symbols, y axis logarithmic and labelled 'price (USD)'.
for s in ['MSFT', 'AMZN', 'AAPL']:
    d = stocks[stocks.symbol == s]
    plt.plot(d.date, d.price, label=s)
plt.yscale('log')
plt.ylabel('price (USD)')
plt.legend()
plt.show()
# %% right: pivot and pandas plot
p = stocks.pivot(index='date', columns='symbol', values='price')[['AAPL', 'AMZN', 'MSFT']]
ax = p.plot(logy=True, figsize=(10, 6))
ax.set_ylabel('price (USD)')
plt.show()
# %% right: seaborn
d = stocks[stocks.symbol.isin(['MSFT', 'AMZN', 'AAPL'])]
ax = sns.lineplot(data=d, x='date', y='price', hue='symbol')
ax.set(yscale='log', ylabel='price (USD)', title='Share prices')
plt.show()
# %% right: semilogy
fig, ax = plt.subplots()
for (s, d), c in zip(stocks.groupby('symbol'), ['tab:red', 'tab:green', None, None, 'tab:blue']):
    if s in ('MSFT', 'AMZN', 'AAPL'):
        ax.semilogy(d['date'], d['price'], lw=1, label=s)
ax.set_ylabel('price (USD)')
ax.set_xlabel('Date')
ax.legend(bbox_to_anchor=(1.02, 1), loc='upper left')
ax.tick_params(axis='x', rotation=45)
plt.tight_layout()
plt.show()
# %% right, before show: grid
plt.grid(True, which='both', alpha=0.3)
plt.title('Tech shares 2000-2010')
# %% wrong, changed: linear
#- plt.yscale('log')
# %% wrong, changed: IBM for AAPL
#- for s in ['MSFT', 'AMZN', 'AAPL']:
#-     d = stocks[stocks.symbol == s]
for s in ['MSFT', 'AMZN', 'IBM']:
    d = stocks[stocks.symbol == s]
# %% wrong: relative to the first price
for s in ['MSFT', 'AMZN', 'AAPL']:
    d = stocks[stocks.symbol == s]
    plt.plot(d.date, d.price / d.price.iloc[0], label=s)
plt.yscale('log')
plt.ylabel('price (USD)')
plt.legend()
plt.show()
# %% wrong: one line through all
d = stocks[stocks.symbol.isin(['MSFT', 'AMZN', 'AAPL'])]
plt.plot(d.date, d.price)
plt.yscale('log')
plt.ylabel('price (USD)')
plt.show()
# %% wrong, changed: prices only from 2005
#- for s in ['MSFT', 'AMZN', 'AAPL']:
#-     d = stocks[stocks.symbol == s]
for s in ['MSFT', 'AMZN', 'AAPL']:
    d = stocks[(stocks.symbol == s) & (stocks.date >= '2005')]
# %% gold: Plot the mean life expectancy (unweighted mean over the countries) against the year with one line per continent, with circle markers at the years and a legend of the continents.
for c, g in gap.groupby('continent'):
    m = g.groupby('year')['lifeExp'].mean()
    plt.plot(m.index, m.values, marker='o', label=c)
plt.legend()
plt.show()
# %% right: pandas
gap.groupby(['year', 'continent'])['lifeExp'].mean().unstack().plot(marker='o', ylabel='life expectancy', title='Life expectancy')
plt.show()
# %% right: seaborn
plt.figure(figsize=(10, 6))
sns.lineplot(data=gap, x='year', y='lifeExp', hue='continent', errorbar=None, marker='o')
plt.ylabel('Life expectancy')
plt.show()
# %% right: dashed, format string, other order
fig, ax = plt.subplots()
pt = gap.pivot_table(index='year', columns='continent', values='lifeExp', aggfunc='mean')
for c in pt.columns[::-1]:
    ax.plot(pt.index, pt[c], 'o--', ms=4, label=c)
ax.legend(title='Continent', fontsize=8)
ax.grid(True)
plt.show()
# %% right, before show: labels
plt.xlabel('Year')
plt.ylabel('Mean life expectancy (years)')
plt.xticks(sorted(gap.year.unique()), rotation=45)
# %% wrong: median
gap.groupby(['year', 'continent'])['lifeExp'].median().unstack().plot(marker='o')
plt.show()
# %% wrong: Africa missing
gap[gap.continent != 'Africa'].groupby(['year', 'continent'])['lifeExp'].mean().unstack().plot(marker='o')
plt.show()
# %% wrong: GDP
gap.groupby(['year', 'continent'])['gdpPercap'].mean().unstack().plot(marker='o')
plt.show()
# %% wrong: mean of all continents
m = gap.groupby('year')['lifeExp'].mean()
plt.plot(m.index, m, marker='o', label='all')
plt.legend()
plt.show()
# %% wrong: axes exchanged
for c, g in gap.groupby('continent'):
    m = g.groupby('year')['lifeExp'].mean()
    plt.plot(m.values, m.index, marker='o', label=c)
plt.legend()
plt.show()
# %% gold: Plot the displacement of the oscillation data against time for the first 5 seconds (time <= 5). Title 'Damped oscillation', x label 'time (s)', y label 'displacement (mm)'.
d = osc[osc.time <= 5]
plt.plot(d.time, d.displacement)
plt.title('Damped oscillation')
plt.xlabel('time (s)')
plt.ylabel('displacement (mm)')
plt.show()
# %% right: pandas
osc.query('time <= 5').plot(x='time', y='displacement', legend=False, color='crimson', figsize=(9, 3))
plt.xlabel('time (s)'); plt.ylabel('displacement (mm)'); plt.title('Damped oscillation')
plt.show()
# %% right: all data with limits on the axis
fig, ax = plt.subplots()
mask = osc['time'] <= 5
ax.plot(osc.loc[mask, 'time'].to_numpy(), osc.loc[mask, 'displacement'].to_numpy(), lw=2.5, color='k')
ax.set(title='Damped oscillation', xlabel='time (s)', ylabel='displacement (mm)', xlim=(0, 5))
ax.axhline(0, color='gray', lw=0.5)
plt.show()
# %% right, changed: seaborn
#- d = osc[osc.time <= 5]
#- plt.plot(d.time, d.displacement)
sns.set_theme()
sns.lineplot(x='time', y='displacement', data=osc[osc['time'] <= 5])
# %% right, before show: grid and tight layout
plt.grid()
plt.tight_layout()
# %% wrong, changed: all times
#- d = osc[osc.time <= 5]
#- plt.plot(d.time, d.displacement)
plt.plot(osc.time, osc.displacement)
# %% wrong, changed: the absolute value
#- plt.plot(d.time, d.displacement)
plt.plot(d.time, d.displacement.abs())
# %% wrong, changed: against the sample number
#- plt.plot(d.time, d.displacement)
plt.plot(d.displacement)
# %% wrong, before show: other title
plt.title('Displacement over time')
# %% wrong, changed: 10 % too large
#- plt.plot(d.time, d.displacement)
plt.plot(d.time, d.displacement * 1.1)
# %% gold: Show the seasonal course of the temperature in Seattle: the mean temp_max and the mean temp_min for each calendar month (1 to 12, over all years) as two lines, and the band between them filled with a half-transparent colour. Label the x axis 'month' and the y axis 'temperature (°C)'.
m = weather.groupby(weather.date.dt.month)[['temp_max', 'temp_min']].mean()
plt.plot(m.index, m.temp_max, label='temp_max')
plt.plot(m.index, m.temp_min, label='temp_min')
plt.fill_between(m.index, m.temp_min, m.temp_max, alpha=0.3)
plt.xlabel('month')
plt.ylabel('temperature (°C)')
plt.legend()
plt.show()
# %% right: object API, month names as ticks
fig, ax = plt.subplots(figsize=(9, 5))
w = weather.assign(month=weather.date.dt.month).groupby('month').agg({'temp_max': 'mean', 'temp_min': 'mean'})
ax.fill_between(w.index, w.temp_max, w.temp_min, color='orange', alpha=0.4)
ax.plot(w.temp_max, 'r-o', label='mean max')
ax.plot(w.temp_min, 'b-o', label='mean min')
ax.set_xticks(range(1, 13), ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])
ax.set_xlabel('month'); ax.set_ylabel('temperature (°C)')
ax.legend()
plt.show()
# %% right: pandas plot and fill
m = weather.groupby(weather.date.dt.month)[['temp_max', 'temp_min']].mean()
ax = m.plot(color=['tomato', 'royalblue'])
ax.fill_between(m.index, m.temp_min, m.temp_max, color='gray', alpha=0.3)
ax.set_xlabel('month')
ax.set_ylabel('temperature (°C)')
ax.set_title('Seattle')
plt.show()
# %% right: pivot table, no legend
m = weather.pivot_table(index=weather.date.dt.month, values=['temp_max', 'temp_min'])
plt.plot(m.index.values, m['temp_min'].values, color='navy')
plt.plot(m.index.values, m['temp_max'].values, color='darkred')
plt.fill_between(m.index.values, m['temp_min'], m['temp_max'], alpha=0.5, color='khaki')
plt.text(6, 26, 'max'); plt.text(6, 9, 'min')
plt.xlabel('month')
plt.ylabel('temperature (°C)')
plt.show()
# %% right, before show: title and grid
plt.title('Temperature by month')
plt.xticks(range(1, 13))
plt.grid(ls=':')
# %% wrong: no band
m = weather.groupby(weather.date.dt.month)[['temp_max', 'temp_min']].mean()
m.plot()
plt.xlabel('month')
plt.ylabel('temperature (°C)')
plt.show()
# %% wrong, changed: filled down to 0
#- plt.fill_between(m.index, m.temp_min, m.temp_max, alpha=0.3)
plt.fill_between(m.index, m.temp_max, alpha=0.3)
# %% wrong, changed: by year
#- m = weather.groupby(weather.date.dt.month)[['temp_max', 'temp_min']].mean()
m = weather.groupby(weather.date.dt.year)[['temp_max', 'temp_min']].mean()
# %% wrong, changed: extremes for means
#- m = weather.groupby(weather.date.dt.month)[['temp_max', 'temp_min']].mean()
m = weather.groupby(weather.date.dt.month).agg(temp_max=('temp_max', 'max'), temp_min=('temp_min', 'min'))
# %% wrong, changed: no label of y
#- plt.ylabel('temperature (°C)')
# %% gold: Plot the sunspot activity by year (1700 to 2008) as a line and mark the five years with the highest activity with red dots.
plt.plot(sun.YEAR, sun.SUNACTIVITY)
t = sun.nlargest(5, 'SUNACTIVITY')
plt.scatter(t.YEAR, t.SUNACTIVITY, color='red', zorder=3)
plt.show()
# %% right: pandas and plot('ro')
ax = sun.plot(x='YEAR', y='SUNACTIVITY', figsize=(12, 4), color='orange')
t = sun.sort_values('SUNACTIVITY').tail(5)
ax.plot(t['YEAR'], t['SUNACTIVITY'], 'ro')
plt.show()
# %% right: with numbers and annotation
fig, ax = plt.subplots(figsize=(11, 4))
y = sun.SUNACTIVITY.values
ax.plot(sun.YEAR, y, lw=0.8, color='k', label='sunspots')
i = np.argsort(y)[-5:]
ax.plot(sun.YEAR.values[i], y[i], 'o', color='red', ms=8, label='top 5')
for k in i:
    ax.annotate(str(sun.YEAR[k]), (sun.YEAR[k], y[k]), textcoords='offset points', xytext=(4, 4))
ax.legend()
plt.show()
# %% right: seaborn
sns.lineplot(data=sun, x='YEAR', y='SUNACTIVITY')
sns.scatterplot(data=sun.nlargest(5, 'SUNACTIVITY'), x='YEAR', y='SUNACTIVITY', color='red', s=60, zorder=5)
plt.title('Sunspots')
plt.show()
# %% right, before show: labels
plt.xlabel('Year')
plt.ylabel('Sunspot activity')
plt.grid(True)
# %% wrong: no dots
plt.plot(sun.YEAR, sun.SUNACTIVITY)
plt.show()
# %% wrong, changed: the lowest
#- t = sun.nlargest(5, 'SUNACTIVITY')
t = sun.nsmallest(5, 'SUNACTIVITY')
# %% wrong, changed: the last five years
#- t = sun.nlargest(5, 'SUNACTIVITY')
t = sun.tail(5)
# %% wrong, changed: only one marked
#- t = sun.nlargest(5, 'SUNACTIVITY')
t = sun.nlargest(1, 'SUNACTIVITY')
# %% wrong: smoothed
s = sun.SUNACTIVITY.rolling(11).mean()
plt.plot(sun.YEAR, s)
i = s.nlargest(5).index
plt.scatter(sun.YEAR[i], s[i], color='red', zorder=3)
plt.show()
# %% gold: Show unemployment (unemp, left y axis) and inflation (infl, right y axis) of the macro data against time in one plot with two y axes (x = year + (quarter - 1) / 4). Label the left axis 'unemployment (%)' and the right axis 'inflation (%)'.
x = macro.year + (macro.quarter - 1) / 4
fig, ax = plt.subplots()
ax.plot(x, macro.unemp, color='C0')
ax.set_ylabel('unemployment (%)')
ax2 = ax.twinx()
ax2.plot(x, macro.infl, color='C1')
ax2.set_ylabel('inflation (%)')
plt.show()
# %% right: pandas with secondary_y
d = macro.set_index(macro.year + (macro.quarter - 1) / 4)
ax = d['unemp'].plot(color='navy', figsize=(10, 5))
ax2 = d['infl'].plot(secondary_y=True, color='firebrick', ax=ax)
ax.set_ylabel('unemployment (%)')
ax2.set_ylabel('inflation (%)')
plt.show()
# %% right: pyplot
x = macro['year'] + (macro['quarter'] - 1) / 4
plt.figure(figsize=(12, 4))
plt.plot(x, macro['unemp'], 'g-')
plt.ylabel('unemployment (%)', color='g')
plt.twinx()
plt.plot(x, macro['infl'], 'm--')
plt.ylabel('inflation (%)', color='m')
plt.title('US economy')
plt.show()
# %% right: coloured ticks and a joint legend
fig, ax1 = plt.subplots(figsize=(8, 6))
x = macro.year + (macro.quarter - 1) * 0.25
l1, = ax1.plot(x, macro.unemp, 'tab:red', label='unemployment')
ax1.set_xlabel('year')
ax1.set_ylabel('unemployment (%)', color='tab:red')
ax1.tick_params(axis='y', labelcolor='tab:red')
ax2 = ax1.twinx()
l2, = ax2.plot(x, macro.infl, 'tab:blue', label='inflation')
ax2.set_ylabel('inflation (%)', color='tab:blue')
ax2.tick_params(axis='y', labelcolor='tab:blue')
ax1.legend(handles=[l1, l2], loc='upper right')
fig.tight_layout()
plt.show()
# %% right, before show: x label
ax.set_xlabel('time')
ax.set_title('Unemployment and inflation')
# %% wrong: one axis
x = macro.year + (macro.quarter - 1) / 4
fig, ax = plt.subplots()
ax.plot(x, macro.unemp, color='C0')
ax.plot(x, macro.infl, color='C1')
ax.set_ylabel('unemployment (%)')
plt.show()
# %% wrong, changed: exchanged
#- ax.plot(x, macro.unemp, color='C0')
ax.plot(x, macro.infl, color='C0')
#- ax2.plot(x, macro.infl, color='C1')
ax2.plot(x, macro.unemp, color='C1')
# %% wrong, changed: interest for inflation
#- ax2.plot(x, macro.infl, color='C1')
ax2.plot(x, macro.tbilrate, color='C1')
# %% wrong: labels missing
x = macro.year + (macro.quarter - 1) / 4
fig, ax = plt.subplots()
ax.plot(x, macro.unemp, color='C0')
ax2 = ax.twinx()
ax2.plot(x, macro.infl, color='C1')
plt.show()

# %% setup
import matplotlib.dates as mdates

air = pd.read_csv('data/airline-passengers.csv', parse_dates=['month'])
stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')
gap = pd.read_csv('data/gapminder.csv')
sun = pd.read_csv('data/sunspots.csv')
tips = pd.read_csv('data/tips.csv')
marriages = pd.read_csv('data/marriages.csv')

# %% gold: Plot the monthly number of airline passengers over time together with its 12-month rolling mean, with a legend and the title 'Airline passengers'.
plt.figure(figsize=(10, 4))
plt.plot(air['month'], air['passengers'], label='passengers')
plt.plot(air['month'], air['passengers'].rolling(12).mean(), label='12-month mean', color='red')
plt.title('Airline passengers')
plt.xlabel('month')
plt.ylabel('passengers')
plt.legend()
plt.show()
# %% right: pandas with an index of dates
s = air.set_index('month')['passengers']
ax = s.plot(label='monthly')
s.rolling(window=12).mean().plot(ax=ax, label='rolling mean (12 months)', linestyle='--')
ax.set_title('Airline passengers')
ax.set_ylabel('passengers')
ax.legend(loc='upper left')
plt.show()
# %% right: columns of a frame
d = air.assign(rolling=air.passengers.rolling(12).mean()).set_index('month')
d.plot(figsize=(12, 5), title='Airline passengers', grid=True)
plt.ylabel('passengers')
plt.show()
# %% right: seaborn lines
air['mean12'] = air['passengers'].rolling(12).mean()
fig, ax = plt.subplots()
sns.lineplot(x='month', y='passengers', data=air, ax=ax, label='passengers')
sns.lineplot(x='month', y='mean12', data=air, ax=ax, label='12-month mean', color='k')
ax.set_title('Airline passengers')
plt.show()
# %% right: the mean first, years as tick labels
fig, ax = plt.subplots()
ax.plot(air['month'], air['passengers'].rolling(12).mean(), lw=3, color='orange', label='12-month rolling mean')
ax.plot(air['month'], air['passengers'], lw=1, color='grey', label='passengers', marker='.')
ax.xaxis.set_major_formatter(mdates.DateFormatter('%Y'))
ax.xaxis.set_major_locator(mdates.YearLocator(2))
fig.autofmt_xdate()
ax.set_title('Airline passengers')
ax.set_xlabel('month')
ax.set_ylabel('passengers')
ax.legend()
plt.show()
# %% wrong: a window of 6
plt.plot(air['month'], air['passengers'], label='passengers')
plt.plot(air['month'], air['passengers'].rolling(6).mean(), label='12-month mean', color='red')
plt.title('Airline passengers')
plt.xlabel('month')
plt.ylabel('passengers')
plt.legend()
plt.show()
# %% wrong: rolling sum
plt.plot(air['month'], air['passengers'], label='passengers')
plt.plot(air['month'], air['passengers'].rolling(12).sum(), label='12-month mean', color='red')
plt.title('Airline passengers')
plt.xlabel('month')
plt.ylabel('passengers')
plt.legend()
plt.show()
# %% wrong, changed: the mean alone
#- plt.figure(figsize=(10, 4))
#- plt.plot(air['month'], air['passengers'], label='passengers')
# %% wrong: no title
plt.plot(air['month'], air['passengers'], label='passengers')
plt.plot(air['month'], air['passengers'].rolling(12).mean(), label='12-month mean', color='red')
plt.xlabel('month')
plt.ylabel('passengers')
plt.legend()
plt.show()
# %% wrong, before: half the years
air = air.iloc[:72]
# %% wrong, changed: monthly changes
#- plt.figure(figsize=(10, 4))
#- plt.plot(air['month'], air['passengers'], label='passengers')
#- plt.plot(air['month'], air['passengers'].rolling(12).mean(), label='12-month mean', color='red')
plt.plot(air['month'], air['passengers'].diff(), label='passengers')
plt.plot(air['month'], air['passengers'].diff().rolling(12).mean(), label='12-month mean', color='red')

# %% gold: Plot the price of AAPL, GOOG and MSFT over time, each normalised to 100 at its first date, one line for each with a legend.
for name in ['AAPL', 'GOOG', 'MSFT']:
    part = stocks[stocks.symbol == name].sort_values('date')
    plt.plot(part['date'], part['price'] / part['price'].iloc[0] * 100, label=name)
plt.xlabel('date')
plt.ylabel('index (first = 100)')
plt.legend()
plt.show()
# %% right: pivot
wide = stocks.pivot(index='date', columns='symbol', values='price')[['MSFT', 'AAPL', 'GOOG']]
wide = wide / wide.bfill().iloc[0] * 100
wide.plot(figsize=(10, 6), lw=2)
plt.ylabel('index (first = 100)')
plt.show()
# %% right: groupby transform with seaborn
s = stocks[stocks.symbol.isin(['AAPL', 'GOOG', 'MSFT'])].copy()
s['norm'] = s.groupby('symbol')['price'].transform(lambda p: 100 * p / p.iloc[0])
sns.lineplot(data=s, x='date', y='norm', hue='symbol', style='symbol')
plt.ylabel('index (first = 100)')
plt.show()
# %% right: markers and a title
fig, ax = plt.subplots(figsize=(9, 5))
for (name, part), style in zip(stocks[stocks.symbol.isin(['AAPL', 'GOOG', 'MSFT'])].groupby('symbol'), ['o-', 's--', '^:']):
    ax.plot(part['date'], part['price'].div(part['price'].values[0]).mul(100), style, ms=3, label=name)
ax.set_title('Normalised prices')
ax.set_xlabel('date')
ax.set_ylabel('index (first = 100)')
ax.legend(bbox_to_anchor=(1, 1))
plt.show()
# %% right, before show: a line at 100
plt.axhline(100, color='grey', lw=0.5, ls='--')
# %% wrong: raw prices
for name in ['AAPL', 'GOOG', 'MSFT']:
    part = stocks[stocks.symbol == name]
    plt.plot(part['date'], part['price'], label=name)
plt.xlabel('date')
plt.ylabel('index (first = 100)')
plt.legend()
plt.show()
# %% wrong: normalised to the largest
for name in ['AAPL', 'GOOG', 'MSFT']:
    part = stocks[stocks.symbol == name]
    plt.plot(part['date'], part['price'] / part['price'].max() * 100, label=name)
plt.xlabel('date')
plt.ylabel('index (first = 100)')
plt.legend()
plt.show()
# %% wrong, changed: IBM for GOOG
#- for name in ['AAPL', 'GOOG', 'MSFT']:
#-     part = stocks[stocks.symbol == name].sort_values('date')
for name in ['AAPL', 'IBM', 'MSFT']:
    part = stocks[stocks.symbol == name]
# %% wrong, changed: MSFT missing
#- for name in ['AAPL', 'GOOG', 'MSFT']:
#-     part = stocks[stocks.symbol == name].sort_values('date')
for name in ['AAPL', 'GOOG']:
    part = stocks[stocks.symbol == name]
# %% wrong: names swapped
for name, label in [('AAPL', 'GOOG'), ('GOOG', 'AAPL'), ('MSFT', 'MSFT')]:
    part = stocks[stocks.symbol == name]
    plt.plot(part['date'], part['price'] / part['price'].iloc[0] * 100, label=label)
plt.xlabel('date')
plt.ylabel('index (first = 100)')
plt.legend()
plt.show()

# %% gold: Plot the total world population per year with markers on a logarithmic y axis.
world = gap.groupby('year')['pop'].sum()
plt.plot(world.index, world.values, marker='o')
plt.yscale('log')
plt.xlabel('year')
plt.ylabel('population')
plt.show()
# %% right: semilogy
w = gap.groupby('year', as_index=False)['pop'].sum()
plt.semilogy(w['year'], w['pop'], 's--', color='green')
plt.xlabel('year')
plt.ylabel('population')
plt.grid(True, which='both', alpha=0.3)
plt.show()
# %% right: pandas
gap.groupby('year')['pop'].sum().plot(logy=True, marker='x', figsize=(8, 5), color='k')
plt.ylabel('population')
plt.show()
# %% right: seaborn
fig, ax = plt.subplots()
sns.lineplot(data=gap, x='year', y='pop', estimator='sum', errorbar=None, marker='o', ax=ax)
ax.set(yscale='log', xlabel='year', ylabel='population')
plt.show()
# %% right, before show: ticks at each year
plt.xticks(world.index, rotation=60)
# %% wrong: a linear axis
w = gap.groupby('year')['pop'].sum()
plt.plot(w.index, w.values, marker='o')
plt.xlabel('year')
plt.ylabel('population')
plt.show()
# %% wrong, changed: the mean
#- world = gap.groupby('year')['pop'].sum()
#- plt.plot(world.index, world.values, marker='o')
w = gap.groupby('year')['pop'].mean()
plt.plot(w.index, w.values, marker='o')
# %% wrong: a logarithmic x axis
w = gap.groupby('year')['pop'].sum()
plt.plot(w.index, w.values, marker='o')
plt.xscale('log')
plt.xlabel('year')
plt.ylabel('population')
plt.show()
# %% wrong, before: Asia alone
gap = gap[gap.continent == 'Asia']
# %% wrong, before: the last year missing
gap = gap[gap.year < 2007]

# %% gold: Make a step plot (where='post') of the cumulative number of sunspots for the years 1900 to 1950.
part = sun[(sun.YEAR >= 1900) & (sun.YEAR <= 1950)]
plt.step(part['YEAR'], part['SUNACTIVITY'].cumsum(), where='post')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% right: drawstyle of plot
p = sun[sun.YEAR.between(1900, 1950)]
fig, ax = plt.subplots(figsize=(9, 4))
ax.plot(p['YEAR'], np.cumsum(p['SUNACTIVITY']), drawstyle='steps-post', color='darkorange')
ax.set_xlabel('year')
ax.set_ylabel('cumulative sunspots')
plt.show()
# %% right: pandas
sun.set_index('YEAR').loc[1900:1950, 'SUNACTIVITY'].cumsum().plot(drawstyle='steps-post')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% right: a title, thick
p = sun.query('1900 <= YEAR <= 1950')
plt.step(p.YEAR, p.SUNACTIVITY.cumsum(), where='post', lw=3, c='m')
plt.title('Cumulative sunspots, 1900-1950')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% wrong: not cumulated
p = sun[sun.YEAR.between(1900, 1950)]
plt.step(p['YEAR'], p['SUNACTIVITY'], where='post')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% wrong: cumulated over all years before
c = sun.assign(c=sun.SUNACTIVITY.cumsum())
p = c[c.YEAR.between(1900, 1950)]
plt.step(p['YEAR'], p['c'], where='post')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% wrong: all years
plt.step(sun['YEAR'], sun['SUNACTIVITY'].cumsum(), where='post')
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% wrong: bars of each year
p = sun[sun.YEAR.between(1900, 1950)]
plt.bar(p['YEAR'], p['SUNACTIVITY'])
plt.xlabel('year')
plt.ylabel('cumulative sunspots')
plt.show()
# %% wrong, before: a twentieth more
sun = sun.assign(SUNACTIVITY=sun.SUNACTIVITY * 1.05)

# %% gold: Draw a stem plot of the mean tip for each party size (1 to 6).
mean_tip = tips.groupby('size')['tip'].mean()
plt.stem(mean_tip.index, mean_tip.values)
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()
# %% right: other markers
m = tips.groupby('size').agg({'tip': 'mean'})['tip']
fig, ax = plt.subplots(figsize=(6, 4))
ax.stem(m.index, m, linefmt='r--', markerfmt='ro', basefmt='k-')
ax.set(xlabel='party size', ylabel='mean tip')
plt.show()
# %% right: computed in a loop
sizes = sorted(tips['size'].unique())
values = [tips.loc[tips['size'] == s, 'tip'].mean() for s in sizes]
plt.stem(sizes, values, basefmt=' ')
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.title('Mean tip by party size')
plt.show()
# %% right, before show: limits of y and a grid
plt.ylim(0, 7)
plt.grid(axis='y')
# %% right: a pivot table
m = tips.pivot_table(values='tip', index='size', aggfunc='mean')
markers, lines, base = plt.stem(m.index.to_numpy(), m['tip'].to_numpy())
plt.setp(lines, linewidth=3, color='teal')
plt.setp(markers, markersize=10, color='teal')
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()
# %% wrong: bill for tip
m = tips.groupby('size')['total_bill'].mean()
plt.stem(m.index, m.values)
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()
# %% wrong: the median
m = tips.groupby('size')['tip'].median()
plt.stem(m.index, m.values)
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()
# %% wrong: sizes from 0
m = tips.groupby('size')['tip'].mean()
plt.stem(m.values)
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()
# %% wrong, before: no parties of 6
tips = tips[tips['size'] < 6]
# %% wrong: all the tips
plt.scatter(tips['size'], tips['tip'])
plt.xlabel('party size')
plt.ylabel('mean tip')
plt.show()

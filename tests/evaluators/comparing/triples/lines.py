# %% setup
macro = pd.read_csv('data/macrodata.csv')
macro.index = pd.PeriodIndex.from_fields(year=macro['year'], quarter=macro['quarter'], freq='Q').to_timestamp()
stocks = pd.read_csv('data/stocks.csv', parse_dates=['date'], date_format='%b %d %Y')
prices = stocks.pivot(index='date', columns='symbol', values='price')[['AMZN', 'IBM', 'MSFT']]
gapminder = pd.read_csv('data/gapminder.csv')
passengers = pd.read_csv('data/airline-passengers.csv')['passengers']
losses = 2.3 * np.exp(-np.arange(40) / 9) + 0.1 + 0.05 * np.sin(np.arange(40) * 2.1)


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: one curve over dates
plt.figure(figsize=(5, 3.5))
plt.plot(macro.index, macro['unemp'], color='black', linewidth=2)
words('Unemployment', 'year', 'percent')
plt.show()
# %% right: by pandas
macro['unemp'].plot(figsize=(8, 3), color='tab:red', lw=1, title='Unemployment', xlabel='year', ylabel='percent')
plt.show()
# %% right: by seaborn, with markers and a grid
sns.lineplot(x=macro.index, y=macro['unemp'], marker='o', markersize=3)
words('Unemployment', 'year', 'percent')
plt.grid()
plt.show()
# %% right: on axes, dashed, with years as ticks
import matplotlib.dates as mdates
figure, axes = plt.subplots(figsize=(10, 4))
axes.plot(macro.index.to_numpy(), macro['unemp'].to_numpy(), 'g--')
axes.xaxis.set_major_locator(mdates.YearLocator(10))
axes.xaxis.set_major_formatter(mdates.DateFormatter('%Y'))
axes.set(title='Unemployment', xlabel='year', ylabel='percent', ylim=(0, 12))
plt.show()
# %% wrong, before: another column
macro = macro.assign(unemp=macro['tbilrate'])
# %% wrong, before: in reverse
macro = macro.assign(unemp=macro['unemp'].to_numpy()[::-1])
# %% wrong, before: negative
macro = macro.assign(unemp=-macro['unemp'])
# %% wrong, before: values larger by a twentieth
macro = macro.assign(unemp=macro['unemp'] * 1.05)
# %% wrong, before: half of the time
macro = macro.iloc[: len(macro) // 2]
# %% wrong, before: smoothed
macro = macro.assign(unemp=macro['unemp'].rolling(8, min_periods=1).mean())
# %% wrong, before: a year late
macro = macro.assign(unemp=macro['unemp'].shift(4))
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% wrong, before show: logarithmic axis
plt.yscale('log')

# %% gold: a curve on a logarithmic axis
plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 41), losses, color='crimson', linewidth=2, marker='o')
plt.yscale('log')
words('Loss', 'step', 'mean squared error')
plt.show()
# %% right: semilogy without markers
plt.semilogy(np.arange(1, 41), losses)
words('Loss', 'step', 'mean squared error')
plt.show()
# %% right: by pandas
pd.Series(losses, index=range(1, 41)).plot(logy=True, style='k.-', figsize=(9, 6))
words('Loss', 'step', 'mean squared error')
plt.show()
# %% wrong: linear axis
plt.plot(range(1, 41), losses, color='crimson', linewidth=2, marker='o')
words('Loss', 'step', 'mean squared error')
plt.show()
# %% wrong, before: another descent
losses = 1.9 * np.exp(-np.arange(40) / 15) + 0.1
# %% wrong, before: in reverse
losses = losses[::-1]
# %% wrong, before: its running mean
losses = np.cumsum(losses) / np.arange(1, 41)
# %% wrong, before show: logarithmic in both
plt.xscale('log')

# %% gold: three curves with a legend
indexed = prices.dropna() / prices.dropna().iloc[0] * 100
plt.figure(figsize=(5.5, 3.5))
for symbol in indexed.columns:
    plt.plot(indexed.index, indexed[symbol], linewidth=2, label=symbol)
words('Growth of 100 dollars', '', 'value')
plt.legend()
plt.show()
# %% right: by pandas
indexed = prices.dropna() / prices.dropna().iloc[0] * 100
indexed.plot(title='Growth of 100 dollars', ylabel='value', xlabel='', figsize=(9, 5))
plt.show()
# %% right: by seaborn from a long table
indexed = prices.dropna() / prices.dropna().iloc[0] * 100
long = indexed.reset_index().melt(id_vars='date', var_name='symbol', value_name='value')
sns.lineplot(data=long, x='date', y='value', hue='symbol', palette='dark')
words('Growth of 100 dollars', '', 'value')
plt.legend(loc='upper left')
plt.show()
# %% right: in another order, in one call, legend outside
indexed = prices.dropna() / prices.dropna().iloc[0] * 100
plt.plot(indexed.index, indexed[['MSFT', 'AMZN', 'IBM']], label=['MSFT', 'AMZN', 'IBM'])
words('Growth of 100 dollars', '', 'value')
plt.legend(loc='center left', bbox_to_anchor=(1, 0.5))
plt.show()
# %% wrong, before: names of the curves exchanged
prices = prices.set_axis(['MSFT', 'AMZN', 'IBM'], axis=1)
# %% wrong, before: two of the three
prices = prices[['AMZN', 'IBM']]
# %% wrong: prices, not growth
prices.dropna().plot(title='Growth of 100 dollars', ylabel='value', xlabel='')
plt.show()
# %% wrong: relative to the last day
(prices.dropna() / prices.dropna().iloc[-1] * 100).plot(title='Growth of 100 dollars', ylabel='value', xlabel='')
plt.show()
# %% wrong, before: one price is an error
prices = prices.copy()
prices.iloc[60, 0] = 900
# %% wrong, before: in reverse order of time
prices = prices[::-1].set_axis(prices.index)
# %% wrong, before show: without a legend and other words
plt.gca().get_legend().remove()
[line.set_label('_') for line in plt.gca().lines]
words('Prices of three stocks', 'date', 'dollars')

# %% gold: raw values, their rolling mean, and the greatest marked
smooth = passengers.rolling(12).mean()
plt.figure(figsize=(5, 3.2))
plt.plot(passengers.index, passengers, color='lightgray', linewidth=2, label='raw')
plt.plot(passengers.index, smooth, color='crimson', linewidth=2.5, label='mean of 12')
plt.axvline(passengers.idxmax(), color='gray', linestyle='--')
words('Passengers', 'month', 'thousands')
plt.legend()
plt.show()
# %% right: gaps left out instead of drawn, the mark by another call
smooth = passengers.rolling(12).mean().dropna()
passengers.plot(color='skyblue', label='raw')
plt.plot(smooth.index, smooth, 'k', label='mean of 12')
low, high = plt.ylim()
plt.axvline(x=passengers.idxmax(), color='r')
words('Passengers', 'month', 'thousands')
plt.legend(loc='lower right')
plt.show()
# %% right: with a text beside the mark
smooth = passengers.rolling(12).mean()
figure, axes = plt.subplots(figsize=(8, 5))
axes.axvline(passengers.idxmax(), color='green', lw=1)
axes.text(passengers.idxmax() - 3, 150, 'greatest', rotation=90)
axes.plot(passengers, label='raw', alpha=0.5)
axes.plot(smooth, label='mean of 12')
axes.set_title('Passengers')
axes.set_xlabel('month')
axes.set_ylabel('thousands')
axes.legend()
plt.show()
# %% wrong: mean of 6
smooth = passengers.rolling(6).mean()
plt.plot(passengers, label='raw')
plt.plot(smooth, label='mean of 12')
plt.axvline(passengers.idxmin(), color='gray', linestyle='--')
words('Passengers', 'month', 'thousands')
plt.legend()
plt.show()
# %% wrong: the smoothed one alone
smooth = passengers.rolling(12).mean()
plt.plot(smooth, color='crimson', linewidth=2.5, label='mean of 12')
words('Passengers', 'month', 'thousands')
plt.legend()
plt.show()
# %% wrong, before: logarithms
passengers = np.log(passengers)
# %% wrong, before: permuted
passengers = passengers.sample(frac=1, random_state=1).reset_index(drop=True)
# %% wrong, before: differences
passengers = passengers.diff()

# %% gold: a staircase
values = np.sort(gapminder.query('year == 2007')['lifeExp'])
plt.figure(figsize=(5, 3.5))
plt.step(values, np.arange(1, len(values) + 1) / len(values), where='post', linewidth=2)
words('Share below', 'years', 'share of countries')
plt.show()
# %% right: drawstyle of plot
values = np.sort(gapminder.query('year == 2007')['lifeExp'])
plt.plot(values, np.linspace(1 / len(values), 1, len(values)), drawstyle='steps-post', color='k')
words('Share below', 'years', 'share of countries')
plt.show()
# %% right: larger, with a grid and limits
values = np.sort(gapminder.query('year == 2007')['lifeExp'])
plt.figure(figsize=(8, 8), dpi=60)
plt.step(values, (np.arange(len(values)) + 1) / len(values), 'r', where='post', lw=3, alpha=0.6)
plt.xlim(35, 85)
plt.ylim(0, 1.05)
plt.grid(True)
words('Share below', 'years', 'share of countries')
plt.show()
# %% wrong, before: another year
gapminder = gapminder.assign(year=gapminder['year'] + 10)
# %% wrong: shares above
values = np.sort(gapminder.query('year == 2007')['lifeExp'])
plt.step(values, 1 - np.arange(len(values)) / len(values), where='post')
words('Share below', 'years', 'share of countries')
plt.show()
# %% wrong: unsorted
values = gapminder.query('year == 2007')['lifeExp']
plt.step(values, np.arange(1, len(values) + 1) / len(values), where='post', linewidth=2)
words('Share below', 'years', 'share of countries')
plt.show()
# %% wrong: axes exchanged
values = np.sort(gapminder.query('year == 2007')['lifeExp'])
plt.step(np.arange(1, len(values) + 1) / len(values), values, where='post', linewidth=2)
words('Share below', 'share of countries', 'years')
plt.show()

# %% gold: two lines over names
means = gapminder.groupby(['continent', 'year'])['lifeExp'].mean().unstack()[[1952, 2007]]
plt.figure(figsize=(5, 3.5))
plt.plot(means.index, means[1952], color='crimson', marker='o', linewidth=3, label='1952')
plt.plot(means.index, means[2007], color='navy', marker='s', linewidth=3, label='2007')
words('Life expectancy', '', 'years')
plt.legend()
plt.show()
# %% right: by pandas
means = gapminder.groupby(['continent', 'year'])['lifeExp'].mean().unstack()[[1952, 2007]]
means.plot(marker='^', title='Life expectancy', ylabel='years', xlabel='', xticks=range(5))
plt.legend(title=None)
plt.show()
# %% right: by seaborn's pointplot
sns.pointplot(data=gapminder[gapminder['year'].isin([1952, 2007])], x='continent', y='lifeExp', hue='year', order=sorted(gapminder['continent'].unique()), errorbar=None)
words('Life expectancy', '', 'years')
plt.legend()
plt.show()
# %% right: by seaborn's pointplot with intervals and other signs
sns.pointplot(data=gapminder[gapminder['year'].isin([1952, 2007])], x='continent', y='lifeExp', hue='year', order=sorted(gapminder['continent'].unique()), seed=3, markers=['D', 'v'], palette='Set2')
words('Life expectancy', '', 'years')
plt.xticks(rotation=30)
plt.legend()
plt.show()
# %% wrong, before: other years under the same names
gapminder = gapminder.assign(year=gapminder['year'].replace({1952: 0, 1972: 1952, 1992: 2007, 2007: 1}))
# %% wrong, before: continents exchanged
gapminder = gapminder.assign(continent=gapminder['continent'].replace({'Africa': 'Europe', 'Europe': 'Africa', 'Asia': 'Oceania', 'Oceania': 'Asia'}))
# %% wrong, before: another column
gapminder = gapminder.assign(lifeExp=gapminder['gdpPercap'])
# %% wrong: the names of the lines exchanged
means = gapminder.groupby(['continent', 'year'])['lifeExp'].mean().unstack()[[1952, 2007]]
plt.plot(means.index, means[1952], color='crimson', marker='o', linewidth=3, label='2007')
plt.plot(means.index, means[2007], color='navy', marker='s', linewidth=3, label='1952')
words('Life expectancy', '', 'years')
plt.legend()
plt.show()

# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
iowa['y'] = iowa['year'].dt.year
stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')
titanic = pd.read_csv('data/titanic.csv')
# %% gold: With pandas, draw a stacked bar chart of net_generation per year (column y, one bar a year in ascending order) stacked by source, with a legend of the sources and the y axis label 'net generation'.
iowa.pivot(index='y', columns='source', values='net_generation').plot.bar(stacked=True, figsize=(10, 5))
plt.ylabel('net generation')
# %% right: kind='bar', other colours
t = iowa.pivot_table(index='y', columns='source', values='net_generation', aggfunc='sum')
ax = t.plot(kind='bar', stacked=True, colormap='Set2', width=.8)
ax.set_ylabel('net generation'); ax.set_xlabel('Year')
ax.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.tight_layout()
# %% right: matplotlib bars with bottoms
t = iowa.set_index(['y', 'source'])['net_generation'].unstack()
fig, ax = plt.subplots(figsize=(12, 6))
bottom = np.zeros(len(t))
for c in t.columns:
    ax.bar(t.index, t[c], bottom=bottom, label=c)
    bottom += t[c].values
ax.set_ylabel('net generation'); ax.set_xticks(t.index); ax.tick_params(axis='x', rotation=45)
ax.legend()
# %% right: ticks rotated, titled
ax = iowa.groupby(['y', 'source']).net_generation.sum().unstack().plot(kind='bar', stacked=True, rot=45, title='Electricity in Iowa', figsize=(9, 6))
ax.set_ylabel('net generation'); ax.grid(axis='y')
# %% right, before show: legend title
plt.legend(title='Source')
plt.xlabel('year')
# %% wrong: side by side
iowa.pivot(index='y', columns='source', values='net_generation').plot.bar(figsize=(10, 5))
plt.ylabel('net generation')
# %% wrong, before: no renewables
iowa = iowa[iowa.source != 'Renewables']
# %% wrong, before: the last year lost
iowa = iowa[iowa.y < 2017]
# %% wrong: percentages
t = iowa.pivot(index='y', columns='source', values='net_generation')
t.div(t.sum(axis=1), axis=0).mul(100).plot.bar(stacked=True, figsize=(10, 5))
plt.ylabel('net generation')
# %% wrong: total only
iowa.groupby('y').net_generation.sum().plot.bar(figsize=(10, 5))
plt.ylabel('net generation')
# %% gold: Plot the price of the five stocks over time as lines in one axes from a pivoted DataFrame (date as index, one column a symbol), logarithmic y axis, title 'Stock prices', y axis label 'price' and a legend.
stocks.pivot(index='date', columns='symbol', values='price').plot(logy=True, title='Stock prices')
plt.ylabel('price')
# %% right: matplotlib loop by groups
fig, ax = plt.subplots(figsize=(10, 6))
for s, g in stocks.groupby('symbol'):
    ax.plot(g['date'], g['price'], label=s, lw=1)
ax.set_yscale('log'); ax.set_ylabel('price'); ax.set_title('Stock prices')
ax.legend(); ax.grid(alpha=.3)
# %% right: seaborn
import seaborn as sns
ax = sns.lineplot(data=stocks, x='date', y='price', hue='symbol')
ax.set(yscale='log', title='Stock prices', ylabel='price', xlabel='')
# %% right: figsize, thicker lines, own legend
p = stocks.pivot_table(index='date', columns='symbol', values='price')
ax = p.plot(figsize=(12, 5), linewidth=2, grid=True)
ax.set_yscale('log')
ax.set_ylabel('price'); ax.set_xlabel('Date'); ax.set_title('Stock prices', fontsize=15)
ax.legend(ncol=5, loc='upper center')
# %% right, before show: grid on both
plt.grid(which='both', alpha=.3)
# %% wrong, before show: linear scale
plt.yscale('linear')
# %% wrong, before: GOOG dropped
stocks = stocks[stocks.symbol != 'GOOG']
# %% wrong: returns, not prices
p = stocks.pivot(index='date', columns='symbol', values='price')
(p / p.bfill().iloc[0]).plot(logy=True, title='Stock prices')
plt.ylabel('price')
# %% wrong: subplots with linear axes
stocks.pivot(index='date', columns='symbol', values='price').plot(subplots=True, title='Stock prices')
plt.ylabel('price')
# %% wrong: yearly means
p = stocks.pivot(index='date', columns='symbol', values='price')
p.resample('YE').mean().plot(logy=True, title='Stock prices')
plt.ylabel('price')

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/stocks.csv` into a DataFrame named `stocks` and turn its column `date` (text like `Jan 1 2000`) into datetimes.
#
# Thought: The format of these dates is %b %d %Y.

# %%
import pandas as pd

stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the distinct values of the column `symbol`, from the one with the highest mean `price` to the one with the lowest, on one line, separated by `, `.
#
# Thought: Group by symbol, take the mean, and sort in descending order.

# %%
answer = list(stocks.groupby('symbol')['price'].mean().sort_values(ascending=False).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="[count, date]"
# Make a DataFrame `prices` from `stocks` with the dates as index in chronological order, one column for each symbol in alphabetical order, and the prices as values.
# One of the columns has missing values: print how many there are, and the first date at which this column has a price as YYYY-MM-DD, on one line, separated by a space.
#
# Thought: pivot makes the table; first_valid_index finds where the prices begin.

# %%
prices = stocks.pivot(index='date', columns='symbol', values='price')
late = prices.isna().sum().idxmax()
answer = [int(prices[late].isna().sum()), prices[late].first_valid_index().date()]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Make a DataFrame `returns` of the monthly returns: each value of `prices` divided by the value of the month before, minus 1, missing where one of the two is missing.
# Print the mean of each column of `returns` in percent, in the order of the columns, on one line, each rounded to 3 decimal places, without percent signs, separated by spaces.
#
# Thought: shift moves the prices by one month, so a division gives the returns.

# %%
returns = prices / prices.shift(1) - 1
answer = [round(float(value), 3) for value in returns.mean() * 100]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the names of all columns of `returns`, from the one with the largest sample standard deviation to the one with the smallest, on one line, separated by ` > `.
#
# Thought: The standard deviation of returns is what is called volatility.

# %%
answer = list(returns.std().sort_values(ascending=False).index)
print(' > '.join(answer))

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# From the first date at which all columns of `prices` have a value, divide each column by its value at that date and multiply by 100; name the result `indexed`.
# Plot each column of `indexed` against the dates as a line of width 2, in the order of the columns, in the default colors, with the column's name as label.
# Use figure size (5.5, 3.5), the title `Growth of 100 dollars`, the y label `value`, no x label and a legend at the default place, and call `plt.show()`.
#
# Thought: Without the rows that have gaps, iloc[0] is the common start.

# %%
import matplotlib.pyplot as plt

complete = prices.dropna()
indexed = complete / complete.iloc[0] * 100
plt.figure(figsize=(5.5, 3.5))
for symbol in indexed.columns:
    plt.plot(indexed.index, indexed[symbol], linewidth=2, label=symbol)
plt.title('Growth of 100 dollars')
plt.ylabel('value')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# The drawdown of a stock at a date is its price divided by the highest price up to and including that date, minus 1. Make a DataFrame `drawdown` of the drawdowns of all columns of `prices`.
# Print the lowest drawdown of each column in percent, in the order of the columns, on one line, each rounded to 2 decimal places, without percent signs, separated by spaces.
#
# Thought: cummax gives the highest price so far, and skips missing values.

# %%
drawdown = prices / prices.cummax() - 1
answer = [round(float(value), 2) for value in drawdown.min() * 100]
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Show the drawdowns of the columns `AMZN` and `IBM` in percent against the dates: fill the area between 0 and the drawdown, first `AMZN` with `color='salmon'`, then `IBM` with `color='steelblue'` (`plt.fill_between`), both with `alpha=0.7` and the column's name as label.
# Use figure size (5.5, 3.5), the title `Drawdowns`, the y label `percent`, no x label and a legend at `loc='lower right'`, and call `plt.show()`.
#
# Thought: fill_between with a single curve fills down to 0.

# %%
plt.figure(figsize=(5.5, 3.5))
plt.fill_between(drawdown.index, drawdown['AMZN'] * 100, color='salmon', alpha=0.7, label='AMZN')
plt.fill_between(drawdown.index, drawdown['IBM'] * 100, color='steelblue', alpha=0.7, label='IBM')
plt.title('Drawdowns')
plt.ylabel('percent')
plt.legend(loc='lower right')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[real(4), real(4)]"
# For each pair of two different columns of `returns`, compute the Pearson correlation over the months in which all columns have a return.
# Print the highest and the lowest of these correlations, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: Drop the rows with gaps first; the diagonal of the matrix has to be left out.

# %%
correlations = returns.dropna().corr()
pairs = correlations.where(correlations.index.to_numpy()[:, None] != correlations.columns.to_numpy()[None, :]).stack()
answer = [round(float(pairs.max()), 4), round(float(pairs.min()), 4)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# For each calendar year from 2000 to 2009, take the last value of `prices` in that year divided by its first value in that year, for each column (where a column has fewer than twelve values in a year, it does not take part in that year).
# Print the symbol with the highest ratio of each year, from 2000 to 2009, on one line, separated by `, `.
#
# Thought: first and last of each year's group give the ratio; a count below 12 masks it.

# %%
years = prices.loc['2000':'2009'].groupby(prices.loc['2000':'2009'].index.year)
ratios = (years.last() / years.first()).where(years.count() == 12)
answer = list(ratios.idxmax(axis=1))
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Make a DataFrame `quarterly` of the mean of each column of `prices` in each quarter of the calendar, with the columns `year` and `quarter` (1 to 4) and then those of `prices`, missing where a quarter has no price.
# Load `data/macrodata.csv`, which has the columns `year`, `quarter` and `unemp` among others, and merge the two on `year` and `quarter` into a DataFrame `joined` that has only the quarters which are in both, in chronological order.
# Print the number of rows of `joined` and the mean of its column `unemp`, rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: Group by year and quarter of the index; an inner merge keeps what is in both tables.

# %%
quarterly = prices.groupby([prices.index.year.rename('year'), prices.index.quarter.rename('quarter')]).mean()
joined = quarterly.reset_index().merge(pd.read_csv('data/macrodata.csv'), on=['year', 'quarter'])
answer = [len(joined), round(joined['unemp'].mean(), 3)]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(4)]"
# Print the Spearman rank correlation of `unemp` with each stock in `joined`, in the alphabetical order of the symbols, on one line, each rounded to 4 decimal places, separated by spaces. Leave out the quarters in which the stock has no price.
#
# Thought: Spearman's is Pearson's correlation of the ranks, taken after gaps have been dropped.

# %%
results = []
for symbol in prices.columns:
    rows = joined[['unemp', symbol]].dropna()
    results.append(round(float(rows['unemp'].rank().corr(rows[symbol].rank())), 4))
answer = list(results)
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw `unemp` from `joined` as bars in `lightgray`, one for each row at the positions 0, 1, 2, …, with the default width and the y label `unemployment (%)`.
# On a second y axis at the right (`twinx`), draw the column `MSFT` at the same positions as a line in `darkgreen` of width 3 with the y label `MSFT (dollars)`.
# Label the x ticks at the first quarters of the years with the years, with `rotation=45`. Use figure size (5.5, 3.5) and the title `Unemployment and Microsoft`, and call `plt.show()`.
#
# Thought: Rows with quarter 1 give the positions and the labels of the ticks.

# %%
figure, ax = plt.subplots(figsize=(5.5, 3.5))
ax.bar(range(len(joined)), joined['unemp'], color='lightgray')
ax.set_ylabel('unemployment (%)')
other = ax.twinx()
other.plot(range(len(joined)), joined['MSFT'], color='darkgreen', linewidth=3)
other.set_ylabel('MSFT (dollars)')
first = joined.index[joined['quarter'] == 1]
ax.set_xticks(first, joined.loc[first, 'year'], rotation=45)
ax.set_title('Unemployment and Microsoft')
plt.show()

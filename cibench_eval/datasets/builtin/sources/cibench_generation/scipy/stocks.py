# %% [markdown] kind="exec" modules="pandas & numpy"
# Load the CSV file `data/stocks.csv` (columns `symbol`, `date` as in `Jan 1 2000`, `price`). Build a DataFrame `prices` with the dates as index in the order of time and one column for each symbol in alphabetical order, and keep only dates at which all symbols have a price.
# Store the logarithmic monthly returns, ln(price / price of the month before), in a DataFrame `returns`, without the first month.
#
# Thought: pivot makes the table wide; differences of the logarithms are the returns.

# %%
import numpy as np
import pandas as pd

stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')
prices = stocks.pivot(index='date', columns='symbol', values='price').sort_index().dropna()
returns = np.log(prices).diff().dropna()

# %% [markdown] kind="num" modules="numpy" answer="list[real(4)]"
# Print the number of rows of `returns`, and the annual volatility of each symbol in alphabetical order (standard deviation of the monthly returns with `ddof=1`, times √12), each rounded to 4 decimal places, on one line, separated by spaces.
#
# Thought: std of pandas has ddof=1.

# %%
volatility = returns.std() * np.sqrt(12)
answer = [len(returns), *[round(float(value), 4) for value in volatility]]
print(*answer)

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# How far are the returns from a normal distribution? Compute the Jarque–Bera statistic of each symbol (`scipy.stats.jarque_bera`), and print the symbols from the largest statistic to the smallest on one line, separated by `, `.
#
# Thought: The first value that jarque_bera returns is the statistic.

# %%
from scipy import stats

normality = {symbol: float(stats.jarque_bera(returns[symbol])[0]) for symbol in returns}
answer = sorted(normality, key=normality.get, reverse=True)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="scipy & matplotlib & numpy"
# Draw the histogram of the returns of the symbol with the largest statistic: 14 bins, `density=True`, color `lightsteelblue`; and over it, as a line in `black` of width 2, the density of the normal distribution with the mean and the standard deviation (`ddof=0`) of these returns, at 200 equally spaced points from the smallest to the largest return.
# Use figure size (5, 3.5), the title `Least normal returns`, the x label `monthly return` and the y label `density`, and call `plt.show()`.
#
# Thought: norm.pdf takes mean and standard deviation as its second and third argument.

# %%
import matplotlib.pyplot as plt

values = returns[max(normality, key=normality.get)].to_numpy()
points = np.linspace(values.min(), values.max(), 200)
plt.figure(figsize=(5, 3.5))
plt.hist(values, bins=14, density=True, color='lightsteelblue')
plt.plot(points, stats.norm.pdf(points, values.mean(), values.std()), color='black', linewidth=2)
plt.title('Least normal returns')
plt.xlabel('monthly return')
plt.ylabel('density')
plt.show()

# %% [markdown] kind="num" modules="scipy" answer="[real(4), count]"
# Do `AAPL` and `IBM` earn the same? Print the statistic of the paired t-test of their returns (`AAPL` minus `IBM`), rounded to 4 decimal places, and the statistic of the Wilcoxon signed-rank test (`scipy.stats.wilcoxon`, two-sided, default arguments), as an integer, on one line, separated by a space.
#
# Thought: ttest_rel pairs the months, and so does wilcoxon.

# %%
paired = stats.ttest_rel(returns['AAPL'], returns['IBM']).statistic
ranked = stats.wilcoxon(returns['AAPL'], returns['IBM']).statistic
answer = [round(float(paired), 4), int(ranked)]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" answer="list[real(4)]"
# Find the portfolio of least variance with fully invested weights and short selling allowed: store the covariance matrix of `returns` (`ddof=1`) in `covariance`, solve `covariance` · w = 1 (a vector of ones) with `scipy.linalg.solve`, divide the solution by its sum, and store it in `weights`. Print the five weights in alphabetical order of the symbols on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: The Lagrange condition makes all entries of covariance · w equal.

# %%
from scipy.linalg import solve

covariance = returns.cov().to_numpy()
weights = solve(covariance, np.ones(len(covariance)))
weights = weights / weights.sum()
answer = [round(float(weight), 4) for weight in weights]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" tolerance=0.01 answer="[real(3), real(3)]"
# Now maximize the Sharpe ratio without short selling: with `scipy.optimize.minimize`, `method='SLSQP'`, minimize −(mean of the returns · w) / √(w · `covariance` · w) under the constraint that the weights sum to 1 and bounds (0, 1) for each, starting from equal weights, with `tol=1e-12`; store the weights in `best`.
# Print the largest weight and the monthly Sharpe ratio that it reaches on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: Minimizing the negative ratio maximizes it; an equality constraint is a dictionary with type eq.

# %%
from scipy.optimize import minimize

mean = returns.mean().to_numpy()


def negative_sharpe(w):
    return -(mean @ w) / np.sqrt(w @ covariance @ w)


count = len(mean)
found = minimize(
    negative_sharpe,
    np.full(count, 1 / count),
    method='SLSQP',
    bounds=[(0, 1)] * count,
    constraints={'type': 'eq', 'fun': lambda w: w.sum() - 1},
    tol=1e-12,
)
best = found.x
answer = [round(float(best.max()), 3), round(float(-found.fun), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Compare three portfolios that keep their weights from month to month: equal weights (label `equal`, color `gray`), `weights` (label `least variance`, color `royalblue`) and `best` (label `best Sharpe`, color `crimson`). Draw the exponential of the cumulative sum of each portfolio's monthly return (`returns` times weights, added up over the symbols) against the dates as lines of width 2.
# Use figure size (5.5, 3.5), the title `Growth of one dollar`, the x label `date`, the y label `value` and a legend at the default place, and call `plt.show()`.
#
# Thought: A matrix product gives the returns of a portfolio; cumsum and exp give its value.

# %%
plt.figure(figsize=(5.5, 3.5))
for label, shares, color in [
    ('equal', np.full(count, 1 / count), 'gray'),
    ('least variance', weights, 'royalblue'),
    ('best Sharpe', best, 'crimson'),
]:
    plt.plot(returns.index, np.exp((returns @ shares).cumsum()), color=color, linewidth=2, label=label)
plt.title('Growth of one dollar')
plt.xlabel('date')
plt.ylabel('value')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="scipy & numpy" answer="list[real(4)]"
# How bad can a month with equal weights be? For the monthly returns of the portfolio of equal weights, print the 5 % quantile of the data (linear interpolation), the 5 % quantile of the normal distribution with their mean and standard deviation (`ddof=1`), and the mean of those returns that are at or below the 5 % quantile of the data, on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: norm.ppf is the quantile function; the last number is the expected shortfall.

# %%
equal = returns.mean(axis=1).to_numpy()
quantile = np.quantile(equal, 0.05)
normal = stats.norm.ppf(0.05, equal.mean(), equal.std(ddof=1))
answer = [round(float(value), 4) for value in [quantile, normal, equal[equal <= quantile].mean()]]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" answer="list[real(4)]"
# Turn the Pearson correlations ρ between the symbols' returns into distances √(2 (1 − ρ)), and cluster the symbols hierarchically with `scipy.cluster.hierarchy.linkage`, `method='average'`, on the condensed distances (`scipy.spatial.distance.squareform`); store the result in `tree`. Print the heights of the four merges from the lowest up on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: The third column of the linkage matrix holds the heights; the diagonal of the distances has to be exactly 0.

# %%
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

distance = np.sqrt(2 * np.clip(1 - returns.corr().to_numpy(), 0, None))
np.fill_diagonal(distance, 0)
tree = linkage(squareform(distance, checks=False), method='average')
answer = [round(float(height), 4) for height in tree[:, 2]]
print(*answer)

# %% [markdown] kind="vis" modules="scipy & matplotlib"
# Draw the dendrogram of `tree` with `scipy.cluster.hierarchy.dendrogram`: the symbols as `labels`, all links in one color (`color_threshold=0`, `above_threshold_color='darkgreen'`), otherwise default arguments.
# Use figure size (5, 3.5), the title `Which stocks move together` and the y label `distance`, and call `plt.show()`.
#
# Thought: With the threshold at 0 every link is above it.

# %%
from scipy.cluster.hierarchy import dendrogram

plt.figure(figsize=(5, 3.5))
dendrogram(tree, labels=list(returns.columns), color_threshold=0, above_threshold_color='darkgreen')
plt.title('Which stocks move together')
plt.ylabel('distance')
plt.show()

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[list[text]]"
# Cut `tree` into two clusters (`scipy.cluster.hierarchy.fcluster` with `criterion='maxclust'`). Print the symbols of the cluster that has `AAPL` in alphabetical order, separated by `, `, and on a second line those of the other cluster in the same way.
#
# Thought: fcluster gives each symbol the number of its cluster.

# %%
from scipy.cluster.hierarchy import fcluster

cluster = pd.Series(fcluster(tree, 2, criterion='maxclust'), index=returns.columns)
together = cluster == cluster['AAPL']
answer = [list(cluster.index[together]), list(cluster.index[~together])]
for names in answer:
    print(', '.join(names))

# %% [markdown] kind="num" modules="scipy & numpy" tolerance=0.001 answer="[real(2), real(3)]"
# Somebody pays 100 dollars into `AAPL` at the price of every date in `prices` but the last, and sells everything at the price of the last date. Find the constant monthly rate of interest r at which payments of 100 dollars at the same dates, each compounded monthly up to the last date, are worth as much: solve the equation with `scipy.optimize.brentq` between 0.0001 and 0.5.
# Print the proceeds in dollars, rounded to 2 decimal places, and r in percent, rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: The payment k months before the last date grows by (1 + r) to the power of k.

# %%
from scipy.optimize import brentq

apple = prices['AAPL'].to_numpy()
proceeds = (100 / apple[:-1]).sum() * apple[-1]
months = np.arange(len(apple) - 1, 0, -1)
rate = brentq(lambda r: (100 * (1 + r) ** months).sum() - proceeds, 0.0001, 0.5)
answer = [round(float(proceeds), 2), round(100 * float(rate), 3)]
print(*answer)

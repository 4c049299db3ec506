# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/gapminder.csv` into a DataFrame named `df`, and store a copy of its rows of the year 2007 in `latest`.
#
# Thought: A comparison with 2007 selects the rows; copy() makes them a table of their own.

# %%
import pandas as pd

df = pd.read_csv('data/gapminder.csv')
latest = df[df['year'] == 2007].copy()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2)]"
# Print the number of rows of `latest` and the median of its `lifeExp`, rounded to 2 decimal places, on one line, separated by a space.
#
# Thought: One row is one country.

# %%
answer = [len(latest), round(float(latest['lifeExp'].median()), 2)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Store the continents in a list named `order`, from the largest to the smallest median `lifeExp` in `latest`.
# Then print, for each continent in this order, the country with the largest `lifeExp` in `latest`, on one line, separated by `, `.
#
# Thought: idxmax by group finds the row of the best country of each continent.

# %%
order = latest.groupby('continent')['lifeExp'].median().sort_values(ascending=False).index.tolist()
best = latest.loc[latest.groupby('continent')['lifeExp'].idxmax()].set_index('continent')['country']
answer = list(best[order])
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw box plots of `lifeExp` in `latest` with `sns.boxplot`: `continent` on the x axis in the order of `order`, `color='lightgreen'` with the default saturation.
# Use figure size (5, 3.5), the title `Life expectancy in 2007`, the x label `continent` and the y label `years`, and call `plt.show()`.
#
# Thought: A single color makes all boxes look the same.

# %%
import matplotlib.pyplot as plt
import seaborn as sns

plt.figure(figsize=(5, 3.5))
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, color='lightgreen')
plt.title('Life expectancy in 2007')
plt.xlabel('continent')
plt.ylabel('years')
plt.show()

# %% [markdown] kind="num" modules="numpy & pandas" answer="list[real(4)]"
# Add a column `log_gdp` to `latest`, the logarithm to base 10 of `gdpPercap`. Print the Pearson correlation of `lifeExp` with `gdpPercap` and then with `log_gdp`, each rounded to 4 decimal places, on one line, separated by a space.
#
# Thought: The relation is closer to a straight line after the logarithm.

# %%
import numpy as np

latest['log_gdp'] = np.log10(latest['gdpPercap'])
answer = [round(float(latest['lifeExp'].corr(latest[name])), 4) for name in ['gdpPercap', 'log_gdp']]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw a scatter plot of `latest` with `sns.scatterplot`: `log_gdp` on the x axis, `lifeExp` on the y axis, `hue='continent'` with `hue_order=order`, `palette='Set1'`, `s=50`. Keep seaborn's legend.
# Use figure size (6.5, 4.5), the title `Wealth and health`, the x label `log10 of GDP per capita` and the y label `life expectancy`, and call `plt.show()`.
#
# Thought: hue_order gives each continent its color.

# %%
plt.figure(figsize=(6.5, 4.5))
sns.scatterplot(data=latest, x='log_gdp', y='lifeExp', hue='continent', hue_order=order, palette='Set1', s=50)
plt.title('Wealth and health')
plt.xlabel('log10 of GDP per capita')
plt.ylabel('life expectancy')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="list[real(3)]"
# Fit a straight line by least squares that predicts `lifeExp` from `log_gdp` in `latest`, and store the residuals (`lifeExp` minus prediction) in its new column `residual`.
# Print the slope, the intercept and the standard deviation (`ddof=1`) of the residuals on one line, each rounded to 3 decimal places, separated by spaces.
#
# Thought: polyfit returns the slope first.

# %%
slope, intercept = np.polyfit(latest['log_gdp'], latest['lifeExp'], 1)
latest['residual'] = latest['lifeExp'] - (slope * latest['log_gdp'] + intercept)
answer = [round(float(value), 3) for value in [slope, intercept, latest['residual'].std()]]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Which countries live much shorter lives than their wealth suggests? Store the rows of `latest` with the six most negative values of `residual` in `low`, the most negative first, and print their countries in this order on one line, separated by `, `.
#
# Thought: nsmallest returns the rows already in order.

# %%
low = latest.nsmallest(6, 'residual')
answer = list(low['country'])
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw `lifeExp` against `log_gdp` of `latest` with `sns.regplot`: `ci=None`, `scatter_kws={'color': 'silver'}`, `line_kws={'color': 'navy'}`. Over it draw the rows of `low` as red points (`plt.scatter`, `s=60`, color `red`, `zorder=3`).
# Use figure size (5, 4), the title `Below the line`, the x label `log10 of GDP per capita` and the y label `life expectancy`, and call `plt.show()`.
#
# Thought: Both draw on the same axes, so the second call adds to the first.

# %%
plt.figure(figsize=(5, 4))
sns.regplot(
    data=latest, x='log_gdp', y='lifeExp', ci=None, scatter_kws={'color': 'silver'}, line_kws={'color': 'navy'}
)
plt.scatter(low['log_gdp'], low['lifeExp'], s=60, color='red', zorder=3)
plt.title('Below the line')
plt.xlabel('log10 of GDP per capita')
plt.ylabel('life expectancy')
plt.show()

# %% [markdown] kind="exec" modules="pandas & numpy"
# Back to all years: build a table `weighted` from `df` with one row for each year (in ascending order) and one column for each continent (in the order of `order`), holding the mean of `lifeExp` weighted by `pop`.
#
# Thought: The sum of lifeExp times pop, divided by the sum of pop, both by year and continent.

# %%
people = df.pivot_table(index='year', columns='continent', values='pop', aggfunc='sum')
lived = df.assign(lived=df['lifeExp'] * df['pop'])
weighted = (lived.pivot_table(index='year', columns='continent', values='lived', aggfunc='sum') / people)[order]

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Print how many years each continent gained from 1952 to 2007 according to `weighted`, in the order of `order`, on one line, each rounded to 2 decimal places, separated by spaces.
#
# Thought: The difference of two rows of the table.

# %%
gain = weighted.loc[2007] - weighted.loc[1952]
answer = [round(float(value), 2) for value in gain]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw `weighted` as a heat map with `sns.heatmap`, continents as rows in the order of `order` and years as columns in ascending order: `cmap='YlGnBu'`, `vmin=35`, `vmax=85`, `annot=True`, `fmt='.0f'`.
# Use figure size (6, 3), the title `Life expectancy, weighted by population`, the x label `year` and the y label `continent`, and call `plt.show()`.
#
# Thought: The table has to be transposed.

# %%
plt.figure(figsize=(6, 3))
sns.heatmap(weighted.T, cmap='YlGnBu', vmin=35, vmax=85, annot=True, fmt='.0f')
plt.title('Life expectancy, weighted by population')
plt.xlabel('year')
plt.ylabel('continent')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Find the six largest drops of `lifeExp` of a country from one record to its next (five years later) in `df`, and keep the rows of the later records in a DataFrame `drops`, the largest drop first. Print them in this order on one line, separated by `, `, each as the country, a space and the year of the later record.
#
# Thought: Sorted by country and year, diff by country gives the change to each record from the one before.

# %%
ordered = df.sort_values(['country', 'year'])
ordered['change'] = ordered.groupby('country')['lifeExp'].diff()
drops = df.loc[ordered.nsmallest(6, 'change').index]
answer = [f'{country} {year}' for country, year in zip(drops['country'], drops['year'])]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw the `lifeExp` of the first three different countries in `drops` against `year`, over all years of `df`, with `sns.lineplot`: `hue='country'` with `hue_order` as they come in `drops`, `palette=['crimson', 'darkorange', 'teal']`, `marker='o'`, `linewidth=2`. Keep seaborn's legend.
# Use figure size (5, 3.5), the title `The deepest falls`, the x label `year` and the y label `life expectancy`, and call `plt.show()`.
#
# Thought: unique() keeps the order in which the countries come.

# %%
fallen = drops['country'].unique()[:3].tolist()
plt.figure(figsize=(5, 3.5))
sns.lineplot(
    data=df[df['country'].isin(fallen)],
    x='year',
    y='lifeExp',
    hue='country',
    hue_order=fallen,
    palette=['crimson', 'darkorange', 'teal'],
    marker='o',
    linewidth=2,
)
plt.title('The deepest falls')
plt.xlabel('year')
plt.ylabel('life expectancy')
plt.show()

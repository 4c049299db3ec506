# %% [markdown] kind="exec" modules="pandas"
# Load the JSON file `data/barley.json` (a list of records with `yield`, `variety`, `year` and `site`) into a DataFrame named `barley`.
#
# Thought: read_json understands a list of records.

# %%
import pandas as pd

barley = pd.read_json('data/barley.json')

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(3)]"
# Print the number of different sites, the number of different varieties, and the mean of `yield`, the mean rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: nunique counts the distinct values.

# %%
answer = [barley['site'].nunique(), barley['variety'].nunique(), round(float(barley['yield'].mean()), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw histograms of `yield` for both years in one call of `sns.histplot`: `hue='year'`, `bins=12`, `multiple='dodge'`, `palette=['seagreen', 'goldenrod']`. Keep seaborn's legend.
# Use figure size (5, 3.5), the title `Yield by year`, the x label `yield` and the y label `field plots`, and call `plt.show()`.
#
# Thought: With multiple='dodge' the bars of the two years stand beside each other.

# %%
import matplotlib.pyplot as plt
import seaborn as sns

plt.figure(figsize=(5, 3.5))
sns.histplot(
    data=barley, x='yield', hue='year', bins=12, multiple='dodge', palette=['seagreen', 'goldenrod']
)
plt.title('Yield by year')
plt.xlabel('yield')
plt.ylabel('field plots')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Store the sites in a list named `sites`, from the highest to the lowest mean `yield` (both years together), and print them in this order on one line, separated by `, `.
#
# Thought: Group by site, average, sort in descending order.

# %%
sites = barley.groupby('site')['yield'].mean().sort_values(ascending=False).index.tolist()
answer = list(sites)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw box plots of `yield` with `sns.boxplot`: `yield` on the x axis, `site` on the y axis in the order of `sites`, `hue='year'`, `palette=['seagreen', 'goldenrod']`, default saturation. Keep seaborn's legend.
# Use figure size (5.5, 4), the title `Yield by site and year`, the x label `yield` and the y label `site`, and call `plt.show()`.
#
# Thought: The hue puts one box of each year beside the other.

# %%
plt.figure(figsize=(5.5, 4))
sns.boxplot(data=barley, x='yield', y='site', order=sites, hue='year', palette=['seagreen', 'goldenrod'])
plt.title('Yield by site and year')
plt.xlabel('yield')
plt.ylabel('site')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# For each site in the order of `sites`, compute the mean `yield` of 1932 minus the mean `yield` of 1931, and keep the results in a Series named `change`, indexed by site. Print the six numbers on one line, each rounded to 2 decimal places, separated by spaces.
#
# Thought: A pivot table with years as columns makes the difference one subtraction.

# %%
by_year = barley.pivot_table(index='site', columns='year', values='yield', aggfunc='mean').loc[sites]
change = by_year[1932] - by_year[1931]
answer = [round(float(value), 2) for value in change]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw `change` as horizontal bars with `sns.barplot`: the change on the x axis, the sites on the y axis in the order of `sites`, `color='slateblue'` with the default saturation, and a black vertical line of width 2 at 0 (`plt.axvline`).
# Use figure size (5, 3), the title `Change from 1931 to 1932`, the x label `change of the mean yield` and an empty y label, and call `plt.show()`.
#
# Thought: barplot lies horizontally when the numbers are on x.

# %%
plt.figure(figsize=(5, 3))
sns.barplot(x=change.to_numpy(), y=change.index.tolist(), color='slateblue')
plt.axvline(0, color='black', linewidth=2)
plt.title('Change from 1931 to 1932')
plt.xlabel('change of the mean yield')
plt.ylabel('')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# At one site the mean yield rose. Store its name in `odd`, and print the four varieties whose `yield` rose most at this site from 1931 to 1932, from the largest rise down, on one line, separated by `, `.
#
# Thought: The site is where change is greatest; there each variety has one field plot a year.

# %%
odd = change.idxmax()
there = barley[barley['site'] == odd].pivot(index='variety', columns='year', values='yield')
answer = list((there[1932] - there[1931]).nlargest(4).index)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw a heat map of the change of `yield` from 1931 to 1932 (1932 minus 1931) of each variety (rows, in alphabetical order) at each site (columns, in the order of `sites`) with `sns.heatmap`: `cmap='RdBu'`, `center=0`.
# Use figure size (6, 4), the title `Change of yield`, empty x and y labels, and call `plt.show()`.
#
# Thought: One table for each year, and their difference; center=0 makes no change white.

# %%
tables = {
    year: rows.pivot(index='variety', columns='site', values='yield') for year, rows in barley.groupby('year')
}
plt.figure(figsize=(6, 4))
sns.heatmap((tables[1932] - tables[1931])[sites], cmap='RdBu', center=0)
plt.title('Change of yield')
plt.xlabel('')
plt.ylabel('')
plt.show()

# %% [markdown] kind="exec" modules="pandas"
# W. S. Cleveland suspected that the two years had been swapped at this site. Make a copy of `barley` named `fixed`, in which the rows of the site `odd` have 1931 where `barley` has 1932, and 1932 where it has 1931.
#
# Thought: 3863 is the sum of the two years, so 3863 minus one is the other.

# %%
fixed = barley.copy()
fixed.loc[fixed['site'] == odd, 'year'] = 3863 - fixed.loc[fixed['site'] == odd, 'year']

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Print the mean `yield` of 1931 minus the mean `yield` of 1932, over all sites, in `barley` and then in `fixed`, on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: The same difference for both tables.

# %%
differences = []
for table in [barley, fixed]:
    yields = table.groupby('year')['yield'].mean()
    differences.append(round(float(yields[1931] - yields[1932]), 3))
answer = list(differences)
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(4)]"
# The design is balanced, so the sum of squares of each factor can be computed on its own: replace each `yield` in `fixed` by the mean of its level, and sum the squared differences from the overall mean.
# Print the shares of `site`, `variety` and `year`, in this order, in the total sum of squares of `yield` around its mean, on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: transform('mean') gives each row the mean of its level.

# %%
mean = fixed['yield'].mean()
total = ((fixed['yield'] - mean) ** 2).sum()
for_factor = {
    name: ((fixed.groupby(name)['yield'].transform('mean') - mean) ** 2).sum() for name in ['site', 'variety', 'year']
}
answer = [round(float(squares / total), 4) for squares in for_factor.values()]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw the mean `yield` in `fixed` with `sns.pointplot`: `site` on the x axis in the order of `sites`, `hue='year'`, `errorbar=None`, `palette=['seagreen', 'goldenrod']`, `markers=['o', 's']`. Keep seaborn's legend, and rotate the tick labels of the x axis by 30 degrees (`plt.xticks(rotation=30)`).
# Use figure size (5.5, 4), the title `After the correction`, the x label `site` and the y label `mean yield`, and call `plt.show()`.
#
# Thought: After the swap one line lies above the other at every site.

# %%
plt.figure(figsize=(5.5, 4))
sns.pointplot(
    data=fixed,
    x='site',
    y='yield',
    order=sites,
    hue='year',
    errorbar=None,
    palette=['seagreen', 'goldenrod'],
    markers=['o', 's'],
)
plt.xticks(rotation=30)
plt.title('After the correction')
plt.xlabel('site')
plt.ylabel('mean yield')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Which field plots does the additive model fit worst? For each row of `fixed`, compute the residual: `yield` minus the mean of its site, minus the mean of its variety, minus the mean of its year, plus two times the overall mean.
# Print the four rows with the largest absolute residual, from the largest down, on one line, separated by `; `, each as the variety, the site and the year in `fixed`, joined by `/` without spaces.
#
# Thought: In a balanced design the additive prediction is the sum of the three means minus two times the overall mean.

# %%
fitted = sum(fixed.groupby(name)['yield'].transform('mean') for name in ['site', 'variety', 'year']) - 2 * mean
worst = fixed.loc[(fixed['yield'] - fitted).abs().nlargest(4).index]
answer = [f'{row.variety}/{row.site}/{row.year}' for row in worst.itertuples()]
print('; '.join(answer))

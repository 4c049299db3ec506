# %% setup
from scipy import stats

titanic = pd.read_csv('data/titanic.csv')
ages = titanic['age'].dropna()
tips = pd.read_csv('data/tips.csv')
barley = pd.read_json('data/barley.json')
draw = np.random.default_rng(3)
first, second = draw.beta(2, 5, 300), draw.beta(5, 3, 200)


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: ages in classes of five years
bins = range(0, 76, 5)
plt.figure(figsize=(5, 3.5))
plt.hist(ages, bins=bins, color='slateblue', edgecolor='white')
words('Ages', 'age', 'passengers')
plt.show()
# %% right: by pandas
ages.plot.hist(bins=range(0, 76, 5), title='Ages', figsize=(8, 4), color='teal')
words('Ages', 'age', 'passengers')
plt.show()
# %% right: by seaborn
sns.histplot(ages, bins=list(range(0, 76, 5)))
words('Ages', 'age', 'passengers')
plt.show()
# %% right: an outline of steps
plt.hist(ages, bins=np.arange(0, 76, 5), histtype='step', linewidth=2)
words('Ages', 'age', 'passengers')
plt.show()
# %% right: a filled outline
plt.hist(ages, bins=15, range=(0, 75), histtype='stepfilled', color='salmon')
words('Ages', 'age', 'passengers')
plt.show()
# %% right: counted by numpy, drawn as bars
heights, edges = np.histogram(ages, bins=np.arange(0, 76, 5))
plt.bar(edges[:-1], heights, width=np.diff(edges), align='edge', edgecolor='k')
words('Ages', 'age', 'passengers')
plt.show()
# %% right: narrow bars
plt.hist(ages, bins=range(0, 76, 5), rwidth=0.8, color='gray')
plt.xticks(range(0, 76, 10))
words('Ages', 'age', 'passengers')
plt.show()
# %% wrong, before: missing ages filled
ages = titanic['age'].fillna(titanic['age'].median())
# %% wrong, before: of survivors alone
ages = titanic.query('survived == 1')['age'].dropna()
# %% wrong: ten classes
plt.hist(ages, bins=10, color='slateblue', edgecolor='white')
words('Ages', 'age', 'passengers')
plt.show()
# %% wrong: densities
plt.hist(ages, bins=range(0, 76, 5), density=True, color='slateblue', edgecolor='white')
words('Ages', 'age', 'passengers')
plt.show()
# %% wrong: cumulative
plt.hist(ages, bins=range(0, 76, 5), cumulative=True, color='slateblue', edgecolor='white')
words('Ages', 'age', 'passengers')
plt.show()
# %% wrong, before: ages turned around
ages = 75 - ages
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% wrong, before show: logarithmic counts
plt.yscale('log')

# %% gold: two histograms one over the other
plt.figure(figsize=(5, 3.5))
plt.hist(first, bins=20, range=(0, 1), color='gray', alpha=0.6, label='no')
plt.hist(second, bins=20, range=(0, 1), color='crimson', alpha=0.6, label='yes')
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% right: outlines
for values, label in ((first, 'no'), (second, 'yes')):
    plt.hist(values, bins=np.linspace(0, 1, 21), histtype='step', label=label, lw=2)
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% right: by seaborn in layers
data = pd.DataFrame({'p': np.r_[first, second], 'which': ['no'] * 300 + ['yes'] * 200})
sns.histplot(data=data, x='p', hue='which', bins=np.linspace(0, 1, 21), palette='Set1')
words('Probabilities', 'probability', 'rows')
plt.show()
# %% right: in the other order, legend to the left
plt.figure(figsize=(9, 5))
plt.hist(second, bins=20, range=(0, 1), label='yes', edgecolor='black')
plt.hist(first, bins=20, range=(0, 1), label='no', alpha=0.5, edgecolor='black')
words('Probabilities', 'probability', 'rows')
plt.legend(loc='upper left')
plt.show()
# %% wrong, before: names exchanged
first, second = second, first
# %% wrong, before: turned around
first, second = 1 - first, 1 - second
# %% wrong, before: other draws
first, second = draw.beta(2, 5, 300), draw.beta(5, 3, 200)
# %% wrong: one of the two
plt.hist(first, bins=20, range=(0, 1), color='gray', alpha=0.6, label='no')
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% wrong: 10 classes
plt.hist(first, bins=10, range=(0, 1), color='gray', alpha=0.6, label='no')
plt.hist(second, bins=10, range=(0, 1), color='crimson', alpha=0.6, label='yes')
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()

# %% gold: stacked
plt.figure(figsize=(5, 3.5))
plt.hist([first, second], bins=10, range=(0, 1), stacked=True, color=['royalblue', 'darkorange'], label=['no', 'yes'])
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% right: by pandas
pd.DataFrame({'no': pd.Series(first), 'yes': pd.Series(second)}).plot.hist(bins=10, range=(0, 1), stacked=True)
words('Probabilities', 'probability', 'rows')
plt.show()
# %% right: edges, other colours
plt.hist([first, second], bins=np.linspace(0, 1, 11), histtype='barstacked', color=['w', 'k'], edgecolor='r', label=['no', 'yes'])
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% wrong: side by side
plt.hist([first, second], bins=10, range=(0, 1), color=['royalblue', 'darkorange'], label=['no', 'yes'])
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()
# %% wrong, before: names exchanged
first, second = second, first
# %% wrong: densities
plt.hist([first, second], bins=10, range=(0, 1), stacked=True, density=True, label=['no', 'yes'])
words('Probabilities', 'probability', 'rows')
plt.legend()
plt.show()

# %% gold: by year, side by side
plt.figure(figsize=(5, 3.5))
sns.histplot(data=barley, x='yield', hue='year', bins=12, multiple='dodge', palette=['seagreen', 'goldenrod'])
words('Yield by year', 'yield', 'field plots')
plt.show()
# %% right: by matplotlib
edges = np.histogram_bin_edges(barley['yield'], bins=12)
years = [1931, 1932]
plt.hist([barley.loc[barley['year'] == year, 'yield'] for year in years], bins=edges, rwidth=1, label=years)
plt.legend(title='year')
words('Yield by year', 'yield', 'field plots')
plt.show()
# %% right: shrunk, other colours
sns.histplot(data=barley, x='yield', hue='year', bins=12, multiple='dodge', shrink=0.8, palette='Set1')
words('Yield by year', 'yield', 'field plots')
plt.show()
# %% wrong, before: years exchanged
barley = barley.assign(year=3863 - barley['year'])
# %% wrong, before: without the last site
barley = barley[barley['site'] != 'Waseca']
# %% wrong: in layers
sns.histplot(data=barley, x='yield', hue='year', bins=12, palette=['seagreen', 'goldenrod'])
words('Yield by year', 'yield', 'field plots')
plt.show()

# %% gold: densities with the normal curve
values = tips['total_bill']
points = np.linspace(values.min(), values.max(), 200)
plt.figure(figsize=(5, 3.5))
plt.hist(values, bins=14, density=True, color='lightsteelblue')
plt.plot(points, stats.norm.pdf(points, values.mean(), values.std()), color='black', linewidth=2, label='normal')
words('Bills', 'dollars', 'density')
plt.legend()
plt.show()
# %% right: a curve through more points, steps
values = tips['total_bill']
points = np.linspace(values.min(), values.max(), 500)
plt.hist(values, bins=14, density=True, histtype='stepfilled', alpha=0.4)
plt.plot(points, stats.norm(values.mean(), values.std()).pdf(points), 'r-', label='normal')
words('Bills', 'dollars', 'density')
plt.legend()
plt.show()
# %% right: by seaborn
values = tips['total_bill']
points = np.linspace(values.min(), values.max(), 200)
plt.figure(figsize=(8, 6))
sns.histplot(values, bins=14, stat='density')
sns.lineplot(x=points, y=stats.norm.pdf(points, values.mean(), values.std()), color='red', label='normal')
words('Bills', 'dollars', 'density')
plt.show()
# %% wrong, changed: counts
#- plt.figure(figsize=(5, 3.5))
#- plt.hist(values, bins=14, density=True, color='lightsteelblue')
plt.hist(values, bins=14, color='lightsteelblue')
# %% wrong, before: tips for bills
tips = tips.assign(total_bill=tips['tip'])
# %% wrong, changed: a curve with the variance for the deviation
#- plt.figure(figsize=(5, 3.5))
#- plt.hist(values, bins=14, density=True, color='lightsteelblue')
#- plt.plot(points, stats.norm.pdf(points, values.mean(), values.std()), color='black', linewidth=2, label='normal')
plt.hist(values, bins=20, density=True, color='lightsteelblue')
plt.plot(points, stats.norm.pdf(points, values.mean(), values.var()), color='black', linewidth=2, label='normal')
# %% wrong, before: dinners alone
tips = tips[tips['time'] == 'Dinner']

# %% gold: counts of two values
plt.figure(figsize=(5, 3.5))
sns.histplot(data=tips, x='total_bill', y='tip', bins=8, cmap='viridis', cbar=True)
words('Bills and tips', 'bill', 'tip')
plt.show()
# %% right: other colours
sns.histplot(data=tips, x='total_bill', y='tip', bins=8, cmap='Blues', cbar=True)
words('Bills and tips', 'bill', 'tip')
plt.show()
# %% right: by matplotlib, cells without rows left blank
plt.hist2d(tips['total_bill'], tips['tip'], bins=8, cmin=1)
plt.colorbar()
words('Bills and tips', 'bill', 'tip')
plt.show()
# %% wrong, before: axes exchanged
tips = tips.rename(columns={'total_bill': 'tip', 'tip': 'total_bill'})
# %% wrong, before: shuffled
tips = tips.assign(tip=tips['tip'].sample(frac=1, random_state=1).to_numpy())
# %% wrong: other classes
sns.histplot(data=tips, x='total_bill', y='tip', bins=12, cmap='viridis', cbar=True)
words('Bills and tips', 'bill', 'tip')
plt.show()

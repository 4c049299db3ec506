# %% setup
from scipy import stats
titanic = pd.read_csv('data/titanic.csv')
ages = titanic['age'].dropna()
tips = pd.read_csv('data/tips.csv')
def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)
iris = pd.read_csv('data/iris.csv')
# %% gold: ages in classes of five years
bins = range(0, 76, 5)
plt.figure(figsize=(5, 3.5))
plt.hist(ages, bins=bins, color='slateblue', edgecolor='white')
words('Ages', 'age', 'passengers')
# %% wrong, before show: logarithmic counts
plt.yscale('log')
# %% gold: densities with the normal curve
values = tips['total_bill']
points = np.linspace(values.min(), values.max(), 200)
plt.figure(figsize=(5, 3.5))
plt.hist(values, bins=14, density=True, color='lightsteelblue')
plt.plot(points, stats.norm.pdf(points, values.mean(), values.std()), color='black', linewidth=2, label='normal')
words('Bills', 'dollars', 'density')
plt.legend()
# %% right: a curve through more points, steps
values = tips['total_bill']
points = np.linspace(values.min(), values.max(), 500)
plt.hist(values, bins=14, density=True, histtype='stepfilled', alpha=0.4)
plt.plot(points, stats.norm(values.mean(), values.std()).pdf(points), 'r-', label='normal')
words('Bills', 'dollars', 'density')
plt.legend()
# %% wrong, before: tips for bills
tips = tips.assign(total_bill=tips['tip'])
# %% wrong, before: dinners alone
tips = tips[tips['time'] == 'Dinner']
# %% gold: Draw the histogram of the tips (12 bins from 0 to 12) as an unfilled outline with a logarithmic y axis.
plt.hist(tips.tip, bins=12, range=(0, 12), histtype='step')
plt.yscale('log')
# %% right: seaborn
sns.histplot(tips.tip, bins=12, binrange=(0, 12), element='step', fill=False, log_scale=(False, True))
# %% right: a line in steps
counts, edges = np.histogram(tips.tip, bins=12, range=(0, 12))
plt.step(edges, [*counts, 0], where='post')
plt.yscale('log')
# %% wrong: filled
plt.hist(tips.tip, bins=12, range=(0, 12), log=True)
# %% gold: Show the density of the sepal length (kernel density estimate).
sns.kdeplot(iris['sepal_length'], fill=True)
# %% right: a line
sns.kdeplot(data=iris, x='sepal_length', color='k')
# %% wrong: a histogram
plt.hist(iris['sepal_length'], density=True)
# %% gold: Compare the total bill of lunch and dinner with two step histograms (unfilled outlines, 15 bins from 0 to 60) in one axes, with a logarithmic y axis and a legend.
for t in ['Lunch', 'Dinner']:
    plt.hist(tips[tips.time == t]['total_bill'], bins=15, range=(0, 60), histtype='step', label=t)
plt.yscale('log')
plt.legend()
# %% right: seaborn
ax = sns.histplot(data=tips, x='total_bill', hue='time', bins=15, binrange=(0, 60), element='step', fill=False)
ax.set_yscale('log')
# %% wrong, changed: linear y
#- plt.yscale('log')
# %% wrong, changed: log x
#- plt.yscale('log')
plt.xscale('log')

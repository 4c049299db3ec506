# %% setup
from scipy import stats
penguins = pd.read_csv('data/penguins.csv').dropna()
titanic = pd.read_csv('data/titanic.csv')
tips = pd.read_csv('data/tips.csv')
weather = pd.read_csv('data/seattle-weather.csv')
# %% gold: flipper lengths in 15 bins
plt.hist(penguins['flipper_length_mm'], bins=15)
plt.title('Flipper lengths'); plt.xlabel('flipper length (mm)'); plt.ylabel('penguins')
# %% right: pandas, edges in white
ax = penguins['flipper_length_mm'].plot.hist(bins=15, color='teal', edgecolor='white', figsize=(8, 4))
ax.set(title='Flipper lengths', xlabel='flipper length (mm)', ylabel='penguins')
# %% right: seaborn
ax = sns.histplot(data=penguins, x='flipper_length_mm', bins=15, color='orange')
ax.set(title='Flipper lengths', xlabel='flipper length (mm)', ylabel='penguins')
# %% right: counted first, drawn as bars
n, edges = np.histogram(penguins['flipper_length_mm'].to_numpy(), bins=15)
plt.bar(edges[:-1], n, width=np.diff(edges), align='edge', color='gray', edgecolor='black')
plt.title('Flipper lengths'); plt.xlabel('flipper length (mm)'); plt.ylabel('penguins')
# %% wrong: 5 bins
plt.hist(penguins['flipper_length_mm'], bins=5)
plt.title('Flipper lengths'); plt.xlabel('flipper length (mm)'); plt.ylabel('penguins')
# %% wrong: bill lengths
plt.hist(penguins['bill_length_mm'], bins=15)
plt.title('Flipper lengths'); plt.xlabel('flipper length (mm)'); plt.ylabel('penguins')
# %% wrong: cumulative
plt.hist(penguins['flipper_length_mm'], bins=15, cumulative=True)
plt.title('Flipper lengths'); plt.xlabel('flipper length (mm)'); plt.ylabel('penguins')
# %% gold: ages of those who died and those who survived, over each other
bins = np.arange(0, 81, 5)
plt.hist(titanic.loc[titanic['survived'] == 0, 'age'].dropna(), bins=bins, alpha=.5, label='died')
plt.hist(titanic.loc[titanic['survived'] == 1, 'age'].dropna(), bins=bins, alpha=.5, label='survived')
plt.title('Ages on the Titanic'); plt.xlabel('age'); plt.ylabel('passengers'); plt.legend()
# %% right: other order and colours
fig, ax = plt.subplots()
for value, name, color in [(1, 'survived', 'green'), (0, 'died', 'red')]:
    a = titanic.query('survived == @value')['age'].dropna()
    ax.hist(a, bins=range(0, 85, 5), alpha=.4, color=color, label=name, histtype='stepfilled')
ax.legend(loc='upper right')
ax.set(title='Ages on the Titanic', xlabel='age', ylabel='passengers')
# %% right: pandas, 16 bins in a range
d = titanic.dropna(subset=['age'])
for value, name in enumerate(['died', 'survived']):
    d[d['survived'] == value]['age'].plot.hist(bins=16, range=(0, 80), alpha=.6, label=name)
plt.title('Ages on the Titanic'); plt.xlabel('age'); plt.ylabel('passengers'); plt.legend()
# %% wrong: names swapped
bins = np.arange(0, 81, 5)
plt.hist(titanic.loc[titanic['survived'] == 0, 'age'].dropna(), bins=bins, alpha=.5, label='survived')
plt.hist(titanic.loc[titanic['survived'] == 1, 'age'].dropna(), bins=bins, alpha=.5, label='died')
plt.title('Ages on the Titanic'); plt.xlabel('age'); plt.ylabel('passengers'); plt.legend()
# %% wrong: missing ages as zero
bins = np.arange(0, 81, 5)
plt.hist(titanic.loc[titanic['survived'] == 0, 'age'].fillna(0), bins=bins, alpha=.5, label='died')
plt.hist(titanic.loc[titanic['survived'] == 1, 'age'].fillna(0), bins=bins, alpha=.5, label='survived')
plt.title('Ages on the Titanic'); plt.xlabel('age'); plt.ylabel('passengers'); plt.legend()
# %% wrong: all passengers together
bins = np.arange(0, 81, 5)
plt.hist(titanic['age'].dropna(), bins=bins, alpha=.5)
plt.title('Ages on the Titanic'); plt.xlabel('age'); plt.ylabel('passengers')
# %% gold: density of the bills with a kernel estimate
sns.histplot(tips['total_bill'], bins=20, stat='density', kde=True)
plt.title('Bills'); plt.xlabel('total bill'); plt.ylabel('density')
# %% right: matplotlib and scipy
x = np.linspace(tips['total_bill'].min(), tips['total_bill'].max(), 300)
plt.hist(tips['total_bill'], bins=20, density=True, color='lightgray', edgecolor='gray')
plt.plot(x, stats.gaussian_kde(tips['total_bill'])(x), color='black')
plt.title('Bills'); plt.xlabel('total bill'); plt.ylabel('density')
# %% right: seaborn, other colours and edges given
b = tips['total_bill']
ax = sns.histplot(data=tips, x='total_bill', bins=np.linspace(b.min(), b.max(), 21), stat='density', kde=True, color='crimson', alpha=.3)
ax.set(title='Bills', xlabel='total bill', ylabel='density')
# %% wrong: no kernel estimate
sns.histplot(tips['total_bill'], bins=20, stat='density')
plt.title('Bills'); plt.xlabel('total bill'); plt.ylabel('density')
# %% wrong: counts
sns.histplot(tips['total_bill'], bins=20, kde=True)
plt.title('Bills'); plt.xlabel('total bill'); plt.ylabel('density')
# %% wrong: the estimate alone
sns.kdeplot(tips['total_bill'])
plt.title('Bills'); plt.xlabel('total bill'); plt.ylabel('density')
# %% gold: highest temperatures in bins of five degrees
plt.hist(weather['temp_max'], bins=np.arange(-5, 41, 5), edgecolor='black')
plt.title('Temperatures in Seattle'); plt.xlabel('highest temperature'); plt.ylabel('days')
# %% right: nine bins in a range
fig, ax = plt.subplots(figsize=(5, 5))
ax.hist(weather['temp_max'], bins=9, range=(-5, 40), color='tomato', rwidth=.95)
ax.set(title='Temperatures in Seattle', xlabel='highest temperature', ylabel='days')
# %% right: seaborn with a bin width
ax = sns.histplot(weather['temp_max'], binwidth=5, binrange=(-5, 40), element='bars', color='gold')
ax.set(title='Temperatures in Seattle', xlabel='highest temperature', ylabel='days')
# %% wrong: lowest temperatures
plt.hist(weather['temp_min'], bins=np.arange(-10, 41, 5), edgecolor='black')
plt.title('Temperatures in Seattle'); plt.xlabel('highest temperature'); plt.ylabel('days')
# %% wrong: bins of one degree
plt.hist(weather['temp_max'], bins=np.arange(-5, 41, 1), edgecolor='black')
plt.title('Temperatures in Seattle'); plt.xlabel('highest temperature'); plt.ylabel('days')
# %% wrong: logarithmic counts
plt.hist(weather['temp_max'], bins=np.arange(-5, 41, 5), edgecolor='black', log=True)
plt.title('Temperatures in Seattle'); plt.xlabel('highest temperature'); plt.ylabel('days')
# %% gold: a normal sample and the density it comes from
z = np.random.default_rng(7).normal(size=1000)
x = np.linspace(-4, 4, 200)
plt.hist(z, bins=30, density=True, label='sample')
plt.plot(x, stats.norm.pdf(x), label='normal density')
plt.title('Normal sample'); plt.xlabel('z'); plt.ylabel('density'); plt.legend()
# %% right: formula by hand, curve first
z = np.random.default_rng(7).normal(size=1000)
x = np.arange(-4, 4.01, .01)
fig, ax = plt.subplots(figsize=(8, 4))
ax.plot(x, np.exp(-x ** 2 / 2) / np.sqrt(2 * np.pi), 'r', lw=2, label='normal density')
ax.hist(z, 30, density=True, color='lightblue', edgecolor='k', label='sample')
ax.legend(loc='upper left')
ax.set(title='Normal sample', xlabel='z', ylabel='density')
# %% right: pandas
z = pd.Series(np.random.default_rng(7).normal(size=1000))
x = np.linspace(-4, 4, 101)
z.plot.hist(bins=30, density=True, color='plum', label='sample')
plt.plot(x, stats.norm(0, 1).pdf(x), 'k--', label='normal density')
plt.title('Normal sample'); plt.xlabel('z'); plt.ylabel('density'); plt.legend()
# %% wrong, changed: counts under the density
#- plt.hist(z, bins=30, density=True, label='sample')
plt.hist(z, bins=30, label='sample')
# %% wrong, changed: curve of the distribution function
#- plt.plot(x, stats.norm.pdf(x), label='normal density')
plt.plot(x, stats.norm.cdf(x), label='normal density')
# %% wrong, changed: uniform sample
#- z = np.random.default_rng(7).normal(size=1000)
z = np.random.default_rng(7).uniform(-3, 3, size=1000)

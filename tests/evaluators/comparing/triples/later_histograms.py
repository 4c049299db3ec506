# %% setup
from scipy import stats

tips = pd.read_csv('data/tips.csv')
penguins = pd.read_csv('data/penguins.csv').dropna()
titanic = pd.read_csv('data/titanic.csv')

# %% gold: Plot a histogram of the passengers' ages with 20 bins. Label the axes 'Age' and 'Count'.
plt.hist(titanic['age'].dropna(), bins=20)
plt.xlabel('Age')
plt.ylabel('Count')
plt.show()
# %% right: bins as edges
age = titanic['age'].dropna()
edges = np.linspace(age.min(), age.max(), 21)
plt.hist(age, bins=edges, color='skyblue', edgecolor='black')
plt.xlabel('Age')
plt.ylabel('Count')
plt.title('Ages of passengers')
plt.show()
# %% right, changed: pandas
#- plt.hist(titanic['age'].dropna(), bins=20)
titanic['age'].plot(kind='hist', bins=20, alpha=0.7)
# %% right: seaborn
fig, ax = plt.subplots(figsize=(10, 5))
sns.histplot(titanic['age'], bins=20, ax=ax, color='purple')
ax.set_xlabel('Age')
ax.set_ylabel('Count')
plt.show()
# %% right, changed: counted and drawn as bars
#- plt.hist(titanic['age'].dropna(), bins=20)
n, e = np.histogram(titanic['age'].dropna(), bins=20)
plt.bar(e[:-1], n, width=np.diff(e), align='edge', edgecolor='white')
# %% right, changed: DataFrame.hist
#- plt.hist(titanic['age'].dropna(), bins=20)
titanic.hist(column='age', bins=20, grid=False)
# %% wrong, before: missing ages filled with zero
titanic = titanic.fillna({'age': 0})
# %% wrong, before: missing ages filled with the mean
titanic = titanic.fillna({'age': titanic['age'].mean()})
# %% wrong, changed: ten bins
#- plt.hist(titanic['age'].dropna(), bins=20)
plt.hist(titanic['age'].dropna(), bins=10)
# %% wrong, changed: a density
#- plt.hist(titanic['age'].dropna(), bins=20)
plt.hist(titanic['age'].dropna(), bins=20, density=True)
# %% wrong: labels swapped
plt.hist(titanic['age'].dropna(), bins=20)
plt.xlabel('Count')
plt.ylabel('Age')
plt.show()
# %% wrong, changed: cumulative
#- plt.hist(titanic['age'].dropna(), bins=20)
plt.hist(titanic['age'].dropna(), bins=20, cumulative=True)

# %% gold: Draw overlaid density histograms (density=True, bins every 2 mm from 170 to 232) of flipper length for the three penguin species, with a legend of species.
for name, part in penguins.groupby('species'):
    plt.hist(part['flipper_length_mm'], bins=np.arange(170, 233, 2), density=True, alpha=0.5, label=name)
plt.xlabel('flipper length (mm)')
plt.ylabel('density')
plt.legend()
plt.show()
# %% right: as steps
for name in penguins['species'].unique():
    plt.hist(penguins.loc[penguins.species == name, 'flipper_length_mm'], bins=range(170, 233, 2), density=True, histtype='step', lw=2, label=name)
plt.xlabel('flipper length (mm)')
plt.ylabel('density')
plt.legend(loc='upper left')
plt.show()
# %% right: seaborn, each normed by itself
sns.histplot(data=penguins, x='flipper_length_mm', hue='species', stat='density', common_norm=False, bins=np.arange(170, 233, 2))
plt.xlabel('flipper length (mm)')
plt.ylabel('density')
plt.show()
# %% right: filled steps in other colours
fig, ax = plt.subplots(figsize=(9, 5))
for name, colour in zip(['Chinstrap', 'Gentoo', 'Adelie'], ['gold', 'navy', 'crimson']):
    ax.hist(penguins[penguins.species == name].flipper_length_mm, bins=np.arange(170, 233, 2), density=True, alpha=0.4, color=colour, label=name, histtype='stepfilled')
ax.set_xlabel('flipper length (mm)')
ax.set_ylabel('density')
ax.legend(title='species')
plt.show()
# %% right, before show: a title
plt.title('Flipper length by species')
# %% wrong, changed: counts
#- for name, part in penguins.groupby('species'):
#-     plt.hist(part['flipper_length_mm'], bins=np.arange(170, 233, 2), density=True, alpha=0.5, label=name)
for name, part in penguins.groupby('species'):
    plt.hist(part['flipper_length_mm'], bins=np.arange(170, 233, 2), alpha=0.5, label=name)
# %% wrong: all species together
plt.hist(penguins['flipper_length_mm'], bins=np.arange(170, 233, 2), density=True, alpha=0.5)
plt.xlabel('flipper length (mm)')
plt.ylabel('density')
plt.show()
# %% wrong: no legend
for name, part in penguins.groupby('species'):
    plt.hist(part['flipper_length_mm'], bins=np.arange(170, 233, 2), density=True, alpha=0.5)
plt.xlabel('flipper length (mm)')
plt.ylabel('density')
plt.show()
# %% wrong, before: a species missing
penguins = penguins[penguins.species != 'Chinstrap']
# %% wrong, before: names of species swapped
penguins = penguins.assign(species=penguins.species.replace({'Adelie': 'Gentoo', 'Gentoo': 'Adelie'}))
# %% wrong, before: by island
penguins = penguins.assign(species=penguins.island)

# %% gold: Draw the kernel density estimate of the total bill for lunch and dinner in one plot, with a legend.
sns.kdeplot(data=tips, x='total_bill', hue='time', common_norm=False)
plt.title('Density of bills')
plt.show()
# %% right: one call for each
for t in ['Lunch', 'Dinner']:
    sns.kdeplot(tips[tips.time == t]['total_bill'], label=t)
plt.legend()
plt.title('Density of bills')
plt.show()
# %% right: scipy
fig, ax = plt.subplots()
for t, part in tips.groupby('time'):
    k = stats.gaussian_kde(part['total_bill'])
    h = np.sqrt(k.covariance[0, 0])
    x = np.linspace(part.total_bill.min() - 3 * h, part.total_bill.max() + 3 * h, 300)
    ax.plot(x, k(x), label=t, lw=3)
ax.set(xlabel='total_bill', ylabel='Density', title='Density of bills')
ax.legend()
plt.show()
# %% right: filled
sns.kdeplot(data=tips, x='total_bill', hue='time', common_norm=False, fill=True, alpha=0.3, palette='Set1')
plt.title('Density of bills')
plt.show()
# %% right: pandas
for t, part in tips.groupby('time'):
    part['total_bill'].plot.kde(label=t)
plt.xlabel('total_bill')
plt.xlim(-5, 65)
plt.legend()
plt.title('Density of bills')
plt.show()
# %% wrong: one curve for all
sns.kdeplot(data=tips, x='total_bill')
plt.title('Density of bills')
plt.show()
# %% wrong: tips
sns.kdeplot(data=tips, x='tip', hue='time', common_norm=False)
plt.title('Density of bills')
plt.show()
# %% wrong: cumulative
sns.kdeplot(data=tips, x='total_bill', hue='time', common_norm=False, cumulative=True)
plt.title('Density of bills')
plt.show()
# %% wrong: labels swapped
for t, other in [('Lunch', 'Dinner'), ('Dinner', 'Lunch')]:
    sns.kdeplot(tips[tips.time == t]['total_bill'], label=other)
plt.legend()
plt.title('Density of bills')
plt.show()
# %% wrong: by smoker
sns.kdeplot(data=tips, x='total_bill', hue='smoker', common_norm=False)
plt.title('Density of bills')
plt.show()

# %% setup
from scipy import stats
tips = pd.read_csv('data/tips.csv')
titanic = pd.read_csv('data/titanic.csv')
gap = pd.read_csv('data/gapminder.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
credit = pd.read_csv('data/credit.csv')
# %% gold: Plot a histogram of the age of the Titanic passengers with 20 bins. Drop missing ages. Title it 'Age distribution'.
plt.hist(titanic['age'].dropna(), bins=20)
plt.title('Age distribution')
plt.show()
# %% right: pandas
titanic['age'].plot.hist(bins=20, edgecolor='black', color='skyblue', title='Age distribution')
plt.xlabel('age')
plt.show()
# %% right: seaborn
fig, ax = plt.subplots(figsize=(10, 4))
sns.histplot(titanic['age'].dropna(), bins=20, ax=ax)
ax.set_title('Age distribution')
plt.show()
# %% right: Series.hist with grid
titanic.age.hist(bins=20, alpha=0.8)
plt.title('Age distribution', fontsize=16)
plt.xlabel('Age (years)')
plt.ylabel('Count')
plt.show()
# %% right: bars of np.histogram
n, e = np.histogram(titanic.age.dropna(), bins=20)
plt.bar(e[:-1], n, width=np.diff(e), align='edge', edgecolor='white')
plt.title('Age distribution')
plt.show()
# %% right, before: style
plt.style.use('seaborn-v0_8-whitegrid')
# %% wrong: 10 bins
plt.hist(titanic['age'].dropna())
plt.title('Age distribution')
plt.show()
# %% wrong: missing as 0
plt.hist(titanic['age'].fillna(0), bins=20)
plt.title('Age distribution')
plt.show()
# %% wrong: missing as the mean
plt.hist(titanic['age'].fillna(titanic.age.mean()), bins=20)
plt.title('Age distribution')
plt.show()
# %% wrong: density
plt.hist(titanic['age'].dropna(), bins=20, density=True)
plt.title('Age distribution')
plt.show()
# %% wrong: title missing
plt.hist(titanic['age'].dropna(), bins=20)
plt.xlabel('age')
plt.show()
# %% gold: Plot overlapping density-normalised histograms (30 bins from 170 to 235 mm, density=True for each species on its own) of flipper_length_mm for the three penguin species, half transparent, with a legend of the species names. Label the x axis 'flipper length (mm)'.
b = np.linspace(170, 235, 31)
for s in sorted(peng.species.unique()):
    plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=b, density=True, alpha=0.5, label=s)
plt.xlabel('flipper length (mm)')
plt.legend()
plt.show()
# %% right: groupby, range, other colours
fig, ax = plt.subplots(figsize=(9, 6))
for (s, g), c in zip(peng.groupby('species'), ['red', 'green', 'blue']):
    ax.hist(g.flipper_length_mm, bins=30, range=(170, 235), density=True, alpha=0.5, label=s, color=c)
ax.set(xlabel='flipper length (mm)', ylabel='density', title='Flipper length')
ax.legend(title='species', loc='upper left')
plt.show()
# %% right: seaborn
sns.histplot(data=peng, x='flipper_length_mm', hue='species', bins=30, binrange=(170, 235), stat='density', common_norm=False, alpha=0.5)
plt.xlabel('flipper length (mm)')
plt.show()
# %% right: other order of the groups, pandas
for s in ['Gentoo', 'Adelie', 'Chinstrap']:
    peng.loc[peng.species == s, 'flipper_length_mm'].plot.hist(bins=np.linspace(170, 235, 31), density=True, alpha=.5, label=s)
plt.legend()
plt.xlabel('flipper length (mm)')
plt.show()
# %% right, before show: grid and title
plt.title('Penguins')
plt.grid(alpha=0.3)
plt.ylabel('density')
# %% wrong, changed: counts
#- for s in sorted(peng.species.unique()):
#-     plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=b, density=True, alpha=0.5, label=s)
for s in sorted(peng.species.unique()):
    plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=b, alpha=0.5, label=s)
# %% wrong, changed: a species missing
#- for s in sorted(peng.species.unique()):
#-     plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=b, density=True, alpha=0.5, label=s)
for s in ['Adelie', 'Gentoo']:
    plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=b, density=True, alpha=0.5, label=s)
# %% wrong: normalised together
sns.histplot(data=peng, x='flipper_length_mm', hue='species', bins=30, binrange=(170, 235), stat='density', alpha=0.5)
plt.xlabel('flipper length (mm)')
plt.show()
# %% wrong: 15 bins
for s in sorted(peng.species.unique()):
    plt.hist(peng[peng.species == s]['flipper_length_mm'], bins=15, range=(170, 235), density=True, alpha=0.5, label=s)
plt.xlabel('flipper length (mm)')
plt.legend()
plt.show()
# %% wrong, changed: no legend
#- plt.legend()
# %% gold: Plot the distribution of gdpPercap in 2007 (gapminder) as a histogram of log10(gdpPercap) with 25 bins; x label 'log10 GDP per capita', y label 'number of countries'.
x = np.log10(gap[gap.year == 2007]['gdpPercap'])
plt.hist(x, bins=25)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% right: seaborn
g = gap.query('year == 2007').assign(lg=lambda d: np.log10(d.gdpPercap))
ax = sns.histplot(data=g, x='lg', bins=25, color='purple')
ax.set(xlabel='log10 GDP per capita', ylabel='number of countries', title='GDP 2007')
plt.show()
# %% right: pandas
gap.loc[gap.year.eq(2007), 'gdpPercap'].apply(np.log10).hist(bins=25, grid=False, edgecolor='k')
plt.xlabel('log10 GDP per capita'); plt.ylabel('number of countries')
plt.show()
# %% right: filled step
fig, ax = plt.subplots(figsize=(5, 5))
ax.hist(np.log10(gap[gap.year == 2007].gdpPercap.values), 25, histtype='stepfilled', color='seagreen')
ax.set_xlabel('log10 GDP per capita', fontsize=12)
ax.set_ylabel('number of countries', fontsize=12)
plt.show()
# %% right, before show: a line at the median
plt.axvline(x.median(), color='red', linestyle='--')
# %% wrong: no logarithm
plt.hist(gap[gap.year == 2007]['gdpPercap'], bins=25)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% wrong: natural logarithm
plt.hist(np.log(gap[gap.year == 2007]['gdpPercap']), bins=25)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% wrong: all years
plt.hist(np.log10(gap['gdpPercap']), bins=25)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% wrong: y logarithmic in place of the values
plt.hist(gap[gap.year == 2007]['gdpPercap'], bins=25, log=True)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% wrong: life expectancy
plt.hist(np.log10(gap[gap.year == 2007]['lifeExp']), bins=25)
plt.xlabel('log10 GDP per capita')
plt.ylabel('number of countries')
plt.show()
# %% gold: Compare the total bill of lunch and dinner with two step histograms (unfilled outlines, 15 bins from 0 to 60) in one axes, with a logarithmic y axis and a legend.
for t in ['Lunch', 'Dinner']:
    plt.hist(tips[tips.time == t]['total_bill'], bins=15, range=(0, 60), histtype='step', label=t)
plt.yscale('log')
plt.legend()
plt.show()
# %% right: log=True, bins by edges, thicker lines
fig, ax = plt.subplots()
e = np.linspace(0, 60, 16)
ax.hist(tips.loc[tips.time == 'Dinner', 'total_bill'], bins=e, histtype='step', log=True, lw=2, color='k', label='Dinner')
ax.hist(tips.loc[tips.time == 'Lunch', 'total_bill'], bins=e, histtype='step', log=True, lw=2, color='r', label='Lunch')
ax.legend(loc='best', title='time')
ax.set_xlabel('total bill')
plt.show()
# %% right: both in one call
plt.hist([tips[tips.time == 'Lunch'].total_bill, tips[tips.time == 'Dinner'].total_bill], bins=15, range=(0, 60), histtype='step', label=['Lunch', 'Dinner'], log=True)
plt.legend()
plt.title('Total bill')
plt.show()
# %% right: seaborn
ax = sns.histplot(data=tips, x='total_bill', hue='time', bins=15, binrange=(0, 60), element='step', fill=False)
ax.set_yscale('log')
plt.show()
# %% right, before show: labels
plt.xlabel('Total bill ($)')
plt.ylabel('Count')
plt.tight_layout()
# %% wrong, changed: linear y
#- plt.yscale('log')
# %% wrong, changed: log x
#- plt.yscale('log')
plt.xscale('log')
# %% wrong: tip for bill
for t in ['Lunch', 'Dinner']:
    plt.hist(tips[tips.time == t]['tip'], bins=15, range=(0, 60), histtype='step', label=t)
plt.yscale('log')
plt.legend()
plt.show()
# %% wrong: smoker for time
for t in ['Yes', 'No']:
    plt.hist(tips[tips.smoker == t]['total_bill'], bins=15, range=(0, 60), histtype='step', label=t)
plt.yscale('log')
plt.legend()
plt.show()
# %% wrong: filled
for t in ['Lunch', 'Dinner']:
    plt.hist(tips[tips.time == t]['total_bill'], bins=15, range=(0, 60), label=t)
plt.yscale('log')
plt.legend()
plt.show()
# %% gold: Plot the kernel density estimate of credit Balance of students and of non-students as two curves in one axes, each normalised on its own (scipy gaussian_kde / seaborn default bandwidth), with a legend that tells which is which. Title: 'Balance of students'.
sns.kdeplot(data=credit, x='Balance', hue='Student', common_norm=False)
plt.title('Balance of students')
plt.show()
# %% right: two calls
for v, l in [('Yes', 'student'), ('No', 'no student')]:
    sns.kdeplot(credit[credit.Student == v]['Balance'], label=l)
plt.legend()
plt.title('Balance of students')
plt.show()
# %% right: scipy
fig, ax = plt.subplots(figsize=(8, 5))
x = np.linspace(-700, 2600, 500)
for v in ['No', 'Yes']:
    ax.plot(x, stats.gaussian_kde(credit.loc[credit.Student == v, 'Balance'])(x), label=f'Student: {v}')
ax.legend()
ax.set_title('Balance of students')
ax.set_xlabel('Balance')
ax.set_ylabel('Density')
plt.show()
# %% right: filled
sns.kdeplot(data=credit, x='Balance', hue='Student', common_norm=False, fill=True, alpha=0.3, palette='Set1')
plt.title('Balance of students')
plt.show()
# %% right: pandas
credit[credit.Student == 'Yes'].Balance.plot.kde(label='Students')
credit[credit.Student == 'No'].Balance.plot.kde(label='Non-students')
plt.legend()
plt.title('Balance of students')
plt.xlabel('Balance')
plt.show()
# %% wrong: norm in common
sns.kdeplot(data=credit, x='Balance', hue='Student')
plt.title('Balance of students')
plt.show()
# %% wrong: income
sns.kdeplot(data=credit, x='Income', hue='Student', common_norm=False)
plt.title('Balance of students')
plt.show()
# %% wrong: married
sns.kdeplot(data=credit, x='Balance', hue='Married', common_norm=False)
plt.title('Balance of students')
plt.show()
# %% wrong: histograms
sns.histplot(data=credit, x='Balance', hue='Student', stat='density', common_norm=False)
plt.title('Balance of students')
plt.show()
# %% wrong: one curve of all
sns.kdeplot(data=credit, x='Balance')
plt.title('Balance of students')
plt.show()

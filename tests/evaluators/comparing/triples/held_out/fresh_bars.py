# %% setup
tips = pd.read_csv('data/tips.csv')
titanic = pd.read_csv('data/titanic.csv')
titanic = titanic[titanic['class'] != '*']
gap = pd.read_csv('data/gapminder.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
iowa = pd.read_csv('data/iowa-electricity.csv')
penguins = pd.read_csv('data/penguins.csv').dropna()
wine = pd.read_csv('data/wine.csv')
MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
# %% gold: mean tip on each day
days = ['Thur', 'Fri', 'Sat', 'Sun']
tips.groupby('day')['tip'].mean().loc[days].plot(kind='bar')
plt.title('Mean tip by day'); plt.xlabel('day'); plt.ylabel('mean tip')
# %% right: matplotlib bars, narrower, edges
days = ['Thur', 'Fri', 'Sat', 'Sun']
vals = [tips.loc[tips.day == d, 'tip'].mean() for d in days]
fig, ax = plt.subplots(figsize=(6, 4))
ax.bar(days, vals, width=.5, color='salmon', edgecolor='black')
ax.set_title('Mean tip by day'); ax.set_xlabel('day'); ax.set_ylabel('mean tip')
# %% right: seaborn, a colour for each bar
ax = sns.barplot(data=tips, x='day', y='tip', hue='day', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None, legend=False, palette='pastel')
ax.set(title='Mean tip by day', xlabel='day', ylabel='mean tip')
# %% wrong, changed: sum of the tips
#- tips.groupby('day')['tip'].mean().loc[days].plot(kind='bar')
tips.groupby('day')['tip'].sum().loc[days].plot(kind='bar')
# %% wrong: names put on bars of another order
m = tips.groupby('day')['tip'].mean()
plt.bar(range(4), m.values)
plt.xticks(range(4), ['Thur', 'Fri', 'Sat', 'Sun'])
plt.title('Mean tip by day'); plt.xlabel('day'); plt.ylabel('mean tip')
# %% wrong, changed: mean bill
#- tips.groupby('day')['tip'].mean().loc[days].plot(kind='bar')
tips.groupby('day')['total_bill'].mean().loc[days].plot(kind='bar')
# %% gold: survival by class and sex, bars side by side
t = titanic.groupby(['class', 'sex'])['survived'].mean().unstack()
t.plot.bar(rot=0)
plt.title('Survival on the Titanic'); plt.xlabel('class'); plt.ylabel('share that survived')
# %% right: seaborn
ax = sns.barplot(data=titanic, x='class', y='survived', hue='sex', order=['1st', '2nd', '3rd'],
                 hue_order=['female', 'male'], errorbar=None)
ax.set(title='Survival on the Titanic', xlabel='class', ylabel='share that survived')
# %% right: matplotlib with offsets
t = pd.pivot_table(titanic, index='class', columns='sex', values='survived')
x = np.arange(len(t))
w = .4
plt.bar(x - w / 2, t['female'], w, color='purple', label='female')
plt.bar(x + w / 2, t['male'], w, color='green', label='male')
plt.xticks(x, t.index)
plt.legend(title='sex', loc='upper right')
plt.title('Survival on the Titanic'); plt.xlabel('class'); plt.ylabel('share that survived')
# %% wrong, changed: stacked
#- t.plot.bar(rot=0)
t.plot.bar(rot=0, stacked=True)
# %% wrong, changed: numbers of survivors
#- t = titanic.groupby(['class', 'sex'])['survived'].mean().unstack()
t = titanic.groupby(['class', 'sex'])['survived'].sum().unstack()
# %% wrong: both sexes together
titanic.groupby('class')['survived'].mean().plot.bar(rot=0)
plt.title('Survival on the Titanic'); plt.xlabel('class'); plt.ylabel('share that survived')
# %% gold: the ten largest countries, largest on top
top = gap[gap['year'] == 2007].nlargest(10, 'pop')
plt.barh(top['country'], top['pop'] / 1e6)
plt.gca().invert_yaxis()
plt.title('Largest countries in 2007'); plt.xlabel('population (millions)'); plt.ylabel('country')
# %% right: pandas, ascending order
s = gap.query('year == 2007').set_index('country')['pop'].sort_values().tail(10).div(1_000_000)
ax = s.plot.barh(color='tab:orange', figsize=(9, 5))
ax.set(title='Largest countries in 2007', xlabel='population (millions)', ylabel='country')
# %% right: seaborn
top = gap[gap.year == 2007].sort_values('pop', ascending=False).head(10).assign(m=lambda d: d['pop'] / 1e6)
sns.barplot(data=top, x='m', y='country', color='steelblue')
plt.title('Largest countries in 2007'); plt.xlabel('population (millions)'); plt.ylabel('country')
plt.tight_layout()
# %% wrong, changed: by the alphabet
#- top = gap[gap['year'] == 2007].nlargest(10, 'pop')
top = gap[gap['year'] == 2007].nlargest(10, 'pop').sort_values('country')
# %% wrong, changed: populations of 1952
#- top = gap[gap['year'] == 2007].nlargest(10, 'pop')
top = gap[gap['year'] == 1952].nlargest(10, 'pop')
# %% wrong, changed: five countries only
#- top = gap[gap['year'] == 2007].nlargest(10, 'pop')
top = gap[gap['year'] == 2007].nlargest(5, 'pop')
# %% gold: how many days of each weather, most common first
weather['weather'].value_counts().plot.bar()
plt.title('Weather in Seattle'); plt.xlabel('weather'); plt.ylabel('days')
# %% right: countplot
order = weather['weather'].value_counts().index
ax = sns.countplot(data=weather, x='weather', order=order, color='skyblue')
ax.set(title='Weather in Seattle', xlabel='weather', ylabel='days')
# %% right: counted by a Counter
from collections import Counter
pairs = Counter(weather['weather']).most_common()
plt.figure(figsize=(5, 3))
plt.bar([p[0] for p in pairs], [p[1] for p in pairs], color=['gray', 'gold', 'blue', 'brown', 'black'])
plt.title('Weather in Seattle'); plt.xlabel('weather'); plt.ylabel('days')
# %% right: groupby and sort
n = weather.groupby('weather').size().sort_values(ascending=False)
fig, ax = plt.subplots()
ax.bar(np.arange(len(n)), n.to_numpy(), color='olive', hatch='/')
ax.set_xticks(np.arange(len(n)), n.index, rotation=90)
ax.set_title('Weather in Seattle'); ax.set_xlabel('weather'); ax.set_ylabel('days')
# %% wrong: of the year 2012 only
weather[weather['date'].dt.year == 2012]['weather'].value_counts().plot.bar()
plt.title('Weather in Seattle'); plt.xlabel('weather'); plt.ylabel('days')
# %% wrong: shares
weather['weather'].value_counts(normalize=True).plot.bar()
plt.title('Weather in Seattle'); plt.xlabel('weather'); plt.ylabel('days')
# %% wrong: rain of each weather summed
weather.groupby('weather')['precipitation'].sum().sort_values(ascending=False).plot.bar()
plt.title('Weather in Seattle'); plt.xlabel('weather'); plt.ylabel('days')
# %% gold: mean rain by month of the year
m = weather.groupby(weather['date'].dt.month)['precipitation'].mean()
plt.bar(MONTHS, m)
plt.title('Rain by month'); plt.xlabel('month'); plt.ylabel('mean precipitation (mm)')
# %% right: pandas by month names in order
d = weather.assign(month=pd.Categorical(weather['date'].dt.strftime('%b'), categories=MONTHS, ordered=True))
d.groupby('month', observed=False)['precipitation'].mean().plot(kind='bar', color='navy', width=.9)
plt.title('Rain by month'); plt.xlabel('month'); plt.ylabel('mean precipitation (mm)')
# %% right: seaborn
d = weather.assign(month=weather['date'].dt.strftime('%b'))
ax = sns.barplot(data=d, x='month', y='precipitation', order=MONTHS, errorbar=None, color='lightblue')
ax.set(title='Rain by month', xlabel='month', ylabel='mean precipitation (mm)')
# %% wrong: months by the alphabet
m = weather.groupby(weather['date'].dt.strftime('%b'))['precipitation'].mean()
plt.bar(m.index, m)
plt.title('Rain by month'); plt.xlabel('month'); plt.ylabel('mean precipitation (mm)')
# %% wrong, changed: the highest of each month
#- m = weather.groupby(weather['date'].dt.month)['precipitation'].mean()
m = weather.groupby(weather['date'].dt.month)['precipitation'].max()
# %% wrong, changed: a line
#- plt.bar(MONTHS, m)
plt.plot(MONTHS, m)
# %% gold: species on each island, stacked
t = pd.crosstab(penguins['island'], penguins['species'])
t.plot(kind='bar', stacked=True)
plt.title('Penguins on the islands'); plt.xlabel('island'); plt.ylabel('penguins')
# %% right: matplotlib with bottoms
t = penguins.groupby(['island', 'species']).size().unstack(fill_value=0)
bottom = np.zeros(len(t))
fig, ax = plt.subplots()
for name, color in zip(t.columns, ['#66c2a5', '#fc8d62', '#8da0cb']):
    ax.bar(t.index, t[name], .6, bottom=bottom, label=name, color=color)
    bottom += t[name].to_numpy()
ax.legend(title='species', loc='upper left', bbox_to_anchor=(1, 1))
ax.set(title='Penguins on the islands', xlabel='island', ylabel='penguins')
fig.tight_layout()
# %% right: pandas with another colour map
t = penguins.pivot_table(index='island', columns='species', values='year', aggfunc='count').fillna(0)
ax = t.plot.bar(stacked=True, rot=0, colormap='Accent', edgecolor='white', figsize=(5, 5))
ax.set(title='Penguins on the islands', xlabel='island', ylabel='penguins')
# %% wrong, changed: side by side
#- t.plot(kind='bar', stacked=True)
t.plot(kind='bar')
# %% wrong, changed: shares of each island
#- t = pd.crosstab(penguins['island'], penguins['species'])
t = pd.crosstab(penguins['island'], penguins['species'], normalize='index')
# %% wrong, changed: islands stacked in each species
#- t = pd.crosstab(penguins['island'], penguins['species'])
t = pd.crosstab(penguins['species'], penguins['island'])
# %% gold: rainy days in each year
n = weather[weather['precipitation'] > 0].groupby(weather['date'].dt.year).size()
n.plot.bar(rot=0)
plt.title('Rainy days'); plt.xlabel('year'); plt.ylabel('days')
# %% right: years as numbers on the axis
y = weather['date'].dt.year
n = (weather['precipitation'] > 0).groupby(y).sum()
plt.bar(n.index, n, color='slateblue')
plt.xticks(n.index)
plt.title('Rainy days'); plt.xlabel('year'); plt.ylabel('days')
# %% right: countplot of the rainy rows
d = weather.query('precipitation > 0').assign(year=lambda d: d['date'].dt.year.astype(str))
ax = sns.countplot(data=d, x='year', color='.5')
ax.set(title='Rainy days', xlabel='year', ylabel='days')
# %% wrong, changed: dry days
#- n = weather[weather['precipitation'] > 0].groupby(weather['date'].dt.year).size()
n = weather[weather['precipitation'] == 0].groupby(weather['date'].dt.year).size()
# %% wrong, changed: amount of rain
#- n = weather[weather['precipitation'] > 0].groupby(weather['date'].dt.year).size()
n = weather.groupby(weather['date'].dt.year)['precipitation'].sum()
# %% wrong, changed: the last year is missing
#- n = weather[weather['precipitation'] > 0].groupby(weather['date'].dt.year).size()
n = weather[weather['precipitation'] > 0].groupby(weather['date'].dt.year).size().iloc[:-1]
# %% gold: mean mass of each species with its standard deviation
g = penguins.groupby('species')['body_mass_g'].agg(['mean', 'std'])
plt.bar(g.index, g['mean'], yerr=g['std'], capsize=4)
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mean mass (g)')
# %% right: pandas, thicker error bars
g = penguins.groupby('species')['body_mass_g']
g.mean().plot.bar(yerr=g.std(), rot=0, color='khaki', error_kw={'ecolor': 'red', 'elinewidth': 2})
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mean mass (g)')
# %% right: seaborn
ax = sns.barplot(data=penguins, x='species', y='body_mass_g', order=['Adelie', 'Chinstrap', 'Gentoo'], errorbar='sd', capsize=.1, color='lightgreen')
ax.set(title='Mass by species', xlabel='species', ylabel='mean mass (g)')
# %% right: error bars drawn on their own
g = penguins.groupby('species')['body_mass_g'].describe()
plt.bar(range(3), g['mean'], color='pink')
plt.errorbar(range(3), g['mean'], yerr=g['std'], fmt='none', ecolor='black', capsize=8)
plt.xticks(range(3), g.index)
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mean mass (g)')
# %% wrong, changed: no error bars
#- plt.bar(g.index, g['mean'], yerr=g['std'], capsize=4)
plt.bar(g.index, g['mean'])
# %% wrong: standard errors
g = penguins.groupby('species')['body_mass_g'].agg(['mean', 'sem'])
plt.bar(g.index, g['mean'], yerr=g['sem'], capsize=4)
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mean mass (g)')
# %% gold: correlation of each measure with alcohol, sorted
c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol').sort_values()
c.plot.barh()
plt.title('Correlation with alcohol'); plt.xlabel('correlation'); plt.ylabel('measure')
# %% right: numpy and matplotlib, coloured by sign
num = wine.select_dtypes('number').drop(columns='alcohol')
r = {name: np.corrcoef(wine['alcohol'], num[name])[0, 1] for name in num}
names = sorted(r, key=r.get)
vals = [r[n] for n in names]
plt.figure(figsize=(8, 6))
plt.barh(names, vals, color=['firebrick' if v < 0 else 'seagreen' for v in vals])
plt.title('Correlation with alcohol'); plt.xlabel('correlation'); plt.ylabel('measure')
plt.tight_layout()
# %% right: seaborn on corrwith
c = wine.drop(columns=['cultivar', 'alcohol']).corrwith(wine['alcohol']).sort_values(ascending=False)
ax = sns.barplot(x=c.values, y=c.index, color='steelblue')
ax.axvline(0, color='k', lw=.7)
ax.set(title='Correlation with alcohol', xlabel='correlation', ylabel='measure')
# %% wrong, changed: without signs
#- c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol').sort_values()
c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol').abs().sort_values()
# %% wrong, changed: not sorted
#- c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol').sort_values()
c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol')
# %% wrong, changed: with another measure
#- c = wine.drop(columns='cultivar').corr()['alcohol'].drop('alcohol').sort_values()
c = wine.drop(columns='cultivar').corr()['hue'].drop('hue').sort_values()

# %% setup
tips = pd.read_csv('data/tips.csv')
titanic = pd.read_csv('data/titanic.csv')
gap = pd.read_csv('data/gapminder.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
days = ['Thur', 'Fri', 'Sat', 'Sun']

# %% gold: Draw a grouped bar chart of the mean total bill for each day (Thur, Fri, Sat, Sun) with one bar per sex and a legend. Title it 'Mean bill by day and sex'.
table = tips.groupby(['day', 'sex'])['total_bill'].mean().unstack().loc[days]
table.plot(kind='bar', figsize=(8, 5))
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()
# %% right: by hand with shifted bars
t = tips.pivot_table(index='day', columns='sex', values='total_bill', aggfunc='mean').reindex(days)
x = np.arange(len(days))
w = 0.35
fig, ax = plt.subplots()
ax.bar(x - w / 2, t['Female'], w, label='Female', color='salmon')
ax.bar(x + w / 2, t['Male'], w, label='Male', color='steelblue')
ax.set_xticks(x)
ax.set_xticklabels(days)
ax.set_xlabel('day')
ax.set_ylabel('total_bill')
ax.set_title('Mean bill by day and sex')
ax.legend(title='sex')
plt.show()
# %% right: seaborn without intervals
plt.figure(figsize=(9, 6))
sns.barplot(data=tips, x='day', y='total_bill', hue='sex', order=days, errorbar=None, palette='Set2')
plt.title('Mean bill by day and sex')
plt.legend(loc='upper left')
plt.show()
# %% right: seaborn's catplot
g = sns.catplot(data=tips, x='day', y='total_bill', hue='sex', order=days, kind='bar', errorbar=None)
g.ax.set_title('Mean bill by day and sex')
plt.show()
# %% right: the other sex first
t = tips.groupby(['day', 'sex'])['total_bill'].mean().unstack().loc[days, ['Male', 'Female']]
t.plot.bar(rot=0, color=['#1f77b4', '#e377c2'], width=0.8)
plt.title('Mean bill by day and sex')
plt.ylabel('Mean total bill ($)')
plt.grid(axis='y', linestyle='--', alpha=0.5)
plt.show()
# %% wrong: the tip
tips.groupby(['day', 'sex'])['tip'].mean().unstack().loc[days].plot(kind='bar')
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()
# %% wrong: sums
tips.groupby(['day', 'sex'])['total_bill'].sum().unstack().loc[days].plot(kind='bar')
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()
# %% wrong: labels of the sexes swapped
t = tips.groupby(['day', 'sex'])['total_bill'].mean().unstack().loc[days]
t.columns = ['Male', 'Female']
t.plot(kind='bar', figsize=(8, 5))
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()
# %% wrong: no split by sex
tips.groupby('day')['total_bill'].mean().loc[days].plot(kind='bar')
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()
# %% wrong: stacked
tips.groupby(['day', 'sex'])['total_bill'].mean().unstack().loc[days].plot(kind='bar', stacked=True)
plt.title('Mean bill by day and sex')
plt.ylabel('total_bill')
plt.show()

# %% gold: Show the number of passengers of each class (1st, 2nd, 3rd) as stacked bars of those who died (survived = 0) and survived (1), with a legend.
counts = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
counts.plot(kind='bar', stacked=True)
plt.xlabel('class')
plt.ylabel('passengers')
plt.legend(['died', 'survived'])
plt.show()
# %% right: by hand with a bottom
c = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
plt.bar(c.index, c[0], color='grey', label='died')
plt.bar(c.index, c[1], bottom=c[0], color='green', label='survived')
plt.xlabel('class')
plt.ylabel('passengers')
plt.legend()
plt.show()
# %% right: from a grouping, thinner
c = titanic.groupby(['class', 'survived']).size().unstack(fill_value=0).reindex(['1st', '2nd', '3rd'])
c.columns = ['died', 'survived']
ax = c.plot.bar(stacked=True, figsize=(7, 4), colormap='coolwarm', width=0.4, rot=0)
ax.set_ylabel('passengers')
ax.legend(loc='upper left')
plt.show()
# %% right: numbers in the bars
c = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
ax = c.plot(kind='bar', stacked=True, edgecolor='k')
for container in ax.containers:
    ax.bar_label(container, label_type='center')
plt.xlabel('class')
plt.ylabel('passengers')
plt.legend(['died', 'survived'], title='fate')
plt.show()
# %% right, before show: a title and turned ticks
plt.title('Passengers by class')
plt.xticks(rotation=0)
# %% wrong, changed: side by side
#- counts = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
#- counts.plot(kind='bar', stacked=True)
c = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
c.plot(kind='bar')
# %% wrong, changed: shares
#- counts = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
#- counts.plot(kind='bar', stacked=True)
c = pd.crosstab(titanic['class'], titanic['survived'], normalize='index').loc[['1st', '2nd', '3rd']]
c.plot(kind='bar', stacked=True)
# %% wrong: the legend's names swapped
c = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
c.plot(kind='bar', stacked=True)
plt.xlabel('class')
plt.ylabel('passengers')
plt.legend(['survived', 'died'])
plt.show()
# %% wrong, before: those without an age dropped
titanic = titanic.dropna(subset=['age'])
# %% wrong, changed: by sex
#- counts = pd.crosstab(titanic['class'], titanic['survived']).loc[['1st', '2nd', '3rd']]
#- counts.plot(kind='bar', stacked=True)
c = pd.crosstab(titanic['sex'], titanic['survived'])
c.plot(kind='bar', stacked=True)

# %% gold: Draw a horizontal bar chart of the ten countries with the largest population in 2007, sorted, the largest at the top.
top = gap[gap.year == 2007].nlargest(10, 'pop').set_index('country')['pop']
plt.barh(top.index[::-1], top.values[::-1])
plt.xlabel('population')
plt.title('Most populous countries 2007')
plt.show()
# %% right: with the axis inverted
t = gap[gap.year == 2007].nlargest(10, 'pop')
fig, ax = plt.subplots(figsize=(10, 6))
ax.barh(t['country'], t['pop'], color='teal')
ax.invert_yaxis()
ax.set_xlabel('population')
ax.set_title('Most populous countries 2007')
plt.show()
# %% right: pandas, ascending
t = gap.query('year == 2007').set_index('country')['pop'].sort_values().tail(10)
t.plot.barh(color='orange', title='Most populous countries 2007')
plt.xlabel('population')
plt.ylabel('')
plt.show()
# %% right: seaborn
t = gap[gap.year == 2007].sort_values('pop', ascending=False).head(10)
sns.barplot(data=t, x='pop', y='country', hue='country', palette='viridis', legend=False)
plt.title('Most populous countries 2007')
plt.xlabel('population')
plt.show()
# %% right: in millions, as the label says
t = gap[gap.year == 2007].nlargest(10, 'pop').iloc[::-1]
plt.figure(figsize=(9, 5))
plt.barh(t['country'], t['pop'] / 1e6, color='C2')
plt.xlabel('population (millions)')
plt.title('Most populous countries 2007')
plt.show()
# %% wrong: the smallest at the top
t = gap[gap.year == 2007].nlargest(10, 'pop')
plt.barh(t['country'], t['pop'])
plt.xlabel('population')
plt.title('Most populous countries 2007')
plt.show()
# %% wrong, before: the smallest ten
gap = gap.assign(pop=gap['pop'])
_small = gap[gap.year == 2007].nsmallest(10, 'pop')
gap = _small
# %% wrong, before: of 2002
gap = gap[gap.year == 2002].assign(year=2007)
# %% wrong: nine of ten
t = gap[gap.year == 2007].nlargest(9, 'pop').iloc[::-1]
plt.barh(t['country'], t['pop'])
plt.xlabel('population')
plt.title('Most populous countries 2007')
plt.show()
# %% wrong: unsorted
t = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('country')
plt.barh(t['country'], t['pop'])
plt.xlabel('population')
plt.title('Most populous countries 2007')
plt.show()
# %% wrong: gross domestic product
t = gap[gap.year == 2007].nlargest(10, 'gdpPercap').set_index('country')['gdpPercap']
plt.barh(t.index[::-1], t.values[::-1])
plt.xlabel('population')
plt.title('Most populous countries 2007')
plt.show()

# %% gold: Plot the mean life expectancy of each continent in 2007 as bars with error bars of one standard deviation.
last = gap[gap.year == 2007].groupby('continent')['lifeExp']
plt.bar(last.mean().index, last.mean(), yerr=last.std(), capsize=4)
plt.xlabel('continent')
plt.ylabel('life expectancy')
plt.show()
# %% right: pandas
s = gap[gap.year == 2007].groupby('continent')['lifeExp'].agg(['mean', 'std'])
s['mean'].plot(kind='bar', yerr=s['std'], capsize=8, color='lightblue', edgecolor='k', rot=0)
plt.ylabel('life expectancy')
plt.show()
# %% right: seaborn with the deviation
sns.barplot(data=gap[gap.year == 2007], x='continent', y='lifeExp', errorbar='sd', capsize=0.2,
            order=sorted(gap.continent.unique()))
plt.ylabel('life expectancy')
plt.show()
# %% right: errorbar over bars
s = gap[gap.year == 2007].groupby('continent')['lifeExp'].agg(['mean', 'std'])
fig, ax = plt.subplots(figsize=(8, 5))
ax.bar(s.index, s['mean'], color='tan', width=0.6)
ax.errorbar(s.index, s['mean'], yerr=s['std'], fmt='none', ecolor='black', capsize=5)
ax.set_xlabel('continent')
ax.set_ylabel('life expectancy')
plt.show()
# %% right, before show: a title and a grid behind
plt.title('Life expectancy by continent, 2007')
plt.grid(axis='y', alpha=0.3)
# %% wrong: no error bars
s = gap[gap.year == 2007].groupby('continent')['lifeExp'].mean()
plt.bar(s.index, s)
plt.xlabel('continent')
plt.ylabel('life expectancy')
plt.show()
# %% wrong: standard errors
s = gap[gap.year == 2007].groupby('continent')['lifeExp'].agg(['mean', 'sem'])
plt.bar(s.index, s['mean'], yerr=s['sem'], capsize=4)
plt.xlabel('continent')
plt.ylabel('life expectancy')
plt.show()
# %% wrong, before: all years together
gap = gap.assign(year=2007)
# %% wrong, before: a continent missing
gap = gap[gap.continent != 'Oceania']
# %% wrong, before: a twentieth more
gap = gap.assign(lifeExp=gap.lifeExp * 1.05)

# %% gold: Count the days of each weather type in the Seattle data with a count plot, from the most to the least frequent.
sns.countplot(data=weather, x='weather', order=weather['weather'].value_counts().index)
plt.title('Days by weather')
plt.show()
# %% right: value_counts by pandas
weather['weather'].value_counts().plot(kind='bar', title='Days by weather', rot=45)
plt.ylabel('count')
plt.show()
# %% right: bars from matplotlib
c = weather.groupby('weather').size().sort_values(ascending=False)
fig, ax = plt.subplots(figsize=(6, 4))
ax.bar(c.index, c.values, color=plt.cm.tab10.colors[:len(c)], edgecolor='black')
ax.set(title='Days by weather', xlabel='weather', ylabel='count')
plt.show()
# %% right: a palette and the counts above the bars
ax = sns.countplot(data=weather, x='weather', hue='weather', legend=False, palette='pastel', order=weather['weather'].value_counts().index)
for container in ax.containers:
    ax.bar_label(container)
plt.title('Days by weather')
plt.show()
# %% right: Counter
from collections import Counter
names, numbers = zip(*Counter(weather['weather']).most_common())
plt.bar(names, numbers)
plt.title('Days by weather')
plt.xlabel('weather')
plt.ylabel('count')
plt.show()
# %% wrong: unsorted
sns.countplot(data=weather, x='weather')
plt.title('Days by weather')
plt.show()
# %% wrong: from the least
sns.countplot(data=weather, x='weather', order=weather['weather'].value_counts().index[::-1])
plt.title('Days by weather')
plt.show()
# %% wrong, before: one year alone
weather = weather[weather.date.dt.year == 2012]
# %% wrong, before: snow missing
weather = weather[weather.weather != 'snow']
# %% wrong: mean wind
m = weather.groupby('weather')['wind'].mean().sort_values(ascending=False)
plt.bar(m.index, m)
plt.title('Days by weather')
plt.xlabel('weather')
plt.ylabel('count')
plt.show()

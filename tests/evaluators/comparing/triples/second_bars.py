# %% setup
peng = pd.read_csv('data/penguins.csv')
titanic = pd.read_csv('data/titanic.csv')
tips = pd.read_csv('data/tips.csv')
gap = pd.read_csv('data/gapminder.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
# %% gold: Draw a bar chart of the mean flipper length of each penguin species. Label the y axis 'mean flipper length (mm)'.
m = peng.groupby('species')['flipper_length_mm'].mean()
plt.bar(m.index, m.values)
plt.ylabel('mean flipper length (mm)')
plt.show()
# %% right: by pandas, another colour and size
ax = peng.groupby('species').flipper_length_mm.mean().plot.bar(color='teal', figsize=(8, 5), rot=0)
ax.set_ylabel('mean flipper length (mm)')
plt.show()
# %% right: seaborn without error bars
fig, ax = plt.subplots(figsize=(7, 4))
sns.barplot(data=peng, x='species', y='flipper_length_mm', errorbar=None, hue='species', ax=ax)
ax.set_ylabel('mean flipper length (mm)')
ax.set_title('Flipper length by species')
plt.tight_layout()
plt.show()
# %% right: sorted descending, edge colour, object API
m = peng.pivot_table(index='species', values='flipper_length_mm', aggfunc='mean')['flipper_length_mm'].sort_values(ascending=False)
fig, ax = plt.subplots()
ax.bar(range(len(m)), m.to_numpy(), color=['C0', 'C1', 'C2'], edgecolor='black', width=0.6)
ax.set_xticks(range(len(m)), m.index)
ax.set(xlabel='Species', ylabel='mean flipper length (mm)')
plt.show()
# %% right, before show: value labels and a title
plt.title('Mean flipper length')
for i, v in enumerate(m.values):
    plt.text(i, v + 1, f'{v:.1f}', ha='center')
# %% right, before: another style
plt.style.use('ggplot')
# %% wrong, changed: body mass for flipper length
#- m = peng.groupby('species')['flipper_length_mm'].mean()
m = peng.groupby('species')['body_mass_g'].mean()
# %% wrong, changed: sum for mean
#- m = peng.groupby('species')['flipper_length_mm'].mean()
m = peng.groupby('species')['flipper_length_mm'].sum()
# %% wrong, changed: per island
#- m = peng.groupby('species')['flipper_length_mm'].mean()
m = peng.groupby('island')['flipper_length_mm'].mean()
# %% wrong, changed: label missing
#- plt.ylabel('mean flipper length (mm)')
# %% wrong, changed: labels of the bars exchanged
#- plt.bar(m.index, m.values)
plt.bar(['Gentoo', 'Adelie', 'Chinstrap'], m.values)
# %% gold: Draw a grouped bar chart of the survival rate (mean of survived) on the Titanic by class (1st, 2nd, 3rd on the x axis in this order), with one bar per sex beside each other and a legend that names the sexes. Title it 'Survival rate by class and sex'.
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
r = t.groupby(['class', 'sex'])['survived'].mean().unstack()
x = np.arange(3)
plt.bar(x - 0.2, r['female'], width=0.4, label='female')
plt.bar(x + 0.2, r['male'], width=0.4, label='male')
plt.xticks(x, r.index)
plt.legend()
plt.title('Survival rate by class and sex')
plt.show()
# %% right: pandas plot of the unstacked table
titanic[titanic['class'].isin(['1st', '2nd', '3rd'])].pivot_table(index='class', columns='sex', values='survived').plot(kind='bar', rot=0, title='Survival rate by class and sex', color=['salmon', 'steelblue'])
plt.ylabel('survival rate')
plt.show()
# %% right: seaborn barplot
sns.barplot(data=titanic, x='class', y='survived', hue='sex', order=['1st', '2nd', '3rd'], hue_order=['female', 'male'], errorbar=None, palette='Set2')
plt.title('Survival rate by class and sex')
plt.xlabel('Passenger class')
plt.ylabel('Survival rate')
plt.show()
# %% right: males first, tick in another way
fig, ax = plt.subplots(figsize=(9, 5))
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
w = 0.35
for i, s in enumerate(['male', 'female']):
    v = t[t.sex == s].groupby('class').survived.mean()
    ax.bar(np.arange(3) + i * w, v, w, label=s)
ax.set_xticks(np.arange(3) + w / 2)
ax.set_xticklabels(['1st', '2nd', '3rd'])
ax.set_title('Survival rate by class and sex')
ax.legend(title='sex', loc='upper right')
plt.show()
# %% right, before show: grid and y limit
plt.ylim(0, 1)
plt.grid(axis='y', alpha=0.3)
plt.ylabel('rate')
# %% wrong: counts for rates
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
t.groupby(['class', 'sex'])['survived'].sum().unstack().plot.bar(rot=0, title='Survival rate by class and sex')
plt.show()
# %% wrong: stacked
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
t.groupby(['class', 'sex'])['survived'].mean().unstack().plot.bar(rot=0, stacked=True, title='Survival rate by class and sex')
plt.show()
# %% wrong: grouped the other way round
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
t.groupby(['sex', 'class'])['survived'].mean().unstack().plot.bar(rot=0, title='Survival rate by class and sex')
plt.show()
# %% wrong, changed: the sexes exchanged in the legend
#- plt.bar(x - 0.2, r['female'], width=0.4, label='female')
#- plt.bar(x + 0.2, r['male'], width=0.4, label='male')
plt.bar(x - 0.2, r['female'], width=0.4, label='male')
plt.bar(x + 0.2, r['male'], width=0.4, label='female')
# %% wrong: no sex
t = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]
t.groupby('class')['survived'].mean().plot.bar(rot=0, title='Survival rate by class and sex')
plt.show()
# %% gold: Draw a stacked bar chart of the number of days of each weather type per year in the Seattle data: years on the x axis, one stacked segment per weather type, with a legend.
c = pd.crosstab(weather.date.dt.year, weather.weather)
c.plot(kind='bar', stacked=True)
plt.show()
# %% right: matplotlib with bottom
fig, ax = plt.subplots(figsize=(8, 6))
c = weather.groupby([weather.date.dt.year.rename('year'), 'weather']).size().unstack(fill_value=0)
b = np.zeros(len(c))
for w in c.columns:
    ax.bar(c.index.astype(str), c[w], bottom=b, label=w)
    b += c[w].values
ax.legend(title='weather', bbox_to_anchor=(1, 1))
ax.set_xlabel('year')
ax.set_ylabel('days')
plt.show()
# %% right: other colours, no rotation
c = weather.assign(year=weather.date.dt.year).pivot_table(index='year', columns='weather', values='wind', aggfunc='count').fillna(0)
ax = c.plot.bar(stacked=True, colormap='viridis', rot=0, figsize=(10, 5))
ax.set_ylabel('number of days')
ax.set_title('Weather in Seattle')
plt.show()
# %% right: types stacked in the order of frequency
c = pd.crosstab(weather.date.dt.year, weather.weather)
c = c[c.sum().sort_values(ascending=False).index]
c.plot.bar(stacked=True, rot=45, width=0.8, edgecolor='white')
plt.legend(loc='center left', bbox_to_anchor=(1.0, 0.5))
plt.tight_layout()
plt.show()
# %% right, before show: labels
plt.xlabel('Year')
plt.ylabel('Days')
plt.title('Days by weather type')
# %% wrong: not stacked
pd.crosstab(weather.date.dt.year, weather.weather).plot(kind='bar')
plt.show()
# %% wrong: shares for counts
pd.crosstab(weather.date.dt.year, weather.weather, normalize='index').plot(kind='bar', stacked=True)
plt.show()
# %% wrong: a type missing
pd.crosstab(weather.date.dt.year, weather.weather).drop(columns='sun').plot(kind='bar', stacked=True)
plt.show()
# %% wrong: per month
pd.crosstab(weather.date.dt.month, weather.weather).plot(kind='bar', stacked=True)
plt.show()
# %% wrong: all drawn from zero
c = pd.crosstab(weather.date.dt.year, weather.weather)
for w in c.columns:
    plt.bar(c.index, c[w], label=w)
plt.legend()
plt.show()
# %% gold: Draw a horizontal bar chart of the ten countries with the largest population in 2007 (gapminder), the largest at the top. Label the x axis 'Population'.
g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
plt.barh(g.country, g['pop'])
plt.xlabel('Population')
plt.show()
# %% right: inverted axis
g = gap[gap.year == 2007].sort_values('pop', ascending=False).head(10)
fig, ax = plt.subplots(figsize=(10, 6))
ax.barh(g['country'], g['pop'], color='darkorange')
ax.invert_yaxis()
ax.set_xlabel('Population')
ax.set_title('Top 10 in 2007')
plt.show()
# %% right: seaborn
g = gap.query('year == 2007').nlargest(10, 'pop')
sns.barplot(data=g, x='pop', y='country', color='steelblue')
plt.xlabel('Population')
plt.ylabel('')
plt.show()
# %% right: pandas
gap.query('year == 2007').set_index('country')['pop'].sort_values().tail(10).plot.barh(color='g')
plt.xlabel('Population')
plt.tight_layout()
plt.show()
# %% right, before show: a grid and a larger figure
plt.grid(axis='x', linestyle=':')
plt.gcf().set_size_inches(10, 7)
# %% wrong, changed: largest at the bottom
#- g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
g = gap[gap.year == 2007].nlargest(10, 'pop')
# %% wrong, changed: 2002 for 2007
#- g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
g = gap[gap.year == 2002].nlargest(10, 'pop').sort_values('pop')
# %% wrong: vertical
g = gap[gap.year == 2007].nlargest(10, 'pop')
plt.bar(g.country, g['pop'])
plt.xlabel('Population')
plt.xticks(rotation=45)
plt.show()
# %% wrong, changed: only the first five
#- g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
g = gap[gap.year == 2007].nlargest(5, 'pop').sort_values('pop')
# %% wrong, changed: the life expectancy
#- plt.barh(g.country, g['pop'])
plt.barh(g.country, g['lifeExp'])
# %% gold: Draw a bar chart of the mean tip per day in the order Thur, Fri, Sat, Sun, with error bars of one standard deviation (of the sample, ddof=1). Label the axes 'day' and 'mean tip'.
d = ['Thur', 'Fri', 'Sat', 'Sun']
g = tips.groupby('day')['tip'].agg(['mean', 'std']).loc[d]
plt.bar(d, g['mean'], yerr=g['std'], capsize=4)
plt.xlabel('day')
plt.ylabel('mean tip')
plt.show()
# %% right: seaborn with sd
sns.barplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar='sd', color='lightblue')
plt.xlabel('day')
plt.ylabel('mean tip')
plt.show()
# %% right: pandas with yerr
g = tips.groupby('day').tip
m = g.mean().reindex(['Thur', 'Fri', 'Sat', 'Sun'])
s = g.std().reindex(['Thur', 'Fri', 'Sat', 'Sun'])
m.plot.bar(yerr=s, capsize=6, rot=0, color='orange', ecolor='gray', figsize=(8, 5))
plt.ylabel('mean tip')
plt.xlabel('day')
plt.show()
# %% right: errorbar over bars
d = ['Thur', 'Fri', 'Sat', 'Sun']
means = [tips.loc[tips.day == k, 'tip'].mean() for k in d]
sds = [np.std(tips.loc[tips.day == k, 'tip'], ddof=1) for k in d]
fig, ax = plt.subplots()
ax.bar(d, means, alpha=0.7)
ax.errorbar(d, means, yerr=sds, fmt='none', color='k', capsize=5)
ax.set_xlabel('day'); ax.set_ylabel('mean tip')
plt.show()
# %% right, before show: title
plt.title('Tips per day')
plt.grid(True, axis='y')
# %% wrong: no error bars
g = tips.groupby('day')['tip'].mean().loc[['Thur', 'Fri', 'Sat', 'Sun']]
plt.bar(g.index, g)
plt.xlabel('day')
plt.ylabel('mean tip')
plt.show()
# %% wrong, changed: standard error for deviation
#- g = tips.groupby('day')['tip'].agg(['mean', 'std']).loc[d]
#- plt.bar(d, g['mean'], yerr=g['std'], capsize=4)
g = tips.groupby('day')['tip'].agg(['mean', 'sem']).loc[d]
plt.bar(d, g['mean'], yerr=g['sem'], capsize=4)
# %% wrong: alphabetic order
g = tips.groupby('day')['tip'].agg(['mean', 'std'])
plt.bar(g.index, g['mean'], yerr=g['std'], capsize=4)
plt.xlabel('day')
plt.ylabel('mean tip')
plt.show()
# %% wrong, changed: total bill
#- g = tips.groupby('day')['tip'].agg(['mean', 'std']).loc[d]
g = tips.groupby('day')['total_bill'].agg(['mean', 'std']).loc[d]
# %% wrong, before show: the labels exchanged
plt.xlabel('mean tip')
plt.ylabel('day')

# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
credit = pd.read_csv('data/credit.csv')
mass = penguins.groupby('species')['body_mass_g'].mean()
table = credit.pivot_table(index='Ethnicity', columns='Student', values='Rating')
gap = pd.read_csv('data/gapminder.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
tips = pd.read_csv('data/tips.csv')
days = ['Thur', 'Fri', 'Sat', 'Sun']
means = tips.groupby('day')['total_bill'].mean()
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
totals = iowa.groupby('year')['net_generation'].sum()
peng = pd.read_csv('data/penguins.csv').dropna()
# %% gold: two bars a group, side by side
positions = np.arange(len(table))
plt.figure(figsize=(5, 3.5))
for index, column in enumerate(table.columns):
    plt.bar(positions + (index - 0.5) * 0.4, table[column], width=0.4, label=str(column))
plt.xticks(positions, table.index, rotation=20, ha='right')
plt.title('Ratings of students and others')
plt.ylabel('mean rating')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
# %% right: by seaborn with intervals and a palette
plt.figure(figsize=(9, 5))
sns.barplot(data=credit, x='Ethnicity', y='Rating', hue='Student', order=table.index, hue_order=table.columns, seed=0, palette='pastel', capsize=0.1)
plt.title('Ratings of students and others')
plt.ylabel('mean rating')
plt.xlabel('')
# %% wrong, before: names of the legend swapped
table = table.rename(columns={'Yes': 'No', 'No': 'Yes'})
# %% gold: means with deviations
spread = penguins.groupby('species')['body_mass_g'].std()
plt.figure(figsize=(5, 3.5))
plt.bar(mass.index, mass, yerr=spread, capsize=5, color='steelblue')
plt.title('Mean mass and deviation')
plt.ylabel('mass (g)')
# %% right: by pandas, without caps
spread = penguins.groupby('species')['body_mass_g'].std()
mass.plot.bar(yerr=spread, rot=0, title='Mean mass and deviation', ylabel='mass (g)', xlabel='')
# %% wrong, before: names exchanged
mass = mass.set_axis(['Chinstrap', 'Gentoo', 'Adelie'])
# %% gold: Plot the mean life expectancy of each continent in 2007 as bars with error bars of one standard deviation.
last = gap[gap.year == 2007].groupby('continent')['lifeExp']
plt.bar(last.mean().index, last.mean(), yerr=last.std(), capsize=4)
plt.xlabel('continent')
plt.ylabel('life expectancy')
# %% right, before show: a title and a grid behind
plt.title('Life expectancy by continent, 2007')
plt.grid(axis='y', alpha=0.3)
# %% wrong: no error bars
s = gap[gap.year == 2007].groupby('continent')['lifeExp'].mean()
plt.bar(s.index, s)
plt.xlabel('continent')
plt.ylabel('life expectancy')
# %% wrong, before: a continent missing
gap = gap[gap.continent != 'Oceania']
# %% gold: Count the days of each weather type in the Seattle data with a count plot, from the most to the least frequent.
sns.countplot(data=weather, x='weather', order=weather['weather'].value_counts().index)
plt.title('Days by weather')
# %% wrong: from the least
sns.countplot(data=weather, x='weather', order=weather['weather'].value_counts().index[::-1])
plt.title('Days by weather')
# %% gold: Draw bars of the mean total bill of each day, Sat and Sun in red and the others in grey.
plt.bar(days, means[days], color=['grey', 'grey', 'red', 'red'])
# %% wrong: one colour
plt.bar(days, means[days])
# %% gold: Draw bars of the total net generation of each year.
plt.bar(totals.index.year, totals.values)
plt.xlabel('year')
plt.ylabel('net generation')
# %% right: dates
plt.bar(totals.index, totals.values, width=300)
plt.ylabel('net generation')
# %% right: dates as words
totals.plot(kind='bar', figsize=(9, 4))
plt.tight_layout()
# %% wrong: in thousands, though the label says millions
plt.bar(totals.index.year, totals.values / 1e3)
plt.ylabel('net generation (millions)')
# %% wrong: sorted by size under the years in order
plt.bar(totals.index.year, np.sort(totals.values))
# %% gold: 画出每天平均账单的柱状图，按平均值从高到低排列。
means.sort_values(ascending=False).plot.bar()
# %% wrong: from low to high
means.sort_values().plot.bar()
# %% gold: Draw a count plot of the tables by party size, coloured by time, sizes in ascending order.
sns.countplot(data=tips, x='size', hue='time', order=[1, 2, 3, 4, 5, 6])
# %% wrong: descending
pd.crosstab(tips['size'], tips.time)[::-1].plot.bar()
# %% gold: Draw a horizontal bar chart of the ten countries with the largest population in 2007 (gapminder), the largest at the top. Label the x axis 'Population'.
g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
plt.barh(g.country, g['pop'])
plt.xlabel('Population')
# %% right, before show: a grid and a larger figure
plt.grid(axis='x', linestyle=':')
plt.gcf().set_size_inches(10, 7)
# %% wrong: vertical
g = gap[gap.year == 2007].nlargest(10, 'pop')
plt.bar(g.country, g['pop'])
plt.xlabel('Population')
plt.xticks(rotation=45)
# %% wrong, changed: only the first five
#- g = gap[gap.year == 2007].nlargest(10, 'pop').sort_values('pop')
g = gap[gap.year == 2007].nlargest(5, 'pop').sort_values('pop')
# %% gold: Draw a bar chart of the mean tip per day in the order Thur, Fri, Sat, Sun, with error bars of one standard deviation (of the sample, ddof=1). Label the axes 'day' and 'mean tip'.
d = ['Thur', 'Fri', 'Sat', 'Sun']
g = tips.groupby('day')['tip'].agg(['mean', 'std']).loc[d]
plt.bar(d, g['mean'], yerr=g['std'], capsize=4)
plt.xlabel('day')
plt.ylabel('mean tip')
# %% right, before show: title
plt.title('Tips per day')
plt.grid(True, axis='y')
# %% wrong, before show: the labels exchanged
plt.xlabel('mean tip')
plt.ylabel('day')
# %% gold: Draw a count plot of the penguins per island, with the bars split (side by side) by species, and write the title 'Penguins per island'. The legend names the species; the islands are on the x axis.
sns.countplot(data=peng, x='island', hue='species')
plt.title('Penguins per island')
# %% right, before show: a y label
plt.ylabel('number')
plt.grid(axis='y', alpha=0.5)
# %% wrong, before show: the title is another
plt.title('Count of species')

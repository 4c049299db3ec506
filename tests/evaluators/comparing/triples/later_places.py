# %% setup
from matplotlib.patches import Patch
tips = pd.read_csv('data/tips.csv')
iris = pd.read_csv('data/iris.csv')
days = ['Thur', 'Fri', 'Sat', 'Sun']
means = tips.groupby('day')['total_bill'].mean()
x = np.linspace(0, 2 * np.pi, 200)
y = np.random.RandomState(0).standard_normal(1000)
# %% gold: 画出每天平均账单的柱状图，按平均值从高到低排列。
means.sort_values(ascending=False).plot.bar()
plt.show()
# %% right: by seaborn
m = means.sort_values(ascending=False)
sns.barplot(x=m.index, y=m.values, order=m.index)
plt.show()
# %% wrong: from low to high
means.sort_values().plot.bar()
plt.show()

# %% gold: Draw a count plot of the tables by party size, coloured by time, sizes in ascending order.
sns.countplot(data=tips, x='size', hue='time', order=[1, 2, 3, 4, 5, 6])
plt.show()
# %% right: by pandas
pd.crosstab(tips['size'], tips.time).plot.bar(rot=0)
plt.show()
# %% wrong: descending
pd.crosstab(tips['size'], tips.time)[::-1].plot.bar()
plt.show()
# %% wrong: by frequency
sns.countplot(data=tips, x='size', hue='time', order=tips['size'].value_counts().index)
plt.show()

# %% gold: Draw horizontal box plots of the tip for each day, in the order Thur, Fri, Sat, Sun.
sns.boxplot(data=tips, y='day', x='tip', order=days)
plt.show()
# %% right: from below
plt.boxplot([tips.tip[tips.day == day] for day in days], orientation='horizontal')
plt.yticks(range(1, 5), days)
plt.show()
# %% wrong: by name
sns.boxplot(data=tips, y='day', x='tip', order=sorted(days))
plt.show()

# %% gold: Make a 2 x 2 grid: sin(x), cos(x), sin(2x) and cos(2x) for x from 0 to 2 pi, in this order row by row.
_, axes = plt.subplots(2, 2)
for a, line in zip(axes.flat, (np.sin(x), np.cos(x), np.sin(2 * x), np.cos(2 * x))):
    a.plot(x, line)
plt.show()
# %% right: titled, with shared axes
_, axes = plt.subplots(2, 2, sharex=True, sharey=True, figsize=(9, 7))
for a, (name, line) in zip(axes.ravel(), {'a': np.sin(x), 'b': np.cos(x), 'c': np.sin(2 * x), 'd': np.cos(2 * x)}.items()):
    a.plot(x, line, 'k')
    a.set_title(name)
plt.tight_layout()
plt.show()
# %% right: a mosaic
_, axes = plt.subplot_mosaic('ab;cd', layout='constrained')
for name, line in zip('abcd', (np.sin(x), np.cos(x), np.sin(2 * x), np.cos(2 * x))):
    axes[name].plot(x, line)
plt.show()
# %% wrong: column by column
_, axes = plt.subplots(2, 2)
for a, line in zip(axes.T.flat, (np.sin(x), np.cos(x), np.sin(2 * x), np.cos(2 * x))):
    a.plot(x, line)
plt.show()
# %% wrong, changed: in a row
#- _, axes = plt.subplots(2, 2)
_, axes = plt.subplots(1, 4)

# %% gold: Draw sin(x) in the upper panel and, in the lower panel, cos(x) and its square, with the x axis in common.
_, (a, b) = plt.subplots(2, 1, sharex=True, height_ratios=[1, 3])
a.plot(x, np.sin(x))
b.plot(x, np.cos(x))
b.plot(x, np.cos(x) ** 2)
plt.show()
# %% right: of one height, no space between
_, (a, b) = plt.subplots(2, 1, sharex=True, gridspec_kw={'hspace': 0})
b.plot(x, np.cos(x), x, np.cos(x) ** 2)
a.plot(x, np.sin(x))
plt.show()
# %% wrong: turned around
_, (b, a) = plt.subplots(2, 1, sharex=True)
b.plot(x, np.cos(x), x, np.cos(x) ** 2)
a.plot(x, np.sin(x))
plt.show()
# %% wrong: beside each other
_, (a, b) = plt.subplots(1, 2, sharey=True)
b.plot(x, np.cos(x), x, np.cos(x) ** 2)
a.plot(x, np.sin(x))
plt.show()

# %% gold: Scatter petal_width against petal_length of the iris data by species, with a legend of the species.
sns.scatterplot(data=iris, x='petal_length', y='petal_width', hue='species')
plt.show()
# %% right: how many in the legend
for name, part in iris.groupby('species'):
    plt.scatter(part.petal_length, part.petal_width, label=f'{name} (n = {len(part)})')
plt.legend()
plt.show()
# %% right: a capital letter, and a word before
for name, part in iris.groupby('species'):
    plt.plot(part.petal_length, part.petal_width, '.', label=f'Iris {name.title()}')
plt.legend(title='Species')
plt.show()
# %% wrong: exchanged, with how many
for (name, part), other in zip(iris.groupby('species'), sorted(set(iris.species))[::-1]):
    plt.scatter(part.petal_length, part.petal_width, label=f'{other} (n = {len(part)})')
plt.legend()
plt.show()
# %% wrong: numbers
for number, (name, part) in enumerate(iris.groupby('species')):
    plt.scatter(part.petal_length, part.petal_width, label=number)
plt.legend()
plt.show()

# %% gold: Plot sin(x) from 0 to 2 pi with a solid black line and mark its maximum with a red dot and zero with a dotted horizontal line.
plt.plot(x, np.sin(x), 'k')
plt.plot([np.pi / 2], [1], 'ro')
plt.axhline(0, ls=':')
plt.show()
# %% right: scattered
plt.axhline(0, color='grey', linestyle='dotted')
plt.plot(x, np.sin(x), color='black')
plt.scatter(np.pi / 2, 1, color='crimson', s=60, zorder=3)
plt.show()
# %% wrong, changed: a blue dot
#- plt.plot([np.pi / 2], [1], 'ro')
plt.plot([np.pi / 2], [1], 'bo')
# %% wrong: a red line and a black dot
plt.plot(x, np.sin(x), 'r')
plt.plot([np.pi / 2], [1], 'ko')
plt.axhline(0, ls=':')
plt.show()
# %% wrong, changed: a solid line at zero
#- plt.axhline(0, ls=':')
plt.axhline(0)

# %% gold: Show the shares of lunch and dinner as a pie, Lunch in yellow and Dinner in purple, with labels.
n = tips.time.value_counts()[['Lunch', 'Dinner']]
plt.pie(n, labels=n.index, colors=['yellow', 'purple'])
plt.show()
# %% right: other shades
n = tips.time.value_counts()
n.plot.pie(colors=[{'Lunch': 'gold', 'Dinner': 'indigo'}[name] for name in n.index], autopct='%.0f%%', ylabel='')
plt.show()
# %% wrong: exchanged
n = tips.time.value_counts()[['Lunch', 'Dinner']]
plt.pie(n, labels=n.index, colors=['purple', 'yellow'])
plt.show()

# %% gold: Draw histograms of the tip at lunch and dinner in one axes, half transparent, lunch in blue and dinner in red (12 bins from 0 to 12), with a legend.
for time, colour in (('Lunch', 'blue'), ('Dinner', 'red')):
    plt.hist(tips.tip[tips.time == time], bins=12, range=(0, 12), alpha=0.5, color=colour, label=time)
plt.legend()
plt.show()
# %% right: a palette
sns.histplot(data=tips, x='tip', hue='time', bins=12, binrange=(0, 12), palette={'Lunch': 'steelblue', 'Dinner': 'tomato'})
plt.show()
# %% wrong: exchanged
sns.histplot(data=tips, x='tip', hue='time', bins=12, binrange=(0, 12), palette={'Lunch': 'red', 'Dinner': 'blue'})
plt.show()

# %% gold: Draw the cumulative distribution function of the 1000 values of y as a step line from 0 to 1.
plt.step(np.sort(y), np.arange(1, 1001) / 1000, where='post')
plt.show()
# %% right: plt.ecdf
plt.ecdf(y)
plt.show()
# %% right: a cumulative histogram of seaborn's
sns.ecdfplot(x=y, color='k')
plt.show()
# %% right: begun before, ended behind
plt.step([-4, *np.sort(y), 4], [0, *np.arange(1, 1001) / 1000, 1], where='post')
plt.show()
# %% wrong: of the squares
plt.ecdf(y ** 2)
plt.show()
# %% wrong: complementary
plt.ecdf(y, complementary=True)
plt.show()

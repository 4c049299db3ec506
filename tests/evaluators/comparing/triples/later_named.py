# %% setup
tips = pd.read_csv('data/tips.csv')
iris = pd.read_csv('data/iris.csv')
days = ['Thur', 'Fri', 'Sat', 'Sun']
bills = [tips.loc[tips.day == day, 'total_bill'] for day in days]
means = tips.groupby('day')['total_bill'].mean()
table = tips.pivot_table(index='day', columns='time', values='tip', aggfunc='count', fill_value=0).loc[days]
many = tips.pivot_table(index='size', columns='day', values='tip', aggfunc='count', fill_value=0)
x = np.linspace(0, 10, 200)
# %% gold: Draw box plots of total_bill for the days in the order Thur, Fri, Sat, Sun.
plt.boxplot(bills)
plt.xticks(range(1, 5), days)
plt.show()
# %% right: by seaborn
sns.boxplot(data=tips, x='day', y='total_bill', order=days, hue='day', legend=False)
plt.show()
# %% right: at other places
plt.boxplot(bills, positions=[0, 1, 2, 3], widths=0.6, patch_artist=True)
plt.gca().set_xticks([0, 1, 2, 3], days)
plt.show()
# %% wrong: from the last to the first
sns.boxplot(data=tips, x='day', y='total_bill', order=days[::-1])
plt.show()
# %% wrong: an axis that runs from right to left
sns.boxplot(data=tips, x='day', y='total_bill', order=days)
plt.gca().invert_xaxis()
plt.show()

# %% gold: Draw violins of the total bill of each day.
sns.violinplot(data=tips, x='day', y='total_bill', order=days)
plt.show()
# %% right: in another order
sns.violinplot(data=tips, x='day', y='total_bill', order=sorted(days), color='green')
plt.show()
# %% wrong: under the names of others
sns.violinplot(data=tips, x='day', y='total_bill', order=days)
plt.xticks(range(4), days[::-1])
plt.show()

# %% gold: Draw horizontal bars of the mean total bill of each day, sorted with the largest at the top.
m = means.sort_values()
plt.barh(m.index, m)
plt.show()
# %% right: inverted
m = means.sort_values(ascending=False)
sns.barplot(x=m.values, y=m.index)
plt.show()
# %% wrong: the largest at the bottom
means.sort_values(ascending=False).plot.barh()
plt.show()
# %% wrong: by name
means.sort_index().plot.barh()
plt.show()

# %% gold: Draw bars of the mean total bill per day in descending order.
m = means.sort_values(ascending=False)
plt.bar(m.index, m)
plt.show()
# %% right: by pandas
means.sort_values(ascending=False).plot.bar(color='grey')
plt.show()
# %% wrong: ascending
means.sort_values().plot.bar()
plt.show()
# %% wrong: by name
means.plot.bar()
plt.show()

# %% gold: Draw bars of the mean total bill per day.
m = means.sort_values(ascending=False)
plt.bar(m.index, m)
plt.show()
# %% right: in the order of the week
means.loc[days].plot.bar()
plt.show()
# %% right: in the order of the alphabet
sns.barplot(data=tips, x='day', y='total_bill', order=sorted(days), errorbar=None)
plt.show()
# %% wrong: medians
tips.groupby('day')['total_bill'].median().plot.bar()
plt.show()

# %% gold: Draw stacked bars of the number of tables per party size, one segment per day, with a legend.
many[days].plot.bar(stacked=True)
plt.show()
# %% right: stacked in another order
many[sorted(days)].plot.bar(stacked=True, colormap='viridis')
plt.legend(loc='upper right', title='day')
plt.show()
# %% right: by hand, from the largest
base = np.zeros(len(many))
for day in days[::-1]:
    plt.bar(many.index, many[day], bottom=base, label=day)
    base += many[day].values
plt.legend()
plt.show()
# %% wrong: segments under the names of others
many[days].plot.bar(stacked=True)
plt.legend(days[::-1])
plt.show()
# %% wrong: one over the other
for day in days:
    plt.bar(many.index, many[day], label=day)
plt.legend()
plt.show()
# %% wrong: side by side
many[days].plot.bar()
plt.show()
# %% wrong: shares
many[days].div(many.sum(axis=1), axis=0).plot.bar(stacked=True)
plt.show()

# %% gold: Draw a stacked area chart of the number of tables per party size by day, with a legend.
many[days].plot.area()
plt.show()
# %% right: stacked in another order
plt.stackplot(many.index, *(many[day] for day in days[::-1]), labels=days[::-1])
plt.legend()
plt.show()
# %% wrong: areas under the names of others
plt.stackplot(many.index, *(many[day] for day in days), labels=days[::-1])
plt.legend()
plt.show()
# %% wrong: not stacked
many[days].plot.area(stacked=False)
plt.show()

# %% gold: Draw histograms of the total bill (left) and of the tip (right) side by side, 10 bins each.
_, axes = plt.subplots(1, 2)
axes[0].hist(tips.total_bill, bins=10)
axes[1].hist(tips.tip, bins=10)
plt.show()
# %% right: by seaborn, titled
_, (left, right) = plt.subplots(ncols=2, figsize=(9, 3), layout='constrained')
sns.histplot(tips.total_bill, bins=10, ax=left).set_title('total bill')
sns.histplot(tips.tip, bins=10, ax=right).set_title('tip')
plt.show()
# %% right: added one by one
figure = plt.figure()
figure.add_subplot(122).hist(tips.tip, bins=10)
figure.add_subplot(121).hist(tips.total_bill, bins=10)
plt.show()
# %% right: by a grid
figure = plt.figure(figsize=(8, 4))
grid = figure.add_gridspec(1, 3)
figure.add_subplot(grid[0, :2]).hist(tips.total_bill, bins=10)
figure.add_subplot(grid[0, 2]).hist(tips.tip, bins=10)
plt.show()
# %% wrong: exchanged
_, axes = plt.subplots(1, 2)
axes[1].hist(tips.total_bill, bins=10)
axes[0].hist(tips.tip, bins=10)
plt.show()
# %% wrong, changed: one above the other
#- _, axes = plt.subplots(1, 2)
_, axes = plt.subplots(2, 1)

# %% gold: For each of the species draw a scatter of petal_width against petal_length in a subplot of its own, titled with the species.
_, axes = plt.subplots(1, 3)
for a, (name, group) in zip(axes, iris.groupby('species')):
    a.scatter(group.petal_length, group.petal_width)
    a.set_title(name)
plt.show()
# %% right: one below the other, from the last
_, axes = plt.subplots(3, 1, figsize=(4, 9))
for a, (name, group) in zip(axes[::-1], iris.groupby('species')):
    a.scatter(group.petal_length, group.petal_width)
    a.set_title(name)
plt.show()
# %% wrong: titles exchanged
_, axes = plt.subplots(1, 3)
for a, (name, group), title in zip(axes, iris.groupby('species'), sorted(set(iris.species))[::-1]):
    a.scatter(group.petal_length, group.petal_width)
    a.set_title(title)
plt.show()

# %% gold: Plot sin(x) and cos(x) from 0 to 10 with a legend with the entries 'sine' and 'cosine'.
plt.plot(x, np.sin(x), label='sine')
plt.plot(x, np.cos(x), label='cosine')
plt.legend()
plt.show()
# %% right: with more in the legend
plt.plot(x, np.sin(x), label='Sine (amplitude 1)')
plt.plot(x, np.cos(x), label='Cosine, mean=0.05')
plt.legend()
plt.show()
# %% right: from a frame
pd.DataFrame({'sine:': np.sin(x), 'COSINE': np.cos(x)}, index=x).plot()
plt.show()
# %% wrong: exchanged, with more
plt.plot(x, np.sin(x), label='cosine (amplitude 1)')
plt.plot(x, np.cos(x), label='sine (amplitude 1)')
plt.legend()
plt.show()
# %% wrong: other names
plt.plot(x, np.sin(x), label='first')
plt.plot(x, np.cos(x), label='second')
plt.legend()
plt.show()
# %% wrong, changed: one name alone
#- plt.plot(x, np.cos(x), label='cosine')
plt.plot(x, np.cos(x), label='no sine')

# %% gold: Plot sin(x) as a red line and cos(x) as a dashed blue line from 0 to 10.
plt.plot(x, np.sin(x), color='red')
plt.plot(x, np.cos(x), color='blue', linestyle='--')
plt.show()
# %% right: other shades
plt.plot(x, np.cos(x), c='C0', ls='dashed', lw=2)
plt.plot(x, np.sin(x), c='firebrick')
plt.show()
# %% right: formats
plt.plot(x, np.sin(x), 'r-', x, np.cos(x), 'b--')
plt.show()
# %% wrong: exchanged
plt.plot(x, np.sin(x), color='blue')
plt.plot(x, np.cos(x), color='red', linestyle='--')
plt.show()
# %% wrong: both solid
plt.plot(x, np.sin(x), color='red')
plt.plot(x, np.cos(x), color='blue')
plt.show()
# %% wrong: green for red
plt.plot(x, np.sin(x), color='green')
plt.plot(x, np.cos(x), color='blue', linestyle='--')
plt.show()

# %% gold: Scatter tip against total_bill, lunch in orange and dinner in green, with a legend.
for time, colour in (('Lunch', 'orange'), ('Dinner', 'green')):
    part = tips[tips.time == time]
    plt.scatter(part.total_bill, part.tip, color=colour, label=time)
plt.legend()
plt.show()
# %% right: a palette
sns.scatterplot(data=tips, x='total_bill', y='tip', hue='time', palette={'Lunch': 'darkorange', 'Dinner': 'seagreen'})
plt.show()
# %% wrong: exchanged
sns.scatterplot(data=tips, x='total_bill', y='tip', hue='time', palette={'Lunch': 'green', 'Dinner': 'orange'})
plt.show()
# %% wrong: the standard colours
sns.scatterplot(data=tips, x='total_bill', y='tip', hue='time', palette=['C3', 'C0'])
plt.show()

# %% gold: Draw bars of the mean total bill of each day, Sat and Sun in red and the others in grey.
plt.bar(days, means[days], color=['grey', 'grey', 'red', 'red'])
plt.show()
# %% right: two calls
plt.bar(days[:2], means[days[:2]], color='lightgrey')
plt.bar(days[2:], means[days[2:]], color='#d62728')
plt.show()
# %% wrong: one colour
plt.bar(days, means[days])
plt.show()
# %% wrong: the others in red
plt.bar(days, means[days], color=['red', 'red', 'grey', 'grey'])
plt.show()

# %% gold: Draw the empirical distribution function of the tips as a step line.
v = np.sort(tips.tip)
plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post')
plt.show()
# %% right: by seaborn
sns.ecdfplot(tips.tip)
plt.show()
# %% right: from 0 to a last point
v = np.sort(tips.tip)
plt.step([0, *v, 12], [0, *np.arange(1, len(v) + 1) / len(v), 1], where='post')
plt.show()
# %% right: a cumulative count over the values
v = tips.tip.value_counts(normalize=True).sort_index().cumsum()
v.plot(drawstyle='steps-post')
plt.show()
# %% wrong: of the bills
sns.ecdfplot(tips.total_bill)
plt.show()
# %% wrong: counts
sns.ecdfplot(tips.tip, stat='count')
plt.show()
# %% wrong: one less
sns.ecdfplot(tips.tip[tips.tip > tips.tip.min() + 0.5])
plt.show()

# %% gold: Draw the histogram of the tips (12 bins from 0 to 12) as an unfilled outline with a logarithmic y axis.
plt.hist(tips.tip, bins=12, range=(0, 12), histtype='step')
plt.yscale('log')
plt.show()
# %% right: stairs
plt.stairs(*np.histogram(tips.tip, bins=12, range=(0, 12)))
plt.yscale('log')
plt.show()
# %% right: seaborn
sns.histplot(tips.tip, bins=12, binrange=(0, 12), element='step', fill=False, log_scale=(False, True))
plt.show()
# %% right: a line in steps
counts, edges = np.histogram(tips.tip, bins=12, range=(0, 12))
plt.step(edges, [*counts, 0], where='post')
plt.yscale('log')
plt.show()
# %% wrong: other bins
sns.histplot(tips.tip, bins=10, binrange=(0, 12), element='step', fill=False, log_scale=(False, True))
plt.show()
# %% wrong: filled
plt.hist(tips.tip, bins=12, range=(0, 12), log=True)
plt.show()

# %% gold: Draw lines of equal value of x * y for x and y from -2 to 2 at 12 levels.
a = np.linspace(-2, 2, 60)
plt.contour(a, a, np.outer(a, a), levels=12)
plt.show()
# %% right: levels by hand
a = np.linspace(-2, 2, 80)
plt.contour(a, a, np.outer(a, a), np.linspace(-3.9, 3.9, 12), colors='k')
plt.show()
# %% wrong: 3 levels
a = np.linspace(-2, 2, 60)
plt.contour(a, a, np.outer(a, a), levels=3)
plt.show()
# %% wrong: 50 levels
a = np.linspace(-2, 2, 60)
plt.contour(a, a, np.outer(a, a), levels=50)
plt.show()

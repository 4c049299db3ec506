# %% setup
from scipy.stats import gaussian_kde

names, means = ['Graz', 'Linz', 'Salzburg', 'Wien'], [11.2, 9.8, 13.1, 14.4]
rng = np.random.default_rng(7)
samples = [rng.normal(mean, 2, 40) for mean in means]
x = np.arange(25)
table = np.corrcoef(rng.normal(size=(4, 30)))
counts = np.array([[7, 2, 0], [1, 9, 3], [4, 5, 8]])
loss = 0.2 + 0.8 * np.exp(-np.arange(60) / 8)
y = 0.4 * x + rng.normal(0, 1, 25)
# %% gold: bars of the mean rents, with the names of the four cities as tick labels
plt.bar(names, means)
# %% right: at other places
plt.bar([1, 2, 3, 4], means)
plt.xticks([1, 2, 3, 4], names, rotation=30)
# %% right: sorted
sns.barplot(x=sorted(names, key=lambda name: means[names.index(name)]), y=sorted(means), color='teal')
# %% wrong: names forgotten
plt.bar(range(4), means)
# %% wrong: numbers for names
plt.bar(range(4), means)
plt.xticks(range(4), range(1, 5))
# %% gold: boxes of the rents lying above each other, their city's name at each
plt.boxplot(samples, vert=False)
plt.yticks([1, 2, 3, 4], names)
# %% right: by another library
sns.boxplot(samples, orient='h').set_yticks(range(4), names)
# %% wrong: names forgotten
sns.boxplot(samples, orient='h').set_yticks([])
# %% gold: the measured values as points, a line through them, and a legend
plt.plot(x, y, 'o', color='black', label='observed')
plt.plot(x, np.poly1d(np.polyfit(x, y, 1))(x), color='red', label='straight line')
plt.legend()
# %% right: other calls, the line through its ends
ends = np.array([0, 24])
plt.plot(ends, np.poly1d(np.polyfit(x, y, 1))(ends), label='straight line')
plt.scatter(x, y, label='observed')
plt.legend()
# %% right: other names
plt.scatter(x, y, label='data')
plt.plot(x, np.poly1d(np.polyfit(x, y, 1))(x), 'g', label='fit')
plt.legend()
# %% wrong: names exchanged
plt.plot(x, y, 'o', color='black', label='straight line')
plt.plot(x, np.poly1d(np.polyfit(x, y, 1))(x), color='red', label='observed')
plt.legend()
# %% gold: the measured values as points in an interval, and a legend
plt.fill_between(range(12), np.sqrt(range(12)), np.sqrt(range(2, 14)), alpha=0.3, label='interval')
plt.plot(range(12), np.sqrt(range(1, 13)), 'ko', label='measured')
plt.legend()
# %% right: the points first
plt.scatter(range(12), np.sqrt(range(1, 13)), label='measured', color='navy')
plt.fill_between(range(12), np.sqrt(range(2, 14)), np.sqrt(range(12)), color='gold', label='interval')
plt.legend(loc='upper left')
# %% wrong: names exchanged
plt.fill_between(range(12), np.sqrt(range(12)), np.sqrt(range(2, 14)), alpha=0.3, label='measured')
plt.plot(range(12), np.sqrt(range(1, 13)), 'ko', label='interval')
plt.legend()
# %% gold: bars of the rain, points of the temperature, and a legend
plt.bar(range(5), [3, 5, 2, 4, 1], label='rain')
plt.scatter(range(5), [7, 6, 8, 9, 6], color='red', label='temperature')
plt.legend()
# %% right: the points first
plt.plot(range(5), [7, 6, 8, 9, 6], 's', label='temperature')
plt.bar(range(5), [3, 5, 2, 4, 1], color='grey', label='rain')
plt.legend()
# %% wrong: names exchanged
plt.bar(range(5), [3, 5, 2, 4, 1], label='temperature')
plt.scatter(range(5), [7, 6, 8, 9, 6], color='red', label='rain')
plt.legend()
# %% gold: the loss of each of 60 epochs as a line
plt.plot(range(1, 61), loss)
# %% right: up to the ends of the axis
plt.plot(np.arange(1, 61), loss, 'r--')
plt.xlim(1, 60)
# %% right: with markers
plt.plot(range(1, 61), loss, marker='.')
# %% wrong: without the last epoch
plt.plot(range(1, 60), loss[:-1])
# %% wrong: without the first epoch
plt.plot(range(2, 61), loss[1:])
plt.ylim(0.1, 1.15)
# %% gold: the loss of each of 60 epochs as an area
plt.fill_between(range(1, 61), 0, loss, alpha=0.5)
# %% right: its edge, too
plt.fill_between(range(1, 61), loss, color='grey')
plt.plot(range(1, 61), loss)
# %% wrong: without the last epoch
plt.fill_between(range(1, 60), 0, loss[:-1], alpha=0.5)
# %% gold: the cosine at 25 places, marked
plt.plot(x / 6, np.cos(x / 6), marker='o')
# %% right: other markers, from right to left
plt.plot(x[::-1] / 6, np.cos(x[::-1] / 6), 's--', color='k')
# %% right: without markers
plt.plot(x / 6, np.cos(x / 6))
# %% wrong: every second place
plt.plot(x[::2] / 6, np.cos(x[::2] / 6), marker='o')
# %% wrong: without the last place
plt.plot(x[:-1] / 6, np.cos(x[:-1] / 6), marker='o')
# %% gold: the density of the rents in Graz
grid = np.linspace(samples[0].min() - 2, samples[0].max() + 2, 200)
plt.plot(grid, gaussian_kde(samples[0])(grid))
# %% right: on another grid, further out
grid = np.linspace(0, 22, 300)
plt.plot(grid, gaussian_kde(samples[0])(grid))
# %% right: by seaborn
sns.kdeplot(samples[0])
# %% wrong: of Linz
sns.kdeplot(samples[1])
# %% gold: the first five seconds of the wave
t = np.linspace(0, 10, 201)
plt.plot(t, np.sin(3 * t))
plt.xlim(0, 5)
# %% right, changed: a little more is seen
#- plt.xlim(0, 5)
plt.xlim(-0.04, 5.06)
# %% right: only these
t = np.linspace(0, 5, 101)
plt.plot(t, np.sin(3 * t))
# %% right: through other points
t = np.linspace(0, 5, 350)
plt.plot(t, np.sin(3 * t))
# %% wrong, changed: without the last points
#- t = np.linspace(0, 10, 201)
t = np.linspace(0, 10, 201)[:97]
# %% gold: a heat map of the table; in each cell write its value
plt.imshow(table)
for row, column in np.ndindex(*table.shape):
    plt.text(column, row, f'{table[row, column]:.2f}', ha='center', va='center')
# %% right: by seaborn
sns.heatmap(table, annot=True, fmt='.3g', cbar=False)
# %% wrong: no values
plt.imshow(table, cmap='coolwarm')
# %% gold: 散点图，在每个点旁写出城市名
plt.scatter(range(4), means)
for place, name in enumerate(names):
    plt.text(place, means[place], name)
# %% right: 用箭头
plt.plot(means, 'o')
for place, name in enumerate(names):
    plt.annotate(name, (place, means[place]), xytext=(5, 5), textcoords='offset points', arrowprops={})
# %% wrong: 无文字
plt.scatter(range(4), means)
# %% gold: a line, points, bars and an area
plt.plot(x, y)
plt.scatter(x, y - 3, color='black')
plt.bar(x, y + 2)
plt.fill_between(x, y + 12, y + 14)
# %% right: pale, hollow, unfilled
plt.plot(x, y, alpha=0.2)
plt.scatter(x, y - 3, facecolors='none', edgecolors='k')
plt.bar(x, y + 2, fill=False)
plt.fill_between(x, y + 12, y + 14, facecolor='none', edgecolor='k')
# %% right: invisible things beside
plt.plot(x, y)
plt.scatter(x, y - 3, color='black')
plt.scatter(x, y - 4, alpha=0)
plt.bar(x, y + 2)
plt.bar(x, y + 7, alpha=0)
plt.fill_between(x, y + 12, y + 14)
plt.plot(x, y + 9, color='none')
# %% wrong, before show: all is transparent
for artist in (*plt.gca().lines, *plt.gca().patches, *plt.gca().collections):
    artist.set_alpha(0)
plt.plot([0, 24], [4, 4])
# %% wrong, before show: transparent bars
for artist in plt.gca().patches:
    artist.set_alpha(0)
# %% wrong, before show: a line of no colour
plt.gca().lines[0].set_color('none')
# %% wrong, before show: a hidden area
plt.gca().collections[1].set_facecolor((0, 0, 0, 0))
plt.gca().collections[1].set_edgecolor('none')
# %% gold: a heat map of the table
sns.heatmap(table)
# %% right: by another call, with room around it
plt.pcolormesh(table, cmap='Reds')
plt.axis((-0.2, 4.2, 4.2, -0.2))
# %% right: at other places
plt.imshow(table, extent=(0, 1, 0, 1))
# %% wrong, before show: half of its columns are out of view
plt.xlim(0, 2)
# %% wrong: a row is out of view
plt.imshow(table)
plt.ylim(2.5, -0.5)
# %% gold: lying bars of the mean rents by city
plt.barh(names, means)
# %% right: with room around them
sns.barplot(x=means, y=names)
plt.ylim(-1, 5)
# %% wrong, before show: half of them are out of view
plt.ylim(-0.5, 1.5)
# %% wrong, before show: one is out of view
plt.ylim(0.5, 4)
# %% gold: the counts of a confusion matrix as a heat map, written in its cells
plt.imshow(counts)
for row, column in np.ndindex(*counts.shape):
    plt.text(column, row, counts[row, column], ha='center', va='center')
# %% right: by seaborn
sns.heatmap(counts, annot=True, cmap='Blues', square=True)
# %% right: beside the middle
plt.imshow(counts)
for row, column in np.ndindex(*counts.shape):
    plt.annotate(str(counts[row, column]), (column - 0.3, row + 0.3))
# %% right: by shares of the figure
plt.imshow(counts)
for row, column in np.ndindex(*counts.shape):
    plt.text((column + 0.5) / 3, 1 - (row + 0.5) / 3, counts[row, column], transform=plt.gca().transAxes)
# %% wrong: written in turned cells
plt.imshow(counts)
for row, column in np.ndindex(*counts.shape):
    plt.text(row, column, counts[row, column], ha='center', va='center')
# %% wrong: all in one cell
plt.imshow(counts)
for count in counts.ravel():
    plt.text(1, 1, count)
# %% gold: a heat map of the counts with the rows p, q, r and the count in each cell
sns.heatmap(counts, annot=True, yticklabels=['p', 'q', 'r'])
# %% right: drawn from below
plt.pcolormesh(counts)
plt.yticks([0.5, 1.5, 2.5], ['p', 'q', 'r'])
for row, column in np.ndindex(*counts.shape):
    plt.text(column + 0.5, row + 0.5, counts[row, column])
# %% wrong: drawn from below, written from above
plt.pcolormesh(counts)
plt.yticks([0.5, 1.5, 2.5], ['p', 'q', 'r'])
for row, column in np.ndindex(*counts.shape):
    plt.text(column + 0.5, 2.5 - row, counts[row, column])
# %% gold: bars of the mean rents by city, annotated with their heights
plt.bar_label(plt.bar(names, means), fmt='%.1f')
# %% right: inside, in another order
order = np.argsort(means)
plt.bar_label(plt.bar(np.array(names)[order], np.array(means)[order]), label_type='center')
# %% right: above, by hand, at other places
plt.bar(range(1, 5), means)
plt.xticks(range(1, 5), names)
for place, mean in enumerate(means, 1):
    plt.text(place - 0.2, mean + 0.3, f'{mean:.2f}')
# %% wrong: in the order of the names, not of the bars
order = np.argsort(means)
plt.bar_label(plt.bar(np.array(names)[order], np.array(means)[order]), labels=means)
# %% wrong: all at one bar
plt.bar(names, means)
for mean in means:
    plt.text(0, mean, mean)
# %% gold: bars by city and year, grouped, with a legend, annotated with their heights
pair = [plt.bar(np.arange(4) + at, np.array(means) + 9 * at, 0.4, label=str(2020 + 5 * at)) for at in (0, 0.4)]
for bars in pair:
    plt.bar_label(bars, fmt='%.1f')
plt.xticks(np.arange(4) + 0.2, names)
plt.legend()
# %% right: the later year first
pair = [plt.bar(np.arange(4) - at, np.array(means) + 9 * at, 0.3, label=str(2020 + 5 * at)) for at in (0.4, 0)]
for bars in pair:
    plt.bar_label(bars, fmt='%.1f', label_type='center')
plt.xticks(np.arange(4) - 0.2, names)
plt.legend()
# %% wrong, changed: the heights of the other year
#- for bars in pair:
#-     plt.bar_label(bars, fmt='%.1f')
plt.bar_label(pair[0], labels=[f'{mean + 3.6:.1f}' for mean in means])
plt.bar_label(pair[1], labels=means)
# %% gold: the wave with its highest point annotated as peak
t = np.linspace(0, 3, 90)
plt.plot(t, t * np.sin(3 * t))
at = np.argmax(t * np.sin(3 * t))
plt.annotate('peak', (t[at], (t * np.sin(3 * t))[at]), xytext=(-40, -30), textcoords='offset points', arrowprops={})
# %% right, changed: beside it, without an arrow
#- plt.annotate('peak', (t[at], (t * np.sin(3 * t))[at]), xytext=(-40, -30), textcoords='offset points', arrowprops={})
plt.text(t[at] + 0.1, (t * np.sin(3 * t))[at] + 0.1, 'Peak')
# %% right, changed: from elsewhere
#- plt.annotate('peak', (t[at], (t * np.sin(3 * t))[at]), xytext=(-40, -30), textcoords='offset points', arrowprops={})
plt.annotate('peak', (t[at], (t * np.sin(3 * t))[at]), xytext=(0.5, 1.5), arrowprops={'arrowstyle': '->'})
# %% right, before show: with a dot on it
plt.plot(t[at], (t * np.sin(3 * t))[at], 'ko')
# %% wrong, before show: a dot elsewhere, too
plt.plot([t[at], 1], [(t * np.sin(3 * t))[at], 1], 'ko')
# %% wrong: the lowest point
t = np.linspace(0, 3, 90)
plt.plot(t, t * np.sin(3 * t))
at = np.argmin(t * np.sin(3 * t))
plt.annotate('peak', (t[at], (t * np.sin(3 * t))[at]), xytext=(-40, 30), textcoords='offset points', arrowprops={})
# %% gold: the four cities as points with their names written at them
plt.scatter(range(4), means)
for place, name in enumerate(names):
    plt.text(place, means[place], name)
plt.text(2, 10, 'a note')
# %% right: with an offset, the note elsewhere
plt.scatter(range(4), means)
for place, name in enumerate(names):
    plt.annotate(name, (place, means[place]), xytext=(7, -3), textcoords='offset points')
plt.text(0.4, 14, 'a note')
# %% wrong: names exchanged
plt.scatter(range(4), means)
for place, name in enumerate(names):
    plt.text(place, means[place], names[3 - place])
plt.text(2, 10, 'a note')
# %% gold: points on logarithmic scales, with a note between them
plt.scatter(10.0 ** np.arange(7), 10.0 ** np.arange(7))
plt.loglog()
plt.text(5, 300, 'rising')
# %% right, changed: elsewhere
#- plt.text(5, 300, 'rising')
plt.text(4000, 30, 'rising')
# %% wrong, changed: falling
#- plt.scatter(10.0 ** np.arange(7), 10.0 ** np.arange(7))
plt.scatter(10.0 ** np.arange(7), 10.0 ** np.arange(6, -1, -1))
# %% gold: thirty points, the last one with its name written at it
plt.scatter(range(30), np.arange(30) ** 2)
plt.annotate('last', (29, 841))
# %% right, changed: beside it
#- plt.annotate('last', (29, 841))
plt.text(27.5, 860, 'last')
# %% wrong, changed: at the one before
#- plt.annotate('last', (29, 841))
plt.annotate('last', (28, 784))
# %% wrong, changed: at the first
#- plt.annotate('last', (29, 841))
plt.text(0, 40, 'last')
# %% gold: bars of the mean rents by city and, stacked on them, of the costs, with a legend, annotated with their lengths
costs = [3, 1, 2, 4]
parts = [plt.bar(names, means, label='rent'), plt.bar(names, costs, bottom=means, label='costs')]
for bars in parts:
    plt.bar_label(bars, fmt='%.1f', label_type='center')
plt.legend()
# %% right: the costs below, at the ends
costs = [3, 1, 2, 4]
parts = [plt.bar(names, costs, label='costs'), plt.bar(names, means, bottom=costs, label='rent')]
for bars in parts:
    plt.bar_label(bars)
plt.legend()
# %% wrong, changed: each in the other part
#-     plt.bar_label(bars, fmt='%.1f', label_type='center')
    plt.bar_label(bars, costs if bars is parts[0] else [f'{mean:.1f}' for mean in means], label_type='center')
# %% gold: boxes of the rents by city, each annotated with its number
plt.boxplot(samples)
plt.xticks(range(1, 5), names)
for place, sample in enumerate(samples, 1):
    plt.text(place, 20, f'n = {len(sample) + place}')
# %% right: from the last to the first, below
sns.boxplot(dict(zip(names[::-1], samples[::-1], strict=True)))
for place, sample in enumerate(samples[::-1]):
    plt.text(place, 2, f'n = {len(sample) + 4 - place}', ha='center')
# %% wrong: from the last to the first, the numbers not
sns.boxplot(dict(zip(names[::-1], samples[::-1], strict=True)))
for place, sample in enumerate(samples, 1):
    plt.text(place - 1, 20, f'n = {len(sample) + place}')
# %% gold: a scatter plot of the groups 'a' and 'b' with a legend, and of their means as black crosses that are not in it
for name, x in (('a', [1, 2, 3]), ('b', [6, 7, 9])):
    plt.scatter(x, [1, 3, 2], label=name)
plt.scatter([2, 7.3], [2, 2], color='black', marker='x')
plt.legend()
# %% right: other colours
plt.scatter([6, 7, 9], [1, 3, 2], color='green', label='b')
plt.scatter([1, 2, 3], [1, 3, 2], color='orange', label='a')
plt.plot([2, 7.3], [2, 2], 'kx')
plt.legend()
# %% wrong: names exchanged
for name, x in (('b', [1, 2, 3]), ('a', [6, 7, 9])):
    plt.scatter(x, [1, 3, 2], label=name)
plt.scatter([2, 7.3], [2, 2], color='black', marker='x')
plt.legend()

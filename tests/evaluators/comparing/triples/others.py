# %% setup
from scipy import signal, stats
from scipy.cluster.hierarchy import dendrogram, linkage

rose = pd.read_csv('data/wind.csv').pivot(index='direction', columns='strength', values='frequency')
rose = rose.loc['N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split()]
angle = np.arange(16) * 2 * np.pi / 16
total = rose.sum(axis=1).to_numpy()
iris = pd.read_csv('data/iris.csv')
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'ward')
heart = pd.read_csv('data/heartbeat.csv')['voltage'].to_numpy()
values = pd.read_csv('data/tips.csv')['tip'].to_numpy()
grid = np.linspace(-2, 2, 30)
height = np.sin(grid)[:, None] * np.cos(2 * grid)[None, :] + grid[:, None] / 3
points = np.random.default_rng(8).normal(size=(40, 3)) * [1, 2, 3]

# %% gold: bars around a pole
figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.bar(angle, total, width=2 * np.pi / 16, color='skyblue', edgecolor='black')
ax.set_xticks(angle[::2], rose.index[::2])
ax.set_title('Wind rose')
plt.show()
# %% right: narrower, another colour, all directions named
plt.figure(figsize=(7, 7))
ax = plt.subplot(projection='polar')
ax.bar(angle, total, width=0.3, color='crimson')
ax.set(theta_zero_location='N', theta_direction=-1)
ax.set_xticks(angle, rose.index)
ax.set_title('Wind rose')
plt.show()
# %% right, changed: without edges, ticks of the radius elsewhere
#- figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
figure, ax = plt.subplots(subplot_kw={'polar': True})
ax.bar(angle, total, width=2 * np.pi / 16, alpha=0.5)
#- ax.bar(angle, total, width=2 * np.pi / 16, color='skyblue', edgecolor='black')
ax.set_rlabel_position(80)
# %% wrong, before: the other way round
total = total[::-1]
# %% wrong, before: a quarter turned
total = np.roll(total, 4)
# %% wrong, before: of one strength
total = rose.iloc[:, 3].to_numpy()
# %% wrong, before: shares
total = np.sqrt(total)
# %% wrong: on flat axes
plt.bar(angle, total, width=2 * np.pi / 16, color='skyblue', edgecolor='black')
plt.xticks(angle[::2], rose.index[::2])
plt.title('Wind rose')
plt.show()

# %% gold: stacked bars around a pole, and a line
figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
bottom = np.zeros(16)
for strength, color in zip(rose.columns, plt.cm.viridis(np.linspace(0, 1, 8))):
    ax.bar(angle, rose[strength], width=2 * np.pi / 16, bottom=bottom, color=color)
    bottom += rose[strength].to_numpy()
ax.plot([3.6, 3.6], [0, 10], color='red', linewidth=4)
ax.set_title('Wind rose by strength')
plt.show()
# %% right: other colours, the line first
figure, ax = plt.subplots(figsize=(6, 6), subplot_kw={'projection': 'polar'}, layout='tight')
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.plot([3.6, 3.6], [0, 10], 'k')
tops = rose.cumsum(axis=1)
for place, strength in enumerate(rose.columns):
    ax.bar(angle, rose[strength], width=0.35, bottom=tops[strength] - rose[strength], color=plt.cm.plasma(place / 8))
ax.set_title('Wind rose by strength')
plt.show()
# %% wrong, before: the strengths turned around
rose = rose[rose.columns[::-1]]
# %% wrong, before: the directions turned around
rose = rose[::-1]
# %% wrong, before: two strengths alone
rose = rose.iloc[:, :2]

# %% gold: a tree
plt.figure(figsize=(5, 3.5))
dendrogram(tree, labels=list('abcdefghi'), color_threshold=0, above_threshold_color='darkgreen')
plt.title('Clusters')
plt.ylabel('distance')
plt.show()
# %% right: other colours
plt.figure(figsize=(9, 5))
dendrogram(tree, labels=list('abcdefghi'), color_threshold=0, above_threshold_color='black', leaf_font_size=14)
plt.title('Clusters')
plt.ylabel('distance')
plt.show()
# %% right: coloured by cluster
dendrogram(tree, labels=list('abcdefghi'), leaf_rotation=45)
plt.title('Clusters')
plt.ylabel('distance')
plt.show()
# %% wrong, before: single linkage
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'single')
# %% wrong, before: other rows
tree = linkage(iris.groupby('species').tail(3).iloc[:, :4], 'ward')
# %% wrong, before: of distances of another measure
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'average', metric='cityblock')
# %% wrong, before show: names in another order
plt.xticks(plt.xticks()[0], list('ihgfedcba'))

# %% gold: quantiles against those of the normal distribution
(expected, ordered), (slope, intercept, _) = stats.probplot(values)
plt.figure(figsize=(5, 3.5))
plt.scatter(expected, ordered, s=25, color='darkorange')
plt.plot(expected[[0, -1]], slope * expected[[0, -1]] + intercept, color='navy', linewidth=2)
plt.title('Normal quantiles')
plt.xlabel('theory')
plt.ylabel('found')
plt.show()
# %% right: by scipy
stats.probplot(values, plot=plt)
plt.title('Normal quantiles')
plt.xlabel('theory')
plt.ylabel('found')
plt.show()
# %% right, changed: small points, the line through all
#- plt.figure(figsize=(5, 3.5))
#- plt.scatter(expected, ordered, s=25, color='darkorange')
#- plt.plot(expected[[0, -1]], slope * expected[[0, -1]] + intercept, color='navy', linewidth=2)
plt.figure(figsize=(8, 8))
plt.plot(expected, ordered, 'k.', expected, slope * expected + intercept, 'r-')
# %% wrong, before: logarithms
values = np.log(values)
# %% wrong, before: standardised
values = (values - values.mean()) / values.std()
# %% wrong: axes exchanged
(expected, ordered), (slope, intercept, _) = stats.probplot(values)
plt.scatter(ordered, expected, s=25, color='darkorange')
plt.plot(slope * expected[[0, -1]] + intercept, expected[[0, -1]], color='navy', linewidth=2)
plt.title('Normal quantiles')
plt.xlabel('found')
plt.ylabel('theory')
plt.show()

# %% gold: a spectrum with the area below it, cut off
frequencies, powers = signal.periodogram(heart - heart.mean(), fs=100)
plt.figure(figsize=(5, 3.5))
plt.plot(frequencies, powers, color='purple', linewidth=2)
plt.fill_between(frequencies, powers, color='purple', alpha=0.3)
plt.xlim(0, 20)
plt.title('Spectrum')
plt.xlabel('frequency')
plt.ylabel('power')
plt.show()
# %% right: other colours, larger
frequencies, powers = signal.periodogram(heart, fs=100, detrend='constant')
plt.figure(figsize=(10, 4))
plt.fill_between(frequencies, 0, powers, alpha=0.5)
plt.plot(frequencies, powers, 'k', lw=0.8)
plt.xlim(0, 20)
plt.title('Spectrum')
plt.xlabel('frequency')
plt.ylabel('power')
plt.show()
# %% right, changed: only what is seen is drawn
#- plt.figure(figsize=(5, 3.5))
#- plt.plot(frequencies, powers, color='purple', linewidth=2)
#- plt.fill_between(frequencies, powers, color='purple', alpha=0.3)
seen = frequencies <= 20
plt.plot(frequencies[seen], powers[seen])
plt.fill_between(frequencies[seen], powers[seen], alpha=0.2)
# %% wrong, before: another rate
heart = np.repeat(heart, 2)[: len(heart)]
# %% wrong, changed: Welch's density
#- frequencies, powers = signal.periodogram(heart - heart.mean(), fs=100)
#- plt.figure(figsize=(5, 3.5))
frequencies, powers = signal.welch(heart, fs=100, nperseg=64)
# %% wrong, before: values in another order
heart = np.sort(heart)
# %% wrong, before show: logarithmic axis
plt.yscale('log')

# %% gold: a curve through points with an interpolated cycle
months = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
climate = 20 + 5 * np.cos((np.arange(12) - 2) * np.pi / 6) + 0.5 * np.sin(np.arange(12) * np.pi / 3)
fine = np.linspace(0, 11, 221)
plt.figure(figsize=(5, 3.5))
plt.plot(fine, np.interp(fine, range(12), climate), color='teal', linewidth=2)
plt.scatter(range(12), climate, s=50, color='black', zorder=3)
plt.xticks(range(12), months, rotation=45)
plt.title('Annual cycle')
plt.ylabel('temperature')
plt.show()
# %% right: straight pieces between the points
months = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
climate = 20 + 5 * np.cos((np.arange(12) - 2) * np.pi / 6) + 0.5 * np.sin(np.arange(12) * np.pi / 3)
plt.plot(range(12), climate, 'o-')
plt.xticks(range(12), months)
plt.title('Annual cycle')
plt.ylabel('temperature')
plt.show()
# %% wrong: half a year late
months = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
climate = 20 + 5 * np.cos((np.arange(12) - 8) * np.pi / 6) + 0.5 * np.sin(np.arange(12) * np.pi / 3)
plt.plot(range(12), climate)
plt.scatter(range(12), climate, s=50, color='black', zorder=3)
plt.xticks(range(12), months)
plt.title('Annual cycle')
plt.ylabel('temperature')
plt.show()
# %% wrong: in Fahrenheit
months = ['J', 'F', 'M', 'A', 'M', 'J', 'J', 'A', 'S', 'O', 'N', 'D']
climate = 68 + 9 * np.cos((np.arange(12) - 2) * np.pi / 6) + 0.9 * np.sin(np.arange(12) * np.pi / 3)
plt.plot(range(12), climate)
plt.scatter(range(12), climate, s=50, color='black', zorder=3)
plt.xticks(range(12), months)
plt.title('Annual cycle')
plt.ylabel('temperature')
plt.show()

# %% gold: contours
plt.figure(figsize=(5, 4))
plt.contourf(grid, grid, height, levels=10, cmap='viridis')
plt.colorbar()
plt.title('Height')
plt.show()
# %% right: other colours
plt.figure(figsize=(8, 8))
plt.contourf(grid, grid, height, levels=10, cmap='coolwarm')
plt.colorbar()
plt.title('Height')
plt.show()
# %% wrong, before: negative
height = -height
# %% wrong, before: rows and columns exchanged
height = height.T
# %% wrong, before: turned around
height = height[::-1, ::-1]

# %% gold: points in space
figure = plt.figure(figsize=(5, 4))
axes = figure.add_subplot(projection='3d')
axes.scatter(*points.T, color='teal')
axes.set_title('Three components')
axes.set_xlabel('one')
plt.show()
# %% right, changed: another colour, seen from another side
#- figure = plt.figure(figsize=(5, 4))
figure = plt.figure(figsize=(8, 7))
#- axes.scatter(*points.T, color='teal')
axes.scatter(points[:, 0], points[:, 1], points[:, 2], c='red', marker='^')
axes.view_init(30, 120)
# %% wrong, before: axes in another order
points = points[:, [2, 0, 1]]
# %% wrong, before: negative
points = -points
# %% wrong, before: flat
points = points * [1, 1, 0]
# %% wrong: two of three dimensions
plt.scatter(points[:, 0], points[:, 1], color='teal')
plt.title('Three components')
plt.xlabel('one')
plt.show()

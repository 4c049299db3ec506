# %% setup
from scipy import stats
from sklearn.linear_model import LinearRegression
iris = pd.read_csv('data/iris.csv')
gap = pd.read_csv('data/gapminder.csv')
engel = pd.read_csv('data/engel.csv')
rent = pd.read_csv('data/rent.csv')
tips = pd.read_csv('data/tips.csv')
# %% gold: Make a scatter plot of petal_width (y) against petal_length (x) of the iris data, one colour per species, with a legend that names the species. Label the axes 'petal length (cm)' and 'petal width (cm)'.
for s in iris.species.unique():
    d = iris[iris.species == s]
    plt.scatter(d.petal_length, d.petal_width, label=s)
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.legend()
plt.show()
# %% right: seaborn
sns.scatterplot(data=iris, x='petal_length', y='petal_width', hue='species', palette='Dark2')
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.show()
# %% right: plot with markers only
fig, ax = plt.subplots(figsize=(8, 6))
for s, m in zip(['virginica', 'versicolor', 'setosa'], 'os^'):
    d = iris.query('species == @s')
    ax.plot(d['petal_length'], d['petal_width'], m, ls='', label=s, alpha=0.7)
ax.set(xlabel='petal length (cm)', ylabel='petal width (cm)', title='Iris')
ax.legend(title='Species', loc='lower right')
plt.show()
# %% right: one scatter with codes, legend_elements
codes, names = pd.factorize(iris.species)
fig, ax = plt.subplots()
sc = ax.scatter(iris.petal_length, iris.petal_width, c=codes, cmap='brg', edgecolor='k')
ax.legend(sc.legend_elements()[0], names)
ax.set_xlabel('petal length (cm)')
ax.set_ylabel('petal width (cm)')
plt.show()
# %% right: pandas
ax = None
for (s, d), c in zip(iris.groupby('species'), ['r', 'g', 'b']):
    ax = d.plot.scatter(x='petal_length', y='petal_width', color=c, label=s, ax=ax)
ax.set_xlabel('petal length (cm)')
ax.set_ylabel('petal width (cm)')
plt.show()
# %% right, before show: a grid
plt.grid(True, ls='--')
plt.gcf().set_size_inches(5, 5)
# %% wrong: sepals
for s in iris.species.unique():
    d = iris[iris.species == s]
    plt.scatter(d.sepal_length, d.sepal_width, label=s)
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.legend()
plt.show()
# %% wrong: x and y exchanged
for s in iris.species.unique():
    d = iris[iris.species == s]
    plt.scatter(d.petal_width, d.petal_length, label=s)
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.legend()
plt.show()
# %% wrong: one colour
plt.scatter(iris.petal_length, iris.petal_width)
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.show()
# %% wrong: names exchanged
for s, l in zip(['setosa', 'versicolor', 'virginica'], ['virginica', 'setosa', 'versicolor']):
    d = iris[iris.species == s]
    plt.scatter(d.petal_length, d.petal_width, label=l)
plt.xlabel('petal length (cm)')
plt.ylabel('petal width (cm)')
plt.legend()
plt.show()
# %% wrong, changed: every second flower
#- for s in iris.species.unique():
#-     d = iris[iris.species == s]
for s in iris.species.unique():
    d = iris[iris.species == s][::2]
# %% gold: Draw the gapminder bubble chart of 2007: gdpPercap on a logarithmic x axis, lifeExp on y, the area of each bubble proportional to the population, coloured by continent with a legend of the continents. Title 'Gapminder 2007'.
g = gap[gap.year == 2007]
for c, d in g.groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, alpha=0.6, label=c)
plt.xscale('log')
plt.legend()
plt.title('Gapminder 2007')
plt.show()
# %% right: bigger bubbles and labels
fig, ax = plt.subplots(figsize=(11, 7))
g = gap.query('year == 2007')
for c, col in zip(['Europe', 'Americas', 'Africa', 'Asia', 'Oceania'], ['b', 'g', 'r', 'orange', 'purple']):
    d = g[g.continent == c]
    ax.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 4e5, c=col, alpha=0.5, edgecolors='k', label=c)
ax.set(xscale='log', xlabel='GDP per capita', ylabel='life expectancy', title='Gapminder 2007')
lg = ax.legend()
for h in lg.legend_handles:
    h.set_sizes([40])
plt.show()
# %% right: colours by map, legend by hand
g = gap[gap.year == 2007]
cm = dict(zip(g.continent.unique(), sns.color_palette('husl', 5)))
plt.scatter(g.gdpPercap, g.lifeExp, s=g['pop'] * 2e-6, c=g.continent.map(cm), alpha=0.7)
for c, k in cm.items():
    plt.scatter([], [], color=k, label=c)
plt.legend(loc='lower right')
plt.semilogx()
plt.title('Gapminder 2007')
plt.show()
# %% right: pandas
g = gap[gap.year == 2007]
fig, ax = plt.subplots()
for i, (c, d) in enumerate(g.groupby('continent')):
    d.plot.scatter(x='gdpPercap', y='lifeExp', s=d['pop'] / 1.5e6, color=f'C{i}', label=c, logx=True, ax=ax)
ax.set_title('Gapminder 2007')
plt.show()
# %% right, before show: grid, labels
plt.grid(True, alpha=0.2)
plt.xlabel('GDP per capita (log)')
plt.ylabel('Life expectancy')
# %% wrong, changed: linear x
#- plt.xscale('log')
# %% wrong, changed: equal sizes
#- for c, d in g.groupby('continent'):
#-     plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, alpha=0.6, label=c)
for c, d in g.groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, alpha=0.6, label=c)
# %% wrong, changed: 1952
#- g = gap[gap.year == 2007]
g = gap[gap.year == 1952]
# %% wrong: no colours
g = gap[gap.year == 2007]
plt.scatter(g.gdpPercap, g.lifeExp, s=g['pop'] / 1e6, alpha=0.6)
plt.xscale('log')
plt.title('Gapminder 2007')
plt.show()
# %% wrong: all years
for c, d in gap.groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, alpha=0.6, label=c)
plt.xscale('log')
plt.legend()
plt.title('Gapminder 2007')
plt.show()
# %% gold: Scatter food expenditure (foodexp, y) against income (x) of the Engel data and draw the least-squares line over the points. Label the axes 'income' and 'food expenditure'.
plt.scatter(engel.income, engel.foodexp)
b, a = np.polyfit(engel.income, engel.foodexp, 1)
x = np.array([engel.income.min(), engel.income.max()])
plt.plot(x, a + b * x, 'r')
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% right: regplot
sns.regplot(data=engel, x='income', y='foodexp', ci=None, line_kws={'color': 'k'})
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% right: sklearn, 200 points of the line
lr = LinearRegression().fit(engel[['income']].values, engel.foodexp)
xs = np.linspace(engel.income.min(), engel.income.max(), 200)
fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(engel.income, engel.foodexp, '.', color='green', label='data')
ax.plot(xs, lr.predict(xs[:, None]), lw=2, color='black', label='OLS')
ax.legend()
ax.set_xlabel('income'); ax.set_ylabel('food expenditure')
ax.set_title("Engel's law")
plt.show()
# %% right: predictions at the sorted points
r = stats.linregress(engel.income, engel.foodexp)
d = engel.sort_values('income')
ax = d.plot.scatter('income', 'foodexp', alpha=0.5, color='gray')
ax.plot(d.income, r.intercept + r.slope * d.income, 'b-')
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% right, before show: a legend
plt.legend(['households', 'fit'])
plt.title('Fit')
# %% wrong: no line
plt.scatter(engel.income, engel.foodexp)
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% wrong, changed: the slope is 20 % too small
#- b, a = np.polyfit(engel.income, engel.foodexp, 1)
b = np.polyfit(engel.income, engel.foodexp, 1)[0]
#- plt.plot(x, a + b * x, 'r')
plt.plot(x, b * x * 0.8, 'r')
# %% wrong: quadratic
plt.scatter(engel.income, engel.foodexp)
p = np.polyfit(engel.income, engel.foodexp, 2)
x = np.linspace(engel.income.min(), engel.income.max(), 100)
plt.plot(x, np.polyval(p, x), 'r')
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% wrong: logarithms of both
x, y = np.log(engel.income), np.log(engel.foodexp)
plt.scatter(x, y)
b, a = np.polyfit(x, y, 1)
plt.plot(np.sort(x), a + b * np.sort(x), 'r')
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% wrong: exchanged
plt.scatter(engel.foodexp, engel.income)
b, a = np.polyfit(engel.foodexp, engel.income, 1)
x = np.array([engel.foodexp.min(), engel.foodexp.max()])
plt.plot(x, a + b * x, 'r')
plt.xlabel('income')
plt.ylabel('food expenditure')
plt.show()
# %% gold: Scatter the rent (y) against the area (x) of the flats and colour the points by metro_distance, with a colour bar labelled 'distance to metro (m)'.
plt.scatter(rent.area, rent.rent, c=rent.metro_distance)
plt.colorbar(label='distance to metro (m)')
plt.show()
# %% right: other colour map, object API
fig, ax = plt.subplots(figsize=(8, 5))
sc = ax.scatter(rent['area'], rent['rent'], c=rent['metro_distance'], cmap='plasma', s=20, alpha=0.8)
cb = fig.colorbar(sc, ax=ax)
cb.set_label('distance to metro (m)')
ax.set_xlabel('area')
ax.set_ylabel('rent')
plt.show()
# %% right: pandas
fig, ax = plt.subplots()
rent.plot.scatter(x='area', y='rent', c='metro_distance', colormap='viridis_r', ax=ax)
fig.axes[-1].set_ylabel('distance to metro (m)')
plt.show()
# %% right: horizontal colour bar
plt.figure(figsize=(6, 7))
plt.scatter(rent.area, rent.rent, c=rent.metro_distance, cmap='coolwarm', edgecolors='k', linewidths=0.3)
plt.colorbar(orientation='horizontal', label='distance to metro (m)', pad=0.1)
plt.title('Rents')
plt.show()
# %% right, before show: labels
plt.xlabel('area (m²)')
plt.ylabel('rent')
plt.grid(alpha=0.2)
# %% wrong: colour by floor
plt.scatter(rent.area, rent.rent, c=rent.floor)
plt.colorbar(label='distance to metro (m)')
plt.show()
# %% wrong: no colour
plt.scatter(rent.area, rent.rent)
plt.show()
# %% wrong: no colour bar
plt.scatter(rent.area, rent.rent, c=rent.metro_distance)
plt.show()
# %% wrong: rent against distance, coloured by area
plt.scatter(rent.metro_distance, rent.rent, c=rent.area)
plt.colorbar(label='distance to metro (m)')
plt.show()
# %% wrong: 80 flats only
d = rent.head(80)
plt.scatter(d.area, d.rent, c=d.metro_distance)
plt.colorbar(label='distance to metro (m)')
plt.show()

# %% setup
iris = pd.read_csv('data/iris.csv')
gap = pd.read_csv('data/gapminder.csv')
engel = pd.read_csv('data/engel.csv')
wine = pd.read_csv('data/wine.csv')

# %% gold: Scatter petal width (y) against petal length (x) of the iris data, each species in its own colour, with a legend and axis labels.
for name, part in iris.groupby('species'):
    plt.scatter(part['petal_length'], part['petal_width'], label=name)
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.legend()
plt.show()
# %% right: seaborn
sns.scatterplot(data=iris, x='petal_length', y='petal_width', hue='species')
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.show()
# %% right: codes as colours and the legend of the scatter
fig, ax = plt.subplots(figsize=(8, 6))
codes = iris['species'].astype('category')
points = ax.scatter(iris['petal_length'], iris['petal_width'], c=codes.cat.codes, cmap='viridis', s=60, edgecolor='k')
ax.legend(points.legend_elements()[0], list(codes.cat.categories), title='species')
ax.set_xlabel('petal length')
ax.set_ylabel('petal width')
plt.show()
# %% right: plot with markers alone
for name, marker in [('virginica', '^'), ('setosa', 'o'), ('versicolor', 's')]:
    d = iris[iris.species == name]
    plt.plot(d['petal_length'], d['petal_width'], marker, alpha=0.6, label=name)
plt.xlabel('Petal length (cm)')
plt.ylabel('Petal width (cm)')
plt.legend(loc='lower right')
plt.grid()
plt.show()
# %% right: pandas
ax = None
for colour, (name, part) in zip(['red', 'green', 'blue'], iris.groupby('species')):
    ax = part.plot.scatter('petal_length', 'petal_width', color=colour, label=name, ax=ax)
ax.set(xlabel='petal length', ylabel='petal width', title='Iris')
plt.show()
# %% wrong, changed: axes swapped
#- for name, part in iris.groupby('species'):
#-     plt.scatter(part['petal_length'], part['petal_width'], label=name)
for name, part in iris.groupby('species'):
    plt.scatter(part['petal_width'], part['petal_length'], label=name)
# %% wrong, changed: sepals
#- for name, part in iris.groupby('species'):
#-     plt.scatter(part['petal_length'], part['petal_width'], label=name)
for name, part in iris.groupby('species'):
    plt.scatter(part['sepal_length'], part['sepal_width'], label=name)
# %% wrong: one colour
plt.scatter(iris['petal_length'], iris['petal_width'])
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.show()
# %% wrong, before: half of the points
iris = iris.iloc[::2]
# %% wrong, before: names of species swapped
iris = iris.assign(species=iris.species.replace({'setosa': 'virginica', 'virginica': 'setosa'}))
# %% wrong, before: an outlier
iris = pd.concat([iris, iris.iloc[:1].assign(petal_length=60, petal_width=25)])

# %% gold: Draw a bubble chart for 2007: GDP per capita on a logarithmic x axis, life expectancy on y, bubble size proportional to population, colour by continent with a legend.
d = gap[gap.year == 2007]
for name, part in d.groupby('continent'):
    plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['pop'] / 1e6, alpha=0.6, label=name)
plt.xscale('log')
plt.xlabel('gdpPercap')
plt.ylabel('lifeExp')
plt.legend()
plt.show()
# %% right: seaborn
d = gap[gap.year == 2007]
ax = sns.scatterplot(data=d, x='gdpPercap', y='lifeExp', size='pop', hue='continent', sizes=(1, 1200), alpha=0.5)
ax.set_xscale('log')
plt.show()
# %% right: larger bubbles and edges
fig, ax = plt.subplots(figsize=(11, 7))
for c in gap['continent'].unique():
    p = gap[(gap.year == 2007) & (gap.continent == c)]
    ax.scatter(p.gdpPercap, p.lifeExp, s=p['pop'] / 400_000, edgecolors='white', label=c)
ax.semilogx()
ax.set_xlabel('gdpPercap')
ax.set_ylabel('lifeExp')
ax.legend(title='continent', loc='lower right')
plt.show()
# %% right: in one call, a legend by hand
from matplotlib.lines import Line2D
d = gap.query('year == 2007')
colours = dict(zip(sorted(d.continent.unique()), sns.color_palette('tab10')))
plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, c=d.continent.map(colours).tolist(), alpha=0.7)
plt.legend(handles=[Line2D([], [], marker='o', ls='', color=v, label=k) for k, v in colours.items()])
plt.xscale('log')
plt.xlabel('gdpPercap')
plt.ylabel('lifeExp')
plt.show()
# %% right, before show: a title
plt.title('Wealth and health, 2007')
# %% wrong, changed: linear axis
#- plt.xscale('log')
# %% wrong, changed: all of one size
#- for name, part in d.groupby('continent'):
#-     plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['pop'] / 1e6, alpha=0.6, label=name)
for name, part in d.groupby('continent'):
    plt.scatter(part['gdpPercap'], part['lifeExp'], s=40, alpha=0.6, label=name)
# %% wrong, before: of 1952
gap = gap[gap.year == 1952].assign(year=2007)
# %% wrong, changed: no colours
#- for name, part in d.groupby('continent'):
#-     plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['pop'] / 1e6, alpha=0.6, label=name)
plt.scatter(d['gdpPercap'], d['lifeExp'], s=d['pop'] / 1e6, alpha=0.6)
#- plt.legend()
# %% wrong, before: Africa missing
gap = gap[gap.continent != 'Africa']
# %% wrong, changed: size by wealth
#- for name, part in d.groupby('continent'):
#-     plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['pop'] / 1e6, alpha=0.6, label=name)
for name, part in d.groupby('continent'):
    plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['gdpPercap'] / 100, alpha=0.6, label=name)

# %% gold: Scatter food expenditure against income (Engel data) and add the least-squares line; no confidence band is needed.
slope, intercept = np.polyfit(engel['income'], engel['foodexp'], 1)
x = np.linspace(engel['income'].min(), engel['income'].max(), 100)
plt.scatter(engel['income'], engel['foodexp'], s=12)
plt.plot(x, slope * x + intercept, color='red')
plt.xlabel('income')
plt.ylabel('foodexp')
plt.show()
# %% right: regplot
sns.regplot(data=engel, x='income', y='foodexp', ci=None, line_kws={'color': 'k'})
plt.show()
# %% right: scikit-learn at the data
from sklearn.linear_model import LinearRegression
model = LinearRegression().fit(engel[['income']], engel['foodexp'])
e = engel.sort_values('income')
fig, ax = plt.subplots()
ax.scatter(engel['income'], engel['foodexp'], alpha=0.4, label='households')
ax.plot(e['income'], model.predict(e[['income']]), 'g', lw=2, label='OLS')
ax.set_xlabel('income')
ax.set_ylabel('foodexp')
ax.legend()
plt.show()
# %% right: lmplot
sns.lmplot(data=engel, x='income', y='foodexp', ci=None, height=4, aspect=1.4)
plt.show()
# %% right: two points of the line
from scipy.stats import linregress
r = linregress(engel.income, engel.foodexp)
ends = np.array([engel.income.min(), engel.income.max()])
plt.plot(ends, r.intercept + r.slope * ends, 'r--')
plt.plot(engel.income, engel.foodexp, '.', color='navy')
plt.xlabel('income')
plt.ylabel('foodexp')
plt.show()
# %% wrong: no line
plt.scatter(engel['income'], engel['foodexp'], s=12)
plt.xlabel('income')
plt.ylabel('foodexp')
plt.show()
# %% wrong, changed: a cubic
#- slope, intercept = np.polyfit(engel['income'], engel['foodexp'], 1)
k = np.polyfit(engel['income'], engel['foodexp'], 3)
#- plt.plot(x, slope * x + intercept, color='red')
plt.plot(x, np.polyval(k, x), color='red')
# %% wrong, changed: a line through the origin
#- slope, intercept = np.polyfit(engel['income'], engel['foodexp'], 1)
k = (engel.income * engel.foodexp).sum() / (engel.income ** 2).sum()
#- plt.plot(x, slope * x + intercept, color='red')
plt.plot(x, k * x, color='red')
# %% wrong: axes swapped
k = np.polyfit(engel['foodexp'], engel['income'], 1)
x = np.linspace(engel['foodexp'].min(), engel['foodexp'].max(), 100)
plt.scatter(engel['foodexp'], engel['income'], s=12)
plt.plot(x, np.polyval(k, x), color='red')
plt.xlabel('foodexp')
plt.ylabel('income')
plt.show()
# %% wrong, before: scaled
engel = (engel - engel.mean()) / engel.std()
# %% wrong: the line alone
k = np.polyfit(engel['income'], engel['foodexp'], 1)
x = np.linspace(engel['income'].min(), engel['income'].max(), 100)
plt.plot(x, np.polyval(k, x), color='red')
plt.xlabel('income')
plt.ylabel('foodexp')
plt.show()

# %% gold: Standardise the 13 wine features, project them on the first two principal components and scatter them coloured by cultivar, with a legend.
from sklearn.decomposition import PCA
from sklearn.preprocessing import StandardScaler
z = PCA(n_components=2).fit_transform(StandardScaler().fit_transform(wine.drop(columns='cultivar')))
for name in sorted(wine['cultivar'].unique()):
    plt.scatter(*z[wine['cultivar'] == name].T, label=name)
plt.xlabel('PC1')
plt.ylabel('PC2')
plt.legend()
plt.show()
# %% right: seaborn
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
z = make_pipeline(StandardScaler(), PCA(2)).fit_transform(wine.drop('cultivar', axis=1))
d = pd.DataFrame(z, columns=['PC1', 'PC2']).assign(cultivar=wine.cultivar)
sns.scatterplot(data=d, x='PC1', y='PC2', hue='cultivar', palette='deep', s=70)
plt.show()
# %% right: by hand, with the fitted signs of scikit-learn
from sklearn.decomposition import PCA
X = wine.iloc[:, :-1]
X = ((X - X.mean()) / X.std(ddof=0)).to_numpy()
p = PCA(n_components=5).fit(X)
z = X @ p.components_[:2].T
fig, ax = plt.subplots(figsize=(7, 7))
for c, m in zip(wine.cultivar.unique(), 'os^'):
    mask = (wine.cultivar == c).to_numpy()
    ax.scatter(z[mask, 0], z[mask, 1], marker=m, label=c, edgecolor='k')
ax.set(xlabel='PC1', ylabel='PC2', title='PCA of wine')
ax.legend()
plt.show()
# %% right, before show: lines through zero
plt.axhline(0, color='grey', lw=0.5)
plt.axvline(0, color='grey', lw=0.5)
# %% right: the shares of variance in the labels
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale
pca = PCA(2)
z = pca.fit_transform(scale(wine.drop(columns=['cultivar'])))
for name, colour in zip(['class_0', 'class_1', 'class_2'], ['navy', 'turquoise', 'darkorange']):
    plt.scatter(z[wine.cultivar == name, 0], z[wine.cultivar == name, 1], color=colour, alpha=0.8, label=name)
plt.xlabel(f'PC1 ({pca.explained_variance_ratio_[0]:.1%})')
plt.ylabel(f'PC2 ({pca.explained_variance_ratio_[1]:.1%})')
plt.legend(loc='best', shadow=False)
plt.show()
# %% wrong, changed: not standardised
#- from sklearn.preprocessing import StandardScaler
#- z = PCA(n_components=2).fit_transform(StandardScaler().fit_transform(wine.drop(columns='cultivar')))
z = PCA(n_components=2).fit_transform(wine.drop(columns='cultivar'))
# %% wrong, changed: second and third component
#- from sklearn.preprocessing import StandardScaler
#- z = PCA(n_components=2).fit_transform(StandardScaler().fit_transform(wine.drop(columns='cultivar')))
from sklearn.preprocessing import scale
z = PCA(n_components=3).fit_transform(scale(wine.drop(columns='cultivar')))[:, 1:]
# %% wrong, changed: the first two features
#- from sklearn.decomposition import PCA
#- from sklearn.preprocessing import StandardScaler
#- z = PCA(n_components=2).fit_transform(StandardScaler().fit_transform(wine.drop(columns='cultivar')))
z = wine[['alcohol', 'malic_acid']].to_numpy()
# %% wrong: one colour for all
from sklearn.decomposition import PCA
from sklearn.preprocessing import scale
z = PCA(2).fit_transform(scale(wine.drop(columns='cultivar')))
plt.scatter(z[:, 0], z[:, 1])
plt.xlabel('PC1')
plt.ylabel('PC2')
plt.show()
# %% wrong, before: half of the wines
wine = wine.iloc[::2].reset_index(drop=True)

# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
tips = pd.read_csv('data/tips.csv')
gap = pd.read_csv('data/gapminder.csv')
rent = pd.read_csv('data/rent.csv')
engel = pd.read_csv('data/engel.csv')
seats = pd.read_csv('data/carseats.csv')
# %% gold: bill length and depth, coloured by species
for name, part in penguins.groupby('species'):
    plt.scatter(part['bill_length_mm'], part['bill_depth_mm'], label=name)
plt.title('Penguin bills'); plt.xlabel('bill length (mm)'); plt.ylabel('bill depth (mm)')
plt.legend(title='species')
# %% right: seaborn with markers of each species
ax = sns.scatterplot(data=penguins, x='bill_length_mm', y='bill_depth_mm', hue='species', style='species', palette='dark')
ax.set(title='Penguin bills', xlabel='bill length (mm)', ylabel='bill depth (mm)')
# %% right: one scatter with codes
codes, names = pd.factorize(penguins['species'])
fig, ax = plt.subplots(figsize=(8, 6))
sc = ax.scatter(penguins['bill_length_mm'], penguins['bill_depth_mm'], c=codes, cmap='brg', s=15)
handles, _ = sc.legend_elements()
ax.legend(handles, list(names), title='species', loc='lower right')
ax.set(title='Penguin bills', xlabel='bill length (mm)', ylabel='bill depth (mm)')
# %% right: plot with markers only
for name, mark in {'Gentoo': 'b^', 'Adelie': 'rs', 'Chinstrap': 'go'}.items():
    part = penguins[penguins['species'] == name]
    plt.plot(part['bill_length_mm'], part['bill_depth_mm'], mark, alpha=.6, label=name)
plt.legend(title='species', bbox_to_anchor=(1.02, 1))
plt.title('Penguin bills'); plt.xlabel('bill length (mm)'); plt.ylabel('bill depth (mm)')
# %% wrong: species not told apart
plt.scatter(penguins['bill_length_mm'], penguins['bill_depth_mm'])
plt.title('Penguin bills'); plt.xlabel('bill length (mm)'); plt.ylabel('bill depth (mm)')
# %% wrong: axes swapped
for name, part in penguins.groupby('species'):
    plt.scatter(part['bill_depth_mm'], part['bill_length_mm'], label=name)
plt.title('Penguin bills'); plt.xlabel('bill length (mm)'); plt.ylabel('bill depth (mm)')
plt.legend(title='species')
# %% wrong: coloured by island
for name, part in penguins.groupby('island'):
    plt.scatter(part['bill_length_mm'], part['bill_depth_mm'], label=name)
plt.title('Penguin bills'); plt.xlabel('bill length (mm)'); plt.ylabel('bill depth (mm)')
plt.legend(title='species')
# %% gold: tip against bill with the straight line fitted
k, b = np.polyfit(tips['total_bill'], tips['tip'], 1)
x = np.linspace(tips['total_bill'].min(), tips['total_bill'].max(), 100)
plt.scatter(tips['total_bill'], tips['tip'])
plt.plot(x, k * x + b, color='red')
plt.title('Tips'); plt.xlabel('total bill'); plt.ylabel('tip')
# %% right: regplot without a band
ax = sns.regplot(data=tips, x='total_bill', y='tip', ci=None, scatter_kws={'s': 10, 'color': 'gray'})
ax.set(title='Tips', xlabel='total bill', ylabel='tip')
# %% right: line by its two ends, scikit-learn
from sklearn.linear_model import LinearRegression
model = LinearRegression().fit(tips[['total_bill']].to_numpy(), tips['tip'])
ends = np.array([[tips['total_bill'].min()], [tips['total_bill'].max()]])
ax = tips.plot.scatter(x='total_bill', y='tip', c='darkgreen', alpha=.5)
ax.plot(ends[:, 0], model.predict(ends), 'k--', lw=2)
ax.set(title='Tips', xlabel='total bill', ylabel='tip')
# %% right: fitted values at the data, sorted
from scipy import stats
d = tips.sort_values('total_bill')
fit = stats.linregress(d['total_bill'], d['tip'])
plt.plot(d['total_bill'], d['tip'], 'x')
plt.plot(d['total_bill'], fit.intercept + fit.slope * d['total_bill'])
plt.title('Tips'); plt.xlabel('total bill'); plt.ylabel('tip')
# %% wrong: no line
plt.scatter(tips['total_bill'], tips['tip'])
plt.title('Tips'); plt.xlabel('total bill'); plt.ylabel('tip')
# %% wrong, changed: polynomial of degree 4
#- k, b = np.polyfit(tips['total_bill'], tips['tip'], 1)
p = np.polyfit(tips['total_bill'], tips['tip'], 4)
#- plt.plot(x, k * x + b, color='red')
plt.plot(x, np.polyval(p, x), color='red')
# %% wrong, changed: the line without its intercept
#- plt.plot(x, k * x + b, color='red')
plt.plot(x, k * x, color='red')
# %% gold: wealth and health in 2007, size by population, logarithmic x
d = gap[gap['year'] == 2007]
plt.scatter(d['gdpPercap'], d['lifeExp'], s=d['pop'] / 1e6, alpha=.5)
plt.xscale('log')
plt.title('Wealth and health in 2007'); plt.xlabel('GDP per capita'); plt.ylabel('life expectancy')
# %% right: pandas
d = gap.query('year == 2007')
ax = d.plot.scatter('gdpPercap', 'lifeExp', s=d['pop'] / 1_000_000, logx=True, color='coral', edgecolor='black', figsize=(8, 6))
ax.set(title='Wealth and health in 2007', xlabel='GDP per capita', ylabel='life expectancy')
# %% right: semilog axes object, rows in another order
d = gap[gap.year.eq(2007)].sort_values('pop', ascending=False)
fig, ax = plt.subplots()
ax.scatter(d.gdpPercap.values, d.lifeExp.values, s=d['pop'].values * 1e-6, c='purple', alpha=.3)
ax.set_xscale('log'); ax.grid(True)
ax.set_title('Wealth and health in 2007'); ax.set_xlabel('GDP per capita'); ax.set_ylabel('life expectancy')
# %% wrong, changed: linear x axis
#- plt.xscale('log')
# %% wrong, changed: all points of one size
#- plt.scatter(d['gdpPercap'], d['lifeExp'], s=d['pop'] / 1e6, alpha=.5)
plt.scatter(d['gdpPercap'], d['lifeExp'], alpha=.5)
# %% wrong, changed: all years at once
#- d = gap[gap['year'] == 2007]
d = gap
# %% gold: rent against area, coloured by the way to the metro
plt.scatter(rent['area'], rent['rent'], c=rent['metro_distance'])
plt.colorbar(label='metro distance')
plt.title('Rents'); plt.xlabel('area'); plt.ylabel('rent')
# %% right: another colour map
fig, ax = plt.subplots(figsize=(9, 6))
sc = ax.scatter(rent.area, rent.rent, c=rent.metro_distance, cmap='plasma', s=12, marker='s')
cb = fig.colorbar(sc, ax=ax)
cb.set_label('metro distance')
ax.set(title='Rents', xlabel='area', ylabel='rent')
# %% right: pandas
d = rent.rename(columns={'metro_distance': 'metro distance'})
d.plot.scatter(x='area', y='rent', c='metro distance', colormap='coolwarm', title='Rents')
# %% wrong, changed: coloured by the floor
#- plt.scatter(rent['area'], rent['rent'], c=rent['metro_distance'])
plt.scatter(rent['area'], rent['rent'], c=rent['floor'])
# %% wrong, changed: axis and colour exchanged
#- plt.scatter(rent['area'], rent['rent'], c=rent['metro_distance'])
plt.scatter(rent['metro_distance'], rent['rent'], c=rent['area'])
# %% wrong: one colour
plt.scatter(rent['area'], rent['rent'])
plt.title('Rents'); plt.xlabel('area'); plt.ylabel('rent')
# %% gold: food against income
engel.plot(kind='scatter', x='income', y='foodexp')
plt.title('Engel data'); plt.xlabel('income'); plt.ylabel('food expenditure')
# %% right: markers without a line
plt.plot(engel['income'], engel['foodexp'], linestyle='', marker='o', ms=3, color='brown')
plt.title('Engel data'); plt.xlabel('income'); plt.ylabel('food expenditure')
# %% right: seaborn, rows sorted
ax = sns.scatterplot(x='income', y='foodexp', data=engel.sort_values('income'), marker='+', color='black')
ax.set(title='Engel data', xlabel='income', ylabel='food expenditure')
# %% wrong: a line through the points
d = engel.sort_values('income')
plt.plot(d['income'], d['foodexp'])
plt.title('Engel data'); plt.xlabel('income'); plt.ylabel('food expenditure')
# %% wrong: logarithmic axes
engel.plot(kind='scatter', x='income', y='foodexp', loglog=True)
plt.title('Engel data'); plt.xlabel('income'); plt.ylabel('food expenditure')
# %% wrong: share of the income
plt.scatter(engel['income'], engel['foodexp'] / engel['income'])
plt.title('Engel data'); plt.xlabel('income'); plt.ylabel('food expenditure')
# %% gold: predicted against actual sales
from sklearn.linear_model import LinearRegression
X = seats[['Price', 'CompPrice', 'Advertising', 'Age']]
pred = LinearRegression().fit(X, seats['Sales']).predict(X)
plt.scatter(seats['Sales'], pred)
plt.plot([0, 16], [0, 16], 'r--')
plt.title('Predictions'); plt.xlabel('actual sales'); plt.ylabel('predicted sales')
# %% right: least squares of numpy
cols = ['Price', 'CompPrice', 'Advertising', 'Age']
A = np.column_stack([np.ones(len(seats)), seats[cols]])
w, *_ = np.linalg.lstsq(A, seats['Sales'].to_numpy(), rcond=None)
fig, ax = plt.subplots(figsize=(6, 6))
ax.plot([0, 16], [0, 16], color='black', lw=1)
ax.scatter(seats['Sales'], A @ w, s=8, color='tab:cyan')
ax.set(title='Predictions', xlabel='actual sales', ylabel='predicted sales')
# %% right: scaled predictors in a pipeline
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
X = seats[['Age', 'Advertising', 'CompPrice', 'Price']]
m = make_pipeline(StandardScaler(), LinearRegression()).fit(X, seats.Sales)
ax = sns.scatterplot(x=seats['Sales'], y=m.predict(X), alpha=.7)
t = np.arange(0, 17)
ax.plot(t, t, color='orange', ls='-.')
ax.set(title='Predictions', xlabel='actual sales', ylabel='predicted sales')
# %% wrong, changed: residuals
#- plt.scatter(seats['Sales'], pred)
#- plt.plot([0, 16], [0, 16], 'r--')
plt.scatter(pred, seats['Sales'] - pred)
plt.axhline(0, color='r', ls='--')
# %% wrong, changed: actual on the other axis
#- plt.scatter(seats['Sales'], pred)
plt.scatter(pred, seats['Sales'])
# %% wrong, changed: only the price as predictor
#- X = seats[['Price', 'CompPrice', 'Advertising', 'Age']]
X = seats[['Price']]

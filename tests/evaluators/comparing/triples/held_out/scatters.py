# %% setup
from scipy import stats
gap = pd.read_csv('data/gapminder.csv')
g07 = gap[gap.year == 2007]
eng = pd.read_csv('data/engel.csv')
# %% gold: Draw a bubble chart of the countries in 2007 (g07): gdpPercap on a logarithmic x axis, lifeExp on y, bubble area proportional to pop (s = pop/1e6), coloured by continent with a legend. x label 'GDP per capita', y label 'Life expectancy'.
plt.figure(figsize=(9, 6))
for c, d in g07.groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, label=c, alpha=.6)
plt.xscale('log')
plt.xlabel('GDP per capita')
plt.ylabel('Life expectancy')
plt.legend()
# %% right: axes, own colours, edge
cols = {'Asia': 'red', 'Europe': 'green', 'Africa': 'blue', 'Americas': 'orange', 'Oceania': 'purple'}
fig, ax = plt.subplots(figsize=(12, 8))
for c, k in cols.items():
    d = g07[g07['continent'] == c]
    ax.scatter(d['gdpPercap'], d['lifeExp'], s=d['pop'] * 1e-6, c=k, label=c, edgecolors='k', linewidths=.5, alpha=.5)
ax.set(xscale='log', xlabel='GDP per capita', ylabel='Life expectancy', title='The world in 2007')
ax.legend(loc='lower right', title='Continent', markerscale=.5)
# %% right: one scatter, legend by hand
codes, names = pd.factorize(g07.continent)
plt.scatter(g07.gdpPercap, g07.lifeExp, s=g07['pop'].values / 1e6, c=plt.cm.tab10(codes), alpha=.7)
for i, n in enumerate(names): plt.scatter([], [], color=plt.cm.tab10(i), label=n)
plt.legend(); plt.semilogx(); plt.grid(alpha=.3)
plt.xlabel('GDP per capita'); plt.ylabel('Life expectancy')
# %% right: big countries drawn first
fig, ax = plt.subplots()
d0 = g07.sort_values('pop', ascending=False)
for c in sorted(d0.continent.unique()):
    d = d0[d0.continent == c]
    ax.scatter('gdpPercap', 'lifeExp', s=d['pop'] / 1e6, data=d, label=c)
ax.set_xscale('log'); ax.legend(fontsize=8)
ax.set_xlabel('GDP per capita'); ax.set_ylabel('Life expectancy')
# %% right, before show: title
plt.title('Wealth and health of nations')
plt.grid(ls=':')
# %% wrong, before show: linear x axis
plt.xscale('linear')
# %% wrong: 1952
for c, d in gap[gap.year == 1952].groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, s=d['pop'] / 1e6, label=c, alpha=.6)
plt.xscale('log'); plt.xlabel('GDP per capita'); plt.ylabel('Life expectancy'); plt.legend()
# %% wrong: bubbles of one size
for c, d in g07.groupby('continent'):
    plt.scatter(d.gdpPercap, d.lifeExp, label=c, alpha=.6)
plt.xscale('log'); plt.xlabel('GDP per capita'); plt.ylabel('Life expectancy'); plt.legend()
# %% wrong: axes exchanged
for c, d in g07.groupby('continent'):
    plt.scatter(d.lifeExp, d.gdpPercap, s=d['pop'] / 1e6, label=c, alpha=.6)
plt.yscale('log'); plt.xlabel('Life expectancy'); plt.ylabel('GDP per capita'); plt.legend()
# %% wrong, before: without Africa
g07 = g07[g07.continent != 'Africa']
# %% wrong, before: half of the countries
g07 = g07.iloc[::2]
# %% gold: Draw a scatter plot of foodexp (y) against income (x) of eng and the least-squares straight line of foodexp on income in red, with slope and intercept rounded to two decimals in the line's legend entry. Title 'Engel data'.
r = stats.linregress(eng.income, eng.foodexp)
plt.scatter(eng.income, eng.foodexp, s=10)
xs = np.array([eng.income.min(), eng.income.max()])
plt.plot(xs, r.intercept + r.slope * xs, 'r-', label=f'y = {r.slope:.2f}x + {r.intercept:.2f}')
plt.legend()
plt.title('Engel data')
# %% right: polyfit
b, a = np.polyfit(eng['income'], eng['foodexp'], 1)
fig, ax = plt.subplots(figsize=(9, 6))
ax.plot(eng['income'], eng['foodexp'], 'o', ms=4, alpha=.5, color='grey')
x = np.linspace(eng['income'].min(), eng['income'].max(), 100)
ax.plot(x, a + b*x, color='red', lw=2, label='fit: slope %.2f, intercept %.2f' % (b, a))
ax.set(xlabel='income', ylabel='food expenditure', title='Engel data'); ax.legend(loc='upper left')
# %% right: sklearn
from sklearn.linear_model import LinearRegression
m = LinearRegression().fit(eng[['income']], eng['foodexp'])
d = eng.sort_values('income')
plt.figure(figsize=(7, 5))
plt.scatter(d['income'], d['foodexp'], c='tab:green', label='data')
plt.plot(d['income'], m.predict(d[['income']]), color='red', label=f'{m.intercept_:.2f} + {m.coef_[0]:.2f} x')
plt.legend(); plt.title('Engel data'); plt.grid(True)
# %% right, before show: labels
plt.xlabel('income'); plt.ylabel('foodexp')
# %% right, before: dark points style
plt.rcParams['scatter.marker'] = 's'
# %% wrong: line through the origin
k = (eng.income * eng.foodexp).sum() / (eng.income**2).sum()
plt.scatter(eng.income, eng.foodexp, s=10)
xs = np.array([0, eng.income.max()])
plt.plot(xs, k * xs, 'r-', label=f'y = {k:.2f}x + 0.00'); plt.legend(); plt.title('Engel data')
# %% wrong: regression of income on foodexp, axes exchanged
r = stats.linregress(eng.foodexp, eng.income)
plt.scatter(eng.foodexp, eng.income, s=10)
xs = np.array([eng.foodexp.min(), eng.foodexp.max()])
plt.plot(xs, r.intercept + r.slope * xs, 'r-', label=f'y = {r.slope:.2f}x + {r.intercept:.2f}'); plt.legend(); plt.title('Engel data')
# %% wrong: no line
plt.scatter(eng.income, eng.foodexp, s=10, label='data'); plt.legend(); plt.title('Engel data')
# %% wrong, before show: title
plt.title('Scatter plot')
# %% wrong, before: logarithms
eng = np.log(eng)

# %% setup
gapminder = pd.read_csv('data/gapminder.csv')
latest = gapminder[gapminder['year'] == 2007]
order = latest.groupby('continent')['lifeExp'].median().sort_values().index.tolist()
barley = pd.read_json('data/barley.json')
sites = sorted(barley['site'].unique())


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: by seaborn, standing
plt.figure(figsize=(5, 3.5))
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, color='lightgreen')
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% right: by matplotlib
plt.boxplot([latest.loc[latest['continent'] == name, 'lifeExp'] for name in order], tick_labels=order)
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% right: filled, wide, other signs for outliers
plt.figure(figsize=(8, 5))
plt.boxplot([latest.loc[latest['continent'] == name, 'lifeExp'] for name in order], patch_artist=True, widths=0.7, sym='r+')
plt.xticks(range(1, 6), order, rotation=30)
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% right: with colours by continent
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, hue='continent', palette='Set3', width=0.4)
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% right: notched
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, notch=True)
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% right: with the means
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, showmeans=True, linewidth=2)
words('Life expectancy in 2007', 'continent', 'years')
plt.show()
# %% wrong, before: another year
latest = gapminder[gapminder['year'] == 1982]
# %% wrong, before: all years
latest = gapminder
# %% wrong, before: another column
latest = latest.assign(lifeExp=latest['gdpPercap'])
# %% wrong, before: the boxes under other names
latest = latest.assign(continent=latest['continent'].map(dict(zip(order, order[::-1]))))
# %% wrong, before: three of the five continents
order = order[1:4]
# %% wrong, before: negative
latest = latest.assign(lifeExp=-latest['lifeExp'])
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% wrong: bars of the means
sns.barplot(data=latest, x='continent', y='lifeExp', order=order, color='lightgreen')
words('Life expectancy in 2007', 'continent', 'years')
plt.show()

# %% gold: lying, in two colours
plt.figure(figsize=(5.5, 4))
sns.boxplot(data=barley, x='yield', y='site', order=sites, hue='year', palette=['seagreen', 'goldenrod'])
words('Yield by site and year', 'yield', 'site')
plt.show()
# %% right: other colours, a gap between boxes
plt.figure(figsize=(8, 8))
sns.boxplot(data=barley, x='yield', y='site', order=sites, hue='year', palette='pastel', gap=0.2)
words('Yield by site and year', 'yield', 'site')
plt.show()
# %% right: thick lines, thin boxes, the legend outside
sns.boxplot(data=barley, x='yield', y='site', order=sites, hue='year', width=0.5, linewidth=2.5, fliersize=8)
plt.legend(title='year', loc='upper left', bbox_to_anchor=(1, 1))
words('Yield by site and year', 'yield', 'site')
plt.show()
# %% wrong, before: years exchanged
barley = barley.assign(year=3863 - barley['year'])
# %% wrong, before: sites exchanged
barley = barley.assign(site=barley['site'].map(dict(zip(sites, sites[1:] + sites[:1]))))
# %% wrong: both years together
sns.boxplot(data=barley, x='yield', y='site', order=sites, color='seagreen')
words('Yield by site and year', 'yield', 'site')
plt.show()
# %% wrong, before: yields of the varieties in another order
barley = barley.assign(**{'yield': barley['yield'].sample(frac=1, random_state=1).to_numpy()})

# %% gold: by matplotlib, beside a line at the median of all
groups = [barley.loc[barley['site'] == site, 'yield'] for site in sites]
plt.figure(figsize=(6, 4))
plt.boxplot(groups)
plt.axhline(barley['yield'].median(), color='red', linestyle='--')
plt.xticks(range(1, 7), sites, rotation=30)
words('Yields', '', 'yield')
plt.show()
# %% right: by pandas
figure, axes = plt.subplots(figsize=(9, 4))
barley.boxplot(column='yield', by='site', ax=axes, grid=False, rot=45)
figure.suptitle('')
axes.axhline(barley['yield'].median(), color='k')
words('Yields', '', 'yield')
plt.show()
# %% right: by seaborn
sns.boxplot(data=barley, x='site', y='yield', order=sites, hue='site')
plt.axhline(barley['yield'].median(), linestyle=':')
plt.xticks(rotation=90)
words('Yields', '', 'yield')
plt.show()
# %% wrong, before: logarithms
barley = barley.assign(**{'yield': np.log(barley['yield'])})
# %% wrong, before: of one year
barley = barley[barley['year'] == 1932]
# %% wrong: by variety
barley.boxplot(column='yield', by='variety', grid=False, rot=45)
plt.suptitle('')
words('Yields', '', 'yield')
plt.show()

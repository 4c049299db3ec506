# %% setup
tips = pd.read_csv('data/tips.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
gap = pd.read_csv('data/gapminder.csv')
# %% gold: With seaborn, draw one panel per time of day (Lunch left, Dinner right) with a scatter plot of tip (y) against total_bill (x), points coloured by smoker with a legend.
sns.relplot(data=tips, x='total_bill', y='tip', hue='smoker', col='time', col_order=['Lunch', 'Dinner'])
# %% right: FacetGrid
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'], hue='smoker', height=4)
g.map(plt.scatter, 'total_bill', 'tip', alpha=.7)
g.add_legend()
# %% right: two axes
fig, axes = plt.subplots(1, 2, figsize=(12, 5), sharex=True, sharey=True)
for ax, t in zip(axes, ['Lunch', 'Dinner']):
    sns.scatterplot(data=tips[tips.time == t], x='total_bill', y='tip', hue='smoker', hue_order=['No', 'Yes'], ax=ax)
    ax.set_title(t)
plt.tight_layout()
# %% right: other palette and marker size
g = sns.relplot(data=tips, x='total_bill', y='tip', hue='smoker', hue_order=['Yes', 'No'], palette='Set1', col='time', col_order=['Lunch', 'Dinner'], s=60, height=5, aspect=.9)
g.set_axis_labels('Total bill', 'Tip')
g.set_titles('{col_name}')
# %% right: kept free axes
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'], sharex=False, sharey=False, height=4.5)
g.map_dataframe(sns.scatterplot, x='total_bill', y='tip', hue='smoker')
g.add_legend(title='smoker')
# %% wrong: one panel per day
sns.relplot(data=tips, x='total_bill', y='tip', hue='smoker', col='day')
# %% wrong: Dinner only
sns.relplot(data=tips[tips.time == 'Dinner'], x='total_bill', y='tip', hue='smoker', col='time')
# %% wrong: panels in the other order
sns.relplot(data=tips, x='total_bill', y='tip', hue='smoker', col='time', col_order=['Dinner', 'Lunch'])
# %% wrong: axes exchanged
sns.relplot(data=tips, x='tip', y='total_bill', hue='smoker', col='time', col_order=['Lunch', 'Dinner'])
# %% wrong: no colours
sns.relplot(data=tips, x='total_bill', y='tip', col='time', col_order=['Lunch', 'Dinner'])
# %% wrong: coloured by sex
sns.relplot(data=tips, x='total_bill', y='tip', hue='sex', col='time', col_order=['Lunch', 'Dinner'])
# %% gold: Draw three histograms of flipper_length_mm of the penguins (peng), one panel per species in a row in the order Adelie, Chinstrap, Gentoo, each with the same 15 bins of equal width from 170 to 235 and counts on the y axis; each panel's title contains the species.
g = sns.FacetGrid(peng, col='species', col_order=['Adelie', 'Chinstrap', 'Gentoo'])
g.map(plt.hist, 'flipper_length_mm', bins=np.linspace(170, 235, 16))
# %% right: subplots
fig, axs = plt.subplots(1, 3, figsize=(15, 4), sharey=True)
for ax, s in zip(axs, sorted(peng.species.unique())):
    ax.hist(peng.loc[peng.species == s, 'flipper_length_mm'], bins=15, range=(170, 235), edgecolor='white', color='teal')
    ax.set_title(s); ax.set_xlabel('flipper length (mm)')
axs[0].set_ylabel('Count')
fig.tight_layout()
# %% right: displot
sns.displot(data=peng, x='flipper_length_mm', col='species', col_order=['Adelie', 'Chinstrap', 'Gentoo'], bins=15, binrange=(170, 235), height=3.5)
# %% right: colours by species, free y
fig, axs = plt.subplots(1, 3, figsize=(12, 4))
edges = np.linspace(170, 235, 16)
for ax, (s, g), c in zip(axs, peng.groupby('species'), ['tab:blue', 'tab:orange', 'tab:green']):
    sns.histplot(g['flipper_length_mm'], bins=edges, ax=ax, color=c)
    ax.set_title(f'species = {s}')
plt.tight_layout()
# %% right, before: seaborn's theme
sns.set_theme(style='ticks')
# %% right: two rows of code per panel, labels
fig, (a, b, c) = plt.subplots(1, 3, figsize=(13, 4), sharex=True, sharey=True, layout='constrained')
for ax, s in [(a, 'Adelie'), (b, 'Chinstrap'), (c, 'Gentoo')]:
    peng[peng.species == s]['flipper_length_mm'].plot.hist(ax=ax, bins=np.linspace(170, 235, 16), color='slateblue', rwidth=.9)
    ax.set_title(s); ax.set_xlabel('flipper_length_mm'); ax.set_ylabel('Number of penguins')
# %% wrong: 10 bins
g = sns.FacetGrid(peng, col='species', col_order=['Adelie', 'Chinstrap', 'Gentoo'])
g.map(plt.hist, 'flipper_length_mm', bins=np.linspace(170, 235, 11))
# %% wrong, before: body mass scaled in its place
peng = peng.assign(flipper_length_mm=peng.body_mass_g / 22)
# %% wrong: Gentoo panel missing
g = sns.FacetGrid(peng, col='species', col_order=['Adelie', 'Chinstrap'])
g.map(plt.hist, 'flipper_length_mm', bins=np.linspace(170, 235, 16))
# %% wrong: density
sns.displot(data=peng, x='flipper_length_mm', col='species', col_order=['Adelie', 'Chinstrap', 'Gentoo'], bins=15, binrange=(170, 235), stat='density', common_norm=False, height=3.5)
# %% wrong: one panel per island
g = sns.FacetGrid(peng, col='island')
g.map(plt.hist, 'flipper_length_mm', bins=np.linspace(170, 235, 16))
# %% gold: Use a catplot-style figure: box plots of lifeExp per continent (x axis, order Africa, Americas, Asia, Europe, Oceania) of the gapminder data, one panel for the year 1952 (left) and one for 2007 (right), same y axis scale in both.
sns.catplot(data=gap[gap.year.isin([1952, 2007])], x='continent', y='lifeExp', col='year', kind='box', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'])
# %% right: matplotlib boxplots
fig, axs = plt.subplots(1, 2, sharey=True, figsize=(12, 5))
order = sorted(gap.continent.unique())
for ax, yr in zip(axs, [1952, 2007]):
    d = gap[gap.year == yr]
    ax.boxplot([d.loc[d.continent == c, 'lifeExp'] for c in order])
    ax.set_xticks(range(1, 6), order)
    ax.set_title(f'{yr}')
axs[0].set_ylabel('life expectancy')
# %% right: seaborn on own axes, coloured
fig, axs = plt.subplots(1, 2, sharey=True, figsize=(14, 6))
for ax, yr in zip(axs, [1952, 2007]):
    sns.boxplot(data=gap[gap.year == yr], x='continent', y='lifeExp', hue='continent', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'], palette='pastel', legend=False, ax=ax)
    ax.set_title(f'year = {yr}'); ax.tick_params(axis='x', rotation=30)
plt.suptitle('Life expectancy')
# %% right: catplot with other size, labels
g = sns.catplot(data=gap.query('year == 1952 or year == 2007'), x='continent', y='lifeExp', col='year', kind='box', order=sorted(gap.continent.unique()), color='lightblue', height=4, aspect=1.3)
g.set_axis_labels('', 'Life expectancy (years)')
# %% right: boxes filled, means shown
fig, (a, b) = plt.subplots(1, 2, sharey=True, figsize=(13, 6))
for ax, yr in [(a, 1952), (b, 2007)]:
    d = gap.loc[gap['year'] == yr].pivot(index='country', columns='continent', values='lifeExp')
    d.plot.box(ax=ax, title=str(yr), showmeans=True)
    ax.set_ylabel('lifeExp')
plt.tight_layout()
# %% wrong: years 1957 and 2002
sns.catplot(data=gap[gap.year.isin([1957, 2002])], x='continent', y='lifeExp', col='year', kind='box', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'])
# %% wrong: bars of means
sns.catplot(data=gap[gap.year.isin([1952, 2007])], x='continent', y='lifeExp', col='year', kind='bar', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'])
# %% wrong: another column
sns.catplot(data=gap[gap.year.isin([1952, 2007])], x='continent', y='gdpPercap', col='year', kind='box', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'])
# %% wrong: order of appearance
sns.catplot(data=gap[gap.year.isin([1952, 2007])], x='continent', y='lifeExp', col='year', kind='box', order=['Asia', 'Europe', 'Africa', 'Americas', 'Oceania'])
# %% wrong: Oceania missing
sns.catplot(data=gap[gap.year.isin([1952, 2007])], x='continent', y='lifeExp', col='year', kind='box', order=['Africa', 'Americas', 'Asia', 'Europe'])

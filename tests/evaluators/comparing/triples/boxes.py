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
tips = pd.read_csv('data/tips.csv')
days = ['Thur', 'Fri', 'Sat', 'Sun']
bills = [tips.loc[tips.day == day, 'total_bill'] for day in days]
penguins = pd.read_csv('data/penguins.csv').dropna()
species = sorted(penguins['species'].unique())
mass = penguins['body_mass_g']
groups = [penguins.loc[penguins['species'] == name, 'body_mass_g'] for name in species]
peng = pd.read_csv('data/penguins.csv').dropna()
# %% gold: by seaborn, standing
plt.figure(figsize=(5, 3.5))
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, color='lightgreen')
words('Life expectancy in 2007', 'continent', 'years')
# %% right: by matplotlib
plt.boxplot([latest.loc[latest['continent'] == name, 'lifeExp'] for name in order], tick_labels=order)
words('Life expectancy in 2007', 'continent', 'years')
# %% right: with the means
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, showmeans=True)
words('Life expectancy in 2007', 'continent', 'years')
# %% wrong: without outliers
sns.boxplot(data=latest, x='continent', y='lifeExp', order=order, showfliers=False)
words('Life expectancy in 2007', 'continent', 'years')
# %% wrong, before: three of the five continents
order = order[1:4]
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% gold: lying, in two colours
plt.figure(figsize=(5.5, 4))
sns.boxplot(data=barley, x='yield', y='site', order=sites, hue='year', palette=['seagreen', 'goldenrod'])
words('Yield by site and year', 'yield', 'site')
# %% wrong: both years together
sns.boxplot(data=barley, x='yield', y='site', order=sites, color='seagreen')
words('Yield by site and year', 'yield', 'site')
# %% wrong, before: yields of the varieties in another order
barley = barley.assign(**{'yield': barley['yield'].sample(frac=1, random_state=1).to_numpy()})
# %% gold: by matplotlib, beside a line at the median of all
groups = [barley.loc[barley['site'] == site, 'yield'] for site in sites]
plt.figure(figsize=(6, 4))
plt.boxplot(groups)
plt.axhline(barley['yield'].median(), color='red', linestyle='--')
plt.xticks(range(1, 7), sites, rotation=30)
words('Yields', '', 'yield')
# %% wrong, before: of one year
barley = barley[barley['year'] == 1932]
# %% gold: Draw a violin plot of the total bill per day (Thur, Fri, Sat, Sun), split in hue by smoker (Yes, No), with a legend.
sns.violinplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% right: split halves
sns.violinplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], split=True, inner='quart')
# %% wrong: no hue
sns.violinplot(data=tips, x='day', y='total_bill', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% wrong: hue by sex
sns.violinplot(data=tips, x='day', y='total_bill', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% wrong: tips
sns.violinplot(data=tips, x='day', y='tip', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% wrong: boxes
sns.boxplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% wrong, before: smokers' names swapped
tips = tips.assign(smoker=tips.smoker.map({'Yes': 'No', 'No': 'Yes'}))
# %% gold: Draw box plots of total_bill for the days in the order Thur, Fri, Sat, Sun.
plt.boxplot(bills)
plt.xticks(range(1, 5), days)
# %% right: by seaborn
sns.boxplot(data=tips, x='day', y='total_bill', order=days, hue='day', legend=False)
# %% wrong: from the last to the first
sns.boxplot(data=tips, x='day', y='total_bill', order=days[::-1])
# %% wrong: an axis that runs from right to left
sns.boxplot(data=tips, x='day', y='total_bill', order=days)
plt.gca().invert_xaxis()
# %% gold: Draw violins of the total bill of each day.
sns.violinplot(data=tips, x='day', y='total_bill', order=days)
# %% right: in another order
sns.violinplot(data=tips, x='day', y='total_bill', order=sorted(days), color='green')
# %% wrong: under the names of others
sns.violinplot(data=tips, x='day', y='total_bill', order=days)
plt.xticks(range(4), days[::-1])
# %% gold: Draw violins of the tip for each day in the order Thur, Fri, Sat, Sun.
days = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days])
plt.xticks(range(1, 5), days)
plt.ylabel('tip')
# %% right: seaborn
sns.violinplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'])
# %% wrong: two days exchanged
days = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days])
plt.xticks(range(1, 5), ['Fri', 'Thur', 'Sat', 'Sun'])
# %% gold: Draw horizontal box plots of the tip for each day, in the order Thur, Fri, Sat, Sun.
sns.boxplot(data=tips, y='day', x='tip', order=days)
# %% right: from below
plt.boxplot([tips.tip[tips.day == day] for day in days], orientation='horizontal')
plt.yticks(range(1, 5), days)
# %% wrong: by name
sns.boxplot(data=tips, y='day', x='tip', order=sorted(days))
# %% gold: a histogram beside boxes
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.2))
left.hist(mass, bins=12, color='steelblue', edgecolor='white')
left.axvline(mass.median(), color='red', linestyle='--', linewidth=2)
left.set_title('All')
left.set_ylabel('penguins')
right.boxplot(groups)
right.set_xticks(range(1, 4), species, rotation=30)
right.set_title('By species')
right.set_ylabel('mass (g)')
plt.tight_layout()
# %% right: above one another, by seaborn
figure, (upper, lower) = plt.subplots(2, 1, figsize=(6, 8))
sns.histplot(mass, bins=12, ax=upper)
upper.axvline(mass.median(), color='k')
upper.set(title='All', ylabel='penguins', xlabel='')
sns.boxplot(data=penguins, x='species', y='body_mass_g', order=species, ax=lower, hue='species')
lower.set(title='By species', ylabel='mass (g)', xlabel='')
# %% wrong: the boxes alone
plt.boxplot(groups, tick_labels=species)
plt.title('By species')
plt.ylabel('mass (g)')
# %% wrong, before: negative
mass, groups = -mass, [-group for group in groups]
# %% gold: Draw box plots of the body mass (body_mass_g) of the penguins for each species side by side, with the species names as tick labels and the y axis labelled 'body mass (g)'.
s = sorted(peng.species.unique())
plt.boxplot([peng[peng.species == k]['body_mass_g'] for k in s])
plt.xticks([1, 2, 3], s)
plt.ylabel('body mass (g)')
# %% right, before show: title
plt.title('Body mass by species')
plt.grid(axis='y')
# %% wrong: one box of all
plt.boxplot(peng['body_mass_g'])
plt.ylabel('body mass (g)')

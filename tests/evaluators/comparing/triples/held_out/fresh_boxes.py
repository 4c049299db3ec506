# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
tips = pd.read_csv('data/tips.csv')
gap = pd.read_csv('data/gapminder.csv')
iris = pd.read_csv('data/iris.csv')
# %% gold: boxes of the mass of each species
names = ['Adelie', 'Chinstrap', 'Gentoo']
plt.boxplot([penguins.loc[penguins['species'] == n, 'body_mass_g'] for n in names])
plt.xticks([1, 2, 3], names)
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mass (g)')
# %% right: seaborn
ax = sns.boxplot(data=penguins, x='species', y='body_mass_g', order=['Adelie', 'Chinstrap', 'Gentoo'], color='lightblue', width=.5)
ax.set(title='Mass by species', xlabel='species', ylabel='mass (g)')
# %% right: pandas
ax = penguins.boxplot(column='body_mass_g', by='species', grid=False, patch_artist=True)
ax.get_figure().suptitle('')
ax.set(title='Mass by species', xlabel='species', ylabel='mass (g)')
# %% wrong, changed: flipper lengths
#- plt.boxplot([penguins.loc[penguins['species'] == n, 'body_mass_g'] for n in names])
plt.boxplot([penguins.loc[penguins['species'] == n, 'flipper_length_mm'] for n in names])
# %% wrong: names on the wrong boxes
plt.boxplot([g['body_mass_g'] for _, g in penguins.groupby('species')])
plt.xticks([1, 2, 3], penguins['species'].unique())
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mass (g)')
# %% wrong: bars of the means
penguins.groupby('species')['body_mass_g'].mean().plot.bar(rot=0)
plt.title('Mass by species'); plt.xlabel('species'); plt.ylabel('mass (g)')
# %% gold: bills by day, smokers apart
sns.boxplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], hue_order=['No', 'Yes'])
plt.title('Bills by day'); plt.xlabel('day'); plt.ylabel('total bill')
# %% right: other palette and widths
fig, ax = plt.subplots(figsize=(10, 5))
sns.boxplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], hue_order=['No', 'Yes'],
            palette=['white', 'gray'], width=.6, gap=.1, fliersize=3, ax=ax)
ax.set(title='Bills by day', xlabel='day', ylabel='total bill')
ax.legend(title='smoker', loc='upper left')
# %% right: matplotlib with positions
days = ['Thur', 'Fri', 'Sat', 'Sun']
handles = []
for shift, value, color in [(-.2, 'No', 'skyblue'), (.2, 'Yes', 'salmon')]:
    data = [tips[(tips['day'] == d) & (tips['smoker'] == value)]['total_bill'].to_numpy() for d in days]
    bp = plt.boxplot(data, positions=np.arange(4) + shift, widths=.35, patch_artist=True, boxprops={'facecolor': color},
                     medianprops={'color': 'black'})
    handles.append(bp['boxes'][0])
plt.xticks(range(4), days)
plt.legend(handles, ['No', 'Yes'], title='smoker')
plt.title('Bills by day'); plt.xlabel('day'); plt.ylabel('total bill')
# %% wrong: smokers not apart
sns.boxplot(data=tips, x='day', y='total_bill', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.title('Bills by day'); plt.xlabel('day'); plt.ylabel('total bill')
# %% wrong: by sex
sns.boxplot(data=tips, x='day', y='total_bill', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.title('Bills by day'); plt.xlabel('day'); plt.ylabel('total bill')
# %% wrong: tips, not bills
sns.boxplot(data=tips, x='day', y='tip', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], hue_order=['No', 'Yes'])
plt.title('Bills by day'); plt.xlabel('day'); plt.ylabel('total bill')
# %% gold: violins of the life expectancy by continent in 2007
d = gap[gap['year'] == 2007]
sns.violinplot(data=d, x='continent', y='lifeExp', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'], density_norm='width')
plt.title('Life expectancy in 2007'); plt.xlabel('continent'); plt.ylabel('life expectancy')
# %% right: a colour for each continent
d = gap.query('year == 2007').sort_values('continent')
fig, ax = plt.subplots(figsize=(9, 5))
sns.violinplot(data=d, x='continent', y='lifeExp', hue='continent', palette='Set3', legend=False, linewidth=1, density_norm='width', ax=ax)
ax.set(title='Life expectancy in 2007', xlabel='continent', ylabel='life expectancy')
# %% right: list of arrays
d = gap[gap['year'] == 2007]
parts = {name: part['lifeExp'].to_numpy() for name, part in d.groupby('continent')}
ax = sns.violinplot(data=parts, color='thistle', density_norm='width')
ax.set(title='Life expectancy in 2007', xlabel='continent', ylabel='life expectancy')
# %% wrong, changed: 1952
#- d = gap[gap['year'] == 2007]
d = gap[gap['year'] == 1952]
# %% wrong, changed: Oceania is missing
#- sns.violinplot(data=d, x='continent', y='lifeExp', order=['Africa', 'Americas', 'Asia', 'Europe', 'Oceania'], density_norm='width')
sns.violinplot(data=d, x='continent', y='lifeExp', order=['Africa', 'Americas', 'Asia', 'Europe'], density_norm='width')
# %% wrong: single points
d = gap[gap['year'] == 2007].sort_values('continent')
plt.scatter(d['continent'], d['lifeExp'])
plt.title('Life expectancy in 2007'); plt.xlabel('continent'); plt.ylabel('life expectancy')
# %% gold: boxes of the four measures of the irises
iris.drop(columns='species').boxplot()
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')
# %% right: seaborn on the wide frame
plt.figure(figsize=(8, 5))
sns.boxplot(data=iris.iloc[:, :4], palette='muted')
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')
# %% right: long frame
d = iris.melt('species', var_name='measure', value_name='cm')
ax = sns.boxplot(data=d, x='measure', y='cm', color='white', linecolor='navy')
ax.set_title('Iris measures')
# %% right: matplotlib on the array
cols = list(iris.columns[:4])
plt.boxplot(iris[cols].to_numpy(), sym='r+', widths=.7)
plt.xticks(range(1, 5), cols, rotation=20)
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')
# %% wrong: standardised
m = iris.drop(columns='species')
((m - m.mean()) / m.std()).boxplot()
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')
# %% wrong: one measure is missing
iris.drop(columns=['species', 'petal_width']).boxplot()
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')
# %% wrong: of one species
iris[iris['species'] == 'virginica'].drop(columns='species').boxplot()
plt.title('Iris measures'); plt.xlabel('measure'); plt.ylabel('cm')

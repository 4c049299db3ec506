# %% setup
tips = pd.read_csv('data/tips.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
wine = pd.read_csv('data/wine.csv')
iris = pd.read_csv('data/iris.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
elnino = pd.read_csv('data/elnino.csv')
# %% gold: Draw box plots of the body mass (body_mass_g) of the penguins for each species side by side, with the species names as tick labels and the y axis labelled 'body mass (g)'.
s = sorted(peng.species.unique())
plt.boxplot([peng[peng.species == k]['body_mass_g'] for k in s])
plt.xticks([1, 2, 3], s)
plt.ylabel('body mass (g)')
plt.show()
# %% right: seaborn
sns.boxplot(data=peng, x='species', y='body_mass_g', hue='species', palette='pastel')
plt.ylabel('body mass (g)')
plt.show()
# %% right: pandas
peng.boxplot(column='body_mass_g', by='species', grid=False)
plt.suptitle('')
plt.title('Body mass')
plt.ylabel('body mass (g)')
plt.show()
# %% right: filled boxes, own order
fig, ax = plt.subplots(figsize=(8, 6))
o = ['Gentoo', 'Chinstrap', 'Adelie']
bp = ax.boxplot([peng.loc[peng.species.eq(k), 'body_mass_g'].values for k in o], tick_labels=o, patch_artist=True, widths=0.6)
for b, c in zip(bp['boxes'], ['lightblue', 'lightgreen', 'pink']):
    b.set_facecolor(c)
ax.set_ylabel('body mass (g)')
ax.yaxis.grid(True)
plt.show()
# %% right: pivoted frame
peng.pivot(columns='species', values='body_mass_g').plot.box(color='navy', figsize=(6, 4))
plt.ylabel('body mass (g)')
plt.xlabel('species')
plt.show()
# %% right, before show: title
plt.title('Body mass by species')
plt.grid(axis='y')
# %% wrong, changed: bill length
#- plt.boxplot([peng[peng.species == k]['body_mass_g'] for k in s])
plt.boxplot([peng[peng.species == k]['bill_length_mm'] for k in s])
# %% wrong: per island
sns.boxplot(data=peng, x='island', y='body_mass_g')
plt.ylabel('body mass (g)')
plt.show()
# %% wrong, changed: tick labels exchanged
#- plt.xticks([1, 2, 3], s)
plt.xticks([1, 2, 3], ['Gentoo', 'Adelie', 'Chinstrap'])
# %% wrong: bars of means
m = peng.groupby('species')['body_mass_g'].mean()
plt.bar(m.index, m)
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: one box of all
plt.boxplot(peng['body_mass_g'])
plt.ylabel('body mass (g)')
plt.show()
# %% gold: Draw violin plots (not split) of total_bill for the days in the order Thur, Fri, Sat, Sun.
d = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips[tips.day == k]['total_bill'] for k in d], showmedians=True)
plt.xticks(range(1, 5), d)
plt.show()
# %% right: seaborn
sns.violinplot(data=tips, x='day', y='total_bill', order=['Thur', 'Fri', 'Sat', 'Sun'], inner='quartile')
plt.show()
# %% right: seaborn, coloured
plt.figure(figsize=(9, 5))
sns.violinplot(data=tips, x='day', y='total_bill', hue='day', order=['Thur', 'Fri', 'Sat', 'Sun'], palette='muted', legend=False)
plt.title('Total bill by day')
plt.ylabel('Total bill ($)')
plt.show()
# %% right: matplotlib with colours
d = ['Thur', 'Fri', 'Sat', 'Sun']
fig, ax = plt.subplots()
v = ax.violinplot([tips.loc[tips.day == k, 'total_bill'].values for k in d], positions=range(4), showmeans=True, showextrema=False, widths=0.8)
for b in v['bodies']:
    b.set_facecolor('orange')
ax.set_xticks(range(4))
ax.set_xticklabels(d)
ax.set_xlabel('day'); ax.set_ylabel('total bill')
plt.show()
# %% right, before show: labels, a grid
plt.xlabel('Day')
plt.ylabel('Total bill')
plt.grid(True)
# %% wrong, changed: alphabetic order
#- d = ['Thur', 'Fri', 'Sat', 'Sun']
d = sorted(tips.day.unique())
# %% wrong: box plots
sns.boxplot(data=tips, x='day', y='total_bill', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: tip
sns.violinplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: Friday missing
d = ['Thur', 'Sat', 'Sun']
plt.violinplot([tips[tips.day == k]['total_bill'] for k in d], showmedians=True)
plt.xticks(range(1, 4), d)
plt.show()
# %% gold: Show the Pearson correlation matrix of the four measurements of iris as an annotated heat map (two decimals) with a colour bar; colour scale from -1 to 1; tick labels are the column names.
sns.heatmap(iris.drop(columns='species').corr(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% right: matplotlib
c = iris.select_dtypes('number').corr()
fig, ax = plt.subplots(figsize=(7, 6))
im = ax.imshow(c, vmin=-1, vmax=1, cmap='RdBu_r')
fig.colorbar(im)
ax.set_xticks(range(4), c.columns, rotation=45)
ax.set_yticks(range(4), c.columns)
for i in range(4):
    for j in range(4):
        ax.text(j, i, f'{c.iloc[i, j]:.2f}', ha='center', va='center')
plt.tight_layout()
plt.show()
# %% right: other map, lines
plt.figure(figsize=(8, 6))
sns.heatmap(iris.corr(numeric_only=True), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='vlag', linewidths=0.5, square=True)
plt.title('Correlation')
plt.show()
# %% right: matshow
c = np.corrcoef(iris.iloc[:, :4].values.T)
plt.matshow(c, cmap='bwr', vmin=-1, vmax=1)
n = list(iris.columns[:4])
plt.xticks(range(4), n, rotation=90)
plt.yticks(range(4), n)
for (i, j), v in np.ndenumerate(c):
    plt.text(j, i, '%.2f' % v, ha='center', va='center', color='black')
plt.colorbar()
plt.show()
# %% right, before show: title, rotated ticks
plt.title('Correlation of the iris measurements')
plt.xticks(rotation=30)
# %% wrong: covariance
sns.heatmap(iris.drop(columns='species').cov(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% wrong: Spearman
sns.heatmap(iris.drop(columns='species').corr(method='spearman'), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% wrong: no numbers
sns.heatmap(iris.drop(columns='species').corr(), vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% wrong: absolute values
sns.heatmap(iris.drop(columns='species').corr().abs(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% wrong: a column missing
sns.heatmap(iris.drop(columns=['species', 'petal_width']).corr(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
plt.show()
# %% gold: Show the El Nino sea temperatures as a heat map: one row per month (JAN at the top, DEC at the bottom), one column per year (increasing to the right), colour = temperature, with a colour bar labelled 'temperature (°C)'.
t = elnino.set_index('YEAR').T
plt.figure(figsize=(12, 4))
plt.imshow(t, aspect='auto')
plt.yticks(range(12), t.index)
plt.xticks(range(0, len(t.columns), 10), t.columns[::10])
plt.colorbar(label='temperature (°C)')
plt.show()
# %% right: seaborn
plt.figure(figsize=(14, 5))
sns.heatmap(elnino.set_index('YEAR').T, cmap='inferno', cbar_kws={'label': 'temperature (°C)'})
plt.xlabel('year'); plt.ylabel('month')
plt.show()
# %% right: pcolormesh
m = list(elnino.columns[1:])
fig, ax = plt.subplots(figsize=(10, 4))
q = ax.pcolormesh(elnino.YEAR, range(12), elnino[m].values.T, cmap='coolwarm', shading='nearest')
ax.set_yticks(range(12), m)
ax.invert_yaxis()
fig.colorbar(q, ax=ax, label='temperature (°C)')
ax.set_title('El Nino')
plt.show()
# %% right: imshow with extent
v = elnino.drop(columns='YEAR').to_numpy().T
plt.imshow(v, cmap='hot', aspect='auto', interpolation='nearest', extent=[1949.5, 2010.5, 12.5, 0.5])
plt.yticks(range(1, 13), elnino.columns[1:])
plt.xlabel('Year')
plt.colorbar().set_label('temperature (°C)')
plt.show()
# %% right, before show: title and labels
plt.title('Sea temperature')
# %% wrong: transposed
t = elnino.set_index('YEAR')
plt.figure(figsize=(12, 4))
plt.imshow(t, aspect='auto')
plt.xticks(range(12), t.columns)
plt.yticks(range(0, len(t), 10), t.index[::10])
plt.colorbar(label='temperature (°C)')
plt.show()
# %% wrong, changed: DEC at the top
#- t = elnino.set_index('YEAR').T
t = elnino.set_index('YEAR').T[::-1]
# %% wrong, changed: no colour bar
#- plt.colorbar(label='temperature (°C)')
# %% wrong, changed: anomalies
#- t = elnino.set_index('YEAR').T
t = elnino.set_index('YEAR').T
t = t.sub(t.mean(axis=1), axis=0)
# %% wrong: the year is a row of the data
t = elnino.T
plt.figure(figsize=(12, 4))
plt.imshow(t, aspect='auto')
plt.yticks(range(13), t.index)
plt.colorbar(label='temperature (°C)')
plt.show()
# %% gold: Draw a count plot of the penguins per island, with the bars split (side by side) by species, and write the title 'Penguins per island'. The legend names the species; the islands are on the x axis.
sns.countplot(data=peng, x='island', hue='species')
plt.title('Penguins per island')
plt.show()
# %% right: crosstab
pd.crosstab(peng.island, peng.species).plot.bar(rot=0, title='Penguins per island', color=['#1b9e77', '#d95f02', '#7570b3'])
plt.ylabel('count')
plt.show()
# %% right: histplot with dodge
sns.histplot(data=peng, x='island', hue='species', multiple='dodge', shrink=0.8)
plt.title('Penguins per island')
plt.show()
# %% right: order given, palette
plt.figure(figsize=(9, 5))
ax = sns.countplot(data=peng, x='island', hue='species', order=['Biscoe', 'Dream', 'Torgersen'], hue_order=['Adelie', 'Chinstrap', 'Gentoo'], palette='Set2', edgecolor='k')
ax.set(title='Penguins per island', xlabel='Island', ylabel='Number of penguins')
ax.legend(loc='upper right')
plt.show()
# %% right, before show: a y label
plt.ylabel('number')
plt.grid(axis='y', alpha=0.5)
# %% wrong: no split
sns.countplot(data=peng, x='island')
plt.title('Penguins per island')
plt.show()
# %% wrong: exchanged
sns.countplot(data=peng, x='species', hue='island')
plt.title('Penguins per island')
plt.show()
# %% wrong: split by sex
sns.countplot(data=peng, x='island', hue='sex')
plt.title('Penguins per island')
plt.show()
# %% wrong: mean body mass
sns.barplot(data=peng, x='island', y='body_mass_g', hue='species', errorbar=None)
plt.title('Penguins per island')
plt.show()
# %% wrong, before show: the title is another
plt.title('Count of species')

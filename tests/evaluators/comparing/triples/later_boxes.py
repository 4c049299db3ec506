# %% setup
tips = pd.read_csv('data/tips.csv')
penguins = pd.read_csv('data/penguins.csv').dropna()
iris = pd.read_csv('data/iris.csv')

# %% gold: Draw box plots of body mass for each penguin species, with the species as tick labels and the y axis labelled 'body mass (g)'.
names = sorted(penguins['species'].unique())
plt.boxplot([penguins.loc[penguins.species == n, 'body_mass_g'] for n in names])
plt.xticks(range(1, 4), names)
plt.ylabel('body mass (g)')
plt.show()
# %% right: seaborn
sns.boxplot(data=penguins, x='species', y='body_mass_g', hue='species', palette='Set3')
plt.ylabel('body mass (g)')
plt.show()
# %% right: pandas
ax = penguins.boxplot(column='body_mass_g', by='species', grid=False)
plt.suptitle('')
ax.set_title('Body mass')
ax.set_ylabel('body mass (g)')
plt.show()
# %% right: filled, wide
fig, ax = plt.subplots(figsize=(8, 5))
groups = dict(list(penguins.groupby('species')['body_mass_g']))
b = ax.boxplot(list(groups.values()), tick_labels=list(groups), patch_artist=True, widths=0.7)
for patch, colour in zip(b['boxes'], ['pink', 'lightblue', 'lightgreen']):
    patch.set_facecolor(colour)
ax.set_xlabel('species')
ax.set_ylabel('body mass (g)')
plt.show()
# %% right: catplot
sns.catplot(data=penguins, x='species', y='body_mass_g', kind='box', order=['Adelie', 'Chinstrap', 'Gentoo'])
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: the flipper
n = sorted(penguins['species'].unique())
plt.boxplot([penguins.loc[penguins.species == k, 'flipper_length_mm'] for k in n])
plt.xticks(range(1, 4), n)
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: tick labels in another order than the boxes
n = ['Adelie', 'Chinstrap', 'Gentoo']
plt.boxplot([penguins.loc[penguins.species == k, 'body_mass_g'] for k in n])
plt.xticks(range(1, 4), ['Adelie', 'Gentoo', 'Chinstrap'])
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: bars of means
m = penguins.groupby('species')['body_mass_g'].mean()
plt.bar(m.index, m)
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: one species missing
n = ['Chinstrap', 'Gentoo']
plt.boxplot([penguins.loc[penguins.species == k, 'body_mass_g'] for k in n])
plt.xticks([1, 2], n)
plt.ylabel('body mass (g)')
plt.show()
# %% wrong: by sex
sns.boxplot(data=penguins, x='sex', y='body_mass_g')
plt.ylabel('body mass (g)')
plt.show()
# %% wrong, before: a twentieth more
penguins = penguins.assign(body_mass_g=penguins.body_mass_g * 1.05)

# %% gold: Draw a violin plot of the total bill per day (Thur, Fri, Sat, Sun), split in hue by smoker (Yes, No), with a legend.
sns.violinplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% right: split halves
sns.violinplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], split=True, inner='quart')
plt.show()
# %% right: catplot
sns.catplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'], kind='violin', palette='muted', height=6)
plt.show()
# %% right: no inner box, the order of hues fixed
fig, ax = plt.subplots(figsize=(10, 6))
sns.violinplot(x='day', y='total_bill', hue='smoker', data=tips, order=['Thur', 'Fri', 'Sat', 'Sun'], hue_order=['Yes', 'No'], inner=None, ax=ax)
ax.set_title('Bills by day and smoker')
ax.legend(title='smoker', loc='upper left')
plt.show()
# %% right, before show: labels of the axes
plt.ylabel('Total bill ($)')
plt.xlabel('Day')
# %% wrong: no hue
sns.violinplot(data=tips, x='day', y='total_bill', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: hue by sex
sns.violinplot(data=tips, x='day', y='total_bill', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: tips
sns.violinplot(data=tips, x='day', y='tip', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: boxes
sns.boxplot(data=tips, x='day', y='total_bill', hue='smoker', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong, before: smokers' names swapped
tips = tips.assign(smoker=tips.smoker.map({'Yes': 'No', 'No': 'Yes'}))

# %% gold: Show one box plot for each of the four iris measurements in a single axes, after standardising each column to mean 0 and standard deviation 1.
numeric = iris.drop(columns='species')
scaled = (numeric - numeric.mean()) / numeric.std()
scaled.boxplot()
plt.ylabel('standardised value')
plt.show()
# %% right: StandardScaler and plt.boxplot
from sklearn.preprocessing import StandardScaler
cols = ['sepal_length', 'sepal_width', 'petal_length', 'petal_width']
fig, ax = plt.subplots(figsize=(9, 5))
ax.boxplot(StandardScaler().fit_transform(iris[cols]))
ax.set_xticklabels(cols, rotation=20)
ax.set_ylabel('standardised value')
plt.show()
# %% right: melted for seaborn
n = iris.select_dtypes('number')
long = ((n - n.mean()) / n.std()).melt()
sns.boxplot(data=long, x='variable', y='value')
plt.ylabel('standardised value')
plt.show()
# %% right: wide seaborn
from scipy.stats import zscore
sns.boxplot(data=iris.iloc[:, :4].apply(zscore), palette='pastel')
plt.ylabel('standardised value')
plt.title('Standardised iris')
plt.show()
# %% right: plot.box
n = iris.iloc[:, :4]
n.sub(n.mean()).div(n.std()).plot.box(figsize=(10, 4), patch_artist=True)
plt.ylabel('standardised value')
plt.show()
# %% wrong: unscaled
iris.drop(columns='species').boxplot()
plt.ylabel('standardised value')
plt.show()
# %% wrong: between 0 and 1
n = iris.drop(columns='species')
((n - n.min()) / (n.max() - n.min())).boxplot()
plt.ylabel('standardised value')
plt.show()
# %% wrong: centred alone
n = iris.drop(columns='species')
(n - n.mean()).boxplot()
plt.ylabel('standardised value')
plt.show()
# %% wrong, before: a column missing
iris = iris.drop(columns='sepal_width')
# %% wrong, before: setosa alone
iris = iris[iris.species == 'setosa']

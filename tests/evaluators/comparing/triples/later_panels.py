# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
monthly = weather.groupby(weather.date.dt.month)[['precipitation', 'temp_max']].mean()
monthly.index.name = 'month'
iris = pd.read_csv('data/iris.csv')
tips = pd.read_csv('data/tips.csv')

# %% gold: For each month draw the mean precipitation as bars and, on a second y axis at the right, the mean temp_max as a line. Label both y axes.
fig, ax = plt.subplots()
ax.bar(monthly.index, monthly['precipitation'], color='lightblue')
ax.set_xlabel('month')
ax.set_ylabel('precipitation')
ax2 = ax.twinx()
ax2.plot(monthly.index, monthly['temp_max'], color='red', marker='o')
ax2.set_ylabel('temp_max')
plt.show()
# %% right: pandas on numbered places
ax = monthly['precipitation'].plot.bar(color='navy', alpha=0.5, rot=0)
right = ax.twinx()
right.plot(range(12), monthly['temp_max'].values, 'g-s')
ax.set_ylabel('precipitation')
right.set_ylabel('temp_max')
plt.show()
# %% right: plt.twinx with coloured labels and a legend
plt.figure(figsize=(10, 5))
plt.bar(monthly.index, monthly.precipitation, label='precipitation')
plt.xlabel('month')
plt.ylabel('precipitation', color='C0')
plt.legend(loc='upper left')
other = plt.twinx()
other.plot(monthly.index, monthly.temp_max, color='C3', label='temp_max')
other.set_ylabel('temp_max', color='C3')
other.legend(loc='upper right')
plt.show()
# %% right: units in the labels and a title
fig, left = plt.subplots(figsize=(8, 4))
right = left.twinx()
right.plot(monthly.index, monthly['temp_max'], 'k--')
left.bar(monthly.index, monthly['precipitation'], width=0.5)
left.set_xticks(range(1, 13))
left.set(xlabel='month', ylabel='Mean precipitation (mm)', title='Seattle by month')
right.set_ylabel('Mean temp_max (°C)')
plt.show()
# %% wrong, changed: both on one axis
#- ax2 = ax.twinx()
#- ax2.plot(monthly.index, monthly['temp_max'], color='red', marker='o')
#- ax2.set_ylabel('temp_max')
ax.plot(monthly.index, monthly['temp_max'], color='red', marker='o')
# %% wrong, changed: without the line
#- ax2 = ax.twinx()
#- ax2.plot(monthly.index, monthly['temp_max'], color='red', marker='o')
#- ax2.set_ylabel('temp_max')
# %% wrong, changed: the labels swapped
#- ax.set_ylabel('precipitation')
ax.set_ylabel('temp_max')
#- ax2.set_ylabel('temp_max')
ax2.set_ylabel('precipitation')
# %% wrong, before: sums
monthly = weather.groupby(weather.date.dt.month)[['precipitation', 'temp_max']].sum()
# %% wrong, before: half a year
monthly = monthly.loc[1:6]

# %% gold: In one figure with three subplots side by side draw the histogram (15 bins) of bill length, flipper length and body mass of the penguins, each titled with its column.
fig, axes = plt.subplots(1, 3, figsize=(12, 4))
for ax, c in zip(axes, ['bill_length_mm', 'flipper_length_mm', 'body_mass_g']):
    ax.hist(penguins[c], bins=15)
    ax.set_title(c)
plt.show()
# %% right: DataFrame.hist
penguins[['bill_length_mm', 'flipper_length_mm', 'body_mass_g']].hist(bins=15, layout=(1, 3), figsize=(15, 4))
plt.tight_layout()
plt.show()
# %% right: plt.subplot
plt.figure(figsize=(15, 5))
for i, c in enumerate(['bill_length_mm', 'flipper_length_mm', 'body_mass_g'], 1):
    plt.subplot(1, 3, i)
    plt.hist(penguins[c], bins=np.linspace(penguins[c].min(), penguins[c].max(), 16), color='seagreen', edgecolor='white')
    plt.title(c)
    plt.ylabel('Count')
plt.tight_layout()
plt.show()
# %% right: seaborn
fig, axes = plt.subplots(1, 3, figsize=(18, 5))
for ax, c in zip(axes, ['bill_length_mm', 'flipper_length_mm', 'body_mass_g']):
    sns.histplot(data=penguins, x=c, bins=15, ax=ax)
    ax.set_title(c)
plt.show()
# %% right, before show: a title of the figure
fig.suptitle('Penguins')
fig.tight_layout()
# %% wrong: one axes
for c in ['bill_length_mm', 'flipper_length_mm', 'body_mass_g']:
    plt.hist(penguins[c], bins=15)
plt.title('bill_length_mm, flipper_length_mm, body_mass_g')
plt.show()
# %% wrong: depth for length
fig, axes = plt.subplots(1, 3, figsize=(12, 4))
for ax, c in zip(axes, ['bill_depth_mm', 'flipper_length_mm', 'body_mass_g']):
    ax.hist(penguins[c], bins=15)
    ax.set_title(c)
plt.show()
# %% wrong, changed: no titles
#-     ax.set_title(c)
# %% wrong: two of three
fig, axes = plt.subplots(1, 2, figsize=(12, 4))
for ax, c in zip(axes, ['bill_length_mm', 'flipper_length_mm']):
    ax.hist(penguins[c], bins=15)
    ax.set_title(c)
plt.show()
# %% wrong: boxes
fig, axes = plt.subplots(1, 3, figsize=(12, 4))
for ax, c in zip(axes, ['bill_length_mm', 'flipper_length_mm', 'body_mass_g']):
    ax.boxplot(penguins[c])
    ax.set_title(c)
plt.show()

# %% gold: Draw a pair plot of sepal_length, petal_length and petal_width of the iris data coloured by species, with histograms on the diagonal.
sns.pairplot(iris, vars=['sepal_length', 'petal_length', 'petal_width'], hue='species', diag_kind='hist')
plt.show()
# %% right: other colours and size
sns.pairplot(iris.drop(columns='sepal_width'), hue='species', diag_kind='hist', palette='husl', height=2, plot_kws={'alpha': 0.6})
plt.show()
# %% right: PairGrid
g = sns.PairGrid(iris, vars=['sepal_length', 'petal_length', 'petal_width'], hue='species')
g.map_offdiag(sns.scatterplot)
g.map_diag(sns.histplot)
g.add_legend()
plt.show()
# %% right: markers and a title
g = sns.pairplot(iris[['sepal_length', 'petal_length', 'petal_width', 'species']], hue='species', diag_kind='hist', markers=['o', 's', 'D'])
g.figure.suptitle('Iris', y=1.02)
plt.show()
# %% wrong: no hue
sns.pairplot(iris, vars=['sepal_length', 'petal_length', 'petal_width'], diag_kind='hist')
plt.show()
# %% wrong: densities on the diagonal
sns.pairplot(iris, vars=['sepal_length', 'petal_length', 'petal_width'], hue='species', diag_kind='kde')
plt.show()
# %% wrong: sepal width for sepal length
sns.pairplot(iris, vars=['sepal_width', 'petal_length', 'petal_width'], hue='species', diag_kind='hist')
plt.show()
# %% wrong, before: half of the points
iris = iris.iloc[::2]
# %% wrong, before: setosa missing
iris = iris[iris.species != 'setosa']

# %% gold: Make a FacetGrid with a column for lunch and one for dinner, each with a scatter of tip against total_bill.
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'])
g.map(sns.scatterplot, 'total_bill', 'tip')
plt.show()
# %% right: relplot
sns.relplot(data=tips, x='total_bill', y='tip', col='time', col_order=['Lunch', 'Dinner'], color='purple', height=4)
plt.show()
# %% right: map_dataframe, larger
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'], height=5, aspect=0.8)
g.map_dataframe(sns.scatterplot, x='total_bill', y='tip', alpha=0.5)
g.set_axis_labels('total_bill', 'tip')
plt.show()
# %% right: plt.scatter with other titles
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'])
g.map(plt.scatter, 'total_bill', 'tip', edgecolor='w')
g.set_titles('{col_name}')
plt.show()
# %% right: dinner first
g = sns.FacetGrid(tips, col='time', col_order=['Dinner', 'Lunch'])
g.map(sns.scatterplot, 'total_bill', 'tip')
plt.show()
# %% wrong: facets by sex
g = sns.FacetGrid(tips, col='sex')
g.map(sns.scatterplot, 'total_bill', 'tip')
plt.show()
# %% wrong: no facets
sns.scatterplot(data=tips, x='total_bill', y='tip')
plt.show()
# %% wrong: axes swapped
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'])
g.map(sns.scatterplot, 'tip', 'total_bill')
plt.show()
# %% wrong: histograms
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'])
g.map(plt.hist, 'tip')
plt.show()
# %% wrong, before: titles under each other's facets
tips = tips.assign(time=tips.time.map({'Lunch': 'Dinner', 'Dinner': 'Lunch'}))

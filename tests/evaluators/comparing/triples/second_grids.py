# %% setup
iris = pd.read_csv('data/iris.csv')
tips = pd.read_csv('data/tips.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
seats = pd.read_csv('data/carseats.csv')
marr = pd.read_csv('data/marriages.csv')
# %% gold: Draw histograms (15 bins each) of the four measurements of iris in a 2 x 2 grid of subplots, in the order of the columns, each subplot titled with its column name.
fig, axes = plt.subplots(2, 2)
for ax, c in zip(axes.flat, iris.columns[:4]):
    ax.hist(iris[c], bins=15)
    ax.set_title(c)
plt.tight_layout()
plt.show()
# %% right: DataFrame.hist
iris.hist(bins=15, figsize=(9, 7), layout=(2, 2), edgecolor='white')
plt.tight_layout()
plt.show()
# %% right: plt.subplot and colours
plt.figure(figsize=(10, 8))
for i, (c, k) in enumerate(zip(['sepal_length', 'sepal_width', 'petal_length', 'petal_width'], 'rgbm')):
    plt.subplot(2, 2, i + 1)
    plt.hist(iris[c], 15, color=k, alpha=0.6)
    plt.title(c)
    plt.ylabel('count')
plt.suptitle('Iris')
plt.show()
# %% right: seaborn
fig, axs = plt.subplots(2, 2, figsize=(8, 6), constrained_layout=True)
for i, c in enumerate(iris.columns[:-1]):
    sns.histplot(data=iris, x=c, bins=15, ax=axs[i // 2, i % 2]).set_title(c)
plt.show()
# %% right, before show: grid
for a in axes.flat:
    a.grid(alpha=0.3)
    a.set_xlabel('cm')
# %% wrong, changed: 4 x 1
#- fig, axes = plt.subplots(2, 2)
fig, axes = plt.subplots(4, 1, figsize=(5, 10))
# %% wrong, changed: 5 bins
#- for ax, c in zip(axes.flat, iris.columns[:4]):
#-     ax.hist(iris[c], bins=15)
for ax, c in zip(axes.flat, iris.columns[:4]):
    ax.hist(iris[c], bins=5)
# %% wrong, changed: the same column four times
#- for ax, c in zip(axes.flat, iris.columns[:4]):
#-     ax.hist(iris[c], bins=15)
for ax, c in zip(axes.flat, iris.columns[:4]):
    ax.hist(iris['sepal_length'], bins=15)
# %% wrong, changed: box plots
#- for ax, c in zip(axes.flat, iris.columns[:4]):
#-     ax.hist(iris[c], bins=15)
for ax, c in zip(axes.flat, iris.columns[:4]):
    ax.boxplot(iris[c])
# %% wrong, changed: last subplot empty
#- for ax, c in zip(axes.flat, iris.columns[:4]):
#-     ax.hist(iris[c], bins=15)
for ax, c in zip(axes.flat, iris.columns[:3]):
    ax.hist(iris[c], bins=15)
# %% gold: Draw scatter plots of tip (y) against total_bill (x) in two panels side by side: Lunch left and Dinner right, with the same axis limits in both panels; panel titles 'Lunch' and 'Dinner'.
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t in zip(axes, ['Lunch', 'Dinner']):
    d = tips[tips.time == t]
    ax.scatter(d.total_bill, d.tip)
    ax.set_title(t)
plt.show()
# %% right: FacetGrid
g = sns.FacetGrid(tips, col='time', col_order=['Lunch', 'Dinner'])
g.map(plt.scatter, 'total_bill', 'tip', alpha=0.6)
g.set_titles('{col_name}')
plt.show()
# %% right: relplot
sns.relplot(data=tips, x='total_bill', y='tip', col='time', col_order=['Lunch', 'Dinner'], color='green', height=4).set_titles(col_template='{col_name}')
plt.show()
# %% right: limits set by hand
fig = plt.figure(figsize=(12, 5))
for i, t in enumerate(['Lunch', 'Dinner'], 1):
    plt.subplot(1, 2, i)
    plt.plot(tips.total_bill[tips.time == t], tips.tip[tips.time == t], 'o', color='C3', ms=4)
    plt.xlim(0, 55); plt.ylim(0, 11)
    plt.xlabel('total bill'); plt.ylabel('tip')
    plt.title(t)
plt.tight_layout()
plt.show()
# %% right, before show: labels
for a in axes:
    a.set_xlabel('total bill')
axes[0].set_ylabel('tip')
fig.suptitle('Tips')
# %% wrong: panels exchanged under the titles
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t, l in zip(axes, ['Dinner', 'Lunch'], ['Lunch', 'Dinner']):
    d = tips[tips.time == t]
    ax.scatter(d.total_bill, d.tip)
    ax.set_title(l)
plt.show()
# %% wrong: all tips in both
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t in zip(axes, ['Lunch', 'Dinner']):
    ax.scatter(tips.total_bill, tips.tip)
    ax.set_title(t)
plt.show()
# %% wrong: one panel
for t in ['Lunch', 'Dinner']:
    d = tips[tips.time == t]
    plt.scatter(d.total_bill, d.tip, label=t)
plt.legend()
plt.show()
# %% wrong: x and y exchanged
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t in zip(axes, ['Lunch', 'Dinner']):
    d = tips[tips.time == t]
    ax.scatter(d.tip, d.total_bill)
    ax.set_title(t)
plt.show()
# %% wrong: smokers
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t, l in zip(axes, ['Yes', 'No'], ['Lunch', 'Dinner']):
    d = tips[tips.smoker == t]
    ax.scatter(d.total_bill, d.tip)
    ax.set_title(l)
plt.show()
# %% gold: Show a pair plot (scatter matrix) of bill_length_mm, bill_depth_mm and flipper_length_mm of the penguins, coloured by species, with histograms on the diagonal and a legend of the species.
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', diag_kind='hist')
plt.show()
# %% right: palette, height
sns.pairplot(peng[['species', 'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm']], hue='species', diag_kind='hist', palette='Set1', height=2, plot_kws={'alpha': 0.6})
plt.show()
# %% right: PairGrid
g = sns.PairGrid(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species')
g.map_diag(sns.histplot)
g.map_offdiag(sns.scatterplot)
g.add_legend()
plt.show()
# %% right: markers and a title
g = sns.pairplot(data=peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', diag_kind='hist', markers=['o', 's', 'D'])
g.figure.suptitle('Penguins', y=1.03)
plt.show()
# %% right, before: a style
sns.set_style('darkgrid')
# %% wrong: no hue
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], diag_kind='hist')
plt.show()
# %% wrong: body mass for flippers
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'body_mass_g'], hue='species', diag_kind='hist')
plt.show()
# %% wrong: by sex
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='sex', diag_kind='hist')
plt.show()
# %% wrong: two variables
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm'], hue='species', diag_kind='hist')
plt.show()
# %% wrong: densities on the diagonal
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', diag_kind='kde')
plt.show()
# %% gold: Draw the empirical cumulative distribution function (proportion from 0 to 1, as a step line) of the carseats Sales for the shelf locations Bad, Medium and Good, three curves in one axes with a legend. Label the x axis 'Sales' and the y axis 'proportion'.
for s in ['Bad', 'Medium', 'Good']:
    v = np.sort(seats[seats.ShelveLoc == s].Sales)
    plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('Sales')
plt.ylabel('proportion')
plt.legend()
plt.show()
# %% right: seaborn
ax = sns.ecdfplot(data=seats, x='Sales', hue='ShelveLoc', hue_order=['Bad', 'Medium', 'Good'])
ax.set(xlabel='Sales', ylabel='proportion')
plt.show()
# %% right: plt.ecdf
fig, ax = plt.subplots(figsize=(9, 5))
for s, c in zip(['Good', 'Medium', 'Bad'], ['green', 'orange', 'red']):
    ax.ecdf(seats.loc[seats.ShelveLoc == s, 'Sales'], label=s, color=c)
ax.set_xlabel('Sales')
ax.set_ylabel('proportion')
ax.legend(title='Shelf location', loc='lower right')
plt.show()
# %% right: plot with drawstyle
for s, g in seats.groupby('ShelveLoc'):
    v = g['Sales'].sort_values().values
    plt.plot(v, np.linspace(1 / len(v), 1, len(v)), drawstyle='steps-post', label=f'{s}')
plt.xlabel('Sales'); plt.ylabel('proportion')
plt.grid(True)
plt.title('ECDF of the sales')
plt.legend()
plt.show()
# %% right, before show: line at the half
plt.axhline(0.5, color='gray', lw=0.7, ls=':')
plt.title('Sales by shelf location')
# %% wrong: counts for proportions
for s in ['Bad', 'Medium', 'Good']:
    v = np.sort(seats[seats.ShelveLoc == s].Sales)
    plt.step(v, np.arange(1, len(v) + 1), where='post', label=s)
plt.xlabel('Sales')
plt.ylabel('proportion')
plt.legend()
plt.show()
# %% wrong: complementary
for s in ['Bad', 'Medium', 'Good']:
    v = np.sort(seats[seats.ShelveLoc == s].Sales)
    plt.step(v, 1 - np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('Sales')
plt.ylabel('proportion')
plt.legend()
plt.show()
# %% wrong, changed: price
#- for s in ['Bad', 'Medium', 'Good']:
#-     v = np.sort(seats[seats.ShelveLoc == s].Sales)
for s in ['Bad', 'Medium', 'Good']:
    v = np.sort(seats[seats.ShelveLoc == s].Price)
# %% wrong: Good and Bad exchanged
for s, l in zip(['Bad', 'Medium', 'Good'], ['Good', 'Medium', 'Bad']):
    v = np.sort(seats[seats.ShelveLoc == s].Sales)
    plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post', label=l)
plt.xlabel('Sales')
plt.ylabel('proportion')
plt.legend()
plt.show()
# %% wrong: densities
sns.kdeplot(data=seats, x='Sales', hue='ShelveLoc', common_norm=False)
plt.xlabel('Sales')
plt.ylabel('proportion')
plt.show()
# %% gold: Plot marriages and divorces per 1000 people by year in two subplots one above the other that share the x axis: the upper with Marriages_per_1000, titled 'Marriages', the lower with Divorces_per_1000, titled 'Divorces'.
fig, (a, b) = plt.subplots(2, 1, sharex=True)
a.plot(marr.Year, marr.Marriages_per_1000)
a.set_title('Marriages')
b.plot(marr.Year, marr.Divorces_per_1000)
b.set_title('Divorces')
plt.show()
# %% right: pandas subplots
marr.set_index('Year')[['Marriages_per_1000', 'Divorces_per_1000']].plot(subplots=True, sharex=True, title=['Marriages', 'Divorces'], figsize=(8, 6), legend=False)
plt.show()
# %% right: colours and labels
fig, ax = plt.subplots(nrows=2, ncols=1, sharex=True, figsize=(10, 8))
for x, c, k in zip(ax, ['Marriages', 'Divorces'], ['seagreen', 'firebrick']):
    x.plot(marr['Year'], marr[c + '_per_1000'], color=k, lw=2)
    x.set_title(c)
    x.set_ylabel('per 1000')
    x.grid(True)
ax[1].set_xlabel('Year')
plt.tight_layout()
plt.show()
# %% right: plt.subplot with sharex
a = plt.subplot(2, 1, 1)
sns.lineplot(data=marr, x='Year', y='Marriages_per_1000', color='k')
plt.title('Marriages')
plt.subplot(2, 1, 2, sharex=a)
sns.lineplot(data=marr, x='Year', y='Divorces_per_1000', color='k')
plt.title('Divorces')
plt.tight_layout()
plt.show()
# %% right, before show: heading
fig.suptitle('USA')
b.set_xlabel('year')
# %% wrong, changed: absolute numbers
#- a.plot(marr.Year, marr.Marriages_per_1000)
a.plot(marr.Year, marr.Marriages)
#- b.plot(marr.Year, marr.Divorces_per_1000)
b.plot(marr.Year, marr.Divorces)
# %% wrong: one above the other exchanged
fig, (a, b) = plt.subplots(2, 1, sharex=True)
b.plot(marr.Year, marr.Marriages_per_1000)
b.set_title('Marriages')
a.plot(marr.Year, marr.Divorces_per_1000)
a.set_title('Divorces')
plt.show()
# %% wrong: in one axes
plt.plot(marr.Year, marr.Marriages_per_1000, label='Marriages')
plt.plot(marr.Year, marr.Divorces_per_1000, label='Divorces')
plt.legend()
plt.show()
# %% wrong, changed: titles exchanged
#- a.set_title('Marriages')
a.set_title('Divorces')
#- b.set_title('Divorces')
b.set_title('Marriages')
# %% wrong: titles missing
fig, (a, b) = plt.subplots(2, 1, sharex=True)
a.plot(marr.Year, marr.Marriages_per_1000)
b.plot(marr.Year, marr.Divorces_per_1000)
plt.show()

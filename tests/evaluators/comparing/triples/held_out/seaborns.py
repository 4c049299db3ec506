# %% setup
tips = pd.read_csv('data/tips.csv')
titanic = pd.read_csv('data/titanic.csv')
titanic = titanic[titanic['class'] != '*']
peng = pd.read_csv('data/penguins.csv').dropna()
cars = pd.read_json('data/cars.json').dropna()
# %% gold: Draw a seaborn pairplot of bill_length_mm, bill_depth_mm and flipper_length_mm (in this order) of peng coloured by species, with histograms on the diagonal.
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', diag_kind='hist', height=2)
# %% right: PairGrid
g = sns.PairGrid(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', height=2.2)
g.map_diag(sns.histplot)
g.map_offdiag(sns.scatterplot)
g.add_legend()
# %% right: columns chosen, palette
sns.pairplot(peng[['species', 'bill_length_mm', 'bill_depth_mm', 'flipper_length_mm']], hue='species', diag_kind='hist', palette='husl', plot_kws={'s': 15, 'alpha': .6})
# %% right: hue order and markers
g = sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', hue_order=['Gentoo', 'Chinstrap', 'Adelie'], markers=['o', 's', 'D'], diag_kind='hist', height=2.5)
g.figure.suptitle('Penguins', y=1.02)
# %% right, before: a theme
sns.set_theme(style='whitegrid', font_scale=.8)
# %% wrong: body mass for flipper length
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'body_mass_g'], hue='species', diag_kind='hist', height=2)
# %% wrong: no colours
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], diag_kind='hist', height=2)
# %% wrong: density curves on the diagonal
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm'], hue='species', diag_kind='kde', height=2)
# %% wrong: two variables only
sns.pairplot(peng, vars=['bill_length_mm', 'bill_depth_mm'], hue='species', diag_kind='hist', height=2)
# %% gold: Use seaborn to draw a scatter plot of Miles_per_Gallon (y) against Weight_in_lbs (x) of cars with the fitted linear regression line and its confidence band (regplot). Set the title 'Fuel economy'.
sns.regplot(data=cars, x='Weight_in_lbs', y='Miles_per_Gallon')
plt.title('Fuel economy')
# %% right: line in red, other points
fig, ax = plt.subplots(figsize=(9, 6))
sns.regplot(x=cars['Weight_in_lbs'], y=cars['Miles_per_Gallon'], scatter_kws={'alpha': .4, 's': 20}, line_kws={'color': 'red'}, ax=ax)
ax.set_title('Fuel economy'); ax.set_xlabel('weight (lbs)'); ax.set_ylabel('mpg')
# %% right: lmplot
g = sns.lmplot(data=cars, x='Weight_in_lbs', y='Miles_per_Gallon', height=5, aspect=1.3)
plt.title('Fuel economy')
plt.tight_layout()
# %% right, before show: a grid
plt.grid(alpha=.3)
# %% right, before: seaborn theme
sns.set_theme(style='whitegrid')
# %% wrong: horsepower on x
sns.regplot(data=cars, x='Horsepower', y='Miles_per_Gallon')
plt.title('Fuel economy')
# %% wrong: quadratic fit
sns.regplot(data=cars, x='Weight_in_lbs', y='Miles_per_Gallon', order=2)
plt.title('Fuel economy')
# %% wrong: no line
sns.scatterplot(data=cars, x='Weight_in_lbs', y='Miles_per_Gallon')
plt.title('Fuel economy')
# %% wrong, before: first hundred cars
cars = cars.head(100)
# %% wrong, before show: no title
plt.title('')
# %% gold: Draw kernel density estimates of total_bill of tips, one filled curve per value of time (each normalised to area 1, seaborn's default bandwidth) in one axes with a legend, x axis label 'Total bill'.
sns.kdeplot(data=tips, x='total_bill', hue='time', fill=True, common_norm=False)
plt.xlabel('Total bill')
# %% right: two calls
fig, ax = plt.subplots()
sns.kdeplot(tips.loc[tips.time == 'Lunch', 'total_bill'], fill=True, color='green', label='Lunch', ax=ax)
sns.kdeplot(tips.loc[tips.time == 'Dinner', 'total_bill'], fill=True, color='purple', label='Dinner', ax=ax)
ax.legend(); ax.set_xlabel('Total bill'); ax.set_ylabel('Density')
# %% right: displot
sns.displot(data=tips, x='total_bill', hue='time', kind='kde', fill=True, common_norm=False, palette='Set2', alpha=.5)
plt.xlabel('Total bill')
# %% right: scipy and fill_between
from scipy.stats import gaussian_kde
fig, ax = plt.subplots(figsize=(8, 5))
for t, g in tips.groupby('time'):
    k = gaussian_kde(g.total_bill)
    bw = np.sqrt(k.covariance[0, 0])
    x = np.linspace(g.total_bill.min() - 3*bw, g.total_bill.max() + 3*bw, 200)
    ax.fill_between(x, k(x), alpha=.4, label=t)
    ax.plot(x, k(x))
ax.set_xlabel('Total bill'); ax.legend(title='time')
# %% right, before show: title
plt.title('Density of the total bill')
# %% wrong: common normalisation
sns.kdeplot(data=tips, x='total_bill', hue='time', fill=True)
plt.xlabel('Total bill')
# %% wrong: by smoker
sns.kdeplot(data=tips, x='total_bill', hue='smoker', fill=True, common_norm=False)
plt.xlabel('Total bill')
# %% wrong: a far smaller bandwidth
sns.kdeplot(data=tips, x='total_bill', hue='time', fill=True, common_norm=False, bw_adjust=.3)
plt.xlabel('Total bill')
# %% wrong: the tip
sns.kdeplot(data=tips, x='tip', hue='time', fill=True, common_norm=False)
plt.xlabel('Total bill')
# %% wrong: cumulative
sns.kdeplot(data=tips, x='total_bill', hue='time', common_norm=False, cumulative=True)
plt.xlabel('Total bill')
# %% gold: Use seaborn to draw the number of passengers per class (order 1st, 2nd, 3rd) split by survived (0 and 1 side by side) from titanic, with a legend and the title 'Survival by class'.
sns.countplot(data=titanic, x='class', hue='survived', order=['1st', '2nd', '3rd'])
plt.title('Survival by class')
# %% right: pandas
ax = pd.crosstab(titanic['class'], titanic['survived']).plot.bar(rot=0, color=['grey', 'green'], title='Survival by class')
ax.set_ylabel('passengers')
# %% right: matplotlib bars
fig, ax = plt.subplots(figsize=(8, 5))
n = titanic.groupby(['class', 'survived']).size().unstack()
x = np.arange(3)
ax.bar(x - .2, n[0], .4, label='died'); ax.bar(x + .2, n[1], .4, label='survived')
ax.set_xticks(x, n.index); ax.legend(); ax.set_title('Survival by class'); ax.set_ylabel('count')
# %% right: palette and legend labels
ax = sns.countplot(data=titanic, x='class', hue='survived', order=['1st', '2nd', '3rd'], palette='Set1')
ax.legend(title='Survived', labels=['No', 'Yes'])
ax.set(title='Survival by class', xlabel='Class', ylabel='Number of passengers')
# %% right, before show: numbers on the bars
for c in plt.gca().containers:
    plt.gca().bar_label(c)
# %% wrong: split by sex
sns.countplot(data=titanic, x='class', hue='sex', order=['1st', '2nd', '3rd'])
plt.title('Survival by class')
# %% wrong: survival rate
sns.barplot(data=titanic, x='class', y='survived', order=['1st', '2nd', '3rd'])
plt.title('Survival by class')
# %% wrong: classes reversed
sns.countplot(data=titanic, x='class', hue='survived', order=['3rd', '2nd', '1st'])
plt.title('Survival by class')
# %% wrong, before: passengers without an age dropped
titanic = titanic.dropna()
# %% wrong: stacked
pd.crosstab(titanic['class'], titanic['survived']).plot.bar(stacked=True, title='Survival by class')
# %% gold: Use seaborn's barplot to draw the mean tip per day (order Thur, Fri, Sat, Sun) with one bar per sex beside each other and no error bars; y axis label 'Mean tip'.
sns.barplot(data=tips, x='day', y='tip', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None)
plt.ylabel('Mean tip')
# %% right: pandas
t = tips.groupby(['day', 'sex']).tip.mean().unstack().loc[['Thur', 'Fri', 'Sat', 'Sun']]
ax = t.plot(kind='bar', rot=0, color=['salmon', 'skyblue'])
ax.set_ylabel('Mean tip')
# %% right: aggregated before, other hue order
m = tips.groupby(['day', 'sex'], as_index=False)['tip'].mean()
plt.figure(figsize=(9, 5))
sns.barplot(data=m, x='day', y='tip', hue='sex', hue_order=['Male', 'Female'], order=['Thur', 'Fri', 'Sat', 'Sun'], palette='muted')
plt.ylabel('Mean tip'); plt.xlabel('Day'); plt.title('Mean tip per day and sex')
# %% right: catplot
g = sns.catplot(data=tips, kind='bar', x='day', y='tip', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None, height=4, aspect=1.4)
g.set_axis_labels('', 'Mean tip')
# %% right, before show: values on the bars
for c in plt.gca().containers:
    plt.gca().bar_label(c, fmt='%.2f')
# %% wrong: sums
sns.barplot(data=tips, x='day', y='tip', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None, estimator='sum')
plt.ylabel('Mean tip')
# %% wrong: medians
sns.barplot(data=tips, x='day', y='tip', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None, estimator='median')
plt.ylabel('Mean tip')
# %% wrong: order of appearance
sns.barplot(data=tips, x='day', y='tip', hue='sex', errorbar=None)
plt.ylabel('Mean tip')
# %% wrong: with error bars
sns.barplot(data=tips, x='day', y='tip', hue='sex', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.ylabel('Mean tip')
# %% wrong: sexes together
sns.barplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'], errorbar=None)
plt.ylabel('Mean tip')

# %% setup
wine = pd.read_csv('data/wine.csv')
iris = pd.read_csv('data/iris.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
weather['year'] = weather.date.dt.year
weather['month'] = weather.date.dt.month
columns = ['alcohol', 'malic_acid', 'ash', 'magnesium', 'hue', 'proline']

# %% gold: Draw an annotated heat map of the correlation matrix of the wine columns alcohol, malic_acid, ash, magnesium, hue and proline.
sns.heatmap(wine[columns].corr(), annot=True, cmap='coolwarm')
plt.title('Correlation')
plt.show()
# %% right: imshow with texts
c = wine[columns].corr()
fig, ax = plt.subplots(figsize=(7, 6))
im = ax.imshow(c, cmap='RdBu', vmin=-1, vmax=1)
fig.colorbar(im)
ax.set_xticks(range(6), columns, rotation=45, ha='right')
ax.set_yticks(range(6), columns)
for i in range(6):
    for j in range(6):
        ax.text(j, i, f'{c.iloc[i, j]:.2f}', ha='center', va='center')
ax.set_title('Correlation')
plt.show()
# %% right: another map of colours, squares and lines
plt.figure(figsize=(9, 7))
sns.heatmap(wine[columns].corr().round(2), annot=True, fmt='.2f', cmap='viridis', square=True, linewidths=0.5, vmin=-1, vmax=1)
plt.title('Correlation')
plt.show()
# %% right: numpy's coefficients
r = np.corrcoef(wine[columns].to_numpy(), rowvar=False)
sns.heatmap(r, annot=True, xticklabels=columns, yticklabels=columns, center=0, cbar=False)
plt.title('Correlation')
plt.show()
# %% right: matshow
c = wine[columns].corr()
fig, ax = plt.subplots()
plt.colorbar(ax.matshow(c))
ax.set_xticks(np.arange(len(columns)), labels=columns, rotation=90)
ax.set_yticks(np.arange(len(columns)), labels=columns)
for (i, j), v in np.ndenumerate(c.values):
    ax.text(j, i, '%.2f' % v, ha='center', va='center', color='white')
ax.set_title('Correlation')
plt.show()
# %% wrong: covariance
sns.heatmap(wine[columns].cov(), annot=True, cmap='coolwarm')
plt.title('Correlation')
plt.show()
# %% wrong: no annotations
sns.heatmap(wine[columns].corr(), cmap='coolwarm')
plt.title('Correlation')
plt.show()
# %% wrong: rank correlation
sns.heatmap(wine[columns].corr(method='spearman'), annot=True, cmap='coolwarm')
plt.title('Correlation')
plt.show()
# %% wrong, before: another column
columns = ['alcohol', 'malic_acid', 'ash', 'magnesium', 'hue', 'flavanoids']
# %% wrong: absolute values
sns.heatmap(wine[columns].corr().abs(), annot=True, cmap='coolwarm')
plt.title('Correlation')
plt.show()
# %% wrong: labels reversed
sns.heatmap(wine[columns].corr().to_numpy(), annot=True, cmap='coolwarm', xticklabels=columns[::-1], yticklabels=columns[::-1])
plt.title('Correlation')
plt.show()

# %% gold: Draw a heat map of the mean maximal temperature with the months as rows and the years as columns.
sns.heatmap(weather.pivot_table(index='month', columns='year', values='temp_max'))
plt.show()
# %% right: imshow
t = weather.groupby(['month', 'year'])['temp_max'].mean().unstack()
fig, ax = plt.subplots(figsize=(5, 7))
im = ax.imshow(t, aspect='auto', cmap='inferno')
ax.set_xticks(range(4))
ax.set_xticklabels(t.columns)
ax.set_yticks(range(12))
ax.set_yticklabels(t.index)
ax.set_xlabel('year')
ax.set_ylabel('month')
fig.colorbar(im, label='temp_max')
plt.show()
# %% right: pcolormesh with January at the top
t = weather.pivot_table(index='month', columns='year', values='temp_max', aggfunc='mean')
plt.pcolormesh(t.columns, t.index, t.values, cmap='coolwarm', shading='nearest')
plt.xticks(t.columns)
plt.yticks(t.index)
plt.gca().invert_yaxis()
plt.colorbar()
plt.xlabel('year')
plt.ylabel('month')
plt.show()
# %% right: annotated, with a title
sns.heatmap(weather.pivot_table(index='month', columns='year', values='temp_max'), annot=True, fmt='.1f', cmap='YlOrRd', linewidths=1)
plt.title('Mean maximal temperature')
plt.show()
# %% right: cross table
sns.heatmap(pd.crosstab(weather.month, weather.year, values=weather.temp_max, aggfunc='mean'), cmap='magma', cbar_kws={'label': '°C'})
plt.show()
# %% wrong: turned
sns.heatmap(weather.pivot_table(index='year', columns='month', values='temp_max'))
plt.show()
# %% wrong: minimal temperature
sns.heatmap(weather.pivot_table(index='month', columns='year', values='temp_min'))
plt.show()
# %% wrong: the highest of each month
sns.heatmap(weather.pivot_table(index='month', columns='year', values='temp_max', aggfunc='max'))
plt.show()
# %% wrong, before: the last year missing
weather = weather[weather.year < 2015]
# %% wrong: lines
weather.pivot_table(index='month', columns='year', values='temp_max').plot()
plt.show()

# %% gold: Fit a k-nearest-neighbours classifier (k=1) on the first two iris columns of the even rows, predict the odd rows and show the confusion matrix, with the species as labels, true in rows and predicted in columns, and counts in the cells.
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X = iris.iloc[:, :2].to_numpy()
y = iris['species'].to_numpy()
predicted = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
names = sorted(set(y))
ConfusionMatrixDisplay(confusion_matrix(y[1::2], predicted), display_labels=names).plot()
plt.show()
# %% right: seaborn
from sklearn.metrics import confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(n_neighbors=1).fit(X[::2], y[::2]).predict(X[1::2])
n = ['setosa', 'versicolor', 'virginica']
sns.heatmap(confusion_matrix(y[1::2], p), annot=True, fmt='d', cmap='Blues', xticklabels=n, yticklabels=n)
plt.xlabel('Predicted label')
plt.ylabel('True label')
plt.show()
# %% right: from predictions, turned labels, a title
from sklearn.metrics import ConfusionMatrixDisplay
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
ConfusionMatrixDisplay.from_predictions(y[1::2], p, cmap='Greens', colorbar=False, xticks_rotation=45)
plt.title('Confusion matrix')
plt.show()
# %% right: a cross table by pandas
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
sns.heatmap(pd.crosstab(pd.Series(y[1::2], name='True label'), pd.Series(p, name='Predicted label')), annot=True, fmt='g', cbar=False, square=True)
plt.show()
# %% right: by imshow
from sklearn.metrics import confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
m = confusion_matrix(y[1::2], p)
plt.imshow(m, cmap='Purples')
plt.xticks(range(3), np.unique(y))
plt.yticks(range(3), np.unique(y), rotation=90, va='center')
for i in range(3):
    for j in range(3):
        plt.text(j, i, m[i, j], ha='center', va='center')
plt.xlabel('Predicted')
plt.ylabel('True')
plt.colorbar()
plt.show()
# %% wrong: turned
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
ConfusionMatrixDisplay(confusion_matrix(p, y[1::2]), display_labels=sorted(set(y))).plot()
plt.show()
# %% wrong: shares
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
ConfusionMatrixDisplay(confusion_matrix(y[1::2], p, normalize='true'), display_labels=sorted(set(y))).plot()
plt.show()
# %% wrong: labels swapped
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
ConfusionMatrixDisplay(confusion_matrix(y[1::2], p), display_labels=['virginica', 'versicolor', 'setosa']).plot()
plt.show()
# %% wrong: of the rows of the training
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :2].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[::2])
ConfusionMatrixDisplay(confusion_matrix(y[::2], p), display_labels=sorted(set(y))).plot()
plt.show()
# %% wrong: all four columns
from sklearn.metrics import ConfusionMatrixDisplay, confusion_matrix
from sklearn.neighbors import KNeighborsClassifier
X, y = iris.iloc[:, :4].to_numpy(), iris['species'].to_numpy()
p = KNeighborsClassifier(1).fit(X[::2], y[::2]).predict(X[1::2])
ConfusionMatrixDisplay(confusion_matrix(y[1::2], p), display_labels=sorted(set(y))).plot()
plt.show()

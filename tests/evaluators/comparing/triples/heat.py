# %% setup
rose = pd.read_csv('data/wind.csv').pivot(index='direction', columns='strength', values='frequency')
penguins = pd.read_csv('data/penguins.csv').dropna()
numbers = penguins[['bill_length_mm', 'bill_depth_mm', 'flipper_length_mm', 'body_mass_g']]
corr = numbers.corr()
matrix = np.array([[41, 3, 1], [2, 18, 0], [0, 4, 31]])
names = ['Adelie', 'Chinstrap', 'Gentoo']
elnino = pd.read_csv('data/elnino.csv', index_col='YEAR').iloc[:20]


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: a table as an image, with a bar
plt.figure(figsize=(5, 4))
plt.imshow(rose, cmap='YlGnBu', aspect='auto')
plt.colorbar()
plt.xticks(range(len(rose.columns)), rose.columns)
plt.yticks(range(len(rose)), rose.index)
words('Frequencies', 'strength', 'direction')
plt.show()
# %% right: by seaborn
plt.figure(figsize=(9, 7))
sns.heatmap(rose, cmap='viridis')
words('Frequencies', 'strength', 'direction')
plt.show()
# %% right: with values, square cells, turned names
figure, axes = plt.subplots(figsize=(6, 8))
shown = axes.imshow(rose.to_numpy(), cmap='Reds')
figure.colorbar(shown, ax=axes, shrink=0.6)
axes.set_xticks(range(len(rose.columns)), rose.columns, rotation=60)
axes.set_yticks(range(len(rose)), rose.index)
for row in range(len(rose)):
    for column in range(len(rose.columns)):
        axes.text(column, row, f'{rose.iloc[row, column]:.1f}', fontsize=6, ha='center')
axes.set(title='Frequencies', xlabel='strength', ylabel='direction')
plt.show()
# %% right: pcolormesh, from above to below
plt.pcolormesh(rose.to_numpy(), cmap='magma')
plt.gca().invert_yaxis()
plt.colorbar()
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
words('Frequencies', 'strength', 'direction')
plt.show()
# %% right: pcolormesh, its first row below
plt.pcolormesh(rose)
plt.colorbar()
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
words('Frequencies', 'strength', 'direction')
plt.show()
# %% right: pcolor, from above to below
plt.pcolor(rose)
plt.gca().invert_yaxis()
plt.colorbar()
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
words('Frequencies', 'strength', 'direction')
plt.show()
# %% right: pcolor, its first row below
plt.pcolor(rose)
plt.colorbar()
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
words('Frequencies', 'strength', 'direction')
plt.show()
# %% wrong, before: rows turned around under the same names
rose = pd.DataFrame(rose.to_numpy()[::-1], rose.index, rose.columns)
# %% wrong, before: shares of the rows
rose = rose.div(rose.sum(axis=1), axis=0)
# %% wrong, before: cumulative
rose = rose.cumsum(axis=1)
# %% wrong, before: rows and columns exchanged
rose = rose.T
# %% wrong, before: negative
rose = -rose
# %% wrong, before: half of the rows
rose = rose.iloc[::2]

# %% gold: correlations
plt.figure(figsize=(4, 3.6))
plt.imshow(corr, cmap='coolwarm', vmin=-1, vmax=1)
plt.xticks(range(4), corr.columns, rotation=45)
plt.yticks(range(4), corr.columns)
words('Correlations')
plt.tight_layout()
plt.show()
# %% right: by seaborn, with values and a bar
plt.figure(figsize=(8, 6))
sns.heatmap(corr, annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1, linewidths=1)
words('Correlations')
plt.show()
# %% right: by matshow, limits left open
plt.matshow(corr)
plt.xticks(range(4), corr.columns, rotation=90)
plt.yticks(range(4), corr.columns)
words('Correlations')
plt.show()
# %% right: numpy's correlation, with values in the cells
corr = np.corrcoef(numbers.T)
plt.imshow(corr, cmap='RdBu_r', vmin=-1, vmax=1)
plt.colorbar()
for (row, column), value in np.ndenumerate(corr):
    plt.text(column, row, round(value, 2), ha='center', va='center')
plt.xticks(range(4), numbers.columns, rotation=45, ha='right')
plt.yticks(range(4), numbers.columns)
words('Correlations')
plt.show()
# %% wrong, before: Spearman for Pearson
corr = numbers.corr(method='spearman')
# %% wrong, before: Kendall for Pearson
corr = numbers.corr(method='kendall')
# %% wrong, before: of one species
corr = numbers[penguins['species'] == 'Adelie'].corr()
# %% wrong, before: absolute values
corr = corr.abs()
# %% wrong, before: covariances
corr = numbers.cov()
# %% wrong, before: columns in another order under the same names
corr = pd.DataFrame(corr.to_numpy()[[1, 0, 2, 3]][:, [1, 0, 2, 3]], corr.index, corr.columns)

# %% gold: a confusion matrix with its counts
plt.figure(figsize=(4.5, 4))
plt.imshow(matrix, cmap='Oranges', alpha=0.6)
for row in range(3):
    for column in range(3):
        plt.text(column, row, matrix[row, column], ha='center', va='center', color='black')
plt.xticks(range(3), names)
plt.yticks(range(3), names)
words('Confusion', 'predicted', 'actual')
plt.show()
# %% right: by sklearn
from sklearn.metrics import ConfusionMatrixDisplay
ConfusionMatrixDisplay(matrix, display_labels=names).plot(cmap='Blues')
words('Confusion', 'predicted', 'actual')
plt.show()
# %% right: by seaborn
sns.heatmap(matrix, annot=True, fmt='d', cbar=False, xticklabels=names, yticklabels=names)
words('Confusion', 'predicted', 'actual')
plt.show()
# %% right: without counts, with a bar
plt.imshow(matrix, cmap='gray')
plt.colorbar()
plt.xticks(range(3), names, rotation=45)
plt.yticks(range(3), names, rotation=45)
words('Confusion', 'predicted', 'actual')
plt.show()
# %% wrong, before: rows and columns exchanged
matrix = matrix.T
# %% wrong, before: another model's
matrix = np.array([[37, 6, 2], [5, 14, 1], [1, 2, 32]])
# %% wrong, before: shares of rows
matrix = (matrix / matrix.sum(axis=1, keepdims=True)).round(2)
# %% wrong, before: names in another order
names = ['Gentoo', 'Adelie', 'Chinstrap']

# %% gold: years by months, by seaborn, with values
plt.figure(figsize=(6, 4))
sns.heatmap(elnino.T, cmap='YlGnBu', vmin=18, vmax=28)
words('Temperatures', 'year', 'month')
plt.show()
# %% right: by matplotlib
plt.figure(figsize=(10, 5))
plt.imshow(elnino.T, aspect='auto', vmin=18, vmax=28)
plt.colorbar()
plt.xticks(range(20), elnino.index, rotation=90)
plt.yticks(range(12), elnino.columns)
words('Temperatures', 'year', 'month')
plt.show()
# %% right: values in the cells, no limits, no bar
plt.figure(figsize=(12, 6))
sns.heatmap(elnino.T, cmap='coolwarm', annot=True, fmt='.0f', cbar=False)
words('Temperatures', 'year', 'month')
plt.show()
# %% wrong, before: anomalies
elnino = elnino - elnino.mean() + 22
# %% wrong, before: months turned around under the same names
elnino = elnino[elnino.columns[::-1]].set_axis(elnino.columns, axis=1)
# %% wrong, before: other years under the same names
elnino = pd.read_csv('data/elnino.csv', index_col='YEAR').iloc[20:40].set_axis(elnino.index)
# %% wrong, before: years turned around
elnino = elnino[::-1].set_axis(elnino.index)
# %% wrong: the mean of each month
plt.plot(elnino.mean())
words('Temperatures', 'year', 'month')
plt.show()
# %% gold: the wind table as a heat map, its directions from top to bottom
plt.imshow(rose)
plt.xticks(range(len(rose.columns)), rose.columns)
plt.yticks(range(len(rose)), rose.index)
plt.show()
# %% right: pcolor, turned
plt.pcolor(rose)
plt.gca().invert_yaxis()
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
plt.show()
# %% wrong: pcolor, from the bottom
plt.pcolor(rose)
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
plt.show()

# %% setup
wine = pd.read_csv('data/wine.csv')
cols = ['alcohol', 'malic_acid', 'ash', 'flavanoids', 'hue', 'proline']
elnino = pd.read_csv('data/elnino.csv').set_index('YEAR')
tips = pd.read_csv('data/tips.csv')
# %% gold: Draw the Pearson correlation matrix of the columns cols of wine (in this order on both axes, first at the top and left) as a heat map with the values to two decimals in the cells, colour scale from -1 to 1 with the coolwarm map and a colorbar. Title 'Correlations'.
plt.figure(figsize=(7, 6))
sns.heatmap(wine[cols].corr(), annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1)
plt.title('Correlations')
# %% right: imshow with text
c = np.corrcoef(wine[cols].values.T)
fig, ax = plt.subplots(figsize=(8, 8))
im = ax.imshow(c, cmap='coolwarm', vmin=-1, vmax=1)
fig.colorbar(im, shrink=.8)
ax.set_xticks(range(6), cols, rotation=45, ha='right'); ax.set_yticks(range(6), cols)
for i in range(6):
    for j in range(6):
        ax.text(j, i, f'{c[i, j]:.2f}', ha='center', va='center')
ax.set_title('Correlations')
# %% right: square, lines
fig, ax = plt.subplots(figsize=(9, 7))
sns.heatmap(wine[cols].corr(method='pearson').round(2), annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1, center=0, square=True, linewidths=.5, cbar_kws={'shrink': .7}, ax=ax)
ax.set_title('Correlations', fontsize=15)
plt.tight_layout()
# %% right: matshow
m = wine[cols].corr()
fig = plt.figure(figsize=(7, 7))
plt.matshow(m, cmap='coolwarm', vmin=-1, vmax=1, fignum=fig.number)
plt.colorbar()
plt.xticks(range(len(cols)), cols, rotation=90); plt.yticks(range(len(cols)), cols)
for (i, j), v in np.ndenumerate(m.values): plt.text(j, i, '%.2f' % v, ha='center', va='center', fontsize=8)
plt.title('Correlations')
# %% right, before show: ticks rotated
plt.xticks(rotation=45)
plt.tight_layout()
# %% wrong: Spearman
sns.heatmap(wine[cols].corr('spearman'), annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1); plt.title('Correlations')
# %% wrong: covariances
sns.heatmap(wine[cols].cov(), annot=True, fmt='.2f', cmap='coolwarm'); plt.title('Correlations')
# %% wrong: no values
sns.heatmap(wine[cols].corr(), cmap='coolwarm', vmin=-1, vmax=1); plt.title('Correlations')
# %% wrong: absolute values
sns.heatmap(wine[cols].corr().abs(), annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1); plt.title('Correlations')
# %% wrong, before: one column missing
cols = cols[:-1]
# %% gold: Show the El Nino sea temperatures as a heat map with the months JAN to DEC from left to right on the x axis and the years 1950 to 1979 from top to bottom on the y axis, with a colorbar labelled 'temperature'.
plt.figure(figsize=(8, 8))
sns.heatmap(elnino.loc[1950:1979], cbar_kws={'label': 'temperature'})
# %% right: imshow
d = elnino.loc[1950:1979]
fig, ax = plt.subplots(figsize=(7, 9))
im = ax.imshow(d, aspect='auto', cmap='viridis')
ax.set_xticks(range(12), d.columns); ax.set_yticks(range(30), d.index, fontsize=7)
fig.colorbar(im, label='temperature')
# %% right: pcolormesh, y axis inverted
d = elnino[elnino.index < 1980]
fig, ax = plt.subplots(figsize=(9, 8))
m = ax.pcolormesh(np.arange(12), d.index, d.values, cmap='RdYlBu_r', shading='nearest')
ax.invert_yaxis()
ax.set_xticks(np.arange(12)); ax.set_xticklabels(d.columns); ax.set_ylabel('Year')
cb = plt.colorbar(m); cb.set_label('temperature')
ax.set_title('El Nino')
# %% right: seaborn with another map, lines
fig, ax = plt.subplots(figsize=(10, 9))
sns.heatmap(elnino.iloc[:30], cmap='coolwarm', linewidths=.3, ax=ax, cbar_kws={'label': 'temperature', 'shrink': .8})
ax.set(xlabel='Month', ylabel='Year', title='Sea temperature')
# %% right, before show: labels and title
plt.xlabel('month'); plt.ylabel('year'); plt.title('El Nino')
# %% wrong: transposed
sns.heatmap(elnino.loc[1950:1979].T, cbar_kws={'label': 'temperature'})
# %% wrong: 1980 to 2009
sns.heatmap(elnino.loc[1980:2009], cbar_kws={'label': 'temperature'})
# %% wrong: months in alphabetical order
sns.heatmap(elnino.loc[1950:1979].sort_index(axis=1), cbar_kws={'label': 'temperature'})
# %% wrong: years from bottom to top
sns.heatmap(elnino.loc[1950:1979].iloc[::-1], cbar_kws={'label': 'temperature'})
# %% wrong: anomalies
d = elnino.loc[1950:1979]
sns.heatmap(d - d.mean(), cbar_kws={'label': 'temperature'})

# %% setup
from scipy.cluster.hierarchy import linkage, dendrogram
from scipy.cluster import hierarchy
crime = pd.read_csv('data/statecrime.csv').set_index('state').head(20)
iris = pd.read_csv('data/iris.csv')
# %% gold: Standardise the columns murder, poverty and urban of crime (mean 0, standard deviation 1 with ddof=0), cluster the 20 states by Ward linkage and draw the dendrogram with the state names as leaf labels, rotated by 90 degrees. Title 'States', y axis label 'distance'.
d = crime[['murder', 'poverty', 'urban']]
Z = linkage(((d - d.mean()) / d.std(ddof=0)).values, 'ward')
plt.figure(figsize=(10, 5))
dendrogram(Z, labels=list(d.index), leaf_rotation=90)
plt.title('States')
plt.ylabel('distance')
plt.tight_layout()
# %% right: StandardScaler and axes
from sklearn.preprocessing import StandardScaler
Z = linkage(StandardScaler().fit_transform(crime[['murder', 'poverty', 'urban']]), method='ward')
fig, ax = plt.subplots(figsize=(12, 6))
dendrogram(Z, labels=crime.index.tolist(), leaf_rotation=90, leaf_font_size=10, ax=ax)
ax.set_title('States')
ax.set_ylabel('distance')
ax.set_xlabel('state')
# %% right: all one colour
from scipy.stats import zscore
Z = hierarchy.ward(zscore(crime[['murder', 'poverty', 'urban']].values))
plt.figure(figsize=(11, 6))
hierarchy.dendrogram(Z, labels=crime.index.values, leaf_rotation=90, color_threshold=0, above_threshold_color='steelblue')
plt.title('States', fontsize=16); plt.ylabel('distance')
plt.tight_layout()
# %% right: ticks rotated afterwards
a = crime[['murder', 'poverty', 'urban']].to_numpy()
a = (a - a.mean(0)) / a.std(0)
fig, ax = plt.subplots(figsize=(9, 5), layout='constrained')
dendrogram(linkage(a, method='ward', metric='euclidean'), labels=list(crime.index), ax=ax)
ax.tick_params(axis='x', rotation=90, labelsize=8)
ax.set(title='States', ylabel='distance')
# %% right, before show: a grid
plt.grid(axis='y', ls='--', alpha=.5)
# %% wrong: unscaled data
Z = linkage(crime[['murder', 'poverty', 'urban']].values, 'ward')
plt.figure(figsize=(10, 5))
dendrogram(Z, labels=list(crime.index), leaf_rotation=90)
plt.title('States'); plt.ylabel('distance')
# %% wrong: single linkage
d = crime[['murder', 'poverty', 'urban']]
Z = linkage(((d - d.mean()) / d.std(ddof=0)).values, 'single')
plt.figure(figsize=(10, 5))
dendrogram(Z, labels=list(d.index), leaf_rotation=90)
plt.title('States'); plt.ylabel('distance')
# %% wrong: leaf numbers, no names
d = crime[['murder', 'poverty', 'urban']]
Z = linkage(((d - d.mean()) / d.std(ddof=0)).values, 'ward')
plt.figure(figsize=(10, 5))
dendrogram(Z, leaf_rotation=90)
plt.title('States'); plt.ylabel('distance')
# %% wrong: clusters the columns' correlation, other variables
d = crime[['violent', 'hs_grad', 'single']]
Z = linkage(((d - d.mean()) / d.std(ddof=0)).values, 'ward')
plt.figure(figsize=(10, 5))
dendrogram(Z, labels=list(d.index), leaf_rotation=90)
plt.title('States'); plt.ylabel('distance')
# %% wrong: names in alphabetical order under the leaves
d = crime[['murder', 'poverty', 'urban']]
Z = linkage(((d - d.mean()) / d.std(ddof=0)).values, 'ward')
plt.figure(figsize=(10, 5))
dendrogram(Z, labels=list(d.index))
plt.gca().set_xticklabels(list(d.index), rotation=90)
plt.title('States'); plt.ylabel('distance')
# %% gold: Draw a dendrogram of the four numeric iris columns' average-linkage clustering of all 150 flowers (raw values, Euclidean), truncated to the last 12 merged clusters (truncate_mode='lastp', p=12), with a horizontal red dashed line at distance 1.8.
Z = linkage(iris.iloc[:, :4].values, 'average')
plt.figure(figsize=(8, 5))
dendrogram(Z, truncate_mode='lastp', p=12)
plt.axhline(1.8, color='red', ls='--')
# %% right: axes, hlines over the width
fig, ax = plt.subplots(figsize=(10, 6))
dendrogram(linkage(iris[['sepal_length', 'sepal_width', 'petal_length', 'petal_width']], method='average'), truncate_mode='lastp', p=12, ax=ax)
ax.hlines(1.8, *ax.get_xlim(), colors='red', linestyles='dashed')
ax.set_ylabel('distance'); ax.set_xlabel('cluster size')
# %% right: leaves rotated, title, threshold colours
Z = linkage(iris.drop(columns='species').values, method='average', metric='euclidean')
plt.figure(figsize=(10, 5))
dendrogram(Z, p=12, truncate_mode='lastp', leaf_rotation=45, color_threshold=1.8)
plt.axhline(y=1.8, c='r', linestyle='--', label='cut')
plt.legend()
plt.title('Iris dendrogram (truncated)')
# %% right, before show: labels
plt.xlabel('cluster')
plt.ylabel('distance')
plt.title('Hierarchical clustering')
# %% right, before: wide figure
plt.rcParams['axes.grid'] = True
# %% right: no counts in brackets shown smaller, other colours
fig, ax = plt.subplots(figsize=(9, 4), layout='constrained')
hierarchy.dendrogram(hierarchy.average(iris.iloc[:, :4]), truncate_mode='lastp', p=12, leaf_font_size=8, color_threshold=0, ax=ax)
ax.axhline(1.8, color='red', linestyle='dashed', lw=1)
ax.set_title('Average linkage'); ax.set_ylabel('Distance')
# %% wrong, changed: complete linkage
#- Z = linkage(iris.iloc[:, :4].values, 'average')
Z = linkage(iris.iloc[:, :4].values, 'complete')
# %% wrong, changed: not truncated
#- dendrogram(Z, truncate_mode='lastp', p=12)
dendrogram(Z)
# %% wrong, changed: no line
#- plt.axhline(1.8, color='red', ls='--')
# %% wrong, changed: line at another height
#- plt.axhline(1.8, color='red', ls='--')
plt.axhline(3, color='red', ls='--')
# %% wrong, changed: petal columns only
#- Z = linkage(iris.iloc[:, :4].values, 'average')
Z = linkage(iris[['petal_length', 'petal_width']].values, 'average')

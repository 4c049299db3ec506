# %% setup
from PIL import Image
iris = pd.read_csv('data/iris.csv')
passengers = pd.read_csv('data/airline-passengers.csv')
passengers['year'] = passengers['month'].str[:4].astype(int)
passengers['mon'] = passengers['month'].str[5:].astype(int)
# %% gold: correlations of the iris measures, annotated
c = iris.drop(columns='species').corr()
sns.heatmap(c, annot=True, fmt='.2f')
plt.title('Correlations')
plt.tight_layout()
# %% right: other colours
c = iris.select_dtypes('number').corr(method='pearson')
plt.figure(figsize=(8, 7))
sns.heatmap(c, annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1, square=True, linewidths=.5)
plt.title('Correlations')
# %% right: imshow with the numbers written on it
cols = list(iris.columns[:4])
c = np.corrcoef(iris[cols].to_numpy().T)
fig, ax = plt.subplots()
im = ax.imshow(c, cmap='viridis')
for i in range(4):
    for j in range(4):
        ax.text(j, i, f'{c[i, j]:.2f}', ha='center', va='center', color='w')
ax.set_xticks(range(4), cols, rotation=90)
ax.set_yticks(range(4), cols)
fig.colorbar(im)
ax.set_title('Correlations')
# %% wrong, changed: covariances
#- c = iris.drop(columns='species').corr()
c = iris.drop(columns='species').cov()
# %% wrong, changed: within one species
#- c = iris.drop(columns='species').corr()
c = iris[iris['species'] == 'setosa'].drop(columns='species').corr()
# %% wrong, changed: names in another order than the numbers
#- sns.heatmap(c, annot=True, fmt='.2f')
names = sorted(c.columns)
sns.heatmap(c.to_numpy(), annot=True, fmt='.2f', xticklabels=names, yticklabels=names)
# %% gold: passengers by year and month
t = passengers.pivot(index='year', columns='mon', values='passengers')
sns.heatmap(t, cmap='viridis')
plt.title('Passengers'); plt.xlabel('month'); plt.ylabel('year')
# %% right: imshow
t = passengers.set_index(['year', 'mon'])['passengers'].unstack()
fig, ax = plt.subplots(figsize=(7, 6))
im = ax.imshow(t.to_numpy(), aspect='auto', cmap='magma')
ax.set_xticks(range(12), t.columns)
ax.set_yticks(range(12), t.index)
fig.colorbar(im, ax=ax)
ax.set(title='Passengers', xlabel='month', ylabel='year')
# %% right: pcolormesh turned to have the first year on top
a = passengers['passengers'].to_numpy().reshape(12, 12)
plt.pcolormesh(a, cmap='cividis')
plt.gca().invert_yaxis()
plt.xticks(np.arange(12) + .5, range(1, 13))
plt.yticks(np.arange(12) + .5, range(1949, 1961))
plt.colorbar()
plt.title('Passengers'); plt.xlabel('month'); plt.ylabel('year')
# %% wrong, changed: months down, years across
#- t = passengers.pivot(index='year', columns='mon', values='passengers')
t = passengers.pivot(index='mon', columns='year', values='passengers')
# %% wrong, changed: share of the year
#- sns.heatmap(t, cmap='viridis')
sns.heatmap(t.div(t.sum(axis=1), axis=0), cmap='viridis')
# %% wrong, changed: half of the months
#- t = passengers.pivot(index='year', columns='mon', values='passengers')
t = passengers.pivot(index='year', columns='mon', values='passengers').loc[:, :6]
# %% gold: the picture of the cat
img = plt.imread('data/chelsea.png')
plt.imshow(img)
plt.axis('off')
plt.title('Cat')
# %% right: read by PIL as bytes
img = np.asarray(Image.open('data/chelsea.png').convert('RGB'))
fig, ax = plt.subplots(figsize=(8, 6))
ax.imshow(img)
ax.set_axis_off()
ax.set_title('Cat')
# %% right: bytes scaled to fractions
img = np.array(Image.open('data/chelsea.png')).astype(float) / 255
plt.imshow(img, interpolation='nearest')
plt.title('Cat', fontsize=20)
plt.axis('off')
# %% wrong, changed: red and blue swapped
#- img = plt.imread('data/chelsea.png')
img = plt.imread('data/chelsea.png')[:, :, ::-1]
# %% wrong, changed: upside down
#- img = plt.imread('data/chelsea.png')
img = plt.imread('data/chelsea.png')[::-1]
# %% wrong: gray
img = plt.imread('data/chelsea.png').mean(axis=2)
plt.imshow(img, cmap='gray')
plt.axis('off')
plt.title('Cat')

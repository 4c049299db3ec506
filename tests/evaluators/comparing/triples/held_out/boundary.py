# %% setup
from matplotlib.colors import ListedColormap
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
iris = pd.read_csv('data/iris.csv')
codes = {'setosa': 0, 'versicolor': 1, 'virginica': 2}
# %% gold: Fit a 15-nearest-neighbours classifier of the iris species (codes in the dict codes) on petal_length (x) and petal_width (y) of all rows. Show its decision regions as filled areas over x from 0 to 8 and y from 0 to 3 (a mesh of 200x200 points), with the 150 flowers as scatter points coloured by species above. Label the axes 'petal_length' and 'petal_width'.
Xd = iris[['petal_length', 'petal_width']].values
y = iris['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.figure(figsize=(8, 5))
plt.contourf(xx, yy, Z, alpha=0.3, cmap='viridis')
plt.scatter(Xd[:, 0], Xd[:, 1], c=y, cmap='viridis', edgecolor='k')
plt.xlabel('petal_length')
plt.ylabel('petal_width')
# %% right: pcolormesh and one scatter per species with a legend
Xd = iris[['petal_length', 'petal_width']].to_numpy()
y = iris['species'].map(codes).to_numpy()
knn = KNeighborsClassifier(n_neighbors=15)
knn.fit(Xd, y)
gx, gy = np.linspace(0, 8, 200), np.linspace(0, 3, 200)
xx, yy = np.meshgrid(gx, gy)
Z = knn.predict(np.column_stack([xx.ravel(), yy.ravel()])).reshape(200, 200)
fig, ax = plt.subplots()
ax.pcolormesh(xx, yy, Z, cmap=ListedColormap(['#ffcccc', '#ccffcc', '#ccccff']), shading='auto')
for (name, k), c in zip(codes.items(), ['red', 'green', 'blue']):
    m = y == k
    ax.scatter(Xd[m, 0], Xd[m, 1], color=c, label=name, s=25)
ax.set_xlabel('petal_length'); ax.set_ylabel('petal_width')
ax.legend()
# %% right: levels between the classes, title
X2 = iris[['petal_length', 'petal_width']].values
t = iris.species.map(codes)
model = KNeighborsClassifier(n_neighbors=15).fit(X2, t)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = model.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
fig, ax = plt.subplots(figsize=(9, 6))
ax.contourf(xx, yy, Z, levels=[-.5, .5, 1.5, 2.5], colors=['tab:blue', 'tab:orange', 'tab:green'], alpha=.25)
for k, c in enumerate(['tab:blue', 'tab:orange', 'tab:green']):
    ax.plot(X2[t == k, 0], X2[t == k, 1], 'o', color=c, ms=5)
ax.set(xlabel='petal_length', ylabel='petal_width', title='kNN, k = 15')
# %% right: DecisionBoundaryDisplay-like imshow of the mesh
Xd = iris[['petal_length', 'petal_width']].values
y = iris['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.imshow(Z, extent=(0, 8, 0, 3), origin='lower', aspect='auto', cmap='Pastel1', interpolation='nearest')
plt.scatter(iris.petal_length, iris.petal_width, c=y, cmap='Set1', edgecolors='white')
plt.xlabel('petal_length'); plt.ylabel('petal_width')
# %% right, before show: a title
plt.title('Decision regions of kNN on iris')
plt.tight_layout()
# %% wrong: sepal columns
Xd = iris[['sepal_length', 'sepal_width']].values
y = iris['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.contourf(xx, yy, Z, alpha=0.3, cmap='viridis')
plt.scatter(Xd[:, 0], Xd[:, 1], c=y, cmap='viridis', edgecolor='k')
plt.xlabel('petal_length'); plt.ylabel('petal_width')
# %% wrong: axes exchanged
Xd = iris[['petal_width', 'petal_length']].values
y = iris['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 3, 200), np.linspace(0, 8, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.contourf(xx, yy, Z, alpha=0.3, cmap='viridis')
plt.scatter(Xd[:, 0], Xd[:, 1], c=y, cmap='viridis', edgecolor='k')
plt.xlabel('petal_width'); plt.ylabel('petal_length')
# %% wrong: no decision regions
plt.scatter(iris.petal_length, iris.petal_width, c=iris.species.map(codes), edgecolor='k')
plt.xlabel('petal_length'); plt.ylabel('petal_width')
# %% wrong: regions without the points
Xd = iris[['petal_length', 'petal_width']].values
y = iris['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.contourf(xx, yy, Z, alpha=0.3, cmap='viridis')
plt.xlabel('petal_length'); plt.ylabel('petal_width')
# %% wrong: two of the three species only
iris2 = iris[iris.species != 'virginica']
Xd = iris2[['petal_length', 'petal_width']].values
y = iris2['species'].map(codes).values
clf = KNeighborsClassifier(15).fit(Xd, y)
xx, yy = np.meshgrid(np.linspace(0, 8, 200), np.linspace(0, 3, 200))
Z = clf.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.contourf(xx, yy, Z, alpha=0.3, cmap='viridis')
plt.scatter(Xd[:, 0], Xd[:, 1], c=y, cmap='viridis', edgecolor='k')
plt.xlabel('petal_length'); plt.ylabel('petal_width')
# %% gold: Take the setosa and versicolor flowers, fit a linear SVC (kernel='linear', C=1) on sepal_length (x) and sepal_width (y) without scaling, and plot the flowers as scatter points coloured by species together with the separating line in black, drawn for x from 4 to 7.5. Title: 'Linear SVM'. Limit the y axis to 1.5 to 5.
d = iris[iris.species != 'virginica']
svc = SVC(kernel='linear', C=1).fit(d[['sepal_length', 'sepal_width']].values, d.species.map(codes))
w, b = svc.coef_[0], svc.intercept_[0]
xs = np.linspace(4, 7.5, 50)
plt.figure()
for s, g in d.groupby('species'):
    plt.scatter(g.sepal_length, g.sepal_width, label=s)
plt.plot(xs, -(w[0]*xs + b)/w[1], 'k-')
plt.ylim(1.5, 5)
plt.title('Linear SVM')
plt.legend()
# %% right: line by two points, one scatter with c
d = iris[iris.species.isin(['setosa', 'versicolor'])]
X = d[['sepal_length', 'sepal_width']].to_numpy()
y = d.species.map(codes).to_numpy()
m = SVC(kernel='linear', C=1).fit(X, y)
(a1, a2), c = m.coef_[0], m.intercept_[0]
fig, ax = plt.subplots(figsize=(8, 6))
ax.scatter(X[:, 0], X[:, 1], c=y, cmap='coolwarm', edgecolors='k')
ends = np.array([4, 7.5])
ax.plot(ends, -(a1*ends + c)/a2, color='black', lw=2)
ax.set_ylim(1.5, 5)
ax.set_title('Linear SVM')
ax.set_xlabel('sepal length'); ax.set_ylabel('sepal width')
# %% right: seaborn scatter
import seaborn as sns
d = iris.query("species != 'virginica'")
m = SVC(kernel='linear', C=1.0).fit(d[['sepal_length', 'sepal_width']].values, d.species)
w = m.coef_[0]
xs = np.linspace(4, 7.5, 100)
ax = sns.scatterplot(data=d, x='sepal_length', y='sepal_width', hue='species', palette='Set2')
ax.plot(xs, -w[0]/w[1]*xs - m.intercept_[0]/w[1], color='k', label='boundary')
ax.set(ylim=(1.5, 5), title='Linear SVM')
ax.legend(loc='upper left')
# %% right, before show: labels and a grid
plt.xlabel('sepal length (cm)')
plt.ylabel('sepal width (cm)')
plt.grid(alpha=.3)
# %% right, before: a style
plt.style.use('ggplot')
# %% right: markers per species, line solved for x2
d = iris[iris['species'] != 'virginica']
m = SVC(C=1, kernel='linear').fit(d[['sepal_length', 'sepal_width']].to_numpy(), d['species'].to_numpy())
a = -m.coef_[0, 0] / m.coef_[0, 1]
x = np.linspace(4, 7.5)
plt.figure(figsize=(7, 6))
plt.plot(x, a*x - m.intercept_[0] / m.coef_[0, 1], color='black', label='separating line')
for s, c, k in [('versicolor', 'tab:purple', '^'), ('setosa', 'tab:olive', 'o')]:
    plt.scatter(d.loc[d.species == s, 'sepal_length'], d.loc[d.species == s, 'sepal_width'], c=c, marker=k, label=s)
plt.ylim(1.5, 5); plt.title('Linear SVM'); plt.legend(loc='lower right'); plt.xlabel('sepal_length'); plt.ylabel('sepal_width')
# %% wrong: sign of the intercept lost
d = iris[iris.species != 'virginica']
svc = SVC(kernel='linear', C=1).fit(d[['sepal_length', 'sepal_width']].values, d.species.map(codes))
w, b = svc.coef_[0], svc.intercept_[0]
xs = np.linspace(4, 7.5, 50)
for s, g in d.groupby('species'):
    plt.scatter(g.sepal_length, g.sepal_width, label=s)
plt.plot(xs, -(w[0]*xs)/w[1], 'k-')
plt.ylim(1.5, 5)
plt.title('Linear SVM')
plt.legend()
# %% wrong, changed: versicolor against virginica
#- d = iris[iris.species != 'virginica']
d = iris[iris.species != 'setosa']
#- plt.figure()
# %% wrong: points without the line
d = iris[iris.species != 'virginica']
for s, g in d.groupby('species'):
    plt.scatter(g.sepal_length, g.sepal_width, label=s)
plt.ylim(1.5, 5); plt.xlim(4, 7.5)
plt.title('Linear SVM')
plt.legend()
# %% wrong, changed: no distinction of the species
#- plt.figure()
#- for s, g in d.groupby('species'):
#-     plt.scatter(g.sepal_length, g.sepal_width, label=s)
plt.scatter(d.sepal_length, d.sepal_width)
#- plt.legend()
# %% wrong, before show: another title
plt.title('Logistic regression')

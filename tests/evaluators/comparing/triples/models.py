# %% setup
from sklearn.model_selection import train_test_split
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.decomposition import PCA
from sklearn.cluster import KMeans
from sklearn.metrics import ConfusionMatrixDisplay
wine = pd.read_csv('data/wine.csv')
iris = pd.read_csv('data/iris.csv')
Xw = wine.drop(columns='cultivar')
yw = wine['cultivar']
Wtr, Wte, wtr, wte = train_test_split(Xw, yw, test_size=0.4, random_state=1)
tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(Wtr, wtr)
pred = tree.predict(Wte)
# %% gold: Plot the confusion matrix of the test predictions pred against the true wine cultivars wte (counts, annotated) as a heat map: true classes as rows, predicted classes as columns. Label the axes 'True label' and 'Predicted label'.
ConfusionMatrixDisplay.from_predictions(wte, pred)
# %% wrong: normalised
ConfusionMatrixDisplay.from_predictions(wte, pred, normalize='true')
# %% gold: Fit KNeighborsClassifier(n_neighbors=15) on the columns petal_length and petal_width of iris (all rows, not scaled) and show its decision regions (x petal_length from 0.5 to 7.5, y petal_width from 0 to 3) as filled areas with the data points coloured by species on top. Label the axes 'petal length' and 'petal width'.
X = iris[['petal_length', 'petal_width']].values
y = pd.factorize(iris.species)[0]
k = KNeighborsClassifier(n_neighbors=15).fit(X, y)
xx, yy = np.meshgrid(np.linspace(0.5, 7.5, 200), np.linspace(0, 3, 200))
Z = k.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.contourf(xx, yy, Z, alpha=0.3)
plt.scatter(X[:, 0], X[:, 1], c=y)
plt.xlabel('petal length')
plt.ylabel('petal width')
# %% right, before show: title
plt.title('Decision regions')
plt.xlim(0.5, 7.5)
# %% wrong: only the points
plt.scatter(iris.petal_length, iris.petal_width, c=pd.factorize(iris.species)[0])
plt.xlabel('petal length')
plt.ylabel('petal width')
# %% wrong, changed: two classes
#- y = pd.factorize(iris.species)[0]
y = (iris.species == 'virginica').astype(int).values
# %% gold: Standardise the wine features (Xw), compute the PCA and plot the cumulative explained variance ratio against the number of components (1 to 13) as a line with markers; draw a horizontal dashed line at 0.9. Label the axes 'number of components' and 'cumulative explained variance'.
p = PCA().fit(StandardScaler().fit_transform(Xw))
plt.plot(range(1, 14), np.cumsum(p.explained_variance_ratio_), 'o-')
plt.axhline(0.9, linestyle='--', color='r')
plt.xlabel('number of components')
plt.ylabel('cumulative explained variance')
# %% right, before show: title
plt.title('Explained variance')
plt.tight_layout()
# %% wrong, changed: not standardised
#- p = PCA().fit(StandardScaler().fit_transform(Xw))
p = PCA().fit(Xw)
# %% wrong, changed: no line
#- plt.axhline(0.9, linestyle='--', color='r')
# %% gold: Draw the elbow plot of k-means on iris (the four measurements): the inertia for k = 1 to 8 (random_state=0, n_init=10) against k as a line with markers. Title 'Elbow plot', x label 'k', y label 'inertia'.
X = iris.drop(columns='species')
v = [KMeans(k, n_init=10, random_state=0).fit(X).inertia_ for k in range(1, 9)]
plt.plot(range(1, 9), v, 'o-')
plt.title('Elbow plot')
plt.xlabel('k')
plt.ylabel('inertia')
# %% right, changed: seaborn
#- X = iris.drop(columns='species')
X = iris[['sepal_length', 'sepal_width', 'petal_length', 'petal_width']]
#- plt.plot(range(1, 9), v, 'o-')
sns.lineplot(x=list(range(1, 9)), y=v, marker='o')
# %% right, before show: the elbow marked
plt.axvline(3, color='gray', ls=':')
plt.xticks(range(1, 9))
# %% wrong, changed: title missing
#- plt.title('Elbow plot')

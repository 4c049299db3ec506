# %% setup
from sklearn.model_selection import train_test_split, learning_curve
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.pipeline import make_pipeline
from sklearn.decomposition import PCA
from sklearn.cluster import KMeans
from sklearn.metrics import confusion_matrix, ConfusionMatrixDisplay, roc_curve, auc, RocCurveDisplay
from scipy.cluster.hierarchy import linkage, dendrogram
wine = pd.read_csv('data/wine.csv')
iris = pd.read_csv('data/iris.csv')
bc = pd.read_csv('data/breast_cancer.csv')
crime = pd.read_csv('data/statecrime.csv')
Xb = bc.iloc[:, :10]
yb = (bc.iloc[:, -1] == 'malignant').astype(int)
Xtr, Xte, ytr, yte = train_test_split(Xb, yb, test_size=0.3, random_state=0, stratify=yb)
logreg = make_pipeline(StandardScaler(), LogisticRegression()).fit(Xtr, ytr)
bayes = GaussianNB().fit(Xtr, ytr)
Xw = wine.drop(columns='cultivar')
yw = wine['cultivar']
Wtr, Wte, wtr, wte = train_test_split(Xw, yw, test_size=0.4, random_state=1)
tree = DecisionTreeClassifier(max_depth=2, random_state=0).fit(Wtr, wtr)
pred = tree.predict(Wte)
# %% gold: Plot the confusion matrix of the test predictions pred against the true wine cultivars wte (counts, annotated) as a heat map: true classes as rows, predicted classes as columns. Label the axes 'True label' and 'Predicted label'.
ConfusionMatrixDisplay.from_predictions(wte, pred)
plt.show()
# %% right: seaborn
cm = confusion_matrix(wte, pred)
sns.heatmap(cm, annot=True, fmt='d', cmap='Blues', xticklabels=tree.classes_, yticklabels=tree.classes_)
plt.xlabel('Predicted label')
plt.ylabel('True label')
plt.title('Confusion matrix')
plt.show()
# %% right: another map, no colour bar
fig, ax = plt.subplots(figsize=(5, 5))
ConfusionMatrixDisplay(confusion_matrix(wte, pred), display_labels=tree.classes_).plot(ax=ax, cmap='Oranges', colorbar=False)
plt.show()
# %% right: crosstab
ct = pd.crosstab(wte.values, pred, rownames=['True label'], colnames=['Predicted label'])
plt.figure(figsize=(6, 4))
sns.heatmap(ct, annot=True, fmt='g', cbar=False, cmap='Greens')
plt.show()
# %% right: imshow
cm = confusion_matrix(wte, pred)
plt.imshow(cm, cmap='Blues')
plt.colorbar()
for i in range(3):
    for j in range(3):
        plt.text(j, i, cm[i, j], ha='center', va='center', color='red')
plt.xticks(range(3), tree.classes_)
plt.yticks(range(3), tree.classes_)
plt.xlabel('Predicted label')
plt.ylabel('True label')
plt.tight_layout()
plt.show()
# %% wrong: transposed
ConfusionMatrixDisplay(confusion_matrix(pred, wte), display_labels=tree.classes_).plot()
plt.show()
# %% wrong: normalised
ConfusionMatrixDisplay.from_predictions(wte, pred, normalize='true')
plt.show()
# %% wrong: training data
ConfusionMatrixDisplay.from_predictions(wtr, tree.predict(Wtr))
plt.show()
# %% wrong: no numbers
ConfusionMatrixDisplay.from_predictions(wte, pred, include_values=False)
plt.show()
# %% wrong: axis labels exchanged
sns.heatmap(confusion_matrix(wte, pred), annot=True, fmt='d', cmap='Blues', xticklabels=tree.classes_, yticklabels=tree.classes_)
plt.xlabel('True label')
plt.ylabel('Predicted label')
plt.show()
# %% gold: Plot the ROC curves of the fitted models logreg and bayes on the test set (Xte, yte; positive class 1) in one axes, with the dashed diagonal of chance, axis labels 'False positive rate' and 'True positive rate', and a legend that names the models 'logistic regression' and 'naive Bayes'.
for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
    f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
    plt.plot(f, t, label=n)
plt.plot([0, 1], [0, 1], 'k--')
plt.xlabel('False positive rate')
plt.ylabel('True positive rate')
plt.legend()
plt.show()
# %% right: with the AUC in the legend
fig, ax = plt.subplots(figsize=(6, 6))
for m, n, c in [(bayes, 'naive Bayes', 'g'), (logreg, 'logistic regression', 'm')]:
    f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1], drop_intermediate=False)
    ax.plot(f, t, c, lw=2, label=f'{n} (AUC = {auc(f, t):.3f})')
ax.plot([0, 1], [0, 1], ls='--', color='gray', label='chance')
ax.set(xlabel='False positive rate', ylabel='True positive rate', title='ROC')
ax.legend(loc='lower right')
plt.show()
# %% right: displays of sklearn
fig, ax = plt.subplots()
RocCurveDisplay.from_estimator(logreg, Xte, yte, name='logistic regression', ax=ax)
RocCurveDisplay.from_estimator(bayes, Xte, yte, name='naive Bayes', ax=ax, plot_chance_level=True, chance_level_kw={'linestyle': '--'})
ax.set_xlabel('False positive rate')
ax.set_ylabel('True positive rate')
plt.show()
# %% right: decision function
f1, t1, _ = roc_curve(yte, logreg.decision_function(Xte))
f2, t2, _ = roc_curve(yte, bayes.predict_log_proba(Xte)[:, 1])
plt.plot(f1, t1, color='navy', label='logistic regression')
plt.plot(f2, t2, color='darkorange', label='naive Bayes')
plt.plot(np.linspace(0, 1, 50), np.linspace(0, 1, 50), 'r--')
plt.xlim(-0.02, 1.02); plt.ylim(-0.02, 1.02)
plt.xlabel('False positive rate')
plt.ylabel('True positive rate')
plt.legend()
plt.show()
# %% right, before show: grid
plt.grid()
plt.title('ROC curves')
# %% wrong, changed: hard predictions
#- for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
#-     f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
    f, t, _ = roc_curve(yte, m.predict(Xte))
# %% wrong, changed: class 0
#- for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
#-     f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
    f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 0])
# %% wrong, changed: one model
#- for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
#-     f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
#-     plt.plot(f, t, label=n)
f, t, _ = roc_curve(yte, logreg.predict_proba(Xte)[:, 1])
plt.plot(f, t, label='logistic regression')
# %% wrong, changed: no diagonal
#- plt.plot([0, 1], [0, 1], 'k--')
# %% wrong, changed: axes exchanged
#- for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
#-     f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
#-     plt.plot(f, t, label=n)
for m, n in [(logreg, 'logistic regression'), (bayes, 'naive Bayes')]:
    f, t, _ = roc_curve(yte, m.predict_proba(Xte)[:, 1])
    plt.plot(t, f, label=n)
# %% gold: Plot the learning curve of GaussianNB() on (Xb, yb) by sklearn's learning_curve with cv=5 and train_sizes=np.linspace(0.1, 1, 5), no shuffling: the mean training score and the mean cross-validation score against the number of training samples, with markers and a legend ('training score', 'cross-validation score').
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
plt.plot(n, a.mean(axis=1), 'o-', label='training score')
plt.plot(n, b.mean(axis=1), 'o-', label='cross-validation score')
plt.legend()
plt.show()
# %% right: object API, colours, labels
fig, ax = plt.subplots(figsize=(8, 5))
sizes, tr, cv = learning_curve(GaussianNB(), Xb.values, yb.values, train_sizes=np.linspace(0.1, 1.0, 5), cv=5)
ax.plot(sizes, np.mean(tr, axis=1), marker='s', color='r', label='training score')
ax.plot(sizes, np.mean(cv, axis=1), marker='^', color='g', label='cross-validation score')
ax.set(xlabel='training samples', ylabel='accuracy', title='Learning curve')
ax.grid(True)
ax.legend(loc='best')
plt.show()
# %% right: a frame
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
pd.DataFrame({'training score': a.mean(1), 'cross-validation score': b.mean(1)}, index=n).plot(marker='o', style='--')
plt.ylabel('score')
plt.show()
# %% right: band of the deviation around it
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5), scoring='accuracy')
for s, l in ((a, 'training score'), (b, 'cross-validation score')):
    plt.plot(n, s.mean(1), 'o-', label=l)
    plt.fill_between(n, s.mean(1) - s.std(1), s.mean(1) + s.std(1), alpha=0.1)
plt.legend()
plt.xlabel('Number of training samples')
plt.show()
# %% right, before show: labels
plt.xlabel('samples')
plt.ylabel('score')
plt.title('Naive Bayes')
# %% wrong: labels exchanged
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
plt.plot(n, a.mean(axis=1), 'o-', label='cross-validation score')
plt.plot(n, b.mean(axis=1), 'o-', label='training score')
plt.legend()
plt.show()
# %% wrong: errors
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
plt.plot(n, 1 - a.mean(axis=1), 'o-', label='training score')
plt.plot(n, 1 - b.mean(axis=1), 'o-', label='cross-validation score')
plt.legend()
plt.show()
# %% wrong, changed: only the training score
#- plt.plot(n, b.mean(axis=1), 'o-', label='cross-validation score')
# %% wrong: against the fraction
n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
plt.plot(np.linspace(0.1, 1, 5), a.mean(axis=1), 'o-', label='training score')
plt.plot(np.linspace(0.1, 1, 5), b.mean(axis=1), 'o-', label='cross-validation score')
plt.legend()
plt.show()
# %% wrong, changed: another model
#- n, a, b = learning_curve(GaussianNB(), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
n, a, b = learning_curve(DecisionTreeClassifier(random_state=0), Xb, yb, cv=5, train_sizes=np.linspace(0.1, 1, 5))
# %% gold: Standardise the numeric columns of the statecrime data (crime), cluster the states hierarchically with Ward's method and draw the dendrogram with the state names as leaf labels. Title: 'US states'.
Z = linkage(StandardScaler().fit_transform(crime.drop(columns='state')), 'ward')
plt.figure(figsize=(12, 5))
dendrogram(Z, labels=crime.state.tolist())
plt.title('US states')
plt.show()
# %% right: leaves rotated, object API
X = StandardScaler().fit_transform(crime.set_index('state'))
fig, ax = plt.subplots(figsize=(14, 6))
dendrogram(linkage(X, method='ward'), labels=list(crime['state']), ax=ax, leaf_rotation=90, leaf_font_size=9)
ax.set_title('US states')
ax.set_ylabel('distance')
plt.tight_layout()
plt.show()
# %% right: one colour
d = crime.select_dtypes('number')
d = (d - d.mean()) / d.std(ddof=0)
plt.figure(figsize=(10, 6))
dendrogram(linkage(d.values, 'ward'), labels=crime['state'].values, color_threshold=0, above_threshold_color='k')
plt.title('US states', fontsize=15)
plt.xticks(rotation=90)
plt.show()
# %% right: lower colour threshold
Z = linkage(StandardScaler().fit_transform(crime.iloc[:, 1:]), method='ward', metric='euclidean')
plt.figure(figsize=(9, 9))
dendrogram(Z, labels=crime.state.tolist(), color_threshold=5)
plt.title('US states')
plt.grid(False)
plt.show()
# %% right, before show: label and line
plt.ylabel('Ward distance')
plt.xlabel('state')
# %% wrong, changed: not standardised
#- Z = linkage(StandardScaler().fit_transform(crime.drop(columns='state')), 'ward')
Z = linkage(crime.drop(columns='state'), 'ward')
# %% wrong, changed: single
#- Z = linkage(StandardScaler().fit_transform(crime.drop(columns='state')), 'ward')
Z = linkage(StandardScaler().fit_transform(crime.drop(columns='state')), 'single')
# %% wrong, changed: no names
#- dendrogram(Z, labels=crime.state.tolist())
dendrogram(Z)
# %% wrong, changed: truncated
#- dendrogram(Z, labels=crime.state.tolist())
dendrogram(Z, labels=crime.state.tolist(), truncate_mode='lastp', p=10)
# %% wrong: columns clustered
X = StandardScaler().fit_transform(crime.drop(columns='state'))
dendrogram(linkage(X.T, 'ward'), labels=crime.columns[1:].tolist())
plt.title('US states')
plt.show()
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
plt.show()
# %% right: pcolormesh, own colours
from matplotlib.colors import ListedColormap
X = iris[['petal_length', 'petal_width']].to_numpy()
y = iris.species.map({'setosa': 0, 'versicolor': 1, 'virginica': 2}).to_numpy()
k = KNeighborsClassifier(15).fit(X, y)
xx, yy = np.meshgrid(np.arange(0.5, 7.5, 0.02), np.arange(0, 3, 0.02))
Z = k.predict(np.column_stack([xx.ravel(), yy.ravel()])).reshape(xx.shape)
fig, ax = plt.subplots(figsize=(8, 6))
ax.pcolormesh(xx, yy, Z, cmap=ListedColormap(['#ffaaaa', '#aaffaa', '#aaaaff']), shading='auto')
ax.scatter(X[:, 0], X[:, 1], c=y, cmap=ListedColormap(['r', 'g', 'b']), edgecolor='k', s=30)
ax.set_xlabel('petal length'); ax.set_ylabel('petal width')
ax.set_xlim(0.5, 7.5); ax.set_ylim(0, 3)
plt.show()
# %% right, changed: levels, scatter per species with a legend
#- y = pd.factorize(iris.species)[0]
y = iris.species.astype('category').cat.codes.values
#- xx, yy = np.meshgrid(np.linspace(0.5, 7.5, 200), np.linspace(0, 3, 200))
xx, yy = np.meshgrid(np.linspace(0.5, 7.5, 300), np.linspace(0, 3, 300))
#- plt.contourf(xx, yy, Z, alpha=0.3)
#- plt.scatter(X[:, 0], X[:, 1], c=y)
plt.contourf(xx, yy, Z, levels=[-0.5, 0.5, 1.5, 2.5], colors=['C0', 'C1', 'C2'], alpha=0.25)
for i, s in enumerate(['setosa', 'versicolor', 'virginica']):
    plt.plot(X[y == i, 0], X[y == i, 1], 'o', color=f'C{i}', label=s)
plt.legend(loc='upper left')
plt.title('15 nearest neighbours')
# %% right: imshow of the classes
X = iris[['petal_length', 'petal_width']].values
c, names = pd.factorize(iris.species)
k = KNeighborsClassifier(n_neighbors=15).fit(X, c)
xx, yy = np.meshgrid(np.linspace(0.5, 7.5, 400), np.linspace(0, 3, 400))
Z = k.predict(np.c_[xx.ravel(), yy.ravel()]).reshape(xx.shape)
plt.imshow(Z, origin='lower', extent=(0.5, 7.5, 0, 3), aspect='auto', cmap='Pastel1')
sns.scatterplot(data=iris, x='petal_length', y='petal_width', hue='species', edgecolor='black')
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.show()
# %% right, before show: title
plt.title('Decision regions')
plt.xlim(0.5, 7.5)
# %% wrong: only the points
plt.scatter(iris.petal_length, iris.petal_width, c=pd.factorize(iris.species)[0])
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.show()
# %% wrong, changed: sepals
#- X = iris[['petal_length', 'petal_width']].values
X = iris[['sepal_length', 'sepal_width']].values
#- xx, yy = np.meshgrid(np.linspace(0.5, 7.5, 200), np.linspace(0, 3, 200))
xx, yy = np.meshgrid(np.linspace(4, 8, 200), np.linspace(1.5, 5, 200))
# %% wrong, changed: only the regions
#- plt.scatter(X[:, 0], X[:, 1], c=y)
# %% wrong, changed: two classes
#- y = pd.factorize(iris.species)[0]
y = (iris.species == 'virginica').astype(int).values
# %% gold: Standardise the wine features (Xw), compute the PCA and plot the cumulative explained variance ratio against the number of components (1 to 13) as a line with markers; draw a horizontal dashed line at 0.9. Label the axes 'number of components' and 'cumulative explained variance'.
p = PCA().fit(StandardScaler().fit_transform(Xw))
plt.plot(range(1, 14), np.cumsum(p.explained_variance_ratio_), 'o-')
plt.axhline(0.9, linestyle='--', color='r')
plt.xlabel('number of components')
plt.ylabel('cumulative explained variance')
plt.show()
# %% right: eigenvalues of the correlation matrix
w = np.linalg.eigvalsh(Xw.corr().values)[::-1]
fig, ax = plt.subplots(figsize=(8, 5))
ax.plot(np.arange(1, 14), np.cumsum(w) / w.sum(), marker='s', color='teal', label='cumulative')
ax.axhline(y=0.9, color='gray', ls='--', label='90 %')
ax.set_xticks(range(1, 14))
ax.set(xlabel='number of components', ylabel='cumulative explained variance', title='PCA of the wines', ylim=(0, 1.05))
ax.legend()
plt.show()
# %% right: n_components given, plot instead of axhline
p = PCA(n_components=13, random_state=0)
p.fit((Xw - Xw.mean()) / Xw.std())
c = p.explained_variance_ratio_.cumsum()
plt.plot(range(1, len(c) + 1), c, marker='x', linestyle='-', color='k')
plt.plot([1, 13], [0.9, 0.9], '--', color='green')
plt.grid(True)
plt.xlabel('number of components'); plt.ylabel('cumulative explained variance')
plt.show()
# %% right: pandas
p = make_pipeline(StandardScaler(), PCA()).fit(Xw)[-1]
pd.Series(p.explained_variance_ratio_, index=range(1, 14)).cumsum().plot(style='D-', figsize=(6, 4))
plt.hlines(0.9, 0.5, 13.5, linestyles='dashed', colors='orange')
plt.xlabel('number of components')
plt.ylabel('cumulative explained variance')
plt.show()
# %% right, before show: title
plt.title('Explained variance')
plt.tight_layout()
# %% wrong, changed: not standardised
#- p = PCA().fit(StandardScaler().fit_transform(Xw))
p = PCA().fit(Xw)
# %% wrong, changed: not cumulative
#- plt.plot(range(1, 14), np.cumsum(p.explained_variance_ratio_), 'o-')
plt.plot(range(1, 14), p.explained_variance_ratio_, 'o-')
# %% wrong, changed: from 0
#- plt.plot(range(1, 14), np.cumsum(p.explained_variance_ratio_), 'o-')
plt.plot(np.cumsum(p.explained_variance_ratio_), 'o-')
# %% wrong, changed: line at 0.5 for 0.9
#- plt.axhline(0.9, linestyle='--', color='r')
plt.axhline(0.5, linestyle='--', color='r')
# %% wrong, changed: no line
#- plt.axhline(0.9, linestyle='--', color='r')
# %% gold: Draw the elbow plot of k-means on iris (the four measurements): the inertia for k = 1 to 8 (random_state=0, n_init=10) against k as a line with markers. Title 'Elbow plot', x label 'k', y label 'inertia'.
X = iris.drop(columns='species')
v = [KMeans(k, n_init=10, random_state=0).fit(X).inertia_ for k in range(1, 9)]
plt.plot(range(1, 9), v, 'o-')
plt.title('Elbow plot')
plt.xlabel('k')
plt.ylabel('inertia')
plt.show()
# %% right: object API, dashed
d = {}
for k in range(1, 9):
    d[k] = KMeans(n_clusters=k, random_state=0, n_init=10).fit(iris.iloc[:, :4].values).inertia_
fig, ax = plt.subplots(figsize=(8, 4))
ax.plot(list(d.keys()), list(d.values()), marker='x', ls='--', color='b')
ax.set_title('Elbow plot'); ax.set_xlabel('k'); ax.set_ylabel('inertia')
ax.grid(True)
plt.show()
# %% right: pandas
X = iris.select_dtypes('number')
pd.Series({k: KMeans(k, n_init=10, random_state=0).fit(X).inertia_ for k in range(1, 9)}).plot(marker='s', color='crimson', title='Elbow plot', xlabel='k', ylabel='inertia')
plt.show()
# %% right, changed: seaborn
#- X = iris.drop(columns='species')
X = iris[['sepal_length', 'sepal_width', 'petal_length', 'petal_width']]
#- plt.plot(range(1, 9), v, 'o-')
sns.lineplot(x=list(range(1, 9)), y=v, marker='o')
# %% right, before show: the elbow marked
plt.axvline(3, color='gray', ls=':')
plt.xticks(range(1, 9))
# %% wrong, changed: from 2
#- v = [KMeans(k, n_init=10, random_state=0).fit(X).inertia_ for k in range(1, 9)]
#- plt.plot(range(1, 9), v, 'o-')
v = [KMeans(k, n_init=10, random_state=0).fit(X).inertia_ for k in range(2, 9)]
plt.plot(range(2, 9), v, 'o-')
# %% wrong, changed: standardised
#- X = iris.drop(columns='species')
X = StandardScaler().fit_transform(iris.drop(columns='species'))
# %% wrong, changed: bars
#- plt.plot(range(1, 9), v, 'o-')
plt.bar(range(1, 9), v)
# %% wrong, changed: index from 0
#- plt.plot(range(1, 9), v, 'o-')
plt.plot(v, 'o-')
# %% wrong, changed: title missing
#- plt.title('Elbow plot')

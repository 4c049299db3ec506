# %% setup
from scipy.cluster.hierarchy import dendrogram, linkage

iris = pd.read_csv('data/iris.csv')
wind = pd.read_csv('data/wind.csv')
states = pd.read_csv('data/statecrime.csv').set_index('state')
axis = np.linspace(-3, 3, 61)
X, Y = np.meshgrid(axis, axis)
Z = np.exp(-(X - 1) ** 2 - Y ** 2) - 0.7 * np.exp(-(X + 1) ** 2 - (Y - 0.5) ** 2)

# %% gold: Draw filled contours of Z over X and Y with a colour bar.
plt.contourf(X, Y, Z, levels=15)
plt.colorbar()
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% right: another map of colours
fig, ax = plt.subplots(figsize=(7, 6))
c = ax.contourf(X, Y, Z, 20, cmap='RdBu_r')
fig.colorbar(c, ax=ax, label='Z')
ax.set_xlabel('x')
ax.set_ylabel('y')
plt.show()
# %% right: the axis in place of the mesh
c = plt.contourf(axis, axis, Z, levels=15, cmap='plasma')
plt.colorbar(c)
plt.xlabel('x')
plt.ylabel('y')
plt.title('Z')
plt.show()
# %% right: with lines over it
c = plt.contourf(X, Y, Z, levels=np.linspace(Z.min(), Z.max(), 16), cmap='viridis')
plt.contour(X, Y, Z, levels=15, colors='k', linewidths=0.4)
plt.colorbar(c)
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% wrong, changed: X and Y swapped
#- plt.contourf(X, Y, Z, levels=15)
plt.contourf(Y, X, Z, levels=15)
# %% wrong, changed: negative
#- plt.contourf(X, Y, Z, levels=15)
plt.contourf(X, Y, -Z, levels=15)
# %% wrong, changed: no colour bar
#- plt.colorbar()
# %% wrong, changed: scatter
#- plt.contourf(X, Y, Z, levels=15)
plt.scatter(X, Y, c=Z, s=4)
# %% wrong, changed: one hill alone
#- plt.contourf(X, Y, Z, levels=15)
plt.contourf(X, Y, np.exp(-(X - 1) ** 2 - Y ** 2), levels=15)

# %% gold: Draw Z over X and Y as a 3-D surface, with the axes labelled x, y and z.
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, Z)
ax.set_xlabel('x')
ax.set_ylabel('y')
ax.set_zlabel('z')
plt.show()
# %% right: coloured, seen from elsewhere
fig, ax = plt.subplots(subplot_kw={'projection': '3d'}, figsize=(8, 6))
s = ax.plot_surface(X, Y, Z, cmap='viridis', edgecolor='none')
fig.colorbar(s, shrink=0.5)
ax.view_init(40, 120)
ax.set(xlabel='x', ylabel='y', zlabel='z')
plt.show()
# %% right: finer strides and a title
fig = plt.figure(figsize=(6, 6))
ax = fig.add_subplot(111, projection='3d')
ax.plot_surface(X, Y, Z, rstride=1, cstride=1, color='orange', alpha=0.8)
ax.set_xlabel('x')
ax.set_ylabel('y')
ax.set_zlabel('z')
ax.set_title('Surface')
plt.show()
# %% right: plt.axes
ax = plt.axes(projection='3d')
ax.plot_surface(X, Y, Z, cmap='coolwarm', rcount=30, ccount=30)
ax.set_xlabel('x', fontsize=14)
ax.set_ylabel('y', fontsize=14)
ax.set_zlabel('z', fontsize=14)
plt.show()
# %% wrong: negative
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, -Z)
ax.set(xlabel='x', ylabel='y', zlabel='z')
plt.show()
# %% wrong: flat contours
plt.contourf(X, Y, Z)
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% wrong: transposed
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, Z.T)
ax.set(xlabel='x', ylabel='y', zlabel='z')
plt.show()
# %% wrong: twice as high
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, 2 * Z)
ax.set(xlabel='x', ylabel='y', zlabel='z')
plt.show()

# %% gold: Make a 3-D scatter of sepal_length, sepal_width and petal_length, one colour for each species, with a legend.
ax = plt.figure().add_subplot(projection='3d')
for name, part in iris.groupby('species'):
    ax.scatter(part['sepal_length'], part['sepal_width'], part['petal_length'], label=name)
ax.set_xlabel('sepal_length')
ax.set_ylabel('sepal_width')
ax.set_zlabel('petal_length')
ax.legend()
plt.show()
# %% right: other markers and view
fig = plt.figure(figsize=(9, 7))
ax = fig.add_subplot(111, projection='3d')
for name, c, m in zip(['virginica', 'versicolor', 'setosa'], 'rgb', 'o^s'):
    p = iris[iris.species == name]
    ax.scatter(p.sepal_length, p.sepal_width, p.petal_length, c=c, marker=m, s=40, label=name)
ax.set(xlabel='sepal_length', ylabel='sepal_width', zlabel='petal_length', title='Iris in 3-D')
ax.legend(title='species')
ax.view_init(20, 45)
plt.show()
# %% right: in one call
codes, names = pd.factorize(iris['species'])
ax = plt.axes(projection='3d')
p = ax.scatter(iris['sepal_length'], iris['sepal_width'], iris['petal_length'], c=codes, cmap='brg')
ax.legend(p.legend_elements()[0], list(names))
ax.set_xlabel('sepal_length')
ax.set_ylabel('sepal_width')
ax.set_zlabel('petal_length')
plt.show()
# %% right, before show: a title
ax.set_title('Iris')
# %% wrong: in the plane
for name, part in iris.groupby('species'):
    plt.scatter(part['sepal_length'], part['sepal_width'], label=name)
plt.xlabel('sepal_length')
plt.ylabel('sepal_width')
plt.legend()
plt.show()
# %% wrong: petal width
ax = plt.figure().add_subplot(projection='3d')
for name, part in iris.groupby('species'):
    ax.scatter(part['sepal_length'], part['sepal_width'], part['petal_width'], label=name)
ax.set(xlabel='sepal_length', ylabel='sepal_width', zlabel='petal_length')
ax.legend()
plt.show()
# %% wrong: one colour, no legend
ax = plt.figure().add_subplot(projection='3d')
ax.scatter(iris['sepal_length'], iris['sepal_width'], iris['petal_length'])
ax.set(xlabel='sepal_length', ylabel='sepal_width', zlabel='petal_length')
plt.show()
# %% wrong, before: half of the points
iris = iris.iloc[::2]

# %% gold: Draw a wind rose: on polar axes with north at the top and clockwise angles, one bar for each of the 16 directions with the total frequency over all strengths.
total = wind.groupby('direction', sort=False)['frequency'].sum()
angles = np.arange(len(total)) * 2 * np.pi / len(total)
ax = plt.subplot(projection='polar')
ax.bar(angles, total, width=2 * np.pi / len(total))
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(angles, total.index)
plt.show()
# %% right: narrower bars, edges
t = wind.groupby('direction', sort=False)['frequency'].sum()
fig, ax = plt.subplots(subplot_kw={'projection': 'polar'}, figsize=(7, 7))
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
a = np.deg2rad(np.arange(0, 360, 22.5))
ax.bar(a, t.values, width=0.3, color='teal', edgecolor='k', alpha=0.7)
ax.set_xticks(a)
ax.set_xticklabels(t.index)
plt.show()
# %% right: pivoted sums and a title
t = wind.pivot_table(index='direction', values='frequency', aggfunc='sum', sort=False)['frequency']
ax = plt.subplot(111, polar=True)
ax.set(theta_offset=np.pi / 2, theta_direction=-1)
a = np.linspace(0, 2 * np.pi, 16, endpoint=False)
ax.bar(a, t, width=2 * np.pi / 16, color='C1')
ax.set_xticks(a, list(t.index))
ax.set_title('Wind')
plt.show()
# %% right, before show: labels of the radius elsewhere
ax.set_rlabel_position(120)
# %% wrong: counter-clockwise from the east
t = wind.groupby('direction', sort=False)['frequency'].sum()
a = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(a, t, width=2 * np.pi / 16)
ax.set_xticks(a, t.index)
plt.show()
# %% wrong: directions in the order of the alphabet
t = wind.groupby('direction')['frequency'].sum()
a = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(a, t, width=2 * np.pi / 16)
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(a, t.index)
plt.show()
# %% wrong: flat bars
t = wind.groupby('direction', sort=False)['frequency'].sum()
plt.bar(t.index, t)
plt.show()
# %% wrong, before: the mean of the strengths
wind = wind.assign(frequency=wind.frequency / wind.strength.nunique())
# %% wrong, before: the weakest winds alone
wind = wind[wind.strength == wind.strength.iloc[0]]

# %% gold: Cluster the first ten states by Ward linkage on the standardised columns murder, poverty and white (mean 0, standard deviation 1) and draw the dendrogram with the names of the states.
part = states[['murder', 'poverty', 'white']].iloc[:10]
part = (part - part.mean()) / part.std(ddof=0)
dendrogram(linkage(part, 'ward'), labels=part.index.tolist())
plt.xticks(rotation=90)
plt.ylabel('distance')
plt.show()
# %% right: larger, with a title
from scipy.stats import zscore
p = states.head(10)[['murder', 'poverty', 'white']].apply(zscore)
fig, ax = plt.subplots(figsize=(10, 5))
dendrogram(linkage(p.values, method='ward', metric='euclidean'), labels=list(p.index), leaf_rotation=45, ax=ax)
ax.set_title('States')
ax.set_ylabel('distance')
plt.show()
# %% right: of one colour
from sklearn.preprocessing import StandardScaler
p = states.iloc[:10][['murder', 'poverty', 'white']]
dendrogram(linkage(StandardScaler().fit_transform(p), 'ward'), labels=p.index.to_numpy(), color_threshold=0, above_threshold_color='k', leaf_rotation=90)
plt.ylabel('distance')
plt.show()
# %% right: distances first, a line where it may be cut
from scipy.spatial.distance import pdist
p = states.iloc[:10][['murder', 'poverty', 'white']]
p = (p - p.mean()) / p.std(ddof=0)
dendrogram(linkage(pdist(p), method='ward'), labels=p.index.tolist(), leaf_rotation=60, leaf_font_size=12)
plt.ylabel('distance')
plt.grid(axis='y', alpha=0.3)
plt.show()
# %% wrong: single linkage
p = states[['murder', 'poverty', 'white']].iloc[:10]
p = (p - p.mean()) / p.std(ddof=0)
dendrogram(linkage(p, 'single'), labels=p.index.tolist())
plt.xticks(rotation=90)
plt.ylabel('distance')
plt.show()
# %% wrong: not standardised
p = states[['murder', 'poverty', 'white']].iloc[:10]
dendrogram(linkage(p, 'ward'), labels=p.index.tolist())
plt.xticks(rotation=90)
plt.ylabel('distance')
plt.show()
# %% wrong: numbers for names
p = states[['murder', 'poverty', 'white']].iloc[:10]
p = (p - p.mean()) / p.std(ddof=0)
dendrogram(linkage(p, 'ward'))
plt.ylabel('distance')
plt.show()
# %% wrong, before: the next ten states
states = states.iloc[10:]
# %% wrong: one column less
p = states[['murder', 'poverty']].iloc[:10]
p = (p - p.mean()) / p.std(ddof=0)
dendrogram(linkage(p, 'ward'), labels=p.index.tolist())
plt.xticks(rotation=90)
plt.ylabel('distance')
plt.show()

# %% gold: Draw the decision regions of a k-nearest-neighbours classifier (k=15) fitted on petal_length and petal_width, with the iris points coloured by species over them.
from matplotlib.colors import ListedColormap
from sklearn.neighbors import KNeighborsClassifier
A = iris[['petal_length', 'petal_width']].to_numpy()
b = pd.factorize(iris['species'])[0]
model = KNeighborsClassifier(15).fit(A, b)
u, v = np.meshgrid(np.linspace(0.5, 7.5, 200), np.linspace(-0.4, 3, 200))
w = model.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape)
plt.contourf(u, v, w, alpha=0.3, levels=[-0.5, 0.5, 1.5, 2.5])
plt.scatter(A[:, 0], A[:, 1], c=b, edgecolor='k')
plt.xlabel('petal_length')
plt.ylabel('petal_width')
plt.show()
# %% right: the display of scikit-learn
from sklearn.inspection import DecisionBoundaryDisplay
from sklearn.neighbors import KNeighborsClassifier
A = iris[['petal_length', 'petal_width']]
b = iris['species'].astype('category').cat.codes
model = KNeighborsClassifier(n_neighbors=15).fit(A, b)
d = DecisionBoundaryDisplay.from_estimator(model, A, response_method='predict', alpha=0.4, cmap='coolwarm', xlabel='petal_length', ylabel='petal_width')
d.ax_.scatter(A['petal_length'], A['petal_width'], c=b, cmap='coolwarm', edgecolor='k')
plt.show()
# %% right: pcolormesh and a legend
from sklearn.neighbors import KNeighborsClassifier
A = iris[['petal_length', 'petal_width']].to_numpy()
b = pd.factorize(iris['species'])[0]
model = KNeighborsClassifier(15).fit(A, b)
u, v = np.meshgrid(np.arange(0.5, 7.5, 0.02), np.arange(-0.4, 3, 0.02))
plt.pcolormesh(u, v, model.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape), alpha=0.3, cmap='brg')
for k, name in enumerate(iris['species'].unique()):
    plt.scatter(*A[b == k].T, label=name, color=plt.get_cmap('brg')(k / 2), edgecolor='k')
plt.xlabel('petal_length')
plt.ylabel('petal_width')
plt.legend()
plt.show()
# %% right: a finer mesh, a title
from sklearn.neighbors import KNeighborsClassifier
A = iris[['petal_length', 'petal_width']].values
b = iris['species'].map({'setosa': 0, 'versicolor': 1, 'virginica': 2}).values
model = KNeighborsClassifier(15).fit(A, b)
u, v = np.meshgrid(np.linspace(A[:, 0].min() - 0.5, A[:, 0].max() + 0.5, 300), np.linspace(A[:, 1].min() - 0.5, A[:, 1].max() + 0.5, 300))
fig, ax = plt.subplots(figsize=(8, 6))
ax.contourf(u, v, model.predict(np.column_stack([u.ravel(), v.ravel()])).reshape(u.shape), alpha=0.4, cmap='Pastel1')
ax.scatter(A[:, 0], A[:, 1], c=b, cmap='Set1', s=30)
ax.set(xlabel='petal_length', ylabel='petal_width', title='KNN (k = 15)')
plt.show()
# %% wrong: no regions
b = pd.factorize(iris['species'])[0]
plt.scatter(iris['petal_length'], iris['petal_width'], c=b, edgecolor='k')
plt.xlabel('petal_length')
plt.ylabel('petal_width')
plt.show()
# %% wrong: sepals
from sklearn.neighbors import KNeighborsClassifier
A = iris[['sepal_length', 'sepal_width']].to_numpy()
b = pd.factorize(iris['species'])[0]
model = KNeighborsClassifier(15).fit(A, b)
u, v = np.meshgrid(np.linspace(4, 8.4, 200), np.linspace(1.5, 4.9, 200))
plt.contourf(u, v, model.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape), alpha=0.3, levels=[-0.5, 0.5, 1.5, 2.5])
plt.scatter(A[:, 0], A[:, 1], c=b, edgecolor='k')
plt.xlabel('petal_length')
plt.ylabel('petal_width')
plt.show()
# %% wrong: no points
from sklearn.neighbors import KNeighborsClassifier
A = iris[['petal_length', 'petal_width']].to_numpy()
model = KNeighborsClassifier(15).fit(A, pd.factorize(iris['species'])[0])
u, v = np.meshgrid(np.linspace(0.5, 7.5, 200), np.linspace(-0.4, 3, 200))
plt.contourf(u, v, model.predict(np.c_[u.ravel(), v.ravel()]).reshape(u.shape), alpha=0.3, levels=[-0.5, 0.5, 1.5, 2.5])
plt.xlabel('petal_length')
plt.ylabel('petal_width')
plt.show()
# %% wrong, before: one species is missing
iris = iris[iris.species != 'virginica']

# %% gold: Draw the vector field (-y, x) on a grid of 11 by 11 points from -2 to 2 with arrows.
gx, gy = np.meshgrid(np.linspace(-2, 2, 11), np.linspace(-2, 2, 11))
plt.quiver(gx, gy, -gy, gx)
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% right: coloured by length
p, q = np.meshgrid(np.linspace(-2, 2, 11), np.linspace(-2, 2, 11))
fig, ax = plt.subplots(figsize=(6, 6))
ax.quiver(p, q, -q, p, np.hypot(p, q), cmap='viridis')
ax.set_aspect('equal')
ax.set(xlabel='x', ylabel='y', title='Rotation')
plt.show()
# %% right: mgrid, red
q, p = np.mgrid[-2:2:11j, -2:2:11j]
plt.quiver(p, q, -q, p, color='r', pivot='mid')
plt.xlabel('x')
plt.ylabel('y')
plt.grid()
plt.show()
# %% wrong: outwards
p, q = np.meshgrid(np.linspace(-2, 2, 11), np.linspace(-2, 2, 11))
plt.quiver(p, q, p, q)
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% wrong: the other way round
p, q = np.meshgrid(np.linspace(-2, 2, 11), np.linspace(-2, 2, 11))
plt.quiver(p, q, q, -p)
plt.xlabel('x')
plt.ylabel('y')
plt.show()
# %% wrong: a coarser grid
p, q = np.meshgrid(np.linspace(-2, 2, 5), np.linspace(-2, 2, 5))
plt.quiver(p, q, -q, p)
plt.xlabel('x')
plt.ylabel('y')
plt.show()

# %% gold: Draw the directed graph a->b, a->c, b->d, c->d, d->e with arrows and the names of the nodes, at the places given by networkx's circular layout.
import networkx as nx
graph = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(graph, nx.circular_layout(graph), with_labels=True)
plt.show()
# %% right: draw_circular
import networkx as nx
g = nx.DiGraph()
g.add_edges_from([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw_circular(g, with_labels=True, node_color='lightgreen', node_size=900, font_weight='bold')
plt.show()
# %% right: piece by piece
import networkx as nx
g = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
pos = nx.circular_layout(g)
plt.figure(figsize=(5, 5))
nx.draw_networkx_nodes(g, pos, node_color='orange')
nx.draw_networkx_edges(g, pos, arrowsize=20, edge_color='grey')
nx.draw_networkx_labels(g, pos)
plt.axis('off')
plt.show()
# %% wrong: an edge is missing
import networkx as nx
g = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('d', 'e')])
nx.draw(g, nx.circular_layout(g), with_labels=True)
plt.show()
# %% wrong: without names
import networkx as nx
g = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(g, nx.circular_layout(g))
plt.show()
# %% wrong: undirected
import networkx as nx
g = nx.Graph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(g, nx.circular_layout(g), with_labels=True)
plt.show()

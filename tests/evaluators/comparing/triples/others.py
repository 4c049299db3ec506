# %% setup
from scipy.cluster.hierarchy import dendrogram, linkage
wind = pd.read_csv('data/wind.csv')
axis = np.linspace(-3, 3, 61)
X, Y = np.meshgrid(axis, axis)
Z = np.exp(-(X - 1) ** 2 - Y ** 2) - 0.7 * np.exp(-(X + 1) ** 2 - (Y - 0.5) ** 2)
u, v = np.meshgrid(np.linspace(0, 4, 70), np.linspace(-1, 2, 60))
F = np.sin(u) * np.exp(-v * v) + 0.2 * u
iris = pd.read_csv('data/iris.csv')
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'ward')
# %% gold: Draw filled contours of Z over X and Y with a colour bar.
plt.contourf(X, Y, Z, levels=15)
plt.colorbar()
plt.xlabel('x')
plt.ylabel('y')
# %% wrong, changed: no colour bar
#- plt.colorbar()
# %% wrong, changed: scatter
#- plt.contourf(X, Y, Z, levels=15)
plt.scatter(X, Y, c=Z, s=4)
# %% gold: Draw a wind rose: on polar axes with north at the top and clockwise angles, one bar for each of the 16 directions with the total frequency over all strengths.
total = wind.groupby('direction', sort=False)['frequency'].sum()
angles = np.arange(len(total)) * 2 * np.pi / len(total)
ax = plt.subplot(projection='polar')
ax.bar(angles, total, width=2 * np.pi / len(total))
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(angles, total.index)
# %% wrong: directions in the order of the alphabet
t = wind.groupby('direction')['frequency'].sum()
a = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(a, t, width=2 * np.pi / 16)
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(a, t.index)
# %% gold: Draw the values of F over u and v as a coloured mesh with a colour bar.
plt.pcolormesh(u, v, F)
plt.colorbar()
# %% right: an image
plt.imshow(F, origin='lower', extent=(0, 4, -1, 2), aspect='auto', cmap='magma')
plt.colorbar(label='F')
# %% wrong: an image upside down
plt.imshow(F, origin='upper', extent=(0, 4, -1, 2), aspect='auto')
plt.colorbar()
# %% wrong: turned
plt.pcolormesh(F.T)
plt.colorbar()
# %% gold: Draw F over u and v as a surface in space.
plt.figure().add_subplot(projection='3d').plot_surface(u, v, F)
# %% right: triangles
ax = plt.figure().add_subplot(projection='3d')
ax.plot_trisurf(u.ravel(), v.ravel(), F.ravel(), cmap='viridis')
# %% wrong: a tenth higher
plt.figure().add_subplot(projection='3d').plot_surface(u, v, 1.1 * F)
# %% gold: Draw an arrow from (0, 0) to (3, 1) and another one from (3, 1) to (2, 4).
plt.annotate('', xy=(3, 1), xytext=(0, 0), arrowprops={'arrowstyle': '->'})
plt.arrow(0, 0, 3, 1, head_width=0.1, length_includes_head=True)
plt.arrow(3, 1, -1, 3, head_width=0.1, length_includes_head=True)
# %% right: thicker
plt.arrow(0, 0, 3, 1, width=0.05, color='r', length_includes_head=True)
plt.arrow(3, 1, -1, 3, width=0.05, color='r', length_includes_head=True)
# %% wrong: one
plt.arrow(0, 0, 3, 1, head_width=0.1)
# %% gold: Draw a polar plot of r = 1 + cos(theta).
a = np.linspace(0, 2 * np.pi, 200)
plt.polar(a, 1 + np.cos(a))
# %% right: filled, more points
a = np.linspace(0, 2 * np.pi, 500)
ax = plt.subplot(projection='polar')
ax.plot(a, 1 + np.cos(a), 'r')
ax.fill(a, 1 + np.cos(a), alpha=0.2)
# %% wrong: in the plane
a = np.linspace(0, 2 * np.pi, 200)
plt.plot(a, 1 + np.cos(a))
# %% gold: a tree
plt.figure(figsize=(5, 3.5))
dendrogram(tree, labels=list('abcdefghi'), color_threshold=0, above_threshold_color='darkgreen')
plt.title('Clusters')
plt.ylabel('distance')
# %% right: coloured by cluster
dendrogram(tree, labels=list('abcdefghi'), leaf_rotation=45)
plt.title('Clusters')
plt.ylabel('distance')
# %% wrong, before: single linkage
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'single')
# %% wrong, before: of distances of another measure
tree = linkage(iris.groupby('species').head(3).iloc[:, :4], 'average', metric='cityblock')
# %% wrong, before show: names in another order
plt.xticks(plt.xticks()[0], list('ihgfedcba'))
# %% gold: Draw a wind rose: a polar bar chart with the total frequency (sum over the strengths) of each of the 16 wind directions, north at the top and the angle running clockwise, the tick labels are the names of the 16 directions.
f = wind.groupby('direction', sort=False)['frequency'].sum()
a = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(a, f.values, width=2 * np.pi / 16)
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(a)
ax.set_xticklabels(f.index)
# %% right, before: other colours
plt.rcParams['axes.prop_cycle'] = plt.cycler(color=['darkgreen'])
# %% wrong: Cartesian bars
f = wind.groupby('direction', sort=False)['frequency'].sum()
plt.bar(f.index, f.values)
# %% wrong, changed: counter-clockwise from the east
#- ax.set_theta_zero_location('N')
#- ax.set_theta_direction(-1)
# %% wrong, changed: 8 directions
#- f = wind.groupby('direction', sort=False)['frequency'].sum()
#- a = np.arange(16) * 2 * np.pi / 16
f = wind.groupby('direction', sort=False)['frequency'].sum()[::2]
a = np.arange(8) * 2 * np.pi / 8
#- ax.bar(a, f.values, width=2 * np.pi / 16)
ax.bar(a, f.values, width=2 * np.pi / 8)
# %% gold: Draw filled contours (20 levels, i.e. levels=20) of f(x, y) = sin(x) * cos(y) for x and y from 0 to 2*pi (100 points each), with a colour bar and the title 'sin(x) cos(y)'.
x = np.linspace(0, 2 * np.pi, 100)
X, Y = np.meshgrid(x, x)
plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.colorbar()
plt.title('sin(x) cos(y)')
# %% right, before show: labels
plt.xlabel('x')
plt.ylabel('y')
# %% wrong, changed: lines
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contour(X, Y, np.sin(X) * np.cos(Y), levels=20)
# %% wrong, changed: up to pi
#- x = np.linspace(0, 2 * np.pi, 100)
x = np.linspace(0, np.pi, 100)
# %% wrong, changed: 4 levels
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=4)
# %% gold: Plot z = x**2 - y**2 over x, y in [-2, 2] (50 points each) as a 3-D surface with axis labels 'x', 'y' and 'z'.
g = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(g, g)
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, X ** 2 - Y ** 2)
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z')
# %% right, before show: title
ax.set_title('z = x² - y²')
# %% wrong: flat contours
g = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(g, g)
plt.contourf(X, Y, X ** 2 - Y ** 2)
plt.xlabel('x'); plt.ylabel('y')
# %% wrong, changed: labels missing
#- ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z')
# %% wrong, changed: points
#- ax.plot_surface(X, Y, X ** 2 - Y ** 2)
ax.scatter(X, Y, X ** 2 - Y ** 2)
# %% gold: Make a 3-D scatter plot of sepal_length (x), sepal_width (y) and petal_length (z) of iris, one colour per species with a legend.
ax = plt.figure().add_subplot(projection='3d')
for s, d in iris.groupby('species'):
    ax.scatter(d.sepal_length, d.sepal_width, d.petal_length, label=s)
ax.legend()
# %% right: one scatter, legend_elements
k = iris.species.astype('category')
ax = plt.figure().add_subplot(projection='3d')
sc = ax.scatter(iris.sepal_length, iris.sepal_width, iris.petal_length, c=k.cat.codes, cmap='Set1')
ax.legend(sc.legend_elements()[0], list(k.cat.categories))
# %% wrong: 2-D
for s, d in iris.groupby('species'):
    plt.scatter(d.sepal_length, d.sepal_width, label=s)
plt.legend()
# %% wrong: no species
ax = plt.figure().add_subplot(projection='3d')
ax.scatter(iris.sepal_length, iris.sepal_width, iris.petal_length)
# %% gold: Draw the vector field u = -y, v = x with arrows (quiver) on a grid of 11 x 11 points from -2 to 2 in both directions.
g = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(g, g)
plt.quiver(X, Y, -Y, X)
# %% right, before show: equal aspect
plt.axis('equal')
plt.title('Vector field')
# %% wrong, changed: radial
#- plt.quiver(X, Y, -Y, X)
plt.quiver(X, Y, X, Y)
# %% wrong, changed: streamlines
#- plt.quiver(X, Y, -Y, X)
plt.streamplot(X, Y, -Y, X)

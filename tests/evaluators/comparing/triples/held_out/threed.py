# %% setup
iris = pd.read_csv('data/iris.csv')
# %% gold: Draw a 3-D scatter plot of sepal_length (x), petal_length (y) and petal_width (z) of iris, each species in its own colour with a legend; label the three axes with the column names.
fig = plt.figure()
ax = fig.add_subplot(projection='3d')
for s, g in iris.groupby('species'):
    ax.scatter(g.sepal_length, g.petal_length, g.petal_width, label=s)
ax.set_xlabel('sepal_length')
ax.set_ylabel('petal_length')
ax.set_zlabel('petal_width')
ax.legend()
# %% right: colours, size, title
fig, ax = plt.subplots(subplot_kw={'projection': '3d'}, figsize=(9, 8))
for s, c in {'setosa': 'r', 'versicolor': 'g', 'virginica': 'b'}.items():
    d = iris[iris['species'] == s]
    ax.scatter(d['sepal_length'], d['petal_length'], d['petal_width'], c=c, s=40, marker='^', label=s)
ax.set(xlabel='sepal_length', ylabel='petal_length', zlabel='petal_width', title='Iris in 3-D')
ax.legend(loc='upper left')
# %% right: one scatter with legend elements
fig = plt.figure(figsize=(8, 6))
ax = plt.axes(projection='3d')
cat = iris.species.astype('category')
sc = ax.scatter(iris.sepal_length, iris.petal_length, iris.petal_width, c=cat.cat.codes, cmap='viridis')
ax.legend(sc.legend_elements()[0], cat.cat.categories, title='species')
ax.set_xlabel('sepal_length'); ax.set_ylabel('petal_length'); ax.set_zlabel('petal_width')
# %% right, before show: another view
ax.view_init(elev=25, azim=45)
# %% right, before show: title
ax.set_title('Iris')
plt.tight_layout()
# %% wrong: in 2-D
for s, g in iris.groupby('species'):
    plt.scatter(g.sepal_length, g.petal_length, label=s)
plt.xlabel('sepal_length'); plt.ylabel('petal_length'); plt.legend()
# %% wrong: axes y and z exchanged
ax = plt.figure().add_subplot(projection='3d')
for s, g in iris.groupby('species'):
    ax.scatter(g.sepal_length, g.petal_width, g.petal_length, label=s)
ax.set_xlabel('sepal_length'); ax.set_ylabel('petal_width'); ax.set_zlabel('petal_length'); ax.legend()
# %% wrong: one colour
ax = plt.figure().add_subplot(projection='3d')
ax.scatter(iris.sepal_length, iris.petal_length, iris.petal_width)
ax.set_xlabel('sepal_length'); ax.set_ylabel('petal_length'); ax.set_zlabel('petal_width')
# %% wrong, before: virginica lost
iris = iris[iris.species != 'virginica']
# %% wrong, before: sepal width under the name of petal width
iris = iris.assign(petal_width=iris.sepal_width)
# %% gold: Draw the surface z = sin(sqrt(x^2 + y^2)) as a 3-D surface plot (plot_surface) for x and y from -5 to 5 in 40 steps each (np.linspace(-5, 5, 40)), coloured by height with a colorbar. Title 'Ripple'.
t = np.linspace(-5, 5, 40)
X, Y = np.meshgrid(t, t)
Z = np.sin(np.sqrt(X**2 + Y**2))
fig = plt.figure()
ax = fig.add_subplot(111, projection='3d')
s = ax.plot_surface(X, Y, Z, cmap='viridis')
fig.colorbar(s)
ax.set_title('Ripple')
# %% right: coolwarm, no antialiasing, labels
fig, ax = plt.subplots(figsize=(10, 7), subplot_kw=dict(projection='3d'))
x = np.linspace(-5, 5, 40); y = np.linspace(-5, 5, 40)
xx, yy = np.meshgrid(x, y)
surf = ax.plot_surface(xx, yy, np.sin(np.hypot(xx, yy)), cmap='coolwarm', linewidth=0, antialiased=False)
fig.colorbar(surf, shrink=.5, aspect=10)
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z'); ax.set_title('Ripple')
# %% right: every row and column drawn
v = np.linspace(-5, 5, 40)
A, B = np.meshgrid(v, v, indexing='ij')
ax = plt.axes(projection='3d')
p = ax.plot_surface(A, B, np.sin((A**2 + B**2)**.5), rstride=1, cstride=1, cmap='plasma', edgecolor='none')
plt.colorbar(p, ax=ax, pad=.1)
plt.title('Ripple')
# %% right, before show: axis labels
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z')
# %% right: seen from elsewhere, contour below the surface
g = np.linspace(-5, 5, 40)
xx, yy = np.meshgrid(g, g)
z = np.sin(np.sqrt(xx**2 + yy**2))
fig = plt.figure(figsize=(9, 7)); ax = fig.add_subplot(projection='3d')
m = ax.plot_surface(xx, yy, z, cmap=plt.cm.viridis, rcount=40, ccount=40)
fig.colorbar(m, ax=ax, shrink=.6, label='z'); ax.view_init(40, -50)
ax.set_title('Ripple')
# %% wrong: cosine
t = np.linspace(-5, 5, 40)
X, Y = np.meshgrid(t, t)
fig = plt.figure()
ax = fig.add_subplot(111, projection='3d')
fig.colorbar(ax.plot_surface(X, Y, np.cos(np.sqrt(X**2 + Y**2)), cmap='viridis'))
ax.set_title('Ripple')
# %% wrong: no root
t = np.linspace(-5, 5, 40)
X, Y = np.meshgrid(t, t)
fig = plt.figure()
ax = fig.add_subplot(111, projection='3d')
fig.colorbar(ax.plot_surface(X, Y, np.sin(X**2 + Y**2), cmap='viridis'))
ax.set_title('Ripple')
# %% wrong: flat contour plot
t = np.linspace(-5, 5, 40)
X, Y = np.meshgrid(t, t)
plt.contourf(X, Y, np.sin(np.sqrt(X**2 + Y**2)))
plt.colorbar(); plt.title('Ripple')
# %% wrong: -2 to 2
t = np.linspace(-2, 2, 40)
X, Y = np.meshgrid(t, t)
fig = plt.figure()
ax = fig.add_subplot(111, projection='3d')
fig.colorbar(ax.plot_surface(X, Y, np.sin(np.sqrt(X**2 + Y**2)), cmap='viridis'))
ax.set_title('Ripple')
# %% wrong, before show: other title
ax.set_title('Surface of a sine')

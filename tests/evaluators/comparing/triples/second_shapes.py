# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
wind = pd.read_csv('data/wind.csv')
titanic = pd.read_csv('data/titanic.csv')
glass = pd.read_csv('data/forensic_glass.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
iris = pd.read_csv('data/iris.csv')
beat = pd.read_csv('data/heartbeat.csv')
# %% gold: Draw a pie chart of the number of penguins per species, with the species names as labels and the percentages with one decimal in the wedges.
c = peng.species.value_counts()
plt.pie(c, labels=c.index, autopct='%.1f%%')
plt.show()
# %% right: pandas
peng['species'].value_counts().plot.pie(autopct='%1.1f%%', startangle=90, ylabel='')
plt.title('Species')
plt.show()
# %% right: other colours and order
n = peng.groupby('species').size()
fig, ax = plt.subplots(figsize=(6, 6))
ax.pie(n.values, labels=n.index, autopct='%1.1f%%', colors=['gold', 'lightcoral', 'lightskyblue'], shadow=True, counterclock=False)
ax.axis('equal')
plt.show()
# %% right: exploded, white edges
c = peng.species.value_counts(normalize=True)
plt.pie(c * 100, labels=c.index, autopct='%.1f%%', explode=[0.05] * 3, wedgeprops={'edgecolor': 'w'})
plt.title('Share of the species')
plt.show()
# %% right, before show: title and legend
plt.title('Penguins')
plt.legend(loc='lower left')
# %% wrong: by island
c = peng.island.value_counts()
plt.pie(c, labels=c.index, autopct='%.1f%%')
plt.show()
# %% wrong: no percentages
c = peng.species.value_counts()
plt.pie(c, labels=c.index)
plt.show()
# %% wrong: labels in another order than the counts
c = peng.species.value_counts()
plt.pie(c, labels=peng.species.unique()[::-1], autopct='%.1f%%')
plt.show()
# %% wrong: bars
c = peng.species.value_counts()
plt.bar(c.index, c)
plt.show()
# %% wrong: total body mass
c = peng.groupby('species').body_mass_g.sum()
plt.pie(c, labels=c.index, autopct='%.1f%%')
plt.show()
# %% gold: Show Iowa's net electricity generation per year as a stacked area chart, one area per source, stacked from the bottom in the order Fossil Fuels, Nuclear Energy, Renewables, with a legend. Label the y axis 'net generation (GWh)'.
p = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(p.index, p['Fossil Fuels'], p['Nuclear Energy'], p['Renewables'], labels=['Fossil Fuels', 'Nuclear Energy', 'Renewables'])
plt.legend()
plt.ylabel('net generation (GWh)')
plt.show()
# %% right: pandas area
iowa.assign(year=iowa.year.dt.year).pivot(index='year', columns='source', values='net_generation').plot.area(figsize=(9, 5), color=['gray', 'purple', 'green'])
plt.ylabel('net generation (GWh)')
plt.show()
# %% right: fill_between
fig, ax = plt.subplots()
b = 0
for s in ['Fossil Fuels', 'Nuclear Energy', 'Renewables']:
    v = iowa[iowa.source == s].set_index('year').net_generation
    ax.fill_between(v.index, b, b + v.values, label=s, alpha=0.8)
    b = b + v.values
ax.legend(loc='lower left')
ax.set_ylabel('net generation (GWh)')
ax.set_xlabel('year')
plt.show()
# %% right: stackplot of a matrix, other colours
p = iowa.pivot_table(index='year', columns='source', values='net_generation')
plt.figure(figsize=(10, 4))
plt.stackplot(p.index.year, p.T.values, labels=p.columns, colors=sns.color_palette('pastel', 3))
plt.legend(title='source', bbox_to_anchor=(1, 1))
plt.ylabel('net generation (GWh)')
plt.title('Iowa')
plt.tight_layout()
plt.show()
# %% right, before show: title
plt.title('Electricity generation')
plt.xlabel('Year')
# %% wrong: not stacked lines
iowa.pivot(index='year', columns='source', values='net_generation').plot()
plt.ylabel('net generation (GWh)')
plt.show()
# %% wrong: shares
p = iowa.pivot(index='year', columns='source', values='net_generation')
p.div(p.sum(axis=1), axis=0).plot.area()
plt.ylabel('net generation (GWh)')
plt.show()
# %% wrong, changed: order
#- plt.stackplot(p.index, p['Fossil Fuels'], p['Nuclear Energy'], p['Renewables'], labels=['Fossil Fuels', 'Nuclear Energy', 'Renewables'])
plt.stackplot(p.index, p['Renewables'], p['Nuclear Energy'], p['Fossil Fuels'], labels=['Renewables', 'Nuclear Energy', 'Fossil Fuels'])
# %% wrong: not stacked areas
iowa.pivot(index='year', columns='source', values='net_generation').plot.area(stacked=False)
plt.ylabel('net generation (GWh)')
plt.show()
# %% wrong: no legend
p = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(p.index, p['Fossil Fuels'], p['Nuclear Energy'], p['Renewables'])
plt.ylabel('net generation (GWh)')
plt.show()
# %% gold: Draw a wind rose: a polar bar chart with the total frequency (sum over the strengths) of each of the 16 wind directions, north at the top and the angle running clockwise, the tick labels are the names of the 16 directions.
f = wind.groupby('direction', sort=False)['frequency'].sum()
a = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(a, f.values, width=2 * np.pi / 16)
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.set_xticks(a)
ax.set_xticklabels(f.index)
plt.show()
# %% right: subplots, colours, narrower
d = wind.direction.unique()
f = wind.pivot_table(index='direction', columns='strength', values='frequency').sum(axis=1).loc[d]
th = np.deg2rad(np.arange(0, 360, 22.5))
fig, ax = plt.subplots(subplot_kw={'projection': 'polar'}, figsize=(7, 7))
ax.bar(th, f, width=0.35, color=plt.cm.viridis(f / f.max()), edgecolor='k')
ax.set_theta_zero_location('N'); ax.set_theta_direction('clockwise')
ax.set_xticks(th, d)
ax.set_title('Wind rose')
plt.show()
# %% right: offset and thetagrids
f = wind.groupby('direction').frequency.sum().reindex(wind.direction.drop_duplicates())
fig = plt.figure()
ax = fig.add_subplot(111, polar=True)
ax.set_theta_offset(np.pi / 2)
ax.set_theta_direction(-1)
ax.bar(np.linspace(0, 2 * np.pi, 16, endpoint=False), f, width=0.39, color='orange', alpha=0.7)
ax.set_thetagrids(np.arange(16) * 22.5, labels=f.index)
plt.show()
# %% right, before show: title
plt.title('Wind frequency')
ax.set_rlabel_position(45)
# %% right, before: other colours
plt.rcParams['axes.prop_cycle'] = plt.cycler(color=['darkgreen'])
# %% wrong: Cartesian bars
f = wind.groupby('direction', sort=False)['frequency'].sum()
plt.bar(f.index, f.values)
plt.show()
# %% wrong, changed: counter-clockwise from the east
#- ax.set_theta_zero_location('N')
#- ax.set_theta_direction(-1)
# %% wrong, changed: alphabetic order of the values
#- f = wind.groupby('direction', sort=False)['frequency'].sum()
f = wind.groupby('direction')['frequency'].sum()
#- ax.set_xticklabels(f.index)
ax.set_xticklabels(wind.direction.unique())
# %% wrong, changed: max for sum
#- f = wind.groupby('direction', sort=False)['frequency'].sum()
f = wind.groupby('direction', sort=False)['frequency'].max()
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
plt.show()
# %% right: other map, object API
x = np.linspace(0, 2 * np.pi, 100)
X, Y = np.meshgrid(x, x)
fig, ax = plt.subplots(figsize=(7, 6))
cs = ax.contourf(X, Y, np.sin(X) * np.cos(Y), 20, cmap='RdYlBu')
fig.colorbar(cs, ax=ax, shrink=0.8)
ax.set(title='sin(x) cos(y)', xlabel='x', ylabel='y', aspect='equal')
plt.show()
# %% right: 1-D x and y, outer product
x = np.linspace(0, 2 * np.pi, 100)
z = np.outer(np.cos(x), np.sin(x))
plt.contourf(x, x, z, levels=20, cmap='plasma')
plt.colorbar(label='f')
plt.title('sin(x) cos(y)')
plt.show()
# %% right: ij indexing
x, y = np.linspace(0, 2 * np.pi, 100), np.linspace(0, 2 * np.pi, 100)
X, Y = np.meshgrid(x, y, indexing='ij')
plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20, cmap='coolwarm')
plt.title('sin(x) cos(y)')
plt.xlabel('x'); plt.ylabel('y')
plt.colorbar(orientation='horizontal')
plt.show()
# %% right, before show: labels
plt.xlabel('x')
plt.ylabel('y')
# %% wrong, changed: x and y exchanged
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contourf(X, Y, np.cos(X) * np.sin(Y), levels=20)
# %% wrong, changed: lines
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contour(X, Y, np.sin(X) * np.cos(Y), levels=20)
# %% wrong, changed: up to pi
#- x = np.linspace(0, 2 * np.pi, 100)
x = np.linspace(0, np.pi, 100)
# %% wrong, changed: sum for product
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contourf(X, Y, np.sin(X) + np.cos(Y), levels=20)
# %% wrong, changed: 4 levels
#- plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=20)
plt.contourf(X, Y, np.sin(X) * np.cos(Y), levels=4)
# %% gold: Plot z = x**2 - y**2 over x, y in [-2, 2] (50 points each) as a 3-D surface with axis labels 'x', 'y' and 'z'.
g = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(g, g)
ax = plt.figure().add_subplot(projection='3d')
ax.plot_surface(X, Y, X ** 2 - Y ** 2)
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z')
plt.show()
# %% right: colour map and bar
x = y = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(x, y)
Z = X ** 2 - Y ** 2
fig, ax = plt.subplots(subplot_kw={'projection': '3d'}, figsize=(8, 6))
s = ax.plot_surface(X, Y, Z, cmap='viridis')
fig.colorbar(s, shrink=0.5)
ax.set(xlabel='x', ylabel='y', zlabel='z', title='Saddle')
plt.show()
# %% right: every point, other view
X, Y = np.mgrid[-2:2:50j, -2:2:50j]
ax = plt.axes(projection='3d')
ax.plot_surface(X, Y, X * X - Y * Y, rstride=1, cstride=1, cmap='coolwarm', edgecolor='none')
ax.set_xlabel('x')
ax.set_ylabel('y')
ax.set_zlabel('z')
ax.view_init(40, 30)
plt.show()
# %% right: half transparent
fig = plt.figure(figsize=(5, 5))
ax = fig.add_subplot(111, projection='3d')
u = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(u, u)
ax.plot_surface(X, Y, np.square(X) - np.square(Y), alpha=0.6, color='orange')
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_zlabel('z')
plt.tight_layout()
plt.show()
# %% right, before show: title
ax.set_title('z = x² - y²')
# %% wrong, changed: plus
#- ax.plot_surface(X, Y, X ** 2 - Y ** 2)
ax.plot_surface(X, Y, X ** 2 + Y ** 2)
# %% wrong, changed: y**2 - x**2
#- ax.plot_surface(X, Y, X ** 2 - Y ** 2)
ax.plot_surface(X, Y, Y ** 2 - X ** 2)
# %% wrong: flat contours
g = np.linspace(-2, 2, 50)
X, Y = np.meshgrid(g, g)
plt.contourf(X, Y, X ** 2 - Y ** 2)
plt.xlabel('x'); plt.ylabel('y')
plt.show()
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
plt.show()
# %% right: labels, other colours
fig = plt.figure(figsize=(9, 7))
ax = fig.add_subplot(111, projection='3d')
for s, c in {'virginica': 'k', 'setosa': 'r', 'versicolor': 'c'}.items():
    d = iris[iris.species == s]
    ax.scatter(d['sepal_length'], d['sepal_width'], d['petal_length'], c=c, label=s, s=40)
ax.set_xlabel('sepal length'); ax.set_ylabel('sepal width'); ax.set_zlabel('petal length')
ax.legend(title='species')
plt.show()
# %% right: plot with markers
ax = plt.axes(projection='3d')
for s, m in zip(iris.species.unique(), ['o', '^', 's']):
    d = iris.loc[iris.species == s]
    ax.plot(d.sepal_length, d.sepal_width, d.petal_length, linestyle='', marker=m, label=s)
plt.legend()
plt.title('Iris in 3-D')
plt.show()
# %% right: one scatter, legend_elements
k = iris.species.astype('category')
ax = plt.figure().add_subplot(projection='3d')
sc = ax.scatter(iris.sepal_length, iris.sepal_width, iris.petal_length, c=k.cat.codes, cmap='Set1')
ax.legend(sc.legend_elements()[0], list(k.cat.categories))
plt.show()
# %% right, before show: labels and view
ax.view_init(20, 120)
ax.set_xlabel('sepal length')
# %% wrong: petal width
ax = plt.figure().add_subplot(projection='3d')
for s, d in iris.groupby('species'):
    ax.scatter(d.sepal_length, d.sepal_width, d.petal_width, label=s)
ax.legend()
plt.show()
# %% wrong: 2-D
for s, d in iris.groupby('species'):
    plt.scatter(d.sepal_length, d.sepal_width, label=s)
plt.legend()
plt.show()
# %% wrong: no species
ax = plt.figure().add_subplot(projection='3d')
ax.scatter(iris.sepal_length, iris.sepal_width, iris.petal_length)
plt.show()
# %% wrong: x and z exchanged
ax = plt.figure().add_subplot(projection='3d')
for s, d in iris.groupby('species'):
    ax.scatter(d.petal_length, d.sepal_width, d.sepal_length, label=s)
ax.legend()
plt.show()
# %% wrong: two species
ax = plt.figure().add_subplot(projection='3d')
for s, d in iris[iris.species != 'setosa'].groupby('species'):
    ax.scatter(d.sepal_length, d.sepal_width, d.petal_length, label=s)
ax.legend()
plt.show()
# %% gold: Draw the vector field u = -y, v = x with arrows (quiver) on a grid of 11 x 11 points from -2 to 2 in both directions.
g = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(g, g)
plt.quiver(X, Y, -Y, X)
plt.show()
# %% right: coloured by length
g = np.linspace(-2, 2, 11)
x, y = np.meshgrid(g, g)
fig, ax = plt.subplots(figsize=(6, 6))
ax.quiver(x, y, -y, x, np.hypot(x, y), cmap='viridis')
ax.set_aspect('equal')
ax.set_title('Rotation')
plt.show()
# %% right: flat vectors, red
g = np.linspace(-2, 2, 11)
P = np.array([(a, b) for a in g for b in g])
plt.quiver(P[:, 0], P[:, 1], -P[:, 1], P[:, 0], color='red')
plt.grid()
plt.show()
# %% right: mgrid
X, Y = np.mgrid[-2:2:11j, -2:2:11j]
fig, ax = plt.subplots()
ax.quiver(X, Y, -Y, X, color='b', pivot='mid')
ax.set(xlabel='x', ylabel='y')
plt.show()
# %% right, before show: equal aspect
plt.axis('equal')
plt.title('Vector field')
# %% wrong, changed: other sense of rotation
#- plt.quiver(X, Y, -Y, X)
plt.quiver(X, Y, Y, -X)
# %% wrong, changed: radial
#- plt.quiver(X, Y, -Y, X)
plt.quiver(X, Y, X, Y)
# %% wrong, changed: 21 points
#- g = np.linspace(-2, 2, 11)
g = np.linspace(-2, 2, 21)
# %% wrong, changed: streamlines
#- plt.quiver(X, Y, -Y, X)
plt.streamplot(X, Y, -Y, X)
# %% gold: Show the first 50 samples of the heartbeat voltage (heartbeat.csv, frame beat) against time as a stem plot. Label the axes 'time (s)' and 'voltage (mV)'.
d = beat.head(50)
plt.stem(d.time, d.voltage)
plt.xlabel('time (s)')
plt.ylabel('voltage (mV)')
plt.show()
# %% right: other formats
fig, ax = plt.subplots(figsize=(10, 4))
m, s, b = ax.stem(beat['time'].values[:50], beat['voltage'].values[:50], linefmt='C2-', markerfmt='C2o', basefmt='k-')
ax.set(xlabel='time (s)', ylabel='voltage (mV)', title='ECG')
plt.show()
# %% right: vlines and dots
d = beat.iloc[:50]
plt.vlines(d.time, 0, d.voltage, color='gray')
plt.plot(d.time, d.voltage, 'o', color='purple')
plt.axhline(0, color='k', lw=0.8)
plt.xlabel('time (s)')
plt.ylabel('voltage (mV)')
plt.show()
# %% right, before show: grid
plt.grid(True)
plt.title('Heartbeat')
# %% right, before: dark style
plt.style.use('dark_background')
# %% wrong, changed: line
#- plt.stem(d.time, d.voltage)
plt.plot(d.time, d.voltage)
# %% wrong, changed: 100 samples
#- d = beat.head(50)
d = beat.head(100)
# %% wrong, changed: samples 50 to 99
#- d = beat.head(50)
d = beat[50:100]
# %% wrong: the labels are missing
d = beat.head(50)
plt.stem(d.time, d.voltage)
plt.show()
# %% wrong, changed: absolute values
#- plt.stem(d.time, d.voltage)
plt.stem(d.time, d.voltage.abs())

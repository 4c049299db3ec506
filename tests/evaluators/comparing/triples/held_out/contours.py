# %% setup
from scipy.stats import gaussian_kde
peng = pd.read_csv('data/penguins.csv').dropna()
# %% gold: Draw labelled contour lines of Himmelblau's function f(x, y) = (x^2 + y - 11)^2 + (x + y^2 - 7)^2 for x and y from -5 to 5 (200 points each) at the levels 5, 20, 50, 100, 150, 250 and mark its minimum (3, 2) by a red star. Title "Himmelblau's function".
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
F = (X**2 + Y - 11)**2 + (X + Y**2 - 7)**2
plt.figure(figsize=(7, 6))
c = plt.contour(X, Y, F, levels=[5, 20, 50, 100, 150, 250], cmap='viridis')
plt.clabel(c)
plt.plot(3, 2, 'r*', ms=12)
plt.title("Himmelblau's function")
# %% right: axes, black lines, scatter star
x = y = np.linspace(-5, 5, 200)
fig, ax = plt.subplots(figsize=(8, 8))
xx, yy = np.meshgrid(x, y)
cs = ax.contour(x, y, (xx**2 + yy - 11)**2 + (xx + yy**2 - 7)**2, [5, 20, 50, 100, 150, 250], colors='k', linewidths=.8)
ax.clabel(cs, inline=True, fontsize=8, fmt='%d')
ax.scatter([3], [2], marker='*', c='red', s=150, zorder=5)
ax.set(title="Himmelblau's function", xlabel='x', ylabel='y')
# %% right: function, jet, legend
def himmelblau(x, y): return (x*x + y - 11)**2 + (x + y*y - 7)**2
X, Y = np.meshgrid(np.linspace(-5, 5, 200), np.linspace(-5, 5, 200))
cs = plt.contour(X, Y, himmelblau(X, Y), levels=[5, 20, 50, 100, 150, 250], cmap='jet')
plt.clabel(cs, fontsize=7)
plt.scatter(3, 2, color='red', marker='*', s=100, label='minimum (3, 2)')
plt.legend(loc='lower left'); plt.xlabel('x'); plt.ylabel('y')
plt.title("Himmelblau's function", fontsize=15)
# %% right, before show: axis labels, aspect
plt.xlabel('x'); plt.ylabel('y')
plt.gca().set_aspect('equal')
# %% right, before: larger font
plt.rcParams['font.size'] = 13
# %% wrong: no star
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
c = plt.contour(X, Y, (X**2 + Y - 11)**2 + (X + Y**2 - 7)**2, levels=[5, 20, 50, 100, 150, 250], cmap='viridis')
plt.clabel(c); plt.title("Himmelblau's function")
# %% wrong: Rosenbrock's function
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
c = plt.contour(X, Y, (1 - X)**2 + 100*(Y - X**2)**2, levels=[5, 20, 50, 100, 150, 250], cmap='viridis')
plt.clabel(c); plt.plot(3, 2, 'r*', ms=12); plt.title("Himmelblau's function")
# %% wrong: a sign
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
c = plt.contour(X, Y, (X**2 + Y - 11)**2 + (X - Y**2 - 7)**2, levels=[5, 20, 50, 100, 150, 250], cmap='viridis')
plt.clabel(c); plt.plot(3, 2, 'r*', ms=12); plt.title("Himmelblau's function")
# %% wrong: three of the levels
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
c = plt.contour(X, Y, (X**2 + Y - 11)**2 + (X + Y**2 - 7)**2, levels=[50, 150, 250], cmap='viridis')
plt.clabel(c); plt.plot(3, 2, 'r*', ms=12); plt.title("Himmelblau's function")
# %% wrong: star at (2, 3)
t = np.linspace(-5, 5, 200)
X, Y = np.meshgrid(t, t)
c = plt.contour(X, Y, (X**2 + Y - 11)**2 + (X + Y**2 - 7)**2, levels=[5, 20, 50, 100, 150, 250], cmap='viridis')
plt.clabel(c); plt.plot(2, 3, 'r*', ms=12); plt.title("Himmelblau's function")
# %% gold: Estimate the joint density of bill_length_mm (x, 30 to 60) and bill_depth_mm (y, 12 to 23) of peng with scipy's gaussian_kde (default bandwidth) on a 100x100 grid and draw it as filled contours (10 levels) with a colorbar labelled 'density'; show the penguins as small white points above. Label the axes with the column names.
k = gaussian_kde(peng[['bill_length_mm', 'bill_depth_mm']].values.T)
X, Y = np.meshgrid(np.linspace(30, 60, 100), np.linspace(12, 23, 100))
D = k(np.vstack([X.ravel(), Y.ravel()])).reshape(X.shape)
plt.figure(figsize=(8, 5))
plt.contourf(X, Y, D, 10, cmap='magma')
plt.colorbar(label='density')
plt.scatter(peng.bill_length_mm, peng.bill_depth_mm, s=6, c='white')
plt.xlabel('bill_length_mm')
plt.ylabel('bill_depth_mm')
# %% right: axes, viridis
kde = gaussian_kde([peng['bill_length_mm'], peng['bill_depth_mm']])
gx, gy = np.linspace(30, 60, 100), np.linspace(12, 23, 100)
xx, yy = np.meshgrid(gx, gy)
zz = kde([xx.ravel(), yy.ravel()]).reshape(100, 100)
fig, ax = plt.subplots(figsize=(9, 7))
m = ax.contourf(gx, gy, zz, levels=10, cmap='viridis')
ax.plot(peng['bill_length_mm'], peng['bill_depth_mm'], 'w.', ms=3)
cb = fig.colorbar(m, ax=ax); cb.set_label('density')
ax.set_xlabel('bill_length_mm'); ax.set_ylabel('bill_depth_mm'); ax.set_title('Bill sizes')
# %% right: mgrid
X, Y = np.mgrid[30:60:100j, 12:23:100j]
Z = gaussian_kde(peng[['bill_length_mm', 'bill_depth_mm']].T)(np.c_[X.ravel(), Y.ravel()].T).reshape(X.shape)
plt.contourf(X, Y, Z, 10, cmap='inferno')
plt.colorbar().set_label('density')
plt.scatter(data=peng, x='bill_length_mm', y='bill_depth_mm', color='w', s=4, alpha=.8)
plt.xlabel('bill_length_mm'); plt.ylabel('bill_depth_mm')
# %% right, before show: title
plt.title('Density of the bill sizes')
# %% right, before: another size of labels
plt.rcParams['axes.labelsize'] = 14
# %% wrong: mgrid without transposition
k = gaussian_kde(peng[['bill_length_mm', 'bill_depth_mm']].values.T)
X, Y = np.meshgrid(np.linspace(30, 60, 100), np.linspace(12, 23, 100))
D = k(np.vstack([X.ravel(), Y.ravel()])).reshape(X.shape).T
plt.contourf(X, Y, D, 10, cmap='magma'); plt.colorbar(label='density')
plt.scatter(peng.bill_length_mm, peng.bill_depth_mm, s=6, c='white')
plt.xlabel('bill_length_mm'); plt.ylabel('bill_depth_mm')
# %% wrong: no points, lines only
k = gaussian_kde(peng[['bill_length_mm', 'bill_depth_mm']].values.T)
X, Y = np.meshgrid(np.linspace(30, 60, 100), np.linspace(12, 23, 100))
plt.contour(X, Y, k(np.vstack([X.ravel(), Y.ravel()])).reshape(X.shape), 10, cmap='magma'); plt.colorbar(label='density')
plt.xlabel('bill_length_mm'); plt.ylabel('bill_depth_mm')
# %% wrong, before: Adelie only
peng = peng[peng.species == 'Adelie']
# %% wrong: hexbin of the counts
plt.hexbin(peng.bill_length_mm, peng.bill_depth_mm, gridsize=20, cmap='magma'); plt.colorbar(label='density')
plt.xlabel('bill_length_mm'); plt.ylabel('bill_depth_mm')
# %% wrong, before: flipper length in place of the bill length
peng = peng.assign(bill_length_mm=peng.flipper_length_mm / 4.4)

# %% setup
wind = pd.read_csv('data/wind.csv')
# %% gold: Draw a quiver plot of the vector field u = -y, v = x on the 11x11 grid of points with x and y from -2 to 2 (np.linspace(-2, 2, 11)). Label the axes 'x' and 'y' and set the title 'Rotational field'.
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
plt.figure(figsize=(6, 6))
plt.quiver(X, Y, -Y, X)
plt.xlabel('x')
plt.ylabel('y')
plt.title('Rotational field')
# %% right: axes interface, blue arrows, equal aspect
fig, ax = plt.subplots(figsize=(7, 7))
g = np.linspace(-2, 2, 11)
yy, xx = np.mgrid[-2:2:11j, -2:2:11j]
ax.quiver(xx, yy, -yy, xx, color='royalblue')
ax.set(xlabel='x', ylabel='y', title='Rotational field')
ax.set_aspect('equal')
# %% right: flat lists of points, in a loop order of its own
xs, ys = [], []
for a in np.linspace(-2, 2, 11):
    for b in np.linspace(-2, 2, 11):
        xs.append(a); ys.append(b)
xs, ys = np.array(xs), np.array(ys)
plt.quiver(xs, ys, -ys, xs, color='darkgreen', pivot='mid')
plt.title('Rotational field'); plt.xlabel('x'); plt.ylabel('y')
plt.grid(True, alpha=.3)
# %% right: coloured by magnitude with a colour bar
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
U, V = -Y, X
fig, ax = plt.subplots(figsize=(8, 6))
q = ax.quiver(X, Y, U, V, np.hypot(U, V), cmap='viridis')
fig.colorbar(q, ax=ax, label='magnitude')
ax.set_xlabel('x'); ax.set_ylabel('y'); ax.set_title('Rotational field', fontsize=14)
# %% right, before show: lines through the origin
plt.axhline(0, color='grey', lw=.5)
plt.axvline(0, color='grey', lw=.5)
plt.tight_layout()
# %% wrong: u and v exchanged (a saddle-like field)
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
plt.quiver(X, Y, X, -Y)
plt.xlabel('x'); plt.ylabel('y'); plt.title('Rotational field')
# %% wrong: rotates the other way
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
plt.figure(figsize=(6, 6))
plt.quiver(X, Y, Y, -X)
plt.xlabel('x'); plt.ylabel('y'); plt.title('Rotational field')
# %% wrong: radial field
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
plt.quiver(X, Y, X, Y)
plt.xlabel('x'); plt.ylabel('y'); plt.title('Rotational field')
# %% wrong: streamplot instead of quiver
x = np.linspace(-2, 2, 11)
X, Y = np.meshgrid(x, x)
plt.streamplot(X, Y, -Y, X)
plt.xlabel('x'); plt.ylabel('y'); plt.title('Rotational field')
# %% wrong: a 6x6 grid only
x = np.linspace(-2, 2, 6)
X, Y = np.meshgrid(x, x)
plt.quiver(X, Y, -Y, X)
plt.xlabel('x'); plt.ylabel('y'); plt.title('Rotational field')
# %% gold: Let f(x, y) = x*exp(-x**2-y**2) on the grid np.linspace(-2, 2, 17) for both axes. Draw the filled contours of f with 15 levels and, over it, a quiver plot of the gradient of f (use the analytic formula) in black arrows. Add a colorbar and the title 'Gradient field'.
t = np.linspace(-2, 2, 17)
X, Y = np.meshgrid(t, t)
E = np.exp(-X**2 - Y**2)
F = X * E
plt.figure(figsize=(7, 6))
plt.contourf(X, Y, F, 15, cmap='viridis')
plt.colorbar()
plt.quiver(X, Y, (1 - 2*X**2) * E, -2*X*Y*E, color='k')
plt.title('Gradient field')
# %% right: axes interface, other colours, labels
g = np.linspace(-2, 2, 17)
xx, yy = np.meshgrid(g, g)
f = xx*np.exp(-xx**2-yy**2)
fx = np.exp(-xx**2-yy**2) - 2*xx**2*np.exp(-xx**2-yy**2)
fy = -2*xx*yy*np.exp(-xx**2-yy**2)
fig, ax = plt.subplots(figsize=(8, 6))
cs = ax.contourf(xx, yy, f, levels=15, cmap='coolwarm')
ax.quiver(xx, yy, fx, fy, color='black')
fig.colorbar(cs, ax=ax, label='f(x, y)')
ax.set_xlabel('x'); ax.set_ylabel('y')
ax.set_title('Gradient field')
# %% right: helper functions, constrained layout
def f(x, y): return x*np.exp(-x**2-y**2)
def grad(x, y):
    e = np.exp(-x**2-y**2)
    return e*(1-2*x*x), e*(-2*x*y)
v = np.linspace(-2, 2, 17)
A, B = np.meshgrid(v, v)
fig, ax = plt.subplots(layout='constrained')
m = ax.contourf(v, v, f(A, B), 15, cmap='RdBu_r', alpha=.9)
U, V = grad(A, B)
ax.quiver(v, v, U, V, color='black', width=.004)
plt.colorbar(m)
plt.title('Gradient field')
# %% right, before show: axis labels and equal aspect
plt.xlabel('x')
plt.ylabel('y')
plt.gca().set_aspect('equal')
# %% right, before: other default colour map and font
plt.rcParams['font.size'] = 12
plt.rcParams['figure.dpi'] = 90
# %% right: contour levels by linspace of MaxNLocator's kind, arrows scaled
x = np.linspace(-2, 2, 17)
X, Y = np.meshgrid(x, x)
e = np.exp(-(X**2 + Y**2))
fig, ax = plt.subplots(figsize=(9, 7))
c = ax.contourf(X, Y, X*e, levels=15, cmap='plasma')
plt.colorbar(c, ax=ax)
ax.quiver(X, Y, e - 2*X*X*e, -2*X*Y*e, color='black', scale=20)
ax.set_title('Gradient field', fontsize=16)
# %% wrong: descent direction
t = np.linspace(-2, 2, 17)
X, Y = np.meshgrid(t, t)
E = np.exp(-X**2 - Y**2)
plt.figure(figsize=(7, 6))
plt.contourf(X, Y, X*E, 15, cmap='viridis')
plt.colorbar()
plt.quiver(X, Y, -(1 - 2*X**2) * E, 2*X*Y*E, color='k')
plt.title('Gradient field')
# %% wrong, changed: np.gradient's outputs exchanged
#- E = np.exp(-X**2 - Y**2)
#- F = X * E
#- plt.figure(figsize=(7, 6))
F = X*np.exp(-X**2 - Y**2)
U, V = np.gradient(F, t, t)
#- plt.quiver(X, Y, (1 - 2*X**2) * E, -2*X*Y*E, color='k')
plt.quiver(X, Y, U, V, color='k')
# %% wrong: no contours
t = np.linspace(-2, 2, 17)
X, Y = np.meshgrid(t, t)
E = np.exp(-X**2 - Y**2)
q = plt.quiver(X, Y, (1 - 2*X**2) * E, -2*X*Y*E, color='k')
plt.colorbar(q)
plt.title('Gradient field')
# %% wrong: only the contours
t = np.linspace(-2, 2, 17)
X, Y = np.meshgrid(t, t)
plt.contourf(X, Y, X*np.exp(-X**2 - Y**2), 15, cmap='viridis')
plt.colorbar()
plt.title('Gradient field')
# %% wrong, changed: another function
#- F = X * E
#- plt.figure(figsize=(7, 6))
#- plt.contourf(X, Y, F, 15, cmap='viridis')
plt.contourf(X, Y, E, 15, cmap='viridis')
#- plt.quiver(X, Y, (1 - 2*X**2) * E, -2*X*Y*E, color='k')
plt.quiver(X, Y, -2*X*E, -2*Y*E, color='k')

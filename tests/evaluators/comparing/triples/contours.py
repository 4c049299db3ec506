# %% setup
u, v = np.meshgrid(np.linspace(0, 4, 70), np.linspace(-1, 2, 60))
F = np.sin(u) * np.exp(-v * v) + 0.2 * u
x = np.linspace(0, 2 * np.pi, 200)
rose = pd.read_csv('data/wind.csv').pivot(index='direction', columns='strength', values='frequency')
rose = rose.loc['N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split()]
angle = np.arange(16) * 2 * np.pi / 16
# %% gold: Draw lines of equal value of F over u and v.
plt.contour(u, v, F)
# %% right: numbers on the lines
c = plt.contour(u, v, F, 12, colors='k')
plt.clabel(c)
# %% wrong: upside down
plt.contour(u, v, F[::-1])
# %% gold: Plot sin(x) from 0 to 2 pi with a solid black line and mark its maximum with a red dot and zero with a dotted horizontal line.
plt.plot(x, np.sin(x), 'k')
plt.plot([np.pi / 2], [1], 'ro')
plt.axhline(0, ls=':')
# %% right: scattered
plt.axhline(0, color='grey', linestyle='dotted')
plt.plot(x, np.sin(x), color='black')
plt.scatter(np.pi / 2, 1, color='crimson', s=60, zorder=3)
# %% wrong, changed: a blue dot
#- plt.plot([np.pi / 2], [1], 'ro')
plt.plot([np.pi / 2], [1], 'bo')
# %% wrong, changed: a solid line at zero
#- plt.axhline(0, ls=':')
plt.axhline(0)
# %% gold: stacked bars around a pole, and a line
figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
bottom = np.zeros(16)
for strength, color in zip(rose.columns, plt.cm.viridis(np.linspace(0, 1, 8))):
    ax.bar(angle, rose[strength], width=2 * np.pi / 16, bottom=bottom, color=color)
    bottom += rose[strength].to_numpy()
ax.plot([3.6, 3.6], [0, 10], color='red', linewidth=4)
ax.set_title('Wind rose by strength')
# %% right: other colours, the line first
figure, ax = plt.subplots(figsize=(6, 6), subplot_kw={'projection': 'polar'}, layout='tight')
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.plot([3.6, 3.6], [0, 10], 'k')
tops = rose.cumsum(axis=1)
for place, strength in enumerate(rose.columns):
    ax.bar(angle, rose[strength], width=0.35, bottom=tops[strength] - rose[strength], color=plt.cm.plasma(place / 8))
ax.set_title('Wind rose by strength')
# %% wrong, before: two strengths alone
rose = rose.iloc[:, :2]

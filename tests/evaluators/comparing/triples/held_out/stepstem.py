# %% setup
peng = pd.read_csv('data/penguins.csv').dropna()
sun = pd.read_csv('data/sunspots.csv')
# %% gold: Draw the empirical cumulative distribution functions of body_mass_g of peng as step curves, one per species in one axes: sorted values on x and the fraction i/n (i = 1..n) on y, steps with where='post'. Add a legend, x label 'body mass (g)' and y label 'ECDF'.
for s, g in peng.groupby('species'):
    v = np.sort(g['body_mass_g'])
    plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('body mass (g)')
plt.ylabel('ECDF')
plt.legend()
# %% right: drawstyle
fig, ax = plt.subplots(figsize=(9, 5))
for s, c in zip(['Gentoo', 'Adelie', 'Chinstrap'], ['navy', 'orange', 'green']):
    x = peng.loc[peng.species == s, 'body_mass_g'].sort_values()
    ax.plot(x, np.arange(1, x.size + 1) / x.size, drawstyle='steps-post', color=c, label=s)
ax.set(xlabel='body mass (g)', ylabel='ECDF'); ax.legend(loc='lower right'); ax.grid()
# %% right: linspace, dashes
for s in peng.species.unique():
    v = sorted(peng[peng.species == s].body_mass_g)
    plt.step(v, np.linspace(1/len(v), 1, len(v)), where='post', label=s, ls='--')
plt.legend(title='species'); plt.xlabel('body mass (g)'); plt.ylabel('ECDF'); plt.title('ECDF by species')
# %% right: matplotlib's ecdf
fig, ax = plt.subplots()
for s, g in peng.groupby('species'):
    ax.ecdf(g['body_mass_g'], label=s)
ax.set_xlabel('body mass (g)'); ax.set_ylabel('ECDF'); ax.legend()
# %% right, before show: grid
plt.grid(alpha=.4)
# %% wrong: counts, not fractions
for s, g in peng.groupby('species'):
    v = np.sort(g['body_mass_g'])
    plt.step(v, np.arange(1, len(v) + 1), where='post', label=s)
plt.xlabel('body mass (g)'); plt.ylabel('ECDF'); plt.legend()
# %% wrong: unsorted values
for s, g in peng.groupby('species'):
    v = g['body_mass_g'].values
    plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('body mass (g)'); plt.ylabel('ECDF'); plt.legend()
# %% wrong: by island
for s, g in peng.groupby('island'):
    v = np.sort(g['body_mass_g'])
    plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('body mass (g)'); plt.ylabel('ECDF'); plt.legend()
# %% wrong: survival function
for s, g in peng.groupby('species'):
    v = np.sort(g['body_mass_g'])
    plt.step(v, 1 - np.arange(1, len(v) + 1) / len(v), where='post', label=s)
plt.xlabel('body mass (g)'); plt.ylabel('ECDF'); plt.legend()
# %% wrong, before: Chinstrap lost
peng = peng[peng.species != 'Chinstrap']
# %% gold: Compute the autocorrelation of SUNACTIVITY of sun (mean removed) for lags 0 to 30, r_k = sum(x_t x_{t+k}) / sum(x_t^2), and draw it as a stem plot against the lag. x label 'Lag', y label 'Autocorrelation', title 'Sunspots'.
x = sun['SUNACTIVITY'].values - sun['SUNACTIVITY'].mean()
r = [np.sum(x[:len(x) - k] * x[k:]) / np.sum(x * x) for k in range(31)]
plt.stem(range(31), r)
plt.xlabel('Lag')
plt.ylabel('Autocorrelation')
plt.title('Sunspots')
# %% right: np.correlate, other markers
s = sun.SUNACTIVITY - sun.SUNACTIVITY.mean()
c = np.correlate(s, s, mode='full')[len(s) - 1:]
c = c[:31] / c[0]
fig, ax = plt.subplots(figsize=(10, 4))
ax.stem(np.arange(31), c, linefmt='C1-', markerfmt='C1s', basefmt='k-')
ax.set(xlabel='Lag', ylabel='Autocorrelation', title='Sunspots')
# %% right: vlines and points
v = sun['SUNACTIVITY'].to_numpy(float); v = v - v.mean()
ac = np.array([v[k:].dot(v[:v.size - k]) for k in range(31)]) / v.dot(v)
plt.stem(ac, basefmt=' ')
plt.axhline(0, c='grey')
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')
plt.tight_layout()
# %% right, before show: bounds and grid
plt.axhline(1.96 / np.sqrt(len(x)), ls=':', c='grey')
plt.axhline(-1.96 / np.sqrt(len(x)), ls=':', c='grey')
# %% right: pandas shifts
x = sun['SUNACTIVITY'] - sun['SUNACTIVITY'].mean()
r = [(x * x.shift(-k)).sum() / (x**2).sum() for k in range(31)]
plt.figure(figsize=(12, 5))
plt.stem(np.arange(31), r, linefmt='grey', markerfmt='ro', basefmt='k')
plt.title('Sunspots'); plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.ylim(-1, 1.1); plt.grid(alpha=.3)
# %% wrong: mean not removed
x = sun['SUNACTIVITY'].values
plt.stem(range(31), [np.sum(x[:len(x) - k] * x[k:]) / np.sum(x * x) for k in range(31)])
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')
# %% wrong: not normalised
x = sun['SUNACTIVITY'].values - sun['SUNACTIVITY'].mean()
plt.stem(range(31), [np.sum(x[:len(x) - k] * x[k:]) for k in range(31)])
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')
# %% wrong: lags to 15
x = sun['SUNACTIVITY'].values - sun['SUNACTIVITY'].mean()
plt.stem(range(16), [np.sum(x[:len(x) - k] * x[k:]) / np.sum(x * x) for k in range(16)])
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')
# %% wrong: a plain line of the series
plt.plot(sun.YEAR, sun.SUNACTIVITY)
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')
# %% wrong: only the positive part
x = sun['SUNACTIVITY'].values - sun['SUNACTIVITY'].mean()
plt.stem(range(31), np.abs([np.sum(x[:len(x) - k] * x[k:]) / np.sum(x * x) for k in range(31)]))
plt.xlabel('Lag'); plt.ylabel('Autocorrelation'); plt.title('Sunspots')

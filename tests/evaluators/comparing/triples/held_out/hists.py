# %% setup
from scipy import stats
bc = pd.read_csv('data/breast_cancer.csv')
cs = pd.read_csv('data/carseats.csv')
# %% gold: Draw step histograms (no fill, density=True) of mean_radius for benign and malignant tumours in one axes, both with 25 bins from 6 to 29; legend entries 'benign' and 'malignant', x label 'mean radius'.
b = np.linspace(6, 29, 26)
for d in ['benign', 'malignant']:
    plt.hist(bc.loc[bc.diagnosis == d, 'mean_radius'], bins=b, density=True, histtype='step', label=d)
plt.xlabel('mean radius')
plt.legend()
# %% right: range, colours
fig, ax = plt.subplots(figsize=(9, 5))
for d, g in bc.groupby('diagnosis'):
    ax.hist(g['mean_radius'], bins=25, range=(6, 29), density=True, histtype='step', lw=2, color={'benign': 'green', 'malignant': 'red'}[d], label=d)
ax.set(xlabel='mean radius', ylabel='density', title='Radius by diagnosis'); ax.legend()
# %% right: seaborn
sns.histplot(data=bc, x='mean_radius', hue='diagnosis', hue_order=['benign', 'malignant'], bins=25, binrange=(6, 29), stat='density', common_norm=False, element='step', fill=False)
plt.xlabel('mean radius')
# %% right: np.histogram and stairs
for d in ['malignant', 'benign']:
    n, e = np.histogram(bc[bc.diagnosis == d].mean_radius, bins=25, range=(6, 29), density=True)
    plt.stairs(n, e, label=d)
plt.legend(); plt.xlabel('mean radius'); plt.grid(alpha=.3)
# %% right, before show: y label
plt.ylabel('density'); plt.title('Tumours')
# %% wrong: counts
b = np.linspace(6, 29, 26)
for d in ['benign', 'malignant']:
    plt.hist(bc.loc[bc.diagnosis == d, 'mean_radius'], bins=b, histtype='step', label=d)
plt.xlabel('mean radius'); plt.legend()
# %% wrong: labels exchanged
b = np.linspace(6, 29, 26)
for d, l in [('benign', 'malignant'), ('malignant', 'benign')]:
    plt.hist(bc.loc[bc.diagnosis == d, 'mean_radius'], bins=b, density=True, histtype='step', label=l)
plt.xlabel('mean radius'); plt.legend()
# %% wrong: 10 bins
for d in ['benign', 'malignant']:
    plt.hist(bc.loc[bc.diagnosis == d, 'mean_radius'], bins=np.linspace(6, 29, 11), density=True, histtype='step', label=d)
plt.xlabel('mean radius'); plt.legend()
# %% wrong: filled bars
for d in ['benign', 'malignant']:
    plt.hist(bc.loc[bc.diagnosis == d, 'mean_radius'], bins=np.linspace(6, 29, 26), density=True, alpha=.5, label=d)
plt.xlabel('mean radius'); plt.legend()
# %% wrong, before: texture
bc = bc.assign(mean_radius=bc.mean_texture)
# %% gold: Draw a histogram of Sales of cs with 20 bins over its range as a density and, over it, the density of the normal distribution with the sample's mean and standard deviation (ddof=1) as a red line. Title 'Sales'.
x = cs['Sales']
plt.hist(x, bins=20, density=True)
t = np.linspace(x.min(), x.max(), 200)
plt.plot(t, stats.norm.pdf(t, x.mean(), x.std()), 'r')
plt.title('Sales')
# %% right: axes, grey bars, labels
fig, ax = plt.subplots(figsize=(8, 5))
n, bins, _ = ax.hist(cs.Sales, 20, density=True, color='lightgrey', edgecolor='black')
mu, sd = cs.Sales.mean(), cs.Sales.std(ddof=1)
ax.plot(bins, np.exp(-(bins - mu)**2 / (2*sd**2)) / (sd*np.sqrt(2*np.pi)), color='red', lw=2, label='normal')
ax.set(title='Sales', xlabel='Sales', ylabel='Density'); ax.legend()
# %% right: seaborn
ax = sns.histplot(cs['Sales'], bins=20, stat='density', color='skyblue')
g = np.linspace(cs.Sales.min(), cs.Sales.max(), 300)
ax.plot(g, stats.norm(cs.Sales.mean(), cs.Sales.std()).pdf(g), color='red')
ax.set_title('Sales')
# %% right, before show: dashed mean line, labels
plt.xlabel('sales (thousands)')
plt.ylabel('density')
# %% right: bins by linspace, legend
s = cs['Sales'].to_numpy()
plt.figure(figsize=(9, 6))
plt.hist(s, bins=np.linspace(s.min(), s.max(), 21), density=True, alpha=.6, color='g', label='Sales')
g = np.linspace(s.min(), s.max(), 100)
plt.plot(g, stats.norm.pdf(g, loc=s.mean(), scale=s.std(ddof=1)), color='red', linewidth=2, label='normal density')
plt.legend(); plt.title('Sales'); plt.ylabel('density')
# %% wrong: counts (the curve lies at the bottom)
x = cs['Sales']
plt.hist(x, bins=20)
t = np.linspace(x.min(), x.max(), 200)
plt.plot(t, stats.norm.pdf(t, x.mean(), x.std()), 'r'); plt.title('Sales')
# %% wrong, changed: standard normal
#- plt.plot(t, stats.norm.pdf(t, x.mean(), x.std()), 'r')
#- plt.title('Sales')
plt.plot(t, stats.norm.pdf(t), 'r'); plt.title('Sales')
# %% wrong, changed: variance for the standard deviation
#- plt.plot(t, stats.norm.pdf(t, x.mean(), x.std()), 'r')
#- plt.title('Sales')
plt.plot(t, stats.norm.pdf(t, x.mean(), x.var()), 'r'); plt.title('Sales')
# %% wrong: no curve
plt.hist(cs['Sales'], bins=20, density=True); plt.title('Sales')
# %% wrong: Price
x = cs['Price']
plt.hist(x, bins=20, density=True)
t = np.linspace(x.min(), x.max(), 200)
plt.plot(t, stats.norm.pdf(t, x.mean(), x.std()), 'r'); plt.title('Sales')

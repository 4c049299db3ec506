# %% setup
macro = pd.read_csv('data/macrodata.csv')
years = macro['year'] + (macro['quarter'] - 1) / 4
shares = macro[['realcons', 'realinv', 'realgovt']].set_axis(['consumption', 'investment', 'government'], axis=1)
shares = shares.div(shares.sum(axis=1), axis=0) * 100
elnino = pd.read_csv('data/elnino.csv', index_col='YEAR')
anomaly = (elnino - elnino.mean()).stack().rolling(12).mean().dropna().to_numpy()[:240]
months = np.arange(len(anomaly))
penguins = pd.read_csv('data/penguins.csv').dropna()
species = sorted(penguins['species'].unique())
actual = np.sin(np.arange(30) / 4) * 3 + 10
lower, upper = actual - 1.5 - np.arange(30) / 30, actual + 1 + np.arange(30) / 20


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: parts on top of each other
plt.figure(figsize=(5.5, 3.5))
plt.stackplot(years, shares.T, labels=shares.columns, colors=['cornflowerblue', 'gold', 'tomato'])
plt.ylim(0, 100)
words('Parts of demand', 'year', 'percent')
plt.legend(loc='lower left')
plt.show()
# %% right: by pandas
shares.set_axis(years).plot.area(title='Parts of demand', ylabel='percent', xlabel='year', figsize=(9, 5))
plt.show()
# %% right: other colours, half transparent
plt.stackplot(years, *(shares[name] for name in shares), labels=list(shares), alpha=0.5)
words('Parts of demand', 'year', 'percent')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.margins(x=0)
plt.show()
# %% right: by fill_between, layer by layer
top = shares.cumsum(axis=1)
bottom = top.shift(1, axis=1).fillna(0)
for name in shares:
    plt.fill_between(years, bottom[name], top[name], label=name)
words('Parts of demand', 'year', 'percent')
plt.legend()
plt.show()
# %% wrong, before: names exchanged
shares = shares.set_axis(['government', 'consumption', 'investment'], axis=1)
# %% wrong, before: years turned around
shares = shares[::-1].reset_index(drop=True)
# %% wrong, before: not in percent
shares = shares / 100
# %% wrong, before: two of three
shares = shares.iloc[:, :2]
# %% wrong: lines, not stacked
plt.plot(years, shares, label=list(shares))
words('Parts of demand', 'year', 'percent')
plt.legend()
plt.show()

# %% gold: above and below 0
plt.figure(figsize=(6, 3))
plt.fill_between(months, anomaly, 0, where=anomaly > 0, color='crimson', linewidth=0)
plt.fill_between(months, anomaly, 0, where=anomaly < 0, color='royalblue', linewidth=0)
words('El Nino and La Nina', 'month', 'anomaly')
plt.show()
# %% right: other colours, taller
plt.figure(figsize=(8, 6))
plt.fill_between(months, 0, anomaly, where=anomaly < 0, color='green', alpha=0.6)
plt.fill_between(months, 0, anomaly, where=anomaly > 0, color='orange', alpha=0.6)
words('El Nino and La Nina', 'month', 'anomaly')
plt.show()
# %% right: with a thin line around
plt.fill_between(months, anomaly, where=anomaly > 0, color='red', edgecolor='black', lw=0.3)
plt.fill_between(months, anomaly, where=anomaly < 0, color='blue', edgecolor='black', lw=0.3)
words('El Nino and La Nina', 'month', 'anomaly')
plt.show()
# %% wrong, before: signs exchanged
anomaly = -anomaly
# %% wrong, before: turned around
anomaly = anomaly[::-1]
# %% wrong, before: temperatures, not anomalies
anomaly = elnino.stack().to_numpy()[:240] - 20
# %% wrong, before: not smoothed
anomaly = (elnino - elnino.mean()).stack().to_numpy()[:240]
# %% wrong, before: half of the time
months, anomaly = months[:120], anomaly[:120]

# %% gold: a band with points
plt.figure(figsize=(5, 3.5))
plt.fill_between(range(30), lower, upper, color='skyblue', label='interval')
plt.plot(range(30), actual, 'o', color='black', markersize=5, label='measured')
words('Forecast', 'step', 'value')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()
# %% right: scatter, transparent band, legend inside
plt.fill_between(np.arange(30), lower, upper, alpha=0.3, label='interval', color='purple')
plt.scatter(np.arange(30), actual, s=12, label='measured')
words('Forecast', 'step', 'value')
plt.legend()
plt.show()
# %% right: larger, the points first
figure, axes = plt.subplots(figsize=(10, 6))
axes.plot(np.arange(30), actual, 'kx', label='measured')
axes.fill_between(np.arange(30), upper, lower, zorder=0, label='interval')
axes.set(title='Forecast', xlabel='step', ylabel='value')
axes.legend(loc='best')
plt.show()
# %% wrong, before: the band half as wide
lower, upper = actual - (actual - lower) / 2, actual + (upper - actual) / 2
actual = actual - 0.4
# %% wrong: without the points
plt.fill_between(range(30), lower, upper, color='skyblue', label='interval')
words('Forecast', 'step', 'value')
plt.legend()
plt.show()
# %% wrong: without the band
plt.plot(range(30), actual, 'o', color='black', markersize=5, label='measured')
words('Forecast', 'step', 'value')
plt.legend()
plt.show()
# %% wrong, before: negative
lower, upper, actual = -upper, -lower, -actual
# %% wrong, before: turned around
lower, upper, actual = lower[::-1], upper[::-1], actual[::-1]

# %% gold: densities of three groups
plt.figure(figsize=(4.5, 3))
sns.kdeplot(data=penguins, x='flipper_length_mm', hue='species', hue_order=species, fill=True, common_norm=False, alpha=0.4, linewidth=2, palette='Set1')
words('Flippers', 'length (mm)', 'density')
plt.show()
# %% right: other colours, no lines around
plt.figure(figsize=(8, 5))
sns.kdeplot(data=penguins, x='flipper_length_mm', hue='species', hue_order=species, fill=True, common_norm=False, alpha=0.7, linewidth=0, palette='viridis')
words('Flippers', 'length (mm)', 'density')
plt.show()
# %% right: one call a group
for name in species:
    sns.kdeplot(penguins.loc[penguins['species'] == name, 'flipper_length_mm'], fill=True, label=name)
plt.legend(title='species')
words('Flippers', 'length (mm)', 'density')
plt.show()
# %% wrong, before: groups exchanged
penguins = penguins.assign(species=penguins['species'].replace(dict(zip(species, species[1:] + species[:1]))))
# %% wrong: densities that together are one
sns.kdeplot(data=penguins, x='flipper_length_mm', hue='species', hue_order=species, fill=True)
words('Flippers', 'length (mm)', 'density')
plt.show()
# %% wrong: half of the bandwidth
sns.kdeplot(data=penguins, x='flipper_length_mm', hue='species', hue_order=species, fill=True, common_norm=False, bw_adjust=0.4)
words('Flippers', 'length (mm)', 'density')
plt.show()
# %% wrong, before: the bills
penguins = penguins.assign(flipper_length_mm=penguins['bill_length_mm'])
# %% wrong, before: two of three groups
species = species[:2]
penguins = penguins[penguins['species'].isin(species)]

# %% gold: periods marked behind a curve
slumps = [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]
plt.figure(figsize=(5.5, 3.5))
plt.plot(years, macro['unemp'], color='black', linewidth=2)
for begin, end in slumps:
    plt.axvspan(begin, end, color='orange', alpha=0.6)
words('Unemployment and slumps', 'year', 'percent')
plt.show()
# %% right: grey periods behind a blue curve, larger
plt.figure(figsize=(9, 4))
for begin, end in [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]:
    plt.axvspan(begin, end, color='gray', alpha=0.2, zorder=0)
plt.plot(years, macro['unemp'])
words('Unemployment and slumps', 'year', 'percent')
plt.show()
# %% right: the periods without edges
for begin, end in [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]:
    plt.axvspan(begin, end, facecolor='pink', edgecolor='none')
plt.plot(years.to_numpy(), macro['unemp'].to_numpy(), 'r')
words('Unemployment and slumps', 'year', 'percent')
plt.show()
# %% wrong: another curve
plt.plot(years, macro['infl'], color='black', linewidth=2)
for begin, end in [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]:
    plt.axvspan(begin, end, color='orange', alpha=0.6)
words('Unemployment and slumps', 'year', 'percent')
plt.show()
# %% wrong: other periods
plt.plot(years, macro['unemp'], color='black', linewidth=2)
for begin, end in [(1961, 1964), (1977, 1980), (1990, 1994), (1999, 2003)]:
    plt.axvspan(begin, end, color='orange', alpha=0.6)
words('Unemployment and slumps', 'year', 'percent')
plt.show()

# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna().reset_index(drop=True)
macro = pd.read_csv('data/macrodata.csv')
yearly = macro.groupby('year')[['unemp', 'infl']].mean()
x, y = penguins['flipper_length_mm'], penguins['body_mass_g']
names = sorted(penguins['species'].unique())
slope, intercept = np.polyfit(x, y, 1)


def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)


# %% gold: points of three groups
plt.figure(figsize=(4.5, 3.3))
for name in names:
    rows = penguins[penguins['species'] == name]
    plt.scatter(rows['bill_length_mm'], rows['bill_depth_mm'], s=25, label=name)
words('Bills', 'length (mm)', 'depth (mm)')
plt.legend()
plt.show()
# %% right: by seaborn in one call
plt.figure(figsize=(8, 6))
sns.scatterplot(data=penguins, x='bill_length_mm', y='bill_depth_mm', hue='species', style='species')
words('Bills', 'length (mm)', 'depth (mm)')
plt.show()
# %% right: one call with colours, and a legend by hand
codes = penguins['species'].astype('category').cat.codes
points = plt.scatter(penguins['bill_length_mm'], penguins['bill_depth_mm'], c=codes, cmap='brg', s=10)
plt.legend(points.legend_elements()[0], names, loc='lower left')
words('Bills', 'length (mm)', 'depth (mm)')
plt.show()
# %% right: markers by plot, half transparent
for name, rows in penguins.groupby('species'):
    plt.plot(rows['bill_length_mm'], rows['bill_depth_mm'], 'o', alpha=0.5, label=name)
words('Bills', 'length (mm)', 'depth (mm)')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1), title=None)
plt.show()
# %% right: by pandas
figure, axes = plt.subplots()
for name, color in zip(names, 'rgb'):
    penguins[penguins['species'] == name].plot.scatter(x='bill_length_mm', y='bill_depth_mm', color=color, label=name, ax=axes)
words('Bills', 'length (mm)', 'depth (mm)')
plt.show()
# %% wrong, before: groups exchanged
penguins = penguins.assign(species=penguins['species'].replace(dict(zip(names, names[1:] + names[:1]))))
# %% wrong, before: another column
penguins = penguins.assign(bill_depth_mm=penguins['flipper_length_mm'])
# %% wrong, before: depth of other rows
penguins = penguins.assign(bill_depth_mm=penguins['bill_depth_mm'].sample(frac=1, random_state=0).to_numpy())
# %% wrong, before: two of the three groups
names = names[:2]
# %% wrong, before: half of the points
penguins = penguins.iloc[::2]
# %% wrong, before: negative
penguins = penguins.assign(bill_depth_mm=-penguins['bill_depth_mm'])
# %% wrong, before show: logarithmic axis
plt.xscale('log')
# %% wrong, before show: x axis inverted
plt.gca().invert_xaxis()
# %% wrong: axes exchanged
sns.scatterplot(data=penguins, y='bill_length_mm', x='bill_depth_mm', hue='species')
words('Bills', 'length (mm)', 'depth (mm)')
plt.show()

# %% gold: points and a straight line
ends = np.array([x.min(), x.max()])
plt.figure(figsize=(5, 3.5))
plt.scatter(x, y, s=20, color='lightgray')
plt.plot(ends, slope * ends + intercept, color='green', linewidth=2, label='fit')
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend()
plt.show()
# %% right: the line through many points
many = np.linspace(x.min(), x.max(), 100)
plt.plot(many, np.polyval([slope, intercept], many), 'r--', label='fit')
plt.scatter(x, y, marker='x')
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend()
plt.show()
# %% right: the line through the sorted points
order = np.argsort(x)
plt.figure(figsize=(9, 6))
plt.plot(x, y, '.', color='tab:blue')
plt.plot(x[order], slope * x[order] + intercept, 'k', label='fit')
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend(loc='lower right')
plt.show()
# %% right: by seaborn
sns.regplot(x=x, y=y, ci=None, line_kws={'label': 'fit', 'color': 'orange'})
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend()
plt.show()
# %% right: by seaborn with an interval around the line
sns.regplot(x=x, y=y, seed=1, scatter_kws={'alpha': 0.3}, line_kws={'label': 'fit'})
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend()
plt.show()
# %% wrong, before: another slope, points moved
slope, intercept = slope * 0.8, intercept + 0.35 * slope * x.mean()
x = x + 3
# %% wrong: the points without the line
plt.scatter(x, y, s=20, color='lightgray', label='fit')
words('Mass by flipper', 'flipper (mm)', 'mass (g)')
plt.legend()
plt.show()
# %% wrong, changed: the line without the points
#- plt.figure(figsize=(5, 3.5))
#- plt.scatter(x, y, s=20, color='lightgray')
# %% wrong, before: another quantity
y = penguins['bill_length_mm']
slope, intercept = np.polyfit(x, y, 1)
# %% wrong, before: shuffled, with its own fit
y = y.sample(frac=1, random_state=2).reset_index(drop=True)
slope, intercept = np.polyfit(x, y, 1)
# %% wrong, before: standardised
x, y = (x - x.mean()) / x.std(), (y - y.mean()) / y.std()
slope, intercept = np.polyfit(x, y, 1)

# %% gold: points coloured by a third value, with a line through them
plt.figure(figsize=(5.5, 4))
plt.plot(yearly['unemp'], yearly['infl'], color='lightgray', linewidth=2)
plt.scatter(yearly['unemp'], yearly['infl'], s=50, c=yearly.index, cmap='viridis', zorder=3)
plt.colorbar()
words('Unemployment and inflation', 'unemployment (%)', 'inflation (%)')
plt.show()
# %% right: another colour map, annotated
plt.figure(figsize=(8, 5))
plt.plot(yearly['unemp'], yearly['infl'], 'k:')
plt.scatter(yearly['unemp'], yearly['infl'], c=yearly.index, cmap='plasma')
plt.colorbar(label='year')
for year in (1969, 1975, 1980):
    plt.annotate(str(year), (yearly.loc[year, 'unemp'], yearly.loc[year, 'infl']))
words('Unemployment and inflation', 'unemployment (%)', 'inflation (%)')
plt.show()
# %% right: on axes, the bar below
figure, axes = plt.subplots()
points = axes.scatter(yearly['unemp'], yearly['infl'], c=yearly.index, s=20, edgecolor='k', zorder=2)
axes.plot(yearly['unemp'], yearly['infl'], zorder=1)
figure.colorbar(points, orientation='horizontal')
axes.set(title='Unemployment and inflation', xlabel='unemployment (%)', ylabel='inflation (%)')
plt.show()
# %% wrong, before: axes exchanged
yearly = yearly.rename(columns={'unemp': 'infl', 'infl': 'unemp'})
# %% wrong, before: medians
yearly = macro.groupby('year')[['unemp', 'infl']].median()
# %% wrong, before: a year too late
yearly = yearly.assign(infl=yearly['infl'].shift(1))
# %% wrong, before: every second year
yearly = yearly.iloc[::2]
# %% wrong, before: one of the points far off
yearly = yearly.copy()
yearly.iloc[10] = [40, 60]

# %% gold: points with letters in them
letters = 'abcdefghijklm'
places = np.random.default_rng(4).normal(size=(13, 2))
plt.figure(figsize=(6.5, 5))
plt.scatter(places[:, 0], places[:, 1], s=160, c=['tomato' if letter in 'aeiou' else 'lightblue' for letter in letters])
for letter, (a, b) in zip(letters, places):
    plt.text(a, b, letter, ha='center', va='center')
words('Embedding')
plt.show()
# %% right: letters beside the points
letters = 'abcdefghijklm'
places = np.random.default_rng(4).normal(size=(13, 2))
plt.scatter(*places.T)
for place, letter in enumerate(letters):
    plt.annotate(letter, places[place], xytext=(5, 5), textcoords='offset points')
words('Embedding')
plt.show()
# %% right: two calls, one for the vowels
letters = 'abcdefghijklm'
places = np.random.default_rng(4).normal(size=(13, 2))
vowel = np.isin(list(letters), list('aeiou'))
plt.scatter(*places[vowel].T, color='red', s=90)
plt.scatter(*places[~vowel].T, color='blue', s=90)
for letter, (a, b) in zip(letters, places):
    plt.text(a, b, letter, color='white', ha='center', va='center')
words('Embedding')
plt.show()
# %% wrong, changed: turned
#- places = np.random.default_rng(4).normal(size=(13, 2))
#- plt.figure(figsize=(6.5, 5))
#- plt.scatter(places[:, 0], places[:, 1], s=160, c=['tomato' if letter in 'aeiou' else 'lightblue' for letter in letters])
places = np.random.default_rng(4).normal(size=(13, 2)) @ [[0.6, -0.8], [0.8, 0.6]]
plt.scatter(*places.T, s=160)
# %% wrong, changed: of another seed
#- places = np.random.default_rng(4).normal(size=(13, 2))
#- plt.figure(figsize=(6.5, 5))
#- plt.scatter(places[:, 0], places[:, 1], s=160, c=['tomato' if letter in 'aeiou' else 'lightblue' for letter in letters])
places = np.random.default_rng(5).normal(size=(13, 2))
plt.scatter(*places.T, s=160)
# %% wrong, changed: the first of two dimensions twice
#- places = np.random.default_rng(4).normal(size=(13, 2))
#- plt.figure(figsize=(6.5, 5))
#- plt.scatter(places[:, 0], places[:, 1], s=160, c=['tomato' if letter in 'aeiou' else 'lightblue' for letter in letters])
places = np.random.default_rng(4).normal(size=(13, 2))[:, [0, 0]]
plt.scatter(*places.T, s=160)

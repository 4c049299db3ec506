# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
species = sorted(penguins['species'].unique())
mass = penguins['body_mass_g']
groups = [penguins.loc[penguins['species'] == name, 'body_mass_g'] for name in species]
digits = pd.read_csv('data/digits.csv')
pixels, labels = digits.iloc[:, :64].to_numpy(), digits.iloc[:, -1].to_numpy()
macro = pd.read_csv('data/macrodata.csv').iloc[:60]
means = np.stack([pixels[labels == digit].mean(axis=0).reshape(8, 8) for digit in range(10)])

# %% gold: a histogram beside boxes
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.2))
left.hist(mass, bins=12, color='steelblue', edgecolor='white')
left.axvline(mass.median(), color='red', linestyle='--', linewidth=2)
left.set_title('All')
left.set_ylabel('penguins')
right.boxplot(groups)
right.set_xticks(range(1, 4), species, rotation=30)
right.set_title('By species')
right.set_ylabel('mass (g)')
plt.tight_layout()
plt.show()
# %% right: above one another, by seaborn
figure, (upper, lower) = plt.subplots(2, 1, figsize=(6, 8))
sns.histplot(mass, bins=12, ax=upper)
upper.axvline(mass.median(), color='k')
upper.set(title='All', ylabel='penguins', xlabel='')
sns.boxplot(data=penguins, x='species', y='body_mass_g', order=species, ax=lower, hue='species')
lower.set(title='By species', ylabel='mass (g)', xlabel='')
plt.show()
# %% right: by subplot, without tight layout
plt.figure(figsize=(10, 4))
plt.subplot(1, 2, 1)
plt.hist(mass, bins=12)
plt.axvline(mass.median(), color='orange')
plt.title('All')
plt.ylabel('penguins')
plt.subplot(1, 2, 2)
plt.boxplot(groups, tick_labels=species, patch_artist=True)
plt.title('By species')
plt.ylabel('mass (g)')
plt.show()
# %% wrong: the boxes alone
plt.boxplot(groups, tick_labels=species)
plt.title('By species')
plt.ylabel('mass (g)')
plt.show()
# %% wrong, before: another column
mass = penguins['bill_length_mm']
groups = [penguins.loc[penguins['species'] == name, 'bill_length_mm'] for name in species]
# %% wrong, before: boxes under other names, one species on the left
groups = groups[::-1]
mass = groups[0]
# %% wrong, before: negative
mass, groups = -mass, [-group for group in groups]

# %% gold: ten images
figure, axes = plt.subplots(2, 5, figsize=(5, 2.6))
for digit, ax in enumerate(axes.flat):
    ax.imshow(means[digit], cmap='gray_r')
    ax.set_title(str(digit))
    ax.axis('off')
plt.show()
# %% right: in one row, other colours
figure, axes = plt.subplots(1, 10, figsize=(12, 2))
for digit, ax in enumerate(axes):
    ax.imshow(means[digit], cmap='viridis')
    ax.set_title(str(digit))
    ax.set_xticks([])
    ax.set_yticks([])
plt.tight_layout()
plt.show()
# %% right: by subplot, smooth
plt.figure(figsize=(8, 4))
for digit in range(10):
    plt.subplot(2, 5, digit + 1)
    plt.imshow(means[digit], cmap='gray', interpolation='bilinear')
    plt.title(str(digit))
    plt.axis('off')
plt.show()
# %% wrong, before: turned around under the same titles
means = means[::-1]
# %% wrong, before: rows and columns exchanged
means = means.transpose(0, 2, 1)
# %% wrong, before: single images for means
means = np.stack([pixels[labels == digit][3].reshape(8, 8) for digit in range(10)])
# %% wrong, before: deviations for means
means = np.stack([pixels[labels == digit].std(axis=0).reshape(8, 8) for digit in range(10)])
# %% wrong, before: negative
means = 16 - means

# %% gold: bars and a line with an axis of its own
figure, ax = plt.subplots(figsize=(5.5, 3.5))
ax.bar(range(60), macro['unemp'], color='lightgray')
ax.set_ylabel('unemployment (%)')
other = ax.twinx()
other.plot(range(60), macro['realgdp'], color='darkgreen', linewidth=3)
other.set_ylabel('GDP')
ax.set_title('Unemployment and product')
plt.show()
# %% right: other colours, the line with markers
figure, ax = plt.subplots(figsize=(9, 5))
ax.bar(np.arange(60), macro['unemp'].to_numpy(), width=1, color='navy', alpha=0.3)
ax.set_ylabel('unemployment (%)', color='navy')
other = ax.twinx()
other.plot(macro['realgdp'].to_numpy(), 'r.-')
other.set_ylabel('GDP', color='r')
plt.title('Unemployment and product')
plt.show()
# %% right: by pandas
axes = macro['unemp'].plot.bar(color='tan', title='Unemployment and product', ylabel='unemployment (%)')
macro['realgdp'].plot(secondary_y=True, color='k', ax=axes)
axes.right_ax.set_ylabel('GDP')
axes.set_xticks(range(0, 60, 10))
plt.show()
# %% wrong, before: columns exchanged
macro = macro.rename(columns={'unemp': 'realgdp', 'realgdp': 'unemp'})
# %% wrong, before: turned around
macro = macro[::-1].reset_index(drop=True)
# %% wrong, before: other columns
macro = macro.assign(unemp=macro['infl'], realgdp=macro['realinv'])
# %% wrong: the bars alone
plt.bar(range(60), macro['unemp'], color='lightgray')
plt.ylabel('unemployment (%)')
plt.title('Unemployment and product')
plt.show()
# %% wrong: the line on the axis of the bars
plt.bar(range(60), macro['unemp'], color='lightgray')
plt.plot(range(60), macro['realgdp'], color='darkgreen', linewidth=3)
plt.ylabel('unemployment (%)')
plt.title('Unemployment and product')
plt.show()

# %% gold: three panels of a grid
figure = plt.figure(figsize=(6.5, 4.5))
grid = figure.add_gridspec(2, 2)
upper = figure.add_subplot(grid[0, :])
upper.bar(range(59), macro['realgdp'].diff().iloc[1:])
upper.set_title('Change')
left = figure.add_subplot(grid[1, 0])
left.barh(species, [len(group) for group in groups], color='gold')
left.set_title('Rows')
right = figure.add_subplot(grid[1, 1])
right.hist(macro['unemp'], bins=15, color='gray', edgecolor='white')
right.set_title('Unemployment (%)')
plt.tight_layout()
plt.show()
# %% right: in a row
figure, (first, second, third) = plt.subplots(1, 3, figsize=(14, 4))
first.bar(np.arange(59), macro['realgdp'].diff().dropna(), color='k')
first.set_title('Change')
second.barh(species, penguins['species'].value_counts().loc[species], height=0.5)
second.set_title('Rows')
third.hist(macro['unemp'], bins=15, histtype='step')
third.set_title('Unemployment (%)')
plt.show()
# %% right: a mosaic
figure, axes = plt.subplot_mosaic('aa;bc', figsize=(8, 6), layout='constrained')
axes['a'].bar(range(59), macro['realgdp'].diff().iloc[1:], color='teal')
axes['a'].set_title('Change')
axes['b'].barh(species, [len(group) for group in groups])
axes['b'].set_title('Rows')
axes['c'].hist(macro['unemp'], bins=15)
axes['c'].set_title('Unemployment (%)')
plt.show()
# %% wrong, before: turned around, other groups, another column
macro = macro[::-1].reset_index(drop=True).assign(unemp=macro['infl'])
groups = groups[::-1]
# %% wrong: the first two exchanged their data
figure, (first, second, third) = plt.subplots(1, 3, figsize=(9, 4))
first.hist(macro['realgdp'].diff().dropna())
first.set_title('Change')
second.barh(species, [group.mean() for group in groups])
second.set_title('Rows')
third.bar(range(60), macro['unemp'])
third.set_title('Unemployment (%)')
plt.show()

# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
credit = pd.read_csv('data/credit.csv')
macro = pd.read_csv('data/macrodata.csv')
mass = penguins.groupby('species')['body_mass_g'].mean()
table = credit.pivot_table(index='Ethnicity', columns='Student', values='Rating')
growth = macro['realgdp'].pct_change().iloc[1:41] * 100

# %% gold: mean mass of each species
plt.figure(figsize=(5, 3.5))
plt.bar(mass.index, mass, color='steelblue')
plt.title('Mean mass')
plt.xlabel('species')
plt.ylabel('mass (g)')
plt.show()
# %% right: by pandas, with turned names
axes = mass.plot(kind='bar', color='tab:green', edgecolor='black', title='Mean mass', rot=30)
axes.set(xlabel='species', ylabel='mass (g)')
plt.show()
# %% right, changed: by seaborn, which takes the means, with intervals
#- plt.figure(figsize=(5, 3.5))
#- plt.bar(mass.index, mass, color='steelblue')
sns.barplot(data=penguins, x='species', y='body_mass_g', order=mass.index, seed=1)
# %% right: at numbered places, narrow, with named ticks
figure, axes = plt.subplots(figsize=(8, 4))
axes.bar(range(3), mass.to_numpy(), width=0.5, alpha=0.7, color=['r', 'g', 'b'])
axes.set_xticks(range(3), mass.index, rotation=45, ha='right')
axes.set_title('Mean mass', loc='left')
axes.set_xlabel('species', fontsize=14)
axes.set_ylabel('mass (g)', fontsize=14)
plt.show()
# %% right, changed: with the values on the bars and a higher axis
#- plt.figure(figsize=(5, 3.5))
#- plt.bar(mass.index, mass, color='steelblue')
plt.figure()
bars = plt.bar(mass.index, mass.values, color='orange')
plt.bar_label(bars, fmt='%.0f')
plt.ylim(0, 6500)
# %% right, changed: the bars from the longest to the shortest
#- plt.figure(figsize=(5, 3.5))
#- plt.bar(mass.index, mass, color='steelblue')
plt.bar(mass.sort_values(ascending=False).index, mass.sort_values(ascending=False), color='steelblue')
# %% wrong, before: medians for means
mass = penguins.groupby('species')['body_mass_g'].median()
# %% wrong, before: the values under each other's names
mass = pd.Series(mass.to_numpy()[::-1], index=mass.index)
# %% wrong, before: values larger by a twentieth
mass = mass * 1.05
# %% wrong, before: negative values
mass = -mass
# %% wrong, before: one of three bars missing
mass = mass.iloc[:2]
# %% wrong, before: standard deviations
mass = penguins.groupby('species')['body_mass_g'].std()
# %% wrong, before: the flippers
mass = penguins.groupby('species')['flipper_length_mm'].mean()
# %% wrong, before: the numbers of rows
mass = penguins['species'].value_counts().sort_index()
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% wrong, before show: logarithmic axis
plt.yscale('log')
# %% wrong, changed: empty axes with all the words
#- plt.figure(figsize=(5, 3.5))
#- plt.bar(mass.index, mass, color='steelblue')

# %% gold: two bars a group, side by side
positions = np.arange(len(table))
plt.figure(figsize=(5, 3.5))
for index, column in enumerate(table.columns):
    plt.bar(positions + (index - 0.5) * 0.4, table[column], width=0.4, label=str(column))
plt.xticks(positions, table.index, rotation=20, ha='right')
plt.title('Ratings of students and others')
plt.ylabel('mean rating')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()
# %% right: by pandas
table.plot(kind='bar', title='Ratings of students and others', ylabel='mean rating', xlabel='', figsize=(7, 4))
plt.show()
# %% right: by pandas with narrow bars, other colours and the legend inside
axes = table.plot.bar(width=0.5, color=['gold', 'purple'], edgecolor='k')
axes.set_title('Ratings of students and others')
axes.set_ylabel('mean rating')
axes.set_xlabel('')
axes.legend(loc='lower right', ncol=2)
plt.show()
# %% right: by seaborn without intervals
sns.barplot(data=credit, x='Ethnicity', y='Rating', hue='Student', order=table.index, hue_order=table.columns, errorbar=None)
plt.title('Ratings of students and others')
plt.ylabel('mean rating')
plt.xlabel('')
plt.show()
# %% right: by seaborn with intervals and a palette
plt.figure(figsize=(9, 5))
sns.barplot(data=credit, x='Ethnicity', y='Rating', hue='Student', order=table.index, hue_order=table.columns, seed=0, palette='pastel', capsize=0.1)
plt.title('Ratings of students and others')
plt.ylabel('mean rating')
plt.xlabel('')
plt.show()
# %% wrong, before: names of the legend swapped
table = table.rename(columns={'Yes': 'No', 'No': 'Yes'})
# %% wrong, before: medians
table = credit.pivot_table(index='Ethnicity', columns='Student', values='Rating', aggfunc='median')
# %% wrong, before: another column
table = credit.pivot_table(index='Ethnicity', columns='Student', values='Limit')
# %% wrong, before: the groups exchanged
table = pd.DataFrame(table.to_numpy()[[1, 2, 0]], table.index, table.columns)
# %% wrong, before: one part missing
table = table[['No']]
# %% wrong, before: counts
table = credit.pivot_table(index='Ethnicity', columns='Student', values='Rating', aggfunc='count')

# %% gold: shares of each row, lying and stacked
share = table.div(table.sum(axis=1), axis=0) * 100
figure, ax = plt.subplots(figsize=(5, 3.5))
left = np.zeros(len(share))
for column in share.columns:
    bars = ax.barh(share.index, share[column], left=left, label=str(column))
    ax.bar_label(bars, fmt='%.1f', label_type='center', color='white')
    left += share[column].to_numpy()
ax.set_xlim(0, 100)
ax.set_title('Shares')
ax.set_xlabel('share (%)')
ax.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()
# %% right: by pandas
share = table.div(table.sum(axis=1), axis=0) * 100
share.plot(kind='barh', stacked=True, title='Shares', figsize=(8, 4))
plt.xlabel('share (%)')
plt.ylabel('')
plt.show()
# %% right: without values on the bars, higher bars, the limits left to matplotlib
share = table.div(table.sum(axis=1), axis=0) * 100
plt.barh(share.index, share['No'], height=0.9, label='No', color='navy')
plt.barh(share.index, share['Yes'], left=share['No'], height=0.9, label='Yes', color='tomato')
plt.title('Shares')
plt.xlabel('share (%)')
plt.legend()
plt.show()
# %% wrong, before: shares of other values
table = table * [1, 1.4]
# %% wrong: shares of columns
share = table.div(table.sum(axis=0), axis=1) * 100
share.plot(kind='barh', stacked=True, title='Shares', figsize=(5, 3.5))
plt.xlabel('share (%)')
plt.ylabel('')
plt.show()
# %% wrong: side by side instead of stacked
share = table.div(table.sum(axis=1), axis=0) * 100
share.plot(kind='barh', title='Shares', figsize=(5, 3.5))
plt.xlabel('share (%)')
plt.ylabel('')
plt.show()
# %% wrong: the parts exchanged
share = table.div(table.sum(axis=1), axis=0) * 100
plt.barh(share.index, share['Yes'], label='No')
plt.barh(share.index, share['No'], left=share['Yes'], label='Yes')
plt.title('Shares')
plt.xlabel('share (%)')
plt.legend()
plt.show()

# %% gold: growth, negative in places
plt.figure(figsize=(5.5, 3.5))
plt.bar(growth.index, growth, color=['crimson' if value < 0 else 'seagreen' for value in growth])
plt.title('Growth by quarter')
plt.xlabel('quarter')
plt.ylabel('percent')
plt.show()
# %% right, changed: one colour, edges and a line at 0
#- plt.figure(figsize=(5.5, 3.5))
#- plt.bar(growth.index, growth, color=['crimson' if value < 0 else 'seagreen' for value in growth])
plt.bar(growth.index, growth.values, width=1, edgecolor='white')
plt.axhline(0, color='black', linewidth=0.8)
# %% right, changed: in two calls
#- plt.figure(figsize=(5.5, 3.5))
#- plt.bar(growth.index, growth, color=['crimson' if value < 0 else 'seagreen' for value in growth])
plt.bar(growth.index[growth >= 0], growth[growth >= 0], color='g')
plt.bar(growth.index[growth < 0], growth[growth < 0], color='r')
# %% wrong, before: sizes without signs and turned around
growth = growth.abs()[::-1].set_axis(growth.index)
# %% wrong, before: in reverse
growth = growth[::-1].set_axis(growth.index)
# %% wrong, before: another quantity
growth = macro['realinv'].pct_change().iloc[1:41] * 100
# %% wrong, before: not in percent
growth = growth / 100
# %% wrong, before: differences for ratios
growth = macro['realgdp'].diff().iloc[1:41]
# %% wrong, before: one outlier
growth = growth.copy()
growth.iloc[7] = 12
# %% wrong, before: half of the bars
growth = growth.iloc[::2]

# %% gold: lying bars of words by frequency
counts = pd.Series({'love': 38, 'king': 31, 'night': 22, 'sleep': 17, 'blood': 12})
plt.figure(figsize=(5, 3.5))
plt.barh(counts.index[::-1], counts[::-1], color='steelblue')
plt.title('Words')
plt.xlabel('frequency')
plt.show()
# %% right: by seaborn
counts = pd.Series({'love': 38, 'king': 31, 'night': 22, 'sleep': 17, 'blood': 12})
sns.barplot(x=counts.values, y=counts.index, hue=counts.index, palette='viridis')
plt.title('Words')
plt.xlabel('frequency')
plt.ylabel('')
plt.show()
# %% right: by pandas, inverted so that the first is above
counts = pd.Series({'love': 38, 'king': 31, 'night': 22, 'sleep': 17, 'blood': 12})
axes = counts.plot.barh(color='pink', title='Words', figsize=(6, 6))
axes.invert_yaxis()
axes.set_xlabel('frequency')
plt.show()
# %% right, changed: with ticks at every fifth and a grid behind
#- plt.figure(figsize=(5, 3.5))
#- plt.barh(counts.index[::-1], counts[::-1], color='steelblue')
plt.barh(range(5), counts[::-1], height=0.6, zorder=3)
plt.yticks(range(5), counts.index[::-1], fontsize=12)
plt.xticks(range(0, 41, 5))
plt.grid(axis='x', linestyle=':')
# %% wrong: the counts in ascending order under the same names
plt.barh(['love', 'king', 'night', 'sleep', 'blood'], [12, 17, 22, 31, 38], color='steelblue')
plt.title('Words')
plt.xlabel('frequency')
plt.show()
# %% wrong: other words
plt.barh(['sleep', 'crown', 'sword', 'king', 'ghost'], [12, 17, 22, 31, 38], color='steelblue')
plt.title('Words')
plt.xlabel('frequency')
plt.show()
# %% wrong: shares for counts
plt.barh(['blood', 'sleep', 'night', 'king', 'love'], [0.1, 0.142, 0.183, 0.258, 0.317], color='steelblue')
plt.title('Words')
plt.xlabel('frequency')
plt.show()
# %% wrong: two more words than asked for and two others
plt.barh(['crown', 'sword', 'ghost', 'night', 'king', 'love'], [9, 11, 14, 22, 31, 38], color='steelblue')
plt.title('Words')
plt.xlabel('frequency')
plt.show()

# %% gold: means with deviations
spread = penguins.groupby('species')['body_mass_g'].std()
plt.figure(figsize=(5, 3.5))
plt.bar(mass.index, mass, yerr=spread, capsize=5, color='steelblue')
plt.title('Mean mass and deviation')
plt.ylabel('mass (g)')
plt.show()
# %% right, changed: bars and error bars in two calls
#- plt.figure(figsize=(5, 3.5))
#- plt.bar(mass.index, mass, yerr=spread, capsize=5, color='steelblue')
plt.bar(range(3), mass, color='lightgray', edgecolor='k')
plt.errorbar(range(3), mass, yerr=spread, fmt='none', ecolor='k', capsize=8, elinewidth=2)
plt.xticks(range(3), mass.index)
# %% right: by pandas, without caps
spread = penguins.groupby('species')['body_mass_g'].std()
mass.plot.bar(yerr=spread, rot=0, title='Mean mass and deviation', ylabel='mass (g)', xlabel='')
plt.show()
# %% right: by seaborn
sns.barplot(data=penguins, x='species', y='body_mass_g', order=mass.index, errorbar='sd', capsize=0.2)
plt.title('Mean mass and deviation')
plt.xlabel('')
plt.ylabel('mass (g)')
plt.show()
# %% wrong, before: medians
mass = penguins.groupby('species')['body_mass_g'].median()
# %% wrong, before: names exchanged
mass = mass.set_axis(['Chinstrap', 'Gentoo', 'Adelie'])
# %% wrong, before: another column
mass = penguins.groupby('species')['bill_length_mm'].mean()
# %% wrong, before: by island
mass = penguins.groupby('island')['body_mass_g'].mean()

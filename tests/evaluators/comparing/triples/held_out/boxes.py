# %% setup
glass = pd.read_csv('data/forensic_glass.csv')
rent = pd.read_csv('data/rent.csv')
# %% gold: Draw box plots of Al per type of glass, the types sorted by ascending median of Al from left to right, type names as tick labels, y axis label 'Al (%)'.
order = glass.groupby('type')['Al'].median().sort_values().index
plt.boxplot([glass.loc[glass.type == t, 'Al'] for t in order], tick_labels=list(order))
plt.ylabel('Al (%)')
# %% right: seaborn
o = list(glass.groupby('type').Al.median().sort_values().index)
fig, ax = plt.subplots(figsize=(9, 5))
sns.boxplot(data=glass, x='type', y='Al', order=o, color='lightblue', ax=ax)
ax.set_ylabel('Al (%)')
# %% right: pandas, columns in order
wide = pd.DataFrame({t: g['Al'].reset_index(drop=True) for t, g in glass.groupby('type')})
wide = wide[wide.median().sort_values().index]
ax = wide.plot.box(figsize=(8, 6), title='Aluminium')
ax.set_ylabel('Al (%)'); ax.set_xlabel('type')
# %% right: filled boxes, rotated ticks
o = glass.groupby('type')['Al'].median().sort_values().index.tolist()
fig, ax = plt.subplots()
bp = ax.boxplot([glass[glass['type'] == t]['Al'].values for t in o], patch_artist=True, widths=.6)
for b, c in zip(bp['boxes'], plt.cm.Set3.colors): b.set_facecolor(c)
ax.set_xticks(range(1, 7), o, rotation=30); ax.set_ylabel('Al (%)'); ax.grid(axis='y')
# %% right, before show: title
plt.title('Aluminium in glass')
# %% wrong: order of appearance
o = list(glass.type.unique())
plt.boxplot([glass.loc[glass.type == t, 'Al'] for t in o], tick_labels=o); plt.ylabel('Al (%)')
# %% wrong: descending
o = list(glass.groupby('type')['Al'].median().sort_values(ascending=False).index)
plt.boxplot([glass.loc[glass.type == t, 'Al'] for t in o], tick_labels=o); plt.ylabel('Al (%)')
# %% wrong: Ca
o = list(glass.groupby('type')['Ca'].median().sort_values().index)
plt.boxplot([glass.loc[glass.type == t, 'Ca'] for t in o], tick_labels=o); plt.ylabel('Al (%)')
# %% wrong: mean bars
m = glass.groupby('type')['Al'].mean().sort_values()
plt.bar(m.index, m); plt.ylabel('Al (%)')
# %% wrong: sorted boxes, unsorted names
o = glass.groupby('type')['Al'].median().sort_values().index
plt.boxplot([glass.loc[glass.type == t, 'Al'] for t in o], tick_labels=sorted(o)); plt.ylabel('Al (%)')
# %% gold: Draw horizontal violin plots of rent per district (districts on the y axis, in alphabetical order from top to bottom, rent on the x axis) with seaborn. Title 'Rents by district'.
sns.violinplot(data=rent, x='rent', y='district', order=sorted(rent.district.unique()))
plt.title('Rents by district')
# %% right: coloured by district
plt.figure(figsize=(10, 6))
sns.violinplot(data=rent, x='rent', y='district', hue='district', order=sorted(rent['district'].unique()), palette='Set2', legend=False)
plt.title('Rents by district'); plt.xlabel('Rent'); plt.ylabel('')
# %% right: catplot
g = sns.catplot(data=rent, kind='violin', x='rent', y='district', order=['East End', 'Old Town', 'Riverside', 'Tech Park'], height=5, aspect=1.4, color='orchid')
plt.title('Rents by district')
plt.tight_layout()
# %% right: quartile lines inside
ax = sns.violinplot(x=rent['rent'], y=rent['district'], order=['East End', 'Old Town', 'Riverside', 'Tech Park'], inner='quart', orient='h')
ax.set(title='Rents by district')
# %% right, before show: grid
plt.grid(axis='x', alpha=.4)
# %% wrong: vertical
sns.violinplot(data=rent, y='rent', x='district', order=sorted(rent.district.unique())); plt.title('Rents by district')
# %% wrong: box plots
sns.boxplot(data=rent, x='rent', y='district', order=sorted(rent.district.unique())); plt.title('Rents by district')
# %% wrong: area
sns.violinplot(data=rent, x='area', y='district', order=sorted(rent.district.unique())); plt.title('Rents by district')
# %% wrong: a district missing
sns.violinplot(data=rent, x='rent', y='district', order=['East End', 'Old Town', 'Riverside']); plt.title('Rents by district')
# %% wrong: order reversed
sns.violinplot(data=rent, x='rent', y='district', order=sorted(rent.district.unique())[::-1]); plt.title('Rents by district')

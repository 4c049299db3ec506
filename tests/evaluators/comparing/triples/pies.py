# %% setup
parts = pd.Series({'consumption': 66.1, 'investment': 13.9, 'government': 20.0})
rose = pd.read_csv('data/wind.csv').groupby('direction')['frequency'].sum()
sector = pd.Series({'N': rose[['N', 'NNE', 'NNW']].sum(), 'E': rose[['E', 'ENE', 'ESE']].sum(), 'S': rose[['S', 'SSE', 'SSW']].sum(), 'W': rose[['W', 'WNW', 'WSW']].sum()})

# %% gold: a ring with shares
plt.figure(figsize=(4, 3.5))
plt.pie(
    parts,
    labels=parts.index,
    colors=['cornflowerblue', 'gold', 'tomato'],
    startangle=90,
    autopct='%.1f',
    pctdistance=0.8,
    wedgeprops={'width': 0.4, 'edgecolor': 'white'},
)
plt.title('Parts of demand')
plt.show()
# %% right: whole, from another angle, other colours
plt.figure(figsize=(6, 6))
plt.pie(parts, labels=parts.index, autopct='%1.1f%%', startangle=140, shadow=True)
plt.title('Parts of demand')
plt.show()
# %% right: by pandas
parts.plot.pie(title='Parts of demand', ylabel='', autopct='%.0f')
plt.show()
# %% right: names in a legend
plt.pie(parts, counterclock=False)
plt.legend(parts.index, loc='center left', bbox_to_anchor=(1, 0.5))
plt.title('Parts of demand')
plt.axis('equal')
plt.show()
# %% right: the parts in another order, a thin ring
plt.pie(parts.sort_values(), labels=parts.sort_values().index, wedgeprops=dict(width=0.2))
plt.title('Parts of demand')
plt.show()
# %% wrong, before: names exchanged
parts = parts.set_axis(['government', 'consumption', 'investment'])
# %% wrong, before: one part missing
parts = parts.iloc[1:]
# %% wrong, before: equal parts
parts = parts * 0 + 1
# %% wrong, before: squares
parts = parts**2
# %% wrong, before: reversed under the same names
parts = pd.Series(parts.to_numpy()[::-1], parts.index)
# %% wrong: bars
plt.bar(parts.index, parts, color=['cornflowerblue', 'gold', 'tomato'])
plt.title('Parts of demand')
plt.show()

# %% gold: four sectors, the largest drawn out
plt.figure(figsize=(4, 3.5))
plt.pie(
    sector,
    labels=sector.index,
    colors=['lightsteelblue', 'khaki', 'lightsalmon', 'mediumaquamarine'],
    startangle=135,
    counterclock=False,
    autopct='%.1f',
    explode=[0.1 if value == sector.max() else 0 for value in sector],
)
plt.title('Sectors')
plt.show()
# %% right: drawn out farther, other colours
plt.figure(figsize=(7, 5))
plt.pie(sector, labels=sector.index, autopct='%.2f%%', explode=0.25 * (sector == sector.max()), colors=plt.cm.Set2.colors)
plt.title('Sectors')
plt.show()
# %% right: names with shares in the legend alone
share = sector / sector.sum()
plt.pie(share, explode=[0.1 if value == share.max() else 0 for value in share], labels=sector.index, labeldistance=None)
plt.legend(title='sector')
plt.title('Sectors')
plt.show()
# %% wrong, before: names turned by one
sector = sector.set_axis(['E', 'S', 'W', 'N'])
# %% wrong, before: single directions
sector = rose[['N', 'E', 'S', 'W']]
# %% wrong, before: numbers of directions
sector = pd.Series([3, 3, 3, 3], sector.index) + [0, 1, 0, 2]
# %% wrong, before: three of four
sector = sector.iloc[:3]

# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
titanic = pd.read_csv('data/titanic.csv')

# %% gold: Draw a pie chart of the total net generation by source over all years, with labels and percentages, titled 'Electricity in Iowa'.
total = iowa.groupby('source')['net_generation'].sum()
plt.pie(total, labels=total.index, autopct='%1.1f%%')
plt.title('Electricity in Iowa')
plt.show()
# %% right: pandas
iowa.groupby('source')['net_generation'].sum().plot.pie(autopct='%.0f%%', ylabel='', title='Electricity in Iowa', startangle=90)
plt.show()
# %% right: sorted, exploded, other colours
t = iowa.groupby('source')['net_generation'].sum().sort_values(ascending=False)
fig, ax = plt.subplots(figsize=(6, 6))
ax.pie(t.values, labels=t.index.tolist(), autopct='%1.1f%%', explode=[0.05] * 3, colors=['grey', 'gold', 'seagreen'], shadow=True, startangle=140)
ax.axis('equal')
ax.set_title('Electricity in Iowa')
plt.show()
# %% right: a ring
t = iowa.pivot_table(index='source', values='net_generation', aggfunc='sum')['net_generation']
plt.pie(t, labels=t.index, autopct='%1.1f%%', wedgeprops={'width': 0.4, 'edgecolor': 'w'}, pctdistance=0.8, counterclock=False)
plt.title('Electricity in Iowa', fontsize=16)
plt.show()
# %% right: the labels in a legend
t = iowa.groupby('source')['net_generation'].sum()
wedges, _, _ = plt.pie(t, autopct='%1.1f%%')
plt.legend(wedges, t.index, loc='center left', bbox_to_anchor=(1, 0.5))
plt.title('Electricity in Iowa')
plt.show()
# %% wrong: the last year alone
t = iowa[iowa.year == iowa.year.max()].groupby('source')['net_generation'].sum()
plt.pie(t, labels=t.index, autopct='%1.1f%%')
plt.title('Electricity in Iowa')
plt.show()
# %% wrong: counts of rows
t = iowa['source'].value_counts()
plt.pie(t, labels=t.index, autopct='%1.1f%%')
plt.title('Electricity in Iowa')
plt.show()
# %% wrong: labels in another order than the wedges
t = iowa.groupby('source')['net_generation'].sum()
plt.pie(t, labels=iowa.source.unique()[[1, 2, 0]], autopct='%1.1f%%')
plt.title('Electricity in Iowa')
plt.show()
# %% wrong: no title
t = iowa.groupby('source')['net_generation'].sum()
plt.pie(t, labels=t.index, autopct='%1.1f%%')
plt.show()
# %% wrong: no percentages
t = iowa.groupby('source')['net_generation'].sum()
plt.pie(t, labels=t.index)
plt.title('Electricity in Iowa')
plt.show()
# %% wrong: bars
t = iowa.groupby('source')['net_generation'].sum()
plt.bar(t.index, t)
plt.title('Electricity in Iowa')
plt.show()

# %% gold: Show the shares of the passenger classes on the Titanic (1st, 2nd, 3rd) as a donut chart with percentages and a legend.
n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
plt.pie(n, autopct='%1.1f%%', wedgeprops={'width': 0.4})
plt.legend(n.index)
plt.show()
# %% right: a white circle in the middle
n = titanic.loc[titanic['class'].isin(['1st', '2nd', '3rd']), 'class'].value_counts()
fig, ax = plt.subplots()
ax.pie(n, labels=n.index, autopct='%1.1f%%', startangle=90)
ax.add_artist(plt.Circle((0, 0), 0.6, fc='white'))
ax.legend(loc='upper right')
plt.show()
# %% right: pandas
n = titanic.groupby('class').size().loc[['1st', '2nd', '3rd']]
n.plot(kind='pie', autopct='%.1f%%', wedgeprops=dict(width=0.3), pctdistance=0.85, legend=True, ylabel='')
plt.title('Classes')
plt.show()
# %% right: shares in place of counts
n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts(normalize=True).sort_index()
plt.pie(n * 100, autopct='%1.1f%%', wedgeprops={'width': 0.5, 'edgecolor': 'white'}, colors=['#c9a227', '#9e9e9e', '#8d5524'])
plt.legend(n.index, title='class', bbox_to_anchor=(1, 1))
plt.show()
# %% wrong, changed: of survivors
#- n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
n = titanic[(titanic.survived == 1) & titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
# %% wrong, changed: by sex
#- n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
n = titanic['sex'].value_counts()
# %% wrong, changed: the legend reversed
#- plt.legend(n.index)
plt.legend(n.index[::-1])
# %% wrong, changed: no third class
#- n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
n = titanic[titanic['class'].isin(['1st', '2nd'])]['class'].value_counts().sort_index()

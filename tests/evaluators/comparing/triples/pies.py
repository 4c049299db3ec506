# %% setup
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
titanic = pd.read_csv('data/titanic.csv')
tips = pd.read_csv('data/tips.csv')
peng = pd.read_csv('data/penguins.csv').dropna()
# %% gold: Draw a pie chart of the total net generation by source over all years, with labels and percentages, titled 'Electricity in Iowa'.
total = iowa.groupby('source')['net_generation'].sum()
plt.pie(total, labels=total.index, autopct='%1.1f%%')
plt.title('Electricity in Iowa')
# %% right: pandas
iowa.groupby('source')['net_generation'].sum().plot.pie(autopct='%.0f%%', ylabel='', title='Electricity in Iowa', startangle=90)
# %% wrong: labels in another order than the wedges
t = iowa.groupby('source')['net_generation'].sum()
plt.pie(t, labels=iowa.source.unique()[[1, 2, 0]], autopct='%1.1f%%')
plt.title('Electricity in Iowa')
# %% gold: Show the shares of the passenger classes on the Titanic (1st, 2nd, 3rd) as a donut chart with percentages and a legend.
n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
plt.pie(n, autopct='%1.1f%%', wedgeprops={'width': 0.4})
plt.legend(n.index)
# %% wrong, changed: by sex
#- n = titanic[titanic['class'].isin(['1st', '2nd', '3rd'])]['class'].value_counts().sort_index()
n = titanic['sex'].value_counts()
# %% gold: Show the shares of lunch and dinner as a pie, Lunch in yellow and Dinner in purple, with labels.
n = tips.time.value_counts()[['Lunch', 'Dinner']]
plt.pie(n, labels=n.index, colors=['yellow', 'purple'])
# %% right: other shades
n = tips.time.value_counts()
n.plot.pie(colors=[{'Lunch': 'gold', 'Dinner': 'indigo'}[name] for name in n.index], autopct='%.0f%%', ylabel='')
# %% wrong: exchanged
n = tips.time.value_counts()[['Lunch', 'Dinner']]
plt.pie(n, labels=n.index, colors=['purple', 'yellow'])
# %% gold: Draw a pie chart of the number of penguins per species, with the species names as labels and the percentages with one decimal in the wedges.
c = peng.species.value_counts()
plt.pie(c, labels=c.index, autopct='%.1f%%')
# %% right: other colours and order
n = peng.groupby('species').size()
fig, ax = plt.subplots(figsize=(6, 6))
ax.pie(n.values, labels=n.index, autopct='%1.1f%%', colors=['gold', 'lightcoral', 'lightskyblue'], shadow=True, counterclock=False)
ax.axis('equal')
# %% wrong: bars
c = peng.species.value_counts()
plt.bar(c.index, c)
# %% wrong: total body mass
c = peng.groupby('species').body_mass_g.sum()
plt.pie(c, labels=c.index, autopct='%.1f%%')

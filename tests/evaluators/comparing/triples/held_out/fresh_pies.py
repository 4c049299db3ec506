# %% setup
titanic = pd.read_csv('data/titanic.csv')
titanic = titanic[titanic['class'] != '*']
# %% gold: passengers by class
n = titanic['class'].value_counts().sort_index()
plt.pie(n, labels=n.index, autopct='%.1f%%')
plt.title('Passengers by class')
# %% right: pandas, other colours
n = titanic.groupby('class').size()
n.plot.pie(autopct='%.1f%%', colors=['gold', 'silver', 'peru'], ylabel='', figsize=(6, 6))
plt.title('Passengers by class')
# %% right: shares computed before, turned to begin at the top
names, n = np.unique(titanic['class'].astype(str), return_counts=True)
fig, ax = plt.subplots()
ax.pie(n / n.sum(), labels=names, autopct='%1.1f%%', startangle=90, wedgeprops={'edgecolor': 'white'})
ax.axis('equal')
ax.set_title('Passengers by class')
# %% wrong, changed: survivors only
#- n = titanic['class'].value_counts().sort_index()
n = titanic[titanic['survived'] == 1]['class'].value_counts().sort_index()
# %% wrong: names in another order than the counts
n = titanic['class'].value_counts()
plt.pie(n, labels=['1st', '2nd', '3rd'], autopct='%.1f%%')
plt.title('Passengers by class')
# %% wrong, changed: bars
#- plt.pie(n, labels=n.index, autopct='%.1f%%')
plt.bar(n.index, n)

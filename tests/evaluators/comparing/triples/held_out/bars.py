# %% setup
credit = pd.read_csv('data/credit.csv')
crime = pd.read_csv('data/statecrime.csv')
# %% gold: Draw a horizontal bar chart of the 10 states with the highest violent crime rate (violent) of crime, the highest at the top. x label 'Violent crimes per 100000', title 'Top 10'.
t = crime.nlargest(10, 'violent').sort_values('violent')
plt.barh(t.state, t.violent)
plt.xlabel('Violent crimes per 100000')
plt.title('Top 10')
plt.tight_layout()
# %% right: inverted axis
top = crime.sort_values('violent', ascending=False).head(10)
fig, ax = plt.subplots(figsize=(8, 6))
ax.barh(top['state'], top['violent'], color='firebrick', edgecolor='k')
ax.invert_yaxis()
ax.set(xlabel='Violent crimes per 100000', title='Top 10')
# %% right: seaborn
top = crime.nlargest(10, 'violent')
plt.figure(figsize=(10, 5))
sns.barplot(data=top, x='violent', y='state', color='steelblue')
plt.xlabel('Violent crimes per 100000'); plt.ylabel(''); plt.title('Top 10')
# %% right: pandas
ax = crime.set_index('state')['violent'].sort_values().tail(10).plot.barh(color='teal', title='Top 10', width=.8)
ax.set_xlabel('Violent crimes per 100000')
# %% right, before show: values on the bars
plt.bar_label(plt.gca().containers[0], fmt='%.0f')
# %% wrong: the 10 lowest
t = crime.nsmallest(10, 'violent').sort_values('violent')
plt.barh(t.state, t.violent); plt.xlabel('Violent crimes per 100000'); plt.title('Top 10')
# %% wrong: highest at the bottom
t = crime.nlargest(10, 'violent')
plt.barh(t.state, t.violent); plt.xlabel('Violent crimes per 100000'); plt.title('Top 10')
# %% wrong: vertical
t = crime.nlargest(10, 'violent')
plt.bar(t.state, t.violent); plt.xticks(rotation=90); plt.ylabel('Violent crimes per 100000'); plt.title('Top 10')
# %% wrong: murder
t = crime.nlargest(10, 'murder').sort_values('murder')
plt.barh(t.state, t.murder); plt.xlabel('Violent crimes per 100000'); plt.title('Top 10')
# %% wrong: 9 states
t = crime.nlargest(9, 'violent').sort_values('violent')
plt.barh(t.state, t.violent); plt.xlabel('Violent crimes per 100000'); plt.title('Top 10')
# %% gold: Draw a bar chart of the mean Balance of credit per Ethnicity (alphabetical order from left to right) with error bars of ±1 standard error of the mean (s/sqrt(n), ddof=1) with caps. y label 'Mean balance'.
a = credit.groupby('Ethnicity')['Balance'].agg(['mean', 'sem'])
plt.bar(a.index, a['mean'], yerr=a['sem'], capsize=5)
plt.ylabel('Mean balance')
# %% right: pandas
a = credit.groupby('Ethnicity').Balance.agg(['mean', 'std', 'count'])
ax = a['mean'].plot.bar(yerr=a['std'] / np.sqrt(a['count']), capsize=4, rot=0, color='lightsteelblue')
ax.set_ylabel('Mean balance')
# %% right: errorbar in a call of its own
g = credit.groupby('Ethnicity')['Balance']
fig, ax = plt.subplots(figsize=(7, 6))
x = np.arange(3)
ax.bar(x, g.mean(), color=['C0', 'C1', 'C2'], width=.6)
ax.errorbar(x, g.mean(), yerr=g.sem(), fmt='none', ecolor='black', capsize=8)
ax.set_xticks(x, g.mean().index); ax.set_ylabel('Mean balance'); ax.set_title('Balance by ethnicity')
# %% right: seaborn
sns.barplot(data=credit, x='Ethnicity', y='Balance', order=sorted(credit.Ethnicity.unique()), errorbar='se', capsize=.2)
plt.ylabel('Mean balance')
# %% right, before show: grid
plt.grid(axis='y', alpha=.4); plt.xlabel('Ethnicity')
# %% wrong: standard deviations
a = credit.groupby('Ethnicity')['Balance'].agg(['mean', 'std'])
plt.bar(a.index, a['mean'], yerr=a['std'], capsize=5); plt.ylabel('Mean balance')
# %% wrong: no error bars
a = credit.groupby('Ethnicity')['Balance'].mean()
plt.bar(a.index, a); plt.ylabel('Mean balance')
# %% wrong: medians
a = credit.groupby('Ethnicity')['Balance'].agg(['median', 'sem'])
plt.bar(a.index, a['median'], yerr=a['sem'], capsize=5); plt.ylabel('Mean balance')
# %% wrong: by Student
a = credit.groupby('Student')['Balance'].agg(['mean', 'sem'])
plt.bar(a.index, a['mean'], yerr=a['sem'], capsize=5); plt.ylabel('Mean balance')
# %% wrong, before: only those with a balance
credit = credit[credit.Balance > 0]

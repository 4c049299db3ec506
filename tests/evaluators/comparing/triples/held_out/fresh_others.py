# %% setup
penguins = pd.read_csv('data/penguins.csv').dropna()
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
iowa['year'] = iowa['year'].dt.year
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
# %% gold: empirical distribution function of the mass
x = np.sort(penguins['body_mass_g'])
plt.step(x, np.arange(1, len(x) + 1) / len(x), where='post')
plt.title('Distribution of mass'); plt.xlabel('mass (g)'); plt.ylabel('share at or below')
# %% right: seaborn
ax = sns.ecdfplot(data=penguins, x='body_mass_g', color='green')
ax.set(title='Distribution of mass', xlabel='mass (g)', ylabel='share at or below')
# %% right: matplotlib's own
fig, ax = plt.subplots(figsize=(8, 5))
ax.ecdf(penguins['body_mass_g'].to_numpy(), color='black', lw=2)
ax.set(title='Distribution of mass', xlabel='mass (g)', ylabel='share at or below')
# %% right: value counts summed up
s = penguins['body_mass_g'].value_counts(normalize=True).sort_index().cumsum()
s.plot(drawstyle='steps-post', color='tab:red', grid=True)
plt.title('Distribution of mass'); plt.xlabel('mass (g)'); plt.ylabel('share at or below')
# %% wrong, changed: share above
#- plt.step(x, np.arange(1, len(x) + 1) / len(x), where='post')
plt.step(x, 1 - np.arange(1, len(x) + 1) / len(x), where='post')
# %% wrong, changed: of the Adelie penguins only
#- x = np.sort(penguins['body_mass_g'])
x = np.sort(penguins.loc[penguins['species'] == 'Adelie', 'body_mass_g'])
# %% wrong: density
sns.kdeplot(data=penguins, x='body_mass_g')
plt.title('Distribution of mass'); plt.xlabel('mass (g)'); plt.ylabel('share at or below')
# %% gold: two panels, temperature by month and wind by month
m = weather.groupby(weather['date'].dt.month)[['temp_max', 'wind']].mean()
fig, axes = plt.subplots(1, 2, figsize=(10, 4))
axes[0].plot(m.index, m['temp_max'])
axes[0].set(title='Temperature', xlabel='month', ylabel='mean highest temperature')
axes[1].bar(m.index, m['wind'])
axes[1].set(title='Wind', xlabel='month', ylabel='mean wind')
plt.tight_layout()
# %% right: with subplot calls
g = weather.groupby(weather['date'].dt.month)
plt.figure(figsize=(12, 5))
plt.subplot(121)
plt.plot(g['temp_max'].mean(), 'r-o')
plt.title('Temperature'); plt.xlabel('month'); plt.ylabel('mean highest temperature')
plt.subplot(122)
plt.bar(range(1, 13), g['wind'].mean(), color='gray')
plt.title('Wind'); plt.xlabel('month'); plt.ylabel('mean wind')
# %% right: pandas on the axes
d = weather.assign(month=weather['date'].dt.month).pivot_table(index='month', values=['temp_max', 'wind'])
fig, (a, b) = plt.subplots(ncols=2, figsize=(9, 3))
d['temp_max'].plot(ax=a, color='orange', title='Temperature', ylabel='mean highest temperature')
d['wind'].plot.bar(ax=b, color='lightblue', rot=0, title='Wind', ylabel='mean wind')
fig.tight_layout()
# %% wrong, changed: contents of the panels exchanged under their titles
#- axes[0].plot(m.index, m['temp_max'])
axes[0].plot(m.index, m['wind'])
#- axes[1].bar(m.index, m['wind'])
axes[1].bar(m.index, m['temp_max'])
# %% wrong, changed: second panel empty
#- axes[1].bar(m.index, m['wind'])
# %% wrong: both in one panel
m = weather.groupby(weather['date'].dt.month)[['temp_max', 'wind']].mean()
plt.plot(m.index, m['temp_max'])
plt.bar(m.index, m['wind'])
plt.title('Temperature'); plt.xlabel('month'); plt.ylabel('mean highest temperature')
# %% gold: sources of electricity as stacked areas
t = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(t.index, t.T.to_numpy(), labels=list(t.columns))
plt.title('Electricity in Iowa'); plt.xlabel('year'); plt.ylabel('net generation'); plt.legend(loc='upper left')
# %% right: pandas
t = iowa.pivot_table(index='year', columns='source', values='net_generation', aggfunc='sum')
ax = t.plot.area(colormap='Set2', figsize=(9, 5), lw=0)
ax.set(title='Electricity in Iowa', xlabel='year', ylabel='net generation')
ax.legend(loc='lower left')
# %% right: bands between cumulated sums
t = iowa.set_index(['year', 'source'])['net_generation'].unstack()
low = np.zeros(len(t))
for name, color in zip(t.columns, ['dimgray', 'gold', 'limegreen']):
    high = low + t[name].to_numpy()
    plt.fill_between(t.index, low, high, label=name, color=color)
    low = high
plt.legend(loc='upper left')
plt.title('Electricity in Iowa'); plt.xlabel('year'); plt.ylabel('net generation')
# %% wrong, changed: not stacked
#- plt.stackplot(t.index, t.T.to_numpy(), labels=list(t.columns))
t.plot.area(stacked=False)
# %% wrong, changed: shares
#- t = iowa.pivot(index='year', columns='source', values='net_generation')
t = iowa.pivot(index='year', columns='source', values='net_generation')
t = t.div(t.sum(axis=1), axis=0)
# %% wrong, changed: renewables missing
#- t = iowa.pivot(index='year', columns='source', values='net_generation')
t = iowa.pivot(index='year', columns='source', values='net_generation').drop(columns='Renewables')

# %% setup
wine = pd.read_csv('data/wine.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
weather['year'] = weather.date.dt.year
weather['month'] = weather.date.dt.month
columns = ['alcohol', 'malic_acid', 'ash', 'magnesium', 'hue', 'proline']
iris = pd.read_csv('data/iris.csv')
# %% gold: Draw an annotated heat map of the correlation matrix of the wine columns alcohol, malic_acid, ash, magnesium, hue and proline.
sns.heatmap(wine[columns].corr(), annot=True, cmap='coolwarm')
plt.title('Correlation')
# %% wrong: labels reversed
sns.heatmap(wine[columns].corr().to_numpy(), annot=True, cmap='coolwarm', xticklabels=columns[::-1], yticklabels=columns[::-1])
plt.title('Correlation')
# %% gold: Draw a heat map of the mean maximal temperature with the months as rows and the years as columns.
sns.heatmap(weather.pivot_table(index='month', columns='year', values='temp_max'))
# %% right: pcolormesh with January at the top
t = weather.pivot_table(index='month', columns='year', values='temp_max', aggfunc='mean')
plt.pcolormesh(t.columns, t.index, t.values, cmap='coolwarm', shading='nearest')
plt.xticks(t.columns)
plt.yticks(t.index)
plt.gca().invert_yaxis()
plt.colorbar()
plt.xlabel('year')
plt.ylabel('month')
# %% wrong: turned
sns.heatmap(weather.pivot_table(index='year', columns='month', values='temp_max'))
# %% wrong, before: the last year missing
weather = weather[weather.year < 2015]
# %% wrong: lines
weather.pivot_table(index='month', columns='year', values='temp_max').plot()
# %% gold: Show the Pearson correlation matrix of the four measurements of iris as an annotated heat map (two decimals) with a colour bar; colour scale from -1 to 1; tick labels are the column names.
sns.heatmap(iris.drop(columns='species').corr(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')
# %% right, before show: title, rotated ticks
plt.title('Correlation of the iris measurements')
plt.xticks(rotation=30)
# %% wrong: a column missing
sns.heatmap(iris.drop(columns=['species', 'petal_width']).corr(), annot=True, fmt='.2f', vmin=-1, vmax=1, cmap='coolwarm')

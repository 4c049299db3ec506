# %% setup
macro = pd.read_csv('data/macrodata.csv')
years = macro['year'] + (macro['quarter'] - 1) / 4
def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)
air = pd.read_csv('data/airline-passengers.csv', parse_dates=['month'])
gap = pd.read_csv('data/gapminder.csv')
tips = pd.read_csv('data/tips.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
monthly = weather.groupby(weather.date.dt.month)['precipitation'].mean()
totals = iowa.groupby('year')['net_generation'].sum()
y = np.random.RandomState(0).standard_normal(1000)
quarterly = pd.read_csv('data/macrodata.csv')
quarterly.index = pd.PeriodIndex.from_fields(year=quarterly['year'], quarter=quarterly['quarter'], freq='Q').to_timestamp()
# %% gold: periods marked behind a curve
slumps = [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]
plt.figure(figsize=(5.5, 3.5))
plt.plot(years, macro['unemp'], color='black', linewidth=2)
for begin, end in slumps:
    plt.axvspan(begin, end, color='orange', alpha=0.6)
words('Unemployment and slumps', 'year', 'percent')
# %% right: the periods without edges
for begin, end in [(1969.75, 1970.75), (1973.75, 1975), (1981.5, 1982.75), (2007.75, 2009.25)]:
    plt.axvspan(begin, end, facecolor='pink', edgecolor='none')
plt.plot(years.to_numpy(), macro['unemp'].to_numpy(), 'r')
words('Unemployment and slumps', 'year', 'percent')
# %% wrong: other periods
plt.plot(years, macro['unemp'], color='black', linewidth=2)
for begin, end in [(1961, 1964), (1977, 1980), (1990, 1994), (1999, 2003)]:
    plt.axvspan(begin, end, color='orange', alpha=0.6)
words('Unemployment and slumps', 'year', 'percent')
# %% gold: Plot the monthly number of airline passengers over time together with its 12-month rolling mean, with a legend and the title 'Airline passengers'.
plt.figure(figsize=(10, 4))
plt.plot(air['month'], air['passengers'], label='passengers')
plt.plot(air['month'], air['passengers'].rolling(12).mean(), label='12-month mean', color='red')
plt.title('Airline passengers')
plt.xlabel('month')
plt.ylabel('passengers')
plt.legend()
# %% right: columns of a frame
d = air.assign(rolling=air.passengers.rolling(12).mean()).set_index('month')
d.plot(figsize=(12, 5), title='Airline passengers', grid=True)
plt.ylabel('passengers')
# %% wrong, before: half the years
air = air.iloc[:72]
# %% gold: Plot the total world population per year with markers on a logarithmic y axis.
world = gap.groupby('year')['pop'].sum()
plt.plot(world.index, world.values, marker='o')
plt.yscale('log')
plt.xlabel('year')
plt.ylabel('population')
# %% right, before show: ticks at each year
plt.xticks(world.index, rotation=60)
# %% right, changed: points over a line
#- plt.plot(world.index, world.values, marker='o')
plt.plot(world.index, world.values)
plt.scatter(world.index, world.values, zorder=3)
# %% wrong, changed: points without a line
#- plt.plot(world.index, world.values, marker='o')
plt.scatter(world.index, world.values)
# %% wrong, changed: points at some of the years
#- plt.plot(world.index, world.values, marker='o')
plt.plot(world.index, world.values)
plt.scatter(world.index[:4], world.values[:4])
# %% gold: Plot the life expectancy in Japan over the years as a line, with a point for each year.
japan = gap[gap.country == 'Japan']
plt.plot(japan.year, japan.lifeExp)
plt.scatter(japan.year, japan.lifeExp)
# %% right: markers
japan = gap[gap.country == 'Japan'].set_index('year')
japan.lifeExp.plot(style='o-')
# %% wrong, changed: a line without points
#- plt.scatter(japan.year, japan.lifeExp)
# %% gold: Plot life expectancy and population in millions of Japan over the years as lines, with a red point at each value of the life expectancy.
japan = gap[gap.country == 'Japan']
plt.plot(japan.year, japan.lifeExp, label='years')
plt.plot(japan.year, japan['pop'] / 1e6, label='millions')
plt.scatter(japan.year, japan.lifeExp, color='red')
plt.legend()
# %% right: markers
j = gap[gap.country == 'Japan']
plt.plot(j.year, j['pop'] / 1e6, label='millions')
plt.plot(j.year, j.lifeExp, 'ro-', label='years')
plt.legend()
# %% wrong: markers of the population
j = gap[gap.country == 'Japan']
plt.plot(j.year, j.lifeExp, label='years')
plt.plot(j.year, j['pop'] / 1e6, 'ro-', label='millions')
plt.legend()
# %% wrong: blue points
j = gap[gap.country == 'Japan']
plt.plot(j.year, j['pop'] / 1e6, label='millions')
plt.plot(j.year, j.lifeExp, 'bo-', label='years')
plt.legend()
# %% wrong: a logarithmic x axis
w = gap.groupby('year')['pop'].sum()
plt.plot(w.index, w.values, marker='o')
plt.xscale('log')
plt.xlabel('year')
plt.ylabel('population')
# %% gold: Draw the empirical distribution function of the tips as a step line.
v = np.sort(tips.tip)
plt.step(v, np.arange(1, len(v) + 1) / len(v), where='post')
# %% right: by seaborn
sns.ecdfplot(tips.tip)
# %% wrong: of the bills
sns.ecdfplot(tips.total_bill)
# %% gold: Draw the total net generation of each year as a line.
plt.plot(totals.index, totals)
plt.xlabel('year')
plt.ylabel('net_generation')
# %% right: pandas
totals.plot(color='green', title='Net generation')
# %% right: years as words
plt.plot(totals.index.strftime('%Y'), totals.values)
plt.xticks(rotation=45)
plt.ylabel('total net generation (thousand MWh)')
# %% wrong: a year too late
plt.plot(totals.index.year + 1, totals.values)
# %% wrong, changed: numbers of rows for years
#- plt.plot(totals.index, totals)
plt.plot(totals.values)
# %% wrong: renewables alone
iowa[iowa.source == 'Renewables'].groupby('year')['net_generation'].sum().plot()
# %% gold: Draw the mean precipitation of each month as a line with markers. Label both axes and give it a title.
plt.plot(monthly.index, monthly, 'o-')
plt.xlabel('month')
plt.ylabel('precipitation')
plt.title('Mean precipitation by month')
# %% right: names of months
import calendar
plt.plot([calendar.month_abbr[m] for m in monthly.index], monthly.values, marker='o')
plt.xlabel('Month')
plt.ylabel('Mean precipitation')
plt.title('Precipitation')
# %% wrong: labels of the axes swapped
plt.plot(monthly.index, monthly, 'o-')
plt.ylabel('month')
plt.xlabel('precipitation')
plt.title('Mean precipitation by month')
# %% gold: Draw the cumulative distribution function of the 1000 values of y as a step line from 0 to 1.
plt.step(np.sort(y), np.arange(1, 1001) / 1000, where='post')
# %% right: plt.ecdf
plt.ecdf(y)
# %% wrong: of the squares
plt.ecdf(y ** 2)
# %% gold: one curve over dates
plt.figure(figsize=(5, 3.5))
plt.plot(quarterly.index, quarterly['unemp'], color='black', linewidth=2)
words('Unemployment', 'year', 'percent')
# %% right: by pandas
quarterly['unemp'].plot(figsize=(8, 3), color='tab:red', lw=1, title='Unemployment', xlabel='year', ylabel='percent')
# %% wrong, before: half of the time
quarterly = quarterly.iloc[: len(quarterly) // 2]
# %% wrong, before show: y axis inverted
plt.gca().invert_yaxis()
# %% wrong, before show: logarithmic axis
plt.yscale('log')

# %% setup
passengers = pd.read_csv('data/airline-passengers.csv')
gap = pd.read_csv('data/gapminder.csv')
sun = pd.read_csv('data/sunspots.csv')
macro = pd.read_csv('data/macrodata.csv')
heart = pd.read_csv('data/heartbeat.csv')
stocks = pd.read_csv('data/stocks.csv')
stocks['date'] = pd.to_datetime(stocks['date'], format='%b %d %Y')
nino = pd.read_csv('data/elnino.csv')
cancer = pd.read_csv('data/breast_cancer.csv')
# %% gold: monthly passengers over time
s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers']
plt.figure(figsize=(9, 4))
plt.plot(s.index, s.values)
plt.title('Airline passengers'); plt.xlabel('date'); plt.ylabel('passengers (thousands)')
# %% right: pandas plot on a monthly frequency, red with dots
s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers'].asfreq('MS')
ax = s.plot(color='crimson', marker='.', figsize=(12, 5))
ax.set(title='Airline passengers', xlabel='date', ylabel='passengers (thousands)')
# %% right: seaborn, on a grid
d = passengers.assign(date=pd.to_datetime(passengers['month']))
fig, ax = plt.subplots(figsize=(7, 4))
sns.lineplot(data=d, x='date', y='passengers', ax=ax, color='black', linewidth=1)
ax.set_title('Airline passengers', fontsize=16); ax.set_xlabel('date'); ax.set_ylabel('passengers (thousands)')
ax.grid(True)
fig.autofmt_xdate()
# %% wrong, changed: yearly totals
#- s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers']
s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers'].resample('YS').sum()
# %% wrong, changed: change from month to month
#- s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers']
s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers'].diff()
# %% wrong, changed: the last four years are missing
#- s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers']
s = passengers.set_index(pd.to_datetime(passengers['month']))['passengers'].iloc[:96]
# %% gold: mean life expectancy of each continent
t = gap.pivot_table(index='year', columns='continent', values='lifeExp', aggfunc='mean')
t.plot()
plt.title('Life expectancy by continent'); plt.xlabel('year'); plt.ylabel('mean life expectancy')
# %% right: seaborn, legend outside
fig, ax = plt.subplots(figsize=(8, 5))
sns.lineplot(data=gap, x='year', y='lifeExp', hue='continent', errorbar=None, palette='Set2', ax=ax)
ax.set(title='Life expectancy by continent', xlabel='year', ylabel='mean life expectancy')
sns.move_legend(ax, 'upper left', bbox_to_anchor=(1, 1))
plt.tight_layout()
# %% right: a loop over the continents, markers and dashes
for name in gap['continent'].unique():
    part = gap[gap['continent'] == name].groupby('year')['lifeExp'].mean()
    plt.plot(part.index, part, '--o', label=name, markersize=3)
plt.legend(title='continent', loc='lower right', fontsize=8)
plt.title('Life expectancy by continent'); plt.xlabel('year'); plt.ylabel('mean life expectancy')
plt.grid(alpha=.3)
# %% wrong: one line for the whole world
gap.groupby('year')['lifeExp'].mean().plot()
plt.title('Life expectancy by continent'); plt.xlabel('year'); plt.ylabel('mean life expectancy')
# %% wrong, changed: Oceania is missing
#- t.plot()
t.drop(columns='Oceania').plot()
# %% wrong, changed: names on the wrong lines
#- t.plot()
for column, name in zip(t.columns, gap['continent'].unique()):
    plt.plot(t.index, t[column], label=name)
plt.legend(title='continent')
# %% gold: sunspots with an 11-year rolling mean
plt.plot(sun['YEAR'], sun['SUNACTIVITY'], alpha=.5, label='yearly')
plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(11).mean(), linewidth=2, label='11-year mean')
plt.title('Sunspots'); plt.xlabel('year'); plt.ylabel('activity'); plt.legend()
# %% right: mean by convolution, pandas for the raw series
ax = sun.plot(x='YEAR', y='SUNACTIVITY', color='lightgray', label='yearly', figsize=(10, 4))
m = np.convolve(sun['SUNACTIVITY'], np.ones(11) / 11, mode='valid')
ax.plot(sun['YEAR'].to_numpy()[10:], m, color='darkred', label='11-year mean')
ax.set(title='Sunspots', xlabel='year', ylabel='activity')
ax.legend(loc='upper left')
# %% right: frame with two columns
d = sun.set_index('YEAR')
t = pd.DataFrame({'yearly': d['SUNACTIVITY'], '11-year mean': d['SUNACTIVITY'].rolling(window=11).mean()})
t.plot(style=[':', '-'], color=['navy', 'orange'], title='Sunspots', xlabel='year', ylabel='activity')
# %% wrong, changed: the rolling mean is missing
#- plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(11).mean(), linewidth=2, label='11-year mean')
# %% wrong, changed: rolling maximum
#- plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(11).mean(), linewidth=2, label='11-year mean')
plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(11).max(), linewidth=2, label='11-year mean')
# %% wrong, changed: window of 50 years
#- plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(11).mean(), linewidth=2, label='11-year mean')
plt.plot(sun['YEAR'], sun['SUNACTIVITY'].rolling(50).mean(), linewidth=2, label='11-year mean')
# %% gold: unemployment and inflation
t = macro['year'] + (macro['quarter'] - 1) / 4
plt.plot(t, macro['unemp'], label='unemployment')
plt.plot(t, macro['infl'], label='inflation')
plt.title('US economy'); plt.xlabel('year'); plt.ylabel('percent'); plt.legend()
# %% right: other order of drawing, other colours
t = macro.year + macro.quarter.map({1: 0, 2: .25, 3: .5, 4: .75})
fig, ax = plt.subplots(figsize=(11, 4))
ax.plot(t, macro.infl, color='tab:green', ls='--', label='inflation')
ax.plot(t, macro.unemp, color='tab:purple', label='unemployment')
ax.legend(loc='upper right', frameon=False)
ax.set_title('US economy'); ax.set_xlabel('year'); ax.set_ylabel('percent')
# %% right: seaborn on the long frame
d = macro.assign(t=macro['year'] + (macro['quarter'] - 1) / 4)
d = d.rename(columns={'unemp': 'unemployment', 'infl': 'inflation'}).melt('t', ['unemployment', 'inflation'])
ax = sns.lineplot(data=d, x='t', y='value', hue='variable')
ax.set(title='US economy', xlabel='year', ylabel='percent')
ax.legend(title=None)
# %% wrong: legend names swapped
t = macro['year'] + (macro['quarter'] - 1) / 4
plt.plot(t, macro['unemp'], label='inflation')
plt.plot(t, macro['infl'], label='unemployment')
plt.title('US economy'); plt.xlabel('year'); plt.ylabel('percent'); plt.legend()
# %% wrong, changed: interest rate instead of inflation
#- plt.plot(t, macro['infl'], label='inflation')
plt.plot(t, macro['tbilrate'], label='inflation')
# %% wrong: one against the other
plt.plot(macro['unemp'], macro['infl'], label='inflation')
plt.title('US economy'); plt.xlabel('year'); plt.ylabel('percent'); plt.legend()
# %% gold: heartbeat signal
heart.plot(x='time', y='voltage', legend=False)
plt.title('Heartbeat'); plt.xlabel('time (s)'); plt.ylabel('voltage (mV)')
# %% right: matplotlib, numpy columns
x, y = heart.to_numpy().T
fig = plt.figure(figsize=(10, 3), dpi=80)
ax = fig.add_subplot(111)
ax.plot(x, y, 'k-', lw=.8)
ax.set_title('Heartbeat'); ax.set_xlabel('time (s)'); ax.set_ylabel('voltage (mV)')
ax.grid(True)
# %% right: plot of the indexed series
ax = heart.set_index('time').voltage.plot(color='red', xlim=(0, 5))
ax.set(title='Heartbeat', xlabel='time (s)', ylabel='voltage (mV)')
# %% wrong: time and voltage swapped
plt.plot(heart['voltage'], heart['time'])
plt.title('Heartbeat'); plt.xlabel('time (s)'); plt.ylabel('voltage (mV)')
# %% wrong: power spectrum
p = np.abs(np.fft.rfft(heart['voltage'])) ** 2
plt.plot(np.fft.rfftfreq(len(heart), .01), p)
plt.title('Heartbeat'); plt.xlabel('time (s)'); plt.ylabel('voltage (mV)')
# %% wrong: upside down
plt.plot(heart['time'], -heart['voltage'])
plt.title('Heartbeat'); plt.xlabel('time (s)'); plt.ylabel('voltage (mV)')
# %% gold: prices of three stocks
for name in ['AAPL', 'GOOG', 'MSFT']:
    part = stocks[stocks['symbol'] == name]
    plt.plot(part['date'], part['price'], label=name)
plt.title('Stock prices'); plt.xlabel('date'); plt.ylabel('price (USD)'); plt.legend()
# %% right: pivot with gaps for Google
t = stocks.pivot(index='date', columns='symbol', values='price')[['MSFT', 'GOOG', 'AAPL']]
ax = t.plot(colormap='viridis', figsize=(10, 5))
ax.set(title='Stock prices', xlabel='date', ylabel='price (USD)')
ax.legend(loc='upper left', title='')
# %% right: seaborn
d = stocks.query("symbol in ['AAPL', 'GOOG', 'MSFT']")
ax = sns.lineplot(data=d, x='date', y='price', hue='symbol', style='symbol')
ax.set_title('Stock prices'); ax.set_ylabel('price (USD)')
plt.xticks(rotation=45)
# %% wrong: relative to the first price
for name in ['AAPL', 'GOOG', 'MSFT']:
    part = stocks[stocks['symbol'] == name]
    plt.plot(part['date'], part['price'] / part['price'].iloc[0], label=name)
plt.title('Stock prices'); plt.xlabel('date'); plt.ylabel('price (USD)'); plt.legend()
# %% wrong: IBM in the place of Microsoft's data
for name, label in [('AAPL', 'AAPL'), ('GOOG', 'GOOG'), ('IBM', 'MSFT')]:
    part = stocks[stocks['symbol'] == name]
    plt.plot(part['date'], part['price'], label=label)
plt.title('Stock prices'); plt.xlabel('date'); plt.ylabel('price (USD)'); plt.legend()
# %% wrong: all five stocks
for name, part in stocks.groupby('symbol'):
    plt.plot(part['date'], part['price'], label=name)
plt.title('Stock prices'); plt.xlabel('date'); plt.ylabel('price (USD)'); plt.legend()
# %% gold: sine and cosine over one period
x = np.linspace(0, 2 * np.pi, 200)
plt.plot(x, np.sin(x), label='sin')
plt.plot(x, np.cos(x), label='cos')
plt.title('Sine and cosine'); plt.xlabel('x'); plt.ylabel('y'); plt.legend()
# %% right: another number of points
x = np.linspace(0, 2 * np.pi, 500)
fig, ax = plt.subplots()
ax.plot(x, np.sin(x), 'r--', x, np.cos(x), 'b-.')
ax.legend(['sin', 'cos'], loc='lower left')
ax.axhline(0, color='gray', lw=.5)
ax.set(title='Sine and cosine', xlabel='x', ylabel='y')
# %% right: a pandas frame
x = np.linspace(0, 2 * np.pi, 101)
pd.DataFrame({'cos': np.cos(x), 'sin': np.sin(x)}, index=x).plot(title='Sine and cosine', xlabel='x', ylabel='y', lw=3)
# %% wrong, changed: half a period only
#- x = np.linspace(0, 2 * np.pi, 200)
x = np.linspace(0, np.pi, 200)
# %% wrong, changed: sine alone
#- plt.plot(x, np.cos(x), label='cos')
# %% wrong: twice the frequency
x = np.linspace(0, 2 * np.pi, 200)
plt.plot(x, np.sin(2 * x), label='sin')
plt.plot(x, np.cos(2 * x), label='cos')
plt.title('Sine and cosine'); plt.xlabel('x'); plt.ylabel('y'); plt.legend()
# %% gold: sea temperature over the months, mean and range of the years
m = nino.drop(columns='YEAR')
x = np.arange(12)
plt.fill_between(x, m.min(), m.max(), alpha=.3, label='range')
plt.plot(x, m.mean(), label='mean')
plt.xticks(x, m.columns)
plt.title('Sea temperature'); plt.xlabel('month'); plt.ylabel('temperature'); plt.legend()
# %% right: from the long frame, line first
d = nino.melt('YEAR', var_name='month', value_name='temp')
g = d.groupby('month', sort=False)['temp'].agg(['mean', 'min', 'max'])
fig, ax = plt.subplots(figsize=(9, 5))
ax.plot(range(12), g['mean'].values, 'o-', color='darkgreen', label='mean')
ax.fill_between(range(12), g['max'].values, g['min'].values, color='lightgreen', label='range')
ax.set_xticks(range(12)); ax.set_xticklabels(g.index, rotation=30)
ax.set(title='Sea temperature', xlabel='month', ylabel='temperature')
ax.legend(loc='best')
# %% right: month names as the x values
m = nino.set_index('YEAR')
plt.plot(m.columns, m.mean(axis=0), color='black', label='mean')
plt.fill_between(m.columns, m.min(axis=0), m.max(axis=0), color='gold', alpha=.4, label='range')
plt.title('Sea temperature'); plt.xlabel('month'); plt.ylabel('temperature')
plt.legend(loc='upper right')
# %% wrong, changed: no range
#- plt.fill_between(x, m.min(), m.max(), alpha=.3, label='range')
# %% wrong: over the years, not the months
m = nino.set_index('YEAR')
plt.fill_between(m.index, m.min(axis=1), m.max(axis=1), alpha=.3, label='range')
plt.plot(m.index, m.mean(axis=1), label='mean')
plt.title('Sea temperature'); plt.xlabel('month'); plt.ylabel('temperature'); plt.legend()
# %% wrong, changed: months by the alphabet
#- m = nino.drop(columns='YEAR')
m = nino.drop(columns='YEAR')
m = m[sorted(m.columns)]
# %% gold: ROC curve of one measure
from sklearn.metrics import roc_curve
y = (cancer['diagnosis'] == 'malignant').astype(int)
fpr, tpr, _ = roc_curve(y, cancer['mean_texture'])
plt.plot(fpr, tpr, label='texture')
plt.plot([0, 1], [0, 1], '--', label='chance')
plt.title('ROC curve'); plt.xlabel('false positive rate'); plt.ylabel('true positive rate'); plt.legend()
# %% right: all thresholds kept
from sklearn.metrics import roc_curve
y = cancer['diagnosis'].eq('malignant')
fpr, tpr, _ = roc_curve(y, cancer['mean_texture'], drop_intermediate=False)
fig, ax = plt.subplots(figsize=(5, 5))
ax.plot(fpr, tpr, color='darkorange', lw=2, label='texture')
ax.plot([0, 1], [0, 1], color='navy', ls=':', label='chance')
ax.set(title='ROC curve', xlabel='false positive rate', ylabel='true positive rate')
ax.legend(loc='lower right')
# %% right: the rates counted by hand, chance line of more points
pos = cancer.loc[cancer['diagnosis'] == 'malignant', 'mean_texture'].to_numpy()
neg = cancer.loc[cancer['diagnosis'] != 'malignant', 'mean_texture'].to_numpy()
cuts = np.r_[np.inf, np.sort(cancer['mean_texture'].unique())[::-1]]
tpr = [(pos >= c).mean() for c in cuts]
fpr = [(neg >= c).mean() for c in cuts]
plt.plot(np.linspace(0, 1, 50), np.linspace(0, 1, 50), color='gray', ls='--', label='chance')
plt.plot(fpr, tpr, label='texture', color='teal')
plt.title('ROC curve'); plt.xlabel('false positive rate'); plt.ylabel('true positive rate'); plt.legend()
# %% wrong, changed: rates swapped
#- plt.plot(fpr, tpr, label='texture')
plt.plot(tpr, fpr, label='texture')
# %% wrong, changed: of a hard decision at the mean
#- fpr, tpr, _ = roc_curve(y, cancer['mean_texture'])
fpr, tpr, _ = roc_curve(y, cancer['mean_texture'] > cancer['mean_texture'].mean())
# %% wrong, changed: another measure
#- fpr, tpr, _ = roc_curve(y, cancer['mean_texture'])
fpr, tpr, _ = roc_curve(y, cancer['mean_area'])

# %% setup
tips = pd.read_csv('data/tips.csv')
w = pd.read_csv('data/seattle-weather.csv')
# %% gold: Draw a pie chart of the number of days per kind of weather in Seattle with the kinds as labels and the percentages with one decimal in the wedges. Title 'Weather in Seattle'.
c = w['weather'].value_counts()
plt.pie(c, labels=c.index, autopct='%.1f%%')
plt.title('Weather in Seattle')
# %% right: start angle, colours, alphabetical order
c = w.groupby('weather').size()
fig, ax = plt.subplots(figsize=(8, 8))
ax.pie(c.values, labels=c.index, autopct='%1.1f%%', startangle=90, colors=plt.cm.Pastel1.colors)
ax.axis('equal'); ax.set_title('Weather in Seattle')
# %% right: pandas
w['weather'].value_counts().plot.pie(autopct='%.1f%%', figsize=(6, 6), ylabel='', title='Weather in Seattle')
# %% right: exploded, clockwise
c = w.weather.value_counts()
plt.figure(figsize=(7, 7))
plt.pie(c.values, labels=list(c.index), autopct='%.1f%%', explode=[.05] * len(c), counterclock=False, shadow=True)
plt.title('Weather in Seattle', fontsize=16)
plt.tight_layout()
# %% right: legend in addition
c = w.weather.value_counts(ascending=True)
wedges, texts, auto = plt.pie(c, labels=c.index, autopct='%.1f%%', pctdistance=.75)
plt.legend(wedges, c.index, loc='center left', bbox_to_anchor=(1.1, .5))
plt.title('Weather in Seattle')
# %% wrong: precipitation sums
c = w.groupby('weather')['precipitation'].sum() + .1
plt.pie(c, labels=c.index, autopct='%.1f%%'); plt.title('Weather in Seattle')
# %% wrong: no percentages
c = w['weather'].value_counts()
plt.pie(c, labels=c.index); plt.title('Weather in Seattle')
# %% wrong: labels in the order of unique()
c = w['weather'].value_counts()
plt.pie(c, labels=w['weather'].unique(), autopct='%.1f%%'); plt.title('Weather in Seattle')
# %% wrong: bar chart
w['weather'].value_counts().plot.bar(title='Weather in Seattle')
# %% wrong, before: without sun
w = w[w.weather != 'sun']
# %% gold: Draw a donut chart (pie with wedge width 0.4) of the total total_bill per day of tips, in the order Thur, Fri, Sat, Sun, labelled with the day names, starting at 90 degrees and going clockwise, with no percentages. Write 'Total bill' in the centre.
s = tips.groupby('day')['total_bill'].sum()[['Thur', 'Fri', 'Sat', 'Sun']]
fig, ax = plt.subplots()
ax.pie(s, labels=s.index, startangle=90, counterclock=False, wedgeprops={'width': 0.4})
ax.text(0, 0, 'Total bill', ha='center', va='center')
# %% right: pyplot, colours, edges
t = tips.pivot_table(index='day', values='total_bill', aggfunc='sum').loc[['Thur', 'Fri', 'Sat', 'Sun'], 'total_bill']
plt.figure(figsize=(7, 7))
plt.pie(t, labels=['Thur', 'Fri', 'Sat', 'Sun'], startangle=90, counterclock=False, colors=['#66c2a5', '#fc8d62', '#8da0cb', '#e78ac3'], wedgeprops=dict(width=.4, edgecolor='w'))
plt.text(0, 0, 'Total bill', ha='center', va='center', fontsize=16, weight='bold')
# %% right: annotate, title
v = [tips.loc[tips.day == d, 'total_bill'].sum() for d in ['Thur', 'Fri', 'Sat', 'Sun']]
fig, ax = plt.subplots(figsize=(5, 5))
ax.pie(v, labels=['Thur', 'Fri', 'Sat', 'Sun'], wedgeprops={'width': .4}, startangle=90, counterclock=False, textprops={'fontsize': 12})
ax.annotate('Total bill', (0, 0), ha='center', va='center')
ax.set_title('Bills per day')
# %% right, before show: title
ax.set_title('Share of the days')
# %% right: larger, legend beside
s = tips.groupby('day').total_bill.sum().reindex(['Thur', 'Fri', 'Sat', 'Sun'])
fig, ax = plt.subplots(figsize=(8, 6))
w, _ = ax.pie(s.values, labels=list(s.index), startangle=90, counterclock=False, colors=plt.cm.Set2.colors, wedgeprops={'width': .4, 'edgecolor': 'white'})
ax.legend(w, s.index, title='day', loc='center left', bbox_to_anchor=(1, .5))
ax.text(0, 0, 'Total bill', ha='center', va='center', fontsize=14)
# %% wrong, changed: counts of rows
#- s = tips.groupby('day')['total_bill'].sum()[['Thur', 'Fri', 'Sat', 'Sun']]
s = tips['day'].value_counts()[['Thur', 'Fri', 'Sat', 'Sun']]
# %% wrong: full pie
s = tips.groupby('day')['total_bill'].sum()[['Thur', 'Fri', 'Sat', 'Sun']]
fig, ax = plt.subplots()
ax.pie(s, labels=s.index, startangle=90, counterclock=False)
ax.set_title('Total bill')
# %% wrong, changed: mean bills
#- s = tips.groupby('day')['total_bill'].sum()[['Thur', 'Fri', 'Sat', 'Sun']]
s = tips.groupby('day')['total_bill'].mean()[['Thur', 'Fri', 'Sat', 'Sun']]
# %% wrong: alphabetical order, anticlockwise from the right
s = tips.groupby('day')['total_bill'].sum()
fig, ax = plt.subplots()
ax.pie(s, labels=s.index, wedgeprops={'width': 0.4})
ax.text(0, 0, 'Total bill', ha='center', va='center')
# %% wrong: no text in the centre, no labels
s = tips.groupby('day')['total_bill'].sum()[['Thur', 'Fri', 'Sat', 'Sun']]
fig, ax = plt.subplots()
ax.pie(s, startangle=90, counterclock=False, wedgeprops={'width': 0.4})

# %% setup
elnino = pd.read_csv('data/elnino.csv', index_col='YEAR')
anomaly = (elnino - elnino.mean()).stack().rolling(12).mean().dropna().to_numpy()[:240]
months = np.arange(len(anomaly))
def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)
tips = pd.read_csv('data/tips.csv')
days = ['Thur', 'Fri', 'Sat', 'Sun']
many = tips.pivot_table(index='size', columns='day', values='tip', aggfunc='count', fill_value=0)
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
# %% gold: above and below 0
plt.figure(figsize=(6, 3))
plt.fill_between(months, anomaly, 0, where=anomaly > 0, color='crimson', linewidth=0)
plt.fill_between(months, anomaly, 0, where=anomaly < 0, color='royalblue', linewidth=0)
words('El Nino and La Nina', 'month', 'anomaly')
# %% wrong, before: half of the time
months, anomaly = months[:120], anomaly[:120]
# %% gold: Draw a stacked area chart of the number of tables per party size by day, with a legend.
many[days].plot.area()
# %% wrong: areas under the names of others
plt.stackplot(many.index, *(many[day] for day in days), labels=days[::-1])
plt.legend()
# %% wrong: not stacked
many[days].plot.area(stacked=False)
# %% gold: Show Iowa's net electricity generation per year as a stacked area chart, one area per source, stacked from the bottom in the order Fossil Fuels, Nuclear Energy, Renewables, with a legend. Label the y axis 'net generation (GWh)'.
p = iowa.pivot(index='year', columns='source', values='net_generation')
plt.stackplot(p.index, p['Fossil Fuels'], p['Nuclear Energy'], p['Renewables'], labels=['Fossil Fuels', 'Nuclear Energy', 'Renewables'])
plt.legend()
plt.ylabel('net generation (GWh)')
# %% right, before show: title
plt.title('Electricity generation')
plt.xlabel('Year')
# %% wrong: not stacked lines
iowa.pivot(index='year', columns='source', values='net_generation').plot()
plt.ylabel('net generation (GWh)')

# %% setup
tips = pd.read_csv('data/tips.csv')
iris = pd.read_csv('data/iris.csv')
gap = pd.read_csv('data/gapminder.csv')
penguins = pd.read_csv('data/penguins.csv').dropna().reset_index(drop=True)
macro = pd.read_csv('data/macrodata.csv')
yearly = macro.groupby('year')[['unemp', 'infl']].mean()
x, y = penguins['flipper_length_mm'], penguins['body_mass_g']
names = sorted(penguins['species'].unique())
def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)
rent = pd.read_csv('data/rent.csv')
# %% gold: Draw a stem plot of the mean tip for each party size (1 to 6).
mean_tip = tips.groupby('size')['tip'].mean()
plt.stem(mean_tip.index, mean_tip.values)
plt.xlabel('party size')
plt.ylabel('mean tip')
# %% right, before show: limits of y and a grid
plt.ylim(0, 7)
plt.grid(axis='y')
# %% wrong, before: no parties of 6
tips = tips[tips['size'] < 6]
# %% gold: Scatter tip against total_bill, lunch in orange and dinner in green, with a legend.
for time, colour in (('Lunch', 'orange'), ('Dinner', 'green')):
    part = tips[tips.time == time]
    plt.scatter(part.total_bill, part.tip, color=colour, label=time)
plt.legend()
# %% right: a palette
sns.scatterplot(data=tips, x='total_bill', y='tip', hue='time', palette={'Lunch': 'darkorange', 'Dinner': 'seagreen'})
# %% wrong: exchanged
sns.scatterplot(data=tips, x='total_bill', y='tip', hue='time', palette={'Lunch': 'green', 'Dinner': 'orange'})
# %% gold: Draw the directed graph a->b, a->c, b->d, c->d, d->e with arrows and the names of the nodes, at the places given by networkx's circular layout.
import networkx as nx
graph = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(graph, nx.circular_layout(graph), with_labels=True)
# %% right: draw_circular
import networkx as nx
g = nx.DiGraph()
g.add_edges_from([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw_circular(g, with_labels=True, node_color='lightgreen', node_size=900, font_weight='bold')
# %% wrong: without names
import networkx as nx
g = nx.DiGraph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(g, nx.circular_layout(g))
# %% wrong: undirected
import networkx as nx
g = nx.Graph([('a', 'b'), ('a', 'c'), ('b', 'd'), ('c', 'd'), ('d', 'e')])
nx.draw(g, nx.circular_layout(g), with_labels=True)
# %% gold: Draw a lollipop plot (stem plot) of the mean total bill by party size.
m = tips.groupby('size')['total_bill'].mean()
plt.stem(m.index, m)
plt.xlabel('size')
plt.ylabel('total_bill')
# %% wrong: bars
m = tips.groupby('size')['total_bill'].mean()
plt.bar(m.index, m)
# %% gold: Scatter petal_width against petal_length of the iris data by species, with a legend of the species.
sns.scatterplot(data=iris, x='petal_length', y='petal_width', hue='species')
# %% right: a capital letter, and a word before
for name, part in iris.groupby('species'):
    plt.plot(part.petal_length, part.petal_width, '.', label=f'Iris {name.title()}')
plt.legend(title='Species')
# %% wrong: numbers
for number, (name, part) in enumerate(iris.groupby('species')):
    plt.scatter(part.petal_length, part.petal_width, label=number)
plt.legend()
# %% gold: Scatter petal width (y) against petal length (x) of the iris data, each species in its own colour, with a legend and axis labels.
for name, part in iris.groupby('species'):
    plt.scatter(part['petal_length'], part['petal_width'], label=name)
plt.xlabel('petal length')
plt.ylabel('petal width')
plt.legend()
# %% wrong, before: an outlier
iris = pd.concat([iris, iris.iloc[:1].assign(petal_length=60, petal_width=25)])
# %% gold: Draw a bubble chart for 2007: GDP per capita on a logarithmic x axis, life expectancy on y, bubble size proportional to population, colour by continent with a legend.
d = gap[gap.year == 2007]
for name, part in d.groupby('continent'):
    plt.scatter(part['gdpPercap'], part['lifeExp'], s=part['pop'] / 1e6, alpha=0.6, label=name)
plt.xscale('log')
plt.xlabel('gdpPercap')
plt.ylabel('lifeExp')
plt.legend()
# %% right, before show: a title
plt.title('Wealth and health, 2007')
# %% wrong, before: Africa missing
gap = gap[gap.continent != 'Africa']
# %% gold: points of three groups
plt.figure(figsize=(4.5, 3.3))
for name in names:
    rows = penguins[penguins['species'] == name]
    plt.scatter(rows['bill_length_mm'], rows['bill_depth_mm'], s=25, label=name)
words('Bills', 'length (mm)', 'depth (mm)')
plt.legend()
# %% wrong, before show: x axis inverted
plt.gca().invert_xaxis()
# %% gold: points coloured by a third value, with a line through them
plt.figure(figsize=(5.5, 4))
plt.plot(yearly['unemp'], yearly['infl'], color='lightgray', linewidth=2)
plt.scatter(yearly['unemp'], yearly['infl'], s=50, c=yearly.index, cmap='viridis', zorder=3)
plt.colorbar()
words('Unemployment and inflation', 'unemployment (%)', 'inflation (%)')
# %% wrong, before: every second year
yearly = yearly.iloc[::2]
# %% wrong, before: one of the points far off
yearly = yearly.copy()
yearly.iloc[10] = [40, 60]
# %% gold: Scatter the rent (y) against the area (x) of the flats and colour the points by metro_distance, with a colour bar labelled 'distance to metro (m)'.
plt.scatter(rent.area, rent.rent, c=rent.metro_distance)
plt.colorbar(label='distance to metro (m)')
# %% right, before show: labels
plt.xlabel('area (m²)')
plt.ylabel('rent')
plt.grid(alpha=0.2)
# %% wrong: no colour
plt.scatter(rent.area, rent.rent)

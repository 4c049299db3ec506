# %% setup
import matplotlib.dates as mdates

air = pd.DataFrame({'month': pd.date_range('1949-01-01', periods=144, freq='MS')})
air['passengers'] = (112 + np.arange(144) * 2.6 + 40 * np.sin(np.arange(144) / 1.9)).round()
tips = pd.read_csv('data/tips.csv')
iris = pd.read_csv('data/iris.csv')
weather = pd.read_csv('data/seattle-weather.csv', parse_dates=['date'])
iowa = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])
monthly = weather.groupby(weather.date.dt.month)['precipitation'].mean()
totals = iowa.groupby('year')['net_generation'].sum()
u, v = np.meshgrid(np.linspace(0, 4, 70), np.linspace(-1, 2, 60))
F = np.sin(u) * np.exp(-v * v) + 0.2 * u

# %% gold: Plot sine and cosine from 0 to 2 pi as two lines with a legend that names them.
t = np.linspace(0, 2 * np.pi, 100)
plt.plot(t, np.sin(t), label='sin')
plt.plot(t, np.cos(t), label='cos')
plt.legend()
plt.show()
# %% right: texts for the legend alone
t = np.linspace(0, 2 * np.pi, 150)
plt.plot(t, np.sin(t), 'k--', t, np.cos(t), 'r')
plt.legend(['sin', 'cos'])
plt.show()
# %% right: a frame whose columns are called otherwise
t = np.linspace(0, 2 * np.pi, 100)
pd.DataFrame({'a': np.cos(t), 'b': np.sin(t)}, index=t).plot()
plt.legend(['cos', 'sin'])
plt.show()
# %% right: handles
t = np.linspace(0, 2 * np.pi, 100)
(one,), (two,) = plt.plot(t, np.sin(t)), plt.plot(t, np.cos(t))
plt.legend([two, one], ['cos', 'sin'], title='function')
plt.show()
# %% right: of one colour, told apart by their style
t = np.linspace(0, 2 * np.pi, 100)
plt.plot(t, np.sin(t), 'k-', label='sin')
plt.plot(t, np.cos(t), 'k:', label='cos')
plt.legend()
plt.show()
# %% wrong: texts for the legend in another order
t = np.linspace(0, 2 * np.pi, 100)
plt.plot(t, np.sin(t), t, np.cos(t))
plt.legend(['cos', 'sin'])
plt.show()
# %% wrong: columns under the other's name
t = np.linspace(0, 2 * np.pi, 100)
pd.DataFrame({'sin': np.sin(t), 'cos': np.cos(t)}, index=t).plot()
plt.legend(['cos', 'sin'])
plt.show()
# %% wrong: no legend
t = np.linspace(0, 2 * np.pi, 100)
plt.plot(t, np.sin(t), t, np.cos(t))
plt.show()

# %% gold: Draw the total net generation of each year as a line.
plt.plot(totals.index, totals)
plt.xlabel('year')
plt.ylabel('net_generation')
plt.show()
# %% right: years as numbers
plt.plot(totals.index.year, totals.values, 'o-')
plt.xlabel('Year')
plt.ylabel('Net generation')
plt.show()
# %% right: pandas
totals.plot(color='green', title='Net generation')
plt.show()
# %% right: years as words
plt.plot(totals.index.strftime('%Y'), totals.values)
plt.xticks(rotation=45)
plt.ylabel('total net generation (thousand MWh)')
plt.show()
# %% right: periods
s = totals.copy()
s.index = s.index.to_period('Y')
s.plot()
plt.ylabel('net generation')
plt.show()
# %% wrong: a year too late
plt.plot(totals.index.year + 1, totals.values)
plt.show()
# %% wrong, changed: numbers of rows for years
#- plt.plot(totals.index, totals)
plt.plot(totals.values)
# %% wrong, changed: a twentieth more, as years
#- plt.plot(totals.index, totals)
plt.plot(totals.index.year, totals.values * 1.05)
# %% wrong: renewables alone
iowa[iowa.source == 'Renewables'].groupby('year')['net_generation'].sum().plot()
plt.show()

# %% gold: Draw bars of the total net generation of each year.
plt.bar(totals.index.year, totals.values)
plt.xlabel('year')
plt.ylabel('net generation')
plt.show()
# %% right: pandas
totals.set_axis(totals.index.year).plot.bar()
plt.show()
# %% right: dates
plt.bar(totals.index, totals.values, width=300)
plt.ylabel('net generation')
plt.show()
# %% right: dates as words
totals.plot(kind='bar', figsize=(9, 4))
plt.tight_layout()
plt.show()
# %% right: in thousands, as the label says
plt.bar(totals.index.year.astype(str), totals.values / 1e3, color='teal')
plt.ylabel('net generation in thousands')
plt.show()
# %% wrong: in thousands, though the label says millions
plt.bar(totals.index.year, totals.values / 1e3)
plt.ylabel('net generation (millions)')
plt.show()
# %% wrong, changed: scaled without a word
#- plt.bar(totals.index.year, totals.values)
plt.bar(totals.index.year, totals.values / 1e3)
# %% wrong: sorted by size under the years in order
plt.bar(totals.index.year, np.sort(totals.values))
plt.show()

# %% gold: Draw the mean precipitation of each month as a line with markers. Label both axes and give it a title.
plt.plot(monthly.index, monthly, 'o-')
plt.xlabel('month')
plt.ylabel('precipitation')
plt.title('Mean precipitation by month')
plt.show()
# %% right: other words
plt.plot(monthly.index, monthly, 's--', color='navy')
plt.xlabel('Month of the year')
plt.ylabel('Rain (mm)')
plt.title('Rain in Seattle')
plt.show()
# %% right: names of months
import calendar
plt.plot([calendar.month_abbr[m] for m in monthly.index], monthly.values, marker='o')
plt.xlabel('Month')
plt.ylabel('Mean precipitation')
plt.title('Precipitation')
plt.show()
# %% right: names as ticks
plt.plot(monthly.index, monthly, 'o-')
plt.xticks(range(1, 13), ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'])
plt.xlabel('Month')
plt.ylabel('Precipitation')
plt.title('Precipitation by month')
plt.show()
# %% wrong, changed: no title
#- plt.title('Mean precipitation by month')
# %% wrong: labels of the axes swapped
plt.plot(monthly.index, monthly, 'o-')
plt.ylabel('month')
plt.xlabel('precipitation')
plt.title('Mean precipitation by month')
plt.show()
# %% wrong: no labels
plt.plot(monthly.index, monthly, 'o-')
plt.title('Mean precipitation by month')
plt.show()
# %% wrong, changed: months from 0
#- plt.plot(monthly.index, monthly, 'o-')
plt.plot(range(12), monthly.values, 'o-')

# %% gold: Draw lines of equal value of F over u and v.
plt.contour(u, v, F)
plt.show()
# %% right: more levels
plt.contour(u, v, F, levels=20, cmap='plasma')
plt.xlabel('u')
plt.show()
# %% right: numbers on the lines
c = plt.contour(u, v, F, 12, colors='k')
plt.clabel(c)
plt.show()
# %% right: on a coarser grid
p, q = np.meshgrid(np.linspace(0, 4, 45), np.linspace(-1, 2, 45))
plt.contour(p, q, np.sin(p) * np.exp(-q * q) + 0.2 * p)
plt.show()
# %% wrong: u and v swapped
plt.contour(v, u, F)
plt.show()
# %% wrong: without the slope
plt.contour(u, v, F - 0.2 * u)
plt.show()
# %% wrong: upside down
plt.contour(u, v, F[::-1])
plt.show()

# %% gold: Draw the values of F over u and v as a coloured mesh with a colour bar.
plt.pcolormesh(u, v, F)
plt.colorbar()
plt.show()
# %% right: an image
plt.imshow(F, origin='lower', extent=(0, 4, -1, 2), aspect='auto', cmap='magma')
plt.colorbar(label='F')
plt.show()
# %% right: filled contours with many levels
plt.contourf(u, v, F, 60)
plt.colorbar()
plt.show()
# %% right: smooth
plt.pcolormesh(u, v, F, shading='gouraud', cmap='coolwarm')
plt.colorbar()
plt.show()
# %% wrong: an image upside down
plt.imshow(F, origin='upper', extent=(0, 4, -1, 2), aspect='auto')
plt.colorbar()
plt.show()
# %% wrong: turned
plt.pcolormesh(F.T)
plt.colorbar()
plt.show()
# %% wrong: squared
plt.pcolormesh(u, v, F ** 2)
plt.colorbar()
plt.show()
# %% wrong: no colour bar
plt.pcolormesh(u, v, F)
plt.show()

# %% gold: Draw F over u and v as a surface in space.
plt.figure().add_subplot(projection='3d').plot_surface(u, v, F)
plt.show()
# %% right: triangles
ax = plt.figure().add_subplot(projection='3d')
ax.plot_trisurf(u.ravel(), v.ravel(), F.ravel(), cmap='viridis')
plt.show()
# %% right: all rows
ax = plt.axes(projection='3d')
ax.plot_surface(u, v, F, rstride=1, cstride=1, cmap='coolwarm', linewidth=0)
plt.show()
# %% wrong: a tenth higher
plt.figure().add_subplot(projection='3d').plot_surface(u, v, 1.1 * F)
plt.show()
# %% wrong: half of the plane
plt.figure().add_subplot(projection='3d').plot_surface(u[:, :35], v[:, :35], F[:, :35])
plt.show()
# %% wrong: turned round
plt.figure().add_subplot(projection='3d').plot_surface(u, v, F[:, ::-1])
plt.show()

# %% gold: Draw violins of the tip for each day in the order Thur, Fri, Sat, Sun.
days = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days])
plt.xticks(range(1, 5), days)
plt.ylabel('tip')
plt.show()
# %% right: with means
days = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days], showmeans=True, showextrema=False, widths=0.9)
plt.xticks(range(1, 5), days)
plt.ylabel('Tip ($)')
plt.show()
# %% right: seaborn
sns.violinplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% right: seaborn, cut off
sns.violinplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'], cut=0, inner='quart', color='tan')
plt.show()
# %% wrong: two days exchanged
days = ['Thur', 'Fri', 'Sat', 'Sun']
plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days])
plt.xticks(range(1, 5), ['Fri', 'Thur', 'Sat', 'Sun'])
plt.show()
# %% wrong, changed: a fifth more
#- plt.violinplot([tips.loc[tips.day == d, 'tip'] for d in days])
plt.violinplot([1.2 * tips.loc[tips.day == d, 'tip'] for d in days])
# %% wrong: boxes
sns.boxplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat', 'Sun'])
plt.show()
# %% wrong: a day missing
sns.violinplot(data=tips, x='day', y='tip', order=['Thur', 'Fri', 'Sat'])
plt.show()

# %% gold: Show the density of the sepal length (kernel density estimate).
sns.kdeplot(iris['sepal_length'], fill=True)
plt.show()
# %% right: a line
sns.kdeplot(data=iris, x='sepal_length', color='k')
plt.show()
# %% right: pandas
iris['sepal_length'].plot.density()
plt.xlabel('sepal length')
plt.show()
# %% wrong: narrower
sns.kdeplot(iris['sepal_length'], bw_adjust=0.4)
plt.show()
# %% wrong: of the width
sns.kdeplot(iris['sepal_width'])
plt.xlabel('sepal_length')
plt.show()
# %% wrong: a histogram
plt.hist(iris['sepal_length'], density=True)
plt.show()

# %% gold: Draw an arrow from (0, 0) to (3, 1) and another one from (3, 1) to (2, 4).
plt.annotate('', xy=(3, 1), xytext=(0, 0), arrowprops={'arrowstyle': '->'})
plt.arrow(0, 0, 3, 1, head_width=0.1, length_includes_head=True)
plt.arrow(3, 1, -1, 3, head_width=0.1, length_includes_head=True)
plt.show()
# %% right: thicker
plt.arrow(0, 0, 3, 1, width=0.05, color='r', length_includes_head=True)
plt.arrow(3, 1, -1, 3, width=0.05, color='r', length_includes_head=True)
plt.show()
# %% right: patches
from matplotlib.patches import FancyArrowPatch
ax = plt.gca()
ax.add_patch(FancyArrowPatch((0, 0), (3, 1), mutation_scale=20))
ax.add_patch(FancyArrowPatch((3, 1), (2, 4), mutation_scale=10, arrowstyle='->'))
plt.xlim(-1, 5)
plt.ylim(-1, 5)
plt.show()
# %% wrong: the second one back
plt.arrow(0, 0, 3, 1, head_width=0.1)
plt.arrow(2, 4, 1, -3, head_width=0.1)
plt.show()
# %% wrong: one
plt.arrow(0, 0, 3, 1, head_width=0.1)
plt.show()

# %% gold: Show the array F as an image in grey.
plt.imshow(F, cmap='gray')
plt.axis('off')
plt.show()
# %% right: another name for grey
plt.imshow(F, cmap='Greys_r')
plt.axis('off')
plt.show()
# %% right: channels
g = (F - F.min()) / np.ptp(F)
plt.matshow(F, cmap=plt.cm.gray)
plt.show()
# %% wrong: the standard colours
plt.imshow(F)
plt.axis('off')
plt.show()
# %% wrong: dark for bright
plt.imshow(F, cmap='gray_r')
plt.show()
# %% wrong: another array
plt.imshow(F ** 2, cmap='gray')
plt.show()

# %% gold: Draw bars of the mean tip on each day, sorted from low to high, with the values written on the bars.
m = tips.groupby('day')['tip'].mean().sort_values()
bars = plt.bar(m.index, m)
plt.bar_label(bars, fmt='%.2f')
plt.ylabel('mean tip')
plt.show()
# %% right: text by hand, one digit
m = tips.groupby('day')['tip'].mean().sort_values()
m.plot.bar(rot=0)
for i, x in enumerate(m):
    plt.text(i, x, f'{x:.1f}', ha='center')
plt.show()
# %% right: seaborn
m = tips.groupby('day')['tip'].mean().sort_values()
ax = sns.barplot(x=m.index, y=m.values)
ax.bar_label(ax.containers[0], fmt='%.3f')
plt.ylabel('Mean tip ($)')
plt.show()
# %% wrong: no values
m = tips.groupby('day')['tip'].mean().sort_values()
plt.bar(m.index, m)
plt.ylabel('mean tip')
plt.show()
# %% wrong, changed: other values
#- plt.bar_label(bars, fmt='%.2f')
plt.bar_label(bars, labels=[f'{x:.2f}' for x in m * 1.1])
# %% wrong, changed: the median
#- m = tips.groupby('day')['tip'].mean().sort_values()
m = tips.groupby('day')['tip'].median().sort_values()

# %% gold: Draw the monthly passengers as a line and mark the year with the most passengers with a vertical line.
plt.plot(air['month'], air['passengers'])
plt.axvline(air.loc[air.passengers.idxmax(), 'month'], color='r')
plt.xlabel('month')
plt.ylabel('passengers')
plt.show()
# %% right: pandas
s = air.set_index('month')['passengers']
s.plot()
plt.axvline(s.idxmax(), color='k', ls='--')
plt.show()
# %% right: vlines and a legend
plt.plot(air.month, air.passengers, label='passengers')
plt.axvline(air.month[air.passengers.argmax()], label='greatest', color='g')
plt.legend()
plt.title('Passengers')
plt.show()
# %% wrong: the least
plt.plot(air['month'], air['passengers'])
plt.axvline(air.loc[air.passengers.idxmin(), 'month'] + pd.Timedelta('900D'), color='r')
plt.show()
# %% wrong: no mark
plt.plot(air['month'], air['passengers'])
plt.show()

# %% gold: Draw a polar plot of r = 1 + cos(theta).
a = np.linspace(0, 2 * np.pi, 200)
plt.polar(a, 1 + np.cos(a))
plt.show()
# %% right: filled, more points
a = np.linspace(0, 2 * np.pi, 500)
ax = plt.subplot(projection='polar')
ax.plot(a, 1 + np.cos(a), 'r')
ax.fill(a, 1 + np.cos(a), alpha=0.2)
plt.show()
# %% right: from the top
a = np.linspace(0, 2 * np.pi, 200)
ax = plt.subplot(polar=True)
ax.plot(a, 1 + np.cos(a))
ax.set_theta_zero_location('N')
plt.show()
# %% wrong: the sine
a = np.linspace(0, 2 * np.pi, 200)
plt.polar(a, 1 + np.sin(a))
plt.show()
# %% wrong: in the plane
a = np.linspace(0, 2 * np.pi, 200)
plt.plot(a, 1 + np.cos(a))
plt.show()

# %% gold: Draw a lollipop plot (stem plot) of the mean total bill by party size.
m = tips.groupby('size')['total_bill'].mean()
plt.stem(m.index, m)
plt.xlabel('size')
plt.ylabel('total_bill')
plt.show()
# %% right: by hand
m = tips.groupby('size')['total_bill'].mean()
plt.vlines(m.index, 0, m, color='grey')
plt.plot(m.index, m, 'o')
plt.ylim(0)
plt.xlabel('party size')
plt.ylabel('mean total bill')
plt.show()
# %% right: no line below
m = tips.groupby('size')['total_bill'].mean()
plt.stem(m.index, m, basefmt='')
plt.show()
# %% wrong: bars
m = tips.groupby('size')['total_bill'].mean()
plt.bar(m.index, m)
plt.show()
# %% wrong: sums
m = tips.groupby('size')['total_bill'].sum()
plt.stem(m.index, m)
plt.show()

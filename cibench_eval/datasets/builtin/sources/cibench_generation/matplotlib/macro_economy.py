# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/macrodata.csv` into a DataFrame named `macro`. Set its index to the first day of each row's quarter as datetimes, made from the columns `year` and `quarter` (1 to 4).
#
# Thought: Quarter q begins in month 3q − 2; to_datetime takes a mapping of year, month and day.

# %%
import pandas as pd

macro = pd.read_csv('data/macrodata.csv')
macro.index = pd.to_datetime({'year': macro['year'], 'month': 3 * macro['quarter'] - 2, 'day': 1})

# %% [markdown] kind="vis" modules="matplotlib"
# Plot the column `realgdp` against the dates as a line in `navy` of width 2, with a logarithmic y axis.
# Use figure size (5, 3.5), the title `Real GDP`, the x label `year` and the y label `billion dollars`, and call `plt.show()`.
#
# Thought: On a logarithmic axis constant growth is a straight line.

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.plot(macro.index, macro['realgdp'], color='navy', linewidth=2)
plt.yscale('log')
plt.title('Real GDP')
plt.xlabel('year')
plt.ylabel('billion dollars')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Make a Series `growth` of the change of `realgdp` from the quarter before in percent, without the missing first value.
# Print the number of quarters in which `growth` is negative and the lowest value of `growth`, rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: pct_change times 100 gives percent; dropna removes the first quarter.

# %%
growth = (macro['realgdp'].pct_change() * 100).dropna()
answer = [int((growth < 0).sum()), round(float(growth.min()), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `growth` as bars centered at its dates, each 91 days wide, in `seagreen` where it is positive or 0 and in `crimson` where it is negative.
# Use figure size (5.5, 3.5), the title `Growth by quarter`, the x label `year` and the y label `percent`, and call `plt.show()`.
#
# Thought: A list of colors goes with the bars; on a date axis the unit of the width is a day.

# %%
plt.figure(figsize=(5.5, 3.5))
plt.bar(growth.index, growth, width=91, color=['crimson' if value < 0 else 'seagreen' for value in growth])
plt.title('Growth by quarter')
plt.xlabel('year')
plt.ylabel('percent')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, count]"
# A slump is a run of at least two consecutive quarters with negative `growth`, as long as it can be. Make a list `slumps` with the first and the last quarter's date of each slump, as pairs of datetimes in chronological order.
# Print the number of slumps and the number of quarters in all of them together, on one line, separated by a space.
#
# Thought: A new run begins wherever the sign changes; grouping by the counted changes gives the runs.

# %%
negative = growth < 0
runs = [run for _, run in growth.groupby((negative != negative.shift()).cumsum()) if run.iloc[0] < 0 and len(run) > 1]
slumps = [(run.index[0], run.index[-1]) for run in runs]
answer = [len(runs), sum(len(run) for run in runs)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Plot the column `unemp` against the dates as a black line of width 2, and shade the time of each slump over the full height of the axes, from the date of its first quarter to the date of its last quarter (`plt.axvspan`, `color='orange'`, `alpha=0.6`).
# Use figure size (5.5, 3.5), the title `Unemployment and slumps`, the x label `year` and the y label `percent`, and call `plt.show()`.
#
# Thought: axvspan shades between two dates.

# %%
plt.figure(figsize=(5.5, 3.5))
plt.plot(macro.index, macro['unemp'], color='black', linewidth=2)
for first, last in slumps:
    plt.axvspan(first, last, color='orange', alpha=0.6)
plt.title('Unemployment and slumps')
plt.xlabel('year')
plt.ylabel('percent')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Compute the Pearson correlation of `unemp` with each other column of `macro` except `year` and `quarter`.
# Print the names of the three columns with the largest absolute correlations, from the largest absolute value to the smallest, on one line, separated by `, `.
#
# Thought: corrwith compares all columns with one; abs and nlargest choose the strongest.

# %%
strength = macro.drop(columns=['year', 'quarter', 'unemp']).corrwith(macro['unemp']).abs()
answer = list(strength.nlargest(3).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Make a DataFrame `shares` with the columns `realcons`, `realinv` and `realgovt` of `macro`, in this order, each as a percentage of the sum of the three.
# Print the mean of the column `realinv` of `shares` in the decades of the 1960s, 1970s, 1980s, 1990s and 2000s (1960 to 1969 and so on), on one line, each rounded to 2 decimal places, without percent signs, separated by spaces.
#
# Thought: Integer division of the year by ten makes the decade; 1959 belongs to none of the five.

# %%
parts = macro[['realcons', 'realinv', 'realgovt']]
shares = parts.div(parts.sum(axis=1), axis=0) * 100
decades = shares.groupby(shares.index.year // 10 * 10).mean().loc[1960:2000]
answer = [round(float(value), 2) for value in decades['realinv']]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the three columns of `shares` over the dates as stacked areas (`plt.stackplot`), in their order from the bottom, in the colors `cornflowerblue`, `gold` and `tomato`, with the column names as labels.
# Set the y limits to 0 and 100. Use figure size (5.5, 3.5), the title `Parts of demand`, the x label `year`, the y label `percent` and a legend at `loc='lower left'`, and call `plt.show()`.
#
# Thought: stackplot takes one row for each area.

# %%
plt.figure(figsize=(5.5, 3.5))
plt.stackplot(shares.index, shares.T, labels=shares.columns, colors=['cornflowerblue', 'gold', 'tomato'])
plt.ylim(0, 100)
plt.title('Parts of demand')
plt.xlabel('year')
plt.ylabel('percent')
plt.legend(loc='lower left')
plt.show()

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a donut chart of the mean of each column of `shares` over all quarters, in the order and the colors of the step before, starting at the top (`startangle=90`), counterclockwise, with ring width 0.4 and white edges (`wedgeprops`), the column names as labels and the percentages with 1 decimal place (`autopct='%.1f'`, `pctdistance=0.8`).
# Use figure size (4, 3.5) and the title `Mean parts of demand`, and call `plt.show()`.
#
# Thought: A pie whose wedges have a width below 1 is a donut.

# %%
plt.figure(figsize=(4, 3.5))
plt.pie(
    shares.mean(),
    labels=shares.columns,
    colors=['cornflowerblue', 'gold', 'tomato'],
    startangle=90,
    autopct='%.1f',
    pctdistance=0.8,
    wedgeprops={'width': 0.4, 'edgecolor': 'white'},
)
plt.title('Mean parts of demand')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[real(4)]"
# Make a DataFrame `yearly` of the means of the columns `unemp` and `infl` of `macro` in each `year` from 1960 to 2008 (the year is the index).
# Print the Pearson correlation of its two columns over the years 1960 to 1969 and over the years 1970 to 2008, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: loc slices of an index of years include both ends.

# %%
yearly = macro.groupby('year')[['unemp', 'infl']].mean().loc[1960:2008]
answer = [round(float(rows['unemp'].corr(rows['infl'])), 4) for rows in (yearly.loc[:1969], yearly.loc[1970:])]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the path of `yearly`: `unemp` on the x axis and `infl` on the y axis, a line in `lightgray` of width 2 through all years in order, and over it (`zorder=3`) one point for each year with `s=50`, colored by the year with `cmap='viridis'`, and a color bar.
# Write the years `1969`, `1975` and `1980` as text 6 points to the right of and 6 points above their points (`xytext=(6, 6)`, `textcoords='offset points'`).
# Use figure size (5.5, 4), the title `Unemployment and inflation`, the x label `unemployment (%)` and the y label `inflation (%)`, and call `plt.show()`.
#
# Thought: zorder puts the points above the line; annotate places each year beside its point.

# %%
plt.figure(figsize=(5.5, 4))
plt.plot(yearly['unemp'], yearly['infl'], color='lightgray', linewidth=2)
plt.scatter(yearly['unemp'], yearly['infl'], s=50, c=yearly.index, cmap='viridis', zorder=3)
plt.colorbar()
for year in (1969, 1975, 1980):
    place = (yearly.loc[year, 'unemp'], yearly.loc[year, 'infl'])
    plt.annotate(str(year), place, xytext=(6, 6), textcoords='offset points')
plt.title('Unemployment and inflation')
plt.xlabel('unemployment (%)')
plt.ylabel('inflation (%)')
plt.show()

# %% [markdown] kind="vis" modules="matplotlib"
# Make a figure of size (6.5, 4.5) with a grid of 2 rows and 2 columns: in the upper row one plot over both columns, in the lower row one plot in each column; without labels of the axes.
# Above: the bars of `growth` as before (centered at its dates, 91 days wide, `seagreen` and `crimson`), title `Growth`. Lower left: horizontal bars of the column `realinv` of `shares`, averaged over each of the five decades from the 1960s to the 2000s, in `gold` with the default height, the 1960s on top, with the first years of the decades (`1960`, `1970`, …) as y tick labels, title `Investment (%)`.
# Lower right: a histogram of the column `unemp` of `macro` in 15 bins in `gray`, with white edges, title `Unemployment (%)`. Call `plt.tight_layout()` and `plt.show()`.
#
# Thought: A grid specification lets the upper plot span both columns; barh needs the decades reversed.

# %%
figure = plt.figure(figsize=(6.5, 4.5))
grid = figure.add_gridspec(2, 2)
upper = figure.add_subplot(grid[0, :])
upper.bar(growth.index, growth, width=91, color=['crimson' if value < 0 else 'seagreen' for value in growth])
upper.set_title('Growth')
left = figure.add_subplot(grid[1, 0])
left.barh(decades.index[::-1].astype(str), decades['realinv'][::-1], color='gold')
left.set_title('Investment (%)')
right = figure.add_subplot(grid[1, 1])
right.hist(macro['unemp'], bins=15, color='gray', edgecolor='white')
right.set_title('Unemployment (%)')
plt.tight_layout()
plt.show()

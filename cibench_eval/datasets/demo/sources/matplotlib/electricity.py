# %% [markdown] kind="exec" modules="pandas"
# Load the file `data/iowa-electricity.csv` into a DataFrame named `power`, with the column `year` parsed as dates.
#
# Thought: read_csv turns the column into dates when it is named in parse_dates.

# %%
import pandas as pd

power = pd.read_csv('data/iowa-electricity.csv', parse_dates=['year'])

# %% [markdown] kind="text" modules="pandas"
# Print the distinct values of the column `source` in alphabetical order, one per line.
#
# Thought: unique() gives the sources, sorted() their order.

# %%
for source in sorted(power['source'].unique()):
    print(source)

# %% [markdown] kind="num" modules="pandas"
# Print the sum of the column `net_generation` over all rows.
#
# Thought: One call of sum() on the column.

# %%
print(power['net_generation'].sum())

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw a bar chart of the sum of `net_generation` of each `source`, sources in alphabetical order.
# Use figure size (6, 4), the color `orange`, the title `Generation by source` and the y label `net_generation`, and call `plt.show()`.
#
# Thought: Group by source, add up, and hand names and sums to plt.bar.

# %%
import matplotlib.pyplot as plt

total = power.groupby('source')['net_generation'].sum()
plt.figure(figsize=(6, 4))
plt.bar(total.index, total.values, color='orange')
plt.title('Generation by source')
plt.ylabel('net_generation')
plt.show()

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw `net_generation` against `year` as one line per `source`, in alphabetical order, with marker `o` and the source as its label.
# Use figure size (8, 4), the title `Electricity in Iowa`, the x label `year`, the y label `net_generation` and a legend, and call `plt.show()`.
#
# Thought: groupby yields the sources in order; each group is one call of plt.plot.

# %%
plt.figure(figsize=(8, 4))
for source, rows in power.groupby('source'):
    plt.plot(rows['year'], rows['net_generation'], marker='o', label=source)
plt.title('Electricity in Iowa')
plt.xlabel('year')
plt.ylabel('net_generation')
plt.legend()
plt.show()

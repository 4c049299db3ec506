# %% [markdown] kind="exec" modules="pandas"
# Load the file `data/penguins.csv` into a DataFrame named `penguins`.
#
# Thought: The file is a plain CSV with a header, so read_csv is enough.

# %%
import pandas as pd

penguins = pd.read_csv('data/penguins.csv')

# %% [markdown] kind="num" modules="pandas"
# Show the shape of `penguins` as the last expression.
#
# Thought: The shape attribute gives the number of rows and of columns.

# %%
penguins.shape

# %% [markdown] kind="num" modules="pandas"
# Print the mean of the column `body_mass_g`, rounded to 2 decimal places.
#
# Thought: mean() leaves out missing values, and round(…, 2) gives the asked precision.

# %%
print(round(penguins['body_mass_g'].mean(), 2))

# %% [markdown] kind="text" modules="pandas"
# Print the names of the columns that have missing values, in their order in the table, on one line, separated by `, `.
#
# Thought: isna().any() marks the columns with gaps; their names go through join.

# %%
print(', '.join(penguins.columns[penguins.isna().any()]))

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw a bar chart of the mean `body_mass_g` of each `species`, species in alphabetical order.
# Use figure size (6, 4), the color `steelblue`, the title `Mean body mass`, the x label `species` and the y label `grams`, and call `plt.show()`.
#
# Thought: groupby sorts the species by name; its means are the heights of the bars.

# %%
import matplotlib.pyplot as plt

mass = penguins.groupby('species')['body_mass_g'].mean()
plt.figure(figsize=(6, 4))
plt.bar(mass.index, mass.values, color='steelblue')
plt.title('Mean body mass')
plt.xlabel('species')
plt.ylabel('grams')
plt.show()

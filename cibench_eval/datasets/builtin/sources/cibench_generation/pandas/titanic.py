# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/titanic.csv` into a DataFrame named `ship`, and drop all rows whose `class` is none of `1st`, `2nd` and `3rd`.
#
# Thought: isin keeps the rows with a known class.

# %%
import pandas as pd

ship = pd.read_csv('data/titanic.csv')
ship = ship[ship['class'].isin(['1st', '2nd', '3rd'])]

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2)]"
# Print the number of passengers (rows) in `ship` and the percentage of them whose `age` is missing, rounded to 2 decimal places and without the percent sign, on one line, separated by a space.
#
# Thought: The mean of isna() is the share of missing values.

# %%
answer = [len(ship), round(float(ship['age'].isna().mean() * 100), 2)]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Print the percentage of survivors (`survived` is 1) in each `class`, from `1st` to `3rd`, on one line, each rounded to 2 decimal places, without percent signs, separated by spaces.
#
# Thought: The mean of a column of 0 and 1 is the share of ones.

# %%
answer = [round(float(value) * 100, 2) for value in ship.groupby('class')['survived'].mean()]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Add a column `family` to `ship`: the part of `name` before its first comma (the whole name where there is no comma).
# Print the four most frequent values of `family`, from the most frequent to the least, on one line, separated by `, `.
#
# Thought: Split the names at the comma, keep the first part, and count.

# %%
ship['family'] = ship['name'].str.split(',').str[0]
answer = list(ship['family'].value_counts().index[:4])
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="list[count]"
# Add a column `title` to `ship`: whichever of the words `Mr`, `Mrs`, `Miss` and `Master` comes first in `name` as a whole word, in this spelling, and `Other` where there is none of them.
# Print the numbers of rows with the titles `Mr`, `Mrs`, `Miss`, `Master` and `Other`, in this order, on one line, separated by spaces.
#
# Thought: str.extract with word boundaries finds the word; names without any get Other by fillna.

# %%
ship['title'] = ship['name'].str.extract(r'\b(Mr|Mrs|Miss|Master)\b', expand=False).fillna('Other')
titles = ['Mr', 'Mrs', 'Miss', 'Master', 'Other']
answer = [int((ship['title'] == title).sum()) for title in titles]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="list[real(1)]"
# Print the median `age` of the passengers with known age for each `title`, in the order `Mr`, `Mrs`, `Miss`, `Master`, `Other`, on one line, each rounded to 1 decimal place, separated by spaces.
#
# Thought: median skips missing values; loc brings the titles into the wanted order.

# %%
medians = ship.groupby('title')['age'].median()
answer = [round(float(value), 1) for value in medians.loc[titles]]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# Add a column `full_age` to `ship`: `age`, and where it is missing the median `age` of the passengers with known age in the same `class` and with the same `title`. Where that group has no known age at all, take the median `age` of all passengers with the same `title`.
#
# Thought: transform('median') gives each row the median of its group; a second fillna takes care of groups without any age.

# %%
ship['full_age'] = (
    ship['age']
    .fillna(ship.groupby(['class', 'title'])['age'].transform('median'))
    .fillna(ship.groupby('title')['age'].transform('median'))
)

# %% [markdown] kind="num" modules="pandas" answer="[real(3), real(3)]"
# Print the mean and the sample standard deviation (`ddof=1`) of `full_age`, on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: Series.std has ddof=1 by default.

# %%
answer = [round(ship['full_age'].mean(), 3), round(ship['full_age'].std(), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Draw a histogram of `full_age` with bins of 5 years from 0 to 75, in `slateblue` with white edges, and over it in the same bins a histogram of `age` of the passengers with known age, in `gold` with white edges, with the labels `filled` and `known`.
# Use figure size (5, 3.5), the title `Ages on the Titanic`, the x label `age`, the y label `passengers` and a legend at the default place, and call `plt.show()`.
#
# Thought: The larger histogram goes first, so that the smaller one stays visible.

# %%
import matplotlib.pyplot as plt

bins = range(0, 76, 5)
plt.figure(figsize=(5, 3.5))
plt.hist(ship['full_age'], bins=bins, color='slateblue', edgecolor='white', label='filled')
plt.hist(ship['age'].dropna(), bins=bins, color='gold', edgecolor='white', label='known')
plt.title('Ages on the Titanic')
plt.xlabel('age')
plt.ylabel('passengers')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[list[real(4)]]"
# Add a column `band` to `ship` with `pd.cut` of `full_age` at the edges 0, 12, 18, 30, 45 and 75 (right edges included) and the labels `child`, `teenager`, `young`, `middle` and `old`.
# Make a DataFrame `rates` of the mean of `survived`, with the five bands as rows in this order and the sexes `female` and `male` as columns. Print one line for each row of `rates`: the value for `female`, a space, and the value for `male`, both rounded to 4 decimal places.
#
# Thought: The categories of pd.cut keep their order in a pivot table.

# %%
ship['band'] = pd.cut(
    ship['full_age'], [0, 12, 18, 30, 45, 75], labels=['child', 'teenager', 'young', 'middle', 'old']
)
rates = ship.pivot_table(index='band', columns='sex', values='survived', aggfunc='mean', observed=False)
answer = rates[['female', 'male']].round(4).to_numpy().tolist()
for female, male in answer:
    print(female, male)

# %% [markdown] kind="vis" modules="pandas & matplotlib"
# Plot both columns of `rates` against the bands, in the order of its rows, as two lines of width 3: `female` in `crimson` with marker `o`, `male` in `navy` with marker `s`, each with the column's name as label.
# Set the y limits to 0 and 1. Use figure size (5, 3.5), the title `Survival by age`, the y label `share of survivors` and a legend at the default place, and call `plt.show()`.
#
# Thought: The bands are names, so plt.plot puts them at equal distances.

# %%
plt.figure(figsize=(5, 3.5))
names = list(rates.index)
plt.plot(names, rates['female'], color='crimson', marker='o', linewidth=3, label='female')
plt.plot(names, rates['male'], color='navy', marker='s', linewidth=3, label='male')
plt.ylim(0, 1)
plt.title('Survival by age')
plt.ylabel('share of survivors')
plt.legend()
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Group the rows of `ship` by `family` and keep the families of at least 6 passengers.
# Print the names of those of them in which all passengers died, in alphabetical order, on one line, separated by `, `.
#
# Thought: size and sum of survived in one agg; then two conditions.

# %%
families = ship.groupby('family')['survived'].agg(['size', 'sum'])
lost = families[(families['size'] >= 6) & (families['sum'] == 0)]
answer = sorted(lost.index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# If the passengers of each `class` had the same mix of sexes as the whole of `ship`, but kept the survival rates of their own `class` and `sex`, which percentage of each class would have survived?
# Print these three percentages from `1st` to `3rd`, on one line, each rounded to 2 decimal places, without percent signs, separated by spaces.
#
# Thought: Weight the rates by class and sex with the shares of the sexes among all passengers.

# %%
shares = ship['sex'].value_counts(normalize=True)
by_class = ship.groupby(['class', 'sex'])['survived'].mean().unstack()
answer = [round(float(value), 2) for value in (by_class * shares).sum(axis=1) * 100]
print(*answer)

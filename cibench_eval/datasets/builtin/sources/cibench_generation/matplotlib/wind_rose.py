# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/wind.csv` into a DataFrame named `wind`.
#
# Thought: The table needs no options.

# %%
import pandas as pd

wind = pd.read_csv('data/wind.csv')

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Make a DataFrame `rose` of the values of `frequency`: one row for each `direction` and one column for each `strength`, both in the order in which they first appear in the file (the directions then go clockwise from north).
# Print the sum of each column of `rose`, in the order of the columns, on one line, each rounded to 2 decimal places, separated by spaces.
#
# Thought: pivot sorts by name, so both axes have to be brought back into the order of the file.

# %%
rose = wind.pivot(index='direction', columns='strength', values='frequency')
rose = rose.loc[wind['direction'].unique(), wind['strength'].unique()]
answer = [round(float(value), 2) for value in rose.sum()]
print(*answer)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the names of the five directions with the largest row sums in `rose`, from the largest to the smallest, on one line, separated by `, `.
#
# Thought: nlargest of the row sums is already sorted.

# %%
answer = list(rose.sum(axis=1).nlargest(5).index)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a bar chart of the row sums of `rose`, one bar for each direction in the order of the rows, in `teal`, with the x tick labels rotated by 90 degrees.
# Use figure size (5, 3.5), the title `Wind by direction`, the x label `direction` and the y label `frequency (%)`, and call `plt.show()`.
#
# Thought: The names of the rows are the categories on the x axis.

# %%
import matplotlib.pyplot as plt

total = rose.sum(axis=1)
plt.figure(figsize=(5, 3.5))
plt.bar(total.index, total, color='teal')
plt.xticks(rotation=90)
plt.title('Wind by direction')
plt.xlabel('direction')
plt.ylabel('frequency (%)')
plt.show()

# %% [markdown] kind="vis" modules="matplotlib"
# Show `rose` with `plt.imshow`, the first direction on top, with `cmap='YlGnBu'`, `aspect='auto'` and a color bar, the names of the strengths at the x ticks and the names of all directions at the y ticks.
# Use figure size (5, 4), the title `Frequencies`, the x label `strength` and the y label `direction`, and call `plt.show()`.
#
# Thought: The ticks stand at whole numbers, one for each row and column.

# %%
plt.figure(figsize=(5, 4))
plt.imshow(rose, cmap='YlGnBu', aspect='auto')
plt.colorbar()
plt.xticks(range(len(rose.columns)), rose.columns)
plt.yticks(range(len(rose)), rose.index)
plt.title('Frequencies')
plt.xlabel('strength')
plt.ylabel('direction')
plt.show()

# %% [markdown] kind="exec" modules="numpy"
# Make a numpy array `angle` with the angle of each row of `rose` in radians, clockwise from north: 0 for the first row, 2π/16 for the second, and so on.
#
# Thought: arange counts the sixteen directions.

# %%
import numpy as np

angle = np.arange(16) * 2 * np.pi / 16

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw the row sums of `rose` as bars on a polar axis, with the angle 0 at the top (north) and angles going clockwise, each bar centered at its `angle` and 2π/16 wide, in `skyblue` with black edges.
# Label the angles of the eight directions N, NE, E, SE, S, SW, W and NW with their names, and no other angles; leave the radial labels as they are. Use figure size (3.2, 3.2) and the title `Wind rose`, and call `plt.show()`.
#
# Thought: set_theta_zero_location and set_theta_direction turn the axis into a compass.

# %%
figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.bar(angle, total, width=2 * np.pi / 16, color='skyblue', edgecolor='black')
ax.set_xticks(angle[::2], rose.index[::2])
ax.set_title('Wind rose')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[real(2), real(4)]"
# Add up unit vectors in the sixteen directions, each multiplied by its row sum of `rose`, and divide the vector by the sum of all frequencies.
# Print the direction of the result in degrees, clockwise from north between 0 and 360, rounded to 2 decimal places, and its length, rounded to 4 decimal places, on one line, separated by a space.
#
# Thought: East is the sine and north the cosine of an angle from north, so arctan2 takes the east part first.

# %%
east = (total * np.sin(angle)).sum() / total.sum()
north = (total * np.cos(angle)).sum() / total.sum()
bearing = np.arctan2(east, north) % (2 * np.pi)
answer = [round(float(np.degrees(bearing)), 2), round(float(np.hypot(east, north)), 4)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw the wind rose as before (polar axis with north at the top, clockwise, bars centered at `angle` and 2π/16 wide, the same labels), but with one stacked bar for each strength: the first column of `rose` innermost, in the colors of `plt.cm.viridis` at 8 equally spaced values from 0 to 1 (`np.linspace(0, 1, 8)`), without edges.
# Then draw a straight red line of width 4 from the center to the radius 10 in the direction of the mean vector of the step before. Use figure size (3.2, 3.2) and the title `Wind rose by strength`, without a legend, and call `plt.show()`.
#
# Thought: Each column stands on the sum of those before it, given as bottom.

# %%
figure, ax = plt.subplots(figsize=(3.2, 3.2), subplot_kw={'projection': 'polar'})
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
bottom = np.zeros(16)
for strength, color in zip(rose.columns, plt.cm.viridis(np.linspace(0, 1, 8))):
    ax.bar(angle, rose[strength], width=2 * np.pi / 16, bottom=bottom, color=color)
    bottom += rose[strength].to_numpy()
ax.plot([bearing, bearing], [0, 10], color='red', linewidth=4)
ax.set_xticks(angle[::2], rose.index[::2])
ax.set_title('Wind rose by strength')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Divide the directions into four sectors of four neighbours each: `north` is NW, NNW, N and NNE; `east` is NE, ENE, E and ESE; `south` is SE, SSE, S and SSW; `west` is SW, WSW, W and WNW. Make a Series `sector` of the sum of all frequencies in each sector, in the order north, east, south, west.
# Print each value of `sector` as a percentage of their sum, in this order, on one line, each rounded to 2 decimal places, without percent signs, separated by spaces.
#
# Thought: Shifted by two rows, the directions are four blocks of four.

# %%
blocks = np.roll(total.to_numpy(), 2).reshape(4, 4).sum(axis=1)
sector = pd.Series(blocks, index=['north', 'east', 'south', 'west'])
answer = [round(float(value), 2) for value in sector / sector.sum() * 100]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a pie chart of `sector` in its order, clockwise (`counterclock=False`), starting at the angle 135 degrees, so that the first sector begins in the northwest, in the colors `lightsteelblue`, `khaki`, `lightsalmon` and `mediumaquamarine`, with the sectors' names as labels and the percentages with 1 decimal place (`autopct='%.1f'`), and the largest sector moved out by 0.1 (`explode`).
# Use figure size (4, 3.5) and the title `Sectors`, and call `plt.show()`.
#
# Thought: explode takes one distance for each wedge.

# %%
plt.figure(figsize=(4, 3.5))
plt.pie(
    sector,
    labels=sector.index,
    colors=['lightsteelblue', 'khaki', 'lightsalmon', 'mediumaquamarine'],
    startangle=135,
    counterclock=False,
    autopct='%.1f',
    explode=[0.1 if value == sector.max() else 0 for value in sector],
)
plt.title('Sectors')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# For each column of `rose`, in their order, find the direction with the highest frequency; where several directions share the highest frequency, take the first of them in the order of the rows.
# Print these eight directions on one line, separated by `, `.
#
# Thought: idxmax returns the first of equal values.

# %%
answer = list(rose.idxmax())
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib & pandas"
# For the rows N, E, S and W of `rose`, in this order, plot the cumulative share in percent: the sum of the row's values up to and including each strength, divided by the row's sum, times 100. Put the strengths on the x axis in the order of the columns, and draw each row as a line of width 2 with marker `o`, in the default colors, with the direction as label.
# Use figure size (5, 3.5), the title `Cumulative strength`, the x label `strength`, the y label `percent` and a legend at `loc='lower right'`, and call `plt.show()`.
#
# Thought: cumsum along the columns, divided by the row sums.

# %%
cumulative = rose.cumsum(axis=1).div(total, axis=0) * 100
plt.figure(figsize=(5, 3.5))
for direction in ['N', 'E', 'S', 'W']:
    plt.plot(list(rose.columns), cumulative.loc[direction], linewidth=2, marker='o', label=direction)
plt.title('Cumulative strength')
plt.xlabel('strength')
plt.ylabel('percent')
plt.legend(loc='lower right')
plt.show()

# %% [markdown] kind="exec" modules="pandas & numpy"
# Load the CSV file `data/elnino.csv` (a column `YEAR`, then twelve columns `JAN` to `DEC` with the sea surface temperature of each month). Store the twelve column names in a list `months`, the temperatures as an array `grid` of shape (years, 12), and all temperatures in the order of time as a one-dimensional array `series`.
#
# Thought: Rows are years and columns months, so ravel puts them in the order of time.

# %%
import numpy as np
import pandas as pd

table = pd.read_csv('data/elnino.csv')
months = list(table.columns[1:])
grid = table[months].to_numpy(dtype=float)
series = grid.ravel()

# %% [markdown] kind="num" modules="scipy" answer="[count, real(3), real(3), real(3)]"
# Print the number of values in `series`, and their mean, standard deviation (`ddof=1`) and 5 % trimmed mean (`scipy.stats.trim_mean` with `proportiontocut=0.05`), the last three rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: trim_mean cuts the given share off both ends.

# %%
from scipy import stats

trimmed = stats.trim_mean(series, 0.05)
answer = [
    len(series),
    round(float(series.mean()), 3),
    round(float(series.std(ddof=1)), 3),
    round(float(trimmed), 3),
]
print(*answer)

# %% [markdown] kind="text" list="true" modules="numpy" answer="list[text]"
# Store the mean temperature of each month over all years in an array `climate` of length 12. Print the names in `months` from the warmest mean to the coldest on one line, separated by spaces.
#
# Thought: The mean over axis 0 is one value a month.

# %%
climate = grid.mean(axis=0)
answer = [months[index] for index in np.argsort(climate)[::-1]]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" answer="[real(4), real(4)]"
# Decompose the annual cycle with `scipy.fft.rfft`: print the amplitudes of the first and of the second harmonic of `climate` (twice the absolute value of the coefficient, divided by 12) on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: Coefficient 0 is the sum, 1 the period of a year, 2 that of half a year.

# %%
from scipy.fft import rfft

amplitudes = 2 * np.abs(rfft(climate)) / 12
answer = [round(float(amplitudes[1]), 4), round(float(amplitudes[2]), 4)]
print(*answer)

# %% [markdown] kind="exec" modules="scipy & numpy"
# Build a periodic cubic spline `cycle` through the annual cycle with `scipy.interpolate.CubicSpline` and `bc_type='periodic'`: the values of `climate` at 0, 1, …, 11, and that of January again at 12. Keep its values at 0.5, 1.5, …, 11.5 in an array `between`.
#
# Thought: A periodic spline needs equal values at both ends.

# %%
from scipy.interpolate import CubicSpline

cycle = CubicSpline(np.arange(13), np.append(climate, climate[0]), bc_type='periodic')
between = cycle(np.arange(12) + 0.5)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw `cycle` at 241 equally spaced points from 0 to 12 as a line in `teal` of width 2, and the twelve values of `climate` at 0 to 11 as points over it (`plt.scatter`, `s=50`, color `black`, `zorder=3`). Put the names in `months` at the ticks 0 to 11 of the x axis, rotated by 45 degrees.
# Use figure size (5, 3.5), the title `Annual cycle` and the y label `temperature`, and call `plt.show()`.
#
# Thought: xticks takes positions, names and rotation.

# %%
import matplotlib.pyplot as plt

points = np.linspace(0, 12, 241)
plt.figure(figsize=(5, 3.5))
plt.plot(points, cycle(points), color='teal', linewidth=2)
plt.scatter(range(12), climate, s=50, color='black', zorder=3)
plt.xticks(range(12), months, rotation=45)
plt.title('Annual cycle')
plt.ylabel('temperature')
plt.show()

# %% [markdown] kind="num" modules="scipy" tolerance=0.001 answer="[real(2), real(3)]"
# When does the cycle turn? Find the minimum of `cycle` between 6 and 11 with `scipy.optimize.minimize_scalar` and `method='bounded'`, and print its position, rounded to 2 decimal places, and the temperature there, rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: minimize_scalar returns the position as x and the value as fun.

# %%
from scipy.optimize import minimize_scalar

lowest = minimize_scalar(cycle, bounds=(6, 11), method='bounded')
answer = [round(float(lowest.x), 2), round(float(lowest.fun), 3)]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" answer="list[real(4)]"
# Subtract from each value of `series` the `climate` of its month and store the result, again one-dimensional, in `anomaly`. Print its standard deviation (`ddof=0`), its skewness and its excess kurtosis (`scipy.stats.skew` and `scipy.stats.kurtosis` with default arguments) on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: Broadcasting subtracts the twelve means from every row of the grid.

# %%
anomaly = (grid - climate).ravel()
answer = [round(float(value), 4) for value in [anomaly.std(), stats.skew(anomaly), stats.kurtosis(anomaly)]]
print(*answer)

# %% [markdown] kind="num" modules="scipy & numpy" answer="[real(4), real(4)]"
# Is there a trend? Regress `anomaly` on time in decades (0, 1/120, 2/120, …) with `scipy.stats.linregress`, and compare with the Theil–Sen estimator (`scipy.stats.theilslopes`). Print the slope of the first and the slope of the second on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: A month is 1/120 of a decade; theilslopes wants the values first and then the times.

# %%
decades = np.arange(len(anomaly)) / 120
slope = stats.linregress(decades, anomaly).slope
robust = stats.theilslopes(anomaly, decades)[0]
answer = [round(float(slope), 4), round(float(robust), 4)]
print(*answer)

# %% [markdown] kind="exec" modules="scipy"
# Smooth `anomaly` with a Savitzky–Golay filter (`scipy.signal.savgol_filter`, window of 15 months, polynomial order 2, default mode) and store the result in `smooth`.
#
# Thought: savgol_filter takes the window length and then the order.

# %%
from scipy import signal

smooth = signal.savgol_filter(anomaly, 15, 2)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw `smooth` against the time in years (1950 for the first value, 1/12 of a year from one value to the next): fill the area between the curve and 0 in `crimson` where `smooth` is above 0 and in `royalblue` where it is below 0 (`plt.fill_between` with `where`, `color` and `linewidth=0`, otherwise defaults).
# Use figure size (6, 3), the title `El Nino and La Nina`, the x label `year` and the y label `anomaly`, and call `plt.show()`.
#
# Thought: fill_between with where draws one sign at a time.

# %%
years = 1950 + np.arange(len(smooth)) / 12
plt.figure(figsize=(6, 3))
plt.fill_between(years, smooth, 0, where=smooth > 0, color='crimson', linewidth=0)
plt.fill_between(years, smooth, 0, where=smooth < 0, color='royalblue', linewidth=0)
plt.title('El Nino and La Nina')
plt.xlabel('year')
plt.ylabel('anomaly')
plt.show()

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# Find the warm events: peaks of `smooth` with `scipy.signal.find_peaks`, `height=1` and `distance=12`; store their positions in `peaks`. Print the five highest from the highest down on one line, separated by `, `, each as the name of the month in `months`, a space and the year.
#
# Thought: divmod of the position by 12 gives the years since 1950 and the month.

# %%
peaks, _ = signal.find_peaks(smooth, height=1, distance=12)
highest = sorted(peaks, key=lambda peak: -smooth[peak])[:5]
answer = [f'{months[peak % 12]} {1950 + peak // 12}' for peak in highest]
print(', '.join(answer))

# %% [markdown] kind="num" modules="scipy & numpy" answer="[count, real(1), real(3)]"
# Print the number of `peaks`, the median distance between successive peaks in months, and the integral of `smooth` over the 24 months around the highest peak (trapezoidal rule with `dx=1`, from 12 positions before the peak to 12 positions after it, both included), the integral rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: 25 values bound 24 months.

# %%
from scipy.integrate import trapezoid

centre = highest[0]
event = trapezoid(smooth[centre - 12 : centre + 13], dx=1)
answer = [len(peaks), float(np.median(np.diff(peaks))), round(float(event), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="scipy & matplotlib & numpy"
# Estimate the power spectral density of `anomaly` with `scipy.signal.welch`, `fs=12`, `nperseg=240`, all else by default. Draw the density against the period in years (1 / frequency) for the frequencies from 0.1 to 1 (both included), as a line in `indigo` of width 2 with round markers (`o`).
# Use figure size (5, 3.5), the title `Power spectrum of the anomaly`, the x label `period (years)` and the y label `density`, and call `plt.show()`.
#
# Thought: A mask of the frequencies leaves out 0, which has no period.

# %%
frequencies, power = signal.welch(anomaly, fs=12, nperseg=240)
kept = (frequencies > 0.099) & (frequencies < 1.001)
plt.figure(figsize=(5, 3.5))
plt.plot(1 / frequencies[kept], power[kept], 'o-', color='indigo', linewidth=2)
plt.title('Power spectrum of the anomaly')
plt.xlabel('period (years)')
plt.ylabel('density')
plt.show()

# %% [markdown] kind="num" modules="scipy" answer="[real(1), real(4)]"
# Compare the values of `anomaly` up to and including December 1979 with those from January 1980 on. Print the Mann–Whitney U statistic of the earlier values (`scipy.stats.mannwhitneyu`, earlier values first) and the two-sample Kolmogorov–Smirnov statistic, the latter rounded to 4 decimal places, on one line, separated by a space.
#
# Thought: Thirty years are 360 months.

# %%
early, late = anomaly[:360], anomaly[360:]
rank = stats.mannwhitneyu(early, late).statistic
answer = [round(float(rank), 1), round(float(stats.ks_2samp(early, late).statistic), 4)]
print(*answer)

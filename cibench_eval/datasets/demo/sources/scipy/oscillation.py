# %% [markdown] kind="exec" modules="pandas & numpy"
# Load the file `data/oscillation.csv` with its columns `time` (seconds) and `displacement` (millimetres) into two numpy arrays named `t` and `x`.
#
# Thought: Read the table once and take each column out as an array.

# %%
import numpy as np
import pandas as pd

table = pd.read_csv('data/oscillation.csv')
t = table['time'].to_numpy()
x = table['displacement'].to_numpy()

# %% [markdown] kind="num" modules="scipy"
# Integrate the square of `x` over `t` with Simpson's rule (`scipy.integrate.simpson`) and print the result, rounded to 3 decimal places.
#
# Thought: simpson takes the values first and the sample points as x=.

# %%
from scipy.integrate import simpson

print(round(float(simpson(x**2, x=t)), 3))

# %% [markdown] kind="exec" modules="numpy"
# Define a function `damped(t, amplitude, decay, frequency, phase)` that returns amplitude · exp(−decay · t) · cos(2π · frequency · t + phase).
#
# Thought: Written with numpy, the function takes whole arrays.

# %%
def damped(t, amplitude, decay, frequency, phase):
    return amplitude * np.exp(-decay * t) * np.cos(2 * np.pi * frequency * t + phase)

# %% [markdown] kind="num" modules="scipy & numpy"
# Fit `damped` to `t` and `x` with `scipy.optimize.curve_fit`, starting from `p0=[10, 0.2, 0.8, 0]`, and keep the fitted parameters in `parameters`.
# Print the four parameters in the order of the function's arguments on one line, each with 3 decimal places, separated by a space.
#
# Thought: curve_fit returns the parameters first and their covariance second.

# %%
from scipy.optimize import curve_fit

parameters, _ = curve_fit(damped, t, x, p0=[10, 0.2, 0.8, 0])
print(' '.join(f'{value:.3f}' for value in parameters))

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Plot `x` against `t` as gray points (marker `.`, no line, label `measured`) and the fitted curve as a red line (`color='red'`, label `fitted`).
# Use figure size (8, 4), the title `Damped oscillation`, the x label `time (s)`, the y label `displacement (mm)` and a legend, and call `plt.show()`.
#
# Thought: The same figure takes the measurements and damped(t, *parameters).

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(8, 4))
plt.plot(t, x, '.', color='gray', label='measured')
plt.plot(t, damped(t, *parameters), color='red', label='fitted')
plt.title('Damped oscillation')
plt.xlabel('time (s)')
plt.ylabel('displacement (mm)')
plt.legend()
plt.show()

# %% [markdown] kind="text" modules="scipy & numpy"
# Standardize the residuals `x - damped(t, *parameters)` to mean 0 and standard deviation 1 (`ddof=0`).
# With `scipy.stats.kstest`, compute their Kolmogorov–Smirnov statistic against the distributions `cauchy`, `laplace`, `logistic`, `norm` and `expon` with default parameters.
# Print the five names from the smallest statistic to the largest, on one line, separated by ` < `.
#
# Thought: kstest takes the distribution by name; the names are sorted by its statistic.

# %%
from scipy import stats

residuals = x - damped(t, *parameters)
z = (residuals - residuals.mean()) / residuals.std()
names = ['cauchy', 'laplace', 'logistic', 'norm', 'expon']
print(' < '.join(sorted(names, key=lambda name: stats.kstest(z, name).statistic)))

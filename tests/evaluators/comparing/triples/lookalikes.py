# %% setup
import numpy as np
import seaborn as sns
from scipy.stats import gaussian_kde

names, means = ['Graz', 'Linz', 'Salzburg', 'Wien'], [11.2, 9.8, 13.1, 14.4]
rng = np.random.default_rng(7)
samples = [rng.normal(mean, 2, 40) for mean in means]
# %% gold: bars of the mean rents, with the names of the four cities as tick labels
plt.bar(names, means)
plt.show()
# %% right: at other places
plt.bar([1, 2, 3, 4], means)
plt.xticks([1, 2, 3, 4], names, rotation=30)
plt.show()
# %% right: sorted
sns.barplot(x=sorted(names, key=lambda name: means[names.index(name)]), y=sorted(means), color='teal')
plt.show()
# %% wrong: names forgotten
plt.bar(range(4), means)
plt.show()
# %% wrong: numbers for names
plt.bar(range(4), means)
plt.xticks(range(4), range(1, 5))
plt.show()
# %% gold: boxes of the rents lying above each other, their city's name at each
plt.boxplot(samples, vert=False)
plt.yticks([1, 2, 3, 4], names)
plt.show()
# %% right: by another library
sns.boxplot(samples, orient='h').set_yticks(range(4), names)
plt.show()
# %% wrong: names forgotten
sns.boxplot(samples, orient='h').set_yticks([])
plt.show()

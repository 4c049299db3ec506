# %% setup
x = np.linspace(0, 2 * np.pi, 200)
macro = pd.read_csv('data/macrodata.csv').iloc[:60]
tips = pd.read_csv('data/tips.csv')
# %% gold: Make a 2 x 2 grid: sin(x), cos(x), sin(2x) and cos(2x) for x from 0 to 2 pi, in this order row by row.
_, axes = plt.subplots(2, 2)
for a, line in zip(axes.flat, (np.sin(x), np.cos(x), np.sin(2 * x), np.cos(2 * x))):
    a.plot(x, line)
# %% wrong: column by column
_, axes = plt.subplots(2, 2)
for a, line in zip(axes.T.flat, (np.sin(x), np.cos(x), np.sin(2 * x), np.cos(2 * x))):
    a.plot(x, line)
# %% gold: bars and a line with an axis of its own
figure, ax = plt.subplots(figsize=(5.5, 3.5))
ax.bar(range(60), macro['unemp'], color='lightgray')
ax.set_ylabel('unemployment (%)')
other = ax.twinx()
other.plot(range(60), macro['realgdp'], color='darkgreen', linewidth=3)
other.set_ylabel('GDP')
ax.set_title('Unemployment and product')
# %% right: by pandas
axes = macro['unemp'].plot.bar(color='tan', title='Unemployment and product', ylabel='unemployment (%)')
macro['realgdp'].plot(secondary_y=True, color='k', ax=axes)
axes.right_ax.set_ylabel('GDP')
axes.set_xticks(range(0, 60, 10))
# %% wrong, before: columns exchanged
macro = macro.rename(columns={'unemp': 'realgdp', 'realgdp': 'unemp'})
# %% wrong: the line on the axis of the bars
plt.bar(range(60), macro['unemp'], color='lightgray')
plt.plot(range(60), macro['realgdp'], color='darkgreen', linewidth=3)
plt.ylabel('unemployment (%)')
plt.title('Unemployment and product')
# %% gold: Draw scatter plots of tip (y) against total_bill (x) in two panels side by side: Lunch left and Dinner right, with the same axis limits in both panels; panel titles 'Lunch' and 'Dinner'.
fig, axes = plt.subplots(1, 2, sharex=True, sharey=True)
for ax, t in zip(axes, ['Lunch', 'Dinner']):
    d = tips[tips.time == t]
    ax.scatter(d.total_bill, d.tip)
    ax.set_title(t)
# %% right: relplot
sns.relplot(data=tips, x='total_bill', y='tip', col='time', col_order=['Lunch', 'Dinner'], color='green', height=4).set_titles(col_template='{col_name}')
# %% wrong: one panel
for t in ['Lunch', 'Dinner']:
    d = tips[tips.time == t]
    plt.scatter(d.total_bill, d.tip, label=t)
plt.legend()

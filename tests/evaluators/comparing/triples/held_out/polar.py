# %% setup
wind = pd.read_csv('data/wind.csv')
dirs = list(wind['direction'].unique())
wine = pd.read_csv('data/wine.csv')
feats = ['alcohol', 'flavanoids', 'color_intensity', 'hue', 'proline']
radar = wine.groupby('cultivar')[feats].mean()
radar = (radar - wine[feats].min()) / (wine[feats].max() - wine[feats].min())
# %% gold: Draw a wind rose: a polar bar chart of the total frequency (sum over all strengths) per wind direction in the order of dirs, north at the top and clockwise, one bar of width 2*pi/16 per direction, and the 16 direction names as angular tick labels. Title 'Wind rose'.
f = wind.groupby('direction')['frequency'].sum().reindex(dirs)
th = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.set_theta_zero_location('N')
ax.set_theta_direction(-1)
ax.bar(th, f, width=2 * np.pi / 16)
ax.set_xticks(th)
ax.set_xticklabels(dirs)
ax.set_title('Wind rose')
# %% right: linspace, edge colours, large
tot = wind.pivot_table(index='direction', values='frequency', aggfunc='sum').loc[dirs, 'frequency']
fig, ax = plt.subplots(figsize=(8, 8), subplot_kw={'projection': 'polar'})
ang = np.linspace(0, 2*np.pi, 16, endpoint=False)
ax.bar(ang, tot.values, width=2*np.pi/16, color='skyblue', edgecolor='k')
ax.set_theta_zero_location('N'); ax.set_theta_direction('clockwise')
ax.set_thetagrids(np.degrees(ang), dirs)
ax.set_title('Wind rose', pad=20)
# %% right: coloured by height
f = wind.groupby('direction', sort=False).frequency.sum()
fig = plt.figure(); ax = fig.add_subplot(111, polar=True)
a = np.deg2rad(np.arange(0, 360, 22.5))
ax.bar(a, f[dirs], width=np.deg2rad(22.5), color=plt.cm.viridis(f[dirs] / f.max()), alpha=.9)
ax.set_theta_direction(-1); ax.set_theta_offset(np.pi / 2)
ax.set_xticks(a, dirs)
plt.title('Wind rose')
# %% right: radial labels elsewhere
f = wind.groupby('direction')['frequency'].sum()
theta = [i * np.pi / 8 for i in range(16)]
ax = plt.axes(projection='polar')
ax.bar(theta, [f[d] for d in dirs], width=np.pi / 8, color='seagreen', edgecolor='white')
ax.set(theta_zero_location='N', theta_direction=-1, title='Wind rose')
ax.set_xticks(theta); ax.set_xticklabels(dirs); ax.set_rlabel_position(100)
# %% right, before show: a light grid and small ticks
ax.grid(alpha=.4)
ax.tick_params(labelsize=8)
# %% wrong: east at the right, anticlockwise
f = wind.groupby('direction')['frequency'].sum().reindex(dirs)
th = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.bar(th, f, width=2 * np.pi / 16)
ax.set_xticks(th); ax.set_xticklabels(dirs); ax.set_title('Wind rose')
# %% wrong: alphabetical frequencies under the ordered names
f = wind.groupby('direction')['frequency'].sum()
th = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.set_theta_zero_location('N'); ax.set_theta_direction(-1)
ax.bar(th, f, width=2 * np.pi / 16)
ax.set_xticks(th); ax.set_xticklabels(dirs); ax.set_title('Wind rose')
# %% wrong: one strength only
f = wind[wind.strength == '0-1'].groupby('direction')['frequency'].sum().reindex(dirs)
th = np.arange(16) * 2 * np.pi / 16
ax = plt.subplot(projection='polar')
ax.set_theta_zero_location('N'); ax.set_theta_direction(-1)
ax.bar(th, f, width=2 * np.pi / 16)
ax.set_xticks(th); ax.set_xticklabels(dirs); ax.set_title('Wind rose')
# %% wrong: a flat bar chart
f = wind.groupby('direction')['frequency'].sum().reindex(dirs)
plt.bar(dirs, f); plt.title('Wind rose')
# %% wrong, before show: degrees as tick labels
ax.set_xticklabels([f'{22.5 * i:g}°' for i in range(16)])
# %% gold: Draw a radar chart (polar axes) of radar: one closed line with a light fill per cultivar over the five features in the order of feats, at angles 0, 72, 144, 216 and 288 degrees (default zero position and direction), feature names as angular ticks, radial axis from 0 to 1, legend of the cultivars.
ang = np.linspace(0, 2 * np.pi, 5, endpoint=False)
a = np.append(ang, ang[0])
fig, ax = plt.subplots(subplot_kw={'polar': True})
for c, r in radar.iterrows():
    v = np.append(r.values, r.values[0])
    ax.plot(a, v, label=c)
    ax.fill(a, v, alpha=.15)
ax.set_xticks(ang, feats)
ax.set_ylim(0, 1)
ax.legend()
# %% right: lists, larger, colours
angles = [n / 5 * 2 * np.pi for n in range(5)]
fig = plt.figure(figsize=(8, 8)); ax = plt.subplot(111, polar=True)
for (c, r), col in zip(radar.iterrows(), ['b', 'r', 'g']):
    vals = r[feats].tolist()
    ax.plot(angles + angles[:1], vals + vals[:1], color=col, lw=2, label=c)
    ax.fill(angles + angles[:1], vals + vals[:1], color=col, alpha=.1)
plt.xticks(angles, feats); plt.ylim(0, 1)
plt.legend(loc='upper right', bbox_to_anchor=(1.3, 1.1)); plt.title('Wine profiles')
# %% right: thetagrids and markers
th = np.radians([0, 72, 144, 216, 288, 360])
ax = plt.axes(projection='polar')
for c in radar.index[::-1]:
    v = list(radar.loc[c]) + [radar.loc[c].iloc[0]]
    ax.plot(th, v, 'o-', label=c); ax.fill(th, v, alpha=.2)
ax.set_thetagrids([0, 72, 144, 216, 288], feats); ax.set_rlim(0, 1)
ax.legend(loc='lower left', title='cultivar')
# %% right, before show: title and radial ticks
ax.set_yticks([.25, .5, .75, 1])
ax.set_title('Cultivars')
# %% right: arrays by concatenation, dashed lines
v = np.concatenate([radar.values, radar.values[:, :1]], axis=1)
t = np.linspace(0, 2*np.pi, 6)
fig, ax = plt.subplots(figsize=(6, 6), subplot_kw=dict(projection='polar'))
for name, row in zip(radar.index, v):
    l, = ax.plot(t, row, lw=1.5, label=name)
    ax.fill(t, row, color=l.get_color(), alpha=.1)
ax.set_xticks(t[:-1]); ax.set_xticklabels(feats); ax.set_ylim(0, 1)
ax.legend(loc='upper left', bbox_to_anchor=(1.05, 1)); ax.set_title('Mean features of the cultivars', y=1.08)
plt.tight_layout()
# %% wrong: one cultivar missing
ang = np.linspace(0, 2 * np.pi, 5, endpoint=False)
a = np.append(ang, ang[0])
fig, ax = plt.subplots(subplot_kw={'polar': True})
for c, r in radar.iloc[:2].iterrows():
    v = np.append(r.values, r.values[0])
    ax.plot(a, v, label=c); ax.fill(a, v, alpha=.15)
ax.set_xticks(ang, feats); ax.set_ylim(0, 1); ax.legend()
# %% wrong: unscaled means (no limit)
ang = np.linspace(0, 2 * np.pi, 5, endpoint=False)
a = np.append(ang, ang[0])
fig, ax = plt.subplots(subplot_kw={'polar': True})
for c, r in wine.groupby('cultivar')[feats].mean().iterrows():
    v = np.append(r.values, r.values[0])
    ax.plot(a, v, label=c); ax.fill(a, v, alpha=.15)
ax.set_xticks(ang, feats); ax.legend()
# %% wrong: feature names shifted by one
ang = np.linspace(0, 2 * np.pi, 5, endpoint=False)
a = np.append(ang, ang[0])
fig, ax = plt.subplots(subplot_kw={'polar': True})
for c, r in radar.iterrows():
    v = np.append(r.values, r.values[0])
    ax.plot(a, v, label=c); ax.fill(a, v, alpha=.15)
ax.set_xticks(ang, feats[1:] + feats[:1]); ax.set_ylim(0, 1); ax.legend()
# %% wrong: lines in Cartesian axes
radar.T.plot(ylim=(0, 1))
# %% wrong, before: maxima, not means
radar = (wine.groupby('cultivar')[feats].max() - wine[feats].min()) / (wine[feats].max() - wine[feats].min())

# %% setup
from PIL import Image

camera = np.array(Image.open('data/camera.png').convert('L'))
coffee = np.array(Image.open('data/coffee.png').convert('RGB'))
digits = pd.read_csv('data/digits.csv')

# %% gold: Show the camera image in grey, flipped from left to right, without axes.
plt.imshow(camera[:, ::-1], cmap='gray')
plt.axis('off')
plt.show()
# %% right: fliplr
fig, ax = plt.subplots(figsize=(8, 8))
ax.imshow(np.fliplr(camera), cmap='Greys_r')
ax.set_axis_off()
plt.show()
# %% right: with fixed limits and a title
plt.imshow(np.flip(camera, axis=1), cmap=plt.cm.gray, vmin=0, vmax=255)
plt.title('flipped')
plt.axis('off')
plt.show()
# %% right: as three channels
plt.imshow(np.stack([camera[:, ::-1]] * 3, axis=-1))
plt.axis('off')
plt.show()
# %% right: by pillow
from PIL import ImageOps
plt.figure(figsize=(4, 4))
plt.imshow(ImageOps.mirror(Image.fromarray(camera)), cmap='gray')
plt.xticks([])
plt.yticks([])
plt.show()
# %% wrong: not flipped
plt.imshow(camera, cmap='gray')
plt.axis('off')
plt.show()
# %% wrong: upside down
plt.imshow(camera[::-1], cmap='gray')
plt.axis('off')
plt.show()
# %% wrong: negative
plt.imshow(255 - camera[:, ::-1], cmap='gray')
plt.axis('off')
plt.show()
# %% wrong: in false colours
plt.imshow(camera[:, ::-1])
plt.axis('off')
plt.show()
# %% wrong: half of it
plt.imshow(camera[:, ::-1][:, :256], cmap='gray')
plt.axis('off')
plt.show()

# %% gold: Show the mean image (8 by 8) of each digit 0 to 9 in a grid of 2 rows and 5 columns, in grey, each titled with its digit.
pixels = [c for c in digits.columns if c.startswith('pixel_')]
target = [c for c in digits.columns if not c.startswith('pixel_')][0]
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.imshow(digits.loc[digits[target] == d, pixels].mean().to_numpy().reshape(8, 8), cmap='gray')
    ax.set_title(str(d))
    ax.axis('off')
plt.show()
# %% right: by subplot
g = digits.groupby(digits.columns[-1]).mean()
plt.figure(figsize=(10, 5))
for d in range(10):
    plt.subplot(2, 5, d + 1)
    plt.imshow(g.loc[d].values.reshape(8, 8), cmap='gray', interpolation='nearest')
    plt.title(d)
    plt.xticks([])
    plt.yticks([])
plt.tight_layout()
plt.show()
# %% right: with a title of the figure
m = digits.groupby(digits.columns[-1]).mean().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(nrows=2, ncols=5, layout='constrained')
for i in range(10):
    ax = axes[i // 5, i % 5]
    ax.imshow(m[i], cmap=plt.cm.gray)
    ax.set(title=f'{i}', xticks=[], yticks=[])
fig.suptitle('Mean digits')
plt.show()
# %% right: matshow
m = digits.groupby(digits.columns[-1]).mean().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5)
for d, ax in zip(range(10), axes.flat):
    ax.matshow(m[d], cmap='gray')
    ax.set_title(f'Digit {d}', fontsize=9)
    ax.axis('off')
plt.show()
# %% wrong: the first image of each
f = digits.groupby(digits.columns[-1]).first().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.imshow(f[d], cmap='gray')
    ax.set_title(str(d))
    ax.axis('off')
plt.show()
# %% wrong: nine of ten
m = digits.groupby(digits.columns[-1]).mean().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.axis('off')
    if d < 9:
        ax.imshow(m[d], cmap='gray')
        ax.set_title(str(d))
plt.show()
# %% wrong: titles from one
m = digits.groupby(digits.columns[-1]).mean().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.imshow(m[d], cmap='gray')
    ax.set_title(str(d + 1))
    ax.axis('off')
plt.show()
# %% wrong: transposed images
m = digits.groupby(digits.columns[-1]).mean().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.imshow(m[d].T, cmap='gray')
    ax.set_title(str(d))
    ax.axis('off')
plt.show()
# %% wrong: the spread
m = digits.groupby(digits.columns[-1]).std().to_numpy().reshape(10, 8, 8)
fig, axes = plt.subplots(2, 5, figsize=(8, 4))
for d, ax in enumerate(axes.ravel()):
    ax.imshow(m[d], cmap='gray')
    ax.set_title(str(d))
    ax.axis('off')
plt.show()

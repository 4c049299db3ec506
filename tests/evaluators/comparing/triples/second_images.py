# %% setup
import cv2
from PIL import Image
digits = pd.read_csv('data/digits.csv')
cam = cv2.imread('data/camera.png', cv2.IMREAD_GRAYSCALE)
china = cv2.cvtColor(cv2.imread('data/china.jpg'), cv2.COLOR_BGR2RGB)
coins = cv2.imread('data/coins.png', cv2.IMREAD_GRAYSCALE)
# %% gold: Show the colour image data/chelsea.png in its right colours, without axes, titled 'Chelsea'.
img = cv2.cvtColor(cv2.imread('data/chelsea.png'), cv2.COLOR_BGR2RGB)
plt.imshow(img)
plt.axis('off')
plt.title('Chelsea')
plt.show()
# %% right: PIL
fig, ax = plt.subplots(figsize=(8, 6))
ax.imshow(Image.open('data/chelsea.png'))
ax.set_axis_off()
ax.set_title('Chelsea', fontsize=18)
plt.show()
# %% right: plt.imread (floats)
im = plt.imread('data/chelsea.png')
plt.figure(figsize=(4, 3))
plt.imshow(im)
plt.xticks([]); plt.yticks([])
plt.gca().axis('off')
plt.title('Chelsea')
plt.show()
# %% right: channels reversed by slicing
plt.title('Chelsea')
plt.axis('off')
plt.imshow(cv2.imread('data/chelsea.png')[:, :, ::-1])
plt.tight_layout()
plt.show()
# %% right, before: grey background
plt.rcParams['figure.facecolor'] = 'lightgray'
plt.rcParams['figure.dpi'] = 120
# %% wrong: BGR
plt.imshow(cv2.imread('data/chelsea.png'))
plt.axis('off')
plt.title('Chelsea')
plt.show()
# %% wrong: grey
plt.imshow(cv2.imread('data/chelsea.png', 0), cmap='gray')
plt.axis('off')
plt.title('Chelsea')
plt.show()
# %% wrong: upside down
plt.imshow(plt.imread('data/chelsea.png')[::-1])
plt.axis('off')
plt.title('Chelsea')
plt.show()
# %% wrong: coffee
plt.imshow(plt.imread('data/coffee.png'))
plt.axis('off')
plt.title('Chelsea')
plt.show()
# %% wrong: no title
plt.imshow(plt.imread('data/chelsea.png'))
plt.axis('off')
plt.show()
# %% gold: Show the camera image (cam) and its Canny edges (cv2.Canny with thresholds 100 and 200) side by side in grey, titled 'Original' and 'Edges'.
e = cv2.Canny(cam, 100, 200)
plt.subplot(1, 2, 1)
plt.imshow(cam, cmap='gray')
plt.title('Original')
plt.subplot(1, 2, 2)
plt.imshow(e, cmap='gray')
plt.title('Edges')
plt.show()
# %% right: subplots, no axes
fig, ax = plt.subplots(1, 2, figsize=(12, 6))
for a, im, t in zip(ax, [cam, cv2.Canny(cam, 100, 200)], ['Original', 'Edges']):
    a.imshow(im, cmap='gray')
    a.set_title(t)
    a.axis('off')
plt.tight_layout()
plt.show()
# %% right: with suptitle
f, (a, b) = plt.subplots(ncols=2, sharey=True)
a.imshow(cam, 'gray', vmin=0, vmax=255); a.set_title('Original')
b.imshow(cv2.Canny(cam, 100, 200), 'gray'); b.set_title('Edges')
f.suptitle('Canny')
plt.show()
# %% right: colour images of grey values
e = cv2.Canny(cam, 100, 200)
plt.figure(figsize=(10, 5))
plt.subplot(121), plt.imshow(cv2.cvtColor(cam, cv2.COLOR_GRAY2RGB))
plt.title('Original'), plt.xticks([]), plt.yticks([])
plt.subplot(122), plt.imshow(cv2.cvtColor(e, cv2.COLOR_GRAY2RGB))
plt.title('Edges'), plt.xticks([]), plt.yticks([])
plt.show()
# %% right, before show: no ticks
for a in plt.gcf().axes:
    a.set_xticks([])
    a.set_yticks([])
# %% wrong, changed: other thresholds
#- e = cv2.Canny(cam, 100, 200)
e = cv2.Canny(cam, 20, 50)
# %% wrong, changed: viridis
#- plt.imshow(cam, cmap='gray')
plt.imshow(cam)
#- plt.imshow(e, cmap='gray')
plt.imshow(e)
# %% wrong, changed: Sobel
#- e = cv2.Canny(cam, 100, 200)
e = np.abs(cv2.Sobel(cam, cv2.CV_64F, 1, 0))
# %% wrong: edges alone
plt.imshow(cv2.Canny(cam, 100, 200), cmap='gray')
plt.title('Edges')
plt.show()
# %% wrong, changed: titles exchanged
#- plt.title('Original')
plt.title('Edges')
#- plt.title('Edges')
plt.title('Original')
# %% gold: Show the first ten digits of the digits data (8x8 pixels each, columns pixel_0 to pixel_63) as grey images in a grid of 2 rows and 5 columns, each titled with its label (the last column of the table).
fig, axes = plt.subplots(2, 5)
for i, ax in enumerate(axes.flat):
    ax.imshow(digits.iloc[i, :64].values.reshape(8, 8).astype(float), cmap='gray')
    ax.set_title(digits.iloc[i, 64])
    ax.axis('off')
plt.show()
# %% right: plt.subplot
plt.figure(figsize=(10, 4))
X = digits.drop(columns=digits.columns[-1]).to_numpy(dtype=float).reshape(-1, 8, 8)
for i in range(10):
    plt.subplot(2, 5, i + 1)
    plt.imshow(X[i], cmap='gray', interpolation='nearest')
    plt.title(str(digits.iloc[i, -1]))
    plt.xticks([]); plt.yticks([])
plt.tight_layout()
plt.show()
# %% right: ticks shown
f = plt.figure(figsize=(9, 5))
for i in range(10):
    a = f.add_subplot(2, 5, i + 1)
    a.matshow(digits.iloc[i, :64].values.astype(int).reshape(8, 8), cmap=plt.cm.gray)
    a.set_title(f'{digits.iloc[i, 64]}', fontsize=14)
plt.show()
# %% right: fixed range, suptitle
fig, axes = plt.subplots(nrows=2, ncols=5, figsize=(8, 4), layout='constrained')
for ax, (_, r) in zip(axes.ravel(), digits.head(10).iterrows()):
    ax.imshow(r.values[:64].reshape(8, 8), cmap='gray', vmin=0, vmax=16)
    ax.set(title=r.values[64], xticks=[], yticks=[])
fig.suptitle('First ten digits')
plt.show()
# %% right, before show: tight
plt.tight_layout()
plt.suptitle('digits', y=1.02)
# %% wrong: the next ten
fig, axes = plt.subplots(2, 5)
for i, ax in enumerate(axes.flat):
    ax.imshow(digits.iloc[i + 10, :64].values.reshape(8, 8).astype(float), cmap='gray')
    ax.set_title(digits.iloc[i + 10, 64])
    ax.axis('off')
plt.show()
# %% wrong, changed: transposed
#- for i, ax in enumerate(axes.flat):
#-     ax.imshow(digits.iloc[i, :64].values.reshape(8, 8).astype(float), cmap='gray')
for i, ax in enumerate(axes.flat):
    ax.imshow(digits.iloc[i, :64].values.reshape(8, 8).astype(float).T, cmap='gray')
# %% wrong, changed: shifted by one pixel
#- for i, ax in enumerate(axes.flat):
#-     ax.imshow(digits.iloc[i, :64].values.reshape(8, 8).astype(float), cmap='gray')
for i, ax in enumerate(axes.flat):
    ax.imshow(digits.iloc[i, 1:65].values.reshape(8, 8).astype(float), cmap='gray')
# %% wrong, changed: only five
#- fig, axes = plt.subplots(2, 5)
fig, axes = plt.subplots(1, 5)
# %% wrong: titles of other digits
fig, axes = plt.subplots(2, 5)
for i, ax in enumerate(axes.flat):
    ax.imshow(digits.iloc[i, :64].values.reshape(8, 8).astype(float), cmap='gray')
    ax.set_title(digits.iloc[i + 1, 64])
    ax.axis('off')
plt.show()
# %% gold: Plot the histograms of the red, green and blue channel of the RGB image china as three lines (256 bins from 0 to 256) in the colours red, green and blue in one axes; x limits 0 to 256.
for i, c in enumerate(['red', 'green', 'blue']):
    h = cv2.calcHist([china], [i], None, [256], [0, 256])
    plt.plot(h, color=c)
plt.xlim(0, 256)
plt.show()
# %% right: np.histogram
fig, ax = plt.subplots(figsize=(9, 5))
for i, c in enumerate('rgb'):
    n, _ = np.histogram(china[..., i].ravel(), bins=256, range=(0, 256))
    ax.plot(n, c, label=c)
ax.set_xlim([0, 256])
ax.legend()
ax.set_xlabel('value')
plt.show()
# %% right: bincount, blue first
for k, c in [(2, 'blue'), (1, 'green'), (0, 'red')]:
    plt.plot(np.arange(256), np.bincount(china[:, :, k].flatten(), minlength=256), color=c, lw=1)
plt.xlim(0, 256)
plt.title('Histogram')
plt.ylabel('pixels')
plt.show()
# %% right: split
r, g, b = cv2.split(china)
for ch, c, l in ((r, 'r', 'red'), (g, 'g', 'green'), (b, 'b', 'blue')):
    plt.plot(cv2.calcHist([ch], [0], None, [256], [0, 256]).ravel(), color=c, label=l)
plt.legend(loc='upper left')
plt.grid(True)
plt.xlim([0, 256])
plt.show()
# %% right, before show: labels
plt.xlabel('intensity')
plt.ylabel('number of pixels')
plt.title('Colour histogram')
# %% wrong: colours exchanged (BGR taken)
for i, c in enumerate(['blue', 'green', 'red']):
    h = cv2.calcHist([china], [i], None, [256], [0, 256])
    plt.plot(h, color=c)
plt.xlim(0, 256)
plt.show()
# %% wrong: grey only
plt.plot(cv2.calcHist([cv2.cvtColor(china, cv2.COLOR_RGB2GRAY)], [0], None, [256], [0, 256]), color='k')
plt.xlim(0, 256)
plt.show()
# %% wrong: 32 bins
for i, c in enumerate(['red', 'green', 'blue']):
    h = cv2.calcHist([china], [i], None, [32], [0, 256])
    plt.plot(np.arange(32) * 8, h, color=c)
plt.xlim(0, 256)
plt.show()
# %% wrong: cumulative
for i, c in enumerate(['red', 'green', 'blue']):
    h = cv2.calcHist([china], [i], None, [256], [0, 256])
    plt.plot(np.cumsum(h), color=c)
plt.xlim(0, 256)
plt.show()
# %% wrong: red is missing
for i, c in [(1, 'green'), (2, 'blue')]:
    h = cv2.calcHist([china], [i], None, [256], [0, 256])
    plt.plot(h, color=c)
plt.xlim(0, 256)
plt.show()
# %% gold: Binarise the grey image coins with Otsu's threshold (cv2.threshold, THRESH_BINARY: pixels above it white, the others black) and show the result as a black and white image titled 'Otsu threshold'.
_, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
plt.imshow(b, cmap='gray')
plt.title('Otsu threshold')
plt.show()
# %% right: boolean mask
t, _ = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
fig, ax = plt.subplots(figsize=(8, 6))
ax.imshow(coins > t, cmap='gray')
ax.set_title('Otsu threshold')
ax.axis('off')
plt.show()
# %% right: 0 and 1 instead of 0 and 255
_, m = cv2.threshold(coins, 0, 1, cv2.THRESH_OTSU)
plt.figure(figsize=(5, 4))
plt.imshow(m, cmap='binary_r', vmin=0, vmax=1)
plt.title('Otsu threshold')
plt.xticks([]), plt.yticks([])
plt.show()
# %% right, changed: RGB
#- plt.imshow(b, cmap='gray')
plt.imshow(np.dstack([b, b, b]))
# %% right, before show: no axes
plt.axis('off')
# %% wrong, changed: inverted
#- _, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
_, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
# %% wrong, changed: adaptive
#- _, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
b = cv2.adaptiveThreshold(coins, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 11, 2)
# %% wrong, changed: threshold 200
#- _, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
_, b = cv2.threshold(coins, 200, 255, cv2.THRESH_BINARY)
# %% wrong: the grey image
plt.imshow(coins, cmap='gray')
plt.title('Otsu threshold')
plt.show()
# %% wrong, changed: to zero
#- _, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
_, b = cv2.threshold(coins, 0, 255, cv2.THRESH_TOZERO + cv2.THRESH_OTSU)

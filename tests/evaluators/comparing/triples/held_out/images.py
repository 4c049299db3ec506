# %% setup
import cv2
coins = cv2.imread('data/coins.png', cv2.IMREAD_GRAYSCALE)
chelsea = cv2.imread('data/chelsea.png')
page = cv2.imread('data/page.png', cv2.IMREAD_GRAYSCALE)
digits = pd.read_csv('data/digits.csv')
# %% gold: Smooth coins by cv2.GaussianBlur with a 5x5 kernel (sigma 0) and find its edges by cv2.Canny with thresholds 50 and 150; show the original and the edges side by side in grey (original left) without axes, with the titles 'Original' and 'Edges'.
e = cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150)
fig, axs = plt.subplots(1, 2, figsize=(10, 5))
for ax, im, t in zip(axs, [coins, e], ['Original', 'Edges']):
    ax.imshow(im, cmap='gray')
    ax.set_title(t)
    ax.axis('off')
# %% right: plt.subplot
b = cv2.GaussianBlur(coins, (5, 5), 0)
edges = cv2.Canny(b, 50, 150)
plt.figure(figsize=(12, 6))
plt.subplot(121); plt.imshow(coins, cmap='gray'); plt.title('Original'); plt.axis('off')
plt.subplot(122); plt.imshow(edges, cmap='gray'); plt.title('Edges'); plt.axis('off')
plt.tight_layout()
# %% right: as RGB, small
edges = cv2.Canny(cv2.GaussianBlur(coins, ksize=(5, 5), sigmaX=0), threshold1=50, threshold2=150)
fig, (a, b) = plt.subplots(1, 2)
a.imshow(cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB)); b.imshow(cv2.cvtColor(edges, cv2.COLOR_GRAY2RGB))
a.set_title('Original'); b.set_title('Edges')
a.set_axis_off(); b.set_axis_off()
# %% right: explicit range, hidden ticks
edges = cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150)
fig, ax = plt.subplots(1, 2, figsize=(9, 4), layout='constrained')
ax[0].imshow(coins, cmap='Greys_r', vmin=0, vmax=255); ax[0].set_title('Original', fontsize=14)
ax[1].imshow(edges, cmap=plt.cm.gray, vmin=0, vmax=255); ax[1].set_title('Edges', fontsize=14)
for a in ax.flat: a.axis('off')
# %% right, before show: suptitle
fig.suptitle('Canny edge detection')
# %% wrong: no smoothing, other thresholds
e = cv2.Canny(coins, 10, 60)
fig, axs = plt.subplots(1, 2, figsize=(10, 5))
for ax, im, t in zip(axs, [coins, e], ['Original', 'Edges']):
    ax.imshow(im, cmap='gray'); ax.set_title(t); ax.axis('off')
# %% wrong: images exchanged
e = cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150)
fig, axs = plt.subplots(1, 2, figsize=(10, 5))
for ax, im, t in zip(axs, [e, coins], ['Original', 'Edges']):
    ax.imshow(im, cmap='gray'); ax.set_title(t); ax.axis('off')
# %% wrong: default colour map
e = cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150)
fig, axs = plt.subplots(1, 2, figsize=(10, 5))
for ax, im, t in zip(axs, [coins, e], ['Original', 'Edges']):
    ax.imshow(im); ax.set_title(t); ax.axis('off')
# %% wrong: edges only
plt.imshow(cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150), cmap='gray')
plt.title('Edges'); plt.axis('off')
# %% wrong: inverted edges
e = 255 - cv2.Canny(cv2.GaussianBlur(coins, (5, 5), 0), 50, 150)
fig, axs = plt.subplots(1, 2, figsize=(10, 5))
for ax, im, t in zip(axs, [coins, e], ['Original', 'Edges']):
    ax.imshow(im, cmap='gray'); ax.set_title(t); ax.axis('off')
# %% gold: Show chelsea (read by OpenCV as BGR) in its true colours, mirrored left to right, without axes. Title 'Chelsea mirrored'.
plt.imshow(cv2.flip(cv2.cvtColor(chelsea, cv2.COLOR_BGR2RGB), 1))
plt.title('Chelsea mirrored')
plt.axis('off')
# %% right: numpy slices
fig, ax = plt.subplots(figsize=(10, 7))
ax.imshow(chelsea[:, ::-1, ::-1]); ax.set_title('Chelsea mirrored', fontsize=16); ax.set_axis_off()
# %% right: as floats
im = np.fliplr(cv2.cvtColor(chelsea, cv2.COLOR_BGR2RGB)) / 255.0
plt.figure(figsize=(5, 4))
plt.imshow(im, interpolation='bilinear'); plt.axis('off'); plt.title('Chelsea mirrored')
plt.tight_layout()
# %% right: read again
im = cv2.imread('data/chelsea.png')[..., ::-1]
fig, ax = plt.subplots()
ax.imshow(np.flip(im, axis=1)); ax.axis('off')
fig.suptitle('Chelsea mirrored')
# %% right, before: larger figure
plt.figure(figsize=(9, 6))
# %% wrong: BGR shown as RGB
plt.imshow(cv2.flip(chelsea, 1)); plt.title('Chelsea mirrored'); plt.axis('off')
# %% wrong: upside down
plt.imshow(cv2.flip(cv2.cvtColor(chelsea, cv2.COLOR_BGR2RGB), 0)); plt.title('Chelsea mirrored'); plt.axis('off')
# %% wrong: not mirrored
plt.imshow(cv2.cvtColor(chelsea, cv2.COLOR_BGR2RGB)); plt.title('Chelsea mirrored'); plt.axis('off')
# %% wrong: grey
plt.imshow(cv2.flip(cv2.cvtColor(chelsea, cv2.COLOR_BGR2GRAY), 1), cmap='gray'); plt.title('Chelsea mirrored'); plt.axis('off')
# %% wrong: cropped to the left half
plt.imshow(cv2.flip(cv2.cvtColor(chelsea, cv2.COLOR_BGR2RGB), 1)[:, :225]); plt.title('Chelsea mirrored'); plt.axis('off')
# %% gold: Binarise page with Otsu's threshold (cv2.threshold, THRESH_BINARY) and show the binary image in grey (text dark) above the grey-value histogram of page (256 bins from 0 to 256) with a red vertical line at the threshold: two subplots, one below the other.
th, b = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
fig, axs = plt.subplots(2, 1, figsize=(7, 8))
axs[0].imshow(b, cmap='gray')
axs[1].hist(page.ravel(), bins=256, range=(0, 256))
axs[1].axvline(th, color='red')
# %% right: grey bars, titles
t, binary = cv2.threshold(page, 0, 255, cv2.THRESH_OTSU)
plt.figure(figsize=(8, 8))
plt.subplot(211); plt.imshow(binary, 'gray'); plt.axis('off'); plt.title('Binary')
plt.subplot(212); plt.hist(page.flatten(), 256, [0, 256], color='grey'); plt.axvline(x=t, c='r', ls='--', label=f'threshold {t:.0f}')
plt.legend(); plt.title('Histogram')
plt.tight_layout()
# %% right: np.histogram and bars
t, binary = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
fig, (a, b) = plt.subplots(2, 1, figsize=(6, 8))
a.imshow(binary, cmap='gray', vmin=0, vmax=255)
n, e = np.histogram(page, bins=np.arange(257))
b.bar(e[:-1], n, width=1, align='edge', color='black'); b.axvline(t, color='red', lw=2)
b.set_xlabel('grey value'); b.set_ylabel('pixels')
# %% right, before show: no ticks on the image, titles
axs[0].set_xticks([]); axs[0].set_yticks([])
axs[0].set_title('Otsu')
# %% right: gridspec, limits, labels
thr, bw = cv2.threshold(page, 127, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
fig, (top, low) = plt.subplots(nrows=2, figsize=(8, 9), layout='constrained')
top.imshow(bw, cmap='gray'); top.set_title(f'Otsu threshold = {thr}'); top.set_axis_off()
low.hist(page.reshape(-1), bins=256, range=(0, 256), color='steelblue'); low.axvline(thr, color='red', linestyle='--')
low.set_xlim(0, 256); low.set_xlabel('grey value')
# %% wrong: THRESH_BINARY_INV
th, b = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
fig, axs = plt.subplots(2, 1, figsize=(7, 8))
axs[0].imshow(b, cmap='gray'); axs[1].hist(page.ravel(), bins=256, range=(0, 256)); axs[1].axvline(th, color='red')
# %% wrong: threshold 200
th, b = cv2.threshold(page, 200, 255, cv2.THRESH_BINARY)
fig, axs = plt.subplots(2, 1, figsize=(7, 8))
axs[0].imshow(b, cmap='gray'); axs[1].hist(page.ravel(), bins=256, range=(0, 256)); axs[1].axvline(th, color='red')
# %% wrong: original shown above
th, b = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
fig, axs = plt.subplots(2, 1, figsize=(7, 8))
axs[0].imshow(page, cmap='gray'); axs[1].hist(page.ravel(), bins=256, range=(0, 256)); axs[1].axvline(th, color='red')
# %% wrong: histogram of the binary image
th, b = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
fig, axs = plt.subplots(2, 1, figsize=(7, 8))
axs[0].imshow(b, cmap='gray'); axs[1].hist(b.ravel(), bins=256, range=(0, 256)); axs[1].axvline(th, color='red')
# %% wrong: histogram and line missing
th, b = cv2.threshold(page, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
plt.imshow(b, cmap='gray')

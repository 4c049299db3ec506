# %% [markdown] kind="num" modules="cv2 & numpy" answer="[real(3), count]"
# Read `data/coins.png` as a grayscale image into `coins`. Print the population standard deviation of its gray values, rounded to 3 decimal places, and the number of different gray values that occur, on one line, separated by a space.
#
# Thought: std of a NumPy array is that of the population; np.unique gives the values that occur.

# %%
import cv2
import numpy as np

coins = cv2.imread('data/coins.png', cv2.IMREAD_GRAYSCALE)
answer = [round(float(coins.std()), 3), len(np.unique(coins))]
print(*answer)

# %% [markdown] kind="exec" modules="numpy"
# Make a noisy version `noisy` (uint8) of `coins` with the generator `rng = np.random.default_rng(11)`. First add `rng.normal(0, 12, coins.shape)`, round to the nearest integers and clip to 0…255. Then draw `u = rng.random(coins.shape)`, and set the pixels with `u` below 0.03 to 0 and those with `u` above 0.97 to 255.
#
# Thought: the sum is floating-point, so round and clip before converting to uint8; salt and pepper come last.

# %%
rng = np.random.default_rng(11)
noisy = np.clip(np.rint(coins + rng.normal(0, 12, coins.shape)), 0, 255).astype(np.uint8)
u = rng.random(coins.shape)
noisy[u < 0.03] = 0
noisy[u > 0.97] = 255

# %% [markdown] kind="num" modules="cv2" answer="list[real(2)]"
# Filter `noisy` in four ways, and keep the results in a dictionary `filtered` with these keys in this order: `box`: `cv2.blur` with size (3, 3); `gaussian`: `cv2.GaussianBlur` with size (5, 5) and sigma 1; `median 3` and `median 5`: `cv2.medianBlur` with size 3 and 5.
# Make a list `psnr` of the peak signal-to-noise ratios in dB (`cv2.PSNR`) against `coins` of `noisy` and then of the four results. Print them, each rounded to 2 decimal places, on one line, separated by spaces.
#
# Thought: cv2.PSNR compares two images of the same size and takes 255 as the peak.

# %%
filtered = {
    'box': cv2.blur(noisy, (3, 3)),
    'gaussian': cv2.GaussianBlur(noisy, (5, 5), 1),
    'median 3': cv2.medianBlur(noisy, 3),
    'median 5': cv2.medianBlur(noisy, 5),
}
psnr = [cv2.PSNR(coins, noisy)] + [cv2.PSNR(coins, image) for image in filtered.values()]
answer = [round(value, 2) for value in psnr]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a bar chart of `psnr` (not rounded) in its order, with the x tick labels `noisy`, `box`, `gaussian`, `median 3` and `median 5`, the bar of the highest ratio in `darkorange` and the others in `slategray`, with figure size (5, 3.5), the title `Noise removal`, no x label and the y label `PSNR (dB)`, and call `plt.show()`.
#
# Thought: plt.bar takes a list of colors, one for each bar.

# %%
import matplotlib.pyplot as plt

colors = ['darkorange' if value == max(psnr) else 'slategray' for value in psnr]
plt.figure(figsize=(5, 3.5))
plt.bar(['noisy', *filtered], psnr, color=colors)
plt.title('Noise removal')
plt.ylabel('PSNR (dB)')
plt.show()

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Keep the filtered image with the highest ratio as `clean`. Cut the coin in rows 174 to 217 and columns 77 to 124 (both ends included) out of `coins` as `template`, and match it against `clean` with `cv2.matchTemplate` (`cv2.TM_CCOEFF_NORMED`) into `response`.
# Show `response` with the color map `viridis`, figure size (3, 2.25), without axes, with a color bar (`shrink=0.7`) and the title `Similarity to one coin`, and call `plt.show()`.
#
# Thought: slices leave out their end, so they go to 218 and 125; the response is high where a similar coin begins.

# %%
clean = max(filtered.values(), key=lambda image: cv2.PSNR(coins, image))
template = coins[174:218, 77:125]
response = cv2.matchTemplate(clean, template, cv2.TM_CCOEFF_NORMED)
plt.figure(figsize=(3, 2.25))
plt.imshow(response, cmap='viridis')
plt.axis('off')
plt.colorbar(shrink=0.7)
plt.title('Similarity to one coin')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="[count, list[count]]"
# Find the peaks of `response`: in a copy of it, take the largest value; if it is at least 0.5, keep its position (column, row) in a list `peaks`, set all values that are at most 20 columns and at most 20 rows away from it to -1, and begin again; else stop.
# Print the number of peaks on one line, and then the positions of the second, third and fourth peak (the first is the template itself), one a line, column and row separated by a space.
#
# Thought: minMaxLoc gives the largest value and its place as (x, y).

# %%
rest = response.copy()
peaks = []
while True:
    _, value, _, (x, y) = cv2.minMaxLoc(rest)
    if value < 0.5:
        break
    peaks.append((x, y))
    rest[max(y - 20, 0) : y + 21, max(x - 20, 0) : x + 21] = -1
answer = [len(peaks), *peaks[1:4]]
print(answer[0])
for x, y in answer[1:]:
    print(x, y)

# %% [markdown] kind="vis" modules="cv2 & numpy & matplotlib"
# On a black RGB image of the size of `coins`, draw for each peak, in the order of `peaks`, the box in which the template was matched: a rectangle filled with (0, 120, 120) and then its outline in white with thickness 2 (`cv2.rectangle`), both from the corner (column, row) of the peak to (column + 47, row + 43).
# Show it with figure size (4, 3), without axes, with the title `Coins like the first`, and call `plt.show()`.
#
# Thought: thickness -1 fills the rectangle; later boxes lie over earlier ones.

# %%
boxes = np.zeros((*coins.shape, 3), np.uint8)
for x, y in peaks:
    cv2.rectangle(boxes, (x, y), (x + 47, y + 43), (0, 120, 120), -1)
    cv2.rectangle(boxes, (x, y), (x + 47, y + 43), (255, 255, 255), 2)
plt.figure(figsize=(4, 3))
plt.imshow(boxes)
plt.axis('off')
plt.title('Coins like the first')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="[count, count, count, real(2)]"
# Read the color image `data/coffee.png`, convert it from BGR to RGB, halve it once with `cv2.pyrDown` (default size) into `small`, and convert `small` to grayscale into `gray`.
# Match the histogram of `gray` to that of `coins`: for each gray value v from 0 to 255, `table[v]` (uint8) is the smallest gray value w for which the share of pixels of `coins` that are at most w is not less than the share of pixels of `gray` that are at most v. Apply the table with `cv2.LUT` into `matched`.
# Print `table[64]`, `table[128]` and `table[192]` and the mean of `matched`, rounded to 2 decimal places, on one line, separated by spaces.
#
# Thought: cumulative sums of the histograms over the number of pixels are the shares; searchsorted finds the first that is large enough.

# %%
small = cv2.pyrDown(cv2.cvtColor(cv2.imread('data/coffee.png'), cv2.COLOR_BGR2RGB))
gray = cv2.cvtColor(small, cv2.COLOR_RGB2GRAY)


def shares(image):
    return np.cumsum(np.bincount(image.ravel(), minlength=256)) / image.size


table = np.searchsorted(shares(coins), shares(gray)).astype(np.uint8)
matched = cv2.LUT(gray, table)
answer = [int(table[64]), int(table[128]), int(table[192]), round(float(matched.mean()), 2)]
print(*answer)

# %% [markdown] kind="vis" modules="numpy & matplotlib"
# For the images `coins`, `gray` and `matched`, draw the share of pixels (0 to 1) that are at most v over the gray values v = 0, 1, …, 255 as lines: `coins` in `black` with line width 4, `gray` in `royalblue` and `matched` in `orange` with line width 2, in this order, labeled `coins`, `coffee` and `matched`.
# Use figure size (5, 3.5), the title `Cumulative histograms`, the x label `gray value`, the y label `share of pixels` and a legend at the default place, and call `plt.show()`.
#
# Thought: the cumulative histogram of the matched image follows that of the coins.

# %%
plt.figure(figsize=(5, 3.5))
plt.plot(range(256), shares(coins), color='black', linewidth=4, label='coins')
plt.plot(range(256), shares(gray), color='royalblue', linewidth=2, label='coffee')
plt.plot(range(256), shares(matched), color='orange', linewidth=2, label='matched')
plt.title('Cumulative histograms')
plt.xlabel('gray value')
plt.ylabel('share of pixels')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" tolerance=0.01 answer="list[real(2)]"
# Quantize the colors of `small`: call `cv2.setRNGSeed(1)` and then `cv2.kmeans` on all its pixels (float32, one row of R, G, B a pixel) with 6 clusters, no initial labels, the criteria `(cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 100, 0.1)`, 5 attempts and `cv2.KMEANS_PP_CENTERS`, with the results `labels` and `centers`.
# Make `order`, the numbers of the clusters from the one with the most pixels to the one with the fewest. Print the percentages of the pixels that the clusters hold, in this order, each rounded to 2 decimal places, without percent signs, on one line, separated by spaces.
#
# Thought: reshape to (-1, 3) makes one row a pixel; bincount of the labels gives the sizes of the clusters.

# %%
cv2.setRNGSeed(1)
pixels = small.reshape(-1, 3).astype(np.float32)
criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 100, 0.1)
_, labels, centers = cv2.kmeans(pixels, 6, None, criteria, 5, cv2.KMEANS_PP_CENTERS)
sizes = np.bincount(labels.ravel(), minlength=6)
order = np.argsort(-sizes)
answer = [round(100 * float(sizes[i]) / len(pixels), 2) for i in order]
print(*answer)

# %% [markdown] kind="text" list="true" modules="matplotlib & numpy" answer="list[text]"
# Name the colors: for each cluster in the order of `order`, find the color name in `matplotlib.colors.CSS4_COLORS` whose R, G, B (0 to 255) have the smallest Euclidean distance to the cluster's row of `centers`. Print the six names on one line, separated by `, `.
#
# Thought: to_rgb turns a color into values from 0 to 1; times 255 they compare with the centers.

# %%
from matplotlib.colors import CSS4_COLORS, to_rgb

known = {name: 255 * np.array(to_rgb(value)) for name, value in CSS4_COLORS.items()}
answer = [min(known, key=lambda name: np.linalg.norm(known[name] - centers[i])) for i in order]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="numpy & matplotlib"
# Give each pixel of `small` the color of its cluster's center, rounded to integers, into an RGB image `quantized` (uint8). Show it with figure size (3, 2.25), without axes, with the title `Six colors`, and call `plt.show()`.
#
# Thought: indexing the centers with the labels gives one color a pixel; reshape brings back the image.

# %%
quantized = np.rint(centers).astype(np.uint8)[labels.ravel()].reshape(small.shape)
plt.figure(figsize=(3, 2.25))
plt.imshow(quantized)
plt.axis('off')
plt.title('Six colors')
plt.show()

# %% [markdown] kind="num" modules="cv2" answer="list[count]"
# Find the 40 strongest corners of `gray` with `cv2.goodFeaturesToTrack` (quality level 0.03, minimum distance 10, all else default). Print column and row of the first three (strongest), one corner a line, separated by a space, and on a fourth line the number of the 40 corners at which `matched` is brighter than `gray`.
#
# Thought: the corners come strongest first as (x, y) in float32; arrays are indexed by row, then column.

# %%
corners = cv2.goodFeaturesToTrack(gray, 40, 0.03, 10).reshape(-1, 2).astype(int)
brighter = sum(int(matched[y, x] > gray[y, x]) for x, y in corners)
answer = [*corners[:3].ravel().tolist(), brighter]
for x, y in corners[:3]:
    print(x, y)
print(brighter)

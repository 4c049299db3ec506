# %% [markdown] kind="exec" modules="numpy"
# Define a function `polygon(corners, center, radius)` that returns the corners of a regular polygon as an int32 array of shape (corners, 2), one row (column, row) a corner.
# With `center = (x, y)`, corner k (k = 0, 1, …, corners − 1) lies at (x + radius · sin(2πk / corners), y − radius · cos(2πk / corners)), both rounded to the nearest integer, so that corner 0 stands straight above the center. Keep the corners of `polygon(5, (50, 40), 21)` in `pentagon`.
#
# Thought: the angles are an array; stack x and y as columns, round with rint and convert.

# %%
import numpy as np


def polygon(corners, center, radius):
    angles = 2 * np.pi * np.arange(corners) / corners
    points = np.stack([center[0] + radius * np.sin(angles), center[1] - radius * np.cos(angles)], axis=1)
    return np.rint(points).astype(np.int32)


pentagon = polygon(5, (50, 40), 21)

# %% [markdown] kind="num" modules="cv2 & numpy" answer="[count, real(2)]"
# Make a black grayscale image `canvas` (uint8) of height 240 and width 360, and draw six polygons on it, filled with white (255) by one call of `cv2.fillPoly` with default parameters: `polygon(3, (60, 70), 44)`, `polygon(8, (180, 62), 36)`, `polygon(5, (300, 66), 30)`, `polygon(6, (62, 178), 40)`, `polygon(3, (180, 180), 50)` and `polygon(7, (298, 176), 51)`.
# Print the number of white pixels and the percentage of all pixels that they are, rounded to 2 decimal places, without a percent sign, on one line, separated by a space.
#
# Thought: fillPoly takes a list of point arrays; countNonZero over the size is the share.

# %%
import cv2

canvas = np.zeros((240, 360), np.uint8)
parts = [
    polygon(3, (60, 70), 44),
    polygon(8, (180, 62), 36),
    polygon(5, (300, 66), 30),
    polygon(6, (62, 178), 40),
    polygon(3, (180, 180), 50),
    polygon(7, (298, 176), 51),
]
cv2.fillPoly(canvas, parts, 255)
white = cv2.countNonZero(canvas)
answer = [white, round(100 * white / canvas.size, 2)]
print(*answer)

# %% [markdown] kind="vis" modules="cv2 & numpy & matplotlib"
# Make an RGB image `background` (uint8) of the same size as `canvas`: its red channel is the column number // 2, its green channel 90 everywhere, its blue channel 255 minus the row number.
# Make an RGB image `scene`: where `canvas` is black it is `background`, and where `canvas` is white it is the blend of 35 % `background` and 65 % the constant color (255, 200, 0), made with `cv2.addWeighted`.
# Show `scene` with figure size (4, 3), without axes, with the title `Parts on a tray`, and call `plt.show()`.
#
# Thought: broadcasting fills the channels of the gradient; np.where with the mask picks the blend or the background.

# %%
import matplotlib.pyplot as plt

background = np.zeros((240, 360, 3), np.uint8)
background[..., 0] = np.arange(360) // 2
background[..., 1] = 90
background[..., 2] = (255 - np.arange(240))[:, None]
paint = np.full_like(background, (255, 200, 0))
blend = cv2.addWeighted(background, 0.35, paint, 0.65, 0)
scene = np.where(canvas[..., None] > 0, blend, background)
plt.figure(figsize=(4, 3))
plt.imshow(scene)
plt.axis('off')
plt.title('Parts on a tray')
plt.show()

# %% [markdown] kind="num" modules="cv2" answer="list[real(1)]"
# Find the external contours of `canvas` with all their points (`cv2.RETR_EXTERNAL`, `cv2.CHAIN_APPROX_NONE`), and keep them in a list `contours`, sorted by `cv2.contourArea`, largest first.
# Print their areas (`cv2.contourArea`) in this order, each rounded to 1 decimal place, on one line, separated by spaces.
#
# Thought: contourArea is the key of the sort and the value to print.

# %%
found, _ = cv2.findContours(canvas, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
contours = sorted(found, key=cv2.contourArea, reverse=True)
answer = [round(cv2.contourArea(contour), 1) for contour in contours]
print(*answer)

# %% [markdown] kind="text" list="true" modules="cv2" answer="list[text]"
# Approximate each contour in `contours` by a closed polygon with `cv2.approxPolyDP`, where epsilon is 3 % of the closed arc length of the contour.
# Print for each contour, in the order of `contours`, the usual English name (one word, lower case) of a polygon with as many corners as the approximation has, on one line, separated by `, `.
#
# Thought: the length of the approximation is the number of corners, which a dictionary turns into a name.

# %%
names = {3: 'triangle', 5: 'pentagon', 6: 'hexagon', 7: 'heptagon', 8: 'octagon'}
corners = [len(cv2.approxPolyDP(contour, 0.03 * cv2.arcLength(contour, True), True)) for contour in contours]
answer = [names[count] for count in corners]
print(', '.join(answer))

# %% [markdown] kind="num" modules="cv2 & numpy" answer="list[real(3)]"
# Print the circularity 4π · area / perimeter² of each contour in `contours`, in their order, with the area of `cv2.contourArea` and the perimeter of `cv2.arcLength` (closed), each rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: a circle has 1, and the fewer the corners the smaller the value.

# %%
answer = [round(4 * np.pi * cv2.contourArea(c) / cv2.arcLength(c, True) ** 2, 3) for c in contours]
print(*answer)

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Compute `distance`, the Euclidean distance of each white pixel of `canvas` to the nearest black pixel, with `cv2.distanceTransform` (`cv2.DIST_L2`, `cv2.DIST_MASK_PRECISE`).
# Show it with the color map `magma`, figure size (4, 3), without axes, with a color bar (`shrink=0.7`) and the title `Distance to the edge`, and call `plt.show()`.
#
# Thought: the precise mask gives exact distances; imshow scales them over the color map.

# %%
distance = cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
plt.figure(figsize=(4, 3))
plt.imshow(distance, cmap='magma')
plt.axis('off')
plt.colorbar(shrink=0.7)
plt.title('Distance to the edge')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="list[real(2)]"
# For each contour in `contours`, in their order, find the largest value of `distance` inside it, and keep the values as floats in a list `thickness`. Print them, each rounded to 2 decimal places, on one line, separated by spaces.
#
# Thought: draw each contour filled into a mask of its own, and take the maximum of the distances under the mask.

# %%
thickness = []
for i in range(len(contours)):
    mask = np.zeros_like(canvas)
    cv2.drawContours(mask, contours, i, 255, -1)
    thickness.append(float(distance[mask > 0].max()))
answer = [round(value, 2) for value in thickness]
print(*answer)

# %% [markdown] kind="num" modules="cv2 & numpy" answer="list[count]"
# Drill a hole into each part: make a copy `drilled` of `canvas`, and draw for each contour a black filled circle (`cv2.circle`, thickness -1) on it. Its center is the centroid of the contour from `cv2.moments(contour)`, column and row rounded to the nearest integer; its radius is half of the contour's value in `thickness`, rounded down to an integer.
# Print how many pixels each circle turned from white to black, in the order of `contours`, on one line, separated by spaces.
#
# Thought: the centroid is m10/m00 and m01/m00; the number of white pixels before and after each circle gives the loss.

# %%
drilled = canvas.copy()
lost = []
for contour, value in zip(contours, thickness):
    moments = cv2.moments(contour)
    center = round(moments['m10'] / moments['m00']), round(moments['m01'] / moments['m00'])
    before = cv2.countNonZero(drilled)
    cv2.circle(drilled, center, int(value / 2), 0, -1)
    lost.append(before - cv2.countNonZero(drilled))
answer = list(lost)
print(*answer)

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Flood-fill the background of a copy of `drilled` from its upper left pixel with the gray value 128 (`cv2.floodFill`) into `filled`, so that only the holes stay black.
# Show `filled` in gray (`cmap='gray'`, `vmin=0`, `vmax=255`) with figure size (4, 3), without axes, with the title `Drilled parts`, and call `plt.show()`.
#
# Thought: the holes are enclosed by white, so that the fill from the corner does not reach them.

# %%
filled = drilled.copy()
cv2.floodFill(filled, None, (0, 0), 128)
plt.figure(figsize=(4, 3))
plt.imshow(filled, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Drilled parts')
plt.show()

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Erode `drilled` with a 3 × 3 cross (`cv2.MORPH_CROSS`) again and again, one iteration at a time, until no white pixel is left. Count the white regions (8-connectivity, background excluded) at the beginning and after each erosion, and keep the counts in a list `regions` (the last one is 0).
# Draw the counts over the number of erosions, from 0, with `plt.step` (`where='post'`) in `darkgreen` with line width 2, with figure size (5, 3.5), the title `Regions left`, the x label `erosions` and the y label `regions`, and call `plt.show()`.
#
# Thought: connectedComponents counts the background too, so one is taken off; the rings break into pieces before they vanish.

# %%
cross = cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3))
left = drilled.copy()
regions = [cv2.connectedComponents(left, connectivity=8)[0] - 1]
while left.any():
    left = cv2.erode(left, cross)
    regions.append(cv2.connectedComponents(left, connectivity=8)[0] - 1)
plt.figure(figsize=(5, 3.5))
plt.step(range(len(regions)), regions, where='post', color='darkgreen', linewidth=2)
plt.title('Regions left')
plt.xlabel('erosions')
plt.ylabel('regions')
plt.show()

# %% [markdown] kind="vis" modules="cv2 & numpy & matplotlib"
# Look at the tray from another side: compute the 3 × 3 matrix `view` of the perspective transform that takes the points (0, 0), (359, 0), (359, 239), (0, 239) (column, row) to (50, 30), (320, 10), (350, 220), (10, 235), in this order.
# Warp `scene` with it to 360 × 240 pixels (`cv2.warpPerspective` with its defaults), show the result with figure size (4, 3), without axes, with the title `Another view`, and call `plt.show()`.
#
# Thought: getPerspectiveTransform wants float32 points; warpPerspective takes the size as (width, height).

# %%
before = np.float32([[0, 0], [359, 0], [359, 239], [0, 239]])
after = np.float32([[50, 30], [320, 10], [350, 220], [10, 235]])
view = cv2.getPerspectiveTransform(before, after)
plt.figure(figsize=(4, 3))
plt.imshow(cv2.warpPerspective(scene, view, (360, 240)))
plt.axis('off')
plt.title('Another view')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="list[real(3)]"
# Take the points of each contour in `contours` through `view` with `cv2.perspectiveTransform`, without rounding the results. Print the area of each transformed contour (`cv2.contourArea`) divided by its area before, in the order of `contours`, each rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: perspectiveTransform takes float32 points of shape (n, 1, 2), as the contours have it.

# %%
ratios = [cv2.contourArea(cv2.perspectiveTransform(c.astype(np.float32), view)) / cv2.contourArea(c) for c in contours]
answer = [round(ratio, 3) for ratio in ratios]
print(*answer)

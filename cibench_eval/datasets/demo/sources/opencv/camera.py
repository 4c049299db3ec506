# %% [markdown] kind="exec" modules="opencv"
# Read the image `data/camera.png` as a grayscale image (`cv2.IMREAD_GRAYSCALE`) into `image`.
#
# Thought: imread with the grayscale flag gives a two-dimensional array.

# %%
import cv2

image = cv2.imread('data/camera.png', cv2.IMREAD_GRAYSCALE)

# %% [markdown] kind="num" modules="opencv & numpy"
# Print the height, the width and the mean gray value of `image` on one line, separated by a space, the mean with 2 decimal places.
#
# Thought: shape gives height and width, mean() the average over all pixels.

# %%
print(image.shape[0], image.shape[1], f'{image.mean():.2f}')

# %% [markdown] kind="text" modules="opencv & numpy"
# Divide `image` into four quadrants of 256 × 256 pixels named `top left`, `top right`, `bottom left` and `bottom right`.
# Print their names from the darkest (lowest mean) to the brightest, one per line.
#
# Thought: Slice the four quadrants and sort their names by the mean of each.

# %%
quadrants = {
    'top left': image[:256, :256],
    'top right': image[:256, 256:],
    'bottom left': image[256:, :256],
    'bottom right': image[256:, 256:],
}
for name in sorted(quadrants, key=lambda name: quadrants[name].mean()):
    print(name)

# %% [markdown] kind="num" modules="opencv & numpy"
# Binarize `image` with Otsu's method (`cv2.THRESH_BINARY + cv2.THRESH_OTSU`, maximum value 255) into `binary`.
# Print the threshold as an integer and the number of white pixels of `binary` on one line, separated by a space.
#
# Thought: cv2.threshold returns the threshold that Otsu chose and the binary image.

# %%
threshold, binary = cv2.threshold(image, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
print(int(threshold), cv2.countNonZero(binary))

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw the histogram of the gray values of `image` with 64 bins over the range (0, 256) in the color `gray`, and a red vertical line (`color='red'`) at the Otsu threshold.
# Use figure size (7, 4), the title `Gray values`, the x label `gray value` and the y label `pixels`, and call `plt.show()`.
#
# Thought: plt.hist wants the pixels as one flat array; axvline marks the threshold.

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
plt.hist(image.ravel(), bins=64, range=(0, 256), color='gray')
plt.axvline(threshold, color='red')
plt.title('Gray values')
plt.xlabel('gray value')
plt.ylabel('pixels')
plt.show()

# %% [markdown] kind="num" modules="opencv"
# Smooth `image` with `cv2.GaussianBlur`, kernel size (5, 5) and sigma 1.5, and find edges in the result with `cv2.Canny`, thresholds 50 and 150, into `edges`.
# Print the number of edge pixels.
#
# Thought: Canny marks edges with 255, so counting nonzero pixels is enough.

# %%
edges = cv2.Canny(cv2.GaussianBlur(image, (5, 5), 1.5), 50, 150)
print(cv2.countNonZero(edges))

# %% [markdown] kind="vis" modules="opencv & matplotlib"
# Show `binary` on the left and `edges` on the right in one figure of size (9, 4.5), both with `cmap='gray'` and without axes.
# Give them the titles `binary` and `edges`, and call `plt.show()`.
#
# Thought: Two axes side by side, one imshow each.

# %%
figure, axes = plt.subplots(1, 2, figsize=(9, 4.5))
for ax, picture, title in zip(axes, [binary, edges], ['binary', 'edges']):
    ax.imshow(picture, cmap='gray')
    ax.set_title(title)
    ax.axis('off')
plt.show()

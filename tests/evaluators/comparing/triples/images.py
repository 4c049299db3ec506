# %% setup
import cv2

coins = cv2.imread('data/coins.png', cv2.IMREAD_GRAYSCALE)
coffee = cv2.cvtColor(cv2.imread('data/coffee.png'), cv2.COLOR_BGR2RGB)
cat = cv2.cvtColor(cv2.imread('data/chelsea.png'), cv2.COLOR_BGR2RGB)
canvas = np.zeros((240, 360), np.uint8)
cv2.circle(canvas, (90, 120), 60, 255, -1)
cv2.rectangle(canvas, (200, 60), (320, 180), 255, -1)
boxes = [(37, 26), (38, 85), (33, 149), (38, 207)]

# %% gold: a grey image of edges
edges = cv2.Canny(coins, 100, 200)
plt.figure(figsize=(4, 3))
plt.imshow(edges, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()
# %% right: larger, limits left open
plt.figure(figsize=(9, 7))
plt.imshow(cv2.Canny(coins, 100, 200), cmap='gray')
plt.axis('off')
plt.title('Edges')
plt.show()
# %% right: with its axes
plt.imshow(cv2.Canny(coins, 100, 200), cmap='gray', vmin=0, vmax=255)
plt.title('Edges')
plt.show()
# %% right: as an image in colours
plt.imshow(cv2.cvtColor(cv2.Canny(coins, 100, 200), cv2.COLOR_GRAY2RGB))
plt.xticks([])
plt.yticks([])
plt.title('Edges', fontsize=15)
plt.show()
# %% wrong: other thresholds
plt.figure(figsize=(4, 3))
plt.imshow(cv2.Canny(coins, 30, 60), cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()
# %% wrong: blurred before
plt.figure(figsize=(4, 3))
plt.imshow(cv2.Canny(cv2.GaussianBlur(coins, (7, 7), 2), 100, 200), cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()
# %% wrong: black and white exchanged
plt.imshow(255 - cv2.Canny(coins, 100, 200), cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()
# %% wrong: the image itself
plt.imshow(coins, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()
# %% wrong: turned upside down
plt.imshow(cv2.flip(cv2.Canny(coins, 100, 200), 0), cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Edges')
plt.show()

# %% gold: a magnitude, with a bar
across, down = (cv2.Sobel(coins, cv2.CV_64F, *order) for order in ((1, 0), (0, 1)))
plt.figure(figsize=(4, 3))
plt.imshow(np.hypot(across, down), cmap='inferno')
plt.axis('off')
plt.colorbar()
plt.title('Gradient')
plt.show()
# %% right: another colour map, no bar
across, down = (cv2.Sobel(coins, cv2.CV_64F, *order) for order in ((1, 0), (0, 1)))
plt.figure(figsize=(8, 6))
plt.imshow(np.sqrt(across**2 + down**2), cmap='gray')
plt.axis('off')
plt.title('Gradient')
plt.show()
# %% right: 32 bits
across, down = (cv2.Sobel(coins, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
plt.imshow(cv2.magnitude(across, down), cmap='viridis')
plt.colorbar(shrink=0.7)
plt.title('Gradient')
plt.show()
# %% wrong: of x alone
plt.imshow(np.abs(cv2.Sobel(coins, cv2.CV_64F, 1, 0)), cmap='inferno')
plt.axis('off')
plt.colorbar()
plt.title('Gradient')
plt.show()
# %% wrong, changed: sum of sizes, scaled
#- plt.figure(figsize=(4, 3))
#- plt.imshow(np.hypot(across, down), cmap='inferno')
plt.imshow(np.abs(across) + np.abs(down), cmap='inferno')
# %% wrong: the kernel of Laplace
plt.imshow(np.abs(cv2.Laplacian(coins, cv2.CV_64F)), cmap='inferno')
plt.axis('off')
plt.colorbar()
plt.title('Gradient')
plt.show()

# %% gold: distance to the edge
plt.figure(figsize=(4, 3))
plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
plt.axis('off')
plt.colorbar(shrink=0.7)
plt.title('Distance to the edge')
plt.show()
# %% right: by scipy
from scipy.ndimage import distance_transform_edt
plt.imshow(distance_transform_edt(canvas), cmap='jet')
plt.colorbar()
plt.title('Distance to the edge')
plt.show()
# %% right: without a bar
plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, 0), cmap='gray')
plt.axis('off')
plt.title('Distance to the edge')
plt.show()
# %% wrong, changed: another distance
#- plt.figure(figsize=(4, 3))
#- plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L1, 3), cmap='magma')
# %% wrong, changed: outside of the shapes
#- plt.figure(figsize=(4, 3))
#- plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
plt.imshow(cv2.distanceTransform(255 - canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
# %% wrong, changed: of eroded shapes
#- plt.figure(figsize=(4, 3))
#- plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
small = cv2.erode(canvas, np.ones((25, 25), np.uint8))
plt.imshow(cv2.distanceTransform(small, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
# %% wrong, changed: the shapes
#- plt.figure(figsize=(4, 3))
#- plt.imshow(cv2.distanceTransform(canvas, cv2.DIST_L2, cv2.DIST_MASK_PRECISE), cmap='magma')
plt.imshow(canvas, cmap='magma')

# %% gold: a photograph, smaller
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
plt.figure(figsize=(3, 2.25))
plt.imshow(small)
plt.axis('off')
plt.title('Coffee')
plt.show()
# %% right, changed: larger, with its axes
#- plt.figure(figsize=(3, 2.25))
plt.figure(figsize=(8, 6))
#- plt.axis('off')
# %% right, changed: values from 0 to 1
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
#- plt.figure(figsize=(3, 2.25))
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA) / 255
# %% wrong, changed: red and blue exchanged
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)[..., ::-1]
# %% wrong, changed: grey
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
small = cv2.cvtColor(cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
#- plt.imshow(small)
plt.imshow(small, cmap='gray')
# %% wrong, changed: the other photograph
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
small = cv2.resize(cat, (150, 100), interpolation=cv2.INTER_AREA)
# %% wrong, changed: mirrored
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)[:, ::-1]

# %% gold: a mask after a threshold
mask = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
plt.figure(figsize=(4, 3))
plt.imshow(mask, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('Coins')
plt.show()
# %% right: a mask of booleans
level = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0]
plt.imshow(coins > level, cmap='gray')
plt.axis('off')
plt.title('Coins')
plt.show()
# %% right: other colours for the same mask
level = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[0]
plt.figure(figsize=(7, 5))
plt.imshow(np.where(coins > level, 255, 0), cmap='viridis')
plt.title('Coins')
plt.show()
# %% wrong, changed: another level
#- mask = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
mask = np.where(coins > 170, 255, 0)
# %% wrong, changed: inverted
#- mask = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
mask = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)[1]
# %% wrong, changed: adaptive
#- mask = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)[1]
mask = cv2.adaptiveThreshold(coins, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 31, 5)

# %% gold: rectangles around places
shown = cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB)
for x, y in boxes:
    cv2.rectangle(shown, (x, y), (x + 47, y + 43), (255, 0, 0), 3)
plt.figure(figsize=(4, 3))
plt.imshow(shown)
plt.axis('off')
plt.title('Found')
plt.show()
# %% right: larger, on a dark figure
shown = cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB)
for x, y in boxes:
    cv2.rectangle(shown, (x, y), (x + 47, y + 43), (255, 0, 0), 3)
figure, axes = plt.subplots(figsize=(10, 8), facecolor='black')
axes.imshow(shown)
axes.set_axis_off()
axes.set_title('Found', color='white')
plt.show()
# %% wrong: without rectangles, in another image
shown = cv2.cvtColor(cv2.resize(coffee, coins.shape[::-1]), cv2.COLOR_RGB2GRAY)
plt.figure(figsize=(4, 3))
plt.imshow(shown, cmap='gray')
plt.axis('off')
plt.title('Found')
plt.show()
# %% wrong, changed: filled, on black
#- shown = cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB)
shown = np.zeros((*coins.shape, 3), np.uint8)
#- for x, y in boxes:
#-     cv2.rectangle(shown, (x, y), (x + 47, y + 43), (255, 0, 0), 3)
for x, y in boxes:
    cv2.rectangle(shown, (x, y), (x + 47, y + 43), (255, 0, 0), -1)
# %% wrong, changed: the whole turned
#- shown = cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB)
shown = cv2.rotate(cv2.cvtColor(coins, cv2.COLOR_GRAY2RGB), cv2.ROTATE_180)

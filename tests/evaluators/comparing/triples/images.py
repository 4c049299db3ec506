# %% setup
import cv2
from PIL import Image
rose = pd.read_csv('data/wind.csv').pivot(index='direction', columns='strength', values='frequency')
matrix = np.array([[41, 3, 1], [2, 18, 0], [0, 4, 31]])
names = ['Adelie', 'Chinstrap', 'Gentoo']
def words(title, x='', y=''):
    plt.title(title)
    plt.xlabel(x)
    plt.ylabel(y)
coffee = cv2.cvtColor(cv2.imread('data/coffee.png'), cv2.COLOR_BGR2RGB)
camera = np.array(Image.open('data/camera.png').convert('L'))
u, v = np.meshgrid(np.linspace(0, 4, 70), np.linspace(-1, 2, 60))
F = np.sin(u) * np.exp(-v * v) + 0.2 * u
coins = cv2.imread('data/coins.png', cv2.IMREAD_GRAYSCALE)
# %% gold: a confusion matrix with its counts
plt.figure(figsize=(4.5, 4))
plt.imshow(matrix, cmap='Oranges', alpha=0.6)
for row in range(3):
    for column in range(3):
        plt.text(column, row, matrix[row, column], ha='center', va='center', color='black')
plt.xticks(range(3), names)
plt.yticks(range(3), names)
words('Confusion', 'predicted', 'actual')
# %% right: without counts, with a bar
plt.imshow(matrix, cmap='gray')
plt.colorbar()
plt.xticks(range(3), names, rotation=45)
plt.yticks(range(3), names, rotation=45)
words('Confusion', 'predicted', 'actual')
# %% wrong, before: rows and columns exchanged
matrix = matrix.T
# %% gold: the wind table as a heat map, its directions from top to bottom
plt.imshow(rose)
plt.xticks(range(len(rose.columns)), rose.columns)
plt.yticks(range(len(rose)), rose.index)
# %% wrong: pcolor, from the bottom
plt.pcolor(rose)
plt.xticks(np.arange(len(rose.columns)) + 0.5, rose.columns)
plt.yticks(np.arange(len(rose)) + 0.5, rose.index)
# %% gold: a photograph, smaller
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
plt.figure(figsize=(3, 2.25))
plt.imshow(small)
plt.axis('off')
plt.title('Coffee')
# %% right, changed: values from 0 to 1
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
#- plt.figure(figsize=(3, 2.25))
small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA) / 255
# %% wrong, changed: grey
#- small = cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA)
small = cv2.cvtColor(cv2.resize(coffee, (150, 100), interpolation=cv2.INTER_AREA), cv2.COLOR_RGB2GRAY)
#- plt.imshow(small)
plt.imshow(small, cmap='gray')
# %% gold: Show the camera image in grey, flipped from left to right, without axes.
plt.imshow(camera[:, ::-1], cmap='gray')
plt.axis('off')
# %% wrong: in false colours
plt.imshow(camera[:, ::-1])
plt.axis('off')
# %% gold: Show the array F as an image in grey.
plt.imshow(F, cmap='gray')
plt.axis('off')
# %% wrong: the standard colours
plt.imshow(F)
plt.axis('off')
# %% wrong: dark for bright
plt.imshow(F, cmap='gray_r')
# %% gold: Binarise the grey image coins with Otsu's threshold (cv2.threshold, THRESH_BINARY: pixels above it white, the others black) and show the result as a black and white image titled 'Otsu threshold'.
_, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
plt.imshow(b, cmap='gray')
plt.title('Otsu threshold')
# %% right: boolean mask
t, _ = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
fig, ax = plt.subplots(figsize=(8, 6))
ax.imshow(coins > t, cmap='gray')
ax.set_title('Otsu threshold')
ax.axis('off')
# %% right: 0 and 1 instead of 0 and 255
_, m = cv2.threshold(coins, 0, 1, cv2.THRESH_OTSU)
plt.figure(figsize=(5, 4))
plt.imshow(m, cmap='binary_r', vmin=0, vmax=1)
plt.title('Otsu threshold')
plt.xticks([]), plt.yticks([])
# %% wrong, changed: inverted
#- _, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
_, b = cv2.threshold(coins, 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)

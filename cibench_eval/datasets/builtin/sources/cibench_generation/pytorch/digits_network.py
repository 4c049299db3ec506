# %% [markdown] kind="exec" modules="pandas & torch"
# Read `data/digits.csv` into a DataFrame; it has a column `label` and 64 columns of pixels, `pixel_0` to `pixel_63`, with values from 0 to 16, row by row of an image of 8 × 8.
# Make a `torch.float64` tensor `images` of shape (rows, 1, 8, 8) with the pixels divided by 16, and a `torch.int64` tensor `labels`.
#
# Thought: Dropping the label leaves the pixels, which reshape turns into images with one channel.

# %%
import pandas as pd
import torch

table = pd.read_csv('data/digits.csv')
pixels = table.drop(columns='label').to_numpy()
images = torch.tensor(pixels, dtype=torch.float64).reshape(-1, 1, 8, 8) / 16
labels = torch.tensor(table['label'].to_numpy(), dtype=torch.int64)

# %% [markdown] kind="num" modules="torch" answer="list[count]"
# Print the number of images of each digit from 0 to 9 on one line, separated by spaces.
#
# Thought: bincount counts small integers.

# %%
answer = torch.bincount(labels).tolist()
print(*answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Compute the mean image of each digit into a tensor `means` of shape (10, 8, 8), and show the ten in a grid of 2 rows and 5 columns, 0 to 4 above and 5 to 9 below, with `cmap='gray_r'`, each scaled to its own values (the default), with its digit as the title and without axes.
# Use figure size (5, 2.6) and call `plt.show()`.
#
# Thought: A mask by label selects the images of a digit.

# %%
import matplotlib.pyplot as plt

means = torch.stack([images[labels == digit].mean(dim=0)[0] for digit in range(10)])
figure, axes = plt.subplots(2, 5, figsize=(5, 2.6))
for digit, ax in enumerate(axes.flat):
    ax.imshow(means[digit], cmap='gray_r')
    ax.set_title(str(digit))
    ax.axis('off')
plt.show()

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# Which digits take the most ink? Print the ten digits as English words in lower case, from the greatest mean over all pixels of its mean image to the smallest, on one line, separated by `, `.
#
# Thought: Sort the digits by the mean of their mean image; a list of words translates them.

# %%
words = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
ink = means.mean(dim=(1, 2))
answer = [words[digit] for digit in ink.argsort(descending=True).tolist()]
print(', '.join(answer))

# %% [markdown] kind="num" modules="torch" answer="real(4)"
# The first 1200 images are the training set, the others the test set; keep them as `X_train`, `y_train`, `X_test` and `y_test`.
# As a baseline, assign each test image to the digit whose mean image over the training set (not that in `means`) is nearest by Euclidean distance of the 64 pixels.
# Print the share of test images assigned correctly, rounded to 4 decimal places.
#
# Thought: cdist between flattened images and the ten means, then argmin. The means come from the training images alone.

# %%
X_train, y_train, X_test, y_test = images[:1200], labels[:1200], images[1200:], labels[1200:]
centres = torch.stack([X_train[y_train == digit].mean(dim=0) for digit in range(10)])
nearest = torch.cdist(X_test.flatten(1), centres.flatten(1)).argmin(dim=1)
answer = round((nearest == y_test).float().mean().item(), 4)
print(answer)

# %% [markdown] kind="exec" modules="torch"
# Define a class `Net` derived from `torch.nn.Module` for such images, with three layers with weights, created in this order: `conv1`, a convolution from 1 to 8 channels, `conv2`, one from 8 to 16 channels, both with 3 × 3 kernels and padding 1, and `linear` from 64 values to 10.
# In `forward`, each convolution is followed by a ReLU and a 2 × 2 maximum pooling; the result is flattened and goes through `linear`.
# As a trial, make `trial = Net().double()`, set each of its parameters to `torch.linspace(-1, 1, n)` in its own shape, n being the number of its entries, and keep what it makes of the first three of `images` in `response`, a tensor without a gradient.
#
# Thought: Two poolings make 2 × 2 of 8 × 8, times 16 channels that is 64. Parameters are changed in place under no_grad.

# %%
from torch import nn
from torch.nn import functional as F


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.linear = nn.Linear(64, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.linear(x.flatten(1))


trial = Net().double()
with torch.no_grad():
    for parameter in trial.parameters():
        parameter.copy_(torch.linspace(-1, 1, parameter.numel()).reshape(parameter.shape))
    response = trial(images[:3])

# %% [markdown] kind="num" modules="torch" answer="list[count]"
# Print the number of trainable parameters of `conv1`, `conv2` and `linear` of a `Net()`, in this order, on one line, separated by spaces.
#
# Thought: Each layer has a weight and a bias, of which numel counts the entries.

# %%
layers = dict(Net().named_children())
answer = [sum(p.numel() for p in layers[name].parameters()) for name in ('conv1', 'conv2', 'linear')]
print(*answer)

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(3)"
# Call `torch.manual_seed(0)` and directly after it create `net = Net().double()` with the default initialization, whose weights are `torch.float64` then. Train it on the training set for 8 epochs with `torch.optim.Adam` (`lr=0.01`, otherwise defaults) and the cross-entropy, in batches of 60 images in the order of the training set, without shuffling.
# Append the loss of each batch to a list `losses`, and print the mean of the last 20 losses, rounded to 4 decimal places.
#
# Thought: Without shuffling, slicing makes the batches; 1200 images are 20 batches.

# %%
torch.manual_seed(0)
net = Net().double()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
losses = []
for _ in range(8):
    for start in range(0, 1200, 60):
        optimizer.zero_grad()
        loss = F.cross_entropy(net(X_train[start : start + 60]), y_train[start : start + 60])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
answer = round(sum(losses[-20:]) / 20, 4)
print(answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Draw `losses` against the number of the batch (1 to 160) as a line in `silver` with linewidth 1.5 and the label `batch`, and the mean loss of each epoch as a line in `red` with linewidth 2, marker `o` and the label `epoch`, each mean at the number of the epoch's last batch.
# Use figure size (5, 3.5), the title `Training loss`, the x label `batch`, the y label `cross-entropy` and a legend at the default place, and call `plt.show()`.
#
# Thought: The losses in the shape (8, 20) have one epoch in each row.

# %%
plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 161), losses, color='silver', linewidth=1.5, label='batch')
means_by_epoch = torch.tensor(losses).reshape(8, 20).mean(dim=1)
plt.plot(range(20, 161, 20), means_by_epoch, 'o-', color='red', linewidth=2, label='epoch')
plt.title('Training loss')
plt.xlabel('batch')
plt.ylabel('cross-entropy')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="[real(4), real(4)]"
# Compute the class probabilities of all test images with `net` (softmax of its outputs) into `probabilities`.
# Print the accuracy on the test set and the mean probability of the true digit, on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: gather picks the probability of the true digit from each row.

# %%
with torch.no_grad():
    probabilities = net(X_test).softmax(dim=1)
accuracy = (probabilities.argmax(dim=1) == y_test).float().mean().item()
true = probabilities.gather(1, y_test[:, None]).mean().item()
answer = [round(accuracy, 4), round(true, 4)]
print(*answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Make a tensor `confusion` of shape (10, 10) of the means of `probabilities` over the test images of each true digit (rows: true digit, columns: digit of the probability), set its diagonal to 0, and show it with `plt.imshow`, `cmap='Reds'` and a color bar.
# Use all digits as ticks of both axes, figure size (4, 3.4), the title `Mean probability of wrong digits`, the x label `digit` and the y label `true digit`, and call `plt.show()`.
#
# Thought: Without the diagonal, the colors show which digits the network mixes up.

# %%
confusion = torch.stack([probabilities[y_test == digit].mean(dim=0) for digit in range(10)])
confusion.fill_diagonal_(0)
plt.figure(figsize=(4, 3.4))
plt.imshow(confusion, cmap='Reds')
plt.colorbar()
plt.xticks(range(10))
plt.yticks(range(10))
plt.title('Mean probability of wrong digits')
plt.xlabel('digit')
plt.ylabel('true digit')
plt.show()

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# For which digit is each of the digits 0 to 8 most easily mistaken? Find the greatest entry of each of the rows 0 to 8 of `confusion`.
# Print the digits of their columns as English words in lower case, in the order of the rows, on one line, separated by `, `.
#
# Thought: argmax along the columns, translated by the list of words.

# %%
answer = [words[digit] for digit in confusion[:9].argmax(dim=1).tolist()]
print(', '.join(answer))

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="list[real(4)]"
# How robust is `net`? Print its accuracy on the test images shifted by one pixel to the right, then on those shifted by one pixel downwards, and then on those whose lower half (rows 4 to 7) is set to 0, on one line, separated by spaces, each rounded to 4 decimal places. The pixels shifted out are lost, those that become free are 0.
#
# Thought: Padding on one side and cutting on the other shifts an image; a clone keeps the originals.

# %%
right = F.pad(X_test, (1, 0))[..., :8]
down = F.pad(X_test, (0, 0, 1, 0))[:, :, :8]
covered = X_test.clone()
covered[:, :, 4:] = 0
with torch.no_grad():
    results = [(net(changed).argmax(dim=1) == y_test).float().mean().item() for changed in (right, down, covered)]
answer = [round(result, 4) for result in results]
print(*answer)

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(4)"
# Save the `state_dict` of `net` to the file `net.pt` and load it into a new `Net().double()` named `pruned`.
# In the weights of each of its three layers (not in the biases), set to 0 all entries whose absolute value is below the median of the absolute values of this layer's weights (`torch.quantile` with q = 0.5).
# Print the accuracy of `pruned` on the test set, rounded to 4 decimal places.
#
# Thought: Only the weights are masked, within torch.no_grad(); net itself stays unchanged.

# %%
torch.save(net.state_dict(), 'net.pt')
pruned = Net().double()
pruned.load_state_dict(torch.load('net.pt'))
with torch.no_grad():
    for layer in (pruned.conv1, pruned.conv2, pruned.linear):
        size = layer.weight.abs()
        layer.weight[size < torch.quantile(size, 0.5)] = 0
    answer = (pruned(X_test).argmax(dim=1) == y_test).float().mean().item()
print(round(answer, 4))

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Where does `net` look? For all test images together, compute the gradient of the sum of the cross-entropies (not their mean) with respect to the pixels, and the mean of its absolute value over the images for each pixel.
# Show this 8 × 8 map with `plt.imshow` and `cmap='viridis'`, with figure size (4, 3), the title `Sensitivity to the pixels` and a color bar, and call `plt.show()`.
#
# Thought: The sum makes each image's gradient independent of the number of images.

# %%
inputs = X_test.clone().requires_grad_()
F.cross_entropy(net(inputs), y_test, reduction='sum').backward()
plt.figure(figsize=(4, 3))
plt.imshow(inputs.grad.abs().mean(dim=(0, 1)), cmap='viridis')
plt.colorbar()
plt.title('Sensitivity to the pixels')
plt.show()

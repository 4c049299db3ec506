# %% [markdown] kind="exec" modules="re"
# Read the play `data/macbeth.txt` (UTF-8), turn it into lower case, replace every run of characters other than `a` to `z` by one space, and remove spaces at both ends. Keep the result as the string `text`.
#
# Thought: One regular expression replaces all that is no letter.

# %%
import re

with open('data/macbeth.txt', encoding='utf-8') as file:
    text = re.sub('[^a-z]+', ' ', file.read().lower()).strip()

# %% [markdown] kind="num" modules="torch" answer="[count, count]"
# Encode `text` as a one-dimensional `torch.int64` tensor `codes`: the space is 0, `a` is 1, …, `z` is 26.
# Print the number of characters and the number of words in `text`, on one line, separated by a space.
#
# Thought: The position in a string of all 27 characters is the code; words are separated by single spaces.

# %%
import torch

alphabet = ' abcdefghijklmnopqrstuvwxyz'
number = {character: code for code, character in enumerate(alphabet)}
codes = torch.tensor([number[character] for character in text])
answer = [len(codes), len(text.split())]
print(*answer)

# %% [markdown] kind="num" modules="torch" answer="list[real(4)]"
# Print the relative frequencies of the five most frequent characters (the space among them) in `text`, from the highest to the lowest, on one line, separated by spaces, each rounded to 4 decimal places.
#
# Thought: bincount gives the counts of the codes and topk the greatest.

# %%
frequency = torch.bincount(codes, minlength=27).double() / len(codes)
answer = [round(value, 4) for value in frequency.topk(5).values.tolist()]
print(*answer)

# %% [markdown] kind="exec" modules="torch"
# Make a `torch.float64` tensor `counts` of shape (27, 27): `counts[i, j]` is how often the character with the code `j` directly follows the one with the code `i`.
#
# Thought: 27 · i + j numbers the pairs, so that one bincount is enough.

# %%
counts = torch.bincount(27 * codes[:-1] + codes[1:], minlength=27 * 27).reshape(27, 27).double()

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Show `log(1 + counts)` with `plt.imshow` and `cmap='magma'`, first characters as rows and second ones as columns, with the letters `a` to `z` and `_` for the space as ticks of both axes, in font size 7.
# Use figure size (4, 3.8), the title `Pairs of characters`, the x label `second` and the y label `first`, and call `plt.show()`.
#
# Thought: The logarithm makes rare pairs visible beside frequent ones.

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(4, 3.8))
plt.imshow(torch.log1p(counts), cmap='magma')
plt.xticks(range(27), alphabet.replace(' ', '_'), fontsize=7)
plt.yticks(range(27), alphabet.replace(' ', '_'), fontsize=7)
plt.title('Pairs of characters')
plt.xlabel('second')
plt.ylabel('first')
plt.show()

# %% [markdown] kind="num" modules="torch" answer="[real(4), real(4)]"
# Print the entropy of the characters' relative frequencies, and the conditional entropy of a character given the one before it (as `counts` has them), both in bits, on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: The conditional entropy is the mean of −log2 P(second | first) over all pairs; pairs that never occur add 0.

# %%
seen = frequency[frequency > 0]
entropy = -(seen * seen.log2()).sum()
conditional = counts / counts.sum(dim=1, keepdim=True)
found = counts > 0
bits = -(counts[found] * conditional[found].log2()).sum() / counts.sum()
answer = [round(entropy.item(), 4), round(bits.item(), 4)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="collections" answer="list[text]"
# Let `common` be the list of the 60 most frequent words of at least six letters in `text`, the most frequent first, words of the same frequency in alphabetical order.
# Print the first ten of them on one line, separated by `, `.
#
# Thought: Counter counts the words; sorting by negative count and then by the word breaks ties.

# %%
from collections import Counter

frequencies = Counter(word for word in text.split() if len(word) >= 6)
common = sorted(frequencies, key=lambda word: (-frequencies[word], word))[:60]
answer = list(common[:10])
print(', '.join(answer))

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# Rate each word in `common` by the sum of log P(second | first) over its pairs of successive letters (without the spaces around it), divided by the number of these pairs, with the probabilities estimated from `counts`.
# Print the six words with the highest rating, the highest first, on one line, separated by `, `.
#
# Thought: The letters of a word index the table of log-probabilities pairwise.

# %%
logs = conditional.log()


def rating(word):
    letters = torch.tensor([number[letter] for letter in word])
    return logs[letters[:-1], letters[1:]].mean().item()


answer = sorted(common, key=rating, reverse=True)[:6]
print(', '.join(answer))

# %% [markdown] kind="num" modules="torch" answer="[count, real(4)]"
# Now let a neural network predict a character from the four before it. Make `contexts`, the `torch.int64` tensor of all runs of four successive codes that are followed by another character, in their order, and `targets` with the code that follows each.
# The first 80 % of the rows (their number rounded down) are the training set, the others the test set. Print the number of test rows and the share of test rows whose target is the space, rounded to 4 decimal places, on one line, separated by a space.
#
# Thought: unfold makes the runs; the last of them has no following character.

# %%
contexts = codes.unfold(0, 4, 1)[:-1]
targets = codes[4:]
split = int(0.8 * len(targets))
answer = [len(targets) - split, round((targets[split:] == 0).double().mean().item(), 4)]
print(*answer)

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(3)"
# Call `torch.manual_seed(5)` and directly after it create `embedding = nn.Embedding(27, 2)`, then `hidden = nn.Linear(8, 48)`, then `output = nn.Linear(48, 27)`, with their default initialization. The network is: embeddings of the four characters side by side, `hidden`, `tanh`, `output`.
# Train all three for 3 epochs on the training set with `torch.optim.Adam` (`lr=0.01`, otherwise defaults) and the cross-entropy, in batches of 256 rows in their order, without shuffling; the last batch of an epoch may be smaller. Keep the loss of each batch in the list `losses`.
# Print the mean of the last 50 losses, rounded to 3 decimal places.
#
# Thought: flatten(1) puts the four embeddings side by side.

# %%
from torch import nn

torch.manual_seed(5)
embedding, hidden, output = nn.Embedding(27, 2), nn.Linear(8, 48), nn.Linear(48, 27)
network = nn.Sequential(embedding, nn.Flatten(), hidden, nn.Tanh(), output)
optimizer = torch.optim.Adam(network.parameters(), lr=0.01)
losses = []
for _ in range(3):
    for start in range(0, split, 256):
        rows = slice(start, min(start + 256, split))
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(network(contexts[rows]), targets[rows])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
answer = round(sum(losses[-50:]) / 50, 3)
print(answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Smooth `losses` by the moving average over 20 successive values, only where the window fits entirely, and draw each mean against the number of the last batch in its window (20, 21, 22, …) as a line in `darkgreen` with linewidth 2.
# Use figure size (5, 3.5), the title `Learning to read`, the x label `batch` and the y label `cross-entropy`, and call `plt.show()`.
#
# Thought: unfold with step 1 makes the windows, and their means are the smoothed losses.

# %%
plt.figure(figsize=(5, 3.5))
plt.plot(range(20, len(losses) + 1), torch.tensor(losses).unfold(0, 20, 1).mean(dim=1), color='darkgreen', linewidth=2)
plt.title('Learning to read')
plt.xlabel('batch')
plt.ylabel('cross-entropy')
plt.show()

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="[real(3), real(3)]"
# Compare on the test set: print the mean cross-entropy in bits of the trained network, and that of predicting the target from the last character of its context alone, with the probabilities of pairs counted in the training rows (last character of the context, target), each of the 27 × 27 counts raised by 1.
# Print both on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: Dividing by log(2) turns nats into bits. The counts come from the training rows alone, and adding 1 avoids zero probabilities.

# %%
import math

with torch.no_grad():
    nats = nn.functional.cross_entropy(network(contexts[split:]), targets[split:]).item()
pairs = torch.bincount(27 * contexts[:split, -1] + targets[:split], minlength=27 * 27).reshape(27, 27).double() + 1
smoothed = (pairs / pairs.sum(dim=1, keepdim=True)).log2()
bigram = -smoothed[contexts[split:, -1], targets[split:]].mean().item()
answer = [round(nats / math.log(2), 3), round(bigram, 3)]
print(*answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Show what the network has learnt about letters: draw the two values of `embedding` for `a` to `z` (not for the space) as a scatter plot with `s=160`, first value as x and second as y, vowels (a, e, i, o, u) in `tomato` and the other letters in `lightblue`, and write each letter in the middle of its point.
# Use figure size (6.5, 5) and the title `Embedding of the letters`, and call `plt.show()`.
#
# Thought: The weights of the embedding are its vectors; row 0 is the space.

# %%
vectors = embedding.weight.detach()[1:]
letters = alphabet[1:]
plt.figure(figsize=(6.5, 5))
plt.scatter(vectors[:, 0], vectors[:, 1], s=160, c=['tomato' if letter in 'aeiou' else 'lightblue' for letter in letters])
for letter, (x, y) in zip(letters, vectors.tolist()):
    plt.text(x, y, letter, ha='center', va='center')
plt.title('Embedding of the letters')
plt.show()

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# Which words does the network read most easily? Put one space in front of a word; in this string, the network predicts every character that has four characters before it, from these four. The rating of the word is the mean of the log-probabilities of the characters predicted.
# Rate all words in `common`, and print the six words with the highest rating, the highest first, on one line, separated by `, `.
#
# Thought: With a space in front, runs of four characters predict the fourth, fifth, … letter.

# %%
log_probabilities = {}
with torch.no_grad():
    for word in common:
        letters = torch.tensor([number[character] for character in ' ' + word])
        outputs = network(letters.unfold(0, 4, 1)[:-1]).log_softmax(dim=1)
        log_probabilities[word] = outputs.gather(1, letters[4:, None]).mean().item()
answer = sorted(common, key=log_probabilities.get, reverse=True)[:6]
print(', '.join(answer))

# ---
# jupyter:
#   instances:
#     titanic: {file: titanic.csv, a: name, b: class, value: survived, cut: 1, high: survived, low: died}
#     reviews: {file: reviews.csv, a: product, b: text, value: stars, cut: 4, high: good, low: poor}
#   varied:
#     file: {table: 320}
#     a: {words: 26}
#     b: {words: 5}
#     value: {normal: [60, 9], digits: 1, by: b}
#     cut: {quantile_of: value, q: 0.55}
#     high: {pick: [high]}
#     low: {pick: [low]}
#   words:
#     curve_title: {en: Learning curve, cn: 学习曲线}
#     curve_x: {en: training documents, cn: 训练文档数}
#     curve_y: {en: test accuracy, cn: 测试集准确率}
#     histogram_title: {en: 'Probability of {{ high }}', cn: '预测为 {{ high }} 的概率'}
#     histogram_x: {en: probability, cn: 概率}
#     histogram_y: {en: documents, cn: 文档数}
# ---

# %% [markdown] kind="exec" modules="pandas & nltk"
# Load `data/{{ file }}` into a DataFrame named `table`. Each row is a document: join `{{ a }}` and `{{ b }}` by a space, lower-case the string, tokenize it with `nltk.word_tokenize` (the NLTK data needed are installed), and keep only the tokens of letters and digits (`str.isalnum`). Collect the documents, lists of tokens, in a list `documents`.
# Collect in a list `labels`, in the same order, the label `{{ high }}` for the rows {% if cut == 1 %}whose `{{ value }}` is 1{% else %}with a `{{ value }}` of at least {{ cut }}{% endif %} and the label `{{ low }}` for the others.
#
# Thought: Two list comprehensions over the rows; both lists keep the order of the table.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame。每一行构成一篇文档：将 `{{ a }}` 与 `{{ b }}` 以一个空格拼接，转为小写，用 `nltk.word_tokenize` 分词（所需的 NLTK 数据均已安装），只保留仅由字母或数字组成（`str.isalnum`）的词。各文档（词的列表）存入列表 `documents`。
# 再按同样的顺序建立列表 `labels`：`{{ value }}` {% if cut == 1 %}为 1{% else %}不小于 {{ cut }}{% endif %} 的行标签为 `{{ high }}`，其余为 `{{ low }}`。
#
# Thought: 对各行做两次列表推导，两个列表都保持表中的顺序。

# %%
import nltk
import pandas as pd

table = pd.read_csv('data/{{ file }}')
texts = table['{{ a }}'] + ' ' + table['{{ b }}']
documents = [[token for token in nltk.word_tokenize(text.lower()) if token.isalnum()] for text in texts]
labels = ['{{ high }}' if value >= {{ cut }} else '{{ low }}' for value in table['{{ value }}']]

# %% [markdown] kind="num" modules="nltk" answer="[count, count, real(3)]"
# Print the number of documents with the label `{{ high }}`, the number of different tokens in all documents, and the mean number of tokens per document, rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: A set over all documents holds the vocabulary.

# %% [markdown] lang="cn"
# 在同一行打印标签为 `{{ high }}` 的文档数、全部文档中不重复的词的个数，以及每篇文档的平均词数（保留 3 位小数），用空格分隔。
#
# Thought: 用集合汇总所有文档的词，得到词汇表。

# %%
vocabulary = {token for document in documents for token in document}
mean_length = sum(len(document) for document in documents) / len(documents)
answer = [labels.count('{{ high }}'), len(vocabulary), mean_length]
print(answer[0], answer[1], f'{answer[2]:.3f}')

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[list[text]]"
# Count for both labels in how many documents a token occurs (once per document), and divide by the number of documents with that label. The contrast of a token is its share for the label `{{ high }}` minus its share for `{{ low }}`, rounded to 6 decimal places.
# Print the 4 tokens of the greatest contrast, the greatest first, on one line, joined by `, `, and on a second line the 4 tokens of the lowest contrast, the lowest first. Tokens of the same contrast stand in the order in which Python sorts strings.
#
# Thought: A ConditionalFreqDist over pairs of label and token, with each document as a set, counts documents.

# %% [markdown] lang="cn"
# 对两个标签分别统计每个词出现在多少篇文档中（每篇只计一次），再除以该标签的文档数，得到比例。一个词的差异为它在标签 `{{ high }}` 下的比例减去在标签 `{{ low }}` 下的比例，保留 6 位小数。
# 在同一行打印差异最大的 4 个词（由大到小），用 `, ` 分隔；在第二行打印差异最小的 4 个词（由小到大）。差异相同的词按 Python 的字符串顺序升序排列。
#
# Thought: 把每篇文档变成集合，用（标签, 词）对建立 ConditionalFreqDist，统计的就是文档数。

# %%
pairs = [(label, token) for document, label in zip(documents, labels) for token in set(document)]
counts = nltk.ConditionalFreqDist(pairs)
high, low = (labels.count(label) for label in ('{{ high }}', '{{ low }}'))
contrast = {
    token: round(counts['{{ high }}'][token] / high - counts['{{ low }}'][token] / low, 6) for token in vocabulary
}
answer = [
    sorted(contrast, key=lambda token: (-contrast[token], token))[:4],
    sorted(contrast, key=lambda token: (contrast[token], token))[:4],
]
for row in answer:
    print(', '.join(row))

# %% [markdown] kind="num" modules="nltk" answer="list[real(4)]"
# Turn every document into a feature set that maps each of its tokens to `True`, and pair it with its label. The documents with an index divisible by 3 (0, 3, 6, …) are the test set `test`, the others, in their order, the training set `train`.
# Train `nltk.NaiveBayesClassifier` on `train`, name it `classifier`, and print its accuracy on `train` and on `test` on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: nltk.classify.accuracy takes the classifier and labelled feature sets.

# %% [markdown] lang="cn"
# 把每篇文档变成特征集（文档中的每个词对应 `True`），并与标签配对。序号能被 3 整除（0, 3, 6, …）的文档为测试集 `test`，其余按原顺序为训练集 `train`。
# 在 `train` 上训练 `nltk.NaiveBayesClassifier`，命名为 `classifier`，在同一行打印它在 `train` 和 `test` 上的准确率，各保留 4 位小数，用空格分隔。
#
# Thought: nltk.classify.accuracy 的参数是分类器和带标签的特征集。

# %%
labelled = [({token: True for token in document}, label) for document, label in zip(documents, labels)]
test = labelled[::3]
train = [pair for index, pair in enumerate(labelled) if index % 3]
classifier = nltk.NaiveBayesClassifier.train(train)
answer = [nltk.classify.accuracy(classifier, part) for part in (train, test)]
print(' '.join(f'{value:.4f}' for value in answer))

# %% [markdown] kind="num" modules="nltk" answer="list[real(4)]"
# For the label `{{ high }}`, print the precision, the recall and the F1 score of `classifier` on `test` on one line, each rounded to 4 decimal places, separated by spaces.
#
# Thought: Precision is over the documents predicted so, recall over those that are so.

# %% [markdown] lang="cn"
# 以 `{{ high }}` 为正类，在同一行打印 `classifier` 在 `test` 上的精确率、召回率和 F1 值，各保留 4 位小数，用空格分隔。
#
# Thought: 精确率以预测为正类的文档为分母，召回率以实际为正类的文档为分母。

# %%
from nltk.metrics import f_measure, precision, recall

actual = {index for index, (_, label) in enumerate(test) if label == '{{ high }}'}
guessed = {index for index, (features, _) in enumerate(test) if classifier.classify(features) == '{{ high }}'}
answer = [measure(actual, guessed) for measure in (precision, recall, f_measure)]
print(' '.join(f'{value:.4f}' for value in answer))

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[list[text]]"
# What has it learned? For every token that occurs in at least 5 training documents, ask `classifier.prob_classify` for the probability of the label `{{ high }}` for a document of this token alone, rounded to 6 decimal places.
# Print the 5 tokens with the highest probability, the highest first, on one line, joined by `, `, and on a second line the 5 with the lowest, the lowest first. Tokens of the same probability stand in the order in which Python sorts strings.
#
# Thought: The feature set {token: True} is a document of one token.

# %% [markdown] lang="cn"
# 查看分类器学到的内容：对至少出现在 5 篇训练文档中的每个词，用 `classifier.prob_classify` 求只含这一个词的文档属于标签 `{{ high }}` 的概率，保留 6 位小数。
# 在同一行打印概率最高的 5 个词（由高到低），用 `, ` 分隔；在第二行打印概率最低的 5 个词（由低到高）。概率相同的词按 Python 的字符串顺序升序排列。
#
# Thought: 特征集 {token: True} 就是只含一个词的文档。

# %%
frequency = nltk.FreqDist(token for features, _ in train for token in features)
probability = {
    token: round(classifier.prob_classify({token: True}).prob('{{ high }}'), 6)
    for token, count in frequency.items()
    if count >= 5
}
answer = [
    sorted(probability, key=lambda token: (-probability[token], token))[:5],
    sorted(probability, key=lambda token: (probability[token], token))[:5],
]
for row in answer:
    print(', '.join(row))

# %% [markdown] kind="vis" modules="nltk & matplotlib"
# Draw a histogram of the probability of the label `{{ high }}` that `classifier` gives to the documents of `test`: 10 bins over the range (0, 1), the documents with the label `{{ high }}` in `royalblue` and those with `{{ low }}` in `darkorange`, stacked in this order (`{{ high }}` at the bottom), with the labels as legend entries.
# Use figure size (5, 3.5), the title `{{ histogram_title }}`, the x label `{{ histogram_x }}`, the y label `{{ histogram_y }}` and a legend, and call `plt.show()`.
#
# Thought: plt.hist stacks a list of two samples with stacked=True.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画直方图，表示 `classifier` 预测 `test` 各文档属于标签 `{{ high }}` 的概率：(0, 1) 范围内 10 个等宽区间，标签为 `{{ high }}` 的文档为 `royalblue`，标签为 `{{ low }}` 的为 `darkorange`，按此顺序堆叠（`{{ high }}` 在下），图例标签为标签名。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ histogram_title }}`，横轴标签为 `{{ histogram_x }}`，纵轴标签为 `{{ histogram_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: plt.hist 接受两组数据的列表，设 stacked=True 即可堆叠。

# %%
import matplotlib.pyplot as plt

groups = {label: [] for label in ('{{ high }}', '{{ low }}')}
for features, label in test:
    groups[label].append(classifier.prob_classify(features).prob('{{ high }}'))
plt.figure(figsize=(5, 3.5))
plt.hist(
    list(groups.values()), bins=10, range=(0, 1), stacked=True, color=['royalblue', 'darkorange'], label=list(groups)
)
plt.title('{{ histogram_title }}')
plt.xlabel('{{ histogram_x }}')
plt.ylabel('{{ histogram_y }}')
plt.legend()
plt.show()

# %% [markdown] kind="vis" modules="nltk & matplotlib"
# How many documents does it take? For i = 1, 2, …, 10 train a new `nltk.NaiveBayesClassifier` on the first `len(train) * i // 10` documents of `train`. Plot the accuracies on `test` against these numbers of documents as one line in the color `crimson` with marker `o` and `linewidth=2`.
# Use figure size (5, 3.5), the title `{{ curve_title }}`, the x label `{{ curve_x }}` and the y label `{{ curve_y }}`, and call `plt.show()`.
#
# Thought: Each classifier starts from nothing; the last one is the classifier of before.

# %% [markdown] lang="cn"
# 观察训练文档数的影响：对 i = 1, 2, …, 10，用 `train` 的前 `len(train) * i // 10` 篇文档重新训练一个 `nltk.NaiveBayesClassifier`。以这些文档数为横轴，把 `test` 上的准确率画成一条折线，颜色 `crimson`，标记 `o`，`linewidth=2`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ curve_title }}`，横轴标签为 `{{ curve_x }}`，纵轴标签为 `{{ curve_y }}`，最后调用 `plt.show()`。
#
# Thought: 每个分类器都从头训练，最后一个与前面的分类器相同。

# %%
sizes = [len(train) * i // 10 for i in range(1, 11)]
accuracies = [nltk.classify.accuracy(nltk.NaiveBayesClassifier.train(train[:size]), test) for size in sizes]
plt.figure(figsize=(5, 3.5))
plt.plot(sizes, accuracies, color='crimson', marker='o', linewidth=2)
plt.title('{{ curve_title }}')
plt.xlabel('{{ curve_x }}')
plt.ylabel('{{ curve_y }}')
plt.show()

# ---
# jupyter:
#   instances:
#     hamlet: {file: hamlet.txt, markup: true, least: 4}
#     macbeth: {file: macbeth.txt, markup: true, least: 3}
#   varied:
#     file: {prose: 160}
#     markup: {pick: [false]}
#     least: {pick: [2]}
#   words:
#     bars_title: {en: Ten most frequent words, cn: 出现次数最多的十个词}
#     bars_x: {en: occurrences, cn: 出现次数}
#     growth_title: {en: Growth of the vocabulary, cn: 词汇量的增长}
#     growth_x: {en: words read, cn: 已读词数}
#     all_words: {en: all words, cn: 全部词}
#     long_words: {en: at least 7 letters, cn: 至少 7 个字母}
#     growth_y: {en: different words, cn: 不重复的词数}
# ---

# %% [markdown] kind="exec" modules="re & nltk"
# Read the file `data/{{ file }}` (UTF-8) into a string `text`{% if markup %} and remove headings, speakers and stage directions from it: replace every match of the regular expression `^#.*$|\*\*.*?\*\*|_[^_]*_` (flag `re.MULTILINE`) in `text` by a space{% endif %}.
# Tokenize `text` with `nltk.word_tokenize` (the NLTK data needed are installed), keep the tokens that consist of letters only (`str.isalpha`), and collect them, then lower-cased, in their order in a list `words`.
#
# Thought: {% if markup %}The expression has to be applied before tokenizing. {% endif %}isalpha drops punctuation, numbers and contractions such as 's.

# %% [markdown] lang="cn"
# 将文件 `data/{{ file }}`（UTF-8）读入字符串 `text`{% if markup %}，并删去其中的标题、人物名和舞台说明：把 `text` 中正则表达式 `^#.*$|\*\*.*?\*\*|_[^_]*_`（标志 `re.MULTILINE`）的每处匹配替换为一个空格{% endif %}。
# 用 `nltk.word_tokenize` 对 `text` 分词（所需的 NLTK 数据均已安装），保留只由字母组成（`str.isalpha`）的词，再转为小写，按原顺序存入列表 `words`。
#
# Thought: {% if markup %}先用正则表达式清理，再分词。{% endif %}isalpha 会去掉标点、数字以及 's 之类的缩写。

# %%
{% if markup %}import re

{% endif %}import nltk

with open('data/{{ file }}', encoding='utf-8') as file:
    text = {% if markup %}re.sub(r'^#.*$|\*\*.*?\*\*|_[^_]*_', ' ', file.read(), flags=re.MULTILINE){% else %}file.read(){% endif %}

words = [token.lower() for token in nltk.word_tokenize(text) if token.isalpha()]

# %% [markdown] kind="num" modules="nltk" answer="[count, count, real(4)]"
# Print the number of words in `words`, the number of different words, and the share of words in `words` that are English stop words (`nltk.corpus.stopwords`), as a fraction, rounded to 4 decimal places, on one line, separated by spaces.
#
# Thought: A set of the stop words makes the look-up fast.

# %% [markdown] lang="cn"
# 在同一行打印 `words` 的词数、不重复的词数，以及 `words` 中英文停用词（`nltk.corpus.stopwords`）所占的比例（小数形式，保留 4 位小数），用空格分隔。
#
# Thought: 把停用词放进集合，查找更快。

# %%
from nltk.corpus import stopwords

stops = set(stopwords.words('english'))
answer = [len(words), len(set(words)), sum((word in stops for word in words)) / len(words)]
print(answer[0], answer[1], f'{answer[2]:.4f}')

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[text]"
# Let `content` be the words of `words` that are not stop words and have at least 4 letters, and `counts` the `nltk.FreqDist` of `content`.
# Print the 10 most frequent words from the most frequent down, equally frequent ones in alphabetical order, on one line, joined by `, `.
#
# Thought: most_common leaves ties in order of appearance, so sort by negative count and then by word.

# %% [markdown] lang="cn"
# 令 `content` 为 `words` 中不是停用词且长度不小于 4 的词，`counts` 为 `content` 的 `nltk.FreqDist`。
# 按出现次数从多到少（次数相同按字母顺序），在同一行打印出现最多的 10 个词，用 `, ` 分隔。
#
# Thought: most_common 对并列的词按出现先后排列，因此要按次数的相反数和词本身排序。

# %%
content = [word for word in words if word not in stops and len(word) >= 4]
counts = nltk.FreqDist(content)
top = sorted(counts, key=lambda word: (-counts[word], word))[:10]
answer = list(top)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="nltk & matplotlib"
# Draw these 10 words as a horizontal bar chart of their counts, the most frequent word at the top, in the color `steelblue`.
# Use figure size (5, 3.5), the title `{{ bars_title }}` and the x label `{{ bars_x }}`, and call `plt.show()`.
#
# Thought: barh draws from the bottom up, so the order has to be reversed.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 把这 10 个词的出现次数画成水平条形图，次数最多的词在最上面，颜色为 `steelblue`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ bars_title }}`，横轴标签为 `{{ bars_x }}`，最后调用 `plt.show()`。
#
# Thought: barh 自下而上绘制，因此要把顺序倒过来。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.barh(top[::-1], [counts[word] for word in top[::-1]], color='steelblue')
plt.title('{{ bars_title }}')
plt.xlabel('{{ bars_x }}')
plt.show()

# %% [markdown] kind="num" modules="nltk" answer="[count, count, real(3)]"
# How many words does stemming merge? Stem every different word of `content` with `nltk.PorterStemmer`.
# Print the number of different words of `content`, the number of different stems, and the mean length of the different stems in letters, rounded to 3 decimal places, on one line, separated by spaces.
#
# Thought: A set of stems keeps each of them once.

# %% [markdown] lang="cn"
# 观察词干提取合并了多少词：用 `nltk.PorterStemmer` 对 `content` 去重后的每个词提取词干。
# 在同一行打印 `content` 不重复的词数、不重复的词干数，以及这些词干的平均字母数（保留 3 位小数），用空格分隔。
#
# Thought: 用集合存放词干，每个词干只保留一次。

# %%
stemmer = nltk.PorterStemmer()
stems = {stemmer.stem(word) for word in counts}
answer = [len(counts), len(stems), sum((len(stem) for stem in stems)) / len(stems)]
print(answer[0], answer[1], f'{answer[2]:.3f}')

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[text]"
# Find pairs of neighbours in `content` that belong together: with `nltk.collocations.BigramCollocationFinder.from_words` on `content` and `nltk.collocations.BigramAssocMeasures`, drop the pairs that occur fewer than {{ least }} times, and score the rest by `likelihood_ratio`.
# Print the 8 pairs of the highest score, one per line, the two words separated by a space; pairs of the same score (rounded to 6 decimal places) in alphabetical order.
#
# Thought: apply_freq_filter drops rare pairs; score_ngrams gives pairs with their scores.

# %% [markdown] lang="cn"
# 在 `content` 的相邻词中找出搭配：对 `content` 使用 `nltk.collocations.BigramCollocationFinder.from_words` 和 `nltk.collocations.BigramAssocMeasures`，去掉出现少于 {{ least }} 次的词对，其余按 `likelihood_ratio` 评分。
# 每行打印一个词对，共打印得分最高的 8 个，两个词之间用空格分隔；得分（保留 6 位小数）相同的按字母顺序。
#
# Thought: apply_freq_filter 去掉低频词对；score_ngrams 给出词对及其得分。

# %%
from nltk.collocations import BigramAssocMeasures, BigramCollocationFinder

finder = BigramCollocationFinder.from_words(content)
finder.apply_freq_filter({{ least }})
scored = finder.score_ngrams(BigramAssocMeasures.likelihood_ratio)
answer = [' '.join(pair) for pair, _ in sorted(scored, key=lambda item: (-round(item[1], 6), item[0]))[:8]]
print(*answer, sep='\n')

# %% [markdown] kind="vis" modules="nltk & matplotlib"
# Show how the vocabulary grows: for n = 1, 2, …, the number of words in `words`, plot the number of different words among the first n words of `words` against n, as a line in the color `purple` with `linewidth=2`.
# Add a second line in the color `orange` with `linewidth=2` that counts only the different words of at least 7 letters. Label the lines `{{ all_words }}` and `{{ long_words }}`.
# Use figure size (6.5, 3.5), the title `{{ growth_title }}`, the x label `{{ growth_x }}`, the y label `{{ growth_y }}` and a legend, and call `plt.show()`.
#
# Thought: One pass with a set of the words seen so far, appending its size after each word.

# %% [markdown] lang="cn"
# 展示词汇量如何增长：对 n = 1, 2, …，直到 `words` 的词数，以 n 为横轴，画出 `words` 前 n 个词中不重复的词数，颜色 `purple`，`linewidth=2`。
# 再画一条颜色为 `orange`、`linewidth=2` 的线，只统计其中长度不小于 7 的词。两条线的图例标签分别为 `{{ all_words }}` 和 `{{ long_words }}`。
# 画布大小为 `figsize=(6.5, 3.5)`，标题为 `{{ growth_title }}`，横轴标签为 `{{ growth_x }}`，纵轴标签为 `{{ growth_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 遍历一遍，用集合记录已经见过的词，每读一个词记下集合的大小。

# %%
seen, long_seen = set(), set()
sizes, long_sizes = [], []
for word in words:
    seen.add(word)
    if len(word) >= 7:
        long_seen.add(word)
    sizes.append(len(seen))
    long_sizes.append(len(long_seen))
plt.figure(figsize=(6.5, 3.5))
plt.plot(range(1, len(words) + 1), sizes, color='purple', linewidth=2, label='{{ all_words }}')
plt.plot(range(1, len(words) + 1), long_sizes, color='orange', linewidth=2, label='{{ long_words }}')
plt.title('{{ growth_title }}')
plt.xlabel('{{ growth_x }}')
plt.ylabel('{{ growth_y }}')
plt.legend()
plt.show()

# ---
# jupyter:
#   instances:
#     hamlet: {file: hamlet.txt, act: '## ACT III', end: '## ACT IV'}
#     macbeth: {file: macbeth.txt, act: '## ACT I', end: '## ACT II'}
#   varied:
#     file: {prose: 180}
#     act: {pick: ['']}
#     end: {pick: ['']}
#   words:
#     course_title: {en: Tone through the passage, cn: 选段的情感走势}
#     course_x: {en: part, cn: 分段序号}
#     course_y: {en: mean compound score, cn: 平均 compound 得分}
#     tags_title: {en: Parts of speech by tone, cn: 积极句与消极句的词性构成}
#     tags_y: {en: share of the words, cn: 占全部单词的比例}
#     positive: {en: positive, cn: 积极}
#     negative: {en: negative, cn: 消极}
#     noun: {en: noun, cn: 名词}
#     verb: {en: verb, cn: 动词}
#     adjective: {en: adjective, cn: 形容词}
#     adverb: {en: adverb, cn: 副词}
# ---

# %% [markdown] kind="exec" modules="re & nltk"
# Read the file `data/{{ file }}` (UTF-8){% if act %} and keep the text between its line `{{ act }}` and its line `{{ end }}`. In it, replace every match of the regular expression `^#.*$|\*\*.*?\*\*|_[^_]*_` (flag `re.MULTILINE`) by a space; this removes headings, speakers and stage directions{% endif %}.
# Then replace every run of white space by one space and strip both ends, which gives a string `text`. Split it with `nltk.sent_tokenize` (the NLTK data needed are installed) into a list `sentences`, and tokenize each sentence with `nltk.word_tokenize` into a list of lists `tokens`.
#
# Thought: Joining the result of split() by spaces takes out line ends and double spaces at once.

# %% [markdown] lang="cn"
# 读取文件 `data/{{ file }}`（UTF-8）{% if act %}，取出 `{{ act }}` 一行与 `{{ end }}` 一行之间的文本，并把其中正则表达式 `^#.*$|\*\*.*?\*\*|_[^_]*_`（标志 `re.MULTILINE`）的每处匹配替换为一个空格，以去掉标题、人物名和舞台说明{% endif %}。
# 然后将连续的空白字符替换为一个空格并去掉首尾空白，得到字符串 `text`。用 `nltk.sent_tokenize`（所需的 NLTK 数据均已安装）把它切分为句子列表 `sentences`，再用 `nltk.word_tokenize` 对每个句子分词，得到列表的列表 `tokens`。
#
# Thought: 用空格连接 split() 的结果，可同时去掉换行和多余的空格。

# %%
{% if act %}import re

{% endif %}import nltk

with open('data/{{ file }}', encoding='utf-8') as file:
    text = file.read()
{% if act %}text = text.split('\n{{ act }}\n')[1].split('\n{{ end }}\n')[0]
text = re.sub(r'^#.*$|\*\*.*?\*\*|_[^_]*_', ' ', text, flags=re.MULTILINE)
{% endif %}text = ' '.join(text.split())
sentences = nltk.sent_tokenize(text)
tokens = [nltk.word_tokenize(sentence) for sentence in sentences]

# %% [markdown] kind="num" modules="nltk" answer="[count, real(3), count]"
# Print the number of sentences, the mean number of tokens per sentence, rounded to 3 decimal places, and the number of tokens of the longest sentence, on one line, separated by spaces.
#
# Thought: The lengths of the inner lists answer all three.

# %% [markdown] lang="cn"
# 在同一行打印句子数、每句的平均 token 数（保留 3 位小数）以及最长句子的 token 数，用空格分隔。
#
# Thought: 由内层列表的长度即可得到这三个值。

# %%
lengths = [len(sentence) for sentence in tokens]
answer = [len(lengths), sum(lengths) / len(lengths), max(lengths)]
print(answer[0], f'{answer[1]:.3f}', answer[2])

# %% [markdown] kind="num" modules="nltk" answer="[count, count, real(4)]"
# Score each of the `sentences` with VADER (`from nltk.sentiment import SentimentIntensityAnalyzer`) and keep the `compound` values in a list `scores`. A sentence is positive from 0.05 up and negative from -0.05 down.
# Print the number of positive sentences, the number of negative sentences, and the mean of `scores`, rounded to 4 decimal places, on one line, separated by spaces.
#
# Thought: polarity_scores wants the sentence as it was written, because capitals and marks count.

# %% [markdown] lang="cn"
# 用 VADER（`from nltk.sentiment import SentimentIntensityAnalyzer`）为 `sentences` 的每个句子打分，将 `compound` 值存入列表 `scores`。不低于 0.05 的为积极句，不高于 -0.05 的为消极句。
# 在同一行打印积极句数、消极句数和 `scores` 的均值（保留 4 位小数），用空格分隔。
#
# Thought: 大小写和标点都影响得分，所以 polarity_scores 要用原句。

# %%
from nltk.sentiment import SentimentIntensityAnalyzer

analyzer = SentimentIntensityAnalyzer()
scores = [analyzer.polarity_scores(sentence)['compound'] for sentence in sentences]
answer = [
    sum(score >= 0.05 for score in scores),
    sum(score <= -0.05 for score in scores),
    sum(scores) / len(scores),
]
print(answer[0], answer[1], f'{answer[2]:.4f}')

# %% [markdown] kind="text" modules="nltk" answer="list[text]"
# Among the sentences of at most 20 tokens, print the one with the highest `compound` value and, on the next line, the one with the lowest; of several with the same value the first in the text.
#
# Thought: max and min return the first of equal candidates, so the order of the text decides ties.

# %% [markdown] lang="cn"
# 在不超过 20 个 token 的句子中，先打印 `compound` 值最高的句子，再在下一行打印 `compound` 值最低的句子；值相同时取文中最先出现的。
#
# Thought: 并列时 max 和 min 返回最先遇到的元素，因此由文中的顺序决定。

# %%
short = [number for number, sentence in enumerate(tokens) if len(sentence) <= 20]
answer = [sentences[choose(short, key=lambda number: scores[number])] for choose in (max, min)]
print(*answer, sep='\n')

# %% [markdown] kind="vis" modules="numpy & matplotlib"
# Divide `scores`, in the order of the text, into 12 parts with `numpy.array_split`, and draw the mean `compound` value of the parts 1 to 12 as a bar chart, bars in `seagreen` where the mean is at least 0 and in `indianred` where it is below.
# Use figure size (5, 3.5), the ticks 1, 2, …, 12 on the x axis, the title `{{ course_title }}`, the x label `{{ course_x }}` and the y label `{{ course_y }}`, and call `plt.show()`.
#
# Thought: array_split makes parts of nearly the same length; the sign of the mean chooses the color.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `numpy.array_split` 将 `scores` 按文中顺序分成 12 段，把第 1 到 12 段的 `compound` 均值画成柱状图：均值不小于 0 的柱子用 `seagreen`，小于 0 的用 `indianred`。
# 画布大小为 `figsize=(5, 3.5)`，横轴刻度为 1, 2, …, 12，标题为 `{{ course_title }}`，横轴标签为 `{{ course_x }}`，纵轴标签为 `{{ course_y }}`，最后调用 `plt.show()`。
#
# Thought: array_split 分出的各段长度几乎相等；颜色由均值的正负决定。

# %%
import matplotlib.pyplot as plt
import numpy as np

means = [part.mean() for part in np.array_split(scores, 12)]
plt.figure(figsize=(5, 3.5))
plt.bar(range(1, 13), means, color=['seagreen' if mean >= 0 else 'indianred' for mean in means])
plt.xticks(range(1, 13))
plt.title('{{ course_title }}')
plt.xlabel('{{ course_x }}')
plt.ylabel('{{ course_y }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[list[text]]"
# Tag the tokens of each sentence with `nltk.pos_tag` into a list of lists `tagged`. Count, in the positive sentences, the lower-cased tokens that are tagged `JJ` (as the tagger has it, right or wrong) and consist of letters only, without `thou`, `thee`, `thy`, `thine` and `ye`, which the tagger does not know. Print the 6 most frequent on one line, the most frequent first, joined by `, `.
# Print the same for the negative sentences on a second line. Words of the same count stand in alphabetical order.
#
# Thought: Tag whole sentences, for the tagger looks at neighbouring words; two counters hold the words tagged `JJ`.

# %% [markdown] lang="cn"
# 用 `nltk.pos_tag` 逐句标注词性，得到列表的列表 `tagged`。在积极句中统计标注为 `JJ`（以标注器的结果为准，不论对错）且只由字母组成的词（转为小写），不计标注器不认识的 `thou`、`thee`、`thy`、`thine` 和 `ye`。在同一行按次数从多到少打印出现最多的 6 个，用 `, ` 分隔。
# 在第二行打印消极句的统计结果，格式相同。次数相同的词按字母顺序排列。
#
# Thought: 标注器会参考相邻的词，所以要整句标注；用两个计数器分别统计标注为 `JJ` 的词。

# %%
from collections import Counter

tagged = [nltk.pos_tag(sentence) for sentence in tokens]
pronouns = {'thou', 'thee', 'thy', 'thine', 'ye'}
adjectives = {'positive': Counter(), 'negative': Counter()}
for pairs, score in zip(tagged, scores):
    found = [token.lower() for token, tag in pairs if tag == 'JJ' and token.isalpha()]
    found = [word for word in found if word not in pronouns]
    if score >= 0.05:
        adjectives['positive'].update(found)
    elif score <= -0.05:
        adjectives['negative'].update(found)
answer = [sorted(counter, key=lambda word: (-counter[word], word))[:6] for counter in adjectives.values()]
for names in answer:
    print(', '.join(names))

# %% [markdown] kind="vis" modules="nltk & matplotlib"
# Compare the parts of speech of positive and negative sentences. Of the tokens that consist of letters only, take the shares whose tag begins with `NN`, `VB`, `JJ` and `RB`, once over all positive and once over all negative sentences.
# Draw the shares as grouped bars of width 0.4 over the positions 0, 1, 2, 3: positive ones shifted by -0.2 in `seagreen`, negative ones by +0.2 in `indianred`, with the legend entries `{{ positive }}` and `{{ negative }}`. Label the x ticks 0 to 3 `{{ noun }}`, `{{ verb }}`, `{{ adjective }}` and `{{ adverb }}`.
# Use figure size (5, 3.5), the title `{{ tags_title }}`, the y label `{{ tags_y }}` and a legend, and call `plt.show()`.
#
# Thought: The first two letters of a Penn tag name the part of speech; all words of a group are the denominator.

# %% [markdown] lang="cn"
# 比较积极句与消极句的词性构成。在只由字母组成的词中，计算词性标记以 `NN`、`VB`、`JJ`、`RB` 开头的词各占多大比例，全部积极句和全部消极句分别计算。
# 把这些比例画成分组柱状图，位置为 0, 1, 2, 3，柱宽 0.4：积极句偏移 -0.2，颜色 `seagreen`；消极句偏移 +0.2，颜色 `indianred`；图例标签分别为 `{{ positive }}` 和 `{{ negative }}`。横轴刻度 0 到 3 依次标为 `{{ noun }}`、`{{ verb }}`、`{{ adjective }}`、`{{ adverb }}`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ tags_title }}`，纵轴标签为 `{{ tags_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 宾州树库标记的前两个字母表示词性；分母是该组的全部单词。

# %%
def shares(groups):
    tags = [tag[:2] for pairs in groups for token, tag in pairs if token.isalpha()]
    return [tags.count(tag) / len(tags) for tag in ('NN', 'VB', 'JJ', 'RB')]


above = [pairs for pairs, score in zip(tagged, scores) if score >= 0.05]
below = [pairs for pairs, score in zip(tagged, scores) if score <= -0.05]
positions = np.arange(4)
plt.figure(figsize=(5, 3.5))
plt.bar(positions - 0.2, shares(above), width=0.4, color='seagreen', label='{{ positive }}')
plt.bar(positions + 0.2, shares(below), width=0.4, color='indianred', label='{{ negative }}')
plt.xticks(positions, ['{{ noun }}', '{{ verb }}', '{{ adjective }}', '{{ adverb }}'])
plt.title('{{ tags_title }}')
plt.ylabel('{{ tags_y }}')
plt.legend()
plt.show()

# %% [markdown] kind="text" list="true" modules="nltk" answer="list[text]"
# What are the nouns about? Lower-case the tokens in `tagged` whose tag is `NN` or `NNS` and that consist of letters only, and lemmatize them with `nltk.WordNetLemmatizer` and `pos='n'`. Take every different lemma once; if WordNet has noun synsets for it, the first of them (`nltk.corpus.wordnet.synsets(lemma, pos='n')`) gives its semantic category by `lexname()`.
# Count the lemmas of each category and print the 6 categories with the most lemmas on one line, without the prefix `noun.`, joined by `, `; categories of the same count in alphabetical order.
#
# Thought: A set of lemmas counts each once; the lexicographer file of a synset is a coarse category.

# %% [markdown] lang="cn"
# 统计名词的语义类别：将 `tagged` 中标记为 `NN` 或 `NNS`、只由字母组成的词转为小写，用 `nltk.WordNetLemmatizer` 以 `pos='n'` 做词形还原。相同的词元（lemma）只取一次；若 WordNet 中有它的名词同义词集，则以第一个（`nltk.corpus.wordnet.synsets(lemma, pos='n')`）的 `lexname()` 作为它的语义类别。
# 统计各类别的词元个数，在同一行打印个数最多的 6 个类别，去掉前缀 `noun.`，用 `, ` 分隔；个数相同的按字母顺序排列。
#
# Thought: 用集合保证每个词元只计一次；同义词集所属的词典编纂文件名就是粗略的语义类别。

# %%
from nltk.corpus import wordnet

lemmatizer = nltk.WordNetLemmatizer()
lemmas = {
    lemmatizer.lemmatize(token.lower(), pos='n')
    for pairs in tagged
    for token, tag in pairs
    if tag in ('NN', 'NNS') and token.isalpha()
}
categories = Counter()
for lemma in lemmas:
    synsets = wordnet.synsets(lemma, pos='n')
    if synsets:
        categories[synsets[0].lexname().replace('noun.', '')] += 1
answer = sorted(categories, key=lambda category: (-categories[category], category))[:6]
print(', '.join(answer))

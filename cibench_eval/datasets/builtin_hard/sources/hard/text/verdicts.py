# ---
# jupyter:
#   instances:
#     kettles: {seed: 12, things: lid handle spout cord base switch, writers: 56, turned: 0.5}
#     lamps: {seed: 70, things: arm foot shade cable dimmer clamp, writers: 62, turned: 0.52}
#   varied:
#     seed: {between: [1, 1000000]}
#     things: {pick: [seat saddle pedal bell frame basket, blade grip sheath guard hinge tip, dial strap glass clasp case crown]}
#     writers: {between: [52, 64]}
#     turned: {pick: [0.48, 0.5, 0.52]}
#   words:
#     title: {en: Liked by score, cn: 各得分的好评比例}
#     x_label: {en: score, cn: 得分}
#     y_label: {en: percent, cn: 百分比}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Two shops have put their reviews into `{{ data }}/reviews.csv`. What is in the file is said in `{{ data }}/notes.txt`.
# Make a DataFrame `reviews` with one row for each review that has a rating, reprints left out. Its columns are `id`, `writer`, `day` (text `YYYY-MM-DD`), `liked` (boolean) and `text` (with the codes of HTML turned into characters). Sort it by `day`, and by `id` within a day, and number its rows from 0.
#
# Thought: The two scales run in opposite directions, and reprints are found by their words only once both texts are written alike.

# %% [markdown] lang="cn"
# 两家商店把评论放在 `{{ data }}/reviews.csv` 中，文件内容的说明见 `{{ data }}/notes.txt`。
# 生成名为 `reviews` 的 DataFrame，每条有评分的评论占一行，不含转载。列为 `id`、`writer`、`day`（文本 `YYYY-MM-DD`）、`liked`（布尔值）和 `text`（HTML 代码已转换为字符）。先按 `day`、同一天内按 `id` 排序，行号从 0 开始。
#
# Thought: 两种评分的方向相反；只有把两处文本统一写法后，才能按词找出转载。

# %%
import html
import re

import pandas as pd


def words_of(text):
    return re.findall("[a-z']+", re.sub(r'\[[^\]]*\]\s*$', '', text).lower().replace('\u2019', "'"))


reviews = pd.read_csv('{{ data }}/reviews.csv')
reviews = reviews[reviews['rating'] != 0]
west = reviews['shop'] == 'west'
reviews['liked'] = (west & (reviews['rating'] >= 4)) | (~west & (reviews['rating'] <= 2))
reviews['text'] = reviews['text'].map(html.unescape)
nord = pd.to_datetime(reviews.loc[~west, 'day'], format='%d.%m.%Y')
reviews['day'] = pd.concat([pd.to_datetime(reviews.loc[west, 'day'], format='%Y-%m-%d'), nord]).dt.strftime('%Y-%m-%d')
reviews['key'] = reviews['text'].map(words_of).str.join(' ')
reviews = reviews.sort_values(['day', 'id']).drop_duplicates('key')
reviews = reviews[['id', 'writer', 'day', 'liked', 'text']].reset_index(drop=True)

# %% naive="careless" trap="reprints in another case and punctuation are taken for further reviews"
import html
import re

import pandas as pd


def words_of(text):
    return re.findall("[a-z']+", re.sub(r'\[[^\]]*\]\s*$', '', text).lower().replace('\u2019', "'"))


reviews = pd.read_csv('{{ data }}/reviews.csv')
reviews = reviews[reviews['rating'] != 0]
west = reviews['shop'] == 'west'
reviews['liked'] = (west & (reviews['rating'] >= 4)) | (~west & (reviews['rating'] <= 2))
reviews['text'] = reviews['text'].map(html.unescape)
nord = pd.to_datetime(reviews.loc[~west, 'day'], format='%d.%m.%Y')
reviews['day'] = pd.concat([pd.to_datetime(reviews.loc[west, 'day'], format='%Y-%m-%d'), nord]).dt.strftime('%Y-%m-%d')
reviews = reviews.sort_values(['day', 'id']).drop_duplicates('text')
reviews = reviews[['id', 'writer', 'day', 'liked', 'text']].reset_index(drop=True)

# %% naive="literal" trap="the first row of the file counts, which may be the reprint"
import html
import re

import pandas as pd


def words_of(text):
    return re.findall("[a-z']+", re.sub(r'\[[^\]]*\]\s*$', '', text).lower().replace('\u2019', "'"))


reviews = pd.read_csv('{{ data }}/reviews.csv')
reviews = reviews[reviews['rating'] != 0]
west = reviews['shop'] == 'west'
reviews['liked'] = (west & (reviews['rating'] >= 4)) | (~west & (reviews['rating'] <= 2))
reviews['text'] = reviews['text'].map(html.unescape)
reviews['key'] = reviews['text'].map(words_of).str.join(' ')
reviews = reviews.drop_duplicates('key')
west = reviews['shop'] == 'west'
nord = pd.to_datetime(reviews.loc[~west, 'day'], format='%d.%m.%Y')
reviews['day'] = pd.concat([pd.to_datetime(reviews.loc[west, 'day'], format='%Y-%m-%d'), nord]).dt.strftime('%Y-%m-%d')
reviews = reviews[['id', 'writer', 'day', 'liked', 'text']].sort_values(['day', 'id']).reset_index(drop=True)

# %% naive="shortcut" trap="marks of either shop are taken for stars"
import html
import re

import pandas as pd


def words_of(text):
    return re.findall("[a-z']+", re.sub(r'\[[^\]]*\]\s*$', '', text).lower().replace('\u2019', "'"))


reviews = pd.read_csv('{{ data }}/reviews.csv')
reviews['liked'] = reviews['rating'] >= 4
reviews['text'] = reviews['text'].map(html.unescape)
west = reviews['shop'] == 'west'
nord = pd.to_datetime(reviews.loc[~west, 'day'], format='%d.%m.%Y')
reviews['day'] = pd.concat([pd.to_datetime(reviews.loc[west, 'day'], format='%Y-%m-%d'), nord]).dt.strftime('%Y-%m-%d')
reviews['key'] = reviews['text'].map(words_of).str.join(' ')
reviews = reviews.sort_values(['day', 'id']).drop_duplicates('key')
reviews = reviews[['id', 'writer', 'day', 'liked', 'text']].reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print the number of reviews, how many of them liked what was bought, and the number of different writers, on one line, separated by spaces.
#
# Thought: All three come straight from the table.

# %% [markdown] lang="cn"
# 在同一行打印评论数、其中的好评（liked）数和不同作者的人数，用空格分隔。
#
# Thought: 三个数都可直接由表得到。

# %%
answer = [len(reviews), reviews['liked'].sum(), reviews['writer'].nunique()]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# Add an integer column `score` to `reviews`, the score of each review that the notes describe, with `{{ data }}/lexicon.txt`.
#
# Thought: Go through each sentence by itself and look at up to three words in front; contractions with either apostrophe negate.

# %% [markdown] lang="cn"
# 给 `reviews` 增加整数列 `score`，为说明中所述的每条评论的得分，词典为 `{{ data }}/lexicon.txt`。
#
# Thought: 逐句处理，查看前面最多三个词；两种撇号的缩写都是否定词。

# %%
lexicon = {line.split()[0]: int(line.split()[1]) for line in open('{{ data }}/lexicon.txt', encoding='utf-8')}


def negates(word):
    return word in ('not', 'never', 'no', 'hardly') or word.endswith("n't")


def opinions(text):
    for sentence in re.split('[.?!]', text):
        said = words_of(sentence)
        for place, word in enumerate(said):
            if word in lexicon:
                yield word, any(negates(other) for other in said[max(place - 3, 0) : place])


def score_of(text):
    return sum(-lexicon[word] if turned else lexicon[word] for word, turned in opinions(text))


reviews['score'] = reviews['text'].map(score_of)

# %% naive="careless" trap="contractions with a curly apostrophe do not negate, and sentences run into each other"
lexicon = {line.split()[0]: int(line.split()[1]) for line in open('{{ data }}/lexicon.txt', encoding='utf-8')}


def negates(word):
    return word in ('not', 'never', 'no', 'hardly') or word.endswith("n't")


def opinions(text):
    said = re.findall("[a-z']+", text.lower())
    for place, word in enumerate(said):
        if word in lexicon:
            yield word, any(negates(other) for other in said[max(place - 3, 0) : place])


def score_of(text):
    return sum(-lexicon[word] if turned else lexicon[word] for word, turned in opinions(text))


reviews['score'] = reviews['text'].map(score_of)

# %% naive="shortcut" trap="negations are not looked at"
lexicon = {line.split()[0]: int(line.split()[1]) for line in open('{{ data }}/lexicon.txt', encoding='utf-8')}


def negates(word):
    return word in ('not', 'never', 'no', 'hardly') or word.endswith("n't")


def opinions(text):
    for word in words_of(text):
        if word in lexicon:
            yield word, any(negates(other) for other in words_of(text))


def score_of(text):
    return sum(lexicon[word] for word, turned in opinions(text))


reviews['score'] = reviews['text'].map(score_of)

# %% naive="literal" trap="one negator anywhere in a sentence turns all of it"
lexicon = {line.split()[0]: int(line.split()[1]) for line in open('{{ data }}/lexicon.txt', encoding='utf-8')}


def negates(word):
    return word in ('not', 'never', 'no', 'hardly') or word.endswith("n't")


def opinions(text):
    for sentence in re.split('[.?!]', text):
        said = words_of(sentence)
        for word in said:
            if word in lexicon:
                yield word, any(negates(other) for other in said)


def score_of(text):
    return sum(-lexicon[word] if turned else lexicon[word] for word, turned in opinions(text))


reviews['score'] = reviews['text'].map(score_of)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1)]"
# Print the number of reviews with a score of 0, and in what percentage of the others the sign of the score agrees with `liked` (above 0: liked), with 1 decimal place, on one line, separated by a space.
#
# Thought: Leave out the zeros before taking the share.

# %% [markdown] lang="cn"
# 在同一行打印得分为 0 的评论数，以及在其余评论中得分的正负与 `liked` 一致（大于 0 为好评）的百分比（保留 1 位小数），用空格分隔。
#
# Thought: 先去掉得分为 0 的评论，再求比例。

# %%
clear = reviews[reviews['score'] != 0]
answer = [(reviews['score'] == 0).sum(), 100 * ((clear['score'] > 0) == clear['liked']).mean()]
print(answer[0], f'{answer[1]:.1f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the 3 words of the lexicon that count the other way round in the most places in `reviews`, the most frequent first, and in alphabetical order where they are equally frequent, on one line, separated by `, `.
#
# Thought: Count words with a negator in front, over all sentences.

# %% [markdown] lang="cn"
# 在同一行打印词典中在 `reviews` 里被反转计分的位置最多的 3 个词，从多到少排列，次数相同的按字母顺序，用 `, ` 分隔。
#
# Thought: 统计所有句子中前面带有否定词的词。

# %%
turned_round = pd.Series([name for text in reviews['text'] for name, turned in opinions(text) if turned]).value_counts()
answer = sorted(turned_round.index, key=lambda name: (-turned_round[name], name))[:3]
print(', '.join(answer))

# %% naive="careless shortcut literal" trap="words are counted that are frequent, negated or not"
frequent = pd.Series([name for text in reviews['text'] for name in words_of(text) if name in lexicon]).value_counts()
print(', '.join(sorted(frequent.index, key=lambda name: (-frequent[name], name))[:3]))

# %% [markdown] kind="vis" modules="matplotlib"
# Make a Series `share` of the percentage of reviews that liked what was bought for each score from -3 to 3, with the scores as its index in ascending order; a higher score counts as 3 and a lower one as -3.
# Draw `share` as a bar chart over the scores, in `teal`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 3.5), and call `plt.show()`.
#
# Thought: Clip the scores, then take the mean of the booleans.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 生成 Series `share`，为得分 -3 到 3 各自的好评百分比，以得分为索引，按升序排列；更高的得分按 3 计，更低的按 -3 计。
# 以得分为横坐标，将 `share` 画成柱状图，颜色 `teal`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 先截断得分，再对布尔值求平均。

# %%
import matplotlib.pyplot as plt

share = 100 * reviews.groupby(reviews['score'].clip(-3, 3))['liked'].mean()
plt.figure(figsize=(6, 3.5))
plt.bar(share.index, share, color='teal')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[text, real(1)]"
# A colleague wants to predict `liked` for the reviews in `{{ data }}/unseen.csv` by the most similar review of `reviews`: the one with the largest share of common words (the number of different words that both have, divided by the number of different words that at least one has), and of equally similar ones that with the alphabetically smallest `id`. How often will that be right there? Estimate it from `reviews` alone. The ways at hand are `rows` (each review is predicted by the most similar of all other reviews) and `writers` (by the most similar of all reviews by other writers). One of them fits.
# Print its name and the percentage of right predictions with 1 decimal place, on one line, separated by a space.
#
# Thought: Writers repeat themselves, and none of those in the unseen file is known yet.

# %% [markdown] lang="cn"
# 一位同事想用 `reviews` 中最相似的评论来预测 `{{ data }}/unseen.csv` 中评论的 `liked`：取共同词比例最大的一条（两者都有的不同词数除以至少一方有的不同词数），同样相似的取 `id` 按字母顺序最小的。这种方法在那里的正确率会是多少？请只用 `reviews` 来估计。可选做法有 `rows`（每条评论由其余所有评论中最相似的一条预测）和 `writers`（由其他作者的所有评论中最相似的一条预测），其中一种合适。
# 在同一行打印其名称和预测正确的百分比（保留 1 位小数），用空格分隔。
#
# Thought: 作者常常重复自己，而未读文件中的作者都是新的。

# %%
known = reviews.sort_values('id').reset_index(drop=True)
bags = [set(words_of(text)) for text in known['text']]
right = 0
for number, bag in enumerate(bags):
    others = known.index[known['writer'] != known['writer'][number]]
    others = [(-len(bag & bags[other]) / len(bag | bags[other]), other) for other in others]
    right += known['liked'][min(others)[1]] == known['liked'][number]
answer = ['writers', 100 * right / len(known)]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless literal shortcut" trap="reviews that a writer repeats predict each other"
known = reviews.sort_values('id').reset_index(drop=True)
bags = [set(words_of(text)) for text in known['text']]
right = 0
for number, bag in enumerate(bags):
    others = [(-len(bag & bags[other]) / len(bag | bags[other]), other) for other in known.index if other != number]
    right += known['liked'][min(others)[1]] == known['liked'][number]
print('rows', f'{100 * right / len(known):.1f}')

# %% [markdown] kind="num" modules="pandas" held_out="liked" metric="accuracy" bound="0.8"
# Predict `liked` for each review of `{{ data }}/unseen.csv`. At least 80 % of the predictions have to be right; they are scored on labels that are not in the files.
# Print the predictions as 1 (liked) or 0 in the order of the file, on one line, separated by spaces.
#
# Thought: The score holds for texts of any writer; the queue of an unread review says nothing.

# %% [markdown] lang="cn"
# 预测 `{{ data }}/unseen.csv` 中每条评论的 `liked`，至少 80 % 的预测须正确；评分所用的标签不在文件中。
# 按文件中的顺序在同一行打印预测值，1 表示好评，0 表示不是，用空格分隔。
#
# Thought: 得分适用于任何作者的文本；未读评论的 queue 不说明任何问题。

# %%
unseen = pd.read_csv('{{ data }}/unseen.csv')
print(*(int(score_of(html.unescape(text)) > 0) for text in unseen['text']))

# %% naive="careless" trap="the queue is known for reviews that somebody has read only"
unseen = pd.read_csv('{{ data }}/unseen.csv')
print(*(int(queue == 'thanks') for queue in unseen['queue']))

# %% naive="shortcut" trap="words count whether they are negated or not"
unseen = pd.read_csv('{{ data }}/unseen.csv')
print(*(int(sum(lexicon.get(name, 0) for name in words_of(text)) > 0) for text in unseen['text']))

# %% naive="literal" trap="the most similar review says what its writer thinks"
unseen = pd.read_csv('{{ data }}/unseen.csv')
for text in unseen['text']:
    nearest = max(range(len(bags)), key=lambda number: len(bags[number] & set(words_of(text))))
    print(int(known['liked'][nearest]), end=' ')

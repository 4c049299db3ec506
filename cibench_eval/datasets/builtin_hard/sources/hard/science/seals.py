# ---
# jupyter:
#   instances:
#     islet: {seed: 12, males: 30, pups: 150, nursed: 24, bound: 0.96}
#     fjord: {seed: 47, males: 32, pups: 160, nursed: 22, bound: 0.96}
#   varied:
#     seed: {between: [1, 1000000]}
#     males: {between: [28, 33]}
#     pups: {between: [145, 165]}
#     nursed: {between: [20, 25]}
#     bound: {pick: [0.88]}
#   words:
#     title: {en: Heterozygous genotypes, cn: 杂合基因型}
#     x_label: {en: Marker, cn: 标记}
#     y_label: {en: Share of the genotypes, cn: 占基因型的比例}
#     skin: {en: skin, cn: 皮肤}
#     hair: {en: hair, cn: 毛发}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Seals of a colony were sampled, and their alleles were read on three plates. The files are beside `{{ data }}/notes.txt`, which says what they hold.
# Make a DataFrame `seals` with one row for each seal, sorted by `number`. Its columns are `number` (integer), `kind` (`female`, `male` or `pup`), `sample` (`skin` or `hair`), `plate` (integer), `read` (integer, at how many of the markers the machine read alleles of it) and `heterozygous` (integer, at how many of these the two lengths differ).
#
# Thought: Controls and blanks are in known wells; look whether each plate has them there.

# %% [markdown] lang="cn"
# 对一个海豹群采样后，在三块板上读取了它们的等位基因。各文件与 `{{ data }}/notes.txt` 放在一起，内容见该说明。
# 生成名为 `seals` 的 DataFrame，每头海豹占一行，按 `number` 排序。列为 `number`（整数）、`kind`（`female`、`male` 或 `pup`）、`sample`（`skin` 或 `hair`）、`plate`（整数）、`read`（整数，机器在多少个标记上读出了它的等位基因）和 `heterozygous`（整数，其中有多少个标记的两个长度不同）。
#
# Thought: 对照和空白所在的孔是已知的，检查每块板上它们是否真在那里。

# %%
import numpy as np
import pandas as pd

listed, wells, lengths = (pd.read_csv(f'{{ data }}/{name}.csv') for name in ('seals', 'wells', 'alleles'))
markers = [column[:-2] for column in lengths.columns if column.endswith('_a')]
turned = {
    line + str(column): 'HGFEDCBA'['ABCDEFGH'.index(line)] + str(13 - column)
    for line in 'ABCDEFGH'
    for column in range(1, 13)
}
for plate, part in lengths.groupby('plate'):
    blank = part.set_index('well').loc[['A1', 'H12'], 'm1_a':].isna().all(axis=1)
    if blank['A1'] and not blank['H12']:
        lengths.loc[part.index, 'well'] = part['well'].map(turned)
lengths = wells.merge(lengths, on=['plate', 'well'])
pairs = {marker: lengths[[f'{marker}_a', f'{marker}_b']].to_numpy() for marker in markers}
there = np.column_stack([~np.isnan(pairs[marker][:, 0]) for marker in markers])
mixed = np.column_stack([pairs[marker][:, 0] < pairs[marker][:, 1] for marker in markers])
table = lengths[['seal', 'plate']].assign(read=there.sum(axis=1), heterozygous=mixed.sum(axis=1))
table = table[~table['seal'].isin(['control 1', 'control 2', 'blank'])]
table['number'] = table.pop('seal').astype(int)
seals = listed.merge(table, on='number').sort_values('number').reset_index(drop=True)
seals = seals[['number', 'kind', 'sample', 'plate', 'read', 'heterozygous']]

# %% naive="careless literal" trap="a plate that lay the wrong way round is read as it stands"
import numpy as np
import pandas as pd

listed, wells, lengths = (pd.read_csv(f'{{ data }}/{name}.csv') for name in ('seals', 'wells', 'alleles'))
markers = [column[:-2] for column in lengths.columns if column.endswith('_a')]
lengths = wells.merge(lengths, on=['plate', 'well'])
pairs = {marker: lengths[[f'{marker}_a', f'{marker}_b']].to_numpy() for marker in markers}
there = np.column_stack([~np.isnan(pairs[marker][:, 0]) for marker in markers])
mixed = np.column_stack([pairs[marker][:, 0] < pairs[marker][:, 1] for marker in markers])
table = lengths[['seal', 'plate']].assign(read=there.sum(axis=1), heterozygous=mixed.sum(axis=1))
table = table[~table['seal'].isin(['control 1', 'control 2', 'blank'])]
table['number'] = table.pop('seal').astype(int)
seals = listed.merge(table, on='number').sort_values('number').reset_index(drop=True)
seals = seals[['number', 'kind', 'sample', 'plate', 'read', 'heterozygous']]

# %% naive="shortcut" trap="the columns of the plate are turned, but not its lines"
import numpy as np
import pandas as pd

listed, wells, lengths = (pd.read_csv(f'{{ data }}/{name}.csv') for name in ('seals', 'wells', 'alleles'))
markers = [column[:-2] for column in lengths.columns if column.endswith('_a')]
turned = {line + str(column): line + str(13 - column) for line in 'ABCDEFGH' for column in range(1, 13)}
for plate, part in lengths.groupby('plate'):
    if part.set_index('well').loc[['A1'], 'm1_a':].isna().all(axis=None):
        lengths.loc[part.index, 'well'] = part['well'].map(turned)
lengths = wells.merge(lengths, on=['plate', 'well'])
pairs = {marker: lengths[[f'{marker}_a', f'{marker}_b']].to_numpy() for marker in markers}
there = np.column_stack([~np.isnan(pairs[marker][:, 0]) for marker in markers])
mixed = np.column_stack([pairs[marker][:, 0] < pairs[marker][:, 1] for marker in markers])
table = lengths[['seal', 'plate']].assign(read=there.sum(axis=1), heterozygous=mixed.sum(axis=1))
table = table[~table['seal'].isin(['control 1', 'control 2', 'blank'])]
table['number'] = table.pop('seal').astype(int)
seals = listed.merge(table, on='number').sort_values('number').reset_index(drop=True)
seals = seals[['number', 'kind', 'sample', 'plate', 'read', 'heterozygous']]

# %% [markdown] kind="num" modules="pandas" answer="list[count]"
# Print how many different alleles the machine read among the seals at each marker, in the order of the markers, on one line, separated by spaces.
#
# Thought: The controls are the same animals on each plate; where their lengths differ, so does the scale of the plate.

# %% [markdown] lang="cn"
# 按标记的顺序，在同一行打印机器在海豹中读到的不同等位基因的个数，用空格分隔。
#
# Thought: 各板上的对照是同样的动物，若其长度不同，则该板的标尺不同。

# %%
for marker in markers:
    for plate in (2, 3):
        off = []
        for control in ('control 1', 'control 2'):
            rows = [((lengths['seal'] == control) & (lengths['plate'] == one)).to_numpy() for one in (plate, 1)]
            off.append(pairs[marker][rows[0]] - pairs[marker][rows[1]])
        pairs[marker][(lengths['plate'] == plate).to_numpy()] -= np.median(off)
number = pd.to_numeric(lengths['seal'], errors='coerce').to_numpy()
of_seal = np.argsort(number)[: len(seals)]
genotypes = np.stack([pairs[marker][of_seal] for marker in markers], axis=1)
answer = [len(set(genotypes[:, at].ravel()[~np.isnan(genotypes[:, at].ravel())])) for at in range(len(markers))]
print(*answer)

# %% naive="careless literal shortcut" trap="scales of plates that differ make alleles of their own"
number = pd.to_numeric(lengths['seal'], errors='coerce').to_numpy()
of_seal = np.argsort(number)[: len(seals)]
genotypes = np.stack([pairs[marker][of_seal] for marker in markers], axis=1)
print(*(len(set(genotypes[:, at].ravel()[~np.isnan(genotypes[:, at].ravel())])) for at in range(len(markers))))

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Hair gives less to read than skin. Draw, as grouped bars, the share of the genotypes of the seals that are heterozygous at each marker, for skin and for hair, with the numbers 1 to 14 of the markers to the right and a legend of `{{ skin }}` and `{{ hair }}`, in this order. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (8, 4). Call `plt.show()`.
#
# Thought: What was not read is no genotype.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 毛发可读出的信息比皮肤少。用分组柱状图画出海豹在每个标记上的基因型中杂合所占的比例，分皮肤和毛发两组，横坐标为标记的编号 1 至 14，图例依次为 `{{ skin }}` 和 `{{ hair }}`。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (8, 4)，最后调用 `plt.show()`。
#
# Thought: 没有读出的不算基因型。

# %%
import matplotlib.pyplot as plt

known, split = ~np.isnan(genotypes[:, :, 0]), genotypes[:, :, 0] < genotypes[:, :, 1]
places = np.arange(1, len(markers) + 1)
plt.figure(figsize=(8, 4))
for side, (sample, label) in enumerate((('skin', '{{ skin }}'), ('hair', '{{ hair }}'))):
    chosen = (seals['sample'] == sample).to_numpy()
    plt.bar(places - 0.2 + 0.4 * side, split[chosen].sum(axis=0) / known[chosen].sum(axis=0), 0.4, label=label)
plt.xticks(places)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3), real(3)]"
# At one of the markers there is an allele that the machine does not see, so that who has it seems homozygous, or is not read. Print the number of this marker, the share of the genotypes of the seals that are heterozygous at it, and the share that would be heterozygous if the two alleles of a seal were drawn by chance from all the alleles that were read there (1 minus the sum of the squared shares), both with 3 decimal places, on one line, separated by spaces.
#
# Thought: A marker with few alleles has few heterozygotes anyway; compare with what is expected.

# %% [markdown] lang="cn"
# 有一个标记存在机器看不到的等位基因，带有它的个体看上去是纯合的，或者读不出来。在同一行打印该标记的编号、海豹在该标记上的基因型中杂合所占的比例，以及假如每头海豹的两个等位基因是从该处读到的全部等位基因中随机抽取时应有的杂合比例（1 减去各比例的平方和），后两数保留 3 位小数，用空格分隔。
#
# Thought: 等位基因少的标记本来杂合就少，应与期望值比较。

# %%
observed = split.sum(axis=0) / known.sum(axis=0)
expected = []
for at in range(len(markers)):
    share = pd.Series(genotypes[:, at][known[:, at]].ravel()).value_counts(normalize=True)
    expected.append(1 - (share**2).sum())
ratio = observed / np.array(expected)
unseen = int(ratio.argmin())
answer = [unseen + 1, observed[unseen], expected[unseen]]
print(answer[0], f'{answer[1]:.3f} {answer[2]:.3f}')

# %% naive="careless literal shortcut" trap="the marker with the fewest heterozygotes has few alleles"
observed = split.sum(axis=0) / known.sum(axis=0)
unseen = int(observed.argmin())
share = pd.Series(genotypes[:, unseen][known[:, unseen]].ravel()).value_counts(normalize=True)
print(unseen + 1, f'{observed[unseen]:.3f} {1 - (share**2).sum():.3f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# `nurses.csv` has pups and the females that nursed them. Which of these pups were nursed by a female that is not their mother? Print their numbers in ascending order, each after the word `pup`, on one line, separated by `, `, as in `pup 3, pup 12`.
#
# Thought: Lost and unseen alleles put a mother and her pup at odds now and then, so one marker proves nothing; strangers are at odds at many.

# %% [markdown] lang="cn"
# `nurses.csv` 列出幼崽和给它们哺乳的雌性。其中哪些幼崽的哺乳者不是其母亲？按编号升序在同一行打印，每个编号前写 `pup`，用 `, ` 分隔，形如 `pup 3, pup 12`。
#
# Thought: 丢失或看不到的等位基因偶尔会使母子不符，因此单个标记不能说明问题；非母子则在许多标记上不符。

# %%
nurses = pd.read_csv('{{ data }}/nurses.csv')


def against(one, other):
    a, b = genotypes[one - 1], genotypes[other - 1]
    shared = (a[:, :, None] == b[:, None, :]).any(axis=(1, 2))
    return int((known[one - 1] & known[other - 1] & ~shared).sum())


odds = [against(pup, nurse) for pup, nurse in nurses.to_numpy()]
answer = [f'pup {pup}' for pup, many in zip(nurses['pup'], odds) if many > 4]
print(', '.join(answer))

# %% naive="careless literal" trap="one marker at odds is taken for a proof"
nurses = pd.read_csv('{{ data }}/nurses.csv')


def against(one, other):
    a, b = genotypes[one - 1], genotypes[other - 1]
    shared = (a[:, :, None] == b[:, None, :]).any(axis=(1, 2))
    return int((known[one - 1] & known[other - 1] & ~shared).sum())


odds = [against(pup, nurse) for pup, nurse in nurses.to_numpy()]
print(', '.join(f'pup {pup}' for pup, many in zip(nurses['pup'], odds) if many > 0))

# %% naive="shortcut" trap="lengths are compared across plates whose scales differ"
nurses = pd.read_csv('{{ data }}/nurses.csv')
raw = lengths.assign(number=number).dropna(subset=['number']).sort_values('number')
raw = raw[[f'{marker}_{ab}' for marker in markers for ab in 'ab']].to_numpy().reshape(len(seals), -1, 2)
odds = []
for pup, nurse in nurses.to_numpy():
    a, b = raw[pup - 1], raw[nurse - 1]
    odds.append(int((known[pup - 1] & known[nurse - 1] & ~(a[:, :, None] == b[:, None, :]).any(axis=(1, 2))).sum()))
print(', '.join(f'pup {pup}' for pup, many in zip(nurses['pup'], odds) if many > 1))

# %% [markdown] kind="num" modules="numpy pandas" held_out="fathers" metric="accuracy" bound="{{ bound }}"
# Find the father of each pup: the number of a sampled male, or 0 if the father was not sampled. At least {{ (100 * bound) | round | int }} % of the answers have to be right; they are scored on labels that are not in the files.
# Print them for all pups, in the order of their numbers, on one line, separated by spaces.
#
# Thought: A pup alone tells little, but all the pups of a father together tell his alleles, those of fathers and mothers who were not sampled, too. So draw parents and genotypes in turn, with what hair and skin lose, the hidden allele and misreadings.

# %% [markdown] lang="cn"
# 找出每头幼崽的父亲：某头已采样雄性的编号；若父亲未被采样则为 0。至少 {{ (100 * bound) | round | int }} % 的答案须正确，评分所用的标签不在文件中。
# 按编号顺序在同一行打印所有幼崽的答案，用空格分隔。
#
# Thought: 单头幼崽说明不了多少，但同一父亲的所有幼崽合起来能说明其等位基因，未采样的父母也是如此。因此轮流抽取亲子关系和基因型，并考虑毛发与皮肤的丢失率、隐藏的等位基因和误读。

# %%
MISREAD = 0.01
SPARE, CHAINS, ROUNDS, KEPT, HEATED = 8, 3, 130, 45, 60
"""Unsampled parents of each sex; runs of the sampler, their rounds, the last of which count, and those it is warm for."""
females, males, pups = (seals.index[seals['kind'] == kind].to_numpy() for kind in ('female', 'male', 'pup'))
others = np.arange(len(markers)) != unseen
lost = {}
for sample in ('skin', 'hair'):
    chosen = (seals['sample'] == sample).to_numpy()
    shown = split[chosen].sum(axis=0) / known[chosen].sum(axis=0)
    lost[sample] = max(1 - (shown[others] / np.array(expected)[others]).mean(), 0.02)


def possible(pair, alleles, rate):
    """How likely the machine reads this pair, for each pair of true alleles; the last one is not seen."""
    size = len(alleles) + 1
    if np.isnan(pair[0]):
        return np.ones((size, size))
    one, two = (alleles.index(length) for length in pair)
    chance = np.full((size, size), MISREAD**2)
    for at in {one, two}:
        chance[at, :] += MISREAD / 2
        chance[:, at] += MISREAD / 2
    if one == two:
        chance[one, :] += rate / 2
        chance[:, one] += rate / 2
        chance[one, [one, -1]] = chance[[one, -1], one] = 1
    else:
        chance[one, two] = chance[two, one] = 1 - rate
    return chance


models = []
for at in range(len(markers)):
    counted = pd.Series(genotypes[:, at][known[:, at]].ravel()).value_counts(normalize=True).sort_index()
    hidden = (1 - ratio[unseen]) / (1 + ratio[unseen]) if at == unseen else 0.001
    share = np.append(counted.to_numpy() * (1 - hidden), hidden)
    chances = [
        possible(genotypes[row, at], list(counted.index), lost[seals.at[row, 'sample']]) for row in range(len(seals))
    ]
    parents = [*(chances[row] for row in males), *[1.0] * SPARE, *(chances[row] for row in females), *[1.0] * SPARE]
    prior = np.stack([np.log(np.outer(share, share) * chance + 1e-12).ravel() for chance in parents])
    models.append((share, prior, np.stack([chances[row] for row in pups])))
first_female, size = len(males) + SPARE, len(males) + len(females) + 2 * SPARE
female = np.arange(size) >= first_female
spare = np.isin(np.arange(size), [*range(len(males), first_female), *range(size - SPARE, size)])


def sampler(seed):
    """Draw parents of all pups and genotypes of all parents in turn.

    How well the pups fit in the end, and how often each male, and one that was not sampled, was the father of each.
    """
    rng = np.random.default_rng(seed)

    def drawn(weights):
        """One column for each row, by its weight."""
        ladder = weights.cumsum(axis=1)
        return (ladder < rng.random((len(ladder), 1)) * ladder[:, -1:]).sum(axis=1)

    passing = []
    for share, prior, _ in models:
        weight = np.exp(prior).reshape(size, len(share), len(share))
        passing.append((weight.sum(axis=1) + weight.sum(axis=2)) / (2 * weight.sum(axis=(1, 2)))[:, None])
    children, fits, seen = np.zeros(size), 0.0, np.zeros((len(pups), first_female))
    for turn in range(ROUNDS):
        fit = sum(
            np.log(passed[:first_female] @ read @ passed[first_female:].T + 1e-12)
            for passed, (_, _, read) in zip(passing, models)
        )
        likely = np.where(spare & (children == 0), 0.5, children + 1)
        warm = fit * min(1, 0.2 + turn / HEATED)
        chance = np.exp(warm - warm.max(axis=(1, 2), keepdims=True))
        chance *= np.outer(likely[:first_female], likely[first_female:])
        pair = drawn(chance.reshape(len(pups), -1))
        parent = {False: pair // chance.shape[2], True: first_female + pair % chance.shape[2]}
        children = np.bincount(np.concatenate([parent[False], parent[True]]), minlength=size)
        if turn >= ROUNDS - KEPT:
            fits += fit[np.arange(len(pups)), parent[False], parent[True] - first_female].sum()
            seen += chance.sum(axis=2) / chance.sum(axis=(1, 2))[:, None]
        for sex in (False, True):
            for at, (share, prior, read) in enumerate(models):
                got = np.einsum('pab,pb->pa', read, passing[at][parent[not sex]])
                weight = prior.copy()
                np.add.at(
                    weight, parent[sex], np.log((got[:, :, None] + got[:, None, :]) / 2 + 1e-12).reshape(len(pups), -1)
                )
                own = drawn(np.exp(weight - weight.max(axis=1, keepdims=True)))
                each = np.eye(len(share))
                passed = (each[own // len(share)] + each[own % len(share)]) / 2
                passed[children == 0] = share
                passing[at][female == sex] = passed[female == sex]
    return fits, np.column_stack([seen[:, : len(males)], seen[:, len(males) :].sum(axis=1)])


_, seen = max((sampler(seed) for seed in range(CHAINS)), key=lambda run: run[0])
numbers = np.append(seals['number'].to_numpy()[males], 0)
print(*numbers[seen.argmax(axis=1)])

# %% naive="careless literal" trap="the male with the fewest markers at odds, and 0 where all are"
numbers = seals['number'].to_numpy()
males = numbers[seals['kind'] == 'male']
found = []
for pup in numbers[seals['kind'] == 'pup']:
    odds = [against(pup, male) for male in males]
    found.append(males[int(np.argmin(odds))] if min(odds) <= 1 else 0)
print(*found)

# %% naive="shortcut" trap="the best male with the pup alone: what the mother explains is left out, and each father is taken to be sampled"
numbers = seals['number'].to_numpy()
males = numbers[seals['kind'] == 'male']
share = [pd.Series(genotypes[:, at][known[:, at]].ravel()).value_counts(normalize=True) for at in range(len(markers))]


def lod(pup, male):
    total = 0
    for at in range(len(markers)):
        if known[pup - 1, at] and known[male - 1, at]:
            both = [length for length in genotypes[pup - 1, at] if length in genotypes[male - 1, at]]
            total += np.log(np.mean([1 / share[at][length] for length in both]) / 2 if both else 0.05)
    return total


found = []
for pup in numbers[seals['kind'] == 'pup']:
    lods = [lod(pup, male) for male in males]
    found.append(males[int(np.argmax(lods))])
print(*found)

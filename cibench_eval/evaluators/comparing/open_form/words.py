"""Words of labels and questions, as far as they tell values apart."""

import re

from cibench_eval.evaluators.comparing.numbers import CJK, CJK_SIGN

SILENT = frozenset(
    re.findall(
        '[a-z]+',
        'a an the of is are was were in on for and or to with from by it its there has have be this that at as their '
        'name dtype object np array tensor timestamp series int float torch data size df result value number num n '
        'count total',
    )
)
"""Words that tell nothing apart."""
ALIKE = """
    mean average avg 平均 均值; median 中位; std sd deviation 准差; sum 总和 总计 合计
    max maximum highest largest 最大 最高; min minimum lowest smallest 最小 最低; first initial; last final
    accuracy acc 准确; precision 精确; recall 召回; correlation corr r 相关; p pvalue; statistic stat t
    coef coefficient slope 斜率 系数; intercept const 截距; distinct unique different type
    row sample record 样本 行; column col feature 列 特征; missing null nan 缺失
    percent percentage share ratio rate proportion fraction 比例 占比; male men man 男; female women woman 女
    height 高 高度; width 宽 宽度; positive 积极 正面; negative 消极 负面
"""
"""Names of one thing."""
SAME = {word: group.split()[0] for group in re.split('[;\n]', ALIKE) for word in group.split()}
PARTS = re.compile(rf'[A-Za-z]+[0-9]*|[{CJK}]+')
CAPITALS = re.compile('[A-Z]?[a-z]+|[A-Z]+')
ENDINGS = ('ing', 'ers', 'ed', 'es', 's')
LETTER = re.compile(r'(?<![A-Za-z])[A-Za-z](?![A-Za-z])')
SHORTEST = 5
"""Letters of a word that may have an ending."""

Words = frozenset[str]


def words_of(text: str) -> Words:
    """The words of a text: stems without case, parts of `camelCase` and `snake_case`, two Chinese signs at a time."""
    return frozenset(in_order(text))


def in_order(text: str) -> list[str]:
    """The words of a text in its order, repeated ones too; what a word is, `words_of` says."""
    return [word for part in PARTS.findall(text) for word in _parts(part) if word not in SILENT]


def translated(labels: list[tuple[str, ...]], question: str) -> tuple[list[tuple[str, ...]], str]:
    """Labels and a question in words that are the same in both languages; none where they are in one language."""
    texts = [' '.join(label) for label in labels]
    if any(map(CJK_SIGN.search, texts)) is bool(CJK_SIGN.search(question)):
        return [], ''
    asked = LETTER.sub(' ', question)  # t of 't 检验' is no statistic
    return [(*dict.fromkeys(in_order(text)),) for text in texts], ' '.join(in_order(asked))


def _parts(part: str) -> list[str]:
    if not part.isascii():
        return [SAME.get(pair, pair) for pair in (part[at : at + 2] for at in range(max(1, len(part) - 1)))]
    whole = part[-1].isdigit() or part.isupper() or part.islower()
    return [_stem(one) for one in ([part] if whole else CAPITALS.findall(part))]


def _stem(word: str) -> str:
    word = word.casefold()
    ending = next((one for one in ENDINGS if word.endswith(one)), '') if len(word) >= SHORTEST else ''
    stem = word.removesuffix(ending)
    return SAME.get(word) or SAME.get(stem, stem)

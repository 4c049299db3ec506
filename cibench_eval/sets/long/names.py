"""The names of definitions, in both languages. They say nothing: what a name means is what the session has said."""

from cibench_eval.schema import Language

CHINESE = {
    'acacia': '金合欢', 'alder': '桤木', 'almond': '扁桃', 'apple': '苹果', 'apricot': '杏', 'ash': '白蜡',
    'aspen': '山杨', 'bamboo': '竹', 'beech': '山毛榉', 'birch': '白桦', 'cedar': '雪松', 'cherry': '樱桃',
    'cypress': '柏', 'ebony': '乌木', 'elder': '接骨木', 'elm': '榆', 'fig': '无花果', 'fir': '冷杉',
    'ginkgo': '银杏', 'hazel': '榛', 'holly': '冬青', 'juniper': '杜松', 'larch': '落叶松', 'lemon': '柠檬',
    'lilac': '丁香', 'linden': '椴', 'magnolia': '木兰', 'maple': '枫', 'mulberry': '桑', 'myrtle': '香桃木',
    'oak': '橡', 'olive': '橄榄', 'palm': '棕榈', 'pear': '梨', 'pine': '松', 'plum': '李', 'poplar': '白杨',
    'quince': '榅桲', 'rowan': '花楸', 'spruce': '云杉', 'sumac': '漆树', 'walnut': '胡桃', 'willow': '柳',
    'yew': '红豆杉',
}  # fmt: skip
STATES = ('dawn', 'noon', 'dusk', 'north', 'south', 'harbour', 'summit')
"""Names of saved states and branches."""
CHINESE_STATES = dict(zip(STATES, ('黎明', '正午', '黄昏', '北方', '南方', '港湾', '山顶'), strict=True))


def said(name: str, language: Language) -> str:
    """A name as a question of this language has it."""
    return name if language == 'en' else {**CHINESE, **CHINESE_STATES}[name]


def a(name: str) -> str:
    """An English name with its article."""
    return f'{"an" if name[0] in "aeiou" else "a"} {name}'

"""What a step's question says about the order of an answer. A question without words is not known and says nothing."""

import re

END = '[老少幼贵贱冷热东西南北厚薄深浅窄宽高低大小多少长短早晚新旧强弱左右前后上下内外轻重快慢远近好差优劣先头首尾]'
"""Ends of an order in Chinese: 从高到低."""
ORDER = re.compile(
    r'(?<!each )(?<!every )(?<!per )\border\b(?! to\b)|\border(?:ed|ing)\b|'
    r'\b(?:sort|rank|descend|ascend|chronolog|alphabet|(?:in|de)creasing)|'
    r'\b(?:(?<!at the )(?<!on )top|head|tail|nlargest|\w+ first(?! names?\b))\b|\bshuffl|'
    r'\bfirst (?:[0-9]|two|three|four|five|six|seven|eight|nine|ten)|'
    r'\bfrom (?:the )?(?:high|low|most|least|larg|small|left|top|great|big|first)|'
    r'排序|排名|排列|顺序|次序|降序|升序|(?<![色例宽记])依次(?!使?用[^，。]{0,6}色)|'
    r'(?<![目提之以当此])前 ?[0-9一二两三四五六七八九十]|'
    rf'[从由][^，。,]{{0,6}}{END}[的分]?[到至往向及而] ?最?{END}|从最.{{1,4}}[到至]最|从 ?A ?到|'
    rf'[从由]最?{END}[的分]?(?:开始|起)|{END}[到至](?:便宜|年[长轻老])',
    re.I,
)
"""Words that ask for an order."""
WORD = re.compile(r'[^\W_]')
MAYBE = re.compile(r'\b(?:most|least|best|worst|first|last|\w{3,9}est)\b|最', re.I)
"""Words that may ask for an order, or for one thing alone."""


def asks_order(question: str) -> bool:
    """Whether a question asks for an order in so many words."""
    return ORDER.search(question) is not None


def asks_no_order(question: str) -> bool:
    """Whether a question has words, and none of them may ask for an order."""
    return bool(WORD.search(question)) and not asks_order(question) and not MAYBE.search(question)

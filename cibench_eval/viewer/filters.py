"""What templates show texts as: names, questions and code as HTML that is safe, whoever wrote them."""

import builtins
import json
import keyword
import re
from collections.abc import Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from cibench_eval.rendering import shorten
from cibench_eval.terminal import visible

LONGEST = 20_000
"""Characters of a text on a page; of a longer text it shows the head and the tail."""
CUT = '\n[… {{left_out}} characters left out; the whole: {command} …]\n'
TOKEN = re.compile(
    r'(?P<comment>#[^\n]*)'
    r'|(?P<string>\b[rbufRBUF]{1,2}(?=[\'"])|(?:"""(?:[^"\\]|\\[\s\S]|"(?!""))*(?:"""|\Z)|'
    r"'''(?:[^'\\]|\\[\s\S]|'(?!''))*(?:'''|\Z)|"
    r'"(?:[^"\\\n]|\\[\s\S])*"?|'
    r"'(?:[^'\\\n]|\\[\s\S])*'?))"
    r'|(?P<number>\b\d[\w.]*)'
    r'|(?P<magic>^[ \t]*[%!][^\n]*|^[ \t]*@[\w.]+)'
    r'|(?P<word>[^\W\d]\w*)',
    re.MULTILINE,
)
"""The tokens that are marked."""
WORDS = {
    **dict.fromkeys((word for word in vars(builtins) if not word.startswith('_')), 'builtin'),
    **dict.fromkeys(keyword.kwlist, 'keyword'),
}


def cut(text: str, command: str) -> str:
    """A text for a page: shortened, with invisible characters spelled out."""
    return visible(shorten(text, LONGEST, mark=CUT.format(command=command)))


def code(text: str, command: str) -> Markup:
    """Code, shortened, with `b` elements of the classes `comment`, `string`, `keyword`, … for colour.

    It takes one pass of one pattern, whose time is linear in any code. Pygments takes 4 ms a step, and half a minute
    for 20,000 lines of a blank each; models may write such code.
    """
    shown = cut(text, command)
    pieces, end = list[str](), 0
    for found in TOKEN.finditer(shown):
        kind = found.lastgroup or ''
        if kind == 'word':
            kind = WORDS.get(found[0], '')
        if kind:
            pieces += [escape(shown[end : found.start()]), f'<b class="{kind}">{escape(found[0])}</b>']
            end = found.end()
    return Markup(''.join([*pieces, escape(shown[end:])]))


def name(text: str) -> Markup:
    """A name that breaks after its slashes and underscores, and nowhere within a word."""
    fixed = re.sub('^ +', lambda indent: '\u00a0' * len(indent[0]), visible(text))
    return Markup('<wbr>').join(re.split(r'(?<=[/_])(?=[^/_])', fixed))


def question(text: str) -> Markup:
    """A question of a notebook, shortened, as paragraphs, lists and code blocks; its lines stay lines.

    Of Markdown, back-ticks, lists and code blocks are rendered, and everything else is escaped text: a question may
    come from a set that a model made, so there are no links, images or HTML. One whose lists are nested too deep is
    shown as it is: markdown-it would leave out what stands deepest.
    """
    shown = cut(text, 'the notebook')
    tokens = _MARKDOWN.parse(shown)
    if any(token.level >= _MARKDOWN.options['maxNesting'] - 1 for token in tokens):
        return _pre(shown)
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


def data(value: Any) -> Markup:
    """JSON that is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(',', ':'))
    return Markup(text.replace('<', '\\u003c').replace('\u2028', '\\u2028').replace('\u2029', '\\u2029'))


def _pre(text: str) -> Markup:
    return Markup('<pre class="code" tabindex="0">{}</pre>\n').format(text)


def _item(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    """A list's item, with the number that the question gives it."""
    return Markup('<li value="{}">').format(tokens[place].info) if tokens[place].info else '<li>'


def _code(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    return _pre(tokens[place].content)


_MARKDOWN = MarkdownIt('zero', {'breaks': True}).enable(['backticks', 'code', 'fence', 'list', 'newline'])
for kind in ('code_block', 'fence'):
    _MARKDOWN.add_render_rule(kind, _code)
_MARKDOWN.add_render_rule('list_item_open', _item)

"""Questions -> HTML: of Markdown, back-ticks, lists and code blocks are rendered; everything else is escaped text.

A question may come from a set that a model made, so there are no links, images or HTML.
"""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup


def rendered(question: str) -> Markup:
    """A question as paragraphs, lists and code blocks; its lines stay lines.

    One whose lists are nested too deep is shown as it is: markdown-it would leave out what stands deepest.
    """
    tokens = _MARKDOWN.parse(question)
    if any(token.level >= _MARKDOWN.options['maxNesting'] - 1 for token in tokens):
        return _pre(question)
    return Markup(_MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {}))


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

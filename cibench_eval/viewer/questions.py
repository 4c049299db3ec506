"""Questions -> HTML: of Markdown, back-ticks, lists and code blocks are rendered; everything else is escaped text.

A question may come from a set that a model made, so there are no links, images or HTML.
"""

from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup


def rendered(question: str) -> Markup:
    """A question as paragraphs, lists and code blocks; its lines stay lines."""
    return Markup(_MARKDOWN.render(question))


def _code(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: object) -> str:
    return Markup('<pre class="code" tabindex="0">{}</pre>\n').format(tokens[place].content)


_MARKDOWN = MarkdownIt('zero', {'breaks': True}).enable(['backticks', 'code', 'fence', 'list', 'newline'])
for kind in ('code_block', 'fence'):
    _MARKDOWN.add_render_rule(kind, _code)

"""Questions as HTML: what is rendered, and that everything else stays text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.viewer.questions import rendered
from tests.support.hostile_sizes import long_texts, within
from tests.support.viewer_runs import EVIL

TAGS = {'p', 'ul', 'ol', 'li', 'code', 'pre'}


class Tags(HTMLParser):
    """The tags and the text of HTML."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ''
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ('question', 'html'),
    [
        ('Print `a` < b\nand `c d`.', '<p>Print <code>a</code> &lt; b\nand <code>c d</code>.</p>'),
        ('One ` alone\n    goes `on`', '<p>One ` alone\n    goes <code>on</code></p>'),
        ('First.\n\nSecond.\n', '<p>First.</p><p>Second.</p>'),
        ('Fit:\n- `one`: a\n- two,\n  more', '<p>Fit:</p><ul><li><code>one</code>: a</li><li>two,\nmore</li></ul>'),
        ('2. b\n4) d', '<ol><li value="2">b</li><li value="4">d</li></ol>'),
        ('-1 and *x* and 3.5', '<p>-1 and *x* and 3.5</p>'),
        ('Code:\n\n    a = 1\n      b', '<p>Code:</p><pre class="code" tabindex="0">a = 1\n  b</pre>'),
        ('```python\na < 1\n\n- b\n```\nend', '<pre class="code" tabindex="0">a &lt; 1\n\n- b</pre><p>end</p>'),
        ('```\nnever ends', '<pre class="code" tabindex="0">never ends</pre>'),
    ],
)
def test_back_ticks_lists_and_code_are_rendered(question, html):
    assert rendered(question) == html


@given(st.lists(st.sampled_from([*'`-* \n1.<>&"', '\n\n', '```', '    ', EVIL]), max_size=40).map(''.join))
def test_everything_else_is_text(question):
    page = Tags(rendered(question))
    assert {tag for tag, _ in page.tags} <= TAGS
    assert all(set(attributes) <= {'value', 'class', 'tabindex'} for _, attributes in page.tags)
    assert page.text.count('window.owned') == question.count('window.owned') or '```' in question


@pytest.mark.soak
def test_the_time_is_linear():
    within(20, lambda: [rendered(text) for text in long_texts(100_000).values()])

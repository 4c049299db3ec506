"""Marks on code: they add nothing, lose nothing, and take a time that grows with the code alone."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cibench_eval.viewer.highlight import highlighted
from tests.support.hostile_sizes import long_texts, within


class Words(HTMLParser):
    """The text of HTML, and what is marked in it."""

    def __init__(self, code):
        super().__init__()
        self.text, self.marked, self._kind = '', [], ''
        self.feed(str(highlighted(code)))
        self.close()

    def handle_starttag(self, tag, attributes):
        assert tag == 'b'
        self._kind = dict(attributes)['class']

    def handle_endtag(self, tag):
        self._kind = ''

    def handle_data(self, data):
        self.text += data
        if self._kind:
            self.marked.append((self._kind, data))


@pytest.mark.parametrize(
    ('code', 'marked'),
    [
        (
            'for x in range(3): # all',
            [('keyword', 'for'), ('keyword', 'in'), ('builtin', 'range'), ('number', '3'), ('comment', '# all')],
        ),
        ("x = \"# no\" + '''a\nfor'''", [('string', '"# no"'), ('string', "'''a\nfor'''")]),
        ('"""never ends\nif', [('string', '"""never ends\nif')]),
        ('a = "cut\nif b:', [('string', '"cut'), ('keyword', 'if')]),
        ('%matplotlib inline\nx %y', [('magic', '%matplotlib inline')]),
        ('iffy = form', []),
    ],
)
def test_words_are_marked(code, marked):
    assert Words(code).marked == marked


@given(st.text(alphabet='ab1 \n"\'\\#%@<>&rf_', max_size=80))
def test_the_text_stays_as_it_is(code):
    assert Words(code).text == code


@pytest.mark.soak
def test_the_time_is_linear():
    within(20, lambda: [highlighted(text) for text in long_texts(100_000).values()])

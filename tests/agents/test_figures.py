"""What models see of figures: names, the images themselves, or words; in requests, in traces, after an interruption."""

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from cibench_eval.agents import CodeBlock, ReAct, ToolCalls
from cibench_eval.agents.transcript import request_of
from cibench_eval.models import GoldReplay
from cibench_eval.models.base import Stateless
from cibench_eval.schema import Execution, Figure, HarnessError, Output, Step, Trace
from cibench_eval.traces import TraceStore
from tests.support.sessions import experiment, play, play_stored, request, taught
from tests.support.soak import many

DRAW = (
    'import secrets\nfrom PIL import Image\nchosen = secrets.randbelow(3)\n'
    "display(Image.new('RGB', (40, 30), ['red', 'lime', 'blue'][chosen]))"
)
"""Code that draws a random colour, which only the figure shows."""
ANSWER = 'print("right" if {} == chosen else "wrong")'
PROTOCOLS = {'react': ReAct, 'tool_calls': ToolCalls, 'code_block': CodeBlock}


def parts_of(content):
    return [{'type': 'text', 'text': content}] if isinstance(content, str) else content


def images_of(message):
    return [part for part in parts_of(message['content']) if part['type'] == 'image_url']


def pixels(url):
    assert url.startswith('data:image/png;base64,')
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(url.partition(',')[2]))).convert('RGB')).astype(int)


def colour_in(url):
    """Which of red, lime and blue an image has most of."""
    image = pixels(url)
    shown = [(image[..., one] - image[..., [k for k in range(3) if k != one]].max(-1) > 200).sum() for one in range(3)]
    assert max(shown) > 100
    return int(np.argmax(shown))


def checked(messages):
    """Messages whose images are as the API takes them: parts of a user's message, PNG in base64."""
    for message in messages:
        for part in images_of(message):
            assert message['role'] == 'user'
            assert part.keys() == {'type', 'image_url'} and part['image_url'].keys() == {'url'}
            assert pixels(part['image_url']['url']).size
    return messages


class Seeing(Stateless):
    """Answers the first step with a figure, and the second with what it sees in the last image of the request.

    Args:
        protocol: how it writes a reply.
        gone: the step at which its endpoint is gone.
    """

    def __init__(self, protocol, gone=None):
        self.protocol, self.gone, self.requests = protocol, gone, {}

    def said(self, code):
        return self.protocol.gold(Step(index=0, question='', code=code, thought='I look.', kind='exec'))

    async def chat(self, messages, turn, stop=(), tools=()):
        if turn.step == self.gone:
            raise HarnessError('endpoint gone')
        self.requests[turn.step, turn.attempt] = checked(messages)
        images = [part for message in messages for part in images_of(message)]
        if not images:
            return self.said(DRAW)
        return self.said(ANSWER.format(colour_in(images[-1]['image_url']['url'])))


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', *many(['oracle'], [])])
@pytest.mark.parametrize('name', PROTOCOLS)
def test_a_step_that_only_the_image_answers(name, mode, tmp_path):
    """The session is interrupted in between; its trace holds paths, and every request can be made again from it."""
    protocol = PROTOCOLS[name](figures='image')
    store = TraceStore(tmp_path / 'd.traces.jsonl')

    def run(model):
        drawn = DRAW.replace('secrets.randbelow(3)', 'sum(b"cibench") % 3')  # the same each time that it runs
        gold = experiment(drawn, ANSWER.format('chosen'))
        return play_stored(model, gold, store, protocol, mode=mode)

    first, second = Seeing(protocol, gone=1), Seeing(protocol)
    with pytest.raises(HarnessError, match='endpoint gone'):
        run(first)
    if mode == 'end_to_end':  # repeating the code draws another figure than the one that is kept
        (journal,) = store.unfinished.glob('*.jsonl')
        shown = json.loads(journal.read_text().splitlines()[1])['attempts'][0]['messages'][-1]
        (kept,) = images_of(shown)
        (tmp_path / 'figures').rename(tmp_path / 'gone')
        with pytest.raises(HarnessError, match=r'figures/….png: No such file or directory; the conversation shows'):
            run(second)
        (tmp_path / 'gone').rename(tmp_path / 'figures')
        second.said = lambda code: protocol.gold(Step(index=0, question='', code='1', kind='exec'))
    trace = run(second)
    if mode == 'oracle':
        assert trace.steps[1].attempts[0].execution.stdout == 'right\n'
        (kept,) = images_of(trace.gold[0][-1])
    assert 'base64' not in store.path.read_text()
    path = tmp_path / kept['image_url']['url']
    (seen,) = [part for message in second.requests[1, 0] for part in images_of(message)]
    assert base64.b64encode(path.read_bytes()).decode() == seen['image_url']['url'].partition(',')[2]
    again = request_of(Trace.model_validate_json(trace.model_dump_json()), 1, 0)
    for asked, made in zip(second.requests[1, 0], again, strict=True):
        assert [part for part in parts_of(asked['content']) if part['type'] == 'text'] == [
            part for part in parts_of(made['content']) if part['type'] == 'text'
        ]
        assert len(images_of(asked)) == len(images_of(made))


@pytest.mark.kernel
@pytest.mark.parametrize('name', PROTOCOLS)
def test_without_a_store_it_sees_them_too(name):
    protocol = PROTOCOLS[name](figures='image')
    trace = play(Seeing(protocol), experiment('1', '2'), protocol)
    assert trace.steps[1].attempts[0].execution.stdout == 'right\n'


def figure(width, height, mode='RGB', colour='red'):
    made = io.BytesIO()
    Image.new(mode, (width, height), colour).save(made, 'PNG')
    return Output(type='display_data', text='<Figure>', figure=Figure.of(made.getvalue()))


def shown(protocol, *outputs, language='en'):
    step = Step(index=0, question='', code='1', thought='t', kind='exec')
    done = Execution(status='ok', outputs=list(outputs))
    return protocol.exchange(protocol.parse(protocol.gold(step)), [done], language)


def test_images_are_bounded_in_size_and_number_and_stand_behind_their_names():
    clear = figure(30, 20, 'RGBA', (0, 0, 0, 0))
    answer = shown(ReAct(figures='image', figure_side=100), figure(400, 200), clear, *[figure(10, 10)] * 4)[-1]
    texts = [part.get('text') for part in answer['content']]
    assert texts[0].count('[figure ') == 6 and 'showed nothing' not in texts[0]
    assert texts[1::2] == [
        f'[figure {number}: {size}]' for number, size in enumerate(['400 × 200', '30 × 20', '10 × 10', '10 × 10'], 1)
    ]
    images = [pixels(part['image_url']['url']) for part in images_of(answer)]
    assert len(images) == 4
    assert images[0].shape == (50, 100, 3)
    assert (images[1] == 255).all()


def test_a_figure_that_cannot_be_read_is_named_alone():
    broken = Output(type='display_data', figure=Figure.of(figure(5, 5).figure.data[:40]))
    assert '[figure 1: 5 × 5]' in shown(ReAct(figures='image'), broken)[-1]['content']


def test_images_of_calls_are_a_message_behind_the_answers():
    _, answer, images = shown(ToolCalls(figures='image'), figure(10, 10))
    assert (answer['role'], answer['content']) == ('tool', '[figure 1: 10 × 10]')
    assert images['role'] == 'user' and len(images_of(images)) == 1


@pytest.mark.parametrize('protocol', [ReAct(), ToolCalls(), ReAct(figures='describe'), ReAct(prompt='paper')])
def test_others_see_no_images(protocol):
    assert not any(images_of(message) for message in shown(protocol, figure(10, 10)))


NOW = ([{'role': 'user', 'content': 'now'}], [])


def test_a_request_shows_the_last_images_and_the_names_of_all():
    protocol = ReAct(figures='image')
    past = [
        ([{'role': 'user', 'content': f'q{index}'}], [shown(protocol, figure(10, 10 + index))]) for index in range(5)
    ]
    for most in (1, 3, 8):
        messages = request(*past, NOW, max_images=most)
        sizes = [pixels(part['image_url']['url']).shape[0] for message in messages for part in images_of(message)]
        assert sizes == [10, 11, 12, 13, 14][-most:]
        assert all(f'[figure 1: 10 × {10 + index}]' in str(messages) for index in range(5))


@pytest.mark.parametrize('protocol', [ReAct(figures='image'), ToolCalls(figures='image')])
def test_an_output_that_is_left_out_leaves_its_images_out(protocol):
    past = ([{'role': 'user', 'content': 'q'}], [shown(protocol, figure(10, 10))])
    whole, without = (request(past, NOW, without=n, left_out='[left out]', max_images=8) for n in (0, 1))
    assert sum(len(images_of(message)) for message in whole) == 1
    assert not any(images_of(message) for message in without)
    assert '[left out]' in str(without)


PLOT = """import matplotlib.pyplot as plt
fig, (left, right, boxes) = plt.subplots(1, 3)
left.bar(['ant', 'bee'], [3, 12.5])
left.set(title='Legs', xlabel='animal', ylabel='number')
right.plot(range(40), [n * n for n in range(40)], label='square')
right.set_yscale('log')
right.legend()
boxes.boxplot([1, 2, 3, 5, 50])
plt.show()"""
WORDS = """[figure 1: 563 × 454]
axes 1/3
title: Legs; x: animal; y: number
- bar: ant 3; bee 12.5
axes 2/3
y: log; legend: square
- line "square", 40 points: x 0 to 39, y 0 to 1521
axes 3/3
- box: 1 low 1 q1 2 median 3 q3 5 high 5 least 1 greatest 50"""


@pytest.mark.kernel
def test_figures_in_words():
    one, protocol = experiment(PLOT), ReAct(figures='describe')
    ((attempt,),) = (step.attempts for step in play(taught(GoldReplay(), one), one, protocol).steps)
    assert WORDS in attempt.messages[-1]['content']
    chinese = shown(protocol, *attempt.execution.outputs, language='cn')[-1]['content']
    assert '标题: Legs; x: animal; y: number\n- 柱: ant 3; bee 12.5' in chinese

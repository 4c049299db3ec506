"""Wire formats of endpoints and whole answers in them, for tests that hold for every backend."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.chat_server import completion, http

Event = dict[str, Any]


def chat_events(text: str, finish: Any) -> list[Event]:
    half = len(text) // 2
    deltas = [({'role': 'assistant', 'content': text[:half]}, None), ({'content': text[half:]}, None), ({}, finish)]
    head = {'id': 'c', 'object': 'chat.completion.chunk', 'created': 0, 'model': 'm'}
    return [{**head, 'choices': [{'index': 0, 'delta': delta, 'finish_reason': reason}]} for delta, reason in deltas]


def response(text: str, status: Any) -> Event:
    content = [{'type': 'output_text', 'text': text, 'annotations': []}]
    message = {'type': 'message', 'id': 'm', 'role': 'assistant', 'status': 'completed', 'content': content}
    usage = {'input_tokens': 7, 'output_tokens': 5, 'total_tokens': 12}
    fields = {'id': 'r', 'object': 'response', 'created_at': 0, 'model': 'm', 'error': None, 'usage': usage}
    return {**fields, 'output': [message], 'status': status, 'incomplete_details': None}


def response_events(text: str, status: Any) -> list[Event]:
    place = {'item_id': 'm', 'output_index': 0, 'content_index': 0, 'sequence_number': 1}
    return [
        {'type': 'response.created', 'response': response('', 'in_progress')},
        {'type': 'response.output_text.delta', 'delta': text, **place},
        {'type': 'response.completed', 'response': response(text, status)},
    ]


def message(text: str, stop: Any) -> Event:
    usage = {'input_tokens': 7, 'output_tokens': 5}
    fields = {'id': 'm', 'type': 'message', 'role': 'assistant', 'model': 'm', 'usage': usage}
    return {**fields, 'content': [{'type': 'text', 'text': text}], 'stop_reason': stop, 'stop_sequence': None}


def content(text: str, finish: Any) -> Event:
    candidate = {'content': {'role': 'model', 'parts': [{'text': text}]}, 'index': 0, 'finishReason': finish}
    return {'candidates': [candidate], 'usageMetadata': {'promptTokenCount': 7, 'candidatesTokenCount': 5}}


def content_events(text: str, finish: Any) -> list[Event]:
    half = len(text) // 2
    pieces = [content(text[:half], None), content(text[half:], finish)]
    del pieces[0]['candidates'][0]['finishReason']
    return pieces


@dataclass(frozen=True)
class Wire:
    """A backend and the answers of its endpoint.

    Args:
        backend: name of its class.
        options: of its config, besides the address.
        good: finish reason of a whole reply.
        whole: makes an answer from a text and a finish reason.
        events: makes the events of a streamed answer; None where replies are not streamed.
        done: line after the last event.
    """

    backend: str
    options: dict[str, Any]
    good: str
    whole: Callable[[str, Any], Event]
    events: Callable[[str, Any], list[Event]] | None = None
    done: str = ''

    def answer(self, text: str) -> Iterator[bytes]:
        """A reply of the model."""
        return self.ended(text, self.good)

    def ended(self, text: str, word: Any) -> Iterator[bytes]:
        """A reply that ends with a word."""
        if self.events:
            return self.stream(*self.events(text, word))
        return http(200, self.whole(text, word), Content_Type='application/json')

    def before(self, text: str) -> list[Event]:
        """The events of a text without the last one, which ends the reply."""
        assert self.events
        return self.events(text, self.good)[:-1]

    def stream(self, *events: Event | str, end: str | None = None) -> Iterator[bytes]:
        """Server-sent events, given as objects or as lines."""
        lines = [event if isinstance(event, str) else f'data: {json.dumps(event)}' for event in events]
        body = ''.join(f'{line}\n\n' for line in [*lines, *([self.done if end is None else end] if self.done else [])])
        return http(200, body.encode(), Content_Type='text/event-stream; charset=utf-8')


STREAM = {'stream': True}
DONE = 'data: [DONE]'
WIRES = {
    'chat': Wire('OpenAICompatible', {}, 'stop', completion),
    'chat, streamed': Wire('OpenAICompatible', STREAM, 'stop', completion, chat_events, DONE),
    'responses': Wire('OpenAIResponses', {'key': 'K'}, 'completed', response),
    'responses, streamed': Wire('OpenAIResponses', {'key': 'K', **STREAM}, 'completed', response, response_events),
    'messages': Wire('Anthropic', {'key': 'K'}, 'end_turn', message),
    'gemini': Wire('Gemini', {'key': 'K'}, 'STOP', content),
    'gemini, streamed': Wire('Gemini', {'key': 'K', **STREAM}, 'STOP', content, content_events),
    'litellm': Wire('LiteLLM', {'key': 'K'}, 'stop', completion),
    'litellm, streamed': Wire('LiteLLM', {'key': 'K', **STREAM}, 'stop', completion, chat_events, DONE),
}
"""The wire formats by name. The variable `K` must hold a key."""

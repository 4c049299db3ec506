"""What the vendors of APIs publish of them, as JSON Schema: requests and answers of a fake are held against it."""

import json
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

GEMINI = Path(__file__).parents[1] / 'data' / 'gemini_api.json'


@cache
def gemini(name):
    """The validator of a part of the Gemini API."""
    from jsonschema import Draft202012Validator  # here, for it takes seconds: every process of the tests reads this

    return Draft202012Validator({**json.loads(GEMINI.read_text(encoding='utf-8')), '$ref': f'#/$defs/{name}'})


@cache
def responses(*, stream):
    """The validator of a request of the Responses API, by the types of OpenAI's own client and with nothing else."""
    from jsonschema import Draft202012Validator
    from openai.types.responses.response_create_params import (
        ResponseCreateParamsNonStreaming,
        ResponseCreateParamsStreaming,
    )

    kind = ResponseCreateParamsStreaming if stream else ResponseCreateParamsNonStreaming
    return Draft202012Validator(_closed(_adapter(kind).json_schema()))


_adapter = cache(TypeAdapter)  # making one of all events takes half a second


def response(answer):
    """The answer, if it is one of the Responses API."""
    from openai.types.responses import Response

    _adapter(Response).validate_python(answer)
    return answer


def response_event(event):
    """The event, if it is one of a stream of the Responses API."""
    from openai.types.responses import ResponseStreamEvent

    _adapter(ResponseStreamEvent).validate_python(event)
    return event


def _closed(schema):
    """A schema whose objects have no other properties than those that are named."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {name: _closed(value) for name, value in schema.items()}
    return {'additionalProperties': False, **inner} if isinstance(inner.get('properties'), dict) else inner


def must_be(validator, value):
    """Fail with where and why a value is not what it should be."""
    problems = [f'{error.json_path}: {error.message[:200]}' for error in validator.iter_errors(value)]
    assert not problems, problems[:5]

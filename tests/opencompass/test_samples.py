"""Whose replies are drawn at random, so that `reply_cache=True` keeps none of them and epochs differ."""

import pytest

from cibench_eval.config.building import samples

GEMINI, CHAT = 'cibench_eval.models.Gemini', 'cibench_eval.models.OpenAICompatible'


@pytest.mark.parametrize(
    ('config', 'drawn'),
    [
        ({'type': CHAT}, False),
        ({'type': CHAT, 'generation_kwargs': {'temperature': 0.7}}, True),
        ({'type': GEMINI}, True),
        ({'type': GEMINI, 'generation_kwargs': {'temperature': 0}}, False),
        ({'type': 'cibench_eval.models.LlamaCpp'}, False),
        ({}, False),
    ],
)
def test_who_samples(config, drawn):
    assert samples(config) == drawn

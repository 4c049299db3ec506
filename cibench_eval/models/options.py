"""What a config may say of a model behind an endpoint, and the default of each option.

A backend is a dataclass that inherits these fields. It adds its own, gives one another default by naming it again, and
takes one away with `field(init=False)`; its constructor and the check of configs follow from the fields.
"""

from dataclasses import KW_ONLY, dataclass, field

from cibench_eval.schema import GenerationConfig

TEMPERATURE = 0.0
"""The temperature of models behind the chat completions API where the config sets none. The other APIs use the
service's default, because models that think accept no temperature."""
TIMEOUT = 600.0
"""Seconds that one try of a request may take."""


@dataclass(eq=False)
class EndpointOptions:
    """The options of every backend that asks an endpoint."""

    path: str
    """The model's name at the endpoint."""
    base_url: str
    """The endpoint's address with its version: up to and including `/v1`."""
    key: str | None = None
    """NAME of the environment variable that holds the API key; None for endpoints without keys."""
    _: KW_ONLY
    generation_kwargs: GenerationConfig | None = None
    """Settings of a request, sent as they are: `temperature`, `max_tokens`, `seed`, `extra_body=dict(top_k=…)`, …"""
    stream: bool = False
    """Whether replies are streamed. Long ones then survive proxies that close silent connections, and traces say when
    the first token came."""
    timeout: float = TIMEOUT
    """Seconds that one try may take, from the connection to the last byte."""
    retries: int = 5
    """How many times a failed request is sent again; while others are answered, rate limits make it wait instead."""
    retry_wait: float = 1.0
    """Seconds before the first retry, four times as many after status 429; each further wait is twice as long, with
    jitter. `Retry-After` goes first."""
    requests_per_minute: float | None = None
    """Limit shared by all models of this process at this endpoint with this key; the lowest one given counts."""
    tokens_per_minute: float | None = None
    """Most tokens a minute, of requests and replies together."""
    abbr: str = field(default='', init=False)
    """The model's name in the config, which messages call it by."""

    @property
    def name(self) -> str:
        return self.abbr or self.path

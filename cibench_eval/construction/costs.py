"""Estimates of requests, tokens and cost, before a model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cibench_eval.construction.asking import Writer
from cibench_eval.models.limits import money
from cibench_eval.models.reply_cache import CachedModel

CHARACTERS = 4
"""Characters of English text and code in a token, about."""
STEP = 160
"""Tokens of a step (question, thought, code), about."""
TOPIC = 45
"""Tokens of a topic with its names, about."""
FAULTS = 600
"""Tokens that describe the faults in a request for a revision, about."""


@dataclass(frozen=True)
class Amount:
    """Requests and their tokens."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Amount) -> Amount:
        return Amount(
            self.requests + other.requests, self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out
        )

    def times(self, factor: int) -> Amount:
        return Amount(self.requests * factor, self.tokens_in * factor, self.tokens_out * factor)


@dataclass(frozen=True)
class CostEstimate:
    """What is still to be asked: the least (each first reply is good) and the most (all tries and revisions)."""

    what: str
    least: Amount
    most: Amount
    kept: int = 0
    """First requests whose replies are in the folder and cost nothing."""


def of_requests(what: str, questions: Sequence[str], out: int, writer: Writer, rounds: int = 0) -> CostEstimate:
    """An estimate for independent requests, each followed by up to `rounds` revisions.

    A question that is there again stands for a later one of its length, whose text is not known yet; its reply may be
    kept where that of the first is.

    Args:
        out: tokens of a reply, about.
    """
    new = [
        question
        for place, question in enumerate(questions)
        if question in questions[:place] or not _is_kept(question, writer)
    ]
    reply = min(out, writer.model.max_out_len or out)
    sure = [question for question in new if not _is_kept(question, writer)]
    least = Amount(len(sure), sum(len(question) // CHARACTERS for question in sure), reply * len(sure))
    again = sum((_tries(len(question) // CHARACTERS, reply, writer.tries) for question in new), Amount())
    revision = _tries(reply + FAULTS + reply, reply, writer.tries)
    return CostEstimate(what, least, again + revision.times(rounds * len(questions)), len(questions) - len(new))


def of_chains(chains: Sequence[Sequence[str]], writer: Writer, rounds: int) -> CostEstimate:
    """An estimate for translations: chains of requests with replies of the same length; an empty chain is done.

    Args:
        chains: requests, each of which needs the reply to the one before.
        rounds: how many times a chain is repeated at most.
    """
    sizes = [len(question) // CHARACTERS for chain in chains for question in chain]
    least = sum((Amount(1, size, size) for size in sizes), Amount())
    most = sum((_tries(size, size, writer.tries) for size in sizes), Amount())
    return CostEstimate('translations', least, most.times(1 + rounds), sum(not chain for chain in chains))


def _tries(first: int, reply: int, tries: int) -> Amount:
    """A request that succeeds at the last try; each try carries the replies before it."""
    return sum((Amount(1, first + earlier * (reply + 40), reply) for earlier in range(tries)), Amount())


def _is_kept(question: str, writer: Writer) -> bool:
    model = writer.model
    return isinstance(model, CachedModel) and model.holds([{'role': 'user', 'content': question}])


def line_of(one: CostEstimate, writer: Writer) -> str:
    """An estimate in a line for people."""
    kept = f' ({one.kept} more are answered already)' if one.kept else ''
    return (
        f'{one.what}: {one.least.requests:,} to {one.most.requests:,} requests to {writer.name}{kept}, about '
        f'{_tokens(one.least)} at least, {_tokens(one.most)} at most, {_cost(one, writer)}'
    )


def _tokens(amount: Amount) -> str:
    """Tokens with two digits that count."""
    read, written = (f'{float(f"{number:.2g}"):,.0f}' for number in (amount.tokens_in, amount.tokens_out))
    return f'{read} tokens in + {written} out'


def _cost(one: CostEstimate, writer: Writer) -> str:
    if not (writer.price.input or writer.price.output):
        return 'cost unknown: the config has no price'
    least, most = (writer.price.of(amount.tokens_in, amount.tokens_out) for amount in (one.least, one.most))
    return f'cost {money(least)} to {money(most)} in the currency of its `price`'

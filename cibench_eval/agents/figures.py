"""Images in the conversation: a request holds their content, a trace only their paths (`figures/<sha256>.png`).

So traces stay small, and every request can still be made again from a trace.
"""

import base64
from collections.abc import Callable

from cibench_eval.images import image_part
from cibench_eval.schema import Figure, ImagePart, Message, Part, images_of, parts_of
from cibench_eval.traces import Journal

FOLDER = 'figures/'
"""The folder of images beside a trace."""
DATA = 'data:image/png;base64,'


def put_away(messages: list[Message], journal: Journal) -> list[Message]:
    """Messages with the path of each image in its place; the journal stores the images."""

    def named(part: ImagePart) -> ImagePart:
        figure = Figure.of(base64.b64decode(part['image_url']['url'].removeprefix(DATA)))
        journal.keep(figure)
        return {'type': 'image_url', 'image_url': {'url': f'{FOLDER}{figure.filename}'}}

    return [_changed(message, named) for message in messages]


def fetched(messages: list[Message], journal: Journal) -> list[Message]:
    """The reverse of `put_away`: messages with the images themselves; a `HarnessError` where an image is missing."""

    def shown(part: ImagePart) -> ImagePart:
        return image_part(journal.kept(part['image_url']['url'].removeprefix(FOLDER)))

    return [_changed(message, shown) for message in messages]


def _changed(message: Message, change: Callable[[ImagePart], ImagePart]) -> Message:
    if not images_of(message):
        return message
    parts: list[Part] = [change(part) if part['type'] == 'image_url' else part for part in parts_of(message['content'])]
    return {**message, 'content': parts}

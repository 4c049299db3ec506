"""Pictures of single axes in one layout, for artists that no kind of series describes."""

from __future__ import annotations

import base64
import binascii

from cibench_eval.images import read_image

MOST = 100_000
"""Most pixels of such a picture; the kernel's have 30,000."""
SAME = 0.9
"""Least similarity of two equal pictures."""


def same_picture(gold: str, answer: str) -> bool:
    """Whether two pictures in base64 show the same; an unreadable one shows nothing."""
    from cibench_eval.evaluators.comparing.figures import Target

    try:
        own, shown = (base64.b64decode(text, validate=True) for text in (gold, answer))
        target = Target.of(own)
    except (ValueError, binascii.Error):
        return False
    image, _ = read_image(shown, MOST)
    return image is not None and target.score(image)[0] >= SAME

"""PNG: how large an image is, by its header and before anything is decoded."""

from __future__ import annotations

SIGNATURE = b'\x89PNG\r\n\x1a\n'
HEADER = SIGNATURE + b'\0\0\0\x0dIHDR'
"""With what every PNG begins: the signature, then the header, 13 bytes long."""
MOST_PIXELS = 10_000_000
"""Of a figure. A larger one is not decoded: a PNG of 140 KB can have 36 million, and cost 2 GB and 18 s to compare.
A screen of 3,840 × 2,160 has 8.3 million."""


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height that the header of a PNG states, in pixels; 0 and 0 for what does not begin as a PNG does.

    A decoder may find another header further on, so who decodes asks the decoder for its size, too.
    """
    if not data.startswith(HEADER) or len(data) < len(HEADER) + 8:
        return 0, 0
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def png_pixels(data: bytes) -> int:
    """Pixels that the header of a PNG states: see `png_size`."""
    width, height = png_size(data)
    return width * height

"""PNG: how large an image is, by its header and before anything is decoded."""

SIGNATURE = b'\x89PNG\r\n\x1a\n'
HEADER = SIGNATURE + b'\0\0\0\x0dIHDR'
"""The beginning of every PNG: the signature, and the head of its header, which is 13 bytes long."""
MOST_PIXELS = 10_000_000
"""Most pixels of a figure that is decoded: a PNG of 140 KB can have 36 million, and take 2 GB and 18 s to compare.
A screen of 3,840 × 2,160 has 8.3 million."""


def png_size(data: bytes) -> tuple[int, int]:
    """Width and height in pixels by the header of a PNG; 0 and 0 for other data.

    A decoder may find a second header further on, so check the decoder's size, too.
    """
    if not data.startswith(HEADER) or len(data) < len(HEADER) + 8:
        return 0, 0
    return int.from_bytes(data[16:20]), int.from_bytes(data[20:24])


def png_pixels(data: bytes) -> int:
    """The number of pixels by the header of a PNG; see `png_size`."""
    width, height = png_size(data)
    return width * height

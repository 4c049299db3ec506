"""Images made by model code: reading them, and preparing them for vision models.

The size of an image is checked before it is decoded.
"""

import base64
import functools
import io
import struct
import zlib
from typing import Any

from cibench_eval.png import MOST_PIXELS, png_size
from cibench_eval.schema import ImagePart

DAMAGE = (
    *(OSError, SyntaxError, ValueError, AttributeError, IndexError, KeyError, TypeError, OverflowError, MemoryError),
    *(RecursionError, EOFError, struct.error, zlib.error),
)
"""Exceptions of Pillow on damaged and hostile images (found by mutating thousands), or when memory is short."""
FORMATS = ('PNG', 'JPEG')
"""Formats of figures; Pillow hands others on to installed programs."""


def read_image(data: bytes, most: int = MOST_PIXELS) -> tuple[Any, str]:
    """Read an image of at most `most` pixels as RGB on white; of an animation the first frame.

    Returns:
        The image, or None and the reason.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        image, problem = opened(data, most)
        return (None, problem) if image is None else (_composite(_eight_bits(image)), '')
    except UnidentifiedImageError:  # its text has the address of an object, which differs from scoring to scoring
        return None, f'it is not a readable {" or ".join(FORMATS)}'
    except (*DAMAGE, Image.DecompressionBombError) as error:
        return None, reason(error)


def opened(data: bytes, most: int = MOST_PIXELS) -> tuple[Any, str]:
    """Open an image without decoding it, or return None and why it is too large.

    Raises:
        One of DAMAGE or Pillow's DecompressionBombError: it cannot be read.
    """
    from PIL import Image

    width, height = png_size(data)
    if width * height <= most:  # else Pillow may warn of it
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        width, height = image.size
    return (image, '') if width * height <= most else (None, f'{width:,} × {height:,} pixels, over {most:,}')


@functools.lru_cache(maxsize=64)
def presentable(figure: bytes, side: int) -> bytes | None:
    """Convert a figure to a PNG on white, at most `side` pixels wide and high; None if it cannot be read.

    A figure that is so already stays as it is.
    """
    from PIL import Image

    try:
        image, _ = opened(figure)
        if image is None:
            return None
        if image.format == 'PNG' and max(image.size) <= side and _is_opaque(image):
            return figure
        picture = _composite(_eight_bits(image))
        picture.thumbnail((side, side))
        made = io.BytesIO()
        picture.save(made, 'PNG')
    except (*DAMAGE, Image.DecompressionBombError):
        return None
    return made.getvalue()


def image_part(png: bytes) -> ImagePart:
    """A PNG as a part of a message."""
    return {'type': 'image_url', 'image_url': {'url': f'data:image/png;base64,{base64.b64encode(png).decode()}'}}


def reason(error: BaseException) -> str:
    """Say in one line why an image cannot be read."""
    return f'{type(error).__name__}: {error}'.splitlines()[0]


def _eight_bits(image: Any) -> Any:
    """Scale deeper grey values to 8 bits: Pillow cuts them off at 255."""
    import numpy as np
    from PIL import Image

    if not image.mode.startswith(('I', 'F')):
        return image
    values = np.asarray(image).astype(np.float64)
    top = 65535 if image.mode.startswith('I') else max(values.max(initial=0), 255)
    return Image.fromarray((values.clip(0, top) * (255 / top)).round().astype(np.uint8))


def _is_opaque(image: Any) -> bool:
    """Whether an image has eight bits and nothing transparent; decodes it."""
    if image.mode == 'RGBA':
        return bool(image.getchannel('A').getextrema()[0] == 255)
    image.load()
    return image.mode in ('RGB', 'L') and 'transparency' not in image.info


def _composite(image: Any) -> Any:
    from PIL import Image

    if image.mode not in ('LA', 'La', 'PA', 'RGBA', 'RGBa') and 'transparency' not in image.info:
        return image.convert('RGB')
    image = image.convert('RGBA')
    return Image.alpha_composite(Image.new('RGBA', image.size, 'white'), image).convert('RGB')

"""Reading images that model code made."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

DAMAGE = (OSError, SyntaxError, ValueError, AttributeError, IndexError, struct.error, zlib.error)
"""What Pillow raises on damaged images (found by mutating some thousands)."""
WINDOW = 7
"""Side of the window that SSIM slides over an image, in pixels."""
FORMATS = ('PNG', 'JPEG')
"""What a figure may be; Pillow hands others on to whatever program is installed."""
MAX_PIXELS = 50_000_000
"""Larger images are not read: 50 megapixels are 200 MB in memory."""


def read_image(data: bytes) -> tuple[Any, str]:
    """An image in RGB on white, or None and why it cannot be read. Of an animation it is the first frame."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(data), formats=FORMATS)
        if image.width * image.height > MAX_PIXELS:
            return None, f'{image.width} × {image.height} pixels'
        return _composite(_eight_bits(image)), ''
    except (*DAMAGE, Image.DecompressionBombError) as error:
        return None, f'{type(error).__name__}: {error}'.splitlines()[0]


def _eight_bits(image: Any) -> Any:
    """Pillow cuts deeper grey values off at 255 instead of scaling them."""
    import numpy as np
    from PIL import Image

    if not image.mode.startswith(('I', 'F')):
        return image
    values = np.asarray(image).astype(np.float64)
    top = 65535 if image.mode.startswith('I') else max(values.max(initial=0), 255)
    return Image.fromarray((values.clip(0, top) * (255 / top)).round().astype(np.uint8))


def _composite(image: Any) -> Any:
    from PIL import Image

    if image.mode not in ('LA', 'La', 'PA', 'RGBA', 'RGBa') and 'transparency' not in image.info:
        return image.convert('RGB')
    image = image.convert('RGBA')
    return Image.alpha_composite(Image.new('RGBA', image.size, 'white'), image).convert('RGB')

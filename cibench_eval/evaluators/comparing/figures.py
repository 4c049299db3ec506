"""Figures: SSIM (Wang et al. 2004) in RGB, less what a blank canvas would get, over the best matching of figures.

SSIM is what `skimage.metrics.structural_similarity` gives with its defaults for 8-bit images (7 × 7 uniform window,
unbiased variances, mean over pixels and channels), computed here on sums of whole numbers: what it needs of the gold
is computed once for all figures and for the blank canvas.

A plot is mostly background, so an empty canvas of the right colour gets 0.8 to 0.9. The score is therefore
`(ssim - blank) / (1 - blank)`, 0 where that is negative; `blank` is the SSIM of the single colour that gets most: no
canvas without content is worth more, whatever its colour.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image

from cibench_eval.images import read_image
from cibench_eval.png import MOST_PIXELS

WINDOW = 7
"""Side of SSIM's sliding window, in pixels."""
AREA = WINDOW**2
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2
"""SSIM's constants for values up to 255."""
MAX_FIGURES = 32
"""Most figures of an answer that are compared; further ones count as matching nothing."""
MOST_TOGETHER = 5 * MOST_PIXELS
"""Most pixels of these figures together; figures beyond match nothing, either."""
LEVELS = 4
"""Steps to one grey level in which the blank canvas is looked for."""

Pixels = Any
"""Array of height × width × 3, 8 bits."""


@dataclass(frozen=True)
class Target:
    """A gold figure with sums over its windows, by channel, as SSIM needs them."""

    pixels: Pixels
    sums: list[Any]
    spreads: list[Any]
    """AREA × sum of squares - square of the sum: the variance × AREA × (AREA - 1)."""
    blank: float
    """SSIM of the best canvas of a single colour."""

    @classmethod
    def of(cls, data: bytes) -> Target:
        """Read a gold figure; a `ValueError` where it cannot be read, or is smaller than the window of SSIM."""
        image, problem = read_image(data)
        if image is None:
            raise ValueError(problem)
        if min(image.size) < WINDOW:
            raise ValueError(f'{image.width} × {image.height} pixels are below the window of {WINDOW} pixels')
        pixels = np.asarray(image)
        sums = [_windows(channel.astype(np.int32)) for channel in _channels(pixels)]
        spreads = [_spread(channel, total) for channel, total in zip(_channels(pixels), sums, strict=True)]
        blanks = [_blank(total, spread) for total, spread in zip(sums, spreads, strict=True)]
        return cls(pixels, sums, spreads, float(np.mean(blanks)))

    def fit(self, image: Any) -> Pixels:
        """The pixels of an image at the size of the gold."""
        height, width, _ = self.pixels.shape
        sized = image if image.size == (width, height) else image.resize((width, height), Image.Resampling.BICUBIC)
        return np.asarray(sized)

    def ssim(self, pixels: Pixels) -> float:
        """Mean structural similarity, up to 1, with pixels of the same size."""
        return float(np.mean([self._ssim(channel, _channels(pixels)[channel]) for channel in range(3)]))

    def _ssim(self, channel: int, other: Any) -> float:
        """SSIM of one channel; means and (co)variances are scaled by AREA² and AREA × (AREA - 1) to whole numbers."""
        own, mean = _channels(self.pixels)[channel], self.sums[channel]
        shown = _windows(other.astype(np.int32))
        product = mean * shown
        covariance = AREA * _windows(own.astype(np.int32) * other) - product
        spread = self.spreads[channel] + _spread(other, shown)
        luminance = _ratio(2 * product, mean * mean + shown * shown, C1 * AREA**2)
        structure = _ratio(2 * covariance, spread, C2 * AREA * (AREA - 1))
        return float(np.mean(luminance * structure, dtype=np.float64))

    def score(self, image: Any) -> tuple[float, str]:
        """Score an image, 0 to 1, and say how."""
        if all(low == high for low, high in image.getextrema()):
            same = bool((self.fit(image) == self.pixels).all())
            return float(same), '' if same else 'a blank figure'
        ssim = self.ssim(self.fit(image))
        score = max(0.0, (ssim - self.blank) / (1 - self.blank)) if self.blank < 1 - 1e-6 else 0.0
        return score, f'SSIM {ssim:.4f}, of a blank canvas {self.blank:.4f}'


def _channels(pixels: Pixels) -> list[Any]:
    return [pixels[..., channel] for channel in range(3)]


def _windows(values: Any) -> Any:
    """Sums over all windows that lie within the image."""
    for axis in (0, 1):
        moved = values.swapaxes(0, axis)
        two = moved[:-1] + moved[1:]
        four = two[:-2] + two[2:]
        moved = four[:-3] + two[4:-1] + moved[6:]
        values = moved.swapaxes(0, axis)
    return values


def _spread(channel: Any, total: Any) -> Any:
    values = channel.astype(np.int32)
    return AREA * _windows(values * values) - total * total


def _ratio(above: Any, below: Any, constant: float) -> Any:
    return (above.astype(np.float32) + np.float32(constant)) / (below.astype(np.float32) + np.float32(constant))


def _blank(total: Any, spread: Any) -> float:
    """The best SSIM in a channel of a canvas of one value, over all 256 values.

    Its variance and covariance are 0, so that SSIM is the luminance term × C2 / (variance + C2); windows of about the
    same mean (in LEVELS steps to a grey level) are taken together.
    """
    scale = C2 * AREA * (AREA - 1)
    weights = scale / (spread.astype(np.float32) + np.float32(scale))
    levels = (total.ravel() * LEVELS + AREA // 2) // AREA
    weight = np.bincount(levels, weights.ravel(), minlength=255 * LEVELS + 1) / levels.size
    means, canvas = np.arange(weight.size) / LEVELS, np.arange(256)[:, None]
    return float((((2 * means * canvas + C1) / (means**2 + canvas**2 + C1)) @ weight).max())


def similarity(golds: list[bytes], answers: list[bytes]) -> tuple[float, str]:
    """Score the figures of an answer against the gold's: 2 × the best matching's sum / (golds + answers).

    Each gold figure is matched with at most one of the answer's. Figures too many or too few cost as much as tokens
    do in an F measure. The same picture twice is one.

    Raises:
        ValueError: a gold figure cannot be read.
    """
    from scipy.optimize import linear_sum_assignment

    golds, answers = list(dict.fromkeys(golds)), list(dict.fromkeys(answers))
    targets = [Target.of(gold) for gold in golds]
    found = list(_all_compared(answers[:MAX_FIGURES], golds, targets))
    scores = np.array([[score for score, _ in column] for column in found]).T
    rows, columns = linear_sum_assignment(scores, maximize=True)
    details = [found[column][row][1] for row, column in zip(rows, columns, strict=True)]
    counts = [] if len(golds) == len(answers) else [f'{len(answers)} figures, the gold has {len(golds)}']
    score = 2 * float(scores[rows, columns].sum()) / (len(golds) + len(answers))
    return min(score, 1.0), '; '.join([*counts, *filter(None, details)])


def _all_compared(answers: list[bytes], golds: list[bytes], targets: list[Target]) -> Iterator[list[tuple[float, str]]]:
    left = MOST_TOGETHER
    for answer in answers:
        if answer in golds:
            yield [(1.0, '') if gold == answer else (0.0, '') for gold in golds]
            continue
        image, problem = read_image(answer, min(left, MOST_PIXELS))
        if image is None:
            yield [(0.0, f'the figure cannot be read ({problem})')] * len(golds)
            continue
        left -= image.width * image.height
        yield [target.score(image) for target in targets]

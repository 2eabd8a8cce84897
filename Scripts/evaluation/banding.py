# SPDX-License-Identifier: GPL-2.0-or-later
"""False contours on the neutral ramps, in full-resolution luma.

Both figures compare a ramp with the smooth curve through it: a cubic fitted by least squares in a
moving window (Savitzky and Golay, 1964) to the mean of the ramp's rows.

- run: the longest run of one code in any row, relative to the longest that the smooth curve makes
  when it is rounded to 8 bits. 1 is a staircase without dither; dither gives less, steps that are
  skipped more. Where the curve is clipped or flat by itself, runs are not counted.
- contour: what remains of the steps after the eye's blur (Gaussian, 2 samples), as the root mean
  square in codes. Long one-code steps give 0.29, which is 1/√12; a good dither under 0.1.
"""

import numpy as np

from .charts import RAMPS
from .windows import blur

WINDOW = 301  # samples, about twice the widest step that is judged
BLUR = 2.0  # samples
FLATTEST = 1 / 100  # codes a sample: flatter stretches are clipping, not banding


def smooth(values):
    """The moving cubic, and its slope."""
    half = WINDOW // 2
    x = np.arange(-half, half + 1) / half
    fit = np.linalg.pinv(np.vander(x, 4, increasing=True))
    valid = lambda weights: np.convolve(values, weights[::-1], mode="valid")
    return valid(fit[0]), valid(fit[1]) / half


def longest_run(codes, counted):
    """The longest run of equal values along the last axis among the samples that count."""
    longest = 0
    for row, counts in zip(np.atleast_2d(codes), np.atleast_2d(counted)):
        breaks = np.flatnonzero((np.diff(row) != 0) | ~counts[1:] | ~counts[:-1])
        edges = np.concatenate([[-1], breaks, [len(row) - 1]])
        longest = max(longest, int(np.diff(edges).max()))
    return longest


def banding(luma):
    """The worst run and the mean contour over the four ramps."""
    runs, contours = [], []
    height = luma.shape[0] // len(RAMPS)
    half = WINDOW // 2
    for index in range(len(RAMPS)):
        band = luma[index * height + 8 : (index + 1) * height - 8].astype(np.float64)
        curve, slope = smooth(band.mean(axis=0))
        inner = slice(half, -half)
        counted = slope > FLATTEST
        # The cubic cannot follow a corner; what it misses there is no banding.
        counted &= np.abs(blur(band.mean(axis=0)[None], 12)[0][inner] - curve) < 0.5
        if counted.sum() < WINDOW:
            continue
        ideal = longest_run(np.rint(curve), counted)
        rows = band[:: max(1, height // 16), inner]
        runs.append(longest_run(rows, np.broadcast_to(counted, rows.shape)) / ideal)
        left = (blur(band, BLUR)[:, inner] - curve)[8:-8, counted]
        contours.append(np.sqrt((left**2).mean()))
    if not runs:
        return {}
    return {"run": max(runs), "contour": float(np.mean(contours))}

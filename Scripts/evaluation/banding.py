# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures false contours on neutral ramps, in luma of full resolution.

A ramp is compared with the smooth curve through it. This curve is a cubic, which is fitted to the
mean of the ramp's rows by least squares in a moving window (Savitzky and Golay, 1964). The contour
is what remains of the ramp's steps after a blur that imitates the eye. The figure is the root mean
square of these steps, in codes. Long steps of one code give 0.29, which is 1/√12; a good dither
gives less than 0.1.
"""

import numpy as np
from scipy.ndimage import gaussian_filter

COUNT = 4  # ramps, one below the other
WINDOW = 301  # samples, about twice the widest step that is judged
BLUR = 2.0  # samples
FLATTEST = 1 / 100  # codes per sample; parts that are flatter count as clipped


def _smooth(values):
    """Returns the moving cubic and its slope."""
    half = WINDOW // 2
    x = np.arange(-half, half + 1) / half
    fit = np.linalg.pinv(np.vander(x, 4, increasing=True))
    moved = lambda weights: np.convolve(values, weights[::-1], mode="valid")
    return moved(fit[0]), moved(fit[1]) / half


def contours(luma):
    """Returns the mean contour of the ramps, without their clipped parts; None if all is
    clipped."""
    inner = slice(WINDOW // 2, -(WINDOW // 2))
    found = []
    for band in np.split(luma.astype(float), COUNT):
        band = band[8:-8]
        mean = band.mean(axis=0)
        curve, slope = _smooth(mean)
        # The cubic cannot follow a corner; what it misses there is not a contour.
        counted = (slope > FLATTEST) & (abs(gaussian_filter(mean, 12)[inner] - curve) < 0.5)
        if counted.sum() >= WINDOW:
            left = (gaussian_filter(band, BLUR)[:, inner] - curve)[8:-8, counted]
            found.append(np.sqrt((left**2).mean()))
    return float(np.mean(found)) if found else None

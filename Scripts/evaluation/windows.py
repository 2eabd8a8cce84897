# SPDX-License-Identifier: GPL-2.0-or-later
"""What is in the square around each pixel."""

import numpy as np


def _slide(values, size, combine):
    """Combines runs of `size` values along the last axis; edges are repeated."""
    before = (size - 1) // 2
    pad = [(0, 0)] * (values.ndim - 1) + [(before, size - 1 - before)]
    padded = np.pad(values, pad, mode="edge")
    count = values.shape[-1]
    result = padded[..., :count]
    for shift in range(1, size):
        result = combine(result, padded[..., shift : shift + count])
    return result


def square(values, size, combine):
    """Combines the `size` × `size` neighborhood of each pixel of a plane."""
    across = _slide(values, size, combine)
    return _slide(across.swapaxes(-1, -2), size, combine).swapaxes(-1, -2)


def span(picture, size):
    """The largest range of any channel in each neighborhood."""
    planes = np.moveaxis(picture, -1, 0)
    return (square(planes, size, np.maximum) - square(planes, size, np.minimum)).max(axis=0)


def deviation(plane, size):
    """The standard deviation in each neighborhood."""
    plane = plane.astype(np.float64)
    mean = square(plane, size, np.add) / size**2
    return np.sqrt(np.maximum(square(plane**2, size, np.add) / size**2 - mean**2, 0))


def blur(values, sigma):
    """A Gaussian blur along both axes."""
    reach = int(3 * sigma + 0.5)
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    kernel /= kernel.sum()
    for axis in (0, 1):
        pad = [(reach, reach) if a == axis else (0, 0) for a in (0, 1)]
        padded = np.pad(values, pad, mode="edge")
        count = values.shape[axis]
        values = sum(
            weight * np.take(padded, range(shift, shift + count), axis=axis)
            for shift, weight in enumerate(kernel)
        )
    return values

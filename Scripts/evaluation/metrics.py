# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what an SDR picture keeps of an HDR picture. The light of the two is compared pixel by
pixel, and in blocks.

Differences are in units of ΔE ITP (BT.2124). Highlights are pixels with a component above diffuse
white. Midtones are pixels without a component above 110 cd/m² that are brighter than 0.5 cd/m².
Structure and contrast are measured in blocks of 8 × 8 pixels. A block counts if more than half of
its pixels are highlights, and if it varies by more than grain does.
"""

import numpy as np

from .signals import WHITE, light_to_pq, luminance, sdr_light

# BT.2100 table 7.
LMS = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
ICTCP = np.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096
ITP_SCALE = 720 * np.array([1, 0.5, 1])  # BT.2124; T is half of Ct

MIDTONES, DARKEST = 110.0, 0.5  # cd/m²
COLORED, PALE = 15, 4  # chroma of the source and of the result; paler pixels have no hue
BLOCK = 8  # pixels
GRAIN = 1.5  # deviation of intensity in a block
STABLE = 0.5  # keeps noise from counting as structure in blocks that became nearly flat
FEWEST_PIXELS, FEWEST_BLOCKS = 50, 20  # with fewer, there is no figure
CLIPPED = 254 / 255 - 1e-4


def itp(light):
    """Returns I, T and P of BT.2020 light, scaled so that a distance is ΔE ITP."""
    return light_to_pq(np.maximum(light, 0) @ LMS.T) @ ICTCP.T * ITP_SCALE


def _mean(values, fewest):
    return float(np.mean(values)) if len(values) > fewest else None


def _exposure(reference, result):
    """Returns how bright the result is compared with the source: the median ratio of their
    luminances in midtones."""
    wanted, found = luminance(reference), luminance(result)
    compared = (wanted > 2) & (wanted < MIDTONES) & (found > 0.3)
    if compared.sum() <= FEWEST_PIXELS:
        return 1.0
    return float(np.exp(-np.median(np.log(wanted[compared] / found[compared]))))


def _color(before, after, highlights):
    """Returns for colored highlights how far hue turns, in degrees, and how much chroma is kept.

    ΔE ITP halves Ct. Here, hue and chroma are computed from the whole Ct and from Cp, both at the
    scale of P.
    """
    polar = lambda color: (color[..., 1] * 2 + 1j * color[..., 2])[highlights]
    before, after = polar(before), polar(after)
    colored = (abs(before) > COLORED) & (abs(after) > PALE)
    before, after = before[colored], after[colored]
    turn = np.degrees(abs(np.angle(after * before.conj())))
    return {
        "hue": _mean(turn, FEWEST_PIXELS), "chroma": _mean(abs(after) / abs(before), FEWEST_PIXELS)
    }  # fmt: skip


def _blocks(plane):
    height, width = (side // BLOCK * BLOCK for side in plane.shape)
    cut = plane[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    return cut.swapaxes(1, 2).reshape(-1, BLOCK * BLOCK)


def _structure(before, after, highlights):
    """Returns SSIM's structure term of intensity, and the share of the intensity's deviation that
    is kept."""
    bright = _blocks(highlights).mean(axis=1) > 0.5
    before, after = (_blocks(intensity)[bright] for intensity in (before, after))
    varied = before.std(axis=1) > GRAIN
    before, after = before[varied], after[varied]
    covariance = (before * after).mean(axis=1) - before.mean(axis=1) * after.mean(axis=1)
    before, after = before.std(axis=1), after.std(axis=1)
    structure = (covariance + STABLE) / (before * after + STABLE)
    return {
        "structure": _mean(structure, FEWEST_BLOCKS),
        "contrast": _mean(after / before, FEWEST_BLOCKS),
    }


def metrics(reference, signal):
    """Compares the source's light with the result's R'G'B', and returns the figures of the frame.

    A figure is None if there is too little in the picture to measure.
    """
    result_light = sdr_light(signal)
    before, after = itp(reference), itp(result_light)
    brightest, y = reference.max(axis=-1), luminance(reference)
    highlights, midtones = brightest > WHITE, (brightest <= MIDTONES) & (y > DARKEST)
    saturation = np.hypot(before[..., 1] * 2, before[..., 2])
    white = (y > 190) & (y < 216) & (saturation < 12)
    found = signal[white].mean(axis=-1)
    return {
        **_structure(before[..., 0], after[..., 0], highlights),
        **_color(before, after, highlights),
        "clip": 100 * float((signal.max(axis=-1) >= CLIPPED).mean()),
        "midtones": _mean(np.linalg.norm((after - before)[midtones], axis=-1), 0),
        "exposure": _exposure(reference, result_light),
        "white": 100 * float(np.median(found)) if len(found) > 20 else None,
        "highlights": 100 * float(highlights.mean()),
    }

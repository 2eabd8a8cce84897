# SPDX-License-Identifier: GPL-2.0-or-later
"""What an operator keeps of a picture: the HDR picture on a reference display against its SDR.

Color is compared where chroma is, so that nobody's interpolation counts. Differences are in units
of ΔE ITP (BT.2124), luminance in cd/m² on displays whose whites match (203 cd/m²).
"""

import numpy as np

from . import windows
from .appearance import chroma, hue_difference, itp, oklab
from .signals import WHITE, apply, between, luminance

DIFFUSE = (2.0, WHITE)  # cd/m²
COLORED, SATURATED, NEARLY_GRAY = 15, 60, 5  # chroma in units of ΔE ITP
SAMPLES = 250_000  # pixels of a frame that are compared in color
WINDOW = 9  # pixels


def mean(values):
    return float(np.mean(values)) if len(values) else None


def percentile(values, percent):
    return float(np.percentile(values, percent)) if len(values) else None


def best_exposure(reference, result):
    """The factor on the result's light that brings its lightness closest."""
    step = max(1, len(reference) // 8000)
    wanted, light = itp(reference[::step])[..., 0], result[::step]
    error = lambda stops: np.abs(itp(light * np.float32(2.0**stops))[..., 0] - wanted).mean()
    best, width = 0.0, 2.5
    for _ in range(5):
        best = min(best + width * np.linspace(-1, 1, 11), key=error)
        width /= 5
    return float(best)


def lightness(reference, result):
    """Bias and error of tones up to diffuse white, as they are and at the best exposure."""
    y = luminance(reference)
    tones = (y >= DIFFUSE[0]) & (y <= DIFFUSE[1])
    if tones.sum() < 100:
        return {}
    reference, result = reference[tones], result[tones]
    stops = best_exposure(reference, result)
    wanted = itp(reference)
    error = itp(result)[..., 0] - wanted[..., 0]
    exposed = np.abs(itp(result * np.float32(2**stops)) - wanted)
    return {
        "bias": mean(error), "error": mean(np.abs(error)), "error95": percentile(np.abs(error), 95),
        "stops": -stops, "exposed": mean(exposed[..., 0]),
        "exposed95": percentile(exposed[..., 0], 95),
    }  # fmt: skip


def color(reference, result):
    """Hue shifts, and chroma that is kept, of colors that SDR can show as they are and others."""
    a, b = itp(reference), itp(result)
    before, after = chroma(a), chroma(b)
    narrow = apply(between("bt2020", "bt709"), reference) / np.float32(WHITE)
    inside = (narrow.min(axis=-1) >= -0.005) & (narrow.max(axis=-1) <= 1.005)
    colored = before >= COLORED
    compared = colored & (after >= NEARLY_GRAY)
    shift = hue_difference(a, b)
    second = hue_difference(oklab(reference), oklab(result))
    saturated = before >= SATURATED
    kept = lambda pixels: mean(after[pixels]) / mean(before[pixels]) if pixels.any() else None
    return {
        "hue": mean(shift[compared & inside]), "hue outside": mean(shift[compared & ~inside]),
        "hue95": percentile(shift[compared], 95), "oklab": mean(second[compared]),
        "oklab95": percentile(second[compared], 95),
        "chroma": kept(saturated & inside), "chroma outside": kept(saturated & ~inside),
        "saturated bias": mean((b - a)[saturated & inside, 0]),
    }  # fmt: skip


def highlight_contrast(reference, result):
    """How much of the local contrast of log luminance is left above diffuse white."""
    size = WINDOW
    y = luminance(reference)
    bright = windows.square(y, size, np.minimum) > WHITE
    logarithm = lambda light: np.log2(np.maximum(luminance(light), 0.01))
    before = windows.deviation(np.log2(np.maximum(y, 0.01)), size)
    textured = bright & (before > 0.02)
    if textured.sum() < 50:
        return {}
    after = windows.deviation(logarithm(result), size)
    return {"contrast": float(after[textured].sum() / before[textured].sum())}


def clipping(source, signal):
    """Shares of pixels with a channel at its end, and of those in patches that became flat.

    Both count only where the source's neighborhood varies by more than 1.5% of its range. Flat: one
    channel is at its end in the whole neighborhood and no channel varies by more than one 8-bit
    code. Means of 3 × 3 pixels are compared, so that dither does not pass for detail.
    """
    average = lambda picture: np.moveaxis(
        windows.square(np.moveaxis(picture, -1, 0), 3, np.add) / np.float32(9), 0, -1
    )
    source, signal = average(source), average(signal)
    low, high = signal <= 2 / 255, signal >= 253 / 255
    whole = lambda mask: windows.square(
        np.moveaxis(mask, -1, 0), WINDOW, np.logical_and
    ).any(axis=0)
    varied = windows.span(source, WINDOW) > 0.015
    clipped = varied & (low | high).any(axis=-1)
    flat = varied & (whole(low) | whole(high)) & (windows.span(signal, WINDOW) <= 1 / 255)
    return {"clipped": 100 * float(clipped.mean()), "flat": 100 * float(flat.mean())}

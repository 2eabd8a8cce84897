# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures of the acceptance table: highlights against midtones, for each source.

SDR is shown with white at 203 cd/m². Blocks of 8 × 8 pixels lie on a grid and do not overlap.
"""

import numpy as np

from .appearance import chroma, hue_difference, itp
from .metrics import mean
from .signals import WHITE, luminance

BLOCK = 8  # pixels
VARIED = 0.002  # deviation of I in a block, in units of PQ's signal: less is grain
MIDTONES = 110.0  # cd/m²
CLIPPED = 253.5 / 255
COLORED = 15  # chroma in units of ΔE ITP


def _blocks(plane):
    height, width = (side // BLOCK * BLOCK for side in plane.shape)
    blocks = plane[:height, :width].reshape(height // BLOCK, BLOCK, width // BLOCK, BLOCK)
    return blocks.swapaxes(1, 2).reshape(-1, BLOCK * BLOCK).astype(np.float64)


def structure(reference, result):
    """SSIM's structure term of I of ICtCp, of blocks that lie above diffuse white and vary."""
    bright = _blocks(luminance(reference)).mean(axis=1) > WHITE
    before, after = (_blocks(itp(light)[..., 0] / 720)[bright] for light in (reference, result))
    before, after = (b - b.mean(axis=1, keepdims=True) for b in (before, after))
    deviation = np.sqrt((before**2).mean(axis=1)), np.sqrt((after**2).mean(axis=1))
    varied = deviation[0] > VARIED
    if varied.sum() < 20:
        return {}
    product = (before * after).mean(axis=1)[varied]
    both = (deviation[0] * deviation[1])[varied]
    ratio = deviation[1][varied].sum() / deviation[0][varied].sum()
    return {
        "struct": float((product / np.maximum(both, 1e-9)).mean()), "kept contrast": float(ratio)
    }  # fmt: skip


def _fitted(wanted, light):
    """The mean difference at the exposure where it is least."""
    step = max(1, len(light) // 20_000)
    wanted, light = wanted[::step], light[::step]
    error = lambda stops: np.linalg.norm(itp(light * np.float32(2.0**stops)) - wanted, axis=-1).mean()
    best, width = 0.0, 1.5
    for _ in range(4):
        best = min(best + width * np.linspace(-1, 1, 9), key=error)
        width /= 4
    return float(error(best))


def _squares(picture):
    """Squares of 2 × 2 pixels: whose means are compared, so that dither is no error."""
    height, width = (side // 2 * 2 for side in picture.shape[:2])
    squares = picture[:height, :width].reshape(height // 2, 2, width // 2, 2, 3)
    return squares.swapaxes(1, 2).reshape(-1, 4, 3)


def midtones(reference, result):
    """ΔE ITP and kept chroma where no component is above 110 cd/m²."""
    reference, result = _squares(reference), _squares(result)
    chosen = reference.max(axis=(1, 2)) <= MIDTONES
    if chosen.sum() < 100:
        return {}
    reference, result = (squares[chosen].mean(axis=1) for squares in (reference, result))
    wanted, found = itp(reference), itp(result)
    before, after = chroma(wanted), chroma(found)
    colored = before >= COLORED
    figures = {
        "mid": mean(np.linalg.norm(found - wanted, axis=-1)), "mid fitted": _fitted(wanted, result)
    }  # fmt: skip
    if colored.sum() >= 100:
        figures["mid chroma"] = mean(after[colored]) / mean(before[colored])
    return figures


def brights(reference, result):
    """Chroma that is kept above diffuse white, and how far hues turn."""
    chosen = luminance(reference) > WHITE
    before, after = itp(reference[chosen]), itp(result[chosen])
    colored = chroma(before) >= COLORED
    if colored.sum() < 100:
        return {}
    before, after = before[colored], after[colored]
    return {
        "bright chroma": mean(chroma(after)) / mean(chroma(before)),
        "bright hue": mean(hue_difference(before, after)[chroma(after) >= COLORED / 3]),
    }


def of_frame(reference, signal, result):
    """Figures of a frame: light of HDR, R'G'B' of SDR, and its light."""
    flat, flat_result = reference.reshape(-1, 3), result.reshape(-1, 3)
    return {
        "high share": 100 * float((luminance(flat) > WHITE).mean()),
        "clip": 100 * float((signal.max(axis=-1) >= CLIPPED).mean()),
        **structure(reference, result),
        **midtones(reference, result),
        **brights(flat, flat_result),
    }


def of_frames(source, result):
    """The means over a source's frames of what each of them has."""
    frames = [of_frame(*frame) for frame in zip(source.lights, result.signals, result.lights)]
    keys = {key: None for frame in frames for key in frame}
    values = {key: [f[key] for f in frames if f.get(key) is not None] for key in keys}
    return {key: float(np.mean(v)) for key, v in values.items() if v}

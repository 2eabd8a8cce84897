# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws charts whose right rendering is known, and measures what an operator makes of them."""

import warnings

import numpy as np

from .banding import contours
from .metrics import itp
from .signals import D65, FROM_LIGHT, HDR_PEAK, WHITE, XYZ, hdr_light

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # colour-science warns of missing packages that nobody needs
    import colour

HEIGHT, WIDTH = 1080, 1920
RAMPS = ((0, HDR_PEAK), (0, 20), (20, WHITE), (WHITE, HDR_PEAK))  # cd/m²
GRAYS = (0.01, 0.02, 0.05, 0.1, 0.18, 0.3, 0.5, 0.7, 0.85, 1, 1.5, 2, 2.5, 3, 4, HDR_PEAK / WHITE)
SKINS = ("dark skin", "light skin")


def colorchecker():
    """Returns the light of each of the 24 patches, by name. A perfect diffuser has 203 cd/m² and
    the color of D65."""
    data = colour.CCS_COLOURCHECKERS["ColorChecker24 - After November 2014"]
    lights = [colour.xy_to_XYZ(white) for white in (data.illuminant, D65)]
    adapted = lambda xyy: colour.chromatic_adaptation(
        colour.xyY_to_XYZ(xyy), *lights, method="Von Kries", transform="Bradford"
    )
    return {name: WHITE * np.linalg.solve(XYZ, adapted(xyy)) for name, xyy in data.data.items()}


def _tiles(rows):
    """Makes a picture from rows of patches. All rows have the same height, and the patches of a row
    have the same width. Borders of patches are on multiples of 8."""
    picture = np.empty((HEIGHT, WIDTH, 3))
    edges = lambda size, count: [8 * round(size * i / count / 8) for i in range(count)] + [size]
    for row, (top, bottom) in zip(rows, _pairs(edges(HEIGHT, len(rows)))):
        for patch, (left, right) in zip(row, _pairs(edges(WIDTH, len(row)))):
            picture[top:bottom, left:right] = patch
    return picture


def _pairs(edges):
    return zip(edges, edges[1:])


def ramp(transfer):
    """Draws neutral ramps. In each, the signal rises linearly from one luminance to another."""
    ends = FROM_LIGHT[transfer](np.array(RAMPS)[..., None] * np.ones(3))[..., 0]
    signal = np.repeat([np.linspace(*pair, WIDTH) for pair in ends], HEIGHT // len(RAMPS), axis=0)
    return hdr_light(np.repeat(signal[..., None], 3, axis=-1), transfer)


def grays(transfer):
    half = len(GRAYS) // 2
    return _tiles([[WHITE * g for g in row] for row in (GRAYS[:half], GRAYS[half:])])


def colors(transfer):
    """Draws the ColorChecker twice: in light of 203 cd/m², and in shade, at a quarter of that."""
    patches = list(colorchecker().values())
    lit = [patches[i : i + 6] for i in range(0, 24, 6)]
    return _tiles(lit + [[p / 4 for p in patches[i : i + 12]] for i in (0, 12)])


CHARTS = {"ramp": ramp, "grays": grays, "colors": colors}


def _skin(reference, result):
    """Returns the mean ΔE ITP of the two skins. The color of a skin is the mean of its patch."""
    patches = colorchecker()
    near = lambda wanted: abs(reference - wanted).max(axis=-1) <= 0.02 * max(wanted) + 0.05
    errors = []
    for name in SKINS:
        before, after = (light[near(patches[name])].mean(axis=0) for light in (reference, result))
        errors.append(np.linalg.norm(itp(before) - itp(after)))
    return float(np.mean(errors))


def figures(name, reference, result, luma):
    """Returns the figures that only this chart can show."""
    if name.startswith("colors"):
        return {"skin": _skin(reference, result)}
    if name.startswith("ramp"):
        highlights = luma[-HEIGHT // len(RAMPS) // 2]  # a row of the ramp above diffuse white
        return {"codes": len(np.unique(np.minimum(highlights, 235))), "contours": contours(luma)}
    return {}

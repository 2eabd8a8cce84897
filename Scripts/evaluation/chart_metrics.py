# SPDX-License-Identifier: GPL-2.0-or-later
"""Figures that need to know what a chart shows."""

import numpy as np

from .appearance import itp
from .banding import banding
from .charts import CHARTS, HEIGHT, RAMPS, colorchecker
from .signals import WHITE, luminance

SKIN = ("dark skin", "light skin")


def _patches(reference, result, wanted):
    """Mean light of the pixels that show a color: those within 2% of it (flat charts only)."""
    near = np.abs(reference - wanted).max(axis=-1) <= 0.02 * np.max(wanted) + 0.05
    return reference[near].mean(axis=0), result[near].mean(axis=0)


def gray_codes(reference, luma):
    """The 8-bit codes that diffuse white and mid gray get; reference is at chroma's places."""
    y = luminance(reference)
    codes = {}
    for name, level in (("white", WHITE), ("gray", 0.18 * WHITE)):
        places = np.argwhere(np.abs(y / level - 1) < 0.02)
        top, left = places.min(axis=0) + 4
        bottom, right = places.max(axis=0) - 4
        codes[name] = float(luma[2 * top : 2 * bottom, 2 * left : 2 * right].mean())
    return codes


def differences(reference, result):
    """ΔE ITP of skin and of all of the ColorChecker in the light."""
    errors = {}
    for name, wanted in colorchecker().items():
        a, b = _patches(reference, result, wanted)
        errors[name] = float(np.linalg.norm(itp(a) - itp(b)))
    return {
        "skin": np.mean([errors[n] for n in SKIN]), "checker": np.mean(list(errors.values())),
        "checker max": max(errors.values()),
    }  # fmt: skip


def highlight_codes(luma):
    """How many codes the ramp from diffuse white to 1000 cd/m² gets, in its middle row."""
    height = HEIGHT // len(RAMPS)
    return {"codes": len(np.unique(np.minimum(luma[-height // 2], 235)))}


def of_charts(source, result):
    at = {name: index for index, name in enumerate(CHARTS)}
    light = lambda name: (source.lights[at[name]], result.lights[at[name]])
    return {
        **gray_codes(source.lights[at["grays"]], result.lumas[at["grays"]]),
        **differences(*light("colors")),
        **highlight_codes(result.lumas[at["ramp"]]),
        **banding(result.lumas[at["ramp"]]),
    }

# SPDX-License-Identifier: GPL-2.0-or-later
"""Converts from an HDR display to an SDR display by ACES 2, with OpenColorIO.

ACES maps the light of a scene. Here, that light is computed backward from the HDR picture: it is
the light that the HDR output transform for 1000, 2000 or 4000 cd/m² would have shown as this
picture. The SDR output transform then renders the light.
"""

import numpy as np

from . import video
from .signals import XYZ, ycbcr_from_rgb

STYLE = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - "


def _processor(peak):
    import PyOpenColorIO as ocio

    matrix = np.eye(4)
    matrix[:3, :3] = XYZ / 100  # OpenColorIO's Y is 1 at 100 cd/m²
    inverse = ocio.TRANSFORM_DIR_INVERSE
    steps = ocio.GroupTransform()
    steps.appendTransform(ocio.MatrixTransform(matrix.ravel()))
    steps.appendTransform(ocio.BuiltinTransform(f"{STYLE}HDR-{peak}nit-REC2020_2.0", inverse))
    steps.appendTransform(ocio.BuiltinTransform(f"{STYLE}SDR-100nit-REC709_2.0"))
    steps.appendTransform(ocio.BuiltinTransform("DISPLAY - CIE-XYZ-D65_to_REC.1886-REC.709"))
    return ocio.Config.CreateRaw().getProcessor(steps).getDefaultCPUProcessor()


def _reduced(plane):
    """Reduces a plane of chroma to left-sited chroma, with weights of 1-2-1 across and the mean of
    two rows."""
    rows = (plane[0::2] + plane[1::2]) / 2
    left = np.concatenate([rows[:, :1], rows[:, 1:-1:2]], axis=1)
    return (left + 2 * rows[:, 0::2] + rows[:, 1::2]) / 4


def convert(source, target):
    brightest = max(light.max() for light in source.lights)
    processor = _processor(next((p for p in (1000, 2000) if brightest <= 1.05 * p), 4000))
    pictures = []
    for light in source.lights:
        signal = np.ascontiguousarray(light, np.float32)
        processor.applyRGB(signal)
        y, cb, cr = ycbcr_from_rgb(np.clip(signal, 0, 1), "bt709", 8)
        pictures.append([np.rint(plane) for plane in (y, _reduced(cb), _reduced(cr))])
    video.write_sdr(target, pictures)

# SPDX-License-Identifier: GPL-2.0-or-later
"""How light looks: ICtCp, with differences as BT.2124 counts them, and Oklab."""

import numpy as np

from .signals import WHITE, apply, light_to_pq, to_xyz

# BT.2100 table 7.
LMS = np.array([[1688, 2146, 262], [683, 2951, 462], [99, 309, 3688]]) / 4096
ICTCP = np.array([[2048, 2048, 0], [6610, -13613, 7003], [17933, -17390, -543]]) / 4096
# BT.2124: 720 makes a unit about one just noticeable difference; T is half of Ct.
ITP_SCALE = 720 * np.array([1, 0.5, 1])

# Oklab by Björn Ottosson, 2020.
OKLAB_LMS = np.array(
    [
        [0.8189330101, 0.3618667424, -0.1288597137],
        [0.0329845436, 0.9293118715, 0.0361456387],
        [0.0482003018, 0.2643662691, 0.6338517070],
    ]
)
OKLAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def itp(light):
    """I, T, P of BT.2020 light, in units of ΔE ITP."""
    return apply(ICTCP, light_to_pq(apply(LMS, light))) * ITP_SCALE.astype(light.dtype)


def oklab(light):
    """Oklab of BT.2020 light, 203 cd/m² as white."""
    lms = apply(OKLAB_LMS @ to_xyz("bt2020"), light / np.float32(WHITE))
    return apply(OKLAB, np.cbrt(lms))


def chroma(color):
    return np.hypot(color[..., 1], color[..., 2])


def hue_difference(a, b):
    """The angle between two hues in degrees, 0...180."""
    cross = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    dot = a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return np.degrees(np.abs(np.arctan2(cross, dot)))

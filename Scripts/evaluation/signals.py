# SPDX-License-Identifier: GPL-2.0-or-later
"""Converts between signals and light, by transfer functions and matrices in double precision.

Light is linear BT.2020 R, G, B on the last axis, in cd/m² on a display; signals are 0...1.
"""

import numpy as np

HDR_PEAK = 1000.0  # cd/m², the HLG reference display (BT.2100 table 5)
WHITE = 203.0  # cd/m², HDR reference white (BT.2408); SDR's white is shown at it, too

LUMA = {"bt2020": (0.2627, 0.0593), "bt709": (0.2126, 0.0722)}  # Kr, Kb
CHROMATICITIES = {  # red, green, blue; the white is D65
    "bt709": ((0.640, 0.330), (0.300, 0.600), (0.150, 0.060)),
    "bt2020": ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046)),
}
D65 = (0.3127, 0.3290)


def to_xyz(primaries):
    """Returns the matrix from linear R, G, B to XYZ, in which white has Y = 1 (SMPTE RP 177)."""
    xyz = lambda x, y: np.array([x / y, 1.0, (1 - x - y) / y])
    columns = np.stack([xyz(*c) for c in CHROMATICITIES[primaries]], axis=1)
    return columns * np.linalg.solve(columns, xyz(*D65))


XYZ = to_xyz("bt2020")
FROM_709 = np.linalg.solve(XYZ, to_xyz("bt709"))
TO_709 = np.linalg.inv(FROM_709)


def apply(matrix, picture):
    return picture @ np.asarray(matrix).T


def luminance(light):
    return light @ XYZ[1]


HLG_A = 0.17883277
HLG_B = 1 - 4 * HLG_A
HLG_C = 0.5 - HLG_A * np.log(4 * HLG_A)
HLG_GAMMA = 1.2


def _power_of_luminance(light, exponent):
    """Returns luminance ^ exponent for each pixel, and 0 for black."""
    y = luminance(light)[..., None]
    return np.where(y > 0, np.maximum(y, 1e-300) ** exponent, 0)


def hlg_to_light(signal):
    """Applies the inverse OETF and then the OOTF by luminance (BT.2100 table 5)."""
    upper = (np.exp((np.maximum(signal, 0.5) - HLG_C) / HLG_A) + HLG_B) / 12
    scene = np.where(signal <= 0.5, signal**2 / 3, upper)
    return HDR_PEAK * scene * _power_of_luminance(scene, HLG_GAMMA - 1)


def hlg_scene(light):
    """Returns the scene light that an HLG display would show as this light. The signal ends at a
    scene light of 1."""
    relative = np.maximum(light, 0) / HDR_PEAK
    return relative * _power_of_luminance(relative, 1 / HLG_GAMMA - 1)


def light_to_hlg(light):
    scene = hlg_scene(light)
    upper = HLG_A * np.log(np.maximum(12 * scene - HLG_B, 1e-6)) + HLG_C
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), upper)


PQ_M1, PQ_M2 = 2610 / 16384, 2523 / 32
PQ_C1, PQ_C2, PQ_C3 = 3424 / 4096, 2413 / 128, 2392 / 128


def pq_to_light(signal):
    """BT.2100 table 4 (SMPTE ST 2084)."""
    p = signal ** (1 / PQ_M2)
    return 10000 * (np.maximum(p - PQ_C1, 0) / (PQ_C2 - PQ_C3 * p)) ** (1 / PQ_M1)


def light_to_pq(light):
    p = (np.clip(light, 0, 10000) / 10000) ** PQ_M1
    return ((PQ_C1 + PQ_C2 * p) / (1 + PQ_C3 * p)) ** PQ_M2


FROM_LIGHT = {"hlg": light_to_hlg, "pq": light_to_pq}


def hdr_light(signal, transfer):
    return {"hlg": hlg_to_light, "pq": pq_to_light}[transfer](np.clip(signal, 0, 1))


def sdr_light(signal):
    """Returns the light of BT.1886 with black at 0 and white at 203 cd/m², in BT.2020 primaries."""
    return apply(FROM_709, WHITE * np.clip(signal, 0, 1) ** 2.4)


def sdr_signal(light):
    """Returns the BT.709 signal of BT.2020 light whose white is at 203 cd/m². Light that SDR cannot
    show is clipped."""
    return np.clip(apply(TO_709, light / WHITE), 0, 1) ** (1 / 2.4)


def rgb_from_ycbcr(planes, matrix, bit_depth):
    """Converts limited-range planes Y', Cb and Cr of equal size to R'G'B' (H.273 clause 8.3)."""
    kr, kb = LUMA[matrix]
    scale = 2 ** (bit_depth - 8)
    y = (planes[0] / scale - 16) / 219
    cb, cr = ((p / scale - 128) / 224 for p in planes[1:])
    r, b = y + 2 * (1 - kr) * cr, y + 2 * (1 - kb) * cb
    return np.stack([r, (y - kr * r - kb * b) / (1 - kr - kb), b], axis=-1)


def ycbcr_from_rgb(signal, matrix, bit_depth):
    """Returns Y', Cb and Cr as limited-range codes that are not rounded."""
    kr, kb = LUMA[matrix]
    scale = 2 ** (bit_depth - 8)
    y = signal @ np.array([kr, 1 - kr - kb, kb])
    cb, cr = (signal[..., 2] - y) / (2 * (1 - kb)), (signal[..., 0] - y) / (2 * (1 - kr))
    return scale * (219 * y + 16), scale * (224 * cb + 128), scale * (224 * cr + 128)

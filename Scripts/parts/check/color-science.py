# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the numbers of ColorScience with those of colour-science, and prints the differences."""

import sys
from collections import defaultdict

import numpy as np
import colour
from colour.models import ICtCp_to_RGB, RGB_to_ICtCp, RGB_to_YcCbcCrc, YcCbcCrc_to_RGB, matrix_YCbCr
from colour.models.rgb import transfer_functions as tf
from colour.models.rgb.transfer_functions.itur_bt_2100 import eotf_BT2100_HLG_2

BOUND = 1e-6


def odd(function):
    return lambda x: np.sign(x) * function(np.abs(x))


def power(gamma):
    return odd(lambda x: x**gamma), odd(lambda x: x ** (1 / gamma))


CAMERA = odd(tf.oetf_inverse_BT709), odd(tf.oetf_BT709)
SQUEEZED = tf.oetf_inverse_BT1361, tf.oetf_BT1361


def squeezed(pair):
    """Returns the curves of BT.1361: below black, the given curve at a quarter of its size."""
    def side(f):
        return lambda x: np.where(x < 0, -f(np.abs(4 * x)) / 4, f(np.abs(x)))
    return side(pair[0]), side(pair[1])


READINGS = {
    "bt1886": (odd(tf.eotf_BT1886), odd(tf.eotf_inverse_BT1886)),
    "quickTime": power(1.961),
    "scene": CAMERA,
}
CURVES = {
    4: power(2.2),
    5: power(2.8),
    7: (odd(tf.eotf_SMPTE240M), odd(tf.oetf_SMPTE240M)),
    8: (lambda x: x, lambda x: x),
    9: (lambda x: np.where(x > 0, tf.oetf_inverse_H273_Log(x), 0), tf.oetf_H273_Log),
    10: (lambda x: np.where(x > 0, tf.oetf_inverse_H273_LogSqrt(x), 0), tf.oetf_H273_LogSqrt),
    13: (tf.oetf_inverse_H273_IEC61966_2, tf.oetf_H273_IEC61966_2),
    16: (lambda x: tf.eotf_ST2084(x) / 10000, lambda x: tf.eotf_inverse_ST2084(x * 10000)),
    17: (odd(tf.eotf_H273_ST428_1), odd(tf.eotf_inverse_H273_ST428_1)),
    18: (tf.oetf_inverse_BT2100_HLG, tf.oetf_BT2100_HLG),
}


def curve(subject):
    code, reading = subject.split()
    if int(code) in CURVES:
        return CURVES[int(code)]
    if int(code) == 12:
        return SQUEEZED if reading == "scene" else squeezed(READINGS[reading])
    return READINGS[reading]


D65, C, DCI, E = (0.3127, 0.3290), (0.310, 0.316), (0.314, 0.351), (1 / 3, 1 / 3)
PRIMARIES = {  # H.273, table 2
    1: ([[0.64, 0.33], [0.30, 0.60], [0.15, 0.06]], D65),
    4: ([[0.67, 0.33], [0.21, 0.71], [0.14, 0.08]], C),
    5: ([[0.64, 0.33], [0.29, 0.60], [0.15, 0.06]], D65),
    6: ([[0.630, 0.340], [0.310, 0.595], [0.155, 0.070]], D65),
    7: ([[0.630, 0.340], [0.310, 0.595], [0.155, 0.070]], D65),
    8: ([[0.681, 0.319], [0.243, 0.692], [0.145, 0.049]], C),
    9: ([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]], D65),
    10: ([[1, 0], [0, 1], [0, 0]], E),
    11: ([[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]], DCI),
    12: ([[0.680, 0.320], [0.265, 0.690], [0.150, 0.060]], D65),
    22: ([[0.630, 0.340], [0.295, 0.605], [0.155, 0.077]], D65),
}
SPACES = {
    code: colour.RGB_Colourspace(
        str(code), np.array(primaries), np.array(white),
        use_derived_matrix_RGB_to_XYZ=True, use_derived_matrix_XYZ_to_RGB=True)
    for code, (primaries, white) in PRIMARIES.items()
}
WEIGHTS = {1: (0.2126, 0.0722), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114),
           7: (0.212, 0.087), 9: (0.2627, 0.0593)}
FIXED = {  # H.273, 8.3
    0: np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
    8: np.array([[0.25, 0.5, 0.25], [-0.25, 0.5, -0.25], [0.5, 0, -0.5]]),
    11: np.array([[0, 1, 0], [0, -0.5, 0.986566 / 2], [0.5, -0.991902 / 2, 0]]),
}


def luminance(primaries):
    return SPACES[primaries].matrix_RGB_to_XYZ[1]


def bt2020_constant(x, forward):
    if forward:
        return RGB_to_YcCbcCrc(CAMERA[0](x), out_legal=False, out_int=False, out_bits=10)
    return CAMERA[1](YcCbcCrc_to_RGB(x, in_legal=False, in_int=False, in_bits=10))


def constant(x, weights, pair, forward):
    """Computes H.273, 8.3 (matrix 10 and 13) with curves of colour-science."""
    linear, signal = pair
    def scale(k):
        return 2 * signal(np.array(1 - k)), 2 * (1 - signal(np.array(k)))
    (nb, pb), (nr, pr) = scale(weights[2]), scale(weights[0])
    if forward:
        luma = signal(linear(x) @ weights)
        db, dr = x[:, 2] - luma, x[:, 0] - luma
        return np.stack([luma, db / np.where(db > 0, pb, nb), dr / np.where(dr > 0, pr, nr)], 1)
    luma = x[:, 0]
    b = luma + x[:, 1] * np.where(x[:, 1] > 0, pb, nb)
    r = luma + x[:, 2] * np.where(x[:, 2] > 0, pr, nr)
    g = (linear(luma) - weights[0] * linear(r) - weights[2] * linear(b)) / weights[1]
    return np.stack([r, signal(np.maximum(g, 0)), b], 1)


def ictcp(x, transfer, forward):
    method = f"ITU-R BT.2100-2 {'PQ' if transfer == 16 else 'HLG'}"
    linear, signal = CURVES[transfer]
    unit = 10000 if transfer == 16 else 1
    if forward:
        return RGB_to_ICtCp(linear(x) * unit, method=method)
    return signal(np.maximum(ICtCp_to_RGB(x, method=method) / unit, 0))


def coding(x, subject, forward):
    primaries, transfer, matrix = map(int, subject.split("/"))
    pair = curve(f"{transfer} scene")
    if matrix == 10 and transfer in (1, 14):
        return bt2020_constant(x, forward)
    if matrix == 10:
        return constant(x, np.array([0.2627, 0.6780, 0.0593]), pair, forward)
    if matrix == 13:
        return constant(x, luminance(primaries), pair, forward)
    if matrix == 14:
        return ictcp(x, transfer, forward)
    if matrix == 12:
        k = luminance(primaries)
        rows = matrix_YCbCr((k[0], k[2]), bits=8, is_legal=False, is_int=False)
    elif matrix in WEIGHTS:
        rows = matrix_YCbCr(WEIGHTS[matrix], bits=8, is_legal=False, is_int=False)
    else:
        rows = np.linalg.inv(FIXED[matrix])
    return x @ (np.linalg.inv(rows) if forward else rows).T


def expected(function, subject, x):
    if function == "toLinear":
        return curve(subject)[0](x)
    if function == "toSignal":
        return curve(subject)[1](x)
    if function == "space":
        a, b = (SPACES[int(code)] for code in subject.split())
        same = tuple(a.whitepoint) == tuple(b.whitepoint)
        matrix = colour.matrix_RGB_to_RGB(a, b, None if same else "Bradford")
        return matrix.reshape(1, 9)
    if function in ("hlg", "bt1886"):
        peak, black = map(float, subject.split())
        if function == "bt1886":
            return tf.eotf_BT1886(x, black, peak)
        return eotf_BT2100_HLG_2(x, black, peak)
    return coding(x, subject, function == "fromRGB")


def bound(function, subject):
    if function == "hlg":
        return 1e-6 * float(subject.split()[0]), "of the peak, in cd/m²"
    if function == "bt1886":
        return 1e-6 * float(subject.split()[0]), "of the peak, in cd/m²"
    if function == "toRGB" and "/16/" in subject:
        return 1e-5, "(near black, PQ's curve magnifies rounding)"
    return BOUND, ""


def inside_step(function, subject, x, y):
    """Finds signals inside the step that the published constants leave between the two pieces of a
    curve. No light has such a signal. Candela converts it to the light at the step, but
    colour-science's curve falls by 5e-5 there. The matrices of constant luminance use these curves,
    so they have the step, too."""
    nowhere = np.zeros(len(x), bool)

    def camera(signals):
        return np.any((np.abs(signals) > 0.0809) & (np.abs(signals) < 0.0813), axis=1)

    if function == "toLinear":
        code, reading = subject.split()
        if int(code) == 7:
            return (np.abs(x[:, 0]) > 0.0911) & (np.abs(x[:, 0]) < 0.0913)
        if reading == "scene" and int(code) in (1, 6, 11, 12, 14, 15):
            return camera(x) | (camera(4 * x) & (int(code) == 12))
    if function in ("fromRGB", "toRGB"):
        _, transfer, matrix = map(int, subject.split("/"))
        if transfer in (1, 14) and matrix in (10, 13):
            return camera(x) | camera(y)
    return nowhere


rows = defaultdict(list)
for line in open(sys.argv[1]):
    function, subject, given, result = line.rstrip("\n").split("\t")
    rows[function, subject].append((given, result))

failed = False
worst_spaces = (0, "")
for (function, subject), values in rows.items():
    x = np.array([[float(n) for n in given.split()] for given, _ in values])
    y = np.array([[float(n) for n in result.split()] for _, result in values])
    difference = np.abs(np.asarray(expected(function, subject, x), float) - y)
    left_out = inside_step(function, subject, x, y)
    difference[left_out] = 0
    at = np.unravel_index(np.nanargmax(difference), difference.shape)[0]
    largest = np.max(difference)
    limit, remark = bound(function, subject)
    bad = not largest <= limit
    failed |= bad
    if function == "space" and not bad:
        worst_spaces = max(worst_spaces, (largest, subject))
        continue
    mark = f"  ABOVE {limit:g} at {x[at] if x.size else ''}" if bad else ""
    print(f"{function:9} {subject:16} {len(values):6} values  {largest:.1e}{' ' + remark if remark else ''}{mark}"
          + (f" (without {left_out.sum()} at the step)" if left_out.any() else ""))
pairs = sum(function == "space" for function, _ in rows)
print(f"{'space':9} {f'{pairs} pairs':16} {'':14} {worst_spaces[0]:.1e} (worst: {worst_spaces[1]})")
sys.exit(failed)

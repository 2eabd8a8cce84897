# SPDX-License-Identifier: GPL-2.0-or-later
"""Synthetic charts: pictures of light, in cd/m² on a display, in BT.2020 primaries."""

import warnings

import numpy as np

from .signals import FROM_LIGHT, HDR_PEAK, TO_LIGHT, WHITE, apply, between, luminance, to_xyz

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # colour-science misses packages that are not used here
    import colour

HEIGHT, WIDTH = 1080, 1920
RAMPS = ((0, HDR_PEAK), (0, 20), (20, WHITE), (WHITE, HDR_PEAK))  # cd/m²
GRAYS = (0.01, 0.02, 0.05, 0.1, 0.18, 0.3, 0.5, 0.7, 0.85, 1, 1.5, 2, 2.5, 3, 4, HDR_PEAK / WHITE)
WHEEL_LUMINANCES = (20, 100, 203, 600)  # cd/m²
WHEEL_HUES = 36


def colorchecker():
    """Name → light of the 24 patches, the perfect diffuser being at 203 cd/m² and D65."""
    data = colour.CCS_COLOURCHECKERS["ColorChecker24 - After November 2014"]
    source = colour.xy_to_XYZ(data.illuminant)
    target = to_xyz("bt2020").sum(axis=1)
    patches = {}
    for name, xyy in data.data.items():
        xyz = colour.xyY_to_XYZ(xyy)
        xyz = colour.chromatic_adaptation(
            xyz, source, target, method="Von Kries", transform="Bradford"
        )
        patches[name] = WHITE * np.linalg.solve(to_xyz("bt2020"), xyz)
    return patches


def fitted(light, transfer):
    """Light mixed with gray of its own luminance until the signal can carry it."""
    light = np.maximum(np.asarray(light, np.float64), 0)
    gray = luminance(light)[..., None] * np.ones(3)
    kept = np.ones(light.shape[:-1])
    step = 0.5
    ceiling = FROM_LIGHT[transfer](np.full((1, 3), HDR_PEAK)).max() + 1e-9
    fits = lambda k: (FROM_LIGHT[transfer](gray + k[..., None] * (light - gray))).max(-1) <= ceiling
    kept = np.where(fits(kept), 1.0, 0.0)
    partly = kept == 0
    for _ in range(20):
        trial = kept + step * partly
        kept = np.where(partly & fits(trial), trial, kept)
        step /= 2
    return gray + kept[..., None] * (light - gray)


def tiles(rows):
    """A picture of equal rows of equal patches; and where each patch is: (top, left, h, w)."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.float64)
    places = []
    # Borders lie on multiples of 8, far enough from the filters of either side's chroma.
    edges = lambda size, count: [8 * round(size * i / count / 8) for i in range(count)] + [size]
    tops = edges(HEIGHT, len(rows))
    for row, top, bottom in zip(rows, tops, tops[1:]):
        lefts = edges(WIDTH, len(row))
        for patch, left, right in zip(row, lefts, lefts[1:]):
            picture[top:bottom, left:right] = patch
            places.append((top, left, bottom - top, right - left))
    return picture, places


def ramp(transfer):
    """Neutral ramps, each linear in the signal between two luminances."""
    signal = np.empty((HEIGHT, WIDTH))
    for row, (low, high) in enumerate(RAMPS):
        ends = [FROM_LIGHT[transfer](np.full((1, 3), float(v)))[0, 0] for v in (low, high)]
        signal[row * HEIGHT // 4 : (row + 1) * HEIGHT // 4] = np.linspace(*ends, WIDTH)
    return TO_LIGHT[transfer](np.repeat(signal[..., None], 3, axis=-1))


def grays(transfer):
    half = len(GRAYS) // 2
    rows = [[WHITE * g for g in GRAYS[:half]], [WHITE * g for g in GRAYS[half:]]]
    return tiles(rows)[0]


def colors(transfer):
    """The ColorChecker: in the light of 203 cd/m², and in shade, at a quarter of it."""
    patches = list(colorchecker().values())
    lit = [patches[i : i + 6] for i in range(0, 24, 6)]
    shade = [[p / 4 for p in patches[i : i + 12]] for i in (0, 12)]
    return tiles(lit + shade)[0]


def hue(angle):
    """A color of the hull of a cube: one channel 1, one 0."""
    turn = (angle / 60.0) % 6
    return np.clip([abs(turn - 3) - 1, 2 - abs(turn - 2), 2 - abs(turn - 4)], 0, 1)


def wheels(transfer):
    """Saturated hues of three gamuts at several luminances, a row each."""
    rows = []
    for primaries in ("bt709", "p3", "bt2020"):
        matrix = between(primaries, "bt2020")
        hues = [apply(matrix, hue(360 * i / WHEEL_HUES)) for i in range(WHEEL_HUES)]
        for level in WHEEL_LUMINANCES:
            rows.append([fitted(level * h / luminance(h), transfer) for h in hues])
    return tiles(rows)[0]


GRADIENTS = {  # BT.2020 R'G'B' light, relative
    "sky": (0.25, 0.5, 1), "neon magenta": (1, 0, 1), "red": (1, 0, 0), "orange": (1, 0.35, 0),
    "yellow": (1, 1, 0), "green": (0, 1, 0), "cyan": (0, 1, 1), "blue": (0, 0, 1),
    "violet": (0.4, 0, 1),
}  # fmt: skip


def gradients(transfer):
    """Black → saturated color → white of 1000 cd/m², smooth, a row for each color."""
    t = np.linspace(0, 1, WIDTH)[:, None]
    up = np.minimum(t / 0.4, 1) ** 2.4
    on = np.clip((t - 0.4) / 0.6, 0, 1) ** 2
    rows = [
        fitted(up * (1 - on) * 0.5 * HDR_PEAK * np.array(color) + on * HDR_PEAK, transfer)
        for color in GRADIENTS.values()
    ]
    return np.repeat(np.stack(rows), HEIGHT // len(rows), axis=0)


def highlights(transfer):
    """Spots of light on surfaces: white ones, ones of the surface's color, and gradients."""
    patches = colorchecker()
    white = np.full(3, WHITE)
    names = ("light skin", "blue sky", "foliage", "red")
    bases = [white, white / 2] + [patches[n] for n in names]
    height, width = HEIGHT // 3, WIDTH // len(bases)
    y, x = np.mgrid[0:height, 0:width]
    far = np.hypot(y - height / 2, x - width / 2)[..., None]
    spot = np.exp(-0.5 * (far / (width / 6)) ** 2)
    along = (x / (width - 1))[..., None]
    columns = []
    for base in bases:
        tinted = base / luminance(base)
        columns.append(
            np.concatenate(
                [
                    base + spot * (HDR_PEAK - base),
                    base + spot * (0.9 * HDR_PEAK * tinted - base),
                    tinted * (WHITE * (HDR_PEAK / WHITE) ** along),
                ]
            )
        )
    return fitted(np.concatenate(columns, axis=1), transfer)


# Charts of flat patches are judged inside the patches only.
CHARTS = {
    "ramp": ramp, "grays": grays, "colors": colors,
    "wheels": wheels, "gradients": gradients, "highlights": highlights,
}  # fmt: skip
FLAT = ("grays", "colors", "wheels")
# What scenes are made of: only there is lightness judged.
NATURAL = ("ramp", "grays", "colors")

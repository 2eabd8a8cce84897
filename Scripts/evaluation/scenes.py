# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws scenes with light that is hard to map, in linear BT.2020 light (cd/m²).

Each scene is a Python function that takes the name of a transfer function ("hlg" or "pq") and
returns the light of all pixels. Places are relative to the picture's sides, and sizes are relative
to its height. `bt709` takes R, G and B with the primaries of BT.709: the reflectances of a surface,
or the proportions of a light.
"""

import numpy as np
from scipy.ndimage import gaussian_filter

from .signals import FROM_709, HDR_PEAK, WHITE, apply, hlg_scene

HEIGHT, WIDTH = 540, 960
ASPECT = WIDTH / HEIGHT
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH]
Y, X = Y / HEIGHT, X / WIDTH
# Six skins from pale to dark, as reflectances.
SKINS = (
    (0.80, 0.55, 0.42), (0.72, 0.47, 0.34), (0.58, 0.36, 0.25),
    (0.42, 0.25, 0.17), (0.25, 0.145, 0.10), (0.12, 0.07, 0.05),
)  # fmt: skip


def bt709(*color):
    return apply(FROM_709, np.array(color))


def tinted(plane, *color):
    """Returns light of one color. The plane says how much of it each pixel has."""
    return plane[..., None] * np.array(color, float)


def texture(seed):
    """Makes noise of five octaves, from 0 to 1. It wraps around at the borders."""
    random = np.random.default_rng(seed)
    total = np.zeros((HEIGHT, WIDTH))
    for octave in range(5):
        width = 2.0 ** (6 - octave)
        noise = gaussian_filter(random.standard_normal(total.shape), width, mode="wrap")
        total += 0.55**octave * width * noise
    return (total - total.min()) / np.ptp(total)


def squared_distance(x, y):
    return ((X - x) * ASPECT) ** 2 + (Y - y) ** 2


def distance(x, y):
    return np.sqrt(squared_distance(x, y))


def mixed(under, over, share):
    return under * (1 - share[..., None]) + over * share[..., None]


def painted(light, where, over):
    return np.where(where[..., None], over, light)


def sky(transfer):
    """A clear sky that becomes brighter toward the horizon."""
    return mixed(260 * bt709(0.16, 0.33, 0.75), 900 * np.array([1, 0.93, 0.82]), Y**1.6)


def clouds(transfer):
    cover = np.clip(3.2 * (texture(5) - 0.42), 0, 1)
    shade = 0.35 + 0.65 * np.clip(1.5 * (texture(6) - 0.2), 0, 1)
    light = mixed(240 * bt709(0.18, 0.36, 0.78), tinted(950 * shade, 1, 0.985, 0.95), cover)
    grass = (0.6 + 0.8 * texture(7))[..., None] * WHITE * bt709(0.05, 0.09, 0.03)
    return painted(light, Y > 0.8, grass)


def sunset(transfer):
    """A sun in an orange glow over a dark hill; in PQ the sun has 4000 cd/m²."""
    far = distance(0.62, 0.62)
    glow = np.exp(-3.2 * far)
    light = tinted(900 * glow**1.4, 1, 0.36, 0.035) + tinted(30 * (1 - glow), 0.10, 0.10, 0.32)
    light = light + tinted(48 * np.exp(-(((Y - 0.66) / 0.12) ** 2)), 0.9, 0.35, 0.3)
    sun = {"hlg": HDR_PEAK, "pq": 4000}[transfer] * np.array([1, 0.8, 0.42])
    light = mixed(light, sun, np.clip((0.045 - far) / 0.006, 0, 1))
    edge = 0.72 + 0.03 * np.sin(17 * X) + 0.02 * np.sin(41 * X)
    hill = tinted(0.3 + 1.2 * texture(8), 0.8, 0.7, 0.6)
    return mixed(light, hill, np.clip((Y - edge) / 0.004, 0, 1))


TUBES = (  # a color, and how many cd/m² its component 1 means
    ((1, 0, 0), 600), ((0, 1, 0), 900), ((0, 0, 1), 400), ((1, 0, 1), 700), ((0, 1, 1), 900),
    ((1, 0.5, 0), 1000),
)  # fmt: skip


def neon(transfer):
    """Signs of saturated color, with halos, on a dark wall."""
    light = tinted(0.15 * (0.3 + texture(9)), 1, 1, 1)
    for index, (color, level) in enumerate(TUBES):
        left = 60 + 145 * index
        sign = np.zeros((HEIGHT, WIDTH))
        sign[80:440, left : left + 10] = 1
        sign[80:90, left : left + 90] = sign[430:440, left : left + 90] = 1
        tube = gaussian_filter(sign, 1.2)
        halo = 0.35 * gaussian_filter(sign, 14) + 0.25 * gaussian_filter(sign, 45)
        light += tinted(level * (tube + 0.5 * halo), *color)
        light += 0.15 * level * tube[..., None] ** 3
    return np.minimum(light, HDR_PEAK)


BEAMS = (  # where the beam begins, its slope, its color, its light
    (0.15, 0.35, (0, 0.02, 1), 350), (0.40, -0.10, (1, 0, 0.55), 700),
    (0.62, 0.20, (0.05, 0.1, 1), 500), (0.85, -0.40, (1, 0.02, 0.02), 650),
)  # fmt: skip


def stage(transfer):
    """Beams of saturated light over faces in magenta light, under a row of blue lamps."""
    light = tinted(0.5 * texture(10), 1, 1, 1)
    for left, slope, color, level in BEAMS:
        off = (X - left - slope * Y) / (0.015 + 0.12 * Y)
        light += tinted(level * np.exp(-(off**2)) * (1 - 0.6 * Y), *color)
    for index, skin in enumerate(SKINS):
        left = 0.12 + 0.15 * index
        lit = 0.4 + 0.6 * np.clip(1 - distance(left - 0.02, 0.75) / 0.09, 0, 1)
        face = tinted(180 * lit, *(bt709(*skin) * [1.4, 0.35, 1.3]))
        light = painted(light, squared_distance(left, 0.78) < 0.004, face)
    lamps = (Y < 0.1) & (np.arange(WIDTH) // 24 % 2 == 0)
    light[lamps] = (60, 40, 1000)
    return np.minimum(light, HDR_PEAK)


def dress(transfer):
    """A white dress in the sun, in front of a dark hedge."""
    light = tinted(WHITE * (0.4 + 1.3 * texture(11)), *bt709(0.06, 0.11, 0.035))
    half = 0.10 + 0.22 * np.clip((Y - 0.3) / 0.7, 0, 1)
    folds = 0.25 * np.sin(120 * X + 3 * np.sin(9 * Y)) * np.clip(2 * (Y - 0.3), 0, 1)
    shade = 0.55 + folds + 0.35 * (texture(12) - 0.5) + 0.2 * (X - 0.5)
    cloth = tinted(WHITE * 0.88 * 3.6 * np.clip(shade, 0.15, 1.25), 1, 0.985, 0.95)
    light = painted(light, (abs(X - 0.5) < half) & (Y > 0.3), cloth)
    lit = np.clip(1.1 - 5 * distance(0.47, 0.16), 0.2, 1.2)
    face = tinted(WHITE * 1.6 * lit, *bt709(*SKINS[1]))
    return np.minimum(painted(light, squared_distance(0.5, 0.19) < 0.0081, face), HDR_PEAK)


def night(transfer):
    """Street lamps at night, with a camera's noise."""
    light = tinted(0.02 + 0.9 * texture(13) ** 3, 0.5, 0.55, 0.8)
    for index in range(7):
        far = distance(0.08 + 0.14 * index, 0.3 + 0.03 * index)
        lamp = 900 * np.exp(-((far / 0.008) ** 2)) + 6 * np.exp(-far / 0.06)
        light += tinted(lamp, 1, 0.72, 0.32)
    random = np.random.default_rng(3)
    light = light * (1 + 0.10 * random.standard_normal(light.shape))
    return np.clip(light + 0.004 * random.standard_normal(light.shape), 0, HDR_PEAK)


def skin(transfer):
    """Balls of six skin colors, each with a glint, in light of five strengths, from two stops below
    reference white to two stops above."""
    light = np.full((HEIGHT, WIDTH, 3), 36.0)
    radius = 0.085
    for row, column in np.ndindex(5, len(SKINS)):
        x, y = (column + 0.5) / len(SKINS), (row + 0.5) / 5
        across, down = (X - x) * ASPECT / radius, (Y - y) / radius
        depth = np.sqrt(np.clip(1 - across**2 - down**2, 0, 1))
        facing = np.clip(0.7 * depth - 0.5 * across - 0.5 * down, 0, 1)
        ball = tinted(0.15 + 0.85 * facing, *bt709(*SKINS[column]))
        ball = WHITE * 2.0 ** (row - 2) * (ball + 0.25 * facing[..., None] ** 24)
        light = painted(light, squared_distance(x, y) < radius**2, ball)
    return np.minimum(light, HDR_PEAK)


def encodable(light, transfer):
    """Darkens pixels that HLG cannot encode: for saturated colors, HLG's largest signal does not
    reach 1000 cd/m²."""
    light = np.maximum(light, 0)
    if transfer == "pq":
        return light
    step = 0.97  # each step multiplies light by this, and scene light by this to the power 1/1.2
    peak = np.maximum(hlg_scene(light).max(axis=-1, keepdims=True), 1)
    steps = np.ceil(np.log(peak) / -np.log(step) * 1.2 - 1e-9)
    return light * step ** np.minimum(steps, 40)


SCENES = {
    function.__name__: function
    for function in (sunset, neon, stage, dress, night, skin, sky, clouds)
}

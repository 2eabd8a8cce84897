# SPDX-License-Identifier: GPL-2.0-or-later
"""Converts movies with changing light and steady gray bars, to see if the bars flicker.

A curve that follows the picture changes the bars as well. The largest step of a bar's mean from one
frame to the next is reported in codes of 8 bits. The largest step of the bar of 203 cd/m² is also
reported by itself, because at a cut to another scene only this step is limited.
"""

from concurrent.futures import ProcessPoolExecutor
from itertools import product
import os

import numpy as np

from . import scenes, table, video
from .operators import Candela
from .signals import FROM_LIGHT, WHITE, ycbcr_from_rgb

HEIGHT, WIDTH, RATE, FRAMES = 180, 320, 25, 175
GRAYS = (20, 50, 100, 150, WHITE, 300, 400)  # cd/m²
KEY_INTERVALS = (30, 250)  # frames between key frames
# By how many codes a gray may change within a scene, and the gray of 203 cd/m² at a cut.
WITHIN, AT_CUT = 0.5, 8
Y, X = np.mgrid[0:HEIGHT, 0:WIDTH]
NOISE = [scenes.texture(seed)[:HEIGHT, :WIDTH] for seed in (21, 22, 23)]


def dark():
    return scenes.tinted(30 * NOISE[0] ** 2, 1, 0.9, 0.8) + 0.5


def bright(shift=0):
    return scenes.tinted(60 + 700 * np.roll(NOISE[1], shift, axis=1), 0.9, 1, 1.1)


def room(window):
    """A face in a room, with a bright window or without."""
    light = scenes.tinted(25 * (0.5 + NOISE[2]), 1, 1, 1)
    off = ((X - 0.4 * WIDTH) / 45) ** 2 + ((Y - 0.45 * HEIGHT) / 60) ** 2
    face = scenes.tinted(180 * np.clip(1.2 - off, 0.3, 1), *scenes.bt709(*scenes.SKINS[1]))
    light = scenes.painted(light, off < 1, face)
    outside = scenes.tinted(600 * (0.5 + NOISE[0]), 0.75, 0.9, 1.15)
    return scenes.painted(light, window & (X > 0.6 * WIDTH) & (Y < 0.6 * HEIGHT), outside)


def lamp(x, y, core, halo, levels, color):
    far = np.hypot(X - x * WIDTH, Y - y * HEIGHT)
    light = levels[0] * np.exp(-((far / core) ** 2)) + levels[1] * np.exp(-far / halo)
    return scenes.tinted(light, *color)


def risen(time, start, duration):
    return min(max((time - start) / duration, 0), 1)


def panned(time, start, duration):
    left = int(risen(time, start, duration) * WIDTH)
    return np.concatenate([dark(), bright()], axis=1)[:, left : left + WIDTH]


def mixed(share, shift=0):
    return dark() * (1 - share) + bright(shift) * share


def candle(t):
    halo = 60 * (1 + 0.3 * np.sin(7 * t + 2 * np.sin(11 * t)))
    return dark() + lamp(0.5, 0.5, 12, 80, (900, halo), (1, 0.6, 0.25))


# For each series, a function that gives the light at a time in seconds.
SERIES = {
    "pan": lambda t: panned(t, 2, 4),
    "fast pan": lambda t: panned(t, 3, 1),
    "fade": lambda t: bright() * risen(t, 1, 2) + 0.05,
    "dissolve": lambda t: mixed(risen(t, 3, 1)),
    "flicker": lambda t: bright() * (1 + 0.25 * np.sin(2 * np.pi * 8 * t)),
    "flash": lambda t: dark() + bright() * (round(t * RATE) in (100, 101)),
    "strobe": lambda t: dark() + bright() * (int(8 * t) % 2),
    "candle": candle,
    "lamp": lambda t: dark() + lamp(0.7, 0.3, 30, 150, (900, 30), (1, 0.8, 0.5)) * (t > 4),
    "walk out": lambda t: mixed(risen(t, 2, 2.4), int(20 * t)),
    "cut within a scene": lambda t: room(window=int(t / 2) % 2 == 1),
    "cut": lambda t: bright() if int(t / 2) % 2 else dark(),
}
CUTS = {"cut": [2 * RATE, 4 * RATE, 6 * RATE]}


def pictures(name, transfer):
    for frame in range(FRAMES):
        light = np.minimum(SERIES[name](frame / RATE), 1000)
        for index, gray in enumerate(GRAYS):
            light[HEIGHT - 28 : HEIGHT - 4, 10 + 40 * index : 46 + 40 * index] = gray
        signal = np.clip(FROM_LIGHT[transfer](light), 0, 1)
        planes = ycbcr_from_rgb(signal, "bt2020", 10)
        yield [np.clip(np.rint(p), 4, 1019).astype(np.uint16) for p in planes]


def bars(path):
    """Returns the mean code of each bar in each frame."""
    luma = np.stack([picture[0] for picture in video.read(path, "yuv420p")])[:, HEIGHT - 22 : -10]
    return np.stack(
        [luma[..., 18 + 40 * i : 38 + 40 * i].mean(axis=(1, 2)) for i in range(len(GRAYS))], axis=1
    )


def measured(job):
    """Returns a row of the table. The last cell says whether a limit is exceeded."""
    name, transfer, interval, program, folder = job
    source = folder / f"{name}-{transfer}-{interval}.mp4"
    keys = (f"keyint={interval}", "min-keyint=1", "scenecut=40")
    video.write_hdr(source, list(pictures(name, transfer)), transfer, keys)
    target = source.with_suffix(".sdr.mp4")
    operator = Candela(program, "auto")
    video.run([program, "transcode", source, target, "--progress", "none", *operator.settings])
    steps = abs(np.diff(bars(target), axis=0))
    cuts = [frame - 1 for frame in CUTS.get(name, [])]
    white = steps[:, GRAYS.index(WHITE)]
    at_cuts = white[cuts].max() if cuts else None
    steps[cuts] = 0
    frame, gray = np.unravel_index(steps.argmax(), steps.shape)
    held = steps.max() <= WITHIN and (at_cuts is None or at_cuts <= AT_CUT)
    place = [str(frame + 1), f"{GRAYS[gray]:.0f}"] if steps.max() else ["", ""]
    row = [name, transfer.upper(), str(interval), f"{steps.max():.2f}", *place]
    row.append(f"{np.delete(white, cuts).max():.2f}")
    return [*row, "" if at_cuts is None else f"{at_cuts:.2f}", "" if held else "yes"]


def report(options, folder):
    names = options.only.split(";") if options.only else SERIES
    kinds = product(names, FROM_LIGHT, KEY_INTERVALS)
    jobs = [(*kind, options.candela, folder) for kind in kinds]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        rows = list(pool.map(measured, jobs))
    headings = ["series", "curve", "key frames", "largest step", "at frame", "of gray", "of 203"]
    headings += ["of 203 at a cut", f"exceeds {WITHIN} or {AT_CUT}"]
    return table.render(headings, rows, 2, options.markdown)

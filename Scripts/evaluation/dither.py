# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what libx264 leaves of structure and of smooth gradients with each kind of dither.

The figure of a gradient is the rms difference, in codes, between the encoded gradient and a
conversion without rounding, after a blur that imitates the eye. A conversion to 10 bits stands in
for the conversion without rounding.
"""

from concurrent.futures import ProcessPoolExecutor
import json
import os

import numpy as np
from scipy.ndimage import gaussian_filter

from . import judge, scenes, sources, table, video
from .metrics import metrics
from .operators import Candela
from .signals import hdr_light, rgb_from_ycbcr

SCENES = {"sky": "hlg", "sunset": "hlg"}
FACTORS = (18, 23, 28)
FRAMES, JUDGED = 14, slice(10, 13)  # not near the first frame, which gets the most bits
BLUR = 4  # samples
COLUMNS = (("size", "kB", 0), ("structure", "structure", 3), ("gradient", "gradient", 3))


def kinds(program):
    video_keys = json.loads(video.run([program, "schema", "preset"]))["properties"]["video"]
    found = video_keys["properties"]["conversion"]["properties"]["dither"]["enum"]
    return [kind for kind in found if kind]


def judged(path, pixel_format):
    return video.read(path, pixel_format, JUDGED.stop)[JUDGED]


def unrounded(source, program, folder):
    path = folder / f"{source.path.stem}-10.mp4"
    Candela(program, "auto", preset="hevc-sdr", dither="none").convert(source, path)
    found = [luma / 4 for luma, _, _ in judged(path, "yuv420p10le")]
    if not found:
        raise SystemExit(f"{source.name}: a clip needs at least {JUDGED.start + 1} frames")
    return found


def measured(job):
    source, ideal, factor, kind, program, folder = job
    target = folder / f"{source.path.stem}-{factor}-{kind}.mp4"
    coding = (("constantRateFactor", factor), ("speed", "medium"))
    Candela(program, "auto", dither=kind, coding=coding).convert(source, target)
    frames = []
    pictures = judged(source.path, "yuv420p10le"), judged(target, "yuv420p"), ideal
    for before, after, luma in zip(*pictures):
        signal = rgb_from_ycbcr(video.with_full_chroma(before), "bt2020", 10)
        frames.append(metrics(hdr_light(signal, source.transfer), judge.sdr_signal_of(after)))
        frames[-1]["gradient"] = gaussian_filter(after[0] - luma, BLUR).std()
    return judge.mean_figures(frames) | {"size": target.stat().st_size / 1000}


def report(options, folder):
    made = [sources.drawn(n, scenes.SCENES[n], t, folder, FRAMES) for n, t in SCENES.items()]
    made += [sources.clip(path, folder) for path in options.clips]
    jobs = [
        (source, ideal, factor, kind, options.candela, folder)
        for source in made
        for ideal in [unrounded(source, options.candela, folder)]
        for factor in FACTORS
        for kind in kinds(options.candela)
    ]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = list(pool.map(measured, jobs))
    rows = {(job[0].name, str(job[2]), job[3]): figures for job, figures in zip(jobs, found)}
    names = ("scene", "rate factor", "dither")
    return table.figures_table(COLUMNS, rows, names, options.markdown)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one operator on one source. Returns its figures, and the signal of the first frame."""

from pathlib import Path

import numpy as np

from . import charts, visible, video
from .metrics import metrics
from .signals import rgb_from_ycbcr, sdr_light


def sdr_signal_of(picture):
    """Returns R'G'B' of an 8-bit picture. Values outside 0...1 are clipped, because they cannot be
    shown."""
    return np.clip(rgb_from_ycbcr(video.with_full_chroma(picture), "bt709", 8), 0, 1)


def mean_figures(frames):
    """Averages each figure over the frames that have it."""
    known = lambda key: [frame[key] for frame in frames if frame[key] is not None]
    return {key: float(np.mean(known(key))) if known(key) else None for key in frames[0]}


def judge(operator, source, folder, with_visibility=False):
    name = "".join(c if c.isalnum() else "-" for c in f"{source.name} {operator.name}")
    path = Path(folder) / f"{name}.mp4"
    try:
        operator.convert(source, path)
        pictures = video.read(path, "yuv420p", len(source.pictures))
    finally:
        path.unlink(missing_ok=True)
    if len(pictures) != len(source.pictures):
        raise RuntimeError(f"{len(pictures)} frames came out, not {len(source.pictures)}")
    signals = [sdr_signal_of(picture) for picture in pictures]
    frames = []
    for reference, signal, picture in zip(source.lights, signals, pictures):
        frames.append(metrics(reference, signal))
        frames[-1].update(charts.figures(source.name, reference, sdr_light(signal), picture[0]))
    found = mean_figures(frames)
    if with_visibility:
        found["jod"] = visible.difference(source.lights[0], sdr_light(signals[0]))
    return found, signals[0]

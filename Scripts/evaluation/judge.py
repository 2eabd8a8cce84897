# SPDX-License-Identifier: GPL-2.0-or-later
"""One operator on one source: the SDR movie, its figures, its pictures."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import chart_metrics, highlights, metrics, video, windows
from .charts import CHARTS, FLAT, NATURAL
from .signals import rgb_from_ycbcr, sdr_to_light


@dataclass
class Result:
    lumas: list  # full resolution, 8-bit codes
    signals: list  # R'G'B' where chroma is
    lights: list


def read_result(path, size):
    lumas, signals, lights = [], [], []
    for picture in video.read(path, size, "yuv420p"):
        lumas.append(picture[0])
        signals.append(rgb_from_ycbcr(video.at_chroma(picture), "bt709", 8).astype(np.float32))
        lights.append(sdr_to_light(signals[-1]).astype(np.float32))
    return Result(lumas, signals, lights)


def compared_pixels(source):
    """For each frame the pixels to compare: inside of patches, and not more than needed."""
    for name, signal in zip(source.frame_names, source.signals):
        if name in FLAT:
            mask = windows.span(signal, 7) < 1e-4
        else:
            mask = np.ones(signal.shape[:-1], bool)
        pixels = np.flatnonzero(mask)
        yield pixels[:: max(1, len(pixels) // metrics.SAMPLES)]


def neighborhood_figures(source, result):
    """Figures of neighborhoods, averaged over the frames that have something to show."""
    frames = []
    for name, signal, light, after, after_light in zip(
        source.frame_names, source.signals, source.lights, result.signals, result.lights
    ):
        if name in FLAT:
            continue
        frames.append(metrics.highlight_contrast(light, after_light))
        if name != "ramp":  # there clipping shows in the number of codes
            frames[-1].update(metrics.clipping(signal, after))
    values = {key: [f[key] for f in frames if key in f] for frame in frames for key in frame}
    return {key: float(np.mean(v)) for key, v in values.items()}


def figures(source, result):
    chosen = list(compared_pixels(source))
    natural = lambda name: name in NATURAL or name not in CHARTS
    anything = lambda name: True
    take = lambda frames, wanted: np.concatenate(
        [
            frame.reshape(-1, 3)[pixels]
            for frame, pixels, name in zip(frames, chosen, source.frame_names)
            if wanted(name)
        ]
    )
    found = metrics.lightness(take(source.lights, natural), take(result.lights, natural))
    found.update(metrics.color(take(source.lights, anything), take(result.lights, anything)))
    found.update(neighborhood_figures(source, result))
    found.update(highlights.of_frames(source, result))
    if source.is_chart:
        found.update(chart_metrics.of_charts(source, result))
    return {key: None if value is None else float(value) for key, value in found.items()}


def judge(operator, source, folder, thumbnail):
    """Converts and compares; `thumbnail` turns a frame's signal into what is kept of it."""
    name = "".join(c if c.isalnum() else "-" for c in operator.name)
    path = Path(folder) / f"{Path(source.path).stem}-{name}.mp4"
    operator.convert(source.path, path)
    result = read_result(path, source.size)
    path.unlink()
    if len(result.lumas) != len(source.pictures):
        raise RuntimeError(f"{len(result.lumas)} frames came out, not {len(source.pictures)}")
    return figures(source, result), [thumbnail(s, source) for s in result.signals]

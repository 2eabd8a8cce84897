# SPDX-License-Identifier: GPL-2.0-or-later
"""What is converted: short lossless movies of charts and of frames of clips."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from . import charts, video
from .signals import FROM_LIGHT, TO_LIGHT, rgb_from_ycbcr, ycbcr_from_rgb

TRANSFERS = {"arib-std-b67": "hlg", "smpte2084": "pq"}
CODES = {kind: name for name, kind in TRANSFERS.items()}
# The charts' display: BT.2020, D65, 1000 cd/m², as SMPTE ST 2086 and CTA-861 count.
CHART_METADATA = (
    "master-display=G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)L(10000000,1)",
    "max-cll=1000,400",
)


@dataclass
class Source:
    name: str
    path: str
    transfer: str
    size: tuple
    pictures: list = field(repr=False)  # (Y', Cb, Cr) in 10 bits
    frame_names: list
    quarter_turns: int = 0

    @property
    def is_chart(self):
        return self.frame_names[0] in charts.CHARTS

    @cached_property
    def signals(self):
        """R'G'B' of each frame where chroma is."""
        return [
            rgb_from_ycbcr(video.at_chroma(p), "bt2020", 10).astype(np.float32)
            for p in self.pictures
        ]

    @cached_property
    def lights(self):
        return [TO_LIGHT[self.transfer](s).astype(np.float32) for s in self.signals]


def chart_source(transfer, folder):
    pictures = []
    for chart in charts.CHARTS.values():
        signal = FROM_LIGHT[transfer](chart(transfer))
        y, cb, cr = ycbcr_from_rgb(signal, "bt2020", 10)
        chroma = (np.rint(video.luma_at_chroma(plane)) for plane in (cb, cr))
        pictures.append((np.rint(y), *chroma))
    path = folder / f"charts-{transfer}.mp4"
    metadata = CHART_METADATA if transfer == "pq" else ()
    video.write_lossless(path, pictures, CODES[transfer], metadata)
    size = (charts.WIDTH, charts.HEIGHT)
    source = Source(f"charts, {transfer.upper()}", path, transfer, size, [], list(charts.CHARTS))
    source.pictures = list(video.read(path, size, "yuv420p10le"))
    return source


def static_metadata(path):
    """What the first frame says of HDR10, in x265's words."""
    found = video.probe(path, "-read_intervals", "%+2", "-show_frames")["frames"][0]
    number = lambda text, unit: round(float(eval_fraction(text)) * unit)
    words = []
    for data in found.get("side_data_list", []):
        if data["side_data_type"] == "Mastering display metadata" and "red_x" in data:
            point = lambda c: f"({number(data[c + '_x'], 50000)},{number(data[c + '_y'], 50000)})"
            levels = (number(data[k + "_luminance"], 10000) for k in ("max", "min"))
            words.append(
                f"master-display=G{point('green')}B{point('blue')}R{point('red')}"
                f"WP{point('white_point')}L({','.join(map(str, levels))})"
            )
        elif data["side_data_type"] == "Content light level metadata":
            words.append(f"max-cll={data['max_content']},{data['max_average']}")
    return words


def eval_fraction(text):
    numerator, _, denominator = str(text).partition("/")
    return float(numerator) / float(denominator or 1)


def clip_source(clip, count, folder):
    """Frames of a clip, evenly spaced, as a lossless movie with the same tags."""
    streams = video.probe(clip, "-count_packets", "-show_streams")["streams"]
    if not streams:
        raise ValueError(f"{clip}: there is no video in it")
    stream = streams[0]
    transfer = TRANSFERS.get(stream.get("color_transfer"))
    if stream.get("pix_fmt") != "yuv420p10le" or transfer is None:
        raise ValueError(f"{clip}: only 10-bit 4:2:0 HLG and PQ are compared")
    if stream.get("color_range") == "pc" or stream.get("color_space") != "bt2020nc":
        raise ValueError(f"{clip}: only limited range and BT.2020 are compared")
    total = int(stream["nb_read_packets"])
    frames = sorted({int((i + 0.5) * total / count) for i in range(min(count, total))})
    size = (stream["width"] // 2 * 2, stream["height"] // 2 * 2)
    if size != (stream["width"], stream["height"]):
        raise ValueError(f"{clip}: odd sides")
    pictures = list(video.read(clip, size, "yuv420p10le", frames))
    path = folder / f"clip-{clip.stem}.mp4"
    video.write_lossless(path, pictures, CODES[transfer], static_metadata(clip))
    turn = next((d["rotation"] for d in stream.get("side_data_list", []) if "rotation" in d), 0)
    names = [f"{clip.stem.split('__')[-1]} {n}" for n in frames]
    return Source(clip.stem, path, transfer, size, pictures, names, round(turn / 90) % 4)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Prepares what is converted: scenes and charts as lossless movies, and clips."""

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from . import video
from .scenes import encodable
from .signals import FROM_LIGHT, hdr_light, rgb_from_ycbcr, ycbcr_from_rgb

TRANSFERS = {"arib-std-b67": "hlg", "smpte2084": "pq"}
FRAMES = 3  # judged: the first frames of a source


@dataclass
class Source:
    name: str
    path: Path  # the whole source
    start: Path  # its first frames as a lossless movie, for operators that need only these
    transfer: str
    pictures: list = field(repr=False)  # (Y', Cb, Cr) in 10 bits, of the first frames
    quarter_turns: int = 0

    @cached_property
    def lights(self):
        signals = (rgb_from_ycbcr(video.with_full_chroma(p), "bt2020", 10) for p in self.pictures)
        return [hdr_light(signal, self.transfer) for signal in signals]


def drawn(name, draw, transfer, folder, frames=FRAMES):
    """Makes a movie that stands still, so only one frame of it is judged. In PQ, the movie states
    its peak."""
    light = encodable(draw(transfer), transfer)
    signal = np.clip(FROM_LIGHT[transfer](light), 0, 1)
    planes = [np.clip(np.rint(p), 4, 1019) for p in ycbcr_from_rgb(signal, "bt2020", 10)]
    path = folder / f"{name}-{transfer}.mp4"
    peak = max(1000, round(light.max()))
    display = "G(8500,39850)B(6550,2300)R(35400,14600)WP(15635,16450)"  # BT.2020, D65
    stated = (f"master-display={display}L({peak}0000,1)", f"max-cll={peak},{peak // 2}")
    video.write_hdr(path, [planes] * frames, transfer, stated if transfer == "pq" else ())
    pictures = video.read(path, "yuv420p10le", 1)
    return Source(f"{name}, {transfer.upper()}", path, path, transfer, pictures)


def _static_metadata(path):
    """Returns the HDR10 metadata of the first frame, as parameters of x265."""
    number = lambda text: float(text.split("/")[0]) / float((text + "/1").split("/")[1])
    words = []
    frame = video.probe(path, "-read_intervals", "%+2", "-show_frames")["frames"][0]
    for data in frame.get("side_data_list", []):
        if data["side_data_type"] == "Mastering display metadata" and "red_x" in data:
            at = lambda c: ",".join(f"{number(data[f'{c}_{a}']) * 50000:.0f}" for a in "xy")
            levels = (f"{number(data[f'{k}_luminance']) * 10000:.0f}" for k in ("max", "min"))
            words.append(
                f"master-display=G({at('green')})B({at('blue')})R({at('red')})"
                f"WP({at('white_point')})L({','.join(levels)})"
            )
        elif data["side_data_type"] == "Content light level metadata":
            words.append(f"max-cll={data['max_content']},{data['max_average']}")
    return words


def clip(path, folder):
    streams = video.probe(path, "-show_streams")["streams"]
    if not streams:
        raise ValueError(f"{path}: there is no video in it")
    stream = streams[0]
    transfer = TRANSFERS.get(stream.get("color_transfer"))
    if stream.get("pix_fmt") != "yuv420p10le" or transfer is None:
        raise ValueError(f"{path}: only 10-bit 4:2:0 HLG and PQ are compared")
    if stream.get("color_range") == "pc" or stream.get("color_space") != "bt2020nc":
        raise ValueError(f"{path}: only limited range and BT.2020 are compared")
    if stream["width"] % 2 or stream["height"] % 2:
        raise ValueError(f"{path}: width and height have to be even")
    pictures = video.read(path, "yuv420p10le", FRAMES)
    start = folder / f"clip-{path.stem}.mp4"
    video.write_hdr(start, pictures, transfer, _static_metadata(path))
    turn = next((d["rotation"] for d in stream.get("side_data_list", []) if "rotation" in d), 0)
    name = f"{path.stem.split('__')[-1]}, {transfer.upper()}"
    return Source(name, path, start, transfer, pictures, round(turn / 90) % 4)

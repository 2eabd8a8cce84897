# SPDX-License-Identifier: GPL-2.0-or-later
"""Reading and writing 4:2:0 pictures by ffmpeg, and putting luma where chroma is."""

import json
import subprocess

import numpy as np

DEPTHS = {"yuv420p": (8, np.uint8), "yuv420p10le": (10, np.dtype("<u2"))}


def run(command, **options):
    """Runs a program; its last words become the error's."""
    result = subprocess.run(
        [str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )
    if result.returncode != 0:
        lines = result.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        raise RuntimeError(f"{command[0]}: {lines[-1]}")
    return result.stdout


def probe(path, *what):
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-of", "json", *what, path]
    return json.loads(run(command))


def read(path, size, pixel_format, frames=None):
    """The pictures of a file as (Y', Cb, Cr), all or only those with the given numbers."""
    select = []
    if frames is not None:
        select = ["-vf", "select='" + "+".join(f"eq(n,{n})" for n in frames) + "'"]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-map", "0:v:0"]
    command += [*select, "-vsync", "passthrough", "-pix_fmt", pixel_format, "-f", "rawvideo", "-"]
    width, height = size
    samples = np.frombuffer(run(command), DEPTHS[pixel_format][1])
    luma, part = width * height, (width // 2) * (height // 2)
    for picture in samples.reshape(-1, luma + 2 * part):
        yield (
            picture[:luma].reshape(height, width),
            picture[luma : luma + part].reshape(height // 2, width // 2),
            picture[luma + part :].reshape(height // 2, width // 2),
        )


def write_lossless(path, pictures, transfer, static_metadata=()):
    """An HEVC Main10 movie that holds exactly these pictures, tagged as BT.2100."""
    height, width = pictures[0][0].shape
    parameters = ["lossless=1", "log-level=none", "range=limited", "chromaloc=0"]
    parameters += ["colorprim=bt2020", "colormatrix=bt2020nc", f"transfer={transfer}"]
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p10le"]
    command += ["-s", f"{width}x{height}", "-r", "25", "-i", "-", "-c:v", "libx265"]
    command += ["-preset", "ultrafast", "-tag:v", "hvc1", "-color_primaries", "bt2020"]
    command += ["-color_trc", transfer, "-colorspace", "bt2020nc", "-color_range", "tv"]
    command += ["-x265-params", ":".join([*parameters, *static_metadata]), path]
    run(command, input=b"".join(p.astype("<u2").tobytes() for picture in pictures for p in picture))


def luma_at_chroma(luma):
    """Luma filtered to where left-sited chroma is (chroma location type 0 of H.273)."""
    rows = (luma[0::2].astype(np.float32) + luma[1::2]) / 2
    left = np.concatenate([rows[:, :1], rows[:, 1:-1:2]], axis=1)
    return (left + 2 * rows[:, 0::2] + rows[:, 1::2]) / 4


def at_chroma(picture):
    """Y', Cb, Cr at the resolution and the place of chroma, where nothing is interpolated."""
    return luma_at_chroma(picture[0]), *(p.astype(np.float32) for p in picture[1:])

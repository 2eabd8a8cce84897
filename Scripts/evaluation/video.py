# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads and writes 4:2:0 pictures with ffmpeg. A picture is given as its planes Y', Cb and Cr."""

import json
import subprocess

import numpy as np

SAMPLES = {"yuv420p": np.uint8, "yuv420p10le": np.dtype("<u2")}
# Reduces chroma from 4:4:4 to left-sited 4:2:0 (location type 0 of H.273).
REDUCED_CHROMA = ["-vf", "zscale=cin=left:c=left:filter=bicubic", "-pix_fmt", "yuv420p10le"]


def run(command, **options):
    """Runs a program; if it fails, the error has the last line that the program printed."""
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


def read(path, pixel_format, count=None):
    """Reads the first pictures of a file, or all of them. They are as coded and not turned for
    display."""
    stream = probe(path, "-show_entries", "stream=width,height")["streams"][0]
    width, height = stream["width"], stream["height"]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-noautorotate", "-i", path, "-map", "0:v:0"]
    command += ["-frames:v", count] if count else []
    command += ["-fps_mode", "passthrough", "-pix_fmt", pixel_format, "-f", "rawvideo", "-"]
    samples = np.frombuffer(run(command), SAMPLES[pixel_format])
    luma, part = width * height, (width // 2) * (height // 2)
    return [
        (
            picture[:luma].reshape(height, width),
            picture[luma : luma + part].reshape(height // 2, width // 2),
            picture[luma + part :].reshape(height // 2, width // 2),
        )
        for picture in samples.reshape(-1, luma + 2 * part)
    ]


def _write(path, pictures, pixel_format, *arguments):
    height, width = pictures[0][0].shape
    command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", pixel_format]
    command += ["-s", f"{width}x{height}", "-r", "25", "-i", "-", *arguments, path]
    sample = np.uint8 if pixel_format == "yuv420p" else "<u2"
    run(command, input=b"".join(p.astype(sample).tobytes() for planes in pictures for p in planes))


def write_hdr(path, pictures, transfer, more=()):
    """Writes 10-bit pictures as a lossless HEVC movie in 4:2:0, tagged as BT.2100. Pictures may be
    in 4:4:4."""
    transfer = {"hlg": "arib-std-b67", "pq": "smpte2084"}[transfer]
    parameters = ["lossless=1", "log-level=none", "range=limited", "chromaloc=0"]
    parameters += ["colorprim=bt2020", "colormatrix=bt2020nc", f"transfer={transfer}", *more]
    whole = pictures[0][0].shape == pictures[0][1].shape
    tags = ["-color_primaries", "bt2020", "-color_trc", transfer, "-colorspace", "bt2020nc"]
    _write(
        path, pictures, "yuv444p10le" if whole else "yuv420p10le", *(REDUCED_CHROMA if whole else []),
        "-c:v", "libx265", "-preset", "ultrafast", "-tag:v", "hvc1", *tags, "-color_range", "tv",
        "-x265-params", ":".join(parameters),
    )  # fmt: skip


def write_sdr(path, pictures):
    """Writes 8-bit pictures in 4:2:0 as a lossless H.264 movie."""
    _write(path, pictures, "yuv420p", "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast")


def with_full_chroma(picture):
    """Returns Y', Cb, Cr of equal size. Interpolates left-sited chroma linearly; borders repeat."""
    return picture[0].astype(float), *(_doubled(plane) for plane in picture[1:])


def _doubled(plane):
    height, width = plane.shape
    padded = np.pad(plane.astype(float), ((1, 1), (0, 1)), mode="edge")
    samples, between = padded[:, :-1], (padded[:, :-1] + padded[:, 1:]) / 2
    across = np.stack([samples, between], axis=-1).reshape(height + 2, 2 * width)
    above, here, below = across[:-2], across[1:-1], across[2:]
    rows = np.stack([0.75 * here + 0.25 * above, 0.75 * here + 0.25 * below], axis=1)
    return rows.reshape(2 * height, 2 * width)

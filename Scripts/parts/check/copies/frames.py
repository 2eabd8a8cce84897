# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares frames of files, as ffmpeg decodes them."""

import json
import subprocess


def video_streams(path):
    facts = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries",
         "stream=index,codec_name,codec_type:stream_disposition=attached_pic", "-of", "json",
         str(path)], capture_output=True)
    try:
        streams = json.loads(facts.stdout or b"{}").get("streams", [])
    except json.JSONDecodeError:  # ffprobe gave up in the middle
        return []
    return [stream["index"] for stream in streams
            if stream.get("codec_type") == "video" and stream.get("codec_name")
            and not stream["disposition"].get("attached_pic")]


def is_movie(path):
    with open(path, "rb") as file:
        return file.read(12)[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free", b"skip", b"pnot")


def hashes(path, stream, seconds, edited=False):
    """Returns a hash of each frame, in the order of presentation."""
    options = ["-ignore_editlist", "0" if edited else "1"] if is_movie(path) else []
    done = subprocess.run(
        ["ffmpeg", "-v", "quiet", "-nostdin", "-noautorotate", *options, "-i", str(path), "-map",
         f"0:{stream}", "-fps_mode", "passthrough", "-f", "framehash", "-hash", "md5", "-"],
        capture_output=True, timeout=seconds)
    lines = done.stdout.decode(errors="replace").splitlines()
    return [line.rsplit(",", 1)[1].strip() for line in lines if line and line[0] != "#"]


def difference(source, output, seconds):
    """Says how the frames of an output's first track of video differ from those of its source."""
    streams, made = video_streams(source), video_streams(output)
    if not streams:
        return ""
    if not made:
        return "no video in the output"
    found = hashes(output, made[0], seconds)
    wanted = []
    for stream in streams:
        wanted = hashes(source, stream, seconds)
        # If ffmpeg gives no frames, there is nothing to compare.
        if found == wanted or not wanted:
            return ""
        # Matroska has no edit lists, so copies to it leave out frames that are not presented. With
        # some edit lists, ffmpeg gives no frames.
        if is_movie(source) and not is_movie(output):
            presented = hashes(source, stream, seconds, edited=True)
            if found == presented or not presented:
                return ""
    first = next((index for index, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]),
                 min(len(found), len(wanted)))
    return f"{len(found)} frames instead of {len(wanted)}; frame {first + 1} is the first that differs"

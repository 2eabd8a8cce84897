# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the HDR metadata that PyPI's av reads in outputs and in their sources."""

import os
import struct
import sys

import av


def level1(metadata):
    """Returns min, max and avg of AVDOVIMetadata's level 1 block (libavutil/dovi_meta.h)."""
    start, size, count = struct.unpack_from("<QQi", metadata, 24)
    for block in range(start, start + size * count, size):
        if metadata[block] == 1:
            return struct.unpack_from("<3H", metadata, block + 4)
    return None


def facts(frame):
    def data(name):
        found = frame.side_data.get(name)
        return None if found is None else bytes(found)

    metadata, rpu = data("DOVI_METADATA"), data("DOVI_RPU_BUFFER")
    return {
        "level 1": metadata and level1(metadata),
        # Zeros after the RPU belong to the byte stream.
        "RPU": rpu and rpu.rstrip(b"\0"),
        "ambient viewing environment": data("AMBIENT_VIEWING_ENVIRONMENT"),
        "mastering display": data("MASTERING_DISPLAY_METADATA"),
        "content light level": data("CONTENT_LIGHT_LEVEL"),
    }


def pictures(path):
    # Edit lists are ignored here. Candela leaves out the frames that edit lists hide, but FFmpeg
    # sometimes hides other frames.
    with av.open(path, options={"ignore_editlist": "1"}) as container:
        return [facts(frame) for frame in container.decode(container.streams.video[0])]


def differences(output, source):
    """Returns the name of each kind of metadata that differs, and in how many frames it does."""
    names = {name: 0 for name in output[0]}
    for a, b in zip(output, source):
        for name in names:
            names[name] += a[name] != b[name]
    return {name: count for name, count in names.items() if count}


failed = False
for source, output in zip(sys.argv[1::2], sys.argv[2::2]):
    wanted, found = pictures(source), pictures(output)
    runs = [
        (differences(found, wanted[start:]), start)
        for start in range(len(wanted) - len(found) + 1)
    ] if found else []
    best, start = min(runs, key=lambda run: sum(run[0].values()), default=(None, 0))
    present = [name for name, value in found[0].items() if value is not None] if found else []
    failed |= best is None or bool(best) or not present
    if best is None:
        text = f"DIFFERS: {len(found)} frames of {len(wanted)}"
    elif best:
        text = "DIFFERS: " + ", ".join(f"{name} in {count}" for name, count in best.items())
        text += f" of {len(found)} frames"
    else:
        text = f"{len(found)} frames from number {start + 1} of {len(wanted)} have the source's "
        text += ", ".join(present) if present else "nothing (there is no metadata)"
    print(f"{os.path.basename(output)}: {text}")
sys.exit(failed)

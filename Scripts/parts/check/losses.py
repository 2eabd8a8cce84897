# SPDX-License-Identifier: GPL-2.0-or-later
"""Lets programs other than Candela read files, and prints where they disagree.

The arguments are the files. ffprobe, mediainfo, mkvmerge and, if it is installed, PyPI's av count
tracks of video and audio; ffprobe and mkvmerge also count chapters, and av also reads all packets
and decodes the first frame. Ends with 1 if the programs disagree about a file or cannot read it.
"""

import json
import subprocess
import sys
from collections import Counter

try:
    import av
except ImportError:
    av = None

KINDS = ["video", "audio"]


def ask(*arguments):
    result = subprocess.run(arguments, capture_output=True)
    # mkvmerge ends with 1 if it has a warning.
    if result.returncode > 1 or not result.stdout:
        raise ValueError(f"{arguments[0]} ends with {result.returncode}")
    return json.loads(result.stdout)


def counted(kinds, chapters=None):
    counts = Counter(kinds)
    return {kind: counts[kind] for kind in KINDS} | (
        {} if chapters is None else {"chapters": chapters})


def by_ffprobe(path):
    facts = ask("ffprobe", "-v", "error", "-show_streams", "-show_chapters", "-of", "json", path)
    streams = [stream for stream in facts["streams"]
               if not stream["disposition"].get("attached_pic")]
    return counted([stream.get("codec_type") for stream in streams], len(facts["chapters"]))


def by_mediainfo(path):
    tracks = ask("mediainfo", "--Output=JSON", path)["media"]["track"]
    return counted([track["@type"].lower() for track in tracks])


def by_mkvmerge(path):
    facts = ask("mkvmerge", "-J", path)
    if not facts["container"]["supported"]:
        raise ValueError("mkvmerge does not know the file")
    chapters = sum(entry["num_entries"] for entry in facts["chapters"])
    return counted([track["type"] for track in facts["tracks"]], chapters)


def by_av(path):
    with av.open(path) as container:
        kinds = [stream.type for stream in container.streams]
        for packet in container.demux():
            packet.dts  # noqa: B018, all of them are read
    with av.open(path) as container:
        if container.streams.video:
            next(container.decode(video=0))
    return counted(kinds)


def main():
    readers = {"ffprobe": by_ffprobe, "mediainfo": by_mediainfo, "mkvmerge": by_mkvmerge}
    if av:
        readers["av"] = by_av
    faults = 0
    for path in sys.argv[1:]:
        seen = {}
        for name, reader in readers.items():
            try:
                seen[name] = reader(path)
            except Exception as error:  # whatever the error is, it is this reader's answer
                seen[name] = f"{type(error).__name__}: {error}"
        first = seen["ffprobe"]
        for name, other in seen.items():
            isSame = isinstance(other, dict) and isinstance(first, dict) and all(
                first.get(key, value) == value for key, value in other.items())
            if not isSame:
                faults += 1
                print(f"{path}: {name} sees {other}, ffprobe {first}")
    print(f"{len(sys.argv) - 1} files, {', '.join(readers)}: {faults} differences")
    sys.exit(1 if faults else 0)


main()

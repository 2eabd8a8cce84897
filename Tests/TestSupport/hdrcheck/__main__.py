# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints as JSON what the container and the bitstream of a video file say about its color and HDR.

Tests read Candela's outputs with it. It was written from the standards and shares no code with
Candela, so both are unlikely to make the same mistake. It reads movie files (MP4 and QuickTime, in
one piece or in fragments) with H.264 and H.265, and byte streams of H.265. Of movie files with
other codecs, it reads only the container. It needs nothing but Python.
"""

import argparse
import json
import mmap
import sys

from fields import BrokenFile
from metadata_units import file_of
from report import brief, full
from video import read


def main():
    parser = argparse.ArgumentParser(
        prog="hdrcheck", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--brief", action="store_true", help="one flat object without SEI values")
    kinds.add_argument(
        "--dump-rpu", metavar="OUT", help="write the RPUs to OUT instead of printing"
    )
    options = parser.parse_args()
    try:
        video = open_video(options.file)
        if options.dump_rpu:
            with open(options.dump_rpu, "wb") as out:
                out.write(file_of(video.rpus_in_order))
        else:
            print(json.dumps(brief(video) if options.brief else full(video)))
    except (BrokenFile, OSError) as error:
        sys.exit("hdrcheck: %s: %s" % (options.file, error))


def open_video(path):
    """The video of a file. The file is mapped, not read as a whole: most of it is frames."""
    with open(path, "rb") as file:
        if file.seek(0, 2) == 0:
            raise BrokenFile("the file is empty")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return read(data)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the blocks of Recipes.md: recipes.py PROGRAM. A block that needs another machine, or changes
this one, is only parsed."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ARTICLE = Path("Sources/Transcoding/Transcoding.docc/Recipes.md")
# The files that blocks find, made once from sample movies. The logo is a PNG of one frame.
FILES = """
candela sample clip.mov --seconds 3 --size 320x180
candela sample long.mov --seconds 20 --size 160x90
candela transcode clip.mov hdr10.mp4 --preset hevc-match-source --set colorProperties=pq
candela transcode clip.mov hdr.mov --preset hevc-hlg
candela retag hdr.mov hlg.mov --codec-tag hev1
candela transcode clip.mov film.mkv --preset hevc-hlg
candela metadata convert hdr.mov nvenc.mp4 --dolby-vision none
candela still clip.mov logo.png --width 32
cp clip.mov master.mov
cp clip.mov IMG_0001.MOV
mkdir -p Photos/2024 Masters/ep01
cp hdr10.mp4 Masters/ep01/reel1.mp4
cp clip.mov 'Photos/2024/a b.mov'
candela transcode clip.mov Photos/sdr.mp4 --preset h264-sdr
"""
# Replacements for what is missing here: shared folders, a clip with metadata to graft, a cluster to
# run a script on, and samples that are long enough.
REPLACED = [("/shared/job", "job"), ("graft clip.mov", "graft hdr.mov"), ("sh run.sh", "sh -n run.sh"),
            ("--from 12.5 --to 1:02.25", "--from 1 --to 2.5")]
ELSEWHERE = re.compile(r"^(sudo|Scripts/)", re.MULTILINE)


def blocks(text):
    """Yields the indented blocks of an article."""
    for found in re.finditer(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        yield re.sub(r"^    ", "", found[0], flags=re.MULTILINE).strip()


def run(commands, folder, program):
    path = f"{program.parent}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euc", commands], cwd=folder, env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)


def main(program):
    faults = count = 0
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "files"
        files.mkdir()
        made = run(FILES, files, program)
        if made.returncode:
            sys.exit(f"the files of the recipes cannot be made: {made.stderr}")
        for number, block in enumerate(blocks(ARTICLE.read_text(encoding="utf-8"))):
            place = Path(folder) / str(number)
            shutil.copytree(files, place)
            for text, other in REPLACED:
                block = block.replace(text, other)
            if ELSEWHERE.search(block):
                block = f"bash -n <<'END'\n{block}\nEND"
            # A recipe may write a file that is already there, and two variants of a recipe may
            # write the same file.
            for name in set(re.findall(r"\S+\.(?:mov|mp4)\b", block)):
                if re.search(rf"candela (?:transcode|cut|retag) [^-\s]\S* {re.escape(name)}", block):
                    (place / name).unlink(missing_ok=True)
            commands = re.sub(r"^(taskset|nice)(.*) out\.mp4", r"\1\2 \1.mp4", block, flags=re.MULTILINE)
            result = run(commands, place, program)
            count += 1
            if result.returncode:
                faults += 1
                print(f"{block}\nends with {result.returncode}: {result.stderr[-400:]}\n")
    print(f"{count} blocks of {ARTICLE.name}, {faults} of which fail")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))

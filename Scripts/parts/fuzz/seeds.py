# SPDX-License-Identifier: GPL-2.0-or-later
"""Files that mutants are made from: what `candela sample` makes, and what Candela and ffmpeg make
from that, so that nothing from outside is needed. If there is a folder of media, its small files
are used, too."""

from dataclasses import dataclass
from pathlib import Path
import re
import subprocess

ULTRAFAST = "video.compressionProperties.speed=ultrafast"
LARGEST = 200_000
FIXTURES = Path(__file__).parents[3] / "Tests/TestSupport/Fixtures"
KINDS = {
    ".mov": "movie", ".mp4": "movie", ".mkv": "matroska", ".ts": "transport", ".hevc": "stream",
    ".h264": "stream", ".bin": "rpus", ".json": "preset",
}


@dataclass(frozen=True)
class Seed:
    name: str
    kind: str
    suffix: str
    data: bytes


def run(*command, output=None):
    """Runs a command that has to succeed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}: {result.stderr.decode()[-400:]}")
    if output:
        Path(output).write_bytes(result.stdout)


def fixture(name):
    """The bytes of a NAL unit in Tests/TestSupport/Fixtures."""
    table = (FIXTURES / f"{name}.table").read_text()
    return bytes.fromhex("".join(line[2:] for line in table.splitlines() if line.startswith(">")))


def with_enhancement_layer(stream):
    """Makes a Dolby Vision 7 stream from an HEVC stream that has one slice for each frame. After
    each slice come the same slice as an enhancement layer and an RPU."""
    code, rpu = b"\0\0\0\1", fixture("rpu-7-mel")
    result = b""
    for unit in re.split(b"\0*\0\0\1", stream)[1:]:
        result += code + unit
        if unit[0] >> 1 < 32:
            result += code + b"\x7e\1" + unit + code + rpu
    return result


def make(program, folder):
    """Writes the seeds into a folder."""
    def path(name):
        return str(folder / name)

    def transcode(source, name, preset, *settings):
        options = [part for setting in (ULTRAFAST,) + settings for part in ("--set", setting)]
        run(program, "transcode", path(source), path(name), "--preset", preset, *options)

    def copy(source, name, *options):
        run("ffmpeg", "-v", "error", "-y", "-i", path(source), "-c", "copy", *options, path(name))

    run(program, "sample", path("sample.mov"), "--size", "96x64", "--seconds", "0.3")
    run(program, "sample", path("sample.mp4"), "--size", "96x64", "--seconds", "0.3")
    transcode("sample.mov", "dolby.mov", "hevc-hlg")
    transcode("sample.mov", "dolby.mp4", "hevc-hlg")
    transcode("sample.mov", "sdr.mp4", "h264-sdr")
    transcode("sample.mov", "p3.mov", "hevc-p3")
    run(program, "retag", path("sample.mov"), path("pq.mp4"), "--color", "pq",
        "--mastering-display", "p3,1000,0.0001", "--content-light", "1000,400")
    transcode("sample.mov", "dolby-av1.mp4", "av1-hlg")
    transcode("pq.mp4", "pq-av1.mp4", "av1-match-source", "video.hdrMetadata.hdr10Plus=measure",
              "video.hdrMetadata.st2094_50=measure")
    copy("dolby-av1.mp4", "dolby-av1.mkv", "-strict", "unofficial")
    copy("dolby.mp4", "last.mov", "-strict", "unofficial")
    copy("dolby.mp4", "fragments.mp4", "-strict", "unofficial", "-movflags",
         "frag_keyframe+empty_moov+default_base_moof")
    copy("dolby.mp4", "dolby.mkv", "-strict", "unofficial")
    copy("sdr.mp4", "sdr.mkv")
    copy("dolby.mp4", "dolby.ts")
    copy("sdr.mp4", "sdr.ts")
    copy("dolby.mp4", "dolby.hevc", "-map", "0:v", "-bsf:v", "hevc_mp4toannexb")
    copy("sdr.mp4", "sdr.h264", "-map", "0:v", "-bsf:v", "h264_mp4toannexb")
    copy("pq.mp4", "pq.hevc", "-map", "0:v", "-bsf:v", "hevc_mp4toannexb")
    dual = with_enhancement_layer((folder / "pq.hevc").read_bytes())
    (folder / "dual.hevc").write_bytes(dual)
    run(program, "transcode", path("dual.hevc"), path("dual.mp4"),
        "--set", "video.codec=passthrough")
    copy("dual.mp4", "dual.mkv", "-strict", "unofficial")
    run("ffmpeg", "-v", "error", "-y", "-i", path("sdr.mp4"), "-c:v", "prores_ks",
        "-profile:v", "0", "-c:a", "pcm_s16le", path("prores.mov"))
    run(program, "rpu", "extract", path("dolby.mov"), path("rpus.bin"))
    for preset in ("hevc-hlg", "h264-sdr"):
        run(program, "presets", "show", preset, output=path(preset + ".json"))


def load(folder, media):
    """Returns the seeds in the order of their names, so that a number always means the same
    mutant."""
    files = sorted(folder.iterdir())
    if media:
        files += sorted(file for file in media.rglob("*")
                        if file.is_file() and file.stat().st_size <= LARGEST)
    seeds = []
    for file in files:
        kind = KINDS.get(file.suffix.lower())
        if kind and file.stat().st_size:
            seeds.append(Seed(file.name, kind, file.suffix, file.read_bytes()))
    return seeds

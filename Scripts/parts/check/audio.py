# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds out what becomes of audio of each codec in each container, and when it is heard."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE = 48000
# The containers, each with a preset whose video it can store, and the encoder's fastest speed.
CONTAINERS = {
    "mov": ("h264-sdr", "ultrafast"), "mp4": ("h264-sdr", "ultrafast"),
    "mkv": ("h264-sdr", "ultrafast"), "webm": ("av1-sdr", "12"),
}
MATROSKA = [".mkv", ".webm"]
# The status for settings that the container cannot follow.
REFUSED = 64
# The clips to make. Each row has a name, the container and ffmpeg's encoder.
SOURCES = [
    ("aac", "mp4", "aac"), ("alac", "mov", "alac"), ("opus", "mkv", "libopus"),
    ("flac", "mkv", "flac"), ("pcm_s16le", "mov", "pcm_s16le"), ("pcm_s24le", "mov", "pcm_s24le"),
    ("ac3", "mp4", "ac3"), ("eac3", "mp4", "eac3"), ("mp3", "mp4", "libmp3lame"),
    ("vorbis", "mkv", "libvorbis"),
]
CODECS = ["aac", "alac", "opus", "flac", "pcm_s16le", "pcm_s24le", "ac3"]
# Two channels of rising tones, because no part of a rising tone resembles another part.
TONES = "aevalsrc=0.3*sin(2*PI*(300*t+700*t*t))|0.3*sin(2*PI*(900*t+500*t*t))"


def run(*arguments):
    result = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True)
    if result.returncode != 0:
        message = result.stderr.decode(errors="replace")
        sys.exit(f"{' '.join(map(str, arguments))}: {result.returncode}\n{message}")
    return result.stdout


@dataclass
class Audio:
    """A file's audio as ffmpeg decodes it, and when it is heard."""

    codec: str
    samples: np.ndarray
    start: float  # in seconds after the first frame
    count: int  # samples that are presented

    @staticmethod
    def of(path):
        def probe(stream):
            entries = "stream=codec_name,start_time,duration,sample_rate:frame=pts_time"
            facts = json.loads(
                run("ffprobe", "-v", "error", "-select_streams", stream, "-show_entries", entries,
                    "-read_intervals", "%+#6", "-of", "json", path))
            return facts["streams"][0], float(facts["frames"][0]["pts_time"])

        (stream, start), (_, first_frame) = probe("a:0"), probe("v:0")
        raw = run(
            "ffmpeg", "-v", "error", "-drc_scale", "0", "-i", path, "-map", "0:a:0", "-ac", "1",
            "-ar", str(RATE), "-f", "f32le", "-")
        samples = np.frombuffer(raw, np.float32)
        # ffmpeg also decodes the padding that edits hide, so the count of samples comes from the
        # stated duration. Matroska states no duration for a track. In a movie, the duration runs
        # from the beginning of the movie.
        end = stream.get("duration")
        count = len(samples)
        if end and path.suffix not in MATROSKA:
            count = round((float(end) - max(float(stream["start_time"]), 0)) * RATE)
        return Audio(stream["codec_name"], samples, start - first_frame, count)

    def offset(self, other):
        """Returns how many samples later this audio is heard than the other audio, relative to the
        frames."""
        size = 1 << (len(self.samples) + len(other.samples)).bit_length()
        product = np.fft.rfft(self.samples, size) * np.conj(np.fft.rfft(other.samples, size))
        lag = int(np.argmax(np.fft.irfft(product, size)))
        lag = lag - size if lag > size // 2 else lag
        return lag + (self.start - other.start) * RATE


def transcode(source, output, audio, preset, speed):
    """Returns what became of the audio: copied, encoded or refused."""
    command = [
        os.environ["CANDELA"], "transcode", source, output, "--preset", preset, "--set",
        f"video.compressionProperties.speed={speed}", "--set", f"audio={audio}", "--overwrite",
        "--progress", "none", "--report", f"{output}.json"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True)
    if result.returncode == REFUSED and b"audio of codec" in result.stderr:
        return "refused"
    if result.returncode != 0:
        message = result.stderr.decode(errors="replace")
        sys.exit(f"{' '.join(map(str, command))}: {result.returncode}\n{message}")
    report = json.loads(Path(f"{output}.json").read_text())
    return report["plan"]["audio"][0]["action"]


def compare(source, name, audio, folder):
    """Yields, for each container, what became of the audio, how many samples later it is heard, and
    how many samples longer it is; no numbers if the settings are refused."""
    before = Audio.of(source)
    for container, (preset, speed) in CONTAINERS.items():
        output = folder / f"{name}-out.{container}"
        action = transcode(source, output, audio, preset, speed)
        if action == "refused":
            yield action, None, None
            continue
        after = Audio.of(output)
        word = "copied" if action == "copied" else f"encoded as `{after.codec}`"
        yield word, after.offset(before), after.count - before.count


def make(path, encoder):
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=64x64:r=24:d=1", "-f",
        "lavfi", "-i", f"{TONES}:s={RATE}:d=1.1", "-c:v", "libx264", "-preset", "ultrafast", "-c:a",
        encoder, "-strict", "-2", path)
    return path


def table(title, rows):
    print(f"| {title} | {' | '.join('.' + container for container in CONTAINERS)} |")
    print("|---" * (1 + len(CONTAINERS)) + "|")
    for name, cells in rows:
        print(f"| `{name}` | {' | '.join(cells)} |")
    print()


def limit(source, container):
    """Returns by how many samples audio may be off: one, plus half a millisecond for each time
    stamp that Matroska rounds to a whole millisecond. Matroska rounds the time stamps of frames and
    of audio."""
    times = 2 * sum(suffix in MATROSKA for suffix in [source.suffix, f".{container}"])
    return 1 + times * RATE / 2000


def main():
    worst = {container: 0.0 for container in CONTAINERS}
    isRight = True
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = [
            ("source", [(codec, make(folder / f"{codec}.{suffix}", encoder), "auto")
                        for codec, suffix, encoder in SOURCES]),
            ("asked for", [(codec, folder / "pcm_s16le.mov", json.dumps({"codec": codec}))
                           for codec in CODECS]),
        ]
        for title, cases in tests:
            results = [(codec, list(compare(path, codec, audio, folder)))
                       for codec, path, audio in cases]
            table(title, [(codec, [cell[0] for cell in cells]) for codec, cells in results])
            table("samples later, longer", [
                (codec, ["–" if offset is None else f"{offset:.1f}, {longer:+d}"
                         for _, offset, longer in cells])
                for codec, cells in results])
            for (_, path, _), (_, cells) in zip(cases, results):
                for container, (_, offset, _) in zip(CONTAINERS, cells):
                    if offset is None:
                        continue
                    worst[container] = max(worst[container], abs(offset))
                    isRight = isRight and abs(offset) <= limit(path, container)
    print(", ".join(f".{container}: {value:.1f}" for container, value in worst.items()))
    sys.exit(0 if isRight else 1)


main()

# SPDX-License-Identifier: GPL-2.0-or-later
"""Chooses at random what command is run on a mutant."""

from dataclasses import dataclass, field
import subprocess

from .seeds import ULTRAFAST


@dataclass
class Job:
    """A command. `output`: the name of the file that it writes; `encodes`: whether it encodes
    frames; `in_place`: whether it changes its input; `main`: the file whose frames the output has,
    if that is not the first file; `extra`: the contents of its other inputs, by name."""
    arguments: list
    output: str = None
    encodes: bool = False
    in_place: bool = False
    main: str = None
    extra: dict = field(default_factory=dict)


def knows(program, command):
    """Whether a program has a command."""
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=False).stdout
    return f"\n  {command} " in text


RETAGS = [
    ["--color", "hlg"], ["--color", "709"], ["--color", "none"], ["--range", "full"],
    ["--codec-tag", "hev1"], ["--codec-tag", "avc1"], ["--chroma-location", "topLeft"],
    ["--ambient", "314,0.3127,0.3290"], ["--ambient", "none"], ["--mastering-display", "none"],
    ["--mastering-display", "p3,1000,0.0001"], ["--content-light", "1000,400"],
    ["--color", "pq", "--content-light", "none", "--range", "limited"],
]
PRESETS = ["h264-sdr", "hevc-hlg", "hevc-match-source", "hevc-sdr", "hevc-p3", "av1-match-source"]


def _transcode(name, random, outputs=("out.mov", "out.mp4")):
    output = random.choice(outputs)
    options = ["--set", ULTRAFAST, "--progress", "none"]
    if random.random() < 0.4:
        options += ["--on-error", "continue"]
    return ["transcode", name, output] + options, output


def _encode(name, random):
    arguments, output = _transcode(name, random)
    return Job(arguments + ["--preset", random.choice(PRESETS)], output, encodes=True)


def _copy(name, random):
    arguments, output = _transcode(name, random)
    return Job(arguments + ["--set", "video.codec=passthrough"], output)


def _bound(random):
    """Returns where a part begins or ends, in seconds, ticks or frames. Some of these times are
    beyond the movie's end."""
    return random.choice([f"{random.choice([0, 0.04, 0.1, 0.33, 0.5, 3])}",
                          f"@{random.choice([0, 1, 512, 3000, 10**9])}",
                          f"{random.choice([0, 1, 2, 7, 40])}f", "0:00:00.2"])


def _part(random):
    """Returns options for a part of a presentation. Some parts are empty."""
    options = ["--from", _bound(random)] if random.random() < 0.8 else []
    if not options or random.random() < 0.6:
        options += ["--to", _bound(random)]
    return options


def _cut(name, random):
    output = random.choice(["out.mov", "out.mp4", "out.mkv"])
    options = ["--on-error", "continue"] if random.random() < 0.4 else []
    return Job(["cut", name, output, "--progress", "none"] + options + _part(random), output)


def _encode_part(name, random):
    job = _encode(name, random)
    job.arguments += _part(random)
    return job


def _retag(name, random):
    options = random.choice(RETAGS)
    if random.random() < 0.5:
        return Job(["retag", "--in-place", name] + options, name, in_place=True)
    return Job(["retag", name, "out.mov"] + options, "out.mov")


def _inject(name, random, files):
    return Job(["rpu", "inject", name, "good.bin", "out.mp4"], "out.mp4",
               extra={"good.bin": files["rpus.bin"]})


def _on_movie(name, random, files, has_compare):
    choices = [
        (2, lambda: Job(["inspect", name])),
        (2, lambda: Job(["inspect", "--frames", "--json", name])),
        (3, lambda: Job(["validate", name] + random.choice([[], ["--json"]]))),
        (2, lambda: Job(["plan", name, "--preset", random.choice(PRESETS)])),
        (5, lambda: _encode(name, random)),
        (3, lambda: _copy(name, random)),
        (4, lambda: _cut(name, random)),
        (2, lambda: _encode_part(name, random)),
        (5, lambda: _retag(name, random)),
        (2, lambda: Job(["rpu", "extract", name, "out.bin"]
                        + random.choice([[], ["--presented"]]), "out.bin")),
        (2, lambda: _inject(name, random, files)),
        (1, lambda: Job(["rpu", "show", name] + random.choice([[], ["--json"], ["--frame", "2"]]))),
        (1, lambda: Job(["rpu", "plot", name, "out.png"], "out.png")),
        (2, lambda: Job(["metadata", "show", name] + random.choice([[], ["--frames", "--json"]]))),
        (1, lambda: Job(["metadata", "plot", name, "out.png"], "out.png")),
        (4, lambda: _convert(name, random)),
        (3, lambda: _graft(name, random, files)),
    ]
    if has_compare:
        choices.append((2, lambda: Job(["compare", "good.mov", name],
                                       extra={"good.mov": files["dolby.mov"]})))
    return choices


def _convert(name, random):
    output = random.choice(["out.mov", "out.mp4", "out.mkv"])
    options = random.choice([
        ["--dolby-vision", "8.4"], ["--dolby-vision", "8.1"], ["--dolby-vision", "none"],
        ["--hdr10plus", "measure"], ["--hdr10plus", "none", "--light", "measure"],
        ["--light", "1000,400", "--mastering-display", "none"]])
    return Job(["metadata", "convert", name, output, "--progress", "none"] + options, output)


def _graft(name, random, files):
    """Puts the metadata of a mutant onto a good movie, or that of a good movie onto a mutant."""
    pair = random.choice([[name, "good.mov"], ["good.mov", name]])
    options = random.choice([[], [], ["--plan"], ["--offset", "1"]])
    output = None if "--plan" in options else "out.mp4"
    return Job(["metadata", "graft"] + pair + (["out.mp4"] if output else [])
               + ["--progress", "none"] + options, output, main=pair[1],
               extra={"good.mov": files["dolby.mov"]})


def _on_rpus(name, random, files, has_compare):
    return [
        (2, lambda: Job(["rpu", "show", name] + random.choice([[], ["--json"], ["--frame", "1"]]))),
        (1, lambda: Job(["rpu", "plot", name, "out.png"], "out.png")),
        (2, lambda: Job(["rpu", "inject", "good.mov", name, "out.mov"], "out.mov",
                        extra={"good.mov": files["dolby.mov"]})),
    ]


def _on_preset(name, random, files, has_compare):
    sample = {"good.mov": files["dolby.mov"]}
    return [
        (2, lambda: Job(["presets", "validate", name])),
        (1, lambda: Job(["plan", "good.mov", "--preset", "./" + name], extra=sample)),
        (1, lambda: Job(["transcode", "good.mov", "out.mov", "--preset", "./" + name,
                         "--set", ULTRAFAST, "--progress", "none"], "out.mov", encodes=True,
                        extra=sample)),
    ]


def choose(seed, name, random, files, has_compare):
    """Returns a job for a mutant of a seed. `name` is the mutant's file."""
    table = {"rpus": _on_rpus, "preset": _on_preset}.get(seed.kind, _on_movie)
    choices = table(name, random, files, has_compare)
    weights = [weight for weight, _ in choices]
    return random.choices([make for _, make in choices], weights)[0]()

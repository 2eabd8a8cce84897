# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands that both programs run over each file."""

COMPRESSION = "video.compressionProperties"


class Case:
    """A command on a file. `INPUT`, `OUTPUT` and `RPUS` stand for the files it reads and writes.

    `writes` is the output's name; None if the command only prints.
    """

    def __init__(self, kind, arguments, writes=None):
        self.kind, self.arguments, self.writes = kind, arguments, writes

    @property
    def needs_rpus(self):
        return "RPUS" in self.arguments


def transcode(kind, preset, name, *settings):
    """Returns a transcode that gives the same bits in each run. With three or more frame threads,
    x265 gives different bits each time; x264 does not, with any fixed number of threads."""
    threads = "threads=2" if preset.startswith("h264") else "frame-threads=1"
    fixed = [f"{COMPRESSION}.speed=ultrafast", f"{COMPRESSION}.encoderOptions.{threads}"]
    if "video.codec=passthrough" in settings:
        fixed = []
    pairs = [part for setting in [*fixed, *settings] for part in ("--set", setting)]
    return Case(kind, ["transcode", "INPUT", "OUTPUT", "--preset", preset, "--progress", "none",
                       *pairs], name)


def planned(kind, *arguments):
    """Returns two cases for a command that only prints: one with text and one with JSON."""
    return [Case(kind, [*arguments]), Case(kind + " --json", [*arguments, "--json"])]


PRESETS = ["hevc-hlg", "h264-sdr", "hevc-match-source"]

CASES = [
    *planned("inspect", "inspect", "INPUT"),
    *planned("inspect --frames", "inspect", "INPUT", "--frames"),
    *planned("validate", "validate", "INPUT"),
    *[case for preset in PRESETS
      for case in planned(f"plan {preset}", "plan", "INPUT", "--preset", preset)],
    *planned("rpu show", "rpu", "show", "INPUT"),
    Case("rpu extract", ["rpu", "extract", "INPUT", "OUTPUT"], "output.bin"),
    Case("rpu inject", ["rpu", "inject", "INPUT", "RPUS", "OUTPUT"], "output.mov"),
    Case("rpu inject --force", ["rpu", "inject", "INPUT", "RPUS", "OUTPUT", "--force"],
         "output.mp4"),
    Case("retag color", ["retag", "INPUT", "OUTPUT", "--color", "709", "--range", "limited"],
         "output.mov"),
    Case("retag HDR", ["retag", "INPUT", "OUTPUT", "--color", "hlg", "--ambient",
                       "314,0.3127,0.3290", "--mastering-display", "p3,1000,0.0001",
                       "--content-light", "1000,400"], "output.mp4"),
    Case("retag type", ["retag", "INPUT", "OUTPUT", "--chroma-location", "topLeft",
                        "--codec-tag", "hev1"], "output.mov"),
    transcode("transcode hevc-hlg", "hevc-hlg", "output.mov"),
    transcode("transcode h264-sdr", "h264-sdr", "output.mp4"),
    transcode("transcode hevc-match-source", "hevc-match-source", "output.mov"),
    transcode("transcode passthrough", "hevc-match-source", "output.mp4",
              "video.codec=passthrough"),
    transcode("transcode composition", "hevc-hlg", "output.mp4",
              "video.composition.crop={\"x\":8,\"y\":8,\"width\":160,\"height\":96}",
              "video.composition.pad={\"width\":320,\"height\":180}"),
]

# SPDX-License-Identifier: GPL-2.0-or-later
"""The operators that are compared, and how each one makes an SDR movie from a source."""

from dataclasses import dataclass
import subprocess

from . import aces
from .video import run

TONE_MAPPINGS = "auto spline reinhard bt2390 bt2446a bt2446b bt2446c clip none".split()
GAMUT_MAPPINGS = "desaturate clip bt2407 none".split()
BT709 = "color_primaries=bt709:color_trc=bt709:range=tv"


@dataclass(frozen=True)
class Candela:
    program: str
    tone_mapping: str
    gamut_mapping: str = "perceptual"
    detail: float = 0.0
    dither: str | None = None
    preset: str = "h264-sdr"
    coding: tuple = (("lossless", "true"), ("speed", "ultrafast"))

    @property
    def name(self):
        words = [f"Candela {self.tone_mapping}"]
        words += [self.gamut_mapping] * (self.gamut_mapping != "perceptual")
        words += [f"detail {self.detail:g}"] * (self.detail > 0)
        return ", ".join(words)

    @property
    def settings(self):
        conversion = {
            "toneMapping": self.tone_mapping,
            "gamutMapping": self.gamut_mapping,
            "highlightDetail": self.detail,
            "dither": self.dither,
        }
        pairs = [(f"conversion.{key}", value) for key, value in conversion.items() if value]
        pairs += [(f"compressionProperties.{key}", value) for key, value in self.coding]
        words = (["--set", f"video.{key}={value}"] for key, value in pairs)
        return ["--preset", self.preset, *(word for pair in words for word in pair)]

    def refusal(self, source):
        """Returns why the program refuses these settings, or None."""
        command = [self.program, "plan", source.path, *self.settings]
        result = subprocess.run(command, capture_output=True, text=True)
        return (result.stderr.strip().splitlines() or ["refused"])[0] if result.returncode else None

    def convert(self, source, target):
        options = ["--overwrite", "--progress", "none", *self.settings]
        run([self.program, "transcode", source.path, target, *options])


class Trial:
    """An operator that is tried on a source to see if it runs here."""

    def refusal(self, source):
        trial = source.start.with_name("trial.mp4")
        try:
            self.convert(source, trial)
        except (RuntimeError, OSError, ImportError) as error:
            return str(error)
        finally:
            trial.unlink(missing_ok=True)
        return None


@dataclass(frozen=True)
class FFmpeg(Trial):
    program: str
    name: str
    filter: str
    device: tuple = ()

    def convert(self, source, target):
        command = [self.program, "-v", "error", "-y", "-nostdin", *self.device, "-i", source.start]
        command += ["-vf", f"{self.filter},format=yuv420p"]
        run([*command, "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", target])


def tonemap(program, operator, npl):
    """Uses zscale and tonemap; npl is the luminance, in cd/m², that the filters count as 1.0."""
    chain = f"zscale=t=linear:npl={npl},format=gbrpf32le,zscale=p=bt709,tonemap={operator}:desat=0"
    chain += ",zscale=t=bt709:m=bt709:r=tv"
    return FFmpeg(program, f"FFmpeg {operator}, npl {npl}", chain)


def placebo(program, operator):
    """Uses libplacebo without peak detection: one curve fits the peak that the source states."""
    settings = f"tonemapping={operator}:peak_detect=0:colorspace=bt709:{BT709}:format=yuv420p"
    device = ("-init_hw_device", "vulkan=v", "-filter_hw_device", "v")
    chain = f"hwupload,libplacebo={settings},hwdownload"
    return FFmpeg(program, f"libplacebo {operator}", chain, device)


def perceptual_scale(program):
    wanted = "out_color_matrix=bt709:out_primaries=bt709:out_transfer=bt709:out_range=tv"
    return FFmpeg(program, "FFmpeg scale, perceptual", f"scale={wanted}:intent=perceptual")


class HandBrake(Trial):
    name = "HandBrake, hable"

    def convert(self, source, target):
        command = ["HandBrakeCLI", "-i", source.start, "-o", target, "--colorspace", "bt709"]
        command += ["-e", "x264", "-q", "0", "--encoder-preset", "ultrafast", "--vfr"]
        run([*command, "--crop", "0:0:0:0", "-a", "none", "-s", "none"])


class Aces(Trial):
    name = "ACES 2"

    def convert(self, source, target):
        aces.convert(source, target)


def all_operators(options):
    ours = [{"tone_mapping": tone} for tone in TONE_MAPPINGS]
    ours += [{"tone_mapping": "auto", "gamut_mapping": gamut} for gamut in GAMUT_MAPPINGS]
    ours += [{"tone_mapping": "auto", "detail": detail} for detail in (0.5, 1.0)]
    every = [Candela(options.candela, dither=options.dither, **settings) for settings in ours]
    every += [placebo(options.ffmpeg, name) for name in ("spline", "bt.2390", "st2094-40")]
    every.append(perceptual_scale(options.ffmpeg))
    for npl in (100, 203):
        every += [tonemap(options.ffmpeg, name, npl) for name in ("hable", "mobius", "reinhard")]
    every += [HandBrake(), Aces()]
    return [o for o in every if not options.only or o.name in options.only.split(";")]

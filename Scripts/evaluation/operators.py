# SPDX-License-Identifier: GPL-2.0-or-later
"""The operators that are compared, and how each makes an SDR movie of a source."""

from dataclasses import dataclass
from itertools import product
import subprocess

from . import aces
from .video import run

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
        gamut = "" if self.gamut_mapping == "perceptual" else f", {self.gamut_mapping}"
        return f"Candela {self.tone_mapping}{gamut}{f', detail {self.detail:g}' * bool(self.detail)}"

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
        """Why the program does not take these settings, or None."""
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
    """zscale and tonemap; npl is the luminance in cd/m² that is 1.0 in the filters' light."""
    chain = f"zscale=t=linear:npl={npl},format=gbrpf32le,zscale=p=bt709,tonemap={operator}:desat=0"
    chain += ",zscale=t=bt709:m=bt709:r=tv"
    return FFmpeg(program, f"FFmpeg {operator}, npl {npl}", chain)


def placebo(program, operator):
    """The filter without peak detection: one curve for the peak that the source states."""
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
    """Candela's come first, `auto` before all; each option is tried with the first of the other."""
    tones, gamuts = options.tone_mappings.split(), options.gamut_mappings.split()
    pairs = [(t, gamuts[0]) for t in tones] + [(tones[0], g) for g in gamuts[1:]]
    if options.every_pair:
        pairs = list(product(tones, gamuts))
    ours = [Candela(options.candela, *pair, dither=options.dither) for pair in pairs]
    ours += [Candela(options.candela, *pairs[0], d, options.dither) for d in (0.5, 1.0)]
    program = options.ffmpeg
    others = [placebo(program, name) for name in ("spline", "bt.2390", "st2094-40")]
    others.append(perceptual_scale(program))
    others += [tonemap(program, n, npl) for npl in (100, 203) for n in ("hable", "mobius", "reinhard")]
    every = [*ours, *others, HandBrake(), Aces()]
    return [o for o in every if not options.only or o.name in options.only.split(";")]

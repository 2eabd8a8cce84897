# SPDX-License-Identifier: GPL-2.0-or-later
"""The operators that are compared, and how each makes an SDR movie."""

from dataclasses import dataclass
from itertools import product
import subprocess

from .video import run

# As others use them; npl is the luminance in cd/m² that becomes 1.0 in the filter's linear light.
CHAIN = (
    "zscale=t=linear:npl={npl},format=gbrpf32le,zscale=p=bt709,tonemap={tonemap}:desat=0,"
    "zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
)


@dataclass(frozen=True)
class Candela:
    program: str
    tone_mapping: str
    gamut_mapping: str
    dither: str
    detail: float = 0.0

    @property
    def name(self):
        detail = f", detail {self.detail}" if self.detail else ""
        return f"{self.tone_mapping}, {self.gamut_mapping}{detail}"

    @property
    def settings(self):
        conversion = {
            "toneMapping": self.tone_mapping,
            "gamutMapping": self.gamut_mapping,
            "dither": self.dither,
            "highlightDetail": self.detail,
        }
        pairs = {f"video.conversion.{key}": value for key, value in conversion.items() if value}
        pairs["video.compressionProperties.lossless"] = "true"
        pairs["video.compressionProperties.speed"] = "ultrafast"
        words = ["--preset", "h264-sdr"]
        for key, value in pairs.items():
            words += ["--set", f"{key}={value}"]
        return words

    def refusal(self, source):
        """Why the program does not take these settings, or None."""
        command = [self.program, "plan", str(source), *self.settings]
        result = subprocess.run(command, capture_output=True, text=True)
        return (result.stderr.strip().splitlines() or ["refused"])[0] if result.returncode else None

    def convert(self, source, target):
        options = ["--overwrite", "--progress", "none", *self.settings]
        run([self.program, "transcode", source, target, *options])


@dataclass(frozen=True)
class Chain:
    tonemap: str
    npl: int

    @property
    def name(self):
        return f"ffmpeg {self.tonemap}, npl {self.npl}"

    def refusal(self, source):
        return None

    def convert(self, source, target):
        command = ["ffmpeg", "-v", "error", "-y", "-nostdin", "-i", source]
        command += ["-vf", CHAIN.format(npl=self.npl, tonemap=self.tonemap)]
        run([*command, "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", target])


@dataclass(frozen=True)
class Placebo:
    """ffmpeg's filter of libplacebo, without peak detection, which needs a real GPU."""

    tonemap: str

    @property
    def name(self):
        return f"libplacebo {self.tonemap}"

    def command(self, source, *output):
        settings = f"tonemapping={self.tonemap}:peak_detect=0:colorspace=bt709"
        settings += ":color_primaries=bt709:color_trc=bt709:range=tv:format=yuv420p"
        command = ["ffmpeg", "-v", "error", "-y", "-nostdin", "-init_hw_device", "vulkan=v"]
        command += ["-filter_hw_device", "v", "-i", str(source), "-vf"]
        return [*command, f"hwupload,libplacebo={settings},hwdownload,format=yuv420p", *output]

    def refusal(self, source):
        command = self.command(source, "-frames:v", "1", "-f", "null", "-")
        failed = subprocess.run(command, capture_output=True).returncode
        return "ffmpeg has no libplacebo here, or it no Vulkan" if failed else None

    def convert(self, source, target):
        run(self.command(source, "-c:v", "libx264", "-qp", "0", "-preset", "ultrafast", target))


def all_operators(options):
    tones, gamuts = options.operators.split(), options.gamut_mappings.split()
    if options.every_pair:
        pairs = list(product(tones, gamuts))
    else:
        pairs = [(t, gamuts[0]) for t in tones] + [(tones[0], g) for g in gamuts[1:]]
    chains = [Chain(t, npl) for npl in (100, 203) for t in ("hable", "mobius", "reinhard")]
    chains += [Placebo(tonemap) for tonemap in ("spline", "bt.2390")]
    plain = [Candela(options.candela, *pair, options.dither) for pair in pairs]
    detailed = [Candela(options.candela, *pairs[0], options.dither, d) for d in (0.5, 1.0)]
    return plain + detailed + chains

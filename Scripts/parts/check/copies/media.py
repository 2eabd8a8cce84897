# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes files with each codec that ffmpeg encodes in software, in each container that takes it."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

VIDEO_CONTAINERS = ["mov", "mp4", "mkv", "avi", "webm", "nut", "wmv", "flv", "mxf", "ts", "ogv"]
AUDIO_CONTAINERS = ["mov", "mp4", "mka", "avi", "webm", "wav", "ogg", "wma", "3gp", "caf", "ts"]
# Encoders in hardware, which only some machines have. The last one is in software, but hangs on
# small frames.
HARDWARE = ("nvenc", "vaapi", "qsv", "v4l2m2m", "omx", "amf", "videotoolbox", "_mf", "mediacodec",
            "libsvtav1")
SIZES = {"h261": "176x144", "h263": "176x144", "dvvideo": "720x576", "dnxhd": "1920x1080",
         "roqvideo": "128x64"}
MORE = {
    "dnxhd": ["-b:v", "120M", "-pix_fmt", "yuv422p"], "dvvideo": ["-pix_fmt", "yuv420p"],
    "h261": ["-r", "30000/1001"], "h263": ["-r", "30000/1001"], "roqvideo": ["-r", "30"],
    "libaom-av1": ["-cpu-used", "8"], "librav1e": ["-speed", "10"],
    "mpeg1video": ["-r", "25"], "rv10": ["-r", "25"], "rv20": ["-r", "25"], "cfhd": ["-s", "128x96"],
}
# Forms of one codec that have their own tags or bit depths.
FORMS = {
    "rawvideo": ["rgb24", "bgr24", "rgb555be", "rgb555le", "rgb565le", "argb", "rgba", "bgra",
                 "abgr", "gray", "gray16be", "monow", "monob", "pal8", "uyvy422", "yuyv422",
                 "yuv420p", "yuv422p", "yuv444p", "nv12", "yuv422p10le", "yuv420p10le",
                 "rgb48be", "rgb48le", "rgba64be", "gray10le", "p010le"],
    "prores_ks": ["yuv422p10le", "yuv444p10le", "yuva444p10le"],
    "qtrle": ["rgb24", "rgb555be", "argb", "gray"], "png": ["rgb24", "rgba", "pal8", "rgb48be"],
    "ffv1": ["yuv420p", "yuv422p10le", "gray", "bgra", "gbrp16le", "yuva420p"],
    "utvideo": ["yuv420p", "yuv422p", "gbrp", "gbrap"], "ffvhuff": ["yuv420p", "yuv422p10le"],
    "huffyuv": ["yuv422p", "rgb24"], "magicyuv": ["yuv420p", "gbrp"],
    "libvpx-vp9": ["yuv420p", "yuv444p", "yuva420p"], "libvpx": ["yuv420p", "yuva420p"],
    "mjpeg": ["yuvj420p", "yuvj444p"], "jpeg2000": ["yuv420p", "rgb24", "yuv422p10le"],
    "cfhd": ["yuv422p10le", "gbrp12le"], "dpx": ["rgb24"], "v408": ["yuva444p"],
}


def encoders(kind):
    """Yields the names of ffmpeg's encoders of a kind, `V` or `A`, without those in HARDWARE."""
    listed = subprocess.run(["ffmpeg", "-v", "quiet", "-encoders"], capture_output=True, text=True)
    for line in listed.stdout.splitlines():
        words = line.split()
        if len(words) > 1 and words[0].startswith(kind) and len(words[0]) == 6 and words[1] != "=":
            if not any(word in words[1] for word in HARDWARE):
                yield words[1]


def run(path, arguments):
    """Makes one file, unless it exists; returns whether it has content."""
    if path.exists():
        return path.stat().st_size > 0
    try:
        status = subprocess.run(
            ["ffmpeg", "-v", "quiet", "-nostdin", "-y", *arguments, str(path)],
            capture_output=True, timeout=60).returncode
    except subprocess.TimeoutExpired:
        status = None
    if status != 0 or not path.exists() or path.stat().st_size == 0:
        # The empty file tells the next run not to try again.
        path.write_bytes(b"")
        return False
    return True


def works(folder):
    for name in encoders("V"):
        for form in FORMS.get(name, [None]):
            source = f"testsrc2=s={SIZES.get(name, '96x64')}:r=25:d=0.4"
            options = [*MORE.get(name, []), *(["-pix_fmt", form] if form else [])]
            for container in VIDEO_CONTAINERS:
                yield (folder / f"v-{name}-{form or 'any'}.{container}",
                       ["-f", "lavfi", "-i", source, "-frames:v", "10", "-c:v", name, *options])
    for name in encoders("A"):
        rate = "8000" if "amr" in name or name in ("g723_1", "libgsm", "libgsm_ms", "libilbc") \
            else "48000"
        for container in AUDIO_CONTAINERS:
            yield (folder / f"a-{name}.{container}",
                   ["-f", "lavfi", "-i", f"sine=d=0.6:r={rate}", "-c:a", name, "-strict", "-2"])


def make(folder, jobs):
    """Makes the files; returns how many could be made."""
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(jobs) as pool:
        return sum(pool.map(lambda work: run(*work), works(folder)))

# SPDX-License-Identifier: GPL-2.0-or-later
"""Reshapes frames of Dolby Vision profile 5 in double precision, and compares with Candela.

It reads and writes RPUs by itself (ETSI GS CCM 001 V1.1.1), so that it does not share the program's
mistakes."""

import os
import subprocess
import sys

import numpy as np

from fuzz.units import checksum, escaped, unescaped

SIDE, PATCH = 256, 16  # The size of a frame and of its patches of one color.
BOUND = 0.6  # The largest difference in codes of 10 bits. Rounding alone makes 0.5.
WHOLE = 1023.0
ORDERS = 3


# Bits


class Reader:
    def __init__(self, data):
        self.bits, self.place = "".join(format(byte, "08b") for byte in data), 0

    def u(self, count):
        bits = self.bits[self.place : self.place + count]
        assert len(bits) == count, "the RPU ends too early"
        self.place += count
        return int(bits, 2) if count else 0

    def ue(self):
        zeros = 0
        while self.u(1) == 0:
            zeros += 1
        return (1 << zeros) - 1 + self.u(zeros)

    def se(self):
        code = self.ue()
        return (code + 1) // 2 if code % 2 else -(code // 2)

    def i(self, count):
        value = self.u(count)
        return value - (1 << count) if value >> count - 1 else value


class Writer:
    def __init__(self):
        self.bits = ""

    def u(self, count, value):
        assert 0 <= value < 1 << count or count == value == 0
        self.bits += format(value, "0%db" % count) if count else ""

    def ue(self, value):
        code = format(value + 1, "b")
        self.bits += "0" * (len(code) - 1) + code

    def se(self, value):
        self.ue(2 * value - 1 if value > 0 else -2 * value)

    def i(self, count, value):
        self.u(count, value % (1 << count))

    def bytes(self):
        self.bits += "0" * (-len(self.bits) % 8)
        return bytes(int(self.bits[i : i + 8], 2) for i in range(0, len(self.bits), 8))


# RPUs


class RPU:
    """What an RPU says about the light of a frame.

    `curves` has three components, each with pivots (code values) and pieces. A piece is
    ("polynomial", coefficients) or ("regression", constant, rows of 7 coefficients)."""

    def __init__(self, curves, to_cones, offset, mixing):
        self.curves, self.to_cones, self.offset, self.mixing = curves, to_cones, offset, mixing

    def reshaped(self, codes):
        """Returns linear R, G, B of BT.2020 of code values in rows; 1 is 10 000 cd/m²."""
        x = np.clip(codes / WHOLE, 0, 1)
        shaped = np.stack(
            [component(curve, x, index) for index, curve in enumerate(self.curves)], axis=-1
        )
        signals = (shaped - np.array(self.offset) * 1024 / WHOLE) @ np.array(self.to_cones).T
        light = pq_light(np.clip(signals, 0, 1))
        return np.clip(light @ (LMS_TO_RGB @ np.array(self.mixing)).T, 0, 1)


def component(curve, x, index):
    pivots, pieces = curve
    codes = np.rint(x[:, index] * WHOLE).astype(int)
    result = np.zeros(len(x))
    for place, piece in enumerate(pieces):
        # Codes before the first pivot belong to the first piece, those after the last to the last.
        begins = codes >= pivots[place] if place else np.full(len(x), True)
        if piece[0] == "polynomial":
            value = sum(c * x[:, index] ** power for power, c in enumerate(piece[1]))
        else:
            a, b, c = x.T
            terms = np.stack([a, b, c, a * b, a * c, b * c, a * b * c], axis=-1)
            value = piece[1] + sum(
                terms ** (order + 1) @ np.array(row) for order, row in enumerate(piece[2])
            )
        result = np.where(begins, value, result)
    return np.clip(result, pivots[0] / WHOLE, pivots[-1] / WHOLE)


def read_rpu(data):
    """Reads a payload `19 … 80` without emulation prevention; None if it is not of profile 5."""
    data = data.rstrip(b"\0")
    assert data[0] == 0x19 and data[-1] == 0x80, "not an RPU"
    assert checksum(data[1:-5]) == int.from_bytes(data[-5:-1], "big"), "wrong checksum"
    r = Reader(data[1:-5])
    assert r.u(6) == 2, "rpu_type"
    r.u(11)
    profile = r.u(4)
    r.u(4)
    assert r.u(1) == 1, "vdr_seq_info_present_flag"
    r.u(1)
    is_float = r.u(2) == 1
    denominator = 0 if is_float else r.ue()
    r.u(2)
    is_full = r.u(1)
    depth = 8 + r.ue()
    r.ue(), r.ue(), r.u(1)
    compressed = r.u(3)
    r.u(1)
    assert r.u(1) == 1 or profile, "a residual in profile 5"
    has_color = r.u(1)
    refers = r.u(1)
    if profile or not is_full or depth != 10 or refers or compressed or not has_color:
        return None

    def number():
        if is_float:
            return float(np.frombuffer(r.u(32).to_bytes(4, "big"), ">f4")[0])
        whole = r.se()
        return whole + r.u(denominator) / (1 << denominator)

    r.ue(), r.ue(), r.ue()
    pivots = [np.cumsum([r.u(depth) for _ in range(r.ue() + 2)]) for _ in range(3)]
    r.ue(), r.ue()
    curves = []
    for own in pivots:
        pieces = []
        for _ in range(len(own) - 1):
            if r.ue() == 0:
                order = r.ue() + 1
                assert order > 1 or r.u(1) == 0, "linear interpolation"
                pieces.append(("polynomial", [number() for _ in range(order + 1)]))
            else:
                order = r.u(2) + 1
                constant = number()
                rows = [[number() for _ in range(7)] for _ in range(order)]
                pieces.append(("regression", constant, rows))
        curves.append((list(own), pieces))
    r.ue(), r.ue(), r.ue()
    to_cones = np.array([r.i(16) for _ in range(9)]).reshape(3, 3) / 8192
    offset = [r.u(32) / (1 << 28) for _ in range(3)]
    mixing = np.array([r.i(16) for _ in range(9)]).reshape(3, 3) / 16384
    return RPU(curves, to_cones, offset, mixing)


def write_rpu(rng):
    """Writes a random RPU of profile 5: `19 … 80` without emulation prevention."""
    is_float, denominator = rng.random() < 0.25, int(rng.integers(13, 24))
    w = Writer()
    w.u(8, 0x19), w.u(6, 2), w.u(11, 18), w.u(4, 0), w.u(4, 0), w.u(1, 1), w.u(1, 0)
    w.u(2, int(is_float))
    if not is_float:
        w.ue(denominator)
    w.u(2, 1), w.u(1, 1), w.ue(2), w.ue(2), w.ue(4), w.u(1, 0), w.u(3, 0), w.u(1, 0), w.u(1, 1)
    w.u(1, 1), w.u(1, 0), w.ue(0), w.ue(0), w.ue(0)

    def number(value):
        if is_float:
            return w.u(32, int.from_bytes(np.array(value, ">f4").tobytes(), "big"))
        units = round(value * (1 << denominator))
        w.se(units >> denominator), w.u(denominator, units & (1 << denominator) - 1)

    curves = [random_curve(rng, index) for index in range(3)]
    for pivots, _ in curves:
        w.ue(len(pivots) - 2)
        for before, pivot in zip([0] + pivots, pivots):
            w.u(10, pivot - before)
    w.ue(0), w.ue(0)
    for _, pieces in curves:
        for piece in pieces:
            w.ue(int(piece[0] == "regression"))
            if piece[0] == "polynomial":
                w.ue(len(piece[1]) - 2)
                if len(piece[1]) == 2:
                    w.u(1, 0)
                numbers = piece[1]
            else:
                w.u(2, len(piece[2]) - 1)
                numbers = [piece[1]] + [value for row in piece[2] for value in row]
            for value in numbers:
                number(value)
    w.ue(0), w.ue(0), w.ue(1)
    cones = np.array([8192, 799, 1681, 8192, -933, 1091, 8192, 267, -5545])
    mixing = np.array([17081, -349, -349, -349, 17081, -349, -349, -349, 17081])
    if rng.random() < 0.5:
        cones, mixing = (m + rng.integers(-200, 201, 9) for m in (cones, mixing))
    offsets = [0, 1 << 27, 1 << 27]
    if rng.random() < 0.3:
        offsets = [int(rng.integers(0, 1 << 22)) + o for o in offsets]
    for value in cones:
        w.i(16, int(value))
    for value in offsets:
        w.u(32, value)
    for value in mixing:
        w.i(16, int(value))
    w.u(16, 65535), w.u(16, 0), w.u(16, 0), w.u(32, 0), w.u(5, 12), w.u(2, 2), w.u(2, 0)
    w.u(2, 1), w.u(12, 7), w.u(12, 3079), w.u(10, 42), w.ue(0)
    data = w.bytes()
    return data + checksum(data[1:]).to_bytes(4, "big") + b"\x80"


def random_curve(rng, index):
    count = int(rng.integers(1, 9))
    inner = sorted(int(v) for v in rng.choice(np.arange(1, 1023), count - 1, replace=False))
    ends = (0, 1023)
    if rng.random() < 0.4:
        ends = int(rng.integers(0, 60)), int(rng.integers(960, 1024))
    pivots = [ends[0]] + [min(max(p, ends[0]), ends[1]) for p in inner] + [ends[1]]
    # Published RPUs have regressions only for chroma, but luma may have them, too.
    kind = "regression" if rng.random() < (0.7 if index else 0.1) else "polynomial"
    return pivots, [random_piece(rng, kind, index) for _ in range(count)]


def random_piece(rng, kind, index):
    def near(value, spread):
        return float(value + rng.normal(0, spread))

    if kind == "polynomial":
        straight = [near(0, 0.02), near(1, 0.1)]
        return kind, straight if rng.random() < 0.4 else straight + [near(0, 0.1)]
    rows = [[near(0, 0.1) for _ in range(7)] for _ in range(int(rng.integers(1, ORDERS + 1)))]
    rows[0][index] += 1
    return kind, near(0, 0.05), rows


# Light


def pq_light(signal):
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    root = signal ** (1 / m2)
    return (np.maximum(root - c1, 0) / (c2 - c3 * root)) ** (1 / m1)


def pq_signal(light):
    m1, m2 = 2610 / 16384, 2523 / 4096 * 128
    c1, c2, c3 = 3424 / 4096, 2413 / 4096 * 32, 2392 / 4096 * 32
    root = light**m1
    return ((c1 + c2 * root) / (1 + c3 * root)) ** m2


def bt2020_to_xyz():
    primaries = np.array([[0.708, 0.292], [0.170, 0.797], [0.131, 0.046]])
    columns = np.array([[x / y, 1, (1 - x - y) / y] for x, y in primaries]).T
    x, y = 0.3127, 0.3290
    return columns * np.linalg.solve(columns, np.array([x / y, 1, (1 - x - y) / y]))


# Hunt, Pointer and Estévez, for D65.
XYZ_TO_LMS = np.array([[0.40024, 0.70760, -0.08081], [-0.22630, 1.16532, 0.04570], [0, 0, 0.91822]])
LMS_TO_RGB = np.linalg.inv(XYZ_TO_LMS @ bt2020_to_xyz())


def codes_of(light):
    """Returns Y′CbCr of BT.2020 in codes of 10 bits and limited range, not rounded."""
    red, green, blue = pq_signal(light).T
    luma = 0.2627 * red + 0.6780 * green + 0.0593 * blue
    chroma = [(blue - luma) / 1.8814, (red - luma) / 1.4746]
    return np.stack([64 + 876 * luma] + [512 + 896 * c for c in chroma], axis=-1)


# Clips


def run(*command):
    result = subprocess.run([str(c) for c in command], capture_output=True)
    if result.returncode:
        sys.exit("%s failed:\n%s" % (command[0], result.stderr.decode(errors="replace")[-2000:]))
    return result.stdout


def made_frames(rng, count):
    """Returns frames of patches, as code values of luma and chroma at the size of patches."""
    side = SIDE // PATCH
    frames = rng.integers(0, 1024, (count, side, side, 3))
    # Random colors are mostly outside of BT.2020, so half of the patches are near gray.
    gray = rng.integers(400, 625, (count, side, side // 2, 2))
    frames[:, :, : side // 2, 1:] = gray
    return frames


def written(frames, path):
    with open(path, "wb") as file:
        for frame in frames:
            for plane, size in ((0, PATCH), (1, PATCH // 2), (2, PATCH // 2)):
                pixels = np.kron(frame[..., plane], np.ones((size, size), int))
                file.write(pixels.astype("<u2").tobytes())


def decoded(path, count):
    """Returns the samples in the middle of patches, of each frame."""
    raw = run("ffmpeg", "-v", "error", "-i", path, "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-")
    samples = np.frombuffer(raw, "<u2").reshape(-1, SIDE * SIDE * 3 // 2).astype(int)
    assert len(samples) == count, "%s has %d frames of %d" % (path, len(samples), count)
    luma = samples[:, : SIDE * SIDE].reshape(-1, SIDE, SIDE)
    chroma = samples[:, SIDE * SIDE :].reshape(-1, 2, SIDE // 2, SIDE // 2)
    luma = luma[:, PATCH // 2 :: PATCH, PATCH // 2 :: PATCH]
    chroma = chroma[:, :, PATCH // 4 :: PATCH // 2, PATCH // 4 :: PATCH // 2]
    return np.concatenate([luma[..., None], np.moveaxis(chroma, 1, -1)], axis=-1)


def with_rpus(stream, payloads):
    """Puts an RPU at the end of each access unit. The stream has access unit delimiters."""
    delimiter = b"\0\0\0\1\x46\x01"
    units = stream.split(delimiter)
    assert not units[0] and len(units) == len(payloads) + 1, "access units"
    return b"".join(
        delimiter + unit + b"\0\0\0\1\x7c\x01" + escaped(payload)
        for unit, payload in zip(units[1:], payloads)
    )


def stored(paths):
    """Returns the name and the payload of each stored RPU of profile 5."""
    found = {}
    for path in paths:
        names = [os.path.join(path, n) for n in os.listdir(path)] if os.path.isdir(path) else [path]
        for name in sorted(n for n in names if n.endswith(".bin")):
            for number, data in enumerate(open(name, "rb").read().split(b"\0\0\0\1")):
                data = unescaped(data[2:] if data[:2] == b"\x7c\x01" else data)
                if data[:1] == b"\x19" and read_rpu(data):
                    found["%s %d" % (os.path.basename(name), number)] = data
    return found


def main(candela, work, seed, count, *paths):
    rng = np.random.default_rng(int(seed))
    rpus = stored(paths)
    for number in range(int(count)):
        rpus["random %d" % (number + 1)] = write_rpu(rng)
    assert rpus, "there are no RPUs"
    frames = made_frames(rng, len(rpus))
    raw, coded, source, output = (
        os.path.join(work, n) for n in ("raw.yuv", "coded.hevc", "source.hevc", "output.mp4")
    )
    written(frames, raw)
    size = "%dx%d" % (SIDE, SIDE)
    run("ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", size,
        "-r", "24", "-i", raw, "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "lossless=1:bframes=0:aud=1:keyint=8:range=full:repeat-headers=1:log-level=none:info=0",
        coded)  # fmt: skip
    assert (decoded(coded, len(rpus)) == frames).all(), "the clip is not lossless"
    with open(coded, "rb") as file:
        stream = with_rpus(file.read(), list(rpus.values()))
    with open(source, "wb") as file:
        file.write(stream)
    keys = ["lossless=true", "speed=ultrafast"]
    run(candela, "transcode", source, output, "--overwrite", "--progress", "none",
        "--preset", "hevc-pq", "--set", "video.conversion.dither=none",
        *(a for key in keys for a in ("--set", "video.compressionProperties." + key)))  # fmt: skip
    failed = False
    for (name, payload), frame, found in zip(rpus.items(), frames, decoded(output, len(rpus))):
        wanted = codes_of(read_rpu(payload).reshaped(frame.reshape(-1, 3).astype(float)))
        differences = np.abs(found.reshape(-1, 3) - wanted)
        worst, mean = differences.max(axis=0), differences.mean()
        ends = "DIFFERS" if worst.max() > BOUND else ""
        print("%-40s Y %.3f  Cb %.3f  Cr %.3f  mean %.3f  %s" % (name, *worst, mean, ends))
        failed = failed or bool(worst.max() > BOUND)
    sys.exit(failed)


main(*sys.argv[1:])

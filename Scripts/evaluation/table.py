# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures as tables, as plain text or Markdown."""

ASSUMPTIONS = """\
Reference: the HDR picture on a reference display: HLG through the OOTF of BT.2100 by luminance at
1000 cd/m², PQ absolute. Result: SDR by BT.1886, gamma 2.4, black 0, white at 203 cd/m²: viewers
of SDR set white to taste, so whites are matched. Differences are in units of ΔE ITP (BT.2124)."""

# Title of a table, and its columns: key, heading in two lines, decimals.
TABLES = {
    "tones": (
        ("white", "203 to", "code", 1), ("white%", "203 to", "%", 1),
        ("gray", "36.5 to", "code", 1), ("gray%", "36.5 to", "%", 1),
        ("bias", "I", "bias", 1), ("error", "I", "error", 1),
        ("error95", "I err", "p95", 1), ("stops", "expo-", "sure", 2),
        ("exposed", "I err", "exposed", 1), ("exposed95", "exposed", "p95", 1),
        ("skin", "skin", "ΔE", 1), ("checker", "checker", "ΔE", 1),
    ),
    "colors": (
        ("hue", "hue", "inside", 1), ("hue outside", "hue", "outside", 1),
        ("hue95", "hue", "p95", 1), ("oklab", "Oklab", "hue", 1), ("oklab95", "Oklab", "p95", 1),
        ("chroma", "chroma", "inside", 2), ("chroma outside", "chroma", "outside", 2),
        ("saturated bias", "saturated", "I bias", 1),
    ),
    "highlights beside midtones": (
        ("high share", "above", "203 %", 0), ("struct", "struct", "", 2),
        ("kept contrast", "kept", "contrast", 2), ("clip", "clip", "%", 1),
        ("mid", "mid", "ΔE", 1), ("mid fitted", "mid", "fitted", 1),
        ("mid chroma", "mid", "chroma", 2), ("bright chroma", "bright", "chroma", 2),
        ("bright hue", "bright", "hue", 1),
    ),
    "highlights and artifacts": (
        ("contrast", "high", "contrast", 2), ("codes", "codes", "203-1000", 0),
        ("clipped", "clipped", "%", 1), ("flat", "flat", "%", 2),
        ("run", "run to", "ideal", 2), ("contour", "contour", "codes", 3),
    ),
}  # fmt: skip

LEGEND = """\
203 to, 36.5 to   8-bit luma that diffuse white and 18% gray get; in percent of 16...235
I bias, error     lightness (I of ICtCp) of tones of 2...203 cd/m²: result less reference, and
                  absolute; of charts only the ramp, the grays and the ColorChecker
exposure          stops by which the result is brighter (+) or darker (-) than the reference
exposed           the lightness error that is left when that exposure is taken out
skin, checker     ΔE ITP of the ColorChecker's skins, of all 24 patches, lit at 203 cd/m²
hue               degrees in ICtCp; inside: colors that SDR at 203 cd/m² can show; outside: others
chroma            of saturated colors, result to reference; inside 1 is possible, outside it is not
saturated I bias  result less reference of saturated colors that SDR can show
above 203         pixels of the source that are brighter than 203 cd/m²
struct            SSIM's structure term of I of ICtCp, of 8 × 8 blocks above 203 cd/m² that vary
kept contrast     the deviation of I in these blocks, result to reference
clip              pixels whose largest component is 254 or more of 255
mid               ΔE ITP of squares of 2 × 2 pixels with no component above 110 cd/m²
mid fitted        the same at the exposure where it is least
mid, bright       chroma of colored pixels, result to reference: of those squares, and above
chroma            203 cd/m²; the latter's hues in degrees of ICtCp
high contrast     local deviation of log luminance above 203 cd/m², result to reference
codes             distinct 8-bit codes between 203 and 1000 cd/m² on the neutral ramp
clipped, flat     pixels of varying patches with a channel at its end; those of patches that it made
                  constant
run to ideal      longest run of a code on the ramps: 1 is an undithered staircase, less is better
contour           steps left on the ramps after blurring, rms codes: staircase 0.29, dither < 0.1"""


def with_percent(row):
    percent = lambda code: (code - 16) / 219 * 100
    extra = {f"{k}%": percent(row[k]) for k in ("white", "gray") if row.get(k) is not None}
    return {**row, **extra}


def mean_row(rows):
    """The mean of several sources' figures, of those that have them."""
    keys = {key for row in rows for key in row}
    values = {key: [row[key] for row in rows if row.get(key) is not None] for key in keys}
    return {key: sum(v) / len(v) for key, v in values.items() if v}


def _cell(value, decimals):
    return "–" if value is None else f"{value:.{decimals}f}"


def render(title, rows, markdown):
    """Tables of one group of sources; `rows` is operator → figures."""
    lines = []
    rows = {name: with_percent(row) for name, row in rows.items()}
    for part, all_columns in TABLES.items():
        known = {key for row in rows.values() for key, value in row.items() if value is not None}
        columns = [c for c in all_columns if c[0] in known]
        cells = {n: [_cell(r.get(c[0]), c[3]) for c in columns] for n, r in rows.items()}
        lines.append("")
        if markdown:
            lines += [f"### {title}: {part}", ""]
            lines.append("| operator | " + " | ".join(f"{c[1]} {c[2]}" for c in columns) + " |")
            lines.append("|---|" + "---:|" * len(columns))
            lines += [f"| {name} | " + " | ".join(row) + " |" for name, row in cells.items()]
            continue
        width = max(len(name) for name in rows) + 1
        lines.append(f"{title}: {part}")
        for line in (1, 2):
            lines.append(" " * width + "".join(f"{c[line]:>10}" for c in columns))
        lines += [f"{n:<{width}}" + "".join(f"{c:>10}" for c in row) for n, row in cells.items()]
    return "\n".join(lines)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes tables of figures, as plain text or Markdown."""

# Key, heading, decimals.
SCENES = (
    ("structure", "structure", 3), ("hue", "hue °", 1), ("chroma", "chroma", 2),
    ("contrast", "contrast", 2), ("clip", "clip %", 1), ("midtones", "midtones ΔE ITP", 1),
    ("exposure", "exposure", 2), ("white", "white %", 1), ("jod", "JOD", 2),
)  # fmt: skip
CHARTS = (
    ("white", "203 cd/m² %", 1), ("midtones", "midtones ΔE ITP", 1), ("skin", "skin ΔE ITP", 1),
    ("codes", "codes above 203", 0), ("contours", "contour", 3),
)  # fmt: skip

LEGEND = """\
The reference is the HDR picture on a reference display. PQ is absolute; HLG is shown at
1000 cd/m², through the OOTF of BT.2100. The result is SDR by BT.1886 with black at 0 and white
at 203 cd/m². Differences are in units of ΔE ITP (BT.2124). Highlights have a component above
203 cd/m². Midtones have no component above 110 cd/m², and a luminance above 0.5 cd/m².

structure   SSIM's structure term of intensity, in blocks of 8 × 8 in highlights; 1 is best
hue         degrees that the hue of colored highlights turns, in ICtCp
chroma      chroma of colored highlights, as the ratio of result to source; 1 is best
contrast    local deviation of intensity in highlights, as the ratio of result to source; 1 is best
clip        pixels whose largest component is 254 or more of 255
midtones    mean difference of midtones
exposure    median ratio of luminance in midtones, result to source
white       the signal that a gray of 203 cd/m² gets
JOD         score of ColorVideoVDP: 10 if no difference is visible
skin        mean difference of the ColorChecker's two skins
codes       distinct codes between 203 and 1000 cd/m² on a neutral ramp
contour     steps left on ramps after blurring, as rms of codes: 0.29 without dither"""


def render(headings, rows, names, markdown):
    """Makes a table of cells, which are text. The first `names` columns are names."""
    if markdown:
        lines = ["| " + " | ".join(headings) + " |"]
        lines += ["|" + "---|" * names + "---:|" * (len(headings) - names)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])
    widths = [max(map(len, column)) for column in zip(headings, *rows)]
    aligned = [str.ljust] * names + [str.rjust] * (len(headings) - names)
    fitted = lambda row: [align(*pair) for align, *pair in zip(aligned, row, widths)]
    return "\n".join("  ".join(fitted(row)) for row in [headings, *rows])


def figures_table(columns, rows, names, markdown):
    """Makes a table of figures. `rows` maps a tuple of names to figures; columns that no row has
    are left out."""
    columns = [c for c in columns if any(row.get(c[0]) is not None for row in rows.values())]
    cell = lambda value, decimals: "–" if value is None else f"{value:.{decimals}f}"
    cells = [[*key, *(cell(r.get(k), d) for k, _, d in columns)] for key, r in rows.items()]
    headings = [*names, *(heading for _, heading, _ in columns)]
    return render(headings, cells, len(names), markdown)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Contact sheets: a row for each operator, a column for each picture."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .signals import HDR_PEAK, WHITE, apply, between

WIDTH, HEIGHT = 320, 240  # of a picture at most
LABEL, MARGIN, CAPTION = 210, 6, 24
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def thumbnail(signal, source):
    """A small picture of R'G'B' signals, which a PNG's viewer shows as a video player would."""
    codes = np.rint(np.clip(signal, 0, 1) * 255).astype(np.uint8)
    image = Image.fromarray(np.rot90(codes, source.quarter_turns).copy())
    image.thumbnail((WIDTH, HEIGHT), Image.Resampling.BOX)
    return image


def reference(light, white):
    """HDR light clipped at a luminance that becomes SDR's white, in BT.709."""
    narrow = apply(between("bt2020", "bt709"), light) / white
    return np.clip(narrow, 0, 1) ** (1 / 2.4)


def reference_rows(sources):
    whites = {"HDR, clipped at 203 cd/m²": WHITE, "HDR, all of it: 1000 cd/m² is white": HDR_PEAK}
    return {
        text: [thumbnail(reference(light, white), s) for s in sources for light in s.lights]
        for text, white in whites.items()
    }


def _wrapped(text, font, width):
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if font.getlength(longer) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return "\n".join(lines)


def contact_sheet(path, sources, rows):
    """Stores a sheet; `rows` is operator → pictures in the order of the sources' frames."""
    font, small = (ImageFont.truetype(FONT, size) for size in (16, 13))
    names = [name for s in sources for name in s.frame_names]
    widths = [picture.width + MARGIN for picture in next(iter(rows.values()))]
    lefts = np.cumsum([LABEL, *widths]).tolist()
    heights = [max(p.height for p in pictures) for pictures in rows.values()]
    size = (lefts[-1], CAPTION + sum(height + MARGIN for height in heights))
    sheet = Image.new("RGB", size, (32, 32, 32))
    draw = ImageDraw.Draw(sheet)
    for left, width, name in zip(lefts, widths, names):
        while small.getlength(name) > width:
            name = name[1:]  # the number of the frame, at its end, matters most
        draw.text((left, 3), name, font=small, fill="white")
    top = CAPTION
    for (label, pictures), height in zip(rows.items(), heights):
        text = _wrapped(label, font, LABEL - 2 * MARGIN)
        draw.multiline_text((MARGIN, top + 4), text, font=font, fill="white")
        for left, picture in zip(lefts, pictures):
            sheet.paste(picture, (left, top))
        top += height + MARGIN
    sheet.save(path)

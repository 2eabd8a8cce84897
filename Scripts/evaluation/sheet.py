"""Contact sheets: a row for each operator, a column for each picture."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .signals import HDR_PEAK, WHITE, apply, between

WIDTH = 320  # of a picture
LABEL, MARGIN, CAPTION = 210, 6, 24
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def thumbnail(signal, source):
    """A small picture of R'G'B' signals, which a PNG's viewer shows as a video player would."""
    codes = np.rint(np.clip(signal, 0, 1) * 255).astype(np.uint8)
    image = Image.fromarray(np.rot90(codes, -source.quarter_turns).copy())
    height = max(1, round(WIDTH * source.size[1] / source.size[0]))
    image.thumbnail((WIDTH, height), Image.Resampling.BOX)
    return image


def reference(light, white):
    """HDR light clipped at a luminance that becomes SDR's white, in BT.709."""
    narrow = apply(between("bt2020", "bt709"), light) / white
    return np.clip(narrow, 0, 1) ** (1 / 2.4)


def reference_rows(sources):
    rows = {}
    for text, white in (("HDR, clipped at 203 cd/m²", WHITE), ("HDR, all of it: 1000 cd/m² is white", HDR_PEAK)):
        rows[text] = [thumbnail(reference(l, white), s) for s in sources for l in s.lights]
    return rows


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
    font = ImageFont.truetype(FONT, 16)
    small = ImageFont.truetype(FONT, 14)
    names = [name for s in sources for name in s.frame_names]
    heights = [max(p.height for p in pictures) for pictures in rows.values()]
    size = (
        LABEL + len(names) * (WIDTH + MARGIN),
        CAPTION + sum(height + MARGIN for height in heights),
    )
    sheet = Image.new("RGB", size, (32, 32, 32))
    draw = ImageDraw.Draw(sheet)
    left = lambda column: LABEL + column * (WIDTH + MARGIN)
    for column, name in enumerate(names):
        draw.text((left(column), 3), name, font=small, fill="white")
    top = CAPTION
    for (name, pictures), height in zip(rows.items(), heights):
        label = _wrapped(name, font, LABEL - 2 * MARGIN)
        draw.multiline_text((MARGIN, top + 4), label, font=font, fill="white")
        for column, picture in enumerate(pictures):
            sheet.paste(picture, (left(column) + (WIDTH - picture.width) // 2, top))
        top += height + MARGIN
    sheet.save(path)

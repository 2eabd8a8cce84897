# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws the contact sheet. Each row shows one source: two pictures of the HDR, one with white at
203 cd/m² and one with white at 1000 cd/m², and then the SDR picture of each operator."""

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .signals import HDR_PEAK, WHITE, sdr_signal

WIDTH, HEIGHT = 480, 320  # of a thumbnail; taller ones are cut
MARGIN, CAPTION = 6, 26
OPERATORS = (  # shown unless `--only` names operators
    "Candela auto", "libplacebo spline", "libplacebo bt.2390", "FFmpeg scale, perceptual",
    "FFmpeg hable, npl 100", "FFmpeg mobius, npl 203", "ACES 2",
)  # fmt: skip
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def thumbnail(signal, quarter_turns=0):
    """Returns a small picture of R'G'B' signals. PNG viewers show it as a video player would."""
    codes = np.rint(np.clip(signal, 0, 1) * 255).astype(np.uint8)
    image = Image.fromarray(np.rot90(codes, quarter_turns).copy())
    image = image.resize((WIDTH, image.height * WIDTH // image.width), Image.Resampling.BOX)
    above = max(0, image.height - HEIGHT) // 2
    return image.crop((0, above, WIDTH, min(image.height, above + HEIGHT)))


def references(light, quarter_turns):
    """Returns the light as two SDR pictures without tone mapping. In one, 203 cd/m² is white, and
    in the other, 1000 cd/m²."""
    return {
        f"{white:.0f} cd/m² is white": thumbnail(sdr_signal(light * WHITE / white), quarter_turns)
        for white in (WHITE, HDR_PEAK)
    }


def contact_sheet(path, rows):
    """Stores a sheet. `rows` maps the name of each source to the source's pictures. These are keyed
    by the headings of their columns."""
    font = ImageFont.truetype(FONT, 17)
    columns = list(dict.fromkeys(heading for pictures in rows.values() for heading in pictures))
    heights = [max(p.height for p in pictures.values()) for pictures in rows.values()]
    size = (len(columns) * (WIDTH + MARGIN), sum(h + CAPTION + MARGIN for h in heights))
    sheet = Image.new("RGB", size, (32, 32, 32))
    draw = ImageDraw.Draw(sheet)
    top = 0
    for (name, pictures), height in zip(rows.items(), heights):
        for index, heading in enumerate(columns):
            left = index * (WIDTH + MARGIN)
            draw.text((left + 2, top + 3), heading if index else name, font=font, fill="white")
            if heading in pictures:
                sheet.paste(pictures[heading], (left, top + CAPTION))
        top += height + CAPTION + MARGIN
    sheet.save(path)

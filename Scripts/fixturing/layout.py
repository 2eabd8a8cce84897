# SPDX-License-Identifier: GPL-2.0-or-later
"""Byte tables: bits with the meaning of each field, and the bytes that they are together."""

COLUMN = 30


class Layout:
    """Fields, one after the other, most significant bit first."""

    def __init__(self):
        self.rows = []

    def u(self, count, value, meaning):
        """u(n): a number in a fixed count of bits."""
        assert 0 <= value < 1 << count, meaning
        self.rows.append(
            (format(value, "0%db" % count) if count else "", "%s %d" % (meaning, value))
        )
        return self

    def i(self, count, value, meaning):
        """i(n): a signed number, two's complement."""
        bits = format(value & ((1 << count) - 1), "0%db" % count)
        self.rows.append((bits, "%s %d" % (meaning, value)))
        return self

    def ue(self, value, meaning):
        """ue(v): an unsigned Exp-Golomb code (H.265, 9.2)."""
        code = format(value + 1, "b")
        self.rows.append(("0" * (len(code) - 1) + code, "%s %d" % (meaning, value)))
        return self

    def se(self, value, meaning):
        """se(v): a signed Exp-Golomb code (H.265, 9.2.2)."""
        code = format((2 * value - 1 if value > 0 else -2 * value) + 1, "b")
        self.rows.append(("0" * (len(code) - 1) + code, "%s %d" % (meaning, value)))
        return self

    def flags(self, bits, meaning):
        """Bits that are said together."""
        self.rows.append((bits, meaning))
        return self

    def text(self, value, meaning):
        """Characters of Latin-1."""
        return self.raw(value.encode("latin-1"), '%s "%s"' % (meaning, value))

    def raw(self, data, meaning):
        """Bytes; long ones take several rows."""
        for start in range(0, len(data), 14):
            part = data[start : start + 14]
            self.rows.append(
                ("".join(format(byte, "08b") for byte in part), meaning if start == 0 else "…")
            )
        return self

    def add(self, other):
        self.rows += other.rows
        return self

    def align(self, meaning):
        """Zeros up to the next byte."""
        self.rows.append(("0" * (-self.bit_count % 8), meaning))
        return self

    def stop(self):
        """rbsp_trailing_bits."""
        self.rows.append(("1" + "0" * (-(self.bit_count + 1) % 8), "rbsp_trailing_bits"))
        return self

    @property
    def bit_count(self):
        return sum(len(bits) for bits, _ in self.rows)

    @property
    def bytes(self):
        bits = "".join(bits for bits, _ in self.rows)
        assert len(bits) % 8 == 0
        return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))

    @property
    def lines(self):
        lines, position = [], 0
        for bits, meaning in self.rows:
            if not bits:
                continue
            isWhole = position % 8 == 0 and len(bits) % 8 == 0
            text = "%0*x" % (len(bits) // 4, int(bits, 2)) if isWhole else "%" + bits
            lines.append("%-*s  %s" % (COLUMN, text, meaning))
            position += len(bits)
        return lines


def box(kind, *parts):
    """A box of ISO/IEC 14496-12, 4.2: size, type, content."""
    size = 8 + sum(len(part.bytes) for part in parts)
    result = Layout().u(32, size, kind + ": size").text(kind, "type")
    for part in parts:
        result.add(part)
    return result


def full_box(kind, version, flags, *parts):
    """A box with version and flags (ISO/IEC 14496-12, 4.2)."""
    return box(kind, Layout().u(8, version, "version").u(24, flags, "flags"), *parts)


def escaped(payload):
    """A payload with emulation_prevention_three_byte where it is needed (H.265, 7.4.2)."""
    result, zeros = bytearray(), 0
    for byte in payload:
        if zeros == 2 and byte <= 3:
            result.append(3)
            zeros = 0
        zeros = zeros + 1 if byte == 0 else 0
        result.append(byte)
    return bytes(result)

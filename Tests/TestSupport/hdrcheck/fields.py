# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads numbers from bytes and bits. Reading beyond the end of a box or unit is an error."""


class BrokenFile(Exception):
    """A file that breaks a rule of its format. The message says which rule, and where."""


class Fields:
    """Big-endian fields of a range of bytes, one after the other."""

    def __init__(self, data, start, end, name):
        self.data = data
        self.position = start
        self.end = end
        self.name = name

    @property
    def rest(self):
        """How many bytes are left."""
        return self.end - self.position

    def require(self, count):
        """Raises BrokenFile unless `count` bytes are left."""
        if count > self.rest:
            raise BrokenFile(
                "'%s' is too short: at byte %d it needs %d bytes and has %d"
                % (self.name, self.position, count, max(self.rest, 0))
            )

    def take(self, count):
        self.require(count)
        self.position += count
        return self.data[self.position - count : self.position]

    def unsigned(self, count):
        return int.from_bytes(self.take(count), "big")

    def signed(self, count):
        return int.from_bytes(self.take(count), "big", signed=True)

    def table(self, count, *widths):
        """Rows of unsigned fields. Their size is checked before any of them is read."""
        self.require(count * sum(widths))
        return [tuple(self.unsigned(width) for width in widths) for _ in range(count)]


class Bits:
    """The bits of an RBSP (H.264, 7.2; H.265, 7.2)."""

    def __init__(self, data, name):
        self.value = int.from_bytes(data, "big")
        self.left = 8 * len(data)
        self.name = name

    def fixed(self, count):
        """u(n)"""
        if count > self.left:
            raise BrokenFile("%s ends too early" % self.name)
        self.left -= count
        return self.value >> self.left & (1 << count) - 1

    def flag(self):
        return self.fixed(1) == 1

    def unsigned(self):
        """ue(v): Exp-Golomb (H.264, 9.1; H.265, 9.2)"""
        zeros = 0
        while not self.flag():
            zeros += 1
            if zeros > 32:
                raise BrokenFile("%s has an Exp-Golomb code of more than 32 zeros" % self.name)
        return (1 << zeros) - 1 + self.fixed(zeros)

    def signed(self):
        """se(v) (H.264, 9.1.1; H.265, 9.2.2)"""
        code = self.unsigned()
        return code + 1 >> 1 if code & 1 else -(code >> 1)

    def count(self, most):
        """ue(v) that says how many items follow. A number above `most` is an error."""
        number = self.unsigned()
        if number > most:
            raise BrokenFile("%s counts %d, but the limit is %d" % (self.name, number, most))
        return number

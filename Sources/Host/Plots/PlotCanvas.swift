// SPDX-License-Identifier: GPL-2.0-or-later
/// A white image that lines and short texts are drawn on.
package struct PlotCanvas {
  /// An RGB color, 8 bits a component.
  package struct Color: Sendable {
    let red, green, blue: UInt8

    package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
      (self.red, self.green, self.blue) = (red, green, blue)
    }
  }

  /// The number of pixels in a row.
  package let width: Int
  /// The number of rows.
  package let height: Int
  /// The red, green and blue value of each pixel, row by row.
  package private(set) var pixels: [UInt8]

  /// Creates a white canvas.
  package init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    pixels = [UInt8](repeating: 255, count: width * height * 3)
  }

  /// Fills a rectangle. Parts outside the canvas are ignored.
  package mutating func fill(x: Int, y: Int, width: Int, height: Int, _ color: Color) {
    for row in max(y, 0)..<max(min(y + height, self.height), max(y, 0)) {
      for column in max(x, 0)..<max(min(x + width, self.width), max(x, 0)) {
        let place = (row * self.width + column) * 3
        (pixels[place], pixels[place + 1], pixels[place + 2]) = (color.red, color.green, color.blue)
      }
    }
  }

  /// Draws a line, two pixels wide.
  package mutating func line(
    from start: (x: Double, y: Double), to end: (x: Double, y: Double), _ color: Color
  ) {
    let steps = max(abs(end.x - start.x), abs(end.y - start.y), 1).rounded(.up)
    for step in 0...Int(steps) {
      let share = Double(step) / steps
      let x = start.x + (end.x - start.x) * share
      let y = start.y + (end.y - start.y) * share
      fill(x: Int(x.rounded()), y: Int(y.rounded()) - 1, width: 2, height: 2, color)
    }
  }

  private static let scale = 2
  private static let advance = 6 * scale

  /// Draws text. Characters without a shape become blanks.
  ///
  /// - Parameters:
  ///   - isRight: whether the text ends at `x`.
  ///   - isCentered: whether `x` is the middle of the text.
  package mutating func text(
    _ text: String, x: Int, y: Int, color: Color, isRight: Bool = false, isCentered: Bool = false
  ) {
    let length = text.count * Self.advance - Self.scale
    var place = isRight ? x - length : isCentered ? x - length / 2 : x
    for character in text {
      for (row, bits) in (Self.shapes[character] ?? []).enumerated() {
        for column in 0..<5 where bits >> UInt8(4 - column) & 1 == 1 {
          fill(
            x: place + column * Self.scale, y: y + row * Self.scale, width: Self.scale,
            height: Self.scale, color)
        }
      }
      place += Self.advance
    }
  }

  // The shapes of the letters and signs that plots use. With them, plots need no font and look the
  // same on every machine. Each shape has seven bytes, one for each row. The low five bits of a
  // byte are the columns.
  private static let shapes: [Character: [UInt8]] = [
    "0": [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
    "1": [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "2": [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
    "3": [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
    "4": [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
    "5": [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
    "6": [0b01110, 0b10000, 0b11110, 0b10001, 0b10001, 0b10001, 0b01110],
    "7": [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b01000, 0b01000],
    "8": [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
    "9": [0b01110, 0b10001, 0b10001, 0b10001, 0b01111, 0b00001, 0b01110],
    ".": [0, 0, 0, 0, 0, 0, 0b00100],
    "-": [0, 0, 0, 0b11111, 0, 0, 0],
    "%": [0b11000, 0b11001, 0b00010, 0b00100, 0b01000, 0b10011, 0b00011],
    "/": [0b00001, 0b00010, 0b00010, 0b00100, 0b01000, 0b01000, 0b10000],
    "A": [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "B": [0b11110, 0b10001, 0b10001, 0b11110, 0b10001, 0b10001, 0b11110],
    "C": [0b01110, 0b10001, 0b10000, 0b10000, 0b10000, 0b10001, 0b01110],
    "E": [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
    "I": [0b01110, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "D": [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
    "H": [0b10001, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
    "+": [0b00000, 0b00100, 0b00100, 0b11111, 0b00100, 0b00100, 0b00000],
    "L": [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
    "M": [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
    "N": [0b10001, 0b11001, 0b10101, 0b10011, 0b10001, 0b10001, 0b10001],
    "P": [0b11110, 0b10001, 0b10001, 0b11110, 0b10000, 0b10000, 0b10000],
    "Q": [0b01110, 0b10001, 0b10001, 0b10001, 0b10101, 0b10010, 0b01101],
    "R": [0b11110, 0b10001, 0b10001, 0b11110, 0b10100, 0b10010, 0b10001],
    "S": [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
    "T": [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
    "Y": [0b10001, 0b10001, 0b01010, 0b00100, 0b00100, 0b00100, 0b00100],
    "a": [0, 0, 0b01110, 0b00001, 0b01111, 0b10001, 0b01111],
    "b": [0b10000, 0b10000, 0b10110, 0b11001, 0b10001, 0b10001, 0b11110],
    "c": [0, 0, 0b01110, 0b10000, 0b10000, 0b10000, 0b01110],
    "d": [0b00001, 0b00001, 0b01111, 0b10001, 0b10001, 0b10001, 0b01111],
    "e": [0, 0, 0b01110, 0b10001, 0b11111, 0b10000, 0b01110],
    "f": [0b00110, 0b01000, 0b11100, 0b01000, 0b01000, 0b01000, 0b01000],
    "g": [0, 0, 0b01111, 0b10001, 0b01111, 0b00001, 0b01110],
    "i": [0b00100, 0, 0b01100, 0b00100, 0b00100, 0b00100, 0b01110],
    "l": [0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
    "m": [0, 0, 0b11010, 0b10101, 0b10101, 0b10101, 0b10101],
    "n": [0, 0, 0b11110, 0b10001, 0b10001, 0b10001, 0b10001],
    "o": [0, 0, 0b01110, 0b10001, 0b10001, 0b10001, 0b01110],
    "p": [0, 0, 0b11110, 0b10001, 0b11110, 0b10000, 0b10000],
    "r": [0, 0, 0b10110, 0b11000, 0b10000, 0b10000, 0b10000],
    "s": [0, 0, 0b01111, 0b10000, 0b01110, 0b00001, 0b11110],
    "t": [0b01000, 0b01000, 0b11100, 0b01000, 0b01000, 0b01001, 0b00110],
    "u": [0, 0, 0b10001, 0b10001, 0b10001, 0b10011, 0b01101],
    "v": [0, 0, 0b10001, 0b10001, 0b10001, 0b01010, 0b00100],
    "x": [0, 0, 0b10001, 0b01010, 0b00100, 0b01010, 0b10001],
  ]
}

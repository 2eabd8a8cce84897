// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// A row of the color bars of ITU-R BT.2111 for HLG, 10 bits, narrow range.
///
/// ``rows`` contains the code values of R', G', B' and the bars' sizes for 1920×1080. Other sizes
/// are drawn in proportion. The values are from the Recommendation's table of the HLG narrow range
/// system.
struct HLGColorBars {
  /// One bar: the width, in units of 1/1920 of the frame's width, and the code values of R', G',
  /// B'.
  struct Bar {
    let width: Int
    let color: SIMD3<UInt16>

    init(_ width: Int, _ red: UInt16, _ green: UInt16, _ blue: UInt16) {
      self.width = width
      color = SIMD3(red, green, blue)
    }

    init(_ width: Int, gray: UInt16) { self.init(width, gray, gray, gray) }
  }

  /// The height, in units of 1/1080 of the frame's height.
  let height: Int
  let bars: [Bar]
  /// Whether the third bar rises evenly from 4 to 1019 instead of having one color.
  var hasRamp = false

  /// The rows from top to bottom.
  static let rows = [
    saturated(height: 90, high: 940, edge: 414),
    saturated(height: 540, high: 721, edge: 414),
    HLGColorBars(
      height: 90,
      bars: [Bar(240, gray: 721), Bar(206, gray: 4)]
        + zip(
          [103, 103, 103, 103, 102, 102, 103, 103, 103, 103, 103, 103],
          [64, 152, 239, 327, 414, 502, 590, 677, 765, 852, 940, 1019] as [UInt16]
        ).map { Bar($0, gray: $1) } + [Bar(240, gray: 721)]),
    HLGColorBars(
      height: 90,
      bars: [Bar(240, gray: 64), Bar(559, gray: 4), Bar(1014, gray: 4), Bar(107, gray: 1019)],
      hasRamp: true),
    HLGColorBars(height: 270, bars: bottom),
  ]

  private static func saturated(height: Int, high: UInt16, edge: UInt16) -> HLGColorBars {
    let black: UInt16 = 64
    return HLGColorBars(
      height: height,
      bars: [
        Bar(240, gray: edge), Bar(206, gray: high), Bar(206, high, high, black),
        Bar(206, black, high, high), Bar(204, black, high, black), Bar(206, high, black, high),
        Bar(206, high, black, black), Bar(206, black, black, high), Bar(240, gray: edge),
      ])
  }

  /// Bars of BT.709 colors, levels around black, a bar of diffuse white, and BT.709 colors again.
  private static let bottom: [Bar] = [
    Bar(80, 713, 719, 316), Bar(80, 538, 709, 718), Bar(80, 512, 706, 296), Bar(136, gray: 64),
    Bar(70, gray: 48), Bar(68, gray: 64), Bar(70, gray: 80), Bar(68, gray: 64),
    Bar(70, gray: 99), Bar(238, gray: 64), Bar(438, gray: 721), Bar(282, gray: 64),
    Bar(80, 651, 286, 705), Bar(80, 639, 269, 164), Bar(80, 227, 147, 702),
  ]

  /// Returns the code values of R', G', B' in a row of the frame.
  static func colors(row y: Int, width: Int, height: Int) -> [SIMD3<UInt16>] {
    var bottom = 0
    for row in rows {
      bottom += row.height
      if y * 1080 < bottom * height { return row.colors(width: width) }
    }
    return rows[rows.count - 1].colors(width: width)
  }

  private func colors(width: Int) -> [SIMD3<UInt16>] {
    var colors: [SIMD3<UInt16>] = []
    var right = 0
    for (index, bar) in bars.enumerated() {
      // A bar ends where the next one starts, so that rounding leaves no gap in widths other than
      // 1920.
      let start = right * width / 1920
      right += bar.width
      let end = right * width / 1920
      for x in start..<end {
        guard hasRamp && index == 2 else {
          colors.append(bar.color)
          continue
        }
        let level = UInt16(4 + 1015 * (x - start) / max(end - start - 1, 1))
        colors.append(SIMD3(repeating: level))
      }
    }
    return colors
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

/// What the main header of a JPEG 2000 codestream says (ISO/IEC 15444-1, A.5.1).
package enum JPEG2000Header {
  /// The markers that every codestream begins with: `SOC` and `SIZ`.
  private static let beginning: [UInt8] = [0xFF, 0x4F, 0xFF, 0x51]
  /// Bytes before the codestream that a file format may add.
  private static let longestWrapping = 1024

  /// True if blocks may be coded by the high-throughput part (ISO/IEC 15444-15): bit 14 of `Rsiz`
  /// says that there is a marker `CAP`, which only that part has.
  package static func isHighThroughput(_ bytes: [UInt8]) -> Bool {
    let last = min(bytes.count - 8, longestWrapping)
    guard last >= 0,
      let start = (0...last).first(where: { bytes[$0..<$0 + 4].elementsEqual(beginning) })
    else { return false }
    return bytes[start + 6] & 0x40 != 0
  }
}

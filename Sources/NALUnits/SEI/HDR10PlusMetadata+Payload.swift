// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

extension HDR10PlusMetadata {
  /// The first bytes of the user data: country 0xB5, provider 0x003C, provider's code 1.
  package static let prefix: [UInt8] = [0xB5, 0x00, 0x3C, 0x00, 0x01]

  /// `application_identifier` of ST 2094-40.
  private static let applicationIdentifier: UInt8 = 4

  /// Reads a payload, which begins with the country. Returns `nil` for other user data, and for
  /// metadata without windows.
  ///
  /// - Throws: ``BitstreamError`` if bits are missing.
  package init?(payload: [UInt8]) throws(BitstreamError) {
    guard payload.starts(with: Self.prefix + [Self.applicationIdentifier]) else { return nil }
    var bits = BitReader(Array(payload.dropFirst(Self.prefix.count + 1)))
    applicationVersion = UInt8(try bits.u(8))
    let count = Int(try bits.u(2))
    guard count > 0 else { return nil }
    // All shapes come before the light of the first window.
    var shapes: [Shape?] = [nil]
    for _ in 1..<count { shapes.append(try Shape(&bits)) }
    targetedSystemDisplayMaximumLuminance = UInt32(try bits.u(27))
    targetedPeaks = try PeakGrid(&bits)
    windows = []
    for shape in shapes { windows.append(try Window(shape, &bits)) }
    masteringPeaks = try PeakGrid(&bits)
    for index in windows.indices {
      if try bits.flag() { windows[index].toneCurve = try ToneCurve(&bits) }
      if try bits.flag() { windows[index].colorSaturationWeight = UInt8(try bits.u(6)) }
    }
  }

  /// The payload, which begins with the country. Zeros fill the last byte.
  package var payload: [UInt8] {
    var bits = BitWriter()
    bits.u(UInt64(applicationVersion), 8)
    bits.u(UInt64(windows.count), 2)
    for window in windows { window.shape?.write(&bits) }
    bits.u(UInt64(targetedSystemDisplayMaximumLuminance), 27)
    PeakGrid.write(targetedPeaks, &bits)
    for window in windows { window.writeLight(&bits) }
    PeakGrid.write(masteringPeaks, &bits)
    for window in windows {
      bits.flag(window.toneCurve != nil)
      window.toneCurve?.write(&bits)
      bits.flag(window.colorSaturationWeight != nil)
      if let weight = window.colorSaturationWeight { bits.u(UInt64(weight), 6) }
    }
    return Self.prefix + [Self.applicationIdentifier] + bits.bytes
  }
}

extension BitReader {
  /// Reads numbers of the same length.
  fileprivate mutating func list<Number: FixedWidthInteger>(
    _ count: Int, bits: Int
  ) throws(BitstreamError) -> [Number] {
    var numbers: [Number] = []
    for _ in 0..<count { numbers.append(Number(try u(bits))) }
    return numbers
  }
}

extension BitWriter {
  fileprivate mutating func list(_ numbers: [some FixedWidthInteger], bits: Int) {
    for number in numbers { u(UInt64(number), bits) }
  }
}

extension HDR10PlusMetadata.Shape {
  fileprivate init(_ bits: inout BitReader) throws(BitstreamError) {
    corners = try bits.list(4, bits: 16)
    center = try bits.list(2, bits: 16)
    rotationAngle = UInt8(try bits.u(8))
    axes = try bits.list(3, bits: 16)
    isLayered = try bits.flag()
  }

  fileprivate func write(_ bits: inout BitWriter) {
    bits.list(corners + center, bits: 16)
    bits.u(UInt64(rotationAngle), 8)
    bits.list(axes, bits: 16)
    bits.flag(isLayered)
  }
}

extension HDR10PlusMetadata.PeakGrid {
  fileprivate init?(_ bits: inout BitReader) throws(BitstreamError) {
    guard try bits.flag() else { return nil }
    (rowCount, columnCount) = (UInt8(try bits.u(5)), UInt8(try bits.u(5)))
    peaks = try bits.list(Int(rowCount) * Int(columnCount), bits: 4)
  }

  fileprivate static func write(_ grid: Self?, _ bits: inout BitWriter) {
    bits.flag(grid != nil)
    guard let grid else { return }
    bits.list([grid.rowCount, grid.columnCount], bits: 5)
    bits.list(grid.peaks, bits: 4)
  }
}

extension HDR10PlusMetadata.Window {
  fileprivate init(
    _ shape: HDR10PlusMetadata.Shape?, _ bits: inout BitReader
  ) throws(BitstreamError) {
    self.shape = shape
    maxSCL = try bits.list(3, bits: 17)
    averageMaxRGB = UInt32(try bits.u(17))
    distribution = []
    for _ in 0..<(try bits.u(4)) {
      distribution.append(.init(UInt8(try bits.u(7)), UInt32(try bits.u(17))))
    }
    fractionBrightPixels = UInt16(try bits.u(10))
  }

  fileprivate func writeLight(_ bits: inout BitWriter) {
    bits.list(maxSCL + [averageMaxRGB], bits: 17)
    bits.u(UInt64(distribution.count), 4)
    for percentile in distribution {
      bits.u(UInt64(percentile.percentage), 7)
      bits.u(UInt64(percentile.value), 17)
    }
    bits.u(UInt64(fractionBrightPixels), 10)
  }
}

extension HDR10PlusMetadata.ToneCurve {
  fileprivate init(_ bits: inout BitReader) throws(BitstreamError) {
    (kneeX, kneeY) = (UInt16(try bits.u(12)), UInt16(try bits.u(12)))
    anchors = try bits.list(Int(try bits.u(4)), bits: 10)
  }

  fileprivate func write(_ bits: inout BitWriter) {
    bits.list([kneeX, kneeY], bits: 12)
    bits.u(UInt64(anchors.count), 4)
    bits.list(anchors, bits: 10)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// The content of a `colr` box (ISO/IEC 14496-12, 12.1.5; QuickTime File Format).
package enum ColorInformation: Hashable, Sendable, CustomStringConvertible {
  /// `nclx`: code points and range. The range is `nil` if the box ends before it.
  case nclx(ColorDescription, videoFullRangeFlag: Bool?)
  /// QuickTime's `nclc`: code points without a range.
  case nclc(ColorDescription)
  /// `prof` or `rICC`: an ICC profile.
  case profile([UInt8])
  /// Any other kind, kept as bytes.
  case other(FourCC, [UInt8])

  /// Reads the payload of a `colr` box.
  package init(_ payload: [UInt8]) throws(ISOBMFFError) {
    do throws(BitstreamError) {
      try self.init(reading: payload)
    } catch {
      throw .shortPayload("colr", error)
    }
  }

  private init(reading payload: [UInt8]) throws(BitstreamError) {
    var reader = ByteReader(payload)
    let type = FourCC(rawValue: try reader.integer())
    switch type {
    case "nclx", "nclc":
      let primaries = try reader.integer(UInt16.self)
      let transfer = try reader.integer(UInt16.self)
      let matrix = try reader.integer(UInt16.self)
      let color = ColorDescription(
        ColorPrimaries(rawValue: primaries), TransferCharacteristics(rawValue: transfer),
        MatrixCoefficients(rawValue: matrix))
      guard type == "nclx" else {
        self = .nclc(color)
        return
      }
      // Some writers leave the last byte out. The code points before it are still good.
      let flags = try? reader.integer(UInt8.self)
      self = .nclx(color, videoFullRangeFlag: flags.map { $0 & Self.fullRange != 0 })
    case "prof", "rICC": self = .profile(reader.rest())
    default: self = .other(type, reader.rest())
    }
  }

  /// `full_range_flag` in the last byte of `nclx`.
  private static let fullRange: UInt8 = 0x80
  /// The place of the byte with the range, after the type and three 16-bit numbers.
  private static let rangePlace = 10

  /// Sets the range in the payload of an `nclx` box and leaves the rest unchanged.
  ///
  /// - Parameter isFull: `nil` clears the flag, as limited range does, because the box cannot say
  ///   "unknown".
  package static func setRange(_ isFull: Bool?, in payload: inout [UInt8]) {
    // A payload without its last byte gets the byte only if there is a range to write.
    if payload.count == rangePlace, isFull != nil { payload.append(0) }
    guard payload.indices.contains(rangePlace) else { return }
    payload[rangePlace] = payload[rangePlace] & ~fullRange | (isFull == true ? fullRange : 0)
  }

  /// The payload of a `colr` box.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    func append(_ type: FourCC, _ color: ColorDescription) {
      writer.append(type.rawValue)
      writer.append(color.colorPrimaries.rawValue)
      writer.append(color.transferCharacteristics.rawValue)
      writer.append(color.matrixCoefficients.rawValue)
    }
    switch self {
    case .nclx(let color, let full):
      append("nclx", color)
      if let full { writer.append(full ? Self.fullRange : 0) }
    case .nclc(let color): append("nclc", color)
    case .profile(let bytes):
      writer.append(FourCC("prof").rawValue)
      writer.append(bytes)
    case .other(let type, let bytes):
      writer.append(type.rawValue)
      writer.append(bytes)
    }
    return writer.bytes
  }

  /// The kind and its numbers: `nclx 9/18/9 limited`.
  package var description: String {
    switch self {
    case .nclx(let color, let full):
      "nclx \(color.triple) " + (full.map { $0 ? "full" : "limited" } ?? "without its last byte")
    case .nclc(let color): "nclc \(color.triple)"
    case .profile(let bytes): "ICC profile of \(bytes.count) bytes"
    case .other(let type, _): "\(type)"
    }
  }
}

extension Box {
  // Version and flags, profile, level; then one byte for depth, subsampling and, in its lowest bit,
  // the range; then the three code points.
  private static let (rangePlace, primariesPlace, transferPlace, matrixPlace) = (6, 7, 8, 9)

  /// Changes the color and range that `vpcC` declares for VP8 and VP9 (VP Codec ISO Media File
  /// Format Binding 1.0). Does nothing if the box is cut off or its version is not 1.
  ///
  /// The box has to state a range, so a range of `nil` is written as limited.
  package mutating func editVPSignal(_ change: (inout SignalDescription) -> Void) {
    guard fields.count > Self.matrixPlace, fields[0] == 1 else { return }
    var signal = SignalDescription(
      color: ColorDescription(
        ColorPrimaries(rawValue: UInt16(fields[Self.primariesPlace])),
        TransferCharacteristics(rawValue: UInt16(fields[Self.transferPlace])),
        MatrixCoefficients(rawValue: UInt16(fields[Self.matrixPlace]))),
      videoFullRangeFlag: fields[Self.rangePlace] & 1 == 1)
    change(&signal)
    fields[Self.rangePlace] =
      fields[Self.rangePlace] & 0xFE | (signal.videoFullRangeFlag == true ? 1 : 0)
    fields[Self.primariesPlace] = signal.color.colorPrimaries.byte
    fields[Self.transferPlace] = signal.color.transferCharacteristics.byte
    fields[Self.matrixPlace] = signal.color.matrixCoefficients.byte
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// The content of a `colr` box (ISO/IEC 14496-12, 12.1.5; QuickTime File Format).
package enum ColorInformation: Hashable, Sendable, CustomStringConvertible {
  /// `nclx`: code points and range, which is nil where the box ends before it.
  case nclx(ColorDescription, videoFullRangeFlag: Bool?)
  /// `nclc`, of QuickTime: code points without a range.
  case nclc(ColorDescription)
  /// `prof` or `rICC`: an ICC profile.
  case profile([UInt8])
  /// A kind that is not known.
  case other(FourCC, [UInt8])

  /// Reads a payload.
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
        ColorPrimaries(rawValue: UInt8(clamping: primaries)),
        TransferCharacteristics(rawValue: UInt8(clamping: transfer)),
        MatrixCoefficients(rawValue: UInt8(clamping: matrix)))
      guard type == "nclx" else {
        self = .nclc(color)
        return
      }
      let flags = try? reader.integer(UInt8.self)
      self = .nclx(color, videoFullRangeFlag: flags.map { $0 & Self.fullRange != 0 })
    case "prof", "rICC": self = .profile(reader.rest())
    default: self = .other(type, reader.rest())
    }
  }

  /// `full_range_flag`, in the last byte.
  private static let fullRange: UInt8 = 0x80
  /// The bytes before it: the type and three numbers.
  private static let rangePlace = 10

  /// States another range in the payload of an `nclx` box, which stays as it is otherwise; a byte
  /// for the range that is cut off is added.
  ///
  /// - Parameter isFull: nil for none, which the box has no value for: not full.
  package static func setRange(_ isFull: Bool?, in payload: inout [UInt8]) {
    if payload.count == rangePlace, isFull != nil { payload.append(0) }
    guard payload.indices.contains(rangePlace) else { return }
    payload[rangePlace] = payload[rangePlace] & ~fullRange | (isFull == true ? fullRange : 0)
  }

  /// The payload.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    func append(_ type: FourCC, _ color: ColorDescription) {
      writer.append(type.rawValue)
      writer.append(UInt16(color.colorPrimaries.rawValue))
      writer.append(UInt16(color.transferCharacteristics.rawValue))
      writer.append(UInt16(color.matrixCoefficients.rawValue))
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

  /// The kind with its numbers: `nclx 9/18/9 limited`.
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

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Comparing a record with the samples, and making one that agrees with them.
extension AV1ConfigurationRecord {
  /// Makes the record that suits some samples: with a sequence header that describes their frames,
  /// and with the metadata of a stated record.
  ///
  /// - Parameters:
  ///   - sample: the units of the first sample. If none of them is a sequence header that can be
  ///     read, the header in the stated record is used.
  ///   - bytes: the stated record.
  /// - Returns: `nil` if there is no sequence header.
  package init?(fitting sample: [OBU], stated bytes: [UInt8]) {
    let stated = AV1ConfigurationRecord(bytes)
    let own = stated.units.first { $0.sequenceHeader != nil }
    guard let header = sample.first(where: { $0.sequenceHeader != nil }) ?? own else { return nil }
    // SVT-AV1 and other encoders announce tools that their frames do not use, so the record's
    // header and the sample's header may announce different tools. If the two headers agree in
    // everything else, keep the record's.
    let kept = own.map { $0.describesFrames(like: header) ? $0 : header } ?? header
    self.init(([kept] + stated.units.filter { $0.kind == .metadata }).map(\.sized))
    if Self.isRecord(bytes) { takeDelay(from: bytes) }
  }

  /// The fields whose values come from the sequence header, and where they are: the byte in the
  /// record, and the bits in this byte (AV1 Codec ISO Media File Format Binding, 2.3.3).
  private static let fields: [(name: String, byte: Int, bits: UInt8)] = [
    ("seq_profile", 1, 0xE0), ("seq_level_idx_0", 1, 0x1F), ("seq_tier_0", 2, 0x80),
    ("high_bitdepth", 2, 0x40), ("twelve_bit", 2, 0x20), ("monochrome", 2, 0x10),
    ("chroma_subsampling", 2, 0x0C), ("chroma_sample_position", 2, 0x03),
  ]

  /// Returns a text for each fault of a record; `nil` if there is no sequence header with which the
  /// record can be compared.
  ///
  /// - Parameter sample: the units of the first sample.
  package static func faults(of bytes: [UInt8], beside sample: [OBU]) -> [String]? {
    guard let made = AV1ConfigurationRecord(fitting: sample, stated: bytes)?.bytes else {
      return nil
    }
    guard bytes.count >= size else { return ["it has only \(bytes.count) of \(size) bytes"] }
    guard isRecord(bytes) else { return ["it does not begin with the marker bit and version 1"] }
    let wrong = fields.filter { bytes[$0.byte] & $0.bits != made[$0.byte] & $0.bits }
    return wrong.map { name, byte, bits in
      let shift = bits.trailingZeroBitCount
      return "\(name) is \((bytes[byte] & bits) >> shift), but \((made[byte] & bits) >> shift) in "
        + "the sequence header"
    } + unitFaults(of: Array(bytes.dropFirst(size)), beside: sample)
  }

  private static func unitFaults(of bytes: [UInt8], beside sample: [OBU]) -> [String] {
    let units = OBU.split(bytes)
    var faults: [String] = []
    if !OBU.rest(of: bytes, after: units).isEmpty {
      faults.append("its units are damaged or cut off")
    }
    // Readers put the record's units before the first sample, where only the following kinds are
    // allowed (2.3.4).
    let allowed: [OBU.Kind?] = [.sequenceHeader, .metadata, .padding]
    if let other = units.first(where: { !allowed.contains($0.kind) }) {
      faults.append("it has a unit of type \(other.type)")
    }
    guard let header = units.first(where: { $0.kind == .sequenceHeader }) else { return faults }
    if header.sequenceHeader == nil {
      faults.append("its sequence header cannot be read")
    } else if let real = sample.first(where: { $0.sequenceHeader != nil }),
      !header.describesFrames(like: real)
    {
      faults.append("its sequence header differs from the one in the samples")
    }
    return faults
  }
}

extension OBU {
  /// The number of the unit's type; 0 if it has no header.
  fileprivate var type: UInt8 { bytes.first.map { $0 >> 3 & 0xF } ?? 0 }

  /// The sequence header in the unit; `nil` if the unit is something else or cannot be read.
  fileprivate var sequenceHeader: AV1SequenceHeader? { AV1SequenceHeader(in: [self]) }

  fileprivate func describesFrames(like other: OBU) -> Bool {
    guard let own = sequenceHeader, let header = other.sequenceHeader else { return false }
    return own.describesFrames(like: header)
  }
}

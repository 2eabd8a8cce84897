// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The colors and luminances that occur in the frames: SEI payload 149 (H.265, D.2.40), box `cclv`
/// (ISO/IEC 14496-12, 12.1.8). Each part may be absent.
package struct ContentColorVolume: Hashable, Sendable {
  /// A chromaticity in units of 0.00002.
  package struct Chromaticity: Hashable, Sendable {
    // Unlike the coordinates of a mastering display, these are signed, because content may have
    // imaginary colors outside the CIE diagram.

    /// CIE 1931 x × 50 000.
    package var x: Int32
    /// CIE 1931 y × 50 000.
    package var y: Int32

    package init(x: Int32, y: Int32) {
      self.x = x
      self.y = y
    }
  }

  /// Three chromaticities whose triangle contains all colors.
  package struct Primaries: Hashable, Sendable {
    package var green: Chromaticity
    package var blue: Chromaticity
    package var red: Chromaticity

    package init(green: Chromaticity, blue: Chromaticity, red: Chromaticity) {
      (self.green, self.blue, self.red) = (green, blue, red)
    }

    /// All three, in the order in which they are coded.
    fileprivate var all: [Chromaticity] { [green, blue, red] }
  }

  /// The primaries, if present.
  package var primaries: Primaries?
  /// The smallest luminance, if present, in ten-millionths of the peak. The peak is the highest
  /// luminance that the transfer function can represent (10 000 cd/m² for PQ).
  package var minLuminanceValue: UInt32?
  /// The largest luminance, if present, in the same units.
  package var maxLuminanceValue: UInt32?
  /// The average luminance, if present, in the same units.
  package var avgLuminanceValue: UInt32?

  package init(
    primaries: Primaries? = nil, minLuminanceValue: UInt32? = nil,
    maxLuminanceValue: UInt32? = nil, avgLuminanceValue: UInt32? = nil
  ) {
    self.primaries = primaries
    self.minLuminanceValue = minLuminanceValue
    self.maxLuminanceValue = maxLuminanceValue
    self.avgLuminanceValue = avgLuminanceValue
  }
}

extension ContentColorVolume: StaticHDRMetadataKind {
  package static let box: FourCC = "cclv"
  package static let payloadType = 149
  package static let name = "content color volume"
  package static let key = "contentColorVolume"
  package static let boxClause = "12.1.8"
  package static let messageClause = "D.3.40"
  package static let transferFunctions: Set<TransferCharacteristics> = [.hlg, .pq]
  package static let describesContent = true
  // A later message may replace or cancel the value (H.265, D.3.40).
  package static let mayChange = true

  // The first byte has `ccv_cancel_flag` and `ccv_persistence_flag`, which are 0 in the box, and a
  // flag for each part that is present.
  private static let cancelFlag: UInt8 = 0x80
  private static let persistenceFlag: UInt8 = 0x40
  private static let primariesFlag: UInt8 = 0x20
  private static let luminanceFlags: [UInt8] = [0x10, 0x08, 0x04]

  package static func payloadSize(_ beginning: [UInt8]) -> Int {
    // Without the byte of flags, the size is unknown. Then assume the shortest payload that has any
    // content.
    guard let flags = beginning.first else { return 5 }
    return 1 + (flags & Self.primariesFlag == 0 ? 0 : 24)
      + 4 * Self.luminanceFlags.count { flags & $0 != 0 }
  }

  package init(payload bytes: [UInt8]) throws(BitstreamError) {
    var reader = ByteReader(bytes)
    let flags = try reader.integer(UInt8.self)
    func number(_ flag: UInt8) throws(BitstreamError) -> UInt32? {
      flags & flag == 0 ? nil : try reader.integer()
    }
    func point() throws(BitstreamError) -> Chromaticity {
      Chromaticity(
        x: Int32(bitPattern: try reader.integer()), y: Int32(bitPattern: try reader.integer()))
    }
    let hasPrimaries = flags & Self.primariesFlag != 0
    self.init(
      primaries: try hasPrimaries ? Primaries(green: point(), blue: point(), red: point()) : nil,
      minLuminanceValue: try number(Self.luminanceFlags[0]),
      maxLuminanceValue: try number(Self.luminanceFlags[1]),
      avgLuminanceValue: try number(Self.luminanceFlags[2]))
  }

  /// Reads a message. Returns `nil` if it does not apply to all frames.
  package init?(messagePayload bytes: [UInt8]) throws(BitstreamError) {
    // A message that cancels another one has no value, and a message that does not persist is about
    // a single frame.
    if let flags = bytes.first,
      flags & (Self.cancelFlag | Self.persistenceFlag) != Self.persistenceFlag
    {
      return nil
    }
    try self.init(payload: bytes)
  }

  package var payload: [UInt8] { bytes(flags: 0) }
  package var messagePayload: [UInt8] { bytes(flags: Self.persistenceFlag) }

  private func bytes(flags: UInt8) -> [UInt8] {
    var flags = flags | (primaries == nil ? 0 : Self.primariesFlag)
    for (flag, value) in zip(Self.luminanceFlags, luminances) where value != nil { flags |= flag }
    var writer = ByteWriter()
    writer.append(flags)
    for point in primaries?.all ?? [] {
      writer.append(UInt32(bitPattern: point.x))
      writer.append(UInt32(bitPattern: point.y))
    }
    for case let value? in luminances { writer.append(value) }
    return writer.bytes
  }

  /// The luminances, in the order in which they are coded.
  private var luminances: [UInt32?] { [minLuminanceValue, maxLuminanceValue, avgLuminanceValue] }

  /// The luminances as text for people, as fractions of the peak, and the primaries. The peak is
  /// the highest luminance that the transfer function can represent.
  package var text: String {
    let parts = zip(["minimum", "maximum", "average"], luminances).compactMap { name, value in
      value.map { "\(name) \(Double($0) / 10_000_000)" }
    }
    let points = primaries?.all.map { "\(Double($0.x) / 50_000),\(Double($0.y) / 50_000)" }
    return
      ((parts.isEmpty ? [] : [parts.joined(separator: ", ") + " of the peak"])
      + (points.map { ["primaries " + $0.joined(separator: " ")] } ?? []))
      .joined(separator: ", ")
  }

  /// The values that cannot be true (H.265, D.3.40).
  package var faults: [Notice] {
    var faults: [Notice] = []
    if primaries == nil && luminances.allSatisfy({ $0 == nil }) {
      faults.append(.colorVolumeEmpty)
    }
    // From −100 to 100, the range that H.265 gives these fields.
    let limits: ClosedRange<Int32> = -5_000_000...5_000_000
    let points = primaries?.all ?? []
    if points.contains(where: { !limits.contains($0.x) || !limits.contains($0.y) }) {
      faults.append(.coordinatesOutOfRange)
    }
    let rising = [minLuminanceValue, avgLuminanceValue, maxLuminanceValue].compactMap { $0 }
    if rising != rising.sorted() {
      faults.append(.colorVolumeOutOfOrder)
    }
    return faults
  }

  package var doubts: [Notice] {
    luminances.contains { $0 ?? 0 > 10_000_000 } ? [.colorVolumeAbovePeak] : []
  }
}

extension ContentColorVolume: JSONObject {
  package static let meaning = "The colors and luminances that occur in the frames."
  package static let fields: [JSONField<ContentColorVolume>] = [
    .init("primaries", "Primaries whose triangle contains all colors.") { $0.primaries },
    luminance("minimum", "smallest", \.minLuminanceValue),
    luminance("maximum", "largest", \.maxLuminanceValue),
    luminance("average", "average", \.avgLuminanceValue),
  ]

  private static func luminance(
    _ name: String, _ word: String,
    _ value: any KeyPath<ContentColorVolume, UInt32?> & Sendable
  ) -> JSONField<ContentColorVolume> {
    JSONField(
      "\(name)Luminance",
      "The \(word) luminance, as a share of the highest that the transfer function can represent "
        + "(PQ: 10 000 cd/m²)."
    ) { volume in volume[keyPath: value].map { Double($0) / 10_000_000 } }
  }
}

extension ContentColorVolume.Primaries: JSONObject {
  package static let fields: [JSONField<ContentColorVolume.Primaries>] = [
    .init("red", "The red primary.") { $0.red },
    .init("green", "The green primary.") { $0.green },
    .init("blue", "The blue primary.") { $0.blue },
  ]
}

extension ContentColorVolume.Chromaticity: JSONObject {
  package static let fields: [JSONField<ContentColorVolume.Chromaticity>] = [
    .init("x", "CIE 1931 x.") { Double($0.x) / 50_000 },
    .init("y", "CIE 1931 y.") { Double($0.y) / 50_000 },
  ]
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// The display that the video was mastered on: SEI payload 137 (H.265, D.2.28), box `mdcv`, SMPTE
/// ST 2086.
///
/// The stored properties are the coded values. ``maximumLuminance`` and ``minimumLuminance`` are in
/// cd/m².
public struct MasteringDisplayColorVolume: Hashable, Sendable {
  /// A chromaticity in units of 0.00002.
  public struct Chromaticity: Hashable, Sendable {
    /// CIE 1931 x × 50 000.
    public var x: UInt16
    /// CIE 1931 y × 50 000.
    public var y: UInt16

    /// Makes a chromaticity from its coded values.
    public init(x: UInt16, y: UInt16) {
      self.x = x
      self.y = y
    }
  }

  /// The green primary, which is coded first.
  public var green: Chromaticity
  /// The blue primary, which is coded second.
  public var blue: Chromaticity
  /// The red primary, which is coded third.
  public var red: Chromaticity
  /// The white point, usually D65 (15 635, 16 450).
  public var whitePoint: Chromaticity
  /// The nominal maximum luminance in units of 0.0001 cd/m².
  public var maxDisplayMasteringLuminance: UInt32
  /// The nominal minimum luminance in units of 0.0001 cd/m².
  public var minDisplayMasteringLuminance: UInt32

  /// Makes a color volume from its coded values, with the primaries in the order in which they are
  /// coded.
  public init(
    green: Chromaticity, blue: Chromaticity, red: Chromaticity, whitePoint: Chromaticity,
    maxDisplayMasteringLuminance: UInt32, minDisplayMasteringLuminance: UInt32
  ) {
    (self.green, self.blue, self.red) = (green, blue, red)
    self.whitePoint = whitePoint
    self.maxDisplayMasteringLuminance = maxDisplayMasteringLuminance
    self.minDisplayMasteringLuminance = minDisplayMasteringLuminance
  }

  /// The nominal maximum luminance in cd/m².
  public var maximumLuminance: Double { Double(maxDisplayMasteringLuminance) / 10_000 }
  /// The nominal minimum luminance in cd/m².
  public var minimumLuminance: Double { Double(minDisplayMasteringLuminance) / 10_000 }
}

extension MasteringDisplayColorVolume: StaticHDRMetadataKind {
  package static let box: FourCC = "mdcv"
  package static let payloadType = 137
  package static let metadataOBUType: Int? = 2
  package static let name = "mastering display"
  package static let key = "masteringDisplay"
  package static let originStandard: String? = "SMPTE ST 2086"
  package static let boxClause = "12.1.7"
  package static let messageClause = "D.3.28"
  package static let transferFunctions: Set<TransferCharacteristics> = [.hlg, .pq]
  // This metadata is about the display and not about the frames, so it stays true when the frames
  // are cropped.
  package static let describesContent = false
  package static let isPartOfHDR10 = true

  package static func payloadSize(_ beginning: [UInt8]) -> Int { 24 }

  package init(payload bytes: [UInt8]) throws(BitstreamError) {
    var reader = ByteReader(bytes)
    func next() throws(BitstreamError) -> Chromaticity {
      Chromaticity(x: try reader.integer(), y: try reader.integer())
    }
    self.init(
      green: try next(), blue: try next(), red: try next(), whitePoint: try next(),
      maxDisplayMasteringLuminance: try reader.integer(),
      minDisplayMasteringLuminance: try reader.integer())
  }

  package var payload: [UInt8] {
    var writer = ByteWriter()
    for chromaticity in displayPrimaries + [whitePoint] {
      writer.append(chromaticity.x)
      writer.append(chromaticity.y)
    }
    writer.append(maxDisplayMasteringLuminance)
    writer.append(minDisplayMasteringLuminance)
    return writer.bytes
  }

  /// The primaries in the order in which they are coded: green, blue, red.
  package var displayPrimaries: [Chromaticity] { [green, blue, red] }

  package var text: String { "\(minimumLuminance)…\(maximumLuminance) cd/m²" }

  /// Notices of values that cannot be true.
  package var faults: [Notice] {
    // According to H.265, D.3.28, a value outside its range means "unknown". It is a fault here,
    // because it describes no display.
    (colorFault.map { [$0] } ?? []) + luminanceFaults
  }

  /// Notices of values that are possible but probably not intended.
  package var doubts: [Notice] {
    var doubts: [Notice] = []
    if minDisplayMasteringLuminance == 0 { doubts.append(.minimumLuminanceUnknown) }
    if maximumLuminance < 100 { doubts.append(.maximumLuminanceBelowSDR(maximumLuminance)) }
    return doubts
  }

  /// Returns whether the displays are the same. Maximum luminances may differ by a rounding error,
  /// because AV1 counts them in steps of 1/256 cd/m².
  package func agrees(with other: MasteringDisplayColorVolume) -> Bool {
    var rounded = other
    let maxima = [maxDisplayMasteringLuminance, other.maxDisplayMasteringLuminance]
    if maxima[0].distance(to: maxima[1]).magnitude <= 10_000 / 512 + 1 {
      rounded.maxDisplayMasteringLuminance = maxDisplayMasteringLuminance
    }
    return self == rounded
  }

  private var colorFault: Notice? {
    let points = displayPrimaries + [whitePoint]
    if points.contains(where: { !(5...37_000).contains($0.x) || !(5...42_000).contains($0.y) }) {
      return .coordinatesOfNoDisplay
    }
    // No color has x + y above 1.
    if points.contains(where: { Int($0.x) + Int($0.y) > 50_000 }) {
      return .coordinatesOfNoColor
    }
    // A wrong order gives the same triangle, so the check of the white point cannot find it. Check
    // the order first, because it is what the user has to correct.
    if let order = permutation { return .primariesOutOfOrder(order) }
    return contains(whitePoint) ? nil : .whitePointOutside
  }

  private var luminanceFaults: [Notice] {
    var faults: [Notice] = []
    if !(50_000...100_000_000).contains(maxDisplayMasteringLuminance) {
      faults.append(.maximumLuminanceOutOfRange(maximumLuminance))
    }
    if minDisplayMasteringLuminance > 50_000 {
      faults.append(.minimumLuminanceOutOfRange(minimumLuminance))
    }
    if minDisplayMasteringLuminance >= maxDisplayMasteringLuminance {
      faults.append(.luminancesOutOfOrder(minimum: minimumLuminance, maximum: maximumLuminance))
    }
    return faults
  }

  /// The order in which the primaries are stored, or `nil` if it is right.
  private var permutation: String? {
    // H.265, D.3.28, requires the order green, blue, red. Some writers use another order, and the
    // colors show it: green has the largest y and red the largest x.
    let (primaries, indices) = (displayPrimaries, displayPrimaries.indices)
    guard let green = indices.max(by: { primaries[$0].y < primaries[$1].y }),
      let red = indices.max(by: { primaries[$0].x < primaries[$1].x }),
      (green, red) != (0, 2)
    else { return nil }
    return indices.map { $0 == green ? "green" : $0 == red ? "red" : "blue" }
      .joined(separator: ", ")
  }

  /// Whether a chromaticity is inside the triangle of the primaries. If the primaries are on one
  /// line, nothing is inside.
  private func contains(_ point: Chromaticity) -> Bool {
    // The sign of the cross product says which side of an edge the point is on. With integers, the
    // sign is exact.
    func side(_ a: Chromaticity, _ b: Chromaticity) -> Int {
      let (ax, ay) = (Int(a.x), Int(a.y))
      return ((Int(b.x) - ax) * (Int(point.y) - ay) - (Int(b.y) - ay) * (Int(point.x) - ax))
        .signum()
    }
    let sides = [side(green, blue), side(blue, red), side(red, green)]
    return sides[0] != 0 && sides.allSatisfy { $0 == sides[0] }
  }
}

extension MasteringDisplayColorVolume: JSONObject {
  package static let meaning = "The display that the video was mastered on."
  package static let fields: [JSONField<MasteringDisplayColorVolume>] = [
    .init("red", "The red primary.") { $0.red },
    .init("green", "The green primary.") { $0.green },
    .init("blue", "The blue primary.") { $0.blue },
    .init("whitePoint", "The white point.") { $0.whitePoint },
    .init("minimumLuminance", "The minimum luminance, in cd/m².") { $0.minimumLuminance },
    .init("maximumLuminance", "The maximum luminance, in cd/m².") { $0.maximumLuminance },
  ]
}

extension MasteringDisplayColorVolume.Chromaticity: JSONObject {
  package static let fields: [JSONField<MasteringDisplayColorVolume.Chromaticity>] = [
    .init("x", "CIE 1931 x.") { Double($0.x) / 50_000 },
    .init("y", "CIE 1931 y.") { Double($0.y) / 50_000 },
  ]
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// Static HDR metadata. AV1 codes each kind in a separate unit (AV1 Bitstream & Decoding Process
/// Specification, 5.8.3 and 5.8.4).
extension MetadataOBU {
  /// Makes a unit with light levels.
  package init(_ level: ContentLightLevel) {
    self.init(.contentLightLevel, payload: level.payload)
  }

  /// Makes a unit with a mastering display.
  package init(_ display: MasteringDisplayColorVolume) {
    var writer = ByteWriter()
    let points = [display.red, display.green, display.blue, display.whitePoint]
    for point in points {
      writer.append(UInt16(Self.scaled(UInt32(point.x), by: Self.coordinate)))
      writer.append(UInt16(Self.scaled(UInt32(point.y), by: Self.coordinate)))
    }
    writer.append(Self.scaled(display.maxDisplayMasteringLuminance, by: Self.maximum))
    writer.append(Self.scaled(display.minDisplayMasteringLuminance, by: Self.minimum))
    self.init(.masteringDisplay, payload: writer.bytes)
  }

  /// The light levels; `nil` if the unit has other metadata, or is cut off.
  package var contentLightLevel: ContentLightLevel? {
    kind == .contentLightLevel ? try? ContentLightLevel(payload: payload) : nil
  }

  /// The mastering display; `nil` if the unit has other metadata, or is cut off.
  package var masteringDisplay: MasteringDisplayColorVolume? {
    guard kind == .masteringDisplay else { return nil }
    var reader = ByteReader(payload)
    func number() throws(BitstreamError) -> UInt16 {
      UInt16(clamping: Self.unscaled(UInt32(try reader.integer(UInt16.self)), by: Self.coordinate))
    }
    func point() throws(BitstreamError) -> MasteringDisplayColorVolume.Chromaticity {
      .init(x: try number(), y: try number())
    }
    do throws(BitstreamError) {
      let (red, green, blue, white) = (try point(), try point(), try point(), try point())
      return MasteringDisplayColorVolume(
        green: green, blue: blue, red: red, whitePoint: white,
        maxDisplayMasteringLuminance: Self.unscaled(try reader.integer(), by: Self.maximum),
        minDisplayMasteringLuminance: Self.unscaled(try reader.integer(), by: Self.minimum))
    } catch {
      return nil
    }
  }

  /// How many steps make up 1 cd/m², or a coordinate of 1, in AV1 and in H.265 (D.3.28).
  private typealias Steps = (av1: UInt64, hevc: UInt64)
  private static let coordinate: Steps = (1 << 16, 50_000)
  private static let maximum: Steps = (1 << 8, 10_000)
  private static let minimum: Steps = (1 << 14, 10_000)

  private static func scaled(_ number: UInt32, by steps: Steps) -> UInt32 {
    // A coordinate of 1 would need one more bit than there are.
    let largest: UInt64 = steps == coordinate ? UInt64(UInt16.max) : UInt64(UInt32.max)
    return UInt32(min((UInt64(number) * steps.av1 + steps.hevc / 2) / steps.hevc, largest))
  }

  private static func unscaled(_ number: UInt32, by steps: Steps) -> UInt32 {
    UInt32(clamping: (UInt64(number) * steps.hevc + steps.av1 / 2) / steps.av1)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
/// `Chroma420SampleLocType` of H.273, 8.7: where the chroma samples of 4:2:0 video lie.
public struct ChromaLocation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number of H.273 and of `chroma_sample_loc_type_top_field` in H.264 and H.265, 0…5.
  public let rawValue: UInt8

  /// A chroma location from its number, assigned or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Beside the left luma sample, between two rows. An unstated location is read as this one.
  public static let left = Self(rawValue: 0)
  /// Between four luma samples.
  public static let center = Self(rawValue: 1)
  /// On the top left luma sample.
  public static let topLeft = Self(rawValue: 2)
  /// Between two luma samples of the upper row.
  public static let top = Self(rawValue: 3)
  /// On the bottom left luma sample.
  public static let bottomLeft = Self(rawValue: 4)
  /// Between two luma samples of the lower row.
  public static let bottom = Self(rawValue: 5)

  /// The names of the numbers from 0.
  package static let titles = ["left", "center", "topLeft", "top", "bottomLeft", "bottom"]

  /// A chroma location from its number or its name (`left`, `topLeft`), in any case.
  public init?(spelling: String) {
    if let number = UInt8(spelling), number < 6 {
      self.init(rawValue: number)
      return
    }
    let wanted = spelling.lowercased()
    guard let index = Self.titles.firstIndex(where: { $0.lowercased() == wanted }) else {
      return nil
    }
    self.init(rawValue: UInt8(index))
  }

  /// True if the sample lies on a column of luma samples (types 0, 2, 4); false if it lies half a
  /// sample beside one.
  package var isCositedHorizontally: Bool { rawValue % 2 == 0 }

  /// Distance of the sample from the upper luma row of its pair, in luma rows: 0, 0.5 or 1.
  package var verticalOffset: Double {
    switch self {
    case .topLeft, .top: 0
    case .bottomLeft, .bottom: 1
    default: 0.5
    }
  }

  /// The name with the number, for people: `left (0)`.
  public var description: String {
    let title = Int(rawValue) < Self.titles.count ? Self.titles[Int(rawValue)] : "reserved"
    return "\(title) (\(rawValue))"
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
/// Where the chroma samples of 4:2:0 video are: `Chroma420SampleLocType` of H.273, 8.7.
public struct ChromaLocation: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number in H.273, from 0 to 5. `chroma_sample_loc_type_top_field` in H.264 and H.265 uses
  /// the same numbers.
  public let rawValue: UInt8

  /// Makes a chroma location from its number, assigned or not.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  // H.265, E.3.1, and H.264, E.2.1, infer type 0 if the fields are absent. BT.2020 asks for type 2,
  // but phones write HDR without the fields and mean type 0.
  /// On the left column of luma samples, between two rows. Readers assume this location if none is
  /// tagged.
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

  /// The names, in the order of their numbers from 0.
  package static let titles = ["left", "center", "topLeft", "top", "bottomLeft", "bottom"]

  /// Reads a chroma location from its number or its name (`left`, `topLeft`), ignoring case.
  public init?(spelling: String) {
    // Files may contain reserved numbers. Settings must not, since nothing could be converted to
    // them.
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

  /// Whether chroma is on a column of luma samples (types 0, 2, 4). With the other types, chroma is
  /// half a sample beside the column.
  package var isCositedHorizontally: Bool { rawValue % 2 == 0 }

  /// How far chroma is below the upper luma row of its pair, in luma rows: 0, 0.5 or 1.
  package var verticalOffset: Double {
    switch self {
    case .topLeft, .top: 0
    case .bottomLeft, .bottom: 1
    // Types 0 and 1 are between two rows. A reserved type counts as one of them.
    default: 0.5
    }
  }

  /// The name and number as text for people: `left (0)`.
  public var description: String { "\(title) (\(rawValue))" }

  /// The name alone as text for people: `left`.
  package var title: String {
    Int(rawValue) < Self.titles.count ? Self.titles[Int(rawValue)] : "reserved"
  }
}

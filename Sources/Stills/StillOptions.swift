// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import MediaCore
package import Reading

/// The stills that are wanted of a source, and how they are made.
package struct StillOptions: Sendable {
  /// The frames that are wanted.
  package enum Selection: Sendable {
    /// The first one that is not black.
    case automatic
    /// One, by its time or its number.
    case single(TimeRange.Bound)
    /// The ones at the multiples of a time.
    case every(MediaTime)
    /// So many, at equal distances.
    case count(Int)

    /// True if it can be several.
    var isMany: Bool {
      switch self {
      case .automatic, .single: false
      case .every, .count: true
      }
    }
  }

  /// The light that tone curves are fitted to, as a user says it.
  package enum Shots: String, Sendable, CaseIterable {
    /// Light of the source's shots where looking at them is quick, else of each frame.
    case auto
    /// Light of the source's shots, as a transcode has it.
    case source
    /// Light of each frame by itself.
    case frame
    /// None.
    case off

    /// Duration of a source up to which a look at all shots is quick beside many stills, in
    /// seconds.
    private static let shortSource = 10.0
    /// The same beside a single still: pixels of a frame times seconds, as 10 s of 640 by 360.
    private static let smallSource = 2_304_000.0

    /// Meaning of it for a source.
    ///
    /// - Parameter isMany: true if there may be several stills.
    func fitting(for asset: MediaAsset, isMany: Bool) -> DisplayPlan.Fitting {
      let seconds = asset.duration?.seconds ?? .infinity
      let size = asset.videoTrack?.video?.size
      let pixels = size.map { Double($0.width * $0.height) } ?? .infinity
      let isQuick = isMany ? seconds <= Self.shortSource : pixels * seconds <= Self.smallSource
      return switch self {
      case .auto: isQuick ? .source : .frame
      case .source: .source
      case .frame: .frame
      case .off: .none
      }
    }
  }

  /// The frames.
  package var selection = Selection.automatic
  /// Width of each picture; nil for the source's, and 320 in a sheet.
  package var width: Int?
  /// The files that they are put into.
  package var layout = StillLayout()
  /// The color of what is not HDR.
  package var color = StillColor.sRGB
  /// The meaning of the source's colors, whatever the file says; nil to believe it.
  package var sourceColor: ColorDescription?
  /// Bits of each sample in PNG: 8 or 16.
  package var depth = 8
  /// True if PQ and HLG stay what they are.
  package var keepsHDR = false
  /// The light that tone curves are fitted to.
  package var shots = Shots.auto
  /// True if files that exist are replaced.
  package var overwrite = false

  /// The defaults.
  package init() {}

  /// True if there can be several pictures.
  var isMany: Bool { selection.isMany || layout.isShared }
}

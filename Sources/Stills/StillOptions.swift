// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
package import MediaCore
package import Reading

/// Which stills to make of a source, and how.
package struct StillOptions: Sendable {
  /// Which frames to show.
  package enum Selection: Sendable {
    /// The first frame that is not black. For a sheet, as many evenly spaced frames as the sheet
    /// has places.
    case automatic
    /// One frame, by its time or its number.
    case single(TimeRange.Bound)
    /// The frames at the multiples of a time.
    case every(MediaTime)
    /// This many frames, evenly spaced.
    case count(Int)

    /// Whether there may be several frames.
    package var isMany: Bool {
      switch self {
      case .automatic, .single: false
      case .every, .count: true
      }
    }
  }

  /// What tone curves are fitted to, as users choose it.
  package enum Shots: String, Sendable, CaseIterable {
    /// The light of the source's shots if examining them is quick, otherwise the light of each
    /// frame.
    case auto
    /// The light of the source's shots, as in a transcode. This examines the whole source.
    case source
    /// The light of each frame separately.
    case frame
    /// Nothing: one curve serves all frames. It is made for the peak that the source declares or is
    /// assumed to have.
    case off

    /// If many stills are made, examining a source of up to this duration, in seconds, adds little
    /// time.
    private static let shortSource = 10.0
    /// For a single still, examining a source adds little time if its pixels per frame multiplied
    /// by its duration in seconds are at most this number: 640×360 pixels times 10 s.
    private static let smallSource = 2_304_000.0

    /// Returns the same choice, with ``auto`` decided for a source.
    ///
    /// - Parameter isMany: whether there may be several stills.
    func decided(for asset: MediaAsset, isMany: Bool) -> Shots {
      guard self == .auto else { return self }
      let seconds = asset.duration?.seconds ?? .infinity
      let size = asset.videoTrack?.video?.size
      let pixels = size.map { Double($0.width * $0.height) } ?? .infinity
      let isQuick = isMany ? seconds <= Self.shortSource : pixels * seconds <= Self.smallSource
      return isQuick ? .source : .frame
    }
  }

  /// Which frames become stills.
  package var selection = Selection.automatic
  /// The width of each still; `nil` for the source's, or 320 in a sheet.
  package var width: Int?
  /// How the stills are put into files.
  package var layout = StillLayout()
  /// The color of stills that are not HDR.
  package var color = StillColor.sRGB
  /// The color of the source, which replaces the file's color tags; `nil` to use the tags.
  package var sourceColor: ColorDescription?
  /// The bits of each sample: 8, 10 (only AVIF) or 16 (only PNG).
  package var depth = 8
  /// Whether PQ and HLG are kept.
  package var keepsHDR = false
  /// What tone curves are fitted to.
  package var shots = Shots.auto
  /// Whether to replace existing files.
  package var overwrite = false

  /// Creates options with the defaults of the command `still`.
  package init() {}

  /// Whether there may be several stills.
  var isMany: Bool { selection.isMany || layout.isShared }
}

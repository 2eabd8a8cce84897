// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import MediaCore

/// A property to load by name, as with AVFoundation's `AVAsyncProperty`:
///
/// ```swift
/// let (size, rate) = try await track.load(.naturalSize, .nominalFrameRate)
/// ```
///
/// Nothing waits, because an asset is read when it is opened. The properties without `load` have
/// the same values.
public struct AsyncProperty<Root, Value>: Sendable {
  fileprivate let value: @Sendable (Root) -> Value
}

extension AsyncProperty where Root == MediaAsset, Value == [AssetTrack] {
  /// ``MediaAsset/tracks``
  public static var tracks: Self { Self { $0.tracks } }
}

extension AsyncProperty where Root == MediaAsset, Value == MediaTime? {
  /// ``MediaAsset/duration``
  public static var duration: Self { Self { $0.duration } }
}

extension AsyncProperty where Root == MediaAsset, Value == [String: String] {
  /// ``MediaAsset/metadata``
  public static var metadata: Self { Self { $0.metadata } }
}

extension AsyncProperty where Root == AssetTrack, Value == [FormatDescription] {
  /// ``AssetTrack/formatDescriptions``
  public static var formatDescriptions: Self { Self { $0.formatDescriptions } }
}

extension AsyncProperty where Root == AssetTrack, Value == VideoDimensions {
  /// ``AssetTrack/naturalSize``
  public static var naturalSize: Self { Self { $0.naturalSize } }
}

extension AsyncProperty where Root == AssetTrack, Value == TrackTransform {
  /// ``AssetTrack/preferredTransform``
  public static var preferredTransform: Self { Self { $0.preferredTransform } }
}

extension AsyncProperty where Root == AssetTrack, Value == Double? {
  /// ``AssetTrack/nominalFrameRate``
  public static var nominalFrameRate: Self { Self { $0.nominalFrameRate } }
  /// ``AssetTrack/estimatedDataRate``
  public static var estimatedDataRate: Self { Self { $0.estimatedDataRate } }
}

extension AsyncProperty where Root == AssetTrack, Value == MediaTimeRange? {
  /// ``AssetTrack/timeRange``
  public static var timeRange: Self { Self { $0.timeRange } }
}

extension AsyncProperty where Root == AssetTrack, Value == [MediaCharacteristic] {
  /// The characteristics that the track has.
  public static var mediaCharacteristics: Self {
    Self { track in MediaCharacteristic.allCases.filter(track.hasMediaCharacteristic) }
  }
}

extension MediaAsset {
  /// Loads one property or several.
  public func load<each Value>(
    _ property: repeat AsyncProperty<MediaAsset, each Value>
  ) async throws -> (repeat each Value) { (repeat (each property).value(self)) }

  /// Returns the tracks of a kind of media.
  public func tracks(withMediaType mediaType: MediaType) -> [AssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// Returns the tracks that have a characteristic.
  public func tracks(
    withMediaCharacteristic characteristic: MediaCharacteristic
  ) -> [AssetTrack] { tracks.filter { $0.hasMediaCharacteristic(characteristic) } }

  /// Loads the tracks of a kind of media.
  public func loadTracks(withMediaType mediaType: MediaType) async throws -> [AssetTrack] {
    tracks(withMediaType: mediaType)
  }

  /// Loads the tracks that have a characteristic.
  public func loadTracks(
    withMediaCharacteristic characteristic: MediaCharacteristic
  ) async throws -> [AssetTrack] { tracks(withMediaCharacteristic: characteristic) }
}

extension AssetTrack {
  /// Loads one property or several.
  public func load<each Value>(
    _ property: repeat AsyncProperty<AssetTrack, each Value>
  ) async throws -> (repeat each Value) { (repeat (each property).value(self)) }

  /// Returns whether the track has a characteristic.
  public func hasMediaCharacteristic(_ characteristic: MediaCharacteristic) -> Bool {
    switch characteristic {
    case .visual: mediaType == .video
    case .audible: mediaType == .audio
    case .containsHDRVideo: containsHDRVideo
    case .usesWideGamutColorSpace: usesWideGamutColorSpace
    }
  }
}

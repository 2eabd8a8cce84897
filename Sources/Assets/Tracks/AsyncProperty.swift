// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints
public import MediaCore

/// A property to load by name, as with AVFoundation's `AVAsyncProperty`:
///
/// ```swift
/// let (size, rate) = try await track.load(.naturalSize, .nominalFrameRate)
/// ```
///
/// Nothing waits, because an asset is read when it is opened. Reading a property without `load`
/// gives the same value. Only an unknown value differs: the property is then `nil`, but `load`
/// returns an invalid time or a rate of 0, as AVFoundation does.
public struct AsyncProperty<Root, Value>: Sendable {
  let value: @Sendable (Root) -> Value
}

extension AsyncProperty where Root == MediaAsset, Value == [AssetTrack] {
  /// ``MediaAsset/tracks``
  public static var tracks: Self { Self { $0.tracks } }
}

extension AsyncProperty where Root == MediaAsset, Value == MediaTime {
  /// ``MediaAsset/duration``, invalid if it is unknown.
  public static var duration: Self { Self { $0.duration ?? .invalid } }
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

extension AsyncProperty where Root == AssetTrack, Value == Double {
  /// ``AssetTrack/nominalFrameRate``, 0 if it is unknown.
  public static var nominalFrameRate: Self { Self { $0.nominalFrameRate ?? 0 } }
  /// ``AssetTrack/estimatedDataRate``, 0 if it is unknown.
  public static var estimatedDataRate: Self { Self { $0.estimatedDataRate ?? 0 } }
}

extension AsyncProperty where Root == AssetTrack, Value == MediaTimeRange {
  /// ``AssetTrack/timeRange``, invalid if it is unknown.
  public static var timeRange: Self { Self { $0.timeRange ?? .invalid } }
}

extension AsyncProperty where Root == AssetTrack, Value == String? {
  /// ``AssetTrack/languageCode``
  public static var languageCode: Self { Self { $0.languageCode } }
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

  /// Returns the tracks with a media type.
  public func tracks(withMediaType mediaType: MediaType) -> [AssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  /// Returns the tracks that have a characteristic.
  public func tracks(
    withMediaCharacteristic characteristic: MediaCharacteristic
  ) -> [AssetTrack] { tracks.filter { $0.hasMediaCharacteristic(characteristic) } }

  /// Returns the track with this number, or `nil` if there is none.
  public func track(withTrackID trackID: Int) -> AssetTrack? {
    tracks.first { $0.trackID == trackID }
  }

  /// Loads the track with this number, or `nil` if there is none.
  public func loadTrack(withTrackID trackID: Int) async throws -> AssetTrack? {
    track(withTrackID: trackID)
  }

  /// Loads the tracks with a media type.
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

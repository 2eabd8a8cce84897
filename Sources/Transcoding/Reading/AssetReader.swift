// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets

/// Reads the samples of an asset's tracks: `AVAssetReader`.
///
/// Each output gives the samples of its track, and is read for itself, in any order:
///
/// ```swift
/// let frames = try AssetReaderTrackOutput(track: track, outputSettings: VideoOutputSettings())
/// let reader = try AssetReader(asset: asset, outputs: [frames])
/// try reader.startReading()
/// while let sample = try frames.copyNextSampleBuffer() { … }
/// ```
///
/// A reader and its outputs stay with the thread or task that made them.
public final class AssetReader {
  /// The asset that is read.
  public let asset: MediaAsset
  /// The outputs, one for each track that is read.
  public let outputs: [AssetReaderTrackOutput]

  /// A reader for some tracks of an asset.
  ///
  /// - Throws: ``TranscodingError`` where the file cannot be opened any more.
  public init(asset: MediaAsset, outputs: [AssetReaderTrackOutput]) throws {
    (self.asset, self.outputs) = (asset, outputs)
    for output in outputs { output.asset = asset }
    try outputs.first?.open()
  }

  /// Opens the file for each output. Without the call, an output does so for its first sample.
  ///
  /// - Throws: ``TranscodingError`` where the file cannot be opened any more.
  public func startReading() throws {
    for output in outputs { try output.open() }
  }
}

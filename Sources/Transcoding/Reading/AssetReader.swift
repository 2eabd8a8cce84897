// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Host

/// Reads the samples of an asset's tracks: `AVAssetReader`.
///
/// Each output gives the samples of one track. Outputs can be read independently, in any order:
///
/// ```swift
/// let frames = try AssetReaderTrackOutput(track: track, outputSettings: VideoOutputSettings())
/// let reader = try AssetReader(asset: asset)
/// try reader.add(frames)
/// try reader.startReading()
/// while let sample = try frames.copyNextSampleBuffer() { … }
/// ```
///
/// Only the thread or task that made a reader and its outputs may use them.
public final class AssetReader {
  /// The asset that is read.
  public let asset: MediaAsset
  /// The outputs, one for each track that is read.
  public private(set) var outputs: [AssetReaderTrackOutput] = []

  private var isStarted = false
  private var isCancelled = false

  /// How far reading has come: `AVAssetReader.Status`.
  public enum Status: String, Sendable {
    /// Reading has not started.
    case unknown
    /// Samples can be copied.
    case reading
    /// Every output has given its last sample.
    case completed
    /// An output threw an error.
    case failed
    /// ``AssetReader/cancelReading()`` was called.
    case cancelled
  }

  /// Creates a reader of an asset.
  ///
  /// - Parameter outputs: the outputs to add right away.
  /// - Throws: ``TranscodingError`` if the file can no longer be opened, or if an output cannot be
  ///   added.
  public init(asset: MediaAsset, outputs: [AssetReaderTrackOutput] = []) throws {
    self.asset = asset
    for output in outputs { try add(output) }
    // If the file is gone, fail here and not at the first sample.
    try outputs.first?.open()
  }

  /// How far reading has come.
  public var status: Status {
    if isCancelled { return .cancelled }
    // An output can fail before reading starts, because it opens the file by itself.
    if outputs.contains(where: { $0.failure != nil }) { return .failed }
    guard isStarted else { return .unknown }
    return outputs.allSatisfy(\.hasEnded) ? .completed : .reading
  }

  /// The error of an output that failed, the first in ``outputs``; `nil` if none has failed.
  public var error: (any Error)? { outputs.lazy.compactMap(\.failure).first }

  /// Returns whether an output can be added: reading has not started, the output's track is one of
  /// the asset's, and no reader has the output yet.
  public func canAdd(_ output: AssetReaderTrackOutput) -> Bool {
    !isStarted && output.asset == nil && output.track.path == asset.path
  }

  /// Adds an output.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if ``canAdd(_:)`` is false.
  public func add(_ output: AssetReaderTrackOutput) throws {
    guard canAdd(output) else {
      throw TranscodingError(
        .invalidSettings,
        isStarted
          ? "add outputs before reading starts"
          : output.asset == nil
            ? "the output's track is from \(output.track.path), but the reader's asset is "
              + "\(asset.path)"
            : "the output already belongs to a reader")
    }
    output.asset = asset
    outputs.append(output)
  }

  /// Opens the file for each output. Without this call, an output opens it for its first sample.
  ///
  /// - Throws: ``TranscodingError`` if the file can no longer be opened.
  public func startReading() throws {
    isStarted = true
    for output in outputs { try output.open() }
  }

  /// Ends reading early. Outputs give no more samples.
  public func cancelReading() {
    isCancelled = true
    for output in outputs { output.end() }
  }
}

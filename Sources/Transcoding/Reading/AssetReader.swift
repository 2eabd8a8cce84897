// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Host
package import LibAV
public import MediaCore

/// Reads the samples of an asset's tracks: `AVAssetReader`.
///
/// Each output gives the samples of its track, and is read for itself, in any order. A reader and
/// its outputs stay with the thread or task that made them.
public final class AssetReader {
  /// The asset that is read.
  public let asset: MediaAsset
  /// The outputs, one for each track that is read.
  public let outputs: [AssetReaderTrackOutput]

  private let reading: SampleReading

  /// A reader for some tracks of an asset.
  ///
  /// - Throws: ``TranscodingError`` where the file cannot be opened any more.
  public convenience init(asset: MediaAsset, outputs: [AssetReaderTrackOutput]) throws {
    try self.init(asset: asset, outputs: outputs, probing: true)
  }

  /// - Parameter probing: as for `Demuxer`.
  init(asset: MediaAsset, outputs: [AssetReaderTrackOutput], probing: Bool) throws {
    self.asset = asset
    self.outputs = outputs
    reading = try SampleReading(of: asset, for: outputs, probing: probing)
    for output in outputs { output.asset = asset }
    if outputs.count == 1 { outputs[0].reading = reading }
  }

  /// Opens the file for each output. Without the call, an output does so for its first sample.
  ///
  /// - Throws: ``TranscodingError`` where the file cannot be opened any more.
  public func startReading() throws {
    for output in outputs { _ = try output.startReading() }
  }

  /// The next sample of all outputs, in the order of the file, and the index of its output; nil at
  /// the end.
  ///
  /// - Throws: where the file cannot be read on, or is damaged and an output does not conceal it.
  package func nextSample() throws -> (output: Int, sample: SampleBuffer)? {
    try reading.next(of: outputs)
  }

  /// The next sample of all outputs, in the order of the file, and the index of its output; nil at
  /// the end.
  ///
  /// - Throws: where the file cannot be read on, or is damaged and an output does not conceal it;
  ///   ``TranscodingError`` of kind `invalidSettings` where an output was read for itself.
  @available(*, deprecated, message: "use copyNextSampleBuffer() of an output")
  public func copyNextSample() throws -> (output: Int, sample: SampleBuffer)? {
    guard outputs.count == 1 || !outputs.contains(where: \.isReadForItself) else {
      throw TranscodingError(
        .invalidSettings, "outputs are read for themselves or by their reader, not both")
    }
    do {
      return try nextSample()
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  /// Error where what was read is not the whole file that was opened; nil before the end, and where
  /// it is the whole file.
  var changeError: TranscodingError? { reading.changeError }

  /// The error for a file that somebody changed while it was read.
  var changedWhileRead: TranscodingError { reading.changedWhileRead(outputs) }
}

/// One sample that a track of an asset gives.
public enum SampleBuffer: Sendable {
  /// A decoded frame.
  case frame(VideoFrame)
  /// Compressed data as it is in the file.
  case packet(CompressedSample)
}

/// The compressed data of one sample, with its times in the track's media timeline.
public struct CompressedSample: Sendable {
  package let packet: Packet

  package init(_ packet: Packet) { self.packet = packet }

  /// The presentation time; nil if the file does not state it.
  public var presentationTime: MediaTime? { packet.presentationTime }
  /// The decode time; nil if the file does not state it.
  public var decodeTime: MediaTime? { packet.decodeTime }
  /// The duration; zero if unknown.
  public var duration: MediaTime { packet.duration }
  /// True if decoding can start here.
  public var isSync: Bool { packet.isSync }
  /// A copy of the data.
  public var bytes: [UInt8] { packet.bytes }
}

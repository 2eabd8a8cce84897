// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Dispatch
internal import Host
internal import LibAV
internal import MediaCore
public import Planning
public import Reading
internal import Settings

/// A reader's output for one track: decoded frames, or packets as they are.
public final class AssetReaderTrackOutput {
  /// The track.
  public let track: AssetTrack

  /// The asset of the reader that has the output; nil before one has.
  var asset: MediaAsset?

  /// Whether the last sample was given.
  private(set) var hasEnded = false
  /// The error that ended the output.
  private(set) var failure: (any Error)?

  private let reading: TrackReading
  private let converter: OutputConverter?
  /// The file, which each output has open for itself; nil before the first sample.
  private var file: AssetReading?

  /// An output as AVFoundation's: frames by settings, or packets as they are in the file.
  ///
  /// - Parameter outputSettings: the format of frames; nil for packets.
  /// - Throws: ``TranscodingError`` where frames cannot be decoded or converted so; of kind
  ///   `invalidSettings` for settings of a track that has no pictures, and for options of a
  ///   conversion that are out of their ranges.
  public init(track: AssetTrack, outputSettings: VideoOutputSettings?) throws {
    do {
      try outputSettings?.conversion.refuseImpossibleValues()
      if outputSettings != nil { try track.refuseVideoSettings() }
      self.track = track
      reading = try TrackReading(track: track, decodes: outputSettings != nil)
      converter =
        if let outputSettings, let facts = track.video {
          try OutputConverter(outputSettings, track: track, facts: facts)
        } else {
          nil
        }
    } catch {
      throw TranscodingError.meaning(of: error, at: "track \(track.demuxed.id)")
    }
  }

  /// The number of packets, frames and RPUs that were damaged, and were concealed or left out.
  public var damagedCount: Int { reading.tally.damagedCount }

  /// The next sample of the track; nil at the end.
  ///
  /// - Throws: ``TranscodingError``: of kind `invalidSettings` for an output that no reader has, of
  ///   others where the file cannot be read on, or has changed.
  public func copyNextSampleBuffer() throws -> SampleBuffer? {
    guard !hasEnded else { return nil }
    do {
      let file = try open()
      if let sample = try file.next()?.sample { return try converted(sample) }
      if let error = file.changeError { throw error }
      hasEnded = true
      return nil
    } catch {
      let meaning = TranscodingError.meaning(of: error, input: track.path)
      failure = meaning
      throw meaning
    }
  }

  /// Gives no more samples.
  func end() {
    hasEnded = true
    file = nil
  }

  private func converted(_ sample: SampleBuffer) throws -> SampleBuffer {
    guard case .frame(let frame) = sample, let converter else { return sample }
    return .frame(try converter.convert(frame))
  }

  /// Opens the file for this output alone, if it is not open yet.
  @discardableResult
  func open() throws -> AssetReading {
    if let file { return file }
    guard let asset else {
      throw TranscodingError(
        .invalidSettings, "an output gives samples when an AssetReader has it")
    }
    do {
      let opened = try AssetReading(asset, for: [reading])
      file = opened
      return opened
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }
}

extension AssetReaderTrackOutput: AsyncSequence {
  /// The samples that are left, read away from Swift's cooperative pool.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let output: AssetReaderTrackOutput
    private let queue = DispatchQueue(label: "candela.output")

    fileprivate init(_ output: AssetReaderTrackOutput) { self.output = output }

    /// The next sample, as ``AssetReaderTrackOutput/copyNextSampleBuffer()`` gives it.
    ///
    /// - Throws: `CancellationError` when the task was cancelled, besides.
    public mutating func next() async throws -> SampleBuffer? { try await next(isolation: nil) }

    /// The next sample, for a caller with an isolation.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SampleBuffer? {
      try Task.checkCancellation()
      // The caller, who alone has the output, waits meanwhile.
      nonisolated(unsafe) let output = output
      return try await withCheckedThrowingContinuation(isolation: actor) { continuation in
        queue.async {
          continuation.resume(with: Result { unsafe try output.copyNextSampleBuffer() })
        }
      }
    }
  }

  /// The samples that are left.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

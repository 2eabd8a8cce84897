// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import Dispatch
internal import Host
internal import LibAV
public import MediaCore
public import Planning
public import Reading
internal import Settings

/// A reader's output for one track: decoded frames, or unchanged packets.
public final class AssetReaderTrackOutput {
  /// The track of the asset that the samples come from.
  public let track: AssetTrack

  /// The kind of media of the track.
  public var mediaType: MediaType { track.mediaType }

  /// The asset of the reader that owns the output; `nil` until a reader owns it.
  var asset: MediaAsset?

  /// Whether the last sample was given, or reading was cancelled.
  private(set) var hasEnded = false
  /// The latest error of ``copyNextSampleBuffer()``; `nil` if there was none.
  private(set) var failure: (any Error)?

  private let reading: TrackReading
  private var converter: OutputConverter?
  /// The file, which each output opens for itself; `nil` before it is opened, and after reading is
  /// cancelled.
  private var file: AssetReading?

  /// Creates an output. It gives frames in the format that the settings choose or, without
  /// settings, the file's unchanged packets.
  ///
  /// - Parameter outputSettings: the format of frames; `nil` to get packets.
  /// - Throws: ``TranscodingError`` if frames cannot be decoded or converted that way; of kind
  ///   `invalidSettings` if settings are given for a track without frames, or if conversion options
  ///   are out of range.
  public init(track: AssetTrack, outputSettings: VideoOutputSettings?) throws {
    do {
      try outputSettings?.conversion.refuseImpossibleValues()
      if outputSettings != nil { try track.refuseVideoSettings() }
      self.track = track
      reading = try TrackReading(track: track, decodes: outputSettings != nil)
      converter =
        if let outputSettings, let facts = track.shownVideo {
          try OutputConverter(outputSettings, track: track, facts: facts)
        } else {
          nil
        }
    } catch {
      throw TranscodingError.meaning(of: error, at: "track \(track.demuxed.id)")
    }
  }

  /// The number of damaged packets, frames and RPUs that were concealed or left out.
  public var damagedCount: Int { reading.tally.damagedCount }

  /// Returns the next sample of the track, or `nil` at the end.
  ///
  /// - Throws: ``TranscodingError`` if the file cannot be read any further or has changed; of kind
  ///   `invalidSettings` if no reader owns the output.
  public func copyNextSampleBuffer() throws -> SampleBuffer? {
    guard !hasEnded else { return nil }
    do {
      let file = try open()
      if let sample = try file.next()?.sample { return try converted(sample) }
      // If somebody cut the file off while it was read, its end looks like any other end.
      if let error = file.changeError { throw error }
      hasEnded = true
      return nil
    } catch {
      let meaning = TranscodingError.meaning(of: error, input: track.path)
      failure = meaning
      throw meaning
    }
  }

  /// Ends the output and closes its file.
  func end() {
    hasEnded = true
    file = nil
  }

  private func converted(_ sample: SampleBuffer) throws -> SampleBuffer {
    guard case .frame(let frame) = sample else { return sample }
    return .frame(try converter?.convert(frame) ?? frame)
  }

  /// Opens the file for this output, if it is not open yet.
  @discardableResult
  func open() throws -> AssetReading {
    if let file { return file }
    guard let asset else {
      throw TranscodingError(
        .invalidSettings, "add the output to an AssetReader before asking it for samples")
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
  /// Iterates over the remaining samples.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let output: AssetReaderTrackOutput
    private let queue = DispatchQueue(label: "candela.output")

    fileprivate init(_ output: AssetReaderTrackOutput) { self.output = output }

    /// Returns the next sample, as ``AssetReaderTrackOutput/copyNextSampleBuffer()`` does.
    ///
    /// - Throws: the errors of that method; `CancellationError` if the task is cancelled.
    public mutating func next() async throws -> SampleBuffer? { try await next(isolation: nil) }

    /// Returns the next sample to a caller that is isolated to an actor.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws -> SampleBuffer? {
      try Task.checkCancellation()
      // The caller owns the output and waits for the result, so no two threads use it at once.
      nonisolated(unsafe) let output = output
      return try await withCheckedThrowingContinuation(isolation: actor) { continuation in
        // Reading blocks on the disk and the decoder, and a thread of the cooperative pool must not
        // block.
        queue.async {
          continuation.resume(with: Result { unsafe try output.copyNextSampleBuffer() })
        }
      }
    }
  }

  /// Returns an iterator over the remaining samples.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Dispatch
internal import Host

extension AssetReaderTrackOutput {
  /// The next sample of the track; nil at the end.
  ///
  /// - Throws: ``TranscodingError``: of kind `invalidSettings` for an output that no reader has, of
  ///   others where the file cannot be read on, has changed, or is damaged and the output does not
  ///   conceal it.
  public func copyNextSampleBuffer() throws -> SampleBuffer? {
    let reading = try startReading()
    do {
      if let sample = try reading.next(of: [self])?.sample { return sample }
      if let error = reading.changeError { throw error }
      return nil
    } catch {
      throw TranscodingError.meaning(of: error, input: track.path)
    }
  }

  /// Opens the file for this output alone; what is open already stays so.
  func startReading() throws -> SampleReading {
    guard let asset else {
      throw TranscodingError(
        .invalidSettings, "an output gives samples when an AssetReader has it")
    }
    isReadForItself = true
    if let reading { return reading }
    do {
      let reading = try SampleReading(of: asset, for: [self], probing: true)
      self.reading = reading
      return reading
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

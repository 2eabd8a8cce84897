internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// How much of a track was read, to be compared with what its tables list.
struct ReadExtent {
  private(set) var count = 0
  private(set) var end: MediaTime?

  mutating func add(_ packet: Packet) {
    guard !packet.isCorrupt else { return }
    count += 1
    guard let time = packet.presentationTime ?? packet.decodeTime else { return }
    let packetEnd = time + packet.duration
    end = end.map { max($0, packetEnd) } ?? packetEnd
  }

  /// Samples that were not read, and how long the track would have gone on; nil where all was read.
  ///
  /// Readers give several small samples as one packet, and sound may be stated a little longer than
  /// it is: a track lacks samples only where it also lacks time.
  func missing(of track: AssetTrack) -> (samples: Int, seconds: Double)? {
    guard let end = tableEnd(track) else { return nil }
    let seconds = (end - (self.end ?? track.demuxed.startTime ?? .zero)).seconds
    let tolerance = track.demuxed.kind == .video ? 0 : 0.1
    let samples = track.demuxed.sampleCount - count
    return samples > 0 && seconds > tolerance ? (samples, seconds) : nil
  }

  /// When a movie file's track ends in its media; nil where no table tells, as in fragments.
  private func tableEnd(_ track: AssetTrack) -> MediaTime? {
    guard let box = track.box, track.demuxed.sampleCount > 0 else { return nil }
    guard count < track.demuxed.sampleCount, let times = SampleTimes(box),
      let last = times.compositionTimes.last
    else { return nil }
    return MediaTime(
      value: last &+ times.lastDuration, timescale: Int32(clamping: max(box.mediaTimescale, 1)))
  }
}

/// A file as it was when reading began, for the question whether it still is.
struct SourceVersion: Sendable {
  private let path: String
  private let version: [Int]

  /// The file as it is now.
  init(path: String) {
    self.path = path
    version = PosixPath.version(of: path)
  }

  /// Whether the file is no longer what it was. One that was removed can be read to its end.
  var hasChanged: Bool {
    let now = PosixPath.version(of: path)
    return !now.isEmpty && now != version
  }

  /// What became of the file while it was read.
  ///
  /// - Parameter loss: what of it was not read, or how far it was read: a few words; nil where that
  ///   is unknown.
  func changeError(_ loss: String? = nil) -> TranscodingError {
    TranscodingError(
      .inputOutput,
      "\(path) was changed while it was read\(loss.map { ": \($0)" } ?? ""); "
        + "try again when nobody writes to it")
  }

  /// What somebody's change made go wrong is an error of its own.
  ///
  /// - Throws: ``TranscodingError`` of kind `inputOutput` where the file was changed, during the work
  ///   or before it failed; otherwise what the work throws.
  func unchanged<Result>(during work: () throws -> Result) throws -> Result {
    let result: Result
    do {
      result = try work()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw hasChanged ? changeError() : error
    }
    guard !hasChanged else { throw changeError() }
    return result
  }
}

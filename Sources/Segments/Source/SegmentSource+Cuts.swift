// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import Dispatch
package import Host
internal import LibAV
internal import MediaCore
internal import NALUnits
package import Reading
internal import Synchronization
internal import VideoEncoders

/// Finds the places where a source is cut into segments.
extension SegmentSource {
  /// Divides the frames into segments.
  ///
  /// - Parameter readers: number of readers that may look for cuts side by side.
  /// - Returns: the segments in order; if there is only one, also the reason.
  package func segments(
    readers: Int, checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> (ranges: [SegmentRange], obstacle: SegmentObstacle?) {
    if let obstacle { return ([Self.whole], obstacle) }
    do {
      let table = try FrameTable(of: track, checkpoint: checkpoint)
      let places = encoder.segmentPlaces(among: table.starts.count)
      let later = try bounds(near: places, in: table, readers: readers, checkpoint)
      let obstacle: SegmentObstacle? =
        later.isEmpty ? places.isEmpty ? .fewFrames : .fewSyncSamples : nil
      return (try ranges([(frame: 0, ahead: 0)] + later, in: table), obstacle)
    } catch let obstacle as SegmentObstacle {
      return ([Self.whole], obstacle)
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  /// The beginnings of segments: the number of the first frame, and the number of frames before it
  /// that the encoder has to know.
  private typealias Bounds = [(frame: Int, ahead: Int)]

  /// What is near a place where a segment may begin: the first frames of scenes, and whether the
  /// frames before the place hardly differ.
  private typealias Surroundings = (cuts: [Int], isStill: Bool)

  /// Returns the beginnings of all segments but the first.
  ///
  /// - Parameter places: the frames where these segments begin if no scene begins nearby.
  private func bounds(
    near places: [Int], in table: FrameTable, readers: Int,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> Bounds {
    let (fewest, total) = (encoder.fewestSegmentFrames, table.starts.count)
    // Places are multiples of the maximum distance of key frames, unless that distance is very
    // large. At a multiple, a single encoder would put a key frame anyway, so segments add no key
    // frames. It would also put a key frame at a cut between scenes, so a segment may begin at a
    // cut near its place.
    let surroundings = try surroundings(of: places, in: table, readers: readers, checkpoint)
    var bounds: Bounds = []
    for (place, near) in zip(places, surroundings) {
      let first = (bounds.last?.frame ?? 0) + fewest
      let nearest = near.cuts.filter { $0 >= first && $0 <= total - fewest }
        .min { abs($0 - place) < abs($1 - place) }
      let frame = nearest ?? max(place, first)
      // If decoding cannot begin nearby, the previous segment continues.
      let ahead = framesAhead(isStill: near.isStill, beginsScene: nearest != nil)
      if frame <= total - fewest, try span(ofFrames: frame - ahead..<frame + 1, in: table) != nil {
        bounds.append((frame, ahead))
      }
    }
    return bounds
  }

  /// How many threads a decoder can use.
  private static let mostThreads = 16
  /// How many frames before and after a place are searched for a cut.
  private static let reach = 24
  /// The maximum number of samples that may be decoded just to reach a segment.
  private static let longestLead = 600

  /// Returns the surroundings of some places, which are examined side by side.
  private func surroundings(
    of places: [Int], in table: FrameTable, readers: Int,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Surroundings] {
    let results = Mutex([Surroundings](repeating: ([], false), count: places.count))
    let failure = Mutex<(any Error)?>(nil)
    let lanes = min(readers, places.count)
    // If there are fewer places than readers, idle readers leave their threads to the others. The
    // threads of a decoder wait for each other now and then, so a core needs two threads to stay
    // busy.
    let threads = min(max(2 * readers / max(lanes, 1), 1), Self.mostThreads)
    DispatchQueue.concurrentPerform(iterations: lanes) { lane in
      do {
        for index in stride(from: lane, to: places.count, by: lanes) {
          // If another lane has failed, the result of this one is no longer needed.
          guard failure.withLock({ $0 == nil }) else { return }
          try checkpoint()
          let surroundings = try surroundings(of: places[index], in: table, threads: threads)
          results.withLock { $0[index] = surroundings }
        }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return results.withLock { $0 }
  }

  private func surroundings(
    of place: Int, in table: FrameTable, threads: Int
  ) throws -> Surroundings {
    var result: Surroundings = ([], false)
    let numbers = max(place - Self.reach - 1, 0)...min(place + Self.reach, table.starts.count - 1)
    guard let span = try span(ofFrames: Range(numbers), in: table) else { return result }
    let first = MediaTime(
      value: table.starts[numbers.lowerBound], timescale: track.demuxed.timescale)
    let reader = try reader(of: span, threads: threads, firstWanted: first)
    var (shots, motion) = (ShotDetector(), MotionMeter())
    var number = numbers.lowerBound
    while number <= numbers.upperBound, let (_, sample) = try reader.next() {
      guard case .frame(let frame) = sample, frame.presentationTimeStamp >= first else { continue }
      // The first frame looks like a cut, because there is no frame before it.
      let isCut = shots.beginsShot(frame.pixelBuffer)
      if isCut, number > numbers.lowerBound { result.cuts.append(number) }
      // A segment's encoder learns only from frames before the segment, so what comes after its
      // first frame does not matter here.
      if number <= place { motion.add(frame.pixelBuffer) }
      number += 1
    }
    result.isStill = motion.isStill
    return result
  }

  /// Returns the segments with these beginnings.
  private func ranges(_ bounds: Bounds, in table: FrameTable) throws -> [SegmentRange] {
    try bounds.indices.map { number in
      let (first, ahead) = (bounds[number].frame, bounds[number].ahead)
      let next = number + 1 < bounds.count ? bounds[number + 1].frame : table.starts.count
      var range = SegmentRange(firstFrame: first)
      range.frameCount = next - first
      range.start = table.starts[first]
      range.end = next < table.starts.count ? table.starts[next] : nil
      range.before = ahead > 0 ? table.starts[first - ahead] : nil
      guard let span = try span(ofFrames: first - ahead..<next, in: table) else {
        throw SegmentObstacle.unknownFrames
      }
      // Nobody knows yet how full the previous segment will leave its buffer, so plan every segment
      // but the first with the same fullness.
      range.fullness = encoder.buffer.map { number == 0 ? $0.start : CodedPictureBuffer.seam }
      range.decoding = SegmentRange.Decoding(span, timescale: track.demuxed.timescale)
      return range
    }
  }

  /// Returns the samples that some frames need, beginning with the nearest sample where decoding
  /// can really begin; `nil` if there is no such sample nearby.
  private func span(ofFrames frames: Range<Int>, in table: FrameTable) throws -> SampleSpan? {
    try table.spans(ofFrames: frames, most: Self.longestLead).first {
      try $0.samples.lowerBound == 0 || isRandomAccess($0)
    }
  }

  /// Returns whether the bitstream confirms that decoding can begin at a sample.
  private func isRandomAccess(_ span: SampleSpan) throws -> Bool {
    // Tables of sync samples can be wrong. If decoding starts at a sample that is not really a sync
    // sample, frames are damaged.
    let (codec, units) = (track.demuxed.codec, PacketUnits(track.demuxed))
    let bitstream = codec.bitstream.flatMap { $0.tellsDecodingStarts ? $0 : nil }
    guard units != nil || bitstream != nil else { return true }
    guard case .packet(let sample)? = try reader(of: span, threads: nil).next()?.sample
    else { return false }
    if let units { return units.split(sample.packet).own.contains(where: \.beginsDecoding) }
    return bitstream?.beginsDecoding(sample.packet.bytes, configuration: codec.extradata) ?? true
  }
}

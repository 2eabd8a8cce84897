// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import CodePoints
internal import ColorConversion
internal import Dispatch
internal import LibAV
internal import MediaCore
internal import NALUnits
internal import Synchronization
internal import VideoEncoders

/// Places where a source is cut into segments.
extension SegmentSource {
  /// Divides the frames.
  ///
  /// Without cuts of scenes, segments begin where one encoder would have had its key frames, so
  /// that no key frame is added. Near a cut they begin with the scene, which costs nothing either.
  ///
  /// - Returns: the segments in order; one, of all frames, where there is an obstacle.
  package func segments(checkpoint: @escaping Pipeline.Checkpoint) throws -> (
    ranges: [SegmentRange], obstacle: SegmentObstacle?
  ) {
    if let obstacle { return ([Self.whole], obstacle) }
    do {
      let table = try FrameTable(of: track, checkpoint: checkpoint)
      return (try ranges(try bounds(in: table, checkpoint), in: table), nil)
    } catch let obstacle as SegmentObstacle {
      return ([Self.whole], obstacle)
    } catch {
      throw TranscodingError.meaning(of: error, input: asset.path)
    }
  }

  /// The frames from one key frame to the next where nothing else asks for one, at most.
  private var keyFrameInterval: Int {
    let stated = encoder.maxKeyFrameInterval ?? 250
    return stated > 0 ? stated : .max
  }

  /// The fewest frames of a segment.
  private var fewest: Int {
    keyFrameInterval >= Self.shortest ? Self.usual : max(2 * keyFrameInterval, Self.shortest)
  }

  /// The frames with which segments begin, behind the first.
  private func bounds(
    in table: FrameTable, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [Int] {
    let (fewest, interval, total) = (fewest, keyFrameInterval, table.starts.count)
    let step = interval > 2 * Self.usual ? fewest : (fewest + interval - 1) / interval * interval
    let places = Array(stride(from: step, through: total - fewest, by: step))
    let cuts = try cuts(near: places, in: table, checkpoint)
    var bounds: [Int] = []
    for (place, cuts) in zip(places, cuts) {
      let first = (bounds.last ?? 0) + fewest
      let nearest = cuts.filter { $0 >= first && $0 <= total - fewest }
        .min { abs($0 - place) < abs($1 - place) }
      let frame = nearest ?? max(place, first)
      // Where decoding cannot begin near, the segment before goes on.
      let needed = frame - (needsFrameBefore ? 1 : 0)
      if frame <= total - fewest, try span(ofFrames: needed..<frame + 1, in: table) != nil {
        bounds.append(frame)
      }
    }
    return bounds
  }

  /// The fewest frames of a segment where key frames are far apart, and where they are near.
  private static let (usual, shortest) = (240, 120)
  /// Cuts of scenes are looked for so many frames before and after a place.
  private static let reach = 24
  /// So many samples may be decoded for nothing before a segment.
  private static let longestLead = 600

  /// The frames near some places with which scenes begin. Places are looked at side by side.
  private func cuts(
    near places: [Int], in table: FrameTable, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [[Int]] {
    let results = Mutex([[Int]](repeating: [], count: places.count))
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: places.count) { index in
      guard failure.withLock({ $0 == nil }) else { return }
      do {
        try checkpoint()
        let cuts = try cuts(near: places[index], in: table)
        results.withLock { $0[index] = cuts }
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return results.withLock { $0 }
  }

  private func cuts(near place: Int, in table: FrameTable) throws -> [Int] {
    let numbers = max(place - Self.reach - 1, 0)...min(place + Self.reach, table.starts.count - 1)
    guard let span = try span(ofFrames: Range(numbers), in: table) else { return [] }
    let first = MediaTime(
      value: table.starts[numbers.lowerBound], timescale: track.demuxed.timescale)
    let reader = try reader(of: span, threads: 1, firstWanted: first)
    var shots = ShotDetector()
    var (number, cuts) = (numbers.lowerBound, [Int]())
    while number <= numbers.upperBound, let (_, sample) = try reader.nextSample() {
      guard case .frame(let frame) = sample, frame.presentationTime >= first else { continue }
      // Of the first one looks like a cut, having none before it.
      let isCut = shots.beginsShot(frame.pixelBuffer)
      if isCut, number > numbers.lowerBound { cuts.append(number) }
      number += 1
    }
    return cuts
  }

  /// The segments that begin at these frames.
  private func ranges(_ bounds: [Int], in table: FrameTable) throws -> [SegmentRange] {
    try zip([0] + bounds, bounds + [table.starts.count]).map { first, next in
      var range = SegmentRange(firstFrame: first)
      range.frameCount = next - first
      range.start = table.starts[first]
      range.end = next < table.starts.count ? table.starts[next] : nil
      let hasBefore = needsFrameBefore && first > 0
      range.before = hasBefore ? table.starts[first - 1] : nil
      guard let span = try span(ofFrames: (hasBefore ? first - 1 : first)..<next, in: table) else {
        throw SegmentObstacle.unknownFrames
      }
      range.decoding = SegmentRange.Decoding(span, timescale: track.demuxed.timescale)
      return range
    }
  }

  /// The samples that some frames need, from the nearest at which decoding really can begin; nil
  /// where there is none near.
  private func span(ofFrames frames: Range<Int>, in table: FrameTable) throws -> SampleSpan? {
    try table.spans(ofFrames: frames, most: Self.longestLead).first {
      try $0.samples.lowerBound == 0 || isRandomAccess($0)
    }
  }

  /// True if the bitstream says, too, that decoding can begin at a sample.
  private func isRandomAccess(_ span: SampleSpan) throws -> Bool {
    guard let units = PacketUnits(track.demuxed) else { return true }
    guard case .packet(let sample)? = try reader(of: span, threads: nil).nextSample()?.sample
    else { return false }
    return units.split(sample.packet).own.contains(where: \.beginsDecoding)
  }
}

extension NALUnit {
  /// True for a slice of an IRAP picture of HEVC or of an IDR picture of H.264, and for a message
  /// that says that all frames from this one on are exact (H.264, D.2.8: `recovery_frame_cnt` of 0,
  /// `exact_match_flag`).
  fileprivate var beginsDecoding: Bool {
    switch type {
    case .hevc(let type): return type.isRandomAccess
    case .avc(.idrSlice): return true
    case .avc(.sei):
      return SEIMessage.messages(in: self).contains { message in
        message.payloadType == 6 && (message.payload.first ?? 0) & 0xC0 == 0xC0
      }
    default: return false
    }
  }
}

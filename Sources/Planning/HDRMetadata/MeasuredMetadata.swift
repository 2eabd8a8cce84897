// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import DolbyVision
internal import FoundationEssentials
internal import Host
internal import LibAV
package import MediaCore
package import Reading
internal import Synchronization

/// The HDR metadata of a track's frames, which are decoded and measured before their samples are
/// copied.
package struct MeasuredMetadata: Sendable {
  /// The metadata of each frame.
  package let frames: FrameMetadataTable
  /// MaxCLL and MaxFALL over all frames, or `nil` if they are not wanted.
  package let contentLightLevel: ContentLightLevel?
  /// How many frames are damaged. Those that could not be decoded get the metadata of the previous
  /// frame.
  package let damagedCount: Int
  /// How many frames were measured.
  package let frameCount: Int

  /// Decodes and measures all frames that a copy contains, including hidden frames.
  ///
  /// - Parameters:
  ///   - hlgPeakLuminance: the peak of the display that HLG is shown on, in cd/m².
  ///   - concealsDamage: whether damaged frames are only counted instead of causing an error.
  ///   - advance: called with the time of each frame that was measured.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if no frame can be decoded.
  package static func measure(
    _ track: AssetTrack, _ plan: HDRMetadataPlan, hlgPeakLuminance: Double, concealsDamage: Bool,
    advance: @escaping @Sendable (MediaTime) -> Void
  ) async throws -> MeasuredMetadata {
    let pipeline = Pipeline()
    // A decoded frame of 3840×2160 in 10 bits takes 25 MB, so only a few wait.
    let decoded = pipeline.queue(of: VideoFrame.self, capacity: 4)
    let decodedTrack = Mutex(DecodedTrack())
    let result = Mutex<MeasuredMetadata?>(nil)
    pipeline.start("decode") {
      let all = try decode(track, concealsDamage: concealsDamage, into: decoded) {
        try pipeline.checkCancellation()
      }
      decodedTrack.withLock { $0 = all }
      decoded.finish()
    }
    pipeline.start("measure") {
      var meter = try FrameMeter(track, plan, hlgPeakLuminance: hlgPeakLuminance)
      while let frame = try decoded.pop() {
        try meter.add(frame)
        advance(frame.presentationTimeStamp)
      }
      let measured = meter.result(decodedTrack.withLock { $0 })
      result.withLock { $0 = measured }
    }
    do {
      try await pipeline.finish()
    } catch {
      throw TranscodingError.meaning(of: error, input: track.path)
    }
    guard let measured = result.withLock({ $0 }) else {
      throw TranscodingError(.unusableInput, "\(track.path): no frame could be decoded")
    }
    return measured
  }

  private struct DecodedTrack: Sendable {
    /// The presentation times of all samples, including damaged ones.
    var times: [MediaTime] = []
    /// The number of frames that came out of the decoder with damage.
    var damagedCount = 0
  }

  /// Decodes all samples. Each frame has the metadata and the time of its sample.
  private static func decode(
    _ track: AssetTrack, concealsDamage: Bool, into frames: BoundedQueue<VideoFrame>,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> DecodedTrack {
    // A decoder's threads wait for one another, and for frames to be measured. Two more threads
    // than there are cores keep the cores busy.
    let decoder = try VideoDecoder(
      track: track.demuxed, threads: ProcessInfo.processInfo.activeProcessorCount + 2)
    let baseLayer = BaseLayerCheck(track)
    var reader = FrameMetadataReader(track, checkpoint: checkpoint)
    var result = DecodedTrack()
    var waiting: [Int: (time: MediaTime, metadata: FrameMetadata)] = [:]
    func take(_ frame: DecodedFrame) throws {
      let isReported = decoder.takeComplaint()
      if frame.isDamaged || isReported {
        guard concealsDamage else { throw damageError(track) }
        result.damagedCount += 1
      }
      guard let (time, metadata) = waiting.removeValue(forKey: frame.packetNumber) else { return }
      var copied = VideoFrame(
        pixelBuffer: frame.pixelBuffer, presentationTimeStamp: time, duration: frame.duration)
      copied.metadata = metadata
      try frames.push(copied)
    }
    /// Does some work with the decoder. Returns `nil` if a sample is damaged; that sample then has
    /// no frame.
    func attempt<Value>(_ work: () throws -> Value) throws -> Value? {
      do {
        return try work()
      } catch let error as LibAVError where !error.isOutOfMemory {
        guard concealsDamage else { throw damageError(track) }
        _ = decoder.takeComplaint()
        return nil
      }
    }
    func send(_ packet: Packet?) throws {
      _ = try attempt { try decoder.send(packet) }
      // A decoder that only reports errors must not be asked forever.
      var failureCount = 0
      while failureCount < 64 {
        guard let frame = try attempt({ try decoder.receive() }) else {
          failureCount += 1
          continue
        }
        guard let frame else { return }
        failureCount = 0
        try take(frame)
      }
    }
    // Read the same packets that the copy contains.
    var packets = try TrackPackets(track, decodes: false)
    while let packet = try packets.next() {
      guard let time = packet.presentationTimeStamp else { continue }
      result.times.append(time)
      let metadata = try reader?.read(packet).own ?? FrameMetadata()
      try baseLayer?.refuse(metadata, at: time)
      waiting[decoder.packetCount + 1] = (time, metadata)
      try send(packet)
    }
    try send(nil)
    return result
  }

  private static func damageError(_ track: AssetTrack) -> TranscodingError {
    TranscodingError(
      .unusableInput, "track \(track.demuxed.id) is damaged: a frame cannot be decoded",
      code: .damagedInput)
  }

  /// Measures decoded frames, in the order of presentation.
  private struct FrameMeter {
    private let size: VideoDimensions
    private let format: PixelFormat
    private let composer: FrameMetadataComposer
    private let plan: HDRMetadataPlan
    private var levels: ContentLightMeter?
    private var shots = ShotDetector()
    private var frames: FrameMetadataTable
    private var frameCount = 0
    /// Measures the light from which the gain curves of shots are derived; `nil` if the shots get
    /// no curves.
    private let light: FrameLight?
    /// The shots so far, with the times of their frames and their brightest light in cd/m².
    private var lights: [(times: [MediaTime], brightest: Double)] = []

    init(_ track: AssetTrack, _ plan: HDRMetadataPlan, hlgPeakLuminance: Double) throws {
      let source = try FrameSource(track)
      let facts = source.facts
      (size, format, self.plan) = (facts.size, facts.format, plan)
      let described = FrameDescription(facts, signal: facts.tags.signal)
      let area = ActiveArea(composition: nil, scaling: nil, sourceSize: size, size: size)
      let light = FrameLight(
        plan, described, area, hlgPeakLuminance: hlgPeakLuminance,
        forShots: plan.measuresHeadroom)
      self.light = plan.measuresHeadroom ? light : nil
      composer = FrameMetadataComposer(plan, light, area)
      levels = plan.measuresContentLightLevel ? ContentLightMeter(light) : nil
      frames = FrameMetadataTable(timescale: track.demuxed.timescale)
    }

    mutating func add(_ frame: VideoFrame) throws {
      // A damaged track may have frames of another size or format. Those are not measured.
      guard frame.pixelBuffer.size == size, frame.pixelBuffer.format == format else { return }
      frameCount += 1
      levels?.add(frame.pixelBuffer, source: frame.metadata)
      let beginsShot =
        (composer.computes || light != nil) && shots.beginsShot(frame.pixelBuffer)
      let values = try composer.values(
        of: frame.pixelBuffer, frame.metadata, beginsShot: beginsShot)
      var metadata = FrameMetadata()
      // Take only computed values. All others stay in the samples, even in a sample whose frame
      // cannot be decoded.
      for value in values where composer.computes(type(of: value)) {
        metadata.put(value)
      }
      frames[frame.presentationTimeStamp] = metadata
      if let light { add(light, frame, beginsShot: beginsShot) }
    }

    private mutating func add(_ light: FrameLight, _ frame: VideoFrame, beginsShot: Bool) {
      if beginsShot || lights.isEmpty { lights.append(([], 0)) }
      let brightest = light.luminance(of: frame.pixelBuffer, frame.metadata)?.maximum ?? 0
      let last = lights.count - 1
      lights[last].times.append(frame.presentationTimeStamp)
      lights[last].brightest = max(lights[last].brightest, brightest)
    }

    /// - Returns: `nil` if there is no frame.
    func result(_ decoded: DecodedTrack) -> MeasuredMetadata? {
      var frames = frames
      for shot in lights {
        let gain = HeadroomAdaptiveGain(forBrightest: shot.brightest)
        for time in shot.times {
          var metadata = frames[time] ?? FrameMetadata()
          metadata.put(gain)
          frames[time] = metadata
        }
      }
      // A decoder drops the frames that are presented before the first sync sample and refer to
      // frames that it did not get (RASL pictures). That is not damage.
      guard let first = decoded.times.filter({ frames[$0] != nil }).min() else { return nil }
      let missing = decoded.times.count { $0 > first && frames[$0] == nil }
      frames.fill(decoded.times)
      let levels = levels?.contentLightLevel
      if let levels, plan.computesRPUs {
        frames.change { metadata in
          var metadata = metadata
          metadata[DolbyVisionRPU.self] = metadata[DolbyVisionRPU.self]?.stating(levels)
          return metadata
        }
      }
      return MeasuredMetadata(
        frames: frames, contentLightLevel: levels, damagedCount: decoded.damagedCount + missing,
        frameCount: frameCount)
    }
  }
}

extension DolbyVisionRPU {
  /// Returns the RPU with light levels in level 6.
  fileprivate func stating(_ levels: ContentLightLevel) -> DolbyVisionRPU {
    changed { data in
      data.level6?.maxContentLightLevel = levels.maxContentLightLevel
      data.level6?.maxFrameAverageLightLevel = levels.maxPicAverageLightLevel
    }
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import LibAV
internal import MediaCore
internal import Reading
internal import NALUnits

/// Looks for black bars in frames spread over the whole clip.
struct BarSurvey {
  /// The smallest area that contains everything that is lit in any frame, or `nil` if all frames
  /// are black.
  private(set) var lit: PixelRectangle?
  /// The smallest area that contains the active areas in the RPUs of all presented frames, or `nil`
  /// if no RPU states bars.
  var activeArea: PixelRectangle? { statesBars ? statedArea : nil }
  private var statedArea: PixelRectangle?
  /// Whether any RPU so far states an active area that is smaller than the frame. Many RPUs state
  /// the whole frame, whether it has bars or not.
  private var statesBars = false
  /// How many frames were examined.
  private(set) var frameCount = 0
  /// How many of those frames were not black.
  private(set) var litCount = 0

  private let track: AssetTrack
  private let black: Int
  private let isRGB: Bool
  private let size: VideoDimensions
  /// Finds RPUs in packets; `nil` if the codec has none.
  private let metadata: PacketMetadata?

  /// The largest number of frames to examine, and the smallest number of sync samples that is
  /// enough.
  private static let (most, fewest) = (128, 24)

  init(_ track: AssetTrack, _ frameSource: FrameSource) throws {
    self.track = track
    let facts = frameSource.facts
    (isRGB, size) = (facts.isRGB, facts.size)
    let isFull = facts.isRGB || facts.tags.signal.videoFullRangeFlag == true
    black = isFull ? 0 : 16 << (facts.format.bitDepth - 8)
    metadata = PacketMetadata(track.demuxed).flatMap { $0.carriesDolbyVision ? $0 : nil }
    // Examining sync samples is quick, because each one can be decoded alone. Only a clip with few
    // of them is decoded in full.
    try surveySyncSamples()
    if frameCount < Self.fewest { try surveyAll() }
  }

  /// The shortest time between two frames that are examined.
  private var step: MediaTime {
    let shown = track.span == nil ? nil : track.presentedDuration
    guard let length = shown ?? track.demuxed.duration ?? track.presentedDuration, length > .zero
    else {
      return MediaTime(value: 1, timescale: 1)
    }
    return MediaTime(
      value: length.converted(to: 90_000).value / Int64(Self.most), timescale: 90_000)
  }

  private func packets(_ body: (Packet) throws -> Void) throws {
    var packets = try TrackPackets(track, endsAtDamage: true)
    while let packet = try packets.next() {
      try Task.checkCancellation()
      try body(packet)
    }
  }

  private mutating func surveySyncSamples() throws {
    var next: MediaTime?
    var count = 0
    var reader = ReshapingDecoder.metadata(of: track) { try Task.checkCancellation() }
    // The closure runs while `packets` reads `self`, so it collects results in a copy.
    var survey = self
    try packets { packet in
      let found = try reader?.read(packet)
      let time =
        packet.presentationTimeStamp ?? packet.decodeTimeStamp
        ?? survey.track.usualTime(ofFrame: count)
      count += 1
      guard track.timeline.presents(from: time, to: time + max(packet.duration, survey.tick))
      else { return }
      // The area may change at any frame, so read every RPU, which is quick.
      survey.addArea(of: packet)
      guard packet.isSync, next.map({ time >= $0 }) ?? true else { return }
      next = time + step
      // Ignore damage here. It is reported when the whole track is read.
      let decoder = try ReshapingDecoder(track, onePicture: true)
      try? decoder.send(packet, found)
      var frame = try? decoder.receive()
      if frame == nil {
        try? decoder.send(nil)
        frame = try? decoder.receive()
      }
      survey.add(frame?.pixelBuffer)
    }
    self = survey
  }

  private mutating func surveyAll() throws {
    let decoder = try ReshapingDecoder(track)
    var reader = ReshapingDecoder.metadata(of: track) { try Task.checkCancellation() }
    var survey = self
    // All frames include the few sync samples, so begin counting again.
    (survey.frameCount, survey.litCount) = (0, 0)
    var next: MediaTime?
    var count = 0
    func receive() {
      while let frame = try? decoder.receive() {
        let time = frame.presentationTimeStamp ?? survey.track.usualTime(ofFrame: count)
        count += 1
        guard next.map({ time >= $0 }) ?? true,
          track.timeline.presents(from: time, to: time + max(frame.duration, survey.tick))
        else { continue }
        next = time + step
        survey.add(frame.pixelBuffer)
      }
    }
    try packets { packet in
      let found = try reader?.read(packet)
      try? decoder.send(packet, found)
      receive()
    }
    try? decoder.send(nil)
    receive()
    self = survey
  }

  private var tick: MediaTime { MediaTime(value: 1, timescale: track.demuxed.timescale) }

  /// Adds the active area of a packet's RPU.
  private mutating func addArea(of packet: Packet) {
    guard let area = namedArea(packet) else { return }
    statedArea = statedArea?.union(area) ?? area
    if area != PixelRectangle(whole: size) { statesBars = true }
  }

  /// Adds the lit area of a frame.
  private mutating func add(_ buffer: PixelBuffer?) {
    guard let buffer, buffer.size == size else { return }
    frameCount += 1
    guard let area = buffer.litArea(black: black, isRGB: isRGB) else { return }
    litCount += 1
    lit = lit?.union(area) ?? area
  }

  /// Returns the active area that a packet's RPU names, if any.
  private func namedArea(_ packet: Packet) -> PixelRectangle? {
    guard let metadata, let rpu = DolbyVisionRPU.payload(in: metadata.split(packet).own),
      let level = DolbyVisionRPU(payload: rpu).unit?.displayManagement?.level5
    else {
      return nil
    }
    let (left, top) = (Int(level.activeAreaLeftOffset), Int(level.activeAreaTopOffset))
    let width = size.width - left - Int(level.activeAreaRightOffset)
    let height = size.height - top - Int(level.activeAreaBottomOffset)
    // Some files have offsets that leave nothing of the frame. Such offsets do not describe bars.
    guard width > 0, height > 0 else { return nil }
    return PixelRectangle(x: left, y: top, width: width, height: height)
  }
}

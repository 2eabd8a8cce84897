// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import LibAV
internal import MediaCore
internal import Reading
internal import NALUnits

/// Content inside of black bars, looked for in frames of the whole clip: sync samples at equal
/// distances, or, where there are too few of them, frames in between too.
struct BarSurvey {
  /// The smallest area in which all that is lit in any frame lies; nil where all are black.
  private(set) var lit: PixelRectangle?
  /// The smallest area that holds those of all RPUs; nil where none names one.
  private(set) var activeArea: PixelRectangle?
  /// Frames that were looked at.
  private(set) var frameCount = 0
  /// Number of frames looked at that are not black.
  private(set) var litCount = 0

  private let track: AssetTrack
  private let black: Int
  private let isRGB: Bool
  private let size: VideoDimensions

  /// Largest number of frames that are looked at, and the smallest number of sync samples that is
  /// enough.
  private static let (most, fewest) = (128, 24)

  init(_ track: AssetTrack, _ pictures: PictureSource) throws {
    self.track = track
    let facts = pictures.facts
    (isRGB, size) = (facts.isRGB, facts.size)
    let isFull = facts.isRGB || facts.tags.signal.videoFullRangeFlag == true
    black = isFull ? 0 : 16 << (facts.format.bitDepth - 8)
    try surveySyncSamples()
    if frameCount < Self.fewest { try surveyAll() }
  }

  /// The time from one frame that is looked at to the next.
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
    var survey = self
    try packets { packet in
      let time =
        packet.presentationTimeStamp ?? packet.decodeTimeStamp
        ?? survey.track.usualTime(ofFrame: count)
      count += 1
      guard packet.isSync, next.map({ time >= $0 }) ?? true,
        track.timeline.presents(from: time, to: time + max(packet.duration, survey.tick))
      else { return }
      next = time + step
      // A damaged packet tells nothing, and is told of by whoever reads the whole.
      let decoder = try VideoDecoder(track: track.demuxed, onePicture: true)
      try? decoder.send(packet)
      var frame = try? decoder.receive()
      if frame == nil {
        try? decoder.send(nil)
        frame = try? decoder.receive()
      }
      survey.add(frame?.pixelBuffer, packet)
    }
    self = survey
  }

  private mutating func surveyAll() throws {
    let decoder = try VideoDecoder(track: track.demuxed)
    var survey = self
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
        survey.add(frame.pixelBuffer, nil)
      }
    }
    try packets { packet in
      try? decoder.send(packet)
      receive()
    }
    try? decoder.send(nil)
    receive()
    self = survey
  }

  private var tick: MediaTime { MediaTime(value: 1, timescale: track.demuxed.timescale) }

  /// Takes the lit area of a frame, and the active area of its packet's RPU.
  private mutating func add(_ buffer: PixelBuffer?, _ packet: Packet?) {
    if let packet, let area = namedArea(packet) {
      activeArea = activeArea?.union(area) ?? area
    }
    guard let buffer, buffer.size == size else { return }
    frameCount += 1
    guard let area = buffer.litArea(black: black, isRGB: isRGB) else { return }
    litCount += 1
    lit = lit?.union(area) ?? area
  }

  /// The active area that a packet's RPU names; nil for none.
  private func namedArea(_ packet: Packet) -> PixelRectangle? {
    guard let units = PacketUnits(track.demuxed), units.codec.carriesHDRMetadata else { return nil }
    var metadata = FrameMetadata()
    metadata.take(units.split(packet).own)
    guard let level = metadata[DolbyVisionRPU.self]?.unit?.displayManagement?.level5 else {
      return nil
    }
    let (left, top) = (Int(level.activeAreaLeftOffset), Int(level.activeAreaTopOffset))
    let width = size.width - left - Int(level.activeAreaRightOffset)
    let height = size.height - top - Int(level.activeAreaBottomOffset)
    guard width > 0, height > 0 else { return nil }
    return PixelRectangle(x: left, y: top, width: width, height: height)
  }
}

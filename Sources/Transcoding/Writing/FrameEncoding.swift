// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import LibAV
internal import MediaCore
internal import Planning
internal import Settings
internal import VideoEncoders
internal import Writing

/// Encodes frames that a program appends. Nothing is known about them in advance, so the first
/// frame decides how all frames are encoded.
final class FrameEncoding {
  /// Assumptions and losses; complete after the last frame.
  private(set) var notices: [Notice] = []

  private var settings: VideoSettings
  /// The kind of file to write, which is known once the writer has started.
  private var container = FileType.mov
  private let track: AssetTrack?
  private var opened: Opened?
  private var lastTime: MediaTime?
  /// A frame that came without a duration. It waits for the next frame, whose time shows how long
  /// this frame lasts.
  private var held: (buffer: PixelBuffer, time: MediaTime)?
  // A single frame has no neighbor that shows its duration, so assume 1/30 s.
  private var lastDuration = MediaTime(value: 1, timescale: 30)

  private struct Opened {
    let plan: EncodingPlan
    let encoding: EncodingStage
    let conversion: FrameConversion?
    let first: FrameSource
    let shapers: [any FrameShaper]
  }

  /// - Parameter track: the track that the frames come from, if any.
  init(_ settings: VideoSettings, track: AssetTrack?) {
    self.settings = settings
    self.track = track
  }

  /// The codec of the output's frames.
  var codec: VideoCodec? { settings.codec }

  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if a container has no place for what
  ///   the settings ask for.
  func refuse(in container: FileType) throws {
    try settings.codec?.refuse(in: container)
    _ = try settings.suited(to: container)
  }

  /// Changes the settings to suit the container, before the first frame.
  func suit(_ container: FileType) throws {
    settings = try settings.suited(to: container)
    self.container = container
  }

  /// What is promised about the output's frames; `nil` before the first frame.
  var promise: OutputPromise? { opened?.plan.promise }

  func append(_ frame: VideoFrame, to output: TrackWriter) throws {
    try TranscodingError.refuse(frame.presentationTimeStamp, as: "presentation time")
    try TranscodingError.refuse(frame.duration, as: "duration")
    if let lastTime, frame.presentationTimeStamp <= lastTime {
      throw outOfOrder(frame.presentationTimeStamp)
    }
    lastTime = frame.presentationTimeStamp
    var frame = frame
    // A program may have put other pixels into the frame, so only the metadata that is attached to
    // the pixels counts.
    frame.metadata.replace(with: frame.pixelBuffer.attachments.metadata)
    do {
      let opened = try opened ?? open(frame, output)
      try opened.first.refuseChange(frame, of: opened.first.name)
      try opened.shapers.add(frame) { try encode($0, opened, to: output) }
    } catch {
      throw TranscodingError.meaning(
        of: error, at: "the frame at \(frame.presentationTimeStamp.seconds) s")
    }
  }

  private func encode(_ frame: VideoFrame, _ opened: Opened, to output: TrackWriter) throws {
    var frame = frame
    try opened.conversion?.convert(&frame)
    try opened.encoding.encode(frame, to: output)
  }

  /// Takes a frame and encodes the previous one, whose duration is now known.
  func append(_ buffer: PixelBuffer, at time: MediaTime, to output: TrackWriter) throws {
    try TranscodingError.refuse(time, as: "presentation time")
    let before = held
    held = (buffer, time)
    guard let before else { return }
    guard before.time < time else { throw outOfOrder(time) }
    lastDuration = time - before.time
    try append(before, to: output)
  }

  private func append(
    _ held: (buffer: PixelBuffer, time: MediaTime), to output: TrackWriter
  ) throws {
    try append(
      VideoFrame(
        pixelBuffer: held.buffer, presentationTimeStamp: held.time, duration: lastDuration),
      to: output)
  }

  /// Writes the frames that are still held, and ends the track.
  ///
  /// - Parameter boxes: the track's boxes, without facts about the frames.
  func finish(_ boxes: TrackBoxes, to output: TrackWriter) throws {
    // The last frame has no successor, so it lasts as long as the one before it.
    if let last = held {
      held = nil
      try append(last, to: output)
    }
    // Without a frame, no encoder was opened.
    guard let opened else { return try output.end(boxes) }
    try opened.shapers.finish { try encode($0, opened, to: output) }
    notices += opened.shapers.notices
    var boxes = boxes
    boxes.describe(opened.plan)
    // A display matrix that rotates the frame also moves it back by its own width or height. So if
    // the frame was scaled, scale the matrix as well.
    boxes.matrix = boxes.matrix.flatMap(DisplayMatrix.init)?.scaled(
      from: track?.video?.size ?? opened.first.facts.size, to: opened.plan.encoder.size)
    try opened.encoding.finish(boxes, to: output)
  }

  private func open(_ frame: VideoFrame, _ output: TrackWriter) throws -> Opened {
    let source = FrameSource(VideoFacts(frame), track: track, first: frame)
    let shape = try ShapePlan(of: source, track: nil, settings: settings)
    let plan = try EncodingPlan(
      of: shape.result, settings: settings, container: container, options: TranscodeOptions())
    guard !plan.hdrMetadata.measuresHeadroom else {
      throw TranscodingError(
        .invalidSettings,
        "\(VideoSettings.headroomAdaptiveGainKey) is 'measure', which only works for frames "
          + "that come from a file: each shot is measured before its first frame is encoded")
    }
    var notices = shape.notices + plan.notices + plan.conversionNotices
    if let loss = track?.spatialLoss { notices.append(loss) }
    notices.add(lost: plan.factsLost(of: source.facts), in: nil)
    self.notices = notices
    let opened = Opened(
      plan: plan, encoding: try plan.openEncoder(), conversion: try plan.makeConversion(),
      first: source, shapers: shape.makeShapers())
    try opened.encoding.open(output)
    self.opened = opened
    return opened
  }

  private func outOfOrder(_ time: MediaTime) -> TranscodingError {
    TranscodingError(
      .unusableInput, "the frame at \(time.seconds) s is not later than the one before it")
  }
}

public import Assets
internal import Dispatch
internal import ISOBMFF
internal import LibAV
public import MediaCore
public import Settings
internal import VideoEncoders

/// Takes the samples of one track of an output: pictures, which it encodes, or packets.
///
/// An input is used by one thread or task at a time; several inputs of a writer can be used side by
/// side.
public final class AssetWriterInput: @unchecked Sendable {
  // Sendable although it has state: one thread at a time uses an input.
  /// What the input makes of what it is given.
  enum Mode: Sendable {
    case encode(any VideoEncoder, format: VideoTrackFormat)
    case copy(DemuxedTrack, pictures: CopiedPictures?)
    case encodedSound(CodecParameters, timescale: Int32)
  }

  /// What is known before the first sample.
  let knownMode: Mode?
  /// What the track's boxes say; final when the input is finished.
  private(set) var boxes: TrackBoxes
  /// The file that samples come from; nil where the input does not know.
  let sourcePath: String?
  /// What becomes of pictures of which nothing is known before the first; nil for other inputs.
  let pictures: PictureEncoding?

  /// Told of every sample that came out of the encoder.
  private let encoded: @Sendable (EncodedSample) -> Void
  private let thread = DispatchQueue(label: "candela.input")
  private var queue: BoundedQueue<MovieWriter.Item>?
  private var index = 0
  private var packetCount = 0
  private var isFinished = false
  private var lastTime: MediaTime?
  private var held: (buffer: PixelBuffer, time: MediaTime)?
  private var lastDuration: MediaTime?

  init(
    mode: Mode, boxes: TrackBoxes, encoded: @escaping @Sendable (EncodedSample) -> Void = { _ in }
  ) {
    knownMode = mode
    self.boxes = boxes
    if case .copy(_, let pictures) = mode { self.boxes.copiedPictures = pictures }
    self.encoded = encoded
    sourcePath = nil
    pictures = nil
  }

  /// An input that encodes pictures, or copies packets.
  ///
  /// The first picture decides what is done with all: its size, its pixel format and the tags in
  /// its attachments. With color properties in the settings, untagged pictures are tagged with
  /// them, and tagged ones converted and tagged; without, the output has the pictures' tags, or
  /// none.
  ///
  /// - Parameters:
  ///   - outputSettings: what the track is to be; nil to write packets as they are.
  ///   - source: the track that samples come from, for what travels outside of them: its edits,
  ///     its rotation, its dates, its language. Without one, a track begins at the writer's start
  ///     time. Packets need it.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for packets without a source, and for
  ///   settings that say pass-through for pictures or have a composition.
  public init(outputSettings: VideoSettings?, source: AssetTrack? = nil) throws {
    encoded = { _ in }
    sourcePath = source?.path
    boxes = TrackBoxes(
      timeline: source?.timeline ?? .wholeMedia, matrix: source?.matrix, source: source?.box)
    if let outputSettings {
      guard outputSettings.codec != .passthrough else {
        throw TranscodingError(
          .invalidSettings, "an input that copies has no output settings: nil in their place")
      }
      guard outputSettings.composition == nil else {
        throw TranscodingError(
          .invalidSettings,
          "an input encodes the pictures that it is given: compose them before they are appended")
      }
      knownMode = nil
      pictures = PictureEncoding(outputSettings, track: source)
    } else {
      guard let source else {
        throw TranscodingError(
          .invalidSettings, "an input that copies packets needs the track that they come from")
      }
      let isVideo = source.demuxed.kind == .video
      boxes.color = isVideo && source.box != nil ? .copied : .none
      if isVideo { boxes.hdrMetadata = HDRMetadataPlan(copying: source) }
      let copied = isVideo ? try CopiedPictures(source.demuxed, path: source.path) : nil
      boxes.copiedPictures = copied
      knownMode = .copy(source.demuxed, pictures: copied)
      pictures = nil
    }
  }

  /// The transformation matrix of the track (`tkhd`), nine numbers as ISO/IEC 14496-12, 6.2.2, has
  /// them, to be set before the first sample; nil for no rotation.
  public var transform: [Int32]? {
    get { boxes.matrix }
    set {
      precondition(newValue.map { $0.count == 9 } ?? true, "a matrix has nine numbers")
      boxes.matrix = newValue
    }
  }

  func connect(to queue: BoundedQueue<MovieWriter.Item>, index: Int) {
    precondition(self.queue == nil, "an input is added to one writer, once")
    self.queue = queue
    self.index = index
  }

  /// Where the presentation begins in the samples' times, for inputs without a source.
  func begin(at time: MediaTime) {
    guard boxes.source == nil, boxes.timeline == .wholeMedia else { return }
    boxes.timeline = EditTimeline(edits: [.init(duration: nil, mediaStart: time)])
  }

  /// Encodes a frame. Waits while the writer is behind.
  public func append(_ frame: VideoFrame) throws {
    try checkOpen()
    if let pictures {
      if let lastTime, frame.presentationTime <= lastTime {
        throw TranscodingError(
          .unusableInput,
          "the picture at \(frame.presentationTime.seconds) s does not come after the one before it"
        )
      }
      lastTime = frame.presentationTime
      let isFirst = pictures.mode == nil
      let samples = try pictures.encode(frame)
      if isFirst, let mode = pictures.mode {
        boxes.matrix = pictures.matrix(boxes.matrix)
        boxes.color = .stated(pictures.signal)
        boxes.shape = pictures.shape
        boxes.hdrMetadata = pictures.hdrMetadata
        try push(.open(mode))
      }
      return try push(samples)
    }
    guard case .encode(let encoder, _) = knownMode else {
      preconditionFailure("frames are appended to inputs that encode")
    }
    try push(try encoder.encode(frame))
  }

  /// Encodes a picture, which is presented until the next one is; the last one as long as the one
  /// before it. Waits while the writer is behind.
  public func append(_ pixelBuffer: PixelBuffer, withPresentationTime time: MediaTime) throws {
    try checkOpen()
    let before = held
    held = (pixelBuffer, time)
    guard let before else { return }
    guard before.time < time else {
      throw TranscodingError(
        .unusableInput, "the picture at \(time.seconds) s does not come after the one before it")
    }
    try appendHeld(before, lasting: time - before.time)
  }

  private func appendHeld(
    _ held: (buffer: PixelBuffer, time: MediaTime), lasting duration: MediaTime
  ) throws {
    lastDuration = duration
    try append(
      VideoFrame(
        pixelBuffer: held.buffer, presentationTime: held.time, duration: duration))
  }

  /// Writes compressed data as it is. Waits while the writer is behind.
  public func append(_ sample: CompressedSample) throws {
    try checkOpen()
    guard case .copy(_, let pictures) = knownMode else {
      preconditionFailure("packets are appended to inputs that copy")
    }
    try push(
      .packet(
        try pictures?.withoutParameterSets(sample.packet) ?? sample.packet,
        decodeTime: pictures?.decodeTimes.time(at: packetCount)))
    packetCount += 1
  }

  /// Writes an encoded sample as it is. Waits while the writer is behind.
  public func append(_ sample: EncodedSample) throws {
    try push(.sample(sample))
  }

  /// Says that nothing more will be appended; what the encoder still holds is written.
  public func markAsFinished() throws {
    guard !isFinished else { return }
    if let last = held {
      held = nil
      try appendHeld(last, lasting: lastDuration ?? MediaTime(value: 1, timescale: 30))
    }
    isFinished = true
    if case .encode(let encoder, _) = pictures?.mode ?? knownMode {
      while case let samples = try encoder.drain(), !samples.isEmpty { try push(samples) }
      if let measured = encoder.contentLightLevel { boxes.hdrMetadata.state(measured) }
    }
    try push(.end)
  }

  private func checkOpen() throws {
    guard !isFinished else {
      throw TranscodingError(.invalidSettings, "the input was finished: nothing can be appended")
    }
  }

  private func push(_ samples: [EncodedSample]) throws {
    for sample in samples {
      try push(.sample(sample))
      encoded(sample)
    }
  }

  private func push(_ content: MovieWriter.Item.Content) throws {
    guard let queue else { preconditionFailure("the input was added to a writer") }
    try queue.push(MovieWriter.Item(input: index, content: content))
  }
}

extension AssetWriterInput {
  /// Encodes a frame. Suspends while the writer is behind.
  public func append(_ frame: VideoFrame) async throws {
    try await waiting { try self.append(frame) }
  }

  /// Encodes a picture, which is presented until the next one is. Suspends while the writer is
  /// behind.
  public func append(
    _ pixelBuffer: PixelBuffer, withPresentationTime time: MediaTime
  ) async throws {
    try await waiting { try self.append(pixelBuffer, withPresentationTime: time) }
  }

  /// Writes compressed data as it is. Suspends while the writer is behind.
  public func append(_ sample: CompressedSample) async throws {
    try await waiting { try self.append(sample) }
  }

  /// Says that nothing more will be appended. Suspends until the encoder has given all.
  public func markAsFinished() async throws {
    try await waiting { try self.markAsFinished() }
  }

  /// Runs what blocks on a thread that is not of Swift's cooperative pool.
  private func waiting(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      thread.async { continuation.resume(with: Result { try body() }) }
    }
  }
}

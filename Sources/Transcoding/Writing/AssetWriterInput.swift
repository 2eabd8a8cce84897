// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import CodePoints
internal import Dispatch
internal import Host
internal import ISOBMFF
internal import LibAV
public import MediaCore
internal import Planning
public import Reading
public import Settings
internal import Synchronization
internal import VideoEncoders
internal import Writing

/// Takes the samples of one track of an output. An input either encodes frames or copies packets.
///
/// Only one thread or task at a time can use an input; others wait. Several inputs of a writer can
/// be used at the same time.
public final class AssetWriterInput: Sendable {
  /// The path of the file that samples come from; `nil` if unknown.
  let sourcePath: String?

  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "candela.input")

  /// The kind of media that is written.
  public let mediaType: MediaType

  /// Creates an input that encodes frames or copies packets.
  ///
  /// The size, the pixel format and the tags of the first frame apply to all frames. A frame's tags
  /// are in the attachments of its pixel buffer. If the settings have color properties, untagged
  /// frames get these as tags, and tagged frames are converted to them. Without color properties,
  /// the output has the frames' tags, or none.
  ///
  /// - Parameters:
  ///   - outputSettings: the settings of the track; `nil` to write packets unchanged.
  ///   - source: the track that samples come from. It gives the facts that are not in the samples:
  ///     edits, rotation, dates, language. Without it, the track begins at the writer's start time.
  ///     A source is required for packets.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if packets have no source; if
  ///   settings have no codec, or have a composition, a rotation, a crop or a frame rate; or if
  ///   there are settings and the source is a track without frames.
  public init(outputSettings: VideoSettings?, source: AssetTrack? = nil) throws {
    sourcePath = source?.path
    mediaType = outputSettings == nil ? source?.mediaType ?? .video : .video
    if let outputSettings {
      try source?.refuseVideoSettings()
      guard outputSettings.codec != nil else {
        throw misuse("an input that copies takes no output settings: pass nil")
      }
      guard outputSettings.composition == nil else {
        throw misuse(
          "an input encodes the frames that it is given: compose them before appending them")
      }
      guard outputSettings.rotation == .keep, outputSettings.crop == .none,
        outputSettings.frameRate == .source
      else {
        throw misuse(
          "an input encodes the frames that it is given: video.rotation, video.crop and "
            + "video.frameRate are for sessions")
      }
      let boxes = TrackBoxes(
        timeline: source?.timeline ?? .wholeMedia, matrix: source?.matrix, source: source?.box,
        label: source?.label ?? TrackLabel())
      state = Mutex(
        State(work: .encode(FrameEncoding(outputSettings, track: source)), boxes: boxes))
    } else {
      guard let source else {
        throw misuse("an input that copies packets needs the track that they come from")
      }
      // Until the writer is known, assume the container that can store the most facts outside of
      // the samples.
      let metadata = try HDRMetadataPlan(copying: source, VideoSettings(codec: nil))
      let boxes = try TrackBoxes(copying: source, hdrMetadata: metadata, container: .mov)
      state = Mutex(State(work: .copy(CopyingStage(source.demuxed, boxes: boxes)), boxes: boxes))
    }
  }

  /// Creates an input for a kind of media. The settings have the keys of a preset, as in
  /// ``VideoSettings/init(outputSettings:)``.
  ///
  /// - Parameters:
  ///   - mediaType: the kind of media; only video is encoded.
  ///   - outputSettings: the settings of the track; `nil` to write packets unchanged.
  ///   - source: the track that samples come from, as in ``init(outputSettings:source:)``.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  public convenience init(
    mediaType: MediaType, outputSettings: JSONValue?, source: AssetTrack? = nil
  ) throws {
    guard mediaType == .video || outputSettings == nil else {
      throw misuse("an input encodes video only: to copy audio packets, pass nil as settings")
    }
    try self.init(
      outputSettings: outputSettings.map(VideoSettings.init(outputSettings:)), source: source)
  }

  /// How frames are rotated or mirrored for display, like ``AssetTrack/preferredTransform``. `nil`
  /// means that frames are displayed as they are stored. Set it before the first sample.
  public var transform: TrackTransform? {
    get { state.withLock { $0.boxes.matrix.flatMap(TrackTransform.init(matrix:)) } }
    set { state.withLock { $0.boxes.matrix = newValue?.matrix } }
  }

  /// Encodes a frame. Blocks while the writer is behind.
  private func appendAndWait(_ frame: VideoFrame) throws {
    try state.withLock { state in
      try state.encoding().append(frame, to: state.openOutput())
    }
  }

  /// Encodes a frame that is presented until the next one. Blocks while the writer is behind.
  private func appendAndWait(
    _ pixelBuffer: PixelBuffer, withPresentationTime time: MediaTime
  ) throws {
    try state.withLock { state in
      try state.encoding().append(pixelBuffer, at: time, to: state.openOutput())
    }
  }

  /// Writes compressed data unchanged. Blocks while the writer is behind.
  private func appendAndWait(_ sample: CompressedSample) throws {
    try state.withLock { try $0.copy(sample.packet) }
  }

  /// Writes an encoded sample unchanged. Blocks while the writer is behind.
  package func append(_ sample: EncodedSample) throws {
    try state.withLock { try $0.openOutput().write(sample) }
  }

  /// Ends the input and writes the frames that the encoder still holds.
  private func markAsFinishedAndWait() throws {
    try state.withLock { try $0.finish() }
  }
}

extension AssetWriterInput {
  /// Encodes a frame. Suspends while the writer is behind.
  public func append(_ frame: VideoFrame) async throws {
    try await waiting { try self.appendAndWait(frame) }
  }

  /// Encodes a frame that is presented until the next one. The last frame lasts as long as the one
  /// before it. Suspends while the writer is behind.
  public func append(
    _ pixelBuffer: PixelBuffer, withPresentationTime time: MediaTime
  ) async throws {
    try await waiting { try self.appendAndWait(pixelBuffer, withPresentationTime: time) }
  }

  /// Writes compressed data unchanged. Suspends while the writer is behind.
  public func append(_ sample: CompressedSample) async throws {
    try await waiting { try self.appendAndWait(sample) }
  }

  /// Encodes a frame, or writes compressed data unchanged. Suspends while the writer is behind.
  public func append(_ sample: SampleBuffer) async throws {
    switch sample {
    case .frame(let frame): try await append(frame)
    case .packet(let packet): try await append(packet)
    }
  }

  /// Ends the input, so that nothing more can be appended. Suspends until the encoder has returned
  /// all its samples.
  public func markAsFinished() async throws {
    try await waiting { try self.markAsFinishedAndWait() }
  }

  /// Runs a function that blocks.
  private func waiting(_ body: @escaping @Sendable () throws -> Void) async throws {
    // Appending blocks while the writer is behind. On a thread of Swift's cooperative pool, that
    // would delay unrelated tasks.
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }
}

/// The writer of an input uses these members.
extension AssetWriterInput {
  var encodes: Bool { copiedTrack == nil }

  /// The track whose packets are copied; `nil` if frames are encoded.
  var copiedTrack: AssetTrack? {
    state.withLock { $0.boxes.origin }
  }

  /// The codec that frames are encoded with; `nil` if packets are copied.
  var encodedCodec: VideoCodec? {
    state.withLock { if case .encode(let encoding) = $0.work { encoding.codec } else { nil } }
  }

  /// - Throws: ``TranscodingError`` if a container has no place for what the input writes.
  func refuse(in container: FileType) throws {
    try state.withLock { state in
      switch state.work {
      case .encode(let encoding): try encoding.refuse(in: container)
      case .copy:
        guard let track = state.boxes.origin else { return }
        try state.boxes.hdrMetadata.refuseDolbyVision(of: track, in: container)
      }
    }
  }

  /// FFmpeg's name for the codec that the type of movie must support. `nil` if packets are copied
  /// and movies do not change the packets' form, because any type of movie will then do.
  var codecOfMovie: String? {
    let copied = copiedTrack?.demuxed.codec
    return encodedCodec?.rawValue ?? (copied?.isChangedByMovies == true ? copied?.codecName : nil)
  }

  /// What is promised about the output's frames; `nil` before the first frame, and for copied
  /// packets.
  var promise: OutputPromise? {
    state.withLock { if case .encode(let encoding) = $0.work { encoding.promise } else { nil } }
  }

  /// Assumptions and losses.
  var notices: [Notice] {
    state.withLock { state in
      switch state.work {
      case .encode(let encoding): encoding.notices
      case .copy: state.boxes.copiedFrames?.notices ?? []
      }
    }
  }

  func open(_ output: TrackWriter, in container: FileType) throws {
    try state.withLock { try $0.open(output, in: container) }
  }

  /// Begins the presentation at a time in the samples' timeline, unless the source says where it
  /// begins.
  func begin(at time: MediaTime) {
    state.withLock { $0.begin(at: time) }
  }

  private struct State {
    /// What the input does with its samples.
    enum Work {
      case encode(FrameEncoding)
      case copy(CopyingStage)
    }

    var work: Work
    /// The track's boxes, without facts about the encoded frames.
    var boxes: TrackBoxes
    /// Whether the source said where the presentation begins.
    private let hasTimeline: Bool
    private var output: TrackWriter?
    private var isFinished = false

    init(work: Work, boxes: TrackBoxes) {
      self.work = work
      self.boxes = boxes
      hasTimeline = boxes.timeline != .wholeMedia
    }

    mutating func begin(at time: MediaTime) {
      // A source's edit list already says where the presentation begins. An additional start time
      // would shift the track twice.
      guard boxes.source == nil, !hasTimeline else { return }
      boxes.timeline = EditTimeline(edits: [.init(duration: nil, mediaStart: time)])
    }

    mutating func open(_ output: TrackWriter, in container: FileType) throws {
      guard self.output == nil else {
        throw misuse(
          "an input can be added to only one writer, and only once")
      }
      self.output = output
      // If the program starts a session later, the session's time replaces this one.
      begin(at: .zero)
      switch work {
      case .encode(let encoding): try encoding.suit(container)
      case .copy(let copying): try copying.open(output)
      }
    }

    /// Returns the writer of the track that samples go to.
    func openOutput() throws -> TrackWriter {
      guard !isFinished else {
        throw misuse("the input has finished: nothing more can be appended")
      }
      guard let output else { throw misuse("the input's writer was not started") }
      return output
    }

    func encoding() throws -> FrameEncoding {
      guard case .encode(let encoding) = work else {
        throw misuse("only an input that encodes takes frames")
      }
      return encoding
    }

    mutating func copy(_ packet: Packet) throws {
      guard case .copy(var copying) = work else {
        throw misuse("only an input that copies takes packets")
      }
      try copying.append(packet, to: openOutput())
      work = .copy(copying)
    }

    mutating func finish() throws {
      // `finishWriting` ends every input, even one that the program has ended itself.
      guard !isFinished else { return }
      let output = try openOutput()
      switch work {
      case .encode(let encoding): try encoding.finish(boxes, to: output)
      case .copy: try output.end(boxes)
      }
      isFinished = true
    }
  }
}

/// Returns the error for a call that an input does not allow.
private func misuse(_ reason: String) -> TranscodingError {
  TranscodingError(.invalidSettings, reason)
}

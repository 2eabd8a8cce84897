// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
public import FoundationEssentials
internal import Host
internal import ISOBMFF
internal import LibAV
public import MediaCore
public import Planning
internal import Settings
internal import Synchronization
internal import VideoEncoders
internal import Writing

/// Writes a movie file from the samples that its inputs are given, like `AVAssetWriter`.
///
/// Add inputs, start the writer, append samples, finish the writer. The file appears under its name
/// when it is complete and verified. If the writer is released before that, nothing stays on the
/// disk.
public final class AssetWriter: Sendable {
  /// The inputs, in the order of the file's tracks.
  public var inputs: [AssetWriterInput] { state.withLock { $0.inputs } }
  /// How thoroughly the file is verified before it gets its name.
  public var verification: TranscodeOptions.VerificationLevel {
    get { state.withLock { $0.verification } }
    set { state.withLock { $0.verification = newValue } }
  }
  /// The asset whose dates, places and names are carried over, if any.
  public var metadataSource: MediaAsset? {
    get { state.withLock { $0.metadataSource } }
    set { state.withLock { $0.metadataSource = newValue } }
  }
  /// Titles, names and similar items to write. An item replaces the item of ``metadataSource`` that
  /// has the same identifier.
  public var metadata: [MetadataItem] {
    get { state.withLock { $0.metadata } }
    set { state.withLock { $0.metadata = newValue } }
  }

  /// How far writing has come, like `AVAssetWriter.Status`.
  public enum Status: String, Sendable {
    /// Writing has not started.
    case unknown
    /// Samples can be appended, or ``AssetWriter/finishWriting()`` is at work.
    case writing
    /// The file exists, complete and verified.
    case completed
    /// Finishing failed, and the file did not get its name.
    case failed
    /// ``AssetWriter/cancelWriting()`` was called.
    case cancelled
  }

  /// How far writing has come.
  public var status: Status {
    state.withLock { state in
      switch state.phase {
      case .preparing: .unknown
      case .writing, .finishing: .writing
      case .completed: .completed
      case .failed: .failed
      case .cancelled: .cancelled
      }
    }
  }

  /// The file URL of the finished file.
  public var outputURL: URL { URL(fileURLWithPath: file.destination) }

  /// The kind of file.
  public var outputFileType: FileType { container }

  /// The error that ``finishWriting()`` threw; `nil` unless ``status`` is `failed`.
  public var error: (any Error)? {
    state.withLock { if case .failed(let error) = $0.phase { error } else { nil } }
  }

  private let file: UnfinishedFile
  private let files = RunFiles.withoutInput()
  private let container: FileType
  private let pipeline = Pipeline()
  private let state = Mutex(State())

  private struct State {
    var inputs: [AssetWriterInput] = []
    var verification = TranscodeOptions.VerificationLevel.normal
    var metadataSource: MediaAsset?
    var metadata: [MetadataItem] = []
    var phase = Phase.preparing
  }

  private enum Phase {
    case preparing
    case writing(Exclusive<MovieWriter>)
    case finishing
    case completed
    case failed(any Error)
    case cancelled
  }

  /// Creates a writer for a file URL.
  ///
  /// - Parameters:
  ///   - url: the file URL of the finished file.
  ///   - fileType: the kind of file.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if the file cannot be created or
  ///   already exists, and of kind `invalidSettings` if the URL is not a file URL.
  public convenience init(outputURL url: URL, fileType: FileType) throws {
    try self.init(path: url.filePath(), fileType: fileType)
  }

  /// Creates a writer for a path.
  ///
  /// - Parameters:
  ///   - path: the path of the finished file.
  ///   - fileType: the kind of file.
  ///   - overwrite: whether to replace an existing file.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput` if the file cannot be created, or
  ///   if it exists and must not be replaced.
  public init(path: String, fileType: FileType, overwrite: Bool = false) throws {
    file = try UnfinishedFile(destination: path, overwrite: overwrite, in: files)
    container = fileType
  }

  deinit {
    // A program that drops its writer should leave neither a thread nor a file behind.
    pipeline.cancel()
    file.discard()
  }

  /// Returns whether an input can be added. Writing must not have started, and the container must
  /// be able to store the input's samples. If the input encodes frames, no other input may do so.
  public func canAdd(_ input: AssetWriterInput) -> Bool {
    guard status == .unknown else { return false }
    if let track = input.copiedTrack, !container.holds(track) { return false }
    guard (try? input.refuse(in: container)) != nil else { return false }
    return !input.encodes || !inputs.contains(where: \.encodes)
  }

  /// Adds a track.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a second input that encodes
  ///   video, for settings whose codec or Dolby Vision the container cannot store, and once writing
  ///   has started; of kind `unusableInput` for copied samples that the container cannot store.
  public func add(_ input: AssetWriterInput) throws {
    if let track = input.copiedTrack, !container.holds(track) {
      throw TranscodingError(
        .unusableInput,
        "samples of codec \(track.demuxed.codec.codecName) cannot be stored in "
          + ".\(container.rawValue)"
      )
    }
    try input.refuse(in: container)
    try state.withLock { state in
      guard case .preparing = state.phase else {
        throw TranscodingError(.invalidSettings, "add inputs before writing starts")
      }
      if input.encodes, state.inputs.contains(where: \.encodes) {
        throw TranscodingError(.invalidSettings, "a writer can encode only one video track")
      }
      state.inputs.append(input)
    }
  }

  /// Creates the file. Samples can be appended from now on.
  ///
  /// - Throws: ``TranscodingError`` if the file cannot be created, if there is no input, or if the
  ///   writer was started before; `CancellationError` if it was cancelled.
  public func startWriting() throws {
    let queue = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
    let (writer, inputs) = try state.withLock { state in
      switch state.phase {
      case .preparing: break
      case .cancelled: throw CancellationError()
      case .writing, .finishing, .completed, .failed:
        throw TranscodingError(.invalidSettings, "a writer can be started only once")
      }
      let writer = try makeWriter(for: state.inputs, queue)
      state.phase = .writing(writer)
      return (writer, state.inputs)
    }
    let destination = file.destination
    // Start the writing thread first, because opening an input may wait for room in the queue.
    pipeline.start("write") { try writer.use { try $0.write(for: destination) } }
    for (index, input) in inputs.enumerated() {
      try input.open(TrackWriter(index: index, queue: queue), in: container)
    }
  }

  /// Sets the time in the samples' timeline at which the presentation begins. It is zero by
  /// default. A track whose input has a source begins where the source's track begins.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if the time is invalid, or if
  ///   ``status`` is not `writing`.
  public func startSession(atSourceTime time: MediaTime) throws {
    try TranscodingError.refuse(time, as: "source time")
    guard status == .writing else {
      throw TranscodingError(.invalidSettings, "start the writer before the session")
    }
    for input in inputs { input.begin(at: time) }
  }

  private func makeWriter(
    for inputs: [AssetWriterInput], _ queue: BoundedQueue<MovieWriter.Item>
  ) throws -> Exclusive<MovieWriter> {
    guard !inputs.isEmpty else {
      throw TranscodingError(.invalidSettings, "a writer needs an input")
    }
    // The output must never replace a file that samples still come from.
    try files.read(inputs.compactMap(\.sourcePath))
    do {
      return Exclusive(
        try MovieWriter(
          path: file.samplesPath, movieType: movieType(for: inputs), container: container,
          trackCount: inputs.count, movieTimescale: nil,
          queue: queue))
    } catch {
      throw TranscodingError.meaning(of: error, output: file.destination)
    }
  }

  /// Returns the type of movie to write: one that can store the samples of all inputs, if there is
  /// one.
  private func movieType(for inputs: [AssetWriterInput]) -> FileType {
    let types = container.movieTypes(holding: inputs.compactMap(\.codecOfMovie))
    return types.first ?? container.movieTypes.first ?? container
  }

  /// Finishes the inputs and the file, verifies it, and gives it its name.
  ///
  /// - Throws: ``TranscodingError``, including errors of earlier samples; `CancellationError` if
  ///   writing was cancelled.
  public func finishWriting() async throws {
    let writer = try beginFinishing()
    do {
      try await finish(writer)
      end(.completed)
    } catch {
      end(.failed(error))
      throw error
    }
  }

  /// Enters the last phase. If writing was cancelled, a failure does not change the phase.
  private func end(_ phase: Phase) {
    state.withLock { state in
      if case .cancelled = state.phase, case .failed = phase { return }
      state.phase = phase
    }
  }

  private func finish(_ writer: Exclusive<MovieWriter>) async throws {
    defer { file.discard() }
    do {
      for input in inputs { try await input.markAsFinished() }
    } catch is CancellationError {
      // The writing thread has ended early. The pipeline throws its reason below.
    }
    let destination = file.destination
    do {
      try await pipeline.finish()
    } catch let error as TranscodingError {
      throw error.naming(destination)
    }
    let (tracks, movieType, movieTimescale) = writer.use {
      ($0.writtenTracks(), $0.movieType, $0.movieTimescale)
    }
    guard !tracks.isEmpty else {
      throw TranscodingError(.unusableInput, "\(destination): nothing was appended to any input")
    }
    let delivery = OutputDelivery(
      file: file, movieType: movieType, container: container,
      movieTimescale: movieTimescale ?? 1000,
      metadata: CarriedMetadata(metadata, over: metadataSource), verification: verification,
      promise: inputs.lazy.compactMap(\.promise).first)
    try await Pipeline.onThread("finish") { [self] checkpoint in
      do {
        // This thread does not belong to the pipeline, so cancelling the pipeline does not stop it.
        try delivery.deliver(tracks) { [self] in
          try checkpoint()
          if isCancelled { throw CancellationError() }
        }
      } catch {
        throw TranscodingError.meaning(of: error, output: destination)
      }
    }
  }

  /// - Returns: the writer that has written the samples.
  private func beginFinishing() throws -> Exclusive<MovieWriter> {
    try state.withLock { state in
      switch state.phase {
      case .preparing: throw TranscodingError(.invalidSettings, "the writer was not started")
      case .writing(let writer):
        state.phase = .finishing
        return writer
      case .finishing, .completed, .failed:
        throw TranscodingError(
          .invalidSettings, "finishWriting was already called, or writing failed")
      case .cancelled: throw CancellationError()
      }
    }
  }

  private var isCancelled: Bool {
    state.withLock { if case .cancelled = $0.phase { true } else { false } }
  }

  /// Cancels writing. Nothing stays on the disk, unless the file was just getting its name; then
  /// ``status`` becomes `completed`. Has no effect if ``status`` is `completed` or `failed`.
  public func cancelWriting() {
    let phase = state.withLock { state in
      let phase = state.phase
      switch phase {
      case .completed, .failed: break
      case .preparing, .writing, .finishing, .cancelled: state.phase = .cancelled
      }
      return phase
    }
    switch phase {
    case .completed, .failed, .cancelled: break
    // The work that finishes the file removes it when it notices the cancellation.
    case .finishing: pipeline.cancel()
    case .preparing, .writing:
      pipeline.cancel()
      file.discard()
    }
  }

  /// Losses and assumptions of the tracks. For encoded video, some are known only after the last
  /// frame.
  public var notices: [Notice] { inputs.flatMap(\.notices) }

  /// Returns the keys that settings for a kind of media can have. Nested keys are returned as
  /// paths: `codec`, `compressionProperties`, `compressionProperties.averageBitRate`. A preset has
  /// the same keys under `video` or `audio`. Only sessions take the keys of audio, because inputs
  /// do not encode audio.
  public static func supportedOutputSettingsKeys(for mediaType: MediaType) -> [String] {
    PresetKey.paths(below: mediaType.rawValue)
  }
}

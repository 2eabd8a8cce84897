// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
internal import ISOBMFF
internal import LibAV
public import MediaCore
public import Planning
internal import Settings
internal import Synchronization
internal import Writing

/// Writes a movie file from the samples that its inputs are given: `AVAssetWriter`.
///
/// Inputs are added, the writer is started, samples are appended, the writer is finished. The file
/// appears under its name when it is complete and verified; of a writer that is let go of before,
/// nothing is left.
public final class AssetWriter: Sendable {
  /// The inputs, in the order of the file's tracks.
  public var inputs: [AssetWriterInput] { state.withLock { $0.inputs } }
  /// The thoroughness of verification, before the file gets its name.
  public var verification: TranscodeOptions.VerificationLevel {
    get { state.withLock { $0.verification } }
    set { state.withLock { $0.verification = newValue } }
  }
  /// The asset whose dates, places and names are carried over; nil for none.
  public var metadataSource: MediaAsset? {
    get { state.withLock { $0.metadataSource } }
    set { state.withLock { $0.metadataSource = newValue } }
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
    var phase = Phase.preparing
  }

  private enum Phase {
    case preparing
    case writing(Exclusive<MovieWriter>)
    case finishing
    case cancelled
  }

  /// A writer of a file.
  ///
  /// - Parameters:
  ///   - path: the path at which the file is to appear.
  ///   - fileType: QuickTime or MP4.
  ///   - overwrite: true if a file that is there may be replaced.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  public init(path: String, fileType: FileType, overwrite: Bool = false) throws {
    file = try UnfinishedFile(destination: path, overwrite: overwrite, in: files)
    container = fileType
  }

  deinit {
    pipeline.cancel()
    file.discard()
  }

  /// Adds a track.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a second video track that is
  ///   encoded, of `unusableInput` for samples that the container cannot hold.
  public func add(_ input: AssetWriterInput) throws {
    if let track = input.copiedTrack, !container.holds(track) {
      throw TranscodingError(
        .unusableInput,
        "samples of codec \(track.demuxed.codec.codecName) cannot be stored in "
          + ".\(container.rawValue)"
      )
    }
    try state.withLock { state in
      guard case .preparing = state.phase else {
        throw TranscodingError(.invalidSettings, "inputs are added before writing starts")
      }
      if input.encodes, state.inputs.contains(where: \.encodes) {
        throw TranscodingError(.invalidSettings, "a writer encodes one video track")
      }
      state.inputs.append(input)
    }
  }

  /// Creates the file; samples can be appended from now on.
  ///
  /// - Parameter time: the time of samples that the presentation begins at
  ///   (`startSession(atSourceTime:)`), for inputs that come from no track.
  /// - Throws: ``TranscodingError`` where the file cannot be created, and for a time that is none.
  public func startWriting(atSourceTime time: MediaTime = .zero) throws {
    try TranscodingError.refuse(time, as: "source time")
    let queue = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
    let (writer, inputs) = try state.withLock { state in
      switch state.phase {
      case .preparing: break
      case .cancelled: throw CancellationError()
      case .writing, .finishing:
        throw TranscodingError(.invalidSettings, "a writer is started once")
      }
      let writer = try makeWriter(for: state.inputs, queue)
      state.phase = .writing(writer)
      return (writer, state.inputs)
    }
    let destination = file.destination
    pipeline.start("write") { try writer.use { try $0.write(for: destination) } }
    for (index, input) in inputs.enumerated() {
      try input.open(TrackWriter(index: index, queue: queue), at: time)
    }
  }

  private func makeWriter(
    for inputs: [AssetWriterInput], _ queue: BoundedQueue<MovieWriter.Item>
  ) throws -> Exclusive<MovieWriter> {
    guard !inputs.isEmpty else {
      throw TranscodingError(.invalidSettings, "a writer needs an input")
    }
    try files.read(inputs.compactMap(\.sourcePath))
    do {
      return Exclusive(
        try MovieWriter(
          path: file.samplesPath, movieType: container.movieTypes[0], container: container,
          trackCount: inputs.count, movieTimescale: nil,
          queue: queue))
    } catch {
      throw TranscodingError.meaning(of: error, output: file.destination)
    }
  }

  /// Finishes the inputs and the file, verifies it, and gives it its name.
  ///
  /// - Throws: ``TranscodingError``: what went wrong with any of the samples, too.
  public func finishWriting() async throws {
    let writer = try beginFinishing()
    defer { file.discard() }
    do {
      for input in inputs { try await input.markAsFinished() }
    } catch is CancellationError {
      // The writing thread ended; why, it tells below.
    }
    let destination = file.destination
    do {
      try await pipeline.finish()
    } catch let error as TranscodingError {
      throw error.naming(destination)
    }
    let (tracks, movieTimescale) = writer.use { ($0.writtenTracks(), $0.movieTimescale) }
    guard !tracks.isEmpty else {
      throw TranscodingError(.unusableInput, "\(destination): nothing was appended to any input")
    }
    let delivery = OutputDelivery(
      file: file, movieType: container.movieTypes[0], container: container,
      movieTimescale: movieTimescale ?? 1000,
      metadata: metadataSource.map(CarriedMetadata.init), verification: verification,
      promise: inputs.lazy.compactMap(\.promise).first)
    try await Pipeline.onThread("finish") { [self] checkpoint in
      do {
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
      case .finishing: throw TranscodingError(.invalidSettings, "the writer was finished before")
      case .cancelled: throw CancellationError()
      }
    }
  }

  private var isCancelled: Bool {
    state.withLock { if case .cancelled = $0.phase { true } else { false } }
  }

  /// Stops; nothing is left of the file.
  public func cancelWriting() {
    let isFinishing = state.withLock { state in
      defer { state.phase = .cancelled }
      return if case .finishing = state.phase { true } else { false }
    }
    pipeline.cancel()
    // Otherwise the work that finishes the file removes it.
    if !isFinishing { file.discard() }
  }

  /// Losses and assumptions of video; complete after the first frame.
  public var notices: [Notice] { inputs.flatMap(\.notices) }

  /// The keys that output settings for a kind of media can have
  /// (`supportedOutputSettingsKeys(for:)`): those under `video` in a preset. Inputs encode no
  /// audio, so that there are none for it.
  public static func supportedOutputSettingsKeys(for mediaType: MediaType) -> [String] {
    mediaType == .video ? PresetKey.keys(of: "video").map(\.name) : []
  }
}

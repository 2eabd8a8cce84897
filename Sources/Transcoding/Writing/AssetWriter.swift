public import Assets
public import CodePoints
internal import Foundation
internal import ISOBMFF
internal import LibAV
public import MediaCore
internal import Settings
internal import Synchronization

/// Writes a movie file from the samples that its inputs are given: `AVAssetWriter`.
///
/// Inputs are added, the writer is started, samples are appended, the writer is finished. The file
/// appears under its name when it is complete and verified; of a writer that is let go of before,
/// nothing is left.
public final class AssetWriter: @unchecked Sendable {
  // Sendable although it has state: one task at a time uses a writer.
  /// The inputs, in the order of the file's tracks.
  public private(set) var inputs: [AssetWriterInput] = []
  /// How the file is checked before it gets its name.
  public var verification = VerificationLevel.normal
  /// The asset whose dates, places and names are carried over; nil for none.
  public var metadataSource: MediaAsset?

  private let file: UnfinishedFile
  private let container: FileType
  private let pipeline = Pipeline()
  private var writer: MovieWriter?
  private let state = Mutex(State.open)

  private enum State {
    case open
    case finishing
    case cancelled
  }

  /// A writer of a file.
  ///
  /// - Parameters:
  ///   - path: where the file is to appear.
  ///   - fileType: QuickTime or MP4.
  ///   - overwrite: whether a file that is there may be replaced.
  /// - Throws: ``TranscodingError`` of kind `cannotCreateOutput`.
  public init(path: String, fileType: FileType, overwrite: Bool = false) throws {
    file = try UnfinishedFile(destination: path, overwrite: overwrite)
    container = fileType
  }

  deinit {
    pipeline.cancel()
    file.discard()
  }

  /// Adds a track.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a second track of pictures that
  ///   are encoded, of `unusableInput` for samples that the container cannot hold.
  public func add(_ input: AssetWriterInput) throws {
    precondition(writer == nil, "inputs are added before writing starts")
    if input.pictures != nil && inputs.contains(where: { $0.pictures != nil }) {
      throw TranscodingError(.invalidSettings, "a writer encodes one track of pictures")
    }
    if case .copy(let track, _) = input.knownMode, !container.holds(track) {
      throw TranscodingError(
        .unusableInput,
        "samples of codec \(track.codec.codecName) cannot be stored in .\(container.rawValue)")
    }
    inputs.append(input)
  }

  /// Creates the file; samples can be appended from now on.
  ///
  /// - Parameter time: the time of samples that the presentation begins at
  ///   (`startSession(atSourceTime:)`), for inputs that come from no track.
  /// - Throws: ``TranscodingError`` where the file cannot be created.
  public func startWriting(atSourceTime time: MediaTime = .zero) throws {
    precondition(writer == nil, "a writer is started once")
    guard !inputs.isEmpty else {
      throw TranscodingError(.invalidSettings, "a writer needs an input")
    }
    try FileIdentity.refuse(file.destination, among: inputs.compactMap(\.sourcePath))
    for input in inputs { input.begin(at: time) }
    let queue = pipeline.queue(of: MovieWriter.Item.self, capacity: 64)
    let writer: MovieWriter
    do {
      writer = try MovieWriter(
        path: file.samplesPath, container: container, inputs: inputs, movieTimescale: nil,
        queue: queue)
    } catch {
      throw TranscodingError.meaning(of: error, output: file.destination)
    }
    self.writer = writer
    let destination = file.destination
    pipeline.start("write") { try writer.write(for: destination) }
  }

  /// Finishes the inputs and the file, verifies it, and gives it its name.
  ///
  /// - Throws: ``TranscodingError``: what went wrong with any of the samples, too.
  public func finishWriting() async throws {
    guard let writer else { preconditionFailure("writing was started") }
    let before = state.withLock { state in
      defer { if state == .open { state = .finishing } }
      return state
    }
    if before == .cancelled { throw CancellationError() }
    guard before == .open else {
      throw TranscodingError(.invalidSettings, "the writer was finished before")
    }
    defer { file.discard() }
    do {
      for input in inputs { try await input.markAsFinished() }
    } catch is CancellationError {
      // The writing thread ended; why, it tells below.
    }
    try await pipeline.finish()
    let delivery = OutputDelivery(
      file: file, container: container, movieTimescale: writer.movieTimescale ?? 1000,
      metadata: metadataSource.map(CarriedMetadata.init), verification: verification,
      promise: inputs.lazy.compactMap { $0.pictures?.promise }.first)
    let destination = file.destination
    let tracks = writer.writtenTracks()
    guard !tracks.isEmpty else {
      throw TranscodingError(.unusableInput, "\(destination): nothing was appended to any input")
    }
    try await Pipeline.onThread("finish") { [self] checkpoint in
      do {
        try delivery.deliver(tracks) { [self] in
          try checkpoint()
          if state.withLock({ $0 == .cancelled }) { throw CancellationError() }
        }
      } catch {
        throw TranscodingError.meaning(of: error, output: destination)
      }
    }
  }

  /// Stops; nothing is left of the file.
  public func cancelWriting() {
    let before = state.withLock { state in
      defer { state = .cancelled }
      return state
    }
    pipeline.cancel()
    // Who finishes the file removes it.
    if before != .finishing { file.discard() }
  }

  /// What was assumed of pictures and what is lost of them, complete after the first picture.
  public var notices: [Notice] {
    inputs.flatMap { ($0.pictures?.notices ?? []) + ($0.boxes.copiedPictures?.notices ?? []) }
  }

  /// The keys that output settings for a kind of media can have
  /// (`supportedOutputSettingsKeys(for:)`): those under `video` in a preset. Sound is not encoded,
  /// so that there are none for it.
  public static func supportedOutputSettingsKeys(for mediaType: MediaType) -> [String] {
    mediaType == .video ? PresetKey.keys(of: "video").map(\.name) : []
  }
}

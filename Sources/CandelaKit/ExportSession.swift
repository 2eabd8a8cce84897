// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
internal import CodePoints
public import FoundationEssentials
internal import Host
public import MediaCore
public import Planning
internal import Reading
internal import Segments
public import Settings
public import Transcoding

/// Makes a file from another one, with one of AVFoundation's export presets. Presets are chosen by
/// name. Corresponds to `AVAssetExportSession`.
///
/// HEVC presets keep the format and the depth of the source: HLG stays HLG, PQ stays PQ, and SDR
/// stays SDR. H.264 presets turn HDR into SDR. No preset enlarges frames.
///
/// If the task is cancelled, the export is cancelled and leaves no output behind.
public struct ExportSession: Sendable {
  /// The presets. Their raw values are the values of AVFoundation's constants.
  public enum PresetName: String, Sendable, CaseIterable {
    /// HEVC in the source's size.
    case hevcHighestQuality = "AVAssetExportPresetHEVCHighestQuality"
    /// HEVC, at most 3840 × 2160.
    case hevc3840x2160 = "AVAssetExportPresetHEVC3840x2160"
    /// HEVC, at most 1920 × 1080.
    case hevc1920x1080 = "AVAssetExportPresetHEVC1920x1080"
    /// H.264 in the source's size.
    case highestQuality = "AVAssetExportPresetHighestQuality"
    /// H.264, at most 3840 × 2160.
    case h264At3840x2160 = "AVAssetExportPreset3840x2160"
    /// H.264, at most 1920 × 1080.
    case h264At1920x1080 = "AVAssetExportPreset1920x1080"
    /// H.264, at most 1280 × 720.
    case h264At1280x720 = "AVAssetExportPreset1280x720"
    /// H.264, at most 960 × 540.
    case h264At960x540 = "AVAssetExportPreset960x540"
    /// H.264, at most 640 × 480.
    case h264At640x480 = "AVAssetExportPreset640x480"
    /// The source's samples, unchanged.
    case passthrough = "AVAssetExportPresetPassthrough"
  }

  /// The path of the file to read.
  public let input: String
  /// The preset, which decides codec, size and whether HDR is kept.
  public let presetName: PresetName

  /// The kind of file to write; `nil` to take the kind from the output's extension.
  public var outputFileType: FileType?
  /// The options of the run, such as what to do about damage, how to verify the output, what the
  /// source's colors mean, and how many processes encode. If ``videoComposition`` or ``timeRange``
  /// is set, it takes precedence over the one in the options.
  public var options = TranscodeOptions()
  /// The part of the presentation to export; `nil` to export all of it. The output contains every
  /// frame that is shown during this part, and presents exactly this part, to the tick. A frame
  /// that begins when the part ends is not exported.
  public var timeRange: MediaTimeRange?
  /// The composition that draws each frame before it is encoded; `nil` to leave frames unchanged.
  public var videoComposition: VideoComposition?

  private let monitor = ExportMonitor()

  /// Creates a session for a file.
  public init(input: String, presetName: PresetName) {
    self.input = input
    self.presetName = presetName
  }

  /// Creates a session for the file of an asset, which is opened again.
  public init(asset: MediaAsset, presetName: PresetName) {
    self.init(input: asset.path, presetName: presetName)
  }

  /// Returns all presets. All of them can export any file with video.
  public static func allExportPresets() -> [PresetName] { PresetName.allCases }

  /// Returns the presets that can export an asset: all of them if it has video, otherwise only
  /// pass-through.
  public static func exportPresets(compatibleWith asset: MediaAsset) -> [PresetName] {
    asset.videoTrack == nil ? [.passthrough] : allExportPresets()
  }

  /// The kinds of file that can be written.
  public var supportedFileTypes: [FileType] { FileType.allCases }

  /// Returns the settings that a preset stands for.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`.
  public static func settings(for name: PresetName) throws -> TranscodeSettings {
    try TranscodeSettings(json(for: name))
  }

  /// Returns the settings that a preset stands for, in the JSON form of Candela's own presets.
  private static func json(for name: PresetName) throws -> JSONValue {
    var changes = ["name=\(name.rawValue)"]
    if name == .passthrough { changes += ["video.codec=passthrough", "audio=passthrough"] }
    if let size = name.largestSize {
      changes += ["video.width=\(size.width)", "video.height=\(size.height)"]
    }
    return try Preset.json(name.isH264 ? "h264-sdr" : "hevc-match-source", changes: changes)
  }

  /// Writes the file.
  ///
  /// - Parameters:
  ///   - output: the path of the file. Its extension is `.mov`, `.mp4`, `.mkv`, `.webm` or another
  ///     that these kinds of file have, such as `.m4v`.
  ///   - overwrite: whether to replace an existing file. ``options`` can allow it as well.
  /// - Throws: ``TranscodingError``; `CancellationError` if the task is cancelled.
  @discardableResult
  public func export(to output: String, overwrite: Bool = false) async throws -> TranscodeResult {
    let run = monitor.begin()
    defer { monitor.end(run) }
    var json = try Self.json(for: presetName)
    if let outputFileType {
      try TranscodePlan.refuse(output, unlessOf: outputFileType)
      json[["container"]] = .string(outputFileType.rawValue)
    }
    var options = options
    // `false` is the default of the argument, so it must not forbid what the options allow.
    if overwrite { options.overwrite = true }
    if let videoComposition { options.videoComposition = videoComposition }
    if let timeRange {
      // A program can pass a time of any value and scale. If a time would overflow later, refuse it
      // here.
      try TranscodingError.refuse(timeRange.start, as: "start of the time range")
      try TranscodingError.refuse(timeRange.end, as: "end of the time range")
      options.range = TimeRange(start: .time(timeRange.start), end: .time(timeRange.end))
    }
    let request = JobRequest(input: input, output: output, settings: json, options: options)
    return try await request.run { [monitor] in monitor.export(by: $0, in: run) }
  }

  /// Writes a file of a given kind.
  ///
  /// - Parameters:
  ///   - url: the file URL of the output.
  ///   - fileType: the kind of file, only for this export.
  /// - Throws: ``TranscodingError``; `CancellationError` if the task is cancelled.
  @discardableResult
  public func export(to url: URL, as fileType: FileType) async throws -> TranscodeResult {
    var session = self
    session.outputFileType = fileType
    return try await session.export(to: url.filePath())
  }

  /// Returns the states of the running export, or of the first export if none has begun yet. The
  /// current state comes first. The states are `pending`, `waiting`, and then `exporting`, which is
  /// repeated with the latest progress. The sequence ends when the export ends. Only the call of
  /// `export` tells whether the export succeeded, failed or was cancelled.
  ///
  /// If the latest export has already ended, the sequence ends at once, so that no loop waits for
  /// an export that never begins. To watch an export from its beginning, use a new session for it.
  ///
  /// - Parameter updateInterval: the time between two reports of progress.
  public func states(updateInterval: Duration = .seconds(1)) -> AsyncStream<State> {
    monitor.states(updateInterval: updateInterval)
  }

  /// Returns the states of the export, as the function that takes a `Duration` does.
  ///
  /// - Parameter updateInterval: the seconds between two reports of progress, up to a day. Longer
  ///   intervals, infinity included, count as a day.
  public func states(updateInterval: Double) -> AsyncStream<State> {
    states(updateInterval: .seconds(min(max(updateInterval, 0), 86_400)))
  }
}

extension ExportSession.PresetName {
  fileprivate var isH264: Bool {
    switch self {
    case .hevcHighestQuality, .hevc3840x2160, .hevc1920x1080, .passthrough: false
    default: true
    }
  }

  /// The size that frames must fit into; `nil` to keep the source's.
  fileprivate var largestSize: VideoDimensions? {
    switch self {
    case .hevcHighestQuality, .highestQuality, .passthrough: nil
    case .hevc3840x2160, .h264At3840x2160: VideoDimensions(width: 3840, height: 2160)
    case .hevc1920x1080, .h264At1920x1080: VideoDimensions(width: 1920, height: 1080)
    case .h264At1280x720: VideoDimensions(width: 1280, height: 720)
    case .h264At960x540: VideoDimensions(width: 960, height: 540)
    case .h264At640x480: VideoDimensions(width: 640, height: 480)
    }
  }
}

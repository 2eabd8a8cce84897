// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import FoundationEssentials
internal import Host
internal import ISOBMFF
internal import MediaCore
internal import Planning
internal import Settings

/// Makes still images of a source's frames.
package struct StillSession: Sendable {
  /// A finished still.
  package struct Still: Sendable {
    /// The path of its file.
    package let path: String
    /// The frame, counted from 0 in the presentation.
    package let frame: Int
    /// The requested frame. If it cannot be decoded, ``frame`` is a different frame.
    package let wantedFrame: Int
    /// When the frame is presented, in seconds.
    package let seconds: Double
    /// Whether damage was concealed in parts of the still.
    package let isDamaged: Bool
  }

  /// What a run has made.
  package struct Result: Sendable {
    /// The stills, in the order of their times.
    package let stills: [Still]
    /// The paths of their files, each once.
    package var paths: [String] {
      stills.map(\.path).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
    /// The size of each file, in pixels.
    package let size: VideoDimensions
    /// Losses, assumptions about the source, and the requested size or number of stills if it was
    /// not reached.
    package let notices: [Notice]
    /// A sentence about a source that is cut off, if stills of the missing part were requested.
    package let missing: String?
  }

  private let asset: MediaAsset
  private let track: AssetTrack
  private let output: String
  private let options: StillOptions
  private let format: StillFormat

  /// Opens a source.
  ///
  /// - Parameter output: the path of the still's file. If there are several stills, `%d` in the
  ///   path stands for the number of each, counted from 1.
  /// - Throws: ``TranscodingError`` if there is no video, and for options that contradict each
  ///   other.
  package init(input: String, output: String, options: StillOptions) async throws {
    format = try StillFormat(path: output)
    (self.output, self.options) = (output, options)
    let depths = format.depths
    let bits = depths.map { "\($0)" }.joined(separator: " or ")
    if options.keepsHDR && depths == [8] || !depths.contains(options.depth) {
      throw TranscodingError(
        .invalidSettings,
        "\(output): .\(format.rawValue) has \(bits) bits; HDR needs 16 in .png or 10 in .avif")
    }
    asset = try await MediaAsset.load(path: input)
    guard let track = asset.videoTrack else {
      throw TranscodingError(.unusableInput, "\(input): it has no video")
    }
    self.track = track
  }

  /// Makes the stills.
  ///
  /// - Parameter made: is called with each still once its file is complete.
  package func run(made: @escaping @Sendable (Still) throws -> Void) async throws -> Result {
    try await Pipeline.onThread("still") { checkpoint in
      do {
        return try make(checkpoint, made)
      } catch {
        throw TranscodingError.meaning(of: error, input: asset.path)
      }
    }
  }

  private func make(
    _ checkpoint: Pipeline.Checkpoint, _ made: (Still) throws -> Void
  ) throws -> Result {
    let seeker = try FrameSeeker(asset, track, checkpoint: checkpoint)
    let plan = try plan()
    let wanted = try RequestedFrames(options, in: seeker)
    let layout = options.layout.fitting(wanted.places.count)
    let outputs = try options.layout.files(
      named: output, of: wanted.places, isMany: options.selection.isMany
    ) { place in
      guard let first = asset.timeCode else {
        throw TranscodingError(
          .unusableInput, "it has no time code: leave {timecode} out of the name")
      }
      return first.advanced(by: seeker.frames[place].lowerBound)
    }
    // Before the first still is made, refuse every name that is already taken, so that a run does
    // not stop halfway.
    let files = RunFiles(reading: asset.path)
    for output in outputs {
      try UnfinishedFile.check(output.path, overwrite: options.overwrite, in: files)
    }
    let size = layout.size(of: plan.size)
    let file = file(plan, size)
    try file.check(width: size.width, height: size.height)
    var stills: [Still] = []
    for output in outputs {
      var (found, pictures) = ([Still](), [PixelBuffer]())
      var frames: [VideoFrame] = []
      for place in output.frames {
        let frame = try seeker.nearest(to: place, checkpoint: checkpoint)
        pictures.append(try plan.display(frame.frame))
        frames.append(frame.frame)
        found.append(
          Still(
            path: output.path, frame: frame.place, wantedFrame: place,
            seconds: seeker.frames[frame.place].lowerBound.seconds, isDamaged: frame.isDamaged))
      }
      guard let picture = layout.picture(of: pictures) else { continue }
      // Gain curves are true only of a single frame that keeps its colors, so a sheet has none.
      let gain =
        options.keepsHDR && frames.count == 1
        ? try seeker.metadata(of: frames[0], checkpoint: checkpoint)[HeadroomAdaptiveGain.self]
        : nil
      try write(file.bytes(of: picture, gain: gain), to: output.path, in: files)
      try found.forEach(made)
      stills += found
    }
    return Result(
      stills: stills, size: size,
      notices: plan.notices + sizeNotices(plan)
        + (wanted.unreachedCount.map { [.fewerFrames(than: $0, stills.count)] } ?? []),
      missing: missing(of: wanted, seeker))
  }

  private func file(_ plan: DisplayPlan, _ size: VideoDimensions) -> StillFile {
    let isSRGB = !options.keepsHDR && options.color == .sRGB
    return StillFile(
      format: format, color: options.keepsHDR ? nil : options.color,
      hdrMetadata: plan.staticHDRMetadata,
      exif: asset.exif(format: format, size: size, isSRGB: isSRGB))
  }

  private func sizeNotices(_ plan: DisplayPlan) -> [Notice] {
    guard let width = options.width, width > plan.size.width else { return [] }
    let height = Double(width) * Double(plan.size.height) / Double(plan.size.width)
    let wanted = VideoDimensions(width: width, height: Int(exactly: height.rounded()) ?? width)
    return [.sizeNotReached(wanted, by: plan.size, isStill: true)]
  }

  /// Returns a sentence about a file that is cut off, if the missing part was requested.
  private func missing(of wanted: RequestedFrames, _ seeker: FrameSeeker) -> String? {
    let packet = asset.endsInsidePacket ? "it ends in the middle of a packet" : nil
    // The tables of a movie without fragments list the missing frames, too, so these are reported
    // one by one. Other files do not list them, so this one sentence reports them all.
    guard let reason = asset.missingData ?? packet, asset.movie?.isFragmented ?? true else {
      return nil
    }
    guard options.isMany || wanted.isBeyondEnd else { return nil }
    let end = seeker.frames[seeker.frames.count - 1].upperBound.roundedSeconds
    return "\(asset.path) is cut off: \(reason); "
      + (options.isMany
        ? "stills show what is there, up to \(end) s"
        : "the requested frame is missing: \(output) shows an earlier one, before \(end) s")
  }

  private func plan() throws -> DisplayPlan {
    var settings = VideoSettings(
      still: format, color: options.keepsHDR ? nil : options.color,
      depth: options.keepsHDR ? format.depths.max() ?? 16 : options.depth)
    settings.width = options.width ?? options.layout.usualWidth
    let plan = try DisplayPlan(
      of: track, settings: settings,
      fitting: options.shots.decided(for: asset, isMany: options.isMany),
      sourceColor: options.sourceColor,
      matrix: format == .avif ? .bt2020NonConstant : .identity,
      // Only WebP has 4:2:0, in which two stills side by side would share samples of chroma if
      // their widths were odd.
      isExact: !options.layout.isShared || format != .webp)
    if options.keepsHDR, !plan.result.color.transferCharacteristics.isHDR {
      throw TranscodingError(
        .unusableInput,
        "\(asset.path): it is not HDR (\(plan.believedColor)), so there is no HDR to keep"
      )
    }
    return plan
  }

  private func write(_ bytes: [UInt8], to path: String, in files: RunFiles) throws {
    let file = try UnfinishedFile(
      destination: path, overwrite: options.overwrite, in: files)
    defer { file.discard() }
    try file.write(bytes)
    try file.publish()
  }
}

extension StillSession.Result: JSONObject {
  package static let meaning = "Still images that were written."
  package static let fields: [JSONField<StillSession.Result>] = [
    .init("stills", "The stills, in the order of their times.") { $0.stills },
    .init("width", "The width of the files, in pixels.", .count) { $0.size.width },
    .init("height", "The height of the files, in pixels.", .count) { $0.size.height },
    .init("notices", "Losses and assumptions.") { $0.notices },
    .init("missing", "A sentence on what could not be shown because the source is cut off.") {
      $0.missing
    },
  ]
}

extension StillSession.Still: JSONObject {
  package static let fields: [JSONField<StillSession.Still>] = [
    .init("path", "The path of the file; all stills of a sheet share one path.") { $0.path },
    .init("frame", "The number of the frame in presentation order, from 0.", .count) { $0.frame },
    .init(
      "wantedFrame",
      "The requested frame's number. If that frame cannot be decoded, another is shown.", .count
    ) { $0.wantedFrame },
    .init("time", "When the frame is presented, in seconds.") { $0.seconds },
    .init("isDamaged", "Whether damage was concealed in parts of the still.") { $0.isDamaged },
  ]
}

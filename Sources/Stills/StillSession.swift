// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
package import CodePoints
internal import FoundationEssentials
internal import ISOBMFF
internal import MediaCore
internal import Settings
internal import Transcoding

/// Makes still images of a source's frames.
package struct StillSession: Sendable {
  /// A still that was made.
  package struct Still: Sendable {
    /// The path of its file.
    package let path: String
    /// The frame, counted from 0 in the presentation.
    package let frame: Int
    /// The frame that was meant, which cannot be decoded; the same for one that can.
    package let wantedFrame: Int
    /// The time of the presentation at which the frame is shown, in seconds.
    package let seconds: Double
    /// True if parts of it were made up.
    package let isDamaged: Bool
  }

  /// The stills of a run.
  package struct Result: Sendable {
    /// The stills, in the order of time.
    package let stills: [Still]
    /// The size of their files, in pixels.
    package let size: VideoDimensions
    /// Notices about assumptions.
    package let notices: [Notice]
    /// A sentence about a source that is cut off where stills of it were wanted; nil for others.
    package let missing: String?
  }

  /// A frame that is wanted.
  private struct Wanted {
    /// The place of the frame in the presentation.
    let place: Int
    /// True if the time that was named is behind all frames that are there.
    var isBehind = false
  }

  /// Time at the beginning in which a frame is looked for that is not black.
  private static let search = MediaTime(value: 5, timescale: 1)
  /// The most stills of a run.
  private static let most = 10_000.0

  private let asset: MediaAsset
  private let track: AssetTrack
  private let output: String
  private let options: StillOptions
  private let format: StillFormat

  /// Opens a source.
  ///
  /// - Parameter output: the path of the stills; of several, with `%d` for their number from 1.
  /// - Throws: ``TranscodingError`` where there is no video, and for options that contradict each
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
  /// - Parameter made: is called with each still of which the file is there.
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
    let wanted = try wanted(seeker)
    let names = StillNames(
      output, isMany: options.selection.isMany && options.sheet == nil)
    let paths = try paths(names, wanted.count)
    for path in paths {
      try UnfinishedFile.check(path, overwrite: options.overwrite, protecting: [asset.path])
    }
    let size = VideoDimensions(
      width: plan.size.width * (options.sheet?.columns ?? 1),
      height: plan.size.height * (options.sheet?.rows ?? 1))
    let isSRGB = !options.keepsHDR && options.color == .sRGB
    let file = StillFile(
      format: format, color: options.keepsHDR ? nil : options.color,
      hdrMetadata: plan.staticHDRMetadata,
      exif: ExifData(asset, format: format, size: size, isSRGB: isSRGB).bytes)
    try file.check(width: size.width, height: size.height)
    var (stills, pictures) = ([Still](), [PixelBuffer]())
    for (index, place) in wanted.map(\.place).enumerated() {
      let found = try seeker.nearest(to: place, checkpoint: checkpoint)
      let picture = try plan.display(found.frame)
      let path = paths[min(index, paths.count - 1)]
      let still = Still(
        path: path, frame: found.place, wantedFrame: place,
        seconds: seeker.frames[found.place].lowerBound.seconds, isDamaged: found.isDamaged)
      stills.append(still)
      if options.sheet == nil {
        try write(file.bytes(of: picture), to: path)
        try made(still)
      } else {
        pictures.append(picture)
      }
    }
    if let sheet = options.sheet?.picture(of: pictures) {
      try write(file.bytes(of: sheet), to: paths[0])
      try stills.forEach(made)
    }
    return Result(
      stills: stills, size: size, notices: plan.notices + sizeNotices(plan),
      missing: missing(of: wanted, seeker))
  }

  private func sizeNotices(_ plan: DisplayPlan) -> [Notice] {
    guard let width = options.width, width > plan.size.width else { return [] }
    return [.stillNotEnlarged(to: width, from: plan.size)]
  }

  /// A sentence about a file that was cut off, where what it lacks was wanted; nil for others. The
  /// tables of a movie list frames that it does not have; of other files they are unknown.
  private func missing(of wanted: [Wanted], _ seeker: FrameSeeker) -> String? {
    let packet = asset.endsInsidePacket ? "it ends inside of a packet" : nil
    guard let reason = asset.missingData ?? packet, asset.movie?.isFragmented ?? true else {
      return nil
    }
    let isOne = !options.selection.isMany && options.sheet == nil
    guard !isOne || wanted.contains(where: \.isBehind) else { return nil }
    let end = seeker.frames[seeker.frames.count - 1].upperBound.roundedSeconds
    return "\(asset.path) is cut off: \(reason); "
      + (isOne
        ? "the frame that was meant is not there: \(output) has one before \(end) s"
        : "stills are of what is there, up to \(end) s")
  }

  private func plan() throws -> DisplayPlan {
    var settings = VideoSettings(
      still: format, color: options.keepsHDR ? nil : options.color,
      depth: options.keepsHDR ? format.depths.max() ?? 16 : options.depth)
    settings.width = options.width ?? options.sheet.map { _ in ContactSheet.usualWidth }
    let plan = try DisplayPlan(
      of: track, settings: settings, fitting: options.shots.fitting(for: asset),
      sourceColor: options.sourceColor,
      matrix: format == .avif ? .bt2020NonConstant : .identity,
      // The chroma of two stills side by side cannot share a sample.
      isExact: options.sheet == nil || format != .webp)
    if options.keepsHDR, !plan.result.color.transferCharacteristics.isHDR {
      throw TranscodingError(
        .unusableInput, "\(asset.path): it is not HDR (\(plan.believedColor)), which cannot be kept"
      )
    }
    return plan
  }

  /// The frames that are wanted.
  private func wanted(_ seeker: FrameSeeker) throws -> [Wanted] {
    let frames = seeker.frames
    let end = frames[frames.count - 1].upperBound
    switch options.selection {
    case .single(let bound):
      let time = try seeker.time(of: bound)
      return [Wanted(place: seeker.place(at: time), isBehind: time >= end)]
    case .automatic where options.sheet == nil:
      return [Wanted(place: try seeker.firstLit(within: Self.search))]
    case .every(let step):
      guard step > .zero else {
        throw TranscodingError(.invalidSettings, "the time between stills has to be more than 0")
      }
      // A multiple that is the end by rounding is none.
      let count = (end.seconds / step.seconds - 1e-6).rounded(.up)
      guard count <= Self.most else {
        throw TranscodingError(
          .invalidSettings,
          "\(asset.path): one every \(step.seconds) s would be \(Int(min(count, 1e15))) stills, "
            + "\(Int(Self.most)) at most are made")
      }
      return (0..<max(Int(count), 1)).map { index in
        let time = MediaTime(value: step.value * Int64(index), timescale: step.timescale)
        return Wanted(place: seeker.place(at: time))
      }
    case .count, .automatic:
      let usual = options.sheet?.count ?? 1
      let count = if case .count(let wanted) = options.selection { wanted } else { usual }
      return (0..<count).map { index in
        let part = (Double(index) + 0.5) / Double(count)
        let nanoseconds = Int64((end.seconds * part * 1e9).rounded())
        let time = MediaTime(value: nanoseconds, timescale: 1_000_000_000)
        return Wanted(place: seeker.place(at: time))
      }
    }
  }

  /// The paths of the files, of which a sheet is one.
  private func paths(_ names: StillNames, _ count: Int) throws -> [String] {
    guard let sheet = options.sheet else { return try names.paths(count) }
    guard count <= sheet.count else {
      throw TranscodingError(
        .invalidSettings, "a sheet of \(sheet.count) stills has no room for \(count)")
    }
    return try names.paths(1)
  }

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = try UnfinishedFile(
      destination: path, overwrite: options.overwrite, protecting: [asset.path])
    defer { file.discard() }
    try file.write(bytes)
    try file.publish()
  }
}

/// Notices about stills.
extension Notice {
  /// Frames that are smaller than the stills that were asked for.
  static func stillNotEnlarged(to width: Int, from size: VideoDimensions) -> Notice {
    Notice(
      "sizeNotReached", ["size": "\(size)", "wanted": "\(width)"],
      "stills are \(size), not \(width) wide as asked for: frames are never enlarged")
  }
}

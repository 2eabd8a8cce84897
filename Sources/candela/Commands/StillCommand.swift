// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Host
internal import MediaCore
internal import Reading
internal import Segments
internal import Stills

extension StillColor: ExpressibleByArgument {}
extension StillOptions.Shots: ExpressibleByArgument {}

struct StillCommand: MakingCommand {
  typealias Report = StillSession.Result

  static let configuration = CommandConfiguration(
    commandName: "still", abstract: "Makes still images of frames, with the right colors.",
    discussion: """
      A still looks like the frame in a player: rotated as the file says, with square pixels, \
      and with HDR mapped to the still's color space. By default, it shows the first frame that \
      is not black, if there is one in the first five seconds.

      EXAMPLES:
        candela still clip.mov poster.jpg --time 2.5 --width 1280
        candela still clip.mov sheet.png --sheet 4x4
        candela still Photos --recursive --into thumbs --width 320 --existing skip
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The file to read, then the file to write: .png, .jpg, .webp or .avif. For several stills, %d \
      or %03d in its name stands for the number, and {timecode} for the time code. With --into, \
      files to read.
      """, valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    help: ArgumentHelp(
      "The time of the frame: \(TimeRange.Bound.spellings).", valueName: "time"))
  var time: String?

  @Option(help: ArgumentHelp("The frame's number in presentation order, from 0.", valueName: "N"))
  var frame: Int?

  @Option(
    help: ArgumentHelp("Makes a still at every multiple of a time, such as 10s.", valueName: "time")
  )
  var every: String?

  @Option(help: ArgumentHelp("Makes this many stills, evenly spaced.", valueName: "N"))
  var count: Int?

  @Option(
    help: ArgumentHelp("The width of a still; frames are never enlarged.", valueName: "pixels"))
  var width: Int?

  @Option(
    help: ArgumentHelp("Puts all stills into one image: 3x3 is columns by rows.", valueName: "CxR"))
  var sheet: String?

  @Option(
    help: ArgumentHelp(
      "Overrides the source's color tags: 709, hlg, …, or primaries/transfer/matrix as in 9/18/9.",
      valueName: "color"), completion: .colors)
  var sourceColor: String?

  @Option(help: "The color space.")
  var color: StillColor?

  @Option(
    help: ArgumentHelp(
      "The bits of a sample: 8, 10 (only .avif) or 16 (only .png).", valueName: "bits"))
  var depth: Int?

  @Flag(help: "Keeps PQ or HLG, in a 16-bit .png or a 10-bit .avif.")
  var hdr = false

  @Option(
    help: """
      What to fit tone curves to: the source's shots as in a transcode (source), each frame \
      (frame) or nothing (off). With 'auto', it is the source's shots if they are found quickly, \
      otherwise each frame.
      """)
  var shots = StillOptions.Shots.auto

  @Flag(name: [.long, .customShort("y")], help: "Replaces existing files.")
  var overwrite = false

  @Flag(name: [.long, .customShort("q")], help: "Prints errors only.")
  var quiet = false

  @Option(help: CoreCount.help) var threads: CoreCount?

  @Option(
    help: ArgumentHelp(
      """
      With --jobs, the most memory for all files that run at once, such as 8G; by default, half of \
      what is free. At least one file runs.
      """,
      valueName: "size"))
  var memory: String?

  @OptionGroup(title: "MANY FILES") var batch: BatchArguments

  @OptionGroup var reporting: ReportArguments

  var choices: [(name: String, value: String?)] {
    [
      ("time", time), ("frame", frame.map { "\($0)" }), ("every", every),
      ("count", count.map { "\($0)" }), ("width", width.map { "\($0)" }), ("sheet", sheet),
      ("source-color", sourceColor), ("color", color.map { "\($0)" }),
      ("depth", depth.map { "\($0)" }), ("hdr", hdr ? "true" : nil), ("shots", shots.rawValue),
    ]
  }

  var replacing: Self {
    var command = self
    command.overwrite = true
    return command
  }

  var sharedMemory: UInt64? {
    get throws { try memory.map(WorkerArguments.bytes) ?? SystemLimits.usualMemory }
  }

  func memory(of input: String) async -> UInt64 {
    // If the options are wrong or the source cannot be opened, no still is made, and little memory
    // is needed.
    guard let options = try? options() else { return 0 }
    return (try? await StillSession.memory(of: input, options)) ?? 0
  }

  func names(into folder: String) throws -> BatchNames {
    let isNumbered = try selection().isMany && sheet == nil
    return try BatchNames(
      into: folder, pattern: batch.name, usual: isNumbered ? "{name}-%d.{ext}" : "{name}.{ext}",
      later: StillLayout.timeCodePlace,
      first: { isNumbered ? try? StillLayout.paths($0, of: 1, isMany: true).first : nil },
      // A placeholder such as `%d` in the name of a source must not become the still's number.
      plain: { StillLayout.plain($0) }
    ) { _ in
      StillFormat.jpg.rawValue
    } check: {
      _ = try StillFormat(path: $0)
    }
  }

  func check() throws {
    _ = try (options(), sharedMemory)
    guard try selection().isMany, sheet == nil else { return }
    if let name = batch.name, !StillLayout.isNumbered(name),
      !name.contains(StillLayout.timeCodePlace)
    {
      throw Self.refusal(
        "--name", name, "several stills of a file need %d, %03d or {timecode} in their names")
    }
  }

  func work(on input: String, to output: String?) async throws -> ExitStatus {
    let session = try await StillSession(input: input, output: output ?? "", options: options())
    // Standard output has JSON, or one line for each still, which scripts can read. Everything else
    // goes to standard error.
    let result = try await session.run { [isSilent = reporting.json || quiet] still in
      FileEvent(files: [still.path]).post()
      if !isSilent { try Console.printLine(Self.line(still)) }
    }
    RunMessages(isQuiet: quiet).say(result.notices)
    let moved = result.stills.filter { $0.frame != $0.wantedFrame }
    for still in moved {
      Console.printError(
        "candela: frame \(still.wantedFrame) cannot be decoded: \(still.path) shows frame "
          + "\(still.frame), the nearest decodable one")
    }
    let damaged = result.stills.filter(\.isDamaged)
    for still in damaged {
      Console.printError("candela: frame \(still.frame) is damaged: parts of it are concealed")
    }
    if let missing = result.missing { Console.printError("candela: \(missing)") }
    try show(result)
    let isWhole = moved.isEmpty && damaged.isEmpty && result.missing == nil
    return isWhole ? .done : .concealed
  }

  private static func line(_ still: StillSession.Still) -> String {
    let seconds = (still.seconds * 1e6).rounded() / 1e6
    return "\(still.path): frame \(still.frame) at \(seconds) s"
  }

  private func options() throws -> StillOptions {
    var options = StillOptions()
    options.selection = try selection()
    options.width = width
    options.keepsHDR = hdr
    options.shots = shots
    options.overwrite = overwrite
    options.color = color ?? .sRGB
    options.sourceColor = try sourceColor.map {
      try PresetArguments.color($0, option: "--source-color")
    }
    options.depth = depth ?? 8
    if let width, !(1...65_535).contains(width) {
      throw Self.refusal("--width", "\(width)", "use 1 to 65535 pixels")
    }
    if let depth, ![8, 10, 16].contains(depth) {
      throw Self.refusal("--depth", "\(depth)", "use 8, 10 or 16 bits")
    }
    if hdr, color != nil || depth == 8 {
      throw TranscodingError(
        .invalidSettings,
        "--hdr keeps the source's color, in 16 or 10 bits: leave out --color and --depth 8"
      )
    }
    if let sheet {
      guard let layout = StillLayout(spelling: sheet) else {
        throw Self.refusal("--sheet", sheet, "use columns and rows, such as 4x3, up to 100x100")
      }
      options.layout = layout
    }
    return options
  }

  private func selection() throws -> StillOptions.Selection {
    let named = [time != nil, frame != nil, every != nil, count != nil].filter { $0 }.count
    guard named <= 1 else {
      throw TranscodingError(
        .invalidSettings, "--time, --frame, --every and --count cannot be combined: use one")
    }
    if let time { return .single(try TimeRange.Bound(time, option: "--time")) }
    if let frame {
      guard frame >= 0 else {
        throw Self.refusal("--frame", "\(frame)", "frames are counted from 0")
      }
      return .single(.frame(frame))
    }
    if let count {
      guard (1...10_000).contains(count) else {
        throw Self.refusal("--count", "\(count)", "use 1 to 10000 stills")
      }
      return .count(count)
    }
    guard let every else { return .automatic }
    let text = every.hasSuffix("s") ? String(every.dropLast()) : every
    guard case .time(let step)? = TimeRange.Bound(spelling: text), step > .zero else {
      throw Self.refusal("--every", every, "use a time above 0, such as 10s")
    }
    return .every(step)
  }

  /// - Parameter values: the end of the error's sentence. It says which values the option takes, or
  ///   why it refuses this one.
  private static func refusal(
    _ option: String, _ value: String, _ values: String
  ) -> TranscodingError {
    TranscodingError(.invalidSettings, "\(option) cannot be '\(value)': \(values)")
  }
}

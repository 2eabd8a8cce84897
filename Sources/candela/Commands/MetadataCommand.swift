// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import CodePoints
internal import Grafting
internal import Host
internal import Inspection
internal import MediaCore
internal import Planning
internal import Settings

struct MetadataCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "metadata",
    abstract: "Shows, converts and plots HDR metadata, and puts it onto other encodes.",
    discussion: """
      Nothing is encoded: coded frames stay the same, byte for byte.

      EXAMPLES:
        candela metadata show clip.mov
        candela metadata convert hdr10plus.mkv out.mp4 --dolby-vision 8.1
        candela metadata convert film.mp4 out.mp4 --hdr10plus measure --light measure
        candela metadata graft phone.mov nvenc.mp4 out.mp4
      """,
    subcommands: [Show.self, Convert.self, Graft.self, Plot.self])

  struct Show: ReadingCommand {
    typealias Report = MetadataReport

    static let configuration = CommandConfiguration(
      abstract: "Prints the HDR metadata of a file and of its frames.",
      discussion: """
        EXAMPLES:
          candela metadata show clip.mov
          candela metadata show Shelf --recursive --json
        """)

    @Argument(
      help: ArgumentHelp("The files to read.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Also lists each frame's Dolby Vision level 1, HDR10+ and other user data.")
    var frames = false

    @OptionGroup(title: "MANY FILES") var finding: FilesArguments

    @OptionGroup var reporting: ReportArguments

    func work(on input: String, to output: String?) async throws -> ExitStatus {
      let report = try await MetadataReport.load(path: input, includingFrames: frames)
      try show(report) { try Console.printReport(report.text) }
      return .done
    }
  }

  struct Plot: PlottingCommand {
    typealias Report = WrittenFile

    static let plottedValues = "level 1 and HDR10+"

    static let configuration = CommandConfiguration(
      abstract: "Plots the light that the metadata states for each frame, in PQ and cd/m².",
      discussion: """
        The plot shows level 1 of Dolby Vision, and the maximum and average of HDR10+.

        EXAMPLES:
          candela metadata plot clip.mov light.png
          candela metadata plot Shelf --recursive --into plots
        """)

    @OptionGroup var plot: PlotArguments

    @OptionGroup var reporting: ReportArguments

    func draw(_ input: String, to output: String, overwrite: Bool) async throws {
      try await MetadataReport.writePlot(of: input, to: output, overwrite: overwrite)
    }
  }

  struct Convert: MakingCommand {
    typealias Report = SessionDocument

    static let configuration = CommandConfiguration(
      abstract: "Adds, replaces or removes HDR metadata.",
      discussion: """
        Values are measured in the decoded frames. Metadata stays unless an option names it.

        EXAMPLES:
          candela metadata convert film.mp4 out.mp4 --hdr10plus measure --light measure
          candela metadata convert hdr10plus.mkv out.mp4 --dolby-vision 8.1
          candela metadata convert Shelf --recursive --into dv --dolby-vision 8.1
        """)

    /// The profile that the frames get.
    enum DolbyVisionProfile: String, CaseIterable, ExpressibleByArgument {
      case pq = "8.1"
      case hlg = "8.4"
      case none
    }

    /// Whether metadata is measured or removed.
    enum Measuring: String, CaseIterable, ExpressibleByArgument {
      case measure, none
    }

    @Argument(
      help: ArgumentHelp(
        """
        The file to read (\(FileType.namesOfSources), with HEVC, H.264 or AV1), then the file to \
        write: \(FileType.names()). With --into, files to read.
        """, valueName: "file"), completion: .file())
    var files: [String]

    @Option(
      help: """
        8.1 (for PQ) or 8.4 (for HLG): keeps the source's RPUs if they have this profile, converts \
        RPUs of profile 7 to 8.1, and otherwise computes RPUs from the frames. With 'none', Dolby \
        Vision is removed.
        """)
    var dolbyVision: DolbyVisionProfile?

    @Option(
      name: .customLong("hdr10plus"),
      help: """
        With 'measure', PQ gets HDR10+ with the light of each frame. With 'none', HDR10+ is removed.
        """)
    var hdr10Plus: Measuring?

    @Option(
      name: .customLong("st2094-50"),
      help: """
        With 'measure', frames of PQ or HLG get ST 2094-50: the curves that the standard derives \
        from the brightest light of their shot. With 'none', ST 2094-50 is removed.
        """)
    var headroomAdaptiveGain: Measuring?

    @Option(
      help: ArgumentHelp(
        "The content's light levels: measure, none, or MaxCLL and MaxFALL in cd/m².",
        valueName: "measure|1000,400|none"))
    var light: String?

    @Option(
      help: ArgumentHelp(
        "The mastering display: primaries (p3, 2020, 709), maximum and minimum in cd/m²; or none.",
        valueName: "p3,1000,0.0001"))
    var masteringDisplay: String?

    @OptionGroup var arguments: OutputArguments

    @Option(help: "What to do about damaged data.")
    var onError: TranscodeOptions.OnError?

    @OptionGroup(title: "MANY FILES") var batch: BatchArguments

    @OptionGroup var reporting: ReportArguments

    var overwrite: Bool { arguments.overwrite }
    var quiet: Bool { arguments.quiet }

    var choices: [(name: String, value: String?)] {
      [
        (VideoSettings.dolbyVisionKey, dolbyVision?.rawValue),
        (VideoSettings.hdr10PlusKey, hdr10Plus?.rawValue),
        (VideoSettings.headroomAdaptiveGainKey, headroomAdaptiveGain?.rawValue),
        (VideoSettings.contentLightLevelKey, light),
        (VideoSettings.masteringDisplayKey, masteringDisplay),
      ]
    }

    var replacing: Self {
      var command = self
      command.arguments.overwrite = true
      return command
    }

    func check() throws {
      guard arguments.report == nil else {
        throw TranscodingError(
          .invalidSettings, "--report works for one file only: leave out --report or --into")
      }
      _ = try changes()
    }

    private func changes() throws -> [String] {
      try refuseMalformed()
      let changes = choices.compactMap { name, value in value.map { "\(name)=\($0)" } }
      guard !changes.isEmpty else {
        throw TranscodingError(
          .invalidSettings,
          "say what to change: --dolby-vision, --hdr10plus, --st2094-50, --light or "
            + "--mastering-display")
      }
      return changes
    }

    /// Refuses values that the preset's keys do not take. The errors name the command's options.
    private func refuseMalformed() throws {
      try Self.refuse(
        light, "--light", words: ["measure", "none"],
        form: "measure, none, or MaxCLL and MaxFALL in cd/m² such as 1000,400",
        ContentLightLevel.init(spelling:))
      try Self.refuse(
        masteringDisplay, "--mastering-display", words: ["none"],
        form: "p3, 2020 or 709 with maximum and minimum (0.0001 or more) in cd/m², such as "
          + "p3,1000,0.0001; x265's G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min); or none",
        MasteringDisplayColorVolume.init(spelling:))
    }

    private static func refuse<Value: StaticHDRMetadataKind>(
      _ text: String?, _ option: String, words: [String], form: String,
      _ value: (String) -> Value?
    ) throws {
      guard let text, words.match(for: text) == nil else { return }
      guard let value = value(text) else {
        throw TranscodingError(.invalidSettings, "\(option) cannot be '\(text)': use \(form)")
      }
      guard let fault = value.refusals.first else { return }
      throw TranscodingError(.invalidSettings, "\(option) is '\(text)': \(fault.text)")
    }

    func work(on input: String, to output: String?) async throws -> ExitStatus {
      try await arguments.naming(input) {
        var options = TranscodeOptions()
        options.onError = onError
        let (document, status) = try await arguments.copy(
          input, to: output ?? "", options, changes: try changes())
        try show(document)
        return status
      }
    }
  }

  struct Graft: ReportingCommand {
    /// How frames were paired, and the output that was written.
    struct Report: JSONObject {
      let graft: GraftReport
      let session: SessionDocument?

      static let meaning = GraftReport.meaning
      static let fields = GraftReport.fields.of { (report: Report) in report.graft } + own

      private static let own: [JSONField<Report>] = [
        .init("session", "The copy that was made; absent if only the pairs were wanted.") {
          $0.session
        }
      ]
    }

    static let configuration = CommandConfiguration(
      abstract: "Puts a file's HDR metadata onto an encode of that file by another program.",
      discussion: """
        Frames are paired by their times or, if the times differ, by their order, and a few of \
        them are compared. The encode must be HEVC, H.264 or AV1 with the same transfer function. \
        If it already has metadata of the same kinds, that is replaced.

        EXAMPLE:
          candela metadata graft clip.mov nvenc.mp4 out.mp4
        """)

    @Argument(help: "The file with the metadata.", completion: .file())
    var source: String

    @Argument(help: "The encode: \(FileType.namesOfSources).", completion: .file())
    var encoded: String

    @Argument(help: "The file to write: \(FileType.names()).", completion: .file())
    var output: String?

    @Option(
      help: ArgumentHelp(
        "The source's frame that the encode begins with, counted from 0.", valueName: "frames"))
    var offset: Int?

    @Flag(
      help: "Also takes audio, chapters, time code and dates from the source, not from the encode.")
    var tracks = false

    @Flag(help: "Prints the pairs and writes nothing.")
    var plan = false

    @OptionGroup var arguments: OutputArguments

    @OptionGroup var reporting: ReportArguments

    func execute() async throws -> ExitStatus {
      try await arguments.naming(encoded) {
        let graft = try await MetadataGraft(of: source, onto: encoded, offset: offset)
        var pairs = graft.report
        pairs.takesTracks = tracks
        guard !plan else {
          let report = Report(graft: pairs, session: nil)
          try show(report) { try Console.printReport(pairs.text) }
          return .done
        }
        guard let output else {
          throw TranscodingError(.invalidSettings, "give the file to write, or --plan")
        }
        var options = TranscodeOptions()
        options.graftedMetadata = graft.metadata
        if tracks {
          options.range = try graft.rangeOfTracks()
          options.videoAsset = graft.encode
        }
        let (input, other) = tracks ? (source, encoded) : (encoded, source)
        let (document, status) = try await arguments.copy(
          input, to: output, options, reading: [other], notices: pairs.notices)
        try show(Report(graft: pairs, session: document))
        // If an RPU of the source is damaged or missing, the previous one is repeated. That counts
        // as a concealed frame.
        return pairs.repeatedRPUCount > 0 && status == .done ? .concealed : status
      }
    }
  }
}

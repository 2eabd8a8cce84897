// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// What every command prints with `--json` matches the schema that `candela schema` prints.
@Suite struct SchemaTests {
  private let folder: TemporaryFolder
  private let sample: String

  init() throws {
    folder = try TemporaryFolder()
    sample = try BuiltCandela.sample(in: folder)
  }

  /// Returns the names that `candela schema` lists.
  private static func names() throws -> [String] {
    try BuiltCandela.run("schema").output.split(separator: "\n").compactMap { line in
      line.firstRange(of: "  ").map { String(line[..<$0.lowerBound]) }
    }
  }

  /// At least one command line for each command. Their order makes sure that each finds the files
  /// that it reads.
  private var commands: [(name: String, arguments: String)] {
    [
      ("sample", "sample OUT/bars.mov --size 128x96 --seconds 0.2"),
      ("transcode", "transcode IN OUT/hlg.mov -p hevc-hlg --speed ultrafast --compare"),
      ("transcode", "transcode IN OUT/hlg.mov --into OUT/many -p h264-sdr --speed ultrafast"),
      ("cut", "cut OUT/hlg.mov OUT/cut.mov --to 0.2"),
      ("still", "still IN OUT/still-%d.png --count 2"),
      ("plan", "plan IN -p h264-sdr"), ("plan", "plan OUT/hlg.mov -p hevc-hlg --from 0.1"),
      ("plan", "plan IN -p hevc-match-source --audio aac --set video.crop=auto"),
      ("inspect", "inspect OUT/hlg.mov"), ("validate", "validate OUT/hlg.mov"),
      ("compare", "compare IN OUT/hlg.mov"),
      ("retag", "retag OUT/hlg.mov OUT/pq.mov --color pq --mastering-display p3,1000,0.0001"),
      ("metadata show", "metadata show OUT/hlg.mov --frames"),
      ("metadata show", "metadata show OUT/hlg.mov IN"),
      ("validate", "validate IN OUT/hlg.mov --jobs 2"),
      ("metadata convert", "metadata convert OUT/hlg.mov OUT/plain.mp4 --dolby-vision none"),
      ("metadata graft", "metadata graft OUT/hlg.mov OUT/plain.mp4 OUT/grafted.mp4"),
      ("metadata graft", "metadata graft OUT/hlg.mov OUT/plain.mp4 --plan"),
      ("metadata plot", "metadata plot OUT/hlg.mov OUT/light.png"),
      ("rpu show", "rpu show OUT/hlg.mov"), ("rpu show", "rpu show OUT/hlg.mov --frame 1"),
      ("rpu extract", "rpu extract OUT/hlg.mov OUT/rpu.bin"),
      ("rpu inject", "rpu inject OUT/hlg.mov OUT/rpu.bin OUT/injected.mov"),
      ("rpu plot", "rpu plot OUT/rpu.bin OUT/rpu.png"),
      ("segments plan", "segments plan IN OUT/joined.mov --job OUT/job"),
      ("segments status", "segments status --job OUT/job"),
      ("segments encode", "segments encode --job OUT/job 0"),
      ("segments status", "segments status --job OUT/job"),
      ("segments script", "segments script --job OUT/job --engine make"),
      ("segments join", "segments join --job OUT/job"),
      ("segments remove", "segments remove --job OUT/job"),
      ("presets list", "presets list"), ("presets list", "presets"),
      ("presets show", "presets show hevc-hlg"),
      ("presets keys", "presets keys toneMapping"),
      ("presets validate", "presets validate OUT/preset.json"), ("version", "--version"),
    ]
  }

  private func run(_ words: String, _ more: String...) throws -> Tool.Outcome {
    try BuiltCandela.run(
      words.split(separator: " ").map {
        $0.replacingOccurrences(of: "IN", with: sample)
          .replacingOccurrences(of: "OUT", with: folder.path("out"))
      } + more)
  }

  @Test func everyCommandPrintsWhatItsSchemaSays() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: true)
    let preset = try BuiltCandela.run("presets", "show", "hevc-hlg").output
    try folder.write(preset, to: "out/preset.json")
    let validator = try SchemaValidator()
    for (name, arguments) in commands {
      let outcome = try run(arguments, "--json")
      #expect([0, 1].contains(outcome.status), "\(arguments): \(outcome.errors)")
      #expect(
        outcome.output.hasPrefix("{\n  \"version\" : 1,\n"), "\(arguments): \(outcome.output)")
      try validator.add(outcome.output, as: name, arguments)
      if name == "segments plan" {
        let job = try FileBytes.read(folder.path("out/job/job.json"))
        try validator.add(String(decoding: job, as: UTF8.self), as: "job")
      }
    }
    try validator.add(preset, as: "preset")
    #expect(try validator.faults() == [])
    // `candela schema` lists exactly these commands and five other documents.
    let others: Set = ["job", "preset", "report", "progress", "failure"]
    #expect(Set(commands.map(\.name)).union(others) == Set(try Self.names()))
  }

  /// What `inspect` prints about files of all kinds matches its schema.
  @Test(.needsSharedMedia) func factsOfRealFilesAreInTheSchema() throws {
    let validator = try SchemaValidator()
    let files = ["damaged", "hdr", "metadata", "third", "third/crafted", "found"]
      .flatMap { SharedMedia.names(in: $0) }.shortened(to: 32)
    var count = 0
    for file in files {
      let outcome = try BuiltCandela.run("inspect", "--json", SharedMedia.path(file))
      guard outcome.status == 0 else { continue }
      try validator.add(outcome.output, as: "inspect", file)
      count += 1
    }
    #expect(count > 20)
    #expect(try validator.faults() == [])
  }

  /// With `--json`, only the document goes to standard output. Text for people goes to standard
  /// error, as always.
  @Test func wordsStayOnStandardError() throws {
    for arguments in [
      "sample \(folder.path("bars.mov")) --size 128x96 --seconds 0.2",
      "retag IN \(folder.path("pq.mov")) --color pq",
      "transcode IN \(folder.path("a.mp4")) -p h264-sdr --speed ultrafast",
    ] {
      let outcome = try run(arguments, "--json")
      #expect(throws: Never.self) { try outcome.json() }
      let plain = try run(arguments, "--overwrite")
      #expect(plain.output.isEmpty && !plain.errors.isEmpty && !outcome.errors.isEmpty)
    }
  }

  @Test func reportsAreAsTheirSchemaSays() throws {
    let clip = try SegmentedClip()
    let (hlg, divided) = (folder.path("hlg.json"), folder.path("divided.json"))
    let validator = try SchemaValidator()
    #expect(
      try run("transcode IN OUT.mov -p hevc-hlg --speed ultrafast --compare --report", hlg).status
        == 0)
    #expect(
      try clip.transcode("out.mp4", workers: 2, ["--report", divided]).status == 0)
    for path in [hlg, divided] {
      try validator.add(String(decoding: FileBytes.read(path), as: UTF8.self), as: "report")
    }
    #expect(try validator.faults() == [])
  }

  /// With `--progress json`, each line on standard error matches the schema, for one file and for
  /// many, in success and in failure.
  @Test func progressIsAsItsSchemaSays() throws {
    let broken = try folder.write("nothing", to: "broken.mov")
    let validator = try SchemaValidator()
    for words in [
      "transcode IN OUT.mov -p hevc-hlg --speed ultrafast --verbose",
      "transcode IN \(broken) --into OUT -p h264-sdr --speed ultrafast",
      "transcode nosuch.mov OUT.mp4", "cut IN OUT-cut.mov --to 0.2",
    ] {
      let outcome = try run(words, "--progress", "json")
      let lines = outcome.errors.split(separator: "\n")
      #expect(!lines.isEmpty)
      for line in lines {
        #expect(line.hasPrefix("{\"version\":1,"), "\(line)")
        try validator.add(String(line), as: "progress", words)
      }
    }
    #expect(try validator.faults() == [])
  }

  @Test(
    arguments: [
      ("inspect nosuch.mov", 66), ("plan nosuch.mov", 66), ("validate nosuch.mov", 66),
      ("compare nosuch.mov IN", 66), ("rpu show IN", 65), ("rpu extract IN OUT.bin", 65),
      ("still nosuch.mov OUT.png", 66), ("retag IN OUT.mov", 64), ("cut IN OUT.mov", 64),
      ("transcode nosuch.mov OUT.mp4", 66), ("sample OUT.txt", 64), ("presets show nosuch", 64),
      ("presets validate nosuch.json", 64), ("segments status --job OUT", 66),
      ("plan IN --nosuch", 64), ("nosuch", 64),
    ].shortened(to: 5))
  func whatFailsSaysWhyInJSON(words: String, status: Int) throws {
    let outcome = try run(words, "--json")
    #expect(outcome.status == Int32(status), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    let validator = try SchemaValidator()
    try validator.add(outcome.errors, as: "failure", words)
    #expect(try validator.faults() == [])
    #expect(outcome.errors.contains("\"status\":\(status)"), "\(outcome.errors)")
  }

  /// In all schemas except that of presets, every property has a description, and no object allows
  /// other properties.
  @Test func schemasSayWhatEverythingMeans() throws {
    for name in try Self.names() where name != "preset" {
      let words = name.split(separator: " ").map(String.init)
      let schema = try BuiltCandela.run(["schema"] + words).json()
      #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
      #expect(Self.gaps(in: schema, at: name) == [])
    }
  }

  private static func gaps(in value: Any, at path: String) -> [String] {
    if let list = value as? [Any] { return list.flatMap { gaps(in: $0, at: path) } }
    guard let schema = value as? [String: Any] else { return [] }
    var found: [String] = []
    let properties = schema["properties"] as? [String: Any] ?? [:]
    for (name, property) in properties {
      let meaning = (property as? [String: Any])?["description"] as? String ?? ""
      if !meaning.hasSuffix(".") { found.append("\(path).\(name) has no meaning") }
      found += gaps(in: property, at: "\(path).\(name)")
    }
    if !properties.isEmpty, schema["additionalProperties"] as? Bool != false {
      found.append("\(path) may have other properties")
    }
    for key in ["items", "anyOf", "additionalProperties"] {
      if let inner = schema[key] { found += gaps(in: inner, at: path) }
    }
    return found
  }

  @Test func anUnknownNameIsAnswered() throws {
    let outcome = try BuiltCandela.run("schema", "rpu", "shwo")
    #expect(outcome.status == 64 && outcome.errors.contains("did you mean 'rpu show'?"))
    // In earlier versions, `segments schema` and `presets schema` were commands.
    #expect(try BuiltCandela.run("segments", "schema").status == 64)
    #expect(try BuiltCandela.run("presets", "schema").status == 64)
  }

  /// The name of a command alone stands for its default subcommand, as it does on the command line.
  @Test func defaultSubcommandsNeedNoName() throws {
    let short = try BuiltCandela.run("schema", "presets")
    let full = try BuiltCandela.run("schema", "presets", "list")
    #expect(short.status == 0 && short.output == full.output, "\(short.errors)")
    #expect(try BuiltCandela.run("schema", "presets", "lst").status == 64)
    #expect(try BuiltCandela.run("schema", "metadata").status == 64)
  }

  /// In JSON, code points and HDR values are numbers.
  @Test(.needsSharedMedia) func numbersAreNumbers() throws {
    let clip = SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV")
    let plan = try BuiltCandela.run("plan", clip, "--preset", "hevc-hlg", "--json").json()
    let video = try #require(plan["video"] as? [String: Any])
    let encoding = try #require(video["encoding"] as? [String: Any])
    func expect(_ value: Any?, _ expected: [String: Any]) {
      #expect(value as? NSDictionary == expected as NSDictionary)
    }
    let output = encoding["bitstream"] as? [String: Any]
    expect(output?["colorPrimaries"], ["code": 9, "name": "BT.2020"])
    expect(output?["transferFunction"], ["code": 18, "name": "HLG"])
    let metadata = encoding["hdrMetadata"] as? [String: Any]
    expect(
      metadata?["ambientViewingEnvironment"], ["illuminance": 314, "x": 0.3127, "y": 0.329])
    expect(
      metadata?["dolbyVision"],
      ["profile": 8, "compatibilityID": 4, "level": 2, "rpus": "source"])
    expect(
      encoding["encoder"], ["name": "x265", "speed": "medium", "constantRateFactor": 20])
    let show = try BuiltCandela.run("rpu", "show", clip, "--frame", "0", "--json").json()
    let frame = try #require((show["frames"] as? [[String: Any]])?.first)
    let blocks = try #require(frame["blocks"] as? [[String: Any]])
    let level1 = try #require(blocks.first { $0["level"] as? Int == 1 })
    let fields = try #require(level1["fields"] as? [String: Any])
    #expect(fields["maxPQ"] as? Int == (frame["level1"] as? [String: Any])?["maxPQ"] as? Int)
  }

  /// Documents about real files match their schemas, too. Real files have what the generated sample
  /// movie lacks: Dolby Vision, mastering displays, odd tracks.
  @Test(.needsSharedMedia) func realFilesToo() throws {
    let validator = try SchemaValidator()
    let files = ["hdr", "sdr"].flatMap(SharedMedia.names).filter {
      ["mov", "mp4", "mkv", "hevc"].contains($0.lowercased().split(separator: ".").last ?? "")
    }
    for name in files.shortened(to: 5) {
      let path = SharedMedia.path(name)
      for (schema, arguments) in [
        ("plan", ["plan", path, "-p", "hevc-match-source", "--set", "audio=auto"]),
        ("validate", ["validate", path]), ("rpu show", ["rpu", "show", path]),
      ] {
        let outcome = try BuiltCandela.run(arguments + ["--json"])
        if outcome.output.isEmpty {
          try validator.add(outcome.errors, as: "failure", "\(schema) \(name)")
        } else {
          try validator.add(outcome.output, as: schema, "\(schema) \(name)")
        }
      }
    }
    #expect(try validator.faults() == [])
  }
}

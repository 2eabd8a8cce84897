// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// The error for a user's mistake is one line that says what to type instead.
@Suite struct MistakesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a clip, which most mistakes do not need.
  private func clip() throws -> String { try BuiltCandela.sample(in: folder) }

  private func refused(_ words: String, _ arguments: [String], status: Int32 = 64) throws {
    let outcome = try BuiltCandela.run(arguments)
    #expect(outcome.status == status, "\(arguments): \(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(arguments): \(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix("candela: "))
  }

  /// A mistake in a preset is reported with its file, line, column and key.
  @Test(
    arguments: [
      ("{ \"video\": {\n  \"codec\": \"hevc\", } }", "2:20: "),
      (
        "{ \"video\": {\n  \"codec\": \"hevc\",\n  \"codec\": \"h264\" } }", "3:3: video.codec "
      ),
      (
        "{ \"video\": { \"codec\": \"hevc\",\n\n    \"compresionProperties\": {} } }",
        "3:5: video.compresionProperties "
      ),
      (
        "{ \"video\": {\n \"codec\": \"h266\" } }",
        "2:2: video.codec "
      ),
      ("\n { \"video\": { } }", "2:4: video.codec "),
      ("[1]", "1:1: "),
      (
        "{ \"video\": { \"codec\": \"hevc\" }, \"audio\": [ { \"codec\": \"aac\" },\n"
          + " { \"codek\": 1 } ] }",
        "2:4: audio[1].codek "
      ),
    ].shortened(to: 3))
  func presetsNameThePlace(json: String, words: String) throws {
    let clip = try clip()
    let path = folder.path("mine.json")
    try Data(json.utf8).write(to: URL(fileURLWithPath: path))
    try refused("candela: \(path):\(words)", ["plan", clip, "--preset", path])
    try refused("candela: \(path):\(words)", ["presets", "validate", path])
    try refused("candela: \(path):\(words)", ["presets", "show", path])
  }

  /// If an option sets a wrong value, the error does not blame the preset file.
  @Test func changesAreNotTheFile() throws {
    let clip = try clip()
    let path = folder.path("mine.json")
    try Data("{ \"video\": { \"codec\": \"hevc\" } }".utf8).write(to: URL(fileURLWithPath: path))
    try refused(
      "candela: preset: video.width is", ["plan", clip, "--preset", path, "--width", "-3"])
  }

  @Test(
    arguments: [
      (["trancode", "a", "b"], "did you mean 'transcode'?"),
      (["--verison"], "did you mean '--version'?"),
      (["transcode", "a.mov", "b.mov", "--qualty", "20"], "compressionProperties.quality=…"),
      (["sample", "o.mov", "--seconds", "-1"], "-1"),
      (["transcode", "a.mov", "/tmp"], "--into /tmp"),
      (["transcode", "a.mov", "b.mov", "--set", "crff=20"], "constantRateFactor'?"),
      (["transcode", "a.mov", "b.mov", "--set", "audio=acc"], "audio.codec 'aac'?"),
      (["transcode", "a.mov", "b.mov", "--set", "video.codec=prores"], "use 'hevc' or 'h264'"),
      (["transcode", "a.mov", "--into", "b", "--jobs", "0"], "--jobs "),
      (["transcode", "a.mov", "b.mov", "--workers", "many"], "'many'"),
      (["transcode", "a.mov", "b.mov", "--verify", "all"], "use 'normal', 'decode' or 'none'"),
      (["transcode", "a.mov", "b.mov", "--max-size", "720p"], "--max-size "),
      (["transcode", "a.mov", "b.mov", "--crf", "best"], "0 to 51 (AV1: 1 to 63)"),
      (["plan", "a.mov", "--set", "profile=x"], "did you mean 'video.profileLevel'?"),
      (["retag", "a.mov", "b.mov", "--color", "hgl"], "did you mean 'hlg'?"),
      (["plan", "a.mov", "--set", "bitrate=2000000"], "averageBitRate or audio.bitRate: write"),
      (["plan", "a.mov", "--set", "bitRate=2000000"], "averageBitRate or audio.bitRate: write"),
      (["plan", "a.mov", "--set", "BITRATE=2000000"], "averageBitRate or audio.bitRate: write"),
      (
        ["plan", "a.mov", "--set", "preset=slow"],
        "--speed"
      ),
      (
        ["plan", "a.mov", "--set", "tonemap=hable"], "did you mean 'video.conversion.toneMapping'?"
      ),
      (["plan", "a.mov", "--set", "fps=25"], "did you mean 'video.frameRate'?"),
      (["plan", "a.mov", "--set", "gop=25"], "maxKeyFrameInterval'?"),
      (["plan", "a.mov", "--set", "pix_fmt=x420"], "did you mean 'video.pixelFormat'?"),
      (["plan", "a.mov", "--set", "maxrate=5M"], "encoderOptions.vbv-maxrate'?"),
      (["plan", "a.mov", "--set", "maxBitRate=5M"], "encoderOptions.vbv-maxrate'?"),
      (["plan", "a.mov", "--set", "vbv=5"], "vbv-maxrate' or 'video.compressionProperties"),
      (["plan", "a.mov", "--set", "tune=film"], "such as encoderOptions.psy-rd=1"),
      (["plan", "a.mov", "--set", "rate=25"], "did you mean 'video.frameRate' or"),
      (["plan", "a.mov", "--set", "audioBitRate=128000"], "did you mean 'audio.bitRate'?"),
      (["plan", "a.mov", "--set", "audioCodec=aac"], "did you mean 'audio.codec'?"),
      (["plan", "a.mov", "--audio", "libfdk_aac"], "did you mean audio.codec 'aac'?"),
      (["plan", "a.mov", "--audio", "pcm"], "did you mean audio.codec 'pcm_s16le'?"),
      (["plan", "a.mov", "--set", "peak=1000"], "did you mean 'video.conversion.sourcePeak'?"),
      (["plan", "a.mov", "--set", "averageBitRate=5M"], "not a string: 5M is 5000000"),
      (["plan", "a.mov", "--audio", "aac", "--set", "audio.bitRate=128k"], "128k is 128000"),
      (["plan", "a.mov", "--preset", "slow"], "--speed slow"),
      (["plan", "a.mov", "--preset", "Fast 1080p30"], "did you mean 'h264-1080p'?"),
      (["presets", "show", "h264"], "did you mean 'h264-sdr'?"),
      (["convert", "a.mov", "b.mov"], "did you mean 'transcode'?"),
      (["info", "a.mov"], "did you mean 'inspect'?"),
      (["probe", "a.mov"], "did you mean 'inspect'?"),
      (["help", "transcod"], "there is no command 'transcod': did you mean 'transcode'?"),
      (["help", "rpu", "extrac"], "there is no command 'rpu extrac': did you mean 'extract'?"),
      (["transcod", "--help"], "there is no command 'transcod': did you mean 'transcode'?"),
      (["plan", "a.mov", "--progress", "lines"], "but candela plan does not"),
      (["plan", "a.mov", "--set", "video.crf=20"], "compressionProperties.constantRateFactor'?"),
      (["plan", "a.mov", "--set", "audio.bit-rate=1"], "did you mean 'audio.bitRate'?"),
      (["plan", "a.mov", "--set", "VIDEO.Width=1"], "video.width is 1, which is not between"),
      (["plan", "a.mov", "--set", "bframes=4"], "allowFrameReordering=false leaves them out"),
      (["plan", "a.mov", "--set", "dv=8.1"], "did you mean 'video.hdrMetadata.dolbyVision'?"),
      (["plan", "a.mov", "--set", "refs=4"], "encoderOptions.ref'?"),
      (["plan", "a.mov", "--set", "c=hevc"], "did you mean 'video.codec' or 'audio.codec'?"),
      (["plan", "a.mov", "--set", "denoise=1"], "there are no filters for noise"),
      (["plan", "a.mov", "--set", "movflags=faststart"], "is always at its beginning"),
      (
        ["plan", "a.mov", "--set", "threads=4"], "not a key, but an option of transcode: --threads"
      ),
      (["plan", "a.mov", "--audio", "stereo"], "set audio.channels=stereo and audio.codec=aac"),
      (["plan", "a.mov", "--audio", "copy:aac"], "did you mean 'passthrough'?"),
      (["plan", "a.mov", "--set", "title=x"], "titles and names are copied from the source"),
      (["plan", "a.mov", "--set", "par=1:1"], "video.pixelAspect=square"),
      (["plan", "a.mov", "--set", "hdr10=true"], "the preset hevc-pq"),
      (["plan", "a.mov", "--set", "level=4.1"], "did you mean 'video.profileLevel'?"),
      (["plan", "a.mov", "--set", "video.width = 1280"], "write 'video.width=1280'"),
      (["plan", "a.mov", "--set", "width=1280,height=720"], "set each key separately"),
      (["plan", "a.mov", "--set", "dolbyVision=8"], "use one of 'auto', '8.1', '8.4', 'none'"),
      (["plan", "a.mov", "--set", "audio.channels=mono"], "add audio.codec=aac"),
      (["plan", "a.mov", "--set", "container=avi"], "use one of 'mov', 'mp4', 'mkv'"),
      (["plan", "a.mov", "--codec", "x266"], "Candela does not write H.266"),
      (["plan", "a.mov", "--codec", "h264", "-p", "hevc-hlg"], "set it to null"),
      (["plan", "a.mov", "--codec", "copy", "--crf", "20"], "--crf changes nothing with --codec"),
      (["plan", "a.mov", "--speed", "fastest"], "did you mean 'ultrafast'?"),
      (["plan", "a.mov", "--speed", "2x"], "use one of 'ultrafast'"),
      (["plan", "a.mov", "--audio", "off"], "did you mean 'none'?"),
      (["plan", "a.mov", "--audio", "128k"], "audio.bitRate=128000"),
      (["plan", "a.mov", "--preset", "./no.json"], "there is no such file"),
      (["transcode", "a.mov", "b.mov", "--threads", "auto"], "use a number such as 2. "),
      (["transcode", "a.mov", "b.mov", "--memory", "8"], "--memory 8 means 8 bytes"),
      (["transcode", "a.mov", "b.mov", "--from", "1s"], "--from 1s: write 1 (seconds)"),
      (
        ["transcode", "a.mov", "b.mov", "--to", "out/"],
        "for the folder of the outputs, use --into out/"
      ),
      (["still", "a.mov", "b.jpg", "--time", "1s"], "--time 1s: write 1 (seconds)"),
      (["transcode", "a.mov", "b.mov", "-q", "22"], "for the quality, use --crf 22"),
      (["transcode", "a.mov", "b.mov", "-qp", "20"], "for the quality, use --crf 20"),
      (["transcode", "a.mov", "b.mxf"], ".mxf files are read, but not written"),
      (["still", "a.mov", "thumbs/"], "use --into thumbs/"),
      (["join", "a.mov", "b.mov"], "Candela does not join files"),
      (["keys"], "did you mean 'presets keys'?"),
      (["graft", "a.mov", "b.mov"], "did you mean 'metadata graft'?"),
      (["extract", "a.mov"], "did you mean 'rpu extract'?"),
      (["inject", "a.mov"], "did you mean 'rpu inject'?"),
      (["metadata", "extract", "a.mov"], "did you mean 'rpu extract'?"),
      (["plot", "a.mov"], "did you mean 'metadata plot' or 'rpu plot'?"),
      (["presets", "hevc-hlg"], "did you mean 'presets show hevc-hlg'?"),
      (["presets", "keys", "lut"], "LUTs (.cube files) are not supported"),
      (["presets", "keys", "overwrite"], "not a key, but an option of transcode: --overwrite"),
      (["help", "inspect", "foo"], "candela inspect has no command 'foo'"),
      (["-v"], "did you mean '--version'?"),
      (["a.mov", "b.mp4"], "a command is missing before a.mov: did you mean 'candela transcode'?"),
    ].shortened(to: 10))
  func suggestionsAreWhatWasMeant(arguments: [String], words: String) throws {
    try refused(words, arguments)
  }

  /// For options of ffmpeg and HandBrake, errors suggest the options that do the same in this
  /// program.
  @Test(
    arguments: [
      (["transcode", "-ss", "5"], "'-ss': did you mean '--from'?"),
      (["transcode", "-t", "5"], "'-t': did you mean '--from … --to …'?"),
      (["transcode", "-to", "5"], "'-to': did you mean '--to'?"),
      (["transcode", "-c:v", "libx265"], "'-c:v': did you mean '--codec'?"),
      (["transcode", "-an"], "'-an': did you mean '--audio none'?"),
      (
        ["transcode", "-b:v", "2M"],
        "'-b:v': did you mean '--set video.compressionProperties.averageBitRate=…'?"
      ),
      (["transcode", "-preset", "slow"], "'-preset': did you mean '--speed'?"),
      (["plan", "--encoder", "x264"], "'--encoder': did you mean '--codec'?"),
      (["plan", "--maxWidth", "640"], "'--maxWidth': did you mean '--width'?"),
      (["cut", "--start-at", "5"], "'--start-at': did you mean '--from'?"),
      (["transcode", "--format", "mp4"], "'--format': "),
      (
        ["transcode", "-r", "25"],
        "'-r': did you mean '--recursive' or '--set video.frameRate=…'?"
      ),
      (["transcode", "-i", "c.mov"], "'-i': "),
      (["inspect", "-i", "c.mov"], "'-i': "),
      (["retag", "-o", "c.mov"], "'-o': "),
      (["transcode", "-vf", "scale=1:2"], "'-vf': "),
      (["transcode", "-map", "0:1"], "'-map': did you mean '--set tracks.video=…' or"),
      (["transcode", "--hwaccel", "auto"], "'--hwaccel': "),
      (["transcode", "--subtitle", "1"], "'--subtitle': did you mean '--set tracks.other=…'?"),
      (
        ["transcode", "-map_metadata", "0"],
        "'-map_metadata': dates, places and names are those of the source, or left out with "
      ),
      (["transcode", "-report"], "'-report': did you mean '--report'?"),
      (["transcode", "--no-overwrite"], "'--no-overwrite': leave out '--overwrite'"),
      (["transcode", "--cfr"], "'--cfr': did you mean '--set video.frameRate=…'?"),
      (["transcode", "-strict", "-2"], "'-strict': no codec is experimental"),
      (["transcode", "-codec:v", "libx264"], "'-codec:v': did you mean '--codec'?"),
      (["transcode", "-c:a:0", "aac"], "'-c:a:0': did you mean '--audio'?"),
      (["transcode", "-tag:v", "hvc1"], "'-tag:v': encoded HEVC is hvc1"),
      (["transcode", "--markers"], "'--markers': chapters are kept"),
      (["transcode", "-af", "loudnorm"], "'-af': audio has no filters"),
      (["transcode", "-aspect", "16:9"], "'-aspect': pixels keep the source's shape; "),
      (["transcode", "--lut", "a.cube"], "'--lut': LUTs (.cube files) are not supported"),
      (["transcode", "--two-pass"], "'--two-pass': there is only one pass"),
      (["transcode", "--2pass"], "'--2pass': there is only one pass"),
      (["transcode", "--Preset", "h264-sdr"], "'--Preset': did you mean '--preset'?"),
      (["transcode", "--PRESET=h264-sdr"], "'--PRESET': did you mean '--preset'?"),
      (["transcode", "--MaxSize", "9"], "'--MaxSize': did you mean '--max-size'?"),
      (["transcode", "--FPS", "30"], "'--FPS': did you mean '--set video.frameRate=…'?"),
      (["transcode", "--copy"], "'--copy': did you mean '--codec passthrough'?"),
      (["cut", "-c", "copy"], "'-c': cut copies all samples"),
      (["transcode", "--mute"], "'--mute': did you mean '--audio none'?"),
      (["transcode", "--yes"], "'--yes': did you mean '--overwrite'?"),
      (["transcode", "--dry"], "'--dry': did you mean '--dry-run'?"),
      (["plan", "--dry-run"], "'--dry-run': plan is the dry run; leave the option out"),
      (["plan", "-y"], "'-y': plan writes nothing; leave the option out"),
      (
        ["transcode", "-maxrate:v", "5M"],
        "'-maxrate:v': did you mean '--set video.compressionProperties.encoderOptions.vbv-maxrate="
      ),
      (["transcode", "-bf", "3"], "'-bf': the speed determines how many B frames there are; "),
      (["transcode", "-shortest"], "'-shortest': tracks keep the source's lengths"),
      (
        ["transcode", "--hdr-dynamic-metadata", "all"],
        "'--hdr-dynamic-metadata': HDR10+ and Dolby Vision are kept"
      ),
      (
        ["transcode", "--colour-range", "tv"],
        "'--colour-range': did you mean '--set video.range=…'?"
      ),
      (["transcode", "--skip-existing"], "'--skip-existing': did you mean '--existing skip'?"),
      (["inspect", "--format", "json"], "'--format': did you mean '--json'?"),
      (["compare", "--vmaf"], "'--vmaf': VMAF is not measured"),
      (["retag", "--max-cll", "1000"], "'--max-cll': did you mean '--content-light'?"),
      (["transcode", "--q", "20"], "'--q': did you mean '--crf'?"),
      (["transcode", "-pix_fmt", "x"], "'-pix_fmt': did you mean '--set video.pixelFormat=…'?"),
      (["still", "--at", "5"], "'--at': did you mean '--time'?"),
      (["plan", "--720p"], "'--720p': did you mean '--max-size 1280'?"),
      (["transcode", "--4k"], "'--4k': did you mean '--max-size 3840'?"),
      (
        ["transcode", "-tune", "film"],
        "'-tune': there are no tunings: use the encoder options that they stand for, such as "
          + "--set encoderOptions.psy-rd=1"
      ),
      (["plan", "--audio-codec", "aac"], "'--audio-codec': did you mean '--audio'?"),
      (
        ["plan", "--audio-bitrate", "1"], "'--audio-bitrate': did you mean '--set audio.bitRate=…'"
      ),
      (
        ["transcode", "--tone-mapping", "hable"],
        "'--tone-mapping': did you mean '--set video.conversion.toneMapping=…'?"
      ),
    ].shortened(to: 4))
  func optionsOfOthersAreKnown(arguments: [String], words: String) throws {
    try refused(
      "unknown option \(words)", [arguments[0], "a.mov", "b.mov"] + arguments.dropFirst())
  }

  /// No option is suggested just because its name is as long as the mistyped one.
  @Test(
    arguments: [
      "-zz", "--rats", "--zap",
    ].shortened(to: 1))
  func nothingIsGuessed(option: String) throws {
    try refused(
      "unknown option '\(option)'. Example: ", ["transcode", "a.mov", "b.mov", option, "x"])
  }

  /// The path of an encoder's option can be shortened to its end.
  @Test func encoderOptionsAreFound() throws {
    let clip = try clip()
    let plan = try BuiltCandela.run(
      "plan", clip, "-p", "h264-sdr", "--set", "encoderOptions.aq-mode=2")
    #expect(plan.status == 0, "\(plan.errors)")
    try refused(
      "nosuch=2",
      ["plan", clip, "-p", "h264-sdr", "--set", "compressionProperties.encoderOptions.nosuch=2"])
    try refused(
      "or set your own with --set video.masteringDisplay=",
      ["plan", clip, "-p", "hevc-pq", "--set", "encoderOptions.master-display=x"])
  }

  /// A dash is refused as the name of a file to write.
  @Test func standardOutputIsNotWritten() throws {
    let clip = try clip()
    try refused("candela: -: ", ["transcode", clip, "-"])
    try refused(
      "candela: -: ", ["retag", clip, "-", "--color", "709"], status: 73)
    try refused(
      "candela: -: ",
      ["transcode", clip, folder.path("out.mov"), "--report", "-"], status: 73)
  }

  /// `retag` changes its input only with `--in-place`.
  @Test func retagDoesNotReplaceItsInput() throws {
    let clip = try clip()
    try refused("cannot be replaced", ["retag", clip, clip, "-y", "--color", "709"])
  }

  @Test func inputsThatAreNone() throws {
    let directory = folder.path(".")
    for command in ["transcode", "still", "retag"] {
      try refused("--recursive --into", [command, directory, "b.mov"])
    }
    try refused("\(directory) is a folder", ["transcode", "a.mov", directory])
    try refused("--recursive --with", ["compare", directory, "b.mov"])
    for command in [["plan"], ["cut"], ["metadata", "show"], ["rpu", "show"]] {
      let rest = command == ["cut"] ? ["b.mov", "--from", "1"] : []
      try refused("is a folder", command + [directory] + rest)
    }
    try refused("a shell expands a pattern", ["inspect", "Clips/*.mov"], status: 66)
    try refused("URLs are not supported", ["inspect", "https://a.example/b.mov"], status: 66)
    try refused("reading standard input is not supported", ["inspect", "-"], status: 66)
    let text = folder.path("text.mov")
    try Data("no video".utf8).write(to: URL(fileURLWithPath: text))
    try refused("not a known kind", ["validate", text], status: 65)
  }

  /// Other common names of colors and codecs are accepted.
  @Test func otherNamesAreTaken() throws {
    let clip = try clip()
    for (number, change) in [
      ["--color", "bt709"], ["--color", "Rec.2020", "--range", "tv"], ["--color", "HLG"],
    ].enumerated() {
      let outcome = try BuiltCandela.run(
        ["retag", clip, folder.path("o\(number).mov"), "-q"] + change)
      #expect(outcome.status == 0, "\(change): \(outcome.errors)")
    }
    let plan = try BuiltCandela.run(
      "plan", clip, "--json", "--codec", "h265", "--set",
      "video.colorProperties={\"colorPrimaries\":\"rec2020\",\"transferFunction\":\"HLG\","
        + "\"yCbCrMatrix\":\"BT.2020\"}")
    #expect(plan.status == 0, "\(plan.errors)")
  }

  @Test func sizesThatAreNotTakenAreTold() throws {
    let clip = try clip()
    let plan = try BuiltCandela.run("plan", clip, "--json", "--width", "640")
    #expect(
      try plan.notices().arguments("sizeNotReached") == ["size": "128×96", "wanted": "640×480"])
    let bound = try BuiltCandela.run("plan", clip, "--json", "--max-size", "640")
    #expect(try !bound.notices().codes.contains("sizeNotReached"))
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Settings
internal import VideoEncoders

/// Words of ffmpeg, HandBrake and others that people type here, and what is typed here instead.
enum OtherPrograms {
  /// The way to do what an option of another program does.
  enum Hint: ExpressibleByStringLiteral {
    /// One of some options, without their dashes.
    case options([String])
    /// Words.
    case advice(String)

    init(stringLiteral option: String) { self = .options([option]) }
  }

  /// The hint for an option; nil where there is none.
  ///
  /// - Parameters:
  ///   - option: the other program's, without its dashes.
  ///   - command: the command that it was typed behind: `transcode`.
  static func hint(for option: String, in command: String) -> Hint? {
    ((options[command] ?? []) + [everywhere]).lazy.compactMap { $0[option] }.first
  }

  /// The command for a word of another program; nil where there is none.
  static func command(for word: String) -> String? { commands[word.lowercased()] }

  private static let commands = [
    "convert": "transcode", "encode": "transcode", "compress": "transcode", "remux": "transcode",
    "export": "transcode", "ffmpeg": "transcode", "info": "inspect", "probe": "inspect",
    "ffprobe": "inspect", "mediainfo": "inspect", "analyze": "inspect", "show": "inspect",
    "trim": "cut", "clip": "cut", "split": "cut", "thumbnail": "still", "thumb": "still",
    "screenshot": "still", "frame": "still", "image": "still", "check": "validate",
    "verify": "validate", "tag": "retag", "diff": "compare", "preset": "presets",
  ]

  private static let options: [String: [[String: Hint]]] = [
    "transcode": [many, ranges, coding], "plan": [ranges, coding], "cut": [ranges],
    "still": [stills],
  ]

  private static let everywhere: [String: Hint] = [
    "i": files, "input": files, "o": files, "output": files,
    "n": .advice("files that exist are replaced with --overwrite only"),
    "hide_banner": "quiet", "loglevel": "quiet", "v": "verbose",
  ]

  private static let files = Hint.advice("files need no option: the input, then the output")

  private static let many: [String: Hint] = [
    "r": .options(["recursive", frameRate]), "R": "recursive",
  ]

  private static let ranges: [String: Hint] = [
    "ss": "from", "start": "from", "start-at": "from", "end": "to", "stop-at": "to",
    "t": "from … --to …", "duration": "from … --to …",
  ]

  private static let stills: [String: Hint] = [
    "ss": "time", "start": "time", "at": "time", "frames": "count", "frames:v": "count",
    "vframes": "count", "s": "width", "size": "width", "scale": "width", "height": "width",
    "max-size": "width",
  ]

  private static let coding: [String: Hint] = [
    "c": "codec", "c:v": "codec", "vcodec": "codec", "encoder": "codec", "e": "codec",
    "c:a": "audio", "acodec": "audio", "aencoder": "audio", "E": "audio", "an": "audio none",
    "no-audio": "audio none", "preset": "speed", "encoder-preset": "speed",
    "b": videoRate, "b:v": videoRate, "vb": videoRate, "bitrate": videoRate,
    "b:a": audioRate, "ab": audioRate, "s": "max-size", "size": "max-size",
    "scale": "max-size", "resolution": "max-size", "w": "width", "maxWidth": "width",
    "max-width": "width", "l": "height", "maxHeight": "height", "max-height": "height",
    "r": Hint(stringLiteral: frameRate), "rate": Hint(stringLiteral: frameRate),
    "fps": Hint(stringLiteral: frameRate), "profile": profile,
    "profile:v": profile, "encoder-profile": profile, "rotate": "set video.rotation=…",
    "tune": encoder, "encoder-tune": encoder,
    "x264-params": encoder, "x265-params": encoder, "encopts": encoder, "output-dir": "into",
    "outdir": "into", "comb-detect": deinterlacing, "decomb": deinterlacing,
    "ac": "set audio.channels=…", "mixdown": "set audio.channels=…", "json": "progress json",
    "color_primaries": color, "color_trc": color, "colorspace": color, "color": color,
    "progress": "progress", "Z": "preset", "q": "crf", "q:v": "crf", "qscale": "crf",
    "qscale:v": "crf", "quality": "crf", "vn": "set tracks.video=none", "map": tracks,
    "subtitle": tracks, "subtitles": tracks, "sn": "set tracks.other=none", "c:s": tracks,
    "scodec": tracks, "f": format, "format": format, "vf": filters, "filter:v": filters,
    "af": filters, "filter_complex": filters, "lavfi": filters, "threads": threads,
    "hwaccel": hardware, "vaapi": hardware, "nvenc": hardware, "movflags": index,
    "optimize": index, "O": index, "map_metadata": "set metadata=none",
  ]

  private static let videoRate: Hint = "set video.compressionProperties.averageBitRate=…"
  private static let audioRate: Hint = "set audio.bitRate=…"
  private static let frameRate = "set video.frameRate=…"
  private static let profile: Hint = "set video.profileLevel=…"
  private static let deinterlacing: Hint = "set video.deinterlace=auto"
  private static let color: Hint = "set video.colorProperties=…"
  private static let encoder: Hint = "set video.compressionProperties.encoderOptions=…"
  private static let tracks = Hint.options([
    "set tracks.video=…", "set tracks.audio=…", "set tracks.other=…",
  ])
  private static let format = Hint.advice(
    "the output's extension says the format: .mov, .mp4 or .mkv")
  private static let filters = Hint.advice(
    "each filter is a key, as video.width, video.crop, video.deinterlace or video.composition; "
      + "candela presets keys lists them")
  private static let threads = Hint.advice(
    "every core is used; taskset -c 0,1 before candela leaves it two")
  private static let hardware = Hint.advice("x264 and x265 encode without hardware")
  private static let index = Hint.advice("the index of an output is always at its beginning")
}

/// Ends of sentences of the library.
extension OtherPrograms {
  /// The end of the sentence about a preset that there is not, if an encoder has one.
  static func adviceOnPreset(_ name: String) -> String? {
    let isSpeed = VideoCodec.allCases.contains { $0.encoder.speeds.contains(name.lowercased()) }
    return isSpeed ? "; the encoder's speed is --speed \(name.lowercased())" : nil
  }

  /// The end of the sentence about a key that there is not, if an option has its name.
  static func adviceOnKey(_ name: String) -> String? {
    name.lowercased() == "preset" ? " A preset is named by --preset, a speed by --speed" : nil
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

/// What to use in Candela in place of an option of ffmpeg, HandBrake or another program.
enum OptionHint: ExpressibleByStringLiteral {
  /// Options to choose from, without their dashes.
  case options([String])
  /// A sentence, if no option does the same.
  case advice(String)

  init(stringLiteral option: String) { self = .options([option]) }

  /// Returns the hint for an option; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - option: the other program's option, without its dashes.
  ///   - command: the command that it was typed after: `transcode`.
  static func hint(for option: String, in command: String) -> OptionHint? {
    // The same option means different things: `-ss` means `--from` to `cut`, and `--time` to
    // `still`. So the command's own tables come first.
    ((tables[command] ?? []) + [everywhere]).lazy.compactMap { $0[option] }.first
  }

  private static let tables: [String: [[String: OptionHint]]] = [
    "transcode": [many, ranges, coding], "plan": [ranges, coding], "cut": [ranges],
    "still": [stills],
  ]

  private static let everywhere: [String: OptionHint] = [
    "i": files, "input": files, "o": files, "output": files,
    "n": .advice("existing files are replaced only with --overwrite"),
    "hide_banner": "quiet", "loglevel": "quiet", "v": "verbose",
  ]

  private static let files = OptionHint.advice("files need no option: the input, then the output")

  private static let many: [String: OptionHint] = [
    // `-r` sets the frame rate in ffmpeg, and makes `cp` recursive.
    "r": .options(["recursive", frameRate]), "R": "recursive",
  ]

  private static let ranges: [String: OptionHint] = [
    "ss": "from", "start": "from", "start-at": "from", "end": "to", "stop-at": "to",
    // These are durations, for which Candela has no option.
    "t": "from … --to …", "duration": "from … --to …",
  ]

  private static let stills: [String: OptionHint] = [
    "ss": "time", "start": "time", "at": "time", "frames": "count", "frames:v": "count",
    "vframes": "count", "s": "width", "size": "width", "scale": "width", "height": "width",
    "max-size": "width",
  ]

  private static let coding: [String: OptionHint] = [
    "c": "codec", "c:v": "codec", "vcodec": "codec", "encoder": "codec", "e": "codec",
    "c:a": "audio", "acodec": "audio", "aencoder": "audio", "E": "audio", "an": "audio none",
    // ffmpeg calls the encoder's speed a preset; HandBrake's `-Z` is a preset in our sense.
    "no-audio": "audio none", "preset": "speed", "encoder-preset": "speed",
    "b": videoRate, "b:v": videoRate, "vb": videoRate, "bitrate": videoRate,
    "b:a": audioRate, "ab": audioRate, "s": "max-size", "size": "max-size",
    "scale": "max-size", "resolution": "max-size", "w": "width", "maxWidth": "width",
    "max-width": "width", "l": "height", "maxHeight": "height", "max-height": "height",
    "r": OptionHint(stringLiteral: frameRate), "rate": OptionHint(stringLiteral: frameRate),
    "fps": OptionHint(stringLiteral: frameRate), "profile": profile,
    "profile:v": profile, "encoder-profile": profile, "rotate": rotation, "crop": cropping,
    "tune": tuning, "encoder-tune": tuning, "hdr10": "preset hevc-pq", "metadata": statements,
    "x264-params": encoder, "x265-params": encoder, "encopts": encoder, "output-dir": "into",
    "outdir": "into", "comb-detect": deinterlacing, "decomb": deinterlacing,
    "ac": "set audio.channels=…", "mixdown": "set audio.channels=…", "json": "progress json",
    "color_primaries": color, "color_trc": color, "colorspace": color, "color": color,
    "progress": "progress", "Z": "preset", "q": "crf", "q:v": "crf", "qscale": "crf",
    "qscale:v": "crf", "quality": "crf", "vn": "set tracks.video=none", "map": tracks,
    "subtitle": tracks, "subtitles": tracks, "sn": "set tracks.other=none", "c:s": tracks,
    "scodec": tracks, "f": format, "format": format, "vf": filters, "filter:v": filters,
    "af": filters, "filter_complex": filters, "lavfi": filters,
    "hwaccel": hardware, "vaapi": hardware, "nvenc": hardware, "movflags": index,
    "optimize": index, "O": index, "map_metadata": "set metadata=none",
  ]

  private static let videoRate: OptionHint = "set video.compressionProperties.averageBitRate=…"
  private static let audioRate: OptionHint = "set audio.bitRate=…"
  private static let frameRate = "set video.frameRate=…"
  private static let profile: OptionHint = "set video.profileLevel=…"
  private static let deinterlacing: OptionHint = "set video.deinterlace=auto"
  private static let color: OptionHint = "set video.colorProperties=…"
  private static let encoder: OptionHint = "set video.compressionProperties.encoderOptions=…"
  private static let cropping = OptionHint.options([
    "set video.composition.crop=…", "set video.crop=auto",
  ])
  private static let rotation = OptionHint.advice(
    "frames are shown as the source says; --set video.rotation=apply turns them for good")
  private static let tuning = OptionHint.advice(
    "encoders are not tuned by a name; set the options that it stands for, as in "
      + "--set video.compressionProperties.encoderOptions.psy-rd=1")
  private static let statements = OptionHint.advice(
    "dates, places and names are those of the source, or left out with --set metadata=none")
  private static let tracks = OptionHint.options([
    "set tracks.video=…", "set tracks.audio=…", "set tracks.other=…",
  ])
  private static let format = OptionHint.advice(
    "the output's extension chooses the format: .mov, .mp4 or .mkv")
  private static let filters = OptionHint.advice(
    "each filter is a key, such as video.width, video.crop, video.deinterlace or "
      + "video.composition; candela presets keys lists them")
  private static let hardware = OptionHint.advice("x264, x265 and SVT-AV1 encode without hardware")
  private static let index = OptionHint.advice("the index of an output is always at its beginning")
}

// SPDX-License-Identifier: GPL-2.0-or-later

/// Options of ffmpeg and HandBrake that people type here, and what is typed here instead.
enum OtherPrograms {
  /// The option for the same, without its dashes; nil where there is none.
  ///
  /// - Parameters:
  ///   - option: the other program's, without its dashes.
  ///   - command: the command that it was typed behind: `transcode`.
  static func equivalent(of option: String, in command: String) -> String? {
    options[command]?.lazy.compactMap { $0[option] }.first
  }

  private static let options: [String: [[String: String]]] = [
    "transcode": [ranges, coding], "plan": [ranges, coding], "cut": [ranges], "still": [stills],
  ]

  private static let ranges = [
    "ss": "from", "start": "from", "start-at": "from", "end": "to", "stop-at": "to",
    "t": "from … --to …", "duration": "from … --to …",
  ]

  private static let stills = [
    "ss": "time", "start": "time", "at": "time", "frames": "count", "frames:v": "count",
    "vframes": "count", "s": "width", "size": "width", "scale": "width", "height": "width",
    "max-size": "width",
  ]

  private static let coding = [
    "c": "codec", "c:v": "codec", "vcodec": "codec", "encoder": "codec", "e": "codec",
    "c:a": "audio", "acodec": "audio", "aencoder": "audio", "E": "audio", "an": "audio none",
    "no-audio": "audio none", "preset": "speed", "encoder-preset": "speed",
    "b": videoRate, "b:v": videoRate, "vb": videoRate, "bitrate": videoRate,
    "b:a": audioRate, "ab": audioRate, "s": "max-size", "size": "max-size",
    "scale": "max-size", "resolution": "max-size", "w": "width", "maxWidth": "width",
    "max-width": "width", "l": "height", "maxHeight": "height", "max-height": "height",
    "r": frameRate, "rate": frameRate, "fps": frameRate, "profile": profile,
    "profile:v": profile, "encoder-profile": profile, "rotate": "set video.rotation=…",
    "tune": encoder, "encoder-tune": encoder,
    "x264-params": encoder, "x265-params": encoder, "encopts": encoder, "output-dir": "into",
    "outdir": "into", "comb-detect": deinterlacing, "decomb": deinterlacing,
    "ac": "set audio.channels=…", "mixdown": "set audio.channels=…", "json": "progress json",
    "color_primaries": color, "color_trc": color, "colorspace": color, "color": color,
    "progress": "progress",
  ]

  private static let videoRate = "set video.compressionProperties.averageBitRate=…"
  private static let audioRate = "set audio.bitRate=…"
  private static let frameRate = "set video.frameRate=…"
  private static let profile = "set video.profileLevel=…"
  private static let deinterlacing = "set video.deinterlace=auto"
  private static let color = "set video.colorProperties=…"
  private static let encoder = "set video.compressionProperties.encoderOptions=…"
}

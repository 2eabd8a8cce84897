// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

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
  ///   - command: the command that it was typed after, such as `transcode` or `rpu extract`.
  static func hint(for option: String, in command: String) -> OptionHint? {
    let names = spellings(of: option)
    // The same option can mean different things: `-ss` means `--from` to `cut`, but `--time` to
    // `still`. So the command's own tables come first.
    let tables = (tables[command] ?? []) + [everywhere]
    return names.lazy.flatMap { name in tables.lazy.compactMap { $0[name] } }.first
  }

  /// Returns an option as it was typed, and then as tables may spell it.
  static func spellings(of option: String) -> [String] {
    // ffmpeg's options may name streams, as in `-c:v:0` and `-tag:v`.
    let asTyped = [
      option, option.replacing(/:[0-9]+$/, with: ""), String(option.prefix { $0 != ":" }),
    ]
    // A single letter means something else as a capital, as `-r` and `-R` do.
    return asTyped + asTyped.filter { $0.count > 1 }.map { $0.lowercased() }
  }

  private static let tables: [String: [[String: OptionHint]]] = [
    "transcode": [many, ranges, coding, tracks, others],
    "plan": [plans, many, ranges, coding, tracks, others],
    "segments plan": [many, ranges, coding, tracks, others],
    "cut": [ranges, copies], "still": [stills],
    "inspect": [reports], "validate": [reports], "compare": [metrics, reports],
    "retag": [tags], "candela": [["v": "version", "V": "version"]],
  ]

  private static let everywhere: [String: OptionHint] = [
    "i": files, "input": files, "o": files, "output": files,
    "n": .advice("existing files are replaced only with --overwrite"),
    "hide_banner": "quiet", "loglevel": "quiet", "v": "verbose", "stats": "progress",
    "nostats": "progress none", "no-progress": "progress none", "no-verify": "verify none",
    "no-resume": "resume never", "r": "recursive", "R": "recursive", "output-dir": "into",
    "outdir": "into", "force-overwrite": "overwrite", "overwrite-existing": "overwrite",
    "clobber": "overwrite", "replace": .options(["overwrite", "existing replace"]),
    "skip": "existing skip", "skip-existing": "existing skip", "parallel": parallel,
    "processes": parallel, "j": parallel, "suffix": names, "prefix": names,
    "yes": "overwrite", "dry": "dry-run", "dryrun": "dry-run", "simulate": "dry-run",
    "cores": "threads", "cpus": "threads", "num-threads": "threads",
  ]

  private static let files = OptionHint.advice(
    "files need no option: give the input, then the output")
  private static let parallel = OptionHint.options(["jobs", "workers"])
  private static let names = OptionHint.advice(
    "--name names the outputs in the folder of --into, as in --name '{name}.small.{ext}'")

  private static let many: [String: OptionHint] = [
    // `-r` sets the frame rate in ffmpeg, and makes `cp` recursive. `-R` sets HandBrake's sample
    // rate.
    "r": .options(["recursive", frameRate]), "R": .options(["recursive", sampleRate]),
  ]

  private static let plans: [String: OptionHint] = [
    "dry-run": dryRun, "dry": dryRun, "dryrun": dryRun, "simulate": dryRun,
    "overwrite": noOutput, "yes": noOutput, "y": noOutput, "force": noOutput,
    "preserve-times": noOutput, "keep-job": noOutput, "resume": noOutput,
  ]

  private static let dryRun = OptionHint.advice("plan is the dry run; leave the option out")
  private static let noOutput = OptionHint.advice("plan writes nothing; leave the option out")

  private static let ranges: [String: OptionHint] = [
    "ss": "from", "start": "from", "start-at": "from", "end": "to", "stop-at": "to",
    // These are durations, for which Candela has no option.
    "t": "from … --to …", "duration": "from … --to …",
    "frames": frames, "vframes": frames,
  ]

  private static let frames = OptionHint.advice("--to 100f ends before frame 100, counted from 0")

  private static let copies: [String: OptionHint] = [
    "copy": copied, "c": copied, "codec": copied, "c:v": copied, "c:a": copied, "vcodec": copied,
    "acodec": copied,
  ]

  private static let copied = OptionHint.advice("cut copies all samples; leave the option out")

  private static let stills: [String: OptionHint] = [
    "ss": "time", "start": "time", "at": "time", "frames": "count", "vframes": "count",
    "s": "width", "size": "width", "scale": "width", "height": "width", "max-size": "width",
  ]

  private static let reports: [String: OptionHint] = [
    "of": "json", "print_format": "json", "format": "json", "show_frames": "frames",
    "show_streams": listed, "show_format": listed, "show_entries": listed,
  ]

  private static let listed = OptionHint.advice("tracks are listed anyway; leave the option out")

  private static let metrics: [String: OptionHint] = [
    "psnr": measured, "ssim": measured,
    "vmaf": .advice("VMAF is not measured, but PSNR, SSIM and the color difference are"),
  ]

  private static let measured = OptionHint.advice(
    "PSNR and SSIM are measured anyway; leave the option out")

  private static let tags: [String: OptionHint] = [
    "max-cll": "content-light", "maxcll": "content-light", "max-fall": "content-light",
    "master-display": "mastering-display", "primaries": "color", "transfer": "color",
    "matrix": "color", "color_primaries": "color", "color_trc": "color", "colorspace": "color",
    "color_range": "range", "tag": "codec-tag", "vtag": "codec-tag",
  ]

  private static let coding: [String: OptionHint] = [
    "c": "codec", "c:v": "codec", "codec:v": "codec", "vcodec": "codec", "encoder": "codec",
    "video-codec": "codec",
    "copy": copying, "remux": copying, "passthrough": copying, "stream-copy": copying,
    // ffmpeg calls the encoder's speed a preset; HandBrake's `-Z` is a preset in our sense.
    "e": "codec", "preset": "speed", "encoder-preset": "speed", "Z": "preset",
    "b": videoRate, "b:v": videoRate, "vb": videoRate, "bitrate": videoRate,
    "s": "max-size", "size": "max-size", "scale": "max-size", "resolution": "max-size",
    "480p": "max-size 854", "720p": "max-size 1280", "1080p": "max-size 1920",
    "1440p": "max-size 2560", "2160p": uhd, "4k": uhd, "4K": uhd, "uhd": uhd,
    "w": "width", "maxWidth": "width", "max-width": "width", "X": "width",
    "l": "height", "maxHeight": "height", "max-height": "height", "Y": "height",
    "rate": rate, "fps": rate, "vsync": rate, "fps_mode": rate, "cfr": rate,
    "vfr": "set video.frameRate=source", "pfr": peak,
    "q": "crf", "q:v": "crf", "qscale": "crf", "quality": "crf",
    "profile": profile, "encoder-profile": profile, "level": profile, "encoder-level": profile,
    "rotate": rotation, "noautorotate": rotation, "autorotate": rotation, "crop": cropping,
    "hdr10": "preset hevc-pq", "pq": "preset hevc-pq", "hlg": "preset hevc-hlg",
    "hdr": .options(["preset hevc-hlg", "preset hevc-pq"]),
    "sdr": .options(["preset h264-sdr", "preset hevc-sdr"]),
    "10bit": "set video.pixelFormat=yuv420p10", "8bit": "set video.pixelFormat=yuv420p",
    "x264-params": encoder, "x265-params": encoder, "encopts": encoder, "x264opts": encoder,
    "svtav1-params": encoder, "comb-detect": deinterlacing, "decomb": deinterlacing,
    "color_primaries": color, "color_trc": color, "colorspace": color, "color": color,
    "vf": filters, "filter": filters, "filter_complex": filters, "lavfi": filters,
  ]

  private static let tracks: [String: OptionHint] = [
    "c:a": "audio", "codec:a": "audio", "acodec": "audio", "aencoder": "audio", "E": "audio",
    "audio-codec": "audio",
    "an": "audio none", "no-audio": "audio none", "mute": "audio none", "noaudio": "audio none",
    "b:a": audioRate, "q:a": audioRate, "ab": audioRate, "B": audioRate,
    "ac": channels, "mixdown": channels, "6": channels,
    "ar": .options([sampleRate]), "arate": .options([sampleRate]),
    "af": audioFilters, "filter:a": audioFilters,
    "vn": "set tracks.video=none", "sn": noOthers, "dn": noOthers, "map": .options(ofTracks),
    "a": audioTracks, "all-audio": allTracks, "audio-lang-list": audioTracks,
    "subtitle": otherTracks, "subtitles": otherTracks, "c:s": otherTracks,
    "codec:s": otherTracks, "scodec": otherTracks, "all-subtitles": allTracks,
    "subtitle-lang-list": otherTracks, "chapters": chapters, "markers": chapters,
    "map_chapters": chapters, "no-chapters": noOthers, "no-markers": noOthers,
    "metadata": statements, "map_metadata": statements,
    "strip-metadata": "set metadata=none", "no-metadata": "set metadata=none",
  ]

  private static let others: [String: OptionHint] = [
    "f": format, "format": format, "movflags": index, "optimize": index, "O": index,
    "hwaccel": hardware, "vaapi": hardware, "nvenc": hardware, "gpu": hardware,
    "tag": sampleEntry, "vtag": sampleEntry, "bsf": bitstreams,
    "copyts": .advice("frames keep their times anyway; leave the option out"),
    "shortest": .advice("tracks keep the source's lengths; --to ends all of them earlier"),
    "strict": .advice("no codec is experimental here; leave the option out"),
    "preset-list": presets, "list-presets": presets,
  ]

  private static let videoRate: OptionHint = "set video.compressionProperties.averageBitRate=…"
  private static let audioRate: OptionHint = "set audio.bitRate=…"
  private static let copying: OptionHint = "codec passthrough"
  private static let uhd: OptionHint = "max-size 3840"
  private static let frameRate = "set video.frameRate=…"
  private static let rate = OptionHint.options([frameRate])
  private static let peak = OptionHint.advice(
    "--set 'video.frameRate=max 30' limits the frame rate to 30")
  private static let sampleRate = "set audio.sampleRate=…"
  private static let channels: OptionHint = "set audio.channels=…"
  private static let profile: OptionHint = "set video.profileLevel=…"
  private static let deinterlacing: OptionHint = "set video.deinterlace=auto"
  private static let color: OptionHint = "set video.colorProperties=…"
  private static let encoder: OptionHint = "set video.compressionProperties.encoderOptions=…"
  private static let cropping = OptionHint.options([
    "set video.composition.crop=…", "set video.crop=auto",
  ])
  private static let rotation = OptionHint.advice(
    "players rotate frames as the source says; --set video.rotation=apply rotates them for good")
  private static let statements = OptionHint.advice(
    "dates, places and names are those of the source, or left out with --set metadata=none")
  private static let ofTracks = [
    "set tracks.video=…", "set tracks.audio=…", "set tracks.other=…",
  ]
  private static let audioTracks: OptionHint = "set tracks.audio=…"
  private static let otherTracks: OptionHint = "set tracks.other=…"
  private static let noOthers: OptionHint = "set tracks.other=none"
  private static let allTracks = OptionHint.advice(
    "all tracks are kept anyway; leave the option out")
  private static let chapters = OptionHint.advice(
    "chapters are kept; --set tracks.other=none leaves them out")
  private static let format = OptionHint.advice(
    "the output's extension determines the format: \(FileType.names())")
  private static let filters = OptionHint.advice(
    "each filter is a key, such as video.width, video.crop, video.deinterlace or "
      + "video.composition; for the list, use candela presets keys")
  private static let audioFilters = OptionHint.advice(
    "audio has no filters; audio.channels and audio.sampleRate are keys for --set")
  private static let hardware = OptionHint.advice(
    "x264, x265 and SVT-AV1 encode in software; leave the option out")
  private static let index = OptionHint.advice("the index of an output is always at its beginning")
  private static let sampleEntry = OptionHint.advice(
    "encoded HEVC is hvc1; candela retag --codec-tag changes that")
  private static let bitstreams = OptionHint.advice(
    "'candela retag' and 'candela metadata' change what a bitstream says")
  private static let presets = OptionHint.advice("for the list, use candela presets list")
}

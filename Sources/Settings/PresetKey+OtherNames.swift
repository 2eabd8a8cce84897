// SPDX-License-Identifier: GPL-2.0-or-later

/// Finds preset keys by the words that other programs use for them.
extension PresetKey {
  /// Returns the paths of the keys that another program's word may mean.
  package static func otherPaths(of word: String) -> [String] {
    // `bit-rate`, `bit_rate` and `bitRate` are the same word, so drop the separators.
    pathsOfOthers[plain(word)] ?? []
  }

  /// Returns the keys that another program's word may mean, or the option of an encoder that a path
  /// such as `encoderOptions.vbv-maxrate` names.
  static func others(of word: String) -> [PresetKey] {
    let option = placeInside(word.split(separator: ".").map(String.init))
    let paths = option.map { [$0.joined(separator: ".")] } ?? otherPaths(of: word)
    return paths.compactMap(key(at:))
  }

  /// Returns the key at a path. An option of an encoder has no row, so this function makes one.
  private static func key(at path: String) -> PresetKey? {
    if let key = all.first(where: { $0.path == path }) { return key }
    let object = all.first {
      if case .anyObject = $0.values { path.hasPrefix($0.path + ".") } else { false }
    }
    return object.map {
      PresetKey(path: path, values: .text(pattern: nil), summary: $0.summary, read: $0.read)
    }
  }

  /// Returns whether a word is a value that the key takes, or a part of one as in
  /// `ITU_R_2100_HLG`. Ignores case and knows other programs' words.
  func takes(_ word: String) -> Bool {
    let examples: [String] = if case .codePoint(let names) = values { names } else { [] }
    let parts = (words + examples).flatMap { $0.split(separator: "_").map(String.init) }
    return (words + examples + parts).match(for: word) != nil
  }

  /// Returns whether the key's meaning contains a word or the beginning of one, ignoring case.
  func speaks(of word: String) -> Bool {
    let text = summary.lowercased()
    return text.ranges(of: word.lowercased()).contains { range in
      text[..<range.lowerBound].last.map { !$0.isLetter && !$0.isNumber } ?? true
    }
  }

  /// Returns whether the key's path contains a word, ignoring case and separators.
  func isNamed(_ word: String) -> Bool {
    let word = Self.plain(word)
    return !word.isEmpty && Self.plain(path).contains(word)
  }

  private static func plain(_ word: String) -> String {
    word.lowercased().filter { !"-_.: ".contains($0) }
  }

  private static let compression = "video.compressionProperties"
  private static let videoRate = "\(compression).averageBitRate"
  private static let averageRates = [videoRate, "audio.bitRate"]
  private static let rates = ["video.frameRate"] + averageRates + ["audio.sampleRate"]
  private static let encoder = "\(compression).encoderOptions"
  private static let mostRate = ["\(encoder).vbv-maxrate"]
  private static let buffer = ["\(encoder).vbv-bufsize"]
  private static let interval = ["\(compression).maxKeyFrameInterval"]
  private static let quality = ["\(compression).constantRateFactor"]
  private static let size = ["video.width", "video.height"]
  private static let color = "video.colorProperties"
  private static let dolbyVision = ["video.hdrMetadata.dolbyVision"]
  private static let references = ["\(encoder).ref"]

  // These are only hints, because another program's word may mean something slightly different. The
  // exception is `crf`, which sets the rate factor.
  private static let pathsOfOthers: [String: [String]] = [
    "bitrate": averageRates, "kbps": averageRates, "b": averageRates, "rate": rates,
    "bv": [videoRate], "vb": [videoRate], "videobitrate": [videoRate],
    "ab": ["audio.bitRate"], "ba": ["audio.bitRate"], "audiobitrate": ["audio.bitRate"],
    "maxrate": mostRate, "maxbitrate": mostRate, "vbvmaxrate": mostRate,
    "bufsize": buffer, "vbvbufsize": buffer, "vbv": mostRate + buffer,
    "crf": quality, "cq": quality, "qp": quality, "q": quality, "rf": quality,
    "preset": ["\(compression).speed"], "encoderpreset": ["\(compression).speed"],
    "gop": interval, "g": interval, "keyint": interval, "gopsize": interval,
    "bf": ["\(compression).allowFrameReordering"],
    "bframes": ["\(compression).allowFrameReordering"],
    "x264params": [encoder], "x265params": [encoder], "encopts": [encoder],
    "fps": ["video.frameRate"], "r": ["video.frameRate"],
    "pixfmt": ["video.pixelFormat"], "bitdepth": ["video.pixelFormat"],
    "depth": ["video.pixelFormat"], "chroma": ["video.pixelFormat"],
    "tonemap": ["video.conversion.toneMapping"], "tonemapping": ["video.conversion.toneMapping"],
    "npl": ["video.conversion.hdrReferenceWhite"], "peak": ["video.conversion.sourcePeak"],
    "size": size, "s": size, "scale": size, "resolution": size, "w": ["video.width"],
    "h": ["video.height"], "rotate": ["video.rotation"], "yadif": ["video.deinterlace"],
    "colorprimaries": ["\(color).colorPrimaries"], "primaries": ["\(color).colorPrimaries"],
    "colortrc": ["\(color).transferFunction"], "trc": ["\(color).transferFunction"],
    "transfer": ["\(color).transferFunction"], "colorspace": ["\(color).yCbCrMatrix"],
    "colormatrix": ["\(color).yCbCrMatrix"], "color": [color], "colorrange": ["video.range"],
    "vcodec": ["video.codec"], "cv": ["video.codec"], "videocodec": ["video.codec"],
    "acodec": ["audio.codec"], "ca": ["audio.codec"], "audiocodec": ["audio.codec"],
    "ac": ["audio.channels"], "mixdown": ["audio.channels"],
    "audiochannels": ["audio.channels"], "ar": ["audio.sampleRate"],
    "audiorate": ["audio.sampleRate"], "format": ["container"], "f": ["container"],
    "level": ["video.profileLevel"], "encoderlevel": ["video.profileLevel"],
    "field": ["video.deinterlace"], "fieldorder": ["video.deinterlace"],
    "interlaced": ["video.deinterlace"], "vsync": ["video.frameRate"],
    "fpsmode": ["video.frameRate"], "cfr": ["video.frameRate"], "vfr": ["video.frameRate"],
    "x264opts": [encoder], "svtav1params": [encoder], "masterdisplay": ["video.masteringDisplay"],
    "mastering": ["video.masteringDisplay"],
    "maxcll": ["\(compression).contentLightLevel"],
    "hdr10+": ["video.hdrMetadata.hdr10Plus"], "dovi": dolbyVision, "dv": dolbyVision,
    "dolbyvisionprofile": dolbyVision, "dvprofile": dolbyVision, "hlg": [color], "pq": [color],
    "c": ["video.codec", "audio.codec"], "ref": references, "refs": references,
    "aqmode": ["\(encoder).aq-mode"], "aqstrength": ["\(encoder).aq-strength"],
    "psyrd": ["\(encoder).psy-rd"], "deblock": ["\(encoder).deblock"],
    "rclookahead": ["\(encoder).rc-lookahead"], "filmgrain": ["\(encoder).film-grain"],
    "keyintmin": ["\(encoder).min-keyint"], "minkeyint": ["\(encoder).min-keyint"],
  ]

  /// Returns advice on another program's word if no key does what the word means; `nil` for other
  /// words.
  package static func advice(on word: String) -> String? {
    sentences[plain(word)]
  }

  private static let sentences: [String: String] = {
    let rows: [(words: [String], sentence: String)] = [
      (["lut", "lut3d", "lut1d", "cube"], "LUTs (.cube files) are not supported"),
      (
        ["title", "artist", "comment", "author", "copyright", "aname"],
        "titles and names are copied from the source; metadata=none leaves them out"
      ),
      (
        ["par", "sar", "dar", "aspect", "displayaspect"],
        "pixels keep the source's shape; video.pixelAspect=square makes them square"
      ),
      (
        ["pass", "passes", "twopass", "2pass", "multipass", "turbo", "targetsize", "filesize"],
        "there is only one pass: choose a quality, such as crf=22, or a rate, such as "
          + "averageBitRate=8000000"
      ),
      (
        ["tune", "tuning", "encodertune"],
        "there are no tunings: use the encoder options that they stand for, such as "
          + "encoderOptions.psy-rd=1 (AV1: encoderOptions.tune=0)"
      ),
      (
        // The encoder option `bframes` is refused, because `allowFrameReordering` decides.
        ["bframes", "bf"],
        "the speed determines how many B frames there are; allowFrameReordering=false leaves them "
          + "out"
      ),
      (
        [
          "denoise", "noise", "nlmeans", "hqdn3d", "sharpen", "unsharp", "lapsharp", "blur",
          "deband",
        ],
        "there are no filters for noise, sharpness and banding"
      ),
      (
        ["vf", "filter", "filters", "filtercomplex", "lavfi", "videofilter"],
        "each filter is a key, such as video.width, video.crop, video.deinterlace or "
          + "video.composition"
      ),
      (
        ["af", "audiofilter", "loudnorm", "volume"],
        "audio has no filters; audio.channels and audio.sampleRate are keys"
      ),
      (
        ["movflags", "faststart", "optimize", "moov"],
        "the index of an output is always at its beginning"
      ),
      (
        ["hdrdynamicmetadata", "dhdr10info", "dolbyvisionrpu"],
        "HDR10+ and Dolby Vision are kept while they are true"
      ),
      (["minrate"], "there is no minimum rate: choose a quality, such as crf=22"),
      (["hdr10"], "the preset hevc-pq makes HDR10"),
      (["sdr"], "the presets h264-sdr and hevc-sdr make SDR"),
      (["hdr"], "the presets hevc-hlg and hevc-pq make HDR"),
    ]
    return Dictionary(
      uniqueKeysWithValues: rows.flatMap { row in row.words.map { ($0, row.sentence) } })
  }()
}

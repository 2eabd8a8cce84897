// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import ColorScience
internal import Host
internal import MediaCore
internal import VideoEncoders

extension PresetKey {
  private static let codecNames = VideoCodec.allCases.map(\.rawValue) + [VideoSettings.passthrough]

  /// Which encoder each codec has: "hevc is encoded by x265, h264 by x264, av1 by SVT-AV1".
  private static let encoderSummary = VideoCodec.allCases.enumerated().map { index, codec in
    "\(codec.rawValue) \(index == 0 ? "is encoded by" : "by") \(codec.encoder.name)"
  }.joined(separator: ", ")

  static let codec = PresetKey(
    path: "video.codec", values: .names(codecNames),
    summary: encoderSummary + "; passthrough copies the source's samples.",
    missing: "use " + VideoCodec.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      + " or '\(VideoSettings.passthrough)'"
  ) { (reader, key, settings) throws(TranscodingError) in
    guard let name = try reader.choice(key, of: codecNames) else { return }
    settings.video.codec = VideoCodec(rawValue: name)
  }

  /// The key for profile and level, at one of its two places.
  static func profileLevel(_ path: String) -> PresetKey {
    let codecs = VideoCodec.allCases.map { $0.rawValue.uppercased() }.joined(separator: "|")
    return .text(
      path, pattern: "^(\(codecs))_[A-Za-z0-9]+_(AutoLevel|[0-9](_[0-9])?)$",
      "The profile and level, such as HEVC_Main10_AutoLevel or H264_High_4_1. Absent: a profile "
        + "and a level that fit."
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let spelling = try reader.string(key) else { return }
      guard let value = VideoSettings.ProfileLevel(spelling: spelling) else {
        let hint = VideoSettings.ProfileLevel.spellings.hint(for: spelling)
        throw reader.error(key, "cannot be '\(spelling.shortened)': \(hint)")
      }
      try settings.video.refuseOtherCodec(value, as: SettingsReader.join(reader.path, key))
      // Apple documents this key both in the video settings and inside the compression properties.
      // Both places are accepted unless their values differ.
      if let other = settings.video.profileLevel, other != value {
        throw reader.error(key, "is '\(spelling)', but video.profileLevel is '\(other)'")
      }
      settings.video.profileLevel = value
    }
  }

  static func codePoint<Point: CodePoint>(
    _ path: String, _ property: Place<Point>,
    _ examples: [String]
  ) -> PresetKey {
    PresetKey(
      path: path, values: .codePoint(examples: examples),
      summary: "The \(Point.kind): a name from Apple or FFmpeg, or an H.273 number.",
      missing: "color properties need primaries, transfer function and matrix"
    ) { (reader, key, settings) throws(TranscodingError) in
      settings[keyPath: property] = try reader.codePoint(key)
    }
  }

  static func selection(
    _ path: String, _ property: Place<TrackSelection>, _ summary: String
  ) -> PresetKey {
    PresetKey(
      path: path, values: .selection(["all", "none"]), usual: .string("all"), summary: summary
    ) { (reader, key, settings) throws(TranscodingError) in
      guard case .array(let members) = reader.value(key) else {
        let name = try reader.choice(key, of: ["all", "none"])
        settings[keyPath: property] = name == "none" ? .none : .all
        return
      }
      // An empty list is probably a mistake in a script. Whoever wants no track writes `none`.
      guard !members.isEmpty else {
        throw reader.error(key, "must be 'all', 'none' or a list that names a track")
      }
      var (numbers, languages): (Set<Int>, Set<String>) = ([], [])
      for member in members {
        switch member {
        case .number(let number):
          guard let id = Int(exactly: number), id > 0 else {
            throw reader.error(key, "has a number that no track can have")
          }
          numbers.insert(id)
        case .string(let language): languages.insert(language.lowercased())
        default:
          throw reader.error(
            key,
            "must list track numbers and languages, not "
              + "\(member.kind)")
        }
      }
      settings[keyPath: property] = .some(numbers: numbers, languages: languages)
    }
  }

  private static let ranges = ["limited", "full"]
  static let range = PresetKey(
    path: "video.range", values: .names(ranges),
    summary: "The range of code values. Absent: the source's range. If the source states none, "
      + "the output states none either."
  ) { (reader, key, settings) throws(TranscodingError) in
    let name = try reader.choice(key, of: ranges)
    settings.video.videoFullRangeFlag = name.map { $0 == "full" }
  }

  static let chromaLocation = PresetKey(
    path: "video.chromaLocation", values: .names(ChromaLocation.titles, numbers: 0...5),
    summary:
      "The location of chroma samples in 4:2:0 (H.273, Chroma420SampleLocType). Chroma is "
      + "resampled if the source has another location; a source that states none counts as left. "
      + "Absent: the source's location. If the source states none, the output states none either."
  ) { (reader, key, settings) throws(TranscodingError) in
    switch reader.value(key) {
    case .number:
      let number = try reader.integer(key, in: 0...5)
      settings.video.chromaLocation = number.map { ChromaLocation(rawValue: UInt8($0)) }
    case .string(let text):
      guard let location = ChromaLocation(spelling: text) else {
        let hint = ChromaLocation.titles.hint(for: text)
        throw reader.error(key, "cannot be '\(text.shortened)': \(hint)")
      }
      settings.video.chromaLocation = location
    case let other:
      throw reader.error(
        key, "must be a name or a number from 0 to 5, not \(other?.kind ?? "nothing")")
    }
  }

  static let contentLightLevel = staticMetadata(
    VideoSettings.contentLightLevelKey, \.video.contentLightLevel,
    words: [("source", .source), ("measure", .measure), ("none", .unstated)],
    form: "or MaxCLL and MaxFALL such as `1000,400`", pattern: "[0-9]+,[0-9]+",
    "Where MaxCLL and MaxFALL come from, for outputs in PQ or HLG. source: they are the source's, "
      + "if they are still true. measure: they are measured in the output's frames (CTA-861.3). "
      + "HLG is measured for a display whose peak is hlgPeakLuminance. none: the output states "
      + "none. Two numbers in cd/m² are written as they are."
  ) { text in ContentLightLevel(spelling: text).map { ($0, .stated($0)) } }

  static let masteringDisplay = staticMetadata(
    VideoSettings.masteringDisplayKey, \.video.masteringDisplay,
    words: [("source", .source), ("auto", .auto), ("none", .unstated)],
    form: "or a display such as `p3,1000,0.0001`",
    pattern: "([pP]3|2020|709),[0-9.]+,[0-9.]+|G.*",
    "The mastering display that the output states, if it is PQ or HLG. source: the source's, if it "
      + "is still true. auto: the source's; but if HDR was converted to another transfer function, "
      + "a display with the output's primaries and a maximum of hlgPeakLuminance. none: the output "
      + "states none. A display is written as p3, 2020 or 709 with maximum and minimum in cd/m², "
      + "or as x265's G(x,y)B(x,y)R(x,y)WP(x,y)L(max,min)."
  ) { text in MasteringDisplayColorVolume(spelling: text).map { ($0, .stated($0)) } }

  /// Makes the key for one kind of static HDR metadata. Its value is a word or the metadata itself.
  ///
  /// - Parameters:
  ///   - words: the words, the default first.
  ///   - form: what the metadata looks like as text.
  ///   - stated: reads the metadata. Returns `nil` for other text.
  private static func staticMetadata<Value: StaticHDRMetadataKind, Origin: Sendable>(
    _ path: String, _ property: Place<Origin>, words: [(name: String, origin: Origin)],
    form: String, pattern: String, _ summary: String,
    stated: @escaping @Sendable (String) -> (value: Value, origin: Origin)?
  ) -> PresetKey {
    let names = words.map(\.name)
    return PresetKey(
      path: path, values: .wordsOrText(names, form: form, pattern: pattern),
      usual: names.first.map { .string($0) }, summary: summary
    ) { (reader, key, settings) throws(TranscodingError) in
      guard let text = try reader.string(key) else { return }
      if let name = names.match(for: text), let word = words.first(where: { $0.name == name }) {
        settings[keyPath: property] = word.origin
        return
      }
      guard let (value, origin) = stated(text) else {
        let forms = (names + [form.replacing("`", with: "")]).joined(separator: ", ")
        throw reader.error(key, "cannot be '\(text.shortened)': use \(forms)")
      }
      if let fault = value.refusals.first {
        throw reader.error(key, "is '\(text.shortened)': \(fault.text)")
      }
      settings[keyPath: property] = origin
    }
  }

  // FFmpeg prints the byte order with depths above 8, as in `yuv420p10le`, but people leave it out.
  private static let planarFormats: [(name: String, format: PixelFormat)] = [
    ("yuv420p", .yuv420p8), ("yuv420p10", .yuv420p10), ("yuv420p10le", .yuv420p10),
    ("yuv420p12", PixelFormat(bitDepth: 12, chromaSubsampling: .cs420)),
    ("yuv420p12le", PixelFormat(bitDepth: 12, chromaSubsampling: .cs420)),
    ("yuv422p", PixelFormat(bitDepth: 8, chromaSubsampling: .cs422)),
    ("yuv422p10", PixelFormat(bitDepth: 10, chromaSubsampling: .cs422)),
    ("yuv422p10le", PixelFormat(bitDepth: 10, chromaSubsampling: .cs422)),
    ("yuv444p", PixelFormat(bitDepth: 8, chromaSubsampling: .cs444)),
    ("yuv444p10", PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)),
    ("yuv444p10le", PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)),
  ]

  private static let pixelFormatNames =
    PixelFormat.encodableOSTypes + planarFormats.map(\.name)

  /// Whether the name of a pixel format implies a range.
  static func statesRange(pixelFormat name: String) -> Bool {
    PixelFormat.named(osType: name)?.videoFullRangeFlag != nil
  }

  static let pixelFormat = PresetKey(
    path: "video.pixelFormat",
    values: .names(pixelFormatNames),
    summary: "Bit depth and subsampling; Core Video's names also state the range (420v: limited, "
      + "420f: full). Absent: H.264 gets 8 bits and 4:2:0. HEVC and AV1 get 10 bits, or 8 if the "
      + "source has 8 and the output is SDR. AV1 gets 4:2:0. HEVC gets 4:2:0, or 4:2:2 if the "
      + "source is 4:2:2 without Dolby Vision and the preset states neither profile nor colors."
  ) { (reader, key, settings) throws(TranscodingError) in
    guard let text = try reader.choice(key, of: pixelFormatNames) else { return }
    guard let (format, range) = PixelFormat.named(osType: text) else {
      settings.video.pixelFormat = planarFormats.first { $0.name == text }?.format
      return
    }
    // Core Video's names imply a range: `420v` means limited, and `420f` means full. FFmpeg's names
    // imply none.
    let stated = settings.video.videoFullRangeFlag
    guard stated == nil || stated == range else {
      throw reader.error(
        key,
        "is \(text), which means \(range == true ? "full" : "limited") range, but video.range says "
          + "otherwise")
    }
    // Only depth and subsampling matter. Frames are planar here, whatever layout Core Video's name
    // implies.
    settings.video.pixelFormat = PixelFormat(
      bitDepth: format.bitDepth, chromaSubsampling: format.chromaSubsampling)
    settings.video.videoFullRangeFlag = range
  }

  // The table does not know the codec, so it accepts the speeds of all encoders. A speed that the
  // codec lacks is refused later.
  private static let speeds = VideoCodec.allCases.flatMap { $0.encoder.speeds }
    .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }

  static let speed = PresetKey(
    path: "video.compressionProperties.speed", values: .names(speeds),
    usual: .string(VideoEncoderSettings.usualSpeed),
    summary: "The encoder's speed, named as in x264 and x265; for AV1, also a number from 0 to 13.",
    hasChangeableDefault: true
  ) { (reader, key, settings) throws(TranscodingError) in
    guard let speed = try reader.choice(key, of: speeds) else { return }
    settings.video.speed = speed
  }

  static let dataRateLimits = PresetKey(
    path: VideoSettings.dataRateLimitsKey, values: .pairs("bytes and seconds"),
    summary:
      "Limits of the data rate, as pairs of bytes and seconds like AVFoundation's. [1000000, 1] "
      + "allows at most a million bytes in any second; [1000000, 1, 30000000, 60] also allows at "
      + "most 30 million bytes in any minute. The encoder keeps to the limits with a model of "
      + "the decoder's buffer (VBV). The limits cannot be combined with lossless, or with "
      + "encoderOptions that set up this buffer."
  ) { (reader, key, settings) throws(TranscodingError) in
    guard case .array(let members) = reader.value(key) else {
      throw reader.error(
        key, "must be an array of bytes and seconds, not \(reader.value(key)?.kind ?? "nothing")")
    }
    var numbers: [Double] = []
    for (index, member) in members.enumerated() {
      guard case .number(let number) = member else {
        throw reader.error("\(key)[\(index)]", "must be a number, not \(member.kind)")
      }
      numbers.append(number)
    }
    guard !numbers.isEmpty, numbers.count.isMultiple(of: 2) else {
      throw reader.error(
        key, "has \(numbers.count.counted("number")), but needs pairs of bytes and seconds")
    }
    settings.video.dataRateLimits = try stride(from: 0, to: numbers.count, by: 2).map {
      (index) throws(TranscodingError) in
      guard let bytes = Int(exactly: numbers[index]) else {
        throw reader.error(
          "\(key)[\(index)]", "is \(numbers[index]), which is not a whole number of bytes")
      }
      return VideoSettings.DataRateLimit(bytes: bytes, seconds: numbers[index + 1])
    }
  }

  private static let encoderNames = VideoCodec.allCases.map { $0.encoder.name }.sorted()
    .joined(separator: " or ")

  static let encoderOptions = PresetKey(
    path: "video.compressionProperties.encoderOptions", values: .anyObject,
    summary: "Options that are passed on unchanged to the encoder (\(encoderNames)). An option "
      + "that would contradict a tag or a setting is refused."
  ) { (reader, key, settings) throws(TranscodingError) in
    guard case .object(let members) = reader.value(key) else {
      throw reader.error(key, "must be an object, not \(reader.value(key)?.kind ?? "nothing")")
    }
    for (name, value) in members {
      switch value {
      case .string(let text): settings.video.encoderOptions[name] = text
      case .number(let number):
        // x264 and x265 accept a whole number only without a fraction: `3`, not `3.0`.
        settings.video.encoderOptions[name] = Int64(exactly: number).map(String.init) ?? "\(number)"
      case .bool(let flag): settings.video.encoderOptions[name] = flag ? "1" : "0"
      default:
        throw reader.error(
          "\(key).\(name)", "must be a string, a number or a boolean, not \(value.kind)")
      }
    }
  }
}

extension SettingsReader {
  /// Reads a code point of H.273, as a number or a name.
  fileprivate func codePoint<Point: CodePoint>(
    _ key: String
  ) throws(TranscodingError) -> Point {
    switch value(key) {
    case .number(let number):
      if let value = UInt8(exactly: number) { return Point(rawValue: UInt16(value)) }
    case .string(let text):
      if let value = Point(spelling: text) { return value }
      let names =
        Point.names.flatMap { [$0.apple, $0.ffmpeg].compactMap { $0 } }
        + TransferCharacteristics.unnumbered.compactMap { ($0 as? Point)?.description }
      let hint = names.hint(for: text)
      throw error(key, "cannot be '\(text.shortened)': \(hint)")
    default: break
    }
    throw error(key, "must be a name or an H.273 number")
  }
}

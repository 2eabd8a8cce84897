internal import CodePoints
internal import ColorConversion
internal import ColorScience
internal import LibAV
internal import MediaCore
internal import VideoEncoders

extension TranscodeSettings {
  /// Settings from a preset's JSON.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`, with the key's path, for an unknown
  ///   key, a wrong value or a combination that cannot be.
  public init(_ json: JSONValue) throws(TranscodingError) {
    let root = try SettingsReader(
      json, path: "",
      keys: ["$schema", "name", "description", "container", "video", "audio", "metadata"])
    guard json.kind == "an object" else {
      throw SettingsReader.error("", "must be an object, not \(json.kind)")
    }
    name = try root.string("name") ?? "custom"
    description = try root.string("description")
    container = try root.choice("container")
    video = try VideoSettings(root)
    audio = try root.choice("audio") ?? .passthrough
    metadata = try root.choice("metadata") ?? .preserve
  }
}

extension VideoSettings {
  static let keys = [
    "codec", "profileLevel", "width", "height", "scalingMode", "cleanAperture", "colorProperties",
    "allowWideColor", "conversion", "range", "chromaLocation", "pixelFormat",
    "compressionProperties",
    "composition",
  ]

  /// The output settings of a track of pictures, with the keys of `video` in a preset:
  /// `["codec": "hevc", "colorProperties": ["colorPrimaries": "ITU_R_2020", …]]`.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings`, as presets do.
  public init(outputSettings: JSONValue) throws {
    let preset = JSONValue.object(["video": outputSettings])
    try self.init(SettingsReader(preset, path: "", keys: ["video"]))
  }

  fileprivate init(_ root: SettingsReader) throws(TranscodingError) {
    let reader = try root.object("video", keys: Self.keys)
    guard let codec: VideoCodec = try reader.choice("codec") else {
      throw reader.error("codec", "is missing: 'hevc', 'h264' or 'passthrough'")
    }
    self.codec = codec
    let compression = try CompressionReader(reader)
    profileLevel = try Self.profileLevel(reader, compression, codec: codec)
    width = try reader.integer("width", in: 2...16_384)
    height = try reader.integer("height", in: 2...16_384)
    scalingMode = try reader.choice("scalingMode") ?? .fit
    cleanAperture = try reader.choice("cleanAperture") ?? .keep
    colorProperties = try Self.colorProperties(reader)
    allowWideColor = try reader.bool("allowWideColor") ?? true
    conversion = try ConversionOptions(reader)
    let range: VideoRange? = try reader.choice("range")
    videoFullRangeFlag = range.map { $0 == .full }
    chromaLocation = try Self.chromaLocation(reader)
    pixelFormat = try Self.pixelFormat(reader)
    rateControl = try compression.rateControl()
    speed = try compression.speed()
    maxKeyFrameInterval = try compression.reader.integer("maxKeyFrameInterval", in: 1...100_000)
    allowFrameReordering = try compression.reader.bool("allowFrameReordering") ?? true
    hdrMetadataInsertionMode =
      try compression.reader.choice("hdrMetadataInsertionMode") ?? .auto
    preserveDynamicHDRMetadata =
      try compression.reader.bool("preserveDynamicHDRMetadata") ?? true
    contentLightLevel = try compression.reader.choice("contentLightLevel") ?? .source
    encoderOptions = try compression.encoderOptions()
    composition = try CompositionSettings(reader)
    try refuseContradictions()
  }

  /// The values of `video.range`.
  private enum VideoRange: String, CaseIterable {
    case limited
    case full
  }

  /// Apple's documents put the key at the top and also inside the compression properties.
  private static func profileLevel(
    _ reader: SettingsReader, _ compression: CompressionReader, codec: VideoCodec
  ) throws(TranscodingError) -> ProfileLevel? {
    let outer = try reader.string("profileLevel")
    let inner = try compression.reader.string("profileLevel")
    if let outer, let inner, outer != inner {
      throw compression.reader.error(
        "profileLevel", "is '\(inner)', but video.profileLevel is '\(outer)'")
    }
    guard let spelling = outer ?? inner else { return nil }
    guard let value = ProfileLevel(spelling: spelling) else {
      throw reader.error(
        "profileLevel",
        "has no value '\(spelling)': "
          + NearestName.hint(for: spelling, among: ProfileLevel.spellings))
    }
    guard value.profile.codec == codec else {
      throw reader.error(
        "profileLevel", "is '\(spelling)', which is not a profile of '\(codec.rawValue)'")
    }
    return value
  }

  static func colorProperties(
    _ reader: SettingsReader
  ) throws(TranscodingError) -> ColorDescription? {
    guard reader.has("colorProperties") else { return nil }
    let keys = ["colorPrimaries", "transferFunction", "yCbCrMatrix"]
    let color = try reader.object("colorProperties", keys: keys)
    return ColorDescription(
      try codePoint(color, "colorPrimaries"), try codePoint(color, "transferFunction"),
      try codePoint(color, "yCbCrMatrix"))
  }

  private static func codePoint<Point: CodePoint>(
    _ reader: SettingsReader, _ key: String
  ) throws(TranscodingError) -> Point {
    switch reader.value(key) {
    case nil:
      throw reader.error(
        key, "is missing: color properties need all of primaries, transfer function and matrix")
    case .number(let number):
      if let value = UInt8(exactly: number) { return Point(rawValue: value) }
    case .string(let text):
      if let value = Point(spelling: text) { return value }
      let names = Point.names.flatMap { [$0.apple, $0.ffmpeg].compactMap { $0 } }
      throw reader.error(
        key, "has no value '\(text)': \(NearestName.hint(for: text, among: names))")
    default: break
    }
    throw reader.error(key, "must be a name or a number of H.273")
  }

  private static func chromaLocation(
    _ reader: SettingsReader
  ) throws(TranscodingError) -> ChromaLocation? {
    let key = "chromaLocation"
    switch reader.value(key) {
    case nil: return nil
    case .number:
      return try reader.integer(key, in: 0...5).map { ChromaLocation(rawValue: UInt8($0)) }
    case .string(let text):
      if let location = ChromaLocation(spelling: text) { return location }
      let hint = NearestName.hint(for: text, among: ChromaLocation.titles)
      throw reader.error(key, "has no value '\(text)': \(hint)")
    case .some(let other):
      throw reader.error(key, "must be a name or a number from 0 to 5, not \(other.kind)")
    }
  }

  private static let pixelFormats: [(names: [String], format: PixelFormat)] = [
    (["420v", "420f", "yuv420p"], .yuv420p8),
    (["x420", "xf20", "yuv420p10", "yuv420p10le"], .yuv420p10),
    (["yuv420p12", "yuv420p12le"], PixelFormat(bitDepth: 12, chromaSubsampling: .cs420)),
    (["x422", "yuv422p10", "yuv422p10le"], PixelFormat(bitDepth: 10, chromaSubsampling: .cs422)),
    (["422v", "yuv422p"], PixelFormat(bitDepth: 8, chromaSubsampling: .cs422)),
    (["x444", "yuv444p10", "yuv444p10le"], PixelFormat(bitDepth: 10, chromaSubsampling: .cs444)),
    (["444v", "yuv444p"], PixelFormat(bitDepth: 8, chromaSubsampling: .cs444)),
  ]

  private static func pixelFormat(
    _ reader: SettingsReader
  ) throws(TranscodingError) -> PixelFormat? {
    guard let text = try reader.string("pixelFormat") else { return nil }
    let match = pixelFormats.first { $0.names.contains(text) }
    guard let match else {
      let names = pixelFormats.flatMap(\.names)
      throw reader.error(
        "pixelFormat", "has no value '\(text)': \(NearestName.hint(for: text, among: names))")
    }
    return match.format
  }
}

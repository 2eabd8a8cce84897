// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import LibAV
package import MediaCore

extension VideoCodec {
  /// AV1 of the Alliance for Open Media.
  public static let av1 = VideoCodec(
    "av1", name: "AV1", sampleEntry: "av01", encoder: SVTAV1Encoder.self,
    carriesHDRMetadata: true, carriesDolbyVision: true)
}

/// Facts about SVT-AV1.
extension SVTAV1Encoder {
  /// FFmpeg's name for the encoder.
  static let encoderName = "libsvtav1"

  package static let bitDepths = [8, 10]
  package static let usualBitDepth = 10
  package static let keptSubsamplings: Set<ChromaSubsampling> = [.cs420]
  package static let rateFactors: ClosedRange<Double>? = 1...63
  package static let hasWholeRateFactors = true
  package static let usualRateFactor = 26.0
  // SVT-AV1 1.4.1 can limit the rate only if it encodes a whole file at an average bit rate.
  package static let keepsDataRateLimits = false
  package static let returnsDecodedFrames = true

  /// Names for SVT-AV1's speeds, which are numbers. Each name is a speed of x265. At that speed,
  /// x265 takes about as long as SVT-AV1 takes with the number.
  static let numbers: [(name: String, number: Int)] = [
    ("ultrafast", 13), ("superfast", 12), ("veryfast", 11), ("faster", 10), ("fast", 9),
    ("medium", 8), ("slow", 6), ("slower", 4), ("veryslow", 3), ("placebo", 1),
  ]

  package static let speeds = numbers.map(\.name) + (0...13).reversed().map(String.init)

  // The numbers 4 to 12 were measured. Below 4, each number is assumed to take about twice as long
  // as the next higher one, and 13 is assumed to be a little faster than 12.
  /// How many seconds one core takes for a million pixels, by speed.
  package static let secondsPerMegapixel: [String: Double] = {
    let times = [20, 9, 5, 3, 1.7, 0.85, 0.4, 0.26, 0.165, 0.11, 0.079, 0.065, 0.054, 0.05]
    var result: [String: Double] = [:]
    for (number, time) in times.enumerated() { result["\(number)"] = time }
    for (name, number) in numbers { result[name] = times[number] }
    return result
  }()

  /// Returns how many cores an encoder keeps busy. At speed 8, in 1080p, 1.74 of two cores were
  /// busy.
  package static func parallelism(_ settings: VideoEncoderSettings) -> EncoderParallelism {
    EncoderParallelism(serialShare: 0.15, ofWorker: 4, ofPoolThread: 0.87)
  }

  /// Always returns a sentence, because all frames of AV1 are progressive.
  package static func fieldObstacle(_ settings: VideoEncoderSettings) -> String? {
    "AV1 does not support fields"
  }

  /// Returns the rate factor for a quality from 0 to 1 (Apple's `AVVideoQualityKey`): 62 − 48 ×
  /// quality, rounded.
  package static func rateFactor(quality: Double) -> Double { (62 - 48 * quality).rounded() }
}

/// The parameters of one SVT-AV1 encoder.
struct SVTAV1Parameters {
  private(set) var settings: VideoCompressor.Settings
  private(set) var requested: [(name: String, value: String)] = []

  init(_ settings: VideoEncoderSettings) {
    self.settings = VideoCompressor.Settings(
      encoderName: SVTAV1Encoder.encoderName, size: settings.size, format: settings.format,
      signal: settings.signal, timescale: settings.timescale, frameRate: settings.frameRate)
    self.settings.sampleAspectRatio = settings.sampleAspectRatio
    let speed = SVTAV1Encoder.numbers.first { $0.name == settings.speed }.map { "\($0.number)" }
    set("preset", speed ?? settings.speed)
    setRate(settings.rateControl)
    let isAllKeyFrames = settings.maxKeyFrameInterval == 1
    // With an interval of 1, SVT-AV1 makes only the first frame a key frame. The others become
    // intra-only frames, at which decoding cannot begin. So each frame is forced to be a key frame,
    // as in FFmpeg 7.1.
    self.settings.forcesKeyFrames = isAllKeyFrames
    self.settings.maxKeyFrameInterval = isAllKeyFrames ? nil : settings.maxKeyFrameInterval
    if let interval = settings.maxKeyFrameInterval { requested.append(("keyint", "\(interval)")) }
    var own: [(name: String, value: String)] = []
    if isAllKeyFrames {
      // Key frames are never reordered, and SVT-AV1 1.4.1 forces none with `pred-struct=1`.
      own.append(("enable-force-key-frames", "1"))
    } else if !settings.allowFrameReordering {
      // Without reordering, frames refer only to earlier frames.
      own.append(("pred-struct", "1"))
    }
    if settings.poolThreads > 0 { own.append(("lp", "\(settings.poolThreads)")) }
    own += settings.options.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    guard !own.isEmpty else { return }
    set("svtav1-params", own.map { "\($0.name)=\($0.value)" }.joined(separator: ":"))
  }

  private mutating func set(_ name: String, _ value: String) {
    settings.options.append((name, value))
    requested.append((name, value))
  }

  private mutating func setRate(_ rate: RateControl) {
    switch rate {
    case .constantRateFactor(let factor): set("crf", "\(Int(factor))")
    case .quality(let quality):
      setRate(.constantRateFactor(SVTAV1Encoder.rateFactor(quality: quality)))
    case .averageBitRate(let bits):
      settings.averageBitRate = bits
      requested.append(("tbr", "\(bits)"))
    case .lossless: break
    }
  }

  /// - Throws: ``VideoEncoderError`` for everything that SVT-AV1 refuses, except for most of the
  ///   caller's options, which only SVT-AV1 itself can judge.
  static func check(_ settings: VideoEncoderSettings) throws(VideoEncoderError) {
    let name = SVTAV1Encoder.name
    guard VideoCompressor.isAvailable(SVTAV1Encoder.encoderName) else {
      throw .notInLibavcodec(encoder: name)
    }
    guard SVTAV1Encoder.bitDepths.contains(settings.format.bitDepth),
      settings.format.chromaSubsampling == .cs420
    else { throw .unsupportedFormat(encoder: name, format: settings.format) }
    // SVT-AV1 1.4.1 refuses frames beyond these limits. It pads odd sides.
    let size = settings.size
    guard (64...16_384).contains(size.width), (64...8704).contains(size.height) else {
      // For frames that are too small, no property is named: nobody wants to make them larger just
      // because of the codec.
      throw .unsupportedSize(
        encoder: name, size: size,
        reason: "they must have 64 to 16384 columns and 64 to 8704 rows",
        decidedBy: min(size.width, size.height) < 64 ? nil : .size)
    }
    guard settings.rateControl != .lossless else { throw .losslessUnavailable(encoder: name) }
    if case .constantRateFactor(let factor) = settings.rateControl, factor != factor.rounded() {
      throw .invalidOption(encoder: name, name: "crf", value: factor.text(decimals: 2))
    }
    for (option, value) in settings.options.sorted(by: { $0.key < $1.key }) {
      // SVT-AV1 gets all options in one string, `name=value`, with colons between them.
      guard !(option + value).contains(where: { ":=".contains($0) }) else {
        throw .invalidOption(encoder: name, name: option, value: value)
      }
      if let reason = refusedOptions[option] {
        throw .refusedOption(encoder: name, name: option, reason: reason)
      }
      if let property = reservedOptions[option] {
        throw .contradictingOption(encoder: name, name: option, decidedBy: property)
      }
    }
    try settings.checkOptions(for: name)
  }

  /// Options that the caller cannot set and that no property replaces, with the reasons.
  private static let refusedOptions: [String: String] = {
    let isChosen = "SVT-AV1 itself chooses a profile, level and tier that fit the frames"
    let isBroken = "because of an error in SVT-AV1, decoders cannot read frames encoded with it"
    return [
      "profile": isChosen, "level": isChosen, "tier": isChosen,
      // Frames that SVT-AV1 1.4.1 and 2.3.0 encode with these options are damaged.
      "chroma-u-dc-qindex-offset": isBroken, "chroma-u-ac-qindex-offset": isBroken,
      "chroma-v-dc-qindex-offset": isBroken, "chroma-v-ac-qindex-offset": isBroken,
    ]
  }()

  /// Options that the caller cannot set, each with the property that decides instead. These rows
  /// come before those of ``VideoEncoderSettings/reservedOptions``.
  private static let reservedOptions: [String: EncoderProperty] = [
    "color-primaries": .color, "transfer-characteristics": .color, "matrix-coefficients": .color,
    "color-range": .range, "chroma-sample-position": .chromaLocation, "color-format": .format,
    "rc": .quality, "qp": .rateFactor, "use-q-file": .rateFactor, "tbr": .averageBitRate,
    // This is another name of `keyint`, but its value is lower by 1.
    "intra-period": .maxKeyFrameInterval, "enable-force-key-frames": .maxKeyFrameInterval,
    "input-depth": .format, "bit-depth": .format, "output-depth": .format,
    "output-bit-depth": .format, "irefresh-type": .container, "mastering-display": .staticMetadata,
    "content-light": .staticMetadata, "enable-hdr": .staticMetadata,
    "pred-struct": .allowFrameReordering, "passes": .container, "width": .size, "height": .size,
    "forced-max-frame-width": .size, "forced-max-frame-height": .size, "fps-num": .container,
    "fps-denom": .container, "nch": .container, "recon": .container,
    "resize-mode": .size, "superres-mode": .size,
  ]
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import MediaCore
internal import VideoEncoders

extension VideoSettings {
  /// A limit of the data rate: the maximum number of bytes in any span of a given length.
  public struct DataRateLimit: Hashable, Sendable {
    /// The maximum number of bytes of encoded frames in the span.
    public var bytes: Int
    /// The length of the span, 0.1…3600. The rate, `8 × bytes / seconds`, is 1 000…2 000 000 000
    /// bits per second.
    public var seconds: Double

    /// Creates a limit.
    public init(bytes: Int, seconds: Double) {
      self.bytes = bytes
      self.seconds = seconds
    }
  }

  static let dataRateLimitsKey = "video.compressionProperties.dataRateLimits"
  static let dataRateSpans = 0.1...3600.0

  /// The share of a limit's bytes that fits into the decoder's buffer. The rest arrives at a
  /// constant rate over the span. Within a span, the decoder takes at most a full buffer and the
  /// bytes that arrive during the span (H.265, annex C). With one quarter in the buffer and three
  /// quarters arriving, no span exceeds the limit. A smaller buffer would leave too few bytes for
  /// good sync samples.
  private static let shareOfBuffer = 0.25

  /// The encoder's options that enforce all limits. Empty if there are no limits.
  package var dataRateOptions: [String: String] {
    guard !dataRateLimits.isEmpty else { return [:] }
    // The smallest buffer together with the lowest rate satisfies every limit.
    let sizes = dataRateLimits.map { Double($0.bytes) * 8 * Self.shareOfBuffer }
    let rates = dataRateLimits.map { $0.bitRate * (1 - Self.shareOfBuffer) }
    func thousands(_ values: [Double]) -> String { "\(max(Int((values.min() ?? 0) / 1000), 1))" }
    return [
      CodedPictureBuffer.sizeOption: thousands(sizes),
      CodedPictureBuffer.rateOption: thousands(rates),
    ]
  }

  /// The lowest rate that the settings name, in bits per second, with its key: the average rate or
  /// a limit of the rate. `nil` if the settings name no rate.
  package var lowestRate: (key: String, bitRate: Double)? {
    var rates = dataRateLimits.map { (key: Self.dataRateLimitsKey, bitRate: $0.bitRate) }
    if case .averageBitRate(let rate)? = rateControl {
      rates.append(("video.compressionProperties.averageBitRate", Double(rate)))
    }
    return rates.min { $0.bitRate < $1.bitRate }
  }

  /// Whether an average rate is above the lowest of some limits, given as in a preset. Values that
  /// are not numbers do not count here, because reading the preset reports them.
  static func exceeds(_ bitRate: Double, limits: [JSONValue]) -> Bool {
    let numbers = limits.compactMap { value -> Double? in
      if case .number(let number) = value { number } else { nil }
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).contains {
      bitRate * numbers[$0 + 1] > 8 * numbers[$0]
    }
  }

  /// The maximum number of frames from one sync sample to the next at a frame rate, or `nil` for
  /// the encoder's default.
  package func keyFrameInterval(at framesPerSecond: Double) -> Int? {
    let counted = maxKeyFrameIntervalDuration.map { seconds in
      max(Int(min(seconds * framesPerSecond + 1e-6, 1e6)), 1)
    }
    return [maxKeyFrameInterval, counted].compactMap { $0 }.min()
  }

  /// Refuses impossible limits, and limits that contradict another setting.
  ///
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` that names the key.
  func refuseImpossibleLimits() throws(TranscodingError) {
    guard !dataRateLimits.isEmpty else { return }
    let key = Self.dataRateLimitsKey
    for limit in dataRateLimits { try limit.refuseImpossible() }
    if rateControl == .lossless {
      throw SettingsReader.error(
        key, "and 'lossless' cannot both be set: lossless coding cannot limit its rate")
    }
    let other = encoderOptions.keys.sorted().first { CodedPictureBuffer.isDescribed(by: [$0]) }
    if let other {
      throw SettingsReader.error(
        key, "and encoderOptions.\(other) cannot both be set: both describe the same buffer")
    }
    if let codec, !codec.encoder.keepsDataRateLimits {
      throw SettingsReader.error(
        key, "limits the data rate, which '\(codec.rawValue)' does not support")
    }
  }
}

extension VideoSettings.DataRateLimit {
  /// The limit as a rate over the whole span, in bits per second.
  fileprivate var bitRate: Double { Double(bytes) * 8 / seconds }

  fileprivate func refuseImpossible() throws(TranscodingError) {
    let key = VideoSettings.dataRateLimitsKey
    guard VideoSettings.dataRateSpans.contains(seconds) else {
      throw SettingsReader.error(
        key,
        "has a span of \(seconds.text(decimals: 3)) seconds: spans are 0.1 to 3600 seconds long")
    }
    guard bytes > 0,
      Double(PresetKey.bitRates.lowerBound)...Double(PresetKey.bitRates.upperBound)
        ~= bitRate
    else {
      throw SettingsReader.error(
        key,
        "has \(bytes.counted("byte")) in \(seconds.text(decimals: 3)) seconds: rates are 1000 to "
          + "2000000000 bits per second")
    }
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// The decision about the amount of data.
public enum RateControl: Hashable, Sendable, CustomStringConvertible {
  /// Constant quality: the encoder's rate factor, 0…51, less is better.
  case constantRateFactor(Double)
  /// An average in bits a second.
  case averageBitRate(Int)
  /// Samples come out of the decoder exactly as they went in.
  case lossless

  /// For people: `rate factor 20`, `4.5 Mbit/s`, `lossless`.
  public var description: String {
    switch self {
    case .constantRateFactor(let factor):
      "rate factor \(factor.text(decimals: factor == factor.rounded() ? 0 : 1))"
    case .averageBitRate(let rate): "\((Double(rate) / 1e6).text(decimals: 2)) Mbit/s"
    case .lossless: "lossless"
    }
  }

  /// The rate factor where nothing is stated.
  package static let usualRateFactor = 20.0
}

/// Settings that an encoder needs before the first frame.
package struct VideoEncoderSettings: Hashable, Sendable {
  /// Luma samples in a row and rows.
  package var size: VideoDimensions
  /// Depth and subsampling of the frames.
  package var format: PixelFormat
  /// Color, range and chroma location that the bitstream states; unstated parts are left out.
  package var signal: SignalDescription
  /// The shape of a sample; nil if unstated.
  package var sampleAspectRatio: PixelAspectRatio? = nil
  /// Order of fields; `progressive` for whole frames.
  package var fieldOrder: FieldOrder = .progressive
  /// Ticks a second of the frames' times.
  package var timescale: Int32
  /// The average frame rate, which rate control reckons with.
  package var frameRate: FrameRate
  /// Control of the amount of data.
  package var rateControl: RateControl = .constantRateFactor(RateControl.usualRateFactor)
  /// The encoder's own name for its balance of speed and compression: `veryfast`, `medium`.
  package var speed: String = VideoEncoderSettings.usualSpeed
  /// The most frames from one sync sample to the next; nil for the encoder's default.
  package var maxKeyFrameInterval: Int?
  /// True if frames may be coded out of order (B frames).
  package var allowFrameReordering: Bool = true
  /// The profile as the encoder names it (`main10`, `high`); nil for what fits the format.
  package var profile: String?
  /// The level (`4.1`); nil for the lowest that fits.
  package var level: String?
  /// True if samples come with the frame that a decoder will make of them (x265 only).
  package var givesPictures: Bool = false
  /// True if the same frames have to give the same samples in every run, on any processor, however
  /// many threads there are.
  package var isReproducible = false
  /// Number of threads of x265's pool; 0 for as many as there are cores. Samples that have to be
  /// reproducible are the same for every number.
  package var poolThreads = 0
  /// Options handed to the encoder as they are, after all others.
  package var options: [String: String] = [:]

  /// The speed where nothing is stated.
  package static let usualSpeed = "medium"

  /// Settings with defaults for all that is a matter of taste.
  package init(
    size: VideoDimensions, format: PixelFormat, signal: SignalDescription,
    timescale: Int32, frameRate: FrameRate
  ) {
    self.size = size
    self.format = format
    self.signal = signal
    self.timescale = timescale
    self.frameRate = frameRate
  }
}

extension VideoEncoderSettings {
  /// Options that ``options`` cannot set, because a tag or a promise of the container depends on
  /// them, with what decides in their place.
  static let reservedOptions: [String: EncoderProperty] = [
    "colorprim": .color, "transfer": .color, "colormatrix": .color, "atc-sei": .color,
    "alternative-transfer": .color, "video-signal-type-preset": .color,
    "range": .range, "fullrange": .range, "input-range": .range,
    "chromaloc": .chromaLocation, "sar": .sampleAspectRatio,
    "crf": .rateFactor, "qp": .quality, "bitrate": .averageBitRate, "lossless": .lossless,
    "preset": .speed, "keyint": .maxKeyFrameInterval, "bframes": .allowFrameReordering,
    "profile": .profile, "level": .profile, "level-idc": .profile, "output-csp": .profile,
    "output-depth": .profile, "output-bit-depth": .profile, "bit-depth": .profile,
    "input-csp": .format,
    "master-display": .staticMetadata, "max-cll": .staticMetadata, "hdr10": .staticMetadata,
    "dhdr10-info": .staticMetadata,
    "dolby-vision-profile": .dynamicMetadata, "dolby-vision-rpu": .dynamicMetadata,
    "annexb": .container, "aud": .container, "bff": .container, "csv": .container,
    "default-display-window": .container, "display-window": .container,
    "fake-interlaced": .container,
    "field": .container, "fps": .container, "frames": .container, "hdr10-opt": .container,
    "input-depth": .container, "input-res": .container, "interlace": .container,
    "interlaced": .container, "log": .container, "log-level": .container,
    "multi-pass-opt-analysis": .container, "muxer": .container, "nal-hrd": .container,
    "output": .container, "overscan": .container, "pass": .container, "pic-struct": .container,
    "pulldown": .container, "repeat-headers": .container, "seek": .container, "stats": .container,
    "stitchable": .container, "tff": .container, "timebase": .container, "force-cfr": .container,
    "vfr-input": .container, "videoformat": .container,
  ]

  /// - Throws: ``VideoEncoderError`` of kind `contradictingOption` for a reserved option.
  func checkOptions(for encoder: String) throws(VideoEncoderError) {
    for name in options.keys.sorted() {
      let plain = name.replacing("_", with: "-")
      if let property = Self.reservedOptions[plain] {
        throw .contradictingOption(encoder: encoder, name: name, decidedBy: property)
      }
    }
  }
}

/// The durations of frames that an encoder still holds, found again by their time.
struct PendingDurations {
  private var durations: [Int64: MediaTime] = [:]

  mutating func add(_ frame: VideoFrame, timescale: Int32) -> Int64 {
    let time = frame.presentationTimeStamp.converted(to: timescale).value
    durations[time] = frame.duration
    return time
  }

  mutating func take(_ time: Int64) -> MediaTime {
    durations.removeValue(forKey: time) ?? .zero
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// How the amount of data is controlled.
public enum RateControl: Hashable, Sendable, CustomStringConvertible {
  /// Constant quality: the encoder's rate factor; lower is better. It is 0…51 for HEVC and H.264,
  /// and 1…63 for AV1.
  case constantRateFactor(Double)
  /// Constant quality as Apple's number from 0 to 1 (`AVVideoQualityKey`), which stands for a rate
  /// factor: 44 − 32 × quality for HEVC and H.264, 62 − 48 × quality for AV1.
  case quality(Double)
  /// An average in bits per second.
  case averageBitRate(Int)
  /// Decoders return exactly the samples that went in.
  case lossless

  /// The control as text: `rate factor 20`, `4.5 Mbit/s`, `lossless`.
  public var description: String {
    switch self {
    case .constantRateFactor(let factor):
      "rate factor \(factor.text(decimals: factor == factor.rounded() ? 0 : 1))"
    case .quality(let quality): "quality \(quality.text(decimals: 2))"
    case .averageBitRate(let rate): "\((Double(rate) / 1e6).text(decimals: 2)) Mbit/s"
    case .lossless: "lossless"
    }
  }

  /// Returns the control to give to a library: a quality becomes the library's rate factor.
  package func resolved(for library: any EncoderLibrary.Type) -> RateControl {
    if case .quality(let quality) = self {
      .constantRateFactor(library.rateFactor(quality: quality))
    } else {
      self
    }
  }
}

/// What an encoder needs to know before the first frame.
package struct VideoEncoderSettings: Hashable, Sendable {
  /// The frame's width and height in luma samples.
  package var size: VideoDimensions
  /// Depth and subsampling of the frames.
  package var format: PixelFormat
  /// The color, range and chroma location for the bitstream. Parts that are `nil` or unspecified
  /// are left out.
  package var signal: SignalDescription
  /// The shape of a sample, or `nil` to leave it out of the bitstream.
  package var sampleAspectRatio: PixelAspectRatio? = nil
  /// Which field comes first; `progressive` for whole frames.
  package var fieldOrder: FieldOrder = .progressive
  /// Ticks per second of the frames' times.
  package var timescale: Int32
  /// The average frame rate, which rate control assumes.
  package var frameRate: FrameRate
  /// How the amount of data is controlled.
  package var rateControl: RateControl = .constantRateFactor(X265Encoder.usualRateFactor)
  /// The encoder's own name for its balance between speed and compression: `veryfast`, `medium`.
  package var speed: String = VideoEncoderSettings.usualSpeed
  /// The maximum number of frames from one sync sample to the next, or `nil` for the encoder's
  /// default.
  package var maxKeyFrameInterval: Int?
  /// Whether frames may be coded out of order (B frames).
  package var allowFrameReordering: Bool = true
  /// The profile by the encoder's name (`main10`, `high`), or `nil` to let the format decide.
  package var profile: String?
  /// The level (`4.1`), or `nil` for the lowest that fits.
  package var level: String?
  /// Whether each sample comes with the frame that a decoder will make of it (x265 only).
  package var returnsDecodedFrames: Bool = false
  /// Whether the same frames must give the same samples in every run, on any processor, with any
  /// number of threads.
  package var isReproducible = false
  /// Threads in x265's pool, or 0 for one per core. If samples have to be reproducible, they are
  /// the same for any number of threads.
  package var poolThreads = 0
  /// Options that go to the encoder unchanged, after all others.
  package var options: [String: String] = [:]

  /// The speed if the settings name none.
  package static let usualSpeed = "medium"

  /// Makes settings with the defaults for everything else.
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
  /// them. The values say which property decides instead.
  static let reservedOptions: [String: EncoderProperty] = [
    "colorprim": .color, "transfer": .color, "colormatrix": .color, "atc-sei": .color,
    // Tags come from the resolved color, and the file's boxes have to agree with the bitstream.
    "alternative-transfer": .color, "video-signal-type-preset": .color,
    "range": .range, "fullrange": .range, "input-range": .range,
    "chromaloc": .chromaLocation, "sar": .sampleAspectRatio,
    // A setting exists for each of these, and the option would silently override it.
    "crf": .rateFactor, "qp": .quality, "bitrate": .averageBitRate, "lossless": .lossless,
    "preset": .speed, "keyint": .maxKeyFrameInterval, "bframes": .allowFrameReordering,
    "profile": .profile, "level": .profile, "level-idc": .profile, "output-csp": .profile,
    "output-depth": .profile, "output-bit-depth": .profile, "bit-depth": .profile,
    "input-csp": .format,
    // HDR metadata is added as SEI after encoding. With these options, x265 would write it as well.
    "master-display": .staticMetadata, "max-cll": .staticMetadata, "hdr10": .staticMetadata,
    "dhdr10-info": .staticMetadata,
    "dolby-vision-profile": .dynamicMetadata, "dolby-vision-rpu": .dynamicMetadata,
    // These would change what the muxer and the sample tables rely on, or make the encoder write
    // files itself.
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

  func checkOptions(for encoder: String) throws(VideoEncoderError) {
    for name in options.keys.sorted() {
      if let property = Self.reservedOptions[name.optionWithHyphens] {
        throw .contradictingOption(encoder: encoder, name: name, decidedBy: property)
      }
    }
  }
}

extension String {
  /// This name of an encoder's option, spelled with hyphens. x264 and x265 accept underscores too.
  package var optionWithHyphens: String { replacing("_", with: "-") }
}

/// Durations of frames that an encoder still holds, by presentation time. Encoders return a frame's
/// time but not its duration.
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

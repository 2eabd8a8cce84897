// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// How the amount of data is controlled.
public enum RateControl: Hashable, Sendable, CustomStringConvertible {
  /// Constant quality, as the encoder's rate factor. Lower is better. The range is 0…51 for HEVC
  /// and H.264, and 1…63 for AV1.
  case constantRateFactor(Double)
  /// Constant quality, as Apple's number from 0 to 1 (`AVVideoQualityKey`). It stands for a rate
  /// factor: 44 − 32 × quality for HEVC and H.264, and 62 − 48 × quality, rounded, for AV1.
  case quality(Double)
  /// The average bit rate, in bits per second.
  case averageBitRate(Int)
  /// Lossless coding: decoders return exactly the samples that were encoded.
  case lossless

  /// The rate control as text: `rate factor 20`, `4.5 Mbit/s`, `lossless`.
  public var description: String {
    switch self {
    case .constantRateFactor(let factor):
      "rate factor \(factor.text(decimals: factor == factor.rounded() ? 0 : 1))"
    case .quality(let quality): "quality \(quality.text(decimals: 2))"
    case .averageBitRate(let rate): "\((Double(rate) / 1e6).text(decimals: 2)) Mbit/s"
    case .lossless: "lossless"
    }
  }

  /// Returns the rate control in the library's terms: a quality becomes the library's rate factor.
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
  /// The average frame rate, for rate control.
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
  /// The level (`4.1`), or `nil` for the lowest level that fits.
  package var level: String?
  /// Whether each sample comes with the frame that a decoder will make of it. Only libraries with
  /// ``EncoderLibrary/returnsDecodedFrames`` can do this.
  package var returnsDecodedFrames: Bool = false
  /// Whether the same frames must give the same samples in every run, on any processor, with any
  /// number of threads.
  package var isReproducible = false
  /// The number of threads in the pool of x265 or SVT-AV1, or 0 to let the encoder decide. x264
  /// ignores it. Reproducible samples are the same for any number of threads.
  package var poolThreads = 0
  /// The caller's options. They go to the encoder unchanged, after the options that the other
  /// properties set.
  package var options: [String: String] = [:]

  /// The speed if the settings name none.
  package static let usualSpeed = "medium"

  /// Makes settings that have the defaults for all other properties.
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
  /// The names of options that must not be in ``options``, each with the property that decides
  /// instead.
  static let reservedOptions: [String: EncoderProperty] = [
    "colorprim": .color, "transfer": .color, "colormatrix": .color, "atc-sei": .color,
    // With these options, the bitstream could contradict the color in the file's boxes.
    "alternative-transfer": .color, "video-signal-type-preset": .color,
    "range": .range, "fullrange": .range, "input-range": .range,
    "chromaloc": .chromaLocation, "sar": .sampleAspectRatio,
    // For each of these, there is a setting, which the option would silently override.
    "crf": .rateFactor, "qp": .quality, "bitrate": .averageBitRate, "lossless": .lossless,
    "preset": .speed, "keyint": .maxKeyFrameInterval, "bframes": .allowFrameReordering,
    "profile": .profile, "level": .profile, "level-idc": .profile, "output-csp": .profile,
    "output-depth": .profile, "output-bit-depth": .profile, "bit-depth": .profile,
    "input-csp": .format,
    // HDR metadata is added after encoding. With these options, x265 would write it as well.
    "master-display": .staticMetadata, "max-cll": .staticMetadata, "hdr10": .staticMetadata,
    "dhdr10-info": .staticMetadata,
    "dolby-vision-profile": .dynamicMetadata, "dolby-vision-rpu": .dynamicMetadata,
    // Most of these options change something that the muxer and the sample tables rely on. The
    // others make the encoder write files itself.
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

/// The durations of frames that an encoder still holds, by presentation time. Encoders return a
/// frame's time but not its duration.
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

public import CodePoints
public import MediaCore

/// What an encoder has to know before the first frame.
public struct VideoEncoderSettings: Sendable {
  /// How the amount of data is decided.
  public enum RateControl: Hashable, Sendable {
    /// Constant quality: the encoder's rate factor, 0…51, less is better.
    case constantRateFactor(Double)
    /// An average in bits a second.
    case averageBitRate(Int)
    /// Samples come out of the decoder exactly as they went in.
    case lossless
  }

  /// Luma samples in a row and rows.
  public var size: VideoDimensions
  /// Depth and subsampling of the frames.
  public var format: PixelFormat
  /// What the bitstream says of color, range and chroma location; the unstated is left out.
  public var signal: SignalDescription
  /// The shape of a sample; nil if unstated.
  public var sampleAspectRatio: PixelAspectRatio? = nil
  /// Whether frames are interlaced, and which field is first.
  public var fieldOrder: FieldOrder = .progressive
  /// Ticks a second of the frames' times.
  public var timescale: Int32
  /// The average frame rate, which rate control reckons with.
  public var frameRate: FrameRate
  /// How the amount of data is decided.
  public var rateControl: RateControl = .constantRateFactor(20)
  /// The encoder's own name for its balance of speed and compression: `veryfast`, `medium`.
  public var speed: String = "medium"
  /// The most frames from one sync sample to the next; nil for the encoder's default.
  public var maxKeyFrameInterval: Int?
  /// Whether frames may be coded out of order (B frames).
  public var allowFrameReordering: Bool = true
  /// The profile as the encoder names it (`main10`, `high`); nil for what fits the format.
  public var profile: String?
  /// The level (`4.1`); nil for the lowest that fits.
  public var level: String?
  /// Whether samples come with the picture that a decoder will make of them (x265 only).
  public var givesPictures: Bool = false
  /// Options handed to the encoder as they are, after all others.
  public var options: [String: String] = [:]

  /// Settings with defaults for all that is a matter of taste.
  public init(
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

/// Options that `VideoEncoderSettings.options` cannot set, because a tag or a promise of the
/// container depends on them, with what to use in their place.
enum ReservedOptions {
  static let color = "video.colorProperties"
  static let fixed = "the settings that the container needs"

  static let shared: [String: String] = [
    "colorprim": color, "transfer": color, "colormatrix": color, "range": "video.range",
    "fullrange": "video.range", "input-range": "video.range",
    "chromaloc": "video.chromaLocation", "sar": "the source's sample aspect ratio",
    "crf": "constantRateFactor", "qp": "lossless or constantRateFactor",
    "bitrate": "averageBitRate", "lossless": "lossless", "preset": "speed",
    "keyint": "maxKeyFrameInterval", "bframes": "allowFrameReordering",
    "profile": "profileLevel", "level": "profileLevel", "level-idc": "profileLevel",
    "fps": fixed, "input-res": fixed, "input-csp": "video.pixelFormat",
    "output-csp": "profileLevel",
    "annexb": fixed, "repeat-headers": fixed, "aud": fixed, "output": fixed, "muxer": fixed,
    "input-depth": fixed, "output-depth": "profileLevel", "output-bit-depth": "profileLevel",
    "bit-depth": "profileLevel", "interlace": fixed, "tff": fixed, "bff": fixed,
    "interlaced": fixed, "videoformat": fixed, "timebase": fixed, "force-cfr": fixed,
    "vfr-input": fixed, "master-display": "the source's metadata",
    "max-cll": "the source's metadata",
    "hdr10": "the source's metadata", "hdr10-opt": fixed, "dhdr10-info": "the source's metadata",
    "atc-sei": color, "dolby-vision-profile": "hdrMetadataInsertionMode",
    "dolby-vision-rpu": "hdrMetadataInsertionMode", "video-signal-type-preset": color,
    "field": fixed, "display-window": fixed, "default-display-window": fixed, "overscan": fixed,
    "csv": fixed, "stats": fixed, "pass": fixed, "multi-pass-opt-analysis": fixed, "log": fixed,
    "log-level": fixed, "frames": fixed, "seek": fixed, "stitchable": fixed,
    "fake-interlaced": fixed,
    "pic-struct": fixed, "pulldown": fixed, "nal-hrd": fixed, "alternative-transfer": color,
  ]

  static func check(
    _ options: [String: String], encoder: String
  ) throws(VideoEncoderError) {
    for name in options.keys.sorted() {
      let plain = name.replacing("_", with: "-")
      if let instead = shared[plain] {
        throw .contradictingOption(encoder: encoder, name: name, instead: instead)
      }
    }
  }
}

/// The durations of frames that an encoder still holds, found again by their time.
struct PendingDurations {
  private var durations: [Int64: MediaTime] = [:]

  mutating func add(_ frame: VideoFrame, timescale: Int32) -> Int64 {
    let time = frame.presentationTime.converted(to: timescale).value
    durations[time] = frame.duration
    return time
  }

  mutating func take(_ time: Int64) -> MediaTime {
    durations.removeValue(forKey: time) ?? .zero
  }
}

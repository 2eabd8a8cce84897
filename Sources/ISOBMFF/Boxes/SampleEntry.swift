public import Bitstreams
public import CodePoints

/// What a sample entry (ISO/IEC 14496-12, 8.5.2; QuickTime: sample description) says, as far as it
/// matters for color.
public struct SampleEntry: Hashable, Sendable {
  /// The codes of video sample entries.
  static let videoTypes: Set<FourCC> = [
    "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "dvh1", "dvhe", "dva1", "dvav", "dav1",
    "av01", "vp08", "vp09", "mp4v", "encv", "apch", "apcn", "apcs", "apco", "ap4h", "ap4x",
    "aprn", "aprh", "jpeg", "mjpa", "mjpb", "raw ", "2vuy", "v210", "v216", "v308", "v408",
    "v410", "yuv2", "dvc ", "dvcp", "dv5p", "dv5n", "dvpp", "dvh5", "dvh6", "dvhp", "dvhq",
    "xdvc", "xdv1", "xdv2", "xdv3", "xdv5", "xdv6", "xdv7", "xdv8", "xdv9", "xdva", "xdvb",
    "xdvd", "xdve", "xdvf", "xd5b", "xd59", "hdv1", "hdv2", "hdv3", "mx5n", "mx5p", "m1v ",
    "m2v1", "AVdn", "AVdh", "CFHD", "Hap1", "png ", "rle ", "SVQ3", "s263", "vvc1", "vvi1",
  ]

  /// The codes of sound sample entries.
  static let soundTypes: Set<FourCC> = [
    "mp4a", "ac-3", "ec-3", "ac-4", "alac", "Opus", "fLaC", "twos", "sowt", "lpcm", "ipcm",
    "fpcm", "in24", "in32", "fl32", "fl64", "raw ", "ulaw", "alaw", ".mp3", "enca", "samr",
    "sawb", "ima4", "QDM2", "NONE", "apac", "mha1", "mhm1", "dtsc", "dtsh", "dtsl", "dtse",
  ]

  /// The four characters of the format.
  public let format: FourCC
  /// The boxes inside.
  public let boxes: [Box]

  /// What a sample entry's box says.
  public init(_ box: Box) {
    format = box.type
    boxes = box.children
  }

  /// The payload of the first box of a type.
  public func payload(_ type: FourCC) -> [UInt8]? { boxes.first { $0.type == type }?.fields }

  /// All `colr` boxes, in their order.
  public var colorInformation: [ColorInformation] {
    boxes.filter { $0.type == "colr" }.compactMap { ColorInformation($0.fields) }
  }

  /// Color and range as each `nclx` and `nclc` box states them, in their order.
  public var signals: [SignalDescription] {
    colorInformation.compactMap { information in
      switch information {
      case .nclx(let color, let full): SignalDescription(color: color, videoFullRangeFlag: full)
      case .nclc(let color): SignalDescription(color: color)
      case .profile, .other: nil
      }
    }
  }

  /// Color and range as the first `nclx` or `nclc` box states them.
  public var signal: SignalDescription { signals.first ?? SignalDescription() }

  /// `amve`.
  public var ambientViewingEnvironment: AmbientViewingEnvironment? {
    payload("amve").flatMap { AmbientViewingEnvironment(payload: $0) }
  }

  /// `mdcv`.
  public var masteringDisplay: MasteringDisplayColorVolume? {
    payload("mdcv").flatMap { MasteringDisplayColorVolume(payload: $0) }
  }

  /// `clli`.
  public var contentLightLevel: ContentLightLevel? {
    payload("clli").flatMap { ContentLightLevel(payload: $0) }
  }
}

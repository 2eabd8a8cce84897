internal import LibAV
internal import MediaCore
internal import NALUnits

/// Finds out which packets of a track gave no picture although they hold one.
///
/// Decoders leave out pictures without a word: those whose data makes no sense, and those that
/// cannot be decoded where reading begins, which are not lost.
struct LostPictures {
  private let isIntraOnly: Bool
  private let units: PacketUnits?
  /// The times of the packets whose pictures are due, by their number.
  private var due: [Int: MediaTime] = [:]
  private var sentCount = 0
  private var receivedCount = 0
  /// The time of the first packet that decoding can start at.
  private var start: MediaTime?
  private var leavesOutLeadingPictures = true
  private var hasFields = false

  /// Codecs each packet of which is a whole picture.
  private static let intraCodecs: Set<String> = [
    "prores", "dnxhd", "mjpeg", "jpeg2000", "png", "v210", "rawvideo", "r10k", "v308", "v410",
    "qtrle", "cfhd", "dvvideo", "ffv1", "huffyuv", "hap", "tiff",
  ]

  /// - Returns: nil for codecs whose packets need not be pictures.
  init?(_ track: DemuxedTrack) {
    isIntraOnly = Self.intraCodecs.contains(track.codec.codecName)
    units = isIntraOnly ? nil : PacketUnits(track)
    if !isIntraOnly && units == nil { return nil }
  }

  /// Takes note of a packet that is decoded.
  mutating func send(_ packet: Packet, number: Int) {
    guard !packet.isEmpty, let time = packet.presentationTime else { return }
    if start == nil, packet.isSync || isIntraOnly { start = time }
    guard let start, time >= start, isShown(packet) else { return }
    due[number] = time
    sentCount += 1
  }

  /// Takes note of a picture that came out.
  mutating func receive(_ frame: DecodedFrame) {
    if units?.codec == .avc, frame.fieldOrder != .progressive { hasFields = true }
    if due.removeValue(forKey: frame.packetNumber) != nil { receivedCount += 1 }
  }

  /// How many pictures are lost that a timeline presents.
  func count(presentedBy timeline: EditTimeline, lasting duration: MediaTime) -> Int {
    // Both fields of an H.264 picture may have packets of their own.
    guard !hasFields else { return 0 }
    let presented = due.values.filter { timeline.presents(from: $0, to: $0 + duration) }
    return min(presented.count, max(sentCount - receivedCount, 0))
  }

  /// Whether a packet has a picture that can be decoded: in HEVC, pictures that lead an IRAP
  /// picture where decoding begins refer to what is not there (H.265, 8.1.3).
  private mutating func isShown(_ packet: Packet) -> Bool {
    guard let units else { return true }
    let (late, own) = units.split(packet)
    // A sample of a movie or Matroska file is a picture by definition; a piece of a byte stream is
    // one where it holds slices.
    guard units.codec == .hevc else {
      return units.areSamples
        || own.contains { unit in unit.bytes.first.map { (1...5).contains($0 & 31) } ?? false }
    }
    if late.contains(where: { [36, 37].contains($0.hevcType.rawValue) }) {
      leavesOutLeadingPictures = true
    }
    guard let type = own.first(where: { $0.hevcType.rawValue < 32 })?.hevcType.rawValue else {
      return units.areSamples
    }
    switch type {
    case 8, 9: return !leavesOutLeadingPictures
    case 16...18: leavesOutLeadingPictures = true
    case 19...20: leavesOutLeadingPictures = false
    case 21: leavesOutLeadingPictures = leavesOutLeadingPictures && due.isEmpty && sentCount == 0
    default: break
    }
    if own.contains(where: { [36, 37].contains($0.hevcType.rawValue) }) {
      leavesOutLeadingPictures = true
    }
    return true
  }
}

internal import CodePoints
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Decodes the first picture of every video track of a file, and reads what the first packets of HDR
/// say beside their pictures, which may begin late.
struct FirstPictures {
  /// The first picture of a track and the packet that the track begins with.
  struct Finding {
    let frame: DecodedFrame
    let firstSample: [UInt8]
    /// SEI and what Dolby Vision adds, of the next packets of HDR in HEVC.
    fileprivate(set) var laterUnits: [NALUnit] = []
  }

  /// The findings by track index. Tracks without a picture that can be decoded are missing.
  private(set) var found: [Int: Finding] = [:]

  private let demuxer: Demuxer
  private var searches: [Int: Search] = [:]

  private struct Search {
    let decoder: VideoDecoder
    let units: PacketUnits?
    let containerSignal: SignalDescription
    var firstSample: [UInt8]?
    var laterUnits: [NALUnit] = []
    var packetCount = 0

    mutating func add(_ packet: Packet) {
      packetCount += 1
      guard firstSample != nil else { return firstSample = packet.bytes }
      guard let units, units.codec == .hevc, packetCount <= FirstPictures.beginning else { return }
      let (late, own) = units.split(packet)
      laterUnits += (late + own).filter(\.hevcType.isBesidePictures)
    }
  }

  /// Decoders hold back as many pictures as they reorder and have threads; after this many packets
  /// without a picture there is none.
  private static let patience = 600
  /// How many packets are a track's beginning: about a second.
  private static let beginning = 32

  init(_ demuxer: Demuxer) {
    self.demuxer = demuxer
    for track in demuxer.tracks {
      if track.kind == .video,
        let decoder = try? VideoDecoder(track: track, onePicture: true)
      {
        searches[track.index] = Search(
          decoder: decoder, units: PacketUnits(track), containerSignal: track.containerSignal)
      } else {
        demuxer.discard(trackIndex: track.index)
      }
    }
  }

  /// Reads until all tracks have a picture or the file ends. Damage is passed over: whoever reads
  /// the whole track reports it.
  mutating func find() throws {
    while !searches.isEmpty, let packet = try? demuxer.readPacket() {
      let index = packet.trackIndex
      guard var search = searches[index] else { continue }
      search.add(packet)
      searches[index] = search
      if found[index] == nil {
        try? search.decoder.send(packet)
        take(from: search, index)
      }
      if isComplete(search, index) { end(index) }
    }
    for (index, search) in searches where found[index] == nil {
      try? search.decoder.send(nil)
      take(from: search, index)
    }
    for index in searches.keys { end(index) }
  }

  private func isComplete(_ search: Search, _ index: Int) -> Bool {
    guard let finding = found[index] else { return search.packetCount > Self.patience }
    let signals = [search.containerSignal, finding.frame.pixelBuffer.attachments.signal]
    let isHDR = signals.contains { $0.color.transferCharacteristics.isHDR }
    return search.units?.codec != .hevc || !isHDR || search.packetCount >= Self.beginning
  }

  private mutating func end(_ index: Int) {
    found[index]?.laterUnits = searches[index]?.laterUnits ?? []
    searches[index] = nil
  }

  private mutating func take(from search: Search, _ index: Int) {
    for _ in 0..<Self.patience where found[index] == nil {
      do {
        guard let frame = try search.decoder.receive() else { return }
        found[index] = Finding(frame: frame, firstSample: search.firstSample ?? [])
      } catch {
        continue
      }
    }
  }
}

extension HEVCNALUnitType {
  /// Whether a unit is SEI or of Dolby Vision.
  fileprivate var isBesidePictures: Bool {
    [.prefixSEI, .suffixSEI, .dolbyVisionRPU, .dolbyVisionEnhancementLayer].contains(self)
  }
}

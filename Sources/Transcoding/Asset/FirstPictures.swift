internal import LibAV

/// Decodes the first picture of every video track of a file.
struct FirstPictures {
  /// The first picture of a track and the packet that the track begins with.
  struct Finding {
    let frame: DecodedFrame
    let firstSample: [UInt8]
  }

  /// The findings by track index. Tracks without a picture that can be decoded are missing.
  private(set) var found: [Int: Finding] = [:]

  private let demuxer: Demuxer
  private var searches: [Int: Search] = [:]

  private struct Search {
    let decoder: VideoDecoder
    var firstSample: [UInt8]?
    var packetCount = 0
  }

  /// Decoders hold back as many pictures as they reorder and have threads; after this many packets
  /// without a picture there is none.
  private static let patience = 600

  init(_ demuxer: Demuxer) {
    self.demuxer = demuxer
    for track in demuxer.tracks {
      if track.kind == .video,
        let decoder = try? VideoDecoder(track: track, onePicture: true)
      {
        searches[track.index] = Search(decoder: decoder)
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
      search.firstSample = search.firstSample ?? packet.bytes
      search.packetCount += 1
      searches[index] = search
      try? search.decoder.send(packet)
      take(from: search, index)
      if search.packetCount > Self.patience { searches[index] = nil }
    }
    for (index, search) in searches {
      try? search.decoder.send(nil)
      take(from: search, index)
    }
  }

  private mutating func take(from search: Search, _ index: Int) {
    for _ in 0..<Self.patience where searches[index] != nil {
      do {
        guard let frame = try search.decoder.receive() else { return }
        found[index] = Finding(frame: frame, firstSample: search.firstSample ?? [])
        searches[index] = nil
      } catch {
        continue
      }
    }
  }
}

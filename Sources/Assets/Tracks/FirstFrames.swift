// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// Decodes the first frame of every video track. For HDR, it also reads the metadata in the first
/// packets. If frames may need a Dolby Vision RPU, reading goes on until a usable RPU is found, or
/// until very many packets were read.
struct FirstFrames {
  /// A track's first packet, and facts about its first frame. The pixels are not kept.
  struct Finding {
    let size: VideoDimensions
    let format: PixelFormat
    let attachments: Attachments
    let hasAlpha: Bool
    let hasCaptions: Bool
    let fieldOrder: FieldOrder
    /// When the frame is presented, in the track's media timeline; `nil` if the file does not say.
    let presentationTimeStamp: MediaTime?
    let firstSample: [UInt8]
    /// The units of later packets that may contain metadata or belong to Dolby Vision's enhancement
    /// layer. Only HDR needs them.
    fileprivate(set) var laterUnits: [NALUnit] = []

    fileprivate init(_ frame: DecodedFrame, firstSample: [UInt8]) {
      let buffer = frame.pixelBuffer
      (size, format, attachments) = (
        buffer.size, buffer.format, buffer.attachments
      )
      (hasAlpha, hasCaptions) = (frame.hasAlpha, frame.hasCaptions)
      (fieldOrder, presentationTimeStamp) = (frame.fieldOrder, frame.presentationTimeStamp)
      self.firstSample = firstSample
    }
  }

  private var found: [Int: Finding] = [:]
  private var packets: DemuxedPackets
  private var searches: [Int: Search] = [:]

  private struct Search {
    // The decoder is closed once the frame is found, because it keeps some frames in memory.
    var decoder: VideoDecoder?
    let codec: CodecParameters
    let units: PacketMetadata?
    let containerSignal: SignalDescription
    /// The Dolby Vision record of the container, if it has one.
    let record: ConfigurationRecord?
    /// Whether boxes say when the presentation starts. If they do, the first frame to be decoded
    /// serves, even if others are presented before it.
    let isTimed: Bool
    var firstSample: [UInt8]?
    var laterUnits: [NALUnit] = []
    var packetCount = 0
    private var hasRPUs = false
    private var hasUsableRPU = false
    /// Whether neither color tags nor a record say what the frames mean.
    private var isUndescribed = false

    init(_ track: DemuxedTrack, _ decoder: VideoDecoder, isTimed: Bool) {
      (self.decoder, self.isTimed) = (decoder, isTimed)
      (codec, units, containerSignal) = (track.codec, PacketMetadata(track), track.containerSignal)
      record = track.containerDolbyVisionConfiguration.flatMap {
        try? ConfigurationRecord(payload: $0)
      }
    }

    mutating func add(_ packet: Packet) {
      packetCount += 1
      let isFirst = firstSample == nil
      if isFirst { firstSample = packet.bytes }
      // RPUs or other metadata may be missing from the first packets and begin only later.
      let isBeginning = packetCount <= FirstFrames.beginning
      guard let units, isBeginning || needsRPU else { return }
      let (late, own) = units.split(packet)
      let found = late + own
      look(forRPUIn: found)
      guard !isFirst else { return }
      laterUnits += found.filter { isBeginning ? $0.isLookedAt : $0.isDolbyVisionRPU }
    }

    private mutating func look(forRPUIn found: ArraySlice<NALUnit>) {
      guard !hasUsableRPU, let payload = DolbyVisionRPU.payload(in: found) else { return }
      hasRPUs = true
      let rpu = DolbyVisionRPU(payload: payload)
      hasUsableRPU = rpu.isReadable && rpu.standsAlone
    }

    /// Whether frames might mean nothing without a usable RPU, and none has been found yet. Then
    /// the search goes on.
    var needsRPU: Bool {
      // Even if many RPUs in a row are damaged or missing, profile 5 must not look like plain
      // video.
      !hasUsableRPU && (hasRPUs || record?.rpuProfile == 5 || isUndescribed)
    }

    /// Takes the first frame, which may decide how long the search goes on.
    mutating func take(_ frame: Finding) {
      decoder = nil
      // Profile 5 of Dolby Vision has 10 bits and leaves its color unspecified.
      isUndescribed =
        record == nil && frame.format.bitDepth == 10 && units?.carriesDolbyVision == true
        && !transfers(of: frame).contains(where: \.isSpecified)
    }

    /// Whether to read further packets, because the frames may have metadata.
    func mayHaveMetadata(_ frame: Finding) -> Bool {
      guard let units else { return false }
      let transfers = transfers(of: frame)
      return transfers.contains(where: \.isHDR)
        || units.carriesDolbyVision
          && (hasRPUs || record != nil || !transfers.contains(where: \.isSpecified))
    }

    /// Returns the transfer functions that the container and the first frame state.
    private func transfers(of frame: Finding) -> [TransferCharacteristics] {
      [containerSignal, frame.attachments.signal].map(\.color.transferCharacteristics)
    }
  }

  // A decoder holds frames back: as many as it reorders, and one for each thread. If this many
  // packets give no frame, none will come.
  private static let patience = 600
  /// How many packets count as a track's beginning. They last about a second.
  private static let beginning = 32

  // Each open decoder has frames in memory, and a file may have a hundred tracks.
  private static let groupSize = 8
  /// The largest group of more than `groupSize` tracks, as the sum of the tracks' frame sizes in
  /// luma samples.
  private static let groupArea = groupSize * 1920 * 1080
  private static let largestGroup = 64

  /// Returns groups of tracks to decode together.
  private static func groups(_ videos: [DemuxedTrack]) -> [[DemuxedTrack]] {
    var groups: [[DemuxedTrack]] = []
    var area = 0
    for track in videos {
      let sides = [track.size.width, track.size.height].map { min(max($0, 1), 1 << 16) }
      let own = sides[0] * sides[1]
      area += own
      if let last = groups.last, last.count < groupSize || area <= groupArea,
        last.count < largestGroup
      {
        groups[groups.count - 1].append(track)
      } else {
        groups.append([track])
        area = own
      }
    }
    return groups
  }

  /// Finds the first frames of all video tracks.
  ///
  /// - Parameters:
  ///   - tracks: the tracks of the file.
  ///   - demuxer: a demuxer from which nothing has been read. It cannot be used afterwards.
  ///   - movie: the boxes of the file, if it has any.
  /// - Returns: the findings by track index. A track is absent if none of its frames can be
  ///   decoded.
  static func find(
    _ tracks: [DemuxedTrack], in demuxer: Demuxer, path: String, _ movie: Movie?
  ) throws -> [Int: Finding] {
    let videos = tracks.filter { $0.kind == .video }
    var found: [Int: Finding] = [:]
    for (number, group) in groups(videos).enumerated() {
      // Each group after the first opens the file again. Probing is not repeated, because it would
      // find the same facts again.
      var pictures = FirstFrames(
        of: group, number == 0 ? demuxer : try Demuxer(path: path, probing: false), movie)
      pictures.find()
      found.merge(pictures.found) { first, _ in first }
      FFmpeg.giveBackFreedMemory()
    }
    return found
  }

  private init(of tracks: some Collection<DemuxedTrack>, _ demuxer: Demuxer, _ movie: Movie?) {
    for track in tracks {
      guard let decoder = try? VideoDecoder(track: track, onePicture: true) else { continue }
      let isTimed = movie?.track(id: UInt32(clamping: track.id)) != nil
      searches[track.index] = Search(track, decoder, isTimed: isTimed)
    }
    packets = DemuxedPackets(demuxer, of: Set(searches.keys))
  }

  /// Reads until the search is over for all tracks, or the file ends.
  private mutating func find() {
    // Ignore damage here. It is reported when the whole track is read.
    while let packet = try? packets.next() {
      let index = packet.trackIndex
      guard var search = searches[index] else { continue }
      search.add(packet)
      if let decoder = search.decoder, search.codec.isKnown(packet) {
        try? decoder.send(packet)
        take(from: decoder, of: search, index)
        if search.isTimed, search.packetCount == 1, packet.isSync, found[index] == nil {
          drain(decoder, packet, of: search, index)
        }
        if let frame = found[index] { search.take(frame) }
      }
      searches[index] = search
      if isComplete(search, index) { end(index) }
    }
    for (index, search) in searches {
      guard let decoder = search.decoder else { continue }
      try? decoder.send(nil)
      take(from: decoder, of: search, index)
    }
    for index in searches.keys { end(index) }
  }

  private func isComplete(_ search: Search, _ index: Int) -> Bool {
    guard let finding = found[index] else { return search.packetCount > Self.patience }
    guard search.mayHaveMetadata(finding) else { return true }
    return search.packetCount >= (search.needsRPU ? Self.patience : Self.beginning)
  }

  private mutating func end(_ index: Int) {
    found[index]?.laterUnits = searches[index]?.laterUnits ?? []
    searches[index] = nil
    packets.end(index)
  }

  /// Takes the frame of a track's first packet without sending more packets. A decoder that
  /// reorders frames would hold it back until it has decoded several more.
  private mutating func drain(
    _ decoder: VideoDecoder, _ packet: Packet, of search: Search, _ index: Int
  ) {
    try? decoder.send(nil)
    let frame = (try? decoder.receive()).flatMap { $0 }
    // A packet may hold only one field of a frame.
    if let frame, !frame.isDamaged, frame.fieldOrder == .progressive {
      found[index] = Finding(frame, firstSample: search.firstSample ?? [])
    } else {
      decoder.flush()
      try? decoder.send(packet)
      take(from: decoder, of: search, index)
    }
  }

  private mutating func take(from decoder: VideoDecoder, of search: Search, _ index: Int) {
    for _ in 0..<Self.patience where found[index] == nil {
      do {
        guard let frame = try decoder.receive() else { return }
        found[index] = Finding(frame, firstSample: search.firstSample ?? [])
      } catch {
        continue
      }
    }
  }
}

extension NALUnit {
  /// Whether to keep a unit from the packets after the first.
  fileprivate var isLookedAt: Bool {
    // An enhancement layer is not decoded, but its presence has to be reported.
    isBesidePicture || isDolbyVisionEnhancementLayer
  }
}

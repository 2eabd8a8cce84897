// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import DolbyVision
package import Host
internal import ISOBMFF
package import LibAV
package import MediaCore
package import NALUnits
internal import OBUs

/// One frame of a file, with the facts that can be read without decoding.
package struct CodedFrame: Sendable {
  /// When the frame is presented, in the track's media timeline; `nil` if unknown.
  package var time: MediaTime?
  /// How long its sample lasts; zero if unknown.
  package var duration: MediaTime
  /// Whether decoding can start here.
  package var isSync: Bool
  /// Facts from its first slice; `nil` unless the codec is H.264 or HEVC.
  package var picture: CodedPicture?
  /// The types of its SEI messages in their order.
  package var seiTypes: [Int] = []
  /// The types of its metadata units of AV1 in their order.
  package var metadataOBUTypes: [Int] = []
  /// The names of user data that might be HDR metadata, but of a kind that is not read.
  package var otherUserData: [String] = []
  /// The dynamic metadata in its access unit.
  package var metadata = FrameMetadata()

  /// The Dolby Vision RPU of the frame; `nil` if it has none.
  package var rpu: DolbyVisionRPU? { metadata[DolbyVisionRPU.self] }
}

/// The frames of a file's video track (``MediaAsset/videoTrack``), in presentation order.
package struct CodedFrames: Sendable {
  package let frames: [CodedFrame]
  package let codec: CodecParameters

  /// Reads all samples of the track.
  ///
  /// - Parameters:
  ///   - id: the ID of another track to read instead.
  ///   - completesRPUs: whether RPUs get a copy of what they refer to in earlier RPUs. References
  ///     assume decoding order, so RPUs that are put into another order need the copy.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there is no video track.
  package init(
    path: String, track id: Int? = nil, completesRPUs: Bool = false,
    checkpoint: Pipeline.Checkpoint
  ) throws {
    try TranscodingError.refuseUnusable(input: path)
    (codec, frames) = try SourceVersion(path: path).unchanged {
      do {
        return try Self.read(path, track: id, completesRPUs: completesRPUs, checkpoint)
      } catch {
        throw TranscodingError.meaning(of: error, input: path)
      }
    }
  }

  private static func read(
    _ path: String, track id: Int?, completesRPUs: Bool, _ checkpoint: Pipeline.Checkpoint
  ) throws -> (codec: CodecParameters, frames: [CodedFrame]) {
    let demuxer = try Demuxer(path: path)
    let videos = demuxer.tracks.filter { $0.kind == .video }
    // Opening the asset takes time, and most files have only one track of video.
    let wanted =
      try id ?? (videos.count > 1 ? MediaAsset(opening: path).videoTrack?.demuxed.id : nil)
    guard let track = videos.first(where: { $0.id == wanted }) ?? videos.first else {
      throw TranscodingError(.unusableInput, "\(path) has no video track")
    }
    let movie = try? MediaAsset.movie(FileByteSource(path: path))
    try movie?.track(id: UInt32(clamping: track.id))?.refuseOtherEntries(of: path)
    // Dolby Vision's enhancement layer may be in a separate track, which then contains the RPUs.
    var readers: [Int: Reader] = [
      track.index: Reader(track, completesRPUs: completesRPUs)
    ]
    for other in videos where other.codec.nalCodec != nil {
      readers[other.index] = Reader(other, completesRPUs: completesRPUs)
    }
    var packets = DemuxedPackets(demuxer, of: Set(readers.keys))
    while let packet = try packets.next() {
      try checkpoint()
      try readers[packet.trackIndex]?.add(packet)
    }
    let frames = sorted(readers[track.index]?.frames ?? [])
    guard !frames.contains(where: { $0.metadata.has(DolbyVisionRPU.self) }) else {
      return (track.codec, frames)
    }
    for layer in readers.values.map(\.frames) where layer.count == frames.count {
      guard layer.first?.rpu?.unit?.profile == 7 else { continue }
      return (track.codec, withRPUs(of: sorted(layer), frames))
    }
    return (track.codec, frames)
  }

  /// Returns the frames, each with the RPU of the same frame in the enhancement layer.
  private static func withRPUs(
    of layer: [CodedFrame], _ frames: [CodedFrame]
  ) -> [CodedFrame] {
    zip(frames, layer).map { frame, layer in
      var frame = frame
      if let rpu = layer.rpu {
        frame.metadata.put(rpu)
        frame.metadata = frame.metadata.unread
      }
      return frame
    }
  }

  /// Returns the frames that an edit list presents, without changing their order.
  package func presented(by timeline: EditTimeline) -> [CodedFrame] {
    frames.indices.filter { index in
      guard let start = frames[index].time else { return true }
      let next = index + 1 < frames.count ? frames[index + 1].time : nil
      return timeline.presents(from: start, to: next ?? start + frames[index].duration)
    }.map { frames[$0] }
  }

  /// Sorts frames into presentation order.
  private static func sorted(_ frames: [CodedFrame]) -> [CodedFrame] {
    func sorted<Key: Comparable>(by key: (CodedFrame) -> Key?) -> [CodedFrame]? {
      let keyed = frames.compactMap { frame in key(frame).map { ($0, frame) } }
      return keyed.count == frames.count ? keyed.sorted { $0.0 < $1.0 }.map(\.1) : nil
    }
    // A byte stream has no times, so frames are sorted by the picture order counts in their slices.
    // If there are no such counts either, because the codec is not parsed, frames keep their order
    // in the file.
    return sorted(by: \.time) ?? sorted { $0.picture?.order } ?? frames
  }

  private struct Reader {
    private(set) var frames: [CodedFrame] = []
    private let units: PacketMetadata?
    private var pictures: CodedPictureReader?
    private var mappings: MappingMemory?

    init(_ track: DemuxedTrack, completesRPUs: Bool) {
      mappings = completesRPUs ? MappingMemory(nil) : nil
      units = PacketMetadata(track)
      pictures = PacketUnits(track).map { CodedPictureReader(parameterSets: $0.configuration) }
    }

    mutating func add(_ packet: Packet) throws {
      var frame = CodedFrame(
        time: packet.presentationTimeStamp, duration: packet.duration, isSync: packet.isSync)
      guard let units else { return frames.append(frame) }
      var (late, own) = units.split(packet)
      // In a byte stream, units after an end of sequence come with the next packet although they
      // belong to the previous frame. Units before the first frame can only belong to that frame.
      if frames.isEmpty {
        (late, own) = ([], late + own)
      } else if !late.isEmpty {
        try frames[frames.count - 1].take(late, areNALUnits: true, &mappings)
        _ = pictures?.read(Array(late))
        if own.isEmpty { return }
      }
      frame.picture = pictures?.read(Array(own))
      try frame.take(own, areNALUnits: pictures != nil, &mappings)
      frames.append(frame.shared(with: frames.last))
    }
  }
}

extension CodedFrame {
  /// Returns the frame. Parts that are equal in another frame share that frame's memory.
  fileprivate func shared(with other: CodedFrame?) -> CodedFrame {
    var frame = self
    frame.seiTypes = seiTypes.shared(with: other?.seiTypes)
    frame.metadataOBUTypes = metadataOBUTypes.shared(with: other?.metadataOBUTypes)
    frame.otherUserData = otherUserData.shared(with: other?.otherUserData)
    frame.metadata = metadata.shared(with: other?.metadata)
    return frame
  }

  /// Adds the metadata of the frame.
  ///
  /// - Parameter areNALUnits: whether the frame really has these NAL units. If not, they stand for
  ///   units of AV1.
  fileprivate mutating func take(
    _ units: ArraySlice<NALUnit>, areNALUnits: Bool, _ mappings: inout MappingMemory?
  ) throws {
    for unit in units {
      let messages = unit.type.isSEI ? SEIMessage.messages(in: unit) : []
      otherUserData += messages.compactMap(\.otherUserData)
      if areNALUnits {
        seiTypes += messages.map(\.payloadType)
      } else if let type = OBU(metadata: unit).flatMap({ MetadataOBU($0) })?.kind.rawValue {
        metadataOBUTypes.append(type)
      }
    }
    metadata.take(units)
    if DolbyVisionRPU.payload(in: units) != nil, let own = rpu,
      let whole = try mappings?.completed(own)
    {
      metadata.put(whole)
    }
    // A film has as many RPUs as frames. If all were parsed, they would take too much memory. So
    // each RPU is parsed only when it is needed.
    metadata = metadata.unread
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Host
internal import LibAV
internal import MediaCore

/// Turns decoded frames into the frames that readers return: adds the RPUs of an enhancement layer,
/// reshapes frames that need it, and fills in metadata that neighboring frames have.
struct FrameCompletion {
  /// Metadata of earlier frames that is still in force where the presentation begins, and the media
  /// time of that beginning.
  private let held: (metadata: FrameMetadata, time: MediaTime)?
  private let reshaper: FrameReshaper?
  private let baseLayer: BaseLayerCheck?
  /// Whether frames are only prepared for reshaping.
  private let leavesReshaping: Bool
  /// The RPUs of the frames, if they are in the track of an enhancement layer.
  private let layer: FrameMetadataTable?
  /// For each kind of metadata, the track's first value. Later values are compared with it.
  private var first = FrameMetadata()
  /// For each kind that every frame needs, the last value that could be used.
  private var nearest = FrameMetadata()
  /// The kinds of metadata that not every frame needs.
  private let optionalKinds: [any DynamicHDRMetadataKind.Type]

  /// - Parameter leavesReshaping: whether a conversion reshapes the frames later.
  init(
    _ track: AssetTrack, needing kinds: [any DynamicHDRMetadataKind.Type], leavesReshaping: Bool,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    held = track.timeline.mediaStart.map { (track.heldMetadata, $0) }
    reshaper = FrameReshaper(track)
    baseLayer = BaseLayerCheck(track)
    self.leavesReshaping = leavesReshaping
    let needsLayer = track.enhancementLayer != nil && kinds.contains { $0.belongsToLayers }
    layer = needsLayer ? try FrameMetadataTable(rpusOf: track, checkpoint: checkpoint) : nil
    optionalKinds = kinds.filter { !$0.isOfEveryFrame }
    for kind in kinds where kind.isOfEveryFrame { need(kind, track) }
    nearest = first
    for kind in optionalKinds { need(kind, track) }
  }

  private mutating func need<Kind: DynamicHDRMetadataKind>(_ kind: Kind.Type, _ track: AssetTrack) {
    guard let value = track.firstMetadata(kind), value.isUsable(beside: value) else { return }
    first[kind] = value
  }

  /// Completes a frame. Pass frames in presentation order.
  mutating func callAsFunction(_ frame: VideoFrame, _ tally: ReadingTally) throws -> VideoFrame {
    var frame = frame
    if let held, frame.presentationTimeStamp <= held.time { frame.metadata.hold(held.metadata) }
    for value in layer?[frame.presentationTimeStamp]?.all ?? [] { frame.metadata.put(value) }
    try baseLayer?.refuse(frame.metadata, at: frame.presentationTimeStamp)
    if let reshaper {
      if !reshaper.prepare(&frame.pixelBuffer, &frame.metadata) {
        try tally.addDamage("the Dolby Vision RPU that reshapes a frame is missing or wrong")
      }
      if !leavesReshaping { reshaper.reshape(&frame.pixelBuffer, &frame.metadata) }
    }
    for value in nearest.all { try complete(&frame, like: value, tally) }
    for kind in optionalKinds { try leaveOut(kind, of: &frame, tally) }
    return frame
  }

  /// Takes the metadata of a frame that is not presented. The next frame gets this metadata if it
  /// lacks its own.
  mutating func follow(_ metadata: FrameMetadata) {
    var metadata = metadata
    reshaper?.follow(&metadata)
    for value in nearest.all { follow(metadata, like: value) }
  }

  private mutating func follow<Kind: DynamicHDRMetadataKind>(
    _ metadata: FrameMetadata, like before: Kind
  ) {
    guard let own = metadata[Kind.self], own.isUsable(beside: first[Kind.self] ?? before) else {
      return
    }
    nearest[Kind.self] = own
  }

  /// Leaves out a value that is damaged. The right value is unknown, and a frame can do without it.
  private func leaveOut<Kind: DynamicHDRMetadataKind>(
    _: Kind.Type, of frame: inout VideoFrame, _ tally: ReadingTally
  ) throws {
    guard let own = frame.metadata[Kind.self], !own.isUsable(beside: first[Kind.self] ?? own)
    else { return }
    frame.metadata[Kind.self] = nil
    try tally.addDamage("the \(Kind.item) of a frame is damaged")
  }

  /// - Parameter before: the value to use if the frame's own value is missing or wrong.
  private mutating func complete<Kind: DynamicHDRMetadataKind>(
    _ frame: inout VideoFrame, like before: Kind, _ tally: ReadingTally
  ) throws {
    // If the frame's own value is missing or wrong, the last good value is used. So no frame lacks
    // metadata that its neighbors have.
    let first = first[Kind.self] ?? before
    if let own = frame.metadata[Kind.self], own.isUsable(beside: first) {
      nearest[Kind.self] = own
    } else {
      try tally.addDamage("the \(Kind.item) of a frame is missing or wrong")
    }
    frame.metadata[Kind.self] = nearest[Kind.self]
  }
}

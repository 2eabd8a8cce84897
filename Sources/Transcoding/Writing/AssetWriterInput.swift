internal import ISOBMFF
public import LibAV
public import MediaCore
internal import VideoEncoders

/// Takes the samples of one track of an output: pictures, which it encodes, or packets.
///
/// An input is used by one thread at a time; several inputs of a writer can be used side by side.
public final class AssetWriterInput: @unchecked Sendable {
  // Sendable although it has state: one thread at a time uses an input.
  /// What the input makes of what it is given.
  enum Mode {
    case encode(any VideoEncoder, format: VideoTrackFormat)
    case copy(DemuxedTrack, decodeTimes: DecodeTimes?)
    case encodedSound(CodecParameters, timescale: Int32)
  }

  let mode: Mode
  /// What the track's boxes say.
  let boxes: TrackBoxes

  /// Told of every sample that came out of the encoder.
  private let encoded: @Sendable (EncodedSample) -> Void
  private var queue: BoundedQueue<AssetWriter.Item>?
  private var trackIndex = 0
  private var packetCount = 0

  init(
    mode: Mode, boxes: TrackBoxes, encoded: @escaping @Sendable (EncodedSample) -> Void = { _ in }
  ) {
    self.mode = mode
    self.boxes = boxes
    self.encoded = encoded
  }

  func connect(to queue: BoundedQueue<AssetWriter.Item>, trackIndex: Int) {
    self.queue = queue
    self.trackIndex = trackIndex
  }

  /// Encodes a frame. Waits while the writer is behind.
  public func append(_ frame: VideoFrame) throws {
    guard case .encode(let encoder, _) = mode else {
      preconditionFailure("frames are appended to inputs that encode")
    }
    try push(try encoder.encode(frame))
  }

  /// Writes a packet as it is. Waits while the writer is behind.
  public func append(_ packet: Packet) throws {
    guard case .copy(_, let times) = mode else {
      preconditionFailure("packets are appended to inputs that copy")
    }
    try push(.packet(packet, decodeTime: times?.time(at: packetCount)))
    packetCount += 1
  }

  /// Writes an encoded sample as it is. Waits while the writer is behind.
  public func append(_ sample: EncodedSample) throws {
    try push(.sample(sample))
  }

  /// Says that nothing more will be appended; what the encoder still holds is written.
  public func markAsFinished() throws {
    if case .encode(let encoder, _) = mode {
      while case let samples = try encoder.drain(), !samples.isEmpty { try push(samples) }
    }
    try push(.end)
  }

  private func push(_ samples: [EncodedSample]) throws {
    for sample in samples {
      try push(.sample(sample))
      encoded(sample)
    }
  }

  private func push(_ content: AssetWriter.Item.Content) throws {
    guard let queue else { preconditionFailure("the input was added to a writer") }
    try queue.push(AssetWriter.Item(track: trackIndex, content: content))
  }
}

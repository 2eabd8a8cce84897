package import LibAV
public import MediaCore

/// One sample that a track of an asset gives.
public enum SampleBuffer: Sendable {
  /// A decoded frame.
  case frame(VideoFrame)
  /// Compressed data as it is in the file.
  case packet(CompressedSample)
}

/// The compressed data of one sample, with its times in the track's media timeline.
public struct CompressedSample: Sendable {
  package let packet: Packet

  package init(_ packet: Packet) { self.packet = packet }

  /// When the sample is presented; nil where the file does not say.
  public var presentationTime: MediaTime? { packet.presentationTime }
  /// When the sample is decoded; nil where the file does not say.
  public var decodeTime: MediaTime? { packet.decodeTime }
  /// How long the sample lasts; zero if unknown.
  public var duration: MediaTime { packet.duration }
  /// Whether decoding can start here.
  public var isSync: Bool { packet.isSync }
  /// A copy of the data.
  public var bytes: [UInt8] { packet.bytes }
}

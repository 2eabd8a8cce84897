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

  /// The presentation time; nil if the file does not state it.
  public var presentationTime: MediaTime? { packet.presentationTime }
  /// The decode time; nil if the file does not state it.
  public var decodeTime: MediaTime? { packet.decodeTime }
  /// The duration; zero if unknown.
  public var duration: MediaTime { packet.duration }
  /// True if decoding can start here.
  public var isSync: Bool { packet.isSync }
  /// A copy of the data.
  public var bytes: [UInt8] { packet.bytes }
}

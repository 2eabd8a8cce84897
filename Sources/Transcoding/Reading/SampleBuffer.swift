public import LibAV
public import MediaCore

/// What a track of an asset gives: a decoded picture or a packet as it is in the file.
public enum SampleBuffer: Sendable {
  /// A decoded picture.
  case frame(VideoFrame)
  /// A packet of compressed data.
  case packet(Packet)
}

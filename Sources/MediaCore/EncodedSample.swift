/// One access unit of compressed video or packet of compressed audio.
package struct EncodedSample: Sendable {
  /// The compressed data; NAL units of video have start codes (H.264 and H.265, Annex B).
  package var bytes: [UInt8]
  /// The presentation time, in the track's media timeline.
  package var presentationTime: MediaTime
  /// The decode time; not later than the presentation time.
  package var decodeTime: MediaTime
  /// The duration; zero if unknown.
  package var duration: MediaTime
  /// True if decoding can start here.
  package var isSync: Bool
  /// The frame that a decoder will make of it, where the encoder was asked for it.
  package var picture: PixelBuffer?

  /// A sample from its parts.
  package init(
    bytes: [UInt8], presentationTime: MediaTime, decodeTime: MediaTime, duration: MediaTime,
    isSync: Bool
  ) {
    self.bytes = bytes
    self.presentationTime = presentationTime
    self.decodeTime = decodeTime
    self.duration = duration
    self.isSync = isSync
  }
}

/// One picture with its place in time: what a reader gives and an encoder takes.
public struct VideoFrame: Sendable {
  /// The picture.
  public var pixelBuffer: PixelBuffer
  /// When it is presented, in its track's media timeline.
  public var presentationTime: MediaTime
  /// How long it is presented.
  public var duration: MediaTime
  /// Whether it is one moment or two.
  public var fieldOrder: FieldOrder
  /// The Dolby Vision RPU of the source's picture that this one was made from, as
  /// ``Attachments/dolbyVisionRPU`` has it; it goes on with pictures that are changed, so that what
  /// of it stays true can be kept.
  public var sourceRPU: [UInt8]?
  /// The HDR10+ metadata of that picture: the payload of its SEI message (registered user data,
  /// SMPTE ST 2094-40).
  public var sourceHDR10Plus: [UInt8]?

  /// A frame from its parts.
  public init(
    pixelBuffer: PixelBuffer, presentationTime: MediaTime, duration: MediaTime,
    fieldOrder: FieldOrder = .progressive
  ) {
    self.pixelBuffer = pixelBuffer
    self.presentationTime = presentationTime
    self.duration = duration
    self.fieldOrder = fieldOrder
  }
}

/// One access unit of compressed video or packet of compressed sound.
package struct EncodedSample: Sendable {
  /// The compressed data; NAL units of video have start codes (H.264 and H.265, Annex B).
  package var bytes: [UInt8]
  /// When it is presented, in its track's media timeline.
  package var presentationTime: MediaTime
  /// When it is decoded; not later than it is presented.
  package var decodeTime: MediaTime
  /// How long it lasts; zero if unknown.
  package var duration: MediaTime
  /// Whether decoding can start here.
  package var isSync: Bool
  /// The picture that a decoder will make of it, where the encoder was asked for it.
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

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

// SPDX-License-Identifier: GPL-2.0-or-later
/// One decoded frame with its place in time, from a reader or for an encoder.
public struct VideoFrame: Sendable {
  /// The frame's samples and attachments.
  public var pixelBuffer: PixelBuffer
  /// The presentation time, in the track's media timeline.
  public var presentationTimeStamp: MediaTime
  /// How long the frame is presented.
  public var duration: MediaTime
  /// The order of the frame's two fields; `progressive` if it has no fields.
  public var fieldOrder: FieldOrder
  // A frame keeps the source's metadata even when its pixels change, because the parts that remain
  // true may be written again.
  /// The dynamic metadata of the source frame from which this frame was made.
  package var metadata = FrameMetadata()
  /// Whether the source frame is damaged or depends on a damaged one; `false` if nobody checked.
  package var followsDamage = false

  /// Makes a frame from its parts.
  public init(
    pixelBuffer: PixelBuffer, presentationTimeStamp: MediaTime, duration: MediaTime,
    fieldOrder: FieldOrder = .progressive
  ) {
    self.pixelBuffer = pixelBuffer
    self.presentationTimeStamp = presentationTimeStamp
    self.duration = duration
    self.fieldOrder = fieldOrder
  }
}

/// One access unit of compressed video, or one packet of compressed audio.
package struct EncodedSample: Sendable {
  /// The compressed data. NAL units of video have start codes (H.264 and H.265, Annex B).
  package var bytes: [UInt8]
  /// The presentation time, in the track's media timeline.
  package var presentationTimeStamp: MediaTime
  /// The decode time, not later than the presentation time.
  package var decodeTimeStamp: MediaTime
  /// How long the sample lasts; zero if unknown.
  package var duration: MediaTime
  /// Whether decoding can start here.
  package var isSync: Bool
  /// The frame that a decoder will make from this sample; `nil` unless the encoder was asked to
  /// return it.
  package var picture: PixelBuffer?

  package init(
    bytes: [UInt8], presentationTimeStamp: MediaTime, decodeTimeStamp: MediaTime,
    duration: MediaTime,
    isSync: Bool
  ) {
    self.bytes = bytes
    self.presentationTimeStamp = presentationTimeStamp
    self.decodeTimeStamp = decodeTimeStamp
    self.duration = duration
    self.isSync = isSync
  }
}

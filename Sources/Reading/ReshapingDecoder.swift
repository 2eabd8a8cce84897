// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
package import Host
package import LibAV

/// Decodes frames of a track for surveys, which ignore damage. Frames that need reshaping are
/// reshaped, as they are when the track is read for output.
package final class ReshapingDecoder {
  private let decoder: VideoDecoder
  private let reshaper: FrameReshaper?
  private var metadata = PendingFrameMetadata()

  /// - Parameters:
  ///   - onePicture: whether only the first frame is wanted.
  ///   - threads: the number of threads to decode with; 0 for as many as there are cores.
  /// - Throws: `LibAVError` if FFmpeg has no decoder for the codec.
  package init(_ track: AssetTrack, onePicture: Bool = false, threads: Int = 0) throws {
    decoder = try VideoDecoder(track: track.demuxed, onePicture: onePicture, threads: threads)
    reshaper = FrameReshaper(track)
  }

  /// Returns a reader of the metadata by which a track's frames are reshaped; `nil` if they need no
  /// reshaping. One reader is enough for all decoders of a survey.
  package static func metadata(
    of track: AssetTrack, checkpoint: @escaping Pipeline.Checkpoint
  ) -> FrameMetadataReader? {
    FrameReshaper(track) == nil ? nil : FrameMetadataReader(track, checkpoint: checkpoint)
  }

  /// Sends a packet, or `nil` at the end of the track. Receive all frames before sending the next
  /// packet.
  ///
  /// - Parameter found: the metadata in the packet, if frames need reshaping.
  package func send(_ packet: Packet?, _ found: FrameMetadataReader.Found? = nil) throws {
    try decoder.send(packet)
    if let found { metadata.add(found, number: decoder.packetCount) }
  }

  /// The number of errors that the decoder has reported so far.
  package var complaintCount: Int { decoder.complaintCount }

  /// Returns the next frame in presentation order; `nil` if the decoder needs another packet or,
  /// after the end, has no more frames.
  package func receive() throws -> DecodedFrame? { try receiveUnshaped().map(reshaped) }

  /// Returns the next frame like ``receive()``, but not yet reshaped. Reshaping takes longer than
  /// decoding, so a survey that looks closely at few frames reshapes only those.
  package func receiveUnshaped() throws -> DecodedFrame? {
    guard var frame = try decoder.receive() else { return nil }
    if reshaper != nil { frame.metadata = metadata.take(frame.packetNumber) }
    _ = reshaper?.prepare(&frame.pixelBuffer, &frame.metadata)
    return frame
  }

  /// Reshapes a frame that is not yet reshaped.
  package func reshaped(_ frame: DecodedFrame) -> DecodedFrame {
    var frame = frame
    reshaper?.reshape(&frame.pixelBuffer, &frame.metadata)
    return frame
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Obstacles to decoding a track's samples.
extension AssetTrack {
  /// True if the samples are encrypted (ISO/IEC 14496-12, 8.12; RFC 9559, 5.1.4.1.31.8).
  package var isEncrypted: Bool {
    box?.sampleEntries.contains(where: \.isEncrypted) ?? demuxed.isEncrypted
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` for encrypted samples: decoders would
  ///   make gray frames of them, and what says how to decrypt them does not go with a copy.
  package func refuseEncrypted() throws(TranscodingError) {
    guard isEncrypted else { return }
    throw TranscodingError(
      .unusableInput, "track \(demuxed.id) is encrypted: decrypt the file first")
  }

  /// True for a movie's track without a sample description (`stsd`): nothing says what its samples
  /// are.
  package var isUndescribed: Bool { box?.sampleEntries.isEmpty ?? false }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` for samples that nothing describes.
  package func refuseUndescribed() throws(TranscodingError) {
    guard isUndescribed else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id) is damaged: it has no sample description (stsd) that says what its "
        + "samples are")
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` for samples that no decoder of this
  ///   machine can decode.
  package func refuseUndecodable() throws(TranscodingError) {
    try refuseUndescribed()
    try refuseEncrypted()
    guard !demuxed.codec.canBeDecoded else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id) (\(demuxed.codec.codecName)): FFmpeg's library has no decoder here for "
        + "its codec; have another program make a file of it that can be read"
        + (dolbyVisionObstacle.map { "; it is \($0)" } ?? ""))
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import Host
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// What keeps a track's samples from being decoded.
extension AssetTrack {
  /// Whether the samples are encrypted (ISO/IEC 14496-12, 8.12; RFC 9559, 5.1.4.1.31.8).
  package var isEncrypted: Bool {
    box?.sampleEntries.contains(where: \.isEncrypted) ?? demuxed.isEncrypted
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the samples are encrypted.
  package func refuseEncrypted() throws(TranscodingError) {
    // Decoders would turn encrypted samples into gray frames without an error, and a copy would
    // lose the information that is needed to decrypt them.
    guard isEncrypted else { return }
    throw TranscodingError(
      .unusableInput, "track \(demuxed.id) is encrypted: decrypt the file first")
  }

  /// Whether the track belongs to a movie and has no sample description (`stsd`). Then nothing says
  /// what its samples are.
  package var isUndescribed: Bool { box?.sampleEntries.isEmpty ?? false }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if nothing describes the samples.
  package func refuseUndescribed() throws(TranscodingError) {
    guard isUndescribed else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id) is damaged: it has no sample description (stsd) that says what its "
        + "samples are")
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the demuxer passes over samples
  ///   because their sample entry has another type than the first.
  package func refuseOtherEntries() throws(TranscodingError) {
    guard demuxed.codec.nalCodec != nil, let box, box.sampleEntries.count > 1,
      let table = try? SampleTable(box)
    else { return }
    let chunks = zip(table.chunks, table.sampleEntryIndices).filter { !$0.0.isEmpty }
    let used = Set([0] + chunks.map(\.1)).sorted().filter(box.sampleEntries.indices.contains)
    let types = used.map { box.sampleEntries[$0].format }
    guard let first = types.first, let other = types.first(where: { $0 != first }) else { return }
    let advice = demuxed.codec.nalCodec == .hevc ? "retag the file as hvc1" : "give all one type"
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id) has sample entries '\(first)' and '\(other)', and FFmpeg reads only the "
        + "samples of the first: \(advice)")
  }

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if this machine has no decoder for the
  ///   samples.
  package func refuseUndecodable() throws(TranscodingError) {
    // The order matters for the message. An encrypted or undescribed track has no decoder either,
    // but a missing decoder would be the wrong reason to give.
    try refuseUndescribed()
    try refuseEncrypted()
    guard !demuxed.codec.canBeDecoded else { return }
    throw TranscodingError(
      .unusableInput,
      "track \(demuxed.id): this FFmpeg library has no decoder for the codec "
        + "\(demuxed.codec.codecName); convert the file with another program first"
        + (dolbyVisionObstacle.map { "; the track is \($0)" } ?? ""))
  }
}

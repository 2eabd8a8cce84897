// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import MediaCore

/// The metadata of packets, kept by packet number until the decoder returns their frames.
struct PendingFrameMetadata {
  private var metadata: [Int: FrameMetadata] = [:]

  /// Adds the metadata of a packet.
  mutating func add(_ found: FrameMetadataReader.Found, number: Int) {
    add(found.late, number: max(number - 1, 1))
    add(found.own, number: number)
  }

  private mutating func add(_ found: FrameMetadata, number: Int) {
    // Some packets give no frame, and their metadata is never taken.
    guard !found.payloads.isEmpty else { return }
    var known = metadata[number] ?? FrameMetadata()
    for value in found.all { known.put(value) }
    metadata[number] = known
  }

  /// Removes and returns the metadata of a packet's frame.
  mutating func take(_ number: Int) -> FrameMetadata {
    metadata.removeValue(forKey: number) ?? FrameMetadata()
  }
}

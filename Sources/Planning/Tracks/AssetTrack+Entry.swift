// SPDX-License-Identifier: GPL-2.0-or-later
package import Assets
internal import Bitstreams
package import ISOBMFF
internal import LibAV
package import MediaCore
internal import Reading
internal import VideoEncoders

extension AssetTrack {
  /// The sample entry that a copy of the track keeps. `nil` if the track does not have exactly one
  /// entry, or if its codec's configuration is rewritten.
  package var keptEntry: Box? {
    // libavformat has one codec for all forms of uncompressed frames and would choose an entry for
    // that codec. It also drops whatever an entry says besides the codec's configuration.
    guard let box else { return quickTimeEntry }
    let entries = box.box.first("mdia", "minf", "stbl", "stsd")?.children ?? []
    guard entries.count == 1, var entry = entries.first, !isEncrypted else { return nil }
    video?.configurationCheck?.correct(&entry)
    switch demuxed.kind {
    // The entries of H.264 and HEVC are rebuilt, because their parameter sets may change.
    case .video: return demuxed.codec.nalCodec == nil ? entry : nil
    case .audio: return demuxed.codec.isAMR ? entry : TabledAudio.sampleEntry(of: box)
    case .artwork, .other: return nil
    }
  }

  /// The QuickTime sample entry that a Matroska track may carry as its configuration.
  private var quickTimeEntry: Box? {
    guard demuxed.kind == .video, let entry = Box(videoEntry: demuxed.codec.extradata) else {
      return nil
    }
    // Some writers leave all numbers 0. Such an entry says nothing.
    let hasSize = entry.fields[24..<28].contains { $0 != 0 }
    return hasSize && demuxed.codecTag == entry.type.rawValue.byteSwapped ? entry : nil
  }
}

extension FileType {
  /// Returns whether a track can be copied into files of this type.
  package func holds(_ track: AssetTrack) -> Bool {
    let keepsEntry = !isMovie || track.box != nil
    return holds(track.demuxed, entry: keepsEntry ? track.keptEntry?.bytes : nil)
  }

  /// Returns whether files of this type can store video.
  ///
  /// - Parameters:
  ///   - codec: the codec that frames are encoded with; `nil` if samples are copied.
  ///   - track: the track whose samples are copied; `nil` if there is none.
  func holds(_ codec: VideoCodec?, copying track: AssetTrack?) -> Bool {
    codec.map { holds(codec: $0.rawValue) } ?? track.map { holds($0) } ?? true
  }
}

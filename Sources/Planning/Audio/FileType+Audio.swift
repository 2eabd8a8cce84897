// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

extension FileType {
  /// Audio codecs by FFmpeg's names, and the containers in which they have a place that players
  /// know: other codecs are encoded, although libavformat would write some of them. Rules encode
  /// into these places, too.
  private static let audioCodecs: [(containers: Set<FileType>, codecs: [String])] = [
    ([.mov, .mp4, .mkv], ["aac", "alac", "ac3", "eac3", "mp3"]),
    ([.mp4, .mkv], ["opus", "flac"]),
    ([.mkv], ["vorbis", "mp2", "dts", "truehd"]),
    (
      [.mov, .mkv],
      [
        "pcm_s8", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le",
        "pcm_s32be", "pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw",
      ]
    ),
    ([.mov], ["adpcm_ima_qt", "amr_nb", "amr_wb", Self.spatialAudio]),
  ]

  /// Apple Positional Audio Codec, the spatial audio of phones, which FFmpeg does not know.
  static let spatialAudio = "apac"

  /// True if the container has a place for a codec of audio that its players know.
  ///
  /// - Parameter codec: FFmpeg's name.
  func knowsAudio(_ codec: String) -> Bool {
    Self.audioCodecs.contains { $0.containers.contains(self) && $0.codecs.contains(codec) }
  }
}

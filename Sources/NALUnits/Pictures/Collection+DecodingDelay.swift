// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

extension Collection<NALUnit> {
  /// Number of frames behind the access unit of which these are the units, before frames are whole
  /// if decoding begins there; nil where it cannot begin there.
  ///
  /// Encoders without IDR pictures refresh frames part by part: where that begins, they write a
  /// recovery point SEI message (H.264, D.2.8; H.265, D.3.8).
  package var decodingDelay: Int? {
    guard let picture = first(where: \.type.isSlice) else { return nil }
    switch picture.type {
    case .hevc(let type) where type.isRandomAccess: return 0
    case .avc(.idrSlice): return 0
    default: break
    }
    let message = lazy.filter(\.type.isSEI).flatMap { SEIMessage.messages(in: $0) }
      .first { $0.payloadType == 6 }
    if let message {
      var reader = BitReader(message.payload)
      let count =
        picture.codec == .h264
        ? (try? reader.ue()).flatMap { Int(exactly: $0) } : (try? reader.se()).map { Int($0) }
      return Swift.max(count ?? 0, 0)
    }
    // A frame from itself alone, in streams that say nothing more.
    var reader = CodedPictureReader(parameterSets: [])
    return picture.codec == .h264 && reader.read([picture])?.type == .intra ? 0 : nil
  }
}

extension NALUnit {
  /// True for a slice of an IRAP picture of HEVC or of an IDR picture of H.264, and for a message
  /// that says that all frames from this one on are exact (H.264, D.2.8: `recovery_frame_cnt` of 0,
  /// `exact_match_flag`).
  package var beginsDecoding: Bool {
    switch type {
    case .hevc(let type): return type.isRandomAccess
    case .avc(.idrSlice): return true
    case .avc(.sei):
      return SEIMessage.messages(in: self).contains { message in
        message.payloadType == 6 && (message.payload.first ?? 0) & 0xC0 == 0xC0
      }
    default: return false
    }
  }
}

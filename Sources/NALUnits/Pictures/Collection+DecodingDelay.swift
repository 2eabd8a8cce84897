// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints

extension Collection<NALUnit> {
  /// The number of frames after which pictures are complete if decoding begins at this access unit;
  /// `nil` if decoding cannot begin here.
  package var decodingDelay: Int? {
    guard let picture = first(where: \.type.isSlice) else { return nil }
    switch picture.type {
    case .hevc(let type) where type.isRandomAccess: return 0
    case .avc(.idrSlice): return 0
    default: break
    }
    // Instead of writing IDR pictures, some encoders refresh the picture part by part. Where a
    // refresh begins, they write a recovery point SEI message (H.264, D.2.8; H.265, D.3.8).
    if let message = seiMessages.first(where: { $0.payloadType == SEIPayloadType.recoveryPoint }) {
      var reader = BitReader(message.payload)
      let count =
        picture.codec == .h264
        ? (try? reader.ue()).flatMap { Int(exactly: $0) } : (try? reader.se()).map { Int($0) }
      return Swift.max(count ?? 0, 0)
    }
    // Some H.264 bitstreams have neither IDR pictures nor these messages. There, an intra picture
    // is the best place to begin.
    var reader = CodedPictureReader(parameterSets: [])
    return picture.codec == .h264 && reader.read([picture])?.type == .intra ? 0 : nil
  }
}

extension NALUnit {
  /// Whether decoding can begin at this unit. In HEVC, it can begin at a slice of an IRAP picture.
  /// In H.264, it can begin at a slice of an IDR picture, or at a recovery point at which frames
  /// are exact right away.
  package var beginsDecoding: Bool {
    switch type {
    case .hevc(let type): return type.isRandomAccess
    case .avc(.idrSlice): return true
    case .avc(.sei):
      return SEIMessage.messages(in: self).contains { message in
        // H.264, D.2.8: if the first bit is 1, `recovery_frame_cnt` is 0. The second bit is
        // `exact_match_flag`.
        message.payloadType == SEIPayloadType.recoveryPoint
          && (message.payload.first ?? 0) & 0xC0 == 0xC0
      }
    default: return false
    }
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
package import ISOBMFF
package import NALUnits

/// Tracks whose samples are user data registered by ITU-T T.35, without its first bytes, which the
/// sample entry `it35` states once.
extension Movie.Track {
  /// The first bytes of the user data in each sample; `nil` if the track holds none.
  package var userDataBeginning: [UInt8]? {
    guard let entry = box.first("mdia", "minf", "stbl", "stsd")?.children.first,
      entry.type == "it35"
    else { return nil }
    // After the fields of any sample entry come a length and as many bytes.
    let rest = entry.fields.dropFirst(8)
    guard let count = rest.first, count > 0, rest.count > Int(count) else { return nil }
    return Array(rest.dropFirst().prefix(Int(count)))
  }

  /// What the user data in the track's samples is; `nil` if the track holds none.
  package var userData: RegisteredUserData? {
    userDataBeginning.map { RegisteredUserData(payload: $0) }
  }
}

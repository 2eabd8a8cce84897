// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Tables of a track that say more of its samples than where they are and when: what depends on
/// them, where decoding can start beside sync samples, which groups they are in, their parts
/// (ISO/IEC 14496-12, 8.6, 8.7.7, 8.9; QuickTime File Format, Partial Sync Sample Atoms).
extension Box {
  /// Tables with an entry for each sample, in order.
  private static let ofSamples: Set<FourCC> = ["sdtp", "stps", "stdp", "padb", "sgpd", "sbgp"]

  /// The types of such tables in a `stbl` box that would be missed where the samples are not the
  /// same. `cslg` follows from `ctts`, and `roll` groups from the codec.
  package var sampleStatements: [FourCC] {
    let found = children.filter { box in
      Self.ofSamples.contains(box.type) && !box.isPrerollGroup || box.type == "subs"
    }
    return Array(Set(found.map(\.type))).sorted { "\($0)" < "\($1)" } + unmovableStatements
  }

  /// The types of such tables in a `stbl` box that state places in the file: they stay behind also
  /// where the samples are the same.
  package var unmovableStatements: [FourCC] { child("saio") == nil ? [] : ["saio"] }

  /// Takes over such tables of another `stbl` box into this one, where they are true of its
  /// samples.
  package mutating func takeSampleStatements(of source: Box) {
    guard let count = sampleCount, count == source.sampleCount else { return }
    for box in source.children where Self.ofSamples.contains(box.type) {
      // Groups of samples have a table of each kind.
      let place = children.firstIndex { other in
        other.type == box.type && other.groupingType == box.groupingType
      }
      if let place {
        children[place] = box
      } else {
        children.append(box)
      }
    }
    if let shift = source.child("cslg"), child("ctts")?.entries == source.child("ctts")?.entries {
      set(shift)
    }
    if let parts = source.child("subs"), child("stsz") == source.child("stsz") { set(parts) }
  }

  /// The number of samples, as `stsz` and `stz2` have it at the same place.
  private var sampleCount: UInt32? {
    guard let sizes = child("stsz") ?? child("stz2") else { return nil }
    var reader = ByteReader(sizes.fields, at: 8)
    return try? reader.integer()
  }

  /// The content without version and flags.
  private var entries: [UInt8] { Array(fields.dropFirst(4)) }

  /// The kind of groups of `sgpd` and `sbgp`; nil for other boxes.
  private var groupingType: FourCC? {
    guard type == "sgpd" || type == "sbgp" else { return nil }
    var reader = ByteReader(fields, at: 4)
    return (try? reader.integer(UInt32.self)).map { FourCC(rawValue: $0) }
  }

  private var isPrerollGroup: Bool { groupingType == "roll" }
}

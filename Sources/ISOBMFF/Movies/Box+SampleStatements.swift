// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// Tables with further facts about samples: dependencies, partial sync samples, groups and parts
/// (ISO/IEC 14496-12, 8.6, 8.7.7, 8.9; QuickTime File Format, Partial Sync Sample Atoms).
extension Box {
  /// Tables that identify samples only by their order.
  private static let ofSamples: Set<FourCC> = ["sdtp", "stps", "stdp", "padb", "sgpd", "sbgp"]

  /// The types of the tables in this `stbl` box that would be lost if the samples changed.
  package var sampleStatements: [FourCC] {
    // `cslg` can be derived from `ctts`, and `roll` groups follow from the codec, so nothing is
    // lost with them.
    let found = children.filter { box in
      Self.ofSamples.contains(box.type) && !box.isPrerollGroup || box.type == "subs"
    }
    return Array(Set(found.map(\.type))).sorted { "\($0)" < "\($1)" } + unmovableStatements
  }

  /// The types of the tables in this `stbl` box that contain file offsets. These tables cannot be
  /// copied even if the samples stay the same.
  package var unmovableStatements: [FourCC] { child("saio") == nil ? [] : ["saio"] }

  /// From another `stbl` box, copies the tables that also apply to the samples of this box. Does
  /// nothing if the numbers of samples differ.
  package mutating func takeSampleStatements(of source: Box) {
    guard let count = sampleCount, count == source.sampleCount else { return }
    for box in source.children where Self.ofSamples.contains(box.type) {
      // There is one `sgpd` and one `sbgp` for each grouping type, so the type alone does not
      // identify a table (8.9.2).
      let place = children.firstIndex { other in
        other.type == box.type && other.groupingType == box.groupingType
      }
      if let place {
        children[place] = box
      } else {
        children.append(box)
      }
    }
    // `cslg` depends on the offsets in `ctts`, so it is copied only if both boxes have the same
    // `ctts`. `subs` depends on the sizes in `stsz`, so it is copied only if both boxes have the
    // same `stsz`.
    if let shift = source.child("cslg"), child("ctts")?.entries == source.child("ctts")?.entries {
      set(shift)
    }
    if let parts = source.child("subs"), child("stsz") == source.child("stsz") { set(parts) }
  }

  /// The number of samples, which `stsz` and `stz2` store at the same place.
  private var sampleCount: UInt32? {
    guard let sizes = child("stsz") ?? child("stz2") else { return nil }
    var reader = ByteReader(sizes.fields, at: 8)
    return try? reader.integer()
  }

  /// The fields after version and flags.
  private var entries: [UInt8] { Array(fields.dropFirst(4)) }

  /// The grouping type of `sgpd` and `sbgp`; `nil` for other boxes.
  private var groupingType: FourCC? {
    guard type == "sgpd" || type == "sbgp" else { return nil }
    var reader = ByteReader(fields, at: 4)
    return (try? reader.integer(UInt32.self)).map { FourCC(rawValue: $0) }
  }

  private var isPrerollGroup: Bool { groupingType == "roll" }
}

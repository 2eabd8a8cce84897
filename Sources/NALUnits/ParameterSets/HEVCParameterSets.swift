// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

/// Collects the parameter sets of an HEVC track from its sample entry and its samples.
package struct HEVCParameterSets: Sendable {
  // An `hvc1` sample entry needs all parameter sets in `hvcC` (ISO/IEC 14496-15, 8.4.1.1). Many
  // files with sets in their samples are `hev1` instead, which Apple's players do not play.

  /// The sets. Up to the end of the first sample, a later set replaces an earlier set with the same
  /// type and ID (H.265, 7.4.2.4.2). After that, sets are only added.
  private var units: [(type: HEVCNALUnitType, number: UInt64, unit: NALUnit)] = []
  private var sampleCount = 0

  /// Whether any sample has parameter sets.
  package private(set) var areInSamples = false
  /// Whether a set changes in the middle of the track, so that no sample entry can contain both
  /// versions of it.
  package private(set) var change = false

  /// Begins with the sets of a sample entry.
  ///
  /// - Parameter units: the NAL units of `hvcC`.
  /// - Returns: `nil` for codecs other than HEVC.
  package init?(stored units: [NALUnit], _ codec: NALCodec) {
    guard codec == .hevc else { return nil }
    for unit in units { add(unit) }
  }

  /// Adds the sets of the next sample.
  package mutating func add(sample units: [NALUnit]) {
    for unit in units where unit.isBaseParameterSet {
      areInSamples = true
      add(unit)
    }
    sampleCount += 1
  }

  /// Returns all sets of a type, in the order in which they were found.
  package func sets(_ type: HEVCNALUnitType) -> [NALUnit] {
    units.filter { $0.type == type }.map(\.unit)
  }

  /// Whether there is a set of every type.
  package var isWhole: Bool { HEVCNALUnitType.parameterSets.allSatisfy { !sets($0).isEmpty } }

  private mutating func add(_ unit: NALUnit) {
    guard unit.isBaseParameterSet, let (type, number) = Self.identity(unit) else { return }
    guard let place = units.firstIndex(where: { $0.type == type && $0.number == number }) else {
      units.append((type, number, unit))
      return
    }
    guard units[place].unit != unit else { return }
    // Sets in the first sample may replace sets of the sample entry. No picture was decoded with
    // the replaced sets, so nothing changes in the middle of the track.
    if sampleCount > 0 { change = true } else { units[place].unit = unit }
  }

  private static func identity(_ unit: NALUnit) -> (HEVCNALUnitType, UInt64)? {
    guard case .hevc(let type) = unit.type else { return nil }
    var reader = BitReader(unit.payload)
    let number: UInt64? =
      switch type {
      case .videoParameterSet: try? reader.u(4)
      case .sequenceParameterSet: (try? SequenceParameterSet(unit))?.parameterSetID
      default: try? reader.ue()
      }
    return number.map { (type, $0) }
  }
}

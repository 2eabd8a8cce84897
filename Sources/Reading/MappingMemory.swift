// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import DolbyVision

/// Gives RPUs that refer to the mapping of an earlier RPU (`use_prev_vdr_rpu_flag`) a copy of that
/// mapping. So their frames can be reordered, cut off from the frames before, or encoded again.
struct MappingMemory {
  private typealias Known = (mapping: DataMapping, header: RPUHeader)

  /// The latest mappings by `vdr_rpu_id`.
  private var known: [UInt32: Known] = [:]

  // `vdr_rpu_id` and `prev_vdr_rpu_id` are 0 to 15 (ETSI GS CCM 001).
  private static let largestID: UInt32 = 15

  /// - Parameter first: the RPU that represents the track's first frames. Its mapping is used for
  ///   references to RPUs that are missing, such as those before a part.
  init(_ first: DolbyVisionRPU?) {
    if let unit = first?.unit { remember(unit) }
  }

  private mutating func remember(_ unit: ReferenceProcessingUnit) {
    guard let mapping = unit.dataMapping, mapping.vdrRPUID <= Self.largestID else { return }
    known[mapping.vdrRPUID] = (mapping, unit.header)
  }

  /// Returns the RPU with a mapping of its own. Pass RPUs in decoding order, which is the order
  /// that references are for.
  ///
  /// - Returns: the RPU as it is if it has a mapping, or refers to one that is missing.
  mutating func completed(_ rpu: DolbyVisionRPU) -> DolbyVisionRPU {
    guard var unit = rpu.unit else { return rpu }
    guard case .previous(let id) = unit.mapping else {
      remember(unit)
      return rpu
    }
    // The mapping's numbers mean something only in the format that its own header states.
    guard let (mapping, header) = known[id], header.codesMapping(like: unit.header) else {
      return rpu
    }
    unit.mapping = .coded(mapping)
    return (try? DolbyVisionRPU(writing: unit)) ?? rpu
  }
}

extension RPUHeader {
  /// Whether mappings are coded in the same way under another header.
  fileprivate func codesMapping(like other: RPUHeader) -> Bool {
    coefficientFormat == other.coefficientFormat && blBitDepth == other.blBitDepth
      && elBitDepth == other.elBitDepth && disableResidualFlag == other.disableResidualFlag
  }
}

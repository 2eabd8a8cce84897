// SPDX-License-Identifier: GPL-2.0-or-later
internal import DolbyVision

/// Gives RPUs that refer to an earlier RPU a copy of what they refer to: its mapping
/// (`use_prev_vdr_rpu_flag`), or the static part of its data for displays (compressed metadata). So
/// their frames can be reordered, cut off from the frames before, or encoded again.
package struct MappingMemory: Sendable {
  /// Passes RPUs to a function, in decoding order.
  package typealias Reading = @Sendable (_ take: (DolbyVisionRPU) -> Void) throws -> Void

  /// What RPUs contain that later ones may refer to.
  private struct Stock: Sendable {
    /// The latest mappings by `vdr_rpu_id`, with the headers that tell how they are coded.
    private(set) var mappings: [UInt32: (mapping: DataMapping, header: RPUHeader)] = [:]
    /// The latest static parts by `affected_dm_metadata_id`.
    private(set) var colors: [UInt32: ColorMetadata] = [:]

    // All of these numbers are 0 to 15 (ETSI GS CCM 001).
    private static let largestID: UInt32 = 15

    mutating func take(_ unit: ReferenceProcessingUnit) {
      if let mapping = unit.dataMapping, mapping.vdrRPUID <= Self.largestID {
        mappings[mapping.vdrRPUID] = (mapping, unit.header)
      }
      if let data = unit.displayManagement, let color = data.color,
        data.affectedDMMetadataID <= Self.largestID
      {
        colors[data.affectedDMMetadataID] = color
      }
    }
  }

  /// What the RPUs contain that were passed so far.
  private var passed = Stock()
  /// What the RPUs before them contain; `nil` until an RPU refers to one of them.
  private var before: Stock?
  /// Reads the RPUs before the first one that is passed. Hardly any file needs it.
  private let readBefore: Reading
  /// What the RPU contains that represents the track.
  private var representative = Stock()

  /// - Parameters:
  ///   - first: the RPU that represents the track's first frames. It is used for references to RPUs
  ///     that are missing.
  ///   - before: reads the RPUs before the first one that will be passed.
  package init(_ first: DolbyVisionRPU?, after before: @escaping Reading = { _ in }) {
    readBefore = before
    if let unit = first?.unit { representative.take(unit) }
  }

  /// Takes an RPU to which later ones may refer, but that is not needed itself.
  package mutating func pass(_ rpu: DolbyVisionRPU) {
    if let unit = rpu.unit { passed.take(unit) }
  }

  /// Returns the RPU with everything that it refers to. Pass RPUs in decoding order, which is the
  /// order that references are for.
  ///
  /// - Parameter isCopied: whether the RPU will come after those that were passed before it. It may
  ///   then go on to refer to these.
  /// - Returns: the RPU as it is if it refers to nothing, or if what it refers to is missing.
  package mutating func completed(
    _ rpu: DolbyVisionRPU, isCopied: Bool = false
  ) -> DolbyVisionRPU {
    guard var unit = rpu.unit else { return rpu }
    let isChanged = complete(&unit, isCopied: isCopied)
    passed.take(unit)
    guard isChanged else { return rpu }
    // The padding belonged to a unit of another length.
    (unit.alignmentBits, unit.trailingZeroCount) = (0, 0)
    return (try? DolbyVisionRPU(writing: unit)) ?? rpu
  }

  /// - Returns: whether anything was missing and was found.
  private mutating func complete(
    _ unit: inout ReferenceProcessingUnit, isCopied: Bool
  ) -> Bool {
    var isChanged = false
    if case .previous(let id) = unit.mapping,
      let known = find(isCopied: isCopied, { $0.mappings[id] }),
      // The mapping's numbers mean something only in the format that its own header states.
      known.header.codesMapping(like: unit.header)
    {
      unit.mapping = .coded(known.mapping)
      isChanged = true
    }
    if let data = unit.displayManagement, data.color == nil,
      let color = find(isCopied: isCopied, { $0.colors[data.affectedDMMetadataID] })
    {
      unit.displayManagement?.color = color
      unit.header.reservedZero3Bits = 0
      isChanged = true
    }
    return isChanged
  }

  /// Returns what an RPU refers to; `nil` if it is missing or does not have to be copied.
  private mutating func find<Part>(isCopied: Bool, _ part: (Stock) -> Part?) -> Part? {
    if let known = part(passed) { return isCopied ? nil : known }
    if let known = part(stockBefore()) { return known }
    return isCopied ? nil : part(representative)
  }

  private mutating func stockBefore() -> Stock {
    if let before { return before }
    var stock = Stock()
    // An error here is about damage before the part, so ignore it.
    try? readBefore { rpu in
      if let unit = rpu.unit { stock.take(unit) }
    }
    before = stock
    return stock
  }
}

extension RPUHeader {
  /// Whether mappings are coded in the same way under another header.
  fileprivate func codesMapping(like other: RPUHeader) -> Bool {
    coefficientFormat == other.coefficientFormat && blBitDepth == other.blBitDepth
      && elBitDepth == other.elBitDepth && disableResidualFlag == other.disableResidualFlag
  }
}

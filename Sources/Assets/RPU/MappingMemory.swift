// SPDX-License-Identifier: GPL-2.0-or-later
internal import DolbyVision
package import LibAV

/// Copies into an RPU what it refers to in an earlier RPU: the mapping (`use_prev_vdr_rpu_flag`),
/// or the static part and the static blocks of the data for displays (compressed metadata). With
/// the copies, frames can be reordered, cut off from earlier frames, or encoded again.
package struct MappingMemory: Sendable {
  /// Passes RPUs to a function, in decoding order.
  package typealias Reading = @Sendable (_ take: (DolbyVisionRPU) -> Void) throws -> Void

  /// A mapping, with the header that tells how it is coded.
  private struct CodedMapping: Sendable {
    let mapping: DataMapping
    let header: RPUHeader

    /// Returns whether a reference to this mapping means the same as a reference to the other one.
    func isLike(_ other: CodedMapping) -> Bool {
      mapping == other.mapping && header.codesMapping(like: other.header)
    }
  }

  /// The parts of RPUs that later RPUs may refer to.
  private struct Stock: Sendable {
    /// The latest mappings by `vdr_rpu_id`.
    private(set) var mappings: [UInt32: CodedMapping] = [:]
    /// The latest static metadata by `affected_dm_metadata_id`.
    private(set) var statics: [UInt32: StaticMetadata] = [:]

    // The IDs of both kinds are 0 to 15 (ETSI GS CCM 001).
    private static let largestID: UInt32 = 15

    mutating func take(_ unit: ReferenceProcessingUnit) {
      if let mapping = unit.dataMapping, mapping.vdrRPUID <= Self.largestID {
        mappings[mapping.vdrRPUID] = CodedMapping(mapping: mapping, header: unit.header)
      }
      if let data = unit.displayManagement, let known = data.staticMetadata,
        data.affectedDMMetadataID <= Self.largestID
      {
        statics[data.affectedDMMetadataID] = known
      }
    }

    mutating func forgetBlocks() { statics = statics.mapValues(\.withoutOtherBlocks) }
  }

  /// The stock of the RPUs that have been passed so far.
  private var passed = Stock()
  /// The stock of the RPUs that are in the output so far, if the track is copied.
  private var copied = Stock()
  /// The stock of the RPUs before the first passed one; `nil` until it is needed and read.
  private var before: Stock?
  /// Reads the RPUs before the first one that is passed. Hardly any file needs it.
  private let readBefore: Reading
  /// The stock of the RPU that represents the track.
  private var representative = Stock()

  /// - Parameters:
  ///   - first: the RPU that represents the track's first frames. It is used for references to RPUs
  ///     that are missing.
  ///   - before: reads the RPUs before the first one that will be passed. Its errors are ignored,
  ///     because they are about damage before the frames that are needed. Only `CancellationError`
  ///     is rethrown.
  package init(_ first: DolbyVisionRPU?, after before: @escaping Reading = { _ in }) {
    readBefore = before
    if let unit = first?.unit { representative.take(unit) }
    // Without a static part and level 254, an RPU cannot be written whole, so they are guessed.
    // Other blocks are not.
    representative.forgetBlocks()
  }

  /// Takes an RPU that need not be completed, but that later ones may refer to.
  ///
  /// - Parameter isCopied: whether the RPU is copied to the output unchanged.
  package mutating func pass(_ rpu: DolbyVisionRPU, isCopied: Bool = false) {
    guard let unit = rpu.unit else { return }
    passed.take(unit)
    if isCopied { copied.take(unit) }
  }

  /// Takes the RPUs of packets that come before `packet` and are not part of the output, such as
  /// those of leading frames. Later RPUs may refer to these RPUs.
  package mutating func pass(leftOutBefore packet: Packet, _ units: PacketMetadata) {
    for packet in packet.leftOut { pass(packet, units) }
  }

  /// Takes the RPUs of a packet that is not needed itself.
  package mutating func pass(_ packet: Packet, _ units: PacketMetadata) {
    pass(leftOutBefore: packet, units)
    for rpu in units.rpus(in: packet) { pass(rpu) }
  }

  /// Returns the RPU with everything that it refers to. Pass RPUs in decoding order, because
  /// references assume that order.
  ///
  /// - Parameter isCopied: whether the RPU goes into an output that is a copy of the track. It then
  ///   keeps references to what earlier RPUs of the output contain.
  /// - Returns: the RPU unchanged if it refers to nothing, or if what it refers to is missing.
  /// - Throws: `CancellationError` if the work should end.
  package mutating func completed(
    _ rpu: DolbyVisionRPU, isCopied: Bool = false
  ) throws -> DolbyVisionRPU {
    guard var unit = rpu.unit else { return rpu }
    let isChanged = try complete(&unit, isCopied: isCopied)
    passed.take(unit)
    if isCopied { copied.take(unit) }
    guard isChanged else { return rpu }
    // The padding belonged to a unit of another length.
    (unit.alignmentBits, unit.trailingZeroCount) = (0, 0)
    return (try? DolbyVisionRPU(writing: unit)) ?? rpu
  }

  /// - Returns: whether anything was missing and was found.
  private mutating func complete(
    _ unit: inout ReferenceProcessingUnit, isCopied: Bool
  ) throws -> Bool {
    var isChanged = false
    if case .previous(let id) = unit.mapping,
      let known = try find(isCopied: isCopied, { $0.mappings[id] }),
      !(isCopied && copied.mappings[id]?.isLike(known) == true),
      // The mapping's numbers mean something only in the format that its own header states.
      known.header.codesMapping(like: unit.header)
    {
      unit.mapping = .coded(known.mapping)
      isChanged = true
    }
    if let data = unit.displayManagement, data.color == nil,
      let known = try find(isCopied: isCopied, { $0.statics[data.affectedDMMetadataID] }),
      !(isCopied && copied.statics[data.affectedDMMetadataID] == known)
    {
      unit.displayManagement?.complete(with: known)
      unit.header.reservedZero3Bits = 0
      isChanged = true
    }
    return isChanged
  }

  /// Returns what an RPU refers to; `nil` if it is missing.
  private mutating func find<Part>(isCopied: Bool, _ part: (Stock) -> Part?) throws -> Part? {
    if let known = try part(passed) ?? part(stockBefore()) { return known }
    // The representative RPU is only a guess. In a copied track, it must not replace the reference
    // that the source states.
    return isCopied ? nil : part(representative)
  }

  private mutating func stockBefore() throws -> Stock {
    if let before { return before }
    var stock = Stock()
    do {
      try readBefore { rpu in
        if let unit = rpu.unit { stock.take(unit) }
      }
    } catch let error as CancellationError {
      throw error
    } catch {}
    before = stock
    return stock
  }
}

extension PacketMetadata {
  /// Returns the RPUs in a packet. If the RPU of the previous frame comes late, in this packet, it
  /// is first. The frame's own RPU follows.
  package func rpus(in packet: Packet) -> [DolbyVisionRPU] {
    let (late, own) = split(packet)
    return [late, own].compactMap { DolbyVisionRPU.payload(in: $0) }.map(DolbyVisionRPU.init)
  }
}

extension RPUHeader {
  /// Whether mappings are coded in the same way under another header.
  fileprivate func codesMapping(like other: RPUHeader) -> Bool {
    fractionBits == other.fractionBits && blBitDepth == other.blBitDepth
      && elBitDepth == other.elBitDepth && disableResidualFlag == other.disableResidualFlag
  }
}

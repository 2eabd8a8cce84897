// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// A value of HDR metadata, as far as places that state it are weighed against each other.
package protocol StatedMetadata: Hashable, Sendable {
  /// The value for people.
  var text: String { get }
  /// Faults of the value: what is impossible.
  var faults: [Notice] { get }
  /// The value as its box has it.
  var payload: [UInt8] { get }
}

/// A kind of static HDR metadata: a value for all frames of a track, which a box of the sample
/// entry and an SEI message state.
package protocol StaticHDRMetadataKind: StatedMetadata {
  /// The box in the sample entry.
  static var box: FourCC { get }
  /// `payloadType` of the SEI message.
  static var payloadType: Int { get }
  /// The name for people, without an article: "mastering display".
  static var name: String { get }
  /// The name in JSON: "masteringDisplay".
  static var key: String { get }
  /// Standards that define it.
  static var standards: StaticHDRStandards { get }
  /// The transfer functions that it goes with.
  static var transferFunctions: Set<TransferCharacteristics> { get }
  /// True if it describes the content of the frames: frames that were cropped, padded, composed or
  /// converted have another.
  static var describesContent: Bool { get }
  /// True if HDR10 is expected to state it.
  static var isPartOfHDR10: Bool { get }
  /// True if a bitstream may state it anew for later frames.
  static var mayChange: Bool { get }

  /// The bytes that a payload has to have.
  ///
  /// - Parameter beginning: the payload, or the beginning that is there of it.
  static func payloadSize(_ beginning: [UInt8]) -> Int

  /// Reads a box's payload.
  ///
  /// - Throws: ``BitstreamError`` where bytes are missing.
  init(payload: [UInt8]) throws(BitstreamError)
  /// Reads the payload of an SEI message; nil where it states nothing for all frames.
  ///
  /// - Throws: ``BitstreamError`` where bytes are missing.
  init?(messagePayload: [UInt8]) throws(BitstreamError)

  /// The value as its SEI message has it.
  var messagePayload: [UInt8] { get }
  /// The value for people in a plan, shorter than ``StatedMetadata/text`` where that is long.
  var summary: String { get }
  /// Values that are possible but hardly meant.
  var doubts: [Notice] { get }
  /// Faults of values that settings may not ask for: ``StatedMetadata/faults``, and values that
  /// state nothing.
  var refusals: [Notice] { get }
}

extension StaticHDRMetadataKind {
  /// The places that a movie states it in.
  package static var places: [StatementPlace] { [.box(box), .message(payloadType)] }

  package static var isPartOfHDR10: Bool { false }
  package static var mayChange: Bool { false }

  package init?(messagePayload: [UInt8]) throws(BitstreamError) {
    try self.init(payload: messagePayload)
  }

  package var messagePayload: [UInt8] { payload }
  package var summary: String { text }
  package var doubts: [Notice] { [] }
  package var refusals: [Notice] { faults }
}

/// Standards and clauses of a kind of static HDR metadata.
package struct StaticHDRStandards: Sendable {
  /// Standard that gives the value its meaning; nil where it is the box's or the message's.
  package let origin: String?
  /// The box: "ISO/IEC 14496-12, 12.1.7".
  package let box: String
  /// The SEI message: "H.265, D.3.28".
  package let message: String

  /// - Parameters:
  ///   - box: the clause of ISO/IEC 14496-12.
  ///   - message: the clause of H.265.
  package init(origin: String? = nil, box: String, message: String) {
    self.origin = origin
    self.box = "ISO/IEC 14496-12, \(box)"
    self.message = "H.265, \(message)"
  }

  /// The standards of the value itself.
  package var ofValue: String { [origin, message].compactMap { $0 }.joined(separator: "; ") }
  /// The standards of its places.
  package var ofPlaces: String { "\(box); \(message)" }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams

/// HDR metadata that a file can state in several places, so that the statements can be compared.
package protocol StatedMetadata: Hashable, Sendable {
  /// The value as text for people.
  var text: String { get }
  /// What makes the value impossible; empty if it is possible.
  var faults: [Notice] { get }
  /// The value as its box stores it.
  var payload: [UInt8] { get }
  /// Returns whether a value from another place is the same, as far as that place can express it.
  func agrees(with other: Self) -> Bool
}

extension StatedMetadata {
  package func agrees(with other: Self) -> Bool { self == other }
}

/// A kind of static HDR metadata: one value for all frames of a track. It can be in a box of the
/// sample entry, in an SEI message and, for some kinds, in a metadata unit of AV1.
package protocol StaticHDRMetadataKind: StatedMetadata, JSONObject {
  /// The type of the box in the sample entry.
  static var box: FourCC { get }
  /// The `payloadType` of the SEI message.
  static var payloadType: Int { get }
  /// The `metadata_type` of the AV1 unit that contains the metadata; `nil` if AV1 has no such unit.
  static var metadataOBUType: Int? { get }
  /// The name as text for people, without an article: "mastering display".
  static var name: String { get }
  /// The key in JSON: "masteringDisplay".
  static var key: String { get }
  /// The standard that gives the value its meaning; `nil` if it is the standard of the SEI message.
  static var originStandard: String? { get }
  /// The clause of ISO/IEC 14496-12 that defines the box: "12.1.7".
  static var boxClause: String { get }
  /// The clause of H.265 that defines the SEI message: "D.3.28".
  static var messageClause: String { get }
  /// The transfer functions with which the kind makes sense.
  static var transferFunctions: Set<TransferCharacteristics> { get }
  /// Whether the value describes the content of the frames. If it does, it is no longer true once
  /// the frames are cropped, padded, composed or converted.
  static var describesContent: Bool { get }
  /// Whether HDR10 is expected to have this kind.
  static var isPartOfHDR10: Bool { get }
  /// Whether a bitstream may change the value for later frames, although a box has only one value.
  static var mayChange: Bool { get }

  /// Returns how many bytes a payload must have.
  ///
  /// - Parameter beginning: the payload, or as much of it as there is.
  static func payloadSize(_ beginning: [UInt8]) -> Int

  /// Reads the payload of the box.
  ///
  /// - Throws: ``BitstreamError`` if bytes are missing.
  init(payload: [UInt8]) throws(BitstreamError)
  /// Reads the payload of an SEI message. Returns `nil` if the message is not for all frames.
  ///
  /// - Throws: ``BitstreamError`` if bytes are missing.
  init?(messagePayload: [UInt8]) throws(BitstreamError)

  /// The value as its SEI message stores it.
  var messagePayload: [UInt8] { get }
  /// The value as a plan shows it: ``StatedMetadata/text``, or a shorter text if that is long.
  var summary: String { get }
  /// Warnings about a value that is possible but probably not intended.
  var doubts: [Notice] { get }
  /// The reasons why settings cannot ask for this value: its ``StatedMetadata/faults``, or a notice
  /// that it states nothing.
  var refusals: [Notice] { get }
}

extension StaticHDRMetadataKind {
  // Most kinds use these defaults: the same bytes in the box and the message, and one value for the
  // whole track.
  package static var metadataOBUType: Int? { nil }
  package static var originStandard: String? { nil }
  package static var isPartOfHDR10: Bool { false }
  package static var mayChange: Bool { false }

  package init?(messagePayload: [UInt8]) throws(BitstreamError) {
    try self.init(payload: messagePayload)
  }

  package var messagePayload: [UInt8] { payload }
  package var summary: String { text }
  package var doubts: [Notice] { [] }
  package var refusals: [Notice] { faults }

  /// The standards and clauses that define the value.
  package static var standardsOfValue: String {
    (originStandard.map { "\($0); " } ?? "") + "H.265, \(messageClause)"
  }

  /// The standards and clauses that define the places.
  package static var standardsOfPlaces: String {
    "ISO/IEC 14496-12, \(boxClause); H.265, \(messageClause)"
  }
}

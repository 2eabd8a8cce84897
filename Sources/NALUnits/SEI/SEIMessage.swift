// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// One message of supplemental enhancement information (H.264, 7.3.2.3.1; H.265, 7.3.5).
package struct SEIMessage: Hashable, Sendable {
  /// `payloadType`.
  package let payloadType: Int
  /// The payload.
  package let payload: [UInt8]

  /// A message from its parts.
  package init(payloadType: Int, payload: [UInt8]) {
    self.payloadType = payloadType
    self.payload = payload
  }

  /// The message as it stands in a NAL unit: type and size as runs of 255s and a last byte.
  fileprivate var bytes: [UInt8] {
    [payloadType, payload.count].flatMap { number in
      [UInt8](repeating: 255, count: number / 255) + [UInt8(number % 255)]
    } + payload
  }

  /// The messages of a NAL unit; a message that is cut off is left out.
  package static func messages(in unit: NALUnit) -> [SEIMessage] {
    let payload = unit.payload
    return places(in: payload).map { place in
      SEIMessage(payloadType: place.type, payload: Array(payload[place.range]))
    }
  }

  /// A NAL unit with messages whose payloads are changed; everything else stays.
  ///
  /// - Parameter change: gets a message and gives a payload of the same length, or nil to leave it.
  package static func replacing(
    in unit: NALUnit, _ change: (SEIMessage) -> [UInt8]?
  ) -> NALUnit {
    var payload = unit.payload
    var isChanged = false
    for place in places(in: payload) {
      let message = SEIMessage(payloadType: place.type, payload: Array(payload[place.range]))
      guard let new = change(message), new != message.payload else { continue }
      precondition(new.count == place.range.count, "a payload of the same length")
      payload.replaceSubrange(place.range, with: new)
      isChanged = true
    }
    return isChanged ? unit.replacing(payload: payload) : unit
  }

  /// A NAL unit with messages changed or left out; everything else stays.
  ///
  /// - Parameter change: gets a message and gives the one in its place; nil removes it.
  /// - Returns: nil where no message is left.
  package static func editing(
    _ unit: NALUnit, _ change: (SEIMessage) -> SEIMessage?
  ) -> NALUnit? {
    let old = messages(in: unit)
    let new = old.compactMap(change)
    guard new != old else { return unit }
    return new.isEmpty ? nil : unit.replacing(payload: new.flatMap(\.bytes) + [0x80])
  }

  /// Types and places of the messages' payloads in a NAL unit's payload.
  private static func places(in payload: [UInt8]) -> [(type: Int, range: Range<Int>)] {
    var reader = ByteReader(payload)
    var places: [(Int, Range<Int>)] = []
    // A single byte that is left are the trailing bits.
    while reader.remaining > 1 {
      guard let type = number(&reader), let size = number(&reader) else { break }
      let start = reader.position
      guard (try? reader.skip(size)) != nil else { break }
      places.append((type, start..<start + size))
    }
    return places
  }

  /// A number as a run of 255s and a last byte.
  private static func number(_ reader: inout ByteReader) -> Int? {
    var value = 0
    while let byte = try? reader.integer(UInt8.self) {
      value += Int(byte)
      if byte < 255 { return value }
    }
    return nil
  }

  /// A message that states static HDR metadata.
  package init(_ value: some StaticHDRMetadataKind) {
    self.init(payloadType: type(of: value).payloadType, payload: value.messagePayload)
  }

  /// Value that the message states for a kind of static HDR metadata; nil where it is of another
  /// kind, or states nothing for all frames.
  ///
  /// - Throws: ``BitstreamError`` where bytes are missing.
  package func value<Kind: StaticHDRMetadataKind>(
    of kind: Kind.Type
  ) throws(BitstreamError) -> Kind? {
    payloadType == Kind.payloadType ? try Kind(messagePayload: payload) : nil
  }

  /// A message that names the transfer function that a decoder should believe before that of the
  /// VUI (H.265, D.2.38).
  package init(preferredTransfer transfer: TransferCharacteristics) {
    self.init(payloadType: SEIPayloadType.preferredTransfer, payload: [transfer.rawValue])
  }

  /// `preferred_transfer_characteristics`; nil in messages of other types.
  package var preferredTransferCharacteristics: TransferCharacteristics? {
    payloadType == SEIPayloadType.preferredTransfer
      ? payload.first.map(TransferCharacteristics.init(rawValue:)) : nil
  }

  /// True if this says that both eyes are in one picture or in pictures in turn: payload 45,
  /// `frame_packing_arrangement` (H.264, D.1.26; H.265, D.2.16), that cancels none.
  package var isFramePacking: Bool {
    var reader = BitReader(payload)
    guard payloadType == SEIPayloadType.framePacking, (try? reader.ue()) != nil else {
      return false
    }
    return (try? reader.flag()) == false
  }

  /// A message of user data that are registered by ITU-T T.35, from the whole payload.
  package init(registeredUserData payload: [UInt8]) {
    self.init(payloadType: SEIPayloadType.registeredUserData, payload: payload)
  }

  /// The payload of the first message of registered user data that begins with some bytes, which
  /// are the country, the provider and what that one adds; nil where none does.
  package static func registeredUserData(
    _ beginning: [UInt8], in units: some Sequence<NALUnit>
  ) -> [UInt8]? {
    for unit in units where unit.type.isSEI {
      let found = messages(in: unit).first { $0.isRegisteredUserData(beginning) }
      if let found { return found.payload }
    }
    return nil
  }

  func isRegisteredUserData(_ beginning: [UInt8]) -> Bool {
    payloadType == SEIPayloadType.registeredUserData && payload.starts(with: beginning)
  }
}

extension NALUnit {
  /// A prefix SEI unit of HEVC with registered user data, from the whole payload.
  package init(registeredUserData payload: [UInt8]) {
    self.init(hevcPrefixSEI: [SEIMessage(registeredUserData: payload)])
  }

  /// A prefix SEI unit of HEVC of the base layer (7.3.2.4): the messages and the trailing bits.
  package init(hevcPrefixSEI messages: [SEIMessage]) {
    let payload = messages.flatMap(\.bytes) + [0x80]
    self.init(
      HEVCNALUnitType.prefixSEI.header + payload.withEmulationPrevention, .hevc)
  }
}

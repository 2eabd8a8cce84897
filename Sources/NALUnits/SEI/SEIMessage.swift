// SPDX-License-Identifier: GPL-2.0-or-later
package import Bitstreams
package import CodePoints

/// One message of supplemental enhancement information (H.264, 7.3.2.3.1; H.265, 7.3.5).
package struct SEIMessage: Hashable, Sendable {
  package let payloadType: Int
  package let payload: [UInt8]

  package init(payloadType: Int, payload: [UInt8]) {
    self.payloadType = payloadType
    self.payload = payload
  }

  /// The message as NAL units contain it: type, size, payload.
  fileprivate var bytes: [UInt8] {
    [payloadType, payload.count].flatMap { number in
      // Type and size may exceed a byte: each 0xFF adds 255, and the last byte is below 255.
      [UInt8](repeating: 255, count: number / 255) + [UInt8(number % 255)]
    } + payload
  }

  /// Returns the messages of a NAL unit. Leaves out a message that is cut off.
  package static func messages(in unit: NALUnit) -> [SEIMessage] {
    let payload = unit.payload
    return places(in: payload).map { place in
      SEIMessage(payloadType: place.type, payload: Array(payload[place.range]))
    }
  }

  /// Returns a NAL unit with the payloads of some messages replaced. Everything else stays.
  ///
  /// - Parameter change: gets a message and returns a new payload of the same length, or `nil` to
  ///   keep the old one.
  package static func replacing(
    in unit: NALUnit, _ change: (SEIMessage) -> [UInt8]?
  ) -> NALUnit {
    var payload = unit.payload
    var isChanged = false
    for place in places(in: payload) {
      let message = SEIMessage(payloadType: place.type, payload: Array(payload[place.range]))
      guard let new = change(message), new != message.payload else { continue }
      precondition(new.count == place.range.count, "a new payload must have the old length")
      payload.replaceSubrange(place.range, with: new)
      isChanged = true
    }
    return isChanged ? unit.replacing(payload: payload) : unit
  }

  /// Returns a NAL unit with some messages changed or removed, or `nil` if none is left.
  ///
  /// A unit that does not contain SEI messages is returned unchanged.
  ///
  /// - Parameter change: gets a message and returns its replacement, or `nil` to remove it.
  package static func editing(
    _ unit: NALUnit, _ change: (SEIMessage) -> SEIMessage?
  ) -> NALUnit? {
    guard unit.type.isSEI else { return unit }
    let old = messages(in: unit)
    let new = old.compactMap(change)
    guard new != old else { return unit }
    // 0x80 is the stop bit with its alignment (`rbsp_trailing_bits`). A unit must have at least one
    // message, so a unit that loses all of them is removed.
    return new.isEmpty ? nil : unit.replacing(payload: new.flatMap(\.bytes) + [0x80])
  }

  /// Finds the types and payloads of the messages in a NAL unit's payload.
  private static func places(in payload: [UInt8]) -> [(type: Int, range: Range<Int>)] {
    var reader = ByteReader(payload)
    var places: [(Int, Range<Int>)] = []
    // If a single byte is left, it contains the trailing bits, because a message needs at least two
    // bytes.
    while reader.remaining > 1 {
      guard let type = number(&reader), let size = number(&reader) else { break }
      let start = reader.position
      guard (try? reader.skip(size)) != nil else { break }
      places.append((type, start..<start + size))
    }
    return places
  }

  /// Reads a number that is coded as a run of 0xFF and a last byte.
  private static func number(_ reader: inout ByteReader) -> Int? {
    var value = 0
    while let byte = try? reader.integer(UInt8.self) {
      value += Int(byte)
      if byte < 255 { return value }
    }
    return nil
  }

  /// Makes a message with static HDR metadata.
  package init(_ value: some StaticHDRMetadataKind) {
    self.init(payloadType: type(of: value).payloadType, payload: value.messagePayload)
  }

  /// Reads static HDR metadata of one kind. Returns `nil` if the message is of another kind, or
  /// does not apply to all frames.
  ///
  /// - Throws: ``BitstreamError`` if bytes are missing.
  package func value<Kind: StaticHDRMetadataKind>(
    of kind: Kind.Type
  ) throws(BitstreamError) -> Kind? {
    payloadType == Kind.payloadType ? try Kind(messagePayload: payload) : nil
  }

  /// Makes a message that names the transfer function that decoders should prefer to the one in the
  /// VUI (H.265, D.2.38).
  package init(preferredTransfer transfer: TransferCharacteristics) {
    self.init(payloadType: SEIPayloadType.preferredTransfer, payload: [transfer.byte])
  }

  /// `preferred_transfer_characteristics`, if the message has it.
  package var preferredTransferCharacteristics: TransferCharacteristics? {
    payloadType == SEIPayloadType.preferredTransfer
      ? payload.first.map { TransferCharacteristics(rawValue: UInt16($0)) } : nil
  }

  /// Whether the message describes film grain (`film_grain_characteristics`).
  package var isFilmGrain: Bool {
    // A message whose first flag is set cancels an earlier message and describes nothing.
    payloadType == SEIPayloadType.filmGrain && (payload.first ?? 0x80) & 0x80 == 0
  }

  /// Whether the message says that each frame has the views of both eyes, or that frames alternate
  /// between the eyes: `frame_packing_arrangement` (H.264, D.1.26; H.265, D.2.16).
  package var isFramePacking: Bool {
    var reader = BitReader(payload)
    guard payloadType == SEIPayloadType.framePacking, (try? reader.ue()) != nil else {
      return false
    }
    // If the flag after the ID is set, the message cancels an earlier one, so the video is not
    // spatial any more.
    return (try? reader.flag()) == false
  }

  /// Makes a message of user data registered by ITU-T T.35, from the whole payload.
  package init(registeredUserData payload: [UInt8]) {
    self.init(payloadType: SEIPayloadType.registeredUserData, payload: payload)
  }

  /// Finds the first message of registered user data whose payload begins with the given bytes: the
  /// country, the provider and whatever identifies the provider's format. Returns that payload.
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

extension Sequence<NALUnit> {
  /// The SEI messages of all units. Messages that are cut off are left out.
  package var seiMessages: [SEIMessage] {
    filter(\.type.isSEI).flatMap { SEIMessage.messages(in: $0) }
  }
}

extension NALUnit {
  /// Makes an SEI unit that comes before its picture (H.264, 7.3.2.3; H.265, 7.3.2.4). In HEVC, the
  /// unit belongs to the base layer.
  package init(messages: [SEIMessage], _ codec: NALCodec) {
    let header =
      switch codec {
      case .hevc: HEVCNALUnitType.prefixSEI.header
      case .h264: [AVCNALUnitType.sei.rawValue]
      }
    let payload = messages.flatMap(\.bytes) + [0x80]
    self.init(header + payload.withEmulationPrevention, codec)
  }

  /// Makes a unit with one message, in the form that `hvcC` stores.
  package init(hevcPrefixSEI message: SEIMessage) { self.init(messages: [message], .hevc) }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// A change of one kind of static HDR metadata, as it is made in boxes and SEI.
struct MetadataChange: Hashable, Sendable {
  /// The box in the sample entry.
  let box: FourCC
  /// `payloadType` of the SEI message.
  let payloadType: Int
  /// Payload of the box; nil for no statement.
  let payload: [UInt8]?
  /// Payload of the message; nil for no statement.
  let messagePayload: [UInt8]?

  /// - Parameter value: nil for no statement.
  init<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type, to value: Kind?) {
    (box, payloadType) = (Kind.box, Kind.payloadType)
    (payload, messagePayload) = (value?.payload, value?.messagePayload)
  }

  /// Changes the box of a sample entry.
  func apply(to entry: inout Box) {
    guard let payload else { return entry.remove(box) }
    let old = entry.children(box)
    guard old.map(\.fields) != [payload] else { return }
    // Behind the color, which readers expect before.
    entry.set(Box(box, fields: payload), behind: NALCodec.configurationBoxes.union(["colr"]))
  }

  /// A message after the change; nil where it goes. Of messages of other kinds nothing changes.
  func apply(to message: SEIMessage) -> SEIMessage? {
    guard message.payloadType == payloadType else { return message }
    return messagePayload.map { SEIMessage(payloadType: payloadType, payload: $0) }
  }
}

extension TagChanges {
  /// The changes of static HDR metadata, in the order of its messages.
  var metadata: [MetadataChange] {
    StaticHDRMetadata.kindsByPayloadType.compactMap { change(of: $0) }
  }

  private func change<Kind: StaticHDRMetadataKind>(of kind: Kind.Type) -> MetadataChange? {
    switch self[kind] {
    case .stated(let value): MetadataChange(kind, to: value)
    case .unstated: MetadataChange(kind, to: nil)
    case nil: nil
    }
  }

  /// An SEI unit after the changes; nil where no message of it is left.
  func retagSEI(_ unit: NALUnit) -> NALUnit? {
    SEIMessage.editing(unit) { message in
      metadata.reduce(Optional(message)) { message, change in message.flatMap(change.apply(to:)) }
    }
  }

  /// The SEI units of `hvcC` after the changes; new statements are among them.
  func retagPrefixSEI(_ units: [NALUnit]) -> [NALUnit] {
    var result = units.compactMap { $0.isBaseLayer ? retagSEI($0) : $0 }
    let stated = result.filter(\.isBaseLayer).flatMap(SEIMessage.messages)
    for change in metadata {
      guard let payload = change.messagePayload,
        !stated.contains(where: { $0.payloadType == change.payloadType })
      else { continue }
      let message = SEIMessage(payloadType: change.payloadType, payload: payload)
      result.append(NALUnit(hevcPrefixSEI: [message]))
    }
    return result
  }

  /// Reason to refuse values; nil where all make sense.
  var metadataFault: TranscodingError? {
    func fault<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type) -> TranscodingError? {
      guard case .stated(let value) = self[kind], let fault = value.refusals.first else {
        return nil
      }
      return TranscodingError(
        .invalidSettings, "\(Kind.key): \(fault)", code: .impossibleMetadata,
        arguments: ["metadata": Kind.key, "fault": fault.text])
    }
    return StaticHDRMetadata.kinds.lazy.compactMap { fault($0) }.first
  }
}

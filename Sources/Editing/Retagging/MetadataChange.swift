// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// A change to one kind of static HDR metadata, in its box and in its SEI message or AV1's metadata
/// unit.
struct MetadataChange: Hashable, Sendable {
  /// The type of the box in the sample entry.
  let box: FourCC
  /// The `payloadType` of the SEI message.
  let payloadType: Int
  /// The new payload of the box, or `nil` to remove the box.
  let payload: [UInt8]?
  /// The new payload of the message, or `nil` to remove the message.
  let messagePayload: [UInt8]?

  /// Makes a change.
  ///
  /// - Parameter value: the new value, or `nil` to remove the metadata.
  init<Kind: StaticHDRMetadataKind>(_ kind: Kind.Type, to value: Kind?) {
    (box, payloadType) = (Kind.box, Kind.payloadType)
    // Box and message may differ: SEI 149 has a persistence flag that is 0 in the box.
    (payload, messagePayload) = (value?.payload, value?.messagePayload)
  }

  /// Changes, adds or removes the box in a sample entry.
  func apply(to entry: inout Box) {
    guard let payload else { return entry.remove(box) }
    let old = entry.children(box)
    // A box that already has this payload keeps its place, so that nothing in the file moves.
    guard old.map(\.fields) != [payload] else { return }
    // Put the box after the configuration box (such as `hvcC`) and `colr`, which readers expect
    // first.
    entry.set(Box(box, fields: payload), behind: SampleEntry.configurationBoxes.union(["colr"]))
  }

  /// Returns a message after the change, or `nil` to remove it. Messages of other kinds stay.
  func apply(to message: SEIMessage) -> SEIMessage? {
    guard message.payloadType == payloadType else { return message }
    return messagePayload.map { SEIMessage(payloadType: payloadType, payload: $0) }
  }
}

extension TagChanges {
  /// The changes to static HDR metadata, in the order of the SEI messages' payload types.
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

  /// Returns an SEI unit after the changes, or `nil` if it has no message left.
  func retagSEI(_ unit: NALUnit) -> NALUnit? {
    SEIMessage.editing(unit) { message in
      metadata.reduce(Optional(message)) { message, change in message.flatMap(change.apply(to:)) }
    }
  }

  /// Returns the SEI units of `hvcC` after the changes, including new ones.
  func retagPrefixSEI(_ units: [NALUnit]) -> [NALUnit] {
    var result = units.compactMap { $0.isBaseLayer ? retagSEI($0) : $0 }
    let stated = result.filter(\.isBaseLayer).flatMap(SEIMessage.messages)
    // A message that `hvcC` already contained was replaced above. A new message gets its own unit,
    // so that the existing units do not change.
    for change in metadata {
      guard let payload = change.messagePayload,
        !stated.contains(where: { $0.payloadType == change.payloadType })
      else { continue }
      let message = SEIMessage(payloadType: change.payloadType, payload: payload)
      result.append(NALUnit(hevcPrefixSEI: message))
    }
    return result
  }

  /// The reason to refuse the new values, if one of them makes no sense.
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

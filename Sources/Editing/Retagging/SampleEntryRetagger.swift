// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// Changes the tags in one track's sample entries: the type, `colr`, `vpcC`, the boxes with static
/// HDR metadata, and the parameter sets in `hvcC`, `avcC` or `av1C`.
struct SampleEntryRetagger {
  let changes: TagChanges
  /// Whether the file is a QuickTime movie, in which a new `colr` box is `nclc`.
  let isQuickTime: Bool
  /// The range that the bitstream declares, for a new `colr` box.
  let bitstreamRange: Bool?
  /// Notices for the user, collected during the work.
  private(set) var notices: [Notice] = []

  init(changes: TagChanges, isQuickTime: Bool, bitstreamRange: Bool?) {
    self.changes = changes
    self.isQuickTime = isQuickTime
    self.bitstreamRange = bitstreamRange
  }

  mutating func retag(_ entry: inout Box) throws {
    changeColorBoxes(&entry)
    entry.edit("vpcC") { vpcC in vpcC.editVPSignal { changes.apply(to: &$0) } }
    for change in changes.metadata { change.apply(to: &entry) }
    if let color = changes.color, entry.child("gama") != nil {
      notices.append(.gammaKept(isAlone: !color.transferCharacteristics.isSpecified))
    }
    // The parameter sets of a second layer have another syntax, which is not read here.
    if entry.child("lhvC") != nil { notices.append(.otherLayersNotChanged) }
    try changeConfiguration(&entry)
    try changeAV1Configuration(&entry)
    try changeType(&entry)
  }

  /// Changes the color boxes. If the color changes, at most one `colr` box remains.
  private mutating func changeColorBoxes(_ entry: inout Box) {
    if changes.color != nil {
      replaceColorBoxes(&entry)
    } else if changes.videoFullRangeFlag != nil {
      // `nclc` and ICC profiles have no place for a range, so only `nclx` changes.
      for index in entry.children.indices where entry.children[index].type == "colr" {
        guard
          case .nclx(let color, let full)? = try? ColorInformation(entry.children[index].fields)
        else { continue }
        var signal = SignalDescription(color: color, videoFullRangeFlag: full)
        changes.apply(to: &signal)
        ColorInformation.setRange(signal.videoFullRangeFlag, in: &entry.children[index].fields)
      }
    }
  }

  private mutating func replaceColorBoxes(_ entry: inout Box) {
    let information = SampleEntry(entry).colorInformation
    let wasNCLX = information.contains { if case .nclx = $0 { true } else { false } }
    var signal = SampleEntry(entry).signal
    // A new `nclx` must have a range. If the old boxes state none, take the range that the
    // bitstream states, because the samples were made with it.
    signal.videoFullRangeFlag = signal.videoFullRangeFlag ?? rangeInBitstream(entry)
    changes.apply(to: &signal)
    // A new box is `nclc` in QuickTime and `nclx` elsewhere. A QuickTime file that has `nclx` keeps
    // that kind, because `nclc` would lose the range.
    let new: ColorInformation? =
      signal.color.isUnspecified
      ? nil
      : isQuickTime && !wasNCLX
        ? .nclc(signal.color)
        : .nclx(signal.color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
    let old = entry.children("colr")
    guard old.map(\.fields) != (new.map { [$0.payload] } ?? []) else { return }
    // An ICC profile describes the old color and would contradict the new box.
    if information.contains(where: \.isProfile) {
      notices.append(.profileRemoved)
    }
    guard let new else { return entry.remove("colr") }
    entry.set(
      Box("colr", fields: new.payload), behind: SampleEntry.configurationBoxes)
  }

  /// Returns the range that the entry's parameter sets declare, or ``bitstreamRange`` if the entry
  /// has none.
  private func rangeInBitstream(_ entry: Box) -> Bool? {
    guard let (bitstream, configuration) = SampleEntry(entry).configuration,
      let summary = bitstream.summary(
        configuration: configuration, firstSample: [], laterUnits: [])
    else { return bitstreamRange }
    return summary.signal.videoFullRangeFlag
  }

  private mutating func changeConfiguration(_ entry: inout Box) throws {
    guard let (payload, codec) = SampleEntry(entry).decoderConfiguration else { return }
    let box = codec.configurationBox
    do {
      entry.set(Box(box, fields: try retag(payload, codec, in: "the box '\(box)'")))
    } catch let error as NALUnitError {
      throw TranscodingError(.unusableInput, "\(error)")
    }
  }

  /// Returns the content of a configuration box after the changes.
  private func retag(
    _ payload: [UInt8], _ codec: NALCodec, in place: String
  ) throws -> [UInt8] {
    var record = try codec.record.init(payload)
    try record.replaceUnits { try retagKept($0, in: place) }
    record.editPrefixSEI(changes.retagPrefixSEI)
    if changes.forbidsInBandSets { record.completeParameterSets() }
    return record.bytes
  }

  /// Returns a NAL unit of a sample after the changes, or `nil` if the unit is removed.
  ///
  /// - Parameter place: where the unit is, for messages.
  func retag(
    _ unit: NALUnit, in place: @autoclosure () -> String
  ) throws -> NALUnit? {
    let unit = try retagKept(unit, in: place())
    guard TagCarrier(unit) == .sei else { return unit }
    return changes.retagSEI(unit)
  }

  /// Returns a NAL unit after changes to its parameter set or to SEI 147. These changes never
  /// remove the unit.
  private func retagKept(
    _ unit: NALUnit, in place: @autoclosure () -> String
  ) throws -> NALUnit {
    switch TagCarrier(unit) {
    case .sequenceParameterSet:
      do throws(NALUnitError) {
        return try SequenceParameterSet.retagging(unit) { changes.apply(to: &$0) }
      } catch {
        throw TranscodingError(
          .unusableInput,
          "\(place()) has a sequence parameter set that cannot be read: \(error.cause)")
      }
    case .sei:
      // SEI 147 tells decoders to prefer its transfer function to the one in the parameter set.
      // With its old value, SEI 147 would undo the change.
      guard let color = changes.color else { return unit }
      return SEIMessage.replacing(in: unit) { message in
        message.preferredTransferCharacteristics.map { _ in
          [color.transferCharacteristics.byte] + message.payload.dropFirst()
        }
      }
    case .otherParameterSet, .otherLayer, nil: return unit
    }
  }

  private mutating func changeType(_ entry: inout Box) throws {
    guard let tag = changes.codecTag, "\(entry.type)" != tag else { return }
    // Dolby Vision's own entries cannot get another type. For example, `dvh1` marks frames that
    // only Dolby Vision players can show, and another type would not change that.
    guard let new = changes.sampleEntry, let old = VideoSampleEntry(entry.type),
      TagChanges.sampleEntries.contains(old), old.codec == new.codec
    else {
      throw TranscodingError(
        .unusableInput,
        "a sample entry '\(entry.type)' cannot become '\(tag)': only hvc1 and hev1, or avc1 and "
          + "avc3, can replace each other")
    }
    entry.type = new.type
  }
}

extension TagChanges {
  /// Whether the new sample entry forbids parameter sets in samples (ISO/IEC 14496-15, 5.4.2 and
  /// 8.4.1).
  var forbidsInBandSets: Bool { sampleEntry?.holdsAllParameterSets ?? false }
}

extension ColorInformation {
  fileprivate var isProfile: Bool {
    if case .profile = self { true } else { false }
  }
}

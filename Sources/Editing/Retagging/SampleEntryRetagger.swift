// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import NALUnits

/// Changes the tags of one track's sample entries: their `colr` and `vpcC` boxes and the parameter
/// sets in `hvcC` or `avcC`.
struct SampleEntryRetagger {
  let changes: TagChanges
  /// True if the file is a QuickTime movie, where a new `colr` box is `nclc`.
  let isQuickTime: Bool
  /// The range that the bitstream states, for a box that did not exist.
  let bitstreamRange: Bool?
  /// Notices for the user; more are added during the work.
  private(set) var notices: [Notice] = []

  init(changes: TagChanges, isQuickTime: Bool, bitstreamRange: Bool?) {
    self.changes = changes
    self.isQuickTime = isQuickTime
    self.bitstreamRange = bitstreamRange
  }

  mutating func retag(_ entry: inout Box) throws {
    changeColorBoxes(&entry)
    changeVPCodecConfiguration(&entry)
    for change in changes.metadata { change.apply(to: &entry) }
    if let color = changes.color, entry.child("gama") != nil {
      notices.append(.gammaKept(isAlone: !color.transferCharacteristics.isSpecified))
    }
    if entry.child("lhvC") != nil { notices.append(.otherLayersNotChanged) }
    try changeConfiguration(&entry)
    try changeType(&entry)
  }

  /// Changes the boxes of color. If the color changes, a single `colr` box is left, which states
  /// it; if only the range changes, boxes that have a place for it do.
  private mutating func changeColorBoxes(_ entry: inout Box) {
    if changes.color != nil {
      replaceColorBoxes(&entry)
    } else if changes.videoFullRangeFlag != nil {
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
    signal.videoFullRangeFlag = signal.videoFullRangeFlag ?? rangeInBitstream(entry)
    changes.apply(to: &signal)
    let new: ColorInformation? =
      signal.color.isUnspecified
      ? nil
      : isQuickTime && !wasNCLX
        ? .nclc(signal.color)
        : .nclx(signal.color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
    let old = entry.children("colr")
    guard old.map(\.fields) != (new.map { [$0.payload] } ?? []) else { return }
    if information.contains(where: \.isProfile) {
      notices.append(.profileRemoved)
    }
    guard let new else { return entry.remove("colr") }
    entry.set(
      Box("colr", fields: new.payload), behind: NALCodec.configurationBoxes.union(["vpcC"]))
  }

  /// The range that the parameter sets of an entry state; that of the first picture where it has
  /// none.
  private func rangeInBitstream(_ entry: Box) -> Bool? {
    guard let (configuration, codec) = SampleEntry(entry).decoderConfiguration,
      let summary = BitstreamSummary(codec, configuration: configuration, firstSample: [])
    else { return bitstreamRange }
    return summary.signal.videoFullRangeFlag
  }

  /// `vpcC` states the color of VP8 and VP9.
  private func changeVPCodecConfiguration(_ entry: inout Box) {
    guard let fields = entry.child("vpcC")?.fields, var record = VPCodecConfiguration(fields) else {
      return
    }
    changes.apply(to: &record.signal)
    entry.set(Box("vpcC", fields: record.payload))
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

  /// The content of a configuration box after the changes.
  private func retag(
    _ payload: [UInt8], _ codec: NALCodec, in place: String
  ) throws -> [UInt8] {
    var record = try codec.record.init(payload)
    try record.replaceUnits { try retagKept($0, in: place) }
    record.editPrefixSEI(changes.retagPrefixSEI)
    if changes.forbidsInBandSets { record.completeParameterSets() }
    return record.bytes
  }

  /// A NAL unit of a sample after the changes; nil where nothing of it is left.
  ///
  /// - Parameter place: the place of the unit, for messages.
  func retag(
    _ unit: NALUnit, in place: @autoclosure () -> String
  ) throws -> NALUnit? {
    let unit = try retagKept(unit, in: place())
    guard TagCarrier(unit) == .sei else { return unit }
    return changes.retagSEI(unit)
  }

  /// A NAL unit after the changes that leave every unit where it is: a parameter set, which states
  /// a signal, or SEI 147, which names the transfer function that a decoder should believe before
  /// the parameter set.
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
      guard let color = changes.color else { return unit }
      return SEIMessage.replacing(in: unit) { message in
        message.preferredTransferCharacteristics.map { _ in
          [color.transferCharacteristics.rawValue] + message.payload.dropFirst()
        }
      }
    case .otherParameterSet, .otherLayer, nil: return unit
    }
  }

  private mutating func changeType(_ entry: inout Box) throws {
    guard let tag = changes.codecTag, "\(entry.type)" != tag else { return }
    guard let new = changes.sampleEntry, let old = VideoSampleEntry(entry.type),
      TagChanges.sampleEntries.contains(old), old.codec == new.codec
    else {
      throw TranscodingError(
        .unusableInput, "a sample entry '\(entry.type)' cannot become '\(tag)'")
    }
    entry.type = new.type
  }
}

extension TagChanges {
  /// True if parameter sets may stand in the sample entry only (ISO/IEC 14496-15, 5.4.2 and 8.4.1).
  var forbidsInBandSets: Bool { sampleEntry?.holdsAllParameterSets ?? false }
}

extension ColorInformation {
  fileprivate var isProfile: Bool {
    if case .profile = self { true } else { false }
  }
}

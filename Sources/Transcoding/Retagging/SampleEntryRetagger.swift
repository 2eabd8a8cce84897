internal import Bitstreams
internal import CodePoints
internal import ISOBMFF
internal import NALUnits

/// Changes the tags of one sample entry: its `colr` boxes and the parameter sets in `hvcC` or
/// `avcC`.
struct SampleEntryRetagger {
  let changes: TagChanges
  /// Whether the file is a QuickTime movie, where a new `colr` box is `nclc`.
  let isQuickTime: Bool
  /// What the user should know, filled while working.
  private(set) var notices: [String] = []

  init(changes: TagChanges, isQuickTime: Bool) {
    self.changes = changes
    self.isQuickTime = isQuickTime
  }

  /// The codecs whose bitstreams are changed too, by the box with their parameter sets.
  static let configurations: [(box: FourCC, codec: NALCodec)] = [("hvcC", .hevc), ("avcC", .avc)]

  mutating func retag(_ entry: inout Box) throws {
    changeColorBoxes(&entry)
    try changeConfiguration(&entry)
    try changeType(&entry)
  }

  private mutating func changeColorBoxes(_ entry: inout Box) {
    var signal = SampleEntry(entry).signal
    let before = signal
    changes.apply(to: &signal)
    guard signal.color != before.color || signal.videoFullRangeFlag != before.videoFullRangeFlag
    else { return }
    let wasNCLX = SampleEntry(entry).colorInformation.contains {
      if case .nclx = $0 { true } else { false }
    }
    if changes.color != nil {
      if SampleEntry(entry).colorInformation.contains(where: \.isProfile) {
        notices.append("an ICC profile, which states other colors, is removed")
      }
      entry.remove("colr")
    } else {
      entry.children.removeAll { box in
        box.type == "colr" && ColorInformation(box.fields)?.isProfile != true
      }
    }
    guard !signal.color.isUnspecified else { return }
    let information: ColorInformation =
      isQuickTime && !wasNCLX
      ? .nclc(signal.color)
      : .nclx(signal.color, videoFullRangeFlag: signal.videoFullRangeFlag ?? false)
    let place = entry.children.firstIndex { box in
      Self.configurations.contains { $0.box == box.type }
    }
    entry.children.insert(
      Box("colr", fields: information.payload), at: place.map { $0 + 1 } ?? entry.children.count)
  }

  private mutating func changeConfiguration(_ entry: inout Box) throws {
    guard let (box, codec) = Self.configurations.first(where: { entry.child($0.box) != nil }),
      let record = entry.child(box)?.fields
    else { return }
    let changed = try DecoderConfiguration.replacing(record, codec) { unit in
      try retag(unit, codec)
    }
    guard let changed else {
      throw TranscodingError(.unusableInput, "the box '\(box)' is damaged")
    }
    entry.set(Box(box, fields: changed))
  }

  /// A NAL unit after the changes: a parameter set, which states a signal, or SEI 147, which names
  /// the transfer function that a decoder should believe before the parameter set.
  func retag(_ unit: NALUnit, _ codec: NALCodec) throws -> NALUnit {
    switch TagCarrier(unit, codec) {
    case .parameterSet:
      return try SequenceParameterSet.retagging(unit, codec) { changes.apply(to: &$0) }
    case .sei:
      guard let color = changes.color else { return unit }
      return SEIMessage.replacing(in: unit, codec) { message in
        message.preferredTransferCharacteristics.map { _ in
          [color.transferCharacteristics.rawValue] + message.payload.dropFirst()
        }
      }
    case nil: return unit
    }
  }

  private mutating func changeType(_ entry: inout Box) throws {
    guard let tag = changes.codecTag, "\(entry.type)" != tag else { return }
    let families: [[FourCC]] = [["hvc1", "hev1"], ["avc1", "avc3"]]
    guard let family = families.first(where: { $0.contains(entry.type) }),
      let type = family.first(where: { "\($0)" == tag })
    else {
      throw TranscodingError(
        .unusableInput, "a sample entry '\(entry.type)' cannot become '\(tag)'")
    }
    entry.type = type
  }
}

/// The kinds of NAL units that say something of color.
enum TagCarrier {
  case parameterSet
  case sei

  init?(_ unit: NALUnit, _ codec: NALCodec) {
    switch (codec, unit.hevcType, unit.avcType) {
    case (.hevc, .sequenceParameterSet, _), (.avc, _, .sequenceParameterSet): self = .parameterSet
    case (.hevc, .prefixSEI, _), (.avc, _, .sei): self = .sei
    default: return nil
    }
  }
}

extension ColorInformation {
  fileprivate var isProfile: Bool {
    if case .profile = self { true } else { false }
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

extension SequenceParameterSet {
  /// Returns a sequence parameter set with its color tags changed. All other bits stay the same.
  ///
  /// - Parameters:
  ///   - unit: the NAL unit.
  ///   - change: gets the current tags of the VUI and changes them.
  package static func retagging(
    _ unit: NALUnit, _ change: (inout SignalDescription) -> Void
  ) throws(NALUnitError) -> NALUnit {
    let set = try SequenceParameterSet(unit)
    var signal = set.vui?.signal ?? SignalDescription()
    let before = signal
    change(&signal)
    // If no tag changes, keep the unit's bytes, because writing it again could change them.
    guard signal != before else { return unit }
    do throws(BitstreamError) {
      return unit.replacing(
        payload: try set.written(unit.payload, unit.codec, signal: signal))
    } catch {
      throw .unreadable(unit.type, error)
    }
  }

  private func written(
    _ payload: [UInt8], _ codec: NALCodec, signal: SignalDescription
  ) throws(BitstreamError) -> [UInt8] {
    var reader = BitReader(payload)
    var writer = BitWriter()
    try writer.copy(vuiFlagPosition, from: &reader)
    try reader.skip(1)
    // `vui_parameters_present_flag`: new tags need a VUI even if there was none.
    writer.flag(true)
    if let vui {
      try writer.copy(vui.signalPosition.lowerBound - reader.position, from: &reader)
      Self.write(signal, videoFormat: vui.videoFormat, vui: vui, to: &writer)
      try reader.skip(vui.signalPosition.count)
    } else {
      // Write no aspect ratio and no overscan, then the signal, then zeros for the flags of
      // everything that may follow it: five in H.264 (E.1.1), six in H.265 (E.2.1).
      writer.u(0, 2)
      Self.write(signal, videoFormat: nil, vui: nil, to: &writer)
      writer.u(0, codec == .hevc ? 6 : 5)
    }
    try writer.copy(reader.contentBitCount - reader.position, from: &reader)
    writer.trailingBits()
    return writer.bytes
  }

  private static func write(
    _ signal: SignalDescription, videoFormat: UInt8?, vui: VideoUsabilityInformation?,
    to writer: inout BitWriter
  ) {
    let hasColor = !signal.color.isUnspecified
    // A color cannot be coded without `video_format` and a range (E.1.1, E.2.1). If these are
    // unknown, 5 (unspecified) and 0 (limited range) are written.
    let hasType = hasColor || signal.videoFullRangeFlag != nil
    writer.flag(hasType)
    if hasType {
      writer.u(UInt64(videoFormat ?? 5), 3)
      writer.flag(signal.videoFullRangeFlag ?? false)
      writer.flag(hasColor)
      if hasColor {
        writer.u(UInt64(signal.color.colorPrimaries.byte), 8)
        writer.u(UInt64(signal.color.transferCharacteristics.byte), 8)
        writer.u(UInt64(signal.color.matrixCoefficients.byte), 8)
      }
    }
    writer.flag(signal.chromaLocation != nil)
    guard let location = signal.chromaLocation.map({ UInt32($0.rawValue) }) else { return }
    // The two fields of interlaced video may have different chroma locations. A tag names one
    // location. If the tag changes the location of the top field, the bottom field gets the new
    // location, too.
    let isUnchanged = vui?.chromaSampleLocTypeTopField == UInt64(location)
    writer.ue(location)
    writer.ue(
      isUnchanged ? UInt32(clamping: vui?.chromaSampleLocTypeBottomField ?? 0) : location)
  }
}

/// The kinds of NAL unit that matter when tags are changed.
package enum TagCarrier {
  case sequenceParameterSet
  /// A video or picture parameter set, which has no color tags.
  case otherParameterSet
  case sei
  /// A parameter set of another layer or view, which is left alone.
  case otherLayer

  /// Returns `nil` for units that do not matter when tags are changed.
  package init?(_ unit: NALUnit) {
    let type = unit.type
    switch type {
    // The parameter sets of other layers have a different syntax (H.264, 7.3.2.1.3; H.265,
    // F.7.3.2.2.1), which is not read here.
    case .avc(.subsetSequenceParameterSet): self = .otherLayer
    case _ where !unit.isBaseLayer:
      guard type.isParameterSet else { return nil }
      self = .otherLayer
    case _ where type.isSequenceParameterSet: self = .sequenceParameterSet
    case _ where type.isParameterSet: self = .otherParameterSet
    case .hevc(.prefixSEI), .avc(.sei): self = .sei
    default: return nil
    }
  }
}

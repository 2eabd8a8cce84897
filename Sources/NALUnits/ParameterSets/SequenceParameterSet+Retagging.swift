// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints

extension SequenceParameterSet {
  /// A sequence parameter set that says something else of the video signal; every other bit of it
  /// stays.
  ///
  /// A video signal type that is not stated is left out, except that a color needs a bit for the
  /// range, which is then 0. `video_format` stays as it is, or is 5, unspecified.
  ///
  /// - Parameters:
  ///   - unit: the NAL unit.
  ///   - change: gets the present statements of the VUI, and changes them to the new ones.
  package static func retagging(
    _ unit: NALUnit, _ change: (inout SignalDescription) -> Void
  ) throws(NALUnitError) -> NALUnit {
    let set = try SequenceParameterSet(unit)
    var signal = set.vui?.signal ?? SignalDescription()
    let before = signal
    change(&signal)
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
    writer.flag(true)
    if let vui {
      try writer.copy(vui.signalPosition.lowerBound - reader.position, from: &reader)
      Self.write(signal, videoFormat: vui.videoFormat, vui: vui, to: &writer)
      try reader.skip(vui.signalPosition.count)
    } else {
      // Neither aspect ratio nor overscan; then the signal; then nothing of what may follow: five
      // flags in H.264 (E.1.1), six in H.265 (E.2.1).
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
    let hasType = hasColor || signal.videoFullRangeFlag != nil
    writer.flag(hasType)
    if hasType {
      writer.u(UInt64(videoFormat ?? 5), 3)
      writer.flag(signal.videoFullRangeFlag ?? false)
      writer.flag(hasColor)
      if hasColor {
        writer.u(UInt64(signal.color.colorPrimaries.rawValue), 8)
        writer.u(UInt64(signal.color.transferCharacteristics.rawValue), 8)
        writer.u(UInt64(signal.color.matrixCoefficients.rawValue), 8)
      }
    }
    writer.flag(signal.chromaLocation != nil)
    guard let location = signal.chromaLocation.map({ UInt32($0.rawValue) }) else { return }
    let isUnchanged = vui?.chromaSampleLocTypeTopField == UInt64(location)
    writer.ue(location)
    writer.ue(
      isUnchanged ? UInt32(clamping: vui?.chromaSampleLocTypeBottomField ?? 0) : location)
  }
}

/// The kinds of NAL units that a change of tags looks at.
package enum TagCarrier {
  case sequenceParameterSet
  /// A video or picture parameter set, which says nothing of color.
  case otherParameterSet
  case sei
  /// A parameter set of another layer or view, whose syntax is another and which is not changed.
  case otherLayer

  /// The kind of a unit; nil for other units.
  package init?(_ unit: NALUnit) {
    let type = unit.type
    switch type {
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

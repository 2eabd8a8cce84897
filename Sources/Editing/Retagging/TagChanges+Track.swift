// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import MediaCore

extension TagChanges {
  /// Returns the changes for one track.
  func resolved(for claims: [SignalClaim]) -> TagChanges {
    // The transfer functions 1, 14 and 15 are the same curve. A track that has 14 or 15 keeps that
    // number, because another number would change the file but not its meaning.
    guard color == .bt2020 else { return self }
    var changes = self
    let stated = claims.lazy.map(\.signal.color.transferCharacteristics).first {
      $0 == .bt2020TenBit || $0 == .bt2020TwelveBit
    }
    if let stated { changes.color?.transferCharacteristics = stated }
    return changes
  }

  /// Whether a change depends on facts about the frames.
  var needsFrameFacts: Bool {
    // BT.2020 may keep the track's transfer function (see `resolved`), R′G′B′ needs 4:4:4, and a
    // range cannot be removed if a color stays. Each of these depends on the track's actual tags or
    // format.
    color == .bt2020 || color?.matrixCoefficients == .identity || videoFullRangeFlag == .unstated
  }

  /// Throws if a track has no place for a change, or if the new tags cannot be true of its samples.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput`.
  func check(_ entry: Box, of track: RetaggedTrack) throws {
    func refuse(_ reason: String, code: TranscodingError.Code? = nil) -> TranscodingError {
      TranscodingError(.unusableInput, "'\(entry.type)': \(reason)", code: code)
    }
    // An entry that could not be parsed keeps all its bytes as fields, so the boxes inside it are
    // unknown.
    guard entry.fields.count == Box.videoEntryFieldsSize else {
      throw refuse("the sample entry is damaged or of an unknown type")
    }
    let bitstream = SampleEntry(entry).configuration?.bitstream
    let hasParameterSets = bitstream != nil
    var signal = track.tags.signal
    apply(to: &signal)
    if case .stated = chromaLocation {
      guard hasParameterSets else {
        throw refuse("only H.264, HEVC and AV1 can state a chroma location")
      }
      if let location = signal.chromaLocation, let bitstream,
        bitstream.declared(signal).chromaLocation != location
      {
        throw refuse("\(bitstream.codecName) cannot state the chroma location \(location)")
      }
      if let subsampling = track.chromaSubsampling, subsampling != .cs420 {
        throw refuse("a chroma location is only for 4:2:0; this video is \(subsampling.rawValue)")
      }
    }
    // `colour_description` comes after the range in the VUI (H.264, E.1.1; H.265, E.2.1), so color
    // without a range cannot be coded.
    if videoFullRangeFlag == .unstated, !signal.color.isUnspecified {
      throw refuse(
        "the range cannot be removed while the color tags stay", code: .rangeBesideColor)
    }
    if videoFullRangeFlag == .unstated, bitstream?.declared(signal).videoFullRangeFlag != nil {
      throw refuse("its bitstream always states a range: set limited or full")
    }
    if case .stated = videoFullRangeFlag, !hasParameterSets, entry.child("vpcC") == nil,
      SampleEntry(entry).signals.allSatisfy({ $0.videoFullRangeFlag == nil })
    {
      throw refuse(
        "no range can be set, because neither its codec nor a 'colr' box has a place for one")
    }
    if color?.matrixCoefficients == .identity, let subsampling = track.chromaSubsampling,
      subsampling != .cs444
    {
      throw refuse(
        "the matrix 0 (R'G'B') needs 4:4:4 (H.273, 8.3); this video is \(subsampling.rawValue)")
    }
  }

  /// Notices about code points to which H.273 gives no meaning.
  var notices: [Notice] {
    // This is a warning and not an error, because the user has asked for the number, and later
    // editions of H.273 may define it.
    guard let color else { return [] }
    var reserved: [String] = []
    if color.colorPrimaries.name == nil { reserved.append("primaries \(color.colorPrimaries)") }
    if color.transferCharacteristics.name == nil {
      reserved.append("transfer function \(color.transferCharacteristics)")
    }
    if color.matrixCoefficients.name == nil {
      reserved.append("matrix \(color.matrixCoefficients)")
    }
    return reserved.map { .reservedCodePoint($0) }
  }
}

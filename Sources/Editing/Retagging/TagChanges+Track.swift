// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import Host
internal import ISOBMFF
internal import MediaCore

extension TagChanges {
  /// The changes as they are made in one track.
  ///
  /// BT.2020 without HDR is 9/1/9, but a transfer of 14 or 15, which means the same, is left where
  /// a track states it.
  func resolved(for claims: [SignalClaim]) -> TagChanges {
    guard color == .bt2020 else { return self }
    var changes = self
    let stated = claims.lazy.map(\.signal.color.transferCharacteristics).first {
      $0 == .bt2020TenBit || $0 == .bt2020TwelveBit
    }
    if let stated { changes.color?.transferCharacteristics = stated }
    return changes
  }

  /// True if a change depends on facts about the frames: the transfer function that stands beside
  /// BT.2020, chroma samples for R'G'B', color that needs a range.
  var askPictures: Bool {
    color == .bt2020 || color?.matrixCoefficients == .identity || videoFullRangeFlag == .unstated
  }

  /// Refuses changes that a track has no place for, or that cannot be true of its samples.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput`.
  func check(_ entry: Box, of track: RetaggedTrack) throws {
    func refuse(_ reason: String, code: TranscodingError.Code? = nil) -> TranscodingError {
      TranscodingError(.unusableInput, "'\(entry.type)': \(reason)", code: code)
    }
    guard entry.fields.count == Box.videoEntryFieldsSize else {
      throw refuse("the sample entry is not understood")
    }
    let hasParameterSets = entry.parameterSetCodec != nil
    var signal = track.tags.signal
    apply(to: &signal)
    if case .stated = chromaLocation {
      guard hasParameterSets else {
        throw refuse("only H.264 and HEVC have a place for a chroma location")
      }
      if let subsampling = track.chromaSubsampling, subsampling != .cs420 {
        throw refuse("a chroma location is for 4:2:0; this is \(subsampling.rawValue)")
      }
    }
    if videoFullRangeFlag == .unstated, !signal.color.isUnspecified {
      throw refuse(
        "a range cannot be left out where color is stated", code: .rangeBesideColor)
    }
    if case .stated = videoFullRangeFlag, !hasParameterSets, entry.child("vpcC") == nil,
      SampleEntry(entry).signals.allSatisfy({ $0.videoFullRangeFlag == nil })
    {
      throw refuse("this file has no place for a range")
    }
    if color?.matrixCoefficients == .identity, let subsampling = track.chromaSubsampling,
      subsampling != .cs444
    {
      throw refuse(
        "the matrix 0 (R'G'B') needs 4:4:4 (H.273, 8.3); this is \(subsampling.rawValue)")
    }
  }

  /// Notices about code points that H.273 has no meaning for.
  var notices: [Notice] {
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

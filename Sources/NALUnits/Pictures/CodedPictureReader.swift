// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Reads slice headers, access unit by access unit in decoding order, to learn the type of each
/// picture, and in HEVC its output order.
package struct CodedPictureReader: Sendable {
  /// The fields of an HEVC picture parameter set (7.3.2.3.1) that are needed to read slices.
  private typealias PictureSet = (
    sequenceSetID: UInt64, hasOutputFlag: Bool, extraSliceHeaderBits: Int
  )

  private var sequenceSets: [UInt64: SequenceParameterSet] = [:]
  private var pictureSets: [UInt64: PictureSet] = [:]
  private var sequence = 0
  /// `PicOrderCntVal` of the most recent picture from which the counts of later pictures may be
  /// computed (H.265, 8.3.1).
  private var previousOrderCount = 0
  /// Whether the next picture is the first one, or the first one after the end of a sequence or
  /// bitstream. There, any random access picture begins a coded video sequence. Elsewhere, only IDR
  /// and BLA pictures do.
  private var isAtStart = true

  /// Begins at the start of a stream.
  ///
  /// - Parameter parameterSets: the parameter sets stored outside the stream.
  package init(parameterSets: [NALUnit]) {
    for unit in parameterSets { add(unit) }
  }

  /// Reads the next access unit.
  ///
  /// - Returns: `nil` if the units have no slice of the base layer, and so no picture.
  package mutating func read(_ units: [NALUnit]) -> CodedPicture? {
    var picture: CodedPicture?
    for unit in units where unit.isBaseLayer {
      if unit.type.isSlice {
        picture = picture ?? self.picture(unit)
      } else {
        add(unit)
      }
    }
    return picture
  }

  private mutating func add(_ unit: NALUnit) {
    switch unit.type {
    case .hevc(.sequenceParameterSet):
      guard let set = try? SequenceParameterSet(unit) else { return }
      sequenceSets[set.parameterSetID] = set
    case .hevc(.pictureParameterSet): try? addPictureSet(unit)
    default: if unit.endsSequence { isAtStart = true }
    }
  }

  private mutating func addPictureSet(_ unit: NALUnit) throws(BitstreamError) {
    var reader = BitReader(unit.payload)
    let (id, sequence) = (try reader.ue(), try reader.ue())
    try reader.skip(1)
    let hasOutputFlag = try reader.flag()
    pictureSets[id] = (sequence, hasOutputFlag, Int(try reader.u(3)))
  }

  private mutating func picture(_ unit: NALUnit) -> CodedPicture {
    // The fields are in the first bytes. Removing emulation prevention from whole slices would be
    // slow.
    var reader = BitReader(unit.beginning(64).payload)
    guard case .hevc(let type) = unit.type else {
      _ = try? reader.ue()
      let type = (try? reader.ue()).flatMap(PictureType.init(avcSliceType:))
      return CodedPicture(type: type, order: nil)
    }
    guard let slice = try? hevcSlice(type, &reader) else {
      return CodedPicture(type: nil, order: nil)
    }
    // Compute the order count before reading `sequence`, because the computation advances
    // `sequence` if the picture begins a new one.
    let orderCount = count(
      slice.leastBits, bits: slice.bits, type, isOfLowestSublayer: unit.isOfLowestSublayer)
    return CodedPicture(
      type: PictureType(hevcSliceType: slice.type),
      order: PictureOrder(sequence: sequence, orderCount: orderCount))
  }

  /// Reads `slice_segment_header` up to the order count (H.265, 7.3.6.1). Returns `nil` for a slice
  /// that is not the picture's first, or whose parameter sets are missing.
  private func hevcSlice(
    _ type: HEVCNALUnitType, _ reader: inout BitReader
  ) throws(BitstreamError) -> (type: UInt64, leastBits: Int, bits: Int)? {
    let isFirst = try reader.flag()
    if type.isRandomAccess { try reader.skip(1) }
    guard isFirst, let pictureSet = pictureSets[try reader.ue()],
      let set = sequenceSets[pictureSet.sequenceSetID]
    else { return nil }
    try reader.skip(pictureSet.extraSliceHeaderBits)
    let sliceType = try reader.ue()
    if pictureSet.hasOutputFlag { try reader.skip(1) }
    if set.hasSeparateColorPlanes { try reader.skip(2) }
    let bits = set.pictureOrderCountBits
    // IDR pictures do not code their order count, because it is always 0.
    return (sliceType, type.isIDR ? 0 : Int(try reader.u(bits)), bits)
  }

  /// Computes the picture order count (H.265, 8.3.1).
  private mutating func count(
    _ leastBits: Int, bits: Int, _ type: HEVCNALUnitType, isOfLowestSublayer: Bool
  ) -> Int {
    let range = 1 << bits
    var high = 0
    if type.isRandomAccess && (isAtStart || type.isIDR || type.isBrokenLink) {
      sequence += 1
    } else {
      // Only the low bits are coded. The high bits are chosen so that the count is as near as
      // possible to the previous count.
      let previousLow = previousOrderCount & (range - 1)
      high = previousOrderCount - previousLow
      if leastBits < previousLow && previousLow - leastBits >= range / 2 {
        high += range
      } else if leastBits > previousLow && leastBits - previousLow > range / 2 {
        high -= range
      }
    }
    isAtStart = false
    // By 8.3.1, order counts are never computed from a picture that a decoder may drop, because
    // dropping the picture would make later counts wrong.
    if isOfLowestSublayer && !type.isLeadingOrUnreferenced {
      previousOrderCount = high + leastBits
    }
    return high + leastBits
  }
}

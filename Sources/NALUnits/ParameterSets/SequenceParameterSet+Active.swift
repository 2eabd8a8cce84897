// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

extension SequenceParameterSet {
  /// Finds the sequence parameter set that the first picture is decoded with (H.264, 7.4.1.2.1;
  /// H.265, 7.4.2.4.2). Returns `nil` if there is none.
  static func active(in units: [NALUnit]) -> SequenceParameterSet? {
    // A slice names a picture parameter set, which names a sequence parameter set. A later set with
    // the same ID replaces an earlier one, so the first set in the file might not be the one in
    // use.
    var sequenceSets: [UInt64: SequenceParameterSet] = [:]
    // The IDs of sequence parameter sets, by the ID of the picture parameter set.
    var pictureSets: [UInt64: UInt64] = [:]
    // The first sequence parameter set, in case no slice says which one it uses.
    var first: SequenceParameterSet?
    // The second view of spatial video has parameter sets with the same IDs in another layer, so
    // only units of the base layer are read.
    for unit in units where unit.isBaseLayer {
      if unit.type.isSequenceParameterSet {
        guard let set = try? SequenceParameterSet(unit) else { continue }
        sequenceSets[set.parameterSetID] = set
        first = first ?? set
      } else if unit.type.isPictureParameterSet {
        var reader = BitReader(unit.payload)
        guard let number = try? reader.ue(), let sequence = try? reader.ue() else { continue }
        pictureSets[number] = sequence
      } else if let number = pictureSet(ofSlice: unit), let sequence = pictureSets[number],
        let set = sequenceSets[sequence]
      {
        return set
      }
    }
    return first.flatMap { sequenceSets[$0.parameterSetID] }
  }

  /// Returns the ID of the picture parameter set that a slice names (H.264, 7.3.3; H.265, 7.3.6.1).
  /// Returns `nil` for units that are not slices, and for slices after the first of their picture.
  private static func pictureSet(ofSlice unit: NALUnit) -> UInt64? {
    guard unit.type.isSlice else { return nil }
    // The ID is in the first bytes. Removing emulation prevention from whole slices would be slow.
    var reader = BitReader(unit.beginning(32).payload)
    do {
      switch unit.type {
      case .avc:
        guard try reader.ue() == 0 else { return nil }
        _ = try reader.ue()
      case .hevc(let type):
        guard try reader.flag() else { return nil }
        // Skip `no_output_of_prior_pics_flag`, which only IRAP pictures have.
        if type.isRandomAccess { try reader.skip(1) }
      }
      return try reader.ue()
    } catch {
      return nil
    }
  }

  /// Reads a sequence parameter set from its NAL unit.
  package init(_ unit: NALUnit) throws(NALUnitError) {
    do throws(BitstreamError) {
      switch unit.type {
      case .avc: try self.init(avcPayload: unit.payload)
      case .hevc: try self.init(hevcPayload: unit.payload)
      }
    } catch {
      throw .unreadable(unit.type, error)
    }
  }
}

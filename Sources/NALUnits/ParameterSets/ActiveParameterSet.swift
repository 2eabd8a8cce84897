// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Finds the sequence parameter set that a picture is decoded with: the slice names a picture
/// parameter set, which names a sequence parameter set, and of several with the same number the
/// last one holds (H.264, 7.4.1.2.1; H.265, 7.4.2.4.2).
struct ActiveParameterSet {
  private var sequenceSets: [UInt64: SequenceParameterSet] = [:]
  /// The numbers of sequence parameter sets by that of the picture parameter set.
  private var pictureSets: [UInt64: UInt64] = [:]
  /// The first sequence parameter set: where no slice tells, it is taken.
  private var first: SequenceParameterSet?
  private var active: SequenceParameterSet?

  init(_ units: [NALUnit]) {
    for unit in units where active == nil && unit.isBaseLayer { add(unit) }
  }

  /// The set; nil where there is none.
  var parameterSet: SequenceParameterSet? {
    active ?? first.flatMap { sequenceSets[$0.parameterSetID] }
  }

  private mutating func add(_ unit: NALUnit) {
    if unit.type.isSequenceParameterSet {
      guard let set = try? SequenceParameterSet(unit) else { return }
      sequenceSets[set.parameterSetID] = set
      first = first ?? set
    } else if unit.type.isPictureParameterSet {
      var reader = BitReader(unit.payload)
      guard let number = try? reader.ue(), let sequence = try? reader.ue() else { return }
      pictureSets[number] = sequence
    } else if let number = pictureSet(ofSlice: unit), let sequence = pictureSets[number] {
      active = sequenceSets[sequence]
    }
  }

  /// The picture parameter set that a slice names (H.264, 7.3.3; H.265, 7.3.6.1); nil for other
  /// units and for slices that are not the first of their picture.
  private func pictureSet(ofSlice unit: NALUnit) -> UInt64? {
    guard unit.type.isSlice else { return nil }
    // The number stands in the first bytes.
    var reader = BitReader(unit.beginning(32).payload)
    do {
      switch unit.type {
      case .avc:
        guard try reader.ue() == 0 else { return nil }
        _ = try reader.ue()
      case .hevc(let type):
        guard try reader.flag() else { return nil }
        if type.isRandomAccess { try reader.skip(1) }
      }
      return try reader.ue()
    } catch {
      return nil
    }
  }
}

extension SequenceParameterSet {
  /// Reads a NAL unit.
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

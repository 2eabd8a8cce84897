// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams

/// Finds the access units of H.264 that contain the second field of a picture (7.4.1.2.4).
package struct SecondFields: Sendable {
  // Some files store the two fields of a picture in separate samples. If each counted as a frame,
  // there would be twice as many frames as decoders return.

  private struct Field: Hashable {
    let frameNumber: UInt64
    let isBottom: Bool
  }

  private var sequenceSets: [UInt64: SequenceParameterSet] = [:]
  /// The IDs of sequence parameter sets, by the ID of the picture parameter set.
  private var sequenceOfPictureSet: [UInt64: UInt64] = [:]
  /// A first field whose second field has not come yet.
  private var open: Field?

  /// Begins at the start of a stream.
  ///
  /// - Parameter parameterSets: the parameter sets stored outside the stream.
  package init(parameterSets: [NALUnit]) {
    for unit in parameterSets { add(unit) }
  }

  /// Reads the next access unit. Returns whether it completes the picture of the previous access
  /// unit.
  package mutating func isSecond(_ units: some Sequence<NALUnit>) -> Bool {
    var fields: Set<Field?> = []
    for unit in units {
      guard case .avc(let type) = unit.type else { continue }
      if type.hasSliceHeader {
        fields.insert(field(unit))
      } else {
        add(unit)
      }
    }
    guard fields.count == 1, case let field?? = fields.first else {
      open = nil
      return false
    }
    // 7.4.1.2.4: fields of one frame share `frame_num` and differ in parity.
    if let first = open, first.frameNumber == field.frameNumber, first.isBottom != field.isBottom {
      open = nil
      return true
    }
    open = field
    return false
  }

  private mutating func add(_ unit: NALUnit) {
    switch unit.type {
    case .avc(.sequenceParameterSet):
      guard let set = try? SequenceParameterSet(unit) else { return }
      sequenceSets[set.parameterSetID] = set
    case .avc(.pictureParameterSet):
      var reader = BitReader(unit.beginning(32).payload)
      guard let id = try? reader.ue(), let sequence = try? reader.ue() else { return }
      sequenceOfPictureSet[id] = sequence
    default: break
    }
  }

  /// Reads `slice_header` up to the kind of field (H.264, 7.3.3). Returns `nil` for a whole frame,
  /// and if the header cannot be read.
  private func field(_ unit: NALUnit) -> Field? {
    var reader = BitReader(unit.beginning(64).payload)
    guard (try? reader.ue()) != nil, (try? reader.ue()) != nil, let id = try? reader.ue(),
      let set = sequenceOfPictureSet[id].flatMap({ sequenceSets[$0] }), !set.isFrameOnly
    else { return nil }
    if set.hasSeparateColorPlanes { guard (try? reader.skip(2)) != nil else { return nil } }
    guard let number = try? reader.u(set.frameNumberBits), (try? reader.flag()) == true,
      let isBottom = try? reader.flag()
    else { return nil }
    return Field(frameNumber: UInt64(number), isBottom: isBottom)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits

/// What containers say about a track's frames besides their color.
extension AssetTrack {
  /// The part of the frames that is meant to be seen; `nil` if no valid one is declared.
  package var cleanAperture: CleanAperture? {
    guard let box else { return demuxed.crop.flatMap { CleanAperture($0, of: pictureSize) } }
    return apertureFault == nil ? box.firstUsedEntry?.cleanAperture : nil
  }

  /// A notice about what makes the box `clap` useless; `nil` if the box is good or missing.
  package var apertureFault: Notice? { box?.firstUsedEntry?.apertureFault(of: pictureSize) }

  private var pictureSize: VideoDimensions { video?.size ?? demuxed.size }

  /// The order of fields that the container states; `nil` if it states none.
  package var containerFieldOrder: FieldOrder? {
    Self.containerFieldOrder(demuxed, box?.firstUsedEntry)
  }

  /// Returns the order of fields that a container states; `nil` if it states none.
  static func containerFieldOrder(_ track: DemuxedTrack, _ entry: SampleEntry?) -> FieldOrder? {
    guard let entry else { return track.containerFieldOrder }
    guard let fields = entry.fieldInformation else { return nil }
    if fields.count == 1 { return .progressive }
    return fields.isTopFirst.map { $0 ? .topFirst : .bottomFirst }
  }

  /// Returns the order of fields to believe for a decoded frame.
  package func fieldOrder(ofDecoded order: FieldOrder) -> FieldOrder {
    Self.fieldOrder(decoded: order, demuxed, box?.firstUsedEntry)
  }

  static func fieldOrder(
    decoded: FieldOrder, _ track: DemuxedTrack, _ entry: SampleEntry?
  ) -> FieldOrder {
    // In many codecs, frames cannot say that they have fields. The container is believed only for
    // those codecs.
    guard decoded == .progressive, !track.codec.framesTellFields else {
      return decoded
    }
    return containerFieldOrder(track, entry) ?? decoded
  }

  /// A notice that container and bitstream contradict each other on the shape of a sample; `nil` if
  /// they agree.
  package var aspectConflict: Notice? {
    func width(_ ratio: PixelAspectRatio) -> Double {
      Double(pictureSize.width) * Double(ratio.horizontalSpacing) / Double(ratio.verticalSpacing)
    }
    // Only codecs whose parameter sets are read here are compared. This leaves out DV, which can
    // state just two shapes. A difference of less than a sample in the frame's width cannot be
    // seen.
    guard video?.bitstream != nil, let stated = demuxed.sampleAspectRatio,
      let coded = demuxed.bitstreamAspectRatio, abs(width(stated) - width(coded)) >= 1
    else { return nil }
    return .aspectConflict(container: stated, bitstream: coded)
  }

  /// A notice that container and frames contradict each other about fields, or that the container
  /// does not say which of two fields is first; `nil` if all is well.
  package var fieldConflict: Notice? {
    if let fields = box?.firstUsedEntry?.fieldInformation, fields.count == 2,
      fields.isTopFirst == nil, video?.fieldOrder == .progressive
    {
      return .fieldOrderUnstated
    }
    guard let stated = containerFieldOrder, let found = video?.fieldOrder, stated != found else {
      return nil
    }
    return .fieldOrderConflict(container: stated, frames: found)
  }
}

extension SampleEntry {
  /// Returns a notice about what makes the box `clap` useless for frames of a size; `nil` if the
  /// box is good or missing.
  package func apertureFault(of size: VideoDimensions) -> Notice? {
    guard payload("clap") != nil else { return nil }
    guard let aperture = cleanAperture else {
      return .apertureUnreadable
    }
    return aperture.shows(size) ? nil : .apertureOutside(aperture, of: size)
  }
}

extension CleanAperture {
  /// Makes the part of a frame that a crop leaves; `nil` if nothing is left.
  fileprivate init?(_ crop: DemuxedTrack.Crop, of size: VideoDimensions) {
    let width = size.width - crop.left - crop.right
    let height = size.height - crop.top - crop.bottom
    guard width > 0, height > 0 else { return nil }
    self.init(
      width: Fraction(Int64(width)), height: Fraction(Int64(height)),
      // `clap` has the distance from the frame's center to the aperture's center (ISO/IEC 14496-12,
      // 12.1.4.1). The distance is half the difference between the crops at opposite sides.
      horizontalOffset: Fraction(Int64(crop.left - crop.right), 2),
      verticalOffset: Fraction(Int64(crop.top - crop.bottom), 2))
  }
}

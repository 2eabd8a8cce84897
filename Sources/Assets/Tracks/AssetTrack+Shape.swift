// SPDX-License-Identifier: GPL-2.0-or-later
internal import Bitstreams
package import CodePoints
package import ISOBMFF
internal import LibAV
package import MediaCore
internal import NALUnits

/// Statements of containers about a track's frames beside their color.
extension AssetTrack {
  /// The part of the frames that is meant to be seen; nil where nothing says so in a way that
  /// makes sense.
  package var cleanAperture: CleanAperture? {
    guard let box else { return demuxed.crop.flatMap { CleanAperture($0, of: pictureSize) } }
    return apertureFault == nil ? box.sampleEntries.first?.cleanAperture : nil
  }

  /// Fault that makes the box `clap` useless; nil where the box is good, or is not there.
  package var apertureFault: Notice? { box?.sampleEntries.first?.apertureFault(of: pictureSize) }

  private var pictureSize: VideoDimensions { video?.size ?? demuxed.size }

  /// The order of fields that the container states; nil where it states none.
  package var containerFieldOrder: FieldOrder? {
    Self.containerFieldOrder(demuxed, box?.sampleEntries.first)
  }

  /// The order of fields that a container states.
  static func containerFieldOrder(_ track: DemuxedTrack, _ entry: SampleEntry?) -> FieldOrder? {
    guard let entry else { return track.containerFieldOrder }
    guard let fields = entry.fieldInformation else { return nil }
    if fields.count == 1 { return .progressive }
    return fields.isTopFirst.map { $0 ? .topFirst : .bottomFirst }
  }

  /// The order of fields of a decoded frame that is believed.
  package func fieldOrder(ofDecoded order: FieldOrder) -> FieldOrder {
    Self.fieldOrder(decoded: order, demuxed, box?.sampleEntries.first)
  }

  /// The order of fields that is believed: the decoder's where it tells one; of frames that
  /// cannot tell, the container's.
  static func fieldOrder(
    decoded: FieldOrder, _ track: DemuxedTrack, _ entry: SampleEntry?
  ) -> FieldOrder {
    guard decoded == .progressive, !track.codec.framesTellFields else {
      return decoded
    }
    return containerFieldOrder(track, entry) ?? decoded
  }

  /// Notice that container and bitstream contradict each other on the shape of a sample; nil where
  /// they do not. Differences of less than a sample in a picture's width do not count. Only
  /// parameter sets of H.264 and HEVC are heard: DV knows but two shapes.
  package var aspectConflict: Notice? {
    func width(_ ratio: PixelAspectRatio) -> Double {
      Double(pictureSize.width) * Double(ratio.horizontalSpacing) / Double(ratio.verticalSpacing)
    }
    guard video?.bitstream != nil, let stated = demuxed.sampleAspectRatio,
      let coded = demuxed.bitstreamAspectRatio, abs(width(stated) - width(coded)) >= 1
    else { return nil }
    return .aspectConflict(container: stated, bitstream: coded)
  }

  /// Notice that container and frames contradict each other on fields, or that the container states
  /// fields without their order; nil where neither is so.
  package var fieldConflict: Notice? {
    if let fields = box?.sampleEntries.first?.fieldInformation, fields.count == 2,
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
  /// Fault that makes the box `clap` useless for frames of a size; nil where the box is good, or is
  /// not there.
  package func apertureFault(of size: VideoDimensions) -> Notice? {
    guard payload("clap") != nil else { return nil }
    guard let aperture = cleanAperture else {
      return .apertureUnreadable
    }
    return aperture.shows(size) ? nil : .apertureOutside(aperture, of: size)
  }
}

extension CleanAperture {
  /// The part of a frame that is left between the rows and columns of a crop.
  fileprivate init?(_ crop: DemuxedTrack.Crop, of size: VideoDimensions) {
    let width = size.width - crop.left - crop.right
    let height = size.height - crop.top - crop.bottom
    guard width > 0, height > 0 else { return nil }
    self.init(
      width: Fraction(Int64(width)), height: Fraction(Int64(height)),
      horizontalOffset: Fraction(Int64(crop.left - crop.right), 2),
      verticalOffset: Fraction(Int64(crop.top - crop.bottom), 2))
  }
}

internal import ISOBMFF
internal import LibAV
internal import MediaCore
internal import NALUnits

/// What containers say of a track's pictures beside their color.
extension AssetTrack {
  /// The part of the pictures that is meant to be seen; nil where nothing says so.
  var cleanAperture: CleanAperture? {
    if let box { return box.sampleEntries.first?.cleanAperture }
    let size = video?.size ?? demuxed.size
    return demuxed.crop.flatMap { CleanAperture($0, of: size) }
  }

  /// What is said of pictures for two eyes; nil where nothing is.
  var spatialVideo: SpatialVideo? { box?.sampleEntries.lazy.compactMap { SpatialVideo($0) }.first }

  /// Whether there is a layer for the second eye, which is not decoded.
  var isMVHEVC: Bool {
    spatialVideo?.hasSecondLayer == true || video?.bitstream?.hasOtherLayers == true
  }

  /// What is lost where only the first layer is decoded: a sentence; nil where nothing is.
  var spatialLoss: String? {
    let boxes = (spatialVideo?.boxes ?? []).map { "\($0)" }
    let claims = boxes.isEmpty ? "" : boxes.joined(separator: ", ")
    if isMVHEVC {
      return "the source is MV-HEVC, spatial video: the first eye is taken; the second eye's layer"
        + (claims.isEmpty ? " is" : " and what is said of it (\(claims)) are") + " not carried over"
    }
    guard !boxes.isEmpty else { return nil }
    return "the source is spatial video: what is said of it (\(claims)) is not carried over"
      + (spatialVideo?.isPacked == true ? ", both eyes stay side by side in one picture" : "")
  }

  /// The order of fields that the container states; nil where it states none.
  var containerFieldOrder: FieldOrder? {
    Self.containerFieldOrder(demuxed, box?.sampleEntries.first)
  }

  /// The order of fields that a container states.
  static func containerFieldOrder(_ track: DemuxedTrack, _ entry: SampleEntry?) -> FieldOrder? {
    guard let entry else { return track.containerFieldOrder }
    guard let fields = entry.fieldInformation else { return nil }
    if fields.count == 1 { return .progressive }
    return fields.isTopFirst.map { $0 ? .topFirst : .bottomFirst }
  }

  /// Codecs whose pictures say themselves whether they have fields.
  private static let tellingCodecs: Set<String> = ["h264", "mpeg2video", "prores", "vc1"]

  /// The order of fields that is believed: the decoder's where it tells one; of pictures that
  /// cannot tell, the container's.
  static func fieldOrder(
    decoded: FieldOrder, _ track: DemuxedTrack, _ entry: SampleEntry?
  ) -> FieldOrder {
    guard decoded == .progressive, !tellingCodecs.contains(track.codec.codecName) else {
      return decoded
    }
    return containerFieldOrder(track, entry) ?? decoded
  }

  /// That container and pictures contradict each other on fields: a sentence; nil where they do
  /// not.
  var fieldConflict: String? {
    guard let stated = containerFieldOrder, let found = video?.fieldOrder, stated != found else {
      return nil
    }
    return "field order: the pictures are \(found.rawValue), the container says "
      + "\(stated.rawValue); the pictures are believed"
  }
}

extension CleanAperture {
  /// The part of a picture that is left between the rows and columns of a crop.
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

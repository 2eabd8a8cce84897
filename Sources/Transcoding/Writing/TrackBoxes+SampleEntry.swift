// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import MediaCore
internal import NALUnits

extension TrackBoxes {
  /// Boxes of a sample entry that hold the codec's configuration or the coded picture's shape,
  /// which are libavformat's to write.
  private static let codecBoxes = VideoCodec.configurationBoxes.union([
    "esds", "av1C", "vpcC", "pasp",
  ])

  /// Makes a sample entry say what is promised of color.
  func finish(sampleEntry: inout Box, container: FileType) {
    switch color {
    case .none: completeCopy(&sampleEntry)
    case .stated(let signal):
      sampleEntry.remove("colr")
      for type in PictureShape.types { sampleEntry.remove(type) }
      for box in (hdrMetadata.boxes + shape.boxes).reversed() {
        sampleEntry.remove(box.type)
        Self.insert(box, into: &sampleEntry)
      }
      completeMessages(in: &sampleEntry)
      if let box = Box(gammaOf: signal, container: container) {
        Self.insert(box, into: &sampleEntry)
      }
      guard let information = ColorInformation(signal, container: container) else { return }
      Self.insert(Box("colr", fields: information.payload), into: &sampleEntry)
    case .copied:
      guard let entry = source?.sampleEntries.first else { return }
      sampleEntry.remove("colr")
      for box in entry.boxes.reversed() where !Self.codecBoxes.contains(box.type) {
        if sampleEntry.child(box.type) == nil || box.type == "colr" {
          Self.insert(box, into: &sampleEntry)
        }
      }
      completeCopy(&sampleEntry)
    }
  }

  /// Makes a sample entry say what is known of copied samples and what the source's did not say.
  private func completeCopy(_ sampleEntry: inout Box) {
    for box in hdrMetadata.boxes {
      if SampleEntry.dolbyVisionBoxes.contains(box.type) {
        for type in SampleEntry.dolbyVisionBoxes { sampleEntry.remove(type) }
      }
      if sampleEntry.child(box.type) == nil { Self.insert(box, into: &sampleEntry) }
    }
    guard let copiedPictures, let sets = copiedPictures.parameterSets else { return }
    let isComplete = sets.isWhole && !copiedPictures.keepsParameterSets
    // Frames that are nothing without Dolby's reshaping are not for players that know only HEVC
    // (Dolby Vision Streams Within the ISO Base Media File Format).
    let entry = source?.sampleEntries.first.flatMap { VideoSampleEntry($0.format) }
    let isClosed = entry == .dvh1 || entry == .dvhe
    if isClosed || hdrMetadata.dolbyVision?.profile == 5 {
      let holdsAll = !copiedPictures.keepsParameterSets
      sampleEntry.type =
        VideoSampleEntry(.hevc, holdsAllParameterSets: holdsAll, isDolbyVision: true).type
    }
    sampleEntry.edit(VideoCodec.hevc.configurationBox) { box in
      guard var record = try? HEVCDecoderConfigurationRecord(box.fields) else { return }
      record.store(sets)
      if isComplete { record.completeParameterSets() }
      box.fields = record.bytes
    }
  }

  /// Puts those messages into `hvcC` whose values were not known when the file was begun.
  private func completeMessages(in sampleEntry: inout Box) {
    guard hdrMetadata.measuresContentLightLevel else { return }
    sampleEntry.edit(VideoCodec.hevc.configurationBox) { box in
      guard var record = try? HEVCDecoderConfigurationRecord(box.fields) else { return }
      let units = record.prefixSEI
      record.prefixSEI = units + hdrMetadata.units.filter { !units.contains($0) }
      box.fields = record.bytes
    }
  }

  /// Behind the codec's configuration, which readers expect first.
  private static func insert(_ box: Box, into entry: inout Box) {
    let place = entry.children.firstIndex { codecBoxes.contains($0.type) }.map { $0 + 1 }
    entry.children.insert(box, at: place ?? 0)
  }
}

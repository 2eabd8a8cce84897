// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import DolbyVision
internal import ISOBMFF
internal import MediaCore
internal import NALUnits
internal import Planning

extension TrackBoxes {
  /// Boxes of a sample entry that hold the codec's configuration or the coded picture's shape,
  /// which are libavformat's to write.
  private static let codecBoxes = NALCodec.configurationBoxes.union([
    "esds", "av1C", "vpcC", "pasp",
  ])

  /// Makes a sample entry state the promised color.
  ///
  /// - Throws: ``ISOBMFFError`` where the configuration that the muxer wrote cannot be read.
  func finish(sampleEntry: inout Box, container: FileType) throws(ISOBMFFError) {
    switch color {
    case .none:
      addShape(to: &sampleEntry)
      try completeCopy(&sampleEntry)
    case .restated(let signal):
      sampleEntry.remove("colr")
      addShape(to: &sampleEntry)
      try completeCopy(&sampleEntry)
      if let box = signal.colorBox(in: container) { Self.insert(box, into: &sampleEntry) }
    case .stated(let signal):
      sampleEntry.remove("colr")
      for type in PictureShape.types { sampleEntry.remove(type) }
      for box in (hdrMetadata.boxes + shape.boxes).reversed() {
        sampleEntry.remove(box.type)
        Self.insert(box, into: &sampleEntry)
      }
      try completeMessages(in: &sampleEntry)
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
      try completeCopy(&sampleEntry)
    }
  }

  private func addShape(to sampleEntry: inout Box) {
    for box in shape.boxes where sampleEntry.child(box.type) == nil {
      Self.insert(box, into: &sampleEntry)
    }
  }

  /// Makes a sample entry state facts about copied samples that the source's did not state.
  private func completeCopy(_ sampleEntry: inout Box) throws(ISOBMFFError) {
    if let copiedConfiguration {
      // From FFmpeg 7.1 on the muxer writes a record of its own: arrays are called complete, and
      // nothing is written at all where parameter sets are in samples only.
      sampleEntry.edit(copiedConfiguration.type) { $0.fields = copiedConfiguration.fields }
    }
    for box in hdrMetadata.boxes {
      if SampleEntry.dolbyVisionBoxes.contains(box.type) {
        for type in SampleEntry.dolbyVisionBoxes { sampleEntry.remove(type) }
      }
      if sampleEntry.child(box.type) == nil { Self.insert(box, into: &sampleEntry) }
    }
    guard let copiedPictures else { return }
    if source == nil, copiedPictures.keepsParameterSets, sampleEntry.type == "avc1" {
      sampleEntry.type = VideoSampleEntry.avc3.type
    }
    guard let sets = copiedPictures.parameterSets else { return }
    let isComplete = sets.isWhole && !copiedPictures.keepsParameterSets
    // Frames that are nothing without Dolby's reshaping are not for players that know only HEVC
    // (Dolby Vision Streams Within the ISO Base Media File Format).
    let entry = source?.sampleEntries.first.flatMap { VideoSampleEntry($0.format) }
    let isClosed = entry?.isDolbyVision == true || hdrMetadata.dolbyVision?.profile == 5
    if isClosed, let codec = VideoSampleEntry(sampleEntry.type)?.codec {
      let holdsAll = !copiedPictures.keepsParameterSets
      sampleEntry.type =
        VideoSampleEntry(codec, holdsAllParameterSets: holdsAll, isDolbyVision: true).type
    }
    try Self.editConfiguration(of: &sampleEntry) { record in
      record.store(sets)
      if isComplete { record.completeParameterSets() }
    }
  }

  /// Puts those messages into `hvcC` whose values were not known when the file was begun.
  private func completeMessages(in sampleEntry: inout Box) throws(ISOBMFFError) {
    guard hdrMetadata.measuresContentLightLevel else { return }
    try Self.editConfiguration(of: &sampleEntry) { record in
      let units = record.prefixSEI
      record.prefixSEI = units + hdrMetadata.units.filter { !units.contains($0) }
    }
  }

  /// Changes the parameter sets and messages of a sample entry of HEVC.
  private static func editConfiguration(
    of entry: inout Box, _ change: (inout HEVCDecoderConfigurationRecord) -> Void
  ) throws(ISOBMFFError) {
    let type = HEVCDecoderConfigurationRecord.box
    try entry.edit(type) { (box) throws(ISOBMFFError) in
      do throws(NALUnitError) {
        var record = try HEVCDecoderConfigurationRecord(box.fields)
        change(&record)
        box.fields = record.bytes
      } catch {
        throw .shortPayload(type, error.cause)
      }
    }
  }

  /// Inserts a box behind the codec's configuration, which readers expect first.
  private static func insert(_ box: Box, into entry: inout Box) {
    let place = entry.children.firstIndex { codecBoxes.contains($0.type) }.map { $0 + 1 }
    entry.children.insert(box, at: place ?? 0)
  }
}

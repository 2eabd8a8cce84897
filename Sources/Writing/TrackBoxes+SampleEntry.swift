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
  /// The boxes with a codec's configuration or the pixel aspect ratio.
  private static let codecBoxes = NALCodec.configurationBoxes.union([
    "esds", "av1C", "vpcC", "pasp",
  ])

  /// Completes a sample entry with the track's color, shape and HDR metadata.
  ///
  /// - Throws: ``ISOBMFFError`` if the muxer's configuration record cannot be read.
  func finish(sampleEntry: inout Box, container: FileType) throws(ISOBMFFError) {
    switch color {
    case .none:
      addShape(to: &sampleEntry)
      try completeCopy(&sampleEntry)
    case .restated(let signal):
      // libavformat's `colr` repeats what the source's container says. The restated signal also
      // takes into account the other places in which the source states color.
      sampleEntry.remove("colr")
      addShape(to: &sampleEntry)
      try completeCopy(&sampleEntry)
      if let box = signal.colorBox(in: container) { Self.insert(box, into: &sampleEntry) }
    case .stated(let signal):
      sampleEntry.remove("colr")
      for type in FrameShape.types { sampleEntry.remove(type) }
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
      guard let entry = copiedEntry else { return }
      sampleEntry.remove("colr")
      // Keep the codec's configuration that libavformat wrote for the copy, because it may differ
      // from the source's.
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

  /// Completes the sample entry of copied samples: its type, configuration and HDR metadata.
  private func completeCopy(_ sampleEntry: inout Box) throws(ISOBMFFError) {
    if let copiedConfiguration {
      // FFmpeg 7.1 and later write a different `hvcC`, which is wrong: it marks incomplete arrays
      // as complete, and is empty if the parameter sets are only in the samples.
      sampleEntry.edit(copiedConfiguration.type) { $0.fields = copiedConfiguration.fields }
    }
    removeReplacedUnits(from: &sampleEntry)
    for type in hdrMetadata.replacedBoxes { sampleEntry.remove(type) }
    for box in hdrMetadata.boxes {
      // A sample entry has only one Dolby Vision record, so `dvcC`, `dvvC` and `dvwC` replace each
      // other.
      if SampleEntry.dolbyVisionBoxes.contains(box.type) {
        for type in SampleEntry.dolbyVisionBoxes { sampleEntry.remove(type) }
      }
      if sampleEntry.child(box.type) == nil { Self.insert(box, into: &sampleEntry) }
    }
    guard let copiedFrames else { return }
    nameAV1(&sampleEntry)
    // `avc1` does not allow parameter sets in samples, but `avc3` does (ISO/IEC 14496-15).
    if copiedFrames.mayNameParameterSets, copiedFrames.keepsParameterSets,
      sampleEntry.type == "avc1"
    {
      sampleEntry.type = VideoSampleEntry.avc3.type
    }
    guard let sets = copiedFrames.parameterSets else { return }
    let isComplete = sets.isWhole && !copiedFrames.keepsParameterSets
    // Some Dolby Vision frames have wrong colors without Dolby's reshaping (`isClosed`). Players
    // that know only HEVC must not open these frames, so the entry is `dvh1` or `dvhe` (Dolby
    // Vision Streams Within the ISO Base Media File Format). If the source has such an entry but
    // the frames need no reshaping, the entry becomes `hvc1` or `hev1`.
    let entry = copiedEntry.flatMap { VideoSampleEntry($0.format) }
    let wasDolbyVision = entry?.isDolbyVision == true
    let isClosed = isClosed(wasDolbyVision: wasDolbyVision)
    if isClosed || wasDolbyVision, let codec = VideoSampleEntry(sampleEntry.type)?.codec {
      let holdsAll = !copiedFrames.keepsParameterSets
      sampleEntry.type =
        VideoSampleEntry(codec, holdsAllParameterSets: holdsAll, isDolbyVision: isClosed).type
    }
    try Self.editConfiguration(of: &sampleEntry) { record in
      record.store(sets)
      if isComplete { record.completeParameterSets() }
      record.prefixSEI =
        record.prefixSEI.compactMap(hdrMetadata.withoutReplaced)
        + hdrMetadata.replacedMessages.map(NALUnit.init(hevcPrefixSEI:))
    }
  }

  /// Returns whether copied frames have wrong colors without Dolby's reshaping.
  private func isClosed(wasDolbyVision: Bool) -> Bool {
    !hdrMetadata.endsDolbyVisionOfSource && wasDolbyVision
      || hdrMetadata.dolbyVision?.rpuProfile == 5
  }

  /// Sets the type of AV1's sample entry. Players that do not know Dolby Vision must not open
  /// frames that need it.
  private func nameAV1(_ sampleEntry: inout Box) {
    guard sampleEntry.child("av1C") != nil, !SampleEntry.isEncrypted(sampleEntry.type) else {
      return
    }
    let wasDolbyVision = copiedEntry?.format == .dav1
    sampleEntry.type = isClosed(wasDolbyVision: wasDolbyVision) ? .dav1 : .av01
  }

  /// Removes metadata from the codec's configuration if the samples have a replacement for it.
  private func removeReplacedUnits(from sampleEntry: inout Box) {
    // `completeCopy` adds the replacements to `hvcC` later, together with parameter sets.
    guard !hdrMetadata.replaced.isEmpty,
      let (bitstream, payload) = SampleEntry(sampleEntry).configuration,
      let type = bitstream.configurationBox
    else { return }
    let rest = bitstream.configuration(payload, rest: hdrMetadata.withoutReplaced)
    if rest != payload { sampleEntry.edit(type) { $0.fields = rest } }
  }

  /// Adds to `hvcC` the SEI messages whose values were not known when the file was begun.
  private func completeMessages(in sampleEntry: inout Box) throws(ISOBMFFError) {
    // Measured light levels are known only after the last frame, but `hvcC` was written before the
    // first frame.
    guard hdrMetadata.measuresContentLightLevel else { return }
    try Self.editConfiguration(of: &sampleEntry) { record in
      let units = record.prefixSEI
      let new = hdrMetadata.messages.map(NALUnit.init(hevcPrefixSEI:))
      record.prefixSEI = units + new.filter { !units.contains($0) }
    }
  }

  /// Changes the parameter sets and SEI messages in an HEVC sample entry.
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

  /// Inserts a box after the codec's configuration.
  private static func insert(_ box: Box, into entry: inout Box) {
    // Some readers expect the configuration first.
    let place = entry.children.firstIndex { codecBoxes.contains($0.type) }.map { $0 + 1 }
    entry.children.insert(box, at: place ?? 0)
  }
}

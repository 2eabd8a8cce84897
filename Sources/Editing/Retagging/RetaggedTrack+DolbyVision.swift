// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import Bitstreams
internal import CodePoints
internal import ColorTagging
internal import DolbyVision
internal import Host
internal import ISOBMFF
internal import NALUnits

extension RetaggedTrack {
  /// Corrects sample entries whose Dolby Vision record contradicts the profile of the RPUs. Players
  /// believe the record, but the RPUs are right.
  ///
  /// - Parameter changes: the changes to the entries' tags.
  func correctRecords(
    in entries: inout [Box], of track: Movie.Track, _ changes: TagChanges,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws {
    guard hdrMetadata.profileConflict != nil,
      let times = try SampleTimes(track, checkpoint: interruptible(checkpoint)),
      let record = recordOfRPUs(frameRate: track.dolbyVisionFrameRate(times), changes)
    else { return }
    for index in entries.indices {
      entries[index].setDolbyVision(record)
      guard changes.codecTag == nil else { continue }
      entries[index].nameDolbyVision(isClosed: record.rpuProfile == 5)
    }
  }

  /// Returns the record that the RPUs need; `nil` if the frames cannot have it.
  private func recordOfRPUs(frameRate: Double, _ changes: TagChanges) -> ConfigurationRecord? {
    guard let unit = hdrMetadata.dolbyVisionRPU, let rpuProfile = unit.profile,
      let frames = bitstream,
      let profile = sampleEntries.first?.configuration?.bitstream.dolbyVisionProfile
    else { return nil }
    let size = frames.size
    guard rpuProfile == 8 else {
      // RPUs of profile 7 are of no use without their layer.
      guard rpuProfile != 7 || hdrMetadata.hasDolbyVisionEnhancementLayer else { return nil }
      return ConfigurationRecord(
        rpuProfile: rpuProfile, codecProfile: profile, width: size.width, height: size.height,
        frameRate: frameRate)
    }
    let color = changes.color ?? tags.signal.color
    let transfer = color.transferCharacteristics
    guard frames.bitDepth == 10, frames.chromaFormatIdc == 1, unit.misfit(transfer) == nil,
      let layer = DataMapping.BaseLayerSignal(transfer)
    else { return nil }
    return ConfigurationRecord(
      profile: profile, baseLayerSignalCompatibilityID: layer.rawValue, width: size.width,
      height: size.height, frameRate: frameRate, stated: hdrMetadata.dolbyVision?.value)
  }
}

extension Box {
  /// Gives the sample entry its codec's Dolby Vision type if only Dolby Vision players can show the
  /// frames (`isClosed`), or the ordinary type if all players can.
  fileprivate mutating func nameDolbyVision(isClosed: Bool) {
    if let old = VideoSampleEntry(type) {
      type =
        VideoSampleEntry(
          old.codec, holdsAllParameterSets: old.holdsAllParameterSets, isDolbyVision: isClosed
        ).type
    } else if [FourCC.av01, .dav1].contains(type) {
      type = isClosed ? .dav1 : .av01
    }
  }
}

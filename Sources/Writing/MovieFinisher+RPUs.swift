// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import ISOBMFF
internal import Planning

extension MovieFinisher {
  /// Returns patches that put measured light levels into the RPUs (level 6) of samples.
  ///
  /// - Parameter file: the file with the samples.
  func patchesOfRPUs(
    in file: FileByteSource, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [BytePatches.Patch] {
    // Encoders get the RPUs with their frames, but light levels are known only after the last
    // frame.
    guard tracks.contains(where: \.boxes.hasLevelsForRPUs) else { return [] }
    var patches: [BytePatches.Patch] = []
    for (written, track) in zip(try Movie(file).tracks, tracks)
    where track.boxes.hasLevelsForRPUs {
      patches += try Self.patches(of: written, track.boxes.hdrMetadata, in: file, checkpoint)
    }
    return patches
  }

  private static func patches(
    of track: Movie.Track, _ plan: HDRMetadataPlan, in file: FileByteSource,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [BytePatches.Patch] {
    guard let entry = track.sampleEntries.first?.configuration else { return [] }
    let table = try SampleTable(track, checkpoint: interruptible(checkpoint))
    var patches: [BytePatches.Patch] = []
    // Some RPUs may have a level 6 and others none, so every sample has to be read.
    for range in table.ranges where !range.isEmpty {
      try checkpoint()
      let sample = try file.read(at: range.lowerBound, count: range.count)
      let new = try plan.restating(sample, entry.bitstream, entry.payload)
      if new != sample {
        patches.append(BytePatches.Patch(sample, at: range.lowerBound, with: new))
      }
    }
    return patches
  }
}

extension TrackBoxes {
  /// Whether frames were encoded with RPUs before the light levels were known, and any of these
  /// RPUs may state light levels. RPUs of profile 8.4 usually state none.
  fileprivate var hasLevelsForRPUs: Bool {
    holdsEncodedFrames && samplesStateLightLevels && hdrMetadata.dolbyVision != nil
      && hdrMetadata.measuredContentLightLevel != nil
  }
}

extension HDRMetadataPlan {
  /// Returns a sample whose RPU has the light levels of the plan.
  fileprivate func restating(
    _ sample: [UInt8], _ bitstream: any CodedBitstream, _ configuration: [UInt8]
  ) throws -> [UInt8] {
    var payload: [UInt8]?
    _ = try bitstream.replacing(in: sample, configuration: configuration, with: [], []) { unit in
      payload = DolbyVisionRPU.payload(in: [unit]) ?? payload
      return unit
    }
    guard let payload, let rpu = DolbyVisionRPU(payload: payload).kept(by: self),
      rpu.payload != payload
    else { return sample }
    return try bitstream.replacing(
      in: sample, configuration: configuration, with: [rpu], [],
      rest: DolbyVisionRPU.removed(from:))
  }
}

extension BytePatches.Patch {
  /// Replaces only those bytes of a sample that are different in its new version.
  ///
  /// - Parameters:
  ///   - old: the sample, which is not empty.
  ///   - start: where it begins in the file.
  fileprivate init(_ old: [UInt8], at start: UInt64, with new: [UInt8]) {
    let shorter = min(old.count, new.count)
    var head = 0
    // A patch replaces at least one byte.
    while head < min(shorter, old.count - 1), old[head] == new[head] { head += 1 }
    var tail = 0
    while tail < min(shorter - head, old.count - head - 1),
      old[old.count - 1 - tail] == new[new.count - 1 - tail]
    { tail += 1 }
    self.init(
      start + UInt64(head)..<start + UInt64(old.count - tail),
      with: Array(new[head..<new.count - tail]))
  }
}

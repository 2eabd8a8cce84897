// SPDX-License-Identifier: GPL-2.0-or-later
import Assets
import DolbyVision
import Foundation
import MediaCore
import Reading
import TestSupport
import Testing

/// A frame without its own metadata gets that of the frame before it, even if later frames, which
/// no edit presents, were decoded in the meantime.
@Suite struct HiddenMetadataTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Makes a movie of eight frames. The last two come 4 seconds late, and the edit ends before
  /// them.
  ///
  /// - Parameter peak: returns the maximum of level 1 of a frame's RPU, given the frame's number;
  ///   `nil` if the frame has no RPU.
  private func movie(peak: (Int) -> UInt16?) throws -> String {
    let plain = folder.path("plain.hevc")
    try ByteStream.encode(to: plain, transfer: 16)
    var frame = -1
    let stream = try ByteStream.append(to: FileBytes.read(plain)) { _ in
      frame += 1
      return try peak(frame).map { [try rpu(peak: $0)] } ?? []
    }
    let (even, movie) = (folder.path("even.mp4"), folder.path("movie.mp4"))
    try Tool.ffmpeg(
      "-f", "hevc", "-i", folder.write(stream, to: "source.hevc"), "-c", "copy", "-tag:v", "hvc1",
      even)
    try Tool.ffmpeg(
      "-i", even, "-c", "copy", "-tag:v", "hvc1", "-bsf:v",
      #"setts=ts=if(gte(N\,6)\,TS+4/TB\,TS)"#, movie)
    var bytes = try FileBytes.read(movie)
    // The duration of the only edit, in milliseconds, comes after the version and the count.
    let duration = try #require(bytes.firstRange(of: Array("elst".utf8))).upperBound + 8
    bytes.replaceSubrange(duration..<duration + 4, with: [0, 0, 0, 240])
    return try folder.write(bytes, to: "edited.mp4")
  }

  private func rpu(peak: UInt16) throws -> [UInt8] {
    try ReferenceProcessingUnit.profile81(
      level1: Level1(minPQ: 0, maxPQ: peak, avgPQ: peak / 2),
      level6: Level6(maxDisplayMasteringLuminance: 1000, minDisplayMasteringLuminance: 1),
      minPQ: 7, maxPQ: 3079
    ).hevcNALUnit()
  }

  @Test func hiddenFramesComeAfterEarlierOnes() throws {
    let path = try movie { $0 < 5 ? 2000 : $0 == 5 ? nil : 3000 }
    let asset = try MediaAsset(opening: path)
    let track = try #require(asset.videoTrack)
    let reading = try TrackReading(track: track, decodes: true, needing: [DolbyVisionRPU.self])
    let reader = try AssetReading(asset, for: [reading])
    var peaks: [UInt16?] = []
    while let (_, sample) = try reader.next() {
      guard case .frame(let frame) = sample else { continue }
      peaks.append(frame.metadata[DolbyVisionRPU.self]?.unit?.displayManagement?.level1?.maxPQ)
    }
    #expect(reading.hiddenFrameCount == 2)
    #expect(peaks == Array(repeating: 2000, count: 6))
  }
}

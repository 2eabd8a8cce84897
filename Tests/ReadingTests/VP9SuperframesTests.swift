// SPDX-License-Identifier: GPL-2.0-or-later
import LibAV
import MediaCore
@testable import Reading
import TestSupport
import Testing

/// VP9 frames that are not shown are joined with the next frame that is shown.
@Suite struct VP9SuperframesTests {
  private let folder: TemporaryFolder
  private let track: DemuxedTrack

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path("a.webm")
    try Tool.ffmpeg(
      "-f", "lavfi", "-i", "testsrc2=s=32x32:r=25:d=0.04", "-c:v", "libvpx-vp9", "-deadline",
      "realtime", path)
    track = try #require(try Demuxer(path: path).tracks.first)
  }

  private func packet(_ bytes: [UInt8], _ time: Int64) throws -> Packet {
    try Packet(bytes: bytes, trackIndex: 0, timescale: 25, ticks: (time, time, 1))
  }

  /// A frame of profile 0 or 2 begins with 10, the profile's bits, and bits for "shows another
  /// frame", "depends on others", "is shown". A frame of profile 3 has one more bit after the
  /// profile.
  @Test(arguments: [
    (0b1000_0100, 0b1000_0110), (0b1001_0100, 0b1001_1000), (0b1011_0010, 0b1011_0011),
  ])
  func hiddenFramesAreJoined(hidden: UInt8, shown: UInt8) throws {
    var joiner = VP9Superframes(track)
    #expect(try joiner.joined(packet([shown, 1], 0))?.bytes == [shown, 1])
    #expect(try joiner.joined(packet([hidden, 2, 3], 1)) == nil)
    let joined = try #require(try joiner.joined(packet([shown, 4], 2)))
    let index: [UInt8] = [0b110_11_001, 3, 0, 0, 0, 2, 0, 0, 0, 0b110_11_001]
    #expect(joined.bytes == [hidden, 2, 3, shown, 4] + index)
    #expect(joined.presentationTimeStamp?.value == 2)
    #expect(try joiner.joined(packet([shown, 5], 3))?.bytes == [shown, 5])
  }

  /// If a superframe follows a hidden frame, the hidden frame is put at the beginning of the
  /// superframe.
  @Test func superframesAreTakenApart() throws {
    let (hidden, shown): (UInt8, UInt8) = (0b1000_0100, 0b1000_0110)
    var joiner = VP9Superframes(track)
    let own: [UInt8] = [hidden, 7, shown, 8, 0b110_00_001, 2, 2, 0b110_00_001]
    #expect(try joiner.joined(packet(own, 0))?.bytes == own)
    #expect(try joiner.joined(packet([hidden, 9], 1)) == nil)
    let joined = try #require(try joiner.joined(packet(own, 2)))
    let marker: UInt8 = 0b110_11_010
    #expect(
      joined.bytes == [hidden, 9, hidden, 7, shown, 8, marker]
        + [2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, marker])
  }

  /// A superframe has at most eight frames. If that is too few, the oldest hidden frames are left
  /// out. The last packet keeps all of its frames.
  @Test func framesThatDoNotFitAreLeftOut() throws {
    let (hidden, shown): (UInt8, UInt8) = (0b1000_0100, 0b1000_0110)
    let own: [UInt8] = [hidden, 7, shown, 8, 0b110_00_001, 2, 2, 0b110_00_001]
    var joiner = VP9Superframes(track)
    for number in 0..<7 {
      #expect(try joiner.joined(packet([hidden, UInt8(number)], Int64(number))) == nil)
    }
    let bytes = try #require(try joiner.joined(packet(own, 7))).bytes
    #expect(bytes.last == 0b110_11_111 && joiner.lostCount == 1)
    let kept = (1..<7).flatMap { [hidden, UInt8($0)] }
    #expect(bytes.starts(with: kept + [hidden, 7, shown, 8, 0b110_11_111]))
  }
}

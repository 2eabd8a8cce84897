// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// How many samples a player skips at the two ends of a packet's audio. FFmpeg attaches these
/// numbers to packets and frames: `AV_PKT_DATA_SKIP_SAMPLES`, `AV_FRAME_DATA_SKIP_SAMPLES`.
struct SkippedSamples {
  /// The number of samples to skip at the beginning; 0 if there are none.
  var leading = 0
  /// The number of samples to skip at the end; 0 if there are none.
  var trailing = 0

  /// Makes the two numbers, which are 0 by default.
  init(leading: Int = 0, trailing: Int = 0) {
    (self.leading, self.trailing) = (leading, trailing)
  }

  /// Reads the numbers from a packet.
  init(_ packet: UnsafePointer<AVPacket>) {
    var size = 0
    let data = unsafe av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
    unsafe self.init(UnsafeBufferPointer(start: data, count: data == nil ? 0 : size))
  }

  /// Reads the numbers from decoded audio.
  init(_ frame: UnsafePointer<AVFrame>) {
    let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES)?.pointee
    unsafe self.init(
      UnsafeBufferPointer(start: data?.data, count: data?.data == nil ? 0 : data?.size ?? 0))
  }

  /// Reads two 32-bit numbers, the lowest byte first. Two bytes with reasons follow.
  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 8 else { return }
    func number(at offset: Int) -> Int {
      (0..<4).reduce(0) { unsafe $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }
    (leading, trailing) = (number(at: 0), number(at: 4))
  }

  /// Attaches the numbers to a packet.
  func write(to packet: UnsafeMutablePointer<AVPacket>) throws(LibAVError) {
    let data = unsafe av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, 10)
    let bytes = try unsafe allocated(data, "av_packet_new_side_data")
    for index in 0..<10 {
      let number = index < 4 ? leading : index < 8 ? trailing : 0
      unsafe bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * (index % 4)))
    }
  }
}

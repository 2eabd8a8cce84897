// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc

extension OpenedFormat {
  /// The size of the header of an IVF file.
  private static let ivfHeaderSize: Int64 = 32

  // Some programs write the number of frames into the header of an IVF file, and others the number
  // of ticks. libavformat always reads the number as ticks.
  /// Returns the number of ticks in an IVF file from the first frame to the end of the last one;
  /// `nil` if the file has fewer than two frames.
  func countedIVFTicks() -> Int64? {
    guard let file = unsafe context.pointee.pb else { return nil }
    let place = unsafe avio_seek(file, 0, SEEK_CUR)
    defer { _ = unsafe avio_seek(file, place, SEEK_SET) }
    guard place >= 0, unsafe avio_seek(file, Self.ivfHeaderSize, SEEK_SET) >= 0 else { return nil }
    var times: (first: Int64, last: Int64)?
    var step: Int64 = 0
    while true {
      let size = unsafe avio_rl32(file)
      let time = unsafe Int64(bitPattern: avio_rl64(file))
      guard unsafe avio_feof(file) == 0 else { break }
      let (first, last) = (min(times?.first ?? time, time), max(times?.last ?? time, time))
      // Damaged times wrap instead of trapping.
      if let times, last > times.last { step = last &- times.last }
      times = (first, last)
      guard unsafe avio_skip(file, Int64(size)) >= 0 else { break }
    }
    guard let times, step > 0 else { return nil }
    let length = times.last &- times.first &+ step
    return length > 0 ? length : nil
  }
}

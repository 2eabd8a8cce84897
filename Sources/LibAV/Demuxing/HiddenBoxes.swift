// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import MediaCore

/// Reads a movie file as if some boxes of its sample entries were free space.
///
/// FFmpeg 7.1 refuses a whole movie if its clean aperture (`clap`) makes no sense or reaches beyond
/// the frames. Earlier versions did not even read that box. Candela reads and judges it elsewhere.
@safe
final class HiddenBoxes {
  /// The file without the boxes, for libavformat; valid as long as this object exists.
  var pointer: UnsafeMutablePointer<AVIOContext> { unsafe context.pointer }

  private let context: Owner<UnsafeMutablePointer<AVIOContext>>
  private let reading: Reading

  /// The state that libavformat's callbacks share.
  @safe
  private final class Reading {
    let file: Owner<UnsafeMutablePointer<AVIOContext>>
    /// The position in the file of each box's type.
    let places: [Int64]

    init(_ file: Owner<UnsafeMutablePointer<AVIOContext>>, places: [Int64]) {
      unsafe self.file = file
      self.places = places
    }

    /// Returns the state that a callback's pointer refers to.
    static func of(_ opaque: UnsafeMutableRawPointer?) -> Reading? {
      unsafe opaque.map { unsafe Unmanaged<Reading>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Continues reading, as `AVIOContext.read_packet` does.
    func read(into bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
      guard let bytes = unsafe bytes else { return candela_averror_eof() }
      let start = unsafe avio_seek(file.pointer, 0, SEEK_CUR)
      let read = unsafe avio_read_partial(file.pointer, bytes, count)
      guard read > 0 else { return read }
      unsafe hide(in: UnsafeMutableBufferPointer(start: bytes, count: Int(read)), from: start)
      return read
    }

    /// Turns the boxes into free space in bytes that were read from the file at `start`.
    private func hide(in bytes: UnsafeMutableBufferPointer<UInt8>, from start: Int64) {
      for place in places where place + 4 > start && place - start < Int64(bytes.count) {
        for (index, byte) in "free".utf8.enumerated() {
          let offset = Int(place - start) + index
          // A read may begin or end inside the four characters of a type.
          if bytes.indices.contains(offset) { unsafe bytes[offset] = byte }
        }
      }
    }

    /// Seeks or returns the size, as `AVIOContext.seek` does.
    func seek(to offset: Int64, _ whence: Int32) -> Int64 {
      if whence & AVSEEK_SIZE != 0 { return unsafe avio_size(file.pointer) }
      return unsafe avio_seek(file.pointer, offset, whence & ~AVSEEK_FORCE)
    }
  }

  // This is how much libavformat itself reads from a file at a time.
  private static let bufferSize = 32_768

  /// - Returns: `nil` if the file is not a movie with such boxes.
  /// - Throws: ``LibAVError`` if memory runs out.
  init?(
    _ type: String, in file: Owner<UnsafeMutablePointer<AVIOContext>>
  ) throws(LibAVError) {
    let places = unsafe SampleEntryBoxes(file.pointer).places(of: Array(type.utf8))
    guard !places.isEmpty, unsafe avio_seek(file.pointer, 0, SEEK_SET) == 0 else { return nil }
    reading = unsafe Reading(file, places: places)
    unsafe context = try unsafe Self.context(reading)
  }

  private static func context(
    _ reading: Reading
  ) throws(LibAVError) -> Owner<UnsafeMutablePointer<AVIOContext>> {
    guard let buffer = unsafe av_malloc(bufferSize) else {
      throw LibAVError("av_malloc", candela_averror_enomem())
    }
    let created = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(bufferSize), 0,
      Unmanaged.passUnretained(reading).toOpaque(),
      { unsafe Reading.of($0)?.read(into: $1, $2) ?? candela_averror_eof() }, nil,
      { unsafe Reading.of($0)?.seek(to: $1, $2) ?? -1 })
    guard let created = unsafe created else {
      unsafe av_free(buffer)
      throw LibAVError("avio_alloc_context", candela_averror_enomem())
    }
    return unsafe Owner(created) {
      var context: UnsafeMutablePointer<AVIOContext>? = unsafe $0
      // libavformat may have put another buffer in place of ours, so free the one that is there.
      unsafe av_freep(&$0.pointee.buffer)
      unsafe avio_context_free(&context)
    }
  }
}

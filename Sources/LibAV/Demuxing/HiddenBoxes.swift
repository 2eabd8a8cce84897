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
  private let file: Owner<UnsafeMutablePointer<AVIOContext>>
  /// The position in the file of each box's type.
  private var places: [Int64] = []

  /// - Returns: `nil` if the file is not a movie with such boxes.
  init?(_ type: String, in file: Owner<UnsafeMutablePointer<AVIOContext>>) {
    unsafe self.file = file
    places = typePlaces(of: Array(type.utf8))
    guard !places.isEmpty, unsafe avio_seek(file.pointer, 0, SEEK_SET) == 0 else { return nil }
  }

  // This is how much libavformat itself reads from a file at a time.
  private static let bufferSize = 32_768

  /// Makes the file that libavformat reads, in which the boxes are free space.
  ///
  /// - Throws: ``LibAVError`` if memory runs out.
  func context() throws(LibAVError) -> Owner<UnsafeMutablePointer<AVIOContext>> {
    guard let buffer = unsafe av_malloc(Self.bufferSize) else {
      throw LibAVError("av_malloc", candela_averror_enomem())
    }
    let created = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(self).toOpaque(),
      { unsafe HiddenBoxes.of($0)?.read(into: $1, $2) ?? candela_averror_eof() }, nil,
      { unsafe HiddenBoxes.of($0)?.seek(to: $1, $2) ?? -1 })
    guard let created = unsafe created else {
      unsafe av_free(buffer)
      throw LibAVError("avio_alloc_context", candela_averror_enomem())
    }
    return unsafe Owner(created) { [self] in
      var context: UnsafeMutablePointer<AVIOContext>? = unsafe $0
      // libavformat may have put another buffer in place of ours, so free the one that is there.
      unsafe av_freep(&$0.pointee.buffer)
      // The callbacks do not retain this object.
      withExtendedLifetime(self) { unsafe avio_context_free(&context) }
    }
  }

  /// Returns the object that a callback's pointer refers to.
  private static func of(_ opaque: UnsafeMutableRawPointer?) -> HiddenBoxes? {
    unsafe opaque.map { unsafe Unmanaged<HiddenBoxes>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Continues reading, as `AVIOContext.read_packet` does.
  private func read(into bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
    guard let bytes = unsafe bytes else { return candela_averror_eof() }
    let start = unsafe avio_seek(file.pointer, 0, SEEK_CUR)
    let read = unsafe avio_read_partial(file.pointer, bytes, count)
    guard read > 0 else { return read }
    unsafe hide(in: UnsafeMutableBufferPointer(start: bytes, count: Int(read)), from: start)
    return read
  }

  /// In bytes that were read from the file at `start`, turns the boxes into free space.
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
  private func seek(to offset: Int64, _ whence: Int32) -> Int64 {
    if whence & AVSEEK_SIZE != 0 { return unsafe avio_size(file.pointer) }
    return unsafe avio_seek(file.pointer, offset, whence & ~AVSEEK_FORCE)
  }
}

/// Finds the boxes in a movie's video sample entries (ISO/IEC 14496-12, 8.5.2 and 12.1).
extension HiddenBoxes {
  /// The boxes around sample entries, from the outside in.
  private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]
  /// The number of bytes of a video sample entry before its boxes, including its size and type.
  private static let entrySize: Int64 = 86
  // Damaged data may look like millions of boxes, and each would take time and memory.
  private static let patience = 10_000

  /// Finds boxes of a type. Returns where in the file the four bytes of each box's type are.
  private func typePlaces(of type: [UInt8]) -> [Int64] {
    var outer: [Range<Int64>] = [0..<max(unsafe avio_size(file.pointer), 0)]
    for name in Self.path {
      outer = outer.flatMap { range in
        boxes(in: range).filter { $0.type == Array(name.utf8) }.map { $0.content..<$0.end }
      }
    }
    let found = outer.flatMap { stsd in
      // Entries begin after the version, the flags and the number of entries.
      boxes(in: min(stsd.lowerBound + 8, stsd.upperBound)..<stsd.upperBound)
    }.flatMap { entry in
      boxes(in: min(entry.start + Self.entrySize, entry.end)..<entry.end)
    }.filter { $0.type == type }.map { $0.start + 4 }
    return Array(found.prefix(Self.patience))
  }

  /// Returns the boxes in a range of the file, one after another. Stops at the first box whose size
  /// makes no sense.
  private func boxes(
    in range: Range<Int64>
  ) -> [(type: [UInt8], start: Int64, content: Int64, end: Int64)] {
    var found: [(type: [UInt8], start: Int64, content: Int64, end: Int64)] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, found.count < Self.patience,
      unsafe avio_seek(file.pointer, start, SEEK_SET) == start
    {
      var size = unsafe Int64(avio_rb32(file.pointer))
      let type = (0..<4).map { _ in unsafe UInt8(truncatingIfNeeded: avio_r8(file.pointer)) }
      let isLong = size == 1
      // A size of 1 means that the real size follows the type, in 64 bits. A size of 0 means that
      // the box reaches to the end (ISO/IEC 14496-12, 4.2).
      if isLong { size = unsafe Int64(clamping: avio_rb64(file.pointer)) }
      if size == 0 { size = range.upperBound - start }
      let header: Int64 = isLong ? 16 : 8
      guard size >= header, size <= range.upperBound - start else { break }
      found.append((type, start, start + header, start + size))
      start += size
    }
    return found
  }
}

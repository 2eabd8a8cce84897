// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import MediaCore

/// A movie file that is read as if some boxes of its sample entries were free space.
///
/// FFmpeg 7.1 refuses a whole movie whose clean aperture (`clap`) makes no sense or reaches beyond
/// the frames, which versions before did not read. Here it is read and judged elsewhere.
@safe
final class HiddenBoxes {
  /// The file without the boxes, for libavformat. It is of use as long as this object.
  var pointer: UnsafeMutablePointer<AVIOContext> { unsafe context.pointer }

  private let context: Owner<UnsafeMutablePointer<AVIOContext>>
  private let reading: Reading

  /// The state that the callbacks of libavformat share.
  @safe
  private final class Reading {
    let file: Owner<UnsafeMutablePointer<AVIOContext>>
    /// Positions of the types of the boxes.
    let places: [Int64]

    init(_ file: Owner<UnsafeMutablePointer<AVIOContext>>, places: [Int64]) {
      unsafe self.file = file
      self.places = places
    }

    /// Reads on, as `AVIOContext.read_packet` does.
    func read(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int32) -> Int32 {
      let start = unsafe avio_seek(file.pointer, 0, SEEK_CUR)
      let read = unsafe avio_read_partial(file.pointer, bytes, count)
      guard read > 0 else { return read }
      for place in places {
        for (index, byte) in "free".utf8.enumerated() {
          let offset = place + Int64(index) - start
          if offset >= 0 && offset < Int64(read) { unsafe bytes[Int(offset)] = byte }
        }
      }
      return read
    }

    /// Goes to a place or tells the size, as `AVIOContext.seek` does.
    func seek(to offset: Int64, _ whence: Int32) -> Int64 {
      if whence & AVSEEK_SIZE != 0 { return unsafe avio_size(file.pointer) }
      return unsafe avio_seek(file.pointer, offset, whence & ~AVSEEK_FORCE)
    }
  }

  /// Number of bytes that libavformat reads at a time.
  private static let bufferSize = 32_768

  /// - Returns: nil where the file is no movie with such boxes.
  /// - Throws: ``LibAVError`` where there is no memory.
  init?(
    _ type: String, in file: Owner<UnsafeMutablePointer<AVIOContext>>
  ) throws(LibAVError) {
    let places = unsafe SampleEntryBoxes(file.pointer).places(of: Array(type.utf8))
    guard !places.isEmpty, unsafe avio_seek(file.pointer, 0, SEEK_SET) == 0 else { return nil }
    let reading = unsafe Reading(file, places: places)
    self.reading = reading
    guard let buffer = unsafe av_malloc(Self.bufferSize) else {
      throw LibAVError("av_malloc", candela_averror_enomem())
    }
    let created = unsafe avio_alloc_context(
      buffer.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
      Unmanaged.passUnretained(reading).toOpaque(),
      { opaque, bytes, count in
        guard let opaque = unsafe opaque, let bytes = unsafe bytes else {
          return candela_averror_eof()
        }
        let reading = unsafe Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        return unsafe reading.read(into: bytes, count)
      }, nil,
      { opaque, offset, whence in
        guard let opaque = unsafe opaque else { return -1 }
        let reading = unsafe Unmanaged<Reading>.fromOpaque(opaque).takeUnretainedValue()
        return reading.seek(to: offset, whence)
      })
    guard let created = unsafe created else {
      unsafe av_free(buffer)
      throw LibAVError("avio_alloc_context", candela_averror_enomem())
    }
    unsafe context = unsafe Owner(created) {
      var context: UnsafeMutablePointer<AVIOContext>? = unsafe $0
      unsafe av_freep(&$0.pointee.buffer)
      unsafe avio_context_free(&context)
    }
  }
}

/// The boxes of a movie's sample entries of video (ISO/IEC 14496-12, 8.5.2 and 12.1).
@safe
private struct SampleEntryBoxes {
  private let file: UnsafeMutablePointer<AVIOContext>

  init(_ file: UnsafeMutablePointer<AVIOContext>) {
    unsafe self.file = file
  }

  /// A box's place in the file.
  private struct Place {
    let type: [UInt8]
    let start: Int64
    let content: Int64
    let end: Int64
  }

  /// The boxes around sample entries, from the outside.
  private static let path = ["moov", "trak", "mdia", "minf", "stbl", "stsd"]
  /// Bytes of a sample entry of video before its boxes, with its own size and type.
  private static let entrySize: Int64 = 86
  /// Number of boxes in one that are looked at: damage may look like as many as there are bytes.
  private static let patience = 10_000

  /// Positions of the types of all boxes of a type.
  func places(of type: [UInt8]) -> [Int64] {
    var outer: [Range<Int64>] = [0..<max(unsafe avio_size(file), 0)]
    for name in Self.path {
      outer = outer.flatMap { range in
        boxes(in: range).filter { $0.type == Array(name.utf8) }.map { $0.content..<$0.end }
      }
    }
    return outer.flatMap { stsd in
      // Behind the version, the flags and the number of entries.
      boxes(in: min(stsd.lowerBound + 8, stsd.upperBound)..<stsd.upperBound)
    }.flatMap { entry in
      boxes(in: min(entry.start + Self.entrySize, entry.end)..<entry.end)
    }.filter { $0.type == type }.map { $0.start + 4 }
  }

  /// The boxes that lie behind each other, as far as their sizes make sense.
  private func boxes(in range: Range<Int64>) -> [Place] {
    var found: [Place] = []
    var start = range.lowerBound
    while start + 8 <= range.upperBound, found.count < Self.patience,
      unsafe avio_seek(file, start, SEEK_SET) == start
    {
      var size = unsafe Int64(avio_rb32(file))
      let type = (0..<4).map { _ in unsafe UInt8(truncatingIfNeeded: avio_r8(file)) }
      let isLong = size == 1
      if isLong { size = unsafe Int64(clamping: avio_rb64(file)) }
      if size == 0 { size = range.upperBound - start }
      let header: Int64 = isLong ? 16 : 8
      guard size >= header, size <= range.upperBound - start else { break }
      found.append(
        Place(type: type, start: start, content: start + header, end: start + size))
      start += size
    }
    return found
  }
}

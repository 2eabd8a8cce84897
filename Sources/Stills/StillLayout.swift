// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import MediaCore

/// How stills are put into files: one in each, or all of them into a sheet with rows and columns.
package struct StillLayout: Hashable, Sendable {
  /// The columns and rows of a sheet; `nil` if each still has its own file.
  private var grid: VideoDimensions?

  /// Creates the layout with a file for each still.
  package init() {}

  /// Reads a sheet such as `4x3`: 4 columns and 3 rows. Returns `nil` for other text.
  package init?(spelling text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let columns = parts[0], let rows = parts[1],
      (1...100).contains(columns), (1...100).contains(rows)
    else { return nil }
    grid = VideoDimensions(width: columns, height: rows)
  }

  /// How many stills to make if the user does not say: as many as the sheet has places; `nil`
  /// without a sheet.
  var usualCount: Int? { grid.map { $0.width * $0.height } }

  /// How wide a still is if the user does not say; `nil` for the source's width.
  var usualWidth: Int? { grid == nil ? nil : 320 }

  /// Whether all stills share a file.
  var isShared: Bool { grid != nil }

  /// Returns the layout without the rows and columns that this many stills leave empty.
  func fitting(_ stills: Int) -> StillLayout {
    var layout = self
    layout.grid = grid.map { grid in
      let columns = min(grid.width, max(stills, 1))
      return VideoDimensions(
        width: columns, height: min(grid.height, (max(stills, 1) + columns - 1) / columns))
    }
    return layout
  }

  /// Returns the size of a file for stills of a given size.
  func size(of picture: VideoDimensions) -> VideoDimensions {
    VideoDimensions(
      width: picture.width * (grid?.width ?? 1), height: picture.height * (grid?.height ?? 1))
  }

  /// Returns the files with the frames that go into each.
  ///
  /// - Parameters:
  ///   - isMany: whether there may be several frames.
  ///   - timeCode: returns the time code of a frame.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if several files would get the same
  ///   name, or if there are more frames than places in the sheet.
  func files(
    named output: String, of frames: [Int], isMany: Bool, timeCode: (Int) throws -> TimeCode
  ) throws -> [(path: String, frames: [Int])] {
    let hasTimeCode = PosixPath.name(of: output).contains(Self.timeCodePlace)
    func named(_ path: String, of frame: Int) throws -> String {
      guard hasTimeCode else { return path }
      // Some file systems allow no colons in names.
      let label = String("\(try timeCode(frame))".map { ":;".contains($0) ? "-" : $0 })
      let start = Self.nameStart(in: path)
      return String(path[..<start] + path[start...].replacing(Self.timeCodePlace, with: label))
    }
    guard let usualCount else {
      // Time codes tell stills apart, so the name needs no number.
      let paths =
        hasTimeCode && !Self.isNumbered(PosixPath.name(of: output))
        ? frames.map { _ in output }
        : try Self.paths(output, of: frames.count, isMany: isMany)
      let files = try zip(paths, frames).map { (path: try named($0, of: $1), frames: [$1]) }
      guard Set(files.map(\.path)).count == files.count else {
        throw TranscodingError(
          .invalidSettings, "\(output): two stills have the same time code: put %d into the name")
      }
      return files
    }
    guard frames.count <= usualCount else {
      throw TranscodingError(
        .invalidSettings, "a sheet of \(usualCount) stills has no room for \(frames.count)")
    }
    let path = try frames.first.map { try named(output, of: $0) } ?? output
    return try Self.paths(path, of: 1, isMany: false).map { ($0, frames) }
  }

  /// The text in a name that is replaced by the time code.
  package static let timeCodePlace = "{timecode}"

  /// Returns the image for a file: a single still unchanged, or a sheet of stills that have the
  /// same size and format; `nil` if there are no stills.
  func picture(of stills: [PixelBuffer]) -> PixelBuffer? {
    guard let first = stills.first, let grid else { return stills.first }
    let size = size(of: first.size)
    let pool = PixelBufferPool(first.format, width: size.width, height: size.height)
    return unsafe pool.makeBuffer(attachments: first.attachments) { planes in
      for unsafe(index, plane) in unsafe planes.enumerated() {
        // A sheet may have more places than stills, and new memory is not black.
        unsafe Self.blacken(plane, index, first)
        for (place, picture) in stills.prefix(grid.width * grid.height).enumerated() {
          let source = unsafe picture.planes[index]
          let bytes = unsafe source.width * first.format.bytesPerSample
          let start =
            unsafe place / grid.width * source.height * plane.bytesPerRow
            + place % grid.width * bytes
          for row in unsafe 0..<source.height {
            unsafe (plane.baseAddress + start + row * plane.bytesPerRow).copyMemory(
              from: source.baseAddress + row * source.bytesPerRow, byteCount: bytes)
          }
        }
      }
    }
  }

  private static func blacken(
    _ plane: PixelBuffer.MutablePlane, _ index: Int, _ picture: PixelBuffer
  ) {
    let signal = picture.attachments.signal
    let isRGB = signal.color.matrixCoefficients == .identity
    let (depth, isLuma) = (picture.format.bitDepth, index == 0 || isRGB)
    let isFull = isRGB || picture.attachments.signal.videoFullRangeFlag == true
    // In limited range, black is 16 in 8 bits. Neutral chroma is in the middle of its range.
    let darkest = isFull ? 0 : 16 << (depth - 8)
    let value = isLuma ? darkest : 1 << (depth - 1)
    let count = unsafe plane.bytesPerRow * plane.height
    if picture.format.bytesPerSample == 1 {
      unsafe plane.baseAddress.initializeMemory(
        as: UInt8.self, repeating: UInt8(clamping: value), count: count)
    } else {
      unsafe plane.baseAddress.initializeMemory(
        as: UInt16.self, repeating: UInt16(clamping: value), count: count / 2)
    }
  }
}

extension StillLayout {
  /// Whether a name has a place for the number of a still.
  package static func isNumbered(_ name: String) -> Bool { name.contains(/%(0[1-9])?d/) }

  /// Returns a name in which ordinary text replaces the places for a number and a time code.
  package static func plain(_ name: String) -> String {
    name.replacing(/%(?=(0[1-9])?d)/, with: "_").replacing(timeCodePlace, with: "timecode")
  }

  private static func nameStart(in path: String) -> String.Index {
    PosixPath.lastSlash(in: path).map(path.utf8.index(after:)) ?? path.startIndex
  }

  /// Returns the paths of `count` stills. `%d` in the name stands for the still's number, `%03d`
  /// for its number in three digits.
  ///
  /// - Parameter isMany: whether there may be several stills.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` if there are several stills and the
  ///   name has no place for their numbers, or if the name has several such places.
  package static func paths(_ path: String, of count: Int, isMany: Bool) throws -> [String] {
    let start = nameStart(in: path)
    // The name of a single still may contain `%d` by chance, as `100%done.jpg` does. That is not a
    // place for a number.
    let numbers = path[start...].matches(
      of: isMany ? /%(0[1-9])?d/ : /%(0[1-9])?d(?![A-Za-z])/)
    guard numbers.count <= 1 else {
      throw TranscodingError(
        .invalidSettings,
        "\(path): its name has \(numbers.count) places for a number: keep one of them")
    }
    guard let number = numbers.first else {
      guard count == 1 else {
        throw TranscodingError(
          .invalidSettings,
          "\(path): \(count) stills need different names: put %d or %03d into the name")
      }
      return [path]
    }
    let digits = number.output.1.flatMap { Int($0) } ?? 1
    return (1...count).map { index in
      path[..<number.range.lowerBound] + index.text(digits: digits)
        + path[number.range.upperBound...]
    }
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later

// A run is so short that three components and a row of indices stay in the first-level cache. The
// sizes are `@_transparent`, so that they are constants in inner loops. For that, `length` has to
// be public. If it were not, kernels would call a function, which doubles their time.

/// The size of a run, which is a group of pixels that go through all operations before the next
/// group begins.
///
/// The run's size also determines how much memory kernels get.
public enum PixelRun {
  /// The number of pixels in a run, a power of two. The last run of a row may have fewer.
  @_transparent public static var length: Int { 512 }

  /// How many operations of a list may mark pixels as doubtful (too uncertain in single precision).
  @_transparent package static var doubtLimit: Int { 8 }

  /// The length of a list of doubtful pixels: their number, then room for all pixels that
  /// operations may mark.
  @_transparent package static var doubtCount: Int { 1 + doubtLimit * length }

  /// The size of the memory for operations, counted in floating-point numbers. It has seven rows:
  /// two for gains, three for kept components, and two for shifts.
  @_transparent package static var scratchCount: Int { 7 * length }

  /// The place in that memory where the rows for shifts begin. Each pixel's norm is shifted toward
  /// the norms around it, by a slope and an offset. The row of slopes comes first, then the row of
  /// offsets.
  @_transparent package static var shifts: Int { 5 * length }

  /// Returns whether a list of doubtful pixels has room for all that these operations may mark.
  package static func holds(_ operations: [RowOperation]) -> Bool {
    // A pixel can be listed once for each operation that marks it, so operations are counted.
    var count = 0
    for operation in operations where operation.kind.isDoubt { count += 1 }
    return count <= doubtLimit
  }
}

extension RowOperation.Kind {
  /// Whether an operation of this kind only marks doubtful pixels and changes none.
  package var isDoubt: Bool {
    switch self {
    case .doubtSmall, .doubtNear, .doubtLuminance, .doubtOutside: true
    default: false
    }
  }
}

/// Rows of three components. They begin on 64-byte boundaries and are padded to whole registers.
@unsafe
package struct ComponentRows {
  /// The first component of each pixel.
  package var x: UnsafeMutablePointer<Float>
  /// The second component of each pixel.
  package var y: UnsafeMutablePointer<Float>
  /// The third component of each pixel.
  package var z: UnsafeMutablePointer<Float>

  /// Wraps memory that the caller keeps.
  @_transparent
  package init(
    x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>, z: UnsafeMutablePointer<Float>
  ) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
/// A run: the pixels that go through all operations before those after them do, so few that three
/// components and a row of indices stay in the first-level cache. Memory for kernels has these
/// sizes, which are constants in inner loops: that is why they are transparent.
public enum PixelRun {
  /// The pixels of a run, of which the last of a row may have less; a power of two. Public, since
  /// nothing less is a constant in the kernels' modules: a call there would double their time.
  @_transparent public static var length: Int { 512 }

  /// The most operations of a list that may doubt pixels.
  @_transparent package static var doubtLimit: Int { 8 }

  /// Length of a list of doubted pixels: room for their number and for the pixels of all operations
  /// that may doubt some.
  @_transparent package static var doubtCount: Int { 1 + doubtLimit * length }

  /// Room for numbers that operations need: two rows for gains, three for kept components, and two
  /// for shifts.
  @_transparent package static var scratchCount: Int { 7 * length }

  /// Place of the slopes of pixels' shifts toward their surroundings; behind them are the offsets.
  @_transparent package static var shifts: Int { 5 * length }

  /// True if there is room for what operations doubt.
  package static func holds(_ operations: [RowOperation]) -> Bool {
    var count = 0
    for operation in operations where operation.kind.isDoubt { count += 1 }
    return count <= doubtLimit
  }
}

extension RowOperation.Kind {
  /// True if an operation of this kind doubts pixels, and changes none.
  package var isDoubt: Bool {
    switch self {
    case .doubtSmall, .doubtNear, .doubtLuminance, .doubtOutside: true
    default: false
    }
  }
}

/// Rows of three components, which begin on 64 bytes and are padded to whole registers.
package struct ComponentRows {
  /// The first component.
  package var x: UnsafeMutablePointer<Float>
  /// The second.
  package var y: UnsafeMutablePointer<Float>
  /// The third.
  package var z: UnsafeMutablePointer<Float>

  /// Rows over memory that the caller keeps.
  @_transparent
  package init(
    x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>, z: UnsafeMutablePointer<Float>
  ) {
    (self.x, self.y, self.z) = (x, y, z)
  }
}

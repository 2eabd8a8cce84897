// SPDX-License-Identifier: GPL-2.0-or-later
#if GPLEncoders

internal import CodePoints
internal import MediaCore
internal import Synchronization

/// Reserves a size of coding tree units for as long as an encoder is open.
///
/// x265 keeps the size in global tables, so encoders with different sizes would corrupt each other.
final class X265TreeUnitLease: Sendable {
  private static let current = Mutex<(count: Int, size: Int)>((0, 64))

  private let cleanup: @convention(c) () -> Void

  /// - Parameter cleanup: the function to call when the last open x265 encoder is closed.
  init(size: Int, cleanup: @escaping @convention(c) () -> Void) throws(VideoEncoderError) {
    let isFree = Self.current.withLock { state in
      guard state.count == 0 || state.size == size else { return false }
      state = (state.count + 1, size)
      return true
    }
    // Throw before the property is set, so that `deinit` does not give back a refused lease.
    guard isFree else { throw .treeUnitInUse(size: size) }
    self.cleanup = cleanup
  }

  deinit {
    Self.current.withLock { state in
      state.count -= 1
      if state.count == 0 { cleanup() }
    }
  }

  /// Returns the size of tree units for the settings: the size that the caller's options state, or
  /// the largest that fits into the frame, up to 64.
  ///
  /// If a frame is smaller than a tree unit, x265 3.5 refuses it, hangs or crashes.
  static func size(for settings: VideoEncoderSettings) throws(VideoEncoderError) -> Int {
    let side = min(settings.size.width, settings.size.height)
    let wanted = settings.options["ctu"].flatMap(Int.init)
    guard side >= 16 else {
      throw .unsupportedSize(
        encoder: "x265", size: settings.size, reason: "each side must have at least 16 samples",
        decidedBy: nil)
    }
    let largest = side >= 64 ? 64 : side >= 32 ? 32 : 16
    guard let wanted else { return largest }
    guard wanted <= largest else {
      throw .treeUnitTooLarge(largest: largest)
    }
    return wanted
  }
}

#endif

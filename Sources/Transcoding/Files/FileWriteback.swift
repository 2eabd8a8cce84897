internal import Dispatch
internal import Foundation
internal import Synchronization

/// A file's way to the disk, which goes on beside the work on the file: a copy is then as fast as
/// the slower of memory and disk, not as slow as both together.
final class FileWriteback: Sendable {
  private let handle: FileHandle
  private let queue = DispatchQueue(label: "writeback")
  private let failure = Mutex<(any Error)?>(nil)

  /// The way of a file that is being written.
  init(_ handle: FileHandle) {
    self.handle = handle
  }

  /// Sends what the file holds now to the disk, and returns at once.
  func start() {
    queue.async { [self] in
      // The system names an error once; the first one counts.
      do {
        try handle.synchronize()
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
  }

  /// Waits until everything sent has arrived.
  func finish() throws {
    queue.sync {}
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

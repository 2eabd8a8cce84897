// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// A reserved range of addresses. It is given back when memory runs out, so that the failure can
/// still be reported.
package enum SpareMemory {
  // Swift ends the process if Swift itself gets no memory. Nobody writes to these addresses, so
  // they count against a limit on address space but take no memory.
  private static let size = 32 << 20
  /// The address of the range; `nil` if the range was given back, or could not be taken.
  private static let block = Mutex<UInt?>(nil)

  /// Takes the addresses unless they are taken already.
  static func prepare() {
    block.withLock { block in
      guard block == nil else { return }
      let found = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if unsafe found != MAP_FAILED { block = UInt(bitPattern: found) }
    }
  }

  /// Gives the addresses back to the system.
  static func release() {
    block.withLock { block in
      guard let address = block else { return }
      _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size)
      block = nil
    }
  }

  // Without trimming, the process keeps freed memory. Trimming walks through all of it, which takes
  // time.
  /// Gives freed memory back to the system. Call it after many objects were freed, not after each.
  package static func giveBackFreed() { candela_trim_memory() }
}

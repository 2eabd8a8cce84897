// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// Addresses that are given back where the system gives no more memory, so that the failure can be
/// told: Swift ends the process where it gets none itself. They take no memory.
package enum SpareMemory {
  private static let size = 32 << 20
  /// The address; nil where they were given back, or where there were none.
  private static let block = Mutex<UInt?>(nil)

  /// Takes the addresses, if they are not taken.
  static func prepare() {
    block.withLock { block in
      guard block == nil else { return }
      let found = unsafe mmap(nil, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if unsafe found != MAP_FAILED { block = UInt(bitPattern: found) }
    }
  }

  /// Gives the addresses back.
  static func release() {
    block.withLock { block in
      guard let address = block else { return }
      _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), size)
      block = nil
    }
  }

  /// Gives memory that was freed back to the system, which the process keeps for later otherwise.
  /// This takes time for all of the memory: to be called after many objects were freed, not after
  /// each.
  package static func giveBackFreed() { candela_trim_memory() }
}

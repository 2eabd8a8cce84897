// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import Glibc
internal import Synchronization

/// Keeps memory for failures, and gives back what the libraries have freed.
extension FFmpeg {
  // Swift ends the process if Swift itself gets no memory, so a spare range of addresses is
  // reserved for it. Nobody writes to the range, so it counts against a limit on address space but
  // takes no memory.
  private static let spareSize = 32 << 20
  /// The address of the spare range; `nil` if the range was given back, or could not be taken.
  private static let spareBlock = Mutex<UInt?>(nil)

  /// Reserves a range of addresses, unless it is reserved already. The range is given back when
  /// memory runs out, so that the failure can still be reported.
  static func reserveSpareMemory() {
    spareBlock.withLock { block in
      guard block == nil else { return }
      let found = unsafe mmap(nil, spareSize, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      if unsafe found != MAP_FAILED { block = UInt(bitPattern: found) }
    }
  }

  /// Gives the spare addresses back to the system.
  static func releaseSpareMemory() {
    spareBlock.withLock { block in
      guard let address = block else { return }
      _ = unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), spareSize)
      block = nil
    }
  }

  // Without trimming, the process keeps freed memory. Trimming walks through all of it, which takes
  // time.
  /// Gives freed memory back to the system. Call it after many objects were freed, not after each.
  package static func giveBackFreedMemory() { candela_trim_memory() }
}

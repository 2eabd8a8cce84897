// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg

/// Memory that was freed, and that the process keeps for later.
package enum FreedMemory {
  /// Gives it back to the system. This takes time for all of the memory: to be called after many
  /// objects were freed, not after each.
  package static func giveBack() { candela_trim_memory() }
}

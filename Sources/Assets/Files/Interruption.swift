/// The end of a process in the middle of its work.
package enum Interruption {
  /// Removes what a process has not finished, where it ends without waiting for its work: a library
  /// or the system may keep a thread for long.
  package static func removeUnfinished() { ScratchFile.removeAll() }
}

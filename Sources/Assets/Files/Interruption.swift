package import ISOBMFF

/// The end of a process in the middle of its work.
public enum Interruption {
  /// Removes what a process has not finished, where it ends without waiting for its work: a library
  /// or the system may keep a thread for long.
  public static func removeUnfinished() { ScratchFile.removeAll() }
}

/// A pipeline's checkpoint, as the work on boxes asks it. Why it threw, the pipeline knows.
package func interruptible(
  _ checkpoint: @escaping Pipeline.Checkpoint
) -> SendableCheckpoint {
  { @Sendable () throws(ISOBMFFError) in
    do { try checkpoint() } catch { throw .interrupted }
  }
}

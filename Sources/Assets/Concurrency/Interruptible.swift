package import ISOBMFF

/// A pipeline's checkpoint, as the work on boxes asks it. Why it threw, the pipeline knows.
package func interruptible(
  _ checkpoint: @escaping Pipeline.Checkpoint
) -> SendableCheckpoint {
  { @Sendable () throws(ISOBMFFError) in
    do { try checkpoint() } catch { throw .interrupted }
  }
}

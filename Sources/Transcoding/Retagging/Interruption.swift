internal import ISOBMFF

/// A pipeline's checkpoint, as the work on boxes asks it. Why it threw, the pipeline knows.
func interruptible(_ checkpoint: @escaping Pipeline.Checkpoint) -> ISOBMFF.Checkpoint {
  { () throws(ISOBMFFError) in
    do { try checkpoint() } catch { throw .interrupted }
  }
}

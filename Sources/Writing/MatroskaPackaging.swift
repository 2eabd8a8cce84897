// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import Planning

/// Makes a Matroska file from the finished movie. The Matroska file is delivered instead of the
/// movie.
struct MatroskaPackaging: Packaging {
  static let name = "matroska"

  func pack(
    _ tracks: [WrittenTrack], for delivery: OutputDelivery,
    checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> (damagedCount: Int, others: [UnfinishedFile]) {
    let file = delivery.file
    let matroska = try MatroskaFile(of: delivery, written: tracks)
    let damagedCount: Int
    do {
      damagedCount = try matroska.write(to: file.samplesPath, checkpoint: checkpoint)
    } catch {
      throw TranscodingError.meaning(of: error, output: file.destination)
    }
    file.exchange()
    // Verification compares the new file with the movie, so remove the movie only at the end.
    defer { file.discardSamples() }
    guard delivery.verification != .none else { return (damagedCount, []) }
    let faults = try matroska.faults(of: file.path, checkpoint: checkpoint)
    guard faults.isEmpty else { throw try file.keptError(faults) }
    return (damagedCount, [])
  }
}

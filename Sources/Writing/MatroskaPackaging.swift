// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import Planning

/// A Matroska file is made of the finished movie, which it takes the place of.
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
    // The movie is there until it has been compared.
    defer { file.discardSamples() }
    guard delivery.verification != .none else { return (damagedCount, []) }
    let faults = try matroska.faults(of: file.path, checkpoint: checkpoint)
    guard faults.isEmpty else { throw try file.keptError(faults) }
    return (damagedCount, [])
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

extension RPUFile {
  /// Takes the RPUs of a file's HEVC frames out, without decoding, into a file of their own, as
  /// dovi_tool has them: in the order of presentation.
  ///
  /// - Parameters:
  ///   - presentedOnly: true if frames that the edit list hides are left out, as they are from a
  ///     transcode.
  ///   - overwrite: true if a file at `output` is replaced.
  /// - Returns: notices for the user, and the number of RPUs that are damaged, which are written as
  ///   they are.
  /// - Throws: ``TranscodingError``, of kind `unusableInput` where there are no RPUs;
  ///   `CancellationError` when the task was cancelled.
  public static func extract(
    _ input: String, to output: String, presentedOnly: Bool = false, overwrite: Bool = false
  ) async throws -> (notices: [Notice], damagedCount: Int) {
    try TranscodingError.refuseUnusable(input: input)
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, in: RunFiles(reading: input))
    defer { file.discard() }
    return try await Pipeline.onThread("extract") { checkpoint in
      let frames = try frames(of: input, presentedOnly: presentedOnly, checkpoint)
      let rpus = frames.compactMap(\.rpu)
      try write(rpus, to: file)
      let damaged = rpus.indices.filter { !rpus[$0].isReadable }
      var notices: [Notice] = []
      if rpus.count < frames.count {
        notices.append(.framesWithoutRPU(frames.count - rpus.count, of: frames.count))
      }
      if let first = damaged.first {
        notices.append(.damagedRPUs(damaged.count, first: first))
      }
      return (notices, damaged.count)
    }
  }

  /// The frames of a file that has RPUs.
  static func frames(
    of input: String, presentedOnly: Bool = false, _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [CodedFrame] {
    let coded = try CodedFrames(path: input, checkpoint: checkpoint)
    guard coded.codec.nalCodec?.carriesHDRMetadata == true else {
      throw TranscodingError(
        .unusableInput, "\(input): RPUs are read from HEVC; this is \(coded.codec.codecName)")
    }
    guard coded.frames.contains(where: { $0.rpu != nil }) else {
      throw TranscodingError(.unusableInput, "\(input) has no Dolby Vision RPUs")
    }
    guard presentedOnly else { return coded.frames }
    let track = try MediaAsset(opening: input).videoTrack
    return coded.presented(by: track?.timeline ?? .wholeMedia)
  }
}

extension Notice {
  /// Some frames have no RPU, and the file has fewer RPUs than frames.
  static func framesWithoutRPU(_ count: Int, of total: Int) -> Notice {
    Notice(
      "framesWithoutRPU", severity: .warning, ["count": "\(count)", "frameCount": "\(total)"],
      "no RPU in \(count) of \(total.counted("frame"))")
  }

  /// RPUs that cannot be read are written as they are.
  static func damagedRPUs(_ count: Int, first: Int) -> Notice {
    Notice(
      "damagedRPUs", severity: .warning, ["count": "\(count)", "first": "\(first)"],
      "\(count) RPUs are damaged, the first is RPU \(first), counted from 0")
  }
}

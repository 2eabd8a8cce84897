// SPDX-License-Identifier: GPL-2.0-or-later
public import Assets
public import CodePoints
internal import Host
internal import LibAV
internal import MediaCore

extension RPUFile {
  /// Extracts the RPUs of a file's frames, without decoding the frames. The output has the RPUs in
  /// presentation order, as dovi_tool's files do. In the source, an RPU may refer to one before it
  /// in decoding order, so each RPU gets a copy of what it refers to.
  ///
  /// - Parameters:
  ///   - presentedOnly: whether to leave out frames that the edit list hides, as a transcode does.
  ///   - overwrite: whether a file at `output` is replaced.
  /// - Returns: notices for the user, and the number of RPUs that are damaged or missing. Damaged
  ///   RPUs are written unchanged.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if there are no RPUs;
  ///   `CancellationError` when the task was cancelled.
  public static func extract(
    _ input: String, to output: String, presentedOnly: Bool = false, overwrite: Bool = false
  ) async throws -> (notices: [Notice], damagedCount: Int) {
    try TranscodingError.refuseUnusable(input: input)
    // Check the output first, so that a long file is not read in vain.
    let file = try UnfinishedFile(
      destination: output, overwrite: overwrite, in: RunFiles(reading: input))
    defer { file.discard() }
    return try await Pipeline.onThread("extract") { checkpoint in
      let frames = try frames(
        of: input, completed: true, presentedOnly: presentedOnly, checkpoint)
      var (payloads, damaged): ([[UInt8]], [Int]) = ([], [])
      // Damaged RPUs stay in the file. Leaving them out would move all later ones to the wrong
      // frames.
      for rpu in frames.lazy.compactMap(\.rpu) {
        if !rpu.isReadable { damaged.append(payloads.count) }
        payloads.append(rpu.payload)
      }
      try write(payloads, to: file)
      var notices: [Notice] = []
      if payloads.count < frames.count {
        notices.append(.framesWithoutRPU(frames.count - payloads.count, of: frames.count))
      }
      if let first = damaged.first {
        notices.append(.damagedRPUs(damaged.count, first: first))
      }
      // Missing RPUs count, too: an RPU file has no times, so each of them moves all later RPUs to
      // other frames.
      return (notices, damaged.count + frames.count - payloads.count)
    }
  }

  /// Returns the frames of a file that has RPUs.
  ///
  /// - Parameter completed: whether RPUs get a copy of what they refer to in earlier RPUs.
  static func frames(
    of input: String, completed: Bool, presentedOnly: Bool = false,
    _ checkpoint: @escaping Pipeline.Checkpoint
  ) throws -> [CodedFrame] {
    let coded = try CodedFrames(path: input, completesRPUs: completed, checkpoint: checkpoint)
    guard coded.codec.bitstream?.dolbyVisionProfile != nil else {
      throw TranscodingError(
        .unusableInput,
        "\(input): RPUs can only be read from HEVC and AV1; the video is "
          + "\(coded.codec.codecName)")
    }
    guard coded.frames.contains(where: { $0.metadata.has(DolbyVisionRPU.self) }) else {
      throw TranscodingError(.unusableInput, "\(input) has no Dolby Vision RPUs")
    }
    // An RPU file has no times, only an order. To match the frames of a transcode, hidden frames
    // must be left out.
    guard presentedOnly else { return coded.frames }
    let track = try MediaAsset(opening: input).videoTrack
    return coded.presented(by: track?.timeline ?? .wholeMedia)
  }
}

extension Notice {
  /// Says that some frames have no RPU.
  static func framesWithoutRPU(_ count: Int, of total: Int) -> Notice {
    Notice(
      "framesWithoutRPU", severity: .warning, ["count": "\(count)", "frameCount": "\(total)"],
      "no RPU in \(count) of \(total.counted("frame"))")
  }

  /// Says that some RPUs cannot be read. They are written unchanged.
  static func damagedRPUs(_ count: Int, first: Int) -> Notice {
    Notice(
      "damagedRPUs", severity: .warning, ["count": "\(count)", "first": "\(first)"],
      "\(count.counted("RPU")) cannot be read; the first is RPU \(first), counted from 0")
  }
}

internal import DolbyVision
internal import NALUnits

/// RPUs in a file of their own, as dovi_tool has them: each with a start code before it, in the
/// order of presentation, with emulation prevention and without the header of their NAL unit.
enum RPUFile {
  /// The file's bytes.
  static func bytes(_ rpus: [[UInt8]]) -> [UInt8] { rpus.flatMap { [0, 0, 0, 1] + $0 } }

  /// Whether a file begins as such files do.
  static func isOne(_ path: String) throws -> Bool {
    let start = try FileByteSource(path: path).read(at: 0, count: 8)
    return rpus(in: start).first?.first == 0x19
  }

  /// The RPUs of a file, which may also have the header of their NAL unit.
  ///
  /// - Throws: ``TranscodingError`` of kind `unusableInput` where it is no such file, or one of
  ///   them is damaged.
  static func read(_ path: String) throws -> [[UInt8]] {
    try InputFile.check(path)
    let source = try FileByteSource(path: path)
    let rpus = rpus(in: try source.read(at: 0, count: Int(clamping: source.size)))
    guard rpus.first?.first == 0x19 else {
      throw TranscodingError(
        .unusableInput,
        "\(path) is no file of RPUs: they have a start code, 00 00 00 01, and 19 … 80 each")
    }
    for (index, rpu) in rpus.enumerated() {
      do {
        _ = try ReferenceProcessingUnit(dolbyVisionRPU: rpu)
      } catch {
        throw TranscodingError(.unusableInput, "\(path): RPU \(index) is damaged: \(error)")
      }
    }
    return rpus
  }

  private static func rpus(in bytes: [UInt8]) -> [[UInt8]] {
    NALUnit.split(annexB: bytes).map { unit in
      unit.bytes.starts(with: [0x7C, 0x01, 0x19]) ? Array(unit.bytes.dropFirst(2)) : unit.bytes
    }
  }

  /// Writes a file, which gets its name when it is complete.
  static func write(_ rpus: [[UInt8]], to file: UnfinishedFile) throws {
    try file.write(bytes(rpus))
    try file.publish()
  }
}

extension ReferenceProcessingUnit {
  /// Reads `19 … 80` with emulation prevention.
  init(dolbyVisionRPU bytes: [UInt8]) throws(DolbyVisionError) {
    try self.init(hevcNALUnit: NALUnit(dolbyVisionRPU: bytes).bytes)
  }
}

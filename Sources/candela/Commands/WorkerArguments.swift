// SPDX-License-Identifier: GPL-2.0-or-later
public import ArgumentParser
internal import Host
public import Planning
internal import Segments

extension WorkerCount: ExpressibleByArgument {
  /// Reads a count from an argument: `auto`, or a number.
  public init?(argument: String) { self.init(argument) }
}

/// Whether to resume the unfinished work of an earlier run.
enum ResumeMode: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// Resume it if the input, the settings and the programs are the same.
  case auto
  /// Start over, even if an earlier run left finished segments.
  case never
}

/// The arguments that decide how many processes encode.
struct WorkerArguments: ParsableArguments, Sendable {
  @Option(help: "How many processes encode: a number or auto. 1 means no segments.")
  var workers = WorkerCount.auto

  @Option(
    help: ArgumentHelp(
      """
      The most memory for all processes, such as 8G; by default, half of what is free. With \
      --jobs, only as many files run at once as are estimated to fit, but at least one.
      """,
      valueName: "size"))
  var memory: String?

  @Option(help: "Whether to resume an interrupted run.")
  var resume = ResumeMode.auto

  @Flag(
    help: """
      Keeps finished segments if the run is interrupted, so that it can be resumed; --existing \
      skip implies this.
      """)
  var keepJob = false

  /// Returns the options of a run in segments.
  func options() throws -> SegmentedSession.Options {
    var options = SegmentedSession.Options()
    options.workers = workers
    options.memory = try memory.map(Self.bytes)
    options.resumes = resume == .auto
    options.keepsJob = keepJob
    return options
  }

  // `8` alone is 8 bytes, but somebody who types it means 8 GB. So refuse less memory than this.
  static let leastMemory: UInt64 = 1 << 16

  /// Reads a number of bytes such as `1500M`, `8G` or `8GB`.
  static func bytes(_ text: String) throws -> UInt64 {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30, "T": 40]
    let size = text.uppercased().hasSuffix("B") ? text.dropLast() : text[...]
    let unit = size.uppercased().last.flatMap { units[$0] }
    let number = UInt64(unit == nil ? size : size.dropLast())
    let shift = UInt64(unit ?? 0)
    // The shift must not lose bits. Otherwise, a huge number would become a small one.
    guard let number, number.leadingZeroBitCount >= shift, number << shift >= leastMemory else {
      throw TranscodingError(
        .invalidSettings,
        UInt64(text) == nil
          ? "--memory cannot be '\(text)': write 64K or more, such as 800M or 8G"
          : "--memory \(text) means \(text) bytes, less than 64K: write \(text)G or \(text)M")
    }
    return number << shift
  }
}

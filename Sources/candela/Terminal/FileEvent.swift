// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Settings
internal import Synchronization
internal import Transcoding

/// Work on one of many files that another process of this program does: what it needs to know
/// beside its arguments. It is the first line of that process' standard input.
struct FileOrder: Codable, Sendable {
  /// The settings, in the form of a preset, which may have come out of a pipe.
  let settings: JSONValue
  /// True if an output that another run makes is no failure.
  let skips: Bool
  /// Number of files at once; nil where the number of workers is stated.
  let files: Int?
  /// The bytes that several workers of the file may take, where somebody waits for the file's own
  /// need.
  let part: UInt64?
}

/// The next line of that standard input: the work begins.
enum FileStart: String, Sendable {
  case making
  /// An output that is there is replaced.
  case replacing
}

/// A fact that the process tells the one that started it: a line of its standard output, of which
/// one key is there.
struct FileEvent: Codable, Sendable {
  /// The bytes that the work takes at most, by estimate.
  var need: UInt64?
  /// Progress of the work.
  var progress: Progress?
  /// The output is there, with the status of the work.
  var made: Int32?
  /// Another run makes the output, or has made it.
  var isTaken: Bool?
  /// The folder of a job that stays after an interruption.
  var job: String?
  /// True while the output is complete and being compared.
  var isCompared: Bool?

  /// The parts of a ``TranscodeProgress`` that others follow from.
  struct Progress: Codable, Sendable {
    var fraction: Double?
    var frames = 0
    var seconds = 0.0
    var elapsed = 0.0

    /// The progress as a session has it.
    var whole: TranscodeProgress {
      TranscodeProgress(
        fraction: fraction ?? 0, frames: frames, seconds: seconds, elapsed: elapsed)
    }
  }

  /// True in a process that another one follows.
  private static let isFollowed = Mutex(false)

  /// True if ``post()`` tells somebody.
  static var isPosted: Bool { isFollowed.withLock { $0 } }

  /// Has ``post()`` tell the process that follows this one.
  static func startPosting() { isFollowed.withLock { $0 = true } }

  /// Tells the process that follows this one, where one does.
  func post() {
    Self.isFollowed.withLock { isFollowed in
      guard isFollowed, let data = try? JSONEncoder().encode(self) else { return }
      _ = SystemCall.write(Array(data) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }
  }
}

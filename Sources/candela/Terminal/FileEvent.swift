// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Synchronization
internal import Transcoding

/// A fact that a process which works on one of many files tells the one that started it: a line of
/// its standard output, of which one key is there.
struct FileEvent: Codable, Sendable {
  /// The bytes that the work takes at most, by estimate.
  var need: UInt64?
  /// Progress of the work.
  var progress: TranscodeProgress?
  /// The output is there, with the status of the work.
  var made: Int32?
  /// Another run makes the output, or has made it.
  var isTaken: Bool?
  /// The folder of a job that stays after an interruption.
  var job: String?
  /// True while the output is complete and being compared.
  var isCompared: Bool?

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

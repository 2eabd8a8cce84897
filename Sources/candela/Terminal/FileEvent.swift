// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import Synchronization
internal import Transcoding

/// A message from a process that works on one of many files to the process that started it. It is
/// a line of standard output: a JSON object with one of these keys.
struct FileEvent: Codable, Sendable {
  /// An estimate of how much memory the work will take at most, in bytes.
  var need: UInt64?
  /// How far the work has come.
  var progress: TranscodeProgress?
  /// The status of the work. It is sent once the output exists.
  var made: Int32?
  /// Files that were made since the last event, if a command makes several from one source.
  var files: [String]?
  /// How many pixels were encoded, in all frames together.
  var pixels: Double?
  /// Whether another run is making the output, or has made it.
  var isTaken: Bool?
  /// The dynamic range of a file that was left out because another range is wanted.
  var leftOut: DynamicRange?
  /// The folder with the finished segments of a job. It is kept if the work is interrupted.
  var job: String?
  /// Whether the output is complete but is still being compared.
  var isCompared: Bool?
  /// What a command for this file alone would print.
  var text: String?
  /// A loss or an assumption.
  var notice: Remark?

  /// A notice in words.
  struct Remark: Codable, Hashable, Sendable {
    /// What it is called: `note`, or `warning` for everything more severe.
    let label: String
    let text: String

    init(_ notice: Notice) {
      label = notice.severity == .note ? "note" : "warning"
      text = notice.advice
    }
  }

  /// Whether another process watches this one.
  private static let isFollowed = Mutex(false)

  /// Whether ``post()`` sends events to anybody.
  static var isPosted: Bool { isFollowed.withLock { $0 } }

  /// Makes ``post()`` send events to the process that watches this one.
  static func startPosting() { isFollowed.withLock { $0 = true } }

  /// Sends an event if an error says that another run makes the output, or has made it.
  ///
  /// - Returns: whether that was so.
  static func postIfTaken(_ error: TranscodingError) -> Bool {
    // Two runs may work on one folder. Whichever comes second leaves the output to the other.
    guard let code = error.code, [.outputExists, .writtenByAnother].contains(code) else {
      return false
    }
    FileEvent(isTaken: true).post()
    return true
  }

  /// Sends this event to the process that watches this one, if there is one.
  func post() {
    // Several threads may send events at once. The lock keeps their lines apart.
    Self.isFollowed.withLock { isFollowed in
      guard isFollowed, let data = try? JSONEncoder().encode(self) else { return }
      _ = SystemCall.write(Array(data) + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
    }
  }
}

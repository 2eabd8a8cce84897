// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// The names that files of a job have in its folder. Only what is called so, to the letter, is ever
/// removed.
extension JobFolder {
  /// The plan.
  static let planName = "job.json"
  /// A file that a run holds which works off the whole job.
  static let lockName = "lock"

  /// Files of one segment, by the ends of their names.
  enum SegmentFileKind: String, CaseIterable {
    /// Its samples.
    case segment
    /// The statement of who is working on it.
    case lease
    /// The output of its worker.
    case log
    /// The statement that it cannot be encoded alone.
    case unfit
  }

  /// The name of a segment's file.
  static func name(of number: Int, _ kind: SegmentFileKind) -> String {
    "\(segmentPrefix)\(number.text(digits: 5)).\(kind.rawValue)"
  }

  /// The name of the output of a task of Slurm: its number, or `join`.
  static func logOfTask(_ task: String) -> String { "\(segmentPrefix)slurm-\(task).log" }

  private static let segmentPrefix = "segment-"

  /// True for the name of a file that is there before a job is: one that is written, or the lock.
  static func isForWork(_ name: String) -> Bool {
    name == lockName || UnfinishedName.isOne(name)
  }

  /// True for the name of a file of a job.
  static func isOwn(_ name: String) -> Bool {
    if name == planName || isForWork(name) { return true }
    let parts = name.dropFirst(segmentPrefix.count).split(separator: ".")
    guard name.hasPrefix(segmentPrefix), parts.count == 2 else { return false }
    if let number = Int(parts[0]), let kind = SegmentFileKind(rawValue: String(parts[1])) {
      return number >= 0 && name == Self.name(of: number, kind)
    }
    let task = String(parts[0].dropFirst("slurm-".count))
    return (task == "join" || Int(task).map { $0 >= 0 && "\($0)" == task } ?? false)
      && name == logOfTask(task)
  }
}

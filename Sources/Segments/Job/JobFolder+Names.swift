// SPDX-License-Identifier: GPL-2.0-or-later
internal import MediaCore

/// The names of a job's files in its folder.
extension JobFolder {
  /// The name of the plan's file.
  static let planName = "job.json"
  /// The name of the file that a run locks while it works on the job as a whole.
  static let lockName = "lock"

  /// The files of one segment, by the ends of their names.
  enum SegmentFileKind: String, CaseIterable {
    /// The encoded samples.
    case segment
    /// Who is working on it.
    case lease
    /// What its worker printed.
    case log
    /// Why it cannot be encoded alone.
    case unfit
  }

  /// Returns the name of a segment's file.
  static func name(of number: Int, _ kind: SegmentFileKind) -> String {
    "\(segmentPrefix)\(number.text(digits: 5)).\(kind.rawValue)"
  }

  /// Returns the name of the file for a Slurm task's output. The task is a number or `join`.
  static func logOfTask(_ task: String) -> String { "\(segmentPrefix)slurm-\(task).log" }

  private static let segmentPrefix = "segment-"

  /// Returns whether a file of this name can exist before its job exists: a file that is still
  /// being written, or the lock.
  static func isForWork(_ name: String) -> Bool {
    name == lockName || UnfinishedName.isOne(name)
  }

  /// Returns whether a file of this name belongs to a job.
  static func isOwn(_ name: String) -> Bool {
    if name == planName || isForWork(name) { return true }
    let parts = name.dropFirst(segmentPrefix.count).split(separator: ".")
    guard name.hasPrefix(segmentPrefix), parts.count == 2 else { return false }
    if let number = Int(parts[0]), let kind = SegmentFileKind(rawValue: String(parts[1])) {
      // Files with such a name may be removed, so compare the whole name. `Int` alone would accept
      // "+1" and "1" as well, which this program never writes.
      return number >= 0 && name == Self.name(of: number, kind)
    }
    let task = String(parts[0].dropFirst("slurm-".count))
    return (task == "join" || Int(task).map { $0 >= 0 && "\($0)" == task } ?? false)
      && name == logOfTask(task)
  }
}

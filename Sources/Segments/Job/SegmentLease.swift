// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import MediaCore
internal import Synchronization

/// A statement that a process is working on a segment, and how far it is. It keeps nobody from
/// working on it too.
package struct SegmentLease: Hashable, Sendable, Codable {
  /// The host's name.
  package let host: String
  /// The process' number on it.
  package let process: Int32
  /// Time of the beginning of the work, in seconds since 1970.
  package let started: Double
  /// Time of the statement, in seconds since 1970.
  package var updated: Double
  /// Number of frames that are encoded.
  package var frames: Int

  /// A statement of this process.
  init() {
    host = ProcessInfo.processInfo.hostName
    process = getpid()
    started = Date().timeIntervalSince1970
    (updated, frames) = (started, 0)
  }

  /// Statements are renewed so often, in seconds.
  static let interval = 1.0
  /// One that is older, in seconds, is of somebody who works no more. Hosts' clocks may differ.
  private static let patience = 60.0
  /// One that is from so far in the future, in seconds, is of no clock.
  private static let clockDifference = 3600.0

  /// True if somebody is working still, as far as this host can tell.
  package var isHeld: Bool {
    if host == ProcessInfo.processInfo.hostName {
      return kill(process, 0) == 0 || errno == EPERM
    }
    let age = Date().timeIntervalSince1970 - updated
    return age < Self.patience && age > -Self.clockDifference
  }

  /// The statement in a file; nil for none, and for one that no process makes.
  init?(path: String) {
    guard let bytes = try? OpenFile.ownBytes(of: path, upTo: Most.lease, of: .anybody),
      let lease = try? JSONDecoder().decode(SegmentLease.self, from: Data(bytes)),
      Self.wholeBounds.fault(in: lease) == nil, Self.realBounds.fault(in: lease) == nil
    else { return nil }
    self = lease
  }
}

/// Bounds of a lease's fields.
extension SegmentLease {
  private typealias Whole = FieldBounds<SegmentLease, Int64>
  private typealias Real = FieldBounds<SegmentLease, Double>

  /// Of whole numbers, and of the lengths of texts.
  static let wholeBounds: [FieldBounds<SegmentLease, Int64>] = [
    .text("host", 1...255) { [$0.host] },
    // The system numbers processes from 1 to 2^22; 0 and less would be groups of them.
    Whole("process", 1...1 << 22) { [Int64($0.process)] },
    .count("frames", 0...Most.frames) { [$0.frames] },
  ]

  /// Of times, in seconds since 1970.
  static let realBounds: [FieldBounds<SegmentLease, Double>] = [
    Real("started", 0...1e11) { [$0.started] },
    Real("updated", 0...1e11) { [$0.updated] },
  ]
}

/// Writes a lease, renews it, and removes it in the end.
final class LeaseHolder: Sendable {
  private let lease = Mutex(SegmentLease())
  private let folder: JobFolder
  private let path: String

  init(_ folder: JobFolder, number: Int) {
    self.folder = folder
    path = folder.leasePath(number)
    write()
  }

  /// Counts a frame that was encoded.
  func advance() {
    let isDue = lease.withLock { lease in
      lease.frames += 1
      let now = Date().timeIntervalSince1970
      guard now - lease.updated >= SegmentLease.interval else { return false }
      lease.updated = now
      return true
    }
    if isDue { write() }
  }

  /// Begins to count anew, since the frames are encoded again.
  func restart() { lease.withLock { $0.frames = 0 } }

  /// A lease that cannot be written costs nothing but that nobody sees it.
  private func write() {
    guard let data = try? JSONEncoder().encode(lease.withLock { $0 }) else { return }
    try? folder.replace(path, with: Array(data))
  }

  /// Removes the lease, if it is still this process'.
  func release() {
    let own = lease.withLock { $0 }
    guard let lease = SegmentLease(path: path), lease.host == own.host,
      lease.process == own.process
    else { return }
    _ = unsafe unlink(SystemPath.bytes(path))
  }
}

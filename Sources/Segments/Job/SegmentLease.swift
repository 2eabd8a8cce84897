// SPDX-License-Identifier: GPL-2.0-or-later
internal import FoundationEssentials
internal import Glibc
internal import Host
internal import MediaCore
internal import Synchronization

/// Says that a process is working on a segment, and how far the work has come. A lease does not
/// keep other processes from working on the same segment.
package struct SegmentLease: Hashable, Sendable, Codable {
  /// The name of the host that the process runs on.
  package let host: String
  /// The number of the process on that host.
  package let process: Int32
  /// When the work began, in seconds since 1970.
  package let started: Double
  /// When the lease was written, in seconds since 1970.
  package var updated: Double
  /// The number of frames encoded so far.
  package var frames: Int

  /// Makes a lease of this process.
  init() {
    host = ProcessInfo.processInfo.hostName
    process = getpid()
    started = Date().timeIntervalSince1970
    (updated, frames) = (started, 0)
  }

  /// The time after which a lease is renewed, in seconds. It is short enough to show progress.
  /// Writing a lease for each frame would keep a network disk busy.
  static let interval = 1.0
  /// From this age on, in seconds, a lease from another host counts as left behind by a dead
  /// process. This is far more than the interval, because the clocks of hosts differ.
  private static let patience = 60.0
  /// How far in the future the time of another host's lease may be, in seconds. No clock should be
  /// wrong by more than this.
  private static let clockDifference = 3600.0

  /// A lease may have at most this many bytes.
  private static let longest = 1 << 16

  /// Whether the process is still working, as far as this host can tell.
  package var isHeld: Bool {
    if host == ProcessInfo.processInfo.hostName {
      // Signal 0 only asks whether the process exists. EPERM means that the process exists but
      // belongs to another user.
      return kill(process, 0) == 0 || errno == EPERM
    }
    let age = Date().timeIntervalSince1970 - updated
    return age < Self.patience && age > -Self.clockDifference
  }

  /// Reads a lease; `nil` if there is none, or if a field has a value that no process writes.
  init?(path: String) {
    guard let bytes = try? OpenFile.ownBytes(of: path, upTo: Self.longest, isShared: true),
      let lease = try? JSONDecoder().decode(SegmentLease.self, from: Data(bytes)),
      Self.wholeBounds.fault(in: lease) == nil, Self.realBounds.fault(in: lease) == nil
    else { return nil }
    self = lease
  }
}

/// The bounds of a lease's fields.
extension SegmentLease {
  private typealias Whole = FieldBounds<SegmentLease, Int64>
  private typealias Real = FieldBounds<SegmentLease, Double>

  /// Bounds of integers, and of the lengths of texts.
  static let wholeBounds: [FieldBounds<SegmentLease, Int64>] = [
    .text("host", 1...255) { [$0.host] },
    // Linux numbers processes from 1 to 2^22. With 0 or a negative number, `kill` would ask about a
    // group of processes.
    Whole("process", 1...1 << 22) { [Int64($0.process)] },
    .count("frames", 0...SegmentJob.mostFrames) { [$0.frames] },
  ]

  /// Bounds of times, in seconds since 1970.
  static let realBounds: [FieldBounds<SegmentLease, Double>] = [
    Real("started", 0...1e11) { [$0.started] },
    Real("updated", 0...1e11) { [$0.updated] },
  ]
}

/// Writes a lease, renews it, and removes it at the end.
final class LeaseHolder: Sendable {
  private let lease = Mutex(SegmentLease())
  private let folder: JobFolder
  private let path: String

  init(_ folder: JobFolder, number: Int) {
    self.folder = folder
    path = folder.leasePath(number)
    write()
  }

  /// Counts an encoded frame.
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

  /// Starts counting from zero again, because the frames are encoded once more.
  func restart() { lease.withLock { $0.frames = 0 } }

  private func write() {
    // If a lease cannot be written, the progress is not shown, but nothing else is lost.
    guard let data = try? JSONEncoder().encode(lease.withLock { $0 }) else { return }
    try? folder.replace(path, with: Array(data))
  }

  /// Removes the lease if it still belongs to this process.
  func release() {
    let own = lease.withLock { $0 }
    // Another process may be encoding the same segment, and may have put its own lease here.
    guard let lease = SegmentLease(path: path), lease.host == own.host,
      lease.process == own.process
    else { return }
    _ = unsafe unlink(path.systemBytes)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Host
package import MediaCore

/// Makes none, one or several frames from each frame, in presentation order, on one thread at a
/// time.
package protocol FrameShaper: AnyObject {
  /// Takes a frame and hands on the frames that are ready.
  func add(_ frame: VideoFrame, to next: FrameTaker) throws

  /// Hands on the remaining frames.
  func finish(to next: FrameTaker) throws

  /// Notices about the frames so far.
  var notices: [Notice] { get }
}

extension FrameShaper {
  var notices: [Notice] { [] }
}

/// A function that takes the next frame.
package typealias FrameTaker = (VideoFrame) throws -> Void

/// A chain of shapers. Each shaper takes the frames that the previous one hands on.
extension [any FrameShaper] {
  /// Notices of all shapers about the frames so far.
  package var notices: [Notice] { flatMap { $0.notices } }

  /// Takes a frame and hands on the frames that are ready.
  package func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    try add(frame, from: 0, to: next)
  }

  private func add(_ frame: VideoFrame, from index: Int, to next: FrameTaker) throws {
    guard index < count else { return try next(frame) }
    try self[index].add(frame) { try add($0, from: index + 1, to: next) }
  }

  /// Hands on the remaining frames of all shapers.
  package func finish(to next: FrameTaker) throws {
    // Finish in order, because the frames that a shaper still holds have to pass the later shapers
    // before those finish.
    for index in indices {
      try self[index].finish { try add($0, from: index + 1, to: next) }
    }
  }

  /// Takes frames from one queue, shapes them, and puts the results into another.
  package func run(_ decoded: BoundedQueue<VideoFrame>, _ shaped: BoundedQueue<VideoFrame>) throws {
    while let frame = try decoded.pop() { try add(frame) { try shaped.push($0) } }
    try finish { try shaped.push($0) }
    shaped.finish()
  }
}

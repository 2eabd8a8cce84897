// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import Host
package import MediaCore

/// A maker of frames from frames, none, one or several for each, in the order of presentation.
///
/// It is used by one thread at a time.
package protocol FrameShaper: AnyObject {
  /// Takes a frame; hands on those that have become ready.
  func add(_ frame: VideoFrame, to next: FrameTaker) throws

  /// Hands on the last frames.
  func finish(to next: FrameTaker) throws

  /// Notices about what came up with the frames so far.
  var notices: [Notice] { get }
}

extension FrameShaper {
  var notices: [Notice] { [] }
}

/// Function that takes the next frame.
package typealias FrameTaker = (VideoFrame) throws -> Void

/// Several shapers, each of which takes the frames that the one before hands on.
package final class FrameShapers {
  private let shapers: [any FrameShaper]

  package init(_ shapers: [any FrameShaper]) { self.shapers = shapers }

  /// Notices about what came up with the frames so far.
  package var notices: [Notice] { shapers.flatMap(\.notices) }

  /// Takes a frame; hands on those that have become ready.
  package func add(_ frame: VideoFrame, to next: FrameTaker) throws {
    try add(frame, from: 0, to: next)
  }

  private func add(_ frame: VideoFrame, from index: Int, to next: FrameTaker) throws {
    guard index < shapers.count else { return try next(frame) }
    try shapers[index].add(frame) { try add($0, from: index + 1, to: next) }
  }

  /// Hands on the last frames.
  package func finish(to next: FrameTaker) throws {
    for index in shapers.indices {
      try shapers[index].finish { try add($0, from: index + 1, to: next) }
    }
  }

  /// Shapes the frames of one queue into the other.
  package func run(_ decoded: BoundedQueue<VideoFrame>, _ shaped: BoundedQueue<VideoFrame>) throws {
    while let frame = try decoded.pop() { try add(frame) { try shaped.push($0) } }
    try finish { try shaped.push($0) }
    shaped.finish()
  }
}

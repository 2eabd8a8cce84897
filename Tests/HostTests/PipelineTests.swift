// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
@testable import Host
import Testing

@Suite struct PipelineTests {
  @Test func valuesArriveInOrderThroughASmallQueue() async throws {
    let pipeline = Pipeline()
    let queue = pipeline.queue(of: Int.self, capacity: 3)
    pipeline.start("make") {
      for value in 0..<1000 { try queue.push(value) }
      queue.finish()
    }
    let received = Received()
    pipeline.start("take") {
      while let value = try queue.pop() { received.append(value) }
    }
    try await pipeline.finish()
    #expect(received.values == Array(0..<1000))
  }

  private struct Broken: Error {}

  @Test func aFailureWakesEverybodyAndIsThrown() async {
    let pipeline = Pipeline()
    let queue = pipeline.queue(of: Int.self, capacity: 1)
    pipeline.start("make") { while true { try queue.push(1) } }
    pipeline.start("fail") { throw Broken() }
    await #expect(throws: Broken.self) { try await pipeline.finish() }
  }

  @Test func cancellingTheTaskEndsTheStages() async {
    let task = Task {
      let pipeline = Pipeline()
      let queue = pipeline.queue(of: Int.self, capacity: 1)
      pipeline.start("wait") { _ = try queue.pop() }
      try await pipeline.finish()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  private final class Received: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Int] = []
    var values: [Int] { lock.withLock { list } }
    func append(_ value: Int) { lock.withLock { list.append(value) } }
  }
}

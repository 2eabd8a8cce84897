// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

/// A value that is not `Sendable`, which only one thread at a time can use. Other threads wait
/// until the value is free.
package final class Exclusive<Value>: Sendable {
  private let value: Mutex<Value>

  /// Takes over a value. No other reference to it may exist.
  package init(_ value: consuming sending Value) { self.value = Mutex(value) }

  /// Runs `body` with the value. What `body` returns must not share state with the value.
  package func use<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try value.withLock(body)
  }
}

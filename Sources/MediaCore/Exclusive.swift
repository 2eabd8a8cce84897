// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

/// A value that is not `Sendable`, in the hands of one thread at a time: who uses it while another
/// does, waits.
package final class Exclusive<Value>: Sendable {
  private let value: Mutex<Value>

  /// Takes a value over; no other reference to it may exist.
  package init(_ value: consuming sending Value) { self.value = Mutex(value) }

  /// Uses the value, from which nothing is taken away that is not `Sendable`.
  package func use<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try value.withLock(body)
  }
}

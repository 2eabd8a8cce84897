// SPDX-License-Identifier: GPL-2.0-or-later
internal import Synchronization

/// A C object, and what frees it when its owner goes: also where an initializer throws halfway,
/// when no `deinit` of the class that holds it runs.
///
/// A class: optimized builds of Swift 6.3 leave out the `deinit` of a noncopyable structure with
/// `package` access that a class of another module holds (`Scripts/check-memory`).
@safe
package final class Owner<Pointer> {
  /// The object, valid as long as the owner is there.
  package let pointer: Pointer
  private let release: (Pointer) -> Void

  /// Takes an object over.
  ///
  /// - Parameter release: frees the object; it is called once.
  package init(_ pointer: Pointer, release: @escaping (Pointer) -> Void) {
    self.pointer = pointer
    self.release = release
  }

  deinit { release(pointer) }
}

/// A value that is not `Sendable`, in the hands of one thread at a time: who uses it while another
/// does, waits.
package final class Exclusive<Value>: Sendable {
  private let value: Mutex<Value>

  /// Takes a value over; nobody else has it.
  package init(_ value: consuming sending Value) { self.value = Mutex(value) }

  /// Uses the value, from which nothing is taken away that is not `Sendable`.
  package func use<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try value.withLock(body)
  }
}

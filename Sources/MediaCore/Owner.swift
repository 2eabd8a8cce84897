// SPDX-License-Identifier: GPL-2.0-or-later
/// Owns a C object, and frees it in `deinit`.
@safe
package final class Owner<Pointer> {
  // This is a class because of a bug in Swift 6.3: if a class of another module has a property
  // whose type is a noncopyable structure with `package` access, optimized builds leave out that
  // structure's `deinit` (`Scripts/check memory`). An owner also helps a class that throws halfway
  // through its initializer: the class's own `deinit` does not run, but each owner that was already
  // set still frees its object.
  /// The object, valid as long as the owner exists.
  package let pointer: Pointer
  private let release: (Pointer) -> Void

  /// Takes over an object.
  ///
  /// - Parameter release: frees the object. It is called once.
  package init(_ pointer: Pointer, release: @escaping (Pointer) -> Void) {
    self.pointer = pointer
    self.release = release
  }

  deinit { release(pointer) }
}

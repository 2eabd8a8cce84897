// SPDX-License-Identifier: GPL-2.0-or-later
/// Owns a C object and frees it at its end.
///
/// A class: optimized builds of Swift 6.3 leave out the `deinit` of a noncopyable structure with
/// `package` access that a class of another module holds (`Scripts/check memory`).
@safe
package final class Owner<Pointer> {
  // Optimized builds of Swift 6.3 leave out the `deinit` of a noncopyable structure with `package`
  // access that a class of another module holds, so this is a class (`Scripts/check memory`). If an
  // initializer throws halfway, the `deinit` of its class does not run, but the owners that are
  // already set run theirs.
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

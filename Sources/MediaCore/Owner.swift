// SPDX-License-Identifier: GPL-2.0-or-later
/// A C object, and what frees it when its owner goes: also where an initializer throws halfway,
/// when no `deinit` of the class that holds it runs.
///
/// A class: optimized builds of Swift 6.3 leave out the `deinit` of a noncopyable structure with
/// `package` access that a class of another module holds (`Scripts/check memory`).
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

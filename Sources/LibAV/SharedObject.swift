internal import CFFmpeg
internal import MediaCore

/// A C object that is complete, shared by all who read it and freed with the last of them.
@safe
final class SharedObject<Object>: @unchecked Sendable {
  // Sendable although it holds a pointer: who makes an object completes it before anybody else
  // gets it, and nobody changes it afterwards.
  private let owner: Owner<UnsafeMutablePointer<Object>>
  var pointer: UnsafeMutablePointer<Object> { unsafe owner.pointer }

  init(_ owner: consuming Owner<UnsafeMutablePointer<Object>>) {
    unsafe self.owner = unsafe owner
  }
}

/// How a signal of the BT.709 family (transfer 1, 6, 14, 15) is read as light.
///
/// The code points name the curve of a camera; what a frame looks like is decided by the display
/// that it was graded on, and readers differ in what they take that to be.
package enum SDRReading: String, Sendable, CaseIterable {
  /// A display of BT.1886: gamma 2.4. What the standards say, and the default.
  case bt1886
  /// What QuickTime and ColorSync make of it: gamma 1.961, close to the inverse of the camera
  /// curve.
  case quickTime
  /// Light of the scene, by the inverse of the camera curve (BT.709, 1.2).
  case scene

  /// The function.
  var transfer: ComponentTransfer {
    switch self {
    case .bt1886: .bt1886
    case .quickTime: .gamma(1.961)
    case .scene: .bt709Camera
    }
  }
}

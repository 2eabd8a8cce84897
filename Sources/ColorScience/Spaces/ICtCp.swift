// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints

/// ICtCp of BT.2100, table 7 (H.273, 8.3, matrix code point 14): intensity from 0 to 1, and the
/// blue-yellow and red-green differences Ct and Cp from −0.5 to 0.5.
///
/// The R'G'B' that this type takes and returns is an ordinary signal with BT.2020 primaries. Its
/// transfer function gives linear light (PQ: display light, HLG: scene light). The light is mixed
/// into L, M and S, the responses of the eye's cones, and these are coded by the same function.
package struct ICtCp: Hashable, Sendable {
  /// Matrix from linear R, G, B to L, M, S. The standard gives the numbers as integers over 4096.
  package static let rgbToLMS = Matrix3x3(
    Triple(1688, 2146, 262) / 4096, Triple(683, 2951, 462) / 4096, Triple(99, 309, 3688) / 4096)

  /// The transfer function of R'G'B' and of L'M'S'.
  package let transfer: ComponentTransfer
  /// Matrix from L', M', S' to I, Ct, Cp.
  package let lmsToICtCp: Matrix3x3

  /// Finds ICtCp for a system that has it, such as PQ and HLG. Returns `nil` for other functions.
  package init?(_ transfer: TransferCharacteristics) {
    // BT.2100 defines ICtCp only for its own two functions, with a matrix for each.
    guard let system = LightSystem(transfer), let matrix = system.lmsToICtCp else { return nil }
    self.init(system.transfer, matrix)
  }

  static let pq = ICtCp(.pq, PQ.lmsToICtCp)

  private init(_ transfer: ComponentTransfer, _ lmsToICtCp: Matrix3x3) {
    (self.transfer, self.lmsToICtCp) = (transfer, lmsToICtCp)
  }

  /// Converts R', G', B' to I, Ct, Cp.
  package func fromRGB(_ signal: Triple) -> Triple {
    let lms = Self.rgbToLMS * signal.componentwise(transfer.toLinear)
    return lmsToICtCp * lms.componentwise(transfer.toSignal)
  }

  /// Converts I, Ct, Cp to R', G', B'.
  package func toRGB(_ components: Triple) -> Triple {
    // Some values of I, Ct and Cp stand for light outside of BT.2020, whose components can be
    // negative. The transfer function limits them, as it limits all negative light.
    let lms = (lmsToICtCp.inverse * components).componentwise(transfer.toLinear)
    return (Self.rgbToLMS.inverse * lms).componentwise(transfer.toSignal)
  }
}

internal import CodePoints
internal import ColorTagging
internal import ISOBMFF

extension SampleEntry {
  /// What the boxes say of color and range, each for itself: `nclx` and `nclc` first, then what an
  /// ICC profile and QuickTime's `gama` say of what those leave open.
  var colorClaims: [SignalClaim] {
    let boxes = signals.isEmpty ? [SignalDescription()] : signals
    let isCut = colorInformation.contains { information in
      if case .nclx(_, nil) = information { true } else { false }
    }
    let note = "the box 'colr' (nclx) ends before its last byte: its range counts as unstated"
    var claims = boxes.map { SignalClaim(source: .container, signal: $0) }
    if isCut { claims[0].notes = [note] }
    claims += [profileClaim, gammaClaim].compactMap { $0 }.map { claim in
      var claim = claim
      for stated in signals.map(\.color) {
        if says(stated.colorPrimaries) { claim.signal.color.colorPrimaries = .unspecified }
        if says(stated.transferCharacteristics) {
          claim.signal.color.transferCharacteristics = .unspecified
        }
      }
      return claim
    }
    return claims
  }

  private func says<Point: CodePoint>(_ point: Point) -> Bool {
    point.isSpecified && !point.isReserved
  }

  private var profileClaim: SignalClaim? {
    guard let bytes = profile else { return nil }
    guard let profile = ICCProfile(bytes) else {
      return SignalClaim(
        source: .profile, signal: SignalDescription(),
        notes: ["the ICC profile of \(bytes.count) bytes cannot be read: it says nothing here"])
    }
    return SignalClaim(
      source: .profile, signal: SignalDescription(color: profile.color),
      notes: profile.unknown.map {
        ["the ICC profile\(profile.nameInQuotes) has \($0) that no number of H.273 stands for"]
      } ?? [])
  }

  private var gammaClaim: SignalClaim? {
    guard let gamma else { return nil }
    let transfer = TransferCharacteristics(gamma: gamma)
    return SignalClaim(
      source: .gamma,
      signal: SignalDescription(
        color: ColorDescription(.unspecified, transfer ?? .unspecified, .unspecified)),
      notes: transfer == nil
        ? ["the 'gama' atom says \(gamma), for which H.273 has no number: it says nothing here"]
        : [])
  }
}

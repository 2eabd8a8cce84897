/// Brings colors into a gamut at constant hue and lightness as the eye sees them: along lines of
/// constant hue and I of ICtCp (BT.2100, table 7), with a soft knee before the boundary.
///
/// With the chroma of the boundary as 1, chroma up to the knee stays; with a = 1 − knee and
/// d = 1 − chroma, beyond it d becomes a²/(2a − d), which continues the identity smoothly and never
/// reaches 0, so that differences between saturated colors remain.
///
/// Why ICtCp: with BT.2020's primaries other than blue, secondaries, orange and violet brought into
/// BT.709 at constant lightness, CAM16-UCS finds hue shifted by 1.9° on average; 2.2° with Oklab in
/// its place, 2.5° with CIELAB and IPT, 4.7° with linear light. For pure blues models differ by
/// 20°: ICtCp and Oklab agree with each other, CIELAB, whose lines of constant hue turn purple
/// there, and CAM16 do not.
public struct HueLinearGamut: Hashable, Sendable {
  /// The share of the boundary's chroma up to which colors stay as they are.
  public let knee: Double
  /// The luminance of the color 1, 1, 1, in cd/m².
  public let peakLuminance: Double

  private let ictcp: ICtCpLight
  private let whiteIntensity: Double

  /// A mapping into a space, whose white is shown with `peakLuminance` cd/m²; `knee` is limited to
  /// 0.5…0.99.
  public init(space: RGBSpace, peakLuminance: Double = 203, knee: Double = 0.95) {
    self.knee = min(max(knee, 0.5), 0.99)
    self.peakLuminance = peakLuminance
    ictcp = ICtCpLight(space: space)
    whiteIntensity = PQ.inverseEOTF(peakLuminance)
  }

  /// A linear color of the space (white: 1, 1, 1) inside the gamut. Lightness below black and above
  /// white becomes black and white.
  public func map(_ color: Triple) -> Triple {
    let limit = PQ.peakLuminance / peakLuminance
    let source = color.contained(in: -limit...limit)
    let signal = ictcp.signal(of: source * peakLuminance)
    guard signal.x > 1e-6 else { return .zero }
    guard signal.x < whiteIntensity else { return .one }
    let end = 1 / knee
    if margin(signal, end) >= 0 { return source.contained(in: 0...1) }
    let boundary = GamutBoundary.crossing(end: end) { margin(signal, $0) }
    guard boundary > 0 else { return gray(signal) }
    let room = 1 - knee
    let distance = 1 - 1 / boundary
    let chroma = 1 - room * room / (2 * room - distance)
    return self.color(signal, boundary * chroma).contained(in: 0...1)
  }

  /// The linear color with a share of a signal's chroma.
  private func color(_ signal: Triple, _ share: Double) -> Triple {
    ictcp.light(of: Triple(signal.x, signal.y * share, signal.z * share)) / peakLuminance
  }

  private func gray(_ signal: Triple) -> Triple {
    Triple(repeating: min(PQ.eotf(signal.x) / peakLuminance, 1))
  }

  private func margin(_ signal: Triple, _ share: Double) -> Double {
    GamutBoundary.margin(color(signal, share))
  }
}

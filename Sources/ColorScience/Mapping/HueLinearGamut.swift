/// Brings colors into a gamut at constant hue and lightness as the eye sees them: along lines of
/// constant hue and lightness of Oklab (B. Ottosson, 2020), with a soft knee before the boundary.
///
/// With the chroma of the boundary as 1, chroma up to the knee stays; with a = 1 − knee and
/// d = 1 − chroma, beyond it d becomes a²/(2a − d), which continues the identity smoothly and never
/// reaches 0, so that differences between saturated colors remain.
///
/// Near blue a gamut's faces bend inward: on its way to blue itself a line of constant hue passes
/// through slightly negative red. What lies outside by no more than ``tolerance`` therefore counts
/// as inside (and is limited in the end), and what a color demands that is outside by little more is
/// faded in, so that neighboring colors are never treated differently.
///
/// Why Oklab: with BT.2020's primaries other than blue, secondaries, orange and violet brought into
/// BT.709 at constant lightness, CAM16-UCS finds hue shifted by 2.2° on average; 1.9° with ICtCp in
/// its place, 2.5° with CIELAB and IPT, 4.7° with linear light. Of the two best, Oklab is the one
/// whose way back to light needs no powers. For pure blues models differ by 20°: Oklab and ICtCp
/// agree with each other, CIELAB, whose lines of constant hue turn purple there, and CAM16 do not.
public struct HueLinearGamut: Hashable, Sendable {
  /// The share of the boundary's chroma up to which colors stay as they are.
  public let knee: Double
  /// From the space's linear R, G, B to the cones' L, M, S, with white as 1, 1, 1.
  public let rgbToLMS: Matrix3x3
  /// Back.
  public let lmsToRGB: Matrix3x3

  /// How far outside of 0…1 a component counts as inside, in linear light.
  public static let tolerance = 0.0005

  /// The contributions of the cube roots of L, M and S to lightness.
  public static let lightnessWeights = Triple(0.2104542553, 0.793617785, -0.0040720468)

  /// From X, Y, Z to L, M, S, white being that of D65.
  private static let xyzToLMS = Matrix3x3(
    [0.8189330101, 0.3618667424, -0.1288597137], [0.0329845436, 0.9293118715, 0.0361456387],
    [0.0482003018, 0.2643662691, 0.633851707])

  /// A mapping into a space; `knee` is limited to 0.5…0.99.
  public init(space: RGBSpace, knee: Double = 0.95) {
    self.knee = min(max(knee, 0.5), 0.99)
    let matrix = Self.xyzToLMS * space.toXYZ
    // The space's own white is to have no hue, to the last digit.
    rgbToLMS = .diagonal(.one / (matrix * .one)) * matrix
    lmsToRGB = rgbToLMS.inverse
  }

  /// A linear color of the space (white: 1, 1, 1) inside the gamut. Lightness below black and above
  /// white becomes black and white.
  public func map(_ color: Triple) -> Triple {
    let source = color.contained(in: -100...100)
    let roots = (rgbToLMS * source).componentwise { signedPower($0, 1.0 / 3) }
    let lightness = (roots * Self.lightnessWeights).sum()
    guard lightness > 1e-6 else { return .zero }
    guard lightness < 1 else { return .one }
    let chroma = roots - lightness
    let end = 1 / knee
    func margin(_ share: Double) -> Double {
      GamutBoundary.margin(self.color(lightness, chroma * share)) + Self.tolerance
    }
    let excess = -margin(end)
    if excess <= 0 { return source.contained(in: 0...1) }
    let fade = min(excess / (3 * Self.tolerance), 1)
    let boundary = end - (end - GamutBoundary.halving(end: end, margin)) * fade
    let room = 1 - knee
    let distance = 1 - 1 / boundary
    let share = boundary * (1 - room * room / (2 * room - distance))
    return self.color(lightness, chroma * share).contained(in: 0...1)
  }

  /// The linear color of a lightness and of the cube roots' distances from it.
  private func color(_ lightness: Double, _ chroma: Triple) -> Triple {
    let roots = chroma + lightness
    return lmsToRGB * (roots * roots * roots)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
public import CodePoints

/// How many chroma samples there are compared with luma samples, horizontally and vertically.
public enum ChromaSubsampling: String, Sendable, CaseIterable {
  /// Luma without chroma.
  case cs400 = "4:0:0"
  /// Half as many chroma samples as luma samples in both directions.
  case cs420 = "4:2:0"
  /// Half as many chroma samples as luma samples horizontally, and equally many vertically.
  case cs422 = "4:2:2"
  /// As many chroma samples as luma samples. R'G'B' counts as 4:4:4, too.
  case cs444 = "4:4:4"

  /// Base-two logarithm of the horizontal subsampling factor.
  public var horizontalShift: Int { self == .cs420 || self == .cs422 ? 1 : 0 }
  /// Base-two logarithm of the vertical subsampling factor.
  public var verticalShift: Int { self == .cs420 ? 1 : 0 }
}

/// The layout of a frame's samples in memory.
///
/// Components are Y', Cb, Cr. With the matrix coefficients "identity", the planes contain G', B',
/// R' (H.273, 8.3, equations for `MatrixCoefficients` 0).
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// Which components share a plane.
  public enum Layout: String, Sendable, CaseIterable {
    /// A plane for each component. A sample is a byte, or the low bits of a native-endian 16-bit
    /// word.
    case planar
    /// A plane of luma and one of chroma, Cb before Cr. A sample is a byte, or the high bits of a
    /// 16-bit word, as in Core Video's `420v` and `x420`.
    case biPlanar = "bi-planar"
    /// One plane of R, G, B and opacity, each a half-precision number: Core Video's `RGhA`. 1 is
    /// white. In linear light, 1 is also the reference white of HDR.
    case halfRGBA = "half-float RGBA"
    /// One plane of R, G, B and opacity, each a byte or a native-endian 16-bit word of full range:
    /// Core Video's `RGBA` and `l64r`. 0 is black, and the largest number is white.
    case rgba = "RGBA"
    /// One plane of B, G, R and opacity, each a byte of full range: Core Video's `BGRA`.
    case bgra = "BGRA"

    /// Whether a pixel's R, G, B and opacity are next to each other in memory.
    package var isRGBA: Bool {
      switch self {
      case .planar, .biPlanar: false
      case .halfRGBA, .rgba, .bgra: true
      }
    }
  }

  /// Bits of each sample, 8…16.
  public let bitDepth: Int
  /// How many chroma samples there are compared with luma samples.
  public let chromaSubsampling: ChromaSubsampling
  /// Which components share a plane.
  public let layout: Layout

  /// Makes a format from its parts; `nil` if there is no such format. Planar formats have 8 to 16
  /// bits, and bi-planar ones also need chroma. Formats with opacity are 4:4:4: half floats with 16
  /// bits, RGBA with 8 or 16, and BGRA with 8.
  ///
  /// - Parameter bitDepth: bits of each sample.
  public init?(bitDepth: Int, chromaSubsampling: ChromaSubsampling, layout: Layout) {
    let isGray = chromaSubsampling == .cs400
    let isWhole = chromaSubsampling == .cs444
    let exists =
      switch layout {
      case .planar: (8...16).contains(bitDepth)
      case .biPlanar: (8...16).contains(bitDepth) && !isGray
      case .halfRGBA: bitDepth == 16 && isWhole
      case .rgba: [8, 16].contains(bitDepth) && isWhole
      case .bgra: bitDepth == 8 && isWhole
      }
    guard exists else { return nil }
    (self.bitDepth, self.chromaSubsampling) = (bitDepth, chromaSubsampling)
    self.layout = layout
  }

  /// Makes a format of integers with a valid depth.
  ///
  /// - Parameters:
  ///   - bitDepth: bits of each sample, 8…16.
  ///   - isBiPlanar: whether the chroma components share a plane.
  package init(bitDepth: Int, chromaSubsampling: ChromaSubsampling, isBiPlanar: Bool = false) {
    precondition((8...16).contains(bitDepth), "samples have 8 to 16 bits")
    precondition(!isBiPlanar || chromaSubsampling != .cs400, "gray has one plane")
    self.bitDepth = bitDepth
    self.chromaSubsampling = chromaSubsampling
    layout = isBiPlanar ? .biPlanar : .planar
  }

  private init(_ layout: Layout, bitDepth: Int) {
    (self.bitDepth, chromaSubsampling, self.layout) = (bitDepth, .cs444, layout)
  }

  /// 8-bit 4:2:0 in three planes: `y420`.
  public static let yuv420p8 = PixelFormat(bitDepth: 8, chromaSubsampling: .cs420)
  /// 10-bit 4:2:0 in three planes.
  public static let yuv420p10 = PixelFormat(bitDepth: 10, chromaSubsampling: .cs420)
  /// 8-bit 4:2:0 in two planes: `420v`, or with full range `420f`.
  public static let biPlanar420p8 = PixelFormat(
    bitDepth: 8, chromaSubsampling: .cs420, isBiPlanar: true)
  /// 10-bit 4:2:0 in two planes: `x420`, or with full range `xf20`.
  public static let biPlanar420p10 = PixelFormat(
    bitDepth: 10, chromaSubsampling: .cs420, isBiPlanar: true)
  /// Half-precision R, G, B and opacity: `RGhA`.
  public static let halfRGBA = PixelFormat(.halfRGBA, bitDepth: 16)
  /// R, G, B and opacity of 8 bits: `RGBA`.
  public static let rgba8 = PixelFormat(.rgba, bitDepth: 8)
  /// R, G, B and opacity of 16 bits: `l64r`.
  public static let rgba16 = PixelFormat(.rgba, bitDepth: 16)
  /// B, G, R and opacity of 8 bits, as screens take them: `BGRA`.
  public static let bgra8 = PixelFormat(.bgra, bitDepth: 8)

  /// The format with the same samples and a plane for each component. Half floats become R'G'B' of
  /// 16 bits.
  public var planar: PixelFormat {
    PixelFormat(bitDepth: bitDepth, chromaSubsampling: chromaSubsampling)
  }

  /// The number of bytes that one sample takes: 1 or 2.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
  /// The number of components, without opacity: 1 or 3.
  public var componentCount: Int { chromaSubsampling == .cs400 ? 1 : 3 }
  /// The number of planes: 1, 2 or 3.
  public var planeCount: Int {
    switch layout {
    case .planar: componentCount
    case .biPlanar: 2
    case .halfRGBA, .rgba, .bgra: 1
    }
  }

  /// Returns the number of bytes from one position in a row of a plane to the next.
  package func bytesPerPosition(ofPlane plane: Int) -> Int {
    switch layout {
    case .planar: bytesPerSample
    case .biPlanar: plane == 0 ? bytesPerSample : 2 * bytesPerSample
    case .halfRGBA, .rgba, .bgra: 4 * bytesPerSample
    }
  }

  /// Returns the size of a plane of a frame with `width` × `height` luma samples. Odd sizes round
  /// up.
  public func planeSize(_ plane: Int, width: Int, height: Int) -> VideoDimensions {
    guard plane > 0 else { return VideoDimensions(width: width, height: height) }
    // If a side is odd, its last column or row still has chroma samples, so halving rounds up.
    func half(_ side: Int, _ shift: Int) -> Int { (side >> shift) + (side & shift) }
    return VideoDimensions(
      width: half(width, chromaSubsampling.horizontalShift),
      height: half(height, chromaSubsampling.verticalShift))
  }

  /// Returns where a component is in memory.
  ///
  /// - Returns: the plane, the number of bytes before the component's first value in a row, and the
  ///   distance from one of its values to the next, counted in values.
  package func place(ofComponent component: Int) -> (plane: Int, offset: Int, stride: Int) {
    switch layout {
    case .planar: (component, 0, 1)
    case .biPlanar where component == 0: (0, 0, 1)
    case .biPlanar: (1, (component - 1) * bytesPerSample, 2)
    // Components are counted as G, B, R, the order of planes under the "identity" matrix.
    case .halfRGBA, .rgba: (0, [1, 2, 0][component] * bytesPerSample, 4)
    case .bgra: (0, [1, 0, 2][component] * bytesPerSample, 4)
    }
  }

  /// Depth, subsampling and layout as text: `10 bit 4:2:0`, `10 bit 4:2:0 bi-planar`.
  public var description: String {
    switch layout {
    case .planar: "\(bitDepth) bit \(chromaSubsampling.rawValue)"
    case .biPlanar: "\(bitDepth) bit \(chromaSubsampling.rawValue) \(layout.rawValue)"
    case .halfRGBA: layout.rawValue
    case .rgba, .bgra: "\(bitDepth) bit \(layout.rawValue)"
    }
  }
}

/// How horizontally and vertically fewer chroma samples there are than luma samples.
public enum ChromaSubsampling: String, Sendable, CaseIterable {
  /// Luma only.
  case cs400 = "4:0:0"
  /// Half as many in both directions.
  case cs420 = "4:2:0"
  /// Half as many horizontally.
  case cs422 = "4:2:2"
  /// As many as luma samples; also R'G'B'.
  case cs444 = "4:4:4"

  /// Base-two logarithm of the horizontal subsampling factor.
  public var horizontalShift: Int { self == .cs420 || self == .cs422 ? 1 : 0 }
  /// Base-two logarithm of the vertical subsampling factor.
  public var verticalShift: Int { self == .cs420 ? 1 : 0 }
}

/// How a picture's samples lie in memory: one plane for each component, each sample in one byte
/// (8 bits) or in the low bits of a native-endian 16-bit word (9 to 16 bits).
///
/// Components are Y', Cb, Cr; with matrix coefficients "identity" the same planes hold G', B', R'
/// (H.273, 8.3, equations for `MatrixCoefficients` 0).
public struct PixelFormat: Hashable, Sendable, CustomStringConvertible {
  /// Bits of each sample, 8…16.
  public let bitDepth: Int
  /// Chroma subsampling.
  public let chromaSubsampling: ChromaSubsampling

  /// A planar format.
  ///
  /// - Parameter bitDepth: bits of each sample, 8…16.
  public init(bitDepth: Int, chromaSubsampling: ChromaSubsampling) {
    precondition((8...16).contains(bitDepth), "samples have 8 to 16 bits")
    self.bitDepth = bitDepth
    self.chromaSubsampling = chromaSubsampling
  }

  /// 8-bit 4:2:0.
  public static let yuv420p8 = PixelFormat(bitDepth: 8, chromaSubsampling: .cs420)
  /// 10-bit 4:2:0.
  public static let yuv420p10 = PixelFormat(bitDepth: 10, chromaSubsampling: .cs420)

  /// Bytes that one sample takes: 1 or 2.
  public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }
  /// The number of planes: 1 or 3.
  public var planeCount: Int { chromaSubsampling == .cs400 ? 1 : 3 }

  /// The samples of a plane of a picture of `width` × `height` luma samples; odd sizes round up.
  public func planeSize(_ plane: Int, width: Int, height: Int) -> (width: Int, height: Int) {
    guard plane > 0 else { return (width, height) }
    let x = chromaSubsampling.horizontalShift
    let y = chromaSubsampling.verticalShift
    return ((width + (1 << x) - 1) >> x, (height + (1 << y) - 1) >> y)
  }

  /// Depth and subsampling, for people: `10 bit 4:2:0`.
  public var description: String { "\(bitDepth) bit \(chromaSubsampling.rawValue)" }
}

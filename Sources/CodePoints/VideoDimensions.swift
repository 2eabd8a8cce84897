/// The size of a frame, as Core Media's `CMVideoDimensions`.
public struct VideoDimensions: Hashable, Sendable {
  /// Luma samples in a row.
  public var width: Int
  /// Luma rows.
  public var height: Int

  /// A size from its sides, in luma samples.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The same size lying on its other side.
  public var transposed: VideoDimensions { VideoDimensions(width: height, height: width) }
}

extension VideoDimensions: CustomStringConvertible {
  /// Width and height: `1920×1080`.
  public var description: String { "\(width)×\(height)" }
}

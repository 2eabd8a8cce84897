internal import CodePoints
internal import Dispatch
public import MediaCore

/// Converts pictures by a plan.
///
/// A picture is cut into stripes of rows that are converted side by side; the result does not
/// depend on where it is cut.
public final class FrameConverter: Sendable {
  /// The plan.
  public let plan: ConversionPlan

  private let pool: PixelBufferPool
  private let kernel: StripeKernel

  /// A converter for pictures of one size.
  ///
  /// - Parameters:
  ///   - plan: a plan that is not the identity.
  ///   - width: luma samples in a row.
  ///   - height: luma rows.
  public init(plan: ConversionPlan, width: Int, height: Int) {
    self.plan = plan
    pool = PixelBufferPool(format: plan.target.format, width: width, height: height)
    kernel = StripeKernel(plan: plan, width: width, height: height)
  }

  /// A picture by the plan. Its signal is the plan's target, with the range and chroma location of
  /// the source where the target does not state them; static HDR metadata is kept only where the
  /// result is HDR.
  ///
  /// - Parameter source: a picture of the plan's source format and of the converter's size.
  public func convert(_ source: PixelBuffer) -> PixelBuffer {
    precondition(
      source.format == plan.source.format && source.width == pool.width
        && source.height == pool.height, "the picture is of the format that was planned for")
    let stripes = kernel.stripes
    return unsafe pool.makeBuffer(attachments: attachments(source)) { planes in
      DispatchQueue.concurrentPerform(iterations: stripes.count) { index in
        unsafe kernel.convert(source, into: planes, chromaLines: stripes[index])
      }
    }
  }

  private func attachments(_ source: PixelBuffer) -> Attachments {
    // Metadata of this picture's code values stays true where they do.
    var result = plan.keepsCodeValues ? source.attachments : source.attachments.propagated
    result.signal.color = plan.target.signal.color
    if let full = plan.target.signal.videoFullRangeFlag { result.signal.videoFullRangeFlag = full }
    if let location = plan.target.signal.chromaLocation { result.signal.chromaLocation = location }
    if !plan.target.signal.color.transferCharacteristics.isHDR {
      result.masteringDisplay = nil
      result.contentLightLevel = nil
      result.ambientViewingEnvironment = nil
    }
    return result
  }
}

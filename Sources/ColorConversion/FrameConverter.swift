// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
package import ColorScience
internal import Dispatch
internal import FoundationEssentials
package import MediaCore
internal import Synchronization

/// Converts frames according to a plan. Stripes of rows are converted in parallel, and the result
/// does not depend on where the stripes begin and end.
package final class FrameConverter: Sendable {
  /// What is done to each frame.
  package let plan: ConversionPlan

  private let pool: PixelBufferPool
  /// One kernel for whole frames, or one for each field.
  private let kernels: [StripeKernel]
  /// Meters for the surroundings of pixels, one for each kernel. Empty if no operation needs
  /// surroundings.
  private let meters: [SurroundingsMeter]
  /// The operations of the plan as it is, for frames that come with neither light nor reshaping nor
  /// a tone map.
  private let operations: OperationBuffer
  /// The operations that were fitted last, and what they were fitted to.
  private let fitted = Exclusive(Latest<Fitting, OperationBuffer>())
  /// The operations that measure surroundings, and the reshaping for which they were made last.
  private let metering = Exclusive(Latest<SignalReshaping?, OperationBuffer?>())
  /// The memory of each worker. It is allocated when the worker first needs it.
  private let memory: [Exclusive<StripeMemory?>]

  /// Makes a converter for frames of one size.
  ///
  /// - Parameters:
  ///   - plan: a plan that is not the identity.
  ///   - width: luma samples in a row.
  ///   - height: luma rows.
  package convenience init(plan: ConversionPlan, width: Int, height: Int) {
    self.init(plan: plan, width: width, height: height, instructionSet: .current)
  }

  init(
    plan: ConversionPlan, width: Int, height: Int, instructionSet: InstructionSet,
    workerCount: Int? = nil, operations: OperationBuffer? = nil
  ) {
    self.plan = plan
    pool = PixelBufferPool(plan.target.format, width: width, height: height)
    self.operations = operations ?? OperationBuffer(OperationList(plan))
    let lines = FrameLines.parts(
      isInterlaced: plan.source.isInterlaced, [plan.source.format, plan.target.format],
      width: width, height: height)
    kernels = lines.map { lines in
      StripeKernel(plan: plan, width: width, height: height, lines: lines, instructionSet)
    }
    meters = lines.compactMap { lines in
      SurroundingsMeter(plan, width: width, height: height, lines: lines, instructionSet)
    }
    // With error diffusion, each row needs the errors of the row above, so a single worker has to
    // go from top to bottom.
    let workerCount =
      plan.dither == .errorDiffusion
      ? 1 : workerCount ?? ProcessInfo.processInfo.activeProcessorCount
    memory = (0..<workerCount).map { _ in Exclusive(nil) }
  }

  /// Converts a frame. The result has the color of the plan's target. Its range and its chroma
  /// location are the target's, or the source's if the target declares none. But if chroma was
  /// resampled to 4:2:2 and the target declares no chroma location, the result has no chroma
  /// location. Static HDR metadata stays only if the result is HDR.
  ///
  /// - Parameters:
  ///   - source: a frame of the plan's source format and of the converter's size.
  ///   - light: the light that the tone curve is fitted to, or `nil` to use the plan's curve
  ///     unchanged.
  ///   - reshaping: how the frame's base layer becomes light, if the plan reshapes.
  ///   - toneMap: the frame's own tone map, or `nil` for the plan's. It is used only if the plan
  ///     maps frames by the tone maps that they carry.
  package func convert(
    _ source: PixelBuffer, light: ShotLight? = nil, reshaping: SignalReshaping? = nil,
    toneMap: HeadroomAdaptiveToneMap? = nil
  ) -> PixelBuffer {
    precondition(
      source.format == plan.source.format && source.width == pool.width
        && source.height == pool.height, "the frame has the planned format and size")
    let operations = operations(
      for: Fitting(
        light: plan.measuresLight ? light : nil, reshaping: reshaping,
        toneMap: plan.followsAuthor ? toneMap : nil))
    let surroundings = surroundings(in: source, light, reshaping)
    let stripes = kernels.indices.flatMap { kernel in
      Self.stripes(kernels[kernel].chromaLineCount, memory.count).map { (kernel, $0) }
    }
    return unsafe pool.makeBuffer(attachments: attachments(source)) { planes in
      sideBySide(stripes.count) { index, work in
        let (kernel, lines) = stripes[index]
        // Rounding errors of the previous frame or field must not be carried over into this one.
        if memory.count == 1 && lines.lowerBound == 0 { work.clearErrors() }
        unsafe kernels[kernel].convert(
          source, into: planes, chromaLines: lines, operations,
          surroundings.isEmpty ? nil : surroundings[kernel], work)
      }
    }
  }

  /// Returns the surroundings of pixels: one value for a whole frame, or one for each field. Empty
  /// if no operation needs surroundings.
  private func surroundings(
    in source: PixelBuffer, _ light: ShotLight?, _ reshaping: SignalReshaping?
  ) -> [Surroundings] {
    guard !meters.isEmpty else { return [] }
    let fitted = plan.measuresLight ? light.map(plan.fitted(to:)) ?? plan : plan
    guard let map = fitted.toneMap, let curve = fitted.toneCurve,
      let operations = metering.use({ latest in
        latest.value(for: reshaping) {
          SurroundingsMeter.operations(of: reshaping.map(plan.reshaped(by:)) ?? plan)
        }
      })
    else { return [] }
    return meters.map { meter in
      // Each piece of work is one row of cells, so sums do not depend on how threads share the
      // rows.
      let rows = (0..<meter.grid.rows).map { _ in Exclusive([SIMD3<Double>]()) }
      sideBySide(rows.count) { row, work in
        let sums = meter.sums(source, row: row, by: operations, peak: curve.sourcePeak, work)
        rows[row].use { $0 = sums }
      }
      let sums = rows.flatMap { row in row.use { $0 } }
      return Surroundings(meter.grid, sums: sums, map, curve)
    }
  }

  /// Does `count` pieces of work on all threads. Each thread has its own memory.
  private func sideBySide(_ count: Int, _ work: @Sendable (Int, StripeMemory) -> Void) {
    let next = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: memory.count) { worker in
      memory[worker].use { slot in
        let room = slot ?? StripeMemory(width: pool.width)
        slot = room
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < count else { break }
          work(index, room)
        }
      }
    }
  }

  /// What changes the operations from one frame to the next.
  private struct Fitting: Equatable {
    var light: ShotLight?
    var reshaping: SignalReshaping?
    var toneMap: HeadroomAdaptiveToneMap?
  }

  private func operations(for frame: Fitting) -> OperationBuffer {
    guard frame != Fitting() else { return operations }
    return fitted.use { latest in
      latest.value(for: frame) {
        var fitted = plan
        if let light = frame.light { fitted = fitted.fitted(to: light) }
        if let reshaping = frame.reshaping { fitted = fitted.reshaped(by: reshaping) }
        if let toneMap = frame.toneMap { fitted = fitted.authored(by: toneMap) }
        return OperationBuffer(OperationList(fitted))
      }
    }
  }

  /// Cuts rows into stripes of equal height.
  private static func stripes(_ lines: Int, _ workerCount: Int) -> [Range<Int>] {
    // Each worker gets several stripes, so that all workers end at about the same time. But stripes
    // must not have too few rows: filters also need rows above and below a stripe, and these rows
    // are computed again for each stripe.
    let count = workerCount == 1 ? 1 : max(min(lines / 32, workerCount * 4), 1)
    return (0..<count).map { lines * $0 / count..<lines * ($0 + 1) / count }
  }

  private func attachments(_ source: PixelBuffer) -> Attachments {
    // Metadata about this frame's code values stays true only if the code values stay the same.
    var result = plan.keepsCodeValues ? source.attachments : source.attachments.propagated
    result.signal.color = plan.target.signal.color
    if let full = plan.target.signal.videoFullRangeFlag { result.signal.videoFullRangeFlag = full }
    if let location = plan.target.signal.chromaLocation {
      result.signal.chromaLocation = location
    } else if plan.target.format.chromaSubsampling == .cs422 && !plan.isPlanewise {
      // Chroma was resampled to positions of luma samples. 4:2:2 without a tag means these
      // positions.
      result.signal.chromaLocation = nil
    }
    // The mastering display and light levels of HDR are not true for SDR.
    if !plan.target.signal.color.transferCharacteristics.isHDR {
      result.staticHDRMetadata = StaticHDRMetadata()
    }
    return result
  }
}

/// The value that was made last, and its key. The frames of a shot come one after the other, so one
/// value is enough.
private struct Latest<Key: Equatable, Value> {
  private var latest: (key: Key, value: Value)?

  mutating func value(for key: Key, _ make: () -> Value) -> Value {
    if let latest, latest.key == key { return latest.value }
    let value = make()
    latest = (key, value)
    return value
  }
}

extension FrameMetadata {
  private static var reshapingKey: String { "pendingReshaping" }

  /// The reshaping that the frame still needs, if its samples are those of a Dolby Vision base
  /// layer. The signal that the frame declares is already that of the reshaped frame.
  package var pendingReshaping: SignalReshaping? {
    get { value(Self.reshapingKey) as? SignalReshaping }
    set { set(nil, newValue, for: Self.reshapingKey) }
  }
}

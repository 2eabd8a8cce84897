// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import ColorConversion
internal import ColorTagging
internal import Host
internal import LibAV
internal import MediaCore

/// How frames are turned, so that the output needs no matrix for display.
struct RotationPlan: Sendable {
  let orientation: Orientation
  /// The size of the frames before they are turned.
  let size: VideoDimensions
  /// The format in which frames are turned.
  let format: PixelFormat
  // A turn may move chroma samples to positions that no chroma location of H.273 describes. In that
  // case, the frames are converted to 4:4:4 first.
  /// The conversion before the turn, if one is needed.
  let conversion: ConversionPlan?
  /// The chroma location after the turn, or `nil` if it does not change.
  private let chromaLocation: ChromaLocation?

  /// - Returns: `nil` if no matrix turns the frames, or if the matrix does more than mirror them or
  ///   turn them by quarter turns.
  /// - Throws: ``TranscodingError`` of kind `unusableInput` if interlaced frames would be turned on
  ///   their side.
  init?(of source: FrameSource) throws {
    guard source.isTurnedByMatrix, let matrix = source.matrix.flatMap(DisplayMatrix.init),
      matrix.isQuarterTurnOrMirror
    else { return nil }
    let facts = source.facts
    orientation = Orientation(matrix: source.matrix)
    size = facts.size
    if facts.fieldOrder != .progressive, orientation.turn.swapsAxes {
      throw TranscodingError(
        .unusableInput,
        "its frames are interlaced and cannot be turned on their side, because rows of fields "
          + "cannot become columns: use video.deinterlace 'auto', or video.rotation 'keep'")
    }
    let signal = facts.tags.signal
    let old = signal.chromaLocation ?? .left
    let new = old.turned(orientation.turn, facts.format.chromaSubsampling, facts.size)
    guard new == nil else {
      (format, conversion) = (facts.format, nil)
      chromaLocation = facts.format.chromaSubsampling == .cs420 && new != old ? new : nil
      return
    }
    format = PixelFormat(bitDepth: facts.format.bitDepth, chromaSubsampling: .cs444)
    chromaLocation = nil
    var target = signal
    target.chromaLocation = nil
    var options = ConversionOptions()
    // Depth stays the same, so dithering would only add noise that costs bits.
    options.dither = ConversionOptions.Dither.none
    conversion = try ConversionPlan(
      from: FrameDescription(
        signal: signal, format: facts.format, isInterlaced: facts.fieldOrder != .progressive),
      to: FrameDescription(signal: target, format: format), options: options)
  }

  /// The step as text.
  var step: String {
    "turn to \(orientation.turned(size))"
      + (conversion == nil
        ? "" : ", in 4:4:4, because no chroma location describes the turned chroma")
  }

  /// Changes a description of frames to describe the turned frames.
  func change(_ frameSource: inout FrameSource) {
    let (turn, facts) = (orientation.turn, frameSource.facts)
    // If the number of rows is even, the last row belongs to the bottom field. Reversing the rows
    // makes it the first row.
    let swapsFields = turn.reversesRows && size.height % 2 == 0
    let fields: FieldOrder =
      switch facts.fieldOrder {
      case .topFirst where swapsFields: .bottomFirst
      case .bottomFirst where swapsFields: .topFirst
      default: facts.fieldOrder
      }
    frameSource.facts = facts.changed(
      size: orientation.turned(size), format: format, fieldOrder: fields,
      chromaLocation: chromaLocation)
    // The matrix has been applied. If it stayed, it would turn the frames again.
    frameSource.matrix = nil
    frameSource.cleanAperture = frameSource.cleanAperture.map(orientation.inPicture)
    frameSource.withoutBars = frameSource.withoutBars.map { orientation.inPicture($0, frame: size) }
    if turn.swapsAxes {
      frameSource.sampleAspectRatio = frameSource.sampleAspectRatio?.transposed
    }
  }
}

extension FrameSource {
  /// Whether a matrix changes how the frames are shown.
  var isTurnedByMatrix: Bool {
    matrix.flatMap(DisplayMatrix.init).map { $0.rotation != 0 } ?? false
  }
}

extension ChromaLocation {
  /// Returns the chroma location in turned frames.
  ///
  /// - Returns: `nil` if no chroma location describes the result, or if 4:2:2 frames are turned on
  ///   their side. If chroma is not subsampled, the result means nothing.
  fileprivate func turned(
    _ turn: FrameRotator.Turn, _ subsampling: ChromaSubsampling, _ size: VideoDimensions
  ) -> ChromaLocation? {
    let (isHalfAcross, isHalfDown) =
      (subsampling.horizontalShift > 0, subsampling.verticalShift > 0)
    guard isHalfAcross else { return self }
    // 4:2:2 on its side would be 4:4:0, a format that `ChromaSubsampling` does not have.
    guard isHalfDown || !turn.swapsAxes else { return nil }
    // Count in halves of a luma sample, from the first of the two luma samples that share a chroma
    // sample.
    var across = isCositedHorizontally ? 0 : 1
    var down = isHalfDown ? Int(verticalOffset * 2) : 0
    // With an odd width, the last column has no partner. If the turn puts it first, the columns
    // form other pairs.
    if turn.reversesColumns { across = (size.width % 2 == 0 ? 2 : 0) - across }
    if turn.reversesRows, isHalfDown { down = (size.height % 2 == 0 ? 2 : 0) - down }
    guard isHalfDown else { return across == (isCositedHorizontally ? 0 : 1) ? self : nil }
    if turn.swapsAxes { (across, down) = (down, across) }
    // These are the numbers of the chroma locations. The first index counts across and the second
    // counts down, both in half samples.
    let numbers: [[UInt8]] = [[2, 0, 4], [3, 1, 5]]
    guard numbers.indices.contains(across), numbers[across].indices.contains(down) else {
      return nil
    }
    return ChromaLocation(rawValue: numbers[across][down])
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Comparison
internal import Host
internal import MediaCore

/// How an encode's frames are turned relative to its source's frames. Most programs turn a phone's
/// frames upright and leave out the matrix that would turn them on display.
struct EncodeTurn: Sendable {
  /// The source's matrix, if the encode's frames were turned by it; `nil` if the frames of both
  /// files have the same orientation.
  let matrix: [Int32]?
  /// Whether rows of the source's frames are columns of the encode's frames.
  let swapsAxes: Bool
  private let back: FrameTurn?

  /// - Throws: ``TranscodingError`` of kind `unusableInput` if the encode has a matrix that turns
  ///   frames in a different way from the source's matrix.
  init(_ source: PresentedTrack, _ encoded: PresentedTrack) throws {
    let (own, other) = (source.track.statedMatrix, encoded.track.statedMatrix)
    guard let turn = FrameTurn(from: other, to: own), !turn.isIdentity else {
      (matrix, swapsAxes, back) = (nil, false, nil)
      return
    }
    guard FrameTurn(from: other, to: nil)?.isIdentity == true else {
      throw TranscodingError(
        .unusableInput,
        "its frames are turned for display by a different matrix than those of \(source.path)")
    }
    // Some programs lose the matrix without turning the frames.
    let (size, shape) = (source.facts.size, encoded.facts.size)
    let isOnItsSide = source.track.isTurnedOnItsSide
    let isLost =
      isOnItsSide && shape.width != shape.height
      && (size.width > size.height) == (shape.width > shape.height)
    (matrix, swapsAxes, back) = isLost ? (nil, false, nil) : (own, isOnItsSide, turn)
  }

  /// Returns the size of the encode's frames before the turn.
  func unturned(_ size: VideoDimensions) -> VideoDimensions {
    swapsAxes ? size.transposed : size
  }

  /// Returns a frame of the encode as it was before the turn.
  func unturned(_ picture: PixelBuffer, as size: VideoDimensions) -> PixelBuffer {
    back?(picture, as: size) ?? picture
  }
}

extension AssetTrack {
  /// Whether the matrix turns rows of the frames into columns of the display.
  fileprivate var isTurnedOnItsSide: Bool {
    statedMatrix.flatMap { DisplayMatrix($0)?.quarterTurn }.map { $0.a == 0 } ?? false
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import MediaCore

/// The dynamic range of a source.
enum DynamicRange: String, ExpressibleByArgument, CaseIterable, Codable, Sendable {
  case hdr, sdr

  /// Reads the dynamic range of a file's first video track. A file without video counts as SDR.
  ///
  /// - Parameter color: the color that the user declares, if any.
  init(of path: String, _ color: ColorDescription?) async throws {
    var transfer = color?.transferCharacteristics
    if color == nil {
      let asset = try await MediaAsset.load(path: path)
      transfer =
        asset.tracks.lazy.compactMap(\.video).first?.tags.signal.color
        .transferCharacteristics
    }
    self = transfer?.isHDR == true ? .hdr : .sdr
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import ArgumentParser
internal import Assets
internal import CodePoints
internal import ColorTagging
internal import Inspection
internal import Planning
internal import Settings

/// Whether a source is HDR or SDR.
enum DynamicRange: String, ExpressibleByArgument, CaseIterable, Codable, Sendable {
  case hdr, sdr

  /// Reads the dynamic range of a file's main video track. A file without video counts as SDR.
  ///
  /// - Returns: `nil` if no frame can be decoded.
  init?(of path: String) async throws {
    self.init(try await MediaAsset.load(path: path).videoTrack, nil)
  }

  /// Reads the dynamic range of a file's video. A file without video counts as SDR.
  ///
  /// - Parameters:
  ///   - settings: the settings, which choose the track.
  ///   - color: the color that the user declares, if any.
  /// - Returns: `nil` if no frame can be decoded. The command that works on the file says why.
  init?(of path: String, _ settings: TranscodeSettings, _ color: ColorDescription?) async throws {
    let asset = try await MediaAsset.load(path: path)
    self.init(asset.videoTrack(where: settings.tracks.video.contains), color)
  }

  private init?(_ track: AssetTrack?, _ color: ColorDescription?) {
    guard let track else {
      self = .sdr
      return
    }
    guard let facts = track.video else { return nil }
    let isHDR = color.map(\.transferCharacteristics.isHDR) ?? FileSummary.isHDR(facts)
    self = isHDR ? .hdr : .sdr
  }
}

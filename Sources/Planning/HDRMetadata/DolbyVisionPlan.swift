// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import DolbyVision
internal import MediaCore

/// The Dolby Vision of an output: its configuration, and where the RPUs of its frames come from.
struct DolbyVisionPlan: Equatable, Sendable {
  /// The configuration.
  private(set) var record: ConfigurationRecord
  /// True if RPUs are computed from the frames, and not those of the source's frames.
  var computesRPUs = false
  /// True if computed RPUs have the mapping of the source's, which is for such frames.
  var keepsMapping = false
  /// Faults of the source's record, which was made anew.
  private(set) var recordFaults: [ConfigurationRecord.Fault] = []

  /// Facts from which the record is made; nil for a record that is copied.
  private var basis: Basis?

  private struct Basis: Equatable {
    let baseLayer: DataMapping.BaseLayerSignal
    let size: VideoDimensions
    /// The source's record, where RPUs are the source's.
    let stated: ConfigurationRecord?

    func record(frameRate: Double) -> ConfigurationRecord? {
      ConfigurationRecord(
        baseLayerSignalCompatibilityID: baseLayer.rawValue, width: size.width,
        height: size.height, frameRate: frameRate, stated: stated)
    }
  }

  /// A source's configuration as it is.
  init(copying record: ConfigurationRecord) { self.record = record }

  /// Profile 8, its record made as far as it is known before the last frame.
  ///
  /// - Parameters:
  ///   - baseLayer: the signal of the output's frames.
  ///   - size: the size of the output's frames.
  ///   - stated: the source's record, where RPUs are the source's; nil for none.
  ///   - pictures: the source of the output's frames, for their rate.
  /// - Returns: nil where no level allows the frames.
  init?(
    baseLayer: DataMapping.BaseLayerSignal, size: VideoDimensions, stated: ConfigurationRecord?,
    pictures: PictureSource
  ) {
    let basis = Basis(baseLayer: baseLayer, size: size, stated: stated)
    let rate = pictures.nominalFrameRate
    guard let record = basis.record(frameRate: rate ?? pictures.averageFrameRate) else {
      return nil
    }
    self.record = record
    self.basis = basis
    recordFaults = stated?.faults(comparedTo: record, isRateKnown: rate != nil) ?? []
  }

  /// States the rate of the frames that were written, which the level depends on. Where no level
  /// allows it, the one that was planned stays.
  mutating func state(frameRate: Double) {
    record = basis?.record(frameRate: frameRate) ?? record
  }
}

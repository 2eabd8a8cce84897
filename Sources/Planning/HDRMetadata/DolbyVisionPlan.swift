// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import DolbyVision
internal import MediaCore

/// The Dolby Vision of an output: its configuration record, and where its RPUs come from.
struct DolbyVisionPlan: Equatable, Sendable {
  /// The record for `dvcC` or `dvvC`.
  private(set) var record: ConfigurationRecord
  /// Whether RPUs are computed from the output's frames instead of taken from the source.
  var computesRPUs = false
  /// Whether the source's RPUs are converted for the base layer alone, because the enhancement
  /// layer is left out.
  var convertsRPUs = false
  /// Whether copied frames whose RPU is missing or damaged get the RPU of the frame before.
  var repairsRPUs = false
  /// Whether computed RPUs keep the mapping of the source's RPUs, because it was made for the same
  /// kind of base layer.
  var keepsMapping = false
  /// The faults for which the source's record was replaced.
  private(set) var recordFaults: [String] = []

  /// The signal of the base layer, if the record is computed for RPUs of profile 8.
  var baseLayer: DataMapping.BaseLayerSignal? { basis?.baseLayer }

  /// What the record is computed from once the frame rate is known, or `nil` if the record stays as
  /// it is.
  private var basis: Basis?

  private struct Basis: Equatable {
    /// The profile that the record states: 8, or 10 for AV1.
    let profile: UInt8
    let baseLayer: DataMapping.BaseLayerSignal
    let size: VideoDimensions
    /// The source's record, if the source's RPUs are kept.
    let stated: ConfigurationRecord?
    /// Whether RPUs stay in copied samples, where they may be compressed.
    let copiesRPUs: Bool

    func record(frameRate: Double) -> ConfigurationRecord? {
      var record = ConfigurationRecord(
        profile: profile, baseLayerSignalCompatibilityID: baseLayer.rawValue,
        width: size.width, height: size.height, frameRate: frameRate, stated: stated)
      if copiesRPUs { record?.metadataCompression = stated?.usableCompression ?? 0 }
      return record
    }
  }

  /// Copies a source's record.
  init(copying record: ConfigurationRecord) { self.record = record }

  /// Plans to keep RPUs of profile 5, or RPUs of profile 7 together with the enhancement layer in
  /// the same samples.
  ///
  /// - Parameters:
  ///   - rpuProfile: the profile of the RPUs.
  ///   - codecProfile: the profile that a record states for RPUs of profile 8: 10 if the codec is
  ///     AV1, otherwise 8.
  ///   - size: the size of the base layer's frames.
  ///   - frameRate: frames per second.
  /// - Returns: `nil` if no level of Dolby Vision allows such frames.
  init?(
    keeping rpuProfile: UInt8, codecProfile: UInt8, size: VideoDimensions, frameRate: Double
  ) {
    let record = ConfigurationRecord(
      rpuProfile: rpuProfile, codecProfile: codecProfile, width: size.width, height: size.height,
      frameRate: frameRate)
    guard let record else { return nil }
    self.record = record
  }

  /// Whether the enhancement layer stays in the samples.
  var keepsLayer: Bool { record.profile == 7 }

  /// Leaves out the enhancement layer, and converts the RPUs that refer to that layer.
  mutating func dropLayer() {
    convertsRPUs = true
    record.hasEnhancementLayer = false
  }

  /// Plans RPUs of profile 8. The record's level depends on the frame rate, so it is provisional
  /// until all frames are known.
  ///
  /// - Parameters:
  ///   - profile: the profile that the record states: 8, or 10 for AV1.
  ///   - baseLayer: the signal of the output's frames.
  ///   - size: the size of the output's frames.
  ///   - stated: the source's record, if the source's RPUs are kept.
  ///   - copiesRPUs: whether RPUs stay in copied samples, where they may be compressed.
  ///   - frameSource: the source of the output's frames, for their rate.
  /// - Returns: `nil` if no level of Dolby Vision allows such frames.
  init?(
    profile: UInt8, baseLayer: DataMapping.BaseLayerSignal, size: VideoDimensions,
    stated: ConfigurationRecord?, copiesRPUs: Bool = false, frameSource: FrameSource
  ) {
    let basis = Basis(
      profile: profile, baseLayer: baseLayer, size: size, stated: stated, copiesRPUs: copiesRPUs)
    let rate = frameSource.nominalFrameRate
    guard let record = basis.record(frameRate: rate ?? frameSource.averageFrameRate) else {
      return nil
    }
    self.record = record
    self.basis = basis
    recordFaults = stated?.faults(comparedTo: record, isRateKnown: rate != nil) ?? []
  }

  /// Updates the record for the frame rate that was written.
  mutating func state(frameRate: Double) {
    // The level depends on the frame rate. If no level allows the real rate, keep the planned
    // level, which is the closest.
    record = basis?.record(frameRate: frameRate) ?? record
  }
}

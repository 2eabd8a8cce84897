// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import MediaCore
internal import Settings
internal import VideoEncoders

/// Makes the metadata of an output's frames: computes it, moves areas in it, or keeps the source's.
struct FrameMetadataComposer {
  /// The kinds of dynamic metadata that frames get.
  let kinds: [any DynamicHDRMetadataKind.Type]

  /// Functions that compute metadata, by the key of their kind. Kinds without a function keep the
  /// source's values.
  private let composers: [String: MetadataComposer]
  /// Moves the active area in the source's metadata, or `nil` if the area stays.
  private let activeArea: ActiveArea?
  private let plan: HDRMetadataPlan

  /// - Parameters:
  ///   - light: measures the output's frames.
  ///   - area: the active area of the output.
  init(_ plan: HDRMetadataPlan, _ light: FrameLight, _ area: ActiveArea) {
    kinds = plan.dynamicKinds
    let composers = kinds.map { kind in
      (kind.key, (kind as? any FittedHDRMetadataKind.Type)?.composer(plan, light, area))
    }
    self.composers = Dictionary(uniqueKeysWithValues: composers).compactMapValues { $0 }
    activeArea = plan.movesActiveArea ? area : nil
    self.plan = plan
  }

  /// Whether any kind is computed from frames.
  var computes: Bool { !composers.isEmpty }

  /// Returns whether a kind is computed from frames.
  func computes(_ kind: any DynamicHDRMetadataKind.Type) -> Bool { composers[kind.key] != nil }

  /// Returns the metadata of a frame.
  ///
  /// - Parameters:
  ///   - picture: the frame as a decoder shows it, or `nil` if nothing is computed.
  ///   - source: the metadata of its source frame.
  /// - Throws: ``VideoEncoderError/metadataFailed(_:)``.
  func values(
    of picture: PixelBuffer?, _ source: FrameMetadata, beginsShot: Bool
  ) throws(VideoEncoderError) -> [any DynamicHDRMetadataKind] {
    var values: [any DynamicHDRMetadataKind] = []
    for kind in kinds {
      if let value = try value(kind, of: picture, source, beginsShot) { values.append(value) }
    }
    return values
  }

  /// Returns the metadata of a kind for a frame, if the frame gets any.
  private func value<Kind: DynamicHDRMetadataKind>(
    _ kind: Kind.Type, of picture: PixelBuffer?, _ source: FrameMetadata, _ beginsShot: Bool
  ) throws(VideoEncoderError) -> (any DynamicHDRMetadataKind)? {
    do {
      if let composer = composers[Kind.key], let picture {
        return try composer(picture, source, beginsShot)
      }
      let own = source[kind]
      guard let fitted = own as? any FittedHDRMetadataKind else { return own }
      let kept = fitted.kept(by: plan)
      guard let activeArea else { return kept }
      return try kept?.moved(by: activeArea)
    } catch {
      throw .metadataFailed("the \(Kind.item) of the frame: \(error)")
    }
  }
}

/// A kind of dynamic metadata that settings decide about, and that can be fitted to changed frames:
/// areas in it are moved, or it is computed from the frames.
protocol FittedHDRMetadataKind: DynamicHDRMetadataKind {
  /// Returns whether the settings keep the source's values as far as they are still true.
  static func isTaken(by settings: HDRMetadataSettings) -> Bool

  // The default of `isTaken` follows `mode`. The other defaults suit kinds that are kept byte for
  // byte or not at all.

  /// Returns what the settings say about a kind that is measured like HDR10+; `nil` if the kind has
  /// a plan of its own.
  static func mode(in settings: HDRMetadataSettings) -> HDRMetadataSettings.MeasuredMode?
  /// Whether values that are no longer true are measured again, even if the settings do not ask for
  /// it.
  static var isMeasuredAgain: Bool { get }
  /// The name of measured values in refusals.
  static var measuredName: String { get }
  /// What measured values come from, as text for people.
  static var measuredFrom: String { get }

  /// Returns a function that computes values, or `nil` if the source's values are kept or the
  /// frames cannot be measured.
  ///
  /// - Parameters:
  ///   - light: measures the output's frames.
  ///   - area: the active area of these frames.
  static func composer(
    _ plan: HDRMetadataPlan, _ light: FrameLight, _ area: ActiveArea
  ) -> MetadataComposer?

  /// Returns the source's value with the changes that the output needs; `nil` if the output cannot
  /// have the value.
  func kept(by plan: HDRMetadataPlan) -> Self?

  /// Returns the value for a cropped frame.
  ///
  /// - Parameter area: how the active area moves.
  func moved(by area: ActiveArea) throws -> Self
}

extension FrameMetadata {
  /// The kinds that settings decide about.
  static let fittedKinds = kinds.compactMap { $0 as? any FittedHDRMetadataKind.Type }
}

extension FittedHDRMetadataKind {
  static func isTaken(by settings: HDRMetadataSettings) -> Bool { mode(in: settings) == .auto }

  static func mode(in settings: HDRMetadataSettings) -> HDRMetadataSettings.MeasuredMode? { nil }
  static var isMeasuredAgain: Bool { false }
  static var measuredName: String { "\(name) from measured light" }
  static var measuredFrom: String { "measured from the output's frames" }

  static func composer(
    _ plan: HDRMetadataPlan, _ light: FrameLight, _ area: ActiveArea
  ) -> MetadataComposer? { nil }

  func kept(by plan: HDRMetadataPlan) -> Self? { self }

  func moved(by area: ActiveArea) -> Self { self }
}

/// Makes the metadata of a decoded frame; returns `nil` if the frame cannot be measured.
///
/// - Parameter source: the metadata of the source frame.
typealias MetadataComposer = (
  _ picture: PixelBuffer, _ source: FrameMetadata, _ beginsShot: Bool
) throws -> (any DynamicHDRMetadataKind)?

// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import MediaCore

/// The losses that plans announce, with their notices.
extension FactLoss {
  static let statements = FactLoss("statementsNotCarried", "names") { facts, _ in
    .statementsNotCarried(facts.compactMap { $0.subject ?? $0.name })
  }

  static let metadata = FactLoss("metadataNotCarried", "metadata") { facts, _ in
    let keys = facts.compactMap(\.subject)
    let kinds =
      FrameMetadata.kinds.map { HDRMetadata.Kind($0) }
      + StaticHDRMetadata.kinds.map { HDRMetadata.Kind($0) }
    let lost = kinds.filter { keys.contains($0.key) }
    return Notice(
      "metadataNotCarried", severity: .warning,
      ["metadata": lost.map(\.key).joined(separator: ", ")],
      "not carried over: \(lost.map(\.description).joined(separator: ", "))")
  }

  static let otherUserData = FactLoss("userDataNotCarried") { facts, _ in
    let names = facts.first?.text ?? ""
    return Notice(
      "userDataNotCarried", severity: .warning, ["names": names],
      "not carried over: user data in the video's samples (\(names)), which only "
        + "pass-through keeps")
  }

  static let profile = FactLoss("profileNotCarried") { _, _ in .profileNotCarried }

  static let opacity = FactLoss("opacityNotCarried") { _, _ in .opacityNotCarried }

  static let gamma = FactLoss("gammaNotCarried") { facts, _ in
    let name = facts.first?.text ?? ""
    return Notice(
      "gammaNotCarried", severity: .warning, ["transferFunction": name],
      "not carried over: the transfer function, \(name), which has no H.273 number (only .mov can "
        + "store a gamma); keep a note of it elsewhere")
  }

  static let range = FactLoss("rangeNotCarried") { _, _ in
    Notice(
      "rangeNotCarried", severity: .warning, [:],
      "not carried over: the full range of the frames, which neither .mov boxes nor samples "
        + "of this codec can state; players will treat the range as limited")
  }

  static let chromaLocation = FactLoss("chromaLocationNotCarried") { facts, container in
    let (location, name) = (facts.first?.text ?? "", container?.rawValue ?? "")
    return Notice(
      "chromaLocationNotCarried", severity: .warning,
      ["chromaLocation": location, "container": name],
      "not carried over: the chroma location, \(location): .\(name) has no box for it, and the "
        + "samples do not state it; players will assume another location")
  }

  static let rotation = FactLoss("rotationNotCarried") { facts, container in
    let result =
      switch (facts.first?.value as? DisplayMatrix)?.rotation {
      case 90, 270: "be shown on their side"
      case 180: "be shown upside down"
      default: "be shown as coded, not mirrored, sheared or scaled"
      }
    return Notice(
      "rotationNotCarried", severity: .warning, [:],
      "not carried over: the rotation, which FFmpeg's library does not write to "
        + ".\(container?.rawValue ?? ""); frames will \(result)")
  }

  static let aperture = FactLoss("apertureNotCarried") { facts, container in
    .apertureNotCarried(facts.first?.text ?? "", in: container)
  }

  static let spatialVideo = FactLoss("spatialVideoNotCarried") { facts, _ in
    .spatialVideoNotCarried(
      claims: (facts.first?.value as? StatedSpatialVideo)?.places.joined(separator: ", ") ?? "",
      isPacked: false)
  }
}

extension Notice {
  /// The container cannot store some names, dates or places.
  package static func statementsNotCarried(_ names: [String]) -> Notice {
    let names = names.joined(separator: ", ")
    return Notice(
      "statementsNotCarried", severity: .warning, ["names": names],
      "file metadata that is not carried over: \(names)")
  }

  /// The source's ICC profile is lost.
  package static let profileNotCarried = Notice(
    "profileNotCarried", severity: .warning, [:], "the ICC profile is not carried over")

  /// The opacity of frames is lost.
  package static let opacityNotCarried = Notice(
    "opacityNotCarried", severity: .warning, [:], "the frames' opacity is left out")

  /// The clean aperture is lost.
  ///
  /// - Parameter container: the container that cannot store it, or `nil` if the frames come from a
  ///   composition.
  package static func apertureNotCarried(_ aperture: String, in container: FileType?) -> Notice {
    let reason =
      container.map { "FFmpeg's library does not write it to .\($0.rawValue)" }
      ?? "the frames come from a composition"
    return Notice(
      "apertureNotCarried", severity: .warning, ["aperture": aperture],
      "the clean aperture, \(aperture), is not carried over: \(reason)")
  }
}

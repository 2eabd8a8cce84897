// SPDX-License-Identifier: GPL-2.0-or-later
package import CodePoints
package import DolbyVision
internal import ISOBMFF
internal import LibAV
internal import MediaCore

/// Facts about HDR metadata, and about other data in video samples, such as captions.
extension FactKey {
  package static func staticHDRMetadata<Kind: StaticHDRMetadataKind>(_: Kind.Type) -> FactKey {
    FactKey(
      Kind.key, "the \(Kind.name)", in: .hdrMetadata, Kind.self,
      losses: [.metadata], verified: .places,
      reading: .video { video in
        video.hdrMetadata[Kind.self].flatMap { Fact($0.value, places: $0.places) }
      })
  }

  package static let dolbyVision: FactKey = .init(
    "dolbyVision", "the Dolby Vision configuration record", in: .hdrMetadata,
    ConfigurationRecord.self,
    losses: losses(of: DolbyVisionRPU.self) + [FactLoss("recordNotCarried")], verified: .places,
    reading: .video { video in
      video.hdrMetadata.dolbyVision.map { Fact($0.value, places: $0.places) }
    })

  /// Returns the key of the fact that frames have a kind of dynamic metadata.
  package static func dynamicHDRMetadata(_ kind: any DynamicHDRMetadataKind.Type) -> FactKey {
    FactKey(
      kind.frameCount.key, kind.frameCount.text, in: .hdrMetadata,
      losses: losses(of: kind),
      // If every frame must have the metadata, it is checked sample by sample instead.
      verified: kind.isOfEveryFrame ? .none : .value,
      reading: .video { video in
        video.hdrMetadata.frames.has(kind) ? Fact(presenceOf: kind) : nil
      })
  }

  /// Returns the key of facts that count frames whose metadata has a certain part; `nil` if the
  /// kind has no parts.
  package static func parts(of kind: any DynamicHDRMetadataKind.Type) -> FactKey? {
    kind.partCount.map {
      FactKey($0.key, $0.text, in: .hdrMetadata, Int.self, hasNames: true, losses: losses(of: kind))
    }
  }

  package static let dolbyVisionEnhancementLayer: FactKey = .init(
    "dolbyVisionEnhancementLayer",
    "Dolby Vision's enhancement layer, in the same samples or another track",
    in: .hdrMetadata, comparison: .notCompared,
    reading: .track { track in
      if let layer = track.enhancementLayer?.track {
        var fact = Fact(dolbyVisionEnhancementLayer, "in track \(layer.demuxed.id)")
        fact.places = [.samples]
        return [fact]
      }
      guard track.video?.hdrMetadata.hasDolbyVisionEnhancementLayer == true else { return [] }
      var fact = Fact(dolbyVisionEnhancementLayer, "present")
      fact.places = [.samples]
      return [fact]
    })

  package static let dolbyVisionResiduals: FactKey = .init(
    "dolbyVisionResiduals", "what Dolby Vision's enhancement layer adds to the base layer",
    in: .hdrMetadata,
    losses: [FactLoss("enhancementLayerDropped"), FactLoss("baseLayerTaken")],
    reading: .track { track in
      // A minimal layer adds nothing, so nothing is lost with it.
      guard track.dualLayerDolbyVision?.layer == .full else { return [] }
      var fact = Fact(dolbyVisionResiduals, "residuals of a full layer (FEL)")
      fact.places = [.samples]
      return [fact]
    })

  package static let otherUserData: FactKey = .init(
    "otherUserData", "registered user data in samples; only pass-through keeps it",
    in: .hdrMetadata, [String].self, losses: [.otherUserData],
    reading: .video { video in
      let names = video.hdrMetadata.otherUserData
      guard !names.isEmpty else { return nil }
      var fact = Fact(otherUserData, names, text: names.joined(separator: ", "))
      fact.places = [.samples]
      return fact
    })

  package static let captions: FactKey = .init(
    "captions", "the number of frames with captions in the bitstream (CEA-608, CEA-708)",
    in: .video, Int.self,
    losses: [FactLoss("captionsNotCarried"), frameRateChanged])

  /// Returns the notices that explain the loss of dynamic metadata.
  private static func losses(of kind: any DynamicHDRMetadataKind.Type) -> [FactLoss] {
    [.metadata] + kind.lossCodes.map { FactLoss($0) } + [frameRateChanged]
  }
}

extension Fact {
  /// Makes a fact about static HDR metadata.
  package init<Kind: StaticHDRMetadataKind>(_ value: Kind, places: [StatementPlace]) {
    self.init(
      .staticHDRMetadata(Kind.self), value, text: value.text,
      subject: HDRMetadata.Kind(Kind.self).key)
    self.places = places
  }

  /// Makes a fact that the first samples have a kind of dynamic HDR metadata.
  package init(presenceOf kind: any DynamicHDRMetadataKind.Type) {
    // Only the first samples were read, so the number of frames is unknown.
    self.init(.dynamicHDRMetadata(kind), "present", subject: kind.key)
    places = [.samples]
  }

  /// Makes a fact about a Dolby Vision record.
  package init(_ record: ConfigurationRecord, places: [StatementPlace]) {
    self.init(.dolbyVision, record, subject: DolbyVisionRPU.key)
    self.places = places
  }
}

extension ConfigurationRecord: JSONObject {
  package static let fields: [JSONField<Self>] = [
    .init("profile", "dv_profile.") { Int($0.profile) },
    .init("compatibilityID", "What is shown without Dolby Vision: 1 or 6 HDR10, 2 SDR, 4 HLG.") {
      Int($0.baseLayerSignalCompatibilityID)
    },
    .init("level", "dv_level, which limits size and frame rate.") { Int($0.level) },
    .init("hasRPU", "rpu_present_flag.") { $0.hasRPU },
    .init("hasEnhancementLayer", "el_present_flag.") { $0.hasEnhancementLayer },
    .init("hasBaseLayer", "bl_present_flag.") { $0.hasBaseLayer },
  ]
}

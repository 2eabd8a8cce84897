// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// If boxes and messages state different HDR metadata, one of them is believed, and a notice says
/// so.
@Suite(.needsSharedMedia) struct MetadataConflictTests {
  private let folder: TemporaryFolder
  private let source: String

  /// Makes a phone's clip that states a mastering display of 4000 cd/m² both in a box and in SEI
  /// 137, and 314 lux both in a box and in SEI 148.
  init() throws {
    folder = try TemporaryFolder()
    source = folder.path("source.mov")
    let outcome = try BuiltCandela.run(
      "retag", SharedMedia.path("hdr/androidx__dolbyVision-hdr.MOV"), source,
      "--mastering-display", "p3,4000,0.0001")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Makes a copy of the clip with other bytes in a box.
  private func changing(_ type: String, to fields: [UInt8]) throws -> String {
    var bytes = try FileBytes.read(source)
    let place = try ValidateTests.content(type, of: bytes)
    bytes.replaceSubrange(place..<place + fields.count, with: fields)
    return try folder.write(bytes, to: "odd.mov")
  }

  private struct Inspection: Decodable {
    struct Track: Decodable {
      let video: Video?
      let notices: [ReportedNotice]?
    }
    struct Video: Decodable { let hdrMetadata: [String: Finding] }
    struct Finding: Decodable {
      let value: Value
      let places: [String]
    }
    struct Value: Decodable {
      var minimumLuminance: Double?
      var maximumLuminance: Double?
      var illuminance: Double?

      private enum Key: CodingKey { case minimumLuminance, maximumLuminance, illuminance }

      init(from decoder: any Decoder) throws {
        // For metadata of frames, the value is a word and has no keys.
        guard let values = try? decoder.container(keyedBy: Key.self) else { return }
        minimumLuminance = try values.decodeIfPresent(Double.self, forKey: .minimumLuminance)
        maximumLuminance = try values.decodeIfPresent(Double.self, forKey: .maximumLuminance)
        illuminance = try values.decodeIfPresent(Double.self, forKey: .illuminance)
      }
    }
    let tracks: [Track]
  }

  private func finding(
    _ path: String, _ name: String
  ) throws -> (value: Inspection.Value, places: [String], conflicts: [ReportedNotice]) {
    let text = try BuiltCandela.run("inspect", path, "--json").output
    let report = try JSONDecoder().decode(Inspection.self, from: Data(text.utf8))
    let track = try #require(report.tracks.first { $0.video != nil })
    let found = try #require(track.video?.hdrMetadata[name])
    return (found.value, found.places, track.notices ?? [])
  }

  @Test func agreementIsNoConflict() throws {
    let found = try finding(source, "masteringDisplay")
    #expect(Array(found.places.prefix(2)) == ["mdcv box", "SEI 137"] && found.conflicts.isEmpty)
    #expect(try BuiltCandela.run("plan", source, "--strict").status == 0)
  }

  /// If both statements make sense, the box is believed, and a notice names the statement of the
  /// message.
  @Test func boxIsBelieved() throws {
    let odd = try changing("mdcv", to: SyntheticMovie.masteringDisplay())
    let found = try finding(odd, "masteringDisplay")
    #expect(found.value.minimumLuminance == 0.0001 && found.value.maximumLuminance == 1000)
    #expect(found.places == ["mdcv box"])
    #expect(found.conflicts.count == 1)
    let other = found.conflicts.arguments("hdrMetadataConflict")?["otherStatement"]
    #expect(other?.contains("4000.0 cd/m² (SEI 137") == true)
    #expect(try BuiltCandela.run("inspect", odd).output.contains("WARNING"))
    let plan = try BuiltCandela.run("plan", odd, "--json")
    #expect(try plan.status == 0 && plan.notices().codes.contains("hdrMetadataConflict"))
    let strict = try BuiltCandela.run("plan", odd, "--strict")
    #expect(strict.status == 65 && strict.errors.contains("--strict"))
  }

  /// `metadata convert` reports a conflict that stays in the copy, but not one in values that it
  /// replaces.
  @Test func conversionsNameConflicts() throws {
    let odd = try changing("mdcv", to: SyntheticMovie.masteringDisplay())
    func errors(_ options: String...) throws -> String {
      let outcome = try BuiltCandela.run(
        ["metadata", "convert", odd, folder.path("out.mov"), "--overwrite"] + options)
      #expect(outcome.status == 0, "\(outcome.errors)")
      return outcome.errors
    }
    #expect(try errors("--light", "1000,400").contains("is believed"))
    #expect(try !errors("--mastering-display", "p3,4000,0.0001").contains("is believed"))
  }

  @Test func anotherAmbientLight() throws {
    let odd = try changing("amve", to: SyntheticMovie.ambientLight(lux: 100))
    let plan = try BuiltCandela.run("plan", odd, "--json").notices()
    let conflict = plan.arguments("hdrMetadataConflict")
    #expect(conflict?["statement"]?.hasPrefix("100.0 lux") == true, "\(plan)")
    #expect(conflict?["otherStatement"]?.hasPrefix("314.0 lux") == true, "\(plan)")
  }

  /// An impossible value does not displace a possible one.
  @Test func nonsenseIsNotBelieved() throws {
    let dark = try changing("mdcv", to: SyntheticMovie.masteringDisplay(maximum: 1000))
    let display = try finding(dark, "masteringDisplay")
    #expect(display.value.maximumLuminance == 4000)
    #expect(display.places.contains("SEI 137") && !display.places.contains("mdcv box"))
    #expect(display.conflicts.arguments("hdrMetadataConflict")?["fault"] != nil)
    #expect(
      try ValidateTests.validate(dark).having("fail").isSuperset(of: ["masteringDisplay", "mdcv"]))
    let none = try changing("amve", to: [UInt8](repeating: 0, count: 8))
    #expect(try finding(none, "ambientViewingEnvironment").value.illuminance == 314)
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", none, output, "--preset", "hevc-hlg", "--set",
      "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let written = try finding(output, "ambientViewingEnvironment")
    #expect(written.value.illuminance == 314 && written.places == ["amve box", "SEI 148"])
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Dates, places and makers are carried over from files that are neither MOV nor MP4, and the
/// tracks of such files have the right numbers and names.
@Suite struct CarriedNamesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ arguments: String...) throws -> String {
    let path = folder.path(name)
    let inputs = ["-f", "lavfi", "-i", "testsrc=s=128x96:r=25:d=0.2"]
    let audio = ["-f", "lavfi", "-i", "sine=r=48000:d=0.2"]
    try Tool.ffmpeg(inputs + audio + arguments + [path])
    return path
  }

  private func tags(_ path: String) throws -> [String: String] {
    let outcome = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format_tags", "-of", "json", path])
    let format = try #require(try outcome.json()["format"] as? [String: Any])
    return format["tags"] as? [String: String] ?? [:]
  }

  private func transcode(_ input: String, _ name: String) throws -> (
    path: String, lost: String?
  ) {
    let output = folder.path(name)
    let result = try BuiltCandela.transcode([input, output, "--preset", "h264-sdr"])
    #expect(result.outcome.status == 0, "\(result.outcome.errors)")
    return (output, result.notices.arguments("statementsNotCarried")?["names"])
  }

  @Test func ofMatroska() throws {
    let input = try make(
      "in.mkv", "-c:v", "libx264", "-c:a", "aac", "-metadata",
      "creation_time=2023-05-06T07:08:09.5Z", "-metadata", "location=+48.8577+002.295/",
      "-metadata", "title=A title", "-metadata", "com.apple.quicktime.make=Apple", "-metadata",
      "com.apple.quicktime.model=iPhone", "-metadata", "foo=bar")
    let (movie, lost) = try transcode(input, "out.mov")
    let found = try tags(movie)
    let key = "com.apple.quicktime"
    #expect(found["creation_time"] == "2023-05-06T07:08:09.000000Z")
    #expect(found["\(key).creationdate"]?.hasPrefix("2023-05-06T07:08:09.5") == true)
    #expect(found["\(key).location.ISO6709"] == "+48.8577+002.295/")
    #expect(found["\(key).make"] == "Apple" && found["\(key).model"] == "iPhone")
    #expect(found["\(key).title"] == "A title")
    #expect(lost == "foo")
    let other = try tags(transcode(input, "out.mp4").path)
    #expect(other["creation_time"] == "2023-05-06T07:08:09.000000Z")
    #expect(other["location"] == "+48.8577+002.295/" && other["title"] == "A title")
    #expect(other["make"] == "Apple" && other["model"] == "iPhone")
  }

  /// Matroska has its own tags for the date and the place of a recording. The date of recording
  /// takes precedence over the date of writing, and a place in words stays in words.
  @Test func ofMatroskaInItsOwnWords() throws {
    let input = try make(
      "own.mkv", "-c:v", "libx264", "-metadata", "creation_time=2023-05-06T07:08:09Z", "-metadata",
      "DATE_RECORDED=2019-03-04 05:06:07", "-metadata", "RECORDING_LOCATION=FR, Paris")
    let found = try tags(transcode(input, "out.mov").path)
    let key = "com.apple.quicktime"
    #expect(found["\(key).creationdate"] == "2019-03-04 05:06:07")
    #expect(found["creation_time"] == "2023-05-06T07:08:09.000000Z")
    #expect(found["\(key).location.name"] == "FR, Paris")
    #expect(found["\(key).location.ISO6709"] == nil)
    let (other, lost) = try transcode(input, "out.mp4")
    #expect(lost?.contains("recording_location") == true, "\(lost ?? "")")
    #expect(try tags(other)["location"] == nil)
  }

  /// A text that is not a date is not written as a date, and its loss is named.
  @Test func whatIsNoDateIsNamed() throws {
    let input = try make("odd.mkv", "-c:v", "libx264", "-metadata", "DATE_RECORDED=yesterday")
    let (path, lost) = try transcode(input, "out.mov")
    #expect(lost?.contains("date_recorded") == true, "\(lost ?? "")")
    #expect(try tags(path)["com.apple.quicktime.creationdate"] == nil)
  }

  @Test func ofMXF() throws {
    let input = try make(
      "in.mxf", "-map", "0", "-c:v", "mpeg2video", "-metadata",
      "creation_time=2023-05-06T07:08:09Z", "-metadata", "company_name=Sony", "-metadata",
      "product_name=PXW")
    let found = try tags(transcode(input, "out.mov").path)
    #expect(found["creation_time"] == "2023-05-06T07:08:09.000000Z")
    #expect(found["com.apple.quicktime.make"] == "Sony")
    #expect(found["com.apple.quicktime.model"] == "PXW")
  }

  @Test func ofTransportStreams() throws {
    let input = try make("in.ts", "-c:v", "libx264", "-metadata", "service_name=Channel")
    let found = try tags(transcode(input, "out.mov").path)
    #expect(found["com.apple.quicktime.title"] == "Channel")
  }

  @Test func nothingIsCarriedWhereItIsNotWanted() throws {
    let input = try make(
      "in.mkv", "-c:v", "libx264", "-metadata", "creation_time=2023-05-06T07:08:09Z")
    let output = folder.path("none.mov")
    let outcome = try BuiltCandela.run(
      "transcode", input, output, "--preset", "h264-sdr", "--set", "metadata=none")
    #expect(outcome.status == 0)
    #expect(try tags(output)["creation_time"] == nil)
  }

  private func tracks(_ path: String) throws -> [[String: Any]] {
    let outcome = try BuiltCandela.run("inspect", path, "--json")
    return try #require(try outcome.json()["tracks"] as? [[String: Any]])
  }

  @Test func tracksHaveNumbersOfTheirOwn() throws {
    let mkv = try make("in.mkv", "-c:v", "libx264", "-c:a", "aac")
    #expect(try tracks(mkv).compactMap { $0["id"] as? Int } == [1, 2])
    let ts = try make("in.ts", "-c:v", "libx264", "-c:a", "aac")
    #expect(try tracks(ts).compactMap { $0["id"] as? Int } == [256, 257])
  }

  /// A codec has a name even if it cannot be decoded: its own or that of the sample entry.
  @Test(arguments: [("vvc1", "vvc"), ("zzz9", "zzz9")])
  func codecsAreNamed(entry: String, name: String) throws {
    let input = try make("in.mp4", "-map", "0", "-c:v", "libx264")
    var data = try Data(contentsOf: URL(fileURLWithPath: input))
    let place = try #require(data.range(of: Data("avc1".utf8), options: .backwards))
    data.replaceSubrange(place, with: Data(entry.utf8))
    let path = folder.path("other.mp4")
    try data.write(to: URL(fileURLWithPath: path))
    #expect(try tracks(path).compactMap { $0["codec"] as? String } == [name])
    let outcome = try BuiltCandela.run("plan", path)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("for the codec \(name);"), "\(outcome.errors)")
  }
}

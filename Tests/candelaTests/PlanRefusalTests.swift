import TestSupport
import Testing

/// What `transcode` refuses before or after its work, `plan` refuses.
@Suite(.needsSharedMedia) struct PlanRefusalTests {
  private static let files = SharedMedia.names(in: "damaged") + SharedMedia.names(in: "found")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: files) func planAndTranscodeAgree(name: String) throws {
    let arguments = [
      "--preset", "h264-sdr", "--set", "video.width=160", "--set",
      "video.compressionProperties.speed=ultrafast",
    ]
    let plan = try BuiltCandela.run(["plan", SharedMedia.path(name)] + arguments)
    let outcome = try BuiltCandela.run(
      ["transcode", SharedMedia.path(name), folder.path("out.mov")] + arguments)
    #expect([0, 2, 65, 69].contains(outcome.status), "\(outcome.errors)")
    let done: Set<Int32> = [0, 2]
    let wanted = done.contains(outcome.status) ? 0 : outcome.status
    #expect(plan.status == wanted, "\(plan.errors), \(outcome.errors)")
  }

  /// An edit that begins behind the media presents none of its pictures.
  @Test func editsThatPresentNothing() throws {
    let source = try BuiltCandela.sample(in: folder)
    var bytes = try FileBytes.read(source)
    let list = try #require(bytes.firstRange(of: Array("elst".utf8)))
    // Version and flags, the count, the duration, then the media time.
    let place = list.upperBound + 12
    bytes.replaceSubrange(place..<place + 4, with: [0x40, 0, 0, 0])
    let hidden = try folder.write(bytes, to: "hidden.mov")
    for command in [["plan", hidden], ["transcode", hidden, folder.path("out.mov")]] {
      let outcome = try BuiltCandela.run(command)
      #expect(outcome.status == 65)
      #expect(outcome.errors.contains("no picture of it is ever presented"), "\(outcome.errors)")
    }
  }
}

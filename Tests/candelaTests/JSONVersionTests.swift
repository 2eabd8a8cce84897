// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// All JSON that the program prints or stores states the version of its keys.
@Suite struct JSONVersionTests {
  @Test func allJSONHasIt() throws {
    let folder = try TemporaryFolder()
    let sample = try BuiltCandela.sample(in: folder)
    let (output, report) = (folder.path("out.mov"), folder.path("report.json"))
    let made = try BuiltCandela.run(
      "transcode", sample, output, "--preset", "hevc-hlg", "--report", report, "--progress", "json")
    #expect(made.status == 0, "\(made.errors)")
    func version(_ data: Data) throws -> Int? {
      (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["version"] as? Int
    }
    let progress = try #require(made.errors.split(separator: "\n").last { $0.hasPrefix("{") })
    #expect(try version(Data(progress.utf8)) == 1)
    #expect(try version(Data(contentsOf: URL(fileURLWithPath: report))) == 1)
    for command in [
      ["plan"], ["inspect"], ["inspect", "--frames"], ["validate"], ["rpu", "show"],
      ["compare", sample],
    ] {
      let outcome = try BuiltCandela.run(command + [output, "--json"])
      #expect(try version(Data(outcome.output.utf8)) == 1, "\(command) \(outcome.errors)")
    }
  }
}

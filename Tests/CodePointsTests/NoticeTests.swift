// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

@testable import CodePoints

/// Programs see a notice as JSON, and people see its text.
@Suite struct NoticeTests {
  @Test func jsonHasCodeAndText() throws {
    let notice = Notice(
      "trackNotCarried", severity: .warning, ["track": "3"], "track 3 is not carried over")
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(notice), as: UTF8.self)
        == #"{"arguments":{"track":3},"code":"trackNotCarried","severity":"warning","#
        + #""text":"track 3 is not carried over"}"#)
    #expect("\(notice)" == "track 3 is not carried over" && "\(notice.code)" == "trackNotCarried")
  }

  @Test func withoutAWordItIsANote() {
    #expect(Notice("nothingChanged", [:], "nothing is changed").severity == .note)
  }
}

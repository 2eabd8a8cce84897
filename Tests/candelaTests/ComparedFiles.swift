// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport

/// The report of `candela compare` as JSON.
struct ComparedFiles {
  /// The exit code.
  let status: Int32
  /// The whole report.
  let json: [String: Any]

  init(_ source: String, _ output: String, _ arguments: [String] = []) throws {
    let outcome = try BuiltCandela.run(["compare", source, output, "--json"] + arguments)
    (status, json) = (outcome.status, try outcome.json())
  }

  var isComplete: Bool? { json["isComplete"] as? Bool }
  var tracks: [[String: Any]] { json["tracks"] as? [[String: Any]] ?? [] }

  /// Returns the findings whose `state` has this value, such as `lost`. Each is returned as `code`
  /// or `code name`.
  func findings(_ state: String, track: Int? = nil) -> [String] {
    let ofTracks = tracks.filter { track == nil || $0["source"] as? Int == track }
      .flatMap { $0["findings"] as? [[String: Any]] ?? [] }
    let all = (track == nil ? json["findings"] as? [[String: Any]] ?? [] : []) + ofTracks
    return all.filter { $0["state"] as? String == state }.map { finding in
      let code = finding["code"] as? String ?? ""
      return (finding["name"] as? String).map { "\(code) \($0)" } ?? code
    }
  }

  /// Returns what the finding with this code states for the output, as text, or `nil` if there is
  /// no such finding.
  func output(of code: String) -> String? {
    let all = json["findings"] as? [[String: Any]] ?? []
    return (all + tracks.flatMap { $0["findings"] as? [[String: Any]] ?? [] })
      .first { $0["code"] as? String == code }?["output"].map { "\($0)" }
  }

  var frames: [String: Any] {
    tracks.lazy.compactMap { $0["frames"] as? [String: Any] }.first ?? [:]
  }
  var audio: [String: Any] {
    tracks.lazy.compactMap { $0["audio"] as? [String: Any] }.first ?? [:]
  }
  /// Returns the number in ``frames`` that is found by a path of keys, such as `psnr` and `y`.
  func number(_ keys: String...) -> Double? {
    var value: Any? = frames
    for key in keys { value = (value as? [String: Any])?[key] }
    return value as? Double
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
@testable import Segments
import TestSupport
import Testing

/// Every field of a job's files is accepted within its bounds, and refused beyond them.
@Suite(.serialized) struct JobBoundsTests {
  private static let digest = String(repeating: "0", count: 64)

  private static let job = """
    {"version":1,"id":"\(digest)",
     "input":{"path":"/a.mov","size":1,"modified":1,"digest":"\(digest)"},
     "files":[{"path":"/b.cube","size":1,"modified":1,"digest":"\(digest)"}],
     "output":"/o.mov","settings":{},
     "options":{"strict":false,"sourceColor":"hlg","onError":"stop","from":"0","to":"9"},
     "software":{"candela":"1","libraries":{"x265":"3"},"kernels":"fused"},
     "timescale":600,"obstacle":"none",
     "shots":{"shots":[{"start":0,"peak":1000,"shoulder":800,"brightest":900,
     "keys":[{"time":0,"white":0.8}]}]},
     "segments":[{"number":0,"rpus":[0,1],"frames":{"firstFrame":0,"frameCount":1,"start":0,
       "end":10,"before":0,"fullness":0.5,
       "decoding":{"samples":[0,1],"start":0,"last":0,"dropsLeading":false}}}]}
    """

  private static let facts = """
    {"job":"\(digest)","number":0,"frameCount":1,"timescale":600,"parameterSets":"AAAA",
     "encoder":"x265","requested":[["a","b"]],"effective":[["a","b"]],"lightLevels":[1,2],
     "counts":{"concealed":0,"hidden":0,"repairedTimes":0},"seconds":1}
    """

  private static let lease = """
    {"host":"a","process":1,"started":1,"updated":1,"frames":0}
    """

  /// Returns a document with another value at a key such as `segments[].number`, where `[]` stands
  /// for the first element.
  private static func changed(_ value: Any, _ path: ArraySlice<String>, to new: Any) -> Any {
    guard let key = path.first else { return new }
    let rest = path.dropFirst()
    if key == "[]" {
      guard let list = value as? [Any], let first = list.first else { return value }
      return [changed(first, rest, to: new)] + list.dropFirst()
    }
    guard var members = value as? [String: Any] else { return value }
    members[key] = changed(members[key] ?? NSNull(), rest, to: new)
    return members
  }

  private static func value(_ document: Any, _ path: ArraySlice<String>) -> Any? {
    guard let key = path.first else { return document }
    if key == "[]" { return (document as? [Any])?.first.flatMap { value($0, path.dropFirst()) } }
    return (document as? [String: Any])?[key].flatMap { value($0, path.dropFirst()) }
  }

  /// Returns a value like the old one, but of another length. Returns `nil` if that length is
  /// negative or would take too much memory.
  private static func resized(_ old: Any, to count: Decimal) -> Any? {
    let size = NSDecimalNumber(decimal: count).intValue
    guard size >= 0, size <= 200_000 else { return nil }
    if let list = old as? [Any] {
      // There are many segments, so each has only the keys that it must have.
      let isSegment = (list[0] as? [String: Any])?["frames"] != nil
      let least: Any = ["number": 0, "frames": ["firstFrame": 0]] as [String: Any]
      return Array(repeating: isSegment ? least : list[0], count: size)
    }
    if let list = old as? [String: Any], let value = list.values.first {
      return Dictionary(uniqueKeysWithValues: (0..<size).map { ("k\($0)", value) })
    }
    return String(repeating: "a", count: size)
  }

  private func walk<File: Decodable, Number>(
    _ table: [FieldBounds<File, Number>], _ text: String, _ type: File.Type,
    beyond: (Number, Number) -> [Any], at: (Number) -> Any, number: (Number) -> Decimal?
  ) throws {
    let document = try JSONSerialization.jsonObject(with: Data(text.utf8))
    for field in table {
      let path = field.key.replacing("[]", with: ".[]").split(separator: ".").map(String.init)[...]
      let old = try #require(Self.value(document, path), "\(field.key)")
      func fault(_ new: Any) -> Bool {
        guard
          let data = try? JSONSerialization.data(
            withJSONObject: Self.changed(document, path, to: new)),
          let file = try? JSONDecoder().decode(type, from: data)
        else { return true }
        return field.fault(in: file) != nil
      }
      if old is NSNumber || field.key.hasSuffix("samples") {
        let wrapped = { (new: Any) -> Any in field.key.hasSuffix("samples") ? [new, new] : new }
        for bound in [field.bounds.lowerBound, field.bounds.upperBound] {
          #expect(!fault(wrapped(at(bound))), "\(field.key) at \(bound)")
        }
        for new in beyond(field.bounds.lowerBound, field.bounds.upperBound) {
          #expect(fault(wrapped(new)), "\(field.key): \(new)")
        }
      } else if let least = number(field.bounds.lowerBound),
        let most = number(field.bounds.upperBound)
      {
        for (count, isIn) in [(least, true), (most, true), (least - 1, false), (most + 1, false)] {
          // The length of `parameterSets` counts bytes, not the characters of Base64.
          guard field.key != "parameterSets", let new = Self.resized(old, to: count) else {
            continue
          }
          #expect(fault(new) != isIn, "\(field.key): \(count)")
        }
      }
    }
  }

  private func walk<File: Decodable>(
    _ whole: [FieldBounds<File, Int64>], _ real: [FieldBounds<File, Double>], _ text: String,
    _ type: File.Type
  ) throws {
    try walk(
      whole, text, type,
      beyond: {
        [NSDecimalNumber(decimal: Decimal($0) - 1), NSDecimalNumber(decimal: Decimal($1) + 1)]
      },
      at: { NSDecimalNumber(decimal: Decimal($0)) }, number: { Decimal($0) })
    try walk(
      real, text, type, beyond: { [$0.nextDown, $1.nextUp, -1e308, 1e308] }, at: { $0 },
      number: { _ in nil })
  }

  @Test func fieldsOfJobsAreBounded() throws {
    try walk(SegmentJob.wholeBounds, SegmentJob.realBounds, Self.job, SegmentJob.self)
  }

  @Test func factsOfSegmentsAreBounded() throws {
    try walk(SegmentFacts.wholeBounds, SegmentFacts.realBounds, Self.facts, SegmentFacts.self)
  }

  @Test func leasesAreBounded() throws {
    try walk(SegmentLease.wholeBounds, SegmentLease.realBounds, Self.lease, SegmentLease.self)
  }

  /// A job that breaks a bound is refused, and the message says where the field is.
  @Test(arguments: [
    ("\"timescale\":600", "\"timescale\":0", "timescale"),
    ("\"segments\":[{", "\"segments\":[],\"more\":[{", "segments"),
    ("\"peak\":1000", "\"peak\":1e300", "shots.shots[0].peak"),
    ("\"firstFrame\":0", "\"firstFrame\":9223372036854775807", "segments[0].frames.firstFrame"),
    ("\"number\":0", "\"number\":1", "segments[0]"),
    ("\"samples\":[0,1]", "\"samples\":[5,1]", "segments[0].frames.decoding.samples"),
  ])
  func refusalsNameThePlace(old: String, new: String, key: String) {
    let text = Self.job.replacing(old, with: new)
    let error = #expect(throws: TranscodingError.self) {
      try SegmentJob(json: Array(text.utf8), path: "/job.json")
    }
    #expect(error?.kind == .unusableInput)
    #expect(error?.message.contains(": \(key) ") == true, "\(error?.message ?? "")")
    #expect(error?.message.hasPrefix("/job.json:") == true)
  }

  /// A segment whose facts contradict the plan counts as missing.
  @Test(arguments: [
    ("\"concealed\":0", "\"concealed\":1"), ("\"repairedTimes\":0", "\"repairedTimes\":1"),
    ("\"number\":0", "\"number\":1"), ("\"frameCount\":1", "\"frameCount\":2"),
    ("\"timescale\":600", "\"timescale\":601"), ("\"seconds\":1", "\"seconds\":1e300"),
    ("\"concealed\":0", "\"concealed\":9223372036854775807"),
  ])
  func factsAreThoseOfThePlan(old: String, new: String) throws {
    let job = try JSONDecoder().decode(SegmentJob.self, from: Data(Self.job.utf8))
    func fault(_ text: String) throws -> String? {
      try JSONDecoder().decode(SegmentFacts.self, from: Data(text.utf8)).fault(as: 0, of: job)
    }
    #expect(try fault(Self.facts) == nil)
    #expect(try fault(Self.facts.replacing(old, with: new)) != nil)
  }

  /// Leases that no process could have written are ignored.
  @Test func leasesOfNobodyAreIgnored() throws {
    let folder = try TemporaryFolder()
    func lease(_ change: (String, String)) throws -> SegmentLease? {
      SegmentLease(
        path: try folder.write(Self.lease.replacing(change.0, with: change.1), to: "lease"))
    }
    #expect(try lease(("\"process\":1", "\"process\":2")) != nil)
    for (old, new) in [
      ("\"process\":1", "\"process\":0"), ("\"process\":1", "\"process\":-1"),
      ("\"frames\":0", "\"frames\":9223372036854775807"), ("\"host\":\"a\"", "\"host\":\"\""),
      ("\"updated\":1", "\"updated\":1e300"), ("{", ""),
    ] {
      #expect(try lease((old, new)) == nil, "\(new)")
    }
    let future = try #require(try lease(("\"updated\":1", "\"updated\":99999999999")))
    #expect(!future.isHeld)
  }

  /// Returns the times of three frames. The second frame is shown last.
  private static func rows(
    _ change: (inout [(time: Int64, decode: Int64, duration: Int64, sync: Bool)]) -> Void = { _ in }
  ) -> [SegmentFile.Row] {
    var rows: [(time: Int64, decode: Int64, duration: Int64, sync: Bool)] = [
      (100, 90, 10, true), (120, 100, 10, false), (110, 110, 10, false),
    ]
    change(&rows)
    return rows.map {
      SegmentFile.Row(
        time: $0.time, decodeTimeStamp: $0.decode, duration: $0.duration, size: 1, isSync: $0.sync)
    }
  }

  /// Segments whose times contradict the plan are not used.
  @Test func timesAreThoseOfThePlan() throws {
    let json = Self.job.replacing(
      "\"frameCount\":1,\"start\":0", with: "\"frameCount\":3,\"start\":100"
    )
    .replacing("\"end\":10", with: "\"end\":130")
    let job = try JSONDecoder().decode(SegmentJob.self, from: Data(json.utf8))
    let range = job.segments[0].frames
    func fault(_ rows: [SegmentFile.Row]) -> String? { rows.timeFault(in: range, timescale: 600) }
    #expect(fault(Self.rows()) == nil)
    #expect(fault(Self.rows { $0[1].duration = 0 }) != nil)
    for extreme in [Int64.min, .max, Int64.min + 1, 1 << 62] {
      for index in 0..<3 {
        #expect(fault(Self.rows { $0[index].time = extreme }) != nil)
        #expect(fault(Self.rows { $0[index].decode = extreme }) != nil)
        #expect(fault(Self.rows { $0[index].duration = extreme }) != nil)
      }
    }
    #expect(fault(Self.rows { $0[0].time = 101 }) != nil)
    #expect(fault(Self.rows { $0[1].time = 121 }) != nil)
    #expect(fault(Self.rows { $0[1].time = 110 }) != nil)
    #expect(fault(Self.rows { $0[2].decode = 95 }) != nil)
    #expect(fault(Self.rows { $0[0].decode = -10_000_000 }) != nil)
    #expect(fault(Self.rows { $0[0].sync = false }) != nil)
  }
}

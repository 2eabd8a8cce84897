// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Every frame is presented at the time that the source's boxes state, and audio begins at the time
/// that they state. An independent script reads `stts`, `ctts` and `elst` of source and output.
@Suite(.needsSharedMedia) struct SynchronyTests {
  static let files = ["hdr", "sdr", "damaged", "found"].flatMap(SharedMedia.names).filter { name in
    [".mp4", ".mov", ".m4v"].contains { name.lowercased().hasSuffix($0) }
  }

  private static let contradicting =
    "found/androidx__sample_edit_list_no_sync_frame_before_edit.mp4"

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Returns when each sample of a movie's video and audio tracks is presented, in seconds, or
  /// `nil` for a movie in fragments.
  private func presentedTimes(_ path: String) throws -> [String: [[Double]]]? {
    let outcome = try Tool.run("python3", ["-c", Self.script, path])
    guard outcome.status == 0 else { return nil }
    return try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
      as? [String: [[Double]]]
  }

  @Test(arguments: files.filter { SharedMedia.size($0) < 100_000 }.shortened(to: 6))
  func picturesAndSoundOfSmallFilesAreOnTime(name: String) throws { try expectOnTime(name) }

  @Test(.takesLong, arguments: files.filter { SharedMedia.size($0) >= 100_000 })
  func picturesAndSoundOfLargeFilesAreOnTime(name: String) throws { try expectOnTime(name) }

  private func expectOnTime(_ name: String) throws {
    let source = SharedMedia.path(name)
    guard let expected = try presentedTimes(source), let pictures = expected["vide"]?.first,
      !pictures.isEmpty
    else { return }
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", source, output, "--preset", "h264-sdr", "--set", "video.width=160", "--set",
      "video.compressionProperties.speed=ultrafast")
    // If a file cannot be transcoded, there are no times to compare. Other tests check which files
    // can be transcoded.
    guard [0, 2].contains(outcome.status) else {
      #expect([64, 65, 69].contains(outcome.status), "\(outcome.errors)")
      return
    }
    let found = try #require(try presentedTimes(output))
    let written = try #require(found["vide"]?.first)
    if outcome.status == 0 {
      #expect(written.count == pictures.count, "\(outcome.errors)")
      #expect(zip(written, pictures).allSatisfy { abs($0 - $1) < 0.002 })
    } else {
      #expect(written.allSatisfy { time in pictures.contains { abs($0 - time) < 0.002 } })
    }
    let starts = (expected["soun"] ?? []).compactMap(\.first)
    for (start, track) in zip(starts, found["soun"] ?? []) where !track.isEmpty {
      #expect(abs(track[0] - start) < 0.002, "audio begins at \(track[0]) instead of \(start)")
    }
  }

  /// The time of the first sample contradicts the times of seven others. These seven keep their
  /// times, and so do all samples after them.
  @Test(.enabled(if: files.contains(contradicting), "needs \(contradicting), which is not there"))
  func aTimeThatContradictsOthersCostsItsOwnPictureOnly() throws {
    let output = folder.path("out.mov")
    let outcome = try BuiltCandela.run(
      "transcode", SharedMedia.path(Self.contradicting), output, "--preset", "h264-sdr", "--set",
      "video.width=160", "--set", "video.compressionProperties.speed=ultrafast")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("1 timestamp was missing"))
    #expect(try Tool.probe(output, "packet=size").count == 69)
  }

  /// Reads `elst`, `stts` and `ctts` of all tracks, and prints when their samples are presented,
  /// grouped by the kind of track.
  private static let script = """
    import json, struct, sys
    b = open(sys.argv[1], 'rb').read()
    def boxes(s, e):
        while s + 8 <= e:
            n, t = struct.unpack('>I4s', b[s:s+8]); h = 8
            if n == 1: n = struct.unpack('>Q', b[s+8:s+16])[0]; h = 16
            if n == 0: n = e - s
            if n < h: return
            yield t.decode('latin1'), s + h, min(s + n, e)
            s += n
    def find(s, e, *path):
        for t, x, y in boxes(s, e):
            if t == path[0]: return (x, y) if len(path) == 1 else find(x, y, *path[1:])
    def rows(box, form):
        if not box: return []
        n = struct.unpack('>I', b[box[0]+4:box[0]+8])[0]; k = struct.calcsize(form)
        return [struct.unpack(form, b[box[0]+8+i*k:box[0]+8+(i+1)*k]) for i in range(n)]
    def scale(box):
        return struct.unpack('>I', b[box[0]+(20 if b[box[0]] else 12):][:4])[0]
    moov = find(0, len(b), 'moov')
    assert not find(*moov, 'mvex')
    movie = scale(find(*moov, 'mvhd'))
    result = {'vide': [], 'soun': []}
    for t, s, e in boxes(*moov):
        if t != 'trak': continue
        h = find(s, e, 'mdia', 'hdlr'); kind = b[h[0]+8:h[0]+12].decode('latin1')
        if kind not in result: continue
        media = scale(find(s, e, 'mdia', 'mdhd')); stbl = find(s, e, 'mdia', 'minf', 'stbl')
        times, d, last = [], 0, 0
        for n, step in rows(find(*stbl, 'stts'), '>II'):
            for _ in range(min(n, 2000000)): times.append(d); d += step; last = step
        offsets = [o for n, o in rows(find(*stbl, 'ctts'), '>Ii') for _ in range(n)]
        times = sorted(x + o for x, o in zip(times, offsets or [0] * len(times)))
        box = find(s, e, 'edts', 'elst')
        version = b[box[0]] if box else 0
        edits = [x for x in rows(box, '>Qqi' if version else '>Iii')]
        real = [x for x in edits if x[1] >= 0]
        edits = [x for x in edits if x[0] or (len(real) == 1 and x[1] >= 0)]
        if not [x for x in edits if x[1] >= 0]: edits = [(0, 0, 65536)]
        shown = []
        for x, y in zip(times, times[1:] + [times[-1] + last] if times else []):
            lead = 0
            for length, start, rate in edits:
                end = start + length * media / movie if length else float('inf')
                if start >= 0 and x < end and y > start and (rate or x <= start):
                    shown.append(lead + max(x - start, 0) / media); break
                if not length: break
                lead += length / movie
        result[kind].append(shown)
    print(json.dumps(result))
    """
}

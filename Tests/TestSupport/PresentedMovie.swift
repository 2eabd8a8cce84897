// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Testing

/// What the first video track of a movie file presents. A script reads the file's boxes, and ffmpeg
/// decodes the frames without applying edit lists.
public struct PresentedMovie: Sendable {
  /// When each presented frame begins, in seconds.
  public let times: [Double]
  /// The MD5 of each presented frame.
  public let digests: [String]
  /// How long the presentation lasts, in seconds.
  public let duration: Double

  /// Reads a file.
  public init(_ path: String) throws {
    let decoded = try Tool.ffmpeg(
      "-noautorotate", "-ignore_editlist", "1", "-copyts", "-i", path, "-map", "0:v:0", "-vsync",
      "passthrough", "-enc_time_base", "-1", "-f", "framemd5", "-"
    ).text.split(separator: "\n")
    let base = try #require(decoded.first { $0.hasPrefix("#tb") }?.split(separator: " ").last)
    let parts = base.split(separator: "/").compactMap { Double($0) }
    let unit = try #require(parts.count == 2 ? parts[0] / parts[1] : nil)
    var digests: [Int: String] = [:]
    for line in decoded where !line.hasPrefix("#") {
      let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      guard fields.count >= 6, let time = Double(fields[2]) else { continue }
      digests[Int((time * unit * 1e6).rounded())] = fields[fields.count - 1]
    }
    let script = MovieScript.boxes + MovieScript.frames
    let lines = try Tool.run("python3", ["-c", script, path]).text.split(separator: "\n")
    let frames = lines.dropLast().map { $0.split(separator: " ").compactMap { Double($0) } }
    times = frames.map { $0[0] }
    self.digests = frames.map { digests[Int(($0[1] * 1e6).rounded())] ?? "none" }
    duration = lines.last.flatMap { Double($0) } ?? 0
  }
}

extension PresentedMovie {
  /// Returns for each track of a movie how long its edits last, in seconds, rounded to
  /// microseconds.
  public static func trackDurations(_ path: String) throws -> [Double] {
    let script = MovieScript.boxes + MovieScript.durations
    return try Tool.run("python3", ["-c", script, path]).text.split(separator: " ")
      .compactMap { Double($0) }
  }
}

/// What a movie file's first audio track presents in its first edit that is not empty: decoded
/// samples, mixed down to one channel.
public struct PresentedAudioSamples {
  /// The decoded samples of the edit.
  public let samples: [Int16]
  /// The number of samples per second.
  public let rate: Double

  /// Reads a file.
  public init(_ path: String) throws {
    let folder = try TemporaryFolder()
    let raw = folder.path("audio.raw")
    try Tool.ffmpeg(
      "-ignore_editlist", "1", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", raw)
    rate = try #require(
      try Tool.probe(path, "stream=sample_rate", stream: "a:0").first.flatMap { Double($0) })
    // Decoders may skip the first packets, so what counts is the time of the first decoded frame.
    let first = try Tool.probe(
      path, "frame=pts_time", stream: "a:0",
      options: ["-ignore_editlist", "1", "-read_intervals", "%+#6"]
    ).first.flatMap { Double($0) }
    let script = MovieScript.boxes + MovieScript.audio
    let edit = try Tool.run("python3", ["-c", script, path]).text.split(separator: " ")
      .compactMap { Double($0) }
    let all = try FileBytes.read(raw).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    let start = Int(((edit[0] - (first ?? 0)) * rate).rounded())
    let count = min(Int((edit[1] * rate).rounded()), all.count - start)
    samples = Array(all[start..<start + max(count, 0)])
  }
}

/// Scripts that read boxes without the program's own code.
private enum MovieScript {
  static let boxes = """
    import struct, sys
    b = open(sys.argv[1], 'rb').read()
    def boxes(s, e):
        while s + 8 <= e:
            n, t = struct.unpack('>I4s', b[s:s+8]); h = 8
            if n == 1: n = struct.unpack('>Q', b[s+8:s+16])[0]; h = 16
            if n < h: return
            yield t.decode('latin1'), s + h, s + n
            s += n
    def find(path, s, e):
        for t, x, y in boxes(s, e):
            if t == path[0]: return (x, y) if len(path) == 1 else find(path[1:], x, y)
    def scale(p): return struct.unpack('>I', b[p+20:p+24] if b[p] == 1 else b[p+12:p+16])[0]
    moov = find(['moov'], 0, len(b))
    def track(kind):
        for t, x, y in boxes(*moov):
            if t == 'trak' and b[find(['mdia', 'hdlr'], x, y)[0]+8:][:4].decode() == kind:
                return x, y
    def table(p, form):
        if not p: return []
        n = struct.unpack('>I', b[p[0]+4:p[0]+8])[0]; z = struct.calcsize(form)
        return [struct.unpack(form, b[p[0]+8+i*z:p[0]+8+(i+1)*z]) for i in range(n)]
    def edits(trak, media):
        p = find(['edts', 'elst'], *trak)
        movie = scale(find(['mvhd'], *moov)[0])
        form = '>QqI' if p and b[p[0]] == 1 else '>IiI'
        return [(d / movie, m / media if m >= 0 else None) for d, m, r in table(p, form)] \\
            or [(1e9, 0)]

    """

  /// Prints a line for each presented frame: when it is presented, and its time in the media. Then
  /// it prints the duration.
  static let frames = """
    trak = track('vide')
    media = scale(find(['mdia', 'mdhd'], *trak)[0])
    stbl = find(['mdia', 'minf', 'stbl'], *trak)
    times, t = [], 0
    for n, d in table(find(['stts'], *stbl), '>II'):
        for _ in range(n): times.append(t); t += d
    offsets = [o for n, o in table(find(['ctts'], *stbl), '>Ii') for _ in range(n)]
    times = sorted(a + o for a, o in zip(times, offsets or [0] * len(times)))
    ends = times[1:] + [max(times[-1] + 1, t)]
    begin = 0
    for d, m in edits(trak, media):
        for a, z in zip(times, ends):
            if m is not None and z / media > m + 1e-9 and a / media < m + d - 1e-9:
                print(begin + max(a / media - m, 0), a / media)
        begin += d
    print(begin)
    """

  static let durations = """
    for t, x, y in boxes(*moov):
        if t == 'trak': print(round(sum(d for d, m in edits((x, y), 1)), 6), end=' ')
    """

  /// Prints where in the media the first edit that is not empty begins, and how long that edit is.
  static let audio = """
    trak = track('soun')
    media = scale(find(['mdia', 'mdhd'], *trak)[0])
    print(*[v for d, m in edits(trak, media) if m is not None for v in (m, d)][:2])
    """
}

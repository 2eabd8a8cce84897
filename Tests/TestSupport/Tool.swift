// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import Host
import Testing

/// Runs programs and keeps what they print.
public struct Tool {
  /// What a program left behind when it ended.
  public struct Outcome: Sendable {
    /// Its exit code, or 128 plus the signal's number if a signal ended it.
    public let status: Int32
    /// What it printed on standard output.
    public let output: String
    /// What it printed on standard error.
    public let errors: String

    /// Standard output without white space around it.
    public var text: String { output.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Standard output in one line, with a space between words.
    public var words: String { output.split { $0.isWhitespace }.joined(separator: " ") }

    /// Returns the members of the JSON object on standard output.
    public func json() throws -> [String: Any] {
      let object = try JSONSerialization.jsonObject(with: Data(output.utf8))
      return try #require(object as? [String: Any])
    }
  }

  /// Runs a program, which is found through `PATH` or given by its path.
  public static func run(_ name: String, _ arguments: [String]) throws -> Outcome {
    try start(name, arguments).wait()
  }

  /// Thrown when a program that has to succeed fails.
  public struct Failure: Error, CustomStringConvertible {
    /// The command, how it ended, and what it printed on standard error.
    public let description: String
  }

  /// Runs a program that has to succeed.
  @discardableResult
  static func succeed(_ name: String, _ arguments: [String]) throws -> Outcome {
    let outcome = try run(name, arguments)
    guard outcome.status == 0 else {
      let command = ([name] + arguments).joined(separator: " ")
      throw Failure(description: "\(command): \(outcome.status), \(outcome.errors)")
    }
    return outcome
  }

  /// Runs ffmpeg so that it replaces files and prints only errors. It has to succeed.
  @discardableResult
  public static func ffmpeg(_ arguments: [String]) throws -> Outcome {
    try succeed("ffmpeg", ["-v", "error", "-y"] + arguments)
  }

  /// Runs ffmpeg so that it replaces files and prints only errors. It has to succeed.
  @discardableResult
  public static func ffmpeg(_ arguments: String...) throws -> Outcome { try ffmpeg(arguments) }

  /// A program that is running.
  public struct Running {
    // Foundation's `Process` does not notice the end of a program while a process that the program
    // has started goes on.
    private let process: ChildProcess
    private let command: String
    private let folder: TemporaryFolder
    private let start = ContinuousClock.now

    fileprivate init(_ words: [String]) throws {
      command = words.joined(separator: " ")
      folder = try TemporaryFolder()
      Self.keepFiles()
      // Output goes to files, because a program would stop if nobody emptied a full pipe. The
      // standard input of a `ChildProcess` stays open as long as this process lives. A program that
      // reads it would wait for that long, so the shell replaces it.
      process = try ChildProcess(
        ["-c", "exec \"$0\" \"$@\" < /dev/null"] + words, of: "/bin/sh", for: command,
        output: folder.create("out"), log: folder.create("err"))
    }

    /// Keeps the files that tests have open from the programs that they start. A test could not run
    /// a script that it has just written if another test's program had it open for writing.
    private static func keepFiles() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
      for file in names.compactMap({ Int32($0) }) where file > STDERR_FILENO {
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      }
    }

    /// The process ID.
    public var identifier: Int32 { process.identifier }

    /// Sends a signal to the program, if it is still running.
    public func signal(_ number: Int32) { process.signal(number) }

    /// Whether the program has not ended yet. A program that runs far too long is killed, and the
    /// test fails. Otherwise the tests would never end, and nobody would learn which one is to
    /// blame.
    public var isRunning: Bool {
      if process.isRunning && start.duration(to: .now) > Self.patience { giveUp() }
      return process.isRunning
    }

    /// Many times what the slowest program takes.
    private static let patience = Duration.seconds(900)

    private func giveUp() {
      let waits = ([identifier] + Tool.children(of: identifier)).map { process in
        let place = try? String(contentsOfFile: "/proc/\(process)/wchan", encoding: .utf8)
        return "\(process) in \(place ?? "?")"
      }
      Issue.record("\(command) does not end: \(waits.joined(separator: ", "))")
      process.signal(SIGKILL)
      _ = process.wait()
    }

    /// Waits until a condition holds or the program has ended. This blocks the thread on purpose: a
    /// test that gives up its thread might resume only when all others are done, and the program
    /// would go on working until then.
    public func wait(until holds: (Running) -> Bool) {
      while isRunning && !holds(self) { Thread.sleep(forTimeInterval: 0.02) }
    }

    /// Waits until the program writes a file into a folder or has ended.
    public func wait(untilItWritesInto folder: TemporaryFolder) {
      wait { folder.isWritten(by: $0.identifier) }
    }

    /// Waits until the program ends.
    public func wait() -> Outcome {
      while isRunning { Thread.sleep(forTimeInterval: 0.005) }
      func text(_ name: String) -> String {
        String(
          decoding: FileManager.default.contents(atPath: folder.path(name)) ?? Data(), as: UTF8.self
        )
      }
      let status =
        switch process.wait() {
        case .exit(let status): status
        case .signal(let number): 128 + number
        }
      return Outcome(status: status, output: text("out"), errors: text("err"))
    }
  }

  /// Starts a program, which is found through `PATH` or given by its path.
  public static func start(_ name: String, _ arguments: [String]) throws -> Running {
    try Running([name == "python3" ? python : name] + arguments)
  }

  /// Where Python is. `PATH` might lead to a wrapper script, which takes longer to start than the
  /// tests' own scripts take to run.
  private static let python: String = {
    let script = "exec python3 -c 'import sys; print(sys.executable)'"
    let path = (try? run("sh", ["-c", script]))?.text ?? ""
    return path.isEmpty ? "python3" : path
  }()

  /// Returns the processes that a process started and that still exist.
  public static func children(of process: Int32) -> [Int32] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap { Int32($0) }.filter { parent(of: $0) == process }
  }

  /// Returns whether a signal has stopped a process.
  public static func isStopped(_ process: Int32) -> Bool {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.split(separator: " ").first == "T"
  }

  /// Returns the parent of a process, or `nil` if the process has ended.
  public static func parent(of process: Int32) -> Int32? {
    // The state and the parent come after the name, which may have spaces.
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 1 && fields[0] != "Z" ? Int32(fields[1]) : nil
  }

  /// Waits up to a minute for the end of a process that another one started.
  ///
  /// - Returns: whether it ended.
  public static func waitForEnd(of process: Int32) -> Bool {
    for _ in 0..<1200 {
      guard parent(of: process) != nil else { return true }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return false
  }

  /// The major and minor version of the libavcodec that ffmpeg and ffprobe use.
  public static let libavcodec: (major: Int, minor: Int) = {
    let lines = (try? run("ffmpeg", ["-version"]))?.output.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("libavcodec ") } ?? ""
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    return numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
  }()

  /// Whether libavformat writes rotation and crop to Matroska. FFmpeg 7.1 and later do.
  public static let writesMatroskaDisplay = libavcodec >= (61, 19)

  /// The options of an input whose frames ffmpeg has to give exactly as they are coded. Without
  /// them, ffmpeg 7.1 and later crop frames to what the container says is visible.
  private static let wholeFrames = libavcodec >= (61, 19) ? ["-apply_cropping", "codec"] : []

  /// Returns what `ffprobe` says about one entry, such as `stream=pix_fmt`.
  public static func probe(
    _ path: String, _ entries: String, stream: String = "v:0", options: [String] = []
  ) throws -> [String] {
    let arguments =
      ["-v", "error"] + options
      + ["-select_streams", stream, "-show_entries", entries, "-of", "csv=p=0", path]
    return try run("ffprobe", arguments).text.split(separator: "\n").map {
      $0.trimmingCharacters(in: CharacterSet(charactersIn: ", \r"))
    }.filter { !$0.isEmpty }
  }

  /// Returns the chapters of a file as `ffprobe` sees them: `start|title`.
  public static func chapters(of path: String) throws -> [String] {
    let arguments = [
      "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of",
      "csv=p=0:s=|", path,
    ]
    return try run("ffprobe", arguments).text.split(separator: "\n").map(String.init)
  }

  /// Returns one MD5 of everything that is decoded from a file's tracks of one kind, `v` or `a`.
  public static func digest(_ path: String, of kind: String = "v") throws -> String {
    try ffmpeg("-i", path, "-map", "0:\(kind)", "-f", "md5", "-").text
  }

  /// Returns the MD5 of every decoded frame of a file in a pixel format, in the order of
  /// presentation.
  public static func frameDigests(
    _ path: String, format: String, ignoringEdits: Bool = false, filter: String? = nil
  ) throws -> [String] {
    var arguments = ["-noautorotate"] + wholeFrames
    if ignoringEdits { arguments += ["-ignore_editlist", "1"] }
    arguments += ["-i", path, "-map", "0:v:0"]
    if let filter { arguments += ["-vf", filter] }
    arguments += ["-vsync", "passthrough", "-pix_fmt", format, "-f", "framemd5", "-"]
    return try ffmpeg(arguments).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: ",").last?.trimmingCharacters(in: .whitespaces) }
  }

  /// Returns one decoded frame as the bytes of a raw pixel format.
  public static func picture(
    _ path: String, index: Int = 0, format: String, filter: String? = nil
  ) throws -> [UInt8] {
    let filters = ["select=eq(n\\,\(index))"] + (filter.map { [$0] } ?? [])
    return try raw(
      path, format, ["-vf", filters.joined(separator: ","), "-frames:v", "1"])
  }

  /// Returns all decoded frames, one after another.
  public static func pictures(_ path: String, format: String) throws -> [UInt8] {
    try raw(path, format, ["-map", "0:v:0", "-vsync", "passthrough"])
  }

  private static func raw(
    _ path: String, _ format: String, _ options: [String]
  ) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let raw = folder.path("picture.raw")
    try ffmpeg(
      ["-noautorotate"] + wholeFrames + ["-i", path] + options
        + ["-f", "rawvideo", "-pix_fmt", format, raw])
    return try FileBytes.read(raw)
  }
}

/// The program that was built together with the tests.
public enum BuiltCandela {
  /// The path of the program.
  public static let path: String = {
    let runner = URL(fileURLWithPath: CommandLine.arguments[0])
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let candidates = [
      runner.deletingLastPathComponent().appendingPathComponent("candela"),
      root.appendingPathComponent(".build/debug/candela"),
    ]
    let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
    return (found ?? candidates[1]).path
  }()

  /// Makes a short sample movie, `sample.mov`.
  ///
  /// - Returns: its path.
  public static func sample(in folder: TemporaryFolder) throws -> String {
    try folder.write(made.get(), to: "sample.mov")
  }

  /// The sample movie. Hundreds of tests begin with it, so it is made only once.
  private static let made = Result {
    let folder = try TemporaryFolder()
    let path = folder.path("sample.mov")
    try Tool.succeed(Self.path, ["sample", path, "--size", "128x96", "--seconds", "0.5"])
    return try FileBytes.read(path)
  }

  /// Runs the program and waits until it ends.
  public static func run(_ arguments: String...) throws -> Tool.Outcome {
    try Tool.run(path, arguments)
  }

  /// Runs the program and waits until it ends.
  public static func run(_ arguments: [String]) throws -> Tool.Outcome {
    try Tool.run(path, arguments)
  }
}

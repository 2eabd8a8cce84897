// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// Scripts for engines, such as make and Slurm, use the right job folder, whatever it is called,
/// and never run a part of its name.
@Suite(.timeLimit(.minutes(5))) struct EngineScriptTests {
  private let folder: TemporaryFolder
  private let plan: String

  /// Names of folders that some engine could take for a template, for code or for the end of a
  /// text.
  private static let names = [
    "{}", "{.}x", "{/}", "{/.}", "{#}", "{%}", "{1}", "{-1}", "{+}", "{2-}", "{::}", ":::",
    "{= `touch pwned` =}", "{=touch pwned=}", "$(touch pwned)", "`touch pwned`", "$HOME", "$$",
    "$(shell touch pwned)", "${CANDELA}", "it's", "'; touch pwned; '", "a\"b", "; touch pwned;",
    "&& touch pwned", "| touch pwned", "# x", "a#b", "x = y", "x: y", "a:=b", "%.o: ", "@x", "-n",
    "--halt", "*", "?", "~", "!x!", "\\", "\\\\n", "a\\", "tab\there", "  two  ", "TASK", "%a%j%%",
    "EOF", "é", "() { :;}; touch pwned", "<x>", "(x)", "[x]", "a,b=c",
    // To Swift, a quote or a dollar sign followed by an accent is another character.
    "a'\u{301}; touch pwned; echo '\u{301}b", "a$\u{301}(touch pwned)",
  ]

  init() throws {
    folder = try TemporaryFolder()
    let job = folder.path("job")
    let outcome = try BuiltCandela.run(
      "segments", "plan", try BuiltCandela.sample(in: folder), folder.path("out.mp4"), "--job", job)
    try #require(outcome.status == 0, "\(outcome.errors)")
    plan = job + "/job.json"
  }

  /// Makes a program that takes the place of `candela` and notes how it was called.
  private func stub() throws -> String {
    let calls = folder.path("calls")
    return try program(
      """
      #!/bin/sh
      printf '[%s]' "$@" >> '\(calls)'
      echo >> '\(calls)'
      """, named: "stub")
  }

  /// Makes a program. Another process writes it, because a program that is open for writing cannot
  /// run, and what this process has open is, for a moment, also open in processes that other tests
  /// start.
  private func program(_ text: String, named name: String) throws -> String {
    let source = try folder.write(text, to: "\(name).sh")
    let outcome = try Tool.run("install", ["-m", "755", source, folder.path(name)])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return folder.path(name)
  }

  /// Makes an `sbatch` that does what Slurm does with a script from standard input.
  private func fakeSlurm() throws {
    let text = """
      #!/bin/sh
      array= place=.
      for word in "$@"; do
        case "$word" in
        --array=*) array=${word#--array=0-} ;;
        --chdir=*) place=${word#--chdir=} ;;
        esac
      done
      cat > "$FAKE/task"
      cd "$place" || exit 1
      if [ -z "$array" ]; then sh "$FAKE/task" >&2; else
        for number in $(seq 0 "$array"); do
          SLURM_ARRAY_TASK_ID=$number sh "$FAKE/task" >&2 || exit 1
        done
      fi
      echo "7;cluster"
      """
    _ = try program(text, named: "sbatch")
  }

  private func run(_ engine: String, _ script: String) throws -> Tool.Outcome {
    let path = try folder.write(script, to: "script")
    let place = folder.path("")
    let words = engine == "make" ? ["make", "-s", "-f", path] : ["sh", path]
    return try Tool.run(
      "env", ["-C", place, "PATH=\(place):/usr/local/bin:/usr/bin:/bin", "FAKE=\(place)"] + words)
  }

  private static var engines: [String] {
    let hasParallel = FileManager.default.isExecutableFile(atPath: "/usr/bin/parallel")
    return ["make", "slurm"] + (hasParallel ? ["parallel"] : [])
  }

  @Test(arguments: engines.indices) func namesAreNeitherTemplatesNorCode(number: Int) throws {
    let names = Self.names.shortened(to: 12).enumerated()
      .filter { $0.offset % Self.engines.count == number }
    try expectNoTemplates(Self.engines[number], names: names.map(\.element))
  }

  @Test(.takesLong, arguments: engines) func noNameIsATemplate(engine: String) throws {
    try expectNoTemplates(engine, names: Self.names)
  }

  private func expectNoTemplates(_ engine: String, names: [String]) throws {
    try fakeSlurm()
    let stub = try stub()
    for name in names {
      let job = folder.path("in") + "/" + name
      try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: plan, toPath: job + "/job.json")
      let printed = try BuiltCandela.run("segments", "script", "--engine", engine, "--job", job)
      try #require(printed.status == 0, "\(name): \(printed.errors)")
      let parts = printed.output.split(separator: "'", omittingEmptySubsequences: false)
      let at = try #require(parts.firstIndex { $0.hasSuffix("CANDELA=") })
      let script = printed.output.replacing("CANDELA='\(parts[at + 1])'", with: "CANDELA='\(stub)'")
      let outcome = try run(engine, script)
      #expect(outcome.status == 0, "\(engine), \(name): \(outcome.errors)")
      let calls = String(decoding: try FileBytes.read(folder.path("calls")), as: UTF8.self)
      #expect(calls.hasPrefix("[segments][encode][--job=\(job)][0]\n"), "\(engine): \(calls)")
      #expect(calls.contains("\n[segments][join][--job=\(job)]"), "\(engine): \(calls)")
      #expect(calls.split(separator: "\n").count == 2, "\(engine): \(calls)")
      try FileManager.default.removeItem(atPath: folder.path("calls"))
    }
    for place in [folder.path("pwned"), folder.path("in/pwned")] {
      #expect(!FileManager.default.fileExists(atPath: place))
    }
    #expect(!FileManager.default.fileExists(atPath: "pwned"))
  }

  /// A script that is run exactly as it was printed makes the output, even for a folder with a
  /// difficult name.
  @Test(arguments: engines) func everyEngineReallyWorks(engine: String) throws {
    try fakeSlurm()
    let job = folder.path("a {} $x 'job'")
    try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: plan, toPath: job + "/job.json")
    let printed = try BuiltCandela.run("segments", "script", "--engine", engine, "--job", job)
    let outcome = try run(engine, printed.output)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try Tool.probe(folder.path("out.mp4"), "stream=codec_name") == ["hevc"])
    let removed = try BuiltCandela.run("segments", "remove", "--job", job)
    #expect(removed.status == 0 && !FileManager.default.fileExists(atPath: job), "\(removed)")
  }

  @Test(
    arguments: engines,
    ["x\nTASK\ntouch pwned #", "x\nX != touch pwned\ny", "a\rb"].shortened(to: 1))
  func lineBreaksAreRefused(engine: String, name: String) throws {
    let job = folder.path("in") + "/" + name
    try FileManager.default.createDirectory(atPath: job, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: plan, toPath: job + "/job.json")
    let printed = try BuiltCandela.run("segments", "script", "--engine", engine, "--job", job)
    #expect(printed.status == 64 && printed.errors.contains("has a line break"), "\(printed)")
    #expect(printed.output.isEmpty)
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// With the program's own scripts, shells offer the values that the program knows for its options.
@Suite struct CompletionTests {
  private static let bash = Result {
    try BuiltCandela.run("--generate-completion-script", "bash").output
  }

  /// Asks bash how it would complete a command line. The cursor is at the last word.
  private func offered(_ line: String) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.bash.get(), to: "candela.bash")
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    // The script calls the program by the first word of the command line.
    let typed = [BuiltCandela.path] + words
    let program = """
      source "$0"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
      _candela "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try Tool.run("bash", ["-c", program, path] + typed)
    return outcome.text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.sorted()
  }

  @Test(
    arguments: [
      ("transcode --preset h264", ["h264-1080p", "h264-sdr"]),
      ("plan -p hevc-h", ["hevc-hlg"]),
      ("presets show hevc-p", ["hevc-p3", "hevc-pq"]),
      ("transcode --codec h", ["h264", "hevc"]),
      ("transcode --speed very", ["veryfast", "veryslow"]),
      ("transcode --audio op", ["opus"]),
      ("transcode --source-color hl", ["hlg"]),
      ("retag --color hl", ["hlg"]), ("schema pl", ["plan"]), ("schema rpu sh", ["show"]),
      ("schema pre", ["presets", "preset"]), ("schema segments s", ["status", "script"]),
    ].shortened(to: 4))
  func valuesThatTheProgramKnows(line: String, expected: [String]) throws {
    let found = try offered(line)
    #expect(Set(found).isSuperset(of: expected), "\(found)")
    let word = line.split(separator: " ").last.map(String.init) ?? ""
    #expect(found.allSatisfy { $0.hasPrefix(word) }, "\(found)")
  }

  /// If only one key is left, its values are offered, too, so that no shell types a space after
  /// the `=`.
  @Test(
    arguments: [
      (
        "plan --set video.conversion.toneMap",
        ["video.conversion.toneMapping=", "video.conversion.toneMappingNorm="]
      ),
      ("plan --set video.rang", ["video.range=full", "video.range=limited"]),
      ("transcode --set video.codec=h", ["video.codec=h264", "video.codec=hevc"]),
      ("transcode --set audio=pass", ["audio=passthrough"]),
      ("segments plan --set video.allowWideColor=t", ["video.allowWideColor=true"]),
      ("plan --set video.wid", ["video.width="]), ("plan --set video.width=12", []),
      ("plan --set extend", []),
    ].shortened(to: 3) as [(String, [String])])
  func keysOfPresets(line: String, expected: [String]) throws {
    #expect(try offered(line) == expected)
  }

  @Test func aPathIsCompletedToPresetFiles() throws {
    let folder = try TemporaryFolder()
    try folder.write("{}", to: "mine.json")
    try folder.write("", to: "mine.mov")
    #expect(try offered("transcode --preset \(folder.path("mi"))") == [folder.path("mine.json")])
  }

  /// zsh and fish complete only at a terminal, and bash splits words at `=` there, so they get one.
  @Test(
    .enabled("needs zsh and fish") {
      try Tool.run("sh", ["-c", "command -v zsh && command -v fish"]).status == 0
    },
    arguments: ["bash", "zsh", "fish"])
  func shellsAtATerminal(shell: String) throws {
    let folder = try TemporaryFolder()
    let script = try BuiltCandela.run("--generate-completion-script", shell)
    let path = try folder.write(script.output, to: shell == "zsh" ? "_candela" : "candela.\(shell)")
    let lines = [
      ("presets show hevc-h", "hevc-hlg"), ("transcode --codec hev", "hevc"),
      ("transcode --speed ultra", "ultrafast"), ("transcode --audio ala", "alac"),
      ("retag --color disp", "display-p3"), ("schema rpu sh", "show"),
      ("plan --set video.conversion.toneMappingN", "video.conversion.toneMappingNorm="),
      ("plan --set video.codec=hev", "video.codec=hevc"),
      ("plan a.mov --set crf=20 --set video.range=lim", "video.range=limited"),
      ("segments plan --set video.crop=au", "video.crop=auto"),
    ]
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../TestSupport/shells/complete.py").path
    let shown = try Tool.run(
      "python3",
      ["-B", program, shell, path, BuiltCandela.path] + lines.map { "candela \($0.0)" })
    for (line, expected) in lines {
      let words = line.split(separator: " ").dropLast().joined(separator: " ")
      #expect(shown.output.contains("\ncandela \(words) \(expected)"), "\(shown.output)")
    }
  }
}

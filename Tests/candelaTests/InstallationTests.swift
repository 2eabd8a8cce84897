// SPDX-License-Identifier: GPL-2.0-or-later
import Foundation
import TestSupport
import Testing

/// When `Scripts/install` removes an installation, it removes everything that it created and
/// nothing else.
@Suite struct InstallationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try bash(
      """
      for tree in old new; do
        mkdir -p $tree/bin $tree/share/man/man1
        echo $tree >$tree/bin/candela
        chmod 755 $tree/bin/candela
        echo $tree >$tree/share/man/man1/$tree.1
      done
      mkdir -p usr/local/bin usr/local/share/man
      chmod 2775 usr/local/bin
      """)
  }

  private func bash(_ text: String) throws -> Tool.Outcome {
    let scripts = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Scripts/parts/install")
    let script = "set -euo pipefail; source \"$1/installed.sh\"; cd \"$2\"; root=$PWD/usr/local\n"
    let outcome = try Tool.run(
      "bash", ["-c", script + text, "-", scripts.path, folder.path("")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome
  }

  private func names() throws -> [String] {
    try bash("find usr opt -printf '%p %m\\n' 2>/dev/null | sort || true").text
      .split(separator: "\n").map(String.init)
  }

  @Test func removalLeavesWhatWasThere() throws {
    let before = try names()
    _ = try bash("install_tree $PWD/old $root")
    let installed = try names()
    #expect(installed.contains("usr/local/bin/candela 755"))
    #expect(installed.contains("usr/local/bin 2775"))
    _ = try bash("install_tree $PWD/new $root")
    let updated = try names()
    #expect(updated.contains("usr/local/share/man/man1/new.1 644"))
    #expect(!updated.contains { $0.contains("old.1") || $0.contains(".new ") })
    #expect(try bash("cat usr/local/bin/candela").text == "new")
    _ = try bash("remove_installed $root")
    #expect(try names() == before)
    // Folders above the root are also removed if the installation created them.
    _ = try bash("install_tree $PWD/old $PWD/opt/here; remove_installed $PWD/opt/here")
    #expect(try names() == before)
  }

  /// If an update is interrupted, the old program is still there, and `--remove` knows every file.
  @Test func interruptionsLeaveAList() throws {
    let before = try names()
    _ = try bash(
      "install_tree $PWD/old $root; rm usr/local/bin/candela; echo old >usr/local/bin/candela")
    _ = try bash(
      "mv() { [ $# -eq 2 ] && command mv \"$@\" || exit 0; }; install_tree $PWD/new $root")
    #expect(try bash("cat usr/local/bin/candela").text == "old")
    _ = try bash("remove_installed $root")
    #expect(try names() == before)
  }
}

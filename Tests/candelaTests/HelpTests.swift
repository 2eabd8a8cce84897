// SPDX-License-Identifier: GPL-2.0-or-later
import TestSupport
import Testing

/// The help of every command can be read in a terminal of 80 columns.
@Suite struct HelpTests {
  /// Returns the lines of a command's help, and of the help of all commands below it.
  private func lines(of command: [String]) throws -> [Substring] {
    let lines = try BuiltCandela.run(command + ["--help"]).output.split(separator: "\n")
    let names = lines.drop { $0 != "SUBCOMMANDS:" }
      .compactMap { $0.wholeMatch(of: #/  ([a-z]+) .*/#)?.1 }
    return try lines + names.flatMap { try self.lines(of: command + [String($0)]) }
  }

  @Test func linesFit() throws {
    let lines = try lines(of: [])
    #expect(lines.filter { $0.count > 80 } == [])
    #expect(lines.contains { $0.hasPrefix("USAGE: candela segments join --job <folder>") })
  }

  /// Usage is broken between arguments, and every form of a command begins in the same column.
  @Test func usageIsBrokenBetweenArguments() throws {
    let inspect = try BuiltCandela.run("inspect", "--help").output
    #expect(
      inspect.contains(
        """

        USAGE: candela inspect <file> ... [--frames] [--recursive]
                 [--exclude <pattern> ...] [--jobs <jobs>] [--threads <N>] [--json]

        """))
    let retag = try BuiltCandela.run("retag", "--help").output
    #expect(
      retag.contains(
        """

        USAGE: candela retag INPUT OUTPUT [--color …] [--range …] [--chroma-location …]
                 [--codec-tag …] [--ambient …] [--mastering-display …]
                 [--content-light …] [--force]
               candela retag --in-place FILE... [--color …] …

        """))
  }

  /// Options stand in the group that they belong to.
  @Test(
    arguments: [
      ("transcode", "--encode", "PRESET AND SOURCE:"), ("plan", "--encode", "PRESET AND SOURCE:"),
      ("transcode", "--dry-run", "MANY FILES:"),
    ].shortened(to: 2))
  func optionsAreInTheirGroups(command: String, option: String, group: String) throws {
    let lines = try BuiltCandela.run(command, "--help").output.split(separator: "\n")
    let before = lines.prefix { !$0.hasPrefix("  \(option) ") }
    let title = before.last { !$0.hasPrefix(" ") }
    #expect(title == group[...])
  }
}

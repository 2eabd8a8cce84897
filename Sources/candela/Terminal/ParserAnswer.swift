// SPDX-License-Identifier: GPL-2.0-or-later

/// What the parser prints if somebody asks for help, the version or a completion script.
struct ParserAnswer {
  /// The text in the parser's words.
  let original: String

  /// The text to print.
  var text: String {
    original.hasPrefix("#!/bin/bash") ? original + Self.joiningWords : fittedHelp
  }

  /// How many columns a line of help may have.
  private static let width = 80

  /// The text with its usage broken into lines. The parser breaks all other lines.
  private var fittedHelp: String {
    let lines = original.split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = lines.firstIndex(where: { $0.hasPrefix("USAGE: ") }) else { return original }
    let end = lines[start...].firstIndex { $0.isEmpty } ?? lines.endIndex
    let usage = lines[start..<end].map { Self.fitted(usage: $0) }
    return (lines[..<start].map(String.init) + usage + lines[end...].map(String.init))
      .joined(separator: "\n")
  }

  /// Breaks a line of usage between its arguments.
  private static func fitted(usage: Substring) -> String {
    // An argument is `[--exclude <pattern> ...]`, `--job <folder>`, `<file> ...` or a word.
    let arguments = usage.matches(of: /\[[^\]]*\]|(?:--\S+ )?<[^>]*>(?: \.\.\.)?|\S+/)
    var lines: [String] = []
    // The first argument adds the last space of the indentation.
    var line = String(usage.prefix { $0 == " " }.dropLast())
    for argument in arguments.map({ String($0.output) }) {
      if line.count + 1 + argument.count > width {
        lines.append(line)
        line = String(repeating: " ", count: 8)
      }
      line += (line.isEmpty ? "" : " ") + argument
    }
    return (lines + [line]).joined(separator: "\n")
  }

  /// The end of the script for bash: a function that calls the parser's function.
  private static let joiningWords = """


    # bash ends a word at '=', so the function above would not see that a value belongs to '--set'.
    # This one joins 'KEY', '=' and 'VALUE' for it, and offers only what follows the '='.
    __candela_join_words() {
        local -r pattern='[[:space:]]--set[[:space:]]+([[:alnum:]._-]+=)([^[:space:]]*)$'
        if [[ "${COMP_WORDBREAKS}" = *=* && "${COMP_LINE:0:COMP_POINT}" =~ ${pattern} ]]; then
            local -r key="${BASH_REMATCH[1]}" word="${BASH_REMATCH[1]}${BASH_REMATCH[2]}"
            until [[ "${COMP_CWORD}" -le 1 || "${COMP_WORDS[COMP_CWORD - 1]}" = --set ]]; do
                COMP_CWORD=$((COMP_CWORD - 1))
            done
            COMP_WORDS=("${COMP_WORDS[@]:0:COMP_CWORD}" "${word}")
            _candela "${1}" "${word}" --set
            COMPREPLY=("${COMPREPLY[@]#"${key}"}")
            compopt +o filenames
        else
            _candela "${@}"
            # In the name of a file, '=' would get a backslash.
            [[ "${3}" != --set ]] || compopt +o filenames
            # A value follows 'KEY=', so no space does.
            [[ "${COMPREPLY[*]}" != *= ]] || compopt -o nospace
        fi
    }
    complete -o filenames -F __candela_join_words candela
    """
}

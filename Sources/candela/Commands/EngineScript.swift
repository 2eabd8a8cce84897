// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host

/// A script that lets the user's own engine encode the segments of a job and join them.
enum EngineScript: String, Sendable, CaseIterable {
  /// Slurm: an array of tasks that are queued again if their node fails, and a task that waits for
  /// all of them.
  case slurm
  /// GNU parallel, on this host or on others over ssh.
  case parallel
  /// A Makefile with a target for each segment.
  case make

  /// Returns the script.
  ///
  /// - Parameters:
  ///   - program: the path of this program, on all hosts.
  ///   - folder: the path of the job's folder, on all hosts.
  ///   - count: the number of segments.
  /// - Throws: ``TranscodingError`` of kind `invalidSettings` for a path that no script can
  ///   contain.
  func text(program: String, folder: String, count: Int) throws -> String {
    for (what, path) in [("program", program), ("job's folder", folder)]
    where path.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) {
      throw TranscodingError(
        .invalidSettings,
        "the path of the \(what) has a line break, which no script for \(rawValue) can contain: "
          + "rename \(path)")
    }
    // Each engine replaces certain patterns in commands, and a path must not be taken for such a
    // pattern. So each path is quoted for a shell only once, and is passed on in the environment.
    let (program, folder) = (Self.quoted(program), Self.quoted(folder))
    return switch self {
    case .slurm: Self.slurm(program, folder, count)
    case .parallel: Self.parallel(program, folder, count)
    case .make: Self.make(program, folder, count)
    }
  }

  private static func slurm(_ program: String, _ folder: String, _ count: Int) -> String {
    """
    #!/bin/sh
    # sh THIS [options of sbatch, such as --partition=NAME --cpus-per-task=8]
    # A task whose node goes down is queued again. The last task joins all finished segments.
    set -e
    CANDELA=\(program)
    CANDELA_JOB=\(folder)
    export CANDELA CANDELA_JOB
    array=$(sbatch --parsable --requeue --job-name=candela --array=0-\(count - 1) --export=ALL \\
      --chdir="$CANDELA_JOB" --output=segment-slurm-%a.log --open-mode=append "$@" <<'TASK'
    #!/bin/sh
    exec "${CANDELA:?}" segments encode --job="${CANDELA_JOB:?}" "$SLURM_ARRAY_TASK_ID"
    TASK
    )
    sbatch --parsable --requeue --job-name=candela-join --dependency=afterok:"${array%%;*}" \\
      --kill-on-invalid-dep=yes --export=ALL --chdir="$CANDELA_JOB" \\
      --output=segment-slurm-join.log "$@" <<'TASK'
    #!/bin/sh
    exec "${CANDELA:?}" segments join --job="${CANDELA_JOB:?}" --progress none
    TASK
    """
  }

  private static func parallel(_ program: String, _ folder: String, _ count: Int) -> String {
    """
    #!/bin/sh
    # sh THIS [options of parallel, such as --jobs 4 --sshlogin host1,host2]
    # Finished segments are not encoded again: the same command continues where it stopped.
    set -e
    CANDELA=\(program)
    CANDELA_JOB=\(folder)
    export CANDELA CANDELA_JOB
    seq 0 \(count - 1) | parallel --env CANDELA --env CANDELA_JOB --halt soon,fail=1 --retries 2 \\
      "$@" '"$CANDELA" segments encode --job="$CANDELA_JOB" {}'
    "$CANDELA" segments join --job="$CANDELA_JOB"
    """
  }

  private static func make(_ program: String, _ folder: String, _ count: Int) -> String {
    // In the recipe of a Makefile, the dollar sign is the only character that has a meaning for
    // `make`.
    let words = replacing("$", with: "$$", in: "CANDELA=\(program) CANDELA_JOB=\(folder)")
    return """
      # make -j 4 -f THIS
      SHELL := /bin/sh
      segments := $(addprefix segment-,$(shell seq 0 \(count - 1)))
      .PHONY: join $(segments)
      join: $(segments)
      \t@\(words); "$$CANDELA" segments join --job="$$CANDELA_JOB"
      $(segments): segment-%:
      \t@\(words); "$$CANDELA" segments encode --job="$$CANDELA_JOB" $*
      """
  }

  /// Returns a word in quotes, so that a shell takes it literally.
  private static func quoted(_ word: String) -> String {
    "'" + replacing("'", with: "'\\''", in: word) + "'"
  }

  /// Replaces every occurrence of a character.
  private static func replacing(
    _ mark: Unicode.Scalar, with replacement: String, in text: String
  ) -> String {
    // Engines see bytes. Swift joins a character and an accent after it into one `Character`, so go
    // through Unicode scalars.
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == mark {
        result.append(contentsOf: replacement.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

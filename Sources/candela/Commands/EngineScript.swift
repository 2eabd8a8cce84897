// SPDX-License-Identifier: GPL-2.0-or-later
/// A script that has somebody's own engine encode the segments of a job and join them.
enum EngineScript: String, Sendable, CaseIterable {
  /// Slurm: an array of tasks that are requeued, and a task that waits for all of them.
  case slurm
  /// GNU parallel, on this host or on others over ssh.
  case parallel
  /// A Makefile.
  case make

  /// The script.
  ///
  /// - Parameters:
  ///   - program: the path of this program, on all hosts.
  ///   - folder: the path of the job's folder, on all hosts.
  ///   - count: number of segments.
  func text(program: String, folder: String, count: Int) -> String {
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
    # Tasks whose node goes down are queued again; the last one joins when all are done.
    set -e
    logs=\(folder)
    array=$(sbatch --parsable --requeue --job-name=candela --array=0-\(count - 1) \\
      --output="$logs/segment-slurm-%a.log" --open-mode=append "$@" <<'TASK'
    #!/bin/sh
    exec \(program) segments encode --job \(folder) "$SLURM_ARRAY_TASK_ID"
    TASK
    )
    sbatch --parsable --requeue --job-name=candela-join --dependency=afterok:"${array%%;*}" \\
      --kill-on-invalid-dep=yes --output="$logs/segment-slurm-join.log" "$@" <<'TASK'
    #!/bin/sh
    exec \(program) segments join --job \(folder) --progress none
    TASK
    """
  }

  private static func parallel(_ program: String, _ folder: String, _ count: Int) -> String {
    """
    #!/bin/sh
    # sh THIS [options of parallel, such as --jobs 4 --sshlogin host1,host2]
    # Done segments are not encoded again: the same command goes on where it was stopped.
    set -e
    seq 0 \(count - 1) | parallel --halt soon,fail=1 --retries 2 "$@" \\
      \(quoted("\(program) segments encode --job \(folder) {}"))
    \(program) segments join --job \(folder)
    """
  }

  private static func make(_ program: String, _ folder: String, _ count: Int) -> String {
    // A dollar sign is make's own.
    func escaped(_ text: String) -> String { text.replacing("$", with: "$$") }
    return """
      # make -j 4 -f THIS
      segments := $(addprefix segment-,$(shell seq 0 \(count - 1)))
      .PHONY: join $(segments)
      join: $(segments)
      \t\(escaped(program)) segments join --job \(escaped(folder))
      $(segments): segment-%:
      \t\(escaped(program)) segments encode --job \(escaped(folder)) $*
      """
  }

  /// A word of a shell.
  private static func quoted(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "/._-+,:@%".utf8.contains(byte)
      }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}

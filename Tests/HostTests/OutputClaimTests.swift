// SPDX-License-Identifier: GPL-2.0-or-later
import Host
import TestSupport
import Testing

/// Runs that share a machine do not write the same output, nor remove what another one writes into.
@Suite struct OutputClaimTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func aNameIsClaimedOnce() throws {
    let path = folder.path("out.mov")
    #expect(!OutputClaim.isHeld(on: path))
    let first = OutputClaim(of: path)
    #expect(first != nil && OutputClaim(of: folder.path("./out.mov")) == nil)
    #expect(OutputClaim.isHeld(on: path) && !OutputClaim.isHeld(on: path, for: .work))
    let work = OutputClaim(of: path, for: .work)
    #expect(work != nil)
    withExtendedLifetime((first, work)) {}
  }

  /// A process that is being started holds no claim of the process that starts it.
  @Test func claimsEndAtOnce() async throws {
    let path = folder.path("out.mov")
    let starts = Task.detached {
      for _ in 0..<50 {
        let (log, _) = try OpenFile.pair(for: "a test")
        _ = try ChildProcess([], of: "/bin/true", for: "a test", log: log).wait()
      }
    }
    var failures = 0
    for _ in 0..<2000 where OutputClaim(of: path) == nil { failures += 1 }
    try await starts.value
    #expect(failures == 0)
  }

  @Test func aFolderInUseIsNotRemoved() throws {
    let path = folder.path("a/b")
    var kept = OpenFile.keptFolder(path)
    #expect(kept != nil && !PosixPath.removeEmptyDirectory(path))
    #expect(OpenFile.keptFolder(path) != nil)
    kept = nil
    #expect(PosixPath.removeEmptyDirectory(path) && folder.names == ["a"])
  }
}

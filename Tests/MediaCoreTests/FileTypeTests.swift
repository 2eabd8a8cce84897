// SPDX-License-Identifier: GPL-2.0-or-later
import MediaCore
import Testing

/// File types are found by the names that programs and presets use.
@Suite struct FileTypeTests {
  @Test func kindsAreKnownByTheirNames() {
    #expect(FileType.allCases == FileType.all)
    for type in FileType.all {
      #expect(FileType(rawValue: type.rawValue) == type)
      #expect(type.pathExtensions.first == type.rawValue)
      for name in type.pathExtensions {
        #expect(FileType(pathExtension: name.uppercased()) == type)
      }
      #expect(!type.others.contains(type) && type.others.count == FileType.all.count - 1)
      #expect(!type.movieTypes.isEmpty && type.movieTypes.allSatisfy(\.isMovie))
    }
    #expect(FileType(rawValue: "avi") == nil && FileType(rawValue: "qt") == nil)
  }

  @Test func videosAreKnownByTheirExtensions() {
    let known = FileType.videoPathExtensions
    #expect(known.isSuperset(of: ["mov", "qt", "mp4", "m4v", "mkv", "avi", "mxf", "webm"]))
    #expect(known.isDisjoint(with: ["m4a", "mka", "wav", "png", "txt"]))
    #expect(FileType.reason(notToWrite: "mxf") == "are read, but not written")
    #expect(FileType.reason(notToWrite: "txt") == "cannot be written")
  }

  @Test func kindsAreListedInASentence() {
    #expect(FileType.names(of: [.mov, .mp4, .mkv]) == ".mov, .mp4 or .mkv")
    #expect(FileType.names(of: [.mov, .mp4]) == ".mov or .mp4")
    #expect(FileType.names(of: [.mkv]) == ".mkv")
    #expect(FileType.names(of: [.mkv, .webm], and: ["ts"]) == ".mkv, .webm or .ts")
  }
}

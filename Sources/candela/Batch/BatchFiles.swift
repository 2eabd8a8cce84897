// SPDX-License-Identifier: GPL-2.0-or-later
internal import Host
internal import MediaCore

/// Finds the files of a batch, and their outputs.
struct BatchFiles {
  /// A file to read and the file to write.
  struct Pair: Hashable, Sendable {
    /// The path of the file to read.
    let input: String
    /// The path of the file to write; empty if none is written. If ``isTemplate`` is set, a part of
    /// the path is filled in only during the work, so no file has exactly this path.
    let output: String
    /// The path as the command takes it, if that differs from ``output``. The command then writes
    /// several files. This path has a placeholder such as `%d` for their numbers, and ``output`` is
    /// the path of the first file.
    var pattern: String?
    /// Whether ``output`` has a part that depends on the source's content, such as a time code.
    var isTemplate = false

    // For Swift, names that differ only in their Unicode normalization are equal. For the system
    // they are two files, so compare bytes.
    static func == (pair: Pair, other: Pair) -> Bool {
      pair.input.utf8.elementsEqual(other.input.utf8)
        && pair.output.utf8.elementsEqual(other.output.utf8)
    }

    func hash(into hasher: inout Hasher) {
      for path in [input, output] { hasher.combine(Array(path.utf8)) }
    }
  }

  /// The pairs, in the order of the arguments; within a folder, in the order of their names.
  private(set) var pairs: [Pair] = []
  private(set) var unreadable: [UnreadablePath] = []
  /// Files that the user named but that are left out because an earlier batch made them, each with
  /// its source.
  private(set) var leftOut: [(path: String, source: String)] = []
  /// Folders that were moved since outputs were made from the files in them.
  private(set) var moves = BatchMoves()

  /// The names of outputs; `nil` if there are no outputs.
  private let names: BatchNames?
  private let isRecursive: Bool
  /// Whether links in folders are followed; `false` if files are changed in place.
  private var followsLinks = true
  private let excluded: [String]
  /// The files as they were found.
  private var found: [Found] = []

  /// `path` is a file, and `root` is the folder that the user named; `nil` if the user named the
  /// file. `place` has the folders in between, each with a slash after it.
  private typealias Found = (path: String, place: String, root: String?)

  /// The paths that the user named, and the folders that links below them lead to, all without
  /// symbolic links.
  private var trees: [String]
  private let identities = Identities()

  /// The folders that the user named and in which files were found, with links resolved.
  var folders: [String] { Set(found.compactMap { $0.root }).compactMap(PosixPath.resolved) }

  /// Finds the files.
  ///
  /// - Throws: ``TranscodingError``: `invalidSettings` for a folder without `--recursive`, for two
  ///   files with the same output, and for outputs that would replace sources; `noInput` if there
  ///   are no files.
  init(
    _ paths: [String], recursive: Bool, excluding: [String], _ names: BatchNames,
    _ history: BatchHistory, makesOutputs: Bool = true
  ) throws {
    self.init(recursive: recursive, excluding: excluding, names, paths)
    for path in paths { try add(path) }
    // Leave out outputs that another run is making right now. That run has not recorded them yet,
    // so records do not show that they are outputs. Files that the user named are not left out
    // here.
    found.removeAll { $0.root != nil && OutputClaim.isHeld(on: $0.path, for: .work) }
    findMoves(names, history)
    pairs = paired(names, history).withoutRepetitions
    // If the user named both an unreadable folder and one above it, there are two entries for the
    // unreadable folder. Keep the entry without a cause, which is for a folder that the user named.
    var seen: Set<[UInt8]> = []
    let named = unreadable.filter { $0.cause == nil }
    unreadable = (named + unreadable.filter { $0.cause != nil }).filter {
      seen.insert(Array(BatchRecord.source($0.path).utf8)).inserted
    }
    let found = pairs.count
    leaveOutOutputs(named: paths, history)
    guard !pairs.isEmpty || !unreadable.isEmpty else {
      throw TranscodingError(
        .noInput,
        "there is no video file in \(paths.joined(separator: ", "))"
          + (found > 0 ? " except outputs of earlier runs" : ""))
    }
    if makesOutputs { try checkOutputs() }
  }

  private init(
    recursive: Bool, excluding: [String], _ names: BatchNames?, _ paths: [String]
  ) {
    (self.names, isRecursive) = (names, recursive)
    // Shells add a slash when they complete the name of a folder.
    excluded = excluding.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }
    trees = paths.compactMap(PosixPath.resolved)
  }

  /// Finds the files of a command that reads files together with their outputs, and writes neither.
  init(_ finding: FilesArguments, named names: BatchNames, of paths: [String]) throws {
    try self.init(
      paths, recursive: finding.recursive, excluding: finding.exclude, names, BatchHistory(),
      makesOutputs: false)
  }

  /// Finds files from which no other files are made.
  ///
  /// - Parameter changesThem: whether the files themselves are changed. If so, each file is found
  ///   only once, even if several paths lead to it.
  /// - Throws: ``TranscodingError``: `invalidSettings` for a folder without `--recursive`;
  ///   `noInput` if there are no files.
  init(
    reading paths: [String], recursive: Bool, excluding: [String], changesThem: Bool = false
  ) throws {
    self.init(recursive: recursive, excluding: excluding, nil, paths)
    followsLinks = !changesThem
    for path in paths { try add(path) }
    if changesThem {
      var seen: Set<[UInt8]> = []
      found = found.filter { seen.insert(identities.of($0.path)).inserted }
    }
    pairs = found.map { Pair(input: $0.path, output: "") }.withoutRepetitions
    guard pairs.isEmpty, unreadable.isEmpty else { return }
    throw TranscodingError(
      .noInput,
      "there is no video file in \(paths.joined(separator: ", "))"
        + (excluded.isEmpty ? "" : ", except files that --exclude leaves out"))
  }

  private mutating func add(_ path: String) throws {
    guard !excluded.contains(where: { PosixPath.fits(PosixPath.name(of: path), $0) }) else {
      return
    }
    switch PosixPath.kind(of: path) {
    case .directory where isRecursive: scan(path, below: "", of: path)
    case .directory:
      throw TranscodingError(
        .invalidSettings, "\(path) is a folder: use --recursive to work on the files in it")
    case .brokenLink where names != nil: unreadable.append(UnreadablePath(brokenLink: path))
    case .nothing where path.hasSuffix("/"):
      unreadable.append(
        PosixPath.isGone(path)
          ? UnreadablePath(missingFolder: path) : UnreadablePath(folder: path, isNamed: true))
    case .nothing, .file, .brokenLink, .other:
      found.append((path: path, place: "", root: nil))
    }
  }

  private mutating func scan(_ directory: String, below place: String, of root: String) {
    guard let names = PosixPath.readableNames(in: directory) else {
      return unreadable.append(UnreadablePath(folder: directory, isNamed: place.isEmpty))
    }
    for name in names.sorted() where !isLeftOut(name, in: place) {
      let path = "\(directory)/\(name)"
      let isVideo = BatchNames.isVideo(name)
      switch PosixPath.kind(of: path) {
      case .directory:
        // If this is the folder for outputs, leave it out. A link may lead back up, so take each
        // folder only once.
        let isTarget = self.names.map { identities.of(path) == identities.of($0.folder) } ?? false
        if !isTarget, !PosixPath.isLink(path) || followsLinks && addTree(behind: path) {
          scan(path, below: "\(place)\(name)/", of: root)
        }
      case .file where isVideo && !followsLinks && PosixPath.isLink(path): break
      case .file where isVideo: found.append((path, place, root))
      case .brokenLink where isVideo && followsLinks:
        unreadable.append(UnreadablePath(brokenLink: path))
      default: break
      }
    }
  }

  /// Adds the folder that a link leads to.
  ///
  /// - Returns: whether the folder was added. It is left out if one of ``trees`` contains it or is
  ///   inside it.
  private mutating func addTree(behind path: String) -> Bool {
    guard let place = PosixPath.resolved(path),
      !trees.contains(where: {
        PosixPath.contains($0, place) || PosixPath.contains(place, $0)
      })
    else { return false }
    trees.append(place)
    return true
  }

  /// Whether a file or folder is ignored.
  ///
  /// - Parameter place: the folders above it, each with a slash after it.
  private func isLeftOut(_ name: String, in place: String) -> Bool {
    // Hidden files are not clips but unfinished outputs, records and jobs.
    name.utf8.first == UInt8(ascii: ".") || Self.foldersOfSystems.contains(name.lowercased())
      || excluded.contains { pattern in
        PosixPath.fits(name, pattern) || PosixPath.fits(place + name, pattern)
      }
  }

  /// Folders in which systems keep files other than the user's clips: previews and deleted files
  /// (Synology, Windows), and files that a disk check recovered (ext4). The names are in lower
  /// case, because Windows varies their case.
  private static let foldersOfSystems: Set = [
    "@eadir", "#recycle", "$recycle.bin", "system volume information", "lost+found",
  ]

  /// Returns the files with their outputs. If the user named several folders, each of them has a
  /// folder of the same name for its outputs.
  private func paired(_ names: BatchNames, _ history: BatchHistory) -> [Pair] {
    let areMany = Set(found.compactMap { $0.root }).count > 1
    let folder = BatchFolder(names.folder)
    return found.map { file in
      let (plain, apart) = Self.places(of: file, names)
      let (usual, other) = areMany ? (apart, plain) : (plain, apart)
      // An output stays where an earlier run put it, even if that run was given one folder and this
      // run is given several, or the reverse.
      func isMade(_ pair: Pair) -> Bool {
        history.made(pair.output, in: folder).map { moves.isSource(file.path, of: $0) } ?? false
      }
      return !isMade(usual) && isMade(other) ? other : usual
    }
  }

  /// Returns the two outputs that a file may have: `plain` if the user named a single folder, and
  /// `apart` if the user named several.
  private static func places(
    of file: Found, _ names: BatchNames
  ) -> (plain: Pair, apart: Pair) {
    func pair(below place: String) -> Pair {
      names.pair(of: file.path, names.output(of: file.path, below: place))
    }
    let plain = pair(below: file.place)
    guard let root = file.root else { return (plain, plain) }
    return (plain, pair(below: "\(name(ofRoot: root))/\(file.place)"))
  }

  /// Finds folders that were moved.
  private mutating func findMoves(_ names: BatchNames, _ history: BatchHistory) {
    let folder = BatchFolder(names.folder)
    for file in found {
      let (plain, apart) = Self.places(of: file, names)
      for pair in [plain, apart] {
        if let record = history.made(pair.output, in: folder) { moves.add(record, of: file.path) }
      }
    }
  }

  private static func name(ofRoot root: String) -> String {
    PosixPath.name(of: PosixPath.resolved(root) ?? root)
  }

  /// Leaves out files that earlier batches made from sources in the user's folders, and files that
  /// this batch will make again.
  private mutating func leaveOutOutputs(named paths: [String], _ history: BatchHistory) {
    let versions = Set(pairs.map { BatchRecord.version(of: $0.input) })
    let named = Set(paths.map { Array($0.utf8) })
    let makers = Dictionary(grouping: pairs) { identities.of($0.output) }
    pairs.removeAll { pair in
      guard let record = history.record(of: pair.input) else { return false }
      let isMadeAnew = makers[identities.of(pair.input)]?.contains { $0 != pair } ?? false
      let isInside = trees.contains { PosixPath.contains($0, record.source) }
      // If the source is gone, but a file of this batch has its length and time, the folder of the
      // source was renamed or is mounted elsewhere.
      let isMoved =
        PosixPath.kind(of: record.source) == .nothing && versions.contains(record.sourceVersion)
      guard isMadeAnew || isInside || isMoved else { return false }
      if named.contains(Array(pair.input.utf8)) { leftOut.append((pair.input, record.source)) }
      return true
    }
  }

  private func checkOutputs() throws {
    let makers = Dictionary(grouping: pairs) { identities.of($0.output) }
    for pair in pairs {
      guard let found = makers[identities.of(pair.input)] else { continue }
      let other = found.first { $0 != pair }
      throw TranscodingError(
        .invalidSettings,
        "\(pair.input) would be replaced by "
          + (other.map { "the output of \($0.input)" } ?? "its own output")
          + ": choose another folder with --into, or other names with --name")
    }
    for pair in pairs {
      if let found = makers[identities.of(pair.output)], found.count > 1 {
        throw Self.refusal(of: found)
      }
    }
    // On exFAT, `A.mov` and `a.mov` are one file.
    let alike = Dictionary(grouping: pairs) { $0.output.lowercased() }
    for pair in pairs {
      if let found = alike[pair.output.lowercased()], found.count > 1,
        PosixPath.foldsCase(in: PosixPath.directory(of: pair.output))
      {
        throw Self.refusal(of: found)
      }
    }
  }

  /// Returns the error about files whose outputs would have the same name.
  private static func refusal(of pairs: [Pair]) -> TranscodingError {
    TranscodingError(
      .invalidSettings,
      "\(pairs[0].input) and \(pairs[1].input) would both become \(pairs[0].output): choose other "
        + "names with --name, such as {folder}-{name}.{ext}")
  }
}

extension [BatchFiles.Pair] {
  /// The pairs, each only once even if the user named it several times.
  fileprivate var withoutRepetitions: [BatchFiles.Pair] {
    var seen: Set<BatchFiles.Pair> = []
    return filter { seen.insert($0).inserted }
  }
}

/// Looks up which file a path leads to, once for each path.
private final class Identities {
  private var known: [[UInt8]: [UInt8]] = [:]

  /// Returns the bytes of the absolute path without symbolic links. If there is no such file, only
  /// its folder is resolved.
  func of(_ path: String) -> [UInt8] {
    // For Swift, names that differ only in their Unicode normalization are equal. For the system
    // they are two files, so compare bytes.
    let key = Array(path.utf8)
    if let identity = known[key] { return identity }
    let identity = Array((PosixPath.resolved(path) ?? Self.place(of: path)).utf8)
    known[key] = identity
    return identity
  }

  private static func place(of path: String) -> String {
    let directory = PosixPath.directory(of: path)
    return "\(PosixPath.resolved(directory) ?? directory)/\(PosixPath.name(of: path))"
  }
}

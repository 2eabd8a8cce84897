// SPDX-License-Identifier: GPL-2.0-or-later
/// A search for the first frame of each shot: one that differs from the frame before far more than
/// its neighbors do from theirs. Where a camera moves, all of them differ, or every second or third
/// where frames are repeated; a flash differs twice; a light that is lit leaves most as it was; and
/// a fade, however it begins, goes on. It decides some frames later; `ShotDetector` decides at
/// once, and takes those for cuts.
struct CutDetector<Frame> {
  /// The decision about a frame: whether it is the first of its shot, and whether it is a flash, or
  /// black, so that those around it are alike.
  typealias Verdict = (frame: Frame, isCut: Bool, isFlash: Bool)

  /// A frame, and its change since the one before.
  private struct Look {
    let frame: Frame
    let cells: FrameCells
    /// The change since the frame before, and behind a flash since the one before that.
    let change: FrameCells.Change
    /// The mean change since the frame before.
    let mean: Double
    /// The mean change before, of frames without flashes.
    let calm: Double
    /// True if the frame before was taken for a flash.
    var isBehindFlash = false
  }

  /// The least mean change at a cut, in parts of the largest code value.
  private static var least: Double { 0.02 }
  /// The least ratio of the change at a cut to those around.
  private static var ratio: Double { 2.5 }
  /// Number of frames before a change, and behind it, among which others like it are looked for.
  private static var reach: Int { 6 }
  /// Number of others like it on one side that tell a movement, of which frames are repeated.
  private static var movement: Int { 2 }
  /// The part of a change from which on it is no movement's: by so much all cells become brighter,
  /// or darker, while a movement leaves the light nearly as it is.
  private static var uneven: Double { 0.5 }
  /// So many frames behind a change show whether it is a fade's.
  private static var ahead: Int { 3 }
  /// In a fade, so much of the change makes all cells brighter, or all darker.
  private static var together: Double { 0.8 }
  /// A fade goes on with so much of the first change.
  private static var onward: Double { 0.3 }
  /// Number of frames after which a fade goes on already; a cut with a flash behind it does not.
  private static var soon: Int { 2 }
  /// The part of the first change by which it does, at least.
  private static var slightly: Double { 0.1 }

  /// The frames that are not settled, behind the last one that is: no more than `reach` and two.
  private var looks: [Look] = []
  /// Number of the first of them that is not: 0 at the beginning, then 1.
  private var settled = 0
  /// The mean changes of the last frames that are settled, 0 for what is no movement.
  private var history: [Double] = []

  /// Takes the next frame, in the order of presentation.
  ///
  /// - Returns: an earlier frame, about which is decided now; nil for the first ones.
  mutating func take(_ frame: Frame, _ cells: FrameCells) -> Verdict? {
    guard let last = looks.last else {
      looks = [Look(frame: frame, cells: cells, change: .none, mean: 0, calm: 0)]
      return nil
    }
    let change = cells.change(since: last.cells)
    var look = Look(
      frame: frame, cells: cells, change: change, mean: change.mean, calm: last.change.mean)
    if let before = looks.dropLast().last, !last.isBehindFlash,
      Self.isSpike(last, after: last.calm), change.mean * Self.ratio > last.change.mean
    {
      // A flash: what follows is held against what was before it.
      look = Look(
        frame: frame, cells: cells, change: cells.change(since: before.cells), mean: change.mean,
        calm: last.calm, isBehindFlash: true)
    }
    looks.append(look)
    return looks.count > settled + Self.reach ? settle() : nil
  }

  /// The decision about one of the last frames; nil where all are settled.
  mutating func end() -> Verdict? { settled < looks.count ? settle() : nil }

  private mutating func settle() -> Verdict {
    let verdict: Verdict = (looks[settled].frame, isCut(settled), isFlash(settled))
    let mayMove = !verdict.isFlash && Self.keepsLight(looks[settled])
    history = (history + [mayMove ? looks[settled].change.mean : 0]).suffix(Self.reach)
    settled += 1
    // A frame before is what a flash is held against.
    if settled > 1 {
      looks.removeFirst()
      settled -= 1
    }
    return verdict
  }

  private static func isSpike(_ look: Look, after calm: Double) -> Bool {
    look.change.mean > max(least, ratio * calm)
  }

  private func isCut(_ index: Int) -> Bool {
    let (look, next) = (looks[index], looks.dropFirst(index + 1).first?.mean ?? 0)
    return !look.change.isStill
      && Self.isSpike(look, after: max(look.calm, next)) && !beginsFade(index)
      && !isOfMovement(index)
  }

  private static func keepsLight(_ look: Look) -> Bool {
    abs(look.change.rise) < uneven * look.change.mean
  }

  /// True if changes like this one follow it, or came before it: a movement of which frames are
  /// repeated, as film at 60 frames a second, or drawings.
  private func isOfMovement(_ index: Int) -> Bool {
    guard Self.keepsLight(looks[index]) else { return false }
    let least = looks[index].change.mean / Self.ratio
    let behind = looks.indices.suffix(from: index + 1)
      .filter { !isFlash($0) && Self.keepsLight(looks[$0]) && looks[$0].change.mean > least }
    return max(behind.count, history.count { $0 > least }) >= Self.movement
  }

  private func isFlash(_ index: Int) -> Bool {
    guard index + 1 < looks.count, looks[index + 1].isBehindFlash else { return false }
    return looks[index + 1].change.mean * Self.ratio < looks[index].change.mean
  }

  private func beginsFade(_ index: Int) -> Bool {
    let first = looks[index]
    /// The change behind the first one, in its direction, to a later frame.
    func onward(_ count: Int) -> Double {
      let later = looks[min(index + count, looks.count - 1)]
      return later.cells.change(since: first.cells).rise * (first.change.rise < 0 ? -1 : 1)
    }
    let rise = abs(first.change.rise)
    return rise > Self.together * first.change.mean
      && onward(Self.ahead) > Self.onward * rise && onward(Self.soon) > Self.slightly * rise
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
/// Finds the first frame of each shot. It decides about a frame a few frames later, because only
/// the frames after a change show whether it is a cut, a flash, a fade or a moving camera.
/// `ShotDetector` decides at once, so it may mistake a flash, a fade or a moving camera for a cut.
struct CutDetector<Frame> {
  // At a cut, a frame differs from the one before it far more than the frames around the cut differ
  // from their neighbors. If the camera moves, all frames differ (or every second or third, if
  // frames are repeated). A flash causes two such differences: one when it begins, and one when it
  // ends. A flicker causes many, before and after. A lamp that is switched on leaves at least half
  // of the frame unchanged. A fade goes on for several frames, however it begins.

  /// What was decided about a frame: whether it begins a shot, and whether it is a flash or a black
  /// frame between frames that look alike.
  typealias Verdict = (frame: Frame, isCut: Bool, isFlash: Bool)

  private struct Look {
    let frame: Frame
    let cells: FrameCells
    /// The change since the frame before or, after a flash, since the frame before the flash.
    let change: FrameCells.Change
    /// The mean change since the frame before.
    let mean: Double
    /// The mean change at the frame before or, after a flash, at the frame before the flash.
    let calm: Double
    /// Whether the frame before counts as a flash.
    var isBehindFlash = false
  }

  /// At a cut, the mean change is larger than this fraction of the largest code value.
  private static var least: Double { 0.02 }
  /// At a cut, the change is larger than this multiple of the changes around it.
  private static var ratio: Double { 2.5 }
  /// How many frames before and after a change are searched for similar changes.
  private static var reach: Int { 6 }
  /// A change belongs to a movement if there are this many similar changes on one side of it. Film
  /// at 60 frames a second and drawn animation repeat frames, so a movement may consist of large
  /// changes with unchanged frames between them.
  private static var movement: Int { 2 }
  /// A change can belong to a movement only if the frame's mean change in one direction, brighter
  /// or darker, is less than this share of its whole change. A movement hardly changes the frame's
  /// mean light, but a lamp or a cut does.
  private static var uneven: Double { 0.5 }
  /// In a flicker, the mean change is less than this fraction of the largest code value. A light
  /// that flickers by 20 % causes half of this change. A strobe causes more, and its bright frames
  /// count as short shots.
  private static var flicker: Double { 0.06 }
  /// The number of frames after a change that show whether the change belongs to a fade.
  private static var ahead: Int { 3 }
  /// At least this share of a fade's first change goes in one direction, brighter or darker.
  private static var together: Double { 0.8 }
  /// Within `ahead` frames, the light of a fade changes further by at least this share of its first
  /// change.
  private static var onward: Double { 0.3 }
  /// This many frames after the first change of a fade, its light has already changed further. A
  /// cut that is followed by a flash may pass the test at `ahead`, but two frames after such a cut,
  /// nothing has changed further.
  private static var soon: Int { 2 }
  /// Within `soon` frames, the light of a fade changes further by at least this share of its first
  /// change.
  private static var slightly: Double { 0.1 }

  /// The last settled frame (the last one with a verdict) and all frames after it. Together, they
  /// are at most `reach` + 2 frames.
  private var looks: [Look] = []
  /// The index of the first frame in `looks` that is not settled: 0 at the beginning, then 1.
  private var settled = 0
  /// The mean changes of the last settled frames; 0 for a change that cannot belong to a movement.
  private var history: [Double] = []
  /// How much the light of the whole frame changed at the last settled frames; 0 for flashes.
  private var lightChanges: [Double] = []

  /// Takes the next frame in presentation order.
  ///
  /// - Returns: the verdict about an earlier frame, or `nil` for the first frames.
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
      // After a flash, the scene looks as it did before, so compare with the frame before the
      // flash. Compared with the flash itself, this frame would look like a second cut.
      look = Look(
        frame: frame, cells: cells, change: cells.change(since: before.cells), mean: change.mean,
        calm: last.calm, isBehindFlash: true)
    }
    looks.append(look)
    return looks.count > settled + Self.reach ? settle() : nil
  }

  /// Returns the verdict about the next of the remaining frames, or `nil` when all are settled.
  mutating func end() -> Verdict? { settled < looks.count ? settle() : nil }

  private mutating func settle() -> Verdict {
    let verdict: Verdict = (looks[settled].frame, isCut(settled), isFlash(settled))
    let mayMove = !verdict.isFlash && Self.keepsLight(looks[settled])
    history = (history + [mayMove ? looks[settled].change.mean : 0]).suffix(Self.reach)
    let lightChange = verdict.isFlash ? 0 : abs(looks[settled].change.rise)
    lightChanges = (lightChanges + [lightChange]).suffix(Self.reach)
    settled += 1
    // Keep one settled frame, because the frame after a flash is compared with the frame before the
    // flash.
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
    // If half of a frame is unchanged, the frame belongs to the shot of the frame before, however
    // bright the rest became.
    return !look.change.isStill
      && Self.isSpike(look, after: max(look.calm, next)) && !beginsFade(index)
      && !isOfMovement(index) && !isOfFlicker(index)
  }

  private static func keepsLight(_ look: Look) -> Bool {
    abs(look.change.rise) < uneven * look.change.mean
  }

  /// Whether there are enough similar changes before or after this one, as in a movement.
  private func isOfMovement(_ index: Int) -> Bool {
    guard Self.keepsLight(looks[index]) else { return false }
    let least = looks[index].change.mean / Self.ratio
    let behind = looks.indices.suffix(from: index + 1)
      .filter { !isFlash($0) && Self.keepsLight(looks[$0]) && looks[$0].change.mean > least }
    return max(behind.count, history.count { $0 > least }) >= Self.movement
  }

  /// Whether the light of the frame changes by a similar amount both before this change and after
  /// it, as in a flicker.
  private func isOfFlicker(_ index: Int) -> Bool {
    let change = looks[index].change
    guard change.mean < Self.flicker, !Self.keepsLight(looks[index]) else { return false }
    let least = change.mean / Self.ratio
    let behind = looks.indices.suffix(from: index + 1)
      .filter { !isFlash($0) }.map { abs(looks[$0].change.rise) }
    return [lightChanges, behind].allSatisfy { $0.contains { $0 > least } }
  }

  private func isFlash(_ index: Int) -> Bool {
    guard index + 1 < looks.count, looks[index + 1].isBehindFlash else { return false }
    return looks[index + 1].change.mean * Self.ratio < looks[index].change.mean
  }

  private func beginsFade(_ index: Int) -> Bool {
    let first = looks[index]
    /// Returns how far the light has changed after `count` more frames, in the direction of the
    /// first change.
    func onward(_ count: Int) -> Double {
      let later = looks[min(index + count, looks.count - 1)]
      return later.cells.change(since: first.cells).rise * (first.change.rise < 0 ? -1 : 1)
    }
    let rise = abs(first.change.rise)
    return rise > Self.together * first.change.mean
      && onward(Self.ahead) > Self.onward * rise && onward(Self.soon) > Self.slightly * rise
  }
}

// SPDX-License-Identifier: GPL-2.0-or-later
internal import Assets
internal import CodePoints
internal import Host
internal import Planning
internal import Reading
internal import Settings
internal import Transcoding

/// A run that writes a copy of a file's samples.
struct CopyingRun {
  /// The differences from the preset that copies everything, in the form that `--set` takes.
  var changes: [String] = []
  var range: TimeRange?
  var onError: TranscodeOptions.OnError?
  /// Other files that the run reads.
  var reading: [String] = []
  /// The metadata from another file that is given to the frames, if any.
  var grafted: GraftedMetadata?
  /// Notices from before the copy is planned. They are printed before those of the plan.
  var notices: [Notice] = []
  /// The file whose video takes the place of the input's, if any.
  var video: MediaAsset?

  /// Makes the copy, and prints what is lost.
  func write(
    _ input: String, to output: String, _ arguments: OutputArguments
  ) async throws -> (document: SessionDocument, status: ExitStatus) {
    let settings = try Preset.settings(
      "hevc-match-source",
      changes: [
        "name=AVAssetExportPresetPassthrough", "video.codec=passthrough", "audio=passthrough",
      ] + changes)
    // Use one list for everything that the run touches, because no output may replace the input or
    // another output.
    let files = RunFiles(reading: input, reading)
    let report = try arguments.reservedReport(in: files)
    var options = TranscodeOptions()
    options.files = files
    options.onError = onError
    options.range = range
    options.graftedMetadata = grafted
    options.videoAsset = video
    arguments.apply(to: &options)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    arguments.messages.say(notices)
    try await arguments.printPlan(session)
    let result = try await arguments.run(session)
    let document = SessionDocument(session: SessionReport(session, result))
    try report?.store(Console.json(document) + "\n")
    arguments.giveTime(of: input, to: output)
    arguments.finish(session, result, from: input, to: output)
    return (document, arguments.status(of: result))
  }
}

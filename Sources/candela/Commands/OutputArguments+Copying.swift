// SPDX-License-Identifier: GPL-2.0-or-later
internal import CodePoints
internal import Host
internal import Planning
internal import Settings
internal import Transcoding

extension OutputArguments {
  /// Writes a copy of a file's samples, and prints what is lost.
  ///
  /// - Parameters:
  ///   - given: the options of the run, to which these arguments are added.
  ///   - changes: the differences from the preset that copies everything, in the form that `--set`
  ///     takes.
  ///   - others: other files that the run reads.
  ///   - notices: notices from before the copy is planned. They are printed before those of the
  ///     plan.
  func copy(
    _ input: String, to output: String, _ given: TranscodeOptions, changes: [String] = [],
    reading others: [String] = [], notices: [Notice] = []
  ) async throws -> (document: SessionDocument, status: ExitStatus) {
    let settings = try Preset.settings(
      "hevc-match-source",
      changes: [
        "name=AVAssetExportPresetPassthrough", "video.codec=passthrough", "audio=passthrough",
      ] + changes)
    // Use one list for everything that the run touches, because no output may replace the input or
    // another output.
    let files = RunFiles(reading: input, others)
    let report = try reservedReport(in: files)
    var options = given
    options.files = files
    apply(to: &options)
    let session = try await TranscodeSession(
      input: input, output: output, settings: settings, options: options)
    messages.say(notices)
    try await printPlan(session)
    let result = try await run(session)
    let document = SessionDocument(session: SessionReport(session, result))
    try report?.store(Console.json(document) + "\n")
    giveTime(of: input, to: output)
    finish(session, result, from: input, to: output)
    return (document, status(of: result))
  }
}

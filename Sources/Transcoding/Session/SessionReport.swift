public import CodePoints
internal import VideoEncoders

/// What a session planned and what it did, as data.
public struct SessionReport: Sendable, Encodable {
  /// What was planned.
  public let plan: PlanReport
  /// The encoder with its version; left out where pictures were copied.
  public let encoder: EncoderReport?
  /// The pictures that were encoded.
  public let frameCount: Int
  /// The samples of each track of the output, in its order.
  public let sampleCounts: [Int]
  /// Damaged pictures and packets that were concealed or left out.
  public let concealedCount: Int
  /// Pictures of the source that no edit presents and that were left out.
  public let hiddenFrameCount: Int
  /// Pictures whose time was missing or out of order and was made up.
  public let repairedTimeCount: Int
  /// The light levels that were measured; left out where they were not.
  public let measuredContentLightLevel: LightLevelReport?
  /// What was found out only while the samples were read.
  public let notices: [Notice]
  /// Seconds that the work took.
  public let secondsElapsed: Double

  /// The light of all pictures, in cd/m².
  public struct LightLevelReport: Sendable, Encodable {
    /// The largest component of the brightest pixel.
    public let maxCLL: Int
    /// The greatest mean of a picture.
    public let maxFALL: Int
  }

  /// What an encoder was asked for and what it was given.
  public struct EncoderReport: Sendable, Encodable {
    /// The encoder and its version.
    public let name: String
    /// The options that were set.
    public let requested: [String: String]
    /// The values in force.
    public let effective: [String: String]
  }

  /// A report on a session that has run.
  public init(_ session: TranscodeSession, _ result: TranscodeResult) {
    plan = session.report
    encoder = session.encoderReport.map { report in
      func dictionary(_ options: [(name: String, value: String)]) -> [String: String] {
        Dictionary(options.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      }
      return EncoderReport(
        name: report.encoder, requested: dictionary(report.requested),
        effective: dictionary(report.effective))
    }
    frameCount = result.frameCount
    sampleCounts = result.sampleCounts
    concealedCount = result.concealedCount
    hiddenFrameCount = result.hiddenFrameCount
    repairedTimeCount = result.repairedTimeCount
    measuredContentLightLevel = result.measuredContentLightLevel.map {
      LightLevelReport(
        maxCLL: Int($0.maxContentLightLevel), maxFALL: Int($0.maxPicAverageLightLevel))
    }
    notices = result.notices
    secondsElapsed = session.progress.secondsElapsed
  }
}

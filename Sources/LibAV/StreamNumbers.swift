// SPDX-License-Identifier: GPL-2.0-or-later
internal import CFFmpeg
internal import MediaCore

/// The numbers that libavformat gives for a track. Times, sizes and buffers are computed from them.
/// Numbers whose type is small enough need no check and are left out.
struct StreamNumbers {
  /// The duration of a tick in seconds.
  var timeBase: (numerator: Int64, denominator: Int64) = (1, 90_000)
  /// The width in luma samples.
  var width: Int64 = 0
  /// The height in luma samples.
  var height: Int64 = 0
  /// The sample rate of audio in Hz.
  var sampleRate: Int64 = 0
  /// The number of audio channels.
  var channelCount: Int64 = 0

  struct Row: Sendable {
    let number: FileNumber
    let path: any WritableKeyPath<StreamNumbers, Int64> & Sendable
  }

  /// The bounds of all numbers. A track with a number out of bounds is refused.
  static let table = [
    // Nothing can be counted in ticks whose duration is zero or negative.
    Row(number: FileNumber("time_base.num", 1...int32), path: \.timeBase.numerator),
    Row(number: FileNumber("time_base.den", 1...int32), path: \.timeBase.denominator),
    // Areas are multiplied by frame rates and by the shape of samples. The products must not
    // overflow.
    Row(number: FileNumber("width", 0...1 << 20), path: \.width),
    Row(number: FileNumber("height", 0...1 << 20), path: \.height),
    // The size of one second of audio in all channels must not overflow.
    Row(number: FileNumber("sample_rate", 0...1 << 26), path: \.sampleRate),
    Row(number: FileNumber("channels", 0...1 << 10), path: \.channelCount),
  ]

  // With these bounds, the sum of three times still fits into 64 bits.
  /// A time of a packet, track, chapter or file, as the number of ticks times `time_base.num`.
  static let ticks = FileNumber("time", -MediaTime.mostTicks...MediaTime.mostTicks)
  // The limit is 68 years, which is also the longest that edits may last. Clocks that count from
  // 1970 stay below this limit until 2038.
  /// A time in seconds.
  static let seconds = FileNumber("time in seconds", -1 << 31...1 << 31)
  /// The number of samples in a container's list (`nb_frames`). Numbers outside these bounds are
  /// not believed.
  static let sampleCount = FileNumber("nb_frames", 0...1 << 40)

  /// Returns a time in ticks of 1/`time_base.den` s; `nil` if there is none or it is out of bounds.
  static func time(_ value: Int64, in base: AVRational) -> Int64? {
    guard value != candela_nopts(), base.den > 0,
      // In 64 bits, the product might overflow before its bounds are checked.
      let ticks = ticks.believed(Int128(value) * Int128(base.num)),
      seconds.believed(ticks / Int64(base.den)) != nil
    else { return nil }
    return ticks
  }

  /// - Throws: ``LibAVError`` of kind `invalidData` if a time of a packet is out of bounds.
  static func check(
    _ packet: UnsafePointer<AVPacket>, in base: AVRational
  ) throws(LibAVError) {
    let times = unsafe [
      ("presentation time", packet.pointee.pts), ("decode time", packet.pointee.dts),
    ]
    for (name, value) in times where value != candela_nopts() && time(value, in: base) == nil {
      let track = unsafe packet.pointee.stream_index + 1
      throw LibAVError(
        "av_read_frame", candela_averror_invaliddata(),
        context: "track \(track): a \(name) is \(value), more than 68 years from zero")
    }
  }

  private static let int32 = Int64(Int32.max)

  init() {}

  init(_ stream: UnsafeMutablePointer<AVStream>, _ codec: UnsafeMutablePointer<AVCodecParameters>) {
    let base = unsafe stream.pointee.time_base
    timeBase = (Int64(base.num), Int64(base.den))
    width = unsafe Int64(codec.pointee.width)
    height = unsafe Int64(codec.pointee.height)
    sampleRate = unsafe Int64(codec.pointee.sample_rate)
    channelCount = unsafe Int64(candela_channel_count(codec))
  }

  /// - Throws: ``LibAVError`` of kind `invalidData` that names the number.
  func check(track number: Int) throws(LibAVError) {
    let fault = Self.table.lazy.compactMap { $0.number.fault(self[keyPath: $0.path]) }.first
    guard let fault else { return }
    throw LibAVError(
      "avformat_find_stream_info", candela_averror_invaliddata(),
      context: "track \(number): \(fault)")
  }
}
